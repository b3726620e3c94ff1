"""The handouts that one viewer may see."""

from __future__ import annotations

from combat.models import Handout
from combat.play.people.handouts import find_shown

from .viewer_context import ViewerContext


def find_handouts(context: ViewerContext) -> list[Handout]:
    """The handouts that a viewer sees now; runs no query if the encounter shows none."""
    if not context.encounter.handouts:
        return []
    return list(find_shown(context.encounter, context.seat, context.viewer.is_gm))
