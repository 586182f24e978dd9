"""Who may call what. Each view declares it, the permission here enforces it, the OpenAPI file tells it (`x-access`)."""

from enum import StrEnum
from typing import Any

from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from backend.apps.projects.models import Project, Role


class Access(StrEnum):
    """What a caller must be. The last three are roles in the object's project; strangers to it get a 404.

    `published`: a viewer, or anybody where the object itself was made public; the view looks.
    """

    PUBLIC = "public"
    PUBLISHED = "published"
    SIGNED_IN = "signed in"
    ADMINISTRATOR = "administrator"
    VIEWER = "viewer"
    EDITOR = "editor"
    ADMIN = "admin"

    @property
    def role(self) -> Role | None:
        return Role(self.value) if self.value in Role.values else None


def access_of(view: APIView, method: str) -> Access:
    """What `method` of this view needs: by action, else by method, else viewing to read and editing to write."""
    table: dict[str, Access] = getattr(view, "access", {})
    action = getattr(view, "action", None) or ""
    default = Access.VIEWER if method in SAFE_METHODS else Access.EDITOR
    return table.get(action, table.get(method, table.get("*", default)))


def require_role(project: Project, request: Request, needed: Role) -> None:
    """Refuse a member whose role is too low, and say whom to ask."""
    role = project.role_of(request.user)
    if role is None or not role.may_act_as(needed):
        raise PermissionDenied(
            f"This needs the role {needed.label.lower()} in the project “{project.name}”; yours is "
            f"{role.label.lower() if role else 'none'}. Ask an admin of the project."
        )


class DeclaredAccess(BasePermission):
    """Enforces what the view declares."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        needed = access_of(view, request.method)
        if needed in (Access.PUBLIC, Access.PUBLISHED):
            return True
        if not request.user.is_authenticated:
            return False
        if needed is Access.ADMINISTRATOR and not request.user.is_admin:
            raise PermissionDenied("Only administrators may do this. Ask one of them.")
        return True

    def has_object_permission(self, request: Request, view: APIView, obj: Any) -> bool:
        role = access_of(view, request.method).role
        if role is not None:
            require_role(view.project_of(obj), request, role)
        return True
