"""Suppression fire: shots around a target that keep its head down."""

from __future__ import annotations

from typing import Literal

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Field, Preview, folded_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.rulings import without_help
from combat.rules.core.state.state import Combatant, State, has_condition, replace
from combat.rules.core.turn.turns import add_condition, is_shared, remove_conditions

from ...body.hits import Onward, chain, put_off
from ...book.options import find_option
from ...book.tables import nerves
from ...characters.goods import is_gun
from ...characters.values import is_machine
from ...dice import DICE, KILL, find_cuts, roll_terms, use_aim
from ...world.acting import act
from ...world.bands import find_meters
from ...world.economy import lose_significant, pay_significant
from ...world.order import LAST_ROUND, change_initiative, offer_interrupt
from ...world.sight_lines import check_no_wall
from ..aim import Sight, Strike, burst_terms, modifiers_for_attack
from ..checks import (
    BURST,
    BURSTS,
    check_attack,
    check_rounds,
    check_sighted,
    find_targets,
    gun_obstacle,
    rounds_field,
    strike_fields,
)
from ..explosives.lobs import is_explosive
from ..shots import fire

SUPPRESSING = -2
TIMES = 2  # the usual ammunition
NEAR_M = 3.0  # meters of the spray around the target
Hits = tuple[tuple[str, int], ...]


class Pinned(msgspec.Struct, frozen=True, tag=True):
    """A combatant forced down by suppression fire, and the Effect of the attack."""

    target: str
    effect: int


