"""Bad input from people and old pages: a clear answer, the right status, nothing changed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from combat.play.writing.encounter_service import Submission, submit
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, Visit, read, refusal, stored

pytestmark = pytest.mark.usefixtures("no_verification")

ATTACK = {"combatant": ZARA, "target": PIRATE, "weapon": PISTOL, "dice": "app"}
ACTOR_ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}


def is_clear(words: str) -> bool:
    """Check for one or more sentences of readable length, without programmers' words."""
    jargon = re.search(r"Traceback|Exception|Error\b|NoneType|msgspec|\$\.|`|<class|object at", words)
    return 10 < len(words) < 300 and not jargon and words[-1] in ".!?…”)"


# ---- Commands ----


@pytest.fixture
def opened(visit: Visit) -> Visit:
    """A GM whose page is open: a refusal brings the words alone."""
    visit.stay()
    return visit


def find_fault(visit: Visit, do: str, status: int, words: str, fields: dict[str, Any]) -> str:
    """What is wrong with the answer to a command that cannot be."""
    row = f"{do[:40]!r} with {str(fields)[:80]}"
    before = stored(visit.pk)
    found = visit.post(do, **fields)
    said = refusal(found)
    if found.status_code != status:
        return f"{row}: {found.status_code}, not {status}"
    if stored(visit.pk) != before:
        return f"{row} is refused and done"
    return "" if re.search(words, said) and is_clear(said) else f"{row}: {said[:200]}"


ATTACKS: tuple[tuple[int, str, dict[str, str]], ...] = (
    (422, "That combatant is not in this encounter.", {"target": "f9"}),
    (422, "That combatant is not in this encounter.", {"combatant": "f9"}),
    (422, "That combatant is not in this encounter.", {"combatant": ""}),
    (409, "Choose someone else as the target.", {"target": ZARA}),
    (422, "Zara does not have that item.", {"weapon": "f2-1"}),
    (422, "Target: choose one first.", {"target": ""}),
    (409, "It is not Marcus' turn.", {"combatant": MARCUS, "weapon": "f3-1"}),
    (422, "“Attacks (−2 each per extra)” must be a whole number", {"attacks": "two"}),
    (422, "1 to 3 attacks", {"attacks": "-1"}),
    (422, "1 to 3 attacks", {"attacks": "4"}),
    (422, "up to 1,000,000", {"attacks": "9" * 30}),
    (422, "up to 1,000,000", {"adjust": "9999999"}),
    (
        422,
        "“Attacks (−2 each per extra)” must be a whole number, not “99999999999999999999…”",
        {"attacks": "9" * 5000},
    ),
    (422, "“Situational modifier” must be a whole number", {"adjust": "+3 or so"}),
    (422, "“Target's cover” takes one of: ", {"cover": "a wall"}),
    (422, "“From behind” must be yes or no", {"behind": "perhaps"}),
    (422, "“sneaky” is no field of it", {"sneaky": "1"}),
    (422, "This form has no field “actor”", {"actor": PIRATE}),
    (422, "This form has no field “typed”", {"typed": "true"}),
    (422, "cannot be saved: type the text again", {"because": "a\0b"}),
    (422, "That is too much at once.", {"because": "x" * 1_000_000}),
    (422, "That combatant is not in this encounter.", {"target": "x" * 90_000}),
    (422, "That combatant is not in this encounter.", {"target": "🚀 ‮שלום"}),
    (422, "That combatant is not in this encounter.", {"target": "'; DROP TABLE combat_encounter; --"}),
)


@pytest.mark.slow
def test_attacks_that_cannot_be(opened: Visit) -> None:
    faults = [
        find_fault(opened, "attack", status, re.escape(words), {**ATTACK, **fields})
        for status, words, fields in ATTACKS
    ]
    assert not any(faults), "\n".join(filter(None, faults))


