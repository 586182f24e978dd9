"""Release jobs that are held or paused: they wait for their turn again (PBS people know qrls)."""

from backend.apps.jobs.models import Job, Wish
from backend.config.job_commands import JobsCommand, tell_job


class Command(JobsCommand):
    help = __doc__

    def act(self, job: Job) -> str:
        tell_job(job, Wish.RUN)
        return "goes on."
