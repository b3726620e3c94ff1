"""The rulebook loader: the real book, and every error that a book can have."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.release import RELEASE
from combat.rules.core.book.citations import find_citations, find_cited
from combat.rules.core.book.rulebook import (
    VERSIONS_FILE,
    Rulebook,
    RuleVersion,
    RuleVersions,
    find_code_folder,
    find_folders,
    find_rulebook_folders,
    load_rulebook,
    load_versions,
    name_folder,
)
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import (
    Document,
    find_earlier,
    make_document,
    read_document,
    replay,
    write_document,
)
from combat.rules.core.state.events import Checked, RulesMoved
from combat.rules.core.state.state import replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.every_game.wild.wild import Log
from tests.combat.rules.games import every_game, find_game, set_up
from tests.combat.rules.reading import fold_steps
from tests.combat.rules.stage import Stage
from tests.combat.rules.stored import find_store
from tests.combat.rules.tiny import SYSTEM
from tests.combat.rules.tiny.fights import play_versions
from tests.typed import as_a

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
def test_rules_are_in_order_and_every_ruling_has_reason_and_use(slug: str) -> None:
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


def test_code_cites_what_restates_a_rule_but_not_its_replacement(short: Path) -> None:
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


# A fight keeps its first version of the rules until its GM moves it: in the made-up game.


NEWEST = SYSTEM.versions.newest
MOVED = 6  # the step of the stored fight that moves it
REPLAY = "uvx --from ./cosmos_table-{}-py3-none-any.whl cosmos-table replay FILE"


def begin(rules: int) -> Stage:
    """The demo of the made-up game under a version of its rules, with Ada beside Bo and acting."""
    stage = set_up(SYSTEM)
    stage.state = replace(stage.state, rules=rules)
    stage.do("start", dice=((4,), (5,), (1,)))
    stage.do("move", actor="f1", to="near:f2", far=True)
    return stage


def scare(stage: Stage) -> Checked:
    """Bo, with Skill 1, stands and rolls a 2 when Ada scares them: their check."""
    stage.do("scare", "f1", dice=("stand", (2,)))
    return stage.check("check.courage")


# ---------------------------------------------------------------- what a version says


@every_game
def test_every_game_counts_its_versions_and_names_rules_it_has(system: System) -> None:
    for version in system.versions.all:
        for change in version.change:
            assert change.text.endswith(".")
            assert not change.rule or system.rulebook.find(change.rule)


@every_game
def test_every_change_is_asked_for_in_the_code_of_its_game(system: System) -> None:
    """A change that no code asks for would be shown, and yet alter old fights."""
    code = "".join(path.read_text() for path in find_code_folder(system.folder).rglob("*.py"))
    asked = set(re.findall(r"follows\((?:state, )?\s*\"(\w+)\"|hold\(\w+, \"(\w+)\"", code))
    oldest = min(version.number for version in system.versions.all if version.played)
    told = {change.key for version in system.versions.find_since(oldest) for change in version.change}
    assert told <= {key for pair in asked for key in pair}


@every_game
def test_a_new_encounter_follows_the_newest_rules(system: System) -> None:
    assert system.begin().rules == system.versions.newest


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "must count"),
        ("[[version]]\nnumber = 0\n", "must count"),
        ("[[version]]\nnumber = 2\n[[version]]\nnumber = 4\n", "must count"),
        ('[[version]]\nnumber = 1\n[[version.change]]\nkey = "a"\ntext = "A."\n', "first version has none"),
        ("[[version]]\nnumber = 1\nname = 2\n", "unknown field"),
        ("[[version]]\nnumber = 1\nplayed = false\n", "newest version is played"),
        (
            "[[version]]\nnumber = 1\n[[version]]\nnumber = 2\nplayed = false\n[[version]]\nnumber = 3\n",
            "newest version is played",
        ),
    ],
)
def test_a_wrong_list_of_versions_is_found_at_once(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / VERSIONS_FILE).write_text(text)
    with pytest.raises(DataError, match=problem):
        load_versions(tmp_path)


# ---------------------------------------------------------------- what a fight follows


def test_a_fight_of_before_plays_on_by_its_own_rules() -> None:
    told = scare(begin(1))
    assert (told.total, told.good, told.modifiers) == (2, False, ())


def test_a_fight_of_today_plays_by_the_rules_of_today() -> None:
    told = scare(begin(2))
    assert (told.total, told.good) == (3, True)


def test_a_moved_fight_plays_by_the_new_rules_from_then_on() -> None:
    stage = begin(1)
    stage.do("move_rules", to=2)
    assert [fact.event for fact in stage.facts] == [RulesMoved(1, 2)]
    assert stage.state.rules == 2
    assert scare(stage).good


def test_the_move_is_a_line_of_the_log() -> None:
    stage = begin(1)
    stage.do("move_rules", to=2)
    (line,) = describe_facts(SYSTEM, stage.facts, {})
    assert line.text == "From here on version 2 of the rules holds; it was version 1."


@pytest.mark.parametrize("to", [0, 1, NEWEST + 1])
def test_fight_never_moves_to_an_older_equal_or_unknown_version(to: int) -> None:
    with pytest.raises(Refused, match="choose 2"):
        begin(1).do("move_rules", to=to)


def test_a_fight_of_the_newest_rules_has_nowhere_to_move() -> None:
    with pytest.raises(Refused, match="newest rules already"):
        begin(NEWEST).do("move_rules", to=NEWEST)


def test_odds_learn_what_a_roll_must_reach_by_the_fights_rules() -> None:
    asked = []
    for rules in (1, 2):
        stage = begin(rules)
        scare(stage)
        asked.append(as_a(stage.asked[-1], RollRequest).cuts)
    assert asked == [(3,), (2,)]


# ---------------------------------------------------------------- how it is stored


def play(rules: int, moves: bool) -> Log:
    return play_versions(SYSTEM, random.Random(3), rules, moves)


def write(log: Log) -> Document:
    return make_document("old", log.start, tuple(log.steps), log.state)


@pytest.mark.parametrize(("rules", "moves", "ends"), [(1, False, 1), (1, True, 2), (2, False, 2)])
def test_a_document_names_its_version_and_replays_by_it(rules: int, moves: bool, ends: int) -> None:
    document = write(play(rules, moves))
    again = read_document(write_document(document), find_game)
    assert (again.rules, again) == (ends, document)
    assert replay(again, find_game).ok


@pytest.mark.parametrize(("name", "rules", "steadied"), [("older", 1, False), ("moved", 2, True)])
def test_stored_fight_verifies_by_the_rules_it_was_played_by(name: str, rules: int, steadied: bool) -> None:
    document = read_document((find_store(SYSTEM) / f"tiny-{name}.json").read_bytes(), find_game)
    told = [fact.event for step in document.steps for fact in step.facts if isinstance(fact.event, Checked)]
    courage = [check for check in told if check.what == "check.courage"]
    assert courage
    assert {bool(check.modifiers) for check in courage} == {steadied}
    assert document.rules == rules
    assert replay(document, find_game).ok


def test_fight_does_not_verify_by_other_rules_than_its_own() -> None:
    plain = json.loads((find_store(SYSTEM) / "tiny-older.json").read_bytes())
    plain["rules"] = plain["start"]["rules"] = plain["final"]["rules"] = 2
    assert "comes out differently" in replay(read_document(json.dumps(plain).encode()), find_game).message


def test_undo_takes_the_move_back_and_redo_does_it_again() -> None:
    log = play(1, True)
    log.undo()
    log.undo()
    assert log.state.rules == 1
    log.redo()
    assert log.state.rules == 2
    assert replay(write(log), find_game).ok


def test_a_fight_under_a_tampered_version_does_not_verify() -> None:
    plain = json.loads(write_document(write(play(1, True))))
    plain["rules"] = 1
    assert replay(read_document(json.dumps(plain).encode()), find_game).message.startswith("the summary")


def test_newer_rules_are_refused_before_the_document_is_read() -> None:
    """Even if it holds data that this release cannot read at all. The refusal names the release that can."""
    rules, release = NEWEST + 1, {"program": "cosmos-table", "release": "7.2"}
    facts: list[dict[str, dict[str, str]]] = [{"event": {}}]
    raw = json.dumps({"system": "tiny", "rules": rules, **release, "steps": [{"facts": facts}], "new": 1})
    with pytest.raises(Refused) as caught:
        read_document(raw.encode(), find_game)
    assert caught.value.message == (
        f"Version 3 of the Tiny Duel rules is unknown here: `{REPLAY.format('7.2')}` verifies it."
    )


@pytest.mark.parametrize("release", [None, 7, "", "1.0; rm -rf /", "x" * 31])
def test_a_release_that_is_none_is_not_repeated(release: Any) -> None:
    raw = json.dumps({"system": "tiny", "rules": NEWEST + 1, "release": release})
    with pytest.raises(Refused, match=re.escape(REPLAY.format("VERSION"))):
        read_document(raw.encode(), find_game)


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """The made-up game without the old behavior of its first version."""
    kept = RuleVersions((RuleVersion(1, played=False), *SYSTEM.versions.all[1:]))
    monkeypatch.setattr(System, "versions", property(lambda system: kept))


def read_old(name: str, *, tamper: int = 0) -> Document:
    """A stored fight as release 1.2 wrote it, up to its move; with other facts in the step of that number."""
    document = read_document((find_store(SYSTEM) / f"tiny-{name}.json").read_bytes(), find_game)
    steps = [
        replace(step, release="1.2") if step.number < MOVED else replace(step, release=RELEASE)
        for step in document.steps
    ]
    if tamper:
        steps[tamper - 1] = replace(steps[tamper - 1], facts=steps[tamper - 1].facts[:-1])
    return make_document("old", document.start, tuple(steps), fold_steps(document.start, steps))


@pytest.mark.usefixtures("forgetful")
def test_fight_by_dropped_rules_is_verified_by_its_own_release() -> None:
    document = read_old("older")
    steps = tuple(replace(step, release="1.2") for step in document.steps)
    verdict = replay(make_document("old", document.start, steps, document.final), find_game)
    assert (verdict.ok, verdict.is_whole) == (True, False)
    assert verdict.summary == (
        f"Steps 1\N{EN DASH}{len(steps)} were played by release 1.2, by version 1 of the Tiny Duel rules: "
        f"`{REPLAY.format('1.2')}` verifies them."
    )


@pytest.mark.usefixtures("forgetful")
def test_moved_fight_is_verified_here_from_its_move_on() -> None:
    verdict = replay(read_old("moved"), find_game)
    assert (verdict.ok, verdict.is_whole, verdict.earlier) == (True, False, MOVED - 1)
    assert verdict.summary == (
        f"Steps 1–{MOVED - 1} were played by release 1.2, by version 1 of the Tiny Duel rules. "
        "`cosmos-table replay FILE --earlier PART` writes them into a file of their own, which "
        f"`{REPLAY.format('1.2').replace('FILE', 'PART')}` verifies. The 2 steps since match."
    )


@pytest.mark.usefixtures("forgetful")
def test_a_step_after_the_move_that_is_wrong_is_found() -> None:
    verdict = replay(read_old("moved", tamper=MOVED + 1), find_game)
    assert (verdict.ok, verdict.failed) == (False, MOVED + 1)


@pytest.mark.usefixtures("forgetful")
def test_a_move_that_does_more_than_move_is_found() -> None:
    document = read_old("moved")
    steps = list(document.steps)
    steps[MOVED - 1] = replace(steps[MOVED - 1], facts=(*steps[MOVED - 1].facts, *steps[1].facts))
    made = make_document("old", document.start, tuple(steps), fold_steps(document.start, steps))
    assert replay(made, find_game).failed == MOVED


def test_the_earlier_part_is_verified_by_a_release_that_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    document = read_old("moved")
    with monkeypatch.context() as patch:
        kept = RuleVersions((RuleVersion(1, played=False), *SYSTEM.versions.all[1:]))
        patch.setattr(System, "versions", property(lambda system: kept))
        part = find_earlier(document, SYSTEM)
    assert part is not None
    assert (len(part.steps), part.rules, part.release) == (MOVED - 1, 1, "1.2")
    again = read_document(write_document(part), find_game)
    assert replay(again, find_game).is_whole
    assert find_earlier(document, SYSTEM) is None


@pytest.mark.parametrize("release", ["1.2", RELEASE])
def test_every_mismatch_names_the_release_that_wrote_it(release: str) -> None:
    document = read_old("moved", tamper=MOVED + 1)
    steps = tuple(replace(step, release=release) for step in document.steps)
    verdict = replay(make_document("old", document.start, steps, document.final), find_game)
    assert not verdict.ok
    named = f"Release {RELEASE}, this one, wrote it." if release == RELEASE else REPLAY.format("1.2")
    assert named in verdict.summary
    other = replay(replace(document, final=replace(document.final, round=99)), find_game)
    assert f"Release {RELEASE}" in other.summary


def test_a_fight_of_newer_rules_is_not_taken_for_an_old_one() -> None:
    document = read_old("older")
    newer = replace(document, start=replace(document.start, rules=NEWEST + 1))
    verdict = replay(newer, find_game)
    assert (verdict.ok, "is unknown here" in verdict.summary) == (False, True)


@pytest.mark.usefixtures("forgetful")
def test_a_fight_by_dropped_rules_opens_and_goes_on() -> None:
    document = read_document((find_store(SYSTEM) / "tiny-older.json").read_bytes(), find_game)
    stage = Stage(SYSTEM)
    stage.state = fold_steps(document.start, document.steps)
    assert stage.state == document.final
    stage.do("next_turn")
    stage.do("move_rules", to=2)
    assert stage.state.rules == 2


def test_nothing_is_played_in_a_state_of_newer_rules() -> None:
    stage = begin(1)
    stage.state = replace(stage.state, rules=NEWEST + 1)
    with pytest.raises(Refused, match="update it first"):
        stage.do("next_turn")
