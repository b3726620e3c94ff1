"""Packs in campaigns: what one would change there, switched on, and off again.

Fights keep what they used: a combatant is a copy of its stat block, an item on a sheet a copy of its record,
and an encounter that was changed stays. What someone changed since is theirs, and stays as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db.models import QuerySet

from characters.gear.item_service import catalogue_of, put_back, save_own
from characters.gear.models import OwnItem
from characters.models import Character
from characters.services import character_service
from combat.models import Campaign, CampaignMember, Encounter, Handout, Pack, PackUse
from combat.rules import find_system
from combat.rules.core.basics.dice.dice import make_seal, make_secret
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.rulings import check_ruling
from combat.rules.core.sheets.catalogue import OWN
from combat.rules.core.space import map_of
from combat.rules.core.state.events import CombatantJoined
from combat.rules.core.state.rulings import Ruling
from combat.rules.core.state.state import State
from cosmos_site.base.files import one_at_a_time
from cosmos_site.base.pictures import HANDOUT, SCENE, Picture, remake

from ..campaigns.campaigns import add_members, change_campaign, set_options
from ..campaigns.handouts import create_handout, delete_handout
from ..campaigns.own_conditions import keep_condition, read_condition, write_fields
from ..campaigns.random_tables import MAX_TABLES, read_table
from ..campaigns.rulings import MAX_KEPT, OF, write_row
from ..campaigns.table_notes import ON_ENCOUNTER, ON_SCENE, keep_notes
from ..scenes.imported import keep_picture, lay_picture
from ..writing.encounter_service import create_encounter
from ..writing.locking import alone
from ..writing.whole_logs import WholeLog, prepare_log, store_log
from .documents import (
    AT_WORK,
    BUSY,
    Document,
    PackCondition,
    PackEncounter,
    PackItem,
    PackNpc,
    PackTable,
    is_here,
    set_up,
)
from .keeping import open_pack

STATES = REPLACES, MISSING, NEW, SAME = "replaces", "missing", "new", "same"  # what matters most first
Made = dict[str, Any]


@dataclass(frozen=True)
class ReadyEncounter:
    """An encounter of a pack, set up in memory; `secret` is of its dice."""

    source: PackEncounter
    picture: Picture | None
    secret: str
    log: WholeLog


@dataclass(frozen=True)
class PackEntry:
    """A thing of a pack: what it is, its game, and what becomes of it in a campaign."""

    kind: str
    name: str
    system: str
    state: str = NEW
    note: str = ""


# ---------------------------------------------------------------- the preview


def compare(document: Document, campaign: Campaign | None) -> list[PackEntry]:
    """What is in a pack, and what each thing would be in a campaign: replacements first, the same last."""
    rows = [
        *_compare_items(document, campaign),
        *_compare_npcs(document, campaign),
        *_compare_rules(document, campaign),
        *_compare_conditions(document, campaign),
        *(
            PackEntry("Handout", one.title, "", note="with a picture" if one.picture else "")
            for one in document.handouts
        ),
        *_compare_tables(document, campaign),
        *_compare_rulings(document, campaign),
        *map(_view_encounter, document.encounters),
    ]
    return sorted(rows, key=lambda row: STATES.index(row.state))


def _view_encounter(one: PackEncounter) -> PackEntry:
    count = len(one.combatants)
    note = f"{count} combatant{'' if count == 1 else 's'}" if count else ""
    kind = "Encounter" if count else "Scene"
    return PackEntry(kind, one.name, one.system, state=NEW if is_here(one.system) else MISSING, note=note)


def _compare_items(document: Document, campaign: Campaign | None) -> Iterator[PackEntry]:
    owned = OwnItem.objects.filter(owner=campaign.owner_id) if campaign else OwnItem.objects.none()
    by_name = {(one.system, one.kind, one.name.casefold()): one for one in owned.reverse()}
    for one in document.items:
        mine = by_name.get((one.system, one.kind, one.name.casefold())) if is_here(one.system) else None
        state = NEW if mine is None else SAME if _is_same(mine, one) else REPLACES
        note = f"your {mine.name}" if mine and state == REPLACES else ""
        yield PackEntry(
            "Item", one.name, one.system, state=state if is_here(one.system) else MISSING, note=note
        )


def _find_item(campaign: Campaign, one: PackItem, made: Iterable[Made]) -> OwnItem | None:
    """The owner's item that one of a pack would replace, none of those that the pack has just made."""
    mine = OwnItem.objects.filter(owner=campaign.owner_id, system=one.system, kind=one.kind)
    return mine.filter(name__iexact=one.name).exclude(pk__in=_find_numbers(made)).first()


