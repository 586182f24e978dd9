"""Writes of projects, their members and their secrets."""

from django.db import IntegrityError, transaction

from backend.apps.accounts.models import User
from backend.apps.errors import Conflict, Invalid
from backend.apps.projects.models import Membership, Project, Role, Secret
from backend.apps.sentences import SECRET_NAME


@transaction.atomic
def create_project(*, owner: User, name: str, description: str = "") -> Project:
    """A new project; who makes it is its first admin."""
    if Project.objects.filter(owner=owner, name=name).exists():
        raise Invalid({"name": ["You already have a project of that name. Choose another name."]})
    project = Project.objects.create(owner=owner, name=name, description=description)
    Membership.objects.create(project=project, user=owner, role=Role.ADMIN)
    return project


def update_project(*, project: Project, values: dict[str, str]) -> Project:
    for field in ("name", "description"):
        if field in values:
            setattr(project, field, values[field])
    taken = Project.objects.filter(owner=project.owner_id, name=project.name).exclude(pk=project.pk)
    if taken.exists():
        raise Invalid({"name": ["There is already a project of that name. Choose another name."]})
    project.save()
    return project


@transaction.atomic
def add_member(*, project: Project, username: str, role: str) -> Membership:
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise Invalid({"username": [f"Nobody here is called “{username}”. Ask an administrator to add them first."]})
    try:
        with transaction.atomic():
            return Membership.objects.create(project=project, user=user, role=role)
    except IntegrityError as error:
        raise Invalid({"username": [f"{username} is a member already. Change their role instead."]}) from error


@transaction.atomic
def change_role(*, membership: Membership, role: str) -> Membership:
    if membership.role == Role.ADMIN and role != Role.ADMIN:
        _keep_an_admin(membership)
    membership.role = role
    membership.save(update_fields=["role"])
    return membership


@transaction.atomic
def remove_member(*, membership: Membership) -> None:
    if membership.role == Role.ADMIN:
        _keep_an_admin(membership)
    membership.delete()


def _keep_an_admin(membership: Membership) -> None:
    """Locks the project's admins, so that two requests at once cannot both remove the second last."""
    admins = Membership.objects.select_for_update().filter(project=membership.project_id, role=Role.ADMIN)
    if len(admins) <= 1:
        raise Conflict("A project needs at least one admin. Make somebody else an admin first.")


def keep_secret(*, project: Project, name: str, value: str) -> Secret:
    """Store a secret under its name, replacing what was there."""
    if not SECRET_NAME.fullmatch(name):
        raise Invalid({"name": ["Use letters, digits, spaces, dots, dashes and underscores, at most 100 of them."]})
    if not value:
        raise Invalid({"value": ["A secret cannot be empty. Enter its value or delete it."]})
    secret = Secret.objects.filter(project=project, name=name).first() or Secret(project=project, name=name)
    secret.set_value(value)
    secret.save()
    return secret
