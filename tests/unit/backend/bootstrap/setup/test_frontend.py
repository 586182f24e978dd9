import pytest

from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.setup.frontend import find_npm, frontend_steps


def put_program(folder, name, prints):
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\necho {prints}\n")
    program.chmod(0o755)


@pytest.fixture
def programs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "bin"


def test_a_missing_node_is_a_sentence(programs):
    with pytest.raises(ActionNeededError, match=r"^Node\.js is missing; .* version 20\.19 or newer\. Install it from"):
        find_npm()


@pytest.mark.parametrize("version", ["v18.19.0", "v20.18.3"])
def test_an_old_node_is_a_sentence(programs, version):
    put_program(programs, "node", version)
    with pytest.raises(ActionNeededError, match=rf"^Node\.js {version} is too old; "):
        find_npm()


@pytest.mark.parametrize("version", ["v20.19.0", "v22.1.0"])
def test_node_without_npm_is_a_sentence_and_with_it_is_found(programs, version):
    put_program(programs, "node", version)
    with pytest.raises(ActionNeededError, match="npm is missing beside Node"):
        find_npm()
    put_program(programs, "npm", "11")
    assert find_npm() == programs / "npm"


def test_a_clone_without_a_user_interface_needs_nothing(places):
    assert frontend_steps(places) == []


def test_somebody_elses_packages_are_not_touched(places, tmp_path):
    places.frontend.mkdir()
    (places.frontend / "package.json").write_text("{}")
    assert [step.name for step in frontend_steps(places)] == ["npm packages", "user interface"]
    (tmp_path / "theirs").mkdir()
    (places.frontend / "node_modules").symlink_to(tmp_path / "theirs")
    assert [step.name for step in frontend_steps(places)] == ["user interface"]


def test_what_the_build_makes_does_not_make_it_due_again(places):
    generated = places.frontend / "src" / "api" / "generated"
    generated.mkdir(parents=True)
    (places.frontend / "package.json").write_text("{}")
    (places.frontend / "src" / "main.tsx").touch()
    (generated / "schema.d.ts").touch()
    (places.root / "docs").mkdir()
    (places.root / "docs" / "openapi.yaml").touch()
    build = frontend_steps(places)[-1]
    names = {file.relative_to(places.root).as_posix() for file in build.inputs()}
    assert names == {"frontend/package.json", "frontend/src/main.tsx", "docs/openapi.yaml"}
