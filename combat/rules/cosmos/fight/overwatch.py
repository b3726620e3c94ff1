"""Overwatch: a shot held ready for what an enemy does next.  RULING R34."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Command, Field, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point, distance, find_zone, path_length, towards, zone_named
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    Until,
    find_condition,
    has_condition,
    replace,
)
from combat.rules.core.turns import add_condition, remove_condition, spend

from ..hazards.drift import is_loose, recoil
from ..people.sheet import is_able
from ..world.scene import is_melee
from .aim import Attack, check_attack, find_weapon
from .attack import swing
from .weapons import check_may_attack, check_rounds, check_weapon, weapon_choices

RULE = "COS-MANV-16"
ANY_TRIGGER = "any move or action of an enemy"  # what stands for what nobody typed
STEP_UNDER_WAY_M = 0.1  # of a mover who is shot at: the ground under its feet
STEP_M = 0.5  # how finely a way is searched for the edge of a watched zone
ANSWERS = (
    Choice("shoot", "Shoot now"),
    Choice("hold", "Hold fire", "stay on overwatch"),
    Choice("abort", "Call off this shot", "stay on overwatch until your next turn"),
)

Path = tuple[Point, ...]
Go = Callable[[Path], None]
Run = Callable[[RuleContext, Any], Then | None]


class Watch(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ready a shot. `trigger` says for what, in words; `when` and `zone` narrow down who is asked."""

    weapon: str
    trigger: str = ""
    when: Literal["any", "move", "action"] = "any"
    zone: str = ""


def overwatch(context: RuleContext, command: Watch) -> None:
    """[COS-MANV-15] A Standard Action readies one shot until the start of the next turn."""
    who = command.actor
    check_watch(context.state, command)
    spend(context, who, {"standard": 1}, "Overwatch", "COS-MANV-15")
    words = " ".join(command.trigger.split())[:120] or ANY_TRIGGER
    marks = {"weapon": command.weapon, "trigger": words, "when": command.when, "zone": command.zone}
    add_condition(context, who, "overwatch", until=Until(who, "start"), marks=marks)
    if words == ANY_TRIGGER:
        context.emit(e.Said("log.overwatch_any", who), "COS-MANV-15")
    else:
        context.emit(e.Said("log.overwatch", who, args={"trigger": words}), "COS-MANV-15")


def check_watch(state: State, command: Watch) -> None:
    """Refuse a watch without a ranged weapon ready, or under Total Defense.  [COS-COMBO-13]"""
    fighter = state[command.actor]
    weapon = find_weapon(state, Attack(actor=command.actor, target="", weapon=command.weapon))
    check_may_attack(fighter)
    if is_melee(weapon) or "area" in weapon.data["traits"]:
        raise Refused("not_allowed", "Overwatch is for shooting at one target.")
    check_weapon(state, fighter, weapon)
    check_rounds(state, weapon, 1)
    if command.zone and zone_named(state.scene, command.zone) is None:
        raise Refused("unknown", "That zone is not part of the scene.")


# ---------------------------------------------------------------- who watches


def find_watchers(state: State, mover: str) -> list[tuple[str, Condition]]:
    """[COS-ACT-23] The enemies of a fighter who hold a shot ready, in the order of turns.

    There is no other reaction: without overwatch nobody is asked. [COS-MANV-05] The pinned shoot
    at nobody.
    """
    fighter = state[mover]
    found = []
    for who in state.order:
        other = state.combatants[who]
        held = find_condition(other, "overwatch")
        free = is_able(other) and not has_condition(other, "pinned")
        if held and other.side != fighter.side and free and not fighter.hidden:
            found.append((who, held))
    return found


def can_shoot(state: State, who: str, held: Condition, target: Combatant) -> bool:
    """Whether the readied shot is possible at a target standing where it is."""
    there = replace(state, combatants={**state.combatants, target.id: target})
    try:
        check_attack(there, _shot(who, held, target.id))
    except Refused:
        return False
    return True


def _shot(who: str, held: Condition, target: str) -> Attack:
    return Attack(actor=who, target=target, weapon=str(held.marks.get("weapon", "")))


def _asked_before(context: RuleContext, who: str) -> bool:
    """Nobody is asked twice about one and the same command."""
    return any(answer.rule == RULE and answer.who == who for answer in context.answers)


def wants_to_shoot(context: RuleContext, who: str, held: Condition, mover: str, doing: str) -> bool:
    """[COS-MANV-16] Ask the watcher; [COS-MANV-18] calling it off costs nothing and keeps the watch."""
    state = context.state
    trigger = str(held.marks.get("trigger", ANY_TRIGGER)).rstrip(".")
    question = f"{state[mover].name} {doing}. Fire? (Trigger: {trigger}.)"
    chosen = context.ask(who, question, ANSWERS, rule=RULE, default="hold")
    if chosen == "abort":
        context.emit(e.Said("log.calls_off", who), "COS-MANV-18")
    return chosen == "shoot"


def shoot(context: RuleContext, who: str, held: Condition, target: str) -> None:
    """[COS-MANV-17] An ordinary attack before the trigger completes; [COS-ACT-24] it costs no action."""
    shot = _shot(who, held, target)
    remove_condition(context, who, held, "why.fired", "COS-MANV-17")
    loose = is_loose(context.state, context.state[who], find_weapon(context.state, shot))
    step: Then | None = Then(swing, shot, 1)
    while step is not None:
        step = step.step(context, *step.args)
    if loose:
        recoil(context, shot, melee=False)


