"""Explosions: their areas, the people caught, one roll of damage for all; and demolition charges."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import msgspec

from combat.rules.core.basics.data import convert
from combat.rules.core.basics.dice.dice import Roll, parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import Apart, RuleContext, Then
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.rays.area_shapes import Shape, find_ring, is_reached, make_rings
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_item, has_condition, present, replace
from combat.rules.core.turn.turns import is_shared

from ...body.allocation import find_scores
from ...body.damage import find_cuts
from ...body.hits import Hit, Onward, armor_terms, chain, find_layers, put_off
from ...body.states import OTHER, fall_prone, fall_unconscious
from ...book.options import find_option
from ...book.tables import Arm, Explosive, Grenade
from ...characters.conditions import KINDS, crawls, is_busy, is_dead, is_held
from ...characters.machinery import check_limbs, find_shell
from ...characters.values import is_machine, is_person, is_vehicle
from ...dice import be_hit, better_of, lose_aim, roll_check
from ...world.acting import act
from ...world.bands import measure
from ...world.economy import check_significant, lose_significant, pay_significant
from ...world.sight_lines import find_grid
from ..reactions import DIVE, DODGE, NONE, can_react, make_reaction, warn_of_loss
from ..shots import land
from ..weapons import INSIDE, Handle, Things, check_any_item, item_field

HIGHEST = 10_000  # no dice reach them
Rings = tuple[tuple[float, str], ...]  # the outer edge of a ring in meters and its dice, the innermost first

DEMOLITIONS = "demolitions"
SET_BY, EFFECT = "set_by", "effect"  # marks of a charge that is set


class Blast(msgspec.Struct, frozen=True, kw_only=True):
    """An explosion at a place. `rings` are the outer edges of the rings in meters and their dice, the
    innermost first.

    `by` is who caused it, "" for no one; a blast that `stuns` does not wound; if `only` some are caught, they
    are in the innermost ring. The damage is multiplied by `times`, or `halved` and rounded up. An `alone`
    blast is the last step that concerns the people it catches in the open, unless it also blows up a vehicle.
    After a blast in the `midst` of something else, machines may be hit again. One `inside` a closed vehicle
    (its id) stays in it.
    """

    by: str
    at: Point
    weapon: Label
    rings: Rings
    stuns: bool = False
    only: tuple[str, ...] = ()
    times: int = 1
    halved: bool = False
    alone: bool = False
    midst: bool = False
    inside: str = ""


class Stunned(msgspec.Struct, frozen=True, tag=True):
    """A person struck by a stun, whether it knocks them `out`, and the rule for it."""

    target: str
    rule: str
    out: bool = False


class Caught(msgspec.Struct, frozen=True):
    """A person in a blast: their ring, counted from the innermost, and their reaction."""

    who: str
    ring: int
    reaction: str = NONE


def find_rings(arm: Arm) -> Rings:
    """The rings of a grenade or rocket; none for others.  [CE-EXPL-01]"""
    if isinstance(arm, Grenade) and arm.rings:
        return tuple((ring.to_m, ring.damage) for ring in arm.rings)
    return ((arm.radius_m, arm.damage),) if arm.radius_m and arm.damage else ()


def find_caught(state: State, at: Point, rings: Rings, inside: str = "") -> tuple[Caught, ...]:
    """Everyone in the area, the outermost first; people in vehicles have the vehicle around them.
    [CE-EXPL-01]

    RULING R84: the rings include their outer edge. RULING R93: walls that block sight keep it out.
    RULING R97: a closed vehicle keeps it out as well or, if it explodes `inside`, in.
    """
    exposed = [
        combatant
        for combatant in present(state)
        if not (is_dead(combatant) or is_kept_from(state, combatant, inside))
    ]
    found = find_inside(state, at, tuple(to_m for to_m, _ in rings), exposed) if rings else []
    return tuple(Caught(who, ring) for who, ring in sorted(found, key=lambda each: -each[1]))


def is_shut_in(state: State, combatant: Combatant) -> bool:
    """Whether someone is inside something closed, which takes the blast for them."""
    return find_shell(state, combatant) is not None


def is_kept_from(state: State, combatant: Combatant, inside: str) -> bool:
    """Whether the body of a closed vehicle separates someone from an explosion, in the open or `inside` a
    vehicle.  RULING R97"""
    if inside:
        return inside not in (combatant.id, combatant.inside)
    return is_shut_in(state, combatant)


# ---------------------------------------------------------------- reactions


def explode(context: RuleContext, blast: Blast, onward: Onward = ()) -> Then | None:
    """Let everyone caught react, then deal the damage ring by ring. [CE-EXPL-01] [CE-EXPL-02]

    Players read only of those whom all of them know of.
    """
    caught = tuple(Caught(who, 0) for who in blast.only)
    caught = caught or find_caught(context.state, blast.at, blast.rings, blast.inside)
    told = e.Said("log.explodes", args={"item": blast.weapon, "n": len(caught)})
    seen = sum(each.who not in context.unknown for each in caught)
    if seen == len(caught):
        context.emit(told, "CE-EXPL-01")
    else:
        redacted = replace(told, args={**told.args, "n": seen})
        context.emit(told, "CE-EXPL-01", e.GM_ONLY, redacted)
    blast = replace(blast, at=Point())  # from here on only who is caught matters
    return Then(_react, blast, caught, onward)


def _react(context: RuleContext, blast: Blast, caught: tuple[Caught, ...], onward: Onward) -> Then | None:
    """Ask those who are aware of it, one after the other. [CE-EXPL-02]"""
    if not caught:
        return chain(None, onward)
    ready = tuple(replace(each, reaction=_ask(context, blast, each)) for each in caught)
    return Then(roll_ring, blast, ready, 0, 0, onward, apart=_part(context.state, blast, ready, onward))


def _part(state: State, blast: Blast, caught: tuple[Caught, ...], onward: Onward) -> Apart | None:
    """Split off the odds of people who only take damage: the others caught do not affect theirs."""
    if not blast.alone or any(is_vehicle(state[each.who]) for each in caught):
        return None
    free = {c.who: c for c in caught if is_plain(state, blast, c) and is_free(state, state[c.who])}
    others = tuple(each for each in caught if each.who not in free)
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
    """The default reaction: dive if the expected damage is half of what is left.

    No one dives from a stun, since the damage roll does not show it.
    """
    combatant, roll = state[who], parse_dice(dice)
    mean = (roll.count * (roll.sides + 1) / 2 + roll.plus) * (0.5 if blast.halved else blast.times)
    through = mean - sum(points for _, points in find_layers(combatant, ""))
    is_heavy = is_person(combatant) and not blast.stuns and through >= sum(find_scores(combatant)) / 2
    return DIVE if is_heavy else NONE


def find_blast_reactions(state: State, who: str, by: str) -> tuple[Choice, ...]:
    """The possible reactions: dodging or diving for cover, only one of them. [CE-EXPL-02] [CE-EXPL-03]
    [CE-EXPL-04]

    RULING R11: the prone do neither. RULING R19: nor do those who are not aware of it.
    """
    if (
        is_shut_in(state, state[who])
        or KINDS.loses(state[who], "dodging")
        or not can_react(state, who, "" if by == who else by)
    ):
        return ()
    works = warn_of_loss(state[who]) if is_busy(state[who]) else ""
    down = "prone, and the next significant action is lost"
    return (
        Choice(NONE, "No reaction"),
        Choice(DODGE, "Dodge (−1D6 damage)", works),
        Choice(DIVE, "Dive for cover (half damage)", f"{down}; {works}" if works else down),
    )


def dive(context: RuleContext, who: str) -> None:
    """Dive: prone at once [CE-EXPL-05], and without the next significant action. [CE-EXPL-06]  RULING R19"""
    make_reaction(context, who, DIVE)
    fall_prone(context, who, "CE-EXPL-05")
    lose_significant(context, who, "dived", "CE-EXPL-06")


# ---------------------------------------------------------------- damage


def roll_ring(
    context: RuleContext, blast: Blast, caught: tuple[Caught, ...], rolled: int, points: int, onward: Onward
) -> Then | None:
    """Roll once for all, without Effect: the outer rings use its first dice. [CE-THROW-04]

    `rolled` dice have shown `points` so far.  RULING R53 R60
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
        cuts = partial(blast_cuts, context.state, here, points + dice.plus)
        many = f"{more}d{dice.sides}"
        is_last = not rest and blast.times == 1 and not blast.halved
        roll = context.roll(many, by=by, rule="CE-EXPL-01", why=why, cuts=cuts if is_last else ())
        points += roll.total
    following = (roll_ring, blast, rest, max(rolled, dice.count), points, onward) if rest else onward
    return Then(hurt_all, blast, here, max(0, points + dice.plus) * blast.times, roll, following)


