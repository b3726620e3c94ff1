"""How words fit: in any order, beginnings first."""

from __future__ import annotations

from combat.pages.find.at_table import MOST, Hit, choose


def names(words: str, *offered: str) -> list[str]:
    """What is found among these names, the best first."""
    hits = [Hit(name, "/") for name in offered]
    return [hit.name for hit in choose("People", words.casefold().split(), hits).hits]


def test_words_fit_in_any_order_and_all_of_them_have_to() -> None:
    assert names("dock thug", "Dock Thug 2", "Thug at the dock", "Dock", "Thug") == [
        "Dock Thug 2",
        "Thug at the dock",
    ]
    assert names("thu DO", "Dock Thug 2", "Dock worker") == ["Dock Thug 2"]


def test_the_beginning_of_a_word_comes_before_its_inside() -> None:
    assert names("art", "Start", "Marta", "Heart artist") == ["Heart artist", "Start", "Marta"]


def test_words_beside_the_name_are_searched_too_and_come_later() -> None:
    hits = [Hit("Bay floor", "/", "Zara, Marcus"), Hit("Zara", "/"), Hit("Rule", "/", also="ZAR-01")]
    assert [hit.name for hit in choose("Places", ["zar"], hits).hits] == ["Zara", "Bay floor", "Rule"]


def test_signs_of_a_search_are_plain_text() -> None:
    assert names("(+2)", "Cover (+2)", "Cover 2") == ["Cover (+2)"]
    assert names(".*", "Zara") == []


def test_the_name_itself_comes_first() -> None:
    assert names("pistol", "Laser pistol", "Pistol case", "Pistol") == [
        "Pistol",
        "Laser pistol",
        "Pistol case",
    ]


def test_a_text_is_searched_and_shown_around_the_word() -> None:
    hit = Hit("Encounter", "/", "note", text=f"{'long ' * 40}before the pistol was sold")
    (found,) = choose("Notes", ["pistol"], [hit]).hits
    assert found.about.startswith("note: … long")
    assert found.about.endswith("the pistol was sold")


def test_a_few_are_shown_and_the_others_counted() -> None:
    kind = choose("People", ["thug"], [Hit(f"Thug {n}", "/") for n in range(30)])
    assert (len(kind.hits), kind.more) == (MOST, 30 - MOST)
    assert kind.hits[0].name == "Thug 0"
