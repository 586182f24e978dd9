"""A node's login has the rights of a worker and no others, and ends when it is revoked."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg.errors import InsufficientPrivilege

from backend.apps.errors import Conflict
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Ending, JobState, Placement
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.nodes.join_token import with_login
from backend.apps.nodes.models import Node
from backend.apps.nodes.rights import grant_worker_rights, group_role, renew_worker_rights
from backend.apps.nodes.services import LOCALHOST, Login, invite_node, register_localhost, revoke_node
from backend.apps.runners.models import RunnerStatus
from backend.apps.runners.services import pause_because, start_runner
from backend.config.head import AfterTick, NodeRights, make_head
from head_node.contracts import Placement as Place
from tests.integration.runners.kept_pages import shop_crawler

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ALLOWED = [
    "SELECT * FROM runners_runner",
    "UPDATE runners_runner SET status = 'running', reason = '', started_at = now(), finished_at = NULL",
    "SELECT * FROM projects_secret",
    "UPDATE jobs_placement SET live = '{}'",
    "UPDATE nodes_node SET load = 1, heartbeat_at = now()",
    "UPDATE jobs_job SET resume_at = now(), wish = wish, crashes = 0, crash_fence = 0, crashing_since = NULL",
    "SELECT * FROM jobs_job FOR UPDATE",
    "SELECT * FROM indexers_indexer",
    "DELETE FROM runners_crawlurl",
    "INSERT INTO jobs_jobtransition (job_id, state, reason, at) SELECT id, state, '', now() FROM jobs_job",
    "SELECT nextval('documents_page_id_seq')",
]
REFUSED = [
    "SELECT * FROM accounts_user",
    "SELECT * FROM accounts_apitoken",
    "SELECT * FROM django_session",
    "SELECT * FROM projects_membership",
    "UPDATE nodes_node SET token_hash = ''",
    "UPDATE projects_secret SET name = 'x'",
    "DELETE FROM jobs_job",
    "UPDATE jobs_job SET priority = 1000",
    "UPDATE jobs_job SET requested_workers = 99",
    "UPDATE jobs_job SET requested_node_id = NULL",
    "UPDATE runners_runner SET specification = '{}'",
    "UPDATE runners_runner SET created_by_id = NULL",
    "INSERT INTO runners_runner (number) VALUES (1)",
    "DELETE FROM runners_runner",
    "UPDATE indexers_indexer SET public = true",
    "UPDATE indexers_indexbuild SET state = 'served'",
    "DELETE FROM indexers_indexer",
    "DELETE FROM indexers_dictionary",
    "INSERT INTO indexers_dictionary (name) VALUES ('x')",
    "INSERT INTO nodes_node (name) VALUES ('x')",
    "UPDATE crawlers_crawler SET name = 'x'",
    "SELECT * FROM jobs_headlease",
    "CREATE TABLE x (id int)",
    "CREATE ROLE x",
]


def login(name: str) -> "psycopg.Connection[tuple[object, ...]]":
    return connect(invite_node(name=name))


def connect(invited: Login) -> "psycopg.Connection[tuple[object, ...]]":
    url = urlunsplit(urlsplit(settings.DATABASE_URL)._replace(path=f"/{connection.settings_dict['NAME']}"))
    return psycopg.connect(with_login(url, user=invited.role, password=invited.password), autocommit=True)


def test_a_node_may_do_what_a_worker_does_and_nothing_else() -> None:
    with login("n1") as node:
        for statement in ALLOWED:
            node.execute(statement)
        for statement in REFUSED:
            with pytest.raises(InsufficientPrivilege):
                node.execute(statement)


def test_the_list_of_what_is_refused_names_tables_that_exist() -> None:
    with connection.cursor() as cursor:
        for statement in REFUSED[:-2]:
            cursor.execute(f"EXPLAIN {statement}")


def test_rights_that_an_older_version_gave_are_taken_back() -> None:
    with login("n1") as node:
        with connection.cursor() as cursor:
            cursor.execute(f'GRANT UPDATE, DELETE ON indexers_indexer, jobs_job TO "{group_role()}"')
        node.execute("DELETE FROM indexers_indexer")
        renew_worker_rights()
        for statement in ("DELETE FROM indexers_indexer", "UPDATE jobs_job SET priority = 1"):
            with pytest.raises(InsufficientPrivilege):
                node.execute(statement)


@pytest.fixture
def as_worker() -> Iterator[Callable[[], None]]:
    """From the call on this connection has the rights of a worker and no others."""
    grant_worker_rights()

    def become_worker() -> None:
        with connection.cursor() as cursor:
            cursor.execute(f'SET ROLE "{group_role()}"')

    yield become_worker
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")


def test_a_workers_whole_life_needs_no_other_rights(as_worker: Callable[[], None]) -> None:
    head = SqlHeadStore()
    register_localhost(version="1", now=head.now())
    job = start_runner(crawler=shop_crawler(), user=None).jobs.get()
    workers = [head.place(Place(job.pk, number, LOCALHOST)) for number in (1, 2, 3)]
    as_worker()
    for worker, ends_well in zip(workers, (False, False, True), strict=True):
        assert worker is not None
        session = WorkerSession(worker.placement_id)
        session._claim()
        session.placement = Placement.objects.get(pk=worker.placement_id)
        session._beat()
        if ends_well:
            assert pause_because(runner=job.runner, reason="It was asked to wait.", seconds=60)
        session._end(note="Done.", is_crash=not ends_well)
    job.refresh_from_db()
    assert (job.state, job.runner.status) == (JobState.HELD, RunnerStatus.PAUSED)
    session.work_ended(ending=Ending.COMPLETED, reason="Done.")


def test_a_second_invitation_throws_out_whoever_came_with_the_first() -> None:
    with login("n1") as first, login("n1") as second:
        with pytest.raises(psycopg.OperationalError):
            first.execute("SELECT 1")
        assert second.execute("SELECT 1").fetchone() == (1,)


def test_who_comes_back_with_the_first_invitation_while_the_second_is_written_is_thrown_out_too() -> None:
    first = invite_node(name="n1")
    with transaction.atomic():
        invite_node(name="n1")
        back = connect(first)
    with back, pytest.raises(psycopg.OperationalError):
        back.execute("SELECT 1")
    with pytest.raises(psycopg.OperationalError, match="authentication failed"):
        connect(first)


def test_who_may_not_make_logins_is_told_what_to_do() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE gleaner_poor")
        try:
            cursor.execute("SET ROLE gleaner_poor")
            with pytest.raises(Conflict, match="CREATEROLE"):
                invite_node(name="n9")
        finally:
            cursor.execute("RESET ROLE")
            cursor.execute("DROP ROLE gleaner_poor")
    assert not Node.objects.filter(name="n9").exists()


def test_nobody_is_invited_where_everybody_may_make_functions_beside_ours() -> None:
    """As in a database that was made before PostgreSQL 15."""
    with connection.cursor() as cursor:
        cursor.execute("GRANT CREATE ON SCHEMA public TO PUBLIC")
        try:
            with pytest.raises(Conflict, match="REVOKE CREATE ON SCHEMA public"):
                invite_node(name="n9")
        finally:
            cursor.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    assert not Node.objects.filter(name="n9").exists()
    with login("n9") as node, pytest.raises(InsufficientPrivilege):
        node.execute("CREATE FUNCTION lower(text) RETURNS text LANGUAGE sql AS 'SELECT 1'")


def test_a_revoked_node_is_thrown_out_and_stays_out() -> None:
    with login("n1") as node, login("n2") as other:
        revoke_node(node=Node.objects.get(name="n1"))
        with pytest.raises(psycopg.OperationalError):
            node.execute("SELECT 1")
        assert other.execute("SELECT 1").fetchone() == (1,)
    with login("n1") as again:
        assert again.execute("SELECT 1").fetchone() == (1,)


def test_a_node_whose_login_belongs_to_somebody_else_is_not_said_to_be_revoked() -> None:
    with login("n1") as node:
        with connection.cursor() as cursor:
            cursor.execute("CREATE ROLE gleaner_poor")
            try:
                cursor.execute("GRANT SELECT, UPDATE ON nodes_node TO gleaner_poor")
                cursor.execute("SET ROLE gleaner_poor")
                with pytest.raises(Conflict, match=r"ALTER ROLE .* NOLOGIN"):
                    revoke_node(node=Node.objects.get(name="n1"))
            finally:
                cursor.execute("RESET ROLE")
                cursor.execute("DROP OWNED BY gleaner_poor")
                cursor.execute("DROP ROLE gleaner_poor")
        assert Node.objects.get(name="n1").token_hash
        assert node.execute("SELECT 1").fetchone() == (1,)


def test_a_head_that_starts_gives_nodes_the_rights_on_tables_that_came_since() -> None:
    with login("n1") as node:
        with connection.cursor() as cursor:
            cursor.execute(f'REVOKE ALL ON documents_page FROM "{group_role()}"')
        with pytest.raises(InsufficientPrivilege):
            node.execute("SELECT * FROM documents_page")
        make_head()
        node.execute("SELECT * FROM documents_page")
        with pytest.raises(InsufficientPrivilege):
            node.execute("SELECT * FROM accounts_user")


def test_a_head_that_runs_gives_nodes_the_rights_on_tables_that_came_since(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NodeRights, "EVERY_SECONDS", 0.0)
    with login("n1") as node:
        after_tick = AfterTick()
        after_tick()
        with connection.cursor() as cursor:
            cursor.execute(f'REVOKE ALL ON documents_page FROM "{group_role()}"')
        with pytest.raises(InsufficientPrivilege):
            node.execute("SELECT * FROM documents_page")
        after_tick()
        node.execute("SELECT * FROM documents_page")


def test_a_head_gives_no_rights_while_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NodeRights, "EVERY_SECONDS", 0.0)
    with login("n1"):
        duty = NodeRights()
        duty()
        before = row_of_pages()
        duty()
        assert row_of_pages() == before


def test_where_no_node_was_ever_invited_no_role_is_made() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f'DROP OWNED BY "{group_role()}"' if has_group(cursor) else "SELECT 1")
        cursor.execute(f'DROP ROLE IF EXISTS "{group_role()}"')
        assert renew_worker_rights() is False
        assert not has_group(cursor)


def row_of_pages() -> object:
    """The version of the catalogue's row of a table: every GRANT writes a new one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT xmin::text FROM pg_class WHERE relname = 'documents_page'")
        return cursor.fetchone()


def has_group(cursor: CursorWrapper) -> bool:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [group_role()])
    return cursor.fetchone() is not None