def _find_numbers(made: Iterable[Made]) -> list[int]:
    return [one["pk"] for one in made if one]


def _is_same(mine: OwnItem, one: PackItem) -> bool:
    catalogue = catalogue_of(find_system(one.system))
    record = catalogue.describe(one.kind, {**one.record, "id": OWN, "origin": OWN}).record
    return bool(mine.record == record)


def _compare_npcs(document: Document, campaign: Campaign | None) -> Iterator[PackEntry]:
    members = _find_npcs(campaign).reverse() if campaign else ()
    by_name = {(one.system, one.name.casefold()): one for one in members}
    for one in document.npcs:
        theirs = by_name.get((one.system, one.name.casefold()))
        state = NEW if theirs is None else SAME if theirs.sheet == one.sheet else REPLACES
        note = f"{theirs.name} of this campaign" if theirs and state == REPLACES else ""
        yield PackEntry(
            "Stat block", one.name, one.system, state=state if is_here(one.system) else MISSING, note=note
        )


def _find_npcs(campaign: Campaign) -> QuerySet[Character]:
    return Character.objects.filter(campaigns__campaign=campaign, npc=True, deleted_at=None)


def _find_npc(campaign: Campaign, one: PackNpc, made: Iterable[Made]) -> Character | None:
    """The stat block of a campaign that one of a pack would replace."""
    found = _find_npcs(campaign).filter(system=one.system, name__iexact=one.name)
    return found.exclude(pk__in=_find_numbers(made)).first()


def _compare_rules(document: Document, campaign: Campaign | None) -> Iterator[PackEntry]:
    for slug, rules in document.rules.items():
        if not is_here(slug):
            yield PackEntry("House rules", f"{len(rules)} of them", slug, MISSING)
            continue
        known = {option.key: option for option in find_system(slug).book.all_options}
        now = campaign.options.get(slug, {}) if campaign else {}
        for key, value in rules.items():
            state = NEW if key not in now else SAME if now[key] == value else REPLACES
            option = known.get(key)
            said = f"{option.label}: {option.describe(value)}" if option else key
            was = f"now {option.describe(now[key])}" if option and state == REPLACES else ""
            yield PackEntry("House rule", said, slug, state=state, note=was)


def _compare_conditions(document: Document, campaign: Campaign | None) -> Iterator[PackEntry]:
    for slug, conditions in document.conditions.items():
        now = _find_conditions(campaign, slug) if campaign and is_here(slug) else {}
        for one in conditions:
            theirs = now.get(one.name.casefold())
            state = NEW if theirs is None else SAME if theirs == _write_condition(slug, one) else REPLACES
            yield PackEntry("Condition", one.name, slug, state if is_here(slug) else MISSING)


def _find_conditions(campaign: Campaign, slug: str) -> Made:
    """The kept conditions by name, each as its plain fields."""
    return {row["name"].casefold(): row for row in campaign.conditions.get(slug, [])}


def _write_condition(slug: str, one: PackCondition) -> Made:
    """A condition of a pack as a campaign keeps it."""
    system = find_system(slug)
    return write_fields(system, read_condition(system, one.fields))


def _compare_tables(document: Document, campaign: Campaign | None) -> Iterator[PackEntry]:
    now = {one["name"].casefold(): one for one in (campaign.tables if campaign else ())}
    for one in document.all_tables:
        theirs = now.get(one.name.casefold())
        state = NEW if theirs is None else SAME if theirs == _write_table(one) else REPLACES
        note = f"your {theirs['name']}" if theirs and state == REPLACES else one.dice
        yield PackEntry("Table to roll on", one.name, "", state=state, note=note)


