"""Attacks from the form to the hit; the ranges of weapons.

[CG-DEF-01] [CG-LOC-01] The order is fixed: roll, defense, location, damage less armor and Toughness.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, Preview, first_open, folded_field, seen_fields
from combat.rules.core.commands.context import Defend, RuleContext, Then
from combat.rules.core.declaration.parts import Ring, name_weapon
from combat.rules.core.map.moving import Course
from combat.rules.core.odds.harm import Hit, weigh
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, has_condition, is_acting, present, replace
from combat.rules.core.turn.turns import is_shared, remove_conditions, spend

from ..body.moving import MOVER
from ..body.resolve import Effect, carry_out, find_spot
from ..book.options import find_option
from ..book.tables import ACTION, PLACES, RANGE_RANKS, TURN_BUDGET
from ..book.traits import find_reach_yards
from ..characters.catalogue import is_built_in
from ..characters.sheet import is_able, read_weapon
from ..characters.values import find_ranks, sum_ranks
from ..dice import count_highest, preview_chance, roll_under
from ..world.acting import act, find_targets, target_field
from ..world.reach import are_enemies, check_grip, fallen_choices
from ..world.strides import find_place_beside, keep_left, stride_yards
from .aim import (
    Aim,
    Attack,
    Use,
    aim,
    attack_terms,
    between_terms,
    check_attack,
    check_standing,
    count_called_ranks,
    damage_ranks,
    find_use,
    is_throwable,
    read_use,
)
from .damage import locate
from .defense import ward_off

PHYSICAL = "physical"  # the mark of a physical round, RULING R40
ACTIVE = "active"  # the mark of a round without rest
MAX_STEPS = 4  # rings of one weapon
DECLARED = "declared"  # the mark of an action about which the holders were asked
WAIT, ACT = "wait", "act"


# ---------------------------------------------------------------- form


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target, weapon and part of the body, filled with what works now. [CG-ATK-01] [CG-REF-04]"""
    target, weapon = _find_pair(state, actor)
    options = weapon_choices(state, state[actor])

    def check(other: Combatant) -> None:
        _check_any(state, actor, other)

    throws = any(map(is_throwable, state[actor].items))
    thrown = folded_field("thrown", "Throw it", "flag", rule="CG-ATK-01")
    return (
        target_field(state, actor, check=check, wanted=target),
        Field(
            "weapon",
            "Weapon",
            "choice",
            options=options,
            value=weapon or first_open(options),
            rule="CG-ATK-01",
        ),
        folded_field("called", "Called shot", "choice", options=called_choices(state), rule="CG-REF-04"),
        *((thrown,) if throws else ()),
        *seen_fields(state, "CG-REF-11"),
    )


def _find_pair(state: State, actor: str) -> tuple[str, str]:
    """The first target that a weapon in hand reaches, with the one that does most there."""
    combatant = state[actor]
    uses = [read_use(item, False) for item in combatant.items if item.kind == "weapon"]
    for target in find_targets(state, actor):
        usable = [use for use in uses if not why_refused(aim, state, combatant, target, use)]
        if usable:
            return target.id, max(usable, key=partial(_count_worth, state, combatant, target)).item.id
    return "", ""


def _count_worth(state: State, combatant: Combatant, target: Combatant, use: Use) -> float:
    """The damage to expect of an attack, in points, before any defense and soak."""
    ranks = sum_ranks(state, combatant, use.skill) + add_up(between_terms(state, combatant, target, use))
    chance = count_highest(state, ranks) / 100
    return weigh((Hit(chance),), use.weapon.damage, damage_ranks(state, combatant, use)).mean


def _refuse_any_use(state: State, combatant: Combatant, target: Combatant, item: Item) -> str:
    """Why a weapon reaches someone neither in hand nor thrown; empty if it does."""
    refused = why_refused(aim, state, combatant, target, read_use(item, False))
    if not refused or not is_throwable(item):
        return refused
    return why_refused(aim, state, combatant, target, read_use(item, True)) and refused


def _check_any(state: State, actor: str, target: Combatant) -> None:
    """Refuse a target that no weapon in hand reaches, with the reason of the last weapon."""
    combatant, refused = state[actor], ""
    for item in combatant.items:
        if item.kind == "weapon" and item.place == "held":
            refused = _refuse_any_use(state, combatant, target, item)
            if not refused:
                return
    if refused:
        raise Refused("out_of_range", refused)


