"""The basic attack: declaration, reaction, roll and damage, and the others a miss may hit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import folded_field
from combat.rules.core.declaration.actions import name_rounds
from combat.rules.core.space import map_of
from combat.rules.core.state.state import Combatant, State

from ...body.hits import Onward
from ...book.tables import COVERS
from ...characters.goods.catalogue import UNARMED
from ...dice.focus import use_aim
from ...dice.rolls import DICE, find_cuts, roll_terms
from ...world.acting import act
from ...world.cover import OPEN
from ...world.economy import check_significant, pay_significant
from ...world.order import offer_interrupt
from ..aim import Attack, Sight, Strike, burst_terms, modifiers_for_attack, with_computer
from ..checks import check_attack, check_grip
from ..explosives.launch import (
    Thrown,
    find_thrown,
    is_explosive,
    launch,
    make_flight,
    modifiers_for_flight,
    scatter_thrown,
)
from ..explosives.lobs import describe_blast, find_area_of_attack, find_victims_of_attack
from ..fields import REST, burst_field, find_arms, find_usable, rounds_field, strike_fields
from ..reactions import react
from ..shots import Blow, burst_damage, deal, fire, make_blow
from ..weapons import find_own
from .shotguns import describe_spread, fire_fan
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
    more, dice = burst_terms(sight, command.burst), burst_damage(sight, command.burst)
    return begin(context, command, sight, more=more, dice=dice, rounds=sight.rounds)


def begin(
    context: RuleContext, command: Strike, sight: Sight, more: Iterable[Modifier], dice: str, rounds: int
) -> Then:
    """Pay for an attack with the DMs of this way to attack, ask for a reaction, and go on to the roll."""
    if sight.spreads:
        return fire_fan(context, command, sight, more=more, dice=dice, rounds=rounds)
    who = command.actor
    terms = modifiers_for_attack(context.state, command, sight, *more)
    blow = make_blow(context.state, sight, dice)
    strays = find_strays(context.state, sight)  # of the state that weighed the attack
    pay_significant(context, who, "Attack", "CE-ATK-01")
    use_aim(context, who)
    fire(context, sight, rounds)
    rule = find_rule(sight)
    reaction = react(context, command.target, who, mode=sight.mode, cover=sight.cover)
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
        cuts=partial(find_cuts, shot.terms, "success"),
        outcomes=(HIT, MISS),
    )
    if effect >= 0:
        return Then(deal, blow, effect, onward)
    missed = (scatter_thrown, shot.thrown, effect) if shot.thrown else ()
    return stray(context, blow, shot.strays, onward=onward, missed=missed)


def preview(state: State, command: Attack) -> Preview:
    """The sums of the form, before anything is rolled."""
    sight = check_attack(state, command)
    terms, notes = _predict(state, command, sight)
    notes = (*notes, say("note.range", band=f"band.{sight.band}"))
    if sight.mode == "ranged" and sight.item.loaded is not None:
        notes = (*notes, say("note.rounds", n=sight.rounds, loaded=sight.item.loaded))
    return Preview(terms, (), "against.eight", dice=DICE, notes=notes)


def _predict(state: State, command: Attack, sight: Sight) -> tuple[Modifiers, tuple[Label, ...]]:
    """The DMs of an attack, and its expected result."""
    if is_explosive(sight):
        notes = describe_blast(state, sight, make_flight(state, command, sight, ()).rings)
        return modifiers_for_flight(state, command, sight), notes
    notes = (say("note.damage", dice=burst_damage(sight, command.burst)), *describe_spread(state, sight))
    return modifiers_for_attack(state, command, sight, *burst_terms(sight, command.burst)), notes


# ---------------------------------------------------------------- form

MODES = (
    Choice("", "automatic"),
    Choice("melee", "in melee"),
    Choice("thrown", "thrown"),
    Choice("ranged", "at range"),
)

USING = (Choice("", "the better"), Choice("str", "Strength"), Choice("dex", "Dexterity"))


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target and weapon, a burst, and in a fold the way the weapon is used. [CE-ATK-02]"""

    def check(target: str, weapon: str) -> None:
        check_attack(state, Attack(actor=actor, target=target, weapon=weapon))

    more: tuple[Field, ...] = ()
    if any(rate > 1 for i in find_arms(state, actor) for rate in i.data.get("rate_of_fire", ())):
        more = (rounds_field(state, actor), burst_field(state, actor))
    mode = folded_field("mode", "Used", "choice", options=MODES, value="", rule="CE-RANGE-09")
    using = folded_field("using", "In melee with", "choice", options=USING, value="", rule="CE-ATK-07")
    return (*strike_fields(state, actor, check), *more, mode, using, REST, *cover_fields(state))


def cover_fields(state: State) -> tuple[Field, ...]:
    """On a battle map: the cover that the GM states for this attack; the default is the map's. [CE-MOD-02]"""
    if not map_of(state.scene):
        return ()
    stated = (Choice(OPEN, "none"), *(Choice(key, row.name) for key, row in COVERS.items()))
    options = (Choice("", "as the scene has it"), *stated)
    return (folded_field("cover", "Target's cover", "choice", options=options, value="", rule="CE-MOD-02"),)


def name_attack(words: str, state: State, combatant: Combatant) -> str:
    """The first weapon or grenade in hand with its rounds; the usual words if it lacks a free hand."""
    own = (i for i in find_own(combatant) if i.place == "held" and i.data.get("id") != UNARMED)
    ready = (item for item in own if allows(check_grip, combatant, item))
    return next(map(name_rounds, ready), words)


def check_attack_now(state: State, actor: str) -> None:
    """Refuse an attack without a ready weapon or without a significant action left."""
    if not find_usable(state, actor):
        raise Refused("not_allowed", "No weapon is ready: ready or reload one first.")
    check_significant(state, actor, "attack")


ACTIONS = (
    act(
        "attack",
        attack,
        check_attack_now,
        fields=attack_fields,
        preview=preview,
        brief=name_attack,
        caught=find_victims_of_attack,
        caught_rolls=False,
        area=find_area_of_attack,
    ),
)