def _write_table(one: PackTable) -> Made:
    """A table of a pack as a campaign keeps it."""
    return msgspec.structs.asdict(read_table(one.name, one.dice, one.lines))


def _compare_rulings(document: Document, campaign: Campaign | None) -> Iterator[PackEntry]:
    for slug, rulings in document.all_rulings.items():
        now = _find_rulings(campaign, slug) if campaign else {}
        for one in rulings:
            theirs = now.get(one.name.casefold())
            state = NEW if theirs is None else SAME if theirs == _write_ruling(slug, one) else REPLACES
            yield PackEntry("Ruling", one.name, slug, state if is_here(slug) else MISSING)


def _find_rulings(campaign: Campaign, slug: str) -> Made:
    """The rulings of nobody's own by name, each as its row."""
    return {row["name"].casefold(): row for row in campaign.rulings.get(slug, []) if row[OF] == 0}


def _write_ruling(slug: str, one: Ruling) -> Made:
    """A ruling of a pack as a campaign keeps it."""
    return write_row(0, check_ruling(find_system(slug), one)) if is_here(slug) else {}


# ---------------------------------------------------------------- on


def switch_on(pack: Pack, campaign: Campaign) -> PackUse:
    """Make what is in a pack for a campaign: all of it, or nothing; games that are not here are left out."""
    document = open_pack(pack)
    with one_at_a_time(AT_WORK, BUSY):  # what takes time is done before the lock, in which others wait
        pictures = [remake(one.picture, HANDOUT) if one.picture else None for one in document.handouts]
        encounters = [
            set_up_ready(e, _find_rules(campaign, document, e))
            for e in document.encounters
            if is_here(e.system)
        ]
    with alone():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if campaign.packs.filter(pack=pack).exists():
            raise Refused("stale", f"“{pack.name}” is switched on already.")
        made: Made = {
            "items": _use_all(campaign, document.items, _use_item),
            "npcs": _use_all(campaign, document.npcs, _use_npc),
            "rules": {
                slug: _use_rules(campaign, slug, r) for slug, r in document.rules.items() if is_here(slug)
            },
            "conditions": {
                slug: [_use_condition(campaign, slug, one) for one in conditions]
                for slug, conditions in document.conditions.items()
                if is_here(slug)
            },
            "handouts": [
                create_handout(campaign, one.title, one.text, picture).pk
                for one, picture in reversed([*zip(document.handouts, pictures, strict=True)])
            ],  # the newest are listed first, in a pack too
            "encounters": [_use_encounter(campaign, one) for one in reversed(encounters)],
            "tables": [_use_table(campaign, one) for one in document.all_tables],
            "rulings": {
                slug: [_use_ruling(campaign, slug, one) for one in rulings]
                for slug, rulings in document.all_rulings.items()
                if is_here(slug)
            },
        }
        return PackUse.objects.create(pack=pack, campaign=campaign, made=made)


def _use_all(campaign: Campaign, things: Iterable[Any], use: Callable[..., Made]) -> list[Made]:
    """Make things of the games that are here; an empty one was there already."""
    made: list[Made] = []
    for one in things:
        if is_here(one.system):
            made.append(use(campaign, one, made))
    return made


def _use_item(campaign: Campaign, one: PackItem, made: list[Made]) -> Made:
    """Make an item, or replace the owner's one of that name; the old record is kept."""
    mine, system = _find_item(campaign, one, made), find_system(one.system)
    if mine and _is_same(mine, one):
        return {}
    before = mine.record if mine else None
    saved = save_own(campaign.owner, system, one.kind, record=one.record, item=mine)
    return {"pk": saved.pk, "record": saved.record, "before": before}


def _use_npc(campaign: Campaign, one: PackNpc, before: list[Made]) -> Made:
    """Make a stat block; one of that name leaves the campaign, and stays among the owner's."""
    theirs = _find_npc(campaign, one, before)
    if theirs and theirs.sheet == one.sheet:
        return {}
    if theirs:
        CampaignMember.objects.filter(campaign=campaign, character=theirs).delete()
    made = character_service.create(
        campaign.owner,
        one.system,
        one.name,
        sheet=one.sheet,
        notes=one.notes,
        what="From a pack",
        npc=True,
        kind=one.kind,
    )
    add_members(campaign, [made.pk], npc=True)
    return {"pk": made.pk, "before": theirs.pk if theirs else None}


