"""People in pasted text: three forms of blocks, and one line each; errors name their line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.games import find_problems
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.characters.foreign import READERS
from combat.rules.core.sheets.foreign import Foreign, Reader

TEXTS = READERS[2:5]
TABLED, LISTED, LINES = TEXTS

NUMBERED = """\
12. Baroness Ilse Marek (Female Human) 9A7B6H-5 Age 42
Navy (4), Scout (1)   Cr25,000
Admin-1, Gun Combat-0, Zero-G-2, Jack o' Trades-1, Wizardry-3,
Blade, Ship Shares x 2, 2 Frag Grenade
Character Event Log:
Was born on a station, Cr5 in hand.
Won a duel-1.
13. Orrin Tal (Male Saurian) 777J77 Age 20
None (0) Cr-500
Notable Dexterity, Small
Medic-1
"""
UNNUMBERED = """\
Sir Tobin Reyes 5678A9 Age 38
Homeworld: Low Anchor
Rogue (3) Cr9000

Rifle x 1, Binoculars x 2

Streetwise-2, Melee Combat 1, Carouse 0
"""
TABS = (
    "Dr. Jun Sato permalink\n"
    "Species\tAge\tGender\tStr\tDex\tEnd\tInt\tEdu\tSoc\n"
    "Human\t34\tFemale\t7 (+0)\t8 (+0)\t5 (−1)\t12 (+2)\t9 (+1)\t3 (-1)\n"
    "A tall woman with a limp.\n"
    "Skills\n"
    "Admin 1\n"
    "Gun Combat (Energy Pistol) 2\n"
    "Jack-of-all-Trades 0\n"
    "Career\tTerms\tRank\n"
    "Scout\t3\t2\n"
    "History\n"
    "Term\tAge\tEvent\n"
    "1\t22\tTook a long trip\n"
)
SEVENS = "\t".join(["7 (+0)"] * 6)
FAULTY_LIST = """\
Some heading
 (Male Human) 777777 Age 20
