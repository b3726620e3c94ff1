"""An encounter as a document: export, import, and a replay that finds all tampering."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combat.rules.core.basics.dice.requests import Answer
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.release import PROGRAM, RELEASE
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import (
    FORMAT,
    VERSION,
    Document,
    Verdict,
    make_document,
    read_document,
    replay,
    write_document,
)
from combat.rules.core.state.history import CANCEL, COMMAND, REDO, UNDO, Step
from combat.rules.core.state.state import State
from tests.combat.rules import tiny
from tests.combat.rules.games import GAMES, demo_moments, every_game, find_game

Plain = dict[str, Any]


def export(system: System, *more: Step) -> Document:
    """The whole demo fight, with the last step undone and redone."""
    moments = demo_moments(system.slug)
    steps = [moment.step for moment in moments]
    last = steps[-1].number
    steps += [Step(last + 1, UNDO, target=last), Step(last + 2, REDO, target=last), *more]
    return make_document(system.demo.make_first().name, moments[0].before, tuple(steps), moments[-1].after)


def tamper(change: Callable[[Plain], object], system: System = tiny.SYSTEM) -> Verdict:
    """The verdict on a document that someone changed by hand."""
    plain = json.loads(write_document(export(system)))
    change(plain)
    return replay(read_document(json.dumps(plain).encode()), find_game)


def find_step(plain: Plain, name: str, answered: bool = True) -> Plain:
    """The first step of a name, with answers if needed."""
    return next(s for s in plain["steps"] if s.get("name") == name and (s.get("answers") or not answered))


# ---------------------------------------------------------------- export and import


@every_game
def test_document_comes_back_and_is_verified(system: System) -> None:
    document = export(system)
    raw = write_document(document)
    assert read_document(raw) == document
    assert write_document(read_document(raw)) == raw
    verdict = replay(read_document(raw), find_game)
    assert verdict == Verdict(True, len(document.steps), state=document.final, dice=verdict.dice)
    assert not verdict.dice.sealed


@every_game
def test_document_says_what_it_is_in_plain_json(system: System) -> None:
    plain = json.loads(write_document(export(system)))
    assert (plain["format"], plain["version"], plain["system"]) == (FORMAT, VERSION, system.slug)
    assert (plain["program"], plain["release"]) == (PROGRAM, RELEASE)
    assert [combatant["name"] for combatant in plain["combatants"]]
    assert plain["scene"]["zones"]


def test_document_leaves_out_who_left() -> None:
    document = export(tiny.SYSTEM)
    gone = msgspec.structs.replace(document.final.combatants["f2"], gone=True)
    final = msgspec.structs.replace(document.final, combatants={**document.final.combatants, "f2": gone})
    kept = make_document("x", document.start, document.steps, final).combatants
    assert [combatant.id for combatant in kept] == ["f1", "f3"]


def test_cancelled_actions_are_passed_over() -> None:
    document = export(tiny.SYSTEM)
    cancelled = Step(
        len(document.steps) + 1, CANCEL, "strike", {"actor": "f1"}, (Answer("roll", "R", "f1", 1, (3,)),)
    )
    verdict = replay(export(tiny.SYSTEM, cancelled), find_game)
    assert (verdict.ok, verdict.steps, verdict.cancelled) == (True, cancelled.number, 1)
    assert verdict.summary == (
        f"{cancelled.number - 1} of {cancelled.number} steps match when played again. "
        "1 canceled action was not played again: only its dice were checked."
    )


def test_an_empty_encounter_is_a_document() -> None:
    start = State("tiny")
    document = make_document("Nothing yet", start, (), start)
    assert replay(read_document(write_document(document)), find_game) == Verdict(True, 0, state=start)


# ---------------------------------------------------------------- tampering


@every_game
def test_tampered_dice_are_found(system: System) -> None:
    """Another face of any roll changes the facts; the verdict names the first such step."""
    chance = random.Random(system.slug)
    rolled = [m.step.number for m in demo_moments(system.slug) if any(a.faces for a in m.step.answers)]
    for number in chance.sample(rolled, min(5, len(rolled))):

        def change(plain: Plain, number: int = number) -> None:
            answer = next(a for a in plain["steps"][number - 1]["answers"] if a["faces"])
            answer["faces"][0] += 1 if answer["faces"][0] == 1 else -1

        verdict = tamper(change, system)
        assert (verdict.ok, verdict.failed, verdict.steps) == (False, number, number - 1), verdict.message


def test_impossible_dice_are_named() -> None:
    verdict = tamper(lambda plain: find_step(plain, "strike")["answers"][0].update(faces=[7]))
    assert not verdict.ok
    assert verdict.message == "strike: A d6 shows 1 to 6, not 7."


@every_game
def test_a_missing_answer_is_found(system: System) -> None:
    numbers = [moment.step.number for moment in demo_moments(system.slug) if moment.step.answers]
    for number in (numbers[0], numbers[-1]):
        take = partial(lambda n, plain: plain["steps"][n - 1]["answers"].pop(), number)
        verdict = tamper(take, system)
        assert (verdict.ok, verdict.failed) == (False, number)


def test_an_answer_too_many_is_found() -> None:
    def add(plain: Plain, **more: Any) -> None:
        answers = find_step(plain, "strike")["answers"]
        answers.append({**answers[0], **more})

    verdict = tamper(lambda plain: add(plain, ordinal=9))
    assert (verdict.ok, "left over" in verdict.message) == (False, True)
    verdict = tamper(lambda plain: add(plain, source="app"))
    assert (verdict.ok, verdict.message) == (False, "strike holds an answer twice")


@every_game
def test_a_tampered_fact_is_found(system: System) -> None:
    def change(plain: Plain) -> None:
        step = next(s for s in plain["steps"] if any("new" in f["event"] for f in s.get("facts", ())))
        fact = next(f for f in step["facts"] if "new" in f["event"])
        fact["event"]["new"] += 1
        plain["tampered"] = step["number"]

    plain = json.loads(write_document(export(system)))
    change(plain)
    number = plain.pop("tampered")
    verdict = replay(read_document(json.dumps(plain).encode()), find_game)
    assert (verdict.ok, verdict.failed) == (False, number)
    assert "comes out differently" in verdict.message


def test_a_difference_is_told_in_a_sentence_and_wording_is_none() -> None:
    """The facts may be kilobytes: the verdict tells the first different one in the log's words."""

    def find_event(plain: Plain, kind: str) -> Plain:
        facts = find_step(plain, "strike")["facts"]
        return next(fact["event"] for fact in facts if fact["event"]["type"] == kind)

    def reword(plain: Plain) -> None:
        find_event(plain, "Checked")["what"] = "attack.other"

    def change(plain: Plain) -> None:
        reword(plain)
        find_event(plain, "TrackChanged")["new"] -= 1

    verdict = tamper(change)
    assert verdict.message.startswith("strike comes out differently: the rules give “Bo loses ")
    assert "Fact(" not in verdict.message
    assert len(verdict.message) < 200
    other = tamper(reword)
    assert (other.ok, other.message) == (False, "strike comes out differently: only its wording differs")


