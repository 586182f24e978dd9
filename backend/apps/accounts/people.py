"""Writes about people that administrators make."""

from typing import Any

from django.db import transaction

from backend.apps.accounts.models import User
from backend.apps.errors import Conflict, InUse


@transaction.atomic
def save_user(*, values: dict[str, Any], user: User | None = None) -> User:
    """Make a person, or change the given one; a new password ends their other sessions."""
    user = user or User()
    was_admin = user.pk is not None and user.is_active and user.is_superuser
    for field in ("username", "email", "is_superuser", "is_active"):
        if field in values:
            setattr(user, field, values[field])
    if was_admin and not (user.is_superuser and user.is_active):
        _keep_an_administrator()
    if values.get("password"):
        user.set_password(values["password"])
    user.save()
    return user


@transaction.atomic
def delete_user(*, user: User) -> None:
    if user.is_superuser and user.is_active:
        _keep_an_administrator()
    owned = user.owned_projects.first()
    if owned is not None:
        raise InUse(
            f"{user.username} owns the project “{owned.name}”. Delete it first, or deactivate the person instead."
        )
    user.delete()


def _keep_an_administrator() -> None:
    administrators = User.objects.select_for_update().filter(is_superuser=True, is_active=True)
    if len(administrators) <= 1:
        raise Conflict("There must be at least one administrator. Make somebody else one first.")
