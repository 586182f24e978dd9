"""Suggestions as you type, from millions of names: by beginnings of names, later words and synonyms, with errors."""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.fuzzy.completion import (
    BLOCK,
    FEW,
    build_nodes,
    complete,
    complete_nearly,
    fill_maxima,
    first_from,
    sort_keys,
)
from backend.search_engine.fuzzy.dictionary import Entry
from backend.search_engine.fuzzy.distance import LETTERS, WORD_BITS, clear_pattern, set_pattern
from backend.search_engine.fuzzy.kernels import DOUBLING, MAX_LETTERS
from backend.search_engine.fuzzy.letters import to_letter_pool, to_letters
from backend.search_engine.fuzzy.storage import read_arrays, write_arrays
from backend.search_engine.fuzzy.tolerance import tolerance_of_length
from backend.search_engine.text.folding import fold_accents, fold_case

_KIND: Final = "suggestions that know what to hide"
SYNONYM_COST: Final = 1 * DOUBLING
"""Found by a synonym: as if half as popular."""
WORD_COST: Final = 2 * DOUBLING
"""Found by a later word of the name: as if a quarter as popular."""
_ALIKE: Final = 16
"""Of so many names that are alike but for case and accents is one found."""
ENOUGH: Final = 3
"""Typing errors are looked for only when fewer suggestions than this fit without."""
_SPACE: Final = ord(" ")
_KEY_ARRAYS: Final = ("pool", "starts", "lengths", "entries", "weights", "maxima")
_NODE_ARRAYS: Final = ("children", "child_letters", "child_lows", "child_highs", "child_nodes")
_SAFE_ARRAYS: Final = {"weights": "safe_weights", "maxima": "safe_maxima"}
"""What stands in for these arrays while safe search is on; a suggester that hides nothing has none of them."""
_HIDDEN: Final = -(1 << 30)
"""The weight of a hidden key: below all others, whatever a match adds."""
_SMALL_SCORES: Final = 1_000_000.0


class Suggestion(NamedTuple):
    """A name to offer, and what of it matched: its own folded text, a synonym's, or the rest from a later word on."""

    name: str
    matched: str
    score: float


