"""Shapes of people, sessions and tokens."""

from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError as PasswordError
from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.apps.accounts.models import ApiToken, User


class PersonSerializer(serializers.ModelSerializer):
    """The signed-in person, as the UI greets them."""

    is_admin = serializers.BooleanField(read_only=True)

    class Meta:
        model = User
        fields = ["id", "username", "email", "is_admin"]


class MeSerializer(serializers.Serializer):
    authenticated = serializers.BooleanField()
    user = PersonSerializer(allow_null=True)
    version = serializers.CharField()


class LoginSerializer(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=500, trim_whitespace=False, style={"input_type": "password"})


def check_password(password: str, user: User | None) -> None:
    try:
        validate_password(password, user)
    except PasswordError as error:
        raise serializers.ValidationError(error.messages) from error


class PasswordSerializer(serializers.Serializer):
    current_password = serializers.CharField(max_length=500, trim_whitespace=False)
    new_password = serializers.CharField(max_length=500, trim_whitespace=False)

    def validate_current_password(self, password: str) -> str:
        if not self.context["request"].user.check_password(password):
            raise serializers.ValidationError("This is not your present password.")
        return password

    def validate_new_password(self, password: str) -> str:
        check_password(password, self.context["request"].user)
        return password


class UserSerializer(StrictFieldsMixin, serializers.ModelSerializer):
    """A person, as administrators manage them."""

    is_admin = serializers.BooleanField(source="is_superuser", default=False)
    password = serializers.CharField(write_only=True, required=False, max_length=500, trim_whitespace=False)

    class Meta:
        model = User
        fields = ["id", "username", "email", "is_admin", "is_active", "last_login", "date_joined", "password"]
        read_only_fields = ["last_login", "date_joined"]

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if self.instance is None and not values.get("password"):
            raise serializers.ValidationError({"password": "Give a first password; the person can change it later."})
        if password := values.get("password"):
            try:
                check_password(password, self.instance)
            except serializers.ValidationError as error:
                raise serializers.ValidationError({"password": error.detail}) from error
        return values


class TokenSerializer(serializers.ModelSerializer):
    class Meta:
        model = ApiToken
        fields = ["id", "name", "prefix", "created_at", "expires_at", "last_used_at"]


class NewTokenSerializer(StrictFieldsMixin, serializers.Serializer):
    name = serializers.CharField(max_length=100)
    expires_in_days = serializers.IntegerField(default=90, min_value=1, max_value=settings.TOKEN_MAX_DAYS)


class IssuedTokenSerializer(TokenSerializer):
    token = serializers.CharField(help_text="Shown this once; store it now.")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "token"]
