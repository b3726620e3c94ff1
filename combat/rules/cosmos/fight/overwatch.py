"""Overwatch: a shot held ready for an enemy's next move or action.  RULING R34."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from typing import Any, Literal, NamedTuple

from combat.rules.core.basics.dice.requests import (
    Answer,
    Choice,
    ChoiceRequest,
    NeedsAnswer,
    Request,
    answer_choice,
)
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.commands.commands import Command, Field, check_any, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import Scene, check_zone, find_stretches, path_length, plan_distance, zone_named
from combat.rules.core.space.plane import holds
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    find_condition,
    find_holders,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_condition, spend

from ..book.traits import has_tag
from ..characters.conditions import KINDS
from ..characters.sheet import is_able
from ..hazards.drift import is_loose, recoil
from ..hazards.ground import Journey, Path, split
from ..world.acting import act
from ..world.scene import is_melee
from .aim import Attack, check_attack, find_sums, find_weapon, prepare
from .attack import swing
from .weapons import check_attacks, check_may_attack, check_rounds, check_weapon, weapon_choices

RULE = "COS-MANV-16"
ANY_TRIGGER = "any move or action of an enemy"  # the defaults of empty fields
STEP_UNDER_WAY_M = 0.1  # the ground under a mover who is shot at
STEP_M = 0.5  # between the points of a path where a shot is tried
SHOOT, HOLD, ABORT = "shoot", "hold", "abort"
ANSWERS = (
    Choice(SHOOT, "Shoot now"),
    Choice(HOLD, "Hold fire", "stay on overwatch, may be asked again in this move or action"),
    Choice(ABORT, "Call off this shot", "stay on overwatch, not asked again in this move or action"),
)

Hamper = Callable[[Path], None]
Price = tuple[tuple[str, int], ...]  # the cost of an action by pool
PAID: Price = ()
Run = Callable[[RuleContext, Any], Then | None]
Step = Callable[..., Then | None]


class Watch(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ready a shot. `trigger` names the cue in words; `when` and `zone` limit when the player is asked."""

    weapon: str
    trigger: str = ""
    when: Literal["any", "move", "action"] = "any"
    zone: str = ""


def overwatch(context: RuleContext, command: Watch) -> None:
    """A Standard Action readies one shot until the start of the next turn. [COS-MANV-15]"""
    who = command.actor
    check_watch(context.state, command)
    spend(context, who, {"standard": 1}, on="Overwatch", rule="COS-MANV-15")
    words = " ".join(command.trigger.split())[:120] or ANY_TRIGGER
    marks = {"weapon": command.weapon, "trigger": words, "when": command.when, "zone": command.zone}
    add_condition(context, who, "overwatch", marks=marks)
    if words == ANY_TRIGGER:
        context.emit(e.Said("log.overwatch_any", who), "COS-MANV-15")
    else:
        context.emit(e.Said("log.overwatch", who, args={"trigger": words}), "COS-MANV-15")


def check_watch(state: State, command: Watch) -> None:
    """Refuse overwatch without a ranged weapon ready, or under Total Defense.  [COS-COMBO-13]"""
    combatant = state[command.actor]
    weapon = find_weapon(state, Attack(actor=command.actor, target="", weapon=command.weapon))
    check_may_attack(combatant)
    if is_melee(weapon) or has_tag(weapon.data, "area"):
        raise Refused("not_allowed", "Overwatch is for shooting at one target.")
    check_weapon(state, combatant, weapon)
    check_rounds(state, weapon, 1)
    if command.zone:
        check_zone(state.scene, command.zone)


# ---------------------------------------------------------------- watchers


def find_watchers(state: State, mover: str) -> list[tuple[str, Condition]]:
    """The enemies with a shot ready against a combatant, in turn order. [COS-ACT-23]

    There is no other reaction: without overwatch nobody is asked. The pinned shoot at nobody. [COS-MANV-05]
    """
    if not find_holders(state, "overwatch"):
        return []
    combatant, found = state[mover], []
    for who in state.order:
        other = state.combatants[who]
        held = find_condition(other, "overwatch")
        free = is_able(other) and not KINDS.loses(other, "reactions")
        if held and other.side != combatant.side and free and not is_concealed_from(state, other, combatant):
            found.append((who, held))
    return found


def can_shoot(state: State, who: str, held: Condition, target: Combatant) -> bool:
    """Whether the readied shot is possible at a target in its current place."""
    return allows(check_attack, _stand(state, target), _shot(who, held, target.id))


def _stand(state: State, combatant: Combatant) -> State:
    return replace(state, combatants={**state.combatants, combatant.id: combatant})


def _shot(who: str, held: Condition, target: str) -> Attack:
    return Attack(actor=who, target=target, weapon=str(held.marks.get("weapon", "")))


def _has_called_off(context: RuleContext, who: str) -> bool:
    """Whether a watcher has called off the shot at this command; holding fire does not count."""
    return any(a.rule == RULE and a.who == who and a.value == ABORT for a in context.answers)


