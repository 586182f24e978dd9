"""Nodes, to look at; they belong to no project, so everybody who is signed in may see them."""

from rest_framework import viewsets

from backend.api.access import Access, DeclaredAccess
from backend.api.nodes.serializers import NodeSerializer
from backend.apps.nodes.models import Node


class NodeViewSet(viewsets.ReadOnlyModelViewSet):
    permission_classes = [DeclaredAccess]
    access = {"*": Access.SIGNED_IN}
    queryset = Node.objects.all()
    serializer_class = NodeSerializer
    filterset_fields = ["state"]
    search_fields = ["name", "address"]
    ordering_fields = ["name", "state", "heartbeat_at"]
