"""What the browser's own log says about a page: status, headers and redirects, without a second request."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crawler_node.contracts import Hop

# What a page may still be waiting for; pictures, fonts and the like change no text.
_AWAITED = frozenset({"Document", "XHR", "Fetch", "Script", "Stylesheet", "Other"})


@dataclass(frozen=True, slots=True)
class MainDocument:
    """One document that the page's own frame showed, with the redirects that led to it.

    `error` is the browser's word for what went wrong instead, such as `net::ERR_NAME_NOT_RESOLVED`.
    """

    url: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = ""
    hops: tuple[Hop, ...] = ()
    error: str = ""
    address: str = ""


class NetworkLog:
    """Follows one page through the log's entries, which may come in several helpings.

    `begin` forgets the page before; what it still had under way is not counted.
    """

    def __init__(self, main_frame: str) -> None:
        self._main_frame = main_frame
        self.begin()

    def begin(self) -> None:
        """A new page is about to be opened."""
        self._began = False
        self._documents: dict[str, MainDocument] = {}
        self._pending: dict[str, str] = {}
        self._clock_offset = 0.0
        self._ended_at = 0.0
        self.has_opened_windows = False

    @property
    def documents(self) -> Sequence[MainDocument]:
        """Every document the page's frame went to, the last one being the one that is shown.

        A file that was offered for saving is none of them, unless there was no other.
        """
        found = list(self._documents.values())
        return [document for document in found if "ERR_ABORTED" not in document.error] or found[-1:]

    @property
    def under_way(self) -> frozenset[str]:
        """What the page has asked for and not got yet, as far as it can change the page."""
        return frozenset(self._pending)

    def has_rested(self, seconds: float, *, moment: float) -> bool:
        """Whether, at a moment (seconds since 1970), all that could change the page had come so long before."""
        return not self._pending and moment - self._ended_at >= seconds

    def read(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Take the next helping."""
        for entry in entries:
            message = json.loads(entry["message"])["message"]
            handle = self._HANDLERS.get(message["method"])
            if handle is not None:
                handle(self, message["params"])

    def _sent(self, event: Mapping[str, Any]) -> None:
        is_main = event.get("type") == "Document" and event.get("frameId") == self._main_frame
        self._began = self._began or is_main
        if not self._began:
            return
        number = event["requestId"]
        if is_main:
            self._document_sent(number, event)
        if event.get("type") in _AWAITED and not event["request"]["url"].startswith(("data:", "blob:")):
            self._pending[number] = event["request"]["url"]
            self._clock_offset = event["wallTime"] - event["timestamp"]

    def _document_sent(self, number: str, event: Mapping[str, Any]) -> None:
        if (redirect := event.get("redirectResponse")) is None:
            self._pending.clear()
            self._documents[number] = MainDocument(event["request"]["url"])
            return
        before = self._documents.get(number)
        hops = (*(before.hops if before else ()), Hop(redirect["url"], int(redirect["status"])))
        self._documents[number] = MainDocument(event["request"]["url"], hops=hops)

    def _received(self, event: Mapping[str, Any]) -> None:
        document = self._documents.get(event["requestId"])
        if document is None or event.get("type") != "Document":
            return
        response = event["response"]
        self._documents[event["requestId"]] = MainDocument(
            response["url"],
            int(response["status"]),
            {name.lower(): value for name, value in response["headers"].items()},
            response.get("mimeType", "").lower(),
            document.hops,
            address=response.get("remoteIPAddress", ""),
        )

    def _finished(self, event: Mapping[str, Any]) -> None:
        if self._pending.pop(event["requestId"], None) is not None:
            self._ended_at = event["timestamp"] + self._clock_offset

    def _failed(self, event: Mapping[str, Any]) -> None:
        self._finished(event)
        document = self._documents.get(event["requestId"])
        if document is not None:
            self._documents[event["requestId"]] = MainDocument(
                document.url,
                document.status,
                document.headers,
                document.media_type,
                document.hops,
                error=event.get("errorText", "") or "net::ERR_FAILED",
            )

    def _window_opened(self, _: Mapping[str, Any]) -> None:
        self.has_opened_windows = True

    _HANDLERS = {
        "Network.requestWillBeSent": _sent,
        "Network.responseReceived": _received,
        "Network.loadingFinished": _finished,
        "Network.loadingFailed": _failed,
        "Page.windowOpen": _window_opened,
    }