def ask_watcher(context: RuleContext, who: str, held: Condition, mover: str, doing: str) -> str:
    """Ask to shoot, hold or abort [COS-MANV-16]; aborting is free and keeps the watch. [COS-MANV-18]"""
    state = context.state
    trigger = str(held.marks.get("trigger", ANY_TRIGGER)).rstrip(".")
    question = f"{state[mover].name} {doing}. Fire? (Trigger: {trigger}.)"
    chosen = context.ask(who, question, ANSWERS, rule=RULE, default=HOLD)
    if chosen == ABORT:
        context.emit(e.Said("log.calls_off", who), "COS-MANV-18")
    return chosen


def shoot(context: RuleContext, who: str, held: Condition, target: str) -> None:
    """Make an ordinary attack before the trigger completes [COS-MANV-17]; it costs no action. [COS-ACT-24]"""
    shot = _shot(who, held, target)
    remove_condition(context, who, held, why="why.fired", rule="COS-MANV-17")
    loose = is_loose(context.state, context.state[who], find_weapon(context.state, shot))
    aim = context.state[target].at
    step: Then | None = Then(swing, shot, 1)
    while step is not None:
        step = step.step(context, *step.args)
    if loose:
        recoil(context, who, aim, melee=False)


# ---------------------------------------------------------------- movement


class Moment(NamedTuple):
    """A point of a path for a watcher's shot: meters from the start, place in the order, watcher."""

    meters: float
    place: int
    watcher: str
    again: bool = False


def pass_watchers(context: RuleContext, journey: Journey, hamper: Hamper = lambda gone: None) -> Path:
    """Move along a path, with the shots on the way in their order; returns the path covered.

    [COS-MANV-16] [COS-MANV-17] A shot comes where it is first possible. RULING R34: a watcher who holds fire
    there is asked again where the shot is best, if that is farther on. Before each shot, `hamper` gets the
    path covered, with the step under way. A mover who goes down stays there.
    """
    waiting = _find_moments(context.state, journey)
    while waiting:
        moment = heapq.heappop(waiting)
        if journey.burns_before(moment.meters) and not journey.go(moment.meters):
            return journey.gone
        held = _find_held(context, moment, journey)
        if held is None:
            continue
        doing = "moves on" if moment.again else "moves"
        chosen = ask_watcher(context, moment.watcher, held, mover=journey.who, doing=doing)
        if chosen == SHOOT and not _shoot_on_the_way(context, journey, moment, held=held, hamper=hamper):
            return journey.gone
        better = _find_better(context.state, journey, moment, held) if chosen == HOLD else None
        if better:
            heapq.heappush(waiting, better)
    journey.finish()
    return journey.gone


def _find_moments(state: State, journey: Journey) -> list[Moment]:
    """A heap of the points where each watcher of moves can first shoot."""
    found = []
    for place, (watcher, held) in enumerate(find_watchers(state, journey.who)):
        if held.marks.get("when") != "action":
            shots = find_shots(state, watcher, held, journey)
            found += [Moment(meters, place, watcher) for meters, _ in itertools.islice(shots, 1)]
    heapq.heapify(found)
    return found


def _find_held(context: RuleContext, moment: Moment, journey: Journey) -> Condition | None:
    """The shot that a watcher still has ready, if it is possible now and not called off."""
    watchers = dict(find_watchers(context.state, journey.who))
    held = watchers.get(moment.watcher)
    if held is None or _has_called_off(context, moment.watcher):
        return None
    there = replace(context.state[journey.who], at=journey.find_spot(moment.meters))
    return held if can_shoot(context.state, moment.watcher, held, there) else None


def _shoot_on_the_way(
    context: RuleContext, journey: Journey, moment: Moment, held: Condition, hamper: Hamper
) -> bool:
    """Move on to the point of the shot and resolve it; whether the mover can go farther."""
    if not journey.go(moment.meters):
        return False
    hamper((*journey.gone, *split(journey.left, STEP_UNDER_WAY_M)[0][1:]))
    shoot(context, moment.watcher, held, journey.who)
    return is_able(context.state[journey.who])


def _find_better(state: State, journey: Journey, moment: Moment, held: Condition) -> Moment | None:
    """The best point farther on for a watcher who holds fire; None if no shot is better."""
    if moment.again:
        return None
    shots = find_shots(state, moment.watcher, held, journey=journey, least=moment.meters)
    rated = [(-_rate(state, moment.watcher, held, there), meters) for meters, there in shots]
    _, meters = min(rated, default=(0, moment.meters))
    return Moment(meters, moment.place, moment.watcher, again=True) if meters > moment.meters else None


def _rate(state: State, watcher: str, held: Condition, target: Combatant) -> int:
    """The sum of a shot's modifiers, less the target's Defense."""
    there, shot = _stand(state, target), _shot(watcher, held, target.id)
    sums = find_sums(there, shot, prepare(there, shot))
    return sums.bonus - sums.defense


