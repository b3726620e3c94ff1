"""Damage to vehicles and robots: through armor, into hits, to their places, and what becomes of the wreck."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import msgspec

from combat.rules.core.aboard import find_aboard
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition
from combat.rules.core.turns import add_condition

from ..book.hits import LocationRow, count_most, find_damage_rule, find_hits, find_location, hit_tables
from ..people import machinery
from ..people.values import find_score, is_robot
from . import parts
from .hits import Hit, raw_terms
from .parts import BELOW, Barrage, Hurt, find_open_weapons, stop, take_hit

SHIP_SCALE = 50
ABSENT = ("weapon", "armor", machinery.SENSORS, machinery.COMPUTER)  # places that a machine may lack
MAX_DAMAGE = 120  # beyond any sum of dice that is rolled at a machine, in points
Explode = Callable[[RuleContext, str, str], Then | None]
_EXPLOSIONS: list[Explode] = []  # how a wreck blows up is known to a room above


def on_explosion(explode: Explode) -> Explode:
    """Say how a vehicle explodes."""
    _EXPLOSIONS[:] = [explode]
    return explode


def damage_machine(context: RuleContext, hit: Hit, hurt: Hurt, more: bool = False) -> Then | None:
    """A hit on a vehicle or robot; `hurt` is how the people inside take what reaches them, `more` whether
    what follows may hit it again.

    [CE-VDMG-04] The damage is that of the attack, Effect included; [CE-VDMG-05] armor comes off it.
    [CE-VDMG-06] What is left is so many hits, [CE-VDMG-07] each with a location of its own.
    """
    fighter = context.state[hit.target]
    if has_condition(fighter, "wreck", "destroyed"):
        context.emit(e.Said("log.wreck_hit", hit.target), "CE-VDMG-03")
        return None
    terms = damage_terms(fighter, hit)
    damage = max(0, add_up(terms))
    tell_damage(context, hit, terms, damage)
    groups = count_groups(context.state, damage)
    if not groups:
        return None
    barrage = Barrage(
        target=hit.target,
        groups=groups,
        structure=find_score(fighter, "structure"),
        hurt=hurt,
        by=hit.by,
        why=hit.why,
        damage=damage,
        more=more,
    )
    return Then(strike, keep_damage(context.state, barrage))


def keep_damage(state: State, barrage: Barrage) -> Barrage:
    """The barrage without the damage if it can reach nobody: then hits are all that counts."""
    fighter = state[barrage.target]
    if barrage.damage and not can_reach(state, fighter, sum(barrage.groups)):
        return msgspec.structs.replace(barrage, damage=0)
    return barrage


def can_reach(state: State, fighter: Combatant, hits: int) -> bool:
    """Whether so many hits can get through to somebody inside."""
    if machinery.is_flat(state) or is_robot(fighter) or not find_aboard(state, fighter.id):
        return False
    return machinery.is_exposed_inside(state, fighter) or find_score(fighter, "hull") < hits


def can_explode(state: State, fighter: Combatant, damage: int) -> bool:
    """Whether so much damage, before armor, may blow a machine up: with more hits than it holds, or enough
    past the Hull to burst the power plant.  [CE-VLOC-17] [CE-VLOC-37]"""
    if machinery.is_flat(state) or is_robot(fighter) or has_condition(fighter, "wreck", "destroyed"):
        return False
    past = sum(count_groups(state, damage)) - find_score(fighter, "hull")
    held = machinery.find_damage(fighter, machinery.POWER)
    plant = count_most(machinery.POWER, flat=False) - (held.level if held else 0)
    return past >= min(find_score(fighter, "structure") + 1, max(1, plant))


def count_groups(state: State, damage: int) -> tuple[int, ...]:
    """The hits that damage is worth: by the table, or on the flat table always one.  RULING R66"""
    if machinery.is_flat(state):
        return (1,) if damage > 0 else ()
    return find_hits(damage)


def damage_terms(fighter: Combatant, hit: Hit) -> Modifiers:
    """The dice, the Effect, and what armor takes off.  RULING R81: no point is sure.

    [CE-SHIP-02] Against starships a fiftieth of ground weapons counts, before armor, fractions dropped.
    """
    terms = raw_terms(hit)
    if machinery.is_starship(fighter):
        whole = add_up(terms)
        terms = (*terms, Modifier("term.ship_scale", max(0, whole) // SHIP_SCALE - whole, "CE-SHIP-02"))
    armor = max(0, find_score(fighter, "armor") - hit.ap) if hit.armored else 0
    return (*terms, *((Modifier("term.vehicle_armor", -armor, "CE-VDMG-05"),) if armor else ()))


def tell_damage(context: RuleContext, hit: Hit, terms: Modifiers, damage: int) -> None:
    """Say what came through; of a machine whose state is nobody's business, only whether anything did."""
    rule = find_damage_rule(damage)
    who, through = hit.target, damage > 0
    short = e.Said("log.machine_hit" if through else "log.machine_unhurt", who)
    hits = sum(count_groups(context.state, damage))
    full: e.Event = e.Said("log.machine_damage", who, args={"n": damage, "hits": hits})
    if hit.roll:
        outcome = "outcome.through" if through else "outcome.stopped"
        label = "check.machine_damage"
        full = e.Checked(
            hit.by or who, label, hit.roll, terms, damage, outcome, target=who if hit.by else "", good=through
        )
    is_open = context.state[who].pc or context.option("foe_health") == "number"
    if is_open:
        context.emit(full, rule)
    else:
        context.emit(full, rule, e.GM_ONLY, short)


