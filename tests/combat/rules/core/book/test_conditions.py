"""The conditions of a game, read from its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.book.conditions import ConditionKind, Conditions, load_conditions
from combat.rules.core.state.state import Combatant, Condition

WORDS = """
bound = ["held"]
quiet = ["moved"]

[takes]
held = ["move"]

[condition]
held = { label = "Held", ends = "breaking free", rule = "TINY-STR-01" }
moved = { label = "On the move", ends = "the end of the turn", until = "end", rule = "TINY-MOVE-01" }

[text]
held = "No movement."
moved = "No aimed shot."
"""


def load(folder: Path, words: str = WORDS) -> Conditions:
    path = folder / "conditions.toml"
    path.write_text(words, encoding="utf-8")
    return load_conditions(path)


def test_a_condition_has_all_its_words_from_the_file(tmp_path: Path) -> None:
    assert load(tmp_path) == {
        "held": ConditionKind(
            "held", "Held", "No movement.", "breaking free", "TINY-STR-01", bound=True, takes=("move",)
        ),
        "moved": ConditionKind(
            "moved",
            "On the move",
            "No aimed shot.",
            "the end of the turn",
            "TINY-MOVE-01",
            for_gm=False,
            until="end",
        ),
    }


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('moved = "No aimed shot."', "", "moved"),
        ('bound = ["held"]', 'bound = ["heed"]', "heed"),
        ('held = ["move"]', 'hold = ["move"]', "hold"),
        (', rule = "TINY-MOVE-01"', "", r"conditions\.toml: condition\.moved: .*rule"),
        (
            'until = "end"',
            'until = "later"',
            r"condition\.moved: .*until`; it is one of end, next end, start",
        ),
        ('quiet = ["moved"]', 'hushed = ["moved"]', "hushed"),
        ('until = "end"', 'suspends = ["hold"]', "hold"),
        ('until = "end"', "terms = { attack = { value = -1 } }", "rule"),
    ],
)
def test_a_file_with_a_slip_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        load(tmp_path, WORDS.replace(old, new))


EFFECTS = """
[condition.hurt]
label = "Hurt"
ends = "rest"
rule = "TINY-1"
ended_by = ["rest", "surgery"]
tags = ["wound"]

[condition.hurt.terms]
actions = { value = -2, rule = "TINY-2", label = "term.hurt" }
attack = { value = -1, rule = "TINY-3" }

[condition.scared]
label = "Scared"
ends = "courage"
rule = "TINY-4"
ended_by = ["rest"]
terms = { actions = { value = -3, rule = "TINY-5", label = "term.fear" } }
bars = { charge = "{who} is too scared of {whom}." }

[condition.held]
label = "Held"
ends = "breaking free"
rule = "TINY-6"
loses = { movement = "TINY-7" }
bars = { charge = "{who} is held." }
terms = { night = { value = -1, rule = "TINY-8", when = "dark" } }

[condition.brave]
label = "Brave"
ends = "the end of the turn"
rule = "TINY-9"
suspends = ["scared"]

[text]
hurt = ""
scared = ""
held = ""
brave = ""
"""


def with_conditions(*kinds: str) -> Combatant:
    held = tuple(Condition(f"k{n}", kind, f"condition.{kind}") for n, kind in enumerate(kinds, 1))
    return Combatant("ada", "Ada", "crew", {}, conditions=held)


HURT = Modifier("term.hurt", -2, "TINY-2")
SCARED = Modifier("term.fear", -3, "TINY-5")


def test_each_condition_changes_a_number_in_the_order_they_began(tmp_path: Path) -> None:
    kinds = load(tmp_path, EFFECTS)
    assert kinds.terms(with_conditions("scared", "hurt", "own", "hurt"), "actions") == [SCARED, HURT, HURT]
    assert kinds.terms(with_conditions("hurt"), "attack") == [Modifier("condition.hurt", -1, "TINY-3")]
    assert kinds.terms(with_conditions("held", "own"), "actions") == []


def test_each_kind_counts_once_in_the_order_of_the_table(tmp_path: Path) -> None:
    kinds, ada = load(tmp_path, EFFECTS), with_conditions("scared", "hurt", "hurt", "held")
    assert kinds.causes(ada, "actions") == [HURT, SCARED]
    assert kinds.causes(ada, "night", counts=lambda when: when != "dark") == []
    assert kinds.causes(ada, "night", counts=lambda when: when == "dark") == [
        Modifier("condition.held", -1, "TINY-8")
    ]


def test_a_suspended_condition_does_nothing(tmp_path: Path) -> None:
    kinds, ada = load(tmp_path, EFFECTS), with_conditions("scared", "hurt", "brave")
    assert kinds.terms(ada, "actions") == [HURT]
    assert kinds.find_bar(ada, "charge", whom="Bo") == ""


def test_a_condition_takes_something_and_bars_something(tmp_path: Path) -> None:
    kinds, ada = load(tmp_path, EFFECTS), with_conditions("hurt", "held")
    assert kinds.find_loss(ada, "movement") == (ada.conditions[1], "TINY-7")
    assert [kinds.loses(ada, "movement"), kinds.loses(ada, "sight")] == [True, False]
    kinds.check(ada, "sprint")
    with pytest.raises(Refused, match="Ada is held"):
        kinds.check(ada, "charge")
    both = with_conditions("held", "scared")
    assert kinds.find_bar(both, "charge", whom="Bo") == "Ada is too scared of Bo."


def test_kinds_are_found_by_what_ends_them_and_by_what_they_are(tmp_path: Path) -> None:
    kinds = load(tmp_path, EFFECTS)
    assert [kinds.ended_by("rest"), kinds.ended_by("surgery")] == [("hurt", "scared"), ("hurt",)]
    assert [kinds.tagged("wound"), kinds.tagged("hold")] == [("hurt",), ()]
