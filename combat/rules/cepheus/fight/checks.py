"""Before an attack: the fields of its form, and the obstacles to it, checked before anything is spent."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.commands.commands import Field, first_open, folded_field
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import Combatant, Item, State, present

from ..book.options import find_option
from ..book.tables import BURSTS as ROWS
from ..book.tables import EXTREME, RANGE_BANDS
from ..characters import machinery
from ..characters.conditions import KINDS, is_dead
from ..characters.goods import HANDS, UNARMED, count_hands, find_fittings, find_held
from ..characters.machinery import find_skilled, find_speed, find_vehicle, is_blind
from ..characters.values import find_skill, is_out
from ..vehicles.gunnery import check_fire, check_hands
from ..world.acting import check_free_hands
from ..world.bands import find_band, find_meters
from ..world.cover import is_beyond, is_shut_in
from ..world.economy import check_significant
from ..world.motion import find_mover, has_stood_still
from ..world.senses import can_see
from ..world.sight_lines import check_free_way, look_between
from .aim import MELEE_TYPES, Rows, Sight, Strike, find_mode, find_row, find_sight, range_rows
from .weapons import describe_arm, find_own, name_drawn, read_arm

EXTREME_LEVEL = 3  # levels of skill that extreme range needs
BURSTS = (
    Choice("", "no burst"),
    Choice("spray", "sprayed: to hit"),
    Choice("grouped", "grouped: damage"),
)
REST = folded_field("rested", "The weapon lies on a rest", "flag", rule="CE-XRANGE-06")
# Sprayed at first, whichever weapon is in hand: the form does not know which of them is chosen in it
BURST = Field(
    "burst",
    "Burst",
    "choice",
    options=BURSTS,
    value="spray",
    help=f"from {next(row.rounds for row in ROWS if row.attack_dm)} rounds on",
    rule="CE-BURST-02",
    required=False,
)


def check_attack(state: State, command: Strike, *, covered: bool = True, rates: bool = True) -> Sight:
    """The sights of a legal attack; Refused for an illegal one. [CE-ATK-02]

    Without `covered` the target's cover does not matter, without `rates` the number of rounds.
    """
    combatant, target = state[command.actor], state[command.target]
    if combatant.id == target.id:
        raise Refused("bad_target", "Choose someone else as the target.")
    if is_dead(target):
        raise Refused("bad_target", f"{target.name} is dead: choose another target.")
    check_free_hands(combatant)
    sight = find_sight(state, command)
    check_weapon(combatant, sight.item)
    check_use(state, sight)
    check_fire(state, combatant, sight.item, target)
    check_stance(state, sight)
    if covered:
        check_covered(state, sight)
        check_seen(state, combatant, target, sight.item)
        check_walls(state, sight)
    if sight.mode == "ranged" and rates:
        check_rounds(sight, sight.rounds)
    if sight.band == EXTREME:
        check_extreme(state, command, sight)
    return sight


def check_weapon(combatant: Combatant, item: Item) -> None:
    """Refuse a weapon that is not in hand, or not in both hands if it takes them. [CE-MINOR-12]"""
    check_ready(item)
    check_grip(combatant, item)


def check_ready(item: Item) -> None:
    """Refuse a weapon that is not in hand. [CE-MINOR-12]"""
    if item.place != "held":
        raise Refused("not_allowed", f"{item.name} is not in hand: draw {name_drawn(item)} (Ready a weapon).")


def check_grip(combatant: Combatant, item: Item) -> None:
    """Refuse a two-handed weapon while a hand holds something else."""
    item = find_held(combatant, item)
    if count_hands(item) != HANDS:
        return
    others = [i.name for i in combatant.items if i.place == "held" and i.id != item.id and count_hands(i)]
    if others:
        raise Refused(
            "not_allowed", f"{item.name} takes both hands: put {' and '.join(others)} away or drop it."
        )


def check_rounds(sight: Sight, rounds: int) -> None:
    """Refuse rounds that are not a rate of the weapon or not in it. [CE-BURST-01]  RULING R15"""
    rates = sight.arm.rate_of_fire
    if rates and sight.rounds not in rates:
        listed = " or ".join(map(str, rates))
        noun = "round" if rates == (1,) else "rounds"
        raise Refused("bad_value", f"{sight.item.name} fires {listed} {noun} at a time, not {sight.rounds}.")
    loaded = sight.item.loaded
    if loaded is not None and loaded < rounds:
        left = "is empty" if not loaded else f"has {loaded} left of the {rounds} that takes"
        raise Refused("no_budget", f"{sight.item.name} {left}: reload it.")


def check_use(state: State, sight: Sight) -> None:
    """Refuse a weapon that cannot be used so, or at this range. [CE-RANGE-09] [CE-RANGE-11]"""
    name = sight.item.name
    if not sight.row:
        raise Refused("bad_value", f"{name} is not used that way: choose another use.")
    if not reaches(state, sight.rows, sight.row, sight.band):
        reach = sight.rows[sight.row]
        known = [RANGE_BANDS[key].name for key in RANGE_BANDS if key in reach]
        band = "extreme" if sight.band == EXTREME else RANGE_BANDS[sight.band].name
        cannot = f"{name} cannot reach {sight.target.name} at {band} range"
        raise Refused("out_of_range", f"{cannot}: it can from {known[0]} to {known[-1]}.")


def reaches(state: State, rows: Rows, row: str, band: str) -> bool:
    """Whether weapons of a row of the range table reach a band. [CE-RANGE-09] [CE-RANGE-11]"""
    band = "distant" if band == EXTREME else band
    if band not in rows[row]:
        return False
    is_far = row in MELEE_TYPES and band not in ("personal", "close")
    return not (is_far and find_option(state, "close_quarters_reach") == "three_metres")


def can_reach(state: State, combatant: Combatant, item: Item, band: str) -> bool:
    """Whether someone's weapon reaches a range in this use."""
    arm, rows = read_arm(item), range_rows(state)
    mode = find_mode(rows, arm, band)
    row = find_row(arm, mode, find_fittings(combatant.items, item.id) if mode == "ranged" else ())
    return bool(row) and reaches(state, rows, row, band)


