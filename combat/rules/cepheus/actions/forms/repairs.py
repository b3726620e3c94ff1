"""The forms of repairs: the machine, the part, who repairs it, with what parts and at what cost."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.forms import number_field
from combat.rules.core.state.state import Combatant, Condition, State, present

from ...people import machinery
from ...people.values import find_skill, is_out
from ...vehicles import repairs
from ...vehicles.figure import NAMES
from ...world.economy import check_quiet, check_significant
from ..guards import find_reason
from .vehicles import any_machine, choose, find_machines

# ---------------------------------------------------------------- obstacles


def any_damage(state: State, actor: str) -> None:
    """For the GM: refuse if no machine has a damaged part, or during a fight."""
    check_quiet(state)
    any_machine(state, actor)
    if not any(repairs.find_damaged(machine) for machine in find_machines(state)):
        raise Refused("not_allowed", "No part of a machine is damaged.")


def any_loss(track: str) -> Callable[[State, str], None]:
    """A check for the GM: refuse if no machine lacks points of the track."""

    def check(state: State, actor: str) -> None:
        check_quiet(state)
        any_machine(state, actor)
        if all(
            find_reason(state, f, lambda s, who: repairs.check_short(s[who], track))
            for f in find_machines(state)
        ):
            raise Refused("not_allowed", f"The {track} of every machine here is whole.")

    return check


# ---------------------------------------------------------------- forms


def _parts_field(state: State) -> Field:
    """The damaged parts of all machines; those that need a workshop come last."""
    found: dict[str, Choice] = {}
    for is_lost in (False, True):
        for machine in find_machines(state):
            for held in repairs.find_damaged(machine):
                key = str(held.marks["part"])
                if machinery.is_lost(state, machine, key) == is_lost:
                    found.setdefault(key, Choice(key, _name(held, machine)))
    options = tuple(found.values())
    return Field("part", "Part", "choice", options, first_open(options), rule="CE-REP-01")


def _name(held: Condition, machine: Combatant) -> str:
    key = str(held.marks["part"])
    item = next((item for item in machine.items if item.id == key), None)
    return item.name if item else _name_key(key)


def _name_key(key: str) -> str:
    """The name of a system or a limb."""
    return NAMES.get(key) or key.replace("_", " ").capitalize()


def repair_fields(state: State, actor: str, is_rig: bool = False) -> tuple[Field, ...]:
    """The machine and the part, who repairs it, and the skill."""
    return (
        choose(state, "target", "Machine", (f for f in find_machines(state) if repairs.find_damaged(f))),
        _parts_field(state),
        _by_field(state),
        _skill_field(),
        *([] if is_rig else [_workshop_field(state, "CE-REP-13")]),
    )


def _by_field(state: State) -> Field:
    """The field for who repairs: those who can, the most skilled first."""

    def check(state: State, who: str) -> None:
        repairs.check_mechanic(state, who)
        if is_out(state[who]):
            raise Refused("bad_target", f"{state[who].name} cannot act: choose someone else.")

    people = [f for f in present(state) if repairs.can_repair(f)]
    people.sort(key=lambda f: -max(find_skill(f, skill) for skill in repairs.SKILLS.values()))
    return choose(state, "by", "Repaired by", people, check)


def _skill_field() -> Field:
    return Field(
        "skill", "Skill", "choice", _skills(), "", help="left open: the one that fits", required=False
    )


def _workshop_field(state: State, rule: str) -> Field:
    """Whether there is a workshop; without one, the spare parts at hand."""
    stocks = [(f.name, repairs.count_spares(f)) for f in find_machines(state) if repairs.count_spares(f)]
    told = "; ".join(f"{name} has spare parts for {n}" for name, n in stocks) or "no spare parts at hand"
    return Field("workshop", "In a workshop", "flag", help=told, rule=rule, required=False)


def _skills() -> tuple[Choice, ...]:
    """The skills that repair machines. [CE-REP-05]"""
    names = ("mechanics", "electronics", "engineering", "gravitics", "computer")
    return (Choice("", "the one that fits"), *(Choice(name, name.capitalize()) for name in names))


def find_rig_parts(state: State, actor: str) -> dict[str, tuple[Combatant, str]]:
    """The parts someone could rig from where they are: part -> the machine and the name of the part."""
    found: dict[str, tuple[Combatant, str]] = {}
    for machine in find_machines(state):
        for held in repairs.find_damaged(machine):
            part = str(held.marks["part"])
            command = repairs.RigNow(actor=actor, target=machine.id, part=part)
            if not why_refused(repairs.check_rig_now, state, command):
                found.setdefault(part, (machine, _name(held, machine)))
    return found


def may_rig(state: State, actor: str) -> None:
    """Refuse a rig without a damaged part within reach or without a significant action left."""
    if not find_rig_parts(state, actor):
        raise Refused("not_allowed", "No damaged part of a machine is within reach that a rig could hold.")
    check_significant(state, actor, "rigging a part")


def rig_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, the part, and the skill."""
    found = find_rig_parts(state, actor)
    machines = {machine.id: machine for machine, _ in found.values()}
    options = tuple(Choice(part, name) for part, (_, name) in found.items())
    return (
        choose(state, "target", "Machine", machines.values()),
        Field("part", "Part", "choice", options, first_open(options), rule="CE-REP-02"),
        _skill_field(),
    )


def hull_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and who repairs it."""
    return (
        choose(
            state, "target", "Machine", find_machines(state), lambda s, w: repairs.check_short(s[w], "hull")
        ),
        _by_field(state),
        _workshop_field(state, "CE-REP-08"),
    )


def structure_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and the number of points."""
    machines = find_machines(state)
    return (
        choose(state, "target", "Machine", machines, _lacks_structure),
        number_field("points", "Points", 1, 1, 999, help=_say_price(state), rule="CE-REP-15"),
        Field("workshop", "In a workshop", "flag", value="true", rule="CE-REP-15", required=False),
    )


def _say_price(state: State) -> str:
    """The price of a point, in Cr if the price of the machine is known. [CE-REP-16]"""
    short = [f for f in find_machines(state) if not find_reason(state, f, _lacks_structure)]
    told = [
        f"{f.name}: Cr {repairs.find_price(f) * repairs.STRUCTURE_SHARE // repairs.PERCENT:,} each"
        for f in short
        if repairs.find_price(f)
    ]
    return "; ".join(told) or f"each costs {repairs.STRUCTURE_SHARE}% of the price of the machine"


def _lacks_structure(state: State, who: str) -> None:
    repairs.check_short(state[who], "structure")


def donor_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine that needs the part, the machine that gives it, and the part."""
    machines = find_machines(state)
    keys = {key: None for machine in machines for key in repairs.find_donor_parts(machine)}
    names = {item.id: item.name for machine in machines for item in machine.items}
    options = tuple(Choice(key, names.get(key) or _name_key(key)) for key in keys)
    return (
        choose(state, "target", "For", machines),
        choose(state, "donor", "Out of", machines),
        Field("part", "Part", "choice", options, first_open(options), rule="CE-REP-09"),
    )


def spares_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and the number of parts."""
    return (
        choose(state, "target", "For", find_machines(state)),
        number_field("parts", "Parts for so many repairs", 1, 0, 99, rule="CE-REP-08"),
    )
