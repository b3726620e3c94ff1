"""Steps of the log as drawings: filled in, they equal those drawn whole, and few are drawn."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from combat.display.drawings import MAX_KEPT, Drawings
from combat.display.log import step_drawing
from combat.display.log.step_drawing import MOST_DICE, OTHERS, SUMS, TEMPLATE, WORDS, draw_step, draw_sums
from combat.display.shapes.table_shapes import LogStep
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.state.events import GM_ONLY
from combat.rules.core.wording import Line
from tests.combat.rules import MADE_UP

WORDS_OF_PLAYERS = "Zara & <i>'the' \"cat\"</i> hits"
PLAIN = Line(WORDS_OF_PLAYERS, "X-ROUND-01", look="wait", who="f1")
NAMES = [f"Pirate {number}" for number in range(12)]
LINES = (
    PLAIN,
    Line("Round 2", kind="round"),
    Line("Hm.", to=GM_ONLY),
    replace(PLAIN, mend="condition", rule="", to="f1,f2"),
    replace(PLAIN, mend="mend", track="hp", points=-3, look=""),
)


@pytest.fixture(autouse=True)
def drawings(monkeypatch: pytest.MonkeyPatch) -> Drawings:
    fresh = Drawings(MAX_KEPT)
    monkeypatch.setattr(step_drawing, "DRAWINGS", fresh)
    return fresh


def draw_whole(step: LogStep, *, is_gm: bool) -> str:
    """A step with all its values given to the template."""
    table = {"id": 7, "slug": MADE_UP, "viewer": {"is_gm": is_gm}}
    given: dict[str, Any] = {"slug": MADE_UP, "table": table, "step": step, **OTHERS}
    return Drawings(MAX_KEPT).make(TEMPLATE, given).html


def make_step(*lines: Line, kind: str = "command", struck: bool = False) -> LogStep:
    return LogStep("12", kind, lines, struck, "Ada", "Attack", 3, "hit")


@pytest.mark.parametrize("kind", ["command", "cancel", "undo"])
def test_step_that_is_filled_in_equals_one_drawn_whole(kind: str) -> None:
    for one, other, struck, is_gm in product(LINES, LINES, (False, True), (False, True)):
        step = make_step(one, other, kind=kind, struck=struck)
        for seen in (step, replace(step, number="a1b2", look="", lines=(other,)), replace(step, lines=())):
            assert draw_step(seen, 7, MADE_UP, is_gm=is_gm).html == draw_whole(seen, is_gm=is_gm)


def test_steps_that_only_differ_in_words_are_drawn_once_and_have_tags_of_their_own(
    drawings: Drawings,
) -> None:
    turns = [make_step(Line(f"{name}'s turn.", look="wait", who=name)) for name in NAMES]
    steps = [replace(step, number=str(n), by=str(n), round=n) for n, step in enumerate(turns)]
    drawn = [draw_step(step, 7, MADE_UP, is_gm=True) for step in (*turns, *steps)]
    assert drawings.drawn == 1
    assert len({one.tag for one in drawn}) == len({one.html for one in drawn}) == len(drawn) > 10


def test_words_that_look_like_a_mark_stay_words() -> None:
    step = make_step(Line("line 2"), Line("step"))
    assert draw_step(step, 7, MADE_UP, is_gm=False).html == draw_whole(step, is_gm=False)


@pytest.mark.parametrize("more", [Line("Hit.", roll=Roll("2d6", (3, 4), 7, "app", "f1", "", "")), PLAIN])
def test_dice_and_long_steps_are_drawn_whole(more: Line) -> None:
    step = make_step(*LINES, *[more] * len(WORDS))
    assert draw_step(step, 7, MADE_UP, is_gm=True).html == draw_whole(step, is_gm=True)


def make_sum(*faces: int, total: int | None = None, source: str = "app") -> Line:
    """The line of a roll with two terms."""
    roll = Roll(f"{len(faces)}d6", faces, sum(faces), source, "f1", "", "")
    terms = (Modifier("Skill & <luck>", 2, "X-ROUND-01"), Modifier("Wound", -3, ""))
    return Line("Hit.", roll=roll, terms=terms, total=total, sum_label="effect")


@pytest.mark.parametrize(
    "line",
    [
        make_sum(3, 4, total=6),
        make_sum(3, 4, total=-2),
        make_sum(3, 4),
        make_sum(6, source="table", total=5),
        make_sum(*[2] * (MOST_DICE + 1), total=17),
        replace(
            make_sum(1, 2, total=2), against=8, against_label="target", against_terms=(Modifier("x", 8, ""),)
        ),
        replace(make_sum(1, total=1), roll=None),
        Line("Hit.", against=0, against_label="zero"),
    ],
)
def test_sums_that_are_filled_in_equal_those_drawn_whole(line: Line) -> None:
    whole = Drawings(MAX_KEPT).make(SUMS, {"line": line, "slug": MADE_UP}).html
    assert draw_sums(line, MADE_UP) == whole


def test_sums_of_the_same_terms_are_drawn_once(drawings: Drawings) -> None:
    drawn = {draw_sums(make_sum(face, 2, total=face + 1), MADE_UP) for face in range(1, 7)}
    assert (drawings.drawn, len(drawn)) == (1, 6)
