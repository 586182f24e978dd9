"""Everything crawler_node raises.

CrawlerNodeError
├── SpecError            the user's fault: an option that cannot work; the sentence says what to change
│   ├── SeedError        a seed that is no http(s) address
│   ├── NetworkListError an allow-list entry that is neither an address nor a network
│   ├── ProxyError       a proxy address that cannot be used
│   └── BrowserMissingError  the lane needs a browser that this machine does not have
├── BrowserError         ours: a browser crashed, hung or did not start; the page may be tried in another one
├── BrowserBusyError     ours: no browser was free in time; the page is given back and comes again
└── StoreError           ours: the store broke its promise or cannot be reached

What a website does is never an exception: it is a `FetchFailure` or a `Refusal`, a value with a sentence.
"""


class CrawlerNodeError(Exception):
    """The root: `str(error)` is a sentence for people that says what to do next."""


class SpecError(CrawlerNodeError):
    """A choice of the user cannot work; the sentence names the choice and the remedy."""


class SeedError(SpecError):
    """A seed is not an http or https address."""


class NetworkListError(SpecError):
    """An entry of the allow-list is neither an address nor a network."""


class ProxyError(SpecError):
    """A proxy's address cannot be used."""


class BrowserMissingError(SpecError):
    """The lane needs a browser that this machine does not have; the sentence says what to install."""


class BrowserError(CrawlerNodeError):
    """A browser crashed, hung or did not start: it is gone, and another one may do better."""


class BrowserBusyError(CrawlerNodeError):
    """No browser was free while the page could still be asked for: nothing was tried, so its lease is given back."""


class StoreError(CrawlerNodeError):
    """The crawl store failed: the batch in hand is not remembered and its leases will expire."""
