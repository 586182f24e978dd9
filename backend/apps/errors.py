"""What can go wrong in the nouns.

GleanerError
├── UserFault          the person can mend it; the message says how
│   ├── Invalid        values that cannot be stored, by field path
│   ├── Conflict       true values that clash with what is there
│   ├── InUse          cannot be deleted while something needs it
│   └── Busy           as much of this is under way as may be; later it works
└── OurFault           the operator or a developer must mend it
    └── WrongKeyError  (projects.encryption)
"""

from collections.abc import Mapping

FieldErrors = dict[str, list[str]]


class GleanerError(Exception):
    code = "error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UserFault(GleanerError):
    code = "bad_request"


class Invalid(UserFault):
    """Carries every field that is wrong, keyed by its path (`inspectors.0.selector`)."""

    code = "invalid"

    def __init__(self, fields: Mapping[str, list[str]], message: str = "") -> None:
        self.fields = dict(fields)
        super().__init__(message or first_sentence(self.fields))


class Conflict(UserFault):
    code = "conflict"


class InUse(UserFault):
    code = "in_use"


class Busy(UserFault):
    """`retry_after_seconds` is when it is worth trying again."""

    code = "busy"

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class OurFault(GleanerError):
    code = "server_error"


def first_sentence(fields: Mapping[str, list[str]]) -> str:
    for path, sentences in fields.items():
        if sentences:
            return f"{path}: {sentences[0]}"
    return "Some values cannot be accepted."