def test_a_difference_that_no_line_shows_is_named_by_its_field() -> None:
    verdict = tamper(lambda plain: find_step(plain, "strike")["facts"][0].update(rule="X"))
    assert re.search(r"has another rule: [\w-]+ by the rules, X in the file$", verdict.message)


@pytest.mark.parametrize("key", ["to", "rule"])
def test_a_tampered_audience_or_rule_is_found(key: str) -> None:
    verdict = tamper(lambda plain: find_step(plain, "strike")["facts"][0].update({key: "gm"}))
    assert (verdict.ok, "comes out differently" in verdict.message) == (False, True)


def test_a_fact_left_out_is_found() -> None:
    verdict = tamper(lambda plain: find_step(plain, "strike")["facts"].pop())
    assert verdict.message.endswith("the file has nothing")


@pytest.mark.parametrize(
    ("change", "failed", "message"),
    [
        (lambda p: p["final"].update(round=9), 0, "the final state differs"),
        (lambda p: p["final"]["combatants"]["f1"]["tracks"].update(hits=99), 0, "the final state differs"),
        (lambda p: p["combatants"].pop(), 0, "the summary is not that of the final state"),
        (lambda p: p["scene"].update(name="Elsewhere"), 0, "the summary is not that of the final state"),
        (lambda p: p["options"].update(damage="1d6"), 0, "the summary is not that of the final state"),
        (lambda p: p["steps"].pop(5), 6, "the step after 5 calls itself 7"),
        (lambda p: p["steps"][3].update(number=1), 4, "the step after 3 calls itself 1"),
        (lambda p: p["steps"].reverse(), 1, "the step after 0 calls itself 22"),
        (lambda p: p["steps"][-1].update(target=3), 22, "the redo does not restore the last undone step"),
        (lambda p: p["steps"][-2].update(target=3), 21, "the undo does not strike the last live step"),
        (lambda p: p["steps"][-2].update(kind="forget"), 21, "there are no steps of the kind “forget”"),
        (lambda p: p["steps"][5].update(name="dance"), 6, "dance: Tiny Duel has no action “dance”."),
        (lambda p: p["steps"][5].update(command={"speed": 3}), 6, None),
        (lambda p: p["steps"][6]["command"].update(target="f9"), 7, None),
        (lambda p: p["start"].update(phase="fight"), 2, "join asks for more than was recorded"),
        (lambda p: p["start"].update(options={"damage": "1d6"}), 7, None),
    ],
)
def test_whatever_else_was_changed_is_named(
    change: Callable[[Plain], object], failed: int, message: str | None
) -> None:
    verdict = tamper(change)
    assert not verdict.ok
    assert (verdict.failed, verdict.message) == (failed, message or verdict.message)
    assert verdict.message


