"""Nodes. They belong to no project: everybody who is signed in may see them, administrators decide about them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.access import Access, DeclaredAccess
from backend.api.nodes.serializers import InvitationSerializer, NewInvitationSerializer, NodeSerializer
from backend.apps.jobs.clock import database_now
from backend.apps.nodes.invitations import write_invitation
from backend.apps.nodes.models import Node
from backend.apps.nodes.selectors import judged_nodes
from backend.apps.nodes.services import forget_node, revoke_node, set_draining


class NodeViewSet(mixins.DestroyModelMixin, viewsets.ReadOnlyModelViewSet):
    permission_classes = [DeclaredAccess]
    access = {
        "*": Access.SIGNED_IN,
        **dict.fromkeys(("drain", "undrain", "revoke", "invite", "destroy"), Access.ADMINISTRATOR),
    }
    queryset = Node.objects.all()
    serializer_class = NodeSerializer
    filterset_fields = ["state"]
    search_fields = ["name", "address"]
    ordering_fields = ["name", "state", "heartbeat_at"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """States are those of this moment, also while no head node runs."""
        super().initial(request, *args, **kwargs)
        judged_nodes(now=database_now())

    @extend_schema(request=None, responses=NodeSerializer)
    @action(detail=True, methods=["post"])
    def drain(self, request: Request, pk: str | None = None) -> Response:
        """Let it finish what it has, and give it nothing new."""
        return self._set_draining(is_draining=True)

    @extend_schema(request=None, responses=NodeSerializer)
    @action(detail=True, methods=["post"])
    def undrain(self, request: Request, pk: str | None = None) -> Response:
        """Give it jobs again."""
        return self._set_draining(is_draining=False)

    @extend_schema(request=None, responses=NodeSerializer)
    @action(detail=True, methods=["post"])
    def revoke(self, request: Request, pk: str | None = None) -> Response:
        """End its token and its database login at once; its jobs go on elsewhere."""
        node = self.get_object()
        revoke_node(node=node)
        return Response(self._describe(node))

    @extend_schema(request=NewInvitationSerializer, responses={201: InvitationSerializer})
    @action(detail=False, methods=["post"])
    def invite(self, request: Request) -> Response:
        """The one command that lets a machine join under this name; it is secret, and told this once."""
        asked = NewInvitationSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        invitation = write_invitation(**asked.validated_data)
        return Response(InvitationSerializer(invitation).data, status=status.HTTP_201_CREATED)

    @extend_schema(description="Take a node that is away for good out of the list; what its workers did stays.")
    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().destroy(request, *args, **kwargs)

    def perform_destroy(self, instance: Node) -> None:
        forget_node(node=instance)

    def _set_draining(self, *, is_draining: bool) -> Response:
        node = self.get_object()
        set_draining(node=node, is_draining=is_draining)
        return Response(self._describe(node))

    def _describe(self, node: Node) -> dict[str, Any]:
        judged_nodes(now=database_now())
        return self.get_serializer(self.get_queryset().get(pk=node.pk)).data
