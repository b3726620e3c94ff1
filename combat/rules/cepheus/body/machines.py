"""Damage to vehicles and robots: through armor into hits, each on a location, and the resulting wreck."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.system import system_of
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    Item,
    State,
    find_condition,
    has_condition,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..book.tables import (
    TABLES,
    LocationRow,
    count_most,
    find_damage_rule,
    find_effect,
    find_hits,
    find_location,
)
from ..characters import machinery
from ..characters.conditions import KINDS, SCRAP, STALLS, is_lifeless, is_scrap
from ..characters.values import BODY, MACHINES, find_full, find_score, is_robot
from ..dice import be_hit
from ..world.order import sort_ties
from .hits import Hit, chain, raw_terms
from .states import break_off

SHIP_SCALE = 50
ABSENT = ("weapon", "armor", machinery.SENSORS, machinery.COMPUTER)  # locations that a machine may lack
MAX_DAMAGE = 120  # points, more than any sum of dice rolled at a machine
Explode = Callable[[RuleContext, str, str], Then | None]
_EXPLOSIONS: list[Explode] = []  # how a wreck explodes; set by a higher room
BORROWED = "R66"  # how the flat table is cited, where the book has no rule
BELOW = "structure_below_zero"  # mark: it was hit once more than its Structure held
ANY = tuple(range(1, 7))  # all faces of a die
TRIGGERS = (machinery.POWER, machinery.COMPUTER)  # parts whose last hit has a further effect


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
    rule = cite(context, "CS-VDMG-01") if is_flat else find_damage_rule(damage)
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
    return frozenset(part for part, level in each if not may_matter(part, level, left, flat))


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
            ruin(context, who, "wreck", cite(context, "CS-VLOC-10"))
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
        ruin(context, who, "wreck", cite(context, "CS-VLOC-10") if is_flat else "CE-VLOC-16")
    elif max(changes) > 0:
        remove_conditions(context, who, *SCRAP, why="why.repaired", rule="CE-REP-15")


def is_ruined(state: State, combatant: Combatant) -> bool:
    """Whether a machine holds together no longer. [CE-VLOC-16]"""
    if machinery.is_flat(state):
        return is_flat_wreck(state, combatant)
    return is_used_up(combatant, "structure")


# One hit on one location of a machine: its effect, and where it goes if the location can take no more. And
# the differences between damaged machines that matter to the odds.


Hurt = Callable[[RuleContext, Hit], object]  # resolves a hit on a person


class Barrage(msgspec.Struct, frozen=True, kw_only=True):
    """Hits on their way to a machine; `groups` are the hits that still need a location.

    `damage` is what came through armor, for those inside, and `kind` its kind; `structure` is the Structure
    at the start. `more` means that it may be hit again afterwards: then every part matters.
    """

    target: str
    groups: tuple[int, ...]
    structure: int
    hurt: Hurt
    by: str = ""
    why: Label = "why.hit"
    damage: int = 0
    kind: str = ""
    more: bool = False


def cite(context: RuleContext, rule: str) -> str:
    """The citation of a rule: itself in its own book; for a quick rule elsewhere, the ruling that borrows it.

    RULING R66
    """
    book = system_of(context).rulebook
    return rule if rule in book.rules or rule in book.borrowed_rules else BORROWED


def take_hit(context: RuleContext, barrage: Barrage, row: LocationRow) -> Hit | None:
    """Land a hit in the column that applies now; returns the one that it means for a robot inside.

    [CE-VDMG-02] Inside, once a vehicle has no Hull; [CE-VLOC-01] and the following are the rows.
    """
    combatant = context.state[barrage.target]
    if machinery.is_flat(context.state):
        return take(context, barrage, row.flat, row=row, rule=cite(context, row.flat_rule))
    if is_robot(combatant):
        return take(context, barrage, row.robot, row=row, rule=row.rule)
    inside = machinery.is_exposed_inside(context.state, combatant)
    return take(context, barrage, row.internal if inside else row.external, row=row, rule=row.rule)


def take(
    context: RuleContext, barrage: Barrage, place: str, row: LocationRow | None, rule: str
) -> Hit | None:
    """Resolve a hit on a location of any kind."""
    if place in _TAKERS:
        return _TAKERS[place](context, barrage, row, rule)
    return take_part(context, barrage, place, key=place, row=row, rule=rule)


def spill(context: RuleContext, barrage: Barrage, place: str, row: LocationRow | None) -> Hit | None:
    """Move a hit that a location can no longer take to the Hull or the Structure."""
    tables = TABLES
    to, by = tables.spill[place], tables.spill_rules[place]  # type: ignore[index]  # a key, or KeyError
    return take(context, barrage, to, row=row, rule=by)


# ---------------------------------------------------------------- Hull, Structure, Armor


def _take_hull(context: RuleContext, barrage: Barrage, row: LocationRow | None, rule: str) -> Hit | None:
    """Take a point of Hull. [CE-VLOC-12] A vehicle without Hull is hit inside, on the same row [CE-VLOC-13];
    a robot loses Structure instead. [CE-VLOC-14]  RULING R25 R47"""
    combatant = context.state[barrage.target]
    if machinery.is_flat(context.state):
        _take_flat_hull(context, barrage, rule)
    elif find_score(combatant, "hull") > 0:
        _lower(context, barrage, "hull", rule)
    elif is_robot(combatant) or row is None:
        _take_structure(context, barrage, row, "CE-VLOC-14")
    else:
        return take(context, barrage, row.internal, row=row, rule="CE-VLOC-13")
    return None


def _take_flat_hull(context: RuleContext, barrage: Barrage, rule: str) -> None:
    """Take a Hull hit on the flat table: the third destroys, or as many as Hull and Structure.  RULING R66"""
    combatant = context.state[barrage.target]
    if machinery.counts_hull_hits(context.state):
        take_part(context, barrage, "hull", key="hull", row=None, rule=rule)
    else:
        _lower(context, barrage, "hull" if find_score(combatant, "hull") > 0 else "structure", rule)


def _take_structure(context: RuleContext, barrage: Barrage, row: LocationRow | None, rule: str) -> None:
    """Take a point of Structure; points beyond it count for the explosion. [CE-VLOC-15]"""
    who = barrage.target
    if find_score(context.state[who], "structure") > 0:
        _lower(context, barrage, "structure", rule)
    elif not context.state[who].marks.get(BELOW):
        context.emit(e.Marked(who, BELOW, True), "CE-VLOC-17", e.GM_ONLY)


def _take_armor(context: RuleContext, barrage: Barrage, row: LocationRow | None, rule: str) -> Hit | None:
    """Take a point of armor, from the next attack on; without any left, a Hull hit. [CE-VLOC-21]
    RULING R47"""
    combatant = context.state[barrage.target]
    if machinery.is_flat(context.state):
        return _take_flat_armor(context, barrage, rule)
    if find_score(combatant, "armor") > 0:
        _lower(context, barrage, "armor", "CE-VLOC-21")
    else:
        return spill(context, barrage, "armor", row)
    return None


def _take_flat_armor(context: RuleContext, barrage: Barrage, rule: str) -> Hit | None:
    """Lower armor by 1 for each hit, to 0 on the third; further ones are Hull hits.  RULING R66 R86"""
    who = barrage.target
    hit = take_part(context, barrage, "armor", key="armor", row=None, rule=rule)
    now = find_score(context.state[who], "armor")
    left = 0 if machinery.is_lost(context.state, context.state[who], "armor") else max(0, now - 1)
    if now > left:
        context.emit(e.TrackChanged(who, "armor", now, new=left, why=barrage.why, by=barrage.by), rule)
    return hit


def _lower(context: RuleContext, barrage: Barrage, track: str, rule: str) -> None:
    now = find_score(context.state[barrage.target], track)
    if now > 0:
        context.emit(
            e.TrackChanged(barrage.target, track, now, new=now - 1, why=barrage.why, by=barrage.by), rule
        )


# ---------------------------------------------------------------- parts


def take_part(
    context: RuleContext, barrage: Barrage, part: str, key: str, row: LocationRow | None, rule: str
) -> Hit | None:
    """Add a hit to a part of the machine, with its consequences. Further hits spill over, and so do hits on
    parts that the machine lacks.  RULING R47

    `part` is the kind, `key` which one of that kind.
    """
    who, flat = barrage.target, machinery.is_flat(context.state)
    held = machinery.find_damage(context.state[who], key)
    hits = held.level if held else 0
    if hits >= count_most(part, flat) or not machinery.has_system(context.state[who], part):
        return spill(context, barrage, part, row) if part != "hull" else None
    effect = find_effect(part, hits + 1, flat)
    rule = cite(context, effect.rule)
    if held:
        told = replace(held, level=hits + 1)
        context.emit(e.ConditionChanged(who, told), rule)
    else:
        label = name_part(context.state[who], part, key)
        add_condition(context, who, f"{part}_hit", rule=rule, marks={"part": key}, label=label)
    slow_down(context, who)
    if effect.follows:
        _FOLLOWS[effect.follows](context, barrage)
    if effect.lost:
        _tell_lost(context, who, part, key=key, rule=rule)
    return None


def name_part(combatant: Combatant, part: str, key: str) -> Label:
    """The label of the damage to a part: weapons by their names, limbs by their numbers."""
    if part == machinery.WEAPON:
        item = next((item for item in combatant.items if item.id == key), None)
        return say("part.weapon_hit", item=item.name if item else "")
    if part == machinery.LIMB:
        return say("part.limb_hit", n=int(key.rpartition("_")[2]))
    return f"condition.{part}_hit"


def _tell_lost(context: RuleContext, who: str, part: str, key: str, rule: str) -> None:
    label = name_part(context.state[who], part, key)
    context.emit(e.Said("log.part_lost", who, args={"part": label}), rule)
    is_robot_brain = part == machinery.COMPUTER and is_robot(context.state[who])
    if part == machinery.POWER or is_robot_brain:
        disable(context, who, rule)


def disable(context: RuleContext, who: str, rule: str) -> None:
    """Disable a machine until it is repaired. [CE-VLOC-36] [CE-VLOC-51]"""
    if not has_condition(context.state[who], "disabled"):
        add_condition(context, who, "disabled", rule=rule)
    stop(context, who, rule)


def stop(context: RuleContext, who: str, rule: str) -> None:
    """Stop a machine and take the rest of its turn."""
    slow_down(context, who, rule)
    budget = context.state[who].budget
    if any(budget.values()):
        context.emit(e.BudgetSet(who, dict.fromkeys(budget, 0)), rule)


def slow_down(context: RuleContext, who: str, rule: str = "CE-VLOC-22") -> None:
    """Slow a damaged machine to its top speed: repairs do not bring the lost speed back. [CE-VLOC-22] What
    cannot be driven evades no longer. [CE-VLOC-24]"""
    combatant = context.state[who]
    top = int(machinery.find_top_speed(context.state, combatant))
    if int(combatant.marks.get(machinery.SPEED, 0)) > top:
        context.emit(e.Marked(who, machinery.SPEED, top or None), rule, e.GM_ONLY)
    if machinery.is_immobile(context.state, combatant):
        remove_conditions(context, who, *KINDS.ended_by("immobility"), rule=rule)


def _stall(context: RuleContext, barrage: Barrage) -> None:
    """Take all of its next round. [CE-VLOC-34]"""
    _hold_still(context, barrage.target, "powerless", rounds=1, rule="CE-VLOC-34")


def _shut_down(context: RuleContext, barrage: Barrage) -> None:
    """With its computer off [CE-VLOC-49], a robot is shut down for 1D6 rounds. [CE-VLOC-50]  RULING R83"""
    who = barrage.target
    if is_robot(context.state[who]):
        by = barrage.by or who
        rounds = context.roll("1d6", by=by, rule="CE-VLOC-50", why="roll.shutdown", namesakes=(ANY,)).total
        _hold_still(context, who, "shut_down", rounds=rounds, rule="CE-VLOC-50")


def _hold_still(context: RuleContext, who: str, kind: str, rounds: int, rule: str) -> None:
    now = context.state.round
    add_condition(context, who, kind, rule=rule, marks={"first": now + 1, "last": now + rounds})


def _burst_plant(context: RuleContext, barrage: Barrage) -> None:
    """Burst the power plant: 1D6 Hull hits, or Structure hits without Hull. [CE-VLOC-37]  RULING R47"""
    by = barrage.by or barrage.target
    for _ in range(context.roll("1d6", by=by, rule="CE-VLOC-37", why="roll.plant").total):
        _take_hull(context, barrage, None, "CE-VLOC-37")


_FOLLOWS: dict[str, Callable[[RuleContext, Barrage], None]] = {
    "stall": _stall,
    "shutdown": _shut_down,
    "hull_hits": _burst_plant,
}


# ---------------------------------------------------------------- one of several


def pick(context: RuleContext, barrage: Barrage, keys: tuple[str, ...], rule: str, why: Label) -> str:
    """One of several at random, without dice if there is only one."""
    if len(keys) == 1:
        return keys[0]
    by = barrage.by or barrage.target
    namesakes = group_namesakes(context.state[barrage.target], keys)
    return keys[context.roll(f"1d{len(keys)}", by=by, rule=rule, why=why, namesakes=namesakes).total - 1]


def group_namesakes(machine: Combatant, keys: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Parts grouped by equal state, as numbers; people and cargo are never grouped."""
    groups: dict[int, list[int]] = {}
    parts = {held.marks.get("part"): held.level for held in machine.conditions}
    known = {item.id for item in machinery.find_mounts(machine)}.union(machinery.find_limbs(machine))
    for number, key in enumerate(keys, 1):
        groups.setdefault(parts.get(key, 0) if key in known else -number, []).append(number)
    return tuple(tuple(group) for group in groups.values())


