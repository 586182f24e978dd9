"""The browser slots of a machine, counted by locks."""

import signal
import subprocess
import sys
from pathlib import Path

from crawler_node.browser import MachineSlots

ROOT = Path(__file__).parents[4]
HOLDER = """
import sys, time
from pathlib import Path
from crawler_node.browser import MachineSlots
held = MachineSlots(Path(sys.argv[1]), 1).take()
print(held is not None, flush=True)
time.sleep(600)
"""


def test_there_are_so_many_slots_and_one_that_is_released_can_be_had_again(tmp_path: Path) -> None:
    machine = MachineSlots(tmp_path / "slots", 2)
    first, second = machine.take(), machine.take()
    assert first is not None
    assert second is not None
    assert machine.take() is None
    first.release()
    first.release()
    assert machine.take() is not None
    assert machine.take() is None


def test_a_slot_is_free_again_when_its_process_is_killed(tmp_path: Path) -> None:
    machine = MachineSlots(tmp_path, 1)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        assert machine.take() is None
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert machine.take() is not None


def test_others_see_that_somebody_waits(tmp_path: Path) -> None:
    machine, nobody = MachineSlots(tmp_path / "a", 1), MachineSlots(tmp_path / "b", 1)
    one, other = machine.wait(), machine.wait()
    assert one is not None
    assert other is not None
    one.release()
    assert (machine.is_waited_for(), nobody.is_waited_for()) == (True, False)
    other.release()
    assert not machine.is_waited_for()
