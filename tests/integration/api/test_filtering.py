"""Lists narrowed down by what their rows point to."""

from tests.integration.api.conftest import World

FILTERS = [
    ("runners", "crawler", "crawlers"),
    ("runners", "project", "projects"),
    ("pages", "runner", "runners"),
    ("pages", "crawler", "crawlers"),
    ("pages", "project", "projects"),
    ("documents", "crawler", "crawlers"),
    ("documents", "runner", "runners"),
    ("documents", "project", "projects"),
    ("jobs", "runner", "runners"),
    ("jobs", "indexer", "indexers"),
    ("jobs", "project", "projects"),
    ("templates", "project", "projects"),
    ("crawlers", "template", "templates"),
    ("indexers", "dictionary", "dictionaries"),
]


def test_a_stranger_does_not_learn_which_ids_exist(world: World) -> None:
    stranger = world.client("stranger")
    for rows, name, noun in FILTERS:
        told = [stranger.get(f"/api/v1/{rows}?{name}={wanted}") for wanted in (_id_of(world, noun), 987_654_321)]
        answers = [(answer.status_code, answer.json().get("results")) for answer in told]
        assert answers == [(200, []), (200, [])], (rows, name)


def test_what_is_no_id_is_refused_with_a_sentence(world: World) -> None:
    viewer = world.client("viewer")
    for rows, name, _ in FILTERS:
        for odd in ("9" * 30, "1.5", "x"):
            answer = viewer.get(f"/api/v1/{rows}?{name}={odd}")
            assert (answer.status_code, list(answer.json()["fields"])) == (400, [name]), (rows, odd)


def test_members_find_rows_by_what_they_point_to(world: World) -> None:
    viewer = world.client("viewer")
    for rows, name, noun in FILTERS:
        found = viewer.get(f"/api/v1/{rows}?{name}={_id_of(world, noun)}").json()["results"]
        assert bool(found) is (name != "indexer"), (rows, name)


def _id_of(world: World, noun: str) -> int:
    return world.project.pk if noun == "projects" else world.ids[noun]
