"""Who may sit at a table again: whom the GM removed stays out until the GM lets them in.

Every way to a seat asks here: links and their codes, and a campaign's party with its next fight.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from combat.models import Encounter, Seat


def find_removal(encounter: Encounter, person: Q) -> datetime | None:
    """When the GM last removed someone from a table, or from another one of its campaign; None if never.

    `person` finds their seats. Links that were made before that let them in no more.
    """
    removed = _find_seats(encounter, person).filter(removed=True).order_by("-ended")
    return removed.values_list("ended", flat=True).first()


def is_out(encounter: Encounter, person: Q) -> bool:
    """Whether the GM has removed someone and not let them in again: they got no seat since."""
    removed = find_removal(encounter, person)
    return removed is not None and not _find_seats(encounter, person).filter(created__gt=removed).exists()


def _find_seats(encounter: Encounter, person: Q) -> QuerySet[Seat]:
    here = Q(encounter=encounter)
    if encounter.campaign_id:
        here |= Q(encounter__campaign=encounter.campaign_id)
    return Seat.objects.filter(here, person)
