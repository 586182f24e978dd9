"""Connections that wait for the next request: real ones, to a real PostgreSQL."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from backend.config.postgresql import base
from backend.config.postgresql.idle import LONGEST_IDLE_SECONDS, IdleConnections

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[IdleConnections]:
    connection.close()
    idle = IdleConnections(clock)
    idle.most = 2
    monkeypatch.setattr(base, "IDLE", idle)
    yield idle
    idle.most = 0
    connection.close()
    clock.now += LONGEST_IDLE_SECONDS + 1
    assert idle.take(connection.settings_dict["NAME"]) is None


def backend() -> int:
    """The number of the server's process for us."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def end(number: int) -> None:
    with psycopg.connect(settings.DATABASE_URL, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [number])


def test_the_next_request_uses_the_connection_of_the_one_before(idle: IdleConnections) -> None:
    number = backend()
    connection.close()
    assert backend() == number


def test_where_none_is_wanted_none_is_kept(idle: IdleConnections) -> None:
    idle.most = 0
    number = backend()
    connection.close()
    assert backend() != number


def test_a_connection_that_the_server_ended_is_not_used_again(idle: IdleConnections) -> None:
    number = backend()
    connection.close()
    end(number)
    assert backend() != number


def test_a_connection_in_the_middle_of_a_transaction_is_not_kept(idle: IdleConnections) -> None:
    number = backend()
    connection.connection.autocommit = False
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    connection.close()
    assert backend() != number


def test_a_connection_that_nobody_wanted_for_long_is_closed(idle: IdleConnections, clock: Clock) -> None:
    number = backend()
    kept: Any = connection.connection
    connection.close()
    clock.now += LONGEST_IDLE_SECONDS + 1
    assert backend() != number
    assert kept.closed


def test_no_more_are_kept_than_wanted(idle: IdleConnections) -> None:
    made = [psycopg.connect(settings.DATABASE_URL) for _ in range(3)]
    assert [idle.keep(one) for one in made] == [True, True, False]
    made[2].close()


def test_a_connection_to_another_database_is_not_taken(idle: IdleConnections) -> None:
    other = psycopg.connect(settings.DATABASE_URL)
    assert idle.keep(other)
    assert idle.take("elsewhere") is None
    assert other.closed
