"""Whether a new build is as good as the one that is served: what was lost, which columns became empty."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from backend.apps.documents.models import Document
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.build_plans import BuildPlan
from backend.apps.indexers.losses import MIN_LOST, Losses
from backend.search_engine.index import FieldKind, Snapshot
from backend.search_engine.search.columns import present_mask

MAX_EXAMPLES = 5
CHUNK = 500
NEARLY_NONE = 0.05
"""Any column that keeps no more of its values than this share was not meant to be emptied."""


@dataclass
class Comparison:
    """Two builds side by side. `reasons` says why the new one should wait for a person; [] when it need not."""

    documents_before: int
    documents_after: int
    lost: int
    new: int
    deleted: int
    fill: dict[str, dict[str, float]] = field(default_factory=dict)
    lost_examples: list[dict[str, str]] = field(default_factory=list)
    emptied_examples: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)


def fill_of(snapshot: Snapshot, plan: BuildPlan) -> dict[str, int]:
    """How many documents have a value, by column."""
    return {column.name: int(present_mask(snapshot, column.name).sum()) for column in plan.columns}


def compare_builds(
    before: Snapshot, after: Snapshot, *, plans: tuple[BuildPlan, BuildPlan], max_loss_percent: float
) -> Comparison:
    """What the new build lost, and what the other had lost before while it followed the documents.

    What people deleted, or took out with its crawler, is no loss.
    """
    old, new = _keys(before), _keys(after)
    earlier = Losses.of(before, before.manifest.note)
    missing = sorted(old - new, key=int)
    lost, deleted = _split_deleted(missing, crawlers=plans[1].crawlers)
    found = Comparison(
        documents_before=len(old), documents_after=len(new), lost=len(lost), new=len(new - old), deleted=len(deleted)
    )
    found.lost_examples = [_describe(before, key) for key in lost[:MAX_EXAMPLES]]
    _judge_loss(found, max(0, earlier.peak - earlier.documents), max_loss_percent)
    filled = _fill_without(before, plans[0], deleted)
    remaining = len(old) - len(deleted)
    full = {name: min(count + earlier.emptied.get(name, 0), remaining) for name, count in filled.items()}
    _judge_columns(found, (before, after), full, plans[1], max_loss_percent)
    return found


def _judge_loss(found: Comparison, lost_before: int, max_loss_percent: float) -> None:
    """New documents make good for those that were lost before: else what comes and goes would add up."""
    lost = found.lost + max(0, lost_before - found.new)
    remaining = max(1, found.documents_before - found.deleted + lost - found.lost)
    share = 100 * lost / remaining
    if share > max_loss_percent and lost >= MIN_LOST:
        found.reasons.append(
            f"{lost:,} of {remaining:,} documents ({share:.3g} %) are missing; at most {max_loss_percent:g} % may be."
        )


def _fill_without(snapshot: Snapshot, plan: BuildPlan, keys: list[str]) -> dict[str, int]:
    """How many documents have a value, by column, those of these keys aside."""
    slots = [slot for key in keys if (slot := snapshot.slot_of(key)) is not None]
    filled = fill_of(snapshot, plan)
    return {name: count - int(present_mask(snapshot, name)[slots].sum()) for name, count in filled.items()}


def _judge_columns(
    found: Comparison,
    snapshots: tuple[Snapshot, Snapshot],
    old: dict[str, int],
    plan: BuildPlan,
    max_loss_percent: float,
) -> None:
    """`old` is how full the columns were, of the documents that nobody deleted."""
    before, after = snapshots
    new, remaining = fill_of(after, plan), found.documents_before - found.deleted
    for column in plan.columns:
        rates = {
            "before": _share(old.get(column.name, 0), remaining),
            "after": _share(new[column.name], found.documents_after),
        }
        found.fill[column.name] = rates
        fell = rates["before"] - rates["after"] > rates["before"] * max_loss_percent / 100
        is_empty = rates["after"] <= rates["before"] * NEARLY_NONE
        emptied = (rates["before"] - rates["after"]) / 100 * found.documents_after
        if column.name in old and fell and (column.is_key or is_empty) and emptied >= MIN_LOST:
            found.reasons.append(
                f"The column “{column.name}” has a value in {rates['after']:.3g} % of the documents; "
                f"it was {rates['before']:.3g} %."
            )
            found.emptied_examples[column.name] = _emptied(before, after, column.name)


def _share(count: int, documents: int) -> float:
    return round(100 * count / documents, 2) if documents else 0.0


def _emptied(before: Snapshot, after: Snapshot, name: str) -> list[dict[str, str]]:
    """Documents that had a value before and have none now."""
    had, examples = present_mask(before, name), []
    for slot in np.flatnonzero(after.alive & ~present_mask(after, name) & 1).tolist():
        earlier = before.slot_of(after.key(slot))
        if earlier is not None and had[earlier]:
            examples.append(_describe(before, after.key(slot)))
            if len(examples) == MAX_EXAMPLES:
                break
    return examples


def _keys(snapshot: Snapshot) -> set[str]:
    found: set[str] = set()
    for each in snapshot.segments:
        keys = each.segment.keys.all()
        found.update(keys[document] for document in each.live_documents.tolist())
    return found


def _split_deleted(keys: list[str], *, crawlers: frozenset[int]) -> tuple[list[str], list[str]]:
    """Those whose documents are still there to be found, and those whose are not; `crawlers` as a plan has them."""
    there: set[int] = set()
    wanted = Document.objects.filter(crawler__in=crawlers) if crawlers else Document.objects.all()
    for start in range(0, len(keys), CHUNK):
        chunk = [int(key) for key in keys[start : start + CHUNK]]
        there.update(wanted.filter(pk__in=chunk).values_list("pk", flat=True))
    return [key for key in keys if int(key) in there], [key for key in keys if int(key) not in there]


def _describe(snapshot: Snapshot, key: str) -> dict[str, str]:
    slot = snapshot.slot_of(key)
    fields: dict[str, Any] = snapshot.stored(slot) if slot is not None else {}
    texts = [field.name for field in snapshot.schema.of_kind(FieldKind.TEXT)]
    title = next((fields[name] for name in texts if fields.get(name)), "")
    urls = fields.get(standard.URL) or [""]
    return {"key": key, "title": str(title)[:200], "url": urls[0] if isinstance(urls, list) else str(urls)}
