"""The rulebook loader: the real book, and every error that a book can have."""

import re
from pathlib import Path

import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.book.citations import find_citations, find_cited
from combat.rules.core.book.rulebook import (
    Rulebook,
    find_code_folder,
    find_folders,
    find_rulebook_folders,
    load_rulebook,
    name_folder,
)

RULES = Path(__file__).parents[5] / "combat" / "rules"
BOOK = '[book]\ntitle = "Tiny"\nprefix = "TNY"\n'
RULE = """
[[rule]]
id = "TNY-HIT-01"
section = "Fighting"
text = "A six hits."
kind = "roll"
automation = "automated"
line = 3
rulings = ["R1"]
"""
RULING = """
[[ruling]]
id = "R1"
title = "What a six is"
says = "A six hits."
default = "The face six."
"""


def write_book(folder: Path, rules: str = BOOK + RULE, rulings: str = RULING) -> Path:
    (folder / "rulebook.toml").write_text(rules, encoding="utf-8")
    (folder / "rulings.toml").write_text(rulings, encoding="utf-8")
    return folder


@pytest.fixture
def cosmos() -> Rulebook:
    return load_rulebook(RULES / "cosmos")


@pytest.mark.parametrize("slug", ["cosmos", "starshock", "guardians"])
def test_rules_stand_in_order_and_every_ruling_says_why_and_is_leant_on(slug: str) -> None:
    book = load_rulebook(RULES / slug)
    lines = [rule.line for rule in book.rules.values()]
    assert lines == sorted(lines)
    for ruling in book.rulings.values():
        assert ruling.why, ruling.id
        assert book.rules_under(ruling.id), ruling.id


BRITISH = re.compile(
    r"\b\w*metres?\b|\bcentre|\bcentred|\barmour|\bcolour|\bdefence|\blicence", re.IGNORECASE
)


@pytest.mark.parametrize("folder", ["cepheus", "cosmos", "guardians", "starshock"])
def test_rulings_are_spelled_as_the_pages_are(folder: str) -> None:
    for ruling in load_rulebook(RULES / folder).rulings.values():
        for text in (ruling.title, ruling.says, ruling.default, ruling.why):
            assert not BRITISH.search(text), f"{ruling.id}: {text}"


def test_find_gives_the_rule(cosmos: Rulebook) -> None:
    rule = cosmos.find("COS-ATK-02")
    assert rule.text == "An attack hits when its total is at least the target's Defense."
    assert (rule.area, rule.kind, rule.line, rule.rulings) == ("ATK", "roll", 118, ("R3",))


def test_find_of_an_unknown_rule_names_the_book_and_what_is_near(cosmos: Rulebook) -> None:
    with pytest.raises(KeyError) as caught:
        cosmos.find("COS-ATK-77")
    message = str(caught.value)
    assert message.startswith("There is no rule of Cosmos Engine with the id 'COS-ATK-77'")
    assert "COS-ATK-07" in message


def test_search_wants_every_word_in_any_case(cosmos: Rulebook) -> None:
    found = [rule.id for rule in cosmos.search("PRONE melee")]
    assert found == ["COS-POS-05", "COS-MOD-02", "COS-COND-26"]
    assert [rule.id for rule in cosmos.search("cos-hp-01")] == ["COS-HP-01"]
    assert cosmos.search("prone unicorn") == ()
    assert cosmos.search("ecovery") == ()  # words are recognized by their beginning
    assert {rule.id for rule in cosmos.search("recov")} > {"COS-HEAL-01"}
    assert [rule.id for rule in cosmos.search("(1 m)")] == ["COS-TERR-09"]
    assert cosmos.search("  ") == ()


def test_a_book_is_read_one_time() -> None:
    assert load_rulebook(RULES / "cosmos") is load_rulebook(RULES / "core" / ".." / "cosmos")


def test_folders_with_a_rulebook_are_found() -> None:
    names = [folder.name for folder in find_rulebook_folders(RULES)]
    assert "cosmos" in names
    assert "core" not in names


