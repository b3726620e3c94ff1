"""An NPC from one line of text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.cepheus.characters.one_line_npc import EXAMPLE, read_line
from combat.rules.cepheus.characters.sheet import check_sheet, find_blocks, make_combatant
from combat.rules.core.basics.errors import Refused


def read(line: str) -> dict[str, Any]:
    """The sheet of a line, free of errors and able to fight."""
    written = read_line(line)
    check_sheet(written.sheet)
    make_combatant("f1", written.name, "enemies", written.sheet, {})
    return written.sheet


def things(line: str) -> dict[str, tuple[str, int]]:
    return {
        item["entry"]: (item.get("place", "carried"), item.get("count", 1)) for item in read(line)["items"]
    }


def test_example_is_a_guard_with_rifle_and_cloth() -> None:
    sheet = read(EXAMPLE)
    assert sheet["name"] == "Guard"
    assert sheet["attributes"] == {"str": 8, "dex": 6, "end": 8, "int": 7, "edu": 7, "soc": 4}
    assert sheet["skills"] == {"slug_rifle": 1, "natural_weapons": 0}
    assert things(EXAMPLE) == {"rifle": ("held", 1), "cloth": ("worn", 1)}


@pytest.mark.parametrize(
    ("line", "skills"),
    [
        ("A 777777 Pilot-2, Vacc Suit-1", {"piloting": 2, "zero_g": 1}),
        ("A 777777 Gun Combat-2 laser pistol", {"energy_pistol": 2}),
        ("A 777777 Melee-1 cutlass", {"slashing_weapons": 1}),
        ("A 777777 Melee-1 rifle", {"natural_weapons": 1}),
        ("A 777777 Gun Combat-1 rifle, laser pistol", {"slug_rifle": 1}),
        ("A 777777 Gun Combat-1 laser pistol, rifle", {"energy_pistol": 1}),
        ("A 777777 Gun Combat-1 Slug Rifle-3 rifle", {"slug_rifle": 3}),
        ("A 777777 Slug Rifle-3 Gun Combat-1 rifle", {"slug_rifle": 3}),
        ("A 777777 Zero-G-1 Jack-of-all-Trades-2", {"zero_g": 1, "jack_of_all_trades": 2}),
        ("A 777777 recon 1, MEDIC-0", {"recon": 1, "medicine": 0}),
        ("A 777777", {}),
    ],
)
def test_skills_with_levels_and_cascades_by_the_weapons_in_hand(line: str, skills: dict[str, int]) -> None:
    """RULING R55"""
    assert read(line)["skills"] == skills


@pytest.mark.parametrize("written", ["Zero-G 0", "Zero-G-0", "Zero‑G 0", "zero g-0", "Zero-G  0,"])
def test_hyphen_in_the_name_of_a_skill_is_no_level(written: str) -> None:
    assert read(f"A 777777 {written}")["skills"] == {"zero_g": 0}


def test_things_have_numbers_places_and_everyday_names() -> None:
    line = "Z 777777 snub pistol, vacc suit, reflec, 2 frag grenades, 3x medicinal drugs, jack armor"
    assert things(line) == {
        "snub_pistol": ("held", 1),
        "vacc_suit": ("worn", 1),
        "reflec": ("worn", 1),
        "grenade_frag": ("carried", 2),
        "medicinal_drugs": ("carried", 3),
        "jack": ("carried", 1),
    }
    assert things("Z 777777 smg, telescopic sights") == {
        "submachinegun": ("held", 1),
        "telescopic_sights": ("worn", 1),
    }


@pytest.mark.parametrize(
    "line",
    [
        "guard 868774 gun combat-1 MELEE-0 Rifle, CLOTH",
        "Guard 868774 Gun Combat–1 Melee—0 rifle, cloth",
        "Guard 868774 Gun Combat−1, Melee 0; rifle; cloth.",
        "Guard 868774 Gun Combat 1 Melee 0 rifle cloth",
        "Guard 868774 Gun Combat-1 Melee-0 rifle and cloth armour",
        "Guard UPP 868774 Gun Combat-1 Melee-0 rifle (held), cloth (worn)",
        "Guard UPP: 868774 Gun Combat (Slug Rifle) 1 Melee-0 rifle with cloth",
        "Guard 868774 (Gun Combat 1, Melee 0) rifle, cloth",
    ],
)
def test_line_is_read_as_people_type_it(line: str) -> None:
    """RULING R55: dashes, capitals, commas and the other spelling of armor make no difference."""
    assert read_line(line.replace("guard", "Guard")) == read_line(EXAMPLE)


def test_things_without_commas_are_told_apart_by_longest_names() -> None:
    sheet = read_line("Ann 777777 2 frag grenades laser rifle combat armor Cr500").sheet
    assert [(item["entry"], item.get("count", 1)) for item in sheet["items"]] == [
        ("grenade_frag", 2),
        ("laser_rifle", 1),
        ("combat_armor", 1),
    ]
    assert sheet["credits"] == 500


def test_money_and_a_name_of_letters_that_are_digits() -> None:
    sheet = read("Facade Abe 79899A Cr1,500, Cr 20")
    assert (sheet["name"], sheet["credits"], sheet["attributes"]["soc"]) == ("Facade Abe", 1520, 10)


def test_seventh_digit_is_psionic_strength() -> None:
    assert read("A 777777B")["attributes"]["psi"] == 11


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "No profile"),
        ("Guard", "No profile"),
        ("Guard with a rifle", "No profile"),
        ("868774 rifle", "A name"),
        (f"{'x' * 61} 777777", "A name"),
        ("Guard 86877I rifle", "“I” is no digit"),
        ("Guard 8687 rifle", "6 digits"),
        ("Guard 777777 Gum Combat-1", "no skill “Gum Combat”: perhaps Gun Combat"),
        ("Guard 777777 Recon-12", "a level is 0 to 9"),
        ("Guard 777777 riffle", "no “riffle” in the catalogue: perhaps Rifle"),
        ("Guard 777777 0 rifle", "1 to 99"),
        ("Guard 777777 Gun Combat rifle", "If the skill is meant, write its level after it: Gun Combat-1"),
        ("Guard 777777 Slug Rifle-x", "write its level after it: Slug Rifle-1"),
        ("Guard Gun Combat-1 777777", "“Gun Combat-1” comes after the profile"),
        ("Guard 777777 rifle Melee-0", "no skill “rifle Melee”"),
        ("Guard 777777 Cr9,999,999,999", "At most"),
        ("Guard 777777 Gun Combat-2", "which skill.* such as Archery-2 or Slug Rifle-2"),
        ("Guard 777777 Drive-1 rifle", "which skill.* such as Wheeled Vehicle-1 or Mole-1"),
        (f"Guard 777777 {'rifle ' * 80}", "at most 400 characters"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(line: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        read_line(line)


WORDS = st.sampled_from(
    [
        "Guard",
        "777777",
        "86877I",
        "Gun Combat-1",
        "rifle",
        ",",
        "2",
        "Cr5",
        "-",
        "x",
        "\u0663",
        "²",
        "Melee",
        "777777A",
    ]
)


@given(st.lists(WORDS, max_size=9).map(" ".join) | st.text(max_size=60))
def test_any_line_is_read_or_refused(line: str) -> None:
    with suppress(Refused):
        read(line)


def test_library_can_be_written_down_in_lines() -> None:
    """Every NPC of the library that a line can express gets the same scores and skills."""
    for block in find_blocks().values():
        sheet = block.sheet
        if sheet["kind"] != "person":
            continue
        skills = " ".join(f"{key.replace('_', ' ')}-{level}" for key, level in sheet["skills"].items())
        profile = block.summary.partition(";")[0]
        read_back = read(f"{block.name} {profile} {skills}")
        assert read_back["attributes"] == sheet["attributes"]
        assert read_back["skills"] == sheet["skills"]
