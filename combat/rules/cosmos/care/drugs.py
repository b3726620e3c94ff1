"""Combat drugs: taking and giving them, their effects and aftereffects.

data/gear.toml holds their effects; the condition "drug" carries them while the drug works.
"""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Label, joined, say
from combat.rules.core.commands.commands import Command, Field, Give, first_open, form_about
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    Item,
    Scalar,
    State,
    find_condition,
    has_condition,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_condition

from ..body.supplies import consume
from ..book.tables import drug_effects, drugs
from ..characters.sheet import HEALTH_WORDS, is_able
from ..dice import default_tn, save
from ..move.cost import pay_move
from ..world.acting import act, gm
from ..world.sight_lines import check_within, find_thing, is_within

DAY, HOUR, MINUTE = 86_400, 3600, 60
ADDICTIVE_DOSES = 3  # RULING R41
DRUGS = tuple(Choice(drug.id, drug.name) for drug in drugs().values())


class SetDrug(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The GM's note that a combatant has taken this drug of the catalogue."""

    target: str
    drug: str


def describe_effects(effects: dict[str, Any]) -> str:
    """The effects of a drug, in words."""
    parts = [f"{row.name} {value:+d}" for row in drug_effects().values() if (value := effects.get(row.id))]
    ignored = ", ".join(effects.get("ignore_state", ()))
    return ", ".join([*parts, f"no penalty for {ignored}"] if ignored else parts)


def name_effects(effects: dict[str, Any]) -> Label:
    """The effects of a drug, as a label."""
    known = drug_effects()
    parts: list[Label] = [say(f"drug.{key}", n=n) for key, n in effects.items() if key in known and n]
    ignored = tuple(effects.get("ignore_state", ()))
    if ignored:
        parts.append(say("drug.ignore_state", states=joined(HEALTH_WORDS[state] for state in ignored)))
    return joined(parts) if parts else "drug.none"


def take(context: RuleContext, command: Give) -> Then:
    """Use a dose on yourself or a willing person within 1 m, a Move Action. [COS-DRUG-01]  RULING R41."""
    who, patient, item = command.actor, *check_dose(context.state, command)
    pay_move(context, who, item.name, "COS-DRUG-01")
    consume(context, who, item, "how.takes" if patient.id == who else say("how.gives", target=patient.id))
    return Then(feel, patient.id, _freeze(item.data))


def check_dose(state: State, command: Give) -> tuple[Combatant, Item]:
    """Refuse items that are no drugs, and patients too far away or unwilling."""
    combatant, patient = state[command.actor], state[command.target or command.actor]
    item = find_thing(state, command.actor, command.item)
    if item.kind != "drug":
        raise Refused("bad_value", f"{item.name} is not a drug.")
    if has_condition(patient, "dead"):
        raise Refused("bad_target", f"{patient.name} is dead.")
    check_within(state, combatant, patient, "a hand")
    if patient.side != combatant.side and is_able(patient):
        raise Refused("bad_target", f"{patient.name} does not want the drug.")
    return patient, item


def _freeze(data: dict[str, Any]) -> str:
    """A drug's record as text that a procedure step can carry."""
    return msgspec.json.encode(data).decode()


def set_drug(context: RuleContext, command: SetDrug) -> Then:
    """By the GM's decision, without an action and without an item. [COS-DRUG-01]"""
    record = drugs().get(command.drug)
    if record is None:
        raise Refused("unknown", "That drug is not in the catalogue.")
    who = context.state[command.target].id
    return Then(feel, who, _freeze(msgspec.to_builtins(record)))


def feel(context: RuleContext, who: str, frozen: str) -> Then | None:
    """Apply a dose: first tolerance, then the effect.

    [COS-DRUG-08] A second dose of the same drug within 24 hours is flagged: the GM may void it.
    """
    record = msgspec.json.decode(frozen)
    before = recent_doses(context.state, context.state[who])
    _remember(context, who, str(record["id"]), before)
    if record["id"] not in before or _still_works(context, who, str(record["name"])):
        begin(context, who, record)
    if len(before) + 1 >= ADDICTIVE_DOSES and context.option("drug_addiction"):
        return Then(resist_addiction, who)
    return None


def recent_doses(state: State, combatant: Combatant) -> list[str]:
    """The drugs a combatant has taken within the last 24 hours, oldest first."""
    doses = [dose.partition("@") for dose in str(combatant.marks.get("doses", "")).split()]
    return [drug for drug, _, clock in doses if state.clock - int(clock) < DAY]


def _remember(context: RuleContext, who: str, drug: str, before: list[str]) -> None:
    state = context.state
    old = str(state[who].marks.get("doses", "")).split()[-len(before) :] if before else []
    doses = " ".join([*old, f"{drug}@{state.clock}"])
    context.emit(e.Marked(who, "doses", doses), "COS-DRUG-08", e.GM_ONLY)
    context.emit(e.Marked(who, "last_dose", state.clock), "COS-DRUG-06", e.GM_ONLY)


def _still_works(context: RuleContext, who: str, name: str) -> bool:
    """Whether another dose still works: the GM decides on tolerance. [COS-DRUG-08]"""
    options = (Choice("works", "It works"), Choice("void", "No effect: tolerance"))
    question = f"Tolerance: another dose of {name} for {context.state[who].name} within 24 hours."
    chosen = context.ask(GM, question, options, rule="COS-DRUG-08", default="works")
    if chosen == "void":
        context.emit(e.Said("log.tolerance", who, args={"drug": name}), "COS-DRUG-08")
    return chosen == "works"


def begin(context: RuleContext, who: str, record: dict[str, Any]) -> None:
    """Start the effects of a drug for a scene. [COS-DRUG-02] [COS-DRUG-03] [COS-DRUG-04] [COS-DRUG-05]

    RULING R41: ten minutes; the same drug does not stack with itself, its time restarts.
    """
    for held in context.state[who].conditions:
        if held.kind == "drug" and held.marks.get("drug") == record["id"]:
            remove_condition(context, who, held, "why.taken_again")
    minutes = int(record["duration_minutes"])
    marks: dict[str, Scalar] = {
        "drug": record["id"],
        "name": record["name"],
        "crash": record["crash"],
        "ends_at": context.state.clock + minutes * MINUTE,
        **{key: value for key, value in record["effects"].items() if value and key != "ignore_state"},
    }
    if record["effects"].get("ignore_state"):
        marks["ignore_state"] = " ".join(record["effects"]["ignore_state"])
    effects, name = name_effects(record["effects"]), str(record["name"])
    ends = say("ends.drug", n=minutes, effects=effects)
    add_condition(context, who, "drug", label=say("condition.on_drug", drug=name), ends=ends, marks=marks)
    told = e.Said("log.drug", who, args={"drug": name, "effects": effects, "n": minutes})
    context.emit(told, "COS-DRUG-05")


def resist_addiction(context: RuleContext, who: str) -> None:
    """The third dose within 24 hours: a Resolve save, or addicted. [COS-DRUG-06]  RULING R41."""
    good = save(
        context,
        who,
        "RES",
        target=default_tn(context.state),
        rule="COS-DRUG-06",
        why="roll.against_addiction",
    )
    if not good and find_condition(context.state[who], "addicted") is None:
        add_condition(context, who, "addicted")


def crash(context: RuleContext, who: str, drug: Condition) -> None:
    """Apply the crash after a drug: Fatigued for an hour. [COS-DRUG-07]  RULING R41."""
    words = str(drug.marks.get("crash", "")).split()
    if not words or not context.option("drug_crash"):
        return
    kind, ends_at = words[0].lower(), context.state.clock + int(words[1]) * HOUR
    held = find_condition(context.state[who], kind)
    if held is None:
        add_condition(
            context,
            who,
            kind,
            rule="COS-DRUG-07",
            ends=say("ends.after_hours", n=int(words[1])),
            marks={"ends_at": ends_at},
        )
    elif "ends_at" in held.marks:
        later = replace(held, marks={**held.marks, "ends_at": max(ends_at, int(held.marks["ends_at"]))})
        context.emit(e.ConditionChanged(who, later), "COS-DRUG-07", e.GM_ONLY)


def dose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the drug and its target."""
    combatant = state[actor]
    options = tuple(
        Choice(item.id, item.name, describe_effects(item.data["effects"]))
        for item in combatant.items
        if item.kind == "drug"
    )
    near = [f for f in state.combatants.values() if f.id != actor and not f.gone]
    friends = [other for other in near if is_within(state, combatant, other)]
    people = (Choice("", "myself"), *(Choice(f.id, f.name) for f in friends))
    return (
        Field("item", "Drug", "choice", options=options, value=first_open(options), rule="COS-DRUG-01"),
        Field("target", "For", "target", options=people, value="", required=False),
    )


def check_has_drug(state: State, actor: str) -> None:
    """Refuse the action to a combatant without a dose."""
    if "drug" not in [item.kind for item in state[actor].items]:
        raise Refused("not_allowed", f"{state[actor].name} carries no drug.")


drug_fields = form_about(
    Field("drug", "Drug", "choice", options=DRUGS, value=DRUGS[0].value, rule="COS-DRUG-01")
)


ACTIONS = (
    act("drug", take, check_has_drug, fields=dose_fields),
    gm("give_drug", set_drug, fields=drug_fields),
)
