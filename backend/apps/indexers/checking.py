"""Whether what an indexer serves can be trusted."""

from backend.apps.errors import Conflict
from backend.apps.indexers.folders import typing_folder
from backend.apps.indexers.models import Indexer
from backend.apps.indexers.serving import served_folder
from backend.search_engine.errors import IndexFaultError
from backend.search_engine.fuzzy import TypingAid
from backend.search_engine.index.check import CheckReport, check_index


def check_served(indexer: Indexer) -> CheckReport:
    """Read every byte of the index and of what helps while a query is typed."""
    folder = served_folder(indexer)
    if folder is None:
        raise Conflict("This indexer has no index here yet. Build it first.")
    report = check_index(folder)
    aid = typing_folder(folder)
    if aid.is_dir():
        try:
            TypingAid.open(aid, verify=True)
        except IndexFaultError as error:
            report.problems.append(str(error))
    return report
