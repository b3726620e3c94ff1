"""Damage to vehicles and robots: through armor into hits, their locations, and the resulting wreck."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec

from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..book.hits import TABLES, LocationRow, count_most, find_damage_rule, find_hits, find_location
from ..characters import machinery
from ..characters.conditions import SCRAP, is_scrap
from ..characters.values import BODY, find_full, find_score, is_robot
from ..dice.focus import be_hit
from ..world.order import sort_ties
from . import parts
from .hits import Hit, chain, raw_terms
from .parts import BELOW, Barrage, Hurt, find_open_weapons, stop, take_hit
from .states import break_off

SHIP_SCALE = 50
ABSENT = ("weapon", "armor", machinery.SENSORS, machinery.COMPUTER)  # locations that a machine may lack
MAX_DAMAGE = 120  # points, more than any sum of dice rolled at a machine
Explode = Callable[[RuleContext, str, str], Then | None]
_EXPLOSIONS: list[Explode] = []  # how a wreck explodes; set by a higher room


def on_explosion(explode: Explode) -> Explode:
    """Register the function that explodes a vehicle."""
    _EXPLOSIONS[:] = [explode]
    return explode


def damage_machine(context: RuleContext, hit: Hit, hurt: Hurt, more: bool = False) -> Then | None:
    """Resolve a hit on a vehicle or robot. `hurt` resolves damage that reaches people inside; `more` means
    that later steps may hit it again.

    [CE-VDMG-04] The damage is that of the attack, Effect included; [CE-VDMG-05] armor comes off it.
    [CE-VDMG-06] The rest becomes hits, [CE-VDMG-07] each with its own location. [CE-MINOR-09] A robot
    loses aim for the kill.
    """
    combatant = context.state[hit.target]
    if is_scrap(combatant):
        context.emit(e.Said("log.wreck_hit", hit.target), "CE-VDMG-03")
        return None
    be_hit(context, hit.target)
    terms = damage_terms(combatant, hit)
    damage = add_up(terms)
    tell_damage(context, hit, terms, damage)
    groups = count_groups(context.state, damage)
    if not groups:
        return None
    barrage = Barrage(
        target=hit.target,
        groups=groups,
        structure=find_score(combatant, "structure"),
        hurt=hurt,
        by=hit.by,
        why=hit.why,
        damage=damage,
        kind=hit.kind,
        more=more,
    )
    return Then(strike, keep_damage(context.state, barrage))


def keep_damage(state: State, barrage: Barrage) -> Barrage:
    """The barrage, without its damage if it can reach no one inside: then only the hits count."""
    combatant = state[barrage.target]
    if barrage.damage and not can_reach(state, combatant, sum(barrage.groups)):
        return msgspec.structs.replace(barrage, damage=0)
    return barrage


def can_reach(state: State, combatant: Combatant, hits: int) -> bool:
    """Whether n hits can get through to someone inside."""
    if find_score(combatant, "hull") >= hits and not machinery.is_exposed_inside(state, combatant):
        return False
    return not (machinery.is_flat(state) or is_robot(combatant)) and bool(find_aboard(state, combatant.id))


def can_explode(state: State, combatant: Combatant, damage: int) -> bool:
    """Whether this much damage, before armor, may blow a machine up: by more hits than it holds, or by enough
    past the Hull to burst the power plant.  [CE-VLOC-17] [CE-VLOC-37]"""
    if machinery.is_flat(state) or is_robot(combatant) or is_scrap(combatant):
        return False
    past = sum(count_groups(state, damage)) - find_score(combatant, "hull")
    held = machinery.find_damage(combatant, machinery.POWER)
    plant = count_most(machinery.POWER, flat=False) - (held.level if held else 0)
    return past >= min(find_score(combatant, "structure") + 1, max(1, plant))


def count_groups(state: State, damage: int) -> tuple[int, ...]:
    """The hits that the damage causes: by the table; on the flat table always one.  RULING R66"""
    if machinery.is_flat(state):
        return (1,) if damage > 0 else ()
    return find_hits(damage)


def damage_terms(combatant: Combatant, hit: Hit) -> Modifiers:
    """The dice, the Effect, and the points armor takes off; never below 0.

    RULING R81: no point is guaranteed.
    [CE-SHIP-02] Against starships ground weapons do a fiftieth, before armor, rounded down.
    """
    terms = raw_terms(hit)
    if machinery.is_starship(combatant):
        whole = add_up(terms)
        terms = (*terms, Modifier("term.ship_scale", max(0, whole) // SHIP_SCALE - whole, "CE-SHIP-02"))
    armor = max(0, find_score(combatant, "armor") - hit.ap) if hit.armored else 0
    floor = max(0, armor - add_up(terms))
    held = (Modifier("term.vehicle_armor", -armor, "CE-VDMG-05"), Modifier("term.floor", floor, "CE-VDMG-05"))
    return (*terms, *without_zeros(held))


def tell_damage(context: RuleContext, hit: Hit, terms: Modifiers, damage: int) -> None:
    """Log the damage that came through; for those who may not know its state, only whether any did."""
    who, through = hit.target, damage > 0
    is_flat = through and machinery.is_flat(context.state)
    rule = parts.cite(context, "CS-VDMG-01") if is_flat else find_damage_rule(damage)
    full: e.Event
    if hit.roll:
        outcome = "outcome.through" if through else "outcome.stopped"
        label = "check.machine_damage"
        full = e.Checked(
            hit.by or who,
            label,
            hit.roll,
            modifiers=terms,
            total=damage,
            outcome=outcome,
            target=who if hit.by else "",
            good=through,
        )
    else:
        hits = sum(count_groups(context.state, damage))
        full = e.Said("log.machine_damage", who, args={"n": damage, "hits": hits})
    to = context.find_health_audience(who, full)
    if to == e.EVERYONE:
        context.emit(full, rule)
    else:
        short = e.Said("log.machine_hit" if through else "log.machine_unhurt", who)
        context.emit(full, rule, to, short)


# ---------------------------------------------------------------- where hits land


def strike(context: RuleContext, barrage: Barrage) -> Then | None:
    """Roll the locations of the next hits [CE-VDMG-07]; a Double or Triple lands on one place. [CE-VDMG-08]

    Parts already lost take no more hits: nothing would change.
    """
    combatant = context.state[barrage.target]
    if is_done_for(context.state, combatant):
        return Then(judge, msgspec.structs.replace(barrage, groups=()))
    roller = barrage.by or barrage.target
    hits, left = barrage.groups[0], 0 if barrage.more else sum(barrage.groups)
    roll = context.roll(
        "2d6",
        by=roller,
        rule="CE-VDMG-07",
        why="roll.location",
        equal_states=partial(group_locations, context.state, combatant, hits),
        namesakes=partial(group_locations, context.state, combatant, hits, left),
    )
    row = find_location(roll.total)
    struck = tuple(hit for _ in range(barrage.groups[0]) if (hit := take_hit(context, barrage, row)))
    after = keep_damage(context.state, msgspec.structs.replace(barrage, groups=barrage.groups[1:]))
    return hurt_robots(context, struck, after)


def hurt_robots(context: RuleContext, hits: tuple[Hit, ...], barrage: Barrage) -> Then | None:
    """Resolve hits on robots inside, one after the other, and go on with the vehicle.  RULING R74"""
    if not hits:
        return Then(strike if barrage.groups else judge, barrage)
    more = barrage.more or bool(hits[1:] or barrage.groups)
    then = damage_machine(context, hits[0], barrage.hurt, more)
    return chain(then, (hurt_robots, hits[1:], barrage))


def is_done_for(state: State, combatant: Combatant) -> bool:
    """Whether more hits change nothing: a robot without Structure, or an empty vehicle below 0."""
    structure = find_score(combatant, "structure")
    if machinery.is_flat(state):
        return is_flat_wreck(state, combatant)
    if is_robot(combatant):
        return structure <= 0
    return bool(combatant.marks.get(BELOW)) and not find_aboard(state, combatant.id)


def group_locations(
    state: State, combatant: Combatant, hits: int, left: int = 0
) -> tuple[tuple[int, ...], ...]:
    """The rolls of 2D6, grouped by what the hits do to this machine, for the odds.

    With `left` hits still to come, these included, results that the odds cannot tell apart are merged.
    """
    gone = frozenset(place for place in ABSENT if _is_gone(state, combatant, place))
    column = _find_column(state, combatant, hits)
    flat = machinery.is_flat(state)
    return _group(column, gone, _find_dull(_find_levels(combatant), left, flat) if left else frozenset())


def _find_levels(combatant: Combatant) -> tuple[int, ...]:
    """The most hits on any part, by kind."""
    most: dict[str, int] = {}
    for held in combatant.conditions:
        most[held.kind] = max(held.level, most.get(held.kind, 0))
    return tuple(most.get(kind, 0) for kind in machinery.HIT_KINDS.values())


def _find_dull(levels: tuple[int, ...], left: int, flat: bool) -> frozenset[str]:
    """The parts that, with the hits they have, `left` more cannot destroy."""
    each = zip(machinery.HIT_KINDS, levels, strict=True)
    return frozenset(part for part, level in each if not parts.may_matter(part, level, left, flat))


def _is_gone(state: State, combatant: Combatant, place: str) -> bool:
    """Whether hits on a location pass straight on to the Hull or the Structure."""
    if place in machinery.SYSTEMS:
        return not machinery.has_system(combatant, place)
    return (
        find_score(combatant, "armor") <= 0 if place == "armor" else not find_open_weapons(state, combatant)
    )


def _find_column(state: State, combatant: Combatant, hits: int) -> str:
    """The columns that decide a row: one, or two if the Hull may not hold all the hits."""
    if machinery.is_flat(state):
        return "flat"
    if is_robot(combatant):
        return "robot"
    if machinery.is_exposed_inside(state, combatant):
        return "internal"
    return "external" if find_score(combatant, "hull") >= hits else "both"


def _group(column: str, gone: frozenset[str], dull: frozenset[str]) -> tuple[tuple[int, ...], ...]:
    """The rolls grouped by result; all `dull` locations count as one."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for row in TABLES.location:
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
    """The location a hit ends up at: itself, or the one that takes hits for a missing part."""
    return TABLES.spill[place] if place in gone else place  # type: ignore[index]  # one of `gone`, so a key