Navy (1) Cr9999999999
Admin-12, Wizardry-1, Pilot-1
Blade x 500
"""
FAULTY_TABS = (
    "Ann permalink\nAge\tStr\n20\t7 (+0)\t8 (+0)\n"
    "Bo permalink\n50 (+9)\t1 (+0)\t1 (+0)\t1 (+0)\t1 (+0)\t1 (+0)\t4 (+0)\n"
)


def read(reader: Reader, text: str) -> list[Foreign]:
    assert reader.recognizes(text)
    found = list(reader.read(text, {}))
    for one in found:
        assert not one.problems, one.problems
        assert find_problems(SYSTEM, one.sheet) == ()
    return found


def told(found: Foreign) -> set[str]:
    return {str(remark) for remark in found.remarks}


def names_of(sheet: dict[str, Any]) -> dict[str, int]:
    return {item["entry"]: item.get("count", 1) for item in sheet["items"]}


def test_numbered_list_has_everyone_and_notes_what_is_not_mapped() -> None:
    ilse, orrin = read(LISTED, NUMBERED)
    assert ilse.name == "Baroness Ilse Marek"
    assert ilse.sheet["attributes"] == {
        "str": 9,
        "dex": 10,
        "end": 7,
        "int": 11,
        "edu": 6,
        "soc": 17,
        "psi": 5,
    }
    assert ilse.sheet["credits"] == 25_000
    assert ilse.sheet["skills"] == {"admin": 1, "zero_g": 2, "jack_of_all_trades": 1}
    assert names_of(ilse.sheet) == {"blade": 1, "grenade_frag": 2}
    assert (orrin.name, orrin.sheet["attributes"]["int"], orrin.sheet["credits"]) == ("Orrin Tal", 18, 0)
    assert orrin.sheet["skills"] == {"medicine": 1}
    assert ilse.notes.splitlines() == [
        "Age: 42",
        "Female Human",
        "Navy (4), Scout (1)",
        "Blade, Ship Shares x 2, 2 Frag Grenade",
        "Character Event Log:",
        "Was born on a station, Cr5 in hand.",
        "Won a duel-1.",
    ]
    assert "Debt: Cr500" in orrin.notes
    assert "Notable Dexterity, Small" in orrin.notes
    assert told(ilse) == {
        "line 3: Jack o' Trades 1 is read as Jack-of-all-Trades",
        "line 3: Wizardry 3: there is no such skill here",
    }
    assert [question.text for question in ilse.questions] == ["Gun Combat 0: which skill?"]
    assert "line 9: Cr-500 is a debt: sheets have none" in told(orrin)


def test_unnumbered_block_has_benefits_by_number() -> None:
    (tobin,) = read(LISTED, UNNUMBERED)
    assert (tobin.name, tobin.sheet["credits"]) == ("Sir Tobin Reyes", 9000)
    assert names_of(tobin.sheet) == {"rifle": 1, "binoculars": 2}
    assert tobin.sheet["skills"] == {"streetwise": 2, "natural_weapons": 1, "carousing": 0}
    assert "Homeworld: Low Anchor" in tobin.notes


def test_tables_have_scores_skills_and_a_history() -> None:
    (jun,) = read(TABLED, TABS)
    assert jun.name == "Dr. Jun Sato"
    assert jun.sheet["attributes"] == {"str": 7, "dex": 8, "end": 5, "int": 12, "edu": 9, "soc": 3}
    assert jun.sheet["skills"] == {"admin": 1, "energy_pistol": 2, "jack_of_all_trades": 0}
    assert "Human, 34, Female" in jun.notes
    assert "1 | 22 | Took a long trip" in jun.notes


def test_lines_without_a_profile_are_told_once() -> None:
    good, *rest = LINES.read("Ann\nBob the great\nGuard 868774 rifle\n\nDora", {})
    assert good.name == "Guard"
    (told,) = [str(problem) for one in rest for problem in one.problems]
    assert told.startswith("lines 1, 2, 5: No profile: after the name come six digits, as in “Guard")


def test_further_lines_without_a_profile_are_counted() -> None:
    (only,) = LINES.read("\n".join(f"Nobody number {n}" for n in range(14)), {})
    assert str(only.problems[0]).startswith("lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4 more: No profile")


def test_unknown_names_in_lines_are_told_and_keep_nobody_out() -> None:
    one, other = LINES.read("Guard 868774 Basketry-1 Recon-1 rifle, lute\nThug 777777 cudgel", {})
    assert (one.sheet["skills"], [item["entry"] for item in one.sheet["items"]]) == ({"recon": 1}, ["rifle"])
    said = [str(remark) for remark in one.remarks]
    assert said[0].startswith("Basketry 1: left out. There is no skill “Basketry”")
    assert said[1].startswith("lute: left out. There is no “lute” in the catalogue")
    assert (one.problems, other.problems, other.remarks) == ((), (), ())


def test_lines_are_read_each_for_itself() -> None:
    good, bad = LINES.read("Guard 868774 Gun Combat-1 rifle\n\nBad 86877 rifle", {})
    assert (good.name, good.problems) == ("Guard", ())
    assert str(bad.problems[0]).startswith("line 3: “86877” is no profile")


def test_list_with_every_fault_tells_each_by_its_line() -> None:
    (found,) = LISTED.read(FAULTY_LIST, {})
    assert {str(problem) for problem in found.problems} == {
        "line 2: a name of 1 to 60 characters comes first",
        "line 3: at most Cr1,000,000,000",
    }
    assert told(found) == {
        "line 1: “Some heading” stands before the first person: left out",
        "line 4: Admin 12: a level is 0 to 9",
        "line 4: Wizardry 1: there is no such skill here",
        "line 4: Pilot 1 is read as Piloting",
        "line 5: “Blade x 500”: of one item 1 to 99",
    }


def test_skills_and_money_on_a_line_without_commas_are_read() -> None:
    (jane,) = LISTED.read("Jane 687B9C-4 Age 30\nPilot-2 Admin-0 Cr5,000 Blade", {})
    assert jane.sheet["attributes"]["psi"] == 4
    assert jane.sheet["skills"] == {"piloting": 2, "admin": 0}
    assert jane.sheet["credits"] == 5000
    assert [item["entry"] for item in jane.sheet["items"]] == ["blade"]


def test_tables_with_every_fault_tell_each_by_its_line() -> None:
    ann, bo = TABLED.read(FAULTY_TABS, {})
    assert [str(p) for p in ann.problems] == [
        "line 1: no row of six scores with tabs between them, such as 7 (+0), comes after the name"
    ]
    assert (bo.problems, bo.sheet["attributes"]["str"]) == ((), 50)
    assert "line 5: 4 (+0) stands behind the six scores: left out" in told(bo)
    assert "line 4: no skills were found: they stand in lines after the word Skills" in told(bo)


@pytest.mark.parametrize(
    ("reader", "one"),
    [
        (LISTED, "Ann 777777 Age 20\nAdmin-1\n"),
        (TABLED, f"Ann permalink\n{SEVENS}\nSkills\nAdmin 1\n"),
        (LINES, "Ann 777777 Admin-1\n"),
    ],
    ids=["list", "tables", "lines"],
)
def test_fifty_people_are_read_and_the_next_is_refused(reader: Reader, one: str) -> None:
    fifty = reader.read(one * 50, {})
    assert [found.name for found in fifty if not found.problems] == ["Ann"] * 50
    *first, rest = reader.read(one * 51, {})
    assert tuple(first) == fifty
    assert str(rest.problems[0]) == "the text: has 51 people; at most 50 are read at once"


@pytest.mark.parametrize("reader", TEXTS, ids=lambda reader: reader.key)
def test_other_text_is_not_taken_for_pasted_people(reader: Reader) -> None:
    assert not reader.recognizes("Just a letter.\nAge is a number, said Ann.")
    assert not reader.recognizes({"name": "Ann"})


WORDS = "Age 42|777777|9A7B6H-5|Admin-1|Cr|Cr-5|permalink|\t7 (+0)\t7 (+0)|Skills|(|)|\n|,|x 2"
PIECES = WORDS.split("|")


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=25).map(" ".join))
def test_any_text_is_read_or_told(text: str) -> None:
    for reader in TEXTS:
        if reader.recognizes(text):
            for found in reader.read(text, {}):
                assert found.problems or find_problems(SYSTEM, found.sheet) == () or "\x00" in text


@given(
    st.lists(
        st.sampled_from(["Admin", "Zero-G", "Jack-of-all-Trades", "Slug Rifle", "Comms"]),
        unique=True,
        min_size=1,
    ),
    st.lists(st.integers(0, 33), min_size=6, max_size=6),
    st.integers(0, 9),
)
def test_a_block_says_what_was_written(skills: list[str], scores: list[int], level: int) -> None:
    upp = "".join("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"[score] for score in scores)
    text = f"Ann {upp} Age 30\n{', '.join(f'{skill}-{level}' for skill in skills)}"
    (found,) = LISTED.read(text, {})
    assert list(found.sheet["attributes"].values()) == scores
    assert set(found.sheet["skills"].values()) == {level}
    assert len(found.sheet["skills"]) == len(skills)
