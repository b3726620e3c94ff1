"""What of a campaign can go into a pack, and the pack made of what was chosen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User

from characters.gear.models import OwnItem
from characters.models import Character
from characters.services import character_service
from combat.models import Campaign, Encounter, Handout
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.space import map_of
from combat.rules.core.state.state import Combatant, present, replace

from ..people.campaigns import clean_text, clean_title
from ..scenes.pictures import find_picture
from ..writing.encounter_service import read_state
from .documents import (
    FORMAT,
    VERSION,
    Document,
    PackCombatant,
    PackEncounter,
    PackHandout,
    PackItem,
    PackNpc,
)

MAX_OFFERED, MAX_ABOUT = 200, 2000


@dataclass(frozen=True)
class Offer:
    """One thing that can go into a pack: the value of its box, its name, and what it is of."""

    value: str
    name: str
    note: str


def find_offers(campaign: Campaign) -> dict[str, list[Offer]]:
    """What can go into a pack, by kind: of the campaign, and its owner's items."""
    return {
        "Encounters and scenes": [
            Offer(f"encounter-{one.pk}", one.name, _say_combatants(one)) for one in _find_encounters(campaign)
        ],
        "Stat blocks": [Offer(f"npc-{one.pk}", one.name, one.summary) for one in _find_npcs(campaign)],
        "Handouts": [
            Offer(f"handout-{one.pk}", one.title, "with a picture" if one.digest else "")
            for one in campaign.handouts.defer("image")[:MAX_OFFERED]
        ],
        "House rules": [
            Offer(f"rules-{slug}", find_system(slug).name, f"{len(rules)} changed")
            for slug, rules in campaign.options.items()
            if rules and slug in SYSTEMS
        ],
        "Own items": [
            Offer(f"item-{one.pk}", one.name, find_system(one.system).name)
            for one in _find_items(campaign.owner)
        ],
    }


def _find_encounters(campaign: Campaign) -> list[Encounter]:
    """The encounters in preparation: a pack has no fight under way."""
    found = campaign.encounters.filter(phase="prep", downtime=False, archived=False, system__in=SYSTEMS)
    return list(found.defer("start")[:MAX_OFFERED])


def _say_combatants(encounter: Encounter) -> str:
    count = encounter.combatants
    return f"{count} combatant{'' if count == 1 else 's'}" if count else "scene only"


def _find_npcs(campaign: Campaign) -> list[Character]:
    mine = character_service.find_npcs(campaign.owner).filter(campaigns__campaign=campaign)
    return list(mine.filter(system__in=SYSTEMS).order_by("name", "pk")[:MAX_OFFERED])


def _find_items(owner: User) -> list[OwnItem]:
    return list(OwnItem.objects.filter(owner=owner, system__in=SYSTEMS)[:MAX_OFFERED])


def make_pack(campaign: Campaign, chosen: Collection[str], words: Mapping[str, str]) -> Document:
    """The pack of what was chosen, with `words` at its head; Refused if nothing was chosen."""
    items = tuple(_write_item(one) for one in _find_items(campaign.owner) if f"item-{one.pk}" in chosen)
    npcs = tuple(_write_npc(one) for one in _find_npcs(campaign) if f"npc-{one.pk}" in chosen)
    found = (one for one in _find_encounters(campaign) if f"encounter-{one.pk}" in chosen)
    document = Document(
        FORMAT,
        VERSION,
        clean_title(words["name"]),
        tidy(words["author"])[:100],
        tidy(words["license"])[:100],
        tidy(words["release"])[:30],
        clean_text(words["about"], MAX_ABOUT, "The description"),
        items=items,
        npcs=npcs,
        rules={slug: dict(r) for slug, r in campaign.options.items() if r and f"rules-{slug}" in chosen},
        handouts=tuple(map(_write_handout, _find_handouts(campaign, chosen))),
        encounters=tuple(map(_write_encounter, found)),
    )
    if document.is_empty:
        raise Refused("bad_value", "Nothing is selected: choose what goes into the pack.")
    return document


def _find_handouts(campaign: Campaign, chosen: Collection[str]) -> list[Handout]:
    numbers = [one.removeprefix("handout-") for one in chosen if one.startswith("handout-")]
    return list(campaign.handouts.filter(pk__in=[int(n) for n in numbers if n.isdecimal() and len(n) < 15]))


def _write_item(item: OwnItem) -> PackItem:
    return PackItem(item.system, item.kind, item.name, item.record)


def _write_npc(npc: Character) -> PackNpc:
    return PackNpc(npc.system, npc.name, npc.sheet, npc.kind, npc.notes)


def _write_handout(handout: Handout) -> PackHandout:
    return PackHandout(handout.title, handout.text, bytes(handout.image or b""))


def _write_encounter(encounter: Encounter) -> PackEncounter:
    """The encounter as it is prepared: no history, no player character, and no link to a sheet."""
    state = read_state(encounter)
    scene, picture = state.scene, map_of(state.scene).picture
    image = find_picture(encounter, picture.digest) if picture else None
    if picture and image is None:
        scene = replace(scene, map=replace(map_of(scene), picture=None))
    people = tuple(_write_combatant(one) for one in present(state) if not one.pc)
    return PackEncounter(encounter.system, encounter.name, scene, dict(state.options), people, image or b"")


def _write_combatant(one: Combatant) -> PackCombatant:
    group = str(one.marks.get(GROUP, ""))
    return PackCombatant(one.name, one.side, one.sheet, one.at.x, one.at.y, one.hidden, group)