class Suppress(Strike, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Shots around a target; with automatic fire the spray may reach someone else `also`. [CE-SUPP-07]"""

    burst: Literal["", "spray"] = ""
    also: str = ""


def check_suppress(state: State, command: Suppress) -> Sight:
    """Refuse all but shots, which take double rounds. [CE-SUPP-03]  RULING R16 R64

    A wall in between stops it: the shots have to come near. [CE-SUPP-01] Who sees nothing hits near nobody.
    [CE-VLOC-32] RULING R89: automatic fire may
    suppress someone else within the spray, 3 m from the target.
    """
    sight = check_attack(state, command, covered=False)
    if sight.mode != "ranged" or is_explosive(sight):
        raise Refused("bad_value", f"{sight.item.name} cannot suppress anyone: choose a gun.")
    check_sighted(state, sight.combatant, sight.item)
    check_no_wall(state, sight.combatant, sight.target)
    check_rounds(sight, count_rounds(state, sight))
    if command.also and sight.rounds < 2:
        raise Refused("bad_value", "Only automatic fire suppresses two: choose a burst.")
    if command.also and find_meters(state, command.target, command.also) > NEAR_M:
        name = state[command.also].name
        raise Refused(
            "bad_target", f"{name} is not within {NEAR_M:g} m of the target: choose someone nearer."
        )
    return sight


def count_rounds(state: State, sight: Sight) -> int:
    """Twice the rounds of the fire mode. [CE-SUPP-03]  RULING R64: not in the summary."""
    return sight.rounds * (TIMES if find_option(state, "suppression_effect") == "penalty" else 1)


def modifiers_for_suppression(state: State, command: Suppress, sight: Sight) -> Modifiers:
    """The shot's DMs and -2. [CE-SUPP-02]  RULING R78: the cover of the suppressed does not count."""
    more = (*burst_terms(sight, command.burst), Modifier("term.suppressing", SUPPRESSING, "CE-SUPP-02"))
    return modifiers_for_attack(state, command, sight, *more, covered=False)


def suppress(context: RuleContext, command: Suppress) -> Then | None:
    """Suppress as a significant action, without damage. [CE-SUPP-01] [CE-SUPP-02]  RULING R16: no reactions
    to it."""
    state = context.state
    aims = []
    for target in filter(None, (command.target, command.also)):
        sight = check_suppress(state, _at(command, target))
        aims.append((target, modifiers_for_suppression(state, _at(command, target), sight)))
    if offer_interrupt(context, command.actor):
        return None
    pay_significant(context, command.actor, "Suppression fire", "CE-ATK-01")
    fire(context, sight, count_rounds(state, sight))
    use_aim(context, command.actor)
    return Then(press, command.actor, sight.item.name, tuple(aims), ())


def _at(command: Suppress, target: str) -> Suppress:
    return replace(command, target=target)


def press(
    context: RuleContext, who: str, weapon: str, aims: tuple[tuple[str, Modifiers], ...], hits: Hits
) -> Then | None:
    """Roll for each target in turn; a miss has no effect. [CE-SUPP-04]"""
    (target, terms), *rest = aims
    effect = roll_terms(
        context,
        who,
        terms,
        what="check.suppression",
        rule="CE-SUPP-02",
        target=target,
        why=say("roll.attack", item=weapon, target=target),
        cuts=find_cuts(terms, "success"),
        outcomes=("outcome.hit", "outcome.miss"),
    )
    if effect >= 0:
        hits = (*hits, (target, effect))
    if rest:
        later = tuple((each, without_help(terms)) for each, terms in rest)
        return Then(press, who, weapon, later, hits)
    for each, points in find_strongest(hits).items():
        if is_shared(context.state):
            put_off(context, who, Pinned(each, points))
        else:
            pin(context, each, points)
    return None


def find_strongest(hits: Hits) -> dict[str, int]:
    """The strongest effect on each target: one action affects no one twice. [CE-SUPP-08] [CE-SUPP-10]"""
    strongest: dict[str, int] = {}
    for target, effect in hits:
        strongest[target] = max(effect, strongest.get(target, effect))
    return strongest


def take_pin(context: RuleContext, pinned: Pinned, onward: Onward) -> Then | None:
    """Apply suppression from a shared count at its end. [CE-ROUND-05]  RULING R33"""
    pin(context, pinned.target, pinned.effect)
    return chain(None, onward)


def pin(context: RuleContext, target: str, effect: int) -> None:
    """Pin the target down, which ends its aim for the kill [CE-MINOR-08]; Initiative down by the Effect
    [CE-SUPP-05]; DM -1 on skill checks in this round and the next [CE-SUPP-06]; not again before the target
    has had a turn. [CE-SUPP-09]  RULING R16 R78: it does not add up."""
    combatant = context.state[target]
    if rule := find_unshakeable(context.state, combatant):
        context.emit(e.Said("log.unshaken", target), rule)
        return
    if has_condition(combatant, "ducking"):
        context.emit(e.Said("log.ducks_already", target), "CE-SUPP-09")
        return
    remove_conditions(context, target, KILL, why="why.ducks", rule="CE-MINOR-08")  # RULING R16
    change_initiative(context, target, -effect, why="why.suppressed", rule="CE-SUPP-05")
    add_condition(context, target, "ducking", rule="CE-SUPP-09")
    if find_option(context.state, "suppression_effect") == "next_action":
        lose_significant(context, target, "pinned", "CE-SUPP-06")
        return
    remove_conditions(context, target, "suppressed", why="why.again", rule="CE-SUPP-06")
    # RULING R84: at the end of its last round
    add_condition(context, target, "suppressed", marks={LAST_ROUND: context.state.round + 1})


def find_unshakeable(state: State, combatant: Combatant) -> str:
    """The rule that makes someone immune, or "". [CE-SUPP-11]

    Vehicles and those inside a closed one [CE-SUPP-12]; machines [CE-SUPP-14]; full Battle Dress
    [CE-SUPP-15]; zealots [CE-SUPP-13] and the suicidal, by their tags or because the GM says so. [CE-SUPP-16]

    RULING R87: in the summary the last four are not immune.
    """
    carrier = state.combatants.get(combatant.inside) if combatant.inside else None
    if combatant.sheet["kind"] == "vehicle" or (carrier and not carrier.sheet.get("open")):
        return "CE-SUPP-12"
    if is_machine(combatant):
        return "CE-SUPP-14"
    if find_option(state, "suppression_effect") == "next_action":
        return ""
    if any(i.place == "worn" and i.data.get("unshaken") for i in combatant.items):
        return "CE-SUPP-15"
    marks = (key.removeprefix(e.UNTOLD_MARK) for key, on in combatant.marks.items() if on is True)
    tags = {*combatant.sheet.get("tags", ()), *marks}
    return next((row.rule for row in nerves().values() if row.id in tags), "")


def preview(state: State, command: Suppress) -> Preview:
    """The sums of the form."""
    sight = check_suppress(state, command)
    notes: tuple[Label, ...] = (say("note.range", band=f"band.{sight.band}"),)
    if sight.item.loaded is not None:
        notes = (*notes, say("note.rounds", n=count_rounds(state, sight), loaded=sight.item.loaded))
    return Preview(
        modifiers_for_suppression(state, command, sight), (), "against.eight", dice=DICE, notes=notes
    )


# ---------------------------------------------------------------- form


def suppress_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target, gun and burst. [CE-SUPP-07]"""

    def check(target: str, weapon: str) -> None:
        check_suppress(state, Suppress(actor=actor, target=target, weapon=weapon))

    spray = msgspec.structs.replace(BURST, options=BURSTS[:2], rule="CE-SUPP-07")
    others = (Choice("", "nobody"), *(Choice(f.id, f.name) for f in find_targets(state, actor)))
    also = folded_field("also", "And", "choice", options=others, value="", rule="CE-SUPP-07")
    return (*strike_fields(state, actor, check), rounds_field(state, actor), spray, also)


check_guns_now = gun_obstacle("", is_gun, "No gun is ready: ready or reload one first.", "suppression fire")


ACTIONS = (act("suppress", suppress, check_guns_now, fields=suppress_fields, preview=preview),)
