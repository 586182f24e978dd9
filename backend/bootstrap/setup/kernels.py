"""The search engine's compiled kernels: warmed at set-up, so that nobody's first query waits for a compiler."""

from backend.bootstrap.environment import child_environment
from backend.bootstrap.places import Places
from backend.bootstrap.processes.children import Command
from backend.bootstrap.processes.programs import run_logged
from backend.bootstrap.setup.stamps import files_matching
from backend.bootstrap.setup.steps import Step

WARM_UP_MODULE = "backend.search_engine.warm_up"


def kernel_steps(places: Places) -> list[Step]:
    """One step when the search engine has a warm-up module, none before."""
    if not (places.root / WARM_UP_MODULE.replace(".", "/")).with_suffix(".py").exists():
        return []

    def warm() -> None:
        command: Command = [places.python, "-m", WARM_UP_MODULE]
        run_logged(command, log=places.setup_log, cwd=places.root, env=child_environment(places))

    patterns = ["backend/search_engine/**/*.py", "requirements.txt"]
    return [Step(name="search kernels", run=warm, inputs=lambda: files_matching(places.root, patterns))]
