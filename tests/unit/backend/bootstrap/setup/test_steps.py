import pytest

from backend.bootstrap.errors import StoppedError
from backend.bootstrap.setup.steps import Setup, Step


class Work:
    """A step that copies one file to another and counts how often it did."""

    def __init__(self, places, name="copy"):
        self.source, self.target = places.root / "source", places.root / "target"
        self.source.write_text("one")
        self.count = 0
        self.step = Step(name, self.copy, inputs=lambda: [self.source], outputs=[self.target])

    def copy(self):
        self.count += 1
        self.target.write_text(self.source.read_text())


def test_a_step_is_done_once_and_again_when_its_input_changes(places, capsys):
    work, setup = Work(places), Setup(places)
    assert [setup.carry_out([work.step]) for _ in range(3)] == [1, 0, 0]
    work.source.write_text("two")
    assert setup.carry_out([work.step]) == 1
    assert work.target.read_text() == "two"
    assert work.count == 2
    heard = capsys.readouterr()
    assert heard.err.count("  copy ") == 2
    assert heard.out == ""


def test_a_step_is_repeated_when_its_output_is_gone(places):
    work, setup = Work(places), Setup(places)
    setup.carry_out([work.step])
    work.target.unlink()
    assert setup.carry_out([work.step]) == 1


def test_a_step_that_was_broken_off_is_repeated(places):
    work, setup = Work(places), Setup(places)
    setup.carry_out([work.step])
    work.source.write_text("two")

    def half():
        work.target.write_text("half")
        raise KeyboardInterrupt

    broken = Step("copy", half, inputs=work.step.inputs, outputs=work.step.outputs)
    with pytest.raises(KeyboardInterrupt):
        setup.carry_out([broken])
    work.source.write_text("one")  # even with the inputs of the last success
    assert setup.carry_out([work.step]) == 1


def test_an_input_that_changes_meanwhile_makes_the_step_due_again(places):
    work, setup = Work(places), Setup(places)

    def copy_while_somebody_edits():
        work.copy()
        work.source.write_text("edited meanwhile")

    setup.carry_out([Step("copy", copy_while_somebody_edits, inputs=work.step.inputs, outputs=work.step.outputs)])
    assert setup.carry_out([work.step]) == 1
    assert work.target.read_text() == "edited meanwhile"


def test_steps_are_carried_out_in_order_and_stop_at_the_first_failure(places, capsys):
    done = []
    steps = [
        Step("one", lambda: done.append(1), is_satisfied=lambda: False),
        Step("two", lambda: 1 / 0, is_satisfied=lambda: False),
        Step("three", lambda: done.append(3), is_satisfied=lambda: False),
    ]
    with pytest.raises(ZeroDivisionError):
        Setup(places).carry_out(steps)
    assert done == [1]
    assert "failed" in capsys.readouterr().err.splitlines()[-1]


def test_a_satisfied_machine_is_left_alone(places):
    assert Setup(places).carry_out([Step("packages", lambda: 1 / 0, is_satisfied=lambda: True)]) == 0


def test_ctrl_c_stops_between_steps(places, asked_to_stop):
    done = []
    with pytest.raises(StoppedError):
        Setup(places).carry_out([Step("one", lambda: done.append(1), is_satisfied=lambda: False)])
    assert done == []
