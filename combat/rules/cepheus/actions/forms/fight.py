"""The forms of the fight's actions, filled with what can be done now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.commands.commands import Field, Targeted, first_open
from combat.rules.core.commands.forms import folded_field, number_field
from combat.rules.core.declaration.actions import name_rounds
from combat.rules.core.space import map_of
from combat.rules.core.state.belongings import check_anything_lies, has_any
from combat.rules.core.state.state import Combatant, Item, State, present

from ...book.options import find_option
from ...book.tables import COVERS, RANGE_BANDS
from ...fight import aiming, checks, grapple, weapons
from ...fight.aim import Attack
from ...fight.attacks import blind, coup, panic, suppression
from ...fight.explosives import charges
from ...people import machinery
from ...people.conditions import is_dead
from ...people.goods.catalogue import UNARMED
from ...people.goods.inventory import count_hands
from ...people.values import is_out
from ...vehicles import gunnery
from ...world.bands import find_band, find_meters
from ...world.cover import OPEN
from ...world.economy import check_minor, check_significant, count_minors

Check = Callable[[str], object]
MODES = (
    Choice("", "automatic"),
    Choice("melee", "in melee"),
    Choice("thrown", "thrown"),
    Choice("ranged", "at range"),
)
USING = (Choice("", "the better"), Choice("str", "Strength"), Choice("dex", "Dexterity"))
BURSTS = (
    Choice("", "no burst"),
    Choice("spray", "sprayed: to hit"),
    Choice("grouped", "grouped: damage"),
)


# ---------------------------------------------------------------- targets


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
    return Field("target", "Target", "target", options, first_open(options), rule=rule)


# ---------------------------------------------------------------- weapons


def describe_arm(item: Item) -> str:
    """The damage of a weapon and what is loaded, in one line."""
    dice = str(item.data.get("damage", "")) or "by its load"
    rounds = "" if item.loaded is None else f", {item.loaded}/{item.data.get('magazine', 0)}"
    return f"{dice}{rounds}"


def weapon_field(state: State, actor: str, check: Callable[[Item], object]) -> Field:
    """The field for the weapon; those that cannot be used now come last, grayed out with the reason."""
    options = [Choice(i.id, i.name, describe_arm(i), why_refused(check, i)) for i in find_arms(state, actor)]
    options.sort(key=lambda option: bool(option.refused))
    return Field("weapon", "Weapon", "choice", tuple(options), first_open(options), rule="CE-MINOR-12")


def _check_usable(combatant: Combatant, item: Item) -> None:
    """Refuse a weapon that is not in hand, not held as it should be, or empty."""
    checks.check_ready(item)
    checks.check_grip(combatant, item)
    if item.loaded == 0:
        raise Refused("no_budget", f"{item.name} is empty: reload it.")


def _at_hand(state: State, actor: str) -> Callable[[Item], None]:
    """A check that a weapon is usable, undamaged, and mounted only where its user may fire it."""

    def check(item: Item) -> None:
        _check_usable(state[actor], item)
        gunnery.check_hands(state, actor, item)

    return check


def find_arms(state: State, actor: str) -> tuple[Item, ...]:
    """The weapons someone can use: their own, and those of their vehicle; for a gunner the latter come
    first."""
    combatant = state[actor]
    own, carrier = weapons.find_own(combatant), state.combatants.get(combatant.inside)
    mounted = [item for item in carrier.items if item.kind == "mount"] if carrier else []
    return (*mounted, *own) if combatant.station == machinery.GUNNER else (*own, *mounted)


def _find_usable(state: State, actor: str) -> tuple[Item, ...]:
    """The weapons in hand that can be used now, in the order of `find_arms`."""
    combatant = state[actor]
    return tuple(item for item in find_arms(state, actor) if allows(_check_usable, combatant, item))


def name_attack(state: State, combatant: Combatant) -> str:
    """The first weapon or grenade in hand, with its remaining rounds; none that lacks a free hand."""
    own = (i for i in weapons.find_own(combatant) if i.place == "held" and i.data.get("id") != UNARMED)
    ready = (item for item in own if allows(checks.check_grip, combatant, item))
    return next(map(name_rounds, ready), "One weapon, one target")


def _strike_fields(state: State, actor: str, check: Callable[[str, str], object]) -> tuple[Field, Field]:
    """Target and weapon, filled with the first pair that works."""
    arms, pairs = _find_usable(state, actor), list[tuple[str, str]]()

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
    arms = _find_usable(state, actor)
    rates = arms[0].data.get("rate_of_fire", ()) if arms else ()
    is_automatic = bool(rates) and min(rates) > 1
    return msgspec.structs.replace(BURST, value="spray" if is_automatic else "")


def rounds_field(state: State, actor: str) -> Field:
    """The number of rounds: the rates of the weapons at hand. [CE-BURST-01]"""
    rates = sorted({rate for i in find_arms(state, actor) for rate in i.data.get("rate_of_fire", ())})
    options = (Choice("0", f"{min(rates, default=1)} (minimum)"), *(Choice(str(n), f"{n}") for n in rates))
    return Field("rounds", "Rounds", "choice", options, "0", rule="CE-BURST-01", required=False)


REST = folded_field("rested", "The weapon lies on a rest", "flag", rule="CE-XRANGE-06")
BURST = Field("burst", "Burst", "choice", BURSTS, "", rule="CE-BURST-02", required=False)


# ---------------------------------------------------------------- the forms


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target and weapon, a burst, and in a fold the way the weapon is used. [CE-ATK-02]"""

    def check(target: str, weapon: str) -> None:
        checks.check_attack(state, Attack(actor=actor, target=target, weapon=weapon))

    more: tuple[Field, ...] = ()
    if any(rate > 1 for i in find_arms(state, actor) for rate in i.data.get("rate_of_fire", ())):
        more = (rounds_field(state, actor), burst_field(state, actor))
    mode = folded_field("mode", "Used", "choice", MODES, "", rule="CE-RANGE-09")
    using = folded_field("using", "In melee with", "choice", USING, "", rule="CE-ATK-07")
    return (*_strike_fields(state, actor, check), *more, mode, using, REST, *cover_fields(state))


