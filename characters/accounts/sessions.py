"""The sessions of browsers: Django's own in the database, read by fixed SQL.

Every request reads its session. To write that query from a queryset takes three times as long as to run it.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

SESSION = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"


class SessionStore(db.SessionStore):
    """As Django's, with the same stored content."""

    def load(self) -> dict[str, Any]:
        """The content of this session; empty, and without its key, if it is not there or over."""
        now = Session._meta.get_field("expire_date").get_db_prep_value(timezone.now(), connection)
        with connection.cursor() as cursor:
            cursor.execute(SESSION, [self.session_key, now])
            found = cursor.fetchone()
        if found is None:
            self._session_key = None
            return {}
        return self.decode(found[0])