def find_open_weapons(state: State, combatant: Combatant) -> tuple[str, ...]:
    """The weapons of a machine that are not destroyed. [CE-VLOC-28]  RULING R47"""
    most = count_most(machinery.WEAPON, machinery.is_flat(state))
    return tuple(
        item.id
        for item in machinery.find_mounts(combatant)
        if (held := machinery.find_damage(combatant, item.id)) is None or held.level < most
    )


def _take_weapon(context: RuleContext, barrage: Barrage, row: LocationRow | None, rule: str) -> Hit | None:
    """Hit a random weapon [CE-VLOC-26]; without any left, the Hull. [CE-VLOC-29]"""
    keys = find_open_weapons(context.state, context.state[barrage.target])
    if not keys:
        return spill(context, barrage, machinery.WEAPON, row)
    key = pick(context, barrage, keys, rule="CE-VLOC-26", why="roll.which_weapon")
    return take_part(context, barrage, machinery.WEAPON, key=key, row=row, rule=rule)


def _take_limb(context: RuleContext, barrage: Barrage, row: LocationRow | None, rule: str) -> Hit | None:
    """Hit a weapon of a robot if there is any left, else [CE-VLOC-38] a random limb, [CE-VLOC-41] else the
    Hull.  RULING R47"""
    combatant = context.state[barrage.target]
    if find_open_weapons(context.state, combatant):
        return _take_weapon(context, barrage, row, rule)
    most = count_most(machinery.LIMB, flat=False)
    damage = {key: machinery.find_damage(combatant, key) for key in machinery.find_limbs(combatant)}
    keys = tuple(key for key, held in damage.items() if held is None or held.level < most)
    if not keys:
        return spill(context, barrage, machinery.LIMB, row)
    key = pick(context, barrage, keys, rule="CE-VLOC-38", why="roll.which_limb")
    return take_part(context, barrage, machinery.LIMB, key=key, row=row, rule=rule)


