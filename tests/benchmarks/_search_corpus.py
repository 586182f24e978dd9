"""Real documents made from what Debian packages ship: descriptions in several languages, WordNet, dictionaries.

Made once on demand into a folder (about a minute), never committed. `joined_corpus` makes more documents by joining
two real ones at a time.
"""

import gzip
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

PACKAGES: Final = ("wordnet-base", "dict-gcide", "dict-foldoc", "dict-jargon")
LANGUAGES: Final = ("en", "da", "it", "fr", "de")
FULL_SIZE: Final = 377_000


class Document(NamedTuple):
    """A document of the benchmark."""

    title: str
    body: str


def load_corpus(folder: Path, size: int) -> list[Document]:
    """The first `size` documents of the corpus, in one fixed random order."""
    kept = folder / "corpus.jsonl"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _make(folder, kept)
    with kept.open(encoding="utf-8") as lines:
        return [Document(*json.loads(line)) for line, _ in zip(lines, range(size), strict=False)]


def joined_corpus(documents: list[Document], size: int) -> Iterator[Document]:
    """`size` documents: the given ones, then pairs of them, each pair once, in one fixed order."""
    rng = random.Random(1)
    yield from documents[:size]
    for _ in range(size - len(documents)):
        one, other = rng.choice(documents), rng.choice(documents)
        yield Document(one.title, f"{one.body}\n{other.title} {other.body}")


def _make(folder: Path, kept: Path) -> None:
    found = [document for document in _all_documents(folder) if len(document.body) > 20]
    random.Random(0).shuffle(found)
    fresh = kept.with_suffix(".new")
    with fresh.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(document, ensure_ascii=False) + "\n" for document in found)
    fresh.replace(kept)


def _all_documents(folder: Path) -> Iterator[Document]:
    share = _unpack(folder)
    for part in ("noun", "verb", "adj", "adv"):
        yield from _glosses((share / f"wordnet/data.{part}").read_text(encoding="utf-8", errors="replace"))
    for name in ("gcide", "foldoc", "jargon"):
        yield from _entries(share / f"dictd/{name}")
    for path in _translations(folder):
        yield from _descriptions(path)


def _unpack(folder: Path) -> Path:
    packages = folder / "packages"
    packages.mkdir(exist_ok=True)
    subprocess.run(["apt-get", "-q", "download", *PACKAGES], cwd=packages, check=True, capture_output=True)
    for package in sorted(packages.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, packages], check=True)
    return packages / "usr" / "share"


def _translations(folder: Path) -> list[Path]:
    lists = (folder / "lists").resolve()
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    languages = f"Acquire::Languages={','.join(LANGUAGES)}"
    options = ["-o", f"Dir::State::Lists={lists}", "-o", languages]
    subprocess.run(["apt-get", "-q", "update", *options], check=True, capture_output=True)
    return sorted(lists.glob("*Translation-*"))


def _glosses(text: str) -> Iterator[Document]:
    """WordNet's synsets: the words and their gloss."""
    for line in text.splitlines():
        if line.startswith("  "):
            continue
        head, _, gloss = line.partition("|")
        parts = head.split()
        count = int(parts[3], 16)
        yield Document(" ".join(parts[4 : 4 + 2 * count : 2]).replace("_", " "), gloss.strip())


_DIGITS: Final = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


def _entries(stem: Path) -> Iterator[Document]:
    """The entries of a dictd dictionary."""
    data = gzip.decompress(stem.with_suffix(".dict.dz").read_bytes())
    seen: set[int] = set()
    for line in stem.with_suffix(".index").read_text(encoding="utf-8", errors="replace").splitlines():
        word, _, rest = line.partition("\t")
        start, length = (_number(digits) for digits in rest.split("\t")[:2])
        if word.startswith("00-") or start in seen:
            continue
        seen.add(start)
        yield Document(word, " ".join(data[start : start + length].decode("utf-8", "replace").split()))


def _number(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS[digit]
    return value


def _descriptions(path: Path) -> Iterator[Document]:
    """Package descriptions of one language: `Package:`, then `Description-xx: short` and indented lines."""
    text = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", str(path)], check=True, capture_output=True).stdout
    for stanza in text.decode("utf-8", "replace").split("\n\n"):
        name, short, rest = "", "", []
        for line in stanza.splitlines():
            if line.startswith("Package: "):
                name = line[9:]
            elif line.startswith("Description-") and not line.startswith("Description-md5"):
                short = line.partition(": ")[2]
            elif line.startswith(" ") and line.strip() != ".":
                rest.append(line.strip())
        if name and rest:
            yield Document(f"{name} {short}", " ".join(rest))
