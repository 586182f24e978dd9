"""What a crawler node may do in PostgreSQL: the rights of a worker, and no others.

All workers belong to one group role, which holds the rights; each node has a login of its own, which can be revoked
without touching the others. Accounts, sessions, API tokens and the head's lease are out of reach. Indexes are built on
the head's own machine, so a node may not write anything about them; of a job and of its run it says how the work goes,
not its terms: what a run crawls, and which networks it may reach, was decided when it was started.
"""

import hashlib

from django.apps import apps
from django.db import ProgrammingError, connection, transaction
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from backend.apps.errors import Conflict

READ = ("crawlers", "templates", "projects", "indexers", "nodes", "runners", "jobs", "documents")
READ_NOT = {"jobs_headlease", "projects_membership"}
WRITE = {
    "runners": "INSERT, UPDATE, DELETE",
    "documents": "INSERT, UPDATE, DELETE",
    "jobs_placement": "UPDATE",
    "jobs_jobtransition": "INSERT",
}
JOB_COLUMNS = (
    *("state", "reason", "wish", "wished_at", "wish_reason", "resume_at", "ending", "updated_at", "started_at"),
    *("finished_at", "running_since", "ran_seconds", "crashes", "crash_mark", "crash_fence", "crashing_since"),
)
NODE_COLUMNS = (
    *("address", "cores", "memory_bytes", "http_slots", "browser_slots", "labels", "version", "has_left", "load"),
    *("memory_free_bytes", "disk_free_bytes", "running_workers", "heartbeat_at"),
)
RUNNER_COLUMNS = ("status", "reason", "updated_at", "started_at", "finished_at")
WRITE_COLUMNS = {"jobs_job": JOB_COLUMNS, "nodes_node": NODE_COLUMNS, "runners_runner": RUNNER_COLUMNS}
LONGEST_NAME = 63
TRACE = (
    "SELECT md5(coalesce(string_agg(oid::text || coalesce(relacl::text, ''), ',' ORDER BY oid), '')) FROM pg_class"
    " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')"
)
NEEDS_POSTGRES = (
    "Other machines can only join when Gleaner keeps its data in PostgreSQL. Start it with "
    "--database postgres://… (or GLEANER_DATABASE_URL) first."
)
NEEDS_CREATEROLE = (
    "PostgreSQL does not let Gleaner make logins for other machines. As a superuser of the database server say "
    "ALTER ROLE … CREATEROLE for the login in GLEANER_DATABASE_URL, which must own the tables, then invite again."
)
FOREIGN_LOGIN = (
    "The node was not revoked: its database login {role} was made by another login than the one in "
    "GLEANER_DATABASE_URL, which may not end it. As that owner, or as an administrator of PostgreSQL, say "
    "ALTER ROLE {role} NOLOGIN; then revoke again."
)
NEEDS_CLOSED_SCHEMA = (
    "In this database everybody may make tables and functions in the schema “public”, as was usual before PostgreSQL "
    "15: a node could put its own before those that Gleaner calls. As the owner of the database say REVOKE CREATE ON "
    "SCHEMA public FROM PUBLIC; and GRANT CREATE ON SCHEMA public TO … for the login in GLEANER_DATABASE_URL. Then "
    "invite again."
)


def group_role() -> str:
    return _role("gleaner_worker", "")


def node_role(name: str) -> str:
    return _role("gleaner_node", name)


def trace_of_rights() -> str | None:
    """Another text after every change of tables and of rights on them; None where no node was ever invited."""
    if connection.vendor != "postgresql" or not _is_there(group_role()):
        return None
    with connection.cursor() as cursor:
        cursor.execute(TRACE)
        return str(cursor.fetchone()[0])


def renew_worker_rights() -> bool:
    """Rights on the tables that came since a node was invited; False where none ever was."""
    if connection.vendor != "postgresql" or not _is_there(group_role()):
        return False
    grant_worker_rights()
    return True