class Suggester:
    """Names with popularity and synonyms, immutable and safe from many threads."""

    def __init__(self, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        self._arrays = arrays
        self._facts = facts
        self._scratch = threading.local()

    @classmethod
    def build(cls, entries: Iterable[Entry]) -> "Suggester":
        """A suggester over entries; case and accents do not count. Of a name only the first 200 letters do."""
        collected = _Collected.of(entries)
        pool, text_starts = to_letter_pool(collected.texts)
        starts, lengths, entry_of, costs = _keys(pool, text_starts, collected)
        order = np.arange(len(starts), dtype=np.uint32)
        sort_keys(pool, starts, lengths, order)
        weights = (_popularity(collected.scores)[entry_of] - costs)[order].astype(np.int32)
        starts, lengths = starts[order], lengths[order]
        names, name_ends = _pack(collected.names)
        arrays: dict[str, NDArray[Any]] = {
            "pool": pool,
            "starts": starts,
            "lengths": lengths,
            "entries": entry_of[order],
            "weights": weights,
            "maxima": _maxima(weights),
            "scores": collected.scores,
            "names": names,
            "name_ends": name_ends,
            **_nodes(pool, starts, lengths),
            **_safe_arrays(weights, collected.is_hidden[entry_of[order]]),
        }
        return cls(arrays, {})

    @classmethod
    def open(cls, path: Path, *, verify: bool = True) -> "Suggester":
        """Map a saved suggester; damage raises IndexCorruptError."""
        return cls(*read_arrays(path, kind=_KIND, verify=verify))

    def save(self, path: Path) -> None:
        """Write to a file, in place of an older one in one step."""
        write_arrays(path, kind=_KIND, arrays=self._arrays, facts=self._facts)

    def __len__(self) -> int:
        return len(self._arrays["scores"])

    def suggest(self, text: str, *, limit: int = 10, is_safe: bool = False) -> list[Suggestion]:
        """The best names for what was typed so far; with typing errors only while there are not enough without.

        A name equal to the text comes first, then popularity decides, lowered for synonyms, later words and errors.
        With `is_safe` as if hidden names were not there, at the same cost.
        """
        typed = to_letters(fold_name(text, keep_end=True))[:MAX_LETTERS]
        if not len(typed) or limit < 1 or not len(self):
            return []
        keys, scores = np.empty(limit, dtype=np.int64), np.empty(limit, dtype=np.int64)
        shared = self._shared(is_safe=is_safe)
        found = _count_shown(int(complete(typed, *shared, 0, keys, scores)), scores)
        if found < min(limit, ENOUGH):
            found = self._complete_nearly(
                typed[:WORD_BITS], tolerance_of_length(text.strip()), shared, found, keys, scores
            )
        return [self._suggestion(int(key)) for key in keys[:found]]

    def beginning_with(self, text: str, limit: int) -> list[str]:
        """The names that begin with a text, without errors, up to so many, the most popular first."""
        typed = to_letters(fold_name(text))[:MAX_LETTERS]
        low, high = self._range(typed) if len(typed) else (0, 0)
        best = np.argsort(-self._arrays["weights"][low:high], kind="stable")[:limit]
        return [self._suggestion(key).name for key in (low + best).tolist()]

    def _range(self, typed: NDArray[np.uint16]) -> tuple[int, int]:
        """The first key that begins with these letters, and the first after them that does not."""
        texts = [self._arrays[name] for name in _KEY_ARRAYS[:3]]
        low, high = 0, len(self._arrays["starts"])
        for depth, letter in enumerate(typed.tolist()):
            low = int(first_from(*texts, low, high, depth, letter))
            high = int(first_from(*texts, low, high, depth, letter + 1))
        return low, high

    def hides(self, name: str) -> bool:
        """Whether safe search hides this very name."""
        if _SAFE_ARRAYS["weights"] not in self._arrays:
            return False
        typed = to_letters(fold_name(name))[:MAX_LETTERS]
        keys, scores = np.empty(_ALIKE, dtype=np.int64), np.empty(_ALIKE, dtype=np.int64)
        found = int(complete(typed, *self._shared(), 0, keys, scores)) if len(typed) else 0
        weights = self._arrays[_SAFE_ARRAYS["weights"]]
        return any(weights[key] == _HIDDEN for key in keys[:found].tolist() if self._suggestion(key).name == name)

    def _complete_nearly(
        self,
        typed: NDArray[np.uint16],
        most: int,
        shared: Sequence[NDArray[Any]],
        found: int,
        keys: NDArray[np.int64],
        scores: NDArray[np.int64],
    ) -> int:
        """One error first; two only if nothing was found with one."""
        masks = self._thread_masks()
        nodes = [self._arrays[name] for name in _NODE_ARRAYS]
        set_pattern(typed, masks)
        for errors in range(1, most + 1):
            if errors == 1 or found == 0:
                offered = int(complete_nearly(typed, errors, *shared, *nodes, masks, found, keys, scores))
                found = _count_shown(offered, scores)
        clear_pattern(typed, masks)
        return found

    def _thread_masks(self) -> NDArray[np.uint64]:
        if not hasattr(self._scratch, "masks"):
            self._scratch.masks = np.zeros(LETTERS, dtype=np.uint64)
        masks: NDArray[np.uint64] = self._scratch.masks
        return masks

    def _shared(self, *, is_safe: bool = False) -> tuple[NDArray[Any], ...]:
        """What the kernels take first, in their order."""
        arrays = self._arrays
        if not is_safe:
            return tuple(arrays[name] for name in _KEY_ARRAYS)
        return tuple(arrays.get(_SAFE_ARRAYS.get(name, ""), arrays[name]) for name in _KEY_ARRAYS)

    def _suggestion(self, key: int) -> Suggestion:
        arrays = self._arrays
        entry = int(arrays["entries"][key])
        start, ends = int(arrays["starts"][key]), arrays["name_ends"]
        matched = arrays["pool"][start : start + int(arrays["lengths"][key])].tobytes().decode("utf-16-le")
        name = arrays["names"][ends[entry - 1] if entry else 0 : ends[entry]].tobytes().decode("utf-8", "surrogatepass")
        return Suggestion(name, matched, float(arrays["scores"][entry]))


class _Collected(NamedTuple):
    """Entries column by column: `texts` are the folded names and synonyms, `owners` the entry of each."""

    names: list[str]
    scores: NDArray[np.float64]
    texts: list[str]
    owners: NDArray[np.int64]
    is_synonym: NDArray[np.bool_]
    is_hidden: NDArray[np.bool_]
    """By entry."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "_Collected":
        names: list[str] = []
        scores: list[float] = []
        texts: list[str] = []
        owners: list[int] = []
        synonyms: list[bool] = []
        hidden: list[bool] = []
        for number, entry in enumerate(entries):
            names.append(entry.name)
            scores.append(entry.score)
            hidden.append(entry.is_hidden)
            for place, text in enumerate((entry.name, *entry.synonyms)):
                texts.append(fold_name(text))
                owners.append(number)
                synonyms.append(place > 0)
        return cls(
            names,
            np.array(scores, dtype=np.float64),
            texts,
            np.array(owners, dtype=np.int64),
            np.array(synonyms, dtype=bool),
            np.array(hidden, dtype=bool),
        )


def fold_name(text: str, *, keep_end: bool = False) -> str:
    """A name as it is compared: no case, no accents, single spaces. `keep_end` keeps a space that ends a typed text."""
    folded = " ".join(fold_accents(fold_case(text)).split())
    return folded + " " if keep_end and folded and text[-1:].isspace() else folded


def _keys(
    pool: NDArray[np.uint16], text_starts: NDArray[np.int64], collected: _Collected
) -> tuple[NDArray[np.uint32], NDArray[np.uint16], NDArray[np.uint32], NDArray[np.int64]]:
    """(start, length, entry, cost) of every key: each text from its beginning, and each name from its later words."""
    spaces = np.flatnonzero(pool == _SPACE)
    text_of_space = np.searchsorted(text_starts, spaces, side="right") - 1
    in_name = ~collected.is_synonym[text_of_space]
    later, texts_of_later = spaces[in_name] + 1, text_of_space[in_name]
    texts = np.concatenate([np.arange(len(collected.texts)), texts_of_later])
    starts = np.concatenate([text_starts[:-1], later])
    lengths = np.minimum(text_starts[texts + 1] - starts, MAX_LETTERS)
    costs = np.concatenate([collected.is_synonym * SYNONYM_COST, np.full(len(later), WORD_COST)])
    real = lengths > 0
    owners = collected.owners[texts]
    return (
        starts[real].astype(np.uint32),
        lengths[real].astype(np.uint16),
        owners[real].astype(np.uint32),
        costs[real].astype(np.int64),
    )


def _maxima(weights: NDArray[np.int32]) -> NDArray[np.int32]:
    maxima = np.empty(-(-len(weights) // BLOCK), dtype=np.int32)
    fill_maxima(weights, maxima)
    return maxima


def _safe_arrays(weights: NDArray[np.int32], is_hidden: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """What counts while safe search is on; nothing where that makes no difference."""
    if not is_hidden.any():
        return {}
    weights = np.where(is_hidden, np.int32(_HIDDEN), weights)
    return {_SAFE_ARRAYS["weights"]: weights, _SAFE_ARRAYS["maxima"]: _maxima(weights)}


def _count_shown(found: int, scores: NDArray[np.int64]) -> int:
    """How many of those found, best first, are not hidden."""
    return int((scores[:found] > _HIDDEN // 2).sum())


def _nodes(
    pool: NDArray[np.uint16], starts: NDArray[np.uint32], lengths: NDArray[np.uint16]
) -> dict[str, NDArray[Any]]:
    """The nodes of the trie over sorted keys, as `build_nodes` describes them."""
    most_nodes = int(lengths.sum(dtype=np.int64)) // FEW + 2
    most_children = most_nodes + len(starts)
    arrays: dict[str, NDArray[Any]] = {
        "children": np.empty(most_nodes + 1, dtype=np.int64),
        "child_letters": np.empty(most_children, dtype=np.uint16),
        "child_lows": np.empty(most_children, dtype=np.uint32),
        "child_highs": np.empty(most_children, dtype=np.uint32),
        "child_nodes": np.empty(most_children, dtype=np.int32),
    }
    nodes, count = build_nodes(pool, starts, lengths, *(arrays[name] for name in _NODE_ARRAYS))
    return {name: array[: nodes + 1 if name == "children" else count].copy() for name, array in arrays.items()}


def _popularity(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Popularity in bits; scores that are all at most 1 (shares, ranks) are spread out first."""
    scale = _SMALL_SCORES if len(scores) and scores.max() <= 1 else 1.0
    bits: NDArray[np.float64] = DOUBLING * np.log2(1.0 + np.clip(scores, 0, 1e300) * scale)
    return np.rint(bits).astype(np.int64)


def _pack(names: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All names as UTF-8 one after another, and where each ends."""
    encoded = [name.encode("utf-8", "surrogatepass") for name in names]
    ends = np.cumsum(np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded)))
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), ends
