"""JSON bodies, strictly: what cannot be stored or would exhaust us is refused with a sentence."""

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    strict = True

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError as error:
            raise ParseError("This JSON is nested too deeply. Send something flatter.") from error
        except UnicodeDecodeError as error:
            raise ParseError("This body is not UTF-8. Send JSON in UTF-8.") from error
