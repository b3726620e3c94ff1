"""Combat drugs: taking and giving them, what they do while they last, and what comes after.

What a drug does stands in data/gear.toml; the condition "drug" carries it while it works.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ..core import events as e
from ..core.commands import Command, Field
from ..core.errors import Refused
from ..core.requests import GM, Choice
from ..core.space import distance
from ..core.state import Combatant, Condition, Item, Scalar, State, find_condition, find_item, replace
from ..core.table import Table, Then
from ..core.turns import gain, lift
from .healing import CARE_REACH_M
from .movement import pay_move
from .rolls import default_tn, save
from .sheet import is_able
from .supplies import consume
from .tables import drugs

DAY, HOUR, MINUTE = 86_400, 3600, 60
ADDICTIVE_DOSES = 3  # RULING R41
WORDS = {
    "initiative": "Initiative",
    "state_penalty_reduction": "wound penalty one state better, by",
    "defense": "Defense",
    "might": "Might",
    "attack": "attacks",
    "damage": "damage",
    "social": "Social",
    "radiation_save": "saves against radiation",
    "toxin_save": "saves against poison",
}


class Dose(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a drug, or give it to a willing neighbour."""

    item: str
    target: str = ""


class SetDrug(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The GM's word: a fighter has taken this drug of the catalogue."""

    target: str
    drug: str


def describe_effects(effects: dict[str, Any]) -> str:
    """What a drug does, in words."""
    parts = [f"{WORDS[key]} {value:+d}" for key, value in effects.items() if key in WORDS and value]
    ignored = ", ".join(effects.get("ignore_state", ()))
    return ", ".join([*parts, f"no penalty for {ignored}"] if ignored else parts)


def take(table: Table, command: Dose) -> Then:
    """[COS-DRUG-01] A dose for oneself or a willing person within 1 m, a Move Action.  RULING R41."""
    who, patient, item = command.actor, *check_dose(table.state, command)
    pay_move(table, who, item.name, "COS-DRUG-01")
    consume(table, who, item, "takes" if patient.id == who else f"gives {patient.name}")
    return Then(feel, patient.id, _freeze(item.data))


def check_dose(state: State, command: Dose) -> tuple[Combatant, Item]:
    """Refuse what is no drug, and patients too far away or unwilling."""
    fighter, patient = state[command.actor], state[command.target or command.actor]
    item = find_item(fighter, command.item)
    if item.kind != "drug":
        raise Refused("bad_value", f"{item.name} is not a drug.")
    metres = distance(fighter.at, patient.at)
    if metres > CARE_REACH_M + 0.01:
        text = f"Out of reach: {patient.name} has to be within {CARE_REACH_M} m."
        raise Refused("out_of_range", text)
    if patient.side != fighter.side and is_able(patient):
        raise Refused("bad_target", f"{patient.name} is not willing to take it.")
    return patient, item


def _freeze(data: dict[str, Any]) -> str:
    """A drug's record as a step of a procedure can carry it."""
    return msgspec.json.encode(data).decode()


def set_drug(table: Table, command: SetDrug) -> Then:
    """[COS-DRUG-01] By the GM's decision, without an action and without an item."""
    record = drugs().get(command.drug)
    if record is None:
        raise Refused("unknown", "That drug is not in the catalogue.")
    who = table.state[command.target].id
    return Then(feel, who, _freeze(msgspec.to_builtins(record)))


def feel(table: Table, who: str, frozen: str) -> Then | None:
    """The dose goes down: tolerance first, then the effect.

    [COS-DRUG-08] A second dose of the same drug within 24 hours is flagged: the GM may void it.
    """
    record = msgspec.json.decode(frozen)
    before = recent_doses(table.state, table.state[who])
    _remember(table, who, str(record["id"]), before)
    if record["id"] not in before or _still_works(table, who, str(record["name"])):
        begin(table, who, record)
    if len(before) + 1 >= ADDICTIVE_DOSES and table.option("drug_addiction"):
        return Then(resist_addiction, who)
    return None


def recent_doses(state: State, fighter: Combatant) -> list[str]:
    """The drugs a fighter has taken within the last 24 hours, oldest first."""
    doses = [dose.partition("@") for dose in str(fighter.marks.get("doses", "")).split()]
    return [drug for drug, _, clock in doses if state.clock - int(clock) < DAY]


def _remember(table: Table, who: str, drug: str, before: list[str]) -> None:
    state = table.state
    old = str(state[who].marks.get("doses", "")).split()[-len(before) :] if before else []
    doses = " ".join([*old, f"{drug}@{state.clock}"])
    table.tell(e.Marked(who, "doses", doses), "COS-DRUG-08", e.GM_ONLY)
    table.tell(e.Marked(who, "last_dose", state.clock), "COS-DRUG-06", e.GM_ONLY)


def _still_works(table: Table, who: str, name: str) -> bool:
    """[COS-DRUG-08] Tolerance: the GM decides whether another dose still does anything."""
    options = (Choice("works", "It works"), Choice("void", "No effect: tolerance"))
    question = f"Tolerance: another dose of {name} for {table.state[who].name} within 24 hours."
    chosen = table.ask(GM, question, options, rule="COS-DRUG-08", default="works")
    if chosen == "void":
        table.tell(e.Said(f"{{who}} is used to {name}: no effect.", who), "COS-DRUG-08")
    return chosen == "works"


def begin(table: Table, who: str, record: dict[str, Any]) -> None:
    """[COS-DRUG-02] [COS-DRUG-03] [COS-DRUG-04] [COS-DRUG-05] The effects of a drug for a scene.

    RULING R41: ten minutes; the same drug does not stack with itself, its time begins anew.
    """
    for held in table.state[who].conditions:
        if held.kind == "drug" and held.marks.get("drug") == record["id"]:
            lift(table, who, held, "taken anew")
    minutes = int(record["duration_minutes"])
    marks: dict[str, Scalar] = {
        "drug": record["id"],
        "name": record["name"],
        "crash": record["crash"],
        "ends_at": table.state.clock + minutes * MINUTE,
        **{key: value for key, value in record["effects"].items() if value and key != "ignore_state"},
    }
    if record["effects"].get("ignore_state"):
        marks["ignore_state"] = " ".join(record["effects"]["ignore_state"])
    words = describe_effects(record["effects"])
    ends = f"after {minutes} minutes; {words}"
    gain(table, who, "drug", label=f"On {record['name']}", ends=ends, marks=marks)
    table.tell(e.Said(f"{record['name']}: {words}, for {minutes} minutes.", who), "COS-DRUG-05")


def resist_addiction(table: Table, who: str) -> None:
    """[COS-DRUG-06] The third dose within 24 hours: a Resolve save, or addicted.  RULING R41."""
    good = save(table, who, "RES", default_tn(table.state), "COS-DRUG-06", "against addiction")
    if not good and find_condition(table.state[who], "addicted") is None:
        gain(table, who, "addicted")


def crash(table: Table, who: str, drug: Condition) -> None:
    """[COS-DRUG-07] What a drug leaves behind: Fatigued for an hour.  RULING R41."""
    words = str(drug.marks.get("crash", "")).split()
    if not words or not table.option("drug_crash"):
        return
    kind, ends_at = words[0].lower(), table.state.clock + int(words[1]) * HOUR
    held = find_condition(table.state[who], kind)
    if held is None:
        gain(table, who, kind, rule="COS-DRUG-07", ends=f"after {words[1]} h", marks={"ends_at": ends_at})
    elif "ends_at" in held.marks:
        later = replace(held, marks={**held.marks, "ends_at": max(ends_at, int(held.marks["ends_at"]))})
        table.tell(e.ConditionChanged(who, later), "COS-DRUG-07", e.GM_ONLY)


def dose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: which drug, for whom."""
    fighter = state[actor]
    options = tuple(
        Choice(item.id, item.name, describe_effects(item.data["effects"]))
        for item in fighter.items
        if item.kind == "drug"
    )
    near = [f for f in state.combatants.values() if f.id != actor and not f.gone]
    friends = [f for f in near if distance(f.at, fighter.at) <= CARE_REACH_M + 0.01]
    people = (Choice("", "myself"), *(Choice(f.id, f.name) for f in friends))
    first = options[0].value if options else ""
    return (
        Field("item", "Drug", "choice", options, first, rule="COS-DRUG-01"),
        Field("target", "For", "target", people, "", required=False),
    )


def check_has_drug(state: State, actor: str) -> None:
    """The action is there for those who carry a dose."""
    if not any(item.kind == "drug" for item in state[actor].items):
        raise Refused("not_allowed", f"{state[actor].name} carries no drug.")
