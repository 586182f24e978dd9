"""The OpenAPI description: drf-spectacular's, with who may call each operation and what errors look like."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from backend.api.access import Access, access_of

ERROR = {
    "type": "object",
    "required": ["code", "detail", "fields"],
    "properties": {
        "code": {"type": "string", "description": "For programs."},
        "detail": {"type": "string", "description": "A sentence for people that says what to do."},
        "fields": {
            "type": "object",
            "description": "Sentences by field path, such as inspectors.0.selector.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
    },
}


class GleanerSchema(AutoSchema):
    def get_extensions(self) -> dict[str, Any]:
        return {"x-access": str(access_of(self.view, self.method))}

    def get_auth(self) -> list[dict[str, Any]]:
        auth = super().get_auth()
        is_open = access_of(self.view, self.method) in (Access.PUBLIC, Access.PUBLISHED)
        return [*auth, {}] if is_open and {} not in auth else auth

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/")[0]]


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "backend.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


def describe_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every operation can answer with the one error shape."""
    result["components"].setdefault("schemas", {})["Error"] = ERROR
    answer = {
        "description": "Refused; `detail` says why and what to do.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault("default", answer)
    return result
