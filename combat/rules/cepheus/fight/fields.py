"""Fields of the forms of attacks: targets, weapons in hand, bursts."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.forms import folded_field
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import Combatant, Item, State, present

from ..book.options import find_option
from ..book.tables import RANGE_BANDS
from ..characters import machinery
from ..characters.values import is_out
from ..vehicles.gunnery import check_hands
from ..world.bands import find_band, find_meters
from ..world.economy import check_significant
from .checks import check_weapon
from .weapons import describe_arm, find_own

Check = Callable[[str], object]

BURSTS = (
    Choice("", "no burst"),
    Choice("spray", "sprayed: to hit"),
    Choice("grouped", "grouped: damage"),
)


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
    """The field for the weapon; those that cannot be used now come last, grayed out with the reason."""
    options = [Choice(i.id, i.name, describe_arm(i), why_refused(check, i)) for i in find_arms(state, actor)]
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


def burst_field(state: State, actor: str) -> Field:
    """Sprayed or grouped; the default is sprayed if the first weapon fires no single shots. [CE-BURST-02]"""
    arms = find_usable(state, actor)
    rates = arms[0].data.get("rate_of_fire", ()) if arms else ()
    is_automatic = bool(rates) and min(rates) > 1
    return msgspec.structs.replace(BURST, value="spray" if is_automatic else "")


def rounds_field(state: State, actor: str) -> Field:
    """The number of rounds: the rates of the weapons at hand. [CE-BURST-01]"""
    rates = sorted({rate for i in find_arms(state, actor) for rate in i.data.get("rate_of_fire", ())})
    options = (Choice("0", f"{min(rates, default=1)} (minimum)"), *(Choice(str(n), f"{n}") for n in rates))
    return Field("rounds", "Rounds", "choice", options=options, value="0", rule="CE-BURST-01", required=False)


REST = folded_field("rested", "The weapon lies on a rest", "flag", rule="CE-XRANGE-06")

BURST = Field("burst", "Burst", "choice", options=BURSTS, value="", rule="CE-BURST-02", required=False)


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