# ---------------------------------------------------------------- where they land


def strike(context: RuleContext, barrage: Barrage) -> Then | None:
    """[CE-VDMG-07] Roll where the next hits land; [CE-VDMG-08] a Double or Triple lands on one place.

    What is lost already is not hit any further: nothing would come of it.
    """
    fighter = context.state[barrage.target]
    if is_done_for(context.state, fighter):
        return Then(judge, msgspec.structs.replace(barrage, groups=()))
    roller = barrage.by or barrage.target
    alike, kin = group_locations(context.state, fighter, barrage.groups[0], sum(barrage.groups))
    kin = alike if barrage.more else kin
    roll = context.roll("2d6", by=roller, rule="CE-VDMG-07", why="roll.location", alike=alike, kin=kin)
    row = find_location(roll.total)
    for _ in range(barrage.groups[0]):
        take_hit(context, barrage, row)
    left = keep_damage(context.state, msgspec.structs.replace(barrage, groups=barrage.groups[1:]))
    return Then(strike, left) if left.groups else Then(judge, left)


def is_done_for(state: State, fighter: Combatant) -> bool:
    """Whether more hits change nothing: a robot without Structure, a vehicle below 0 with nobody inside."""
    structure = find_score(fighter, "structure")
    if machinery.is_flat(state):
        return is_flat_wreck(state, fighter)
    if is_robot(fighter):
        return structure <= 0
    return bool(fighter.marks.get(BELOW)) and not find_aboard(state, fighter.id)


