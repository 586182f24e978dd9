"""What can be wrong with a test collection.

CollectionError    a file that cannot be read, or a line that is not what it should be
"""

from backend.search_engine.errors import SearchEngineError


class CollectionError(SearchEngineError):
    """The files of a test collection cannot be used; the message names the line."""
