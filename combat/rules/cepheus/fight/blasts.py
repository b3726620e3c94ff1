"""Explosions: who is caught, what they do about it, and one roll of damage for all."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice import Roll, parse_dice
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.basics.requests import Choice
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import Apart, RuleContext, Then
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, replace
from combat.rules.core.turns import add_condition, is_shared, remove_conditions

from ..body.allocation import find_scores
from ..body.armor import armor_terms, find_layers
from ..body.damage import find_cuts
from ..body.hits import Hit, Onward, chain, put_off
from ..body.states import OTHER, fall_unconscious
from ..book.options import find_option
from ..book.records import Arm, Grenade
from ..dice.rolls import roll_check
from ..people.machinery import find_shell
from ..people.values import is_machine, is_person, is_vehicle
from ..world.areas import find_ring, find_shapes
from ..world.economy import lose_significant
from .reactions import DIVE, DODGE, NONE, can_react, make_reaction, warn_of_loss
from .shots import land

HIGHEST = 10_000  # no dice get there
Rings = tuple[tuple[float, str], ...]  # metres a ring reaches to and its dice, the inmost first


class Blast(msgspec.Struct, frozen=True, kw_only=True):
    """An explosion at a place. `rings` are the metres a ring reaches to and its dice, the inmost first.

    `by` is who has caused it, "" if nobody; one that `stuns` wounds nobody; if `only` some are caught,
    they are in its inmost ring. The damage counts so many `times`. After one `alone` nothing looks at the
    people in the open any more whom it has caught, unless it also blows up a vehicle. After one in the
    `midst` of something else machines may be hit again. One `inside` a closed vehicle (its id) stays in it.
    """

    by: str
    at: Point
    weapon: Label
    rings: Rings
    stuns: bool = False
    only: tuple[str, ...] = ()
    times: int = 1
    alone: bool = False
    midst: bool = False
    inside: str = ""


class Stunned(msgspec.Struct, frozen=True, tag=True):
    """Who falls unconscious by a stun, and by which rule."""

    target: str
    rule: str


class Caught(msgspec.Struct, frozen=True):
    """Somebody in a blast: in which ring, counted from the inmost, and what they do about it."""

    who: str
    ring: int
    reaction: str = NONE


def find_rings(arm: Arm) -> Rings:
    """The rings of a grenade or rocket; none for what does not explode.  [CE-EXPL-01]"""
    if isinstance(arm, Grenade) and arm.rings:
        return tuple((ring.to_m, ring.damage) for ring in arm.rings)
    return ((arm.radius_m, arm.damage),) if arm.radius_m and arm.damage else ()


def find_caught(state: State, at: Point, rings: Rings, inside: str = "") -> tuple[Caught, ...]:
    """[CE-EXPL-01] Everybody in the area, the outmost first; who sits in something has it around them.

    RULING R84: the rings include their outer edge. RULING R93: walls that block sight keep it out.
    RULING R97: a closed vehicle keeps it out as well or, if it goes off `inside`, in.
    """
    found, shapes = [], find_shapes(state, at, tuple(to_m for to_m, _ in rings))
    for fighter in state.combatants.values():
        if fighter.gone or has_condition(fighter, "dead") or is_kept_from(state, fighter, inside):
            continue
        ring = find_ring(state, shapes, fighter)
        if ring is not None:
            found.append(Caught(fighter.id, ring))
    return tuple(sorted(found, key=lambda caught: -caught.ring))


def is_shut_in(state: State, fighter: Combatant) -> bool:
    """Whether somebody sits in something closed, which takes the blast for them."""
    return find_shell(state, fighter) is not None


def is_kept_from(state: State, fighter: Combatant, inside: str) -> bool:
    """Whether the bodywork of a closed vehicle is between somebody and an explosion, in the open or `inside`
    one.  RULING R97"""
    if inside:
        return inside not in (fighter.id, fighter.inside)
    return is_shut_in(state, fighter)


# ---------------------------------------------------------------- reactions


def explode(context: RuleContext, blast: Blast, onward: Onward = ()) -> Then | None:
    """[CE-EXPL-01] [CE-EXPL-02] Everybody caught reacts, then the damage falls, ring by ring."""
    caught = tuple(Caught(who, 0) for who in blast.only)
    caught = caught or find_caught(context.state, blast.at, blast.rings, blast.inside)
    context.emit(e.Said("log.explodes", args={"item": blast.weapon, "n": len(caught)}), "CE-EXPL-01")
    blast = replace(blast, at=Point())  # from here on it is only who is caught that counts
    return Then(_react, blast, caught, onward)


def _react(context: RuleContext, blast: Blast, caught: tuple[Caught, ...], onward: Onward) -> Then | None:
    """[CE-EXPL-02] One after the other is asked, those aware of it."""
    if not caught:
        return chain(None, onward)
    ready = tuple([replace(each, reaction=_ask(context, blast, each)) for each in caught])
    return Then(roll_ring, blast, ready, 0, 0, onward, apart=_part(context.state, blast, ready, onward))


def _part(state: State, blast: Blast, caught: tuple[Caught, ...], onward: Onward) -> Apart | None:
    """The damage of those who only take it, each apart: it is theirs alone, whoever else is caught."""
    if not blast.alone or any(is_vehicle(state[each.who]) for each in caught):
        return None
    free = {c.who: c for c in caught if is_plain(state, blast, c) and is_free(state, state[c.who])}
    others = tuple([each for each in caught if each.who not in free])
    each = {who: Then(roll_ring, blast, (alone,), 0, 0, ()) for who, alone in free.items()}
    return Apart(each, Then(roll_ring, blast, others, 0, 0, onward))


def _ask(context: RuleContext, blast: Blast, caught: Caught) -> str:
    options = find_blast_reactions(context.state, caught.who, blast.by)
    if not options:
        return NONE
    to_m, dice = blast.rings[caught.ring]
    question = f"An explosion within {to_m:g} m ({dice.upper()} damage): do you react?"
    default = find_default(context.state, caught.who, dice, blast)
    chosen = context.ask(caught.who, question, options, rule="CE-EXPL-02", default=default)
    if chosen == DODGE:
        make_reaction(context, caught.who, DODGE)
    elif chosen == DIVE:
        dive(context, caught.who)
    return chosen


def find_default(state: State, who: str, dice: str, blast: Blast) -> str:
    """What somebody does unless they say: dive from what may be expected to take half of what they have left.

    Nobody dives from a stun, which the roll for damage does not tell of.
    """
    fighter, roll = state[who], parse_dice(dice)
    mean = (roll.count * (roll.sides + 1) / 2 + roll.plus) * blast.times
    through = mean - sum(points for _, points in find_layers(fighter, ""))
    is_heavy = is_person(fighter) and not blast.stuns and through >= sum(find_scores(fighter)) / 2
    return DIVE if is_heavy else NONE


def find_blast_reactions(state: State, who: str, by: str) -> tuple[Choice, ...]:
    """[CE-EXPL-02] [CE-EXPL-03] [CE-EXPL-04] Dodging or diving for cover, one of them.

    RULING R11: the prone do neither. RULING R19: who is not aware of it does neither.
    """
    if (
        is_shut_in(state, state[who])
        or has_condition(state[who], "prone")
        or not can_react(state, who, "" if by == who else by)
    ):
        return ()
    works = warn_of_loss(state[who]) if has_condition(state[who], "extended_action") else ""
    down = "prone, and the next significant action is lost"
    return (
        Choice(NONE, "No reaction"),
        Choice(DODGE, "Dodge (−1D6 damage)", works),
        Choice(DIVE, "Dive for cover (half damage)", f"{down}; {works}" if works else down),
    )


def dive(context: RuleContext, who: str) -> None:
    """[CE-EXPL-05] Prone at once; [CE-EXPL-06] and without the next significant action.  RULING R19"""
    make_reaction(context, who, DIVE)
    remove_conditions(context, who, "crouched", why="why.dives", rule="CE-EXPL-05")
    if not has_condition(context.state[who], "prone"):
        add_condition(context, who, "prone", rule="CE-EXPL-05")
    lose_significant(context, who, "dived", "CE-EXPL-06")


# ---------------------------------------------------------------- damage


def roll_ring(
    context: RuleContext, blast: Blast, caught: tuple[Caught, ...], rolled: int, points: int, onward: Onward
) -> Then | None:
    """[CE-THROW-04] One roll for all, without Effect: the outer rings are the first dice of it.

    `rolled` dice show `points` so far.  RULING R53 R60
    """
    if not caught:
        return chain(None, onward)
    ring = caught[0].ring
    dice = parse_dice(blast.rings[ring][1])
    if find_option(context.state, "blast_damage") == "apart":
        here, rest, rolled, points = caught[:1], caught[1:], 0, 0
    else:
        here = tuple(c for c in caught if c.ring == ring)
        rest = caught[len(here) :]
    more = dice.count - rolled
    roll = None
    if more > 0:
        why = say("roll.blast", item=blast.weapon, metres=blast.rings[ring][0])
        by = blast.by or here[0].who
        cuts = () if rest or blast.times > 1 else find_blast_cuts(context.state, here, points + dice.plus)
        roll = context.roll(f"{more}d{dice.sides}", by=by, rule="CE-EXPL-01", why=why, cuts=cuts)
        points += roll.total
    following = (roll_ring, blast, rest, max(rolled, dice.count), points, onward) if rest else onward
    return Then(hurt_all, blast, here, (points + dice.plus) * blast.times, roll, following)


def find_blast_cuts(state: State, here: tuple[Caught, ...], points: int) -> tuple[int, ...]:
    """The sums of the last dice from which on anybody ends up differently; all, if some dodge or are
    machines. `points` are known already."""
    cuts = set()
    for caught in here:
        target = state[caught.who]
        if caught.reaction == DODGE or is_machine(target):
            return ()
        times = 2 if caught.reaction == DIVE or _lies_low(state, caught.who) else 1
        cuts |= {times * cut - points for cut in find_cuts(target)}
    return tuple(sorted(cut for cut in cuts if cut > 0)) or (HIGHEST,)


def hurt_all(
    context: RuleContext,
    blast: Blast,
    here: tuple[Caught, ...],
    points: int,
    roll: Roll | None,
    onward: Onward,
) -> Then | None:
    """Everybody in one ring, one after the other; a step for each who rolls for something."""
    if roll and roll.source == "odds":
        roll = None
    while here and is_plain(context.state, blast, here[0]):
        hurt_one(context, blast, here[0], points, roll, ())
        here, roll = here[1:], None
    if not here:
        return chain(None, onward)
    following = (hurt_all, blast, here[1:], points, None, onward) if here[1:] else onward
    return hurt_one(context, blast, here[0], points, roll, following)


def is_free(state: State, fighter: Combatant) -> bool:
    """Whether what becomes of somebody is nobody else's business: inside nothing, in no grapple."""
    if fighter.inside or has_condition(fighter, "grappled"):
        return False
    held = (
        each for other in state.combatants.values() for each in other.conditions if each.kind == "grappled"
    )
    return all(each.by != fighter.id for each in held)


