"""The processes that `./gleaner up` runs, and the addresses they have."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from backend.bootstrap.catalog import has_management_command
from backend.bootstrap.places import Places
from backend.bootstrap.processes.children import Child, Command
from backend.bootstrap.processes.supervisor import Role
from backend.bootstrap.servers.ports import LOOPBACK, next_free

WEB_GRACE_SECONDS = "10"  # for answers under way; shorter than what the supervisor gives the whole process
MAX_LOG_BYTES = 20 * 2**20
DEMO_PORT_DISTANCE = 100  # 8100 beside 8000: the same at every start, so that crawlers of the demo keep their seeds


@dataclass(frozen=True)
class Site:
    port: int
    demo_port: int | None

    @classmethod
    def plan(cls, *, port: int, with_demo: bool) -> "Site":
        return cls(port=port, demo_port=next_free(port + DEMO_PORT_DISTANCE - 1) if with_demo else None)

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def demo_url(self) -> str | None:
        return f"http://{LOOPBACK}:{self.demo_port}" if self.demo_port else None

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """Crawls are let through to the demo site, and to nothing else on this machine."""
        if self.demo_port is None:
            return {}
        return {
            "GLEANER_ALLOW_NETWORKS": f"{env.get('GLEANER_ALLOW_NETWORKS', '')} {LOOPBACK}:{self.demo_port}".strip()
        }


def start_afresh_when_large(log: Path) -> None:
    """Keep one old log beside the new one: a machine that runs for years must not fill up with words."""
    if log.exists() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(log.with_suffix(".old.log"))


def roles_of(places: Places, env: Mapping[str, str], site: Site) -> list[Role]:
    """Web always; the head node once its command exists; the demo site when asked for."""

    def role(name: str, *command: str, has_workers: bool = False) -> Role:
        log = places.logs / f"{name.replace(' ', '-')}.log"
        start_afresh_when_large(log)
        start = partial(Child, name, [places.python, *command], env=env, cwd=places.root, log=log)
        return Role(name, start, has_workers=has_workers)

    uvicorn = ["-m", "uvicorn", "backend.config.asgi:application", "--host", LOOPBACK, "--port", str(site.port)]
    uvicorn += ["--lifespan", "off", "--no-access-log", "--timeout-graceful-shutdown", WEB_GRACE_SECONDS]
    roles = [role("web", *uvicorn)]
    if has_management_command(places, "head"):
        roles.append(role("head node", "manage.py", "head", "--stop-workers", has_workers=True))
    if site.demo_port:
        roles.append(role("demo site", "-m", "backend.demo_site", "--port", str(site.demo_port)))
    return roles


def demo_task(places: Places, env: Mapping[str, str], site: Site, *, opens_browser: bool) -> Role | None:
    """Crawls, indexes and searches the demo's shops, once, and tells about it on the terminal."""
    if site.demo_url is None or not has_management_command(places, "demo"):
        return None
    opening = ["--open"] if opens_browser else []
    command: Command = [
        *(places.python, "manage.py", "demo", "--site", site.demo_url, "--gleaner", site.url),
        *opening,
    ]
    return Role("demo", partial(Child, "demo", command, env=env, cwd=places.root), is_task=True)