def cover_fields(state: State) -> tuple[Field, ...]:
    """On a battle map: the cover that the GM states for this attack; the default is the map's. [CE-MOD-02]"""
    if not map_of(state.scene):
        return ()
    stated = (Choice(OPEN, "none"), *(Choice(key, row.name) for key, row in COVERS.items()))
    options = (Choice("", "as the scene has it"), *stated)
    return (folded_field("cover", "Target's cover", "choice", options, "", rule="CE-MOD-02"),)


def suppress_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target, gun and burst. [CE-SUPP-07]"""

    def check(target: str, weapon: str) -> None:
        suppression.check_suppress(state, suppression.Suppress(actor=actor, target=target, weapon=weapon))

    spray = Field("burst", "Burst", "choice", BURSTS[:2], "", rule="CE-SUPP-07", required=False)
    others = (Choice("", "nobody"), *(Choice(f.id, f.name) for f in find_targets(state, actor)))
    also = folded_field("also", "And", "choice", others, "", rule="CE-SUPP-07")
    return (*_strike_fields(state, actor, check), rounds_field(state, actor), spray, also)


def panic_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target and gun. [CE-PANIC-01]"""

    def check(target: str, weapon: str) -> None:
        panic.check_panic(state, panic.PanicFire(actor=actor, target=target, weapon=weapon))

    return _strike_fields(state, actor, check)


def blind_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target to fire towards, the weapon, and a burst. [CE-BLIND-01]"""

    def check(target: str, weapon: str) -> None:
        blind.check_blind(state, blind.BlindFire(actor=actor, target=target, weapon=weapon))

    return (*_strike_fields(state, actor, check), rounds_field(state, actor), BURST)


def aim_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, and the number of actions. [CE-MINOR-03]"""

    check = partial(_check_aim_at, state, actor)
    many = number_field("actions", "Minor actions", 1, 1, 3, rule="CE-MINOR-05")
    return (target_field(state, actor, check), many)


def _check_aim_at(state: State, actor: str, target: str) -> None:
    aiming.check_aim(state, aiming.Aim(actor=actor, target=target))