def is_plain(state: State, blast: Blast, caught: Caught) -> bool:
    """Whether somebody only takes points: nothing more is rolled, and nothing waits."""
    fighter = state[caught.who]
    works = has_condition(fighter, "extended_action")
    return is_person(fighter) and caught.reaction != DODGE and not (works or blast.stuns or is_shared(state))


def hurt_one(
    context: RuleContext, blast: Blast, caught: Caught, points: int, roll: Roll | None, onward: Onward
) -> Then | None:
    """[CE-EXPL-03] A dodge takes 1D6 off, [CE-EXPL-04] a dive half, before armor.  RULING R19 R29"""
    terms = [Modifier(blast.weapon, points, "CE-EXPL-01")]
    if caught.reaction == DODGE:
        die = context.roll("1d6", by=caught.who, rule="CE-EXPL-03", why="roll.dodge")
        terms.append(Modifier("term.dodged", -min(die.total, points), "CE-EXPL-03"))
    elif caught.reaction == DIVE or _lies_low(context.state, caught.who):
        terms.append(Modifier("term.dived", points // 2 - points, "CE-EXPL-04"))
    hit = Hit(
        target=caught.who,
        by=blast.by,
        dice_total=add_up(terms),
        rule="CE-EXPL-01",
        why=blast.weapon,
        roll=roll,
        terms=tuple(terms),
    )
    if blast.stuns:
        return Then(stun, hit, onward)
    return land(context, hit, onward, blast.midst)


def _lies_low(state: State, who: str) -> bool:
    """RULING R11: by option the prone count as having dived."""
    return bool(find_option(state, "prone_counts_as_dived")) and has_condition(state[who], "prone")


def stun(context: RuleContext, hit: Hit, onward: Onward) -> Then | None:
    """A stun grenade wounds nobody: an Endurance check less the damage past armor, or unconscious."""
    fighter = context.state[hit.target]
    points = max(0, hit.dice_total + add_up(armor_terms(fighter, hit)))
    if is_machine(fighter) or not points:
        context.emit(e.Said("log.unstunned", hit.target), hit.rule)
        return chain(None, onward)
    effect = roll_check(
        context,
        hit.target,
        what="check.stun",
        skill="",
        characteristic="end",
        terms=(Modifier("term.stun", -points, hit.rule),),
        rule=hit.rule,
        matters="none",
    )
    if effect < 0 and is_shared(context.state):
        put_off(context, hit.by or hit.target, Stunned(hit.target, hit.rule))
    elif effect < 0:
        fall_unconscious(context, hit.target, OTHER, hit.rule)
    return chain(None, onward)


def take_stun(context: RuleContext, stunned: Stunned, onward: Onward) -> Then | None:
    """[CE-ROUND-05] A stun of the same moment takes effect when that is over.  RULING R33"""
    fall_unconscious(context, stunned.target, OTHER, stunned.rule)
    return chain(None, onward)