def check_stance(state: State, sight: Sight) -> None:
    """Refuse melee while prone [CE-STANCE-05]; refuse fire by those ducking out of sight. [CE-COVER-05]"""
    combatant = sight.combatant
    if sight.mode == "melee":
        KINDS.check(combatant, "melee")
    if is_shut_in(state, combatant, sight.target):
        raise Refused("not_allowed", f"{combatant.name} is down behind full cover: stand up to attack.")


def check_seen(state: State, combatant: Combatant, target: Combatant, item: Item) -> None:
    """Refuse an unseen target: only blind fire reaches it. [CE-XRANGE-02] [CE-BLIND-01]"""
    check_sighted(state, combatant, item)
    if not can_see(state, combatant, target):
        raise Refused("not_allowed", f"{combatant.name} cannot see {target.name}: move, or fire blindly.")


def check_sighted(state: State, combatant: Combatant, item: Item) -> None:
    """Refuse all but blind fire by a machine without sensors, and by who fires its mounted weapons.
    [CE-VLOC-32]"""
    machine = find_vehicle(state, combatant.id) if item.kind == "mount" else None
    machine = machine or combatant
    if is_blind(state, machine):
        raise Refused(
            "not_allowed", f"The sensors of {machine.name} are destroyed: repair them, or fire blindly."
        )


def check_walls(state: State, sight: Sight) -> None:
    """Refuse shots and blows through a wall, even a transparent one. [CE-COVER-01]"""
    if sight.mode == "melee" and not sight.cover:
        check_free_way(state, sight.combatant, sight.target)
    elif not sight.cover and (found := look_between(state, sight.combatant, sight.target)).is_walled_off:
        name = found.lines.name(lambda barrier: True)
        seen = f"{sight.combatant.name} can see {sight.target.name}"
        raise Refused("bad_target", f"{seen}, but the {name.lower()} is in the way: move.")


def check_covered(state: State, sight: Sight) -> None:
    """Refuse a target who ducks in full cover. [CE-COVER-04]  RULING R14"""
    target = sight.target
    if is_beyond(state, sight.combatant, target, sight.cover):
        raise Refused("bad_target", f"{target.name} is down behind full cover and cannot be hit.")


def check_extreme(state: State, command: Strike, sight: Sight) -> None:
    """Refuse shots beyond Distant range by the wrong person, weapon or position. [CE-XRANGE-01]  RULING R44
    R74: a drone shoots with its operator's skill.

    [CE-XRANGE-02] [CE-XRANGE-04] [CE-XRANGE-05] [CE-XRANGE-06] [CE-XRANGE-07]
    """
    name = sight.combatant.name
    if find_skill(find_skilled(state, sight.combatant), sight.skill) < EXTREME_LEVEL:
        raise Refused("not_allowed", f"Extreme range takes {EXTREME_LEVEL} levels of skill with the weapon.")
    mover = find_mover(state, sight.combatant)
    if not has_stood_still(state, mover) or find_speed(state, mover):
        who = name if mover.id == sight.combatant.id else "The vehicle"
        raise Refused("not_allowed", f"{who} has moved: extreme range is for who stands still.")
    if not command.rested:
        raise Refused(
            "not_allowed", "Extreme range takes a rest for the weapon: select “The weapon lies on a rest”."
        )


# Fields of the forms of attacks: targets, weapons in hand, bursts.


Check = Callable[[str], object]


