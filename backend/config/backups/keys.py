"""The keys of an installation: named by their prints, taken along only when asked for."""

import hashlib
import os
from pathlib import Path

from django.conf import settings

FILES = {"secret": "secret.key", "encryption": "encryption.key"}
KEPT_ENDING = ".before-restore"


def present_keys() -> dict[str, str]:
    return {"secret": settings.SECRET_KEY, "encryption": ",".join(settings.ENCRYPTION_KEYS)}


def key_prints() -> list[str]:
    """A few digits of a hash of each key that decrypts secrets: enough to tell them apart, useless to anybody else."""
    return [hashlib.sha256(key.strip().encode()).hexdigest()[:16] for key in settings.ENCRYPTION_KEYS]


def put_back(keys: dict[str, str], folder: Path) -> list[str]:
    """Write the keys of a backup where Gleaner looks for them; what was there stays beside it. Says what was done."""
    told = []
    for name, file_name in FILES.items():
        path = folder / file_name
        before = path.read_text().strip() if path.exists() else None
        if name not in keys or before == keys[name]:
            continue
        if before is not None:
            os.replace(path, path.with_name(path.name + KEPT_ENDING))
            told.append(f"{path} was replaced by the backup's; the old one is {path.name}{KEPT_ENDING}.")
        _write_private(path, keys[name])
        if before != present_keys()[name]:
            variable = f"GLEANER_{name.upper()}_KEY"
            told.append(f"{variable} is set and wins over {path}: put the restored key there too, or unset it.")
    return told


def _write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
