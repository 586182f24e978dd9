"""What a command of the command line works on and for whom: whoever may run it owns the database anyway."""

from collections.abc import Callable

from django.core.management.base import CommandError

from backend.apps.accounts.models import User
from backend.apps.accounts.services import make_first_administrator
from backend.apps.crawlers.models import Crawler
from backend.apps.projects.models import Project
from backend.apps.runners.models import Runner
from backend.config.ephemeral import is_ephemeral

FIRST_NAME = "admin"


def local_owner() -> User:
    """The first administrator, for whom the command line acts."""
    owner = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if owner is None:
        raise CommandError("There is no administrator yet. Type ./gleaner manage first_admin first.")
    return owner


def local_owner_or_new(tell: Callable[[str], object]) -> User:
    """As above; on an empty database the first administrator is made and the password told, where it is of use."""
    password = make_first_administrator(username=FIRST_NAME)
    if password is not None and not is_ephemeral():
        tell(f"Made the first administrator: sign in as {FIRST_NAME} with the password {password}")
    return local_owner()


def project_called(name: str) -> Project:
    found = list(Project.objects.filter(name=name).select_related("owner").order_by("pk")[:2])
    if not found:
        known = ", ".join(f"“{known}”" for known in Project.objects.values_list("name", flat=True)[:20]) or "none yet"
        raise CommandError(f"There is no project “{name}”. Known: {known}.")
    if len(found) > 1:
        raise CommandError(f"Several people have a project “{name}”. Rename one of them first.")
    return found[0]


def crawler_called(project: Project, name: str) -> Crawler:
    crawler = project.crawlers.filter(name=name).select_related("project", "template").first()
    if crawler is None:
        known = ", ".join(f"“{known}”" for known in project.crawlers.values_list("name", flat=True)[:20]) or "none yet"
        raise CommandError(f"The project “{project.name}” has no crawler “{name}”. Known: {known}.")
    return crawler


def runner_numbered(runner_id: int) -> Runner:
    """By the number in the address of the runner's page."""
    runner = Runner.objects.filter(pk=runner_id).select_related("crawler__project", "crawler__template").first()
    if runner is None:
        newest = Runner.objects.select_related("crawler").order_by("-pk")[:5]
        known = ", ".join(f"{known.pk} ({known})" for known in newest) or "none yet"
        raise CommandError(f"There is no runner {runner_id}. The newest are: {known}.")
    return runner
