"""A GM's own NPCs as combatants: the list, and the fields of the command that adds one."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q

from characters.models import Character
from characters.services import character_service
from combat.models import Pack, PackUse
from combat.rules.core.basics.errors import Refused

from .campaigns import find_npcs_of
from .roster import NPC_PREFIX

MAX_OFFERED = 500


def find_offered(
    user: User | AnonymousUser,
    system: str,
    words: str = "",
    campaign: int | None = None,
    *,
    with_sheets: bool = False,
) -> list[tuple[str, Character]]:
    """The NPCs of a game that someone can add and that contain all words, each under a heading.

    Those of the encounter's campaign come first. Sheets are read only if they are asked for.
    """
    if not isinstance(user, User):
        return []
    npcs = character_service.find_npcs(user).filter(system=system, archived=False)
    for word in words.split():
        npcs = npcs.filter(Q(name__icontains=word) | Q(kind__icontains=word) | Q(summary__icontains=word))
    fields = ("name", "summary", "kind", *(("face", "sheet") if with_sheets else ()))
    rows = npcs.only(*fields).order_by("kind", "name", "pk")[:MAX_OFFERED]
    first = find_npcs_of(campaign)
    here = [("NPCs of this campaign", npc) for npc in rows if npc.pk in first]
    rest = [npc for npc in rows if npc.pk not in first]
    return here + [(f"Your NPCs: {npc.kind}" if npc.kind else "Your NPCs", npc) for npc in rest]


def find_packed(user: User | AnonymousUser) -> dict[int, Pack]:
    """The pack that each of someone's NPCs came with, by the number of the NPC. One query."""
    if not isinstance(user, User):
        return {}
    uses = PackUse.objects.filter(pack__owner=user).select_related("pack").defer("pack__document")
    return {one["pk"]: use.pack for use in uses for one in use.made.get("npcs", ()) if one}


def find_npc(user: User | AnonymousUser, system: str, number: str) -> Character | None:
    """Someone's own NPC of a game by its number; None if there is none."""
    if not (isinstance(user, User) and number.isdecimal() and number.isascii() and len(number) < 15):
        return None
    return character_service.find_npcs(user).filter(pk=int(number), system=system).first()


def find_fields(user: User | AnonymousUser, system: str, number: str) -> dict[str, Any]:
    """The fields of the command that adds an NPC; Refused if it is not theirs."""
    npc = find_npc(user, system, number)
    if npc is None:
        raise Refused("unknown", "That NPC is not yours, or was deleted: choose one from the list.")
    return {"sheet": npc.sheet, "name": npc.name, "source": f"{NPC_PREFIX}{npc.pk}"}
