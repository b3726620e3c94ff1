"""An attack before anything is rolled: its form, sights, checks and sums; the ranges of weapons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET

from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, adjusted
from combat.rules.core.declaration.parts import ROUND, SQUARE, Ring
from combat.rules.core.map.bodies import is_concealed
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state.state import Combatant, Condition, Item, State, find_condition

from ..book.options import find_option
from ..book.tables import (
    BANDS,
    EXTREME,
    RANGE_BANDS,
    RANGE_DM,
    RANGE_TYPES,
    SHORT_RANGE_DM,
    SHORT_RANGE_TYPES,
    SQUARE_METERS,
    Accessory,
    Arm,
    find_burst,
)
from ..characters.conditions import crawls, is_lifeless
from ..characters.goods import HAND_USES, find_fittings, is_gun
from ..characters.machinery import find_shell, find_skilled
from ..characters.values import VEHICLE, find_best_skill, find_bonus, find_dm, find_score, is_person
from ..dice import characteristic_terms, combat_skill_terms, hindrances, is_weightless, suit_terms
from ..vehicles.gunnery import damage_terms, evasion_terms, own_evasion_terms, size_terms
from ..world.bands import find_band, find_meters, is_grid, is_personal
from ..world.cover import find_cover, say_cover
from ..world.motion import count_moved, find_mover
from ..world.senses import modifiers_for_sight
from ..world.sight_lines import is_wall_between
from .weapons import find_own, find_shells, find_weapon, read_arm, spreads

MELEE_TYPES = frozenset(row for row, use in HAND_USES.items() if use == "melee")
INTO_COMBAT, RECOIL, EXTREME_DM = -2, -2, -2
INTO_RULE = "CE-INTO-01"
INTELLIGENT_RULE = "CE-MOD-04"
Mode = Literal["", "melee", "thrown", "ranged"]
Rows = dict[str, dict[str, int]]  # the DMs of the range table, by weapon type and band
Stated = Literal["", "none", "quarter", "half", "three_quarter", "full"]  # cover

SKILL, OWN, AIM, WAY = "skill", "own", "aim", "way"  # what a DM depends on
COVER, TARGET, CROWD = "cover", "target", "crowd"
ALL = frozenset((SKILL, OWN, AIM, WAY, COVER, TARGET, CROWD))
BLIND = frozenset((OWN, WAY))  # of blind fire: with another skill, and at nobody in particular
ON_SHEET = frozenset((SKILL, OWN))  # of a weapon and its owner, wherever they are


class Strike(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack with one weapon on one target. `mode` and `using` (the characteristic in melee) are chosen
    unless given; `rounds` is the number fired, 0 the fewest possible; `rested` means that the weapon lies on
    something; `cover` is what the GM says about the target's cover for this attack."""

    target: str
    weapon: str
    mode: Mode = ""
    using: Literal["", "str", "dex"] = ""
    rounds: int = 0
    rested: bool = False
    cover: Stated = ""


