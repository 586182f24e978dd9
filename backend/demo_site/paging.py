"""Long lists cut into pages that are chosen by `?page=N`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from backend.demo_site.markup import Markup, fill

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Paged(Generic[Item]):
    """One page of a list, counted from 1, and how many pages there are."""

    items: Sequence[Item]
    number: int
    last: int


def page_count(total: int, size: int) -> int:
    """How many pages a list has; an empty list has one."""
    return max(1, -(-total // size))


def cut_page(items: Sequence[Item], number_text: str | None, size: int) -> Paged[Item] | None:
    """The page the query string asks for (the first without one); None when there is no such page."""
    number = 1 if number_text is None else int(number_text) if number_text.isdecimal() else 0
    last = page_count(len(items), size)
    if not 1 <= number <= last:
        return None
    return Paged(items[(number - 1) * size : number * size], number, last)


def page_path(path: str, number: int) -> str:
    """The address of a page of a list; the first has no number."""
    return path if number == 1 else f"{path}?page={number}"


def page_links(path: str, page: Paged[Item]) -> Markup:
    """Previous, all numbers, next."""
    if page.last == 1:
        return Markup()
    numbers = [_number_link(path, number, page.number) for number in range(1, page.last + 1)]
    return fill(
        '<nav class="pages" aria-label="Pages">{previous}{numbers}{next}</nav>\n',
        previous=_step_link(path, page.number - 1, "prev", "← Previous") if page.number > 1 else None,
        numbers=numbers,
        next=_step_link(path, page.number + 1, "next", "Next →") if page.number < page.last else None,
    )


def _number_link(path: str, number: int, current: int) -> Markup:
    if number == current:
        return fill('<span aria-current="page">{number}</span>', number=number)
    return fill('<a href="{path}">{number}</a>', path=page_path(path, number), number=number)


def _step_link(path: str, number: int, rel: str, text: str) -> Markup:
    return fill('<a rel="{rel}" href="{path}">{text}</a>', rel=rel, path=page_path(path, number), text=text)
