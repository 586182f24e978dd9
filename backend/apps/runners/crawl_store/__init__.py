"""The crawl store on SQL: the frontier and the results of runners, on SQLite and PostgreSQL, in batches.

`lease` and `commit` each are one transaction that begins by locking the runner's state row. So they follow one another,
the rules can be applied in Python to the few rows in hand, and counts are exact; a batch makes the lock rare.
"""

from backend.apps.runners.crawl_store.store import SqlCrawlStore, fail_page, release_leases_of

__all__ = ["SqlCrawlStore", "fail_page", "release_leases_of"]