def _take_cargo(context: RuleContext, barrage: Barrage, row: LocationRow | None, rule: str) -> Hit | None:
    """Hit a piece of cargo; the GM says whether it is destroyed. [CE-VLOC-45] Without cargo, hit the
    Structure. [CE-VLOC-46]"""
    cargo = machinery.find_cargo(context.state[barrage.target])
    if not cargo:
        return spill(context, barrage, machinery.CARGO, row)
    key = pick(context, barrage, tuple(item.id for item in cargo), rule="CE-VLOC-45", why="roll.which_cargo")
    item = next(item for item in cargo if item.id == key)
    _mark_cargo(context, barrage.target, item)
    return None


def _mark_cargo(context: RuleContext, who: str, item: Item) -> None:
    hit = replace(item, marks={**item.marks, "hit": True})
    context.emit(e.ItemChanged(who, hit, "item_is.hit"), "CE-VLOC-45")


def _take_passengers(
    context: RuleContext, barrage: Barrage, row: LocationRow | None, rule: str
) -> Hit | None:
    """Hit a random passenger [CE-VLOC-42], who takes the damage that the vehicle took [CE-VLOC-43]; if none
    is alive, the Structure. [CE-VLOC-44]"""
    keys = tuple(rider.id for rider in machinery.find_riders(context.state, barrage.target))
    if not keys:
        return spill(context, barrage, "passengers", row)
    who = pick(context, barrage, keys, rule="CE-VLOC-42", why="roll.which_passenger")
    return _hurt(context, barrage, who, "CE-VLOC-43")