def group_locations(
    state: State, fighter: Combatant, hits: int, left: int
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """The rolls of 2D6 on which so many hits do the same to this machine, for the odds.

    Second those that do nothing that odds could tell apart, with `left` hits still to come, these included.
    """
    gone = frozenset(place for place in ABSENT if _is_gone(state, fighter, place))
    column = _find_column(state, fighter, hits)
    dull = _find_dull(_find_levels(fighter), left, machinery.is_flat(state))
    return _group(column, gone, frozenset()), _group(column, gone, dull)


def _find_levels(fighter: Combatant) -> tuple[int, ...]:
    """The most hits on any part of each kind."""
    most: dict[str, int] = {}
    for held in fighter.conditions:
        most[held.kind] = max(held.level, most.get(held.kind, 0))
    return tuple([most.get(kind, 0) for kind in machinery.HIT_KINDS.values()])


@lru_cache(maxsize=4096)
def _find_dull(levels: tuple[int, ...], left: int, flat: bool) -> frozenset[str]:
    """The parts with so many hits of which `left` more cannot take the last."""
    each = zip(machinery.HIT_KINDS, levels, strict=True)
    return frozenset(part for part, level in each if not parts.may_matter(part, level, left, flat))


def _is_gone(state: State, fighter: Combatant, place: str) -> bool:
    """Whether hits on a place go on to the Hull or the Structure at once."""
    if place in machinery.SYSTEMS:
        return not machinery.has_system(fighter, place)
    return find_score(fighter, "armor") <= 0 if place == "armor" else not find_open_weapons(state, fighter)


def _find_column(state: State, fighter: Combatant, hits: int) -> str:
    """What decides about a row: a column, or two where the Hull may not hold so many hits."""
    if machinery.is_flat(state):
        return "flat"
    if is_robot(fighter):
        return "robot"
    if machinery.is_exposed_inside(state, fighter):
        return "internal"
    return "external" if find_score(fighter, "hull") >= hits else "both"


@cache
def _group(column: str, gone: frozenset[str], dull: frozenset[str]) -> tuple[tuple[int, ...], ...]:
    """The rolls by what they do; `dull` places are all the same."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for row in hit_tables().location:
        groups.setdefault(_find_way(row, column, gone, dull), []).append(row.roll)
    return tuple(tuple(group) for group in groups.values())


def _find_way(row: LocationRow, column: str, gone: frozenset[str], dull: frozenset[str]) -> tuple[str, ...]:
    place: str = row.external if column == "both" else getattr(row, column)
    if column == "robot" and place == "limb":
        place = "limb" if "weapon" in gone else "weapon"
    place = _spilled(place, gone)
    if place in dull:
        return ("nothing",)
    return (place, _spilled(row.internal, gone)) if column == "both" else (place,)


def _spilled(place: str, gone: frozenset[str]) -> str:
    """Where a hit on a place lands: itself, or what takes the hits on what is not there."""
    return hit_tables().spill[place] if place in gone else place  # type: ignore[index]  # one of `gone`, so a key


def find_machine_cuts(state: State, who: str, ap: int = 0, effect: int = 0) -> tuple[int, ...]:
    """The sums of damage dice from which on a hit on this machine does something else.

    Rows of the table are three points wide. Where somebody may be hit inside, each point counts.
    """
    fighter = state[who]
    armor = max(0, find_score(fighter, "armor") - ap)
    rows = _find_rows(machinery.is_flat(state))
    exposed = bool(find_aboard(state, who)) and not machinery.is_flat(state) and not is_robot(fighter)
    if exposed:
        hull = 0 if machinery.is_exposed_inside(state, fighter) else find_score(fighter, "hull")
        rows = _find_rows_inside(hull)
    scale = SHIP_SCALE if machinery.is_starship(fighter) else 1
    return tuple(scale * (armor + n) - effect for n in rows)


@cache
def _find_rows(flat: bool) -> tuple[int, ...]:
    """The points through armor at which a row of the damage table begins."""
    if flat:
        return (1,)
    return tuple(n for n in range(1, MAX_DAMAGE) if find_hits(n) != find_hits(n - 1))


@cache
def _find_rows_inside(hull: int) -> tuple[int, ...]:
    """The same where each point counts that is worth more hits than the Hull has points."""
    deep = (n for n in range(1, MAX_DAMAGE) if sum(find_hits(n)) > hull)
    return tuple(sorted({*_find_rows(False), *deep}))


# ---------------------------------------------------------------- when all have landed


def judge(context: RuleContext, barrage: Barrage) -> Then | None:
    """[CE-VDMG-03] [CE-VLOC-16] Without Structure it is a wreck; [CE-VLOC-17] below 0 a vehicle explodes.

    Judged once, after all hits of an attack.  RULING R48
    """
    who = barrage.target
    fighter = context.state[who]
    structure = find_score(fighter, "structure")
    if machinery.is_flat(context.state):
        if is_flat_wreck(context.state, fighter):
            ruin(context, who, "wreck", parts.cite(context, "CS-VLOC-10"))
        return None
    if structure > 0:
        return None
    is_below = bool(fighter.marks.get(BELOW))
    if is_below:
        context.emit(e.Marked(who, BELOW, None), "CE-VLOC-17", e.GM_ONLY)
    if not is_below or is_robot(fighter):
        ruin(context, who, "wreck", "CE-VLOC-16")
        return None
    ruin(context, who, "destroyed", "CE-VLOC-17")
    return Then(_EXPLOSIONS[0], who, barrage.by) if _EXPLOSIONS else None


def is_flat_wreck(state: State, fighter: Combatant) -> bool:
    """Whether the flat table says that it is destroyed.  RULING R66"""
    points = find_score(fighter, "hull") + find_score(fighter, "structure")
    return machinery.is_lost(state, fighter, "hull") or points <= 0


def ruin(context: RuleContext, who: str, kind: str, rule: str) -> None:
    """It is scrap from now on: a wreck, or blown to pieces."""
    if not has_condition(context.state[who], "wreck", "destroyed"):
        add_condition(context, who, kind, rule=rule)
        stop(context, who, rule)
