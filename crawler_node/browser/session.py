"""One browser with its driver: opens pages one after another and hands each over as one snapshot."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import TimeoutException, UnexpectedAlertPresentException, WebDriverException
from selenium.webdriver.chromium.remote_connection import ChromiumRemoteConnection
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.file_detector import UselessFileDetector
from urllib3.exceptions import HTTPError

from crawler_node.browser.actions import Action, Onlooker, StepReport, run_chain
from crawler_node.browser.blocking import BLOCKED_FILES
from crawler_node.browser.door import Door, Doors, Manners, NoManners, OwnHeaders, Visit
from crawler_node.browser.faults import is_fatal
from crawler_node.browser.flags import launch_flags, write_preferences
from crawler_node.browser.guard_proxy import VERDICT_HEADER
from crawler_node.browser.login import Login
from crawler_node.browser.network_log import MainDocument, NetworkLog
from crawler_node.browser.options import WINDOW, BrowserOptions
from crawler_node.browser.page_scripts import SCRIPT_TIMEOUT_SECONDS, run_async
from crawler_node.browser.processes import ProcessGroup
from crawler_node.browser.programs import BrowserPrograms
from crawler_node.errors import BrowserError

FOLDER_PREFIX = "gleaner-browser-"
# The browser gets an environment of its own: none of our settings is its business.
_PATH = "/usr/local/bin:/usr/bin:/bin"
_PORT_FILE = "DevToolsActivePort"
_TRIES_AT_REST = 40
_TRIES_TO_GO = 10
# How far the clocks of a page and of the browser's log may be apart.
_CLOCK_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Rendering:
    """A page as the browser showed it: its HTML, and the documents that its frame went through, the last one shown.

    `steps` tells what became of its action chain. `moved_by_steps` is True when the chain itself led to another page.
    `is_locked_out` when the page still looks as it does to strangers after signing in.
    """

    html: str
    documents: Sequence[MainDocument] = ()
    seconds: float = 0.0
    steps: Sequence[StepReport] = ()
    moved_by_steps: bool = False
    is_locked_out: bool = False


class BrowserSession:
    """Blocking: call it in a thread of its own. Whatever goes wrong with the browser is a BrowserError, and then it is
    over with this session. `kill` may be called from any other thread and ends any call."""

    def __init__(self, programs: BrowserPrograms, options: BrowserOptions, *, proxy: str, doors: Doors) -> None:
        self._programs = programs
        self._options = options
        self._proxy = proxy
        self._doors = doors
        self._door: Door | None = None
        self._groups: list[ProcessGroup] = []
        self.folder = ""
        self._is_killed = False
        self._has_logged_in = False
        self.page_count = 0
        self.shows_page = False

    def start(self) -> None:
        """Start browser and driver and join them."""
        self.folder = tempfile.mkdtemp(prefix=f"{FOLDER_PREFIX}{os.getpid()}-")
        try:
            port = self._start_browser()
            self._driver = self._join(self._start_driver(), port)
            self._prepare(port)
        except (WebDriverException, HTTPError, OSError) as error:
            raise BrowserError(f"The browser did not start ({_first_line(error)}).") from error

    def open(
        self,
        url: str,
        actions: Sequence[Action] = (),
        *,
        onlooker: Onlooker | None = None,
        manners: Manners | None = None,
        may_wait: bool = False,
    ) -> Rendering:
        """The page at a URL, at rest after its actions; a browser that is to sign in does so first.

        It stays where it is, and goes on asking for what it likes, until the next one is opened or `leave` is called.
        With `may_wait` the next one may be held up for its host's turn: then the page before is left first.
        """
        began = time.monotonic()
        self.page_count += 1
        self._visit = Visit(manners or NoManners(), login=self._options.login)
        try:
            if may_wait:
                self._leave()
            rendering = self._show_signed_in(url, actions, onlooker)
            self._tidy_up()
        except (WebDriverException, HTTPError, OSError) as error:
            raise BrowserError(f"The browser broke down on this page ({_first_line(error)}).") from error
        finally:
            if self._door is not None:
                self._doors.call(self._door.end(self._visit))
        return replace(rendering, seconds=time.monotonic() - began)

    def leave(self) -> None:
        """Show nothing any more, and so ask for nothing."""
        try:
            self._leave()
        except (WebDriverException, HTTPError, OSError) as error:
            raise BrowserError(f"The browser does not leave its page ({_first_line(error)}).") from error

    def memory_bytes(self) -> int:
        """What browser and driver hold."""
        return sum(group.memory_bytes() for group in self._groups)

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        self._is_killed = True
        for group in list(self._groups):
            group.end()
        if self._door is not None:
            self._doors.close(self._door)
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- starting

    def _launch(self, command: Sequence[str], *, stdout: int = subprocess.DEVNULL) -> ProcessGroup:
        if self._is_killed:
            raise BrowserError("The browser was ended while it started.")
        folder, display = self.folder, self._options.display
        env = {"PATH": _PATH, "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder, "XDG_CONFIG_HOME": folder}
        env |= {"DISPLAY": display} if display else {}
        group = ProcessGroup(command, env=env, folder=folder, stdout=stdout)
        self._groups.append(group)
        return group

    def _start_browser(self) -> int:
        profile = Path(self.folder, "profile")
        write_preferences(profile)
        options = self._options
        flags = launch_flags(
            profile=str(profile),
            proxy=self._proxy,
            user_agent=options.user_agent,
            with_images=options.with_images,
            with_window=options.with_window,
            window=WINDOW,
        )
        group = self._launch([self._programs.browser, *flags])
        deadline = time.monotonic() + options.start_seconds
        while time.monotonic() < deadline and group.is_alive and not self._is_killed:
            with contextlib.suppress(OSError, ValueError):
                return int((profile / _PORT_FILE).read_text().split("\n", 1)[0])
            time.sleep(0.02)
        raise BrowserError("Chromium did not start. Look at the machine's memory, and try `chromium --headless`.")

    def _start_driver(self) -> str:
        group = self._launch([self._programs.driver, "--port=0"], stdout=subprocess.PIPE)
        line = group.first_line_with("successfully on port", seconds=self._options.start_seconds)
        port = line.rpartition("on port ")[2].strip().rstrip(".")
        if not port.isdigit():
            raise BrowserError("chromedriver did not start.")
        return f"http://127.0.0.1:{port}"

    def _join(self, driver_url: str, browser_port: int) -> Any:
        options = webdriver.ChromeOptions()
        options.debugger_address = f"127.0.0.1:{browser_port}"
        options.page_load_strategy = "eager"
        options.unhandled_prompt_behavior = "dismiss"
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        patience = SCRIPT_TIMEOUT_SECONDS  # whoever asks for a page watches the clock
        connection = ChromiumRemoteConnection(
            remote_server_addr=driver_url,
            vendor_prefix="goog",
            browser_name="chrome",
            client_config=ClientConfig(remote_server_addr=driver_url, timeout=int(patience)),
        )
        # A driver that is called remote would send files of this machine whose names are typed.
        return webdriver.Remote(command_executor=connection, options=options, file_detector=UselessFileDetector())

    def _prepare(self, port: int) -> None:
        self._driver.set_page_load_timeout(self._options.deadline_seconds)
        self._window = self._driver.current_window_handle
        self._log = NetworkLog(self._window)
        self._driver.set_script_timeout(SCRIPT_TIMEOUT_SECONDS)
        self._deny_downloads()
        if not self._options.with_images:
            self._command("Network.setBlockedURLs", urls=list(BLOCKED_FILES))
        address = f"http://127.0.0.1:{port}/devtools/page/{self._window}"
        options = self._options
        own = OwnHeaders(options.headers, options.is_own, in_open=options.headers_in_open)
        self._door = self._doors.open(address, frame=self._window, headers=own)
        if self._options.cookies:
            self._command("Network.setCookies", cookies=[cookie.as_parameter() for cookie in self._options.cookies])

    def _deny_downloads(self) -> None:
        self._command("Browser.setDownloadBehavior", behavior="deny")

    def _command(self, name: str, **parameters: Any) -> Any:
        return self._driver.execute("executeCdpCommand", {"cmd": name, "params": parameters})["value"]

    # --- one page

    def _show(
        self, url: str, actions: Sequence[Action], onlooker: Onlooker | None = None, *, is_free: bool = False
    ) -> Rendering:
        assert self._door is not None  # noqa: S101 - open since the start
        self._visit.is_free = is_free
        if "#" in url:
            self._leave()  # else another place of the page that is shown would not be loaded anew
        self._doors.call(self._door.begin(self._visit, url))
        self._log.begin()
        began = time.monotonic()
        self.shows_page = True
        self._go(url)
        steps: Sequence[StepReport] = ()
        before = 0
        if actions or onlooker:
            self._read_log()
            before = len(self._log.documents)
        is_open = onlooker is None or self._show_opened(url, onlooker, seconds=time.monotonic() - began)
        if actions and is_open:
            self._visit.is_free = True
            steps = run_chain(self._driver, actions, onlooker=onlooker, under_way=self._under_way)
        html = self._rest()
        documents = self._log.documents
        if not (html and documents):
            raise BrowserError("The page does not let itself be looked at, so its browser was ended.")
        return Rendering(html, documents, steps=steps, moved_by_steps=0 < before < len(documents))

    def _show_opened(self, url: str, onlooker: Onlooker, *, seconds: float) -> bool:
        """Let somebody see the page before its first step; False when there is none."""
        document = self._log.documents[-1] if self._log.documents else MainDocument(url, error="net::ERR_FAILED")
        is_open = not document.error and VERDICT_HEADER not in document.headers
        status = f" (HTTP {document.status})" if document.status >= 400 else ""
        sentence = f"Opened {url}{status}." if is_open else f"{url} could not be opened."
        onlooker.see(self._driver, StepReport(0, "open", sentence, is_open, False, seconds))
        return is_open

    # --- signing in

    def _show_signed_in(self, url: str, actions: Sequence[Action], onlooker: Onlooker | None) -> Rendering:
        """Signs in before the first page, and once more when a page looks as it does to strangers.

        A person's cookies may have opened everything: then nobody signs in.
        """
        login = self._options.login
        if login is None:
            return self._show(url, actions, onlooker)
        if self._has_logged_in or (self._options.cookies and login.logged_out):
            rendering = self._show(url, actions, onlooker)
            if not self._is_out(login, url, rendering):
                return rendering
        signed_in = self._show(login.url or url, login.actions, is_free=True)
        self._has_logged_in = not any(step.ends_chain for step in signed_in.steps)
        if not self._has_logged_in:
            return replace(signed_in, is_locked_out=True)
        rendering = self._show(url, actions, onlooker)
        return replace(rendering, is_locked_out=self._is_out(login, url, rendering))

    def _is_out(self, login: Login, url: str, rendering: Rendering) -> bool:
        """Whether the page was shown as to a stranger: it led to the login, or bears the mark, steps done or not."""
        if not login.is_at(url) and any(map(login.is_at, _addresses(rendering))):
            return True
        if login.logged_out:
            with self._tolerating():
                return bool(run_async(self._driver, "wait_until", "present", login.logged_out, seconds=0))
        return False

    def _go(self, url: str) -> None:
        """Until the page has begun: a dialog of the page before may be in the way."""
        for _ in range(_TRIES_TO_GO):
            try:
                self._driver.get(url)
                return
            except UnexpectedAlertPresentException:
                self._read_log()
                if self._log.documents:
                    return
            except TimeoutException:
                return  # what is there is taken
            except WebDriverException as error:
                if "net::ERR" in str(error):
                    return  # the log knows more
                raise

    def _leave(self) -> None:
        if self.shows_page:
            with self._tolerating():
                self._command("Page.navigate", url="about:blank")
            self.shows_page = False

    def _rest(self) -> str:
        """The snapshot once page and network rest, or the time for that is over.

        What came only just before the snapshot, or after it, may be missing there: then another one is taken.
        """
        html, moment, quiet = "", 0.0, self._options.quiet_seconds
        over = time.monotonic() + self._options.settle_seconds
        for _ in range(_TRIES_AT_REST):
            left = max(over - time.monotonic(), 0.05)
            with self._tolerating():
                taken, taken_at = run_async(self._driver, "settle", quiet * 1000, seconds=left)
                html, moment = taken or html, (taken_at or 0.0) / 1000
            self._read_log()
            if time.monotonic() >= over or (html and self._log.has_rested(quiet - _CLOCK_SECONDS, moment=moment)):
                break
        return html

    def _under_way(self) -> frozenset[str]:
        self._read_log()
        return self._log.under_way

    def _read_log(self) -> None:
        self._log.read(self._driver.execute("getLog", {"type": "performance"})["value"])

    @contextlib.contextmanager
    def _tolerating(self) -> Any:
        """What a page may do while it is looked at: open a dialog, go elsewhere, take too long."""
        try:
            yield
        except (TimeoutException, UnexpectedAlertPresentException):
            return
        except WebDriverException as error:
            if is_fatal(error):
                raise
            time.sleep(0.05)

    def _tidy_up(self) -> None:
        """Close the windows that the page opened.

        The driver must not turn to them: it would allow downloads, into the folder it was started in.
        """
        if not self._log.has_opened_windows:
            return
        for target in self._command("Target.getTargets")["targetInfos"]:
            if target["type"] == "page" and target["targetId"] != self._window:
                with contextlib.suppress(WebDriverException):
                    self._command("Target.closeTarget", targetId=target["targetId"])
        self._deny_downloads()


def _addresses(rendering: Rendering) -> Iterator[str]:
    """All that the page's frame went through."""
    for document in rendering.documents:
        yield from (*(hop.url for hop in document.hops), document.url)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__
