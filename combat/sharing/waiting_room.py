"""What people tell of themselves before a fight: whether they are ready, and which face they have.

It is stored with their seats, so no fight's log knows of it and nothing of it is undone.
"""

from __future__ import annotations

from django.http import QueryDict

from characters.faces import check_face
from combat.audience.changes import FOR_SEATS, count_change
from combat.audience.rights import find_viewer
from combat.models import Seat
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused

from .links import tell_people
from .viewer_context import ViewerContext

WORDS = {"1": True, "0": False}


def say_ready(context: ViewerContext, posted: QueryDict) -> None:
    """Note that a player is ready for the fight, or no longer. Refused once the fight has started."""
    seat, ready = _find_seat(context), WORDS.get(posted.get("ready", ""))
    if ready is None:
        raise Refused("bad_value", "Say whether you are ready: reload the page and press the button.")
    with locked(context.encounter.pk) as fresh:
        find_viewer(fresh, context.grant)  # the seat may have ended
        if fresh.phase != "prep":
            raise Refused("not_allowed", "The fight has started: there is nothing to be ready for.")
        if Seat.objects.filter(pk=seat.pk, ready=not ready).update(ready=ready):
            count_change(fresh, FOR_SEATS)
            fresh.save(update_fields=["version", "public", "seated", "changed"])


def change_face(context: ViewerContext, posted: QueryDict) -> None:
    """Give a player another face, or none."""
    seat, face = _find_seat(context), posted.get("face", "")
    check_face(face)
    with locked(context.encounter.pk) as fresh:
        find_viewer(fresh, context.grant)
        before = Seat.objects.get(pk=seat.pk)
        if before.face != face:
            Seat.objects.filter(pk=seat.pk).update(face=face)
            tell_people(fresh, [before, Seat.objects.get(pk=seat.pk)])


def _find_seat(context: ViewerContext) -> Seat:
    if context.seat is None or not context.viewer.is_seated:
        raise Refused("not_allowed", "Only players do that: the GM starts when they like.")
    return context.seat


CHANGES = {"say_ready": say_ready, "change_face": change_face}
