"""An evening: several fights in order, with what is left of the party carried from one to the next.

After a fight its people leave it as the app's sheets do: what lasts goes onto the sheet, rests change the
sheet, and the next fight begins with it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ..aftermath import EMPTY, make_aftermath
from ..basics.errors import Refused
from ..commands.commands import read_command
from ..declaration.system import System
from ..engine.engine import AutoDriver, find_action
from ..gm.decisions import Join
from ..sheets.sheets import read_counters
from ..sides import has_turns, standing_sides
from ..state.state import Combatant, State, present, replace
from ..turn.turns import read_uses
from .forecast import Ending, play_step, play_through, play_turn

ROUNDS_OF_AID = 10  # after a fight, while someone of the party is down and alive
WON = "won"  # stands at the end of an evening whose fights the party has won, all of them
Sheets = Mapping[str, dict[str, Any]]


class Stage(msgspec.Struct, frozen=True):
    """A fight of an evening as it is prepared: who of the party is in it (the combatant of each person, by a
    key that is the same in all fights), on which side, and the key of the rest before it, if any."""

    state: State
    party: dict[str, str]
    side: str
    rest: str = ""


class Evening(msgspec.Struct, frozen=True):
    """The fights of an evening, in order."""

    stages: tuple[Stage, ...]


def play_evenings(system: System, evening: Evening, count: int, seed: int) -> Iterator[Ending]:
    """Play the same evening many times; equal seeds give equal endings."""
    chance = random.Random(seed)  # noqa: S311 - a forecast must be repeatable
    for _ in range(count):
        yield play_evening(system, evening, chance)


def play_evening(system: System, evening: Evening, chance: random.Random) -> Ending:
    """Play the fights in order. The end of each is one of the `legs` of the ending, which has WON standing
    if the party won them all."""
    auto = AutoDriver(chance, tells=False)
    first: dict[str, dict[str, Any]] = {}  # the sheets as the evening found them
    sheets: dict[str, dict[str, Any]] = {}  # as the fights and rests left them
    dead: set[str] = set()
    legs = []
    for stage in evening.stages:
        rested = {key: rest(system, stage, sheet, auto) for key, sheet in sheets.items() if key not in dead}
        unrested = tuple(key for key, sheet in rested.items() if sheet is None)
        sheets |= {key: sheet for key, sheet in rested.items() if sheet is not None}
        first = {key: stage.state.combatants[who].sheet for key, who in stage.party.items()} | first
        state = prepare(system, stage, first, sheets=sheets, dead=dead, auto=auto)
        leg, after = play_stage(system, stage, state, dead=dead, chance=chance)
        legs.append(msgspec.structs.replace(leg, unrested=unrested) if unrested else leg)
        dead |= set(leg.dead)
        sheets |= {
            key: write_sheet(system, after, after.combatants[who])
            for key, who in stage.party.items()
            if key not in dead
        }
    won = all(leg.standing == (stage.side,) for leg, stage in zip(legs, evening.stages, strict=True))
    rounds = sum(leg.rounds for leg in legs)
    return Ending((WON,) if won else (), rounds, tuple(sorted(dead)), legs=tuple(legs))


def play_stage(
    system: System, stage: Stage, state: State, dead: set[str], chance: random.Random
) -> tuple[Ending, State]:
    """One fight, and the state after it. In `dropped` are those of the party who are down after it.

    It has no rounds where only one side can begin it. The `dead` of earlier fights are down and dead in it.
    """
    standing, auto = standing_sides(system, state), AutoDriver(chance, tells=False)
    if len(standing) > 1:
        ending, state = play_through(system, state, chance)
        state = give_aid(system, stage, state, auto)
        if state.phase == "fight":
            state = play_step(system, state, "end_fight", command=None, auto=auto).state
    else:
        ending = Ending(standing, 0, ())
    people = {key: state.combatants[who] for key, who in stage.party.items()}
    health = {key: system.find_health(state, one) for key, one in people.items()}
    died = {key for key, one in health.items() if one.dead or key in dead}
    down = {key for key, one in health.items() if one.is_out} | died
    most = sum(one.most for one in health.values())
    left = sum(one.most * one.share for key, one in health.items() if has_turns(system, state, people[key]))
    ending = msgspec.structs.replace(
        ending,
        dropped=tuple(sorted(down)),
        dead=tuple(sorted(died)),
        left=round(100 * left / most) if most else 0,
    )
    return ending, state


def give_aid(system: System, stage: Stage, state: State, auto: AutoDriver) -> State:
    """Some rounds after a fight that the party has won: saves and first aid of those who are down."""
    until = state.round + ROUNDS_OF_AID
    while state.phase == "fight" and state.round < until and standing_sides(system, state) == (stage.side,):
        health = [system.characters.health(state.combatants[who]) for who in stage.party.values()]
        if not any(one.is_out and not one.dead for one in health):
            break
        state = play_turn(system, state, auto)
    return state


# ---------------------------------------------------------------- what is carried over


def write_sheet(system: System, state: State, combatant: Combatant) -> dict[str, Any]:
    """The sheet with what usually goes home from a fight."""
    aftermath = make_aftermath(system, combatant, ground=state.ground, state=state)
    return aftermath.write(change.token for change in aftermath.changes if change.is_usual)


def prepare(
    system: System, stage: Stage, first: Sheets, sheets: Sheets, dead: set[str], auto: AutoDriver
) -> State:
    """The fight with the party as it is now: without the dead, all others as their sheets say.

    Who has lost and gained nothing is as they were prepared.
    """
    state = stage.state
    for key, who in stage.party.items():
        if key in dead:
            command = read_command(find_action(system, "remove"), {"target": who})
            state = play_step(system, state, "remove", command=command, auto=auto).state
        elif key in sheets:
            begun = {**EMPTY, **first[key]}
            changed = {part: value for part, value in sheets[key].items() if begun.get(part) != value}
            if changed:
                carried = carry(system, state, state.combatants[who], changed)
                state = replace(state, combatants={**state.combatants, who: carried})
    return state


def carry(system: System, state: State, prepared: Combatant, changed: Mapping[str, Any]) -> Combatant:
    """A combatant as prepared, with the changed parts of the sheet; conditions of this fight alone stay."""
    sheet, plan = {**prepared.sheet, **changed}, system.book.sheets
    made = system.characters.make_combatant(prepared.id, prepared.name, prepared.side, sheet, state.options)
    lasting = plan.lasting if plan else ()
    own = tuple(held for held in prepared.conditions if held.kind not in lasting)
    marks = {key: value for key, value in prepared.marks.items() if key not in _name_uses(system)}
    return replace(
        prepared,
        sheet=sheet,
        tracks=made.tracks,
        items=made.items,
        conditions=(*made.conditions, *own),
        marks={**made.marks, **marks, **read_uses(system, state, sheet)},
        counters=read_counters(sheet) if "counters" in changed else prepared.counters,
    )


def _name_uses(system: System) -> set[str]:
    return {use.key for use in system.characters.uses if use.goes_home}


def rest(system: System, stage: Stage, sheet: dict[str, Any], auto: AutoDriver) -> dict[str, Any] | None:
    """The sheet of one person after the rest before a fight, if any; None if the rules refuse them that."""
    if not stage.rest:
        return sheet
    interlude = next(one for one in system.turn.passing.interludes if one.key == stage.rest)
    camp = replace(system.begin(), options=stage.state.options)
    camp = play_step(
        system, camp, "join", command=Join(sheet=sheet, name="Someone", pc=True), auto=auto
    ).state
    command = read_command(find_action(system, interlude.action), dict(interlude.fields))
    try:
        camp = play_step(system, camp, interlude.action, command=command, auto=auto).state
    except Refused:
        return None
    return write_sheet(system, camp, present(camp)[0])
