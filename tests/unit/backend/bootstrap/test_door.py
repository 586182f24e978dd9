import json
import os
import subprocess
import sys

import pytest

from backend.bootstrap.catalog import management_commands
from backend.bootstrap.commands import up
from backend.bootstrap.door import COMMANDS, dispatch, help_text


def gleaner(this_clone, *arguments, **options):
    command = [sys.executable, this_clone.root / "gleaner", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_help_lists_every_command_with_an_example(this_clone):
    answer = gleaner(this_clone, "--help")
    assert answer.returncode == 0
    assert answer.stdout.strip() == help_text(this_clone)
    names = [*COMMANDS, *(command.name for command in management_commands(this_clone))]
    assert [name for name in names if f"\n  {name} " not in answer.stdout] == []
    assert "./gleaner up --no-demo" in answer.stdout


def test_a_typo_suggests_the_nearest_command(this_clone):
    answer = gleaner(this_clone, "tset")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == "There is no command “tset”. Did you mean ./gleaner test?\n"


def test_an_unknown_word_points_to_the_help(places, capsys):
    assert dispatch(["xyzzy"], places) == 2
    assert capsys.readouterr().err == "There is no command “xyzzy”. ./gleaner --help lists the commands.\n"


@pytest.mark.parametrize("name", ["up", "test", "bench", "chaos"])
def test_each_command_of_the_door_teaches_by_help(name, this_clone):
    answer = gleaner(this_clone, name, "--help")
    assert answer.returncode == 0
    assert f"./gleaner {name}" in answer.stdout


def test_every_command_is_documented(this_clone):
    documentation = (this_clone.root / "docs" / "commands.md").read_text()
    names = [*COMMANDS, *(command.name for command in management_commands(this_clone))]
    assert [name for name in names if f"\n## `./gleaner {name}" not in documentation] == []


def test_every_option_of_up_is_documented(this_clone):
    documentation = (this_clone.root / "docs" / "commands.md").read_text()
    options = [option for action in up.parser()._actions for option in action.option_strings if option.startswith("--")]
    assert "--port" in options
    assert [option for option in options if f"`{option}" not in documentation] == []


def test_an_old_python_is_told_what_to_do(this_clone, tmp_path):
    old = "import sys; sys.version_info = (3, 9, 2, 'final', 0); sys.argv = ['gleaner', 'up']\n"
    script = (this_clone.root / "gleaner").read_text()
    answer = subprocess.run(
        [sys.executable, "-c", old + script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert answer.returncode == 1
    assert answer.stderr.startswith("Gleaner needs Python 3.11 or newer. Install python3.11")


def test_help_of_a_management_command_makes_no_database(set_up_clone, tmp_path):
    env = {**os.environ, "GLEANER_VAR": str(tmp_path / "var")}
    answer = gleaner(set_up_clone, "export", "--help", env=env, cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "--out" in answer.stdout
    assert not (tmp_path / "var" / "gleaner.sqlite3").exists()


def test_our_own_commands_work_before_the_first_up_and_read_files_where_the_person_is(set_up_clone, tmp_path):
    file = {"version": 1, "name": "Shops", "templates": [], "crawlers": [], "indexers": []}
    (tmp_path / "shops.json").write_text(json.dumps(file))
    env = {**os.environ, "GLEANER_VAR": str(tmp_path / "var")}
    env.pop("GLEANER_DATABASE_URL", None)
    answer = gleaner(set_up_clone, "import", "shops.json", env=env, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "Sign in as admin with the password" in answer.stderr
    assert "password" not in answer.stdout
    exported = gleaner(set_up_clone, "export", "Shops", env=env, cwd=tmp_path)
    assert (json.loads(exported.stdout)["name"], exported.stderr) == ("Shops", "")