def blast_cuts(state: State, here: tuple[Caught, ...], points: int) -> tuple[int, ...]:
    """The sums of the last dice at which someone starts to end up differently; all sums, if some dodge or are
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
    """Hurt everyone in one ring, one after the other; a step for each who rolls for something."""
    if roll and roll.source == "odds":
        roll = None
    while here and is_plain(context.state, blast, here[0]):
        hurt_one(context, blast, here[0], points=points, roll=roll, onward=())
        here, roll = here[1:], None
    if not here:
        return chain(None, onward)
    following = (hurt_all, blast, here[1:], points, None, onward) if here[1:] else onward
    return hurt_one(context, blast, here[0], points=points, roll=roll, onward=following)


def is_free(state: State, combatant: Combatant) -> bool:
    """Whether someone's fate affects no one else: they are in no vehicle and no grapple."""
    if combatant.inside or is_held(combatant):
        return False
    held = (
        each for other in state.combatants.values() for each in other.conditions if each.kind == "grappled"
    )
    return all(each.by != combatant.id for each in held)


def is_plain(state: State, blast: Blast, caught: Caught) -> bool:
    """Whether someone only takes points: no further roll, no waiting effect."""
    combatant = state[caught.who]
    works = is_busy(combatant)
    return (
        is_person(combatant) and caught.reaction != DODGE and not (works or blast.stuns or is_shared(state))
    )


