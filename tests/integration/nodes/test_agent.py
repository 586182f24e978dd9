"""The agent of a node ends when its node was revoked, and waits for a database that is only away."""

from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from backend.apps.nodes.join_token import with_login
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import invite_node, revoke_node
from backend.bootstrap.servers.ports import private_free
from backend.config import refusals
from backend.config.node_agent import NodeAgent, Revoked

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_a_login_that_was_ended_ends_the_agent_and_a_database_that_is_away_does_not() -> None:
    invited = invite_node(name="n1")
    parts = urlsplit(settings.DATABASE_URL)._replace(path=f"/{connection.settings_dict['NAME']}")
    url = with_login(urlunsplit(parts), user=invited.role, password=invited.password)
    away = urlunsplit(urlsplit(url)._replace(netloc=f"127.0.0.1:{private_free()}"))
    agent = NodeAgent(name="n1", token=invited.token, address="")

    def ask(address: str) -> None:
        with connection.wrap_database_errors:
            psycopg.connect(address).close()

    agent._try(lambda: ask(url))
    agent._try(lambda: ask(away))
    revoke_node(node=Node.objects.get(name="n1"))
    with pytest.raises(Revoked):
        agent._try(lambda: ask(url))


def test_a_password_that_is_another_ones_now_ends_the_agent_of_the_older_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = invite_node(name="n1")
    parts = urlsplit(settings.DATABASE_URL)._replace(path=f"/{connection.settings_dict['NAME']}")
    url = with_login(urlunsplit(parts), user=first.role, password=first.password)
    agent = NodeAgent(name="n1", token=first.token, address="")

    def ask() -> None:
        with connection.wrap_database_errors:
            psycopg.connect(url).close()

    agent._try(ask)
    invite_node(name="n1")
    agent._try(ask)
    monkeypatch.setattr(refusals, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(Revoked):
        agent._try(ask)
