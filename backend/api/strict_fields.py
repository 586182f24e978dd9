"""Serializers that refuse what they do not know: a typo in a field's name is told, not swallowed."""

import difflib
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers


class StrictFieldsMixin(serializers.Serializer):
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = {str(name): [self._unknown(str(name))] for name in data if name not in self.fields}
            if unknown:
                raise serializers.ValidationError(unknown)
        return super().to_internal_value(data)

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self.fields, n=1)
        remedy = f"Did you mean “{near[0]}”?" if near else f"Known: {', '.join(self.fields)}."
        return f"There is no field “{name[:100]}”. {remedy}"
