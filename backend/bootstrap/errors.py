"""What can go wrong at the door.

BootstrapError            a sentence for the person at the terminal; the door prints it and exits with 1
├── ActionNeededError         this machine lacks something, and only its owner can give it
├── CommandFailedError         a program that set-up started gave up; carries the end of its output
├── ChildDiedError             a process that `up` runs ended by itself; carries the end of its log
└── StoppedError           Ctrl-C or SIGTERM arrived; nothing is wrong
"""


class BootstrapError(Exception):
    """Its text is a sentence that says what to do next; `detail` is what a program printed, if anything."""

    exit_code = 1

    def __init__(self, sentence: str, *, detail: str = "") -> None:
        super().__init__(sentence)
        self.detail = detail


class ActionNeededError(BootstrapError):
    pass


class CommandFailedError(BootstrapError):
    pass


class ChildDiedError(BootstrapError):
    pass


class StoppedError(BootstrapError):
    exit_code = 130

    def __init__(self) -> None:
        super().__init__("Stopped.")
