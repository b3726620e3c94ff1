"""How the site knows people: as allauth does, but the person of a session is read by fixed SQL.

Every request of someone signed in asks for that person.
"""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.models import User

from cosmos_site.base.database.rows import Rows

PEOPLE = Rows(User)
PERSON = f"SELECT {PEOPLE.name_columns('u')} FROM auth_user u WHERE u.id = %s"  # noqa: S608 - Django's own columns


class AccountBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth has no types
    """As allauth's."""

    def get_user(self, user_id: int) -> User | None:
        """The person with this number; None if there is none, or if they may no longer sign in."""
        found = next(iter(PEOPLE.find(PERSON, [user_id])), None)
        return found if found and self.user_can_authenticate(found) else None