def _take_cockpit(context: RuleContext, barrage: Barrage, row: LocationRow | None, rule: str) -> Hit | None:
    """Hit the driver [CE-VLOC-47]; if none is alive, the Structure. [CE-VLOC-48]"""
    driver = machinery.find_driver(context.state, barrage.target)
    if driver is None or is_lifeless(driver):
        return spill(context, barrage, "cockpit", row)
    return _hurt(context, barrage, driver.id, "CE-VLOC-47")


def _hurt(context: RuleContext, barrage: Barrage, who: str, rule: str) -> Hit | None:
    """Hit someone inside: damage past the vehicle's armor meets their own armor. A robot takes it by its own
    table, once this hit has landed.  RULING R47 R74"""
    hit = Hit(
        target=who,
        dice_total=barrage.damage,
        rule=rule,
        by=barrage.by,
        kind=barrage.kind,
        why="why.inside_hit",
    )
    if is_robot(context.state[who]):
        return hit
    barrage.hurt(context, hit)
    return None


_TAKERS: dict[str, Callable[[RuleContext, Barrage, LocationRow | None, str], Hit | None]] = {
    "hull": _take_hull,
    "structure": _take_structure,
    "armor": _take_armor,
    "weapon": _take_weapon,
    "limb": _take_limb,
    "cargo": _take_cargo,
    "passengers": _take_passengers,
    "cockpit": _take_cockpit,
}


