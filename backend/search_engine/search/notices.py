"""What to tell whoever asked: what the parser said, and what only an index knows."""

from backend.search_engine.query import Notice, Query
from backend.search_engine.query.lexer import MAX_NOTICES
from backend.search_engine.search.conditions import condition_notices
from backend.search_engine.search.left_out import left_out_notice
from backend.search_engine.search.matcher import Matcher


def notices_of(query: Query, matcher: Matcher) -> tuple[Notice, ...]:
    """The query's notices and the index's own: each sentence and each place of the query once, and not too many."""
    left_out = left_out_notice(query.root, matcher)
    if query.source and ":" not in query.source:  # no field is named, so no column is asked for anything
        return query.notices if left_out is None else (*query.notices, left_out)
    told = {notice.position for notice in query.notices}
    conditions = condition_notices(query.root, matcher.schema)
    found = {notice.message: notice for notice in conditions if notice.position not in told}
    own = [*found.values()][:MAX_NOTICES]
    return (*query.notices, *own, left_out) if left_out is not None else (*query.notices, *own)
