"""Why something did not happen: reasons that are stored, counted, and shown to people as sentences."""

from collections.abc import Mapping
from enum import StrEnum


class Refusal(StrEnum):
    """Why a URL is not crawled, or its answer not kept. A value: stored with the URL, counted, shown as a sentence."""

    DUPLICATE = "duplicate"
    OUT_OF_SCOPE = "out of scope"
    EXCLUDED = "excluded"
    CROSS_SITE = "cross-site"
    ROBOTS = "robots"
    NOFOLLOW = "nofollow"
    TOO_DEEP = "too deep"
    OVER_BUDGET = "over budget"
    TRAP = "trap"
    CONTENT_TYPE = "content type"
    TOO_BIG = "too big"
    BAD_HOST = "bad host"
    FORBIDDEN_ADDRESS = "forbidden address"

    @property
    def sentence(self) -> str:
        """The reason as people read it."""
        return REFUSAL_SENTENCES[self]


REFUSAL_SENTENCES: Mapping[Refusal, str] = {
    Refusal.DUPLICATE: "This address was found before.",
    Refusal.OUT_OF_SCOPE: "The crawler's allowed addresses do not include it.",
    Refusal.EXCLUDED: "The crawler excludes it.",
    Refusal.CROSS_SITE: "It leads to another website.",
    Refusal.ROBOTS: "The website's robots.txt asks crawlers not to visit it.",
    Refusal.NOFOLLOW: "The page asks crawlers not to follow this link.",
    Refusal.TOO_DEEP: "It is more clicks away from the start than the crawler may go.",
    Refusal.OVER_BUDGET: "The budget for this host or kind of address is used up.",
    Refusal.TRAP: "It looks like part of an endless series of addresses.",
    Refusal.CONTENT_TYPE: "It is not a web page.",
    Refusal.TOO_BIG: "It is larger than the crawler accepts.",
    Refusal.BAD_HOST: "Its host failed too often and is left alone.",
    Refusal.FORBIDDEN_ADDRESS: "Its host is at an address the operator does not allow.",
}


class Failure(StrEnum):
    """Why a fetch gave no page. A value like `Refusal`; `FetchFailure.can_retry` says whether another try can help."""

    DNS = "name not found"
    CONNECT = "no connection"
    TLS = "bad certificate"
    TIMEOUT = "timeout"
    BROKEN = "broken answer"
    HTTP = "error status"
    RATE_LIMITED = "asked to wait"
    REDIRECT_LOOP = "redirect loop"
    BAD_REDIRECT = "bad redirect"
    PROXY = "proxy"
    REFUSED = "refused"
    EXTRACTION = "extraction"
    ACTION = "action chain"
    WALL = "captcha or login"


class StopReason(StrEnum):
    """Why a runner ended, or pauses."""

    EXHAUSTED = "exhausted"
    MAX_PAGES = "max pages"
    MAX_DOCUMENTS = "max documents"
    WALL_TIME = "wall time"
    NO_NEW_DOCUMENTS = "no new documents"
    ERROR_RATE = "error rate"
    ALL_DUPLICATE = "all duplicate"
    STOPPED = "stopped"
    PAUSED = "paused"
    PERSON = "person"
    ASKED_TO_WAIT = "asked to wait"

    @property
    def sentence(self) -> str:
        """The reason as people read it."""
        return STOP_SENTENCES[self]


STOP_SENTENCES: Mapping[StopReason, str] = {
    StopReason.EXHAUSTED: "Every address that was found has been dealt with.",
    StopReason.MAX_PAGES: "The maximum number of pages is reached.",
    StopReason.MAX_DOCUMENTS: "The maximum number of documents is reached.",
    StopReason.WALL_TIME: "The time allowed for this runner is over.",
    StopReason.NO_NEW_DOCUMENTS: "Too many pages in a row brought no new document.",
    StopReason.ERROR_RATE: "Too many pages failed.",
    StopReason.ALL_DUPLICATE: "Too many pages in a row only repeated what was known.",
    StopReason.STOPPED: "Someone stopped it.",
    StopReason.PAUSED: "Someone paused it.",
    StopReason.PERSON: "It waits for a person.",
    StopReason.ASKED_TO_WAIT: "The server asks us to wait. The run goes on by itself then.",
}


class Wish(StrEnum):
    """What the user wants a runner to do."""

    RUN = "run"
    PAUSE = "pause"
    STOP = "stop"
