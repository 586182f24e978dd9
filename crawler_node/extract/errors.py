"""What can go wrong in extraction.

ExtractError
├── UserError                  the person can mend it: a message, where, and what to do
│   ├── SelectorError          an XPath that cannot be used
│   ├── CleanupError           a clean-up expression that cannot be used
│   └── TemplateError          a template whose parts do not fit together
├── PageError                  the page cannot be read as HTML
└── BudgetError                a page or an expression cost more than it may
    ├── WorkerDied             the child process that tried it ended by itself (out of memory, a crash)
    └── BusyError              it was not tried: others hold all child processes
"""


class ExtractError(Exception):
    """Anything this package raises on purpose."""


class UserError(ExtractError):
    """A fault in what a person wrote; `str()` is the whole sentence for them.

    `message` says what is wrong, `position` is the 0-based character the fault was seen at (None when it has no one
    place), `hint` says what to do.
    """

    def __init__(self, message: str, *, position: int | None = None, hint: str = "") -> None:
        where = f" (at character {position + 1})" if position is not None else ""
        super().__init__(f"{message.rstrip('.')}{where}. {hint}".rstrip())
        self.message = message
        self.position = position
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.position, self.hint))


def _rebuild(kind: type[UserError], message: str, position: int | None, hint: str) -> UserError:
    return kind(message, position=position, hint=hint)


class SelectorError(UserError):
    """An XPath that does not compile, or uses what XPath 1.0 does not have."""


class CleanupError(UserError):
    """A clean-up expression that neither engine compiles, or a replacement that names a group it does not have."""


class TemplateError(UserError):
    """A template that cannot run; `field` is the path of the part at fault, as in `inspectors.0.selector`."""

    def __init__(self, message: str, *, field: str = "", position: int | None = None, hint: str = "") -> None:
        super().__init__(message, position=position, hint=hint)
        self.field = field

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_template, (self.message, self.field, self.position, self.hint))


def _rebuild_template(message: str, field: str, position: int | None, hint: str) -> TemplateError:
    return TemplateError(message, field=field, position=position, hint=hint)


class PageError(ExtractError):
    """The bytes of a page cannot be read as HTML; `str()` says why."""


class BudgetError(ExtractError):
    """A page or an expression cost more time than it may."""


class WorkerDied(BudgetError):
    """The child process that worked on it ended by itself."""


class BusyError(BudgetError):
    """It was not tried, for every child process was taken for too long."""
