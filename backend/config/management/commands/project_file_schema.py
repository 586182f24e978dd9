"""Write the JSON Schema of the project file to docs/project-file.schema.json."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from backend.apps.project_files import project_file_schema

FILE = settings.BASE_DIR / "docs" / "project-file.schema.json"


def schema_text() -> str:
    return json.dumps(project_file_schema(), indent=1, ensure_ascii=False) + "\n"


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        FILE.write_text(schema_text(), encoding="utf-8")
        self.stdout.write(f"Wrote {FILE.relative_to(settings.BASE_DIR)}.")
