"""What a hit on a part of the body does: damage less armor and Toughness, and the rest of a 7."""

from __future__ import annotations

from combat.rules.core.basics.dice import parse_dice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state.state import Combatant, State

from ..body.effects import Effect
from ..body.happen import do
from ..book.options import find_option
from ..book.tables import PLACES
from ..people.values import find_armor, find_mp, find_ranks
from .aim import Attack, Use, find_damage_ranks, find_use

SEVERS = "severs"


def land(context: RuleContext, command: Attack, *effects: Effect) -> Then | None:
    """What an attack does takes effect; a thrown weapon lies where it hit."""
    use = find_use(context.state, command)
    if use.kind == "thrown":
        at = context.state[command.target].at
        thrown = Effect(kind="land", who=command.actor, rule="CG-ATK-01", item=use.item.id, at=at)
        effects = (*effects, thrown)
    return do(context, *effects)


def deal(context: RuleContext, command: Attack, place: str, seven: bool) -> Then | None:
    """[CG-ATK-03] [CG-ATK-04] Roll damage for a part of the body, less what soaks it.

    [CG-ATK-05] Only a part that was hit loses points. [CG-SPEC-03] A 7 takes the armor as well.  RULING R13
    """
    use, target = find_use(context.state, command), context.state[command.target]
    how = find_option(context.state, "seven_damage") if seven else ""
    effects: list[Effect] = []
    if how != "no_damage":
        bare = how == "zero_then_damage"
        effects.append(roll_damage(context, command, use, place, bare))
    if seven:
        effects.append(find_seven(context.state, command, target, place))
    return land(context, command, *effects)


def find_seven(state: State, command: Attack, target: Combatant, place: str) -> Effect:
    """[CG-SPEC-03] Armor falls to nothing; [CG-SPEC-04] without any it is Toughness.  RULING R14"""
    anywhere = find_option(state, "no_armor_means") == "anywhere"
    has_armor = find_armor(target, place) or (anywhere and any(find_armor(target, p) for p in PLACES))
    kind = "strip" if has_armor else "weaken"
    rule = "CG-SPEC-03" if has_armor else "CG-SPEC-04"
    return Effect(
        kind=kind,  # type: ignore[arg-type]
        who=command.actor,
        target=target.id,
        place=place,
        rule=rule,
        why="why.seven",
    )


def roll_damage(context: RuleContext, command: Attack, use: Use, place: str, bare: bool) -> Effect:
    """[CG-ATK-03] [CG-REF-05] The dice of the weapon and ranks, less armor and Toughness, never below 0."""
    fighter, target = context.state[command.actor], context.state[command.target]
    added = find_damage_ranks(context.state, fighter, use)
    soak = soak_terms(context.state, target, place, bare)
    shift = added + add_up(soak)
    cuts = find_cuts(use.weapon.damage, shift, find_mp(target, place))
    roll = context.roll(use.weapon.damage, by=fighter.id, rule="CG-ATK-03", why=use.item.name, cuts=cuts)
    points = roll.total + shift
    label = say("term.weapon", item=use.item.name, dice=use.weapon.damage)
    terms = (
        Modifier(label, roll.total, "CG-REF-05"),
        Modifier(f"term.{use.attribute}", added, "CG-REF-05"),
        *soak,
    )
    if points < 0:
        terms = (*terms, Modifier("term.floor", -points, "CG-ATK-03"))
    why = say("why.blow", item=use.item.name, part=f"place.{place}")
    return Effect(
        kind="wound",
        who=fighter.id,
        target=target.id,
        place=place,
        rule="CG-ATK-04",
        points=max(0, points),
        severs=SEVERS in use.weapon.tags,
        why=why,
        terms=tuple(term for term in terms if term.value),
        roll=roll,
    )


def find_cuts(notation: str, shift: int, left: int) -> tuple[int, ...]:
    """The sums from which on a damage roll takes another number of points; beyond the last it is all one."""
    dice = parse_dice(notation)
    first, last = dice.count, dice.count * dice.sides
    return tuple(s for s in range(1 - shift, left - shift + 1) if first <= s <= last) or (first,)


def soak_terms(state: State, target: Combatant, place: str, bare: bool = False) -> Modifiers:
    """[CG-ATK-03] [CG-REF-08] Armor of that part and Toughness.  RULING R19 R24 R30"""
    armor = 0 if bare else find_armor(target, place)
    share = str(find_option(state, "toughness_soak"))
    ranks = find_ranks(state, target, "toughness", roll=False)
    tough = {"full_ranks": ranks, "half_ranks": ranks // 2}.get(share, 0)
    how = find_option(state, "soak")
    if (how == "armor_else_toughness" and armor) or (how == "higher" and armor >= tough):
        tough = 0
    elif how == "higher":
        armor = 0
    terms = (Modifier("term.armor", -armor, "CG-REF-08"), Modifier("term.toughness", -tough, "CG-ATK-03"))
    return tuple(term for term in terms if term.value)
