"""Small HTML templates in which everything is escaped unless it is already markup."""

import html


class Markup(str):
    """Text that is already safe HTML; `fill` puts it in as it is."""

    __slots__ = ()


def escape(value: object) -> Markup:
    """Markup as it is, nothing for None, the parts of a sequence one after another, the rest as escaped text."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return Markup()
    if isinstance(value, list | tuple):
        return Markup("".join(escape(part) for part in value))
    return Markup(html.escape(str(value), quote=True))


def fill(template: str, **values: object) -> Markup:
    """The template with its `{names}` replaced by escaped values."""
    return Markup(template.format_map({name: escape(value) for name, value in values.items()}))
