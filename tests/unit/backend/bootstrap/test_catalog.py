from backend.bootstrap.catalog import has_management_command, management_commands, nearest, scripts_in, summary_of


def make_command(places, folder, name, text):
    path = places.root / folder / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_management_commands_are_found_by_their_files_alone(places):
    ours = "backend/config/management/commands"
    make_command(places, ours, "crawl", '"""Run a crawler from the command line.\n\nMore."""\nimport no_such_package\n')
    make_command(places, ours, "__init__", "")
    make_command(places, ours, "_shared", '"""Not a command."""')
    make_command(places, "backend/apps/nodes/management/commands", "nodes", '"""List the nodes."""')
    found = [(command.name, command.summary) for command in management_commands(places)]
    assert found == [("crawl", "Run a crawler from the command line."), ("nodes", "List the nodes.")]
    assert has_management_command(places, "crawl")
    assert not has_management_command(places, "_shared")


def test_tests_of_benchmarks_are_no_benchmarks(places):
    for name in ("speed", "test_speed", "conftest", "_peer"):
        make_command(places, "tests/benchmarks", name, '"""Pages per second."""')
    assert [script.name for script in scripts_in([places.root / "tests/benchmarks"])] == ["speed"]


def test_a_file_that_cannot_be_read_has_no_summary(tmp_path):
    (tmp_path / "broken.py").write_text("def (")
    (tmp_path / "silent.py").write_text("x = 1")
    assert [summary_of(tmp_path / f"{name}.py") for name in ("broken", "silent", "missing")] == ["", "", ""]


def test_the_nearest_command_is_suggested_and_nonsense_is_not():
    known = ["up", "test", "manage", "demo-site", "crawl"]
    assert nearest("tset", known) == "test"
    assert nearest("Crwal", known) == "crawl"
    assert nearest("demosite", known) == "demo-site"
    assert nearest("xyzzy", known) is None