def find_targets(state: State, actor: str) -> tuple[Combatant, ...]:
    """The possible targets of an attack: enemies who can fight first, the nearest of them first."""
    combatant = state[actor]
    others = [f for f in present(state) if f.id != actor]
    others.sort(key=lambda f: (f.side == combatant.side, is_out(f), find_meters(state, combatant, f), f.id))
    return tuple(others)


def describe_way(state: State, combatant: Combatant, other: Combatant) -> str:
    """The distance to someone in meters, and the range band."""
    band = find_band(state, combatant, other)
    name = RANGE_BANDS[band].name if band in RANGE_BANDS else "Extreme"
    return f"{round(find_meters(state, combatant, other), 1):g} m, {name}"


def target_field(state: State, actor: str, check: Check, rule: str = "") -> Field:
    """The field for the target; impossible targets are grayed out with the reason."""
    combatant = state[actor]
    options = tuple(
        Choice(f.id, f.name, describe_way(state, combatant, f), why_refused(check, f.id))
        for f in find_targets(state, actor)
    )
    return Field("target", "Target", "target", options=options, value=first_open(options), rule=rule)


def weapon_field(state: State, actor: str, check: Callable[[Item], object]) -> Field:
    """The field for the weapon, the bare hand after all others.

    Weapons that cannot be used now come last, grayed out with the reason.
    """
    arms = sorted(find_arms(state, actor), key=lambda item: item.data.get("id") == UNARMED)
    options = [Choice(i.id, i.name, describe_arm(i), why_refused(check, i)) for i in arms]
    options.sort(key=lambda option: bool(option.refused))
    return Field(
        "weapon", "Weapon", "choice", options=tuple(options), value=first_open(options), rule="CE-MINOR-12"
    )


def check_usable(combatant: Combatant, item: Item) -> None:
    """Refuse a weapon that is not in hand, not held as it should be, or empty."""
    check_weapon(combatant, item)
    if item.loaded == 0:
        raise Refused("no_budget", f"{item.name} is empty: reload it.")


def _at_hand(state: State, actor: str) -> Callable[[Item], None]:
    """A check that a weapon is usable, undamaged, and mounted only where its user may fire it."""

    def check(item: Item) -> None:
        check_usable(state[actor], item)
        check_hands(state, actor, item)

    return check


def find_arms(state: State, actor: str) -> tuple[Item, ...]:
    """The weapons someone can use: their own, and those of their vehicle; for a gunner the latter come
    first."""
    combatant = state[actor]
    own, carrier = find_own(combatant), state.combatants.get(combatant.inside)
    mounted = [item for item in carrier.items if item.kind == "mount"] if carrier else []
    return (*mounted, *own) if combatant.station == machinery.GUNNER else (*own, *mounted)


def find_usable(state: State, actor: str) -> tuple[Item, ...]:
    """The weapons in hand that can be used now, in the order of `find_arms`."""
    combatant = state[actor]
    return tuple(item for item in find_arms(state, actor) if allows(check_usable, combatant, item))


def strike_fields(state: State, actor: str, check: Callable[[str, str], object]) -> tuple[Field, Field]:
    """Target and weapon, filled with the first pair that works."""
    arms, pairs = find_usable(state, actor), list[tuple[str, str]]()

    def check_target(target: str) -> None:
        reasons: list[str] = []
        for item in arms:
            reasons.append(why_refused(check, target, item.id))
            if not reasons[-1]:
                pairs.append((target, item.id))
                return
        raise Refused("not_allowed", reasons[0] if reasons else "No weapon is ready: ready one first.")

    targets, items = (
        target_field(state, actor, check_target),
        weapon_field(state, actor, _at_hand(state, actor)),
    )
    target, weapon = pairs[0] if pairs else ("", "")
    return _with(targets, target), _with(items, weapon)


def _with(field: Field, value: str) -> Field:
    return msgspec.structs.replace(field, value=value) if value else field


def rounds_field(state: State, actor: str) -> Field:
    """The number of rounds: the rates of the weapons at hand. [CE-BURST-01]"""
    rates = sorted({rate for i in find_arms(state, actor) for rate in i.data.get("rate_of_fire", ())})
    options = (Choice("0", f"{min(rates, default=1)} (minimum)"), *(Choice(str(n), f"{n}") for n in rates))
    return Field("rounds", "Rounds", "choice", options=options, value="0", rule="CE-BURST-01", required=False)


def gun_obstacle(
    option: str, is_fit: Callable[[Item], bool], missing: str, what: str
) -> Callable[[State, str], None]:
    """A check: refuse without a ready gun that fits, or if the table does not use this kind of fire."""

    def check_now(state: State, actor: str) -> None:
        if option and not find_option(state, option):
            raise Refused("not_allowed", f"This table plays without {what}: attack instead.")
        if not has_any(find_usable(state, actor), is_fit):
            raise Refused("not_allowed", missing)
        check_significant(state, actor, what)

    return check_now
