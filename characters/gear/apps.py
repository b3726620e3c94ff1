"""The gear app."""

from django.apps import AppConfig


class GearConfig(AppConfig):
    """Weapons, armor and everything else that is carried."""

    name = "characters.gear"
    label = "gear"
