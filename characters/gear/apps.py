"""The gear app."""

from django.apps import AppConfig


class GearConfig(AppConfig):
    """Weapons, armor and all other gear."""

    name = "characters.gear"
    label = "gear"
