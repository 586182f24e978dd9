"""The engine: one worker's loop from lease to commit, and everything a page goes through in between."""

from crawler_node.engine.assembly import build_worker
from crawler_node.engine.seeding import seed_candidates
from crawler_node.engine.spec import CrawlSpec
from crawler_node.engine.worker import Worker, WorkerOptions, WorkerReport

__all__ = ["CrawlSpec", "Worker", "WorkerOptions", "WorkerReport", "build_worker", "seed_candidates"]
