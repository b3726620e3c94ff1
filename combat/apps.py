"""The encounters app."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class CombatConfig(AppConfig):
    """Fights at the table."""

    name = "combat"

    def ready(self) -> None:
        """Signing in, or up, makes a guest's seats the account's own."""
        user_logged_in.connect(keep_guest_seats, dispatch_uid="combat.keep_guest_seats")


def keep_guest_seats(request: Any, user: Any, **_: Any) -> None:
    """The seats held in this browser's session belong to the account from now on."""
    from .access import SEATS  # late: models need the apps
    from .sharing import keep_seats

    held = request.session.get(SEATS) if hasattr(request, "session") else None
    if held:
        keep_seats(user, held)
