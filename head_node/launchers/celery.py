"""Workers on other machines: a hint goes out to the node's queue, everything else goes through the store.

A hint may be lost or come twice. The head sends it again until the placement is claimed, and whoever comes second
finds it taken.
"""

from collections.abc import Callable

from head_node.contracts import Hang, LiveWorker


class CeleryLauncher:
    """`send` gives a hint to a node's queue, `gets_through` says whether hints do; `wish_kill` tells the node's agent,
    through the store, to end a worker.
    """

    def __init__(
        self,
        *,
        send: Callable[[LiveWorker], None],
        wish_kill: Callable[[LiveWorker], None],
        gets_through: Callable[[], bool] = lambda: True,
    ) -> None:
        self._send = send
        self._wish_kill = wish_kill
        self._gets_through = gets_through

    def launch(self, worker: LiveWorker) -> None:
        self._send(worker)

    def is_within_reach(self) -> bool:
        return self._gets_through()

    def is_running(self, worker: LiveWorker) -> bool:
        """As the node's agent has seen it; the worker's own lease decides when the agent is away."""
        return not worker.is_gone

    def has_failed_to_begin(self, worker: LiveWorker) -> bool:
        """As its node has seen it when it was told about the placement again."""
        return worker.process_id is None and worker.is_gone

    def is_here(self, worker: LiveWorker) -> bool:  # noqa: ARG002
        """It belongs to the agent of its node, even where that is on the same machine."""
        return False

    def find_hang(self, worker: LiveWorker) -> Hang | None:
        return worker.hang

    def ask_to_stop(self, worker: LiveWorker) -> None:
        """It hears what people want with its next sign of life."""

    def kill(self, worker: LiveWorker) -> None:
        self._wish_kill(worker)

    def last_words(self, worker: LiveWorker) -> str:  # noqa: ARG002
        """The node writes them down itself."""
        return ""
