"""Climbing: obstacles of 1 m, 2 m and more, and what a climb rolls."""

from __future__ import annotations

from typing import Literal

from ..core import events as e
from ..core.commands import Command, Field, Preview
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers
from ..core.requests import Choice
from ..core.space import Point, find_zone, path_length
from ..core.state import Combatant, State
from ..core.table import Table
from ..core.turns import spend
from .hazards import meet_hazards
from .movement import check_fear, check_free, find_goal, note_move, pay_move, place_field
from .overwatch import pass_watchers
from .rolls import DICE, check_terms, default_tn, did_succeed, roll_check, table_terms

MEDIUM_TN = 11  # COS-TERR-11
CLIMBS = {"low": "COS-ACT-12", "medium": "COS-TERR-10", "high": "COS-TERR-12"}


class Climb(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Climb an obstacle: low (1 m), medium (2 m) or high (3 m and more, `metres` up)."""

    obstacle: Literal["low", "medium", "high"]
    to: str = ""
    metres: int = 3
    tn: int = 0


def climb(table: Table, command: Climb) -> None:
    """[COS-ACT-12] [COS-TERR-10] [COS-TERR-12] Climb an obstacle; success ends on the far side."""
    who = command.actor
    check_free(table.state, table.state[who])
    path = _climb_path(table.state, command)
    check_fear(table.state, table.state[who], path)
    check_climb(command)
    if command.obstacle == "low":
        pay_move(table, who, "Climbing up", "COS-ACT-12")
    elif command.obstacle == "medium":
        pay_move(table, who, "Climbing", "COS-TERR-10")
    else:
        spend(table, who, {"standard": 1}, "Climbing", "COS-TERR-12")
    if command.obstacle != "low" and not _climbs(table, command):
        return
    start, rule = path[0], CLIMBS[command.obstacle]

    def go(part: tuple[Point, ...]) -> None:
        there = find_zone(table.state.scene, part[-1])
        metres = round(path_length(part), 3)
        table.tell(e.Moved(who, part, metres, 0, "climbs", there.name if there else ""), rule)

    path = pass_watchers(table, who, path, go)
    note_move(table, who)
    zone = find_zone(table.state.scene, path[-1])
    if zone and zone != find_zone(table.state.scene, start):
        meet_hazards(table, who, (zone,))


def check_climb(command: Climb) -> None:
    """Refuse impossible heights and target numbers."""
    if command.obstacle == "high" and not 3 <= command.metres <= 60:
        raise Refused("bad_value", "A high obstacle is 3 to 60 m.")
    if command.tn and not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60, or 0 for the rules' own.")


def _climb_path(state: State, command: Climb) -> tuple[Point, ...]:
    here = state[command.actor].at
    if not command.to:
        return (here, here)
    path = find_goal(state, command.actor, command.to)
    if path_length(path) > 10:
        raise Refused("out_of_range", "Climb to a place within 10 m.")
    return path


def _climbs(table: Table, command: Climb) -> bool:
    """[COS-TERR-11] Athletics TN 11; [COS-TERR-13] 14 or more for high ones.  RULING R49."""
    rule, tn = find_climb_target(table.state, command)
    terms = climb_terms(table.state, command, rule)
    roll_check(table, command.actor, terms, tn, rule, "Athletics", "climb")
    return did_succeed(table)


def find_climb_target(state: State, command: Climb) -> tuple[str, int]:
    """The rule of a climb and its number: higher obstacles are harder.  RULING R49."""
    if command.obstacle == "medium":
        return "COS-TERR-11", command.tn or MEDIUM_TN
    more = 3 * max(0, (command.metres - 3) // 2)
    return "COS-TERR-13", command.tn or default_tn(state) + more


def climb_terms(state: State, command: Climb, rule: str) -> Modifiers:
    """Might and half Athletics, gear and the table's own modifier."""
    fighter = state[command.actor]
    terms = check_terms(state, fighter, "MIG", "Athletics", rule)
    return (*terms, *climbing_gear(fighter, rule), *table_terms(command, rule))


def preview_climb(state: State, command: Climb) -> Preview:
    """The sums of a climb; a low obstacle needs no roll."""
    check_climb(command)
    if command.obstacle == "low":
        return Preview(notes=("no roll",))
    rule, tn = find_climb_target(state, command)
    terms = climb_terms(state, command, rule)
    return Preview(terms, (Modifier("Target number", tn, rule),), "TN", DICE)


def climbing_gear(fighter: Combatant, rule: str) -> Modifiers:
    """What the best climbing gear adds.  RULING R5: gear helps checks."""
    kits = [i for i in fighter.items if i.data.get("athletics_climb")]
    best = max(kits, key=lambda kit: int(kit.data["athletics_climb"]), default=None)
    return (Modifier(best.name, int(best.data["athletics_climb"]), rule),) if best else ()


def climb_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of climbing."""
    kinds = (
        Choice("low", "Low, 1 m: no roll, stay on top"),
        Choice("medium", "Medium, 2 m: Athletics 11"),
        Choice("high", "High, 3 m or more: Athletics 14+"),
    )
    return (
        Field("obstacle", "Obstacle", "choice", kinds, "medium", rule="COS-TERR-10"),
        Field("metres", "Height in metres", "number", value="3", low=1, high=60),
        Field("tn", "Another TN (0: as the rules say)", "number", value="0", low=0, high=40),
        place_field(state, actor, "where a success ends", required=False),
    )
