"""An attack after it is paid for, and its damage."""

from __future__ import annotations

from functools import partial

import msgspec

from combat.rules.core.basics.dice.dice import Dice, parse_dice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, find_item, replace
from combat.rules.core.turn.turns import is_shared

from ..body.damage import count_beyond, find_cuts, wound
from ..body.hits import LASER, SURE_EFFECT, Hit, Onward, chain, put_off
from ..body.machines import machine_cuts
from ..book.tables import EXTREME, KILL_DAMAGE, MAX_KILL, find_burst
from ..characters.conditions import is_busy
from ..characters.values import is_machine
from ..vehicles.gunnery import note_shot
from .aim import Sight, find_aim
from .clouds import count_aerosol
from .weapons import use_rounds


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """The damage of one attack: its dice, its bonuses, and its type.

    `kill` is the bonus of aiming for the kill, on the target alone; `halved` is for energy weapons at extreme
    range; one that `spreads` hits everyone around the target.
    """

    by: str
    target: str
    weapon: Label
    dice: str
    added: Modifiers = ()
    kill: Modifiers = ()
    kind: str = ""
    halved: bool = False
    spreads: bool = False
    rule: str = "CE-DMG-01"


def make_blow(state: State, sight: Sight, dice: str) -> Blow:
    """The damage of a hit with this weapon at this range."""
    arm = sight.arm
    return Blow(
        by=sight.combatant.id,
        target=sight.target.id,
        weapon=sight.item.name,
        dice=dice,
        added=aerosol_terms(state, sight),
        kill=kill_terms(state, sight),
        kind=LASER if arm.laser else "",
        halved=is_halved(sight),
        spreads=sight.spreads,
    )


def is_halved(sight: Sight) -> bool:
    """Whether a shot does half damage: one of an energy weapon at extreme range. [CE-XRANGE-08]"""
    return sight.band == EXTREME and sight.arm.energy


def kill_terms(state: State, sight: Sight) -> Modifiers:
    """+2 damage for each action of aiming for the kill [CE-MINOR-07], at most +6. [CE-MINOR-10]

    At extreme range as well. [CE-XRANGE-09]  RULING R9
    """
    if not sight.aimed:
        return ()
    held = find_aim(state, sight.combatant.id, sight.target.id, "aiming_kill")
    if held is None:
        return ()
    return (Modifier("condition.aiming_kill", min(MAX_KILL, KILL_DAMAGE * held.level), "CE-MINOR-07"),)


def aerosol_terms(state: State, sight: Sight) -> Modifiers:
    """The points that aerosol takes off a laser. [CE-COND-06]"""
    points = count_aerosol(state, sight.combatant, sight.target) if sight.arm.laser else 0
    return (Modifier("term.aerosol", points, "CE-COND-06"),) if points else ()


def add_dice(dice: str, more: str) -> str:
    """The sum of two handfuls of six-sided dice: 3d6 and 1d6 are 4d6, 3d6 and 1 are 3d6+1."""
    one, other = parse_dice(dice), parse_dice(more)
    sides = one.sides if one.count else other.sides
    return str(Dice(one.count + other.count, sides, one.plus + other.plus))


def burst_damage(sight: Sight, burst: str) -> str:
    """The damage dice plus those of a grouped burst, as one handful. [CE-BURST-02]  RULING R15"""
    extra = find_burst(sight.rounds).extra_damage if burst == "grouped" else "0"
    return add_dice(sight.arm.damage, extra)


def fire(context: RuleContext, sight: Sight, rounds: int) -> None:
    """Take rounds from the weapon, or a thrown weapon from its owner: it lies at the target.
    [CE-THROW-01]"""
    who = sight.combatant.id
    note_shot(context, who, sight.item, sight.target)
    if sight.mode == "ranged":
        use_rounds(context, who, sight.item, rounds=rounds, rule="CE-ATK-08")
    elif sight.mode == "thrown":
        lying = replace(find_item(context.state[who], sight.item.id), place="ground", at=sight.target.at)
        context.emit(e.ItemLost(who, lying, "how.throws"), "CE-THROW-01")