def _use_rules(campaign: Campaign, slug: str, rules: dict[str, Any]) -> Made:
    """Set house rules; returns what each was and is, by key."""
    now = dict(campaign.options.get(slug, {}))
    checked = set_options(State(slug), rules.items()).options
    change_campaign(campaign, options={**campaign.options, slug: {**now, **checked}})
    return {key: [now.get(key), value] for key, value in checked.items() if now.get(key) != value}


def _use_condition(campaign: Campaign, slug: str, one: PackCondition) -> Made:
    """Keep a condition, or replace that of its name; returns what was and is kept."""
    before, fields = _find_conditions(campaign, slug).get(one.name.casefold()), _write_condition(slug, one)
    keep_condition(campaign, find_system(slug), fields)
    return {"before": before, "after": fields}


def _use_table(campaign: Campaign, one: PackTable) -> Made:
    """Keep a table, or replace that of its name; returns what was and is kept."""
    after = _write_table(one)
    kept = {row["name"].casefold(): row for row in campaign.tables}
    before = kept.get(one.name.casefold())
    if before is None and len(kept) >= MAX_TABLES:
        raise Refused("not_allowed", f"A campaign has at most {MAX_TABLES} tables: delete one first.")
    change_campaign(campaign, tables=[*({**kept, one.name.casefold(): after}).values()])
    return {"before": before, "after": after}


def _use_ruling(campaign: Campaign, slug: str, one: Ruling) -> Made:
    """Keep a ruling, or replace that of its name; returns what was and is kept."""
    after, key = _write_ruling(slug, one), one.name.casefold()
    before = _find_rulings(campaign, slug).get(key)
    rows = [row for row in campaign.rulings.get(slug, []) if row[OF] or row["name"].casefold() != key]
    if len(rows) >= MAX_KEPT:
        raise Refused("not_allowed", f"A campaign keeps up to {MAX_KEPT} rulings of a game.")
    change_campaign(campaign, rulings={**campaign.rulings, slug: [*rows, after]})
    return {"before": before, "after": after}


def _find_rules(campaign: Campaign, document: Document, one: PackEncounter) -> Made:
    """The house rules of the campaign and of the pack for an encounter."""
    return {**campaign.options.get(one.system, {}), **document.rules.get(one.system, {})}


def set_up_ready(one: PackEncounter, rules: Made) -> ReadyEncounter:
    """An encounter in memory, with these house rules."""
    picture = remake(one.picture, SCENE) if one.picture else None
    if picture:
        old = map_of(one.scene).picture
        laid = lay_picture(one.scene, picture, old.width if old else None)
        one = msgspec.structs.replace(one, scene=laid)
    first, *others = set_up(one, rules)
    secret = make_secret()
    steps = [msgspec.structs.replace(first, seal=make_seal(secret)), *others]
    return ReadyEncounter(one, picture, secret, prepare_log(find_system(one.system).begin(), steps))


def _use_encounter(campaign: Campaign, ready: ReadyEncounter) -> Made:
    made = store_ready(campaign.owner, ready, campaign)
    return {"pk": made.pk, "version": made.version}


def store_ready(owner: User, ready: ReadyEncounter, campaign: Campaign | None = None) -> Encounter:
    """Store an encounter that is set up, as someone's own; inside `alone`."""
    one = ready.source
    made = create_encounter(owner, one.system, one.name)
    made.campaign = campaign
    store_log(made, ready.log, ready.secret)
    if ready.picture:
        keep_picture(made, ready.picture)
    facts = (fact.event for step in ready.log.steps for fact in step.facts)
    joined = [event.combatant.id for event in facts if isinstance(event, CombatantJoined)]
    on_people = {who: person.note for who, person in zip(joined, one.combatants, strict=True)}
    keep_notes(made, {ON_ENCOUNTER: one.note, ON_SCENE: one.scene_note, **on_people})
    return made


# ---------------------------------------------------------------- off


