"""The basic attack: declared, answered, rolled, dealt; and what a miss may still hit."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, find_item, replace

from ..body.hits import Onward
from ..book.tables import find_burst
from ..dice.focus import use_aim
from ..dice.rolls import DICE, find_cuts, roll_terms
from ..vehicles.gunnery import note_shot
from ..world.economy import pay_significant
from ..world.order import offer_interrupt
from .aim import Attack, Sight, Strike, burst_terms, modifiers_for_attack
from .checks import check_attack
from .reactions import react
from .shots import Blow, add_dice, deal, make_blow
from .strays import find_strays, stray
from .weapons import use_rounds

HIT, MISS = "outcome.hit", "outcome.miss"


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that only has to be rolled: its DMs, its damage, and who else may be hit by a miss."""

    terms: Modifiers
    blow: Blow
    rule: str
    strays: tuple[str, ...] = ()
    what: Label = "check.attack"


def attack(context: RuleContext, command: Attack) -> Then | None:
    """[CE-ATK-01] [CE-ATK-02] [CE-BURST-03] A significant action: one weapon on one target."""
    sight = check_attack(context.state, command)
    if offer_interrupt(context, command.actor):
        return None
    dice = burst_damage(sight, command.burst)
    terms = modifiers_for_attack(context.state, command, sight, *burst_terms(sight, command.burst))
    blow = make_blow(context.state, sight, dice)
    return begin(context, command, sight, terms, blow, sight.rounds)


def begin(
    context: RuleContext, command: Strike, sight: Sight, terms: Modifiers, blow: Blow, rounds: int
) -> Then:
    """Pay for an attack, ask whoever is attacked for a reaction, and go on to the roll."""
    who = command.actor
    pay_significant(context, who, "Attack", "CE-ATK-01")
    strays = find_strays(context.state, sight)
    use_aim(context, who)
    fire(context, sight, rounds)
    note_shot(context, who, sight.item, command.target)
    rule = find_rule(sight)
    reaction = react(context, command.target, who, sight.mode)
    return Then(swing, Shot(terms=(*terms, *reaction), blow=blow, rule=rule, strays=strays))


def find_rule(sight: Sight) -> str:
    """[CE-ATK-06] [CE-ATK-08] [CE-ATK-09] The rule of a melee attack, a shot or a throw."""
    return {"melee": "CE-ATK-06", "thrown": "CE-ATK-09"}.get(sight.mode, "CE-ATK-08")


def fire(context: RuleContext, sight: Sight, rounds: int) -> None:
    """Rounds leave the weapon, and a thrown weapon its owner: it lies at the target.  [CE-THROW-01]"""
    who = sight.fighter.id
    if sight.mode == "ranged":
        use_rounds(context, who, sight.item, rounds, "CE-ATK-08")
    elif sight.mode == "thrown":
        lying = replace(find_item(context.state[who], sight.item.id), place="ground", at=sight.target.at)
        context.emit(e.ItemLost(who, lying, "how.throws"), "CE-THROW-01")


def burst_damage(sight: Sight, burst: str) -> str:
    """[CE-BURST-02] The damage dice with those of a grouped burst, as one handful.  RULING R15"""
    extra = find_burst(sight.rounds).extra_damage if burst == "grouped" else "0"
    return add_dice(sight.arm.damage, extra)


def swing(context: RuleContext, shot: Shot, onward: Onward = ()) -> Then | None:
    """[CE-ATK-04] 2D6 and the DMs against 8: a hit goes on to its damage, a miss may hit somebody else."""
    blow = shot.blow
    effect = roll_terms(
        context,
        blow.by,
        shot.terms,
        what=shot.what,
        rule=shot.rule,
        target=blow.target,
        why=say("roll.attack", item=blow.weapon, target=blow.target),
        cuts=find_cuts(shot.terms, "success" if blow.adds_effect else "none"),
        outcomes=(HIT, MISS),
    )
    if effect >= 0:
        return Then(deal, blow, effect, onward)
    return stray(context, blow, shot.strays, onward)


def preview(state: State, command: Attack) -> Preview:
    """The sums of the form, before anything is rolled."""
    sight = check_attack(state, command)
    terms = modifiers_for_attack(state, command, sight, *burst_terms(sight, command.burst))
    dice = burst_damage(sight, command.burst)
    notes: list[Label] = [say("note.damage", dice=dice), say("note.range", band=f"band.{sight.band}")]
    if sight.mode == "ranged" and sight.item.loaded is not None:
        notes.append(say("note.rounds", n=sight.rounds, loaded=sight.item.loaded))
    return Preview(terms, (), "against.eight", DICE, tuple(notes))
