"""What can go wrong when an index is asked.

UserFault
├── Conflict
│   └── NoIndexYet     there is nothing to search: build the index first
├── Invalid            a query, filter or formula that cannot be used, by parameter (`backend.apps.errors`)
├── TooSlow            the deadline passed
└── NoSuchDocument     the key is in no document of the index
OurFault
└── IndexBroken        the files cannot be used
"""

from backend.apps.errors import Conflict, OurFault, UserFault


class NoIndexYet(Conflict):
    code = "no_index"


class TooSlow(UserFault):
    code = "too_slow"


class NoSuchDocument(UserFault):
    code = "no_such_document"


class IndexBroken(OurFault):
    code = "index_broken"
