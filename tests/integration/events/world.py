"""What the processes of a live test find in their database; run by `manage.py shell`, told what to do line by line."""

import json
import sys
from datetime import timedelta

from django.utils import timezone

from backend.apps.accounts.models import User
from backend.apps.accounts.services import issue_token
from backend.apps.nodes.models import Node
from backend.apps.projects.models import Membership
from backend.apps.runners.models import CrawlState, LogLine, Runner
from backend.apps.runners.services import start_runner
from tests.integration.runners.kept_pages import shop_crawler


def make_world() -> None:
    """A run in a project with members and a stranger, with a token for each; printed as JSON."""
    runner = start_runner(crawler=shop_crawler(), user=None)
    tokens = {}
    for name in ("member", "leaver", "stranger"):
        user = User.objects.create_user(name)
        if name != "stranger":
            Membership.objects.create(project=runner.crawler.project, user=user, role="viewer")
        _, tokens[name] = issue_token(user=user, name="stream", days=1, now=timezone.now() - timedelta(minutes=1))
    _say({"runner": runner.pk, "project": runner.crawler.project_id, **tokens})


def happen(message: str, *, node: str = "", pages: int = 0, leave: bool = False) -> None:
    """A log line, and if wanted a new node, progress, or the leaver's leaving."""
    runner = Runner.objects.get()
    if leave:
        Membership.objects.filter(user__username="leaver").delete()
    if node:
        Node.objects.create(name=node, state="online")
    if pages:
        CrawlState.objects.filter(runner=runner).update(statistics=json.dumps({"pages": pages}))
    LogLine.objects.create(runner=runner, at=timezone.now(), message=message)


def follow_orders() -> None:
    """Make the world, then let happen what each line of JSON says, until there are no more."""
    make_world()
    for line in sys.stdin:
        happen(**json.loads(line))
        _say({"done": True})


def _say(what: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()