def grapple_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person to grapple. [CE-GRAP-02]"""
    return (target_field(state, actor, partial(_check_grapple_of, state, actor)),)


def _check_grapple_of(state: State, actor: str, target: str) -> None:
    grapple.check_grapple(state, Targeted(actor=actor, target=target))


def coup_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The victim, an enemy, and the weapon, with a box to confirm. [CE-ATK-10]"""

    def check(target: str, weapon: str) -> None:
        if state[target].side == state[actor].side:
            raise Refused("bad_target", f"{state[target].name} is on the same side.")
        coup.check_coup(state, coup.CoupDeGrace(actor=actor, target=target, weapon=weapon))

    sure = Field("sure", "This kills for good", "flag", rule="CE-ATK-12")
    return (*_strike_fields(state, actor, check), sure)


# ---------------------------------------------------------------- items


class _Things(NamedTuple):
    """The items that a form offers, and what may refuse one of them."""

    items: Sequence[Item]
    check: Callable[[Item], object] | None = None


def _item_field(things: _Things) -> Field:
    items, check = things
    options = [Choice(i.id, i.name, describe_arm(i), why_refused(check, i)) for i in items]
    options.sort(key=lambda option: bool(option.refused))
    return Field("weapon", "What", "choice", tuple(options), first_open(options))


def ready_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The weapon to draw, out of those that are put away. [CE-MINOR-12]"""
    return (_item_field(_find_put_away(state, actor)),)


def _find_put_away(state: State, actor: str) -> _Things:
    def check(item: Item) -> None:
        weapons.check_ready_up(state, weapons.Handle(actor=actor, weapon=item.id))

    items = [i for i in state[actor].items if i.kind in weapons.WEAPONS and i.place != "held"]
    return _Things(items, check)


def reload_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The weapon to load, and the rounds. [CE-MINOR-13]"""
    things = _find_to_load(state, actor)
    loads = {key: name for item in things.items for key, name in weapons.find_loads(item).items()}
    choices = (Choice("", "the usual"), *(Choice(key, name) for key, name in loads.items()))
    load = Field("load", "Load", "choice", choices, "", rule="CE-SHOT-01", required=False)
    return (_item_field(things), *((load,) if loads else ()), *_pace_fields(state, actor, things.items))


def _find_to_load(state: State, actor: str) -> _Things:
    def check(item: Item) -> None:
        usual = ""
        for key in ("", *weapons.find_loads(item)):
            command = weapons.Reload(actor=actor, weapon=item.id, load=key)
            reason = why_refused(weapons.check_reload, state, command)
            if not reason:
                return
            usual = usual or reason
        raise Refused("not_allowed", usual)

    return _Things([i for i in weapons.find_own(state[actor]) if i.loaded is not None], check)


def _pace_fields(state: State, actor: str, items: Sequence[Item]) -> tuple[Field, ...]:
    """How much of the turn loading may take, if it takes more than one minor action. [CE-MINOR-13]"""
    left = count_minors(state, actor)
    if left < 2 or all(int(item.data.get("reload_minor", 1)) < 2 for item in items):
        return ()
    stated = f"blank: as many as it takes, at most {left}"
    pace = Field("actions", "Minor actions now", "number", low=1, high=left, help=stated, required=False)
    return (pace,)


def held_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items in hand."""
    return (_item_field(_find_held(state, actor)),)


def _find_held(state: State, actor: str) -> _Things:
    return _Things([i for i in state[actor].items if i.place == "held" and count_hands(i)])


def lying_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items within reach on the ground."""
    return (_item_field(_find_lying(state, actor)),)


def _find_lying(state: State, actor: str) -> _Things:
    def check(item: Item) -> None:
        weapons.check_pick_up(state, weapons.Handle(actor=actor, weapon=item.id))

    return _Things(state.ground, check)


def charge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The actor's charges. [CE-SIG-05]"""
    return (_item_field(_find_charges(state, actor)),)


def _find_charges(state: State, actor: str) -> _Things:
    return _Things([i for i in state[actor].items if i.kind == "explosive"])