def may_matter(part: str, level: int, left: int, flat: bool) -> bool:
    """Whether `left` more hits can destroy a part with so many hits, or spill over."""
    if flat and part in ("hull", "armor"):
        return True
    most = count_most(part, flat)
    return part in ("hull", "armor") or level + left > most - (part in TRIGGERS)


def end_stalls(context: RuleContext, ended: int) -> None:
    """After a round, restart machines whose time without power or shut down is over."""
    for who, combatant in tuple(context.state.combatants.items()):
        for held in combatant.conditions:
            if held.kind not in STALLS or held is not find_condition(combatant, held.kind):
                continue
            if int(held.marks.get("last", 0)) <= ended:
                remove_conditions(context, who, held.kind, why="why.expired", rule=held.rule)


def blur_parts(state: State, args: tuple[Any, ...]) -> State:
    """The state without the hits on parts that can no longer matter in this attack.

    A part matters while the rest of the barrage may exceed what it can take, or may trigger something.
    Nothing is left out if anything is still to be done except landing hits.
    """
    machines = [f for f in state.combatants.values() if f.sheet["kind"] in MACHINES and f.conditions]
    if not machines:
        return state
    left, target = 0, ""
    if args:
        barrage = args[0]
        if len(args) > 1 or not isinstance(barrage, Barrage) or barrage.more:
            return state
        left, target = sum(barrage.groups), barrage.target
    if left:  # it may hit the robots inside
        machines = [machine for machine in machines if machine.inside != target]
    changed = {machine.id: _blur(state, machine, left if machine.id == target else 0) for machine in machines}
    return replace(state, combatants={**state.combatants, **changed})


def _blur(state: State, combatant: Combatant, left: int) -> Combatant:
    kept = [held for held in combatant.conditions if _matters(state, held, left)]
    plain = sorted((replace(held, id="") for held in kept), key=lambda held: (held.kind, str(held.marks)))
    return replace(combatant, conditions=tuple(plain))


def _matters(state: State, held: Condition, left: int) -> bool:
    if held.kind in STALLS:
        return False
    if "part" not in held.marks:
        return True
    kind = held.kind.removesuffix("_hit")
    return may_matter(kind, held.level, left, machinery.is_flat(state))
