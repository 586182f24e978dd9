"""What `serve` asks: a project, a token and an index of real documents, made in the database the environment names.

`python -m tests.benchmarks._serve_world make CORPUS COUNT` prints one JSON object; `… write CORPUS INDEXER START` then
writes to that index as a live job does, until its standard input is closed.
"""

import json
import os
import random
import select
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")

KINDS = ("book", "film", "song", "tool", "game", "food", "city", "bird")
PROJECT: dict[str, Any] = {
    "version": 1,
    "name": "Bench",
    "templates": [
        {
            "name": "Entry",
            "inspectors": [
                {"name": "title", "selector": "//h1"},
                {"name": "body", "selector": "//p"},
                {"name": "kind", "selector": "//i"},
                {"name": "price", "selector": "//b", "type": "price"},
            ],
        }
    ],
    "indexers": [
        {
            "name": "Entries",
            "columns": [
                {"name": "title", "sources": ["Entry.title"], "boost": 2},
                {"name": "body", "sources": ["Entry.body"]},
                {"name": "kind", "sources": ["Entry.kind"], "searchable": False, "facet": True},
                {"name": "price", "sources": ["Entry.price"], "variable": "price"},
            ],
        }
    ],
}
LIVE_DOCUMENTS = 100
LIVE_SECONDS = 1.0
"""So many documents are written every so many seconds: what a fast crawl brings."""


def main() -> None:
    import django

    django.setup()
    if sys.argv[1] == "make":
        made = make(Path(sys.argv[2]), int(sys.argv[3]))
        sys.stdout.write(json.dumps(made) + "\n")
    else:
        write(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))


def make(corpus: Path, count: int) -> dict[str, Any]:
    """Tables, a person with a token, an indexer, and its index."""
    from django.core.management import call_command
    from django.utils import timezone

    from backend.apps.accounts.models import User
    from backend.apps.accounts.services import issue_token
    from backend.apps.project_files import import_into_project
    from backend.apps.projects.services import create_project

    call_command("migrate", verbosity=0)
    user = User.objects.create_user("bench", password="a long enough password")
    project = create_project(owner=user, name="Bench")
    import_into_project(project=project, file=PROJECT)
    indexer = project.indexers.get()
    seconds = build(indexer, corpus, count)
    _, token = issue_token(user=user, name="bench", days=1, now=timezone.now())
    return {"indexer": indexer.pk, "token": token, "build_seconds": round(seconds, 1)}


def build(indexer: Any, corpus: Path, count: int) -> float:
    """The index, and what helps while typing, as an index job leaves them."""
    from backend.apps.indexers.serving import indexer_folder, schema_of, typing_folder
    from backend.search_engine.fuzzy import TypingAid, WordCounter, title_entries
    from backend.search_engine.index import IndexWriter

    folder, words, titles = indexer_folder(indexer.pk) / "1", WordCounter(), []
    began = time.perf_counter()
    with IndexWriter(folder, schema_of(indexer)) as writer:
        for number, (title, body) in enumerate(islice(records(corpus), count)):
            writer.put(str(number), document(number, title, body))
            words.add(title)
            words.add(body)
            titles.append(title)
        writer.commit()
        writer.merge_all()
    seconds = time.perf_counter() - began
    TypingAid.build(words.counts, names=title_entries(titles)).save(typing_folder(folder))
    indexer.served_build, indexer.status = "1", "completed"
    indexer.save()
    return seconds


def write(corpus: Path, indexer_id: int, start: int) -> None:
    """Change and add documents, commit, merge; again and again."""
    from backend.apps.indexers.models import Indexer
    from backend.apps.indexers.serving import schema_of, served_folder
    from backend.search_engine.index import IndexWriter

    indexer = Indexer.objects.get(pk=indexer_id)
    folder, number = served_folder(indexer), start
    assert folder is not None
    source, rng = records(corpus), random.Random(1)
    commits = 0
    with IndexWriter(folder, schema_of(indexer)) as writer:
        while not select.select([sys.stdin], [], [], LIVE_SECONDS)[0]:
            for title, body in islice(source, LIVE_DOCUMENTS):
                number = number + 1 if commits % 2 else rng.randrange(start)
                writer.put(str(number), document(number, title, body))
            writer.commit()
            writer.merge()
            commits += 1
            if commits == 1:
                sys.stdout.write("writing\n")
                sys.stdout.flush()
    sys.stdout.write(json.dumps({"commits": commits}) + "\n")


def records(corpus: Path) -> Iterator[tuple[str, str]]:
    """Title and body of each document, from the beginning again at the end."""
    while True:
        with corpus.open(encoding="utf-8") as lines:
            for line in lines:
                title, body = json.loads(line)
                yield title, body


def document(number: int, title: str, body: str) -> dict[str, Any]:
    from backend.apps.indexers import standard_fields as standard

    return {
        "title": title,
        "body": body,
        "kind": KINDS[number % len(KINDS)],
        "price": (number * 7919) % 100_000 / 100,
        "price_currency": "EUR",
        standard.URL: f"http://bench.example/{number}",
        standard.HOST: "bench.example",
        standard.CRAWLER: "Bench",
        standard.UNSAFE: "false",
    }


if __name__ == "__main__":
    main()
