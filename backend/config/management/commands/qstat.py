"""Show the queue: every open job with its state, its workers and why it waits (PBS people know qstat)."""

from argparse import ArgumentParser
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand

from backend.apps.jobs.models import Job, JobState
from backend.config.job_commands import LETTERS, describe_job, describe_whole_job, job_numbered
from backend.config.several import Attempts, tell_missing_head
from backend.config.tables import as_json, cell, table

COLUMNS = ("job", "state", "name", "project", "owner", "priority", "workers", "nodes", "pages", "reason")
PARTS = ("placements", "transitions")
WAITING = (LETTERS[JobState.QUEUED], LETTERS[JobState.RUNNING], LETTERS[JobState.EXITING])
"""Whose states only a head node moves on; who holds a job knows what it waits for."""


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("job", type=int, nargs="*", help="only these jobs")
        parser.add_argument(
            "-f", "--full", action="store_true", help="everything about each job: terms, places, history"
        )
        parser.add_argument("--all", action="store_true", help="finished ones too, the newest 200")
        parser.add_argument("--json", action="store_true", help="for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        named = Attempts(options["job"], job_numbered, word="Job")
        jobs = named.done.values() if options["job"] else self._jobs(options)
        rows = [describe_whole_job(job) if options["full"] else describe_job(job) for job in jobs]
        if options["json"]:
            self.stdout.write(as_json([*rows, *named.failed_rows("job")]))
        elif options["full"]:
            self.stdout.write("\n\n".join(_whole(row) for row in rows))
        elif rows or not named.failed:
            self.stdout.write(table(rows, COLUMNS) if rows else "No job is waiting or running.")
        if not options["json"] and any(row["state"] in WAITING for row in rows):
            tell_missing_head(self.stdout.write)
        named.complain()

    def _jobs(self, options: dict[str, Any]) -> list[Job]:
        jobs = Job.objects.select_related("project", "requested_node", "indexer", "runner__crawler__project")
        jobs = jobs.select_related("runner__crawl_state", "runner__created_by").prefetch_related(
            "placements__node", "transitions"
        )
        if options["all"]:
            return list(jobs.order_by("-pk")[:200])
        return list(jobs.exclude(state=JobState.FINISHED).order_by("-priority", "pk"))


def _whole(row: dict[str, Any]) -> str:
    """As `qstat -f`: one name and value on each line, then the tables."""
    lines = [f"Job {row['job']}"]
    told = {name: value for name, value in row.items() if name not in PARTS and value not in (None, "", [])}
    # Texts stay as they are: the reason of a job that was given up ends with lines of a log.
    lines += [f"    {name} = {value if isinstance(value, str) else cell(value)}" for name, value in told.items()]
    for part in PARTS:
        if row[part]:
            columns = [name for name in dict.fromkeys(chain(*row[part])) if name != "urls"]
            lines += ["", *(f"    {line}" for line in table(row[part], columns).splitlines())]
    lines += [f"    Worker {one['worker']} is at {url}" for one in row["placements"] for url in one.get("urls", ())]
    return "\n".join(lines)