def find_shots(
    state: State, watcher: str, held: Condition, journey: Journey, least: float = 0.0
) -> Iterator[tuple[float, Combatant]]:
    """The points of a journey for a readied shot, from `least` meters on: meters, and the mover there."""
    zone = zone_named(state.scene, str(held.marks.get("zone", "")))
    for meters in find_steps(state.scene, journey.path):
        if meters < least:
            continue
        there = replace(state[journey.who], at=journey.find_spot(meters))
        if (zone is None or holds(zone, there.at.x, there.at.y)) and can_shoot(state, watcher, held, there):
            yield meters, there


def find_steps(scene: Scene, path: Path) -> list[float]:
    """The meters of a path at which to try a shot: every half meter, bends, zone edges, the end."""
    whole = path_length(path)
    bends = itertools.accumulate(plan_distance(a, b) for a, b in itertools.pairwise(path))
    edges = (stretch.begin for stretch in find_stretches(scene, path))
    steps = (n * STEP_M for n in range(int(whole / STEP_M) + 1))
    return sorted({round(meters, 3) for meters in (0.0, *steps, *edges, *bends) if meters <= whole})


# ---------------------------------------------------------------- actions


def watched(run: Run) -> Run:
    """An action that watchers may answer before it takes effect: any that costs part of the turn.

    [COS-MANV-16] RULING R34: free actions trigger no shot. Watchers answer an action of several steps after
    the first step, when it is paid for, and any other action before it begins.
    """

    @wraps(run)
    def act(context: RuleContext, command: Any) -> Then | None:
        if not find_holders(context.state, "overwatch") or not find_watchers(context.state, command.actor):
            return run(context, command)
        price, goes_on = _try_out(context, run, command)
        if not price:
            return run(context, command)
        if not goes_on:
            return Then(face_watchers, command.actor, price, run, command)
        then = run(context, command)
        return then and Then(face_watchers, command.actor, PAID, then.step, *then.args)

    return act


def _try_out(context: RuleContext, step: Step, *args: Any) -> tuple[Price, bool]:
    """The price of a step, and whether another follows; Refused if the step is."""
    trial, then = RuleContext(context.system, context.state, _Trial(), trades=context.trades), None
    with suppress(NeedsAnswer):
        then = step(trial, *args)
    spent = [fact.event.pools for fact in trial.facts if isinstance(fact.event, e.BudgetSpent)]
    price = {pool: sum(each.get(pool, 0) for each in spent) for each in spent for pool in each}
    return tuple(price.items()), then is not None


class _Trial:
    """A trial context: takes the default of every choice, rolls no dice and keeps no log."""

    tells = False

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            return answer_choice(request, request.default, "policy")
        return None


def face_watchers(context: RuleContext, actor: str, price: Price, step: Step, *args: Any) -> Then | None:
    """Let watchers shoot at an acting combatant, then do the step if it can go on. [COS-MANV-17]

    A combatant who can no longer do it loses the `price` that is still to be paid.
    """
    if not _ask_watchers(context, actor) or _can_go_on(context, actor, step, *args):
        return step(context, *args)
    left = context.state[actor].budget
    lost = {pool: min(n, left.get(pool, 0)) for pool, n in price if left.get(pool, 0)}
    if lost:
        context.emit(e.BudgetSpent(actor, lost), "COS-MANV-17")
    context.emit(e.Said("log.cannot_go_on", actor), "COS-MANV-17")
    return None


def _can_go_on(context: RuleContext, actor: str, step: Step, *args: Any) -> bool:
    try:
        _try_out(context, step, *args)
    except Refused:
        return False
    return is_able(context.state[actor])


def _ask_watchers(context: RuleContext, actor: str) -> bool:
    """Ask the watchers of actions in their order and resolve their shots; whether one shot."""
    fired = False
    for watcher, held in find_watchers(context.state, actor):
        if held.marks.get("when") == "move" or _has_called_off(context, watcher):
            continue
        if not _watches(context.state, held, actor):
            continue
        if not can_shoot(context.state, watcher, held, context.state[actor]):
            continue
        if ask_watcher(context, watcher, held, mover=actor, doing="acts") == SHOOT:
            fired = True
            shoot(context, watcher, held, actor)
        if not is_able(context.state[actor]):
            break
    return fired


def _watches(state: State, held: Condition, actor: str) -> bool:
    zone = zone_named(state.scene, str(held.marks.get("zone", "")))
    here = state[actor].at
    return zone is None or holds(zone, here.x, here.y)


def watch_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of overwatch."""
    weapons = weapon_choices(state, state[actor], melee=False)
    first = first_open(weapons)
    when = (Choice("any", "moves or acts"), Choice("move", "moves"), Choice("action", "acts"))
    zones = (Choice("", "anywhere"), *(Choice(zone.id, zone.name) for zone in state.scene.zones))
    return (
        Field("weapon", "Weapon", "choice", options=weapons, value=first),
        Field("trigger", "What for", "text", help="in your words", rule="COS-MANV-16", required=False),
        Field("when", "When an enemy", "choice", options=when, value="any"),
        Field("zone", "Where", "choice", options=zones, value="", required=False),
    )


ACTIONS = (
    act(
        "overwatch",
        overwatch,
        check_attacks,
        check_any(watch_fields, "There is nothing to shoot with."),
        fields=watch_fields,
    ),
)
