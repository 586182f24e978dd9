"""A node's login has the rights of a worker and no others, and ends when it is revoked."""

from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg.errors import InsufficientPrivilege

from backend.apps.nodes.join_token import with_login
from backend.apps.nodes.models import Node
from backend.apps.nodes.rights import group_role, renew_worker_rights
from backend.apps.nodes.services import invite_node, revoke_node
from backend.config.head import AfterTick, NodeRights, make_head

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ALLOWED = [
    "SELECT * FROM runners_runner",
    "SELECT * FROM projects_secret",
    "UPDATE jobs_placement SET live = '{}'",
    "UPDATE nodes_node SET load = 1, heartbeat_at = now()",
    "DELETE FROM runners_crawlurl",
    "INSERT INTO jobs_jobtransition (job_id, state, reason, at) SELECT id, state, '', now() FROM jobs_job",
    "SELECT nextval('documents_page_id_seq')",
]
REFUSED = [
    "SELECT * FROM accounts_user",
    "SELECT * FROM accounts_apitoken",
    "SELECT * FROM django_session",
    "SELECT * FROM projects_membership",
    "UPDATE nodes_node SET token_hash = ''",
    "UPDATE projects_secret SET name = 'x'",
    "DELETE FROM jobs_job",
    "INSERT INTO nodes_node (name) VALUES ('x')",
    "UPDATE crawlers_crawler SET name = 'x'",
    "SELECT * FROM jobs_headlease",
    "CREATE TABLE x (id int)",
    "CREATE ROLE x",
]


def login(name: str) -> "psycopg.Connection[tuple[object, ...]]":
    invited = invite_node(name=name)
    url = urlunsplit(urlsplit(settings.DATABASE_URL)._replace(path=f"/{connection.settings_dict['NAME']}"))
    return psycopg.connect(with_login(url, user=invited.role, password=invited.password), autocommit=True)


def test_a_node_may_do_what_a_worker_does_and_nothing_else() -> None:
    with login("n1") as node:
        for statement in ALLOWED:
            node.execute(statement)
        for statement in REFUSED:
            with pytest.raises(InsufficientPrivilege):
                node.execute(statement)


def test_the_list_of_what_is_refused_names_tables_that_exist() -> None:
    with connection.cursor() as cursor:
        for statement in REFUSED[:-2]:
            cursor.execute(f"EXPLAIN {statement}")


def test_a_revoked_node_is_thrown_out_and_stays_out() -> None:
    with login("n1") as node, login("n2") as other:
        revoke_node(node=Node.objects.get(name="n1"))
        with pytest.raises(psycopg.OperationalError):
            node.execute("SELECT 1")
        assert other.execute("SELECT 1").fetchone() == (1,)
    with login("n1") as again:
        assert again.execute("SELECT 1").fetchone() == (1,)


def test_a_head_that_starts_gives_nodes_the_rights_on_tables_that_came_since() -> None:
    with login("n1") as node:
        with connection.cursor() as cursor:
            cursor.execute(f'REVOKE ALL ON documents_page FROM "{group_role()}"')
        with pytest.raises(InsufficientPrivilege):
            node.execute("SELECT * FROM documents_page")
        make_head()
        node.execute("SELECT * FROM documents_page")
        with pytest.raises(InsufficientPrivilege):
            node.execute("SELECT * FROM accounts_user")


def test_a_head_that_runs_gives_nodes_the_rights_on_tables_that_came_since(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NodeRights, "EVERY_SECONDS", 0.0)
    with login("n1") as node:
        after_tick = AfterTick()
        after_tick()
        with connection.cursor() as cursor:
            cursor.execute(f'REVOKE ALL ON documents_page FROM "{group_role()}"')
        with pytest.raises(InsufficientPrivilege):
            node.execute("SELECT * FROM documents_page")
        after_tick()
        node.execute("SELECT * FROM documents_page")


def test_a_head_gives_no_rights_while_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NodeRights, "EVERY_SECONDS", 0.0)
    with login("n1"):
        duty = NodeRights()
        duty()
        before = row_of_pages()
        duty()
        assert row_of_pages() == before


def test_where_no_node_was_ever_invited_no_role_is_made() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f'DROP OWNED BY "{group_role()}"' if has_group(cursor) else "SELECT 1")
        cursor.execute(f'DROP ROLE IF EXISTS "{group_role()}"')
        assert renew_worker_rights() is False
        assert not has_group(cursor)


def row_of_pages() -> object:
    """The version of the catalogue's row of a table: every GRANT writes a new one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT xmin::text FROM pg_class WHERE relname = 'documents_page'")
        return cursor.fetchone()


def has_group(cursor: CursorWrapper) -> bool:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [group_role()])
    return cursor.fetchone() is not None