def machine_cuts(state: State, who: str, ap: int = 0, effect: int = 0) -> tuple[int, ...]:
    """The sums of damage dice at which a hit on this machine starts to have another result.

    Rows of the table are three points wide. If someone inside may be hit, each point counts.
    """
    combatant = state[who]
    armor = max(0, find_score(combatant, "armor") - ap)
    rows = _find_rows(machinery.is_flat(state))
    exposed = bool(find_aboard(state, who)) and not machinery.is_flat(state) and not is_robot(combatant)
    if exposed:
        hull = 0 if machinery.is_exposed_inside(state, combatant) else find_score(combatant, "hull")
        rows = _find_rows_inside(hull)
    scale = SHIP_SCALE if machinery.is_starship(combatant) else 1
    return tuple(scale * (armor + n) - effect for n in rows)


def _find_rows(flat: bool) -> tuple[int, ...]:
    """The points past armor at which the rows of the damage table begin."""
    if flat:
        return (1,)
    return tuple(n for n in range(1, MAX_DAMAGE) if find_hits(n) != find_hits(n - 1))


def _find_rows_inside(hull: int) -> tuple[int, ...]:
    """The same if each point counts that causes more hits than the Hull has points."""
    deep = (n for n in range(1, MAX_DAMAGE) if sum(find_hits(n)) > hull)
    return tuple(sorted({*_find_rows(False), *deep}))


