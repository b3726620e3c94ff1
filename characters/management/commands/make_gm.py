"""Create a GM account."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from ...accounts.users import make_gm, make_sign_in_link
from ..links import AccessCommand


class Command(AccessCommand):
    """`manage.py make_gm NAME`"""

    help = "Creates a GM account and prints a one-time sign-in link."

    def handle(self, *, name: str, address: str, **options: Any) -> None:
        """Make the account, print the link."""
        try:
            gm = make_gm(name)
        except ValidationError as problem:
            raise CommandError(" ".join(problem.messages)) from problem
        self.print_link(gm.username, make_sign_in_link(gm), address)
