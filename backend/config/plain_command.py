"""Commands that tell on stderr how they get on: there Django writes in the colour of errors."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError


class PlainCommand(BaseCommand):
    """Progress and notes look like any other text; only the sentence that a command fails with is red."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stderr.style_func = None

    def execute(self, *args: Any, **options: Any) -> Any:
        try:
            return super().execute(*args, **options)
        except CommandError:
            self.stderr.style_func = self.style.ERROR
            raise
