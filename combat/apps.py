"""The encounters app."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class CombatConfig(AppConfig):
    """Fights at the table."""

    name = "combat"

    def ready(self) -> None:
        """Signing in gives a guest's seats and characters to the account; who waits joins by themselves."""
        from combat.play.campaigns import roster, rulings  # noqa: F401 - late: models need the apps

        user_logged_in.connect(keep_guest_seats, dispatch_uid="combat.keep_guest_seats")


def keep_guest_seats(request: Any, user: Any, **_: Any) -> None:
    """Give the account that signed in what this browser had before: seats, characters, a visitor's fights."""
    from characters.accounts.visitors import is_visitor  # late: models need the apps

    if is_visitor(user):
        return  # a seat stays with the browser, which lasts longer than a visit
    from combat.models import Encounter  # late: models need the apps
    from combat.sharing.access import SEATS
    from combat.sharing.guests import LEFT, claim_sheets
    from combat.sharing.links import keep_seats

    if visitor := getattr(request, "visitor", None):
        Encounter.objects.filter(owner=visitor).update(owner=user)
    session = getattr(request, "session", {})
    held, left = session.get(SEATS) or {}, session.get(LEFT) or {}
    if held:
        keep_seats(user, held)
    if held or left:
        claim_sheets(user, [*held.values(), *left.values()])
