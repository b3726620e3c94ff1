"""The connection of a thread to PostgreSQL; Django finds it in this module by its name."""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """As Django's, but a kept connection is checked without a query before each request.

    A server that ends a connection, or goes away itself, leaves word on the socket. Only then is a query
    worth its time: it finds out whether the word was the last one.
    """

    def is_usable(self) -> bool:
        """Whether the connection still works, as far as this machine has heard."""
        if self.connection is not None and not self.connection.closed and not self._has_word():
            return True
        return super().is_usable()

    def _has_word(self) -> bool:
        """Whether the server has sent anything unasked; also where that cannot be looked up."""
        if not hasattr(select, "poll"):  # on Windows
            return True
        socket = select.poll()
        socket.register(self.connection.fileno(), select.POLLIN)
        return bool(socket.poll(0))