@transaction.atomic
def grant_worker_rights() -> None:
    """Give the group of all workers its rights, also on tables that came since, and no others; harmless to repeat."""
    if connection.vendor != "postgresql":
        raise Conflict(NEEDS_POSTGRES)
    group = group_role()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [group])  # two GRANTs at once refuse each other
    _make_role(group, "NOLOGIN")
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(sql.Identifier(group)))
        for table in _tables():
            revoke = sql.SQL("REVOKE ALL ON {} FROM {}")  # what an older version gave
            cursor.execute(revoke.format(sql.Identifier(table), sql.Identifier(group)))
            for rights in _rights_on(table):
                statement = sql.SQL("GRANT {} ON {} TO {}")
                cursor.execute(statement.format(sql.SQL(rights), sql.Identifier(table), sql.Identifier(group)))
            _grant_sequence(cursor, table, group)


def make_login(name: str, password: str) -> str:
    """A login of the node's own, or its old one with a new password; the role's name.

    Whoever is connected with the old one is thrown out. Conflict where we may not make logins, or where they could do
    more than a worker may.
    """
    try:
        return _make_login(name, password)
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        raise Conflict(NEEDS_CREATEROLE) from error


def _make_login(name: str, password: str) -> str:
    grant_worker_rights()
    if _may_create():
        raise Conflict(NEEDS_CLOSED_SCHEMA)
    role = node_role(name)
    _make_role(role, "LOGIN")
    with connection.cursor() as cursor:
        statement = sql.SQL("ALTER ROLE {} LOGIN PASSWORD {} CONNECTION LIMIT 200")
        cursor.execute(statement.format(sql.Identifier(role), sql.Literal(password)))
        cursor.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(group_role()), sql.Identifier(role)))
    _throw_out(role)
    return role


def revoke_login(name: str) -> None:
    """It cannot connect any more, and whoever is connected is thrown out. A file, as SQLite has it, knows no logins.

    Conflict where the login is another owner's: then it goes on, and only that owner can end it.
    """
    role = node_role(name)
    if connection.vendor != "postgresql" or not _is_there(role):
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(sql.Identifier(role)))
        _throw_out(role)
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        raise Conflict(FOREIGN_LOGIN.format(role=role)) from error


def _throw_out(role: str) -> None:
    """End its sessions; who is no superuser must belong to a role for that, and whoever made it may let himself in.

    Only once the old login is of no use any more: whoever is thrown out before that comes back with it, and stays.
    """
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(role)))
    transaction.on_commit(lambda: _end_sessions(role))


def _end_sessions(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", [role])


def _may_create() -> bool:
    """Whether everybody may make tables and functions beside ours, nodes as well."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_schema_privilege(%s, 'public', 'CREATE')", [group_role()])
        return bool(cursor.fetchone()[0])


def _is_there(role: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        return cursor.fetchone() is not None


def _make_role(role: str, kind: str) -> None:
    if not _is_there(role):
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("CREATE ROLE {} {}").format(sql.Identifier(role), sql.SQL(kind)))


def _tables() -> list[str]:
    models = [model for label in READ for model in apps.get_app_config(label).get_models(include_auto_created=True)]
    return sorted({model._meta.db_table for model in models} - READ_NOT)


def _rights_on(table: str) -> list[str]:
    if table in WRITE_COLUMNS:
        return ["SELECT", f"UPDATE ({', '.join(WRITE_COLUMNS[table])})"]
    write = WRITE.get(table) or WRITE.get(table.partition("_")[0])
    return ["SELECT", write] if write is not None else ["SELECT"]


def _grant_sequence(cursor: object, table: str, group: str) -> None:
    cursor.execute(
        "SELECT pg_get_serial_sequence(%s, 'id') WHERE EXISTS (SELECT 1 FROM information_schema.columns"
        " WHERE table_name = %s AND column_name = 'id')",
        [table, table],
    )
    row = cursor.fetchone()
    if row is not None and row[0]:
        cursor.execute(sql.SQL("GRANT USAGE ON SEQUENCE {} TO {}").format(sql.SQL(row[0]), sql.Identifier(group)))


def _role(kind: str, name: str) -> str:
    """Roles belong to the whole server: two Gleaners on one server must not share any."""
    role = "_".join(part for part in (kind, connection.settings_dict["NAME"], name) if part)
    if len(role) <= LONGEST_NAME:
        return role
    return f"{role[: LONGEST_NAME - 17]}_{hashlib.sha256(role.encode()).hexdigest()[:16]}"
