"""Records of older versions, brought up to the present one: one small step per version.

They work on plain data, so a struct that has changed since does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .history import VERSION

Record = dict[str, Any]
# Fields of facts and states that hold words: sentences in version 1, keys since
WORDS = frozenset(
    ("label", "ends", "why", "what", "how", "outcome", "against_label", "word", "key", "args", "on")
)
NEWER = frozenset(("uses",))  # fields that sheets did not have in version 1
# Numbers of rounds, and marks about them: in version 1 the rounds of a second fight went on from the first
ROUNDS = frozenset(("round", "first_round", "gm_turn", "free_round", "ready_round", "ready_at", "burned"))
OTHERWISE = WORDS | ROUNDS | NEWER


def upgrade_step(step: Record) -> Record:
    """A step of any version as one of the present."""
    for version in range(int(step.get("version", 1)), VERSION):
        step = _UPGRADES[version](step)
    return step


def upgrade_pending(record: Record) -> Record:
    """What is kept of a command that waits, as one of the present; its facts so far are only shown."""
    return {**record, "facts": [_upgrade_fact(fact) for fact in record.get("facts", ())]}


def _from_1(step: Record) -> Record:
    """Sentences stay as they are: a text that is no key is drawn as it stands. The record says its age."""
    facts = _count_anew([_upgrade_fact(fact) for fact in step.get("facts", ())])
    return {**step, "facts": facts, "version": 1}


def _count_anew(facts: list[Record]) -> list[Record]:
    """Where a second fight begins, its rounds count from 1; they went on from the first once."""
    begun = next((fact["event"] for fact in facts if fact["event"]["type"] == "FightStarted"), None)
    first = next((fact["event"] for fact in facts if fact["event"]["type"] == "RoundStarted"), None)
    if begun is None or first is None or first["round"] == 1:
        return facts
    begun["seconds"], first["round"], first["seconds"] = first["seconds"], 1, 0
    return facts


def _upgrade_fact(fact: Record) -> Record:
    changed = {"event": _upgrade_event(fact["event"])}
    if fact.get("twin"):
        changed["twin"] = _upgrade_event(fact["twin"])
    return {**fact, **changed}


def _upgrade_event(event: Record) -> Record:
    if event.get("type") == "Said" and "text" in event:
        event = {**event, "key": event["text"]}
        del event["text"]
    if event.get("type") == "SettingSet":
        event = {key: value for key, value in event.items() if key != "label"}
    return event


_UPGRADES: dict[int, Callable[[Record], Record]] = {1: _from_1}


def without_words(thing: Any) -> Any:
    """Plain data without the words and rounds in it: what facts of different versions have in common."""
    if isinstance(thing, dict):
        return {key: without_words(value) for key, value in thing.items() if key not in OTHERWISE}
    if isinstance(thing, list | tuple):
        return [without_words(each) for each in thing if not _is_of_rounds(each)]
    return thing


def _is_of_rounds(fact: Any) -> bool:
    """Whether a fact only notes the number of a round."""
    event = fact.get("event") if isinstance(fact, dict) else None
    return isinstance(event, dict) and event.get("type") == "Marked" and event.get("key") in ROUNDS
