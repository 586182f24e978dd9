"""Crawl, index and search two shops of the demo site, once; `./gleaner up` does it by itself."""

import os
import webbrowser
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from backend.config.choosing import local_owner_or_new
from backend.config.demo import run_demo, tell_examples

SPARED = "GLEANER_SPARED"  # the person's browser outlives whoever stops this process


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--site", required=True, help="the address of the demo site, such as http://127.0.0.1:8100")
        parser.add_argument("--gleaner", default="", help="the address of Gleaner, to tell where to search")
        parser.add_argument("--open", action="store_true", help="open the search page in a browser at the end")

    def handle(self, *args: Any, **options: Any) -> None:
        indexer = run_demo(owner=local_owner_or_new(self._say), site=options["site"], say=self._say)
        if not indexer.served_build:
            self._say(f"The demo could not be indexed: {indexer.reason}")
            return
        tell_examples(indexer, self._say)
        if options["gleaner"]:
            self._point_to(f"{options['gleaner']}/search/{indexer.pk}", is_opened=options["open"])

    def _point_to(self, address: str, *, is_opened: bool) -> None:
        self._say(f"Search it at {address}")
        if is_opened:
            os.environ[SPARED] = "1"
            webbrowser.open(address)

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
