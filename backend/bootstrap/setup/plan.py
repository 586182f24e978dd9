"""Which steps a command needs, in order."""

from backend.bootstrap.places import Places
from backend.bootstrap.setup import debian
from backend.bootstrap.setup.database import Database
from backend.bootstrap.setup.frontend import frontend_steps
from backend.bootstrap.setup.kernels import kernel_steps
from backend.bootstrap.setup.python_env import peers_steps, python_steps
from backend.bootstrap.setup.steps import Step


def steps_to_run(places: Places, database: Database, *, with_browser: bool) -> list[Step]:
    """Everything for `up`."""
    return [
        *python_steps(places, with_tests=False),
        *([_browser_step(places)] if with_browser else []),
        *frontend_steps(places),
        *kernel_steps(places),
        database.step(),
    ]


def steps_to_test(places: Places) -> list[Step]:
    """Everything for `test`."""
    return [*steps_to_script(places), *frontend_steps(places)]


def steps_to_script(places: Places, *, with_peers: bool = False) -> list[Step]:
    """For benchmarks and chaos runs: all but the user interface, and whom we are compared with."""
    servers = "postgresql and redis"
    return [
        *python_steps(places, with_tests=True),
        _browser_step(places),
        debian.packages_step(places, servers, debian.TEST_SERVERS, purpose="are needed by the tests"),
        *kernel_steps(places),
        *(peers_steps(places) if with_peers else []),
    ]


def steps_to_manage(places: Places) -> list[Step]:
    """The least that Django's management commands need."""
    return [*python_steps(places, with_tests=False), *kernel_steps(places)]


def steps_to_work(places: Places, database: Database) -> list[Step]:
    """What our own management commands need: they expect the tables to be there."""
    return [*steps_to_manage(places), database.step()]


def _browser_step(places: Places) -> Step:
    return debian.packages_step(
        places,
        "chromium",
        debian.BROWSER,
        purpose="is needed for pages that only a browser can show (--no-browser-setup goes on without)",
    )