class Attack(Strike, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A basic attack. [CE-ATK-02] A `burst` is sprayed or grouped, never both. [CE-BURST-02]"""

    burst: Literal["", "spray", "grouped"] = ""


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """The attacker, target, weapon and distance, found once for all sums.

    Earlier aim does not count unless it is `aimed`. A shot that `spreads` hits everyone around its target.
    """

    combatant: Combatant
    target: Combatant
    item: Item
    arm: Arm
    fittings: tuple[Accessory, ...]
    mode: Mode
    rows: Rows
    row: str
    band: str
    skill: str
    rounds: int
    cover: str = ""
    using: str = ""
    aimed: bool = True
    spreads: bool = False


# ---------------------------------------------------------------- sights


def find_sight(state: State, command: Strike) -> Sight:
    """The weapon, its use and the range band; Refused for an item that is not a weapon in hand."""
    combatant, target = state[command.actor], state[command.target]
    item = find_weapon(state, combatant, command.weapon)
    arm, fittings = read_arm(item), find_fittings(combatant.items, item.id)
    band = find_band(state, combatant, target)
    rows, is_spread = range_rows(state), spreads(state, item, band)
    if is_spread:  # [CE-SHOT-02]
        arm = msgspec.structs.replace(arm, damage=find_shells().damage_beyond_short)
    mode = command.mode or find_mode(rows, arm, band)
    return Sight(
        combatant=combatant,
        target=target,
        item=item,
        arm=arm,
        fittings=fittings,
        mode=mode,
        rows=rows,
        row=find_row(arm, mode, fittings),
        band=band,
        skill=find_weapon_skill(find_skilled(state, combatant), arm, mode),
        rounds=count_rounds(arm, command.rounds) if mode == "ranged" else 0,
        cover=command.cover,
        spreads=is_spread,
    )


def find_mode(rows: Rows, arm: Arm, band: str) -> Mode:
    """Melee if the weapon reaches, else thrown, else shot."""
    for row in arm.range_types:
        if row in MELEE_TYPES and band in rows[row]:
            return "melee"
    if "thrown" in arm.range_types:
        return "thrown"
    return "ranged" if MELEE_TYPES.isdisjoint(arm.range_types) else "melee"


def find_row(arm: Arm, mode: str, fittings: tuple[Accessory, ...] = ()) -> str:
    """The row of the range table for this use of a weapon; "" if it cannot be used so."""
    if mode == "ranged":
        for fitted in fittings:
            if fitted.range_type:
                return fitted.range_type
    for row in arm.range_types:
        if HAND_USES.get(row, "ranged") == mode:
            return row
    return ""


def range_rows(state: State) -> Rows:
    """The table of DMs by weapon type and band. [CE-RANGE-09]  RULING R62: the summary has its own."""
    return SHORT_RANGE_DM if find_option(state, "range_table") == "summary" else RANGE_DM


def find_weapon_skill(combatant: Combatant, arm: Arm, mode: str) -> str:
    """The fitting skill, the better of several; Athletics for a throw. [CE-ATK-06] [CE-ATK-08] [CE-ATK-09]"""
    if mode == "thrown":
        return "athletics"
    return find_best_skill(combatant, arm.skills)


def find_characteristic(combatant: Combatant, mode: str, using: str = "") -> str:
    """Strength or Dexterity in melee, the higher unless chosen; else Dexterity. [CE-ATK-06] [CE-ATK-07]"""
    if mode != "melee":
        return "dex"
    return using or ("dex" if find_dm(combatant, "dex") > find_dm(combatant, "str") else "str")


def count_rounds(arm: Arm, wanted: int) -> int:
    """The rounds of one attack: the number chosen, or the fewest that the weapon can fire."""
    return wanted or (min(arm.rate_of_fire) if arm.rate_of_fire else 1)


# ---------------------------------------------------------------- sums


def modifiers_for_attack(
    state: State, command: Strike, sight: Sight, *more: Modifier, covered: bool = True, alone: bool = False
) -> Modifiers:
    """Every DM of an attack but the target's reaction.

    Without `covered` the target's cover does not count; `alone` means that no neighbor of the target is in
    the way.
    """
    if command.using:
        sight = msgspec.structs.replace(sight, using=command.using)
    left_out = {kind for kind, counts in ((COVER, covered), (CROWD, not alone)) if not counts}
    near, far = find_terms(state, sight, ALL - left_out)
    terms = adjusted(command, (*near, *more, *far), "CE-ATK-04")
    return without_zeros(with_computer(state, sight, terms))


def with_computer(state: State, sight: Sight, terms: Modifiers, reaction: Modifiers = ()) -> Modifiers:
    """The DMs of an attack, the target's `reaction`, and then the DM of an intelligent weapon. [CE-MOD-04]

    RULING R51: the reaction counts among the DMs that its program tolerates.
    """
    if not sight.fittings:
        return (*terms, *reaction)
    others = (*(term for term in terms if term.rule != INTELLIGENT_RULE), *reaction)
    return (*others, *intelligent_terms(state, sight, others))


def find_terms(state: State, sight: Sight, of: frozenset[str]) -> tuple[Modifiers, Modifiers]:
    """The DMs of these kinds: those of all attacks, and those of ranged ones only."""
    return _gather(NEAR, state, sight, of), () if sight.mode == "melee" else _gather(FAR, state, sight, of)


def _gather(sources: tuple[Source, ...], state: State, sight: Sight, of: frozenset[str]) -> Modifiers:
    terms: list[Modifier] = []
    for kind, find in sources:
        if kind in of:
            terms += find(state, sight)
    return tuple(terms)


def find_rule(sight: Sight) -> str:
    """The rule of a melee attack, a shot or a throw. [CE-ATK-06] [CE-ATK-08] [CE-ATK-09]"""
    return {"melee": "CE-ATK-06", "thrown": "CE-ATK-09"}.get(sight.mode, "CE-ATK-08")


def find_skill_terms(state: State, sight: Sight) -> Modifiers:
    """The level of the skill with the weapon. [CS-ATK-02]"""
    return combat_skill_terms(state, sight.combatant, sight.skill, find_rule(sight))


def using_terms(state: State, sight: Sight) -> Modifiers:
    """The DM of the characteristic."""
    key = find_characteristic(sight.combatant, sight.mode, sight.using)
    return characteristic_terms(sight.combatant, key, find_rule(sight))


def range_terms(state: State, sight: Sight) -> list[Modifier]:
    """The difficulty from weapon type and band [CE-ATK-05] [CE-RANGE-09]; two steps harder beyond.
    [CE-XRANGE-03]"""
    row = (SHORT_RANGE_TYPES if sight.rows is SHORT_RANGE_DM else RANGE_TYPES)[sight.row]
    band = "distant" if sight.band == EXTREME else sight.band
    label = f"difficulty.{row.difficulty[band]}"
    terms = [Modifier(label, sight.rows[sight.row][band], row.rule)]
    if sight.band == EXTREME:
        terms.append(Modifier("term.extreme_range", EXTREME_DM, "CE-XRANGE-03"))
    return terms


# ---------------------------------------------------------------- aiming


def find_aim(state: State, who: str, target: str, kind: str = "aiming") -> Condition | None:
    """The aim someone has at a target, ordinary or for the kill."""
    held = find_condition(state.combatants[who], kind)
    return held if held and held.marks.get("target") == target else None


def aim_terms(state: State, sight: Sight) -> list[Modifier]:
    """+1 for each action of aiming [CE-MINOR-03] [CE-MOD-01]; none for the kill. [CE-MINOR-06]

    Sights count on aimed attacks only. [CE-MOD-05]  RULING R9
    """
    held = find_aim(state, sight.combatant.id, sight.target.id) if sight.aimed else None
    if held is None:
        return []
    terms = [Modifier("condition.aiming", held.level, "CE-MOD-01")]
    terms += [Modifier(a.name, a.aimed_dm, "CE-MOD-05") for a in sight.fittings if a.aimed_dm]
    return terms


# ---------------------------------------------------------------- the target


def sight_terms(state: State, sight: Sight) -> Modifiers:
    """Light, smoke and weather on the line of fire, as the firer's sensors see them."""
    laser_sight = any(fitted.laser_sight for fitted in sight.fittings)
    return modifiers_for_sight(
        state, sight.combatant, sight.target, laser=sight.arm.laser, laser_sight=laser_sight
    )


def cover_terms(state: State, sight: Sight) -> list[Modifier]:
    """The DM of the target's cover, a step better if crouching or prone. [CE-MOD-02] [CE-COVER-02]

    RULING R14: none at Personal range.
    """
    cover = find_cover(state, sight.combatant, sight.target, sight.cover)
    if not cover.dm:
        return []
    said = f"cover.{cover.key}" if sight.cover else say_cover(state, sight.combatant, sight.target, cover)
    return [Modifier(said, cover.dm, cover.rule)]


def stance_terms(state: State, sight: Sight) -> list[Modifier]:
    """-2 on shots at the prone [CE-STANCE-09], 0 at Close [CE-STANCE-10], +2 at Personal range whatever the
    weapon. [CE-STANCE-11] [CE-MOD-10] [CE-MOD-09]  RULING R13 R68

    Standing has no DM of its own. [CE-STANCE-02]
    """
    if not crawls(sight.target):
        return []
    if sight.band == "personal":
        return [Modifier("term.prone_target_near", 2, "CE-STANCE-11")]
    spared = {
        "close": not find_option(state, "prone_close_penalty"),
        "short": not find_option(state, "prone_short_penalty"),
    }
    if sight.mode == "melee" or spared.get(sight.band):
        return []
    rule = "CE-STANCE-09" if sight.band in ("close", "short") else "CE-MOD-09"
    return [Modifier("term.prone_target", -2, rule)]


def movement_terms(state: State, combatant: Combatant, target: Combatant) -> list[Modifier]:
    """-1 for every full 10 m the target moved in its last turn. [CE-MOD-06]  RULING R49

    RULING R80: not between those whom the same vehicle moves.
    """
    mover = find_mover(state, target)
    moved = count_moved(mover)
    points = int(moved // 10)
    if not points or mover.id == find_mover(state, combatant).id:
        return []
    cap = find_option(state, "moving_vehicle_cap")
    if cap and not is_person(target):
        points = min(points, int(cap))
    return [Modifier(say("term.moved", metres=moved), -points, "CE-MOD-06")]


def into_combat_terms(state: State, sight: Sight) -> list[Modifier]:
    """-2 on shots and throws at a target with someone next to it. [CE-INTO-01]

    RULING R77: the neighbors are not in the way of flechettes, which hit them as well.
    """
    if sight.spreads or not is_crowded(state, sight.target.id, sight.combatant.id):
        return []
    return [Modifier("term.into_combat", INTO_COMBAT, INTO_RULE)]


# ---------------------------------------------------------------- the weapon


def recoil_terms(state: State, sight: Sight) -> list[Modifier]:
    """-2 for recoil in zero gravity, -1 with a gyrostabilizer. [CE-MOD-11] [CE-ZG-03]  RULING R43"""
    if sight.mode != "ranged" or not sight.arm.recoil or not is_weightless(state, sight.combatant):
        return []
    fitted = [a.recoil_dm for a in sight.fittings if a.recoil_dm]
    return [Modifier("term.recoil", max(fitted, default=RECOIL), "CE-ZG-03")]


def strength_terms(state: State, sight: Sight) -> list[Modifier]:
    """-1 for each point of Strength below the weapon's requirement; a suit's bonus counts.  RULING R58"""
    wanted = int(sight.item.data.get("min_strength", 0))
    if not wanted:
        return []
    lacking = wanted - find_score(sight.combatant, "str") - find_bonus(sight.combatant, "str")
    return [Modifier("term.too_weak", -lacking, "CE-ATK-08")] if lacking > 0 else []


def spread_terms(state: State, sight: Sight) -> list[Modifier]:
    """DM +1 for flechettes beyond Short range. [CE-SHOT-03]"""
    if not sight.spreads:
        return []
    return [Modifier("term.flechettes", find_shells().attack_dm_beyond_short, "CE-SHOT-03")]


def intelligent_terms(state: State, sight: Sight, others: Modifiers) -> list[Modifier]:
    """+1 from an intelligent weapon while all other DMs are within its tolerance. [CE-MOD-04]  RULING R51"""
    models = [fitted.model for fitted in sight.fittings if fitted.model is not None]
    if not models:
        return []
    tolerance = int(find_option(state, f"tolerance_model_{max(models)}"))
    tolerance = int(sight.item.marks.get("tolerance", tolerance))
    return [Modifier("term.intelligent", 1, INTELLIGENT_RULE)] if abs(add_up(others)) <= tolerance else []


def burst_terms(sight: Sight, burst: str) -> list[Modifier]:
    """The DM of a sprayed burst; a grouped one has none. [CE-BURST-02]  RULING R15"""
    row = find_burst(sight.rounds)
    if burst != "spray" or not row.attack_dm:
        return []
    return [Modifier(say("term.burst", rounds=sight.rounds), row.attack_dm, row.rule)]


# ---------------------------------------------------------------- the list of all


class Source(NamedTuple):
    """A DM of attacks: what it depends on, and how it is found."""

    of: str
    find: Callable[[State, Sight], Iterable[Modifier]]


NEAR = (
    Source(SKILL, find_skill_terms),
    Source(OWN, using_terms),
    Source(OWN, lambda state, sight: hindrances(state, sight.combatant, sight.skill)),
    Source(OWN, lambda state, sight: suit_terms(sight.combatant)),
    Source(WAY, range_terms),
    Source(AIM, aim_terms),
    Source(COVER, cover_terms),
    Source(TARGET, stance_terms),
    Source(TARGET, lambda state, sight: movement_terms(state, sight.combatant, sight.target)),
    Source(OWN, recoil_terms),
    Source(OWN, strength_terms),
    Source(TARGET, lambda state, sight: size_terms(state, sight.target)),
    Source(TARGET, lambda state, sight: evasion_terms(state, sight.combatant, sight.target)),
    Source(WAY, lambda state, sight: own_evasion_terms(state, sight.combatant, sight.target)),
    Source(OWN, lambda state, sight: damage_terms(state, sight.combatant, sight.item)),
    Source(WAY, spread_terms),
)
FAR = (Source(WAY, sight_terms), Source(CROWD, into_combat_terms))  # not in melee


def find_rings(state: State, combatant: Combatant) -> tuple[Ring, ...]:
    """The bands of each weapon in meters, the weapons in hand first. [CE-RANGE-09]"""
    weapons = find_own(combatant)
    weapons.sort(key=lambda item: item.place != "held")
    return tuple(ring for item in weapons for ring in _find_rings(state, combatant, item))


def _find_rings(state: State, combatant: Combatant, item: Item) -> Iterator[Ring]:
    arm, rows, on_grid = read_arm(item), range_rows(state), is_grid(state)
    modes = ("ranged",) if is_gun(item) else ("melee", "thrown")
    used = [
        rows[row] for mode in modes if (row := find_row(arm, mode, find_fittings(combatant.items, item.id)))
    ]
    best = {band: max(dms) for band in BANDS if (dms := [row[band] for row in used if band in row])}
    for band, dm in best.items():
        following = BANDS[BANDS.index(band) + 1 :][:1]
        if following and best.get(following[0]) == dm:
            continue  # the band continues unchanged
        known = RANGE_BANDS[band]
        meters = known.squares_high * SQUARE_METERS if on_grid else known.to_m
        sign = f"{dm:+d}".replace("-", "\N{MINUS SIGN}")
        yield Ring(item.id, meters, f"{item.name}, {known.name}: {sign}", SQUARE if on_grid else ROUND)


# Those beside the target of an attack, who make shots harder and may be hit instead.


def is_crowded(state: State, target: str, attacker: str) -> bool:
    """Whether someone besides the attacker is so near a target that shots are harder, at this table."""
    if not find_option(state, "use_firing_into_combat"):
        return False
    return bool(_list_neighbours(state, target, attacker))


def find_neighbours(state: State, target: str, but: str = "") -> tuple[Combatant, ...]:
    """The others at Personal range of someone with no wall between, the nearest first. [CE-INTO-01]

    A grapple always counts; combatants hidden by the GM never do, or the DM would reveal them. The body of a
    closed vehicle is a wall; a vehicle counts while someone lives aboard.  RULING R34 R97
    """
    there = state[target]
    near = _list_neighbours(state, target, but)
    return tuple(sorted(near, key=lambda other: (find_meters(state, there, other), other.id)))


def _list_neighbours(state: State, target: str, but: str) -> list[Combatant]:
    """The same in no order."""
    there, attacker = state.combatants[target], state.combatants.get(but)
    apart = {target, but, there.inside, attacker.inside if attacker else ""}
    opponents = {held.by for held in there.conditions if held.kind == "grappled"}
    return [
        other
        for other in state.combatants.values()
        if not (other.gone or other.id in apart)
        and (other.id in opponents or _is_beside(state, there, other))
        and _is_somebody(state, other)
    ]


def _is_beside(state: State, there: Combatant, other: Combatant) -> bool:
    """Whether someone is at Personal range of a target, but not inside it, and nothing stands between.

    RULING R34: everyone aboard a vehicle is that near to each other.
    """
    if there.berth is not UNSET and other.inside == there.inside:
        return True
    return (
        is_personal(state, there, other)
        and other.inside != there.id
        and find_shell(state, there) is find_shell(state, other)
        and not is_wall_between(state, there.at, other.at)
    )


def _is_somebody(state: State, other: Combatant) -> bool:
    """Whether someone is known to all and alive, or a vehicle that works with such a person aboard."""
    if is_concealed(state, other) or is_lifeless(other):
        return False
    if other.sheet["kind"] != VEHICLE:
        return True
    return any(_is_somebody(state, rider) for rider in find_aboard(state, other.id))
