"""Whether a database that does not let us in ever will again."""

import psycopg
import pytest
from django.db import OperationalError

from backend.config.refusals import NO_LOGIN, PATIENCE_SECONDS, Refusals


def refused(sentence: str = "password authentication failed", *, cause: Exception | None = None) -> OperationalError:
    error = OperationalError(sentence)
    error.__cause__ = cause or psycopg.OperationalError(sentence)
    return error


@pytest.fixture
def clock() -> list[float]:
    return [100.0]


def test_who_is_refused_by_name_gives_up_at_once(clock: list[float]) -> None:
    assert Refusals(clock=lambda: clock[0]).is_final(refused(f'role "n1" {NO_LOGIN}'))


def test_who_is_refused_all_the_time_by_a_server_that_is_there_gives_up_in_any_language(clock: list[float]) -> None:
    refusals = Refusals(is_there=lambda: True, clock=lambda: clock[0])
    error = refused("Passwort-Authentifizierung für Benutzer fehlgeschlagen")
    assert not refusals.is_final(error)
    clock[0] += PATIENCE_SECONDS
    assert refusals.is_final(error)


def test_who_was_let_in_meanwhile_begins_to_wait_anew(clock: list[float]) -> None:
    refusals = Refusals(is_there=lambda: True, clock=lambda: clock[0])
    assert not refusals.is_final(refused())
    refusals.forget()
    clock[0] += PATIENCE_SECONDS
    assert not refusals.is_final(refused())


def test_a_server_that_is_away_or_a_statement_that_failed_is_no_refusal(clock: list[float]) -> None:
    away = Refusals(is_there=lambda: False, clock=lambda: clock[0])
    there = Refusals(is_there=lambda: True, clock=lambda: clock[0])
    for _ in range(3):
        clock[0] += PATIENCE_SECONDS
        assert not away.is_final(refused())
        assert not there.is_final(refused(cause=psycopg.errors.LockNotAvailable("lock")))