# ---------------------------------------------------------------- movement


def pass_watchers(context: RuleContext, who: str, path: Path, go: Go, hamper: Go = lambda gone: None) -> Path:
    """Go along a path part by part, with the shots that fall on the way; returns the way gone.

    [COS-MANV-16] [COS-MANV-17] A shot falls where the path comes nearest to the watcher, or
    where it enters the watched zone. Who cannot go on stays there. Before each shot, `hamper` is
    told the way gone with the step under way.
    """
    gone: Path = (path[0],)
    left = path
    for watcher, held in find_watchers(context.state, who):
        metres = find_moment(context.state, watcher, held, left)
        if metres is None or held.marks.get("when") == "action" or _asked_before(context, watcher):
            continue
        part, rest = split(left, metres)
        there = replace(context.state[who], at=part[-1])
        if not can_shoot(context.state, watcher, held, there):
            continue
        if wants_to_shoot(context, watcher, held, who, "moves"):
            if path_length(part) > 0.01:
                go(part)
            gone, left = (*gone, *part[1:]), rest
            hamper((*gone, *split(left, STEP_UNDER_WAY_M)[0][1:]))
            shoot(context, watcher, held, who)
            if not is_able(context.state[who]):
                return gone
    if path_length(left) > 0.01 or len(gone) == 1:
        go(left)
    return (*gone, *left[1:])


def find_moment(state: State, watcher: str, held: Condition, path: Path) -> float | None:
    """After how many metres of a path the shot falls; None if it never enters the watched zone."""
    zone = zone_named(state.scene, str(held.marks.get("zone", "")))
    if zone is None:
        return nearest_metres(path, state[watcher].at)
    steps = int(path_length(path) / STEP_M) + 1
    spots = [(n * STEP_M, split(path, n * STEP_M)[0][-1]) for n in range(steps + 1)]
    inside = (
        metres
        for metres, spot in spots
        if zone.x <= spot.x <= zone.x + zone.width and zone.y <= spot.y <= zone.y + zone.depth
    )
    return next(inside, None)


def nearest_metres(path: Path, place: Point) -> float:
    """After how many metres a path comes nearest to a place."""
    best, least, before = 0.0, distance(path[0], place), 0.0
    for a, b in itertools.pairwise(path):
        length = distance(a, b)
        if length > 0.01:
            along = ((place.x - a.x) * (b.x - a.x) + (place.y - a.y) * (b.y - a.y)) / length
            along = min(length, max(0.0, along))
            gap = distance(towards(a, b, along), place)
            if gap < least - 0.001:
                best, least = before + along, gap
        before += length
    return round(best, 3)


def split(path: Path, metres: float) -> tuple[Path, Path]:
    """A path cut in two after so many metres."""
    done: list[Point] = [path[0]]
    left = metres
    for n, (a, b) in enumerate(itertools.pairwise(path)):
        length = distance(a, b)
        if left < length - 0.001:
            spot = towards(a, b, left)
            return (*done, spot), (spot, *path[n + 1 :])
        left -= length
        done.append(b)
    return tuple(done), (path[-1], path[-1])


# ---------------------------------------------------------------- actions


def watched(run: Run) -> Run:
    """An action that watchers may answer once it is begun, before it takes effect.  [COS-MANV-16]"""

    def act(context: RuleContext, command: Any) -> Then | None:
        then = run(context, command)
        if then is None or not find_watchers(context.state, command.actor):
            return then
        return Then(_face_watchers, command.actor, then.step, then.args)

    return act


def _face_watchers(
    context: RuleContext, actor: str, step: Callable[..., Then | None], args: tuple[Any, ...]
) -> Then | None:
    for watcher, held in find_watchers(context.state, actor):
        if held.marks.get("when") == "move" or _asked_before(context, watcher):
            continue
        if not _watches(context.state, held, actor):
            continue
        if not can_shoot(context.state, watcher, held, context.state[actor]):
            continue
        if wants_to_shoot(context, watcher, held, actor, "acts"):
            shoot(context, watcher, held, actor)
        if not is_able(context.state[actor]):
            context.emit(e.Said("log.cannot_go_on", actor), "COS-MANV-17")
            return None
    return step(context, *args)


def _watches(state: State, held: Condition, actor: str) -> bool:
    wanted = str(held.marks.get("zone", ""))
    here = find_zone(state.scene, state[actor].at)
    return not wanted or (here is not None and here.id == wanted)


def watch_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of overwatch."""
    weapons = weapon_choices(state, state[actor], melee=False)
    first = first_open(weapons)
    when = (Choice("any", "moves or acts"), Choice("move", "moves"), Choice("action", "acts"))
    zones = (Choice("", "anywhere"), *(Choice(zone.id, zone.name) for zone in state.scene.zones))
    return (
        Field("weapon", "Weapon", "choice", weapons, first),
        Field("trigger", "What for", "text", help="in your words", rule="COS-MANV-16", required=False),
        Field("when", "When an enemy", "choice", when, "any"),
        Field("zone", "Where", "choice", zones, "", required=False),
    )
