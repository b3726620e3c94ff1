"""Connections to PostgreSQL that give up in time, whether the server, a lock or the network hangs.

Time limits of the server do not help where nothing arrives, and a proxy may refuse to set them.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from django.db.backends.postgresql import base
from psycopg import capabilities
from psycopg.abc import PQGen

from cosmos_site.base.patience import find_left

RV = TypeVar("RV")
INTERVAL = 0.1  # seconds between two looks at the clock, as psycopg has it
CANCEL_SECONDS = 1.0  # for the word to the server that nobody waits any longer
CONNECT_SECONDS = 5  # to connect, without a limit of the answer
LATE = "no answer within {:.0f} s"


class PatientConnection(psycopg.Connection[Any]):
    """A connection whose waits end with the patience of the answer that is being made."""

    def wait(self, gen: PQGen[RV], interval: float = INTERVAL, timeout: float | None = None) -> RV:
        """Wait as psycopg does. Raises OperationalError if it takes too long, and closes the connection."""
        left = find_left()
        if left is None or timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, left)
        except psycopg.errors._WaitTimeout:
            self._give_up()
            raise psycopg.OperationalError(LATE.format(left)) from None

    def _give_up(self) -> None:
        """Tell the server, if it hears, so that it ends what it does; then close."""
        if capabilities.has_cancel_safe():  # else it may wait as long
            with suppress(psycopg.Error):
                self.cancel_safe(timeout=CANCEL_SECONDS)
        self.pgconn.finish()


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with such connections."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A new connection; it is refused soon if nobody answers."""
        most = int(conn_params.get("connect_timeout", CONNECT_SECONDS))
        left = find_left()
        limited = most if left is None else min(most, round(left))
        made = super().get_new_connection({**conn_params, "connect_timeout": max(1, limited)})
        made.__class__ = PatientConnection
        return made
