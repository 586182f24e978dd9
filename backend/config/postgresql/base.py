"""The database backend, in the place where Django looks for it."""

from typing import Any

from django.db.backends.postgresql import base

from backend.config.postgresql.idle import IDLE


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes an idle connection where there is one; a closed one is kept where that is wanted."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        return IDLE.take(conn_params["dbname"]) or super().get_new_connection(conn_params)

    def _close(self) -> None:
        if self.connection is None or self.in_atomic_block or not IDLE.keep(self.connection):
            super()._close()