def hurt_one(
    context: RuleContext, blast: Blast, caught: Caught, points: int, roll: Roll | None, onward: Onward
) -> Then | None:
    """Hurt one person: a dodge takes 1D6 off [CE-EXPL-03], a dive half, before armor. [CE-EXPL-04]
    RULING R19 R29 R79"""
    terms = [Modifier(blast.weapon, points, "CE-EXPL-01")]
    if blast.halved:
        terms.append(Modifier("term.halved", -(points // 2), "CE-XRANGE-08"))
        points = add_up(terms)
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
    """RULING R11: whether the prone count as having dived, by table option."""
    return bool(find_option(state, "prone_counts_as_dived")) and crawls(state[who])


def stun(context: RuleContext, hit: Hit, onward: Onward) -> Then | None:
    """Stun without wounds: an Endurance check less the damage past armor, or unconscious.

    [CE-ROUND-05] In a shared count it takes effect at the end.  RULING R33
    """
    stunned = roll_stun(context, hit)
    if is_shared(context.state):
        put_off(context, hit.by or hit.target, stunned)
        return chain(None, onward)
    return take_stun(context, stunned, onward)


def roll_stun(context: RuleContext, hit: Hit) -> Stunned:
    """Roll against a stun; without damage past armor there is no roll."""
    combatant = context.state[hit.target]
    points = max(0, hit.dice_total + add_up(armor_terms(combatant, hit)))
    if is_machine(combatant) or not points:
        context.emit(e.Said("log.unstunned", hit.target), hit.rule)
        return Stunned(hit.target, hit.rule)
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
    return Stunned(hit.target, hit.rule, effect < 0)


def take_stun(context: RuleContext, stunned: Stunned, onward: Onward) -> Then | None:
    """Apply a stun: aim for the kill ends even without one. [CE-MINOR-09]"""
    be_hit(context, stunned.target)
    if stunned.out:
        fall_unconscious(context, stunned.target, OTHER, stunned.rule)
    return chain(None, onward)


# The areas of explosions: rings around a place, limited by walls.


def find_shapes(state: State, at: Point, edges: tuple[float, ...]) -> tuple[Shape, ...]:
    """The rings around a place, by outer edge in meters. [CE-EXPL-01]  RULING R84 R93"""
    return make_rings(at, edges, bool(find_option(state, "walls_stop_blasts")))


def find_inside(
    state: State, at: Point, edges: tuple[float, ...], people: Iterable[Combatant]
) -> list[tuple[str, int]]:
    """Those of some people whom the rings around a place catch, with the number of their ring; the others are
    outside of all, or behind a wall."""
    rings, battle_map, grid = find_shapes(state, at, edges), map_of(state.scene), find_grid(state)
    count, found = partial(measure, state), []
    for combatant in people:
        ring = find_ring(rings, battle_map, grid, body=body_of(combatant), measure=count)
        if ring is not None:
            found.append((combatant.id, ring))
    return found


def is_open_to(state: State, at: Point, combatant: Combatant) -> bool:
    """Whether someone is free of walls towards an explosion at a place.  RULING R93"""
    if not find_option(state, "walls_stop_blasts"):
        return True
    return is_reached(map_of(state.scene), find_grid(state), at, body_of(combatant))


# Demolition charges: set with a check, set off with a button.


def check_charge(state: State, command: Handle) -> Item:
    """Refuse to set an item that is not a charge."""
    item = find_item(state[command.actor], command.weapon)
    if item.kind != "explosive":
        raise Refused("bad_value", f"{item.name} is no charge: choose an explosive.")
    check_limbs(state, state[command.actor])
    return item


def set_charge(context: RuleContext, command: Handle) -> None:
    """Roll Demolitions with the better of Education and Dexterity: the Effect, 1 at least, multiplies the
    damage. [CE-SIG-05] The charge lies where its setter is, also inside a vehicle."""
    item, who = check_charge(context.state, command), command.actor
    pay_significant(context, who, "Setting a charge", "CE-SIG-05")
    lose_aim(context, who, "why.does_something_else")
    key = better_of(context.state[who], "edu", "dex")
    effect = roll_check(
        context, who, what="check.charge", skill=DEMOLITIONS, characteristic=key, rule="CE-SIG-05"
    )
    combatant = context.state[who]
    left = item.count - 1
    marks = {SET_BY: who, EFFECT: max(1, effect)} | ({INSIDE: combatant.inside} if combatant.inside else {})
    one = replace(item, count=1, place="ground", at=combatant.at, marks=marks)
    if left:
        one = replace(one, id=f"{item.id} {left}")
        context.emit(e.ItemChanged(who, replace(item, count=left), ""), "CE-SIG-05")
        context.emit(e.ItemGained(who, one, ""), "CE-SIG-05")
    context.emit(e.ItemLost(who, one, "how.sets"), "CE-SIG-05")


def find_charges(state: State, who: str) -> tuple[Item, ...]:
    """The charges that someone has set but not set off."""
    return tuple(item for item in state.ground if item.marks.get(SET_BY) == who)


def find_place(state: State, charge: Item) -> tuple[Point, str]:
    """The place of a charge: on the ground, or with the vehicle it lies in; then the id of that vehicle if it
    is closed."""
    assert charge.at is not None
    carrier = state.combatants.get(str(charge.marks.get(INSIDE, "")))
    if carrier is None or carrier.gone:
        return charge.at, ""
    is_shell = not (carrier.sheet.get("open") or has_condition(carrier, "destroyed"))
    return carrier.at, carrier.id if is_shell else ""


def check_set_off(state: State, command: Handle) -> Item:
    """Refuse to set off another person's charge."""
    charge = next((i for i in find_charges(state, command.actor) if i.id == command.weapon), None)
    if charge is None or charge.at is None:
        raise Refused("unknown", "That is no charge you have set: choose one of yours.")
    return charge


def set_off(context: RuleContext, command: Handle) -> Then:
    """Set a charge off: the button is a free action; the radius is rolled. [CE-OTHER-02] [CE-EXPL-01]"""
    item = check_set_off(context.state, command)
    at, inside = find_place(context.state, item)
    record = convert(item.data, Explosive)
    gone = replace(item, at=None, place="spent")
    context.emit(e.ItemGained(command.actor, gone, ""), "CE-EXPL-01")
    context.emit(e.ItemLost(command.actor, gone, "how.sets_off"), "CE-EXPL-01")
    why = say("roll.radius", item=record.name)
    roll = context.roll(record.radius, by=command.actor, rule="CE-EXPL-01", why=why)
    times = record.times * int(item.marks.get(EFFECT, 1))
    rings = ((float(roll.total), record.damage),)
    blast = Blast(by=command.actor, at=at, weapon=record.name, rings=rings, times=times, inside=inside)
    return Then(explode, blast)


def charge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The actor's charges. [CE-SIG-05]"""
    return (item_field(_find_charges(state, actor)),)


def _find_charges(state: State, actor: str) -> Things:
    return Things([i for i in state[actor].items if i.kind == "explosive"])


def set_off_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The charges that the actor has set. [CE-EXPL-01]"""
    return (item_field(Things(find_charges(state, actor))),)


def check_charge_now(state: State, actor: str) -> None:
    """Refuse setting a charge without having one."""
    check_any_item(_find_charges(state, actor), f"{state[actor].name} has no charge to set.")
    check_significant(state, actor, "setting a charge")


def check_set_off_now(state: State, actor: str) -> None:
    """Refuse setting off without a charge that the actor has set."""
    if not find_charges(state, actor):
        raise Refused("not_allowed", f"{state[actor].name} has set no charge.")


ACTIONS = (
    act("set_charge", set_charge, check_charge_now, fields=charge_fields),
    act("set_off", set_off, check_set_off_now, fields=set_off_fields),
)
