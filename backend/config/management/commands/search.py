"""Search an index: results with what matched, and on wish why they rank as they do."""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.apps.errors import GleanerError
from backend.apps.indexers.models import Indexer
from backend.apps.search.asking import answer_search
from backend.apps.search.served import SERVED, Served
from backend.apps.search.wishes import wish_of_json
from wording import say_count

AID_SECONDS = 10.0
"""So long the command waits for what knows typing errors; a server has it ready."""
EXAMPLES = """
examples:
  ./gleaner search Products "ssd 1tb"
  ./gleaner search Products "samsang price:..100" --explain
  ./gleaner search 3 "red shoes" --json --limit 50
"""
BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Command(BaseCommand):
    help = __doc__

    def create_parser(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, epilog=EXAMPLES, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("indexer", help="its name, or the number in the address of its page")
        parser.add_argument("query", help="what to look for; docs/query-language.md tells what can be written")
        parser.add_argument("--project", help="the indexer's project, where several have one of that name")
        parser.add_argument("--limit", type=int, default=10, help="how many results (default: 10)")
        parser.add_argument("--page", type=int, default=1, help="which page of results (default: 1)")
        parser.add_argument("--explain", action="store_true", help="tell why each result ranks where it does")
        parser.add_argument("--json", action="store_true", help="print the answer as the API gives it")

    def handle(self, *args: Any, **options: Any) -> None:
        indexer = self._find(options["indexer"], options["project"])
        wanted = {"q": options["query"], "page": options["page"], "page_size": options["limit"]}
        try:
            served = SERVED.get(indexer)
            self._wait_for_aid(served)
            answer = json.loads(answer_search(served, wish_of_json({**wanted, "explain": options["explain"]})))
        except GleanerError as error:
            raise CommandError(error.message) from error
        if options["json"]:
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
        else:
            self._print(answer)

    def _wait_for_aid(self, served: Served) -> None:
        served.index.aids.prepare(served.index.searcher.snapshot)
        served.index.aids.wait(AID_SECONDS)

    def _find(self, name: str, project: str | None) -> Indexer:
        rows = Indexer.objects.select_related("project").order_by("pk")
        if project is not None:
            rows = rows.filter(project__name=project)
        found = list(rows.filter(name=name)[:2]) or list(rows.filter(pk=int(name)) if name.isdecimal() else ())
        if not found:
            known = ", ".join(f"“{known}”" for known in rows.values_list("name", flat=True)[:20]) or "none yet"
            raise CommandError(f"There is no indexer “{name}”. Known: {known}.")
        if len(found) > 1:
            raise CommandError(f"Several projects have an indexer “{name}”. Name the project with --project.")
        return found[0]

    # --- for people

    def _print(self, answer: dict[str, Any]) -> None:
        if answer["corrected"]:
            self.stdout.write(f"Showing results for “{answer['corrected']}”.")
        if answer["did_you_mean"]:
            self.stdout.write(f"Did you mean “{answer['did_you_mean']}”?")
        for notice in answer["notices"]:
            self.stdout.write(f"{notice['message']} {notice['hint']}".strip())
        documents = say_count(answer["index"]["documents"], "document")
        self.stdout.write(f"{answer['total']:,} of {documents}, {answer['ms']:.1f} ms\n")
        for result in answer["results"]:
            self._print_result(result)

    def _print_result(self, result: dict[str, Any]) -> None:
        self.stdout.write(f"{result['rank']:>3}. {self._pieces(result['title'])}  {self._dim(format_score(result))}")
        shown = [f"{name}: {format_value(value)}" for name, value in result["fields"].items() if value is not None]
        self.stdout.write(f"     {' · '.join(shown[1:])}")
        if snippet := self._pieces(result["snippet"]).strip():
            self.stdout.write(f"     {snippet}")
        self.stdout.write(f"     {self._dim(result['url'])}")
        if result["explanation"]:
            self._print_explanation(result["explanation"])
        self.stdout.write("")

    def _print_explanation(self, told: dict[str, Any]) -> None:
        for part in told["parts"]:
            self.stdout.write(f"       {part['score']:>9.4f}  {part['label']}")
        self.stdout.write(f"       {told['text']:>9.4f}  = text")
        if told["formula"]:
            known = ", ".join(f"{name} = {value}" for name, value in told["variables"].items())
            self.stdout.write(f"       {told['score']:>9.4f}  = {told['formula']}  ({known})")

    def _pieces(self, pieces: list[dict[str, Any]]) -> str:
        return "".join(self._bold(piece["text"]) if piece["match"] else piece["text"] for piece in pieces)

    def _bold(self, text: str) -> str:
        """What matched: bold on a terminal, between asterisks elsewhere."""
        return f"{BOLD}{text}{PLAIN}" if self.stdout.isatty() else f"*{text}*"

    def _dim(self, text: str) -> str:
        return f"{DIM}{text}{PLAIN}" if self.stdout.isatty() else text


def format_score(result: dict[str, Any]) -> str:
    return f"{result['score']:.3f}"


def format_value(value: Any) -> str:
    """A value in few characters."""
    if isinstance(value, dict):
        return f"{value.get('amount')} {value.get('currency') or ''}".strip()
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