def weapon_choices(state: State, combatant: Combatant) -> tuple[Choice, ...]:
    """The combatant's weapons for a form; those not ready are refused with the reason."""
    found = [
        Choice(item.id, item.name, describe_weapon(state, combatant, item), _refusal(combatant, item))
        for item in combatant.items
        if item.kind == "weapon"
    ]
    return (*sorted(found, key=lambda choice: bool(choice.refused)), *fallen_choices(state, combatant.id))


def _refusal(combatant: Combatant, item: Item) -> str:
    if item.place != "held":
        return f"{item.name} is not in hand: draw it first."
    return why_refused(check_grip, combatant, item)


def describe_weapon(state: State, combatant: Combatant, item: Item) -> str:
    """A line about a weapon: damage and ranks."""
    use = read_use(item, False)
    ranks = find_ranks(state, combatant, use.skill)
    return f"{say_damage(state, combatant, use)}, {ranks} ranks"


def say_damage(state: State, combatant: Combatant, use: Use) -> str:
    """The dice of a weapon with its added points, if any."""
    points = damage_ranks(state, combatant, use)
    return f"{use.weapon.damage}{points:+}" if points else use.weapon.damage


def called_choices(state: State) -> tuple[Choice, ...]:
    """The parts of the body with the cost of naming them.  [CG-REF-04]"""
    named = tuple(
        Choice(place, place.replace("_", " "), f"{count_called_ranks(state, place)} ranks".replace("-", "−"))
        for place in PLACES
    )
    return (Choice("", "none: roll the location"), *named)


def preview(state: State, command: Attack) -> Preview:
    """The sums of the form, before any roll."""
    found = check_attack(state, command)
    damage = say("note.damage", dice=say_damage(state, state[command.actor], found.use))
    way = (say("note.approach", yards=found.needed),) if found.needed else ()
    return preview_chance(state, attack_terms(state, command, found.use), damage, *way)


# ---------------------------------------------------------------- procedure


def attack(context: RuleContext, command: Attack) -> Then | None:
    """Take the round's action for one attack; held actions may come first. [CG-ATK-01] [CG-ACT-02]"""
    found = check_attack(context.state, command)
    if is_forestalled(context, command.actor):
        return None
    spend(context, command.actor, {ACTION: 1}, on="an attack", rule="CG-ACT-02")
    exert(context, command.actor, found.use.kind != "missile")
    if not found.use.is_distant:
        go_up_to(context, command, found)
    return Then(strike, command)


def exert(context: RuleContext, who: str, physical: bool) -> None:
    """Mark the kind of this round. [CG-FAT-01]  RULING R39 R40"""
    context.emit(e.Marked(who, ACTIVE, True), "CG-FAT-06", e.GM_ONLY)
    if physical:
        context.emit(e.Marked(who, PHYSICAL, True), "CG-FAT-01", e.GM_ONLY)


def go_up_to(context: RuleContext, command: Attack, found: Aim) -> None:
    """Move up to the target before the blow; the rest of half a move may follow it. [CG-MOVE-03]"""
    who, needed = command.actor, found.needed
    half = stride_yards(context.state, context.state[who], melee=True)
    if needed:
        combatant = replace(context.state[who], at=find_spot(context.state, who))
        target = context.state[command.target]
        at = find_place_beside(context.state, combatant, target, found.use.reach)
        move = Effect(
            kind="move",
            who=who,
            rule="CG-MOVE-03",
            at=at,
            points=round(needed),
            cost=needed,
            how="how.moves",
            way="charge",
        )
        MOVER.check(context.state, Course(who, (combatant.at, at), "charge"))
        carry_out(context, move)
    keep_left(context, who, half - needed, "CG-MOVE-03")


def strike(context: RuleContext, command: Attack) -> Then | None:
    """Roll d100 within the ranks [CG-ATK-02]; a defense may still ward it off. [CG-DEF-05]"""
    use = find_use(context.state, command)
    terms = attack_terms(context.state, command, use)
    why = say("roll.attack", item=use.item.name, target=command.target)
    if command.called:
        args = {**why.args, "part": f"place.{command.called}"}
        why = say("roll.called", **args)
    result = roll_under(
        context,
        command.actor,
        terms,
        rule="CG-ATK-02",
        what="check.attack",
        target=command.target,
        why=why,
        words=("outcome.succeeds", "outcome.miss"),
        exact=find_option(context.state, "defense_rule") == "match_margin",
    )
    if not result.good:
        return finish(context, command, use)
    return Defend(face_defense, command, result.margin)


