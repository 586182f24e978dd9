"""Commands about one or several things: all are tried, what was done is told, and what was not comes last."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.core.management.base import CommandError

from backend.apps.errors import UserFault
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.selectors import head_leads
from backend.apps.nodes.reasons import NO_HEAD
from backend.config.plain_command import PlainCommand
from backend.config.tables import as_json
from crawler_node.errors import StoreError


class Attempts:
    """What became of each number: `done` by number, and `failed` with a sentence, in the order they were given."""

    def __init__(self, numbers: Sequence[int], act: Callable[[int], Any], *, word: str) -> None:
        self.done: dict[int, Any] = {}
        self.failed: dict[int, str] = {}
        for number in dict.fromkeys(numbers):
            try:
                self.done[number] = act(number)
            except CommandError as error:
                self.failed[number] = str(error)
            except (UserFault, StoreError) as error:
                self.failed[number] = f"{word} {number}: {error}"

    def failed_rows(self, key: str) -> list[dict[str, Any]]:
        """For programs: which failed, and why."""
        return [{key: number, "error": sentence} for number, sentence in self.failed.items()]

    def complain(self) -> None:
        """The exit code is 1 when anything failed, whatever else was done."""
        if self.failed:
            raise CommandError("\n".join(self.failed.values()))


def tell_missing_head(tell: Callable[[str], object]) -> None:
    """What was asked for begins only when a head node runs: say so while there is none."""
    if not head_leads(now=database_now()):
        tell(NO_HEAD)


class SeveralCommand(PlainCommand):
    """A command that does one thing to one or several of `key`, and says so.

    `needs_head` is for those after which a head node has something to start.
    """

    requires_system_checks: list[str] = []
    key: ClassVar[str]
    word: ClassVar[str]
    numbers_help: ClassVar[str]
    needs_head: ClassVar[bool] = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(self.key, type=int, nargs="+", help=self.numbers_help)
        parser.add_argument("--json", action="store_true", help="for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        is_json = options["json"]
        tried = Attempts(options[self.key], lambda number: self._do(number, is_silent=is_json), word=self.word)
        if is_json:
            rows = [self.describe(number) for number in tried.done]
            self.stdout.write(as_json([*rows, *tried.failed_rows(self.key)]))
        elif self.needs_head and tried.done:
            tell_missing_head(self.stderr.write)
        tried.complain()

    def _do(self, number: int, *, is_silent: bool) -> None:
        """Told at once: what comes after may break."""
        sentence = self.act(self.find(number))
        if not is_silent:
            self.stdout.write(f"{self.word} {number} {sentence}")

    def find(self, number: int) -> Any:
        """What is meant by a number; a CommandError when there is nothing."""
        raise NotImplementedError

    def act(self, found: Any) -> str:
        """Do it; the rest of a sentence that begins with what it was done to."""
        raise NotImplementedError

    def describe(self, number: int) -> dict[str, Any]:
        """For programs: how it is now."""
        raise NotImplementedError
