"""600,000 real words with real frequencies, made from what Debian packages ship; kept in a folder, made once."""

import gzip
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("dict-gcide", "dict-foldoc", "dict-jargon", "wordnet-base", "wamerican-insane", "wfrench", "wngerman")
TEXTS = ("dictd/gcide.dict.dz", "dictd/foldoc.dict.dz", "dictd/jargon.dict.dz")
GLOSSES = ("wordnet/data.noun", "wordnet/data.verb", "wordnet/data.adj", "wordnet/data.adv")
WORD_LISTS = ("dict/american-english-insane", "dict/french", "dict/ngerman")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")

Vocabulary = dict[str, int]


def load_vocabulary(folder: Path, size: int) -> Vocabulary:
    """The `size` most frequent words of the dictionaries' texts, filled up with rare words from the word lists."""
    kept = folder / f"vocabulary-{size}.tsv"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        words = _count_words(_unpack(folder), size)
        kept.write_text("".join(f"{word}\t{count}\n" for word, count in words), encoding="utf-8")
    return read_vocabulary(kept)


def read_vocabulary(path: Path) -> Vocabulary:
    """A vocabulary from lines of `word<TAB>frequency`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {word: int(count) for word, count in (line.split("\t") for line in lines)}


def _unpack(folder: Path) -> Path:
    packages = folder / "packages"
    packages.mkdir(exist_ok=True)
    subprocess.run(["apt-get", "-q", "download", *PACKAGES], cwd=packages, check=True, capture_output=True)
    for package in sorted(packages.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, packages], check=True)
    return packages / "usr" / "share"


def _count_words(share: Path, size: int) -> list[tuple[str, int]]:
    counts: Counter[str] = Counter()
    for text in _texts(share):
        counts.update(_WORD.findall(text.lower()))
    for name in WORD_LISTS:
        for line in (share / name).read_text(encoding="utf-8").splitlines():
            word = line.strip().lower()
            if len(counts) < size and word not in counts and not word.endswith("'s"):
                counts[word] = 1
    return counts.most_common(size)


def _texts(share: Path) -> Iterator[str]:
    for name in TEXTS:
        yield gzip.decompress((share / name).read_bytes()).decode("utf-8", "replace")
    for name in GLOSSES:
        lines = (share / name).read_text(encoding="utf-8", errors="replace").splitlines()
        yield "\n".join(line.partition("|")[2] for line in lines)
