"""Handouts that clocks show when they act (core/gm/clocks.py)."""

from __future__ import annotations

from combat.audience.changes import FOR_ALL, Audience
from combat.models import Encounter, Handout, HandoutShowing
from combat.rules.core.state.state import State


def show_due(encounter: Encounter, before: State, after: State) -> Audience | None:
    """Show everybody the handouts of the clocks that have just acted, in the encounter's lock.

    Returns who has to look again; None if nothing is new. Undoing the step does not withdraw them.
    """
    done = {one.id: one.acts.done for one in before.all_clocks if one.acts}
    acted = (one.acts for one in after.all_clocks if one.acts and one.acts.done > done.get(one.id, 99))
    titles = [acts.handout for acts in acted if acts.handout]
    if not titles or encounter.campaign_id is None:
        return None
    shown = False
    for handout in Handout.objects.filter(campaign=encounter.campaign_id, title__in=titles).only("pk"):
        _, is_new = HandoutShowing.objects.get_or_create(encounter=encounter, handout=handout, seat=None)
        shown = shown or is_new
    encounter.handouts = HandoutShowing.objects.filter(encounter=encounter).count()
    Encounter.objects.filter(pk=encounter.pk).update(handouts=encounter.handouts)
    return FOR_ALL if shown else None