COMMANDS: tuple[tuple[str, dict[str, Any], int, str], ...] = (
    ("", {}, 422, "no action"),
    ("fly", {}, 422, "no action “fly”"),
    ("x" * 1_000_000, {}, 422, "no action"),
    ("a\0b", {}, 422, "no action"),
    ("warp_speed", {}, 422, "no action"),
    ("suggest", {}, 422, "no action"),
    ("initiative", {}, 422, "no action"),
    ("start", {}, 409, "The fight is under way."),
    ("repair", {"by": ZARA, "item": PISTOL}, 409, "takes an hour"),
    ("remove", {"target": "f9"}, 422, "not in this encounter"),
    ("remove", {}, 422, "“Target” is missing"),
    ("adjust", {"target": ZARA, "track": "hp", "points": "-5-", "sign": "-"}, 422, "whole number"),
    ("adjust", {"target": ZARA, "track": "hp", "points": "ten", "sign": "-"}, 422, "whole number"),
    ("adjust", {"target": ZARA, "track": "hp", "points": "0"}, 422, "enter another number"),
    ("adjust", {"target": ZARA, "track": "hp", "points": "99999"}, 422, "at its maximum"),
    ("adjust", {"target": ZARA, "track": "luck", "points": "1"}, 422, "no stat “luck”"),
    ("adjust_each", {"track": "hp", "by": "-1"}, 409, "Select combatants first."),
    ("adjust_each", {"track": "hp", "by": "-1", "targets": [ZARA, "f9"]}, 422, "not in this encounter"),
    ("give_condition", {"target": ZARA, "kind": "happy"}, 422, "no condition “happy”"),
    ("give_condition", {"target": ZARA, "kind": "prone", "level": "-1"}, 422, "1 to 20"),
    ("give_condition", {"target": ZARA, "kind": "prone", "turns": "101"}, 422, "0 to 100"),
    ("take_condition", {"target": ZARA, "condition": "k99"}, 422, "no longer has that condition"),
    ("place", {"target": ZARA, "zone": "moon"}, 422, "not part of the scene"),
    ("place", {"target": ZARA, "x": "nan", "y": "1"}, 422, "must be a number, not “nan”"),
    ("place", {"target": ZARA, "x": "inf", "y": "1"}, 422, "must be a number, not “inf”"),
    ("place", {"target": ZARA, "x": "1e308", "y": "1"}, 422, "up to 1,000,000"),
    ("place", {"target": ZARA, "x": "here", "y": "1"}, 422, "must be a number"),
    ("resize", {"target": ZARA, "metres": "x"}, 422, "“Size on the map” must be a number"),
    ("share_money", {"amount": "x", "to": ZARA}, 422, "“Amount” must be a whole number"),
    ("start_clock", {"name": "Alarm", "size": "x"}, 422, "“Segments” must be a whole number"),
    ("resize", {"target": ZARA, "metres": "61"}, 422, "0 to 60"),
    ("resize", {"target": ZARA, "metres": "0"}, 409, "that size already"),
    ("hide", {"target": ZARA, "hidden": "false"}, 409, "visible already"),
    ("hide", {"target": ZARA, "hidden": "x"}, 422, "yes or no"),
    ("reorder", {"target": ZARA, "after": "f9"}, 422, "not in this encounter"),
    ("reorder", {"target": ZARA, "after": ZARA}, 422, "in the turn order"),
    ("rename", {"target": ZARA, "name": " \t "}, 409, "enter another name or side"),
    ("rename", {"target": ZARA, "name": "x" * 61}, 422, "1 to 60 characters"),
    ("rename", {"target": ZARA, "name": "Za\0ra"}, 422, "cannot be saved"),
    ("give_budget", {"target": ZARA, "pool": "gold", "left": "1"}, 422, "no actions of the kind “gold”"),
    ("give_budget", {"target": ZARA, "pool": "move", "left": "-1"}, 422, "0 to 20"),
    ("note", {"text": ""}, 422, "“Text” is missing|1 to 2000"),
    ("note", {"text": "x" * 2001}, 422, "1 to 2000"),
    ("note", {"text": "x" * 1_000_000}, 422, "too much"),
    ("set_option", {"key": "cheat", "value": "on"}, 422, "no house rule"),
    ("set_option", {"key": "max_attacks", "value": "99"}, 422, "choose 1, 2, 3"),
    ("set_setting", {"key": "light", "value": "purple"}, 422, "no setting of the environment"),
    ("set_scene", {"scene": "{}"}, 422, "“Scene” must be a table of named values"),
    ("join", {"block": "dragon"}, 422, "not in the library"),
    ("join", {"block": "pirate_example", "count": "-3"}, 422, "add 1 to 20"),
    ("join", {"block": "pirate_example", "count": "1000"}, 422, "add 1 to 20"),
    ("join", {"sheet": "{}"}, 422, "“Sheet” must be"),
    ("quick_aim", {"combatant": PIRATE}, 409, "not Pirate's turn"),
    ("squeeze", {"combatant": ZARA, "target": PIRATE, "effect": "damage"}, 409, ""),
    ("move", {"combatant": ZARA, "to": "near:f9"}, 422, ""),
    ("move", {"combatant": ZARA, "to": "1;2"}, 422, ""),
    ("move", {"combatant": ZARA, "to-free": "nan,nan", "to": ""}, 422, ""),
    ("move", {"combatant": ZARA, "to-free": "1e400,0", "to": ""}, 422, ""),
    ("draw", {"combatant": ZARA, "item": "f2-1"}, 422, "does not have that item"),
)


@pytest.mark.slow
def test_commands_that_cannot_be(opened: Visit) -> None:
    faults = [find_fault(opened, do, status, words, fields) for do, fields, status, words in COMMANDS]
    assert not any(faults), "\n".join(filter(None, faults))


