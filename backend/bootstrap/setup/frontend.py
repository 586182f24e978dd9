"""The user interface: its packages from package-lock.json, its bundle from its sources and the API's description."""

import re
import shutil
from pathlib import Path

from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.places import Places
from backend.bootstrap.processes.programs import answer_of, run_logged
from backend.bootstrap.setup.stamps import files_matching
from backend.bootstrap.setup.steps import Step

OLDEST_NODE = (20, 19)
INSTALL_NODE = "Install it from https://nodejs.org (or with your system's packages) and start again."
SOURCES = [
    "frontend/src/**/*",
    "frontend/public/**/*",
    "frontend/*.html",
    "frontend/*.json",
    "frontend/*.ts",
    "docs/openapi.yaml",
]
MADE_BY_BUILD = ["frontend/src/api/generated"]


def frontend_steps(places: Places) -> list[Step]:
    return [*_package_steps(places), _build_step(places)] if has_frontend(places) else []


def _package_steps(places: Places) -> list[Step]:
    """A `node_modules` that is a symbolic link is somebody else's: used as it is, never changed."""
    if (places.frontend / "node_modules").is_symlink():
        return []
    lock = [places.frontend / name for name in ("package.json", "package-lock.json", ".npmrc")]
    return [
        Step(
            name="npm packages",
            run=lambda: _npm(places, "ci"),
            inputs=lambda: [file for file in lock if file.exists()],
            outputs=[places.frontend / "node_modules" / ".package-lock.json"],
        )
    ]


def _build_step(places: Places) -> Step:
    return Step(
        name="user interface",
        run=lambda: _npm(places, "run", "build"),
        inputs=lambda: files_matching(places.root, SOURCES, but_not=MADE_BY_BUILD),
        outputs=[places.frontend / "dist" / "index.html"],
    )


def has_frontend(places: Places) -> bool:
    return (places.frontend / "package.json").exists()


def find_npm() -> Path:
    """npm beside a Node that is new enough, or a sentence that says what to install."""
    version = answer_of(["node", "--version"])
    wanted = f"the user interface needs version {'.'.join(map(str, OLDEST_NODE))} or newer"
    if version is None:
        raise ActionNeededError(f"Node.js is missing; {wanted}. {INSTALL_NODE}")
    if tuple(int(number) for number in re.findall(r"\d+", version)[:2]) < OLDEST_NODE:
        raise ActionNeededError(f"Node.js {version} is too old; {wanted}. {INSTALL_NODE}")
    npm = shutil.which("npm")
    if npm is None:
        raise ActionNeededError(
            f"npm is missing beside Node.js {version}. Type: sudo apt-get install -y npm and start again."
        )
    return Path(npm)


def _npm(places: Places, *arguments: str) -> None:
    advice = f"The whole output is in {places.setup_log}."
    run_logged([find_npm(), *arguments], log=places.setup_log, cwd=places.frontend, on_failure=advice)
