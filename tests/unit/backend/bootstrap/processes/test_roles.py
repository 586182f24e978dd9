from backend.bootstrap.processes import roles
from backend.bootstrap.processes.roles import Site, demo_task, roles_of, start_afresh_when_large


def names(places, site):
    return [role.name for role in roles_of(places, {}, site)]


def test_the_head_node_runs_once_its_command_exists_and_the_demo_when_asked_for(places):
    assert names(places, Site(port=8000, demo_port=None)) == ["web"]
    command = places.root / "backend/config/management/commands/head.py"
    command.parent.mkdir(parents=True)
    command.touch()
    assert names(places, Site(port=8000, demo_port=8100)) == ["web", "head node", "demo site"]


def test_the_demo_is_made_where_there_is_a_demo_site(places):
    command = places.root / "backend/config/management/commands/demo.py"
    command.parent.mkdir(parents=True)
    command.touch()
    assert demo_task(places, {}, Site(port=8000, demo_port=None), opens_browser=False) is None
    task = demo_task(places, {}, Site(port=8000, demo_port=8100), opens_browser=True)
    assert (task.name, task.is_task) == ("demo", True)
    said = [str(part) for part in task.start.args[1]]
    assert said[1:] == [
        "manage.py",
        "demo",
        "--site",
        "http://127.0.0.1:8100",
        "--gleaner",
        "http://127.0.0.1:8000",
        "--open",
    ]


def test_crawls_are_let_through_to_the_demo_site_only():
    assert Site(port=8000, demo_port=None).environment({}) == {}
    demo = Site(port=8000, demo_port=8100)
    assert demo.environment({}) == {"GLEANER_ALLOW_NETWORKS": "127.0.0.1:8100"}
    allowed = demo.environment({"GLEANER_ALLOW_NETWORKS": "10.0.0.0/8"})
    assert allowed == {"GLEANER_ALLOW_NETWORKS": "10.0.0.0/8 127.0.0.1:8100"}
    assert demo.demo_url == "http://127.0.0.1:8100"


def test_the_demo_site_has_the_same_place_at_every_start():
    site = Site.plan(port=23456, with_demo=True)
    assert site == Site.plan(port=23456, with_demo=True)
    assert site.demo_port >= 23556
    assert Site.plan(port=23456, with_demo=False).demo_url is None


def test_a_large_log_makes_room_for_a_new_one(tmp_path, monkeypatch):
    monkeypatch.setattr(roles, "MAX_LOG_BYTES", 3)
    log = tmp_path / "web.log"
    start_afresh_when_large(log)
    log.write_text("abc")
    start_afresh_when_large(log)
    assert log.exists()
    log.write_text("abcd")
    start_afresh_when_large(log)
    assert [file.name for file in tmp_path.iterdir()] == ["web.old.log"]