def deal(context: RuleContext, blow: Blow, effect: int, onward: Onward = ()) -> Then | None:
    """Roll the damage of a hit and apply it. [CE-DMG-01] The Effect of a throw counts like any other.
    [CE-THROW-03]

    Half, rounded up, for energy weapons at extreme range. [CE-XRANGE-08]  RULING R79 R44
    """
    added = (*blow.kill, *blow.added)
    plus = add_up(added)
    cuts = partial(damage_cuts, context.state, blow, plus, effect)
    why = say("roll.damage_to", target=blow.target, item=blow.weapon)
    roll = context.roll(blow.dice, by=blow.by, rule=blow.rule, why=why, cuts=cuts)
    terms = (Modifier(say("term.dice", dice=roll.dice), roll.total, blow.rule), *added)
    if blow.halved:
        whole = max(0, add_up(terms) + effect)
        terms = (*terms, Modifier("term.halved", -(whole // 2), "CE-XRANGE-08"))
    hit = Hit(
        target=blow.target,
        by=blow.by,
        dice_total=add_up(terms),
        effect=effect,
        kind=blow.kind,
        rule=blow.rule,
        why=blow.weapon,
        roll=roll,
        terms=terms,
    )
    is_now = roll.source == "odds" and not is_shared(context.state)
    return Then(land, simplify(context.state, hit) if is_now else hit, onward)


def damage_cuts(state: State, blow: Blow, plus: int, effect: int) -> tuple[int, ...]:
    """The sums of the damage dice at which the target starts to end up differently.

    At a shared count every sum counts, since the damage waits for the end.
    """
    target = state[blow.target]
    if is_shared(state) or blow.halved or is_busy(target):
        return ()
    fixed = parse_dice(blow.dice).plus + plus
    if is_machine(target):
        cuts = machine_cuts(state, target.id, effect=effect)
        return tuple(cut - fixed for cut in cuts if cut > fixed)
    sure = effect if effect >= SURE_EFFECT else 0
    cuts = find_cuts(target, kind=blow.kind, effect=sure, beyond=count_beyond(state, target))
    less = fixed + effect - sure
    return tuple(cut - less for cut in cuts if cut > less)


def land(context: RuleContext, hit: Hit, onward: Onward = (), more: bool = False) -> Then | None:
    """Apply a hit: now, or together with those of others who act at the same moment. [CE-DMG-02]

    `more` means that later steps may hit a machine again.  RULING R33
    """
    if is_shared(context.state):
        put_off(context, hit.by, without_odds(hit))
        return chain(None, onward)
    return wound(context, hit, onward, more)


def simplify(state: State, hit: Hit) -> Hit:
    """The same hit without the details that only the log shows, so that the odds count equal ends once."""
    sure = SURE_EFFECT if hit.effect >= SURE_EFFECT else 0
    points = hit.dice_total + hit.effect - sure
    target = state[hit.target]
    if not is_machine(target) and not is_busy(target):
        cuts = find_cuts(target, kind=hit.kind, effect=sure, beyond=count_beyond(state, target))
        points = max((cut for cut in cuts if cut <= points), default=0)
    return replace(hit, dice_total=points, effect=sure, roll=None, terms=())


def land_all(context: RuleContext, hits: tuple[Hit, ...], onward: Onward = ()) -> Then | None:
    """Apply several hits, one after the other."""
    if not hits:
        return chain(None, onward)
    more = any(hit.target == hits[0].target for hit in hits[1:])
    return land(context, hits[0], (land_all, hits[1:], onward), more)


# ---------------------------------------------------------------- at the same moment


def without_odds(hit: Hit) -> Hit:
    """A hit that waits for the end of a shared count, with its dice only if they were rolled."""
    is_rolled = hit.roll is not None and hit.roll.source in ("app", "table", "branch", "kept")
    return hit if is_rolled else replace(hit, roll=None)


def take_hit(context: RuleContext, hit: Hit, onward: Onward) -> Then | None:
    """Apply a hit that has waited."""
    return wound(context, hit, onward)