def set_off_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The charges that the actor has set. [CE-EXPL-01]"""
    return (_item_field(_Things(charges.find_charges(state, actor))),)


# ---------------------------------------------------------------- obstacles


def _check_any(things: _Things, none: str) -> None:
    """Refuse without any items, or with the reason of the first if all are refused.

    Asked for every offer: no form is made for it.
    """
    first = ""
    for item in things.items:
        reason = why_refused(things.check, item)
        if not reason:
            return
        first = first or reason
    raise Refused("not_allowed", first or none)


def check_attack_now(state: State, actor: str) -> None:
    """Refuse an attack without a ready weapon or without a significant action left."""
    if not _find_usable(state, actor):
        raise Refused("not_allowed", "No weapon is ready: ready or reload one first.")
    check_significant(state, actor, "attack")


def _gun_obstacle(
    option: str, is_fit: Callable[[Item], bool], missing: str, what: str
) -> Callable[[State, str], None]:
    """A check: refuse without a ready gun that fits, or if the table does not use this kind of fire."""

    def check_now(state: State, actor: str) -> None:
        if option and not find_option(state, option):
            raise Refused("not_allowed", f"This table plays without {what}: attack instead.")
        if not has_any(_find_usable(state, actor), is_fit):
            raise Refused("not_allowed", missing)
        check_significant(state, actor, what)

    return check_now


check_guns_now = _gun_obstacle(
    "", weapons.is_gun, "No gun is ready: ready or reload one first.", "suppression fire"
)
check_panic_now = _gun_obstacle(
    "use_panic_fire", panic.is_slug_thrower, "No slug thrower is ready: ready one first.", "panic fire"
)
check_blind_now = _gun_obstacle(
    "use_blind_fire", weapons.is_gun, "No gun is ready: ready or reload one first.", "blind fire"
)


def check_aim_now(state: State, actor: str) -> None:
    """Refuse aiming without a target in sight or without a minor action left."""
    if not any(allows(_check_aim_at, state, actor, other.id) for other in present(state)):
        others = find_targets(state, actor)
        reason = why_refused(_check_aim_at, state, actor, others[0].id) if others else ""
        raise Refused("not_allowed", reason or "There is no one to aim at.")
    check_minor(state, actor, "aiming")


def check_kill_played(state: State, actor: str) -> None:
    """Refuse aiming for the kill if the table does not use it."""
    aiming.check_kill_played(state)


def check_grapple_now(state: State, actor: str) -> None:
    """Refuse a grapple with no one at Personal range."""
    reasons = [why_refused(_check_grapple_of, state, actor, f.id) for f in find_targets(state, actor)]
    if all(reasons):
        raise Refused("not_allowed", reasons[0] if reasons else "There is nobody to grapple.")
    check_significant(state, actor, "a grapple")


def check_coup_now(state: State, actor: str) -> None:
    """Refuse a coup de grace with no one helpless next to the actor."""
    if not any(coup.is_helpless(f) and not is_dead(f) for f in present(state)):
        raise Refused("not_allowed", "Nobody here is helpless.")
    options = coup_fields(state, actor)[0].options
    if all(option.refused for option in options):
        raise Refused("not_allowed", options[0].refused if options else "Nobody here is helpless.")
    check_significant(state, actor, "a coup de grace")


def _hands_obstacle(
    find: Callable[[State, str], _Things], none: str, what: str
) -> Callable[[State, str], None]:
    def check_now(state: State, actor: str) -> None:
        _check_any(find(state, actor), none)
        if what:
            check_minor(state, actor, what)

    return check_now


check_ready_now = _hands_obstacle(_find_put_away, "All weapons are in hand.", "drawing")
check_reload_now = _hands_obstacle(_find_to_load, "Nothing here takes rounds.", "reloading")
check_put_away_now = _hands_obstacle(_find_held, "The hands are empty.", "putting away")
check_drop_now = _hands_obstacle(_find_held, "The hands are empty.", "")


def check_pick_up_now(state: State, actor: str) -> None:
    """Refuse if nothing lies on the ground."""
    check_anything_lies(state, actor)
    _check_any(_find_lying(state, actor), "Nothing lies about.")
    check_minor(state, actor, "picking up")


def check_charge_now(state: State, actor: str) -> None:
    """Refuse setting a charge without having one."""
    _check_any(_find_charges(state, actor), f"{state[actor].name} has no charge to set.")
    check_significant(state, actor, "setting a charge")


def check_set_off_now(state: State, actor: str) -> None:
    """Refuse setting off without a charge that the actor has set."""
    if not charges.find_charges(state, actor):
        raise Refused("not_allowed", f"{state[actor].name} has set no charge.")