def switch_off(pack: Pack, campaign: Campaign) -> None:
    """Take away what a pack made in a campaign, and bring back what it replaced."""
    with alone():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        use = campaign.packs.filter(pack=pack).first()
        if use is None:
            raise Refused("stale", f"“{pack.name}” is switched off already.")
        for one in filter(None, use.made.get("items", [])):
            _drop_item(use, one)
        for one in filter(None, use.made.get("npcs", [])):
            _drop_npc(campaign, one)
        _drop_rules(campaign, use.made.get("rules", {}))
        for slug, changes in use.made.get("conditions", {}).items():
            _drop_conditions(campaign, slug, changes)
        _drop_tables(campaign, use.made.get("tables", []))
        for slug, changes in use.made.get("rulings", {}).items():
            _drop_rulings(campaign, slug, changes)
        shown = Handout.objects.filter(pk__in=use.made.get("handouts", []), campaign=campaign, showings=None)
        for handout in shown:
            delete_handout(handout)
        for one in use.made.get("encounters", []):
            mine = Encounter.objects.filter(pk=one["pk"], version=one["version"], owner=campaign.owner_id)
            mine.filter(phase="prep", seats=None).delete()
        use.delete()


def _drop_item(use: PackUse, one: Made) -> None:
    """Delete an item that nobody changed, or give it its old record; another campaign may still need it."""
    other = PackUse.objects.filter(pack=use.pack_id).exclude(pk=use.pk).first()
    if other:
        other.made["items"] = [*other.made.get("items", []), one]
        other.save(update_fields=["made"])
        return
    owner = use.campaign.owner
    item = OwnItem.objects.filter(pk=one["pk"], owner=owner).first()
    if item is None or item.record != one["record"]:
        return
    if one["before"] is None:
        item.delete()
    else:
        put_back(item, one["before"])


def _drop_npc(campaign: Campaign, one: Made) -> None:
    """Delete a stat block that nobody changed, and take back the one that it replaced."""
    mine = character_service.find_npcs(campaign.owner)
    if unchanged := mine.filter(pk=one["pk"], version=1).first():
        character_service.delete(unchanged)
        CampaignMember.objects.filter(campaign=campaign, character=one["pk"]).delete()
    if one["before"] and mine.filter(pk=one["before"]).exists():
        CampaignMember.objects.get_or_create(campaign=campaign, character_id=one["before"])


def _drop_rules(campaign: Campaign, made: dict[str, Made]) -> None:
    """Set house rules that nobody changed since to what they were."""
    options = {slug: dict(rules) for slug, rules in campaign.options.items()}
    for slug, changes in made.items():
        for key, (before, after) in changes.items():
            if options.get(slug, {}).get(key) != after:
                continue
            if before is None:
                options[slug].pop(key)
            else:
                options[slug][key] = before
    change_campaign(campaign, options=options)


def _drop_conditions(campaign: Campaign, slug: str, made: list[Made]) -> None:
    """Delete the kept conditions that nobody changed since, or bring back those that they replaced."""
    kept = _find_conditions(campaign, slug)
    for one in made:
        key = one["after"]["name"].casefold()
        if kept.get(key) == one["after"]:
            kept[key] = one["before"]
    rows = [row for row in kept.values() if row]
    change_campaign(campaign, conditions={**campaign.conditions, slug: rows})


def _drop_tables(campaign: Campaign, made: list[Made]) -> None:
    """Delete the tables that nobody changed since, or bring back those that they replaced."""
    rows = {row["name"].casefold(): row for row in campaign.tables}
    for one in made:
        key = one["after"]["name"].casefold()
        if rows.get(key) == one["after"]:
            rows[key] = one["before"]
    if made:
        change_campaign(campaign, tables=[row for row in rows.values() if row])


def _drop_rulings(campaign: Campaign, slug: str, made: list[Made]) -> None:
    """Delete the rulings that nobody changed since, or bring back those that they replaced."""
    rows = list(campaign.rulings.get(slug, []))
    for one in made:
        if one["after"] in rows:
            rows[rows.index(one["after"])] = one["before"]
    change_campaign(campaign, rulings={**campaign.rulings, slug: [row for row in rows if row]})


# A GM's packs: kept, read again, deleted.
