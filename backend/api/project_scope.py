"""Views of what belongs to a project: members see it, strangers get a 404, roles decide the rest."""

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from django.db.models import Model, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.access import DeclaredAccess, access_of, require_role
from backend.apps.projects.models import Project


def visible_project(request: Request, project_id: Any) -> Project:
    """The project of that id, if the caller may know of it; else 404."""
    try:
        return Project.objects.visible_to(request.user).get(pk=project_id)
    except (Project.DoesNotExist, ValueError, TypeError, OverflowError) as error:
        raise NotFound from error


class ProjectScopedMixin:
    """`project_path` leads from a row to its project (`project`, `crawler__project`, …)."""

    project_path: ClassVar[str] = "project"
    permission_classes = [DeclaredAccess]

    def get_queryset(self) -> QuerySet[Any]:
        queryset = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return queryset.none()
        return queryset.filter(
            **{f"{self.project_path}__in": Project.objects.visible_to(self.request.user).values("pk")}
        )

    def project_of(self, obj: Model) -> Project:
        found: Any = obj
        for step in self.project_path.split("__"):
            found = getattr(found, step)
        return found


class ProjectReadViewSet(ProjectScopedMixin, viewsets.ReadOnlyModelViewSet):
    """What runs fill and people read."""


class SaveNoun(Protocol):
    """Make a noun of these values, or change the given one."""

    def __call__(self, values: dict[str, Any], *, project: Project, noun: Any = None) -> Any: ...


class ProjectNounViewSet(ProjectScopedMixin, viewsets.ModelViewSet):
    """What people configure: complete CRUD and `duplicate`, the writes through services."""

    save_noun: ClassVar[SaveNoun]
    duplicate_noun: ClassVar[Callable[[Any], Any]]

    http_method_names = ["get", "post", "put", "patch", "delete", "head", "options"]
    search_fields = ["name", "description"]
    ordering_fields = ["name", "created_at", "updated_at"]
    filterset_fields = ["project"]

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        project = self._project_of_body(request)
        serializer = self.get_serializer(
            data=request.data, context={**self.get_serializer_context(), "project": project}
        )
        serializer.is_valid(raise_exception=True)
        noun = self.save_noun(dict(serializer.validated_data), project=project)
        return Response(self.get_serializer(self._fresh(noun)).data, status=status.HTTP_201_CREATED)

    def update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        noun = self.get_object()
        context = {**self.get_serializer_context(), "project": noun.project}
        serializer = self.get_serializer(noun, data=request.data, partial=kwargs.get("partial", False), context=context)
        serializer.is_valid(raise_exception=True)
        values = {name: value for name, value in serializer.validated_data.items() if name != "project"}
        noun = self.save_noun(values, project=noun.project, noun=noun)
        return Response(self.get_serializer(self._fresh(noun)).data)

    def perform_destroy(self, instance: Any) -> None:
        self.delete_noun(instance)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def duplicate(self, request: Request, pk: str | None = None) -> Response:
        """A copy in the same project, under a free name."""
        copy = self.duplicate_noun(self.get_object())
        return Response(self.get_serializer(self._fresh(copy)).data, status=status.HTTP_201_CREATED)

    def delete_noun(self, noun: Any) -> None:
        noun.delete()

    def _project_of_body(self, request: Request) -> Project:
        project_id = request.data.get("project") if isinstance(request.data, dict) else None
        if project_id is None:
            raise ValidationError({"project": ["Say which project this belongs to."]})
        project = visible_project(request, project_id)
        require_role(project, request, access_of(self, request.method).role)
        return project

    def _fresh(self, noun: Model) -> Model:
        """The row as a list would show it, with its annotations."""
        return self.get_queryset().get(pk=noun.pk)


class InProjectMixin:
    """Views under `projects/{project_pk}/…`: the project of the path decides before anything else."""

    permission_classes = [DeclaredAccess]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.project = visible_project(request, kwargs["project_pk"])
        role = access_of(self, request.method).role
        if role is not None:
            require_role(self.project, request, role)

    def project_of(self, obj: Model) -> Project:
        return self.project


class InProjectViewSet(
    InProjectMixin, mixins.ListModelMixin, mixins.CreateModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet
):
    def get_queryset(self) -> QuerySet[Any]:
        queryset = super().get_queryset()
        return queryset.none() if getattr(self, "swagger_fake_view", False) else queryset.filter(project=self.project)


class OfVisibleParentMixin:
    """A list under `…/{parent_pk}/…`: what one row holds, for those who may see that row."""

    permission_classes = [DeclaredAccess]
    parent_field: ClassVar[str]
    parents: ClassVar[QuerySet[Any]]
    parent_project_path: ClassVar[str]

    def get_queryset(self) -> QuerySet[Any]:
        queryset = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return queryset.none()
        seen = {f"{self.parent_project_path}__in": Project.objects.visible_to(self.request.user).values("pk")}
        parent = self.parents.filter(pk=self.kwargs["parent_pk"], **seen).first()
        if parent is None:
            raise NotFound
        return queryset.filter(**{self.parent_field: parent})
