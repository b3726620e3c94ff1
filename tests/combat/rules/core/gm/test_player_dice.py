"""Free dice: anyone rolls what no rule asks for, and nothing follows from it."""

from __future__ import annotations

import pytest

from combat.rules.core.gm.player_dice import read_term
from combat.rules.core.state import events as e
from combat.rules.core.wording import describe_facts
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage


@pytest.mark.parametrize(
    ("term", "faces", "told"),
    [
        ("2d6+3", (4, 5), "2d6+3: 4 + 5 + 3 = 12."),
        ("3d4-2", (1, 1, 2), "3d4-2: 1 + 1 + 2 − 2 = 2."),
        ("1d6 − 1", (1,), "1d6-1: 1 − 1 = 0."),
        ("D100", (100,), "1d100: 100."),
        ("d7", (3,), "1d7: 3."),
        ("12d6", (2,) * 12, "12d6: 24."),
    ],
)
def test_everyone_reads_who_rolled_each_die_and_the_sum(
    duel: Stage, term: str, faces: tuple[int, ...], told: str
) -> None:
    before = duel.state
    duel.do("roll_dice", "f1", dice=[faces], term=term)
    assert read_log(duel) == [f"Ada rolls {told}"]
    duel.do("gm_roll", dice=[faces], term=term)
    assert read_log(duel) == [f"The GM rolls {told}"]
    assert duel.state == before


@pytest.mark.parametrize(
    "term", ["", " ", "5", "x", "0d6", "d0", "101d6", "d1001", "2d6-1d4", "0d6+1d4", "d" * 90]
)
def test_what_is_no_roll_is_refused_with_an_example(duel: Stage, term: str) -> None:
    for name, fields in (("roll_dice", {"actor": "f1"}), ("gm_roll", {})):
        refused = duel.refused(name, term=term, **fields)
        assert refused.code == "bad_value"
        assert (
            "write dice like 2d6+3, d100, 3d6kh2, 2d6+1d4 or d66, up to 100 dice of up to 1,000 sides"
            in refused.message
        )
    assert read_term("100d1000+5").parts[0].count == 100


def test_a_secret_roll_is_for_the_gm_alone(duel: Stage) -> None:
    (open_roll,) = duel.do("gm_roll", dice=[3], term="d6")
    (fact,) = duel.do("gm_roll", dice=[3], term="d6", secret=True)
    assert (open_roll.to, fact.to, fact.redacted) == (e.EVERYONE, e.GM_ONLY, None)
    (line,) = describe_facts(duel.system, duel.facts, {})
    assert (line.text, line.to) == ("The GM rolls 1d6 in secret: 3.", e.GM_ONLY)
    assert not read_log(duel)


def test_only_those_who_may_know_of_someone_hidden_see_them_roll(duel: Stage) -> None:
    duel.do("hide", target="f2")
    (fact,) = duel.do("roll_dice", dice=[3], actor="f2", term="d6")
    assert (fact.to, fact.redacted) == (e.for_seat("f2"), None)


def test_free_dice_need_no_turn_or_fight_but_someone_present(duel: Stage) -> None:
    for who in ("f1", "f2"):
        duel.do("roll_dice", dice=[3], actor=who, term="d6")
    duel.do("end_fight")
    duel.do("roll_dice", dice=[3], actor="f2", term="d6")
    duel.do("remove", target="f2")
    assert duel.refused("roll_dice", actor="f2", term="d6")
