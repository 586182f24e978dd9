"""Cancel jobs: what they have collected stays (PBS people know qdel)."""

from backend.apps.jobs.models import Job, Wish
from backend.config.job_commands import JobsCommand, tell_job


class Command(JobsCommand):
    help = __doc__

    def act(self, job: Job) -> str:
        tell_job(job, Wish.STOP)
        return "is cancelled."