def test_spent_budget_is_named(visit: Visit) -> None:
    submit(visit.pk, Submission("give_budget", {"target": ZARA, "pool": "standard", "left": 0}))
    said = visit.refused("attack", 409, **ATTACK)
    assert said.startswith("No Standard left this turn; Attack needs 1 Standard.")
    submit(visit.pk, Submission("give_budget", {"target": ZARA, "pool": "move", "left": 0}))
    assert "No Move" in visit.refused("move", 409, combatant=ZARA, to="zone:floor")


# ---- Old pages ----


@pytest.mark.slow
def test_second_of_two_tabs_is_brought_up_to_date(visit: Visit) -> None:
    first = second = visit.version()
    visit.do("give_budget", target=ZARA, pool="quick", left=1, version=first)
    for do, fields in (("attack", ATTACK), ("next_turn", {}), ("undo", {}), ("redo", {}), ("cancel", {})):
        before = stored(visit.pk)
        found = visit.post(do, **{**fields, "version": second})
        assert found.status_code == 409
        assert "Someone acted first" in refusal(found)
        assert read(found).one(id="table")["data-version"] == visit.version()
        assert stored(visit.pk) == before
    found = visit.do("attack", **ATTACK)  # the same again from the returned page
    assert found.status_code == 200


@pytest.mark.slow
def test_age_that_no_page_has(visit: Visit) -> None:
    before = stored(visit.pk)
    for version in ("0", "-1", "x", "²", "9" * 5000, "1 OR 1=1", "\0"):
        found = visit.post("next_turn", version=version)
        assert found.status_code in (409, 422), version
        assert is_clear(refusal(found))
        assert stored(visit.pk) == before


# ---- Dice and answers ----


NO_DICE = "Enter each die, or let the app roll."
FACES: tuple[tuple[list[str], str], ...] = (
    (["5", "11"], "A d10 shows 1 to 10, not 11."),
    (["5"], "2d10 needs 2 dice, 1 was given."),
    (["5", "5", "5"], "2d10 needs 2 dice, 3 were given."),
    (["5"] * 101, "2d10 needs 2 dice, 101 were given."),
    (["-5", "5"], "A d10 shows 1 to 10, not −5."),
    (["999999999", "5"], "A d10 shows 1 to 10, not 999999999."),
    (["a", "b"], NO_DICE),
    (["5", ""], NO_DICE),
    *((([odd, "5"]), NO_DICE) for odd in ("5.5", "²", "٣", "9" * 5000, "\0")),
)


@pytest.mark.slow
def test_dice_that_cannot_be(asked: Visit) -> None:
    typed = [({f"face-{n}": face for n, face in enumerate(faces, 1)}, words) for faces, words in FACES]
    for sent, words in typed:
        assert asked.refused("answer", 422, question=0, dice="table", **sent) == words
    asked.do("cancel")
    for sent, words in typed:
        assert words in asked.refused("attack", 422, **{**ATTACK, "dice": "table", **sent})


@pytest.mark.slow
def test_die_field_of_a_strange_name(asked: Visit) -> None:
    for name in ("face-", "face-x", "face-0", "face--1", "face-²", "face-9999", "face-1.5"):
        said = asked.refused("answer", 422, question=0, dice="table", **{"face-1": "5", name: "5"})
        assert said == "Enter each die, or let the app roll.", name


@pytest.mark.slow
def test_question_that_is_none_or_not_there(asked: Visit) -> None:
    for question in ("", "-1", "x", "²", "1e3", "9" * 5000, "\0"):
        said = asked.refused("answer", 422, question=question, dice="app")
        assert said == "This answer names no question: reload the page.", question
    for question in ("1", "7", "999999999"):
        said = asked.refused("answer", 409, question=question, dice="app")
        assert said == "That question is already answered.", question


def test_answer_when_nothing_is_asked(visit: Visit) -> None:
    said = visit.refused("answer", 409, question=0, dice="app")
    assert said == "Nothing needs an answer now: reload the page."


def test_choice_that_is_not_offered(visit: Visit) -> None:
    submit(visit.pk, Submission("attack", ACTOR_ATTACK, faces=(10, 10)))
    for value in ("", "everything", "x" * 1_000_000, "a\0b", "🚀"):
        said = visit.refused("answer", 422, question=0, value=value)
        assert "is not one of the choices." in said, value[:20]
        assert is_clear(said)


@pytest.mark.slow
def test_everything_else_waits_for_the_open_question(asked: Visit) -> None:
    hurt = {"target": ZARA, "track": "hp", "points": "1", "sign": "-"}
    bare = ("next_turn", "undo", "redo", "end_fight")
    for do, fields in (("attack", ATTACK), ("adjust", hurt), *((name, {}) for name in bare)):
        said = asked.refused(do, 409, **fields)
        assert said == "An action needs dice or a choice: answer or cancel it first."
