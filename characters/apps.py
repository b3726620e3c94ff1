"""The characters app."""

from django.apps import AppConfig


class CharactersConfig(AppConfig):
    """People and their sheets."""

    name = "characters"

    def ready(self) -> None:
        """Note each sign-in in its session; find names whatever their capitals."""
        from django.contrib.auth.signals import user_logged_in

        from cosmos_site.base import folding  # noqa: F401 - it registers its lookups

        from .accounts.devices import note_sign_in

        user_logged_in.connect(note_sign_in)
