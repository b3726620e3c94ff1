"""Give a person a new way to sign in."""

from typing import Any

from django.core.management.base import CommandError

from ...accounts.users import find_person, reset_access
from ..links import AccessCommand


class Command(AccessCommand):
    """`manage.py reset_access NAME`"""

    help = "Removes a person's password, passkeys and authenticator apps, and prints a one-time sign-in link."

    def handle(self, *, name: str, address: str, **options: Any) -> None:
        """End every way in that there was, and print the new one."""
        person = find_person(name)
        if person is None:
            raise CommandError(f"No account is called {name}.")
        self.print_link(person.username, reset_access(person), address)
