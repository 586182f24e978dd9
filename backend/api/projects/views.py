"""Projects, their members, secrets and files."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.access import Access, DeclaredAccess
from backend.api.project_scope import InProjectViewSet
from backend.api.projects.serializers import (
    ImportReportSerializer,
    MembershipSerializer,
    ProjectSerializer,
    RoleSerializer,
    SecretSerializer,
    SecretValueSerializer,
    StorageSerializer,
)
from backend.apps.housekeeping.deleting import delete_project
from backend.apps.housekeeping.storage import storage_of
from backend.apps.project_files import export_project, import_into_project, import_project, to_json
from backend.apps.projects.models import Membership, Project, Secret
from backend.apps.projects.selectors import describe_counts, projects_for
from backend.apps.projects.services import (
    add_member,
    change_role,
    create_project,
    keep_secret,
    remove_member,
    update_project,
)

IN_PROJECT = OpenApiParameter("project_pk", OpenApiTypes.INT, OpenApiParameter.PATH, description="The project.")
PROJECT_FILE = {"application/json": {"type": "object", "description": "A project file; see docs/project-file.md."}}


class ProjectViewSet(viewsets.ModelViewSet):
    permission_classes = [DeclaredAccess]
    access = {
        "create": Access.SIGNED_IN,
        "import_new": Access.SIGNED_IN,
        "update": Access.ADMIN,
        "partial_update": Access.ADMIN,
        "destroy": Access.ADMIN,
    }
    queryset = Project.objects.all()
    serializer_class = ProjectSerializer
    search_fields = ["name", "description"]
    ordering_fields = ["name", "created_at", "updated_at"]

    def get_queryset(self) -> QuerySet[Project]:
        if getattr(self, "swagger_fake_view", False):
            return Project.objects.none()
        return projects_for(self.request.user)

    def project_of(self, obj: Project) -> Project:
        return obj

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        rows = args[0] if args else None
        for project in rows if isinstance(rows, list) else [rows]:
            if isinstance(project, Project):
                project.role = project.caller_role
                project.counts = describe_counts(project)
        return super().get_serializer(*args, **kwargs)

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        project = create_project(owner=request.user, **serializer.validated_data)
        return Response(
            self.get_serializer(self.get_queryset().get(pk=project.pk)).data, status=status.HTTP_201_CREATED
        )

    def perform_destroy(self, instance: Project) -> None:
        delete_project(project=instance)

    @extend_schema(operation_id="project_storage", responses=StorageSerializer)
    @action(detail=True, methods=["get"])
    def storage(self, request: Request, pk: str | None = None) -> Response:
        """What the project holds: rows and bytes by kind. Bytes are estimates, and rows where there are very many."""
        kinds = storage_of(self.get_object())
        totals = {"rows": sum(kind.rows for kind in kinds), "bytes": sum(kind.bytes for kind in kinds)}
        return Response(StorageSerializer({"kinds": kinds, **totals}).data)

    def perform_update(self, serializer: Any) -> None:
        update_project(project=serializer.instance, values=serializer.validated_data)

    @extend_schema(
        operation_id="project_export", responses={(200, "application/json"): PROJECT_FILE["application/json"]}
    )
    @action(detail=True, methods=["get"])
    def export(self, request: Request, pk: str | None = None) -> HttpResponse:
        """The project file: templates, crawlers, indexers and dictionaries. Secrets appear as names only."""
        project = self.get_object()
        name = f"{slugify(project.name) or 'project'}.gleaner.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(to_json(export_project(project)), content_type="application/json", headers=headers)

    @extend_schema(operation_id="project_import", request=PROJECT_FILE, responses=ImportReportSerializer)
    @action(detail=True, methods=["post"], url_path="import")
    def import_file(self, request: Request, pk: str | None = None) -> Response:
        """Merge a project file into this project, by name; nothing is deleted."""
        return Response(import_into_project(project=self.get_object(), file=request.data).as_dict())

    @extend_schema(operation_id="project_import_new", request=PROJECT_FILE, responses=ImportReportSerializer)
    @action(detail=False, methods=["post"], url_path="import")
    def import_new(self, request: Request) -> Response:
        """Merge a project file into your project of the name it gives, which is made when it is not there."""
        return Response(import_project(owner=request.user, file=request.data).as_dict())


@extend_schema(parameters=[IN_PROJECT])
class MembershipViewSet(InProjectViewSet, mixins.UpdateModelMixin):
    access = {"list": Access.VIEWER, "*": Access.ADMIN}
    http_method_names = ["get", "post", "patch", "delete", "head", "options"]
    queryset = Membership.objects.select_related("user", "project")
    serializer_class = MembershipSerializer

    def perform_create(self, serializer: MembershipSerializer) -> None:
        values = serializer.validated_data
        serializer.instance = add_member(
            project=self.project, username=values["user"]["username"], role=values.get("role", "viewer")
        )

    @extend_schema(request=RoleSerializer, responses=MembershipSerializer)
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        serializer = RoleSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        membership = change_role(membership=self.get_object(), role=serializer.validated_data["role"])
        return Response(self.get_serializer(membership).data)

    def perform_destroy(self, instance: Membership) -> None:
        remove_member(membership=instance)


@extend_schema(parameters=[IN_PROJECT])
class SecretViewSet(InProjectViewSet):
    access = {"*": Access.EDITOR}
    queryset = Secret.objects.all()
    serializer_class = SecretSerializer

    def perform_create(self, serializer: SecretSerializer) -> None:
        serializer.instance = keep_secret(project=self.project, **serializer.validated_data)

    @extend_schema(request=SecretValueSerializer, responses=SecretSerializer)
    def update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Replace the value of a secret."""
        serializer = SecretValueSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        secret = keep_secret(project=self.project, name=self.get_object().name, **serializer.validated_data)
        return Response(self.get_serializer(secret).data)
