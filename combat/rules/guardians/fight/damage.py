"""A hit on a part of the body: damage less armor and Toughness, and the further effect of a 7."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import Args, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.turn.turns import is_shared

from ..body.effects import Effect, Kind
from ..body.resolve import do
from ..book.options import find_option
from ..book.tables import PLACES
from ..book.traits import severs
from ..characters.values import find_armor, find_mp, find_ranks
from .aim import Attack, damage_ranks, find_use


def land(context: RuleContext, command: Attack, *effects: Effect) -> Then | None:
    """Apply the effects of an attack; a thrown weapon lies where it hit."""
    use = find_use(context.state, command)
    if use.kind == "thrown":
        at = context.state[command.target].at
        thrown = Effect(kind="land", who=command.actor, rule="CG-ATK-01", item=use.item.id, at=at)
        effects = (*effects, thrown)
    return do(context, *effects)


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """A hit on a part of the body without its dice: added points, soak, and the further effect of a 7."""

    command: Attack
    place: str
    name: str
    dice: str
    attribute: str
    added: int
    severs: bool
    soak: Modifiers
    cuts: tuple[int, ...]
    besides: tuple[Effect, ...] = ()


def deal(context: RuleContext, command: Attack, place: str, seven: bool) -> Then | None:
    """Find the damage to a part of the body, and its soak. [CG-ATK-03] [CG-ATK-04]

    Only a part that was hit loses points. [CG-ATK-05] A 7 also breaks the armor. [CG-SPEC-03]  RULING R13
    """
    target = context.state[command.target]
    how = find_option(context.state, "seven_damage") if seven else ""
    besides = (make_seven_effect(context.state, command, target, place),) if seven else ()
    if how == "no_damage":
        return land(context, command, *besides)
    return Then(
        roll_damage, make_blow(context.state, command, place, bare=how == "zero_then_damage", besides=besides)
    )


def make_blow(
    state: State, command: Attack, place: str, bare: bool, besides: tuple[Effect, ...] = ()
) -> Blow:
    """The added ranks, less armor and Toughness; `bare` ignores armor. [CG-ATK-03] [CG-REF-05]"""
    use, target = find_use(state, command), state[command.target]
    added = damage_ranks(state, state[command.actor], use)
    soak = soak_terms(state, target, place, bare)
    return Blow(
        command=command,
        place=place,
        name=use.item.name,
        dice=use.weapon.damage,
        attribute=use.attribute,
        added=added,
        severs=severs(use.weapon),
        soak=soak,
        cuts=find_cuts(use.weapon.damage, added + add_up(soak), find_mp(target, place)),
        besides=besides,
    )


def make_seven_effect(state: State, command: Attack, target: Combatant, place: str) -> Effect:
    """Break the armor [CG-SPEC-03]; without armor, lower Toughness. [CG-SPEC-04]  RULING R14"""
    anywhere = find_option(state, "no_armor_means") == "anywhere"
    has_armor = find_armor(target, place) or (anywhere and any(find_armor(target, p) for p in PLACES))
    kind: Kind = "strip" if has_armor else "weaken"
    rule = "CG-SPEC-03" if has_armor else "CG-SPEC-04"
    return Effect(
        kind=kind,
        who=command.actor,
        target=target.id,
        place=place,
        rule=rule,
        why="why.seven",
    )


def roll_damage(context: RuleContext, blow: Blow) -> Then | None:
    """Roll the weapon's damage, added and soaked, never below 0; then apply it. [CG-ATK-03]"""
    command, place, waits = blow.command, blow.place, is_shared(context.state)
    cuts = () if waits else blow.cuts
    roll = context.roll(blow.dice, by=command.actor, rule="CG-ATK-03", why=blow.name, cuts=cuts)
    points = roll.total + blow.added + add_up(blow.soak)
    if waits:
        args: Args = {"n": roll.total, "dice": blow.dice}
        context.emit(e.Said("log.damage", command.actor, command.target, args), "CG-INIT-05")
    wound = Effect(
        kind="wound",
        who=command.actor,
        target=command.target,
        place=place,
        rule="CG-ATK-04",
        points=max(0, points),
        severs=blow.severs,
        why=say("why.blow", item=blow.name, part=f"place.{place}"),
        terms=damage_terms(blow, 0 if waits else roll.total, 0 if waits else points),
        roll=None if waits else roll,
        thrown=say("term.weapon", item=blow.name, dice=blow.dice) if waits else "",
    )
    return land(context, command, wound, *blow.besides)


def damage_terms(blow: Blow, rolled: int, points: int) -> Modifiers:
    """The terms of a blow's points; without the dice if those are added later."""
    label = say("term.weapon", item=blow.name, dice=blow.dice)
    terms = (
        Modifier(label, rolled, "CG-REF-05"),
        Modifier(f"term.{blow.attribute}", blow.added, "CG-REF-05"),
        *blow.soak,
        Modifier("term.floor", max(0, -points), "CG-ATK-03"),
    )
    return without_zeros(terms)


def find_cuts(notation: str, shift: int, left: int) -> tuple[int, ...]:
    """The dice sums at which a damage roll takes more points; beyond the last, nothing changes."""
    dice = parse_dice(notation)
    first, last = dice.count, dice.count * dice.sides
    return tuple(s for s in range(1 - shift, left - shift + 1) if first <= s <= last) or (first,)


def soak_terms(state: State, target: Combatant, place: str, bare: bool = False) -> Modifiers:
    """Armor of that part and Toughness. [CG-ATK-03] [CG-REF-08]  RULING R19 R24 R30"""
    armor = 0 if bare else find_armor(target, place)
    armor, tough = count_soak(find_option(state, "soak"), armor, count_toughness(state, target))
    terms = (Modifier("term.armor", -armor, "CG-REF-08"), Modifier("term.toughness", -tough, "CG-ATK-03"))
    return without_zeros(terms)


def count_toughness(state: State, target: Combatant) -> int:
    """The points that Toughness may take off a blow. [CG-ATK-03]  RULING R19 R30"""
    ranks = find_ranks(state, target, "toughness", roll=False)
    share = str(find_option(state, "toughness_soak"))
    return {"full_ranks": ranks, "half_ranks": ranks // 2}.get(share, 0)


def count_soak(how: str, armor: int, tough: int) -> tuple[int, int]:
    """The points of armor and of Toughness that count together, by the option "soak".  RULING R24"""
    if (how == "armor_else_toughness" and armor) or (how == "higher" and armor >= tough):
        return armor, 0
    return (0, tough) if how == "higher" else (armor, tough)
