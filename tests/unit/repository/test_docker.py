"""What the images and compose files promise, as far as it can be read off them without an engine."""

import json
import re
from typing import Any

import pytest

from tests.integration.docker.images import FOLDER, ROLES, ROOT, read_compose, read_dockerfile

STAGES = read_dockerfile()
COMPOSE = read_compose()
OURS = [name for name, service in COMPOSE["services"].items() if "build" in service]
PUBLIC_IMAGE = re.compile(r"[a-z0-9]+:[a-z0-9.-]+")


@pytest.mark.parametrize("role", ROLES)
def test_every_role_has_an_image_with_a_command_a_health_check_and_no_root(role: str) -> None:
    stage = STAGES[role]
    assert stage.user == "10001"
    assert stage.entrypoint == ["/usr/bin/tini", "--"]
    assert stage.command
    assert stage.healthcheck == ["python", "docker/healthcheck.py", role]


def test_everything_copied_into_an_image_is_there_and_let_through() -> None:
    ignore = (FOLDER / "Dockerfile.dockerignore").read_text().split()
    let_through = [line.removeprefix("!") for line in ignore if line.startswith("!")]
    assert ignore[0] == "*"
    for stage in STAGES.values():
        for sources, _ in stage.copies:
            for source in sources:
                assert (ROOT / source).exists(), source
                path = source.rstrip("/")
                assert any(path == each or path.startswith(f"{each}/") for each in let_through), source


def test_every_package_and_module_of_ours_is_copied_into_every_image() -> None:
    packages = {file.parent.name for file in ROOT.glob("*/__init__.py")} - {"tests"}
    modules = {file.name for file in ROOT.glob("*.py")}
    assert {"backend", "crawler_node", "head_node"} <= packages
    for role in ROLES:
        copied = {source.rstrip("/") for sources, _ in STAGES[role].copies for source in sources}
        assert packages | modules <= copied


@pytest.mark.parametrize("name", OURS)
def test_our_services_are_built_from_a_role_and_may_do_little(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["build"]["target"] in ROLES
    assert (FOLDER / service["build"]["context"]).resolve() == ROOT
    assert (ROOT / service["build"]["dockerfile"]).is_file()
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert "data" in service["networks"]


def test_the_database_and_redis_have_passwords_and_no_way_out() -> None:
    assert COMPOSE["networks"]["data"] == {"internal": True}
    for name in ("postgres", "redis"):
        service = COMPOSE["services"][name]
        assert service["networks"] == ["data"]
        assert "ports" not in service
        assert "healthcheck" in service
        assert "PASSWORD:?" in json.dumps(service["environment"])


def test_redis_is_not_root_and_may_do_nothing_beside_its_work() -> None:
    redis = COMPOSE["services"]["redis"]
    assert (redis["user"], redis["read_only"], redis["cap_drop"]) == ("redis", True, ["ALL"])
    assert redis["security_opt"] == ["no-new-privileges:true"]


def test_crawler_nodes_cannot_sign_sessions() -> None:
    have_key = {name for name in OURS if "GLEANER_SECRET_KEY" in COMPOSE["services"][name]["environment"]}
    assert have_key == {"migrate", "web", "head_node"}


def test_only_the_web_is_published_and_on_the_loopback_unless_told_otherwise() -> None:
    published = {name: service["ports"] for name, service in COMPOSE["services"].items() if "ports" in service}
    assert published == {"web": ["${GLEANER_LISTEN:-127.0.0.1:8000}:8000"]}
    development = read_compose("compose.dev.yaml")["services"]
    assert all(port.startswith("127.0.0.1:") for service in development.values() for port in service["ports"])


def test_names_that_services_use_are_declared() -> None:
    for service in COMPOSE["services"].values():
        assert set(service.get("networks", ())) <= set(COMPOSE["networks"])
        assert set(service.get("depends_on", ())) <= set(COMPOSE["services"])
        for volume in service.get("volumes", ()):
            assert volume.partition(":")[0] in COMPOSE["volumes"]
        for option in service.get("security_opt", ()):
            if option.startswith("seccomp="):
                profile = json.loads((FOLDER / option.removeprefix("seccomp=")).read_text())
                assert {"mount", "bpf", "keyctl"} <= set(profile["syscalls"][0]["names"])


def test_every_setting_given_to_a_container_is_a_setting() -> None:
    known = set(re.findall(r"`(GLEANER_[A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
    given = {name for service in OURS for name in COMPOSE["services"][service]["environment"]}
    given |= {name for stage in STAGES.values() for name in stage.env if name.startswith("GLEANER_")}
    assert given <= known


def test_every_variable_of_the_compose_file_is_in_the_example() -> None:
    text = (FOLDER / "compose.yaml").read_text()
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    used = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", "\n".join(lines)))
    example = set(re.findall(r"^([A-Z_]+)=", (FOLDER / "env.example").read_text(), flags=re.MULTILINE))
    assert used - example <= {"GLEANER_LOG_LEVEL", "GLEANER_ALLOW_NETWORKS"}
    assert example <= used


def test_foreign_images_have_plain_public_names() -> None:
    def images(compose: dict[str, Any]) -> list[str]:
        return [service["image"] for service in compose["services"].values() if "build" not in service]

    found = [*images(COMPOSE), *images(read_compose("compose.dev.yaml"))]
    found += [stage.base for stage in STAGES.values() if stage.base not in STAGES]
    assert found
    assert all(PUBLIC_IMAGE.fullmatch(image) for image in found), found
