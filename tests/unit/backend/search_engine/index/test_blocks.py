import random
from pathlib import Path

import numpy as np
import pytest

from backend.search_engine.errors import IndexCorruptError, IndexFaultError
from backend.search_engine.index.blocks import BLOCK_BYTES, BlockFile, write_blocks


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    numbers = np.arange(100_000, dtype="<u4")
    write_blocks(path, {"numbers": numbers, "bytes": b"some bytes", "empty": b""}, {"answer": 42})
    return path


def test_gives_back_what_was_written(path: Path) -> None:
    file = BlockFile(path)
    assert file.meta == {"answer": 42}
    assert file.array("numbers").tolist() == list(range(100_000))
    assert file.window("bytes").read(5, 10) == b"bytes"
    assert len(file.array("empty")) == 0


def test_never_overwrites(path: Path) -> None:
    with pytest.raises(FileExistsError):
        write_blocks(path, {}, {})


def test_every_flipped_bit_is_detected(path: Path) -> None:
    good = path.read_bytes()
    rng = random.Random(5)
    places = [rng.randrange(len(good)) for _ in range(150)] + list(range(len(good) - 60, len(good)))
    for place in places:
        bad = bytearray(good)
        bad[place] ^= 1 << rng.randrange(8)
        path.write_bytes(bad)
        with pytest.raises(IndexFaultError):
            BlockFile(path).verify_all()


def test_every_truncation_is_detected(path: Path) -> None:
    good = path.read_bytes()
    for length in (0, 1, 40, len(good) // 2, len(good) - 1):
        path.write_bytes(good[:length])
        with pytest.raises(IndexCorruptError):
            BlockFile(path).verify_all()


def test_only_what_is_read_is_verified(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[3 * BLOCK_BYTES + 17] ^= 1
    path.write_bytes(data)
    file = BlockFile(path)
    assert file.window("numbers").read(0, 8) == b"\0\0\0\0\1\0\0\0"
    with pytest.raises(IndexCorruptError, match="block 3"):
        file.window("numbers").read(3 * BLOCK_BYTES, 3 * BLOCK_BYTES + 20)
