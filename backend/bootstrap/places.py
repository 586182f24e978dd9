"""Where everything is: the tree, the virtual environment, and what Gleaner writes while it runs."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Places:
    """`root` is the clone; `var` holds the database, keys and logs of one installation (GLEANER_VAR moves it)."""

    root: Path
    var: Path

    @classmethod
    def of_this_clone(cls) -> "Places":
        root = Path(__file__).resolve().parents[2]
        return cls(root=root, var=Path(os.environ.get("GLEANER_VAR") or root / "var").resolve())

    @property
    def setup(self) -> Path:
        """Stamps, locks and tools of the clone itself; it stays in the clone when GLEANER_VAR points elsewhere."""
        return self.root / "var" / "setup"

    @property
    def logs(self) -> Path:
        return self.var / "log"

    @property
    def setup_log(self) -> Path:
        return self.logs / "setup.log"

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def frontend(self) -> Path:
        return self.root / "frontend"

    @property
    def database_file(self) -> Path:
        return self.var / "gleaner.sqlite3"
