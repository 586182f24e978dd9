"""A project groups everything; its members have a role; its secrets are encrypted at rest."""

from typing import Self

from django.conf import settings
from django.db import models

from backend.apps.accounts.models import User
from backend.apps.model_parts import Timed, not_empty, one_of
from backend.apps.projects.encryption import decrypt, encrypt


class Role(models.TextChoices):
    VIEWER = "viewer", "Viewer"
    EDITOR = "editor", "Editor"
    ADMIN = "admin", "Admin"

    def may_act_as(self, needed: "Role") -> bool:
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(needed)


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, user: User) -> Self:
        """What a person may know of: their own projects; for administrators all of them."""
        return self if user.is_admin else self.filter(memberships__user=user)


class Project(Timed):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="owned_projects")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="", max_length=10_000)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            not_empty("project"),
            models.UniqueConstraint(
                fields=["owner", "name"],
                name="project_name_unique_for_owner",
                violation_error_message="You already have a project of that name. Choose another name.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def role_of(self, user: User) -> Role | None:
        """None for a stranger, who must not learn that the project exists."""
        if user.is_admin:
            return Role.ADMIN
        membership = self.memberships.filter(user=user).first()
        return Role(membership.role) if membership else None


class Membership(models.Model):
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.VIEWER)

    class Meta:
        ordering = ["id"]
        constraints = [
            one_of("membership", "role", Role),
            models.UniqueConstraint(fields=["project", "user"], name="membership_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.role}"


class Secret(models.Model):
    """A named value that configuration refers to as `${name}`; it is shown to nobody again."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="secrets")
    name = models.CharField(max_length=100)
    ciphertext = models.BinaryField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            not_empty("secret"),
            models.UniqueConstraint(fields=["project", "name"], name="secret_name_unique_in_project"),
        ]

    def __str__(self) -> str:
        return self.name

    def set_value(self, value: str) -> None:
        self.ciphertext = encrypt(value)

    def reveal(self) -> str:
        return decrypt(bytes(self.ciphertext))