# ---------------------------------------------------------------- when all have landed


def judge(context: RuleContext, barrage: Barrage) -> Then | None:
    """Turn a machine without Structure into a wreck [CE-VDMG-03] [CE-VLOC-16]; below 0 a vehicle explodes.
    [CE-VLOC-17]

    This happens once, after all hits of an attack.  RULING R48
    """
    who = barrage.target
    combatant = context.state[who]
    structure = find_score(combatant, "structure")
    if machinery.is_flat(context.state):
        if is_flat_wreck(context.state, combatant):
            ruin(context, who, "wreck", parts.cite(context, "CS-VLOC-10"))
        return None
    if structure > 0:
        return None
    is_below = bool(combatant.marks.get(BELOW))
    if is_below:
        context.emit(e.Marked(who, BELOW, None), "CE-VLOC-17", e.GM_ONLY)
    if not is_below or is_robot(combatant):
        ruin(context, who, "wreck", "CE-VLOC-16")
        return None
    ruin(context, who, "destroyed", "CE-VLOC-17")
    return Then(_EXPLOSIONS[0], who, barrage.by) if _EXPLOSIONS else None


def is_flat_wreck(state: State, combatant: Combatant) -> bool:
    """Whether the machine is destroyed by the flat table: by its hits, or because its points are gone.

    RULING R66: where hits alone count, only the GM's word takes points, and Hull 0 is a wreck too.
    """
    if machinery.is_lost(state, combatant, "hull") or is_used_up(combatant, "structure"):
        return True
    if machinery.counts_hull_hits(state):
        return is_used_up(combatant, "hull")
    return find_score(combatant, "hull") + find_score(combatant, "structure") <= 0


def is_used_up(combatant: Combatant, track: str) -> bool:
    """Whether none of the points that a machine was built with are left."""
    return find_score(combatant, track) <= 0 < find_full(combatant, track)


def ruin(context: RuleContext, who: str, kind: str, rule: str) -> None:
    """Make it scrap: a wreck, or blown to pieces."""
    if not is_scrap(context.state[who]):
        add_condition(context, who, kind, rule=rule)
        break_off(context, who, rule)
        stop(context, who, rule)


def settle_machine(context: RuleContext, before: Combatant) -> None:
    """Bring a machine in line after the GM has changed it directly: without Structure it is a wreck
    [CE-VLOC-16]; raised again, no longer. [CE-REP-15] [CE-ROUND-04] Another Dexterity settles its ties."""
    who, combatant = before.id, context.state[before.id]
    changes = [combatant.tracks[key] - before.tracks[key] for key in BODY]
    if min(changes) < 0:
        be_hit(context, who)
    if combatant.tracks.get("dex") != before.tracks.get("dex"):
        sort_ties(context, who)
    if is_ruined(context.state, combatant):
        is_flat = machinery.is_flat(context.state)
        ruin(context, who, "wreck", parts.cite(context, "CS-VLOC-10") if is_flat else "CE-VLOC-16")
    elif max(changes) > 0:
        remove_conditions(context, who, *SCRAP, why="why.repaired", rule="CE-REP-15")


def is_ruined(state: State, combatant: Combatant) -> bool:
    """Whether a machine holds together no longer. [CE-VLOC-16]"""
    if machinery.is_flat(state):
        return is_flat_wreck(state, combatant)
    return is_used_up(combatant, "structure")
