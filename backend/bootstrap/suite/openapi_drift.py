"""Does docs/openapi.yaml say what the API does? Run inside the virtual environment, as a check of the suite."""

import difflib
import subprocess
import sys

from backend.bootstrap.places import Places

COMMITTED = "docs/openapi.yaml"
SHOWN_LINES = 60


def main() -> int:
    root = Places.of_this_clone().root
    command = [sys.executable, "manage.py", "spectacular", "--validate", "--fail-on-warn"]
    made = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if made.returncode:
        print(made.stdout + made.stderr)
        return made.returncode
    committed = (root / COMMITTED).read_text()
    lines = difflib.unified_diff(
        committed.splitlines(), made.stdout.splitlines(), COMMITTED, "what the API is", lineterm=""
    )
    changes = list(lines)
    print("\n".join(changes[:SHOWN_LINES]))
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