def test_an_undo_of_nothing_is_named() -> None:
    start = State("tiny")
    document = make_document("x", start, (Step(1, UNDO, target=0),), start)
    assert replay(document, find_game).message == "the undo does not strike the last live step"


def test_a_state_no_rule_could_make_is_named() -> None:
    """A combatant without its game's numbers: the verdict names the failing step, and why."""

    def change(plain: Plain) -> None:
        find_step(plain, "join", answered=False)["facts"][0]["event"]["combatant"]["sheet"] = {}

    verdict = tamper(change)
    assert (verdict.ok, verdict.failed) == (False, 2)
    start = export(tiny.SYSTEM).final
    hollow = {who: msgspec.structs.replace(f, sheet={}) for who, f in start.combatants.items()}
    broken = msgspec.structs.replace(start, combatants=hollow)
    document = make_document("x", broken, (Step(1, COMMAND, "start"),), broken)
    assert replay(document, find_game) == Verdict(
        False, 0, 1, "start cannot be played: the record of the step is damaged", broken, release=RELEASE
    )


# ---------------------------------------------------------------- what is no document


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"format": "\xff"}',
        b"PK\x03\x04",
        b"<html>",
        b"[" * 100_000,
        b'{"system": "tiny", "start": {"system": "tiny"}}',
        b'{"system": "tiny", "start": {"system": "tiny", "round": "two"}, "final": {"system": "tiny"}}',
        b'{"system": "tiny", "start": {"system": "tiny"}, "final": {"system": "tiny"}, "virus": 1}',
        b'{"system": "tiny", "start": {"system": "tiny"}, "final": {"system": "tiny"}, "steps": [{}]}',
    ],
    ids=lambda raw: repr(raw[:20]),
)
def test_garbage_is_refused(raw: bytes) -> None:
    with pytest.raises(Refused, match="Not an encounter document: ") as caught:
        read_document(raw)
    assert caught.value.code == "bad_value"


def test_garbage_deep_inside_is_refused() -> None:
    raw = write_document(export(tiny.SYSTEM)).replace(b'"skill": 3', b'"skill": ' + b"[" * 100_000)
    with pytest.raises(Refused, match="Not an encounter document: "):
        read_document(raw)


@given(st.binary(max_size=60))
def test_no_bytes_are_worse_than_refused(raw: bytes) -> None:
    with pytest.raises(Refused):
        read_document(raw)


BAD_VERSIONS = [{"version": wrong} for wrong in (VERSION + 1, 0, -1, "2", "two", 1.5, None, [1], {"of": 2})]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        *(
            (change, f"of {FORMAT} is unknown here: only version {VERSION} is read")
            for change in BAD_VERSIONS
        ),
        ({"format": "another-format"}, f"This is a file of another-format, not of {FORMAT}"),
        ({"format": 7}, f"This is a file of 7, not of {FORMAT}"),
    ],
    ids=str,
)
def test_another_format_or_version_is_refused(change: Plain, words: str) -> None:
    plain = json.loads(write_document(export(tiny.SYSTEM))) | change
    with pytest.raises(Refused, match=words) as caught:
        read_document(json.dumps(plain).encode())
    assert caught.value.code == "bad_value"


def test_a_game_nobody_has_is_refused() -> None:
    plain = json.loads(write_document(export(tiny.SYSTEM))) | {"system": "chess"}
    with pytest.raises(Refused, match="There is no game “chess” here"):
        replay(read_document(json.dumps(plain).encode()), find_game)


def judge(raw: bytes) -> str:
    """The message to a person who imports this."""
    try:
        verdict = replay(read_document(raw), find_game)
    except Refused as refused:
        return refused.message
    return verdict.message or ("verified" if verdict.ok else "")


def find_leaves(plain: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to every value of a document."""
    pairs = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    found = [(*path, key) for key, _ in pairs]
    for key, value in plain.items() if isinstance(plain, dict) else enumerate(plain) if found else ():
        found += find_leaves(value, (*path, key))
    return found


@cache
def write_demo(slug: str) -> bytes:
    """The demo fight of a game as a file."""
    return write_document(export(GAMES[slug]))


@cache
def find_demo_leaves(slug: str) -> list[tuple[Any, ...]]:
    """The paths to every value of that file."""
    return find_leaves(json.loads(write_demo(slug)))


JUNK = st.sampled_from([None, -1, 0, 3, 1.5, True, "", "f1", "gm", [], ["f1"], {}, {"x": 1}, 10**30])


@every_game
@settings(max_examples=max(2, settings().max_examples // 3))  # each reads and replays a whole fight
@given(data=st.data())
def test_documents_changed_anywhere_are_judged_or_refused(system: System, data: st.DataObject) -> None:
    """Any value replaced, anywhere: a clear message, never an exception."""
    plain = json.loads(write_demo(system.slug))
    *path, key = data.draw(st.sampled_from(find_demo_leaves(system.slug)))
    place = plain
    for part in path:
        place = place[part]
    place[key] = data.draw(JUNK)
    assert judge(json.dumps(plain).encode())
