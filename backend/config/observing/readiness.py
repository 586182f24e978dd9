"""Whether this process can do its work, and what is missing if it cannot."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.models import HeadLease
from wording import say_count


@dataclass(frozen=True)
class Check:
    """One thing that should be so. What is not `is_needed` is told only."""

    ok: bool
    detail: str
    is_needed: bool = True


def readiness(wanted: Mapping[str, Callable[[], Check]]) -> dict[str, Any]:
    """`ready` when everything needed is there; each check with a sentence that says what to do."""
    checks = {name: _guarded(check) for name, check in wanted.items()}
    is_ready = all(check.ok for check in checks.values() if check.is_needed)
    return {
        "status": "ready" if is_ready else "not ready",
        "version": settings.VERSION,
        "checks": {name: asdict(check) for name, check in checks.items()},
    }


def _guarded(check: Callable[[], Check]) -> Check:
    try:
        return check()
    except DatabaseFailure as error:
        return Check(ok=False, detail=f"The database does not answer: {str(error).strip()}.")


def _database() -> Check:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return Check(ok=True, detail=f"{connection.vendor} answers.")


_is_migrated = False


def _migrations() -> Check:
    """Asked until it is true once: migrations are not taken back under a running process."""
    global _is_migrated  # noqa: PLW0603
    if not _is_migrated:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if missing:
            return Check(
                ok=False, detail=f"{say_count(len(missing), 'migration')} to apply. Run ./gleaner manage migrate."
            )
        _is_migrated = True
    return Check(ok=True, detail="All are applied.")


def _user_interface() -> Check:
    if (settings.UI_DIR / "index.html").is_file():
        return Check(ok=True, detail="It is built.")
    return Check(ok=False, detail="It is not built. Run npm ci && npm run build in frontend/.")


def _head_node() -> Check:
    lease = HeadLease.objects.first()
    if lease is not None and lease.expires_at > database_now():
        return Check(ok=True, detail=f"{lease.head} leads.", is_needed=False)
    told = "No head node has been seen lately: jobs wait in the queue. Run ./gleaner head."
    return Check(ok=False, detail=told, is_needed=False)


WORKER_CHECKS: Mapping[str, Callable[[], Check]] = {"database": _database}
HEAD_CHECKS: Mapping[str, Callable[[], Check]] = {**WORKER_CHECKS, "migrations": _migrations, "head_node": _head_node}
WEB_CHECKS: Mapping[str, Callable[[], Check]] = {**HEAD_CHECKS, "user_interface": _user_interface}
