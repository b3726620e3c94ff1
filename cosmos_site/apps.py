"""The site as an app."""

from django.apps import AppConfig
from django.core.checks import Tags, register


class SiteConfig(AppConfig):
    """Its commands and its checks."""

    name = "cosmos_site"

    def ready(self) -> None:
        """Let `check --deploy` look at the variables of a hosted site."""
        from .hosted import check_variables

        register(check_variables, Tags.security, deploy=True)
