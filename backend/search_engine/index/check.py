"""Whether an index can be trusted: reads every byte. `python -m backend.search_engine.index.check FOLDER`."""

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path

from backend.search_engine.errors import IndexFaultError
from backend.search_engine.index.blocks import BlockFile
from backend.search_engine.index.live import LiveSegment, describe
from backend.search_engine.index.manifest import Manifest, SegmentEntry, read_manifest
from wording import say_count


@dataclass(slots=True)
class CheckReport:
    """What a check found; an index without problems answers from exactly what was written."""

    generation: int | None = None
    segments: int = 0
    documents: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def check_index(folder: Path) -> CheckReport:
    """Verify every checksum of every file of the current generation, and that they belong together."""
    report = CheckReport()
    try:
        manifest = read_manifest(folder)
    except IndexFaultError as error:
        report.problems.append(str(error))
        return report
    report.generation = manifest.generation
    for entry in manifest.segments:
        report.segments += 1
        report.documents += entry.live
        report.problems += _check_segment(folder, manifest, entry)
    return report


def _check_segment(folder: Path, manifest: Manifest, entry: SegmentEntry) -> list[str]:
    try:
        for name in entry.files:
            BlockFile(folder / name).verify_all()
        opened = LiveSegment.open(folder, entry, manifest.schema)
        again = describe(opened.segment, name=entry.name, alive=opened.alive, deletes=entry.deletes)
    except IndexFaultError as error:
        return [str(error)]
    except OSError as error:
        return [f"{entry.name} cannot be read: {error.strerror}. Rebuild the index from the database."]
    return [] if again == entry else [f"The manifest and {entry.name} disagree. Rebuild the index from the database."]


def main() -> None:
    """Check the index in a folder and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the index")
    report = check_index(parser.parse_args().folder)
    for problem in report.problems:
        sys.stdout.write(problem + "\n")
    sys.stdout.write(
        f"generation {report.generation}, {say_count(report.segments, 'segment')}, "
        f"{say_count(report.documents, 'document')}: "
        + ("sound\n" if report.is_sound else f"{say_count(len(report.problems), 'problem')}\n")
    )
    sys.exit(0 if report.is_sound else 1)


if __name__ == "__main__":
    main()