def test_a_book_without_rulings_loads(tmp_path: Path) -> None:
    rule = RULE.replace('rulings = ["R1"]', "")
    (tmp_path / "rulebook.toml").write_text(BOOK + rule, encoding="utf-8")
    assert load_rulebook(tmp_path).rulings == {}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (BOOK + RULE + "colour = 1", "rule 'TNY-HIT-01': Object contains unknown field `colour`"),
        (BOOK + RULE + RULE, "rule 'TNY-HIT-01' occurs more than once"),
        (
            BOOK + RULE.replace('"roll"', '"stroll"'),
            "rule 'TNY-HIT-01': Invalid enum value 'stroll' - at `$.kind`; it is one of action, armor, ",
        ),
        (BOOK + RULE.replace('"automated"', '"auto"'), "'auto' - at `$.automation`; it is one of assisted, "),
        (BOOK + RULE.replace("line = 3", ""), "rule 'TNY-HIT-01': Object missing required field `line`"),
        (BOOK + RULE.replace("TNY-", "TIN-"), "rule 'TIN-HIT-01': an id looks like TNY-AREA-01"),
        (BOOK + RULE.replace('"R1"', '"R1", "R8"'), "rule 'TNY-HIT-01': there is no ruling R8"),
        (RULE, "book: Object missing required field `title`"),
        (BOOK + RULE + "[more]", "unknown table more"),
        (BOOK + '[book.answers]\nhit = ["TNY-HIT-09"]\n' + RULE, "answers: there is no rule TNY-HIT-09"),
        (BOOK + "[[rule", "Expected"),
    ],
)
def test_a_wrong_rule_is_refused_with_file_and_id(tmp_path: Path, wrong: str, message: str) -> None:
    write_book(tmp_path, rules=wrong)
    with pytest.raises(DataError) as caught:
        load_rulebook(tmp_path)
    assert str(caught.value).startswith(str(tmp_path / "rulebook.toml"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (RULING + "colour = 1", "ruling 'R1': Object contains unknown field `colour`"),
        (RULING + RULING, "ruling 'R1' occurs more than once"),
    ],
)
def test_a_wrong_ruling_is_refused_with_file_and_id(tmp_path: Path, wrong: str, message: str) -> None:
    write_book(tmp_path, rulings=wrong)
    with pytest.raises(DataError) as caught:
        load_rulebook(tmp_path)
    assert str(caught.value).startswith(str(tmp_path / "rulings.toml"))
    assert message in str(caught.value)


def test_a_folder_without_a_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"rulebook\.toml: there is no such file"):
        load_rulebook(tmp_path)


# ---------------------------------------------------------------- a book that builds on another

SECOND = RULE.replace("HIT-01", "HIT-02").replace("A six", "A five")
THIRD = RULE.replace("HIT-01", "HIT-03").replace("A six", "A four")
SHORT_BOOK = '[book]\ntitle = "Short"\nprefix = "SHT"\nbase = ".."\nbase_chapter = "Long"\n'
SHORT_RULES = (
    RULE.replace("TNY", "SHT") + 'restates = ["TNY-HIT-01"]\n',
    SECOND.replace("TNY", "SHT") + 'replaces = ["TNY-HIT-02"]\n',
)


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A book of two rules in its own folder, inside that of the book of three it builds on."""
    folder = tmp_path / "tiny" / "short"
    folder.mkdir(parents=True)
    write_book(folder.parent, rules=BOOK + RULE + SECOND + THIRD)
    (folder / "rulebook.toml").write_text(SHORT_BOOK + "".join(SHORT_RULES), encoding="utf-8")
    return folder


def test_a_rule_of_the_base_leads_to_the_one_played_for_it(short: Path) -> None:
    book = load_rulebook(short)
    assert list(book.rules) == ["SHT-HIT-01", "SHT-HIT-02"]
    assert book.find("TNY-HIT-01").id == "SHT-HIT-01"  # restated
    assert book.find("TNY-HIT-02").id == "SHT-HIT-02"  # replaced
    assert book.find("TNY-HIT-03").section == "Long > Fighting"  # borrowed
    assert set(book.borrowed_rules) == {"TNY-HIT-03"}
    assert book.ids == {f"{prefix}-HIT-0{n}" for prefix in ("TNY", "SHT") for n in (1, 2, 3)} - {"SHT-HIT-03"}


def test_a_book_on_another_takes_its_rulings(short: Path) -> None:
    assert load_rulebook(short).rulings == load_rulebook(short.parent).rulings


def test_code_cites_what_restates_a_rule_but_not_what_replaces_it(short: Path) -> None:
    book = load_rulebook(short)
    assert find_code_folder(short) == short.parent
    assert find_folders(short) == (short.parent, short)
    assert find_folders(short.parent) == (short.parent,)
    assert find_cited(book, "TNY-HIT-01") == ("SHT-HIT-01",)
    assert find_cited(book, "TNY-HIT-02") == ()
    (short.parent / "attack.py").write_text("# TNY-HIT-01, TNY-HIT-02\n")
    assert list(find_citations(short.parent, book)) == ["SHT-HIT-01"]
    (short / "attack.py").write_text("# SHT-HIT-02\n")
    assert list(find_citations(short.parent, book)) == ["SHT-HIT-01", "SHT-HIT-02"]


def test_folders_of_variants_are_named_after_both(short: Path) -> None:
    rules = short.parents[1]
    assert [name_folder(rules, f) for f in find_rulebook_folders(rules)] == ["tiny", "tiny_short"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (SHORT_BOOK + SHORT_RULES[0].replace("TNY-HIT", "TNY-HAT"), "the base has no rule TNY-HAT-01"),
        (BOOK + RULE.replace('rulings = ["R1"]', 'restates = ["TNY-HIT-01"]'), "the base has no rule TNY"),
    ],
)
def test_what_the_base_does_not_have_is_refused(short: Path, wrong: str, message: str) -> None:
    (short / "rulebook.toml").write_text(wrong, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_rulebook(short)
    assert message in str(caught.value)
