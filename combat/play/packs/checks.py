"""Everything in a pack is checked by its own game before anything is stored."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from characters.games import find_problems
from characters.gear.item_service import catalogue_of
from characters.services.character_service import clean_name, clean_notes
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import clean_text
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.engine.engine import Done, LiveDriver, find_action, run
from combat.rules.core.gm.clocks import ALL, GM
from combat.rules.core.gm.reserves import CLOCK
from combat.rules.core.sheets.catalogue import OWN, find_record_problems
from combat.rules.core.space import map_of
from combat.rules.core.state.events import CombatantJoined, Fact
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import State
from cosmos_site.base.files import one_at_a_time
from cosmos_site.base.pictures import HANDOUT, SCENE, PictureKind, remake

from ..campaigns.campaigns import clean_title, set_options
from ..campaigns.own_conditions import read_condition
from ..campaigns.random_tables import read_table
from ..campaigns.table_notes import clean_note
from .documents import (
    MAX_PEOPLE,
    MAX_PICTURES,
    MAX_THINGS,
    Document,
    PackClock,
    PackCombatant,
    PackEncounter,
    PackHandout,
    PackItem,
    PackNpc,
    PackReserve,
)

MAX_SAID, MAX_SECONDS = 300, 10.0
BUSY = "Another pack is being read: send yours again in a moment."
NO_RULES: Mapping[str, Any] = {}

AT_WORK = threading.Lock()  # checking or setting up a pack may take a whole processor


@one_at_a_time(AT_WORK, BUSY)
def check_pack(document: Document) -> None:
    """Refused, naming what is wrong, unless everything in the pack could be used here.

    What is of a game that is not here is not checked, and never used.
    """
    _check_counts(document)
    end = time.thread_time() + MAX_SECONDS
    for item in document.items:
        with _naming("item", item.name, end):
            _check_item(item)
    for npc in document.npcs:
        with _naming("stat block", npc.name, end):
            _check_npc(npc)
    for handout in document.handouts:
        with _naming("handout", handout.title, end):
            _check_handout(handout)
    for slug, rules in document.rules.items():
        with _naming("house rules", slug, end):
            _check_rules(slug, rules)
    for slug, conditions in document.conditions.items():
        for one in conditions if is_here(slug) else ():
            with _naming("condition", one.name, end):
                read_condition(find_system(slug), one.fields)
    for table in document.all_tables:
        with _naming("table", table.name, end):
            read_table(table.name, table.dice, table.lines)
    for encounter in document.encounters:
        with _naming("encounter", encounter.name, end):
            _check_encounter(encounter)


def _check_counts(document: Document) -> None:
    """Refuse a pack that no table would read, or that would take too long to check or to switch on."""
    pictures = sum(bool(one.picture) for one in document.handouts)
    pictures += sum(bool(one.picture) for one in document.encounters)
    people = sum(len(one.combatants) for one in document.encounters)
    counts = (
        (len(document.items), MAX_THINGS, "items"),
        (len(document.npcs), MAX_THINGS, "stat blocks"),
        (len(document.handouts), MAX_THINGS, "handouts"),
        (len(document.encounters), MAX_THINGS, "encounters"),
        (pictures, MAX_PICTURES, "pictures"),
        (people, MAX_PEOPLE, "combatants"),
    )
    for count, most, what in counts:
        if count > most:
            raise Refused("bad_value", f"A pack has at most {most} {what}, this one has {count}: divide it.")


@contextmanager
def _naming(what: str, name: str, end: float) -> Iterator[None]:
    """Begin a refusal with what it is about; refuse to begin after the end of this thread's time."""
    if time.thread_time() > end:
        raise Refused("bad_value", "This pack takes too long to check: divide it.")
    try:
        yield
    except Refused as refused:
        if refused.code == "busy":
            raise
        said = f"This pack cannot be used: {what} “{name[:60]}”: {refused.message}"
        raise Refused("bad_value", said[:MAX_SAID]) from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
        said = f"This pack cannot be used: {what} “{name[:60]}” is not as its game needs it."
        raise Refused("bad_value", said) from None


def is_here(slug: str) -> bool:
    """Whether a game is installed."""
    return slug in SYSTEMS


def _check_item(item: PackItem) -> None:
    if not is_here(item.system):
        return
    catalogue = catalogue_of(find_system(item.system))
    full = {**item.record, "id": OWN, "origin": OWN}
    _refuse(find_record_problems(catalogue, item.kind, full))
    if catalogue.describe(item.kind, full).name != item.name:
        raise Refused("bad_value", "its record has another name.")


def _check_npc(npc: PackNpc) -> None:
    clean_name(npc.name)
    clean_notes(npc.notes)
    if is_here(npc.system):
        _refuse(find_problems(find_system(npc.system), npc.sheet))


def _refuse(problems: Any) -> None:
    if problems:
        raise Refused("bad_value", f"{problems[0]}.")


