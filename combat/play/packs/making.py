"""What of a campaign can go into a pack, and the pack made of what was chosen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass

from django.contrib.auth.models import User
from msgspec import UNSET

from characters.gear.models import OwnItem
from characters.models import Character
from characters.services import character_service
from combat.models import Campaign, Encounter, Handout
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import clean_text, tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.aliases import real_name
from combat.rules.core.gm.clocks import AFTER, AT_SCORE, AT_START
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.gm.reserves import CLOCK, DOOR_OPENS, HAND
from combat.rules.core.sheets.sheets import write_counters
from combat.rules.core.space import map_of, zone_named
from combat.rules.core.state.events import EVERYONE
from combat.rules.core.state.state import (
    Clock,
    Combatant,
    OwnCondition,
    Reserve,
    State,
    find_own_condition,
    find_waiting,
    present,
    replace,
)

from ..campaigns.campaigns import clean_title
from ..campaigns.own_conditions import find_kept_conditions
from ..campaigns.random_tables import find_tables
from ..campaigns.rulings import find_precedents
from ..campaigns.table_notes import ON_ENCOUNTER, ON_SCENE, write_notes
from ..scenes.imported import find_picture
from ..writing.encounter_service import read_state
from .documents import (
    FORMAT,
    MAX_PICTURES,
    MAX_THINGS,
    VERSION,
    Document,
    PackClock,
    PackCombatant,
    PackCondition,
    PackEncounter,
    PackHandout,
    PackItem,
    PackNpc,
    PackReserve,
    PackTable,
    write_document,
)

MAX_OFFERED, MAX_ABOUT = 500, 2000


@dataclass(frozen=True)
class Offer:
    """One thing that can go into a pack: the value of its box, its name, what it is of; whose stat block."""

    value: str
    name: str
    note: str
    character: Character | None = None


def find_offers(campaign: Campaign) -> dict[str, list[Offer]]:
    """What can go into a pack, by kind: of the campaign, and its owner's items."""
    return {
        "Encounters and scenes": [
            Offer(f"encounter-{one.pk}", one.name, _say_combatants(one)) for one in _find_encounters(campaign)
        ],
        "Stat blocks": [Offer(f"npc-{one.pk}", one.name, one.summary, one) for one in _find_npcs(campaign)],
        "Handouts": [
            Offer(f"handout-{one.pk}", one.title, "with a picture" if one.digest else "")
            for one in campaign.handouts.defer("image")[:MAX_OFFERED]
        ],
        "Tables to roll on": [
            Offer(f"table-{n}", one.name, one.dice) for n, one in enumerate(find_tables(campaign))
        ],
        "House rules": [
            Offer(f"rules-{slug}", find_system(slug).name, f"{len(rules)} changed")
            for slug, rules in campaign.options.items()
            if rules and slug in SYSTEMS
        ],
        "Own conditions": [
            Offer(f"conditions-{slug}", find_system(slug).name, f"{len(kept)} kept")
            for slug, kept in campaign.conditions.items()
            if kept and slug in SYSTEMS
        ],
        "Rulings": [
            Offer(f"rulings-{slug}", find_system(slug).name, f"{len(kept)} kept")
            for slug, kept in campaign.rulings.items()
            if kept and slug in SYSTEMS
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
    items = (one for one in _find_items(campaign.owner) if f"item-{one.pk}" in chosen)
    npcs = (one for one in _find_npcs(campaign) if f"npc-{one.pk}" in chosen)
    found = (one for one in _find_encounters(campaign) if f"encounter-{one.pk}" in chosen)
    tables = [one for n, one in enumerate(find_tables(campaign)) if f"table-{n}" in chosen]
    document = Document(
        FORMAT,
        VERSION,
        clean_title(words["name"]),
        author=tidy(words["author"])[:100],
        license=tidy(words["license"])[:100],
        release=tidy(words["release"])[:30],
        about=clean_text(words["about"], MAX_ABOUT, "The description"),
        items=tuple(PackItem(one.system, one.kind, one.name, one.record) for one in items),
        npcs=tuple(PackNpc(one.system, one.name, one.sheet, kind=one.kind, notes=one.notes) for one in npcs),
        rules={slug: dict(r) for slug, r in campaign.options.items() if r and f"rules-{slug}" in chosen},
        conditions={
            slug: tuple(map(_write_condition, find_kept_conditions(campaign, slug)))
            for slug, kept in campaign.conditions.items()
            if kept and f"conditions-{slug}" in chosen
        },
        handouts=tuple(map(_write_handout, _find_handouts(campaign, chosen))),
        encounters=tuple(map(write_encounter, found)),
        tables=tuple(PackTable(one.name, one.dice, one.lines) for one in tables) or UNSET,
        rulings={
            slug: tuple(find_precedents(campaign, slug))
            for slug, kept in campaign.rulings.items()
            if kept and f"rulings-{slug}" in chosen
        }
        or UNSET,
    )
    if document.is_empty:
        raise Refused("bad_value", "Nothing is selected: choose what goes into the pack.")
    return document


def write_keepsakes(campaign: Campaign) -> list[bytes]:
    """Files of packs with all that someone wrote in a campaign: house rules, conditions, tables, handouts.

    Its encounters and stat blocks are elsewhere, its notes are plain text.
    """
    rules = [f"{kind}-{slug}" for slug in SYSTEMS for kind in ("rules", "conditions", "rulings")]
    rules += [f"table-{n}" for n in range(len(campaign.tables))]
    handouts = [f"handout-{pk}" for pk in campaign.handouts.order_by("pk").values_list("pk", flat=True)]
    has_rules = any(
        [
            *campaign.options.values(),
            *campaign.conditions.values(),
            *campaign.rulings.values(),
            campaign.tables,
        ]
    )
    return [*(_write_chosen(campaign, rules) if has_rules else ()), *_write_chosen(campaign, handouts)]


def _write_chosen(campaign: Campaign, chosen: list[str]) -> list[bytes]:
    """Files of what was chosen, each within the limits of a pack; none of nothing."""
    words = dict.fromkeys(("author", "license", "release", "about"), "") | {"name": campaign.name}
    if not chosen:
        return []
    if len(chosen) == 1 or not chosen[0].startswith("handout-"):
        return [write_document(make_pack(campaign, chosen, words))]
    if len(chosen) <= MAX_PICTURES:
        with suppress(Refused):  # too large
            return [write_document(make_pack(campaign, chosen, words))]
    half = len(chosen) // 2
    return [*_write_chosen(campaign, chosen[:half]), *_write_chosen(campaign, chosen[half:])]


def write_items(owner: User) -> list[bytes]:
    """Files of packs with all custom items of someone."""
    items = OwnItem.objects.filter(owner=owner).order_by("pk")
    made = [PackItem(one.system, one.kind, one.name, one.record) for one in items]
    some = (tuple(made[start : start + MAX_THINGS]) for start in range(0, len(made), MAX_THINGS))
    return [write_document(Document(FORMAT, VERSION, "Custom items", items=each)) for each in some]


def _find_handouts(campaign: Campaign, chosen: Collection[str]) -> list[Handout]:
    numbers = [one.removeprefix("handout-") for one in chosen if one.startswith("handout-")]
    return list(campaign.handouts.filter(pk__in=[int(n) for n in numbers if n.isdecimal() and len(n) < 15]))


def _write_condition(one: OwnCondition) -> PackCondition:
    made = PackCondition(one.name, one.sign, one.changes, effects=one.effects, turns=one.turns, note=one.note)
    return replace(made, secret=one.secret or UNSET)


def _write_handout(handout: Handout) -> PackHandout:
    return PackHandout(handout.title, handout.text, bytes(handout.image or b""))


def write_encounter(encounter: Encounter) -> PackEncounter:
    """The encounter as it is prepared: no history, no player character, and no link to a sheet."""
    state = read_state(encounter)
    scene, picture = state.scene, map_of(state.scene).picture
    image = find_picture(encounter, picture.digest) if picture else None
    if picture and image is None:
        scene = replace(scene, map=replace(map_of(scene), picture=None))
    people = [one for one in (*present(state), *find_waiting(state)) if not one.pc]
    hidden = {one.id for one in present(state) if one.hidden}.union(*(r.hidden for r in state.all_reserves))
    reserves = (_write_reserve(state, one, people) for one in state.all_reserves)
    notes = write_notes(encounter)
    return PackEncounter(
        encounter.system,
        encounter.name,
        scene,
        options=dict(state.options),
        combatants=tuple(_write_combatant(one, one.id in hidden, notes.get(one.id, "")) for one in people),
        reserves=tuple(one for one in reserves if one),
        conditions=tuple(map(_write_condition, state.all_own_conditions)),
        clocks=tuple(_write_clock(state, one, people) for one in state.all_clocks) or UNSET,
        note=notes.get(ON_ENCOUNTER, ""),
        scene_note=notes.get(ON_SCENE, ""),
        picture=image or b"",
    )


def _write_combatant(one: Combatant, hidden: bool, note: str) -> PackCombatant:
    group = str(one.marks.get(GROUP, ""))
    alias = "" if one.alias is UNSET else one.alias.name
    return PackCombatant(
        real_name(one),
        one.side,
        {**one.sheet, "counters": write_counters(one.counters)} if one.counters else one.sheet,
        x=one.at.x,
        y=one.at.y,
        hidden=hidden,
        group=group,
        alias=alias,
        note=note,
    )


def _write_reserve(state: State, one: Reserve, people: list[Combatant]) -> PackReserve | None:
    """Those of `people` who arrive later; by hand, if what they wait for is gone or has happened."""
    places = tuple(place for place, each in enumerate(people) if each.id in one.who)
    shut = any(wall.id == one.of and not wall.open for wall in map_of(state.scene).walls)
    clocks = [n for n, clock in enumerate(state.all_clocks) if clock.id == one.of and not clock.is_full]
    has_happened = {CLOCK: not clocks, DOOR_OPENS: not shut}.get(one.when, False)
    when = HAND if has_happened else one.when
    of = one.of if when == DOOR_OPENS else ""
    clock = clocks[0] if when == CLOCK else UNSET
    zone = one.zone if zone_named(state.scene, one.zone) else ""
    if not places:
        return None
    x, y = (one.at.x, one.at.y) if one.at else (None, None)
    return PackReserve(
        places,
        when,
        at_round=one.at_round,
        of=of,
        zone=zone,
        edge=one.edge,
        x=x,
        y=y,
        clock=clock,
    )


def _write_clock(state: State, one: Clock, people: list[Combatant]) -> PackClock:
    """A clock; one that acts after someone who does not come along only keeps its segments.

    What is for some players is for the GM alone: a pack has no players.
    """
    made = PackClock(
        one.name,
        one.size,
        filled=one.filled,
        each_round=one.each_round,
        secret=one.to != EVERYONE,
        veiled=one.veiled,
    )
    acts = one.acts or None
    after = next((n for n, each in enumerate(people) if acts and each.id == acts.after), None)
    if acts is None or (acts.after and after is None):
        return made
    own = find_own_condition(state, acts.condition)
    return replace(
        made,
        acts=AFTER if acts.after else AT_START if acts.at is None else AT_SCORE,
        score=acts.at or 0,
        after=after,
        first=acts.first,
        every=acts.every,
        note=acts.note,
        handout=acts.handout,
        zone=acts.zone if zone_named(state.scene, acts.zone) else "",
        track=acts.track,
        harm=acts.harm,
        condition=own.name if own else acts.condition,
    )
