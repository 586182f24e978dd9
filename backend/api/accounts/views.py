"""Sessions, people and tokens."""

from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect, ensure_csrf_cookie
from django.views.decorators.debug import sensitive_post_parameters
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.api.access import Access, DeclaredAccess
from backend.api.accounts.serializers import (
    IssuedTokenSerializer,
    LoginSerializer,
    MeSerializer,
    NewTokenSerializer,
    PasswordSerializer,
    TokenSerializer,
    UserSerializer,
)
from backend.api.accounts.throttling import LoginThrottle
from backend.apps.accounts.models import ApiToken, User
from backend.apps.accounts.people import delete_user, save_user
from backend.apps.accounts.services import issue_token
from backend.apps.errors import Invalid, UserFault


class WrongCredentials(UserFault):
    code = "wrong_credentials"


def describe_caller(request: Request) -> dict[str, Any]:
    user = request.user if request.user.is_authenticated else None
    me = {"authenticated": user is not None, "user": user, "version": settings.VERSION}
    return MeSerializer(me).data


@method_decorator(ensure_csrf_cookie, name="dispatch")
class MeView(APIView):
    """Who is calling; also hands out the CSRF cookie."""

    permission_classes = [DeclaredAccess]
    access = {"*": Access.PUBLIC}

    @extend_schema(operation_id="me", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        return Response(describe_caller(request))


@method_decorator([csrf_protect, sensitive_post_parameters("password")], name="dispatch")
class LoginView(APIView):
    permission_classes = [DeclaredAccess]
    access = {"*": Access.PUBLIC}
    throttle_classes = [LoginThrottle]

    @extend_schema(operation_id="login", request=LoginSerializer, responses=MeSerializer)
    def post(self, request: Request) -> Response:
        serializer = LoginSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        user = authenticate(request, **serializer.validated_data)
        if user is None:
            raise WrongCredentials("The user name or the password is not right. Check both and try again.")
        login(request, user)
        request.user = user
        get_token(request)
        return Response(describe_caller(request))


class LogoutView(APIView):
    permission_classes = [DeclaredAccess]
    access = {"*": Access.SIGNED_IN}

    @extend_schema(operation_id="logout", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        logout(request)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PasswordView(APIView):
    permission_classes = [DeclaredAccess]
    access = {"*": Access.SIGNED_IN}
    throttle_classes = [LoginThrottle]

    @extend_schema(operation_id="change_password", request=PasswordSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        serializer = PasswordSerializer(data=request.data, context={"request": request})
        serializer.is_valid(raise_exception=True)
        save_user(values={"password": serializer.validated_data["new_password"]}, user=request.user)
        update_session_auth_hash(request, request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class UserViewSet(viewsets.ModelViewSet):
    """People, for administrators."""

    permission_classes = [DeclaredAccess]
    access = {"*": Access.ADMINISTRATOR}
    http_method_names = ["get", "post", "patch", "delete", "head", "options"]
    queryset = User.objects.order_by("username")
    serializer_class = UserSerializer
    search_fields = ["username", "email"]
    ordering_fields = ["username", "date_joined", "last_login"]

    def perform_create(self, serializer: UserSerializer) -> None:
        serializer.instance = save_user(values=serializer.validated_data)

    def perform_update(self, serializer: UserSerializer) -> None:
        save_user(values=serializer.validated_data, user=serializer.instance)

    def perform_destroy(self, instance: User) -> None:
        delete_user(user=instance)


class TokenViewSet(mixins.ListModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet):
    """The caller's own tokens."""

    permission_classes = [DeclaredAccess]
    access = {"*": Access.SIGNED_IN}
    queryset = ApiToken.objects.order_by("-id")
    serializer_class = TokenSerializer

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return ApiToken.objects.none()
        return super().get_queryset().filter(user=self.request.user)

    @extend_schema(request=NewTokenSerializer, responses={201: IssuedTokenSerializer})
    def create(self, request: Request) -> Response:
        """A new token; its text is in this answer and never shown again."""
        serializer = NewTokenSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        wish = serializer.validated_data
        if self.get_queryset().filter(name=wish["name"]).exists():
            raise Invalid({"name": ["You already have a token of that name. Choose another name."]})
        token, plain = issue_token(
            user=request.user, name=wish["name"], days=wish["expires_in_days"], now=timezone.now()
        )
        return Response({**TokenSerializer(token).data, "token": plain}, status=status.HTTP_201_CREATED)
