"""Writing the ordered parts of a noun (inspectors of a template, columns of an indexer) as one list."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import models

from backend.apps.errors import Invalid


def matched_children(
    children: Iterable[models.Model], rows: Sequence[Mapping[str, Any]]
) -> list[tuple[models.Model | None, Mapping[str, Any]]]:
    """Each row with the child it describes: the one of its `id`, else the one of its name, else None (a new one)."""
    by_id = {child.pk: child for child in children}
    claimed = {row["id"] for row in rows if row.get("id")}
    by_name = {getattr(child, "name", None): child for child in by_id.values() if child.pk not in claimed}
    pairs: list[tuple[models.Model | None, Mapping[str, Any]]] = []
    for place, row in enumerate(rows):
        if row.get("id") and row["id"] not in by_id:
            raise Invalid({f"{place}.id": ["This part does not exist any more. Load the page again and repeat."]})
        pairs.append((by_id[row["id"]] if row.get("id") else by_name.pop(row.get("name"), None), row))
    return pairs


def write_children(
    pairs: Sequence[tuple[models.Model | None, Mapping[str, Any]]],
    *,
    make: type[models.Model],
    owner: Mapping[str, models.Model],
    fields: Sequence[str],
    unique: Sequence[str] = (),
) -> list[models.Model]:
    """Store the rows in their order. Children that swap unique values step aside first."""
    for child, _ in pairs:
        if child is not None and unique:
            make._default_manager.filter(pk=child.pk).update(**{field: uuid.uuid4().hex for field in unique})
    written = []
    for position, (known, row) in enumerate(pairs):
        child = known or make(**owner)
        for field in fields:
            if field in row:
                setattr(child, field, row[field])
        child.position = position  # type: ignore[attr-defined]
        child.save()
        written.append(child)
    return written
