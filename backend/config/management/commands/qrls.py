"""Release jobs that are held or paused: they wait for their turn again (PBS people know qrls)."""

from backend.apps.jobs.models import Job, Wish
from backend.apps.runners.services import tell_job
from backend.config.job_commands import JobsCommand


class Command(JobsCommand):
    help = __doc__
    needs_head = True

    def act(self, job: Job) -> str:
        tell_job(job=job, wish=Wish.RUN)
        return "goes on."
