"""Grappling: opposed checks, and the options of the winner."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, Preview, Targeted, adjusted
from combat.rules.core.commands.context import Again, RuleContext, Then
from combat.rules.core.map.moving import Course
from combat.rules.core.space import Point, on_ground, plan_distance
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, Item, State, replace
from combat.rules.core.turn.turns import add_condition, is_shared, remove_conditions

from ..body.hits import Hit, Onward, chain, find_layers, put_off
from ..body.machines import settle_machine, slow_down
from ..body.moving import MOVER, find_stop, let_go, settle_place
from ..body.states import fall_prone, settle_person
from ..book.options import find_option
from ..book.tables import EXCEPTIONAL, TARGET
from ..characters import machinery
from ..characters.conditions import KINDS, is_dead, is_held
from ..characters.goods import count_hands
from ..characters.machinery import is_stalled
from ..characters.values import is_machine, is_out, is_vehicle
from ..dice import DICE, SUCCESS, better_of, lose_aim, modifiers_for_check, opposed_check
from ..world.acting import act, check_unoccupied
from ..world.bands import EDGE
from ..world.economy import MINOR, check_significant, has_turn, pay_significant
from ..world.motion import allowed_meters, movement_cost
from ..world.order import offer_interrupt
from ..world.sight_lines import check_within, is_within
from .checks import find_targets, target_field
from .explosives.lobs import COMPASS
from .shots import land

NATURAL, BY = "natural_weapons", ("str", "dex")
HOLD, DISARM, DRAG, ESCAPE = "hold", "disarm", "drag", "escape"
DAMAGE, PRONE, THROW = "damage", "prone", "throw"
RULES = {
    HOLD: "CE-GRAP-05",
    DISARM: "CE-GRAP-06",
    DRAG: "CE-GRAP-07",
    ESCAPE: "CE-GRAP-08",
    DAMAGE: "CE-GRAP-09",
    PRONE: "CE-GRAP-10",
    THROW: "CE-GRAP-11",
}
ENDING = (ESCAPE, THROW)  # RULING R21
MANNERS = {"push": "how.is_dragged", DRAG: "how.moves", THROW: "how.is_thrown"}  # by the way to move
BASE_DAMAGE, THROW_DICE = 2, "1d6"
SHORT_WAYS = (3.0, 1.5)
STEP_M = 0.75  # half a square


class Gripped(msgspec.Struct, frozen=True, tag=True):
    """The winner and loser of an opposed check, and the margin."""

    winner: str
    loser: str
    effect: int


def is_grappling(state: State, one: str, other: str) -> bool:
    """Whether two hold each other."""
    return any(held.kind == "grappled" and held.by == other for held in state[one].conditions)


def check_grapple(state: State, command: Targeted) -> None:
    """Refuse a grapple beyond Personal range [CE-GRAP-02], or with anyone but the current opponent.
    [CE-GRAP-14]"""
    combatant, target = state[command.actor], state[command.target]
    if not find_option(state, "use_grapple"):
        raise Refused("not_allowed", "This table plays without grappling: attack instead.")
    if combatant.id == target.id or is_vehicle(target) or is_dead(target):
        raise Refused("bad_target", "Choose another living person to grapple.")
    if not machinery.has_limbs(state, combatant):
        raise Refused("not_allowed", f"{combatant.name} has no limb to grapple with: repair one first.")
    if is_grappling(state, combatant.id, target.id):
        return
    if bar := KINDS.find_bar(combatant, "other_grapple"):
        raise Refused("bad_target", bar)
    KINDS.check(combatant, "grapple")
    check_within(state, combatant, target, closely=True)


def grapple(context: RuleContext, command: Targeted) -> Then | None:
    """Grapple as a significant action. [CE-GRAP-01]  RULING R21"""
    check_grapple(context.state, command)
    if offer_interrupt(context, command.actor):
        return None
    pay_significant(context, command.actor, "Grapple", "CE-GRAP-01")
    lose_aim(context, command.actor, "why.does_something_else")
    return Then(contest, command.actor, command.target, adjusted(command, (), "CE-GRAP-03"))


def preview(state: State, command: Targeted) -> Preview:
    """The sums of the actor's side, and the opponent's modifiers."""
    check_grapple(state, command)
    own, other = (_find_terms(state, who) for who in (command.actor, command.target))
    terms = adjusted(command, own, "CE-GRAP-03")
    if not can_resist(state, state[command.target]):
        return Preview(terms, (), "", dice=DICE, notes=(say("note.no_resistance", target=command.target),))
    notes = (say("note.opposed", target=command.target, n=add_up(other)),)
    return Preview(terms, (), "against.other", dice=DICE, notes=notes)


def _find_terms(state: State, who: str) -> Modifiers:
    key = better_of(state[who], *BY)
    return modifiers_for_check(state, who, NATURAL, key, fights=True)


def contest(context: RuleContext, one: str, other: str, terms: Modifiers = ()) -> Then | None:
    """Roll an opposed check of Natural Weapons with the better of Strength and Dexterity. [CE-GRAP-03]

    In a grapple the winner picks; the first check begins it only if the attacker wins. [CE-GRAP-15]
    """
    if not can_resist(context.state, context.state[other]):
        return seize(context, one, other, terms)
    found = opposed_check(
        context,
        one,
        other,
        what="check.grapple",
        skill=NATURAL,
        characteristics=BY,
        rule="CE-GRAP-03",
        terms=terms,
        fights=True,
    )
    if not found.winner:
        return Again(contest, one, other, terms)
    begun = is_grappling(context.state, one, other)
    if not begun and found.winner == other:
        context.emit(e.Said("log.shakes_off", other, one), "CE-GRAP-03")
        return None
    loser = other if found.winner == one else one
    own = find_option(context.state, "grapple_effect") == "own"  # RULING R21
    return grip(context, one, Gripped(found.winner, loser, found.effect if own else found.margin))


def can_resist(state: State, combatant: Combatant) -> bool:
    """Whether someone can make grapple checks: the unconscious, the bound and machines without limbs, without
    power or shut down cannot. [CE-VLOC-40] [CE-VLOC-50]  RULING R21 R47"""
    can_act = not (KINDS.loses(combatant, "actions") or is_stalled(state, combatant))
    return can_act and machinery.has_limbs(state, combatant)


def seize(context: RuleContext, one: str, other: str, terms: Modifiers) -> Then | None:
    """RULING R21: seize someone who cannot resist: no check for them; the Effect is that of the attacker's
    roll, 0 at least."""
    own = (*_find_terms(context.state, one), *terms)
    roll = context.roll(DICE, by=one, rule="CE-GRAP-03", why="check.grapple")
    told = make_checked(one, "check.grapple", roll, own, outcome=SUCCESS, target=other)
    context.emit(told, "CE-GRAP-03")
    return grip(context, one, Gripped(one, other, max(0, told.total - TARGET)))


def grip(context: RuleContext, who: str, gripped: Gripped) -> Then | None:
    """Apply a won check, now or at the end of a shared count.  [CE-ROUND-05]"""
    if is_shared(context.state):
        put_off(context, who, gripped)
        return None
    return take_grip(context, gripped)


def take_grip(context: RuleContext, gripped: Gripped, onward: Onward = ()) -> Then | None:
    """Take hold of the loser and let the winner pick: at once, or [CE-ROUND-05] at the end of a shared count,
    if the loser is still alive at Personal range, and the winner can act.  RULING R33"""
    winner, loser, effect = gripped.winner, gripped.loser, gripped.effect
    if is_dead(context.state[loser]) or is_out(context.state[winner]):
        return chain(None, onward)
    if not is_grappling(context.state, winner, loser):
        if not is_within(context.state, context.state[winner], context.state[loser], closely=True):
            context.emit(e.Said("log.slips_away", loser, winner), "CE-GRAP-02")
            return chain(None, onward)
        take_hold(context, winner, loser)
    return chain(Then(pick, winner, loser, effect), onward)


def take_hold(context: RuleContext, one: str, other: str) -> None:
    """Put both in the grapple, where they do nothing else [CE-GRAP-14]: an extended action ends.
    [CE-OTHER-07]

    RULING R42
    """
    for who, by in ((one, other), (other, one)):
        lose_aim(context, who, "why.does_something_else")
        remove_conditions(context, who, *KINDS.ended_by("grapple"), why="why.grapple", rule="CE-OTHER-07")
        add_condition(context, who, "grappled", by=by)


def hold_on(context: RuleContext, one: str, other: str) -> None:
    """Continue the grapple: both can use the rest of their turns only for the next check. [CE-GRAP-14]"""
    for who in (one, other):
        budget = context.state[who].budget
        if budget.get(MINOR) and has_turn(context.state, who):
            context.emit(e.BudgetSet(who, {**budget, MINOR: 0}), "CE-GRAP-14")


# ---------------------------------------------------------------- the winner's options


def pick(context: RuleContext, winner: str, loser: str, effect: int) -> Then | None:
    """Let the winner pick exactly one option. [CE-GRAP-04]"""
    options = find_options(context.state, winner, loser, effect)
    default = find_best_option(context.state, loser, effect)
    question = f"The grapple with {context.state[loser].name} is won: what now?"
    chosen = context.ask(winner, question, options, rule="CE-GRAP-04", default=default)
    context.emit(e.Said(f"log.grapple_{chosen}", winner, loser), RULES[chosen])
    following = (settle, winner, loser, chosen)
    if chosen in (DAMAGE, THROW):
        return hurt(context, winner, loser, kind=chosen, effect=effect, following=following)
    if chosen == DISARM:
        disarm(context, winner, loser, effect)
    elif chosen == PRONE:
        fall_prone(context, loser, "CE-GRAP-10")
    return Then(*following)


def find_options(state: State, winner: str, loser: str, effect: int) -> tuple[Choice, ...]:
    """The seven options of a winner; without a weapon there is nothing to disarm.

    RULING R21: a third person's hold prevents dragging and throwing. Inside a closed vehicle nobody is
    dragged.
    """
    bare = "" if find_held(state[loser]) else f"{state[loser].name} holds nothing."
    fast = find_hold(state, loser, winner)
    shell = machinery.find_shell(state, state[loser])
    within = f"{state[loser].name} is inside {shell.name}, which is closed." if shell else ""
    take = "take it" if effect >= EXCEPTIONAL else "it falls"
    return (
        Choice(HOLD, "Keep hold"),
        Choice(DISARM, f"Disarm ({take})", "", bare),
        Choice(DRAG, "Drag up to 3 m", "", within or fast or find_hold(state, winner, loser)),
        Choice(ESCAPE, "Break free and move away"),
        Choice(DAMAGE, f"Inflict {BASE_DAMAGE + effect} damage"),
        Choice(PRONE, "Knock prone"),
        Choice(THROW, "Throw up to 3 m for 1D6", "ends the grapple", fast),
    )


def find_hold(state: State, who: str, but: str) -> str:
    """The reason why someone cannot be moved: a hold of another than `but`; "" without one."""
    is_held = any(held.kind == "grappled" and held.by != but for held in state[who].conditions)
    return f"Someone else holds {state[who].name} as well." if is_held else ""


def find_best_option(state: State, loser: str, effect: int) -> str:
    """The default option: take a weapon, damage that gets through armor, drop a weapon; else hold, or break
    free of who wears so much that hardly any check does damage."""
    armed = any(item.kind == "weapon" for item in find_held(state[loser])[:1])
    if armed and effect >= EXCEPTIONAL:
        return DISARM
    worn = sum(points for _, points in find_layers(state[loser], ""))
    armor = worn if find_option(state, "grapple_armor") else 0
    if BASE_DAMAGE + effect > armor:
        return DAMAGE
    if armed:
        return DISARM
    return HOLD if armor < BASE_DAMAGE + EXCEPTIONAL else ESCAPE


def find_held(combatant: Combatant) -> list[Item]:
    """The items someone can be disarmed of: those in their hands, weapons first."""
    held = [item for item in combatant.items if item.place == "held" and count_hands(item)]
    return sorted(held, key=lambda item: item.kind != "weapon")


def disarm(context: RuleContext, winner: str, loser: str, effect: int) -> None:
    """Disarm: won by 6 or more, the winner gets the chosen weapon; otherwise it falls to the floor.
    [CE-GRAP-06]"""
    held = {item.id: item for item in find_held(context.state[loser])}
    if not held:
        return
    item = held[next(iter(held))]
    if len(held) > 1:
        options = tuple(Choice(key, thing.name) for key, thing in held.items())
        question = f"What is taken from {context.state[loser].name}?"
        item = held[context.ask(winner, question, options, rule="CE-GRAP-06", default=item.id)]
    there = replace(item, place="ground", at=context.state[loser].at)
    context.emit(e.ItemLost(loser, there, "how.loses"), "CE-GRAP-06")
    if effect >= EXCEPTIONAL:
        taken = replace(item, place="carried", at=None)
        context.emit(e.ItemGained(winner, taken, "how.takes"), "CE-GRAP-06")


def hurt(
    context: RuleContext, winner: str, loser: str, kind: str, effect: int, following: tuple[object, ...]
) -> Then | None:
    """Deal 2 plus the margin [CE-GRAP-09], or 1D6 for a throw. [CE-GRAP-11] Armor counts.  RULING R21"""
    rule = RULES[kind]
    points, roll = BASE_DAMAGE + effect, None
    terms: Modifiers = (Modifier("term.grapple", BASE_DAMAGE, rule), Modifier("term.margin", effect, rule))
    if kind == THROW:
        roll = context.roll(THROW_DICE, by=winner, rule=rule, why="roll.throw")
        points, terms = roll.total, (Modifier(say("term.dice", dice=roll.dice), roll.total, rule),)
    hit = Hit(
        target=loser,
        by=winner,
        dice_total=max(0, points),
        rule=rule,
        why="why.grapple",
        roll=roll,
        terms=terms,
        armored=bool(find_option(context.state, "grapple_armor")),
    )
    return land(context, hit, following)


def settle(context: RuleContext, winner: str, loser: str, chosen: str) -> None:
    """End the grapple after a throw or an escape [CE-GRAP-12]; else the winner decides. [CE-GRAP-13]

    Moves ask for a destination as well.
    """
    if is_out(context.state[winner]):
        return
    was_held = is_grappling(context.state, winner, loser)
    if chosen in ENDING:
        let_go(context, winner, loser, "CE-GRAP-12")
    if chosen in (DRAG, THROW):
        drag_or_throw(context, winner, loser, chosen)
    elif chosen == ESCAPE and was_held and not is_held(context.state[winner]):
        get_away(context, winner)
    if not is_grappling(context.state, winner, loser):
        return
    options = (Choice("continue", "hold on"), Choice("end", "let go"))
    going = context.ask(winner, "Go on with the grapple?", options, rule="CE-GRAP-13", default="continue")
    if going == "end":
        let_go(context, winner, loser, "CE-GRAP-13")
    else:
        hold_on(context, winner, loser)


# ---------------------------------------------------------------- movement


def drag_or_throw(context: RuleContext, winner: str, loser: str, kind: str) -> None:
    """Drag both up to 3 m, no farther than both can go [CE-GRAP-07]; or throw one of them up to 3 m.
    [CE-GRAP-11] Inside a closed vehicle nobody is moved."""
    if machinery.find_shell(context.state, context.state[loser]):
        return
    offset = ask_way(context, winner, dict.fromkeys(COMPASS, SHORT_WAYS), RULES[kind])
    ways = {loser: THROW} if kind == THROW else {loser: "push", winner: DRAG}
    share = min(find_share(context.state, who, offset, way) for who, way in ways.items())
    if any(offset):
        starts = {who: context.state[who].at for who in ways}
        paths = {who: (at, offset_from(at, offset, share)) for who, at in starts.items()}
        courses = [Course(who, paths[who], way, RULES[kind], MANNERS[way]) for who, way in ways.items()]
        MOVER.carry_all(context, *courses)


def find_share(state: State, who: str, offset: tuple[float, float], way: str) -> float:
    """The share of a path someone covers before a wall or higher ground, 0 to 1. They drag no one into a hole
    with them, but stop at its rim.  RULING R98"""
    if not any(offset):
        return 1.0
    combatant = state[who]
    goal = offset_from(combatant.at, offset)
    free = find_stop(state, combatant, goal, way)
    return 1.0 if free == goal else plan_distance(combatant.at, free) / math.hypot(*offset)


def get_away(context: RuleContext, who: str) -> None:
    """Get away, as far as a movement action leads in that direction, or half as far. [CE-GRAP-08]  RULING R35

    Difficult terrain counts double. [CE-MINOR-18] Inside a closed vehicle nobody gets away.
    RULING R98: nor into a hole.
    """
    if machinery.find_shell(context.state, context.state[who]):
        return
    far = allowed_meters(context.state[who])
    ways = {way: find_stretch(context.state, who, way, far) for way in COMPASS}
    if any(ways.values()):
        meters = {way: (most, most / 2) for way, most in ways.items() if most}
        offset = ask_way(context, who, meters, "CE-GRAP-08")
        if any(offset):
            at = context.state[who].at
            path = (at, offset_from(at, offset))
            MOVER.carry(context, Course(who, path, ESCAPE, "CE-GRAP-08", "how.breaks_free"))


def find_stretch(state: State, who: str, way: str, far: float) -> float:
    """How many meters `far` meters of movement lead someone in one direction, in steps of half a square."""
    start = state[who].at
    for n in range(int(far / STEP_M), 0, -1):
        x, y = point_to(way, n * STEP_M)
        goal = find_stop(state, state[who], offset_from(start, (x, y)), ESCAPE)
        goal = on_ground(state.scene, goal)
        if movement_cost(state, (start, goal)) <= far + EDGE:
            return n * STEP_M
    return 0.0


def point_to(way: str, meters: float) -> tuple[float, float]:
    """The offset of n meters towards a point of the compass, in meters, y to the south."""
    angle = math.pi / 4 * COMPASS.index(way)
    return meters * math.cos(angle), -meters * math.sin(angle)


def ask_way(
    context: RuleContext, who: str, meters: Mapping[str, tuple[float, ...]], rule: str
) -> tuple[float, float]:
    """Ask for a direction and one of its distances; returns the offset in meters. The default is to stay."""
    most = max(len(each) for each in meters.values())
    pairs = [(way, each[n]) for n in range(most) for way, each in meters.items() if n < len(each)]
    ways = tuple(Choice(f"{way}-{n:g}", f"{n:g} m {way}") for way, n in pairs)
    options = (Choice("stay", "nowhere"), *ways)
    chosen = context.ask(who, "Where to?", options, rule=rule, default="stay")
    if chosen == "stay":
        return 0.0, 0.0
    way, _, far = chosen.partition("-")
    return point_to(way, float(far))


def offset_from(at: Point, offset: tuple[float, float], share: float = 1.0) -> Point:
    """The place at this offset, in meters, or at a share of it."""
    return Point(round(at.x + offset[0] * share, 3), round(at.y + offset[1] * share, 3), at.z, at.shift)


def settle_holds(context: RuleContext, before: Combatant) -> None:
    """Bring states, holds and aims in line after the GM has changed or placed someone.

    [CE-GRAP-02] A hold ends where the two no longer reach each other; [CE-OTHER-07] one that the GM gives
    ends an extended action. A damaged vehicle slows down.
    """
    settle_one = settle_machine if is_machine(before) else settle_person
    settle_one(context, before)
    who = before.id
    if is_held(context.state[who]):
        remove_conditions(context, who, *KINDS.ended_by("grapple"), why="why.grapple", rule="CE-OTHER-07")
    slow_down(context, who)
    settle_place(context, who)


# ---------------------------------------------------------------- form


def grapple_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person to grapple. [CE-GRAP-02]"""
    return (target_field(state, actor, partial(_check_grapple_of, state, actor)),)


def _check_grapple_of(state: State, actor: str, target: str) -> None:
    check_grapple(state, Targeted(actor=actor, target=target))


def check_grapple_now(state: State, actor: str) -> None:
    """Refuse a grapple with no one at Personal range."""
    reasons = [why_refused(_check_grapple_of, state, actor, f.id) for f in find_targets(state, actor)]
    if all(reasons):
        raise Refused("not_allowed", reasons[0] if reasons else "There is nobody to grapple.")
    check_significant(state, actor, "a grapple")


ACTIONS = (
    act("grapple", grapple, check_grapple_now, bar=check_unoccupied, fields=grapple_fields, preview=preview),
)
