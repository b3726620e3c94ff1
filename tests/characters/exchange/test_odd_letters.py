"""Every reader of words takes odd letters: Turkish i, long s, the sign of kelvin, wide digits, joiners."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from random import Random

import pytest

from characters.exchange import previews
from characters.exchange.reading import ValidationFailed
from combat.play.campaigns.random_tables import read_table
from combat.play.notes.glossary import Glossary, make_glossary
from combat.play.notes.notes import read_notes
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Scene, Zone
from combat.rules.core.state.state import replace

TIMES = 60  # texts of each kind
ODD = {
    "i": "\u0131\u0130\u2170",
    "I": "\u0130\u0131",
    "s": "\u017f\uff53",
    "k": "\u212a",
    "K": "\u212a",
    "a": "\uff41",
    " ": "\u00a0\u2009\u3000",
    "-": "\u2010\u2212\u2013",
    ":": "\uff1a",
    ",": "\uff0c",
} | {str(n): chr(0xFF10 + n) + chr(0x0660 + n) + chr(0x1D7CE + n) for n in range(10)}
UNSEEN = ("\u200b", "\u200d", "\u200c", "\u00ad", "\ufeff", "\u2060", "\u202e")
NOTES = (
    "6 pirates with snub pistol, 1 captain in the Docking bay; 2 marines (allies), arriving in round 2",
    "Captain Kirsi Ilves - pirate captain, six thugs on the players' side, hidden (round 3)",
    "Backup: 2 marines in six rounds, skilled\n| Pirate | 6 | cutlass |\nKilik 868774 Slug Pistol-1",
    "half a dozen pirates, six with knives; 2d6 thugs in the silk hall",
)
SHEETS = (
    "Kirsi\nGame: cepheus\nSkills: Pilot 2; Admin 1\nWeapons: pistol\nArmor: cloth\nGear: kit",
    "Kirsi\nGame: cosmos\nAttributes: Might 2\nWeapons: knife\nEquipment: medkit",
    "Name,Game,Skills,Weapons,Gear,Count\nKirsi,cepheus,Pilot 2,knife,kit,2\nIsik,starshock,,rifle,kit,1",
    "Kirsi 868774 Age 42\nAdmin-1, Slug Pistol-0\nauto pistol, cloth, silk",
)
TABLE = "2-5 nobody\n6 six thugs in the silk hall\n7-12 1 captain, 2 guards"


@cache
def glossary(slug: str) -> Glossary:
    system = find_system(slug)
    zones = (Zone("z1", "Silk hall", 0, 0, 5, 5), Zone("z2", "Docking bay", 5, 0, 5, 5))
    return make_glossary(system, replace(system.begin(), scene=Scene("Here", zones)), "allies")


def bend(text: str, dice: Random, share: float) -> str:
    """The text with odd letters for some, and now and then a sign that nobody sees."""
    made = []
    for letter in text:
        is_odd = dice.random() < share
        made.append(dice.choice(ODD[letter]) if is_odd and letter in ODD else letter)
        made.append(dice.choice(UNSEEN) if dice.random() < share / 10 else "")
    return "".join(made)


def read_row(words: str) -> None:
    for row in read_table("Who comes", "2d6", words).rows:
        with suppress(Refused):
            read_notes(row.words, glossary("cepheus"))


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["cosmos", "cepheus", "cepheus_quick", "starshock", "guardians"])
def test_notes_with_odd_letters_are_read(slug: str) -> None:
    dice = Random(f"notes {slug}")
    for number in range(TIMES):
        read = read_notes(bend(dice.choice(NOTES), dice, number / TIMES), glossary(slug))
        for group in read.groups:
            assert 1 <= group.make_join(glossary(slug), "enemies", "", False)["count"] <= 20


@pytest.mark.parametrize(
    ("text", "read"),
    [
        *((text, partial(previews.preview, usual="cepheus", answers={})) for text in SHEETS),
        (TABLE, read_row),
    ],
)
def test_other_texts_with_odd_letters_are_read_or_refused(text: str, read: Callable[[str], object]) -> None:
    dice = Random(text)
    for number in range(TIMES):
        with suppress(Refused, ValidationFailed):
            read(bend(text, dice, number / TIMES))


def test_the_same_people_come_whatever_the_letters() -> None:
    """A fold loses nothing: letters that only look odd change nobody, and a name keeps its own."""
    plain = "6 pirates with snub pistol, 1 captain in the silk hall"
    odd = "\uff16 p\u0131rate\u017f with snub pi\u200b\u017ftol, \u0661 captain in the s\u0130l\u212a hall"
    said = [
        [(one.count, one.title, one.zone, [entry.name for entry, _ in one.things]) for one in read.groups]
        for read in (read_notes(text, glossary("cepheus")) for text in (plain, odd))
    ]
    assert said[0] == said[1]
    (named,) = read_notes("I\u015f\u0131l Y\u0131lmaz (pirate captain)", glossary("cepheus")).groups
    assert named.title == "I\u015f\u0131l Y\u0131lmaz"
