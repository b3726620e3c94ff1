"""The people of a campaign: who fights in it belongs to it, and comes back with their player."""

from __future__ import annotations

import secrets

from django.db.models import Q

from characters.models import Character
from combat.audience.changes import find_open_seats
from combat.audience.removals import is_out
from combat.models import CampaignMember, Encounter, GuestSheet, Participation, Seat, ShareLink

MAX_MEMBERS = 200


def join_campaign(encounter: Encounter) -> None:
    """Let the characters of an encounter, guests' too, belong to its campaign, as far as there is room."""
    if encounter.campaign_id is None:
        return
    members = CampaignMember.objects.filter(campaign=encounter.campaign_id)
    brought = Participation.objects.filter(
        encounter=encounter, character__npc=False, character__deleted_at=None
    )
    new = brought.exclude(character__campaigns__campaign=encounter.campaign_id).order_by("pk")
    numbers = [*dict.fromkeys(new.values_list("character", flat=True))]
    room = max(0, MAX_MEMBERS - members.count())
    CampaignMember.objects.bulk_create(
        [CampaignMember(campaign_id=encounter.campaign_id, character_id=one) for one in numbers[:room]],
        ignore_conflicts=True,  # another table of the campaign may add them at the same time
    )


def find_seat_again(encounter: Encounter, character: Character) -> Seat | None:
    """The seat of a character's player, or a new one that they hold in the same way; None without a player.

    An owner with an account has theirs. Else it is who played the character at the newest table of the
    campaign: the browser or account that holds the seat there holds this one too. Whom the GM removed from
    a table of the campaign stays away, and their character comes without them.
    """
    owner = character.owner
    if owner is not None and owner.pk != encounter.owner_id:
        mine = find_open_seats().filter(encounter=encounter, user=owner, kind=ShareLink.PLAY)
        if is_out(encounter, Q(user=owner)):
            return None
        return mine.order_by("-created").first() or Seat.objects.create(
            encounter=encounter,
            user=owner,
            name=owner.get_username()[:60],
            kind=ShareLink.PLAY,
            digest=secrets.token_hex(32),
        )
    before = _find_last_seat(encounter, character)
    if before is None or (before.user_id and before.user_id == encounter.owner_id):
        return None
    holder = Q(digest=before.digest) | (Q(user=before.user_id) if before.user_id else Q())
    if is_out(encounter, holder):
        return None
    held = find_open_seats().filter(encounter=encounter, kind=ShareLink.PLAY, digest=before.digest).first()
    seat = held or Seat.objects.create(
        encounter=encounter,
        user_id=before.user_id,
        name=before.name,
        kind=ShareLink.PLAY,
        digest=before.digest,
        face=before.face,
    )
    GuestSheet.objects.filter(seat=before, character=character).update(seat=seat)
    return seat


def _find_last_seat(encounter: Encounter, character: Character) -> Seat | None:
    """The open seat that had a character at the newest other table of the campaign where a player had it."""
    tables = Participation.objects.filter(character=character, encounter__campaign=encounter.campaign_id)
    rows = tables.exclude(encounter=encounter).order_by("-encounter", "-pk")
    for table, combatant in rows.values_list("encounter", "combatant"):
        seats = Seat.objects.filter(encounter=table, kind=ShareLink.PLAY).order_by("-created")
        last = next((seat for seat in seats if combatant in seat.combatants), None)
        if last is not None:
            return find_open_seats().filter(pk=last.pk).first()
    return None
