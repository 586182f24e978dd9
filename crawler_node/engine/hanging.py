"""A page that holds its worker in native code: told to the supervisor, ended by it, failed in the store.

Native code cannot be interrupted from inside. A supervisor reads the `PageWatch`, kills the process when a page
is over its budget, commits `hung_outcome` for that page, and releases the rest: everything else goes on.
"""

import struct

from crawler_node.contracts import Failure, Lease, Outcome, PageRecord, PageState
from crawler_node.extract.watch import PageInWork

_TOKEN = struct.Struct("<16sqi")


def watch_token(lease: Lease) -> bytes:
    """What a supervisor needs to speak for a lease."""
    return _TOKEN.pack(lease.key, lease.fence, lease.depth)


def hung_outcome(page: PageInWork) -> Outcome | None:
    """The failure of a page that took too long; None when the token is not a lease's."""
    if len(page.token) != _TOKEN.size:
        return None
    key, fence, depth = _TOKEN.unpack(page.token)
    lease = Lease(page.url, key, "", depth, 1, 0.0, fence)
    record = PageRecord(PageState.FAILED, failure=Failure.EXTRACTION, sentence=page.sentence)
    return Outcome(lease, record)
