"""The basic attack: declaration, reaction, roll and damage, and the others a miss may hit."""

from __future__ import annotations

from functools import partial

import msgspec

from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state.state import State

from ...body.hits import Onward
from ...dice.focus import use_aim
from ...dice.rolls import DICE, find_cuts, roll_terms
from ...world.economy import pay_significant
from ...world.order import offer_interrupt
from ..aim import Attack, Sight, Strike, burst_terms, modifiers_for_attack, with_computer
from ..checks import check_attack
from ..explosives.launch import Thrown, find_thrown, is_explosive, launch, make_flight, scatter_thrown
from ..explosives.lobs import describe_blast
from ..reactions import react
from ..shots import Blow, burst_damage, deal, fire, make_blow
from .shotguns import find_shells, find_spread, fire_fan, modifiers_for_fan, spreads
from .strays import find_strays, stray

HIT, MISS = "outcome.hit", "outcome.miss"


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that is ready to roll: its DMs, its damage, and the others a miss may hit."""

    terms: Modifiers
    blow: Blow
    rule: str
    strays: tuple[str, ...] = ()
    what: Label = "check.attack"
    thrown: Thrown | None = None


def attack(context: RuleContext, command: Attack) -> Then | None:
    """Attack as a significant action: one weapon on one target. [CE-ATK-01] [CE-ATK-02] [CE-BURST-03]"""
    sight = check_attack(context.state, command)
    if offer_interrupt(context, command.actor):
        return None
    if is_explosive(sight):
        return launch(context, command, sight)
    if spreads(context.state, sight):
        return fire_fan(context, command, sight)
    dice = burst_damage(sight, command.burst)
    terms = modifiers_for_attack(context.state, command, sight, *burst_terms(sight, command.burst))
    blow = make_blow(context.state, sight, dice)
    return begin(context, command, sight, terms, blow, sight.rounds)


def begin(
    context: RuleContext, command: Strike, sight: Sight, terms: Modifiers, blow: Blow, rounds: int
) -> Then:
    """Pay for an attack, ask the target for a reaction, and go on to the roll."""
    who = command.actor
    strays = find_strays(context.state, sight)  # of the state that weighed the attack
    pay_significant(context, who, "Attack", "CE-ATK-01")
    use_aim(context, who)
    fire(context, sight, rounds)
    rule = find_rule(sight)
    reaction = react(context, command.target, who, sight.mode, sight.cover)
    terms = with_computer(context.state, sight, terms, reaction)
    thrown = find_thrown(context.state, sight)
    return Then(swing, Shot(terms=terms, blow=blow, rule=rule, strays=strays, thrown=thrown))


def find_rule(sight: Sight) -> str:
    """The rule of a melee attack, a shot or a throw. [CE-ATK-06] [CE-ATK-08] [CE-ATK-09]"""
    return {"melee": "CE-ATK-06", "thrown": "CE-ATK-09"}.get(sight.mode, "CE-ATK-08")


def swing(context: RuleContext, shot: Shot, onward: Onward = ()) -> Then | None:
    """Roll 2D6 and the DMs against 8: a hit does damage, a miss may hit someone else. [CE-ATK-04]

    A thrown weapon that hits no one lands elsewhere. [CE-THROW-05]
    """
    blow = shot.blow
    effect = roll_terms(
        context,
        blow.by,
        shot.terms,
        what=shot.what,
        rule=shot.rule,
        target=blow.target,
        why=say("roll.attack", item=blow.weapon, target=blow.target),
        cuts=partial(find_cuts, shot.terms, "success" if blow.adds_effect else "none"),
        outcomes=(HIT, MISS),
    )
    if effect >= 0:
        return Then(deal, blow, effect, onward)
    missed = (scatter_thrown, shot.thrown, effect) if shot.thrown else ()
    return stray(context, blow, shot.strays, onward, missed)


def preview(state: State, command: Attack) -> Preview:
    """The sums of the form, before anything is rolled."""
    sight = check_attack(state, command)
    terms, notes = _predict(state, command, sight)
    notes = (*notes, say("note.range", band=f"band.{sight.band}"))
    if sight.mode == "ranged" and sight.item.loaded is not None:
        notes = (*notes, say("note.rounds", n=sight.rounds, loaded=sight.item.loaded))
    return Preview(terms, (), "against.eight", DICE, notes)


def _predict(state: State, command: Attack, sight: Sight) -> tuple[Modifiers, tuple[Label, ...]]:
    """The DMs of an attack, and its expected result."""
    burst = burst_terms(sight, command.burst)
    if is_explosive(sight):
        notes = describe_blast(state, sight, make_flight(state, command, sight, ()).rings)
        return modifiers_for_attack(state, command, sight, *burst, alone=True), notes
    if spreads(state, sight):
        dice = find_shells().damage_beyond_short
        spread = say("note.spread", n=len(find_spread(state, sight)))
        return modifiers_for_fan(state, command, sight), (say("note.damage", dice=dice), spread)
    notes = (say("note.damage", dice=burst_damage(sight, command.burst)),)
    return modifiers_for_attack(state, command, sight, *burst), notes
