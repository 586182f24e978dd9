"""The log says what matters, and not more often than anyone reads."""

from crawler_node.contracts import Failure, Lease, LogLine, Outcome, PageRecord, PageState, Refusal
from crawler_node.engine.journal import Journal


def outcome(page: PageRecord) -> Outcome:
    return Outcome(Lease("https://site.example/", b"k" * 16, "site.example", 0, 1, 0.0, 1), page)


def test_each_kind_of_news_has_its_level() -> None:
    journal = Journal()
    journal.note(outcome(PageRecord(PageState.DONE)))
    journal.note(outcome(PageRecord(PageState.FAILED, failure=Failure.HTTP, sentence="Gone.")))
    journal.note(outcome(PageRecord(PageState.QUEUED, sentence="Wait.", can_retry=True)))
    journal.note(outcome(PageRecord(PageState.SKIPPED, refusal=Refusal.ROBOTS, sentence="Not allowed.")))
    journal.note(outcome(PageRecord(PageState.DONE, sentence="Not indexed.")))
    assert [(line.level, line.message) for line in journal.take()] == [
        ("error", "Gone."),
        ("warning", "Wait."),
        ("debug", "Not allowed."),
        ("info", "Not indexed."),
    ]
    assert not journal
    assert journal.take() == []


def test_the_same_sentence_is_said_a_hundred_times_at_most() -> None:
    journal = Journal()
    for _ in range(500):
        journal.add(LogLine("warning", "Again."))
    lines = journal.take()
    assert len(lines) == 101
    assert lines[-1].message == "Said 100 times, and no more from now on: Again."
