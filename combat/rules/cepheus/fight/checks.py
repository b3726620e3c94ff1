"""What keeps an attack from being made, before anything is spent or rolled."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_latest
from combat.rules.core.state.state import Combatant, Item, State, has_condition

from ..book.options import find_option
from ..book.tables import EXTREME, RANGE_BANDS
from ..people.inventory import HANDS, count_hands, find_fittings
from ..people.launchers import find_held
from ..people.machinery import find_speed
from ..people.values import find_skill
from ..vehicles.gunnery import check_fire
from ..world.cover import is_beyond, is_shut_in
from ..world.lines import find_lines, is_walled_off
from ..world.motion import has_stood_still
from ..world.senses import can_see
from ..world.touch import check_free_way
from .aim import (
    MELEE_TYPES,
    Mode,
    Sight,
    Strike,
    Told,
    find_mode,
    find_mover,
    find_row,
    look_along,
    range_rows,
    with_rounds,
)
from .weapons import name_drawn, read_arm

EXTREME_LEVEL = 3  # levels of skill for extreme range


def check_attack(state: State, command: Strike, *, covered: bool = True, rates: bool = True) -> Sight:
    """[CE-ATK-02] Refuse what no attack may be; the sights of one that may.

    Without `covered` it does not matter what the target is behind, without `rates` how many rounds
    are fired.
    """
    words = command.actor, command.target, command.weapon, command.mode, command.cover
    sight = with_rounds(_check_strike(state, *words, covered), command.rounds)
    if sight.mode == "ranged" and rates:
        check_rounds(sight, sight.rounds)
    if sight.band == EXTREME:
        check_extreme(state, command, sight)
    return sight


@remember_latest
def _check_strike(
    state: State, actor: str, whom: str, weapon: str, mode: Mode, cover: Told, covered: bool
) -> Sight:
    """The same for any number of rounds: asked when an attack is weighed, and again when it is made."""
    fighter, target = state[actor], state[whom]
    if fighter.id == target.id:
        raise Refused("bad_target", "Choose someone else as the target.")
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead: choose another target.")
    check_free_hands(fighter)
    sight = look_along(state, fighter, target, weapon, mode, cover)
    check_ready(sight.item)
    check_grip(fighter, sight.item)
    check_use(state, sight)
    check_fire(state, fighter, sight.item, target)
    check_stance(state, sight)
    if covered:
        check_covered(state, sight)
        check_seen(state, fighter, target)
        check_walls(state, sight)
    return sight


def check_free_hands(fighter: Combatant) -> None:
    """[CE-GRAP-14] Who is grappled does nothing but opposed checks."""
    if has_condition(fighter, "grappled"):
        raise Refused("not_allowed", f"{fighter.name} is grappled: win an opposed check (Grapple).")


def check_ready(item: Item) -> None:
    """[CE-MINOR-12] A weapon must be in hand."""
    if item.place != "held":
        raise Refused("not_allowed", f"{item.name} is not in hand: draw {name_drawn(item)} (Ready a weapon).")


def check_grip(fighter: Combatant, item: Item) -> None:
    """Refuse a weapon of two hands while one of them holds something else."""
    item = find_held(fighter, item)
    if count_hands(item) != HANDS:
        return
    others = [i.name for i in fighter.items if i.place == "held" and i.id != item.id and count_hands(i)]
    if others:
        raise Refused(
            "not_allowed", f"{item.name} takes both hands: put {' and '.join(others)} away or drop it."
        )


def check_rounds(sight: Sight, rounds: int) -> None:
    """[CE-BURST-01] Only the rates of the weapon, and only rounds that are in it.  RULING R15"""
    rates = sight.arm.rate_of_fire
    if rates and sight.rounds not in rates:
        listed = " or ".join(map(str, rates))
        raise Refused("bad_value", f"{sight.item.name} fires {listed} rounds at a time, not {sight.rounds}.")
    loaded = sight.item.loaded
    if loaded is not None and loaded < rounds:
        left = "is empty" if not loaded else f"has {loaded} left of the {rounds} that takes"
        raise Refused("no_budget", f"{sight.item.name} {left}: reload it.")


def check_use(state: State, sight: Sight) -> None:
    """[CE-RANGE-09] [CE-RANGE-11] The weapon must be usable so, and at this range."""
    name = sight.item.name
    if not sight.row:
        raise Refused("bad_value", f"{name} is not used that way: choose another use.")
    if not reaches(state, sight.row, sight.band):
        reach = range_rows(state)[sight.row]
        known = [RANGE_BANDS[key].name for key in RANGE_BANDS if key in reach]
        raise Refused(
            "out_of_range",
            f"{name} cannot reach {sight.target.name} at {_name_band(sight.band)} range: "
            f"it can from {known[0]} to {known[-1]}.",
        )


def reaches(state: State, row: str, band: str) -> bool:
    """[CE-RANGE-09] [CE-RANGE-11] Whether weapons of a row of the range table reach into a band."""
    band = "distant" if band == EXTREME else band
    if row in MELEE_TYPES and band not in ("personal", "close"):
        if find_option(state, "close_quarters_reach") == "three_metres":
            return False
    return band in range_rows(state)[row]


def can_reach(state: State, fighter: Combatant, item: Item, band: str) -> bool:
    """Whether a weapon of somebody, as it is used at such a range, reaches so far."""
    arm = read_arm(item)
    mode = find_mode(state, arm, band)
    row = find_row(arm, mode, find_fittings(fighter, item) if mode == "ranged" else ())
    return bool(row) and reaches(state, row, band)


def _name_band(band: str) -> str:
    return "extreme" if band == EXTREME else RANGE_BANDS[band].name


def check_stance(state: State, sight: Sight) -> None:
    """[CE-STANCE-05] No melee while prone; [CE-COVER-05] nobody fires from where they duck out of sight."""
    fighter = sight.fighter
    if sight.mode == "melee" and has_condition(fighter, "prone"):
        raise Refused("not_allowed", f"{fighter.name} is prone: no melee attacks; stand up first.")
    if is_shut_in(state, fighter, sight.target):
        raise Refused("not_allowed", f"{fighter.name} is down behind full cover: stand up to attack.")


def check_seen(state: State, fighter: Combatant, target: Combatant) -> None:
    """[CE-XRANGE-02] [CE-BLIND-01] What cannot be seen is fired at blindly, or not at all."""
    if not can_see(state, fighter, target):
        raise Refused("not_allowed", f"{fighter.name} cannot see {target.name}: move, or fire blindly.")


def check_walls(state: State, sight: Sight) -> None:
    """[CE-COVER-01] Nothing is shot or struck through a wall, even one that can be seen through."""
    if sight.mode == "melee" and not sight.cover:
        check_free_way(state, sight.fighter, sight.target)
    elif not sight.cover and is_walled_off(lines := find_lines(state, sight.fighter, sight.target)):
        name = lines.name(lambda barrier: True)
        seen = f"{sight.fighter.name} can see {sight.target.name}"
        raise Refused("bad_target", f"{seen}, but the {name.lower()} is in the way: move.")


def check_covered(state: State, sight: Sight) -> None:
    """[CE-COVER-04] Nobody who ducks in full cover can be hit.  RULING R14"""
    if is_beyond(state, sight.fighter, sight.target, sight.cover):
        raise Refused("bad_target", f"{sight.target.name} is down behind full cover and cannot be hit.")


def check_extreme(state: State, command: Strike, sight: Sight) -> None:
    """[CE-XRANGE-01] Shots beyond Distant range: by whom, with what and from where.  RULING R44

    [CE-XRANGE-02] [CE-XRANGE-04] [CE-XRANGE-05] [CE-XRANGE-06] [CE-XRANGE-07]
    """
    name = sight.fighter.name
    if find_skill(sight.fighter, sight.skill) < EXTREME_LEVEL:
        raise Refused("not_allowed", f"Extreme range takes {EXTREME_LEVEL} levels of skill with the weapon.")
    mover = find_mover(state, sight.fighter)
    if not has_stood_still(state, mover) or find_speed(state, mover):
        who = name if mover.id == sight.fighter.id else "The vehicle"
        raise Refused("not_allowed", f"{who} has moved: extreme range is for who stands still.")
    if not command.rested:
        raise Refused(
            "not_allowed", "Extreme range takes a rest for the weapon: select “The weapon lies on a rest”."
        )
