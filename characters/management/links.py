"""Shared code of the commands about people's access."""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from cosmos_site.base.data_lock import find_address


def find_site_address() -> str:
    """The address of this site: from the settings, a table running on this data, or the usual port."""
    if settings.COSMOS_HTTPS:
        return f"https://{settings.ALLOWED_HOSTS[0]}"
    return find_address(settings.COSMOS_DATA) or "http://localhost:8000"


def describe_link(token: str, address: str) -> str:
    """The whole address of a sign-in link."""
    return address.rstrip("/").removesuffix(settings.COSMOS_PATH) + reverse("sign_in_by_link", args=[token])


class AccessCommand(BaseCommand):
    """A command about one person that ends by printing a sign-in link."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The person and the address."""
        parser.add_argument("name", help="user name")
        parser.add_argument("--address", default=find_site_address(), help="where the site is (%(default)s)")
        parser.add_argument("--data", metavar="DIR", help="the data directory, as for play")

    def print_link(self, name: str, token: str, address: str) -> None:
        """Print how the person signs in."""
        self.stdout.write(
            f"Sign-in link for {name}, valid once within 24 hours:\n{describe_link(token, address)}"
        )