def face_defense(context: RuleContext, command: Attack, margin: int) -> Then | None:
    """Let the target defend, only against an attack that succeeded. [CG-DEF-01]"""
    use = find_use(context.state, command)
    if ward_off(context, command.actor, command.target, distant=use.is_distant, margin=margin):
        return finish(context, command, use)
    return Then(locate, command)


def finish(context: RuleContext, command: Attack, use: Use) -> Then | None:
    """Drop a weapon thrown in vain beside its target."""
    if use.kind == "thrown":
        carry_out(context, find_landing(context, command, use))
    return None


def find_landing(context: RuleContext, command: Attack, use: Use) -> Effect:
    """The effect that puts a thrown weapon on the ground."""
    at = context.state[command.target].at
    return Effect(kind="land", who=command.actor, rule="CG-ATK-01", item=use.item.id, at=at)


# ---------------------------------------------------------------- ranges


def find_rings(state: State, combatant: Combatant) -> tuple[Ring, ...]:
    """Melee reach and, if the table lets range count, each step of range.  RULING R35"""
    known = {item.id: item for item in combatant.items}
    weapons = [known[choice.value] for choice in weapon_choices(state, combatant) if choice.value in known]
    return tuple(ring for item in weapons for ring in _find_rings(state, item))


def _find_rings(state: State, item: Item) -> Iterator[Ring]:
    weapon = read_weapon(item)
    if not weapon.range_yards:
        reach = find_reach_yards(weapon)
        yield Ring(item.id, reach, f"{item.name}: reach {reach:g} yd")
        return
    counts = find_option(state, "range_penalty") != "off"
    for step in range(MAX_STEPS if counts else 1):
        yards, cost = (step + 1) * weapon.range_yards, -RANGE_RANKS * step
        words = f"{yards} yd: \N{MINUS SIGN}{cost} ranks" if cost else f"{item.name}: {yards} yd"
        yield Ring(item.id, yards, words)


# Held actions that interrupt a declared action. RULING R8


def is_forestalled(context: RuleContext, actor: str) -> bool:
    """Whether someone with a held action comes first, so that this action waits. [CG-ACT-06]

    The holders are asked once for each declared action.
    """
    if not may_forestall(context.state, actor):
        return False
    context.emit(e.Marked(actor, DECLARED, True), "CG-ACT-06", e.GM_ONLY)
    name = context.state[actor].name
    options = (Choice(WAIT, "Go on holding"), Choice(ACT, "Act first"))
    holders = find_holders(context.state, actor)
    question = f"{name} is about to attack. Act first?"
    chosen = context.ask_each(holders, question, options, rule="CG-ACT-06", default=WAIT)
    early = [who for who in holders if chosen[who] == ACT]
    for who in early:
        step_in(context, who)
        context.emit(e.Said("log.forestalls", who, actor), "CG-ACT-06")
    return bool(early)


def may_forestall(state: State, actor: str) -> bool:
    """Whether held actions may come before a declared one, and their holders were not yet asked."""
    if find_option(state, "hold_interrupts") != "may_preempt_declared_action":
        return False
    asked = state[actor].marks.get(DECLARED)
    return not asked and not is_shared(state) and bool(find_holders(state, actor))


def find_holders(state: State, actor: str) -> tuple[str, ...]:
    """The enemies of someone who hold an action and can act."""
    combatant = state[actor]
    return tuple(
        other.id
        for other in present(state)
        if has_condition(other, "holding")
        and is_able(other)
        and are_enemies(combatant, other)
        and not is_acting(state, other.id)
    )


def step_in(context: RuleContext, who: str) -> None:
    """Take a held action now, between the actions of others. [CG-ACT-06]"""
    remove_conditions(context, who, "holding", why="why.acts", rule="CG-ACT-06")
    kind = e.TurnShared if context.state.active else e.TurnStarted
    context.emit(kind(who, dict(TURN_BUDGET), context.state[who].acted), "CG-ACT-06")


ACTIONS = (
    act(
        "attack",
        attack,
        check_standing,
        fields=attack_fields,
        preview=preview,
        brief=partial(name_weapon, is_built_in),
    ),
)
