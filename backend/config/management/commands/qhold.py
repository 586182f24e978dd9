"""Hold jobs: one that waits is passed over, one that runs pauses (PBS people know qhold)."""

from backend.apps.jobs.models import Job, Wish
from backend.apps.runners.services import tell_job
from backend.config.job_commands import JobsCommand


class Command(JobsCommand):
    help = __doc__

    def act(self, job: Job) -> str:
        tell_job(job=job, wish=Wish.PAUSE)
        return "is held until ./gleaner qrls."
