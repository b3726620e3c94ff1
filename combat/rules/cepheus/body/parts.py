"""One hit on one location of a machine: its effect, and where it goes if the location can take no more.

And the differences between damaged machines that matter to the odds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import system_of
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

from ..book.hits import TABLES, LocationRow, count_most, find_effect
from ..characters import machinery
from ..characters.conditions import KINDS, STALLS, is_lifeless
from ..characters.values import MACHINES, find_score, is_robot
from .hits import Hit

BORROWED = "R66"  # how the flat table is cited, where the book has no rule
BELOW = "structure_below_zero"  # mark: it was hit once more than its Structure held
ANY = tuple(range(1, 7))  # all faces of a die
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


TRIGGERS = (machinery.POWER, machinery.COMPUTER)  # parts whose last hit has a further effect


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
