"""Everything the search engine raises.

SearchEngineError
├── AnalysisError          the user's: an unknown language, a stop-word pattern that does not compile
├── SchemaError            the user's: a field that does not exist, a value of the wrong type
├── RankingError           the user's: k, b or a weight outside its range
├── DeadlineExceededError  the query took longer than it was given
└── IndexFaultError        ours or the disk's
    ├── IndexCorruptError  a checksum, a length or a magic number is wrong
    ├── IndexVersionError  written by another version of the format
    ├── IndexMissingError  there is no index in that folder
    └── IndexLockedError   another writer holds the index
"""


class SearchEngineError(Exception):
    """Root of the tree; the message is a sentence that says what to do next."""


class AnalysisError(SearchEngineError):
    """The text analysis cannot be set up as asked."""


class SchemaError(SearchEngineError):
    """A field or value does not fit the index's schema."""


class RankingError(SearchEngineError):
    """A ranking parameter is outside its range."""


class DeadlineExceededError(SearchEngineError):
    """The query ran out of time; nothing is returned rather than something wrong."""


class IndexFaultError(SearchEngineError):
    """The files of an index cannot be used as they are."""


class IndexCorruptError(IndexFaultError):
    """A file of the index is damaged; rebuild the index from the database."""


class IndexVersionError(IndexFaultError):
    """The index was written in another format version; rebuild it from the database."""


class IndexMissingError(IndexFaultError):
    """The folder holds no index."""


class IndexLockedError(IndexFaultError):
    """Another writer has the index open."""
