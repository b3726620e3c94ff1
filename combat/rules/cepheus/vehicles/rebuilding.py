"""Repairs of Hull and Structure, spare parts and their donors, and cargo that was hit."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, Preview, adjusted, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import check_any, number_field
from combat.rules.core.gm.decisions import Target
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_item, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..body.parts import name_part
from ..book.hits import count_most, find_effect
from ..book.tables import HOUR_SECONDS
from ..characters import machinery
from ..characters.values import find_full, find_score, is_machine
from ..dice.rolls import DICE, modifiers_for_check, roll_check
from ..world.acting import find_reason, gm
from ..world.economy import check_quiet
from ..world.order import mark
from .fields import any_machine, choose, find_machines
from .workshop import (
    PERCENT,
    SPARES,
    STRUCTURE_SHARE,
    begin_work,
    by_field,
    check_machine,
    check_mechanic,
    count_spares,
    find_price,
    name_key,
    take_time,
    tell_cost,
    use_parts,
    workshop_field,
)

NOT_DONORS = ("cockpit", "passengers")


class RepairHull(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Someone repairs a point of Hull."""

    by: str
    workshop: bool = False


class RepairStructure(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A workshop repairs points of Structure."""

    points: int = 1
    workshop: bool = False


class Cannibalise(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take parts out of a system of a machine (`donor`) to repair another machine, or itself."""

    donor: str
    part: str


class Stock(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of spare parts, bought or found, as the GM says."""

    parts: int


class RuleCargo(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether a piece of cargo that was hit is destroyed, as the GM says."""

    item: str
    destroyed: bool = True


def stock(context: RuleContext, command: Stock) -> None:
    """Set the parts from a dealer, a workshop or another vehicle. [CE-REP-08]"""
    machine = check_machine(context.state, command.target)
    if not 0 <= command.parts <= 99:
        raise Refused("bad_value", "Spare parts: 0 to 99.")
    mark(context, machine.id, SPARES, value=command.parts or None, rule="CE-REP-08")
    context.emit(e.Said("log.spares", machine.id, args={"n": command.parts}), "CE-REP-08")


def check_donor(state: State, command: Cannibalise) -> Combatant:
    """Refuse people and seats as parts, and a destroyed part. [CE-REP-10]"""
    check_machine(state, command.target)
    donor = state[command.donor]
    if not is_machine(donor):
        raise Refused("bad_target", f"{donor.name} is no machine: choose a vehicle or a robot.")
    if command.part in NOT_DONORS or command.part not in find_donor_parts(donor):
        raise Refused("bad_value", "That gives no parts: choose a system, a weapon or a limb.")
    held = machinery.find_damage(donor, command.part)
    kind, flat = find_part_kind(donor, command.part), machinery.is_flat(state)
    if held and held.level >= count_most(kind, flat):
        raise Refused("not_allowed", "Nothing of that part is left to take.")
    return donor


def find_donor_parts(donor: Combatant) -> tuple[str, ...]:
    """The parts of a machine that can be taken for others."""
    weapons = tuple(item.id for item in machinery.find_mounts(donor))
    return (*machinery.find_systems(donor), *weapons, *machinery.find_limbs(donor))


def find_part_kind(machine: Combatant, key: str) -> str:
    """The kind of a part, by its key."""
    if key in machinery.SYSTEMS:
        return key
    return machinery.LIMB if key in machinery.find_limbs(machine) else machinery.WEAPON


def cannibalise(context: RuleContext, command: Cannibalise) -> None:
    """Take parts for one check by a hit on a system of the donor. [CE-REP-09]"""
    donor = check_donor(context.state, command)
    kind = find_part_kind(donor, command.part)
    held = machinery.find_damage(donor, command.part)
    effect = find_effect(kind, held.level + 1 if held else 1, machinery.is_flat(context.state))
    if held:
        context.emit(e.ConditionChanged(donor.id, replace(held, level=held.level + 1)), effect.rule)
    else:
        label, marks = name_part(donor, kind, command.part), {"part": command.part}
        add_condition(context, donor.id, f"{kind}_hit", rule=effect.rule, marks=marks, label=label)
    spares = count_spares(context.state[command.target]) + 1
    mark(context, command.target, SPARES, value=spares, rule="CE-REP-09")
    context.emit(e.Said("log.spares", command.target, args={"n": spares}), "CE-REP-09")


def repair_hull(context: RuleContext, command: RepairHull) -> None:
    """Repair one point of Hull: a Mechanics check, 1D6 hours and a hit of spare parts. [CE-REP-14]"""
    machine = begin_work(context, command.target)
    check_mechanic(context.state, command.by)
    check_short(machine, "hull")
    use_parts(context, machine, command.workshop)
    take_time(context, command.by, HOUR_SECONDS, rule="CE-REP-14", why="roll.repair_time")
    effect = roll_check(
        context,
        command.by,
        what="check.repair",
        skill="mechanics",
        characteristic="edu",
        terms=adjusted(command, ()),
        rule="CE-REP-14",
        matters="none",
    )
    if effect >= 0:
        _raise(context, machine.id, "hull", points=1, rule="CE-REP-14")


def preview_hull(state: State, command: RepairHull) -> Preview:
    """The sums of the check for a point of Hull. [CE-REP-14]"""
    check_machine(state, command.target)
    own = modifiers_for_check(state, command.by, "mechanics", "edu")
    return Preview(adjusted(command, own), (), "against.eight", DICE)


def check_short(machine: Combatant, track: str) -> int:
    """The missing points; Refused if there are none."""
    missing = find_full(machine, track) - find_score(machine, track)
    if missing < 1:
        raise Refused("not_allowed", f"The {track} of {machine.name} is whole.")
    return missing


def _raise(context: RuleContext, who: str, track: str, points: int, rule: str) -> None:
    now = find_score(context.state[who], track)
    context.emit(e.TrackChanged(who, track, now, new=now + points, why="why.repair"), rule)


def repair_structure(context: RuleContext, command: RepairStructure) -> None:
    """Repair Structure: only in a workshop, 1D6 times 10 hours a point [CE-REP-15]; each costs 20% of the
    price of the vehicle [CE-REP-16], without a check. [CE-REP-17]  RULING R50"""
    machine = begin_work(context, command.target)
    missing = check_short(machine, "structure")
    if not command.workshop:
        raise Refused("not_allowed", "Structure is repaired in a workshop only.")
    if not 1 <= command.points <= missing:
        most = (
            "1 point of Structure: choose 1"
            if missing == 1
            else f"{missing} points of Structure: choose 1 to {missing}"
        )
        raise Refused("bad_value", f"{machine.name} lacks {most}.")
    for _ in range(command.points):
        take_time(context, machine.id, 10 * HOUR_SECONDS, rule="CE-REP-15", why="roll.repair_time")
    _raise(context, machine.id, "structure", points=command.points, rule="CE-REP-15")
    if find_score(context.state[machine.id], "structure") > 0:
        remove_conditions(context, machine.id, "wreck", why="why.repaired", rule="CE-REP-15")
    tell_cost(
        context, machine.id, find_price(machine) * STRUCTURE_SHARE // PERCENT * command.points, "CE-REP-16"
    )


def rule_cargo(context: RuleContext, command: RuleCargo) -> None:
    """Set whether cargo that was hit is destroyed. [CE-VLOC-45]"""
    item: Item = find_item(context.state[command.target], command.item)
    if not item.marks.get("hit"):
        raise Refused("bad_value", f"{item.name} has not been hit.")
    if command.destroyed:
        context.emit(e.ItemLost(command.target, replace(item, place="gone"), "how.loses_cargo"), "CE-VLOC-45")
        return
    marks = {key: value for key, value in item.marks.items() if key != "hit"}
    context.emit(e.ItemChanged(command.target, replace(item, marks=marks), "item_is.intact"), "CE-VLOC-45")


# ---------------------------------------------------------------- forms


def any_loss(track: str) -> Callable[[State, str], None]:
    """A check for the GM: refuse if no machine lacks points of the track."""

    def check(state: State, actor: str) -> None:
        check_quiet(state)
        any_machine(state, actor)
        if all(
            find_reason(state, f, lambda s, who: check_short(s[who], track)) for f in find_machines(state)
        ):
            raise Refused("not_allowed", f"The {track} of every machine here is whole.")

    return check


def hull_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and who repairs it."""
    return (
        choose(
            state,
            "target",
            "Machine",
            people=find_machines(state),
            check=lambda s, w: check_short(s[w], "hull"),
        ),
        by_field(state),
        workshop_field(state, "CE-REP-08"),
    )


def structure_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and the number of points."""
    machines = find_machines(state)
    return (
        choose(state, "target", "Machine", people=machines, check=_lacks_structure),
        number_field("points", "Points", 1, low=1, high=999, help=_say_price(state), rule="CE-REP-15"),
        Field("workshop", "In a workshop", "flag", value="true", rule="CE-REP-15", required=False),
    )


def _say_price(state: State) -> str:
    """The price of a point, in Cr if the price of the machine is known. [CE-REP-16]"""
    short = [f for f in find_machines(state) if not find_reason(state, f, _lacks_structure)]
    told = [
        f"{f.name}: Cr {find_price(f) * STRUCTURE_SHARE // PERCENT:,} each" for f in short if find_price(f)
    ]
    return "; ".join(told) or f"each costs {STRUCTURE_SHARE}% of the price of the machine"


def _lacks_structure(state: State, who: str) -> None:
    check_short(state[who], "structure")


def donor_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine that needs the part, the machine that gives it, and the part."""
    machines = find_machines(state)
    keys = {key: None for machine in machines for key in find_donor_parts(machine)}
    names = {item.id: item.name for machine in machines for item in machine.items}
    options = tuple(Choice(key, names.get(key) or name_key(key)) for key in keys)
    return (
        choose(state, "target", "For", machines),
        choose(state, "donor", "Out of", machines),
        Field("part", "Part", "choice", options=options, value=first_open(options), rule="CE-REP-09"),
    )


def spares_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and the number of parts."""
    return (
        choose(state, "target", "For", find_machines(state)),
        number_field("parts", "Parts for so many repairs", 1, low=0, high=99, rule="CE-REP-08"),
    )


def find_hit_cargo(state: State) -> dict[str, tuple[str, str]]:
    """Cargo that was hit: item -> its owner and its name."""
    return {
        item.id: (machine.id, item.name)
        for machine in find_machines(state)
        for item in machinery.find_cargo(machine)
        if item.marks.get("hit")
    }


def cargo_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The piece of cargo, and whether it is destroyed."""
    found = find_hit_cargo(state)
    owners = [f for f in find_machines(state) if any(owner == f.id for owner, _ in found.values())]
    options = tuple(Choice(key, name) for key, (_, name) in found.items())
    return (
        choose(state, "target", "Vehicle", owners),
        Field("item", "Cargo", "choice", options=options, value=first_open(options), rule="CE-VLOC-45"),
        Field("destroyed", "Destroyed", "flag", value="true", required=False),
    )


ACTIONS = (
    gm(
        "repair_hull", repair_hull, any_loss("hull"), fields=hull_fields, preview=preview_hull, has_odds=False
    ),
    gm("repair_structure", repair_structure, any_loss("structure"), fields=structure_fields, has_odds=False),
    gm("cannibalise", cannibalise, any_machine, fields=donor_fields, has_odds=False),
    gm("spare_parts", stock, any_machine, fields=spares_fields, has_odds=False),
    gm("cargo", rule_cargo, check_any(cargo_fields, "No cargo has been hit."), fields=cargo_fields),
)
