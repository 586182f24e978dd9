"""The answer to an address that the API does not have, in the API's own error shape."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from backend.api.access import Access, DeclaredAccess


@extend_schema(exclude=True)
class NoSuchAddressView(APIView):
    permission_classes = [DeclaredAccess]
    access = {"*": Access.PUBLIC}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound
