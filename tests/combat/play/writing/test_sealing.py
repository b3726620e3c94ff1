"""Sealed dice at a table: published first, counted through every undo, opened at the end, and checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from combat.audience.rights import Grant
from combat.models import Encounter
from combat.play.autopilot import autoplay
from combat.play.writing.encounter_service import Submission, cancel, read_history, redo, submit, undo
from combat.play.writing.renewal import renew_all_dice
from combat.rules import find_system
from combat.rules.core.basics.dice.dice import draw_faces, make_seal
from combat.rules.core.basics.dice.requests import Answer
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import Document, Verdict, replay, write_document
from combat.rules.core.state.history import Step
from tests.combat.visit import PIRATE, PISTOL, ZARA, load, state_of

CHECK = Submission("hazard_check", {"target": ZARA, "approach": "detect"})
END = Submission("end_fight", {})


def check(pk: int) -> None:
    """Zara rolls 2d10 in the app."""
    submit(pk, CHECK)


def rolls_of(document: Document) -> list[Answer]:
    """The rolls of the app, including undone and cancelled ones."""
    return [a for step in document.steps for a in step.answers if a.kind == "roll" and a.source == "app"]


def history(pk: int) -> Document:
    """The content of an export."""
    return read_history(load(pk))


def judge(document: Document) -> Verdict:
    """Check a document with its dice."""
    return replay(document, find_system)


def change(document: Document, number: int, **changes: Any) -> Document:
    """The document with a replaced step."""
    steps = [msgspec.structs.replace(s, **changes) if s.number == number else s for s in document.steps]
    return msgspec.structs.replace(document, steps=tuple(steps))


def change_roll(document: Document, step: Step, **changes: Any) -> Document:
    """The document with a replaced first roll in a step."""
    first, *others = step.answers
    return change(document, step.number, answers=(msgspec.structs.replace(first, **changes), *others))


@pytest.fixture
def ended(started: Encounter) -> Document:
    """The history of an ended fight with three rolls of the app, so its secret is published."""
    for _ in range(3):
        check(started.pk)
    submit(started.pk, END)
    return history(started.pk)


def test_seal_is_told_before_the_first_roll_but_not_the_secret(started: Encounter) -> None:
    check(started.pk)
    document, encounter = history(started.pk), load(started.pk)
    first = next(step for step in document.steps if any(a.number for a in step.answers))
    assert document.steps[0].number < first.number
    assert document.steps[0].seal == make_seal(encounter.dice_secret) == encounter.seals[-1]["seal"]
    assert encounter.dice_secret not in write_document(document).decode()
    assert judge(document).dice.sealed == 1


def test_every_roll_follows_from_the_secret_told_at_the_end(ended: Document) -> None:
    secret = ended.steps[-1].opened
    assert make_seal(secret) == ended.steps[0].seal
    assert [roll.number for roll in rolls_of(ended)] == [1, 2, 3]
    assert all(roll.faces == draw_faces(secret, roll.number, "", "2d10") for roll in rolls_of(ended))
    verdict = judge(ended)
    assert (verdict.ok, verdict.dice.proven, verdict.dice.sealed) == (True, 3, 0)


def test_next_fight_has_a_new_seal_and_goes_on_counting(started: Encounter, ended: Document) -> None:
    submit(started.pk, Submission("start"))
    check(started.pk)
    submit(started.pk, END)
    document = history(started.pk)
    assert document.steps[-1].opened not in ("", ended.steps[-1].opened)
    assert make_seal(document.steps[-1].opened) == ended.steps[-1].seal
    assert [roll.number for roll in rolls_of(document)] == [1, 2, 3, 4, 5, 6, 7]
    assert judge(document).dice.proven == 7


def test_undo_gives_no_roll_back(started: Encounter) -> None:
    check(started.pk)
    undo(started.pk)
    redo(started.pk)
    undo(started.pk)
    check(started.pk)
    submit(started.pk, END)
    assert [roll.number for roll in rolls_of(history(started.pk))] == [1, 2]
    assert judge(history(started.pk)).dice.proven == 2


def test_refused_action_uses_no_roll_up(started: Encounter) -> None:
    with pytest.raises(Refused):
        submit(started.pk, Submission("attack", {"actor": ZARA, "target": "f99", "weapon": PISTOL}))
    assert load(started.pk).rolled == 0


def test_roll_of_a_cancelled_action_stays_and_is_checked(started: Encounter) -> None:
    """The app has rolled, the action waits for another roll, and is cancelled."""
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(started.pk, Submission("attack", attack, typed=True))
    cancel(started.pk)
    check(started.pk)
    submit(started.pk, END)
    assert judge(history(started.pk)).ok


def test_words_of_the_players_change_the_dice(started: Encounter) -> None:
    submit(started.pk, Submission("give_word", {"actor": ZARA, "word": " Nia's  luck "}))
    check(started.pk)
    submit(started.pk, Submission("give_word", {"actor": PIRATE, "word": "Öl"}))
    check(started.pk)
    undo(started.pk)
    undo(started.pk)  # the pirate's word is gone, the number is not
    check(started.pk)
    submit(started.pk, END)
    document = history(started.pk)
    secret, words = document.steps[-1].opened, ("Nia's luck", "Nia's luck,Öl", "Nia's luck")
    drawn = [draw_faces(secret, n, text, "2d10") for n, text in enumerate(words, 1)]
    assert [roll.faces for roll in rolls_of(document)] == drawn
    assert judge(document).dice.proven == 3


@pytest.mark.parametrize("word", ["a,b", "x" * 31, "a\u0007", ""])
def test_word_that_is_none_is_refused(started: Encounter, word: str) -> None:
    with pytest.raises(Refused):
        submit(started.pk, Submission("give_word", {"actor": ZARA, "word": word}))


def test_hidden_give_no_word(started: Encounter) -> None:
    submit(started.pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    with pytest.raises(Refused, match="public"):
        submit(started.pk, Submission("give_word", {"actor": PIRATE, "word": "x"}))


def test_secret_rolls_have_numbers_of_their_own(started: Encounter) -> None:
    """The pirate is hidden: its rolls leave no gap in the numbers that all see."""
    check(started.pk)
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    for _ in range(2):
        submit(started.pk, Submission("hazard_check", {"target": PIRATE, "approach": "detect"}))
    check(started.pk)
    submit(started.pk, END)
    rolls = [(roll.series, roll.number) for roll in rolls_of(history(started.pk))]
    assert rolls == [("", 1), (PIRATE, 1), (PIRATE, 2), ("", 2)]
    assert judge(history(started.pk)).dice.proven == 4


def test_roll_at_a_hidden_target_is_a_secret_one(started: Encounter) -> None:
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    shot = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(started.pk, Submission("attack", shot))
    check(started.pk)
    (first, *_), last = rolls_of(history(started.pk)), rolls_of(history(started.pk))[-1]
    assert (first.series, first.number) == (PIRATE, 1)
    assert (last.series, last.number) == ("", 1)


def test_gm_gives_no_word_for_the_dice(started: Encounter) -> None:
    """They may know the secret, and could try words until one gives good dice."""
    word = {"actor": PIRATE, "word": "x"}
    with pytest.raises(Refused, match="Only a player gives a word"):
        submit(started.pk, Submission("give_word", word, grant=Grant(owner=started.owner_id)))


# ---- After a restore ----


def test_restored_fight_goes_on_with_new_dice(started: Encounter) -> None:
    """A copy of the data tells nothing of future rolls, and the log publishes the new seal."""
    check(started.pk)
    before = load(started.pk)
    renew_all_dice()
    after = load(started.pk)
    assert after.dice_secret not in ("", before.dice_secret)
    assert after.seals[-1] == {"step": before.steps + 1, "seal": make_seal(after.dice_secret), "opened": ""}
    check(started.pk)
    second = rolls_of(history(started.pk))[-1]
    assert second.number == 2
    assert second.faces == draw_faces(after.dice_secret, 2, "", "2d10")
    submit(started.pk, END)
    dice = judge(history(started.pk)).dice
    assert (dice.proven, dice.abandoned, dice.sealed) == (1, 1, 0)


def test_restore_cancels_what_waits_and_keeps_its_dice(started: Encounter) -> None:
    submit(started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, typed=True))
    renew_all_dice()
    assert [step.kind for step in history(started.pk).steps[-2:]] == ["cancel", "seal"]
    check(started.pk)
    assert judge(history(started.pk)).ok


@pytest.mark.parametrize("act", [check, autoplay])
def test_fight_that_lost_its_secret_seals_new_dice_before_acting(
    started: Encounter, act: Callable[[int], object]
) -> None:
    check(started.pk)
    Encounter.objects.update(dice_secret="")
    known = load(started.pk).steps
    act(started.pk)
    assert [step.kind for step in history(started.pk).steps[known:]][:2] == ["seal", "command"]
    assert judge(history(started.pk)).ok


# ---- Tampered files ----


def rolled(document: Document, nth: int) -> Step:
    """The step of the nth roll of the app."""
    return [step for step in document.steps if any(a.number for a in step.answers)][nth - 1]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"faces": (1, 1)}, "roll 2 shows other faces than its secret gives"),
        ({"source": "table"}, "a roll that is not the app's has a number"),
        (
            {"number": 0, "dice": ""},
            "a roll is missing or out of order: roll 2 should follow, not a roll without a number",
        ),
        ({"number": 7}, "a roll is missing or out of order: roll 2 should follow, not 7"),
        ({"dice": "1d10"}, "roll 2 shows other faces"),
        ({"dice": "pig"}, "roll 2 shows other faces"),
        ({"words": "luck"}, "roll 2 was made with other words"),
    ],
)
def test_roll_that_lies_about_itself_is_found(ended: Document, changes: dict[str, Any], problem: str) -> None:
    step = rolled(ended, 2)
    assert step.answers[0].faces != (1, 1)
    verdict = judge(change_roll(ended, step, **changes))
    assert verdict.failed == step.number
    assert problem in verdict.message


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"opened": "f" * 64}, "opens a secret that is not the sealed one"),
        # without the secret no one could tell whether faces were changed
        ({"opened": "", "seal": ""}, "ends the fight and does not open the secret of its dice"),
    ],
)
def test_end_with_another_secret_or_none_is_found(
    ended: Document, changes: dict[str, str], problem: str
) -> None:
    last = ended.steps[-1].number
    verdict = judge(change(ended, last, **changes))
    assert (verdict.failed, verdict.message) == (last, problem)


def test_roll_that_calls_itself_typed_leaves_a_gap(ended: Document) -> None:
    second, third = rolled(ended, 2), rolled(ended, 3)
    verdict = judge(change_roll(ended, second, source="table", number=0, dice=""))
    assert second.number <= verdict.failed <= third.number


def test_seal_that_comes_later_or_never_is_found(ended: Document) -> None:
    assert judge(change(ended, 1, seal="")).failed == rolled(ended, 1).number
    assert judge(change(ended, 5, seal="e" * 64)).failed == 5
    assert judge(change(ended, ended.steps[-1].number, seal="")).failed == ended.steps[-1].number


# ---- Rolls made for the GM ----


def test_fight_that_plays_itself_is_sealed_too(started: Encounter) -> None:
    for _ in range(6):
        if state_of(started.pk).active:  # the fight may be over sooner
            autoplay(started.pk)
    if state_of(started.pk).phase == "fight":
        submit(started.pk, END)
    document = history(started.pk)
    assert len(rolls_of(document)) > 2
    assert judge(document).dice.proven == len(rolls_of(document))
