"""The characters app."""

from django.apps import AppConfig


class CharactersConfig(AppConfig):
    """People, and later their sheets."""

    name = "characters"
