"""The child of `bounded.py`: answers trials until its input ends. The kernel ends it when a trial takes too much."""

import os
import resource
import signal
import sys
from typing import Any, BinaryIO

import dateparser  # noqa: F401 - slow to import: once, before any trial is on the clock

from crawler_node.extract.errors import ExtractError, TemplateError, UserError
from crawler_node.extract.frames import pack, unpack
from crawler_node.extract.trials import TRIALS


def main() -> None:
    """Answer requests from standard input on standard output."""
    memory_bytes = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    os.nice(5)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    target.write(pack({"ready": True}))
    target.flush()
    while True:
        try:
            message, body = unpack(lambda count: _read_exactly(source, count))
        except EOFError:
            return
        # CPU time, and the default action of its signal: the kernel ends native code that no handler could interrupt.
        signal.setitimer(signal.ITIMER_PROF, float(message["budget_seconds"]))
        answer = pack(_answer(message, body))
        signal.setitimer(signal.ITIMER_PROF, 0)
        target.write(answer)
        target.flush()


def _read_exactly(source: BinaryIO, count: int) -> bytes:
    data = source.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _answer(message: dict[str, Any], body: bytes) -> dict[str, Any]:
    try:
        return {"answer": TRIALS[message["trial"]](message, body)}
    except TemplateError as error:
        return {"error": "TemplateError", "field": error.field, **_user_error(error)}
    except UserError as error:
        return {"error": type(error).__name__, **_user_error(error)}
    except ExtractError as error:
        return {"error": type(error).__name__, "message": str(error)}
    except MemoryError:
        return {"error": "BudgetError", "message": "It needed more memory than it may use."}


def _user_error(error: UserError) -> dict[str, Any]:
    return {"message": error.message, "position": error.position, "hint": error.hint}


if __name__ == "__main__":
    main()