def _check_handout(handout: PackHandout) -> None:
    clean_title(handout.title)
    if not clean_text(handout.text, 10_000, "The text") and not handout.picture:
        raise Refused("bad_value", "it needs a text or a picture.")
    _check_picture(handout.picture, HANDOUT)


def _check_picture(raw: bytes, kind: PictureKind) -> None:
    if raw:
        remake(raw, kind)


def _check_rules(slug: str, rules: dict[str, Any]) -> None:
    if is_here(slug):
        set_options(State(slug), rules.items())


def _check_encounter(encounter: PackEncounter) -> None:
    """Refused where the game would refuse the encounter."""
    clean_title(encounter.name)
    picture = map_of(encounter.scene).picture
    if bool(picture) != bool(encounter.picture):
        raise Refused("bad_value", "its map and its picture do not belong together.")
    _check_picture(encounter.picture, SCENE)
    for note in (encounter.note, encounter.scene_note, *(one.note for one in encounter.combatants)):
        clean_note(note)
    if is_here(encounter.system):
        for one in encounter.combatants:
            _refuse(find_problems(find_system(encounter.system), one.sheet))
        set_up(encounter)


def set_up(encounter: PackEncounter, rules: Mapping[str, Any] = NO_RULES) -> list[Step]:
    """The steps that prepare the encounter, with the house rules of its campaign.

    Refused where the game would refuse one.
    """
    steps = list[Step]()
    state = find_system(encounter.system).begin()

    def do(name: str, data: dict[str, Any]) -> tuple[Fact, ...]:
        nonlocal state
        command, done = _do(state, encounter.system, name, data)
        number, state = len(steps) + 1, done.state
        steps.append(
            Step(
                number,
                COMMAND,
                name,
                command=command_data(command),
                answers=done.answers,
                facts=done.facts,
                by="pack",
            )
        )
        return done.facts

    for key, value in {**rules, **encounter.options}.items():
        do("set_option", {"key": key, "value": value})
    for condition in encounter.conditions:
        do("define_condition", condition.fields)
    do("set_scene", {"scene": msgspec.to_builtins(encounter.scene)})
    joined: dict[str, str] = {}
    people: list[str] = []
    for one in encounter.combatants:
        facts = do("join", _find_join(one, joined))
        who = next(f.event.combatant.id for f in facts if isinstance(f.event, CombatantJoined))
        joined.setdefault(one.group, who)
        people.append(who)
        do("place", {"target": who, "x": one.x, "y": one.y})
        if one.alias:
            do("alias", {"target": who, "alias": one.alias})
    for clock in encounter.clocks or ():
        do("start_clock", _find_clock(clock, people, state))
    for reserve in encounter.reserves:
        do("hold_back", _find_plan(reserve, people, state))
    return steps


def _find_plan(reserve: PackReserve, people: list[str], state: State) -> dict[str, Any]:
    """The fields of the command that holds people back, with what they wait for as it is called here."""
    plan = msgspec.structs.asdict(reserve)
    place = plan.pop("clock")
    if max(plan.pop("combatants")) >= len(people):
        raise Refused("bad_value", "someone arrives later who is not in its list of combatants.")
    if reserve.when == CLOCK:
        clocks = dict(enumerate(one.id for one in state.all_clocks))
        if place not in clocks:
            raise Refused("bad_value", "someone waits for a clock that is not in its list of clocks.")
        plan["of"] = clocks[place]
    return {**plan, "targets": [people[place] for place in reserve.combatants]}


def _find_clock(clock: PackClock, people: list[str], state: State) -> dict[str, Any]:
    """The fields of the command that starts a clock; a condition of the pack's own has another id here."""
    fields = msgspec.structs.asdict(clock)
    after, secret = fields.pop("after"), fields.pop("secret")
    if after is not None and after >= len(people):
        raise Refused("bad_value", "a clock acts after someone who is not in its list of combatants.")
    own = {one.name: one.id for one in state.all_own_conditions}
    return {
        **fields,
        "shown": GM if secret else ALL,
        "after": "" if after is None else people[after],
        "condition": own.get(clock.condition, clock.condition),
    }


def _find_join(one: PackCombatant, joined: dict[str, str]) -> dict[str, Any]:
    """The fields of the command that adds a combatant; `joined` are the first of each group."""
    return {
        "sheet": one.sheet,
        "name": one.name,
        "side": one.side,
        "hidden": one.hidden,
        "group_of": joined.get(one.group, "") if one.group else "",
    }


def _do(state: State, slug: str, name: str, data: dict[str, Any]) -> tuple[Any, Done]:
    """Run a command that asks for nothing: the command as it was read, and what it did."""
    system = find_system(slug)
    action = find_action(system, name)
    command = read_command(action, data)
    done = run(system, state, action, command=command, driver=LiveDriver())
    if not isinstance(done, Done):
        raise Refused("bad_value", "it asks for dice: prepare it without.")
    return command, done
