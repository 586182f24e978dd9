"""What becomes of a job when its workers are gone: a function without side effects."""

from collections.abc import Sequence

from head_node.contracts import Ending, Job, Node, Settlement, Wish
from head_node.room import has_elsewhere
from wording import say_count

STOPPED = "Someone stopped it."
PAUSED = "Someone paused it."


def settle(job: Job, nodes: Sequence[Node] = ()) -> Settlement | None:
    """None while a worker lives, or while the job should simply go on with new workers.

    A job that keeps crashing is given up once there is no other of the `nodes` to try it on: one bad machine must not
    end what a good one can do.
    """
    if job.live or (job.is_held and job.wish is not Wish.STOP):
        return None
    if job.ending is not Ending.NONE:
        return Settlement(job.id, job.ending, job.reason)
    if job.wish is Wish.STOP:
        return Settlement(job.id, Ending.EXIT, job.wish_reason or STOPPED)
    if job.wish is Wish.PAUSE:
        return Settlement(job.id, Ending.NONE, job.wish_reason or PAUSED, is_held=True)
    if job.has_crashed_enough and not has_elsewhere(job, nodes):
        return Settlement(job.id, Ending.EXIT, _poison(job))
    return None


def _poison(job: Job) -> str:
    where = f" on {', '.join(sorted(job.avoid))}" if job.avoid else ""
    told = (
        f"Its workers crashed {say_count(job.crashes, 'time')} in a row{where}, so it was given up. Read the end of "
        "its log, mend the cause and start it again."
    )
    return f"{told}\n\n{job.last_words}" if job.last_words else told
