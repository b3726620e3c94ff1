"""The characters app."""

from django.apps import AppConfig


class CharactersConfig(AppConfig):
    """People and their sheets."""

    name = "characters"
