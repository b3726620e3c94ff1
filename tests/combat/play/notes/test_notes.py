"""Notes as people who join: what is understood, what is not, and what is suggested."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.games import find_problems, make_combatant
from combat.play.notes.arming import arm
from combat.play.notes.draft import Draft
from combat.play.notes.glossary import Glossary, Source, has_own_name, make_glossary, name_it
from combat.play.notes.notes import MAX_TEXT, read_notes
from combat.play.notes.parts import Group, Mark, Reading
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Scene, Zone
from combat.rules.core.state.state import replace
from tests.combat.rules.games import every_slug

ZONES = (Zone("z1", "Lock", 0, 0, 5, 5), Zone("z2", "Loading hall", 5, 0, 5, 5))


@cache
def glossary(slug: str) -> Glossary:
    """The names of an empty table with two zones and one own NPC."""
    system = find_system(slug)
    block = next(iter(system.book.find_blocks().values()))
    own = Source("npc:7", "Docker", "Crew", block.sheet, "npc:7")
    return make_glossary(system, replace(system.begin(), scene=Scene("Here", ZONES)), "allies", (own,))


def read(text: str, slug: str = "cepheus") -> Reading:
    return read_notes(text, glossary(slug))


def only(text: str, slug: str = "cepheus") -> Group:
    (group,) = read(text, slug).groups
    return group


def tell(reading: Reading) -> list[tuple[int, str, str, str]]:
    """Number, name, side and zone of each group."""
    return [(one.count, one.title, one.side, one.zone) for one in reading.groups]


def test_names_before_one_stat_block_all_have_it() -> None:
    reading = read("1 pirate; Kira, Ben and Jon Vale as marines with blades (allies)")
    assert not reading.issues
    assert tell(reading)[1:] == [(1, name, "allies", "") for name in ("Kira", "Ben", "Jon Vale")]
    assert [thing.name for one in reading.groups[1:] for thing, _ in one.things] == ["Blade"] * 3
    (issue,) = read("Kira; Jon as marine").issues
    assert issue.words == "Kira"


@every_slug
def test_examples_that_pages_print_are_understood(slug: str) -> None:
    system, own = find_system(slug), glossary(slug)
    reading = read_notes(system.book.imports.example, own)
    assert not reading.issues
    assert [one.count for one in reading.groups] == [4, 1, 2]
    assert [one.side for one in reading.groups] == ["", "", "allies"]
    assert len({one.title for one in reading.groups}) == min(3, len(own.sources) - 1)
    assert bool(reading.groups[0].things) == bool(own.entries)
    for group in reading.groups:
        group.make_sheet(own)
    short = read_notes(system.book.imports.short_example, own)
    assert ([one.count for one in short.groups], short.issues) == ([4, 1], ())


def test_notes_say_who_with_what_where_and_on_which_side() -> None:
    reading = read("4 pirates with cutlass and snub pistol, 1 captain; 2 marines (allies) in the lock")
    assert tell(reading) == [
        (4, "Pirate", "", ""),
        (1, "Pirate Captain", "", ""),
        (2, "Star Marine", "allies", "z1"),
    ]
    assert [entry.name for entry, _ in reading.groups[0].things] == ["Cutlass", "Snub Pistol"]
    assert (reading.issues, reading.rest, reading.count) == ((), "", 7)
    kinds = [mark.kind for mark in reading.marks]
    assert kinds == ["people", "item", "item", "people", "people", "side", "place"]


@pytest.mark.parametrize(
    "line",
    [
        "- {}",
        "* {}",
        "• {}",
        "•{}",
        "1. {}",
        "12) {}",
        "- [ ] {}",
        "> {}",
        "**{}**",
        "- *{}*",
        "__{}__",
        "`{}`",
        "  – {}",
    ],
)
def test_marks_of_lists_and_of_markdown_are_taken_off(line: str) -> None:
    said = line.format("4 pirates with cutlass, 1 captain")
    reading = read(f"## Lock\n{said}\n## Later\n1 thug")
    assert tell(reading) == [
        (4, "Pirate", "", "z1"),
        (1, "Pirate Captain", "", "z1"),
        (1, "Street Thug", "", ""),
    ]
    marked = ["Lock", "4 pirates", "cutlass", "1 captain", "1 thug"]
    assert [said_of(reading, mark.span) for mark in reading.marks] == marked
    assert [said_of(reading, one.span) for one in reading.groups] == [
        "4 pirates with cutlass",
        "1 captain",
        "1 thug",
    ]
    wrong = line.format("1 captain, 3 soldeirz")
    (issue,) = read(wrong).issues
    assert wrong[slice(*issue.span)] == "3 soldeirz"
    assert read(wrong).use(0, 0) == line.format(f"1 captain, 3 {issue.suggestions[0].label}")


@every_slug
def test_hp_are_set_or_left_out_with_a_sentence(slug: str) -> None:
    system, name = find_system(slug), glossary(slug).people[1].name
    for said in (f"2 {name} (3/7 HP)", f"2 {name} with 3 of 7 hit points"):
        reading = read(said, slug)
        (group,) = reading.groups
        if system.book.imports.set_health is None:
            (issue,) = reading.issues
            assert issue.message == f"Health follows from the sheet in {system.name}. Left out."
            assert (group.health, issue.minor, reading.rest) == (None, True, "")
        else:
            assert not reading.issues
            sheet = group.make_join(glossary(slug), "enemies", "", hidden=False)["sheet"]
            assert find_problems(system, sheet) == ()
            assert system.characters.health(make_combatant(system, name, sheet)).number == "3 / 7"


def test_hp_that_no_sheet_can_have_are_left_out() -> None:
    (issue,) = read("2 pirates (9999 HP)", "cosmos").issues
    assert (issue.words, issue.message) == ("9999 HP", "Pirate cannot have 9999 HP. Left out.")
    assert [mark.kind for mark in read("2 pirates (9999 HP)", "cosmos").marks] == ["people", "issue"]
    assert [mark.kind for mark in read("2 pirates (99 HP)", "cosmos").marks] == ["people", "item"]


def said_of(reading: Reading, span: tuple[int, int]) -> str:
    return reading.text[slice(*span)]


def test_names_before_a_colon_may_be_bold_and_marks_may_be_wide() -> None:
    assert tell(read("- **Boss:** 1 captain\n- **Vexa**: pirate")) == [
        (1, "Boss", "", ""),
        (1, "Vexa", "", ""),
    ]
    assert tell(read("4 pirates，1 captain；2 marines（allies）")) == [
        (4, "Pirate", "", ""),
        (1, "Pirate Captain", "", ""),
        (2, "Star Marine", "allies", ""),
    ]


def test_rows_of_a_table_are_read() -> None:
    reading = read(
        "| Who | Number | With | Where |\n|---|:-:|---|---|\n"
        "| Pirates | 4 | cutlass, snub pistol | Lock |\n| 2 | marines | | allies |\n"
    )
    assert tell(reading) == [(4, "Pirate", "", "z1"), (2, "Star Marine", "allies", "")]
    assert [entry.name for entry, _ in reading.groups[0].things] == ["Cutlass", "Snub Pistol"]
    assert not reading.issues


@pytest.mark.parametrize("name", ["Dr. Vance", "Sgt. J. Okoro", "Capt. Vexa"])
def test_title_is_part_of_a_name(name: str) -> None:
    assert tell(read(f"{name} as combat medic. 2 pirates")) == [(1, name, "", ""), (2, "Pirate", "", "")]
    assert tell(read(f"{name}: combat medic")) == [(1, name, "", "")]


def test_thirty_lines_with_lists_of_items_are_read() -> None:
    reading = read("\n".join(["2 pirates with cutlass, snub pistol and cloth"] * 30))
    assert (len(reading.groups), reading.issues) == (30, ())


@pytest.mark.parametrize(
    ("slug", "text", "expected"),
    [
        ("cosmos", "three pirates, a veteran soldier", [(3, "Pirate"), (1, "Veteran soldier")]),
        (
            "cosmos",
            "pack hunters x 3 and 2 security drones",
            [(3, "Pack hunter (beast)"), (2, "Security drone")],
        ),
        ("starshock", "2 smugglers with revolver, one martian", [(2, "Smuggler"), (1, "Martian")]),
        ("guardians", "1 knight named Sir Reginald, war hounds × 2", [(1, "Sir Reginald"), (2, "War Hound")]),
        ("cepheus_quick", "4 drunk pirates; a couple of thugs", [(4, "Drunk pirate"), (2, "Street Thug")]),
        ("cepheus", "2 bouncers as street thugs", [(2, "Bouncer")]),
        ("cepheus", "2 bouncers (street thug), 1 docker", [(2, "Bouncer"), (1, "Docker")]),
        ("cepheus", "Vexa: pirate captain\n- 2 policemen as police officer", [(1, "Vexa"), (2, "Policeman")]),
    ],
)
def test_numbers_plurals_and_names(slug: str, text: str, expected: list[tuple[int, str]]) -> None:
    reading = read(text, slug)
    assert [(one.count, one.title) for one in reading.groups] == expected
    assert not reading.issues


def test_labels_hold_until_the_next_empty_line() -> None:
    said = "Allies:\n2 marines\n1 medic (enemies)\n\nLock: 3 thugs\n\n1 sniper, hidden (side Red Guild)"
    assert tell(read(said)) == [
        (2, "Star Marine", "allies", ""),
        (1, "Combat Medic", "enemies", ""),
        (3, "Street Thug", "", "z1"),
        (1, "Sniper", "Red Guild", ""),
    ]
    assert [one.hidden for one in read(said).groups] == [False, False, False, True]


def test_one_line_npcs_of_the_game_stand_among_others() -> None:
    said = "4 pirates\n2 Guard 868774 Slug Rifle-1 rifle, cloth (allies)\nBad 868774 Juggling-1"
    reading = read(said)
    assert tell(reading) == [(4, "Pirate", "", ""), (2, "Guard", "allies", "")]
    (issue,) = reading.issues
    assert "Juggling" in issue.message
    assert reading.rest == "Bad 868774 Juggling-1"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "4 pirates, Guard 868774 Slug Rifle-1 rifle, cloth",
            [(4, "Pirate", ()), (1, "Guard", ("rifle", "cloth"))],
        ),
        (
            "2 Guard 868774 Slug Rifle-1, Recon-0 rifle, cloth; 4 pirates",
            [(2, "Guard", ("rifle", "cloth")), (4, "Pirate", ())],
        ),
        (
            "Guard 868774 rifle, 2 pirates, Bo 777777 blade and 3 thugs",
            [(1, "Guard", ("rifle",)), (2, "Pirate", ()), (1, "Bo", ("blade",)), (3, "Street Thug", ())],
        ),
        ("Ann 868774 rifle, Bo 777777 blade", [(1, "Ann", ("rifle",)), (1, "Bo", ("blade",))]),
        ("Ann 868774; Bo 777777; pirate", [(1, "Ann", ()), (1, "Bo", ()), (1, "Pirate", ())]),
        ("Smith, John 868774 Recon-1, Medic-0", [(1, "Smith, John", ())]),
        ("Guard 868774; Gun Combat-1; rifle; 2 blades", [(1, "Guard", ("rifle", "blade"))]),
        (
            "Guard 868774 2 frag grenades, 3 pirates with blade",
            [(1, "Guard", ("grenade_frag",)), (3, "Pirate", ("blade",))],
        ),
    ],
)
def test_one_line_npcs_stand_beside_others_on_one_line(
    said: str, expected: list[tuple[int, str, tuple[str, ...]]]
) -> None:
    reading = read(said)
    found = []
    for group in reading.groups:
        items = (
            group.written["items"]
            if group.written
            else [{"entry": one.record["id"]} for one, _ in group.things]
        )
        found.append((group.count, group.title, tuple(item["entry"] for item in items)))
    assert (found, reading.issues) == (expected, ())


def test_each_on_a_line_has_its_own_issue_and_side() -> None:
    reading = read(
        "Allies: Bad 868774 Juggling-1, rifle; 2 pirates (hidden), Guard 868774 rifle (hidden), 4 piraattes"
    )
    assert [(one.title, one.side, one.hidden) for one in reading.groups] == [
        ("Pirate", "allies", True),
        ("Guard", "allies", True),
    ]
    assert [issue.words for issue in reading.issues] == ["Bad 868774 Juggling-1, rifle", "4 piraattes"]
    assert reading.issues[1].suggestions


def test_with_replaces_weapons_and_plus_adds_gear() -> None:
    group = only("2 thugs with blade and cloth plus 2 frag grenades")
    names = [
        (item.name, item.count)
        for item in make_combatant(find_system("cepheus"), "x", group.make_sheet(glossary("cepheus"))).items
    ]
    assert ("Blade", 1) in names
    assert ("Cloth", 1) in names
    assert ("Frag Grenade", 2) in names or ("Frag grenade", 2) in names
    assert not {"Cudgel", "Jack"} & {name for name, _ in names}


def test_of_several_items_the_block_s_own_is_meant() -> None:
    assert [entry.name for entry, _ in only("3 pirates with a pistol").things] == ["Snub Pistol"]
    assert [entry.name for entry, _ in only("3 thugs with pistols").things] == ["Auto Pistol"], (
        "a common word"
    )
    (issue,) = read("3 thugs with a laser").issues
    assert issue.minor
    assert "Laser Pistol" in [one.label for one in issue.suggestions]


@pytest.mark.parametrize(
    ("slug", "text", "label", "expected"),
    [
        ("cepheus", "2 piratttes", "Pirate", [(2, "Pirate")]),
        ("cepheus", "0 zombies", "1 of them", None),
        ("cepheus", "0 pirates", "1 of them", [(1, "Pirate")]),
        ("cepheus", "30 thugs", "20 of them", [(20, "Street Thug")]),
        ("cepheus", "2 snipers (Red Guild)", "new side Red Guild", [(2, "Sniper")]),
        ("cepheus", "1 pirate with a kutlass", "Cutlass", [(1, "Pirate")]),
        ("cosmos", "3 troopers", "Riot trooper", [(3, "Riot trooper")]),
    ],
)
def test_wrong_line_brings_a_suggestion_that_solves_it(
    slug: str, text: str, label: str, expected: list[tuple[int, str]] | None
) -> None:
    reading = read(text, slug)
    (issue,) = reading.issues
    labels = [one.label for one in issue.suggestions]
    if slug == "cepheus":
        assert labels[0] == label
        assert len(labels) <= 2
    solved = read(reading.use(0, labels.index(label)), slug)
    if expected is not None:  # else who is meant is the next question
        assert [(one.count, one.title) for one in solved.groups] == expected
        assert not solved.issues


@pytest.mark.parametrize("text", ["3 stooges", "2 Scharfschützen", "4 qzxw with blades"])
def test_nobody_is_suggested_for_words_that_are_like_nobody(text: str) -> None:
    (issue,) = [one for one in read(text).issues if not one.minor]
    assert (read(text).groups, issue.suggestions) == ((), ())


@pytest.mark.parametrize(
    ("text", "name", "items"),
    [
        ("2 pirtaes", "Pirate", []),
        ("1 pirate with a cutlas", "Pirate", ["Cutlass"]),
        ("4 pyrates, auto pistl", "Pirate", ["Auto Pistol"]),
    ],
)
def test_slip_of_the_pen_is_read_and_told(text: str, name: str, items: list[str]) -> None:
    (group,), told = read(text).groups, [one.message for one in read(text).issues]
    assert (group.title, [entry.name for entry, _ in group.things]) == (name, items)
    assert any(one.startswith("Read as “") for one in told)


@pytest.mark.parametrize(
    ("text", "solved"),
    [
        ("1d6 pirates", "1 pirates"),
        ("2D4+1 pirates with cutlass", "2 pirates with cutlass"),
        ("d6 pirates", "6 pirates"),
        ("1-3 pirates", "1 pirates"),
        ("4 – 6 drunk pirates", "4 drunk pirates"),
        ("2 to 3 pirates", "2 pirates"),
        ("two or three pirates", "2 pirates"),
        ("-3 pirates", "3 pirates"),
        ("~30 pirates", "20 pirates"),
        ("½ pirate", "1 pirate"),
        ("1 ½ pirates", "1 pirates"),
        ("12 dozen pirates", "12 pirates"),
        ("a hundred pirates", "1 pirates"),
        ("1d6 rowdies as pirates", "1 rowdies as pirates"),
        ("[elite] 4 pirates", "4 pirates"),
        ("1 captain, 1d6 pirates", "1 captain, 1 pirates"),
    ],
)
def test_number_that_cannot_be_counted_is_asked_for(text: str, solved: str) -> None:
    reading = read(text)
    (issue,) = reading.issues
    assert "cannot be counted: write a number, such as 4." in issue.message
    assert len(reading.groups) == text.startswith("1 captain")
    assert reading.use(0, 0) == solved
    assert not read(solved).issues


@pytest.mark.parametrize("name", ["Drunk", "2nd-rate", "9mm", "Two-headed", "K-9", "D", "[elite]", "Dozer"])
def test_name_before_a_stat_block_stays_a_name(name: str) -> None:
    assert tell(read(f"{name} pirate, 3 {name} pirates")) == [
        (1, f"{name} pirate", "", ""),
        (3, f"{name} pirate", "", ""),
    ]


def test_sentences_are_kept_as_notes() -> None:
    reading = read("The crew arrives at dusk and nobody sees them coming.\n4 pirates")
    assert tell(reading) == [(4, "Pirate", "", "")]
    assert reading.rest == "The crew arrives at dusk and nobody sees them coming"
    assert not read("The pirates wait until dusk").groups


@pytest.mark.parametrize("text", ["", " \n ", "x" * (MAX_TEXT + 1), "4 pirates\0"])
def test_nonsense_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Refused, match=r"\.$"):
        read(text)


def test_crowds_and_long_lists_end() -> None:
    crowd = read("; ".join(["20 pirates"] * 40))
    assert crowd.count <= 120
    assert "Too much at once" in crowd.issues[-1].message
    assert read(", ".join(["qzxw"] * 500)).issues
    assert read("9" * 3000 + " pirates").issues


@every_slug
def test_every_item_of_a_catalogue_can_be_named(slug: str) -> None:
    found = glossary(slug)
    system, block = found.system, next(one for one in found.sources.values() if not one.mark)
    for entry in found.entries.values():
        assert entry.name in [one.name for one in found.find_items(entry.name)], entry.name
        sheet = arm(system, "x", dict(block.sheet), [(entry, 1)])
        assert not find_problems(system, sheet)
        assert entry.name in [item.name for item in make_combatant(system, "x", sheet).items], entry.name


@pytest.mark.parametrize(
    "text",
    [
        "2 pirates with " * 600,
        ". " * 5000,
        "a|" * 5000,
        "a\tb\tc\n" * 1600,
        "4 thugs" + ", 1 with clubs" * 700,
    ],
)
def test_texts_that_never_end_are_asked_about_in_few_sentences(text: str) -> None:
    """Neither the depth nor the answer grows with what was pasted; the time is counted in test_work."""
    reading = read(text[:MAX_TEXT])
    assert len(reading.offers) < 100
    assert (
        sum(len(one.message) + sum(len(x.label) for x in one.suggestions) for one in reading.offers) < 12_000
    )


SAID = "4 pirates,with;cutlass (allies) and captain in the Lock\n: x a 99 hidden as called plus . - ) ("
WORDS = st.sampled_from(SAID.split(" "))


@given(st.lists(WORDS | st.text(max_size=6), max_size=12).map(" ".join))
def test_any_text_is_read_and_every_suggestion_can_be_used(text: str) -> None:
    try:
        reading = read(text)
    except Refused:
        return
    for group in reading.groups:
        fields = group.make_join(glossary("cepheus"), "enemies", "", False)
        assert 1 <= group.count <= 20
        assert 1 <= len(" ".join(fields["name"].split())) <= 60, text
        assert fields["side"].strip()
    spans = [mark.span for mark in reading.marks]
    assert all(0 <= begin < end <= len(text) for begin, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    for number, issue in enumerate(reading.issues):
        for place in range(len(issue.suggestions)):
            assert reading.use(number, place) != text or issue.suggestions[place].text in text


def test_suggestion_for_someone_with_a_name_keeps_the_name() -> None:
    """Enforser Vox may be a gang enforcer, who is still called so."""
    reading = read("Enforser Vox")
    (issue,) = reading.issues
    used = [suggestion.text for suggestion in issue.suggestions]
    assert used[0].startswith("Enforser Vox as ")
    again = read(reading.use(0, 0))
    assert (len(again.groups), again.issues) == (1, ())
    assert again.groups[0].name == "Enforser Vox"
    captain = name_it("pirate_captain", "Pirate Captain")
    assert has_own_name("Captain Vox", captain)
    assert not has_own_name("Pirat Captan", captain), "a slip is no name"


COMMON = ("thug", "guard", "captain", "soldier", "marine")


@every_slug
def test_common_words_mean_something_in_each_game_and_names_stay(slug: str) -> None:
    names = find_system(slug).book.imports.people_names
    blocks = find_system(slug).book.find_blocks()
    assert {*names.values()} <= blocks.keys()
    if not names:  # the made-up game
        return
    for word in COMMON:
        group = only(f"3 {word}s", slug)
        assert (group.count, bool(group.source)) == (3, True), word
        assert not read(f"3 {word}s", slug).issues
    named = only("Captain Vox", slug)
    assert (named.title, named.source) == ("Captain Vox", only("1 captain", slug).source)
    drunk = only("2 drunk marines", slug)
    assert (drunk.title, drunk.count, drunk.source) == ("Drunk marine", 2, only("1 marine", slug).source)


def test_name_of_a_block_goes_before_a_common_word() -> None:
    assert only("2 marines", "cepheus").title == "Star Marine"
    assert only("3 thugs", "starshock").title == "Thug", "the word that was typed stays where no block has it"


def test_notes_in_another_language_are_one_issue_as_a_whole() -> None:
    text = "Räuber mit Messer und drei Wachen hinter der Tür  \n"
    found = read(text)
    (issue,), whole = found.issues, (0, len("Räuber mit Messer und drei Wachen hinter der Tür"))
    assert "This looks like German" in issue.message
    assert (issue.span, found.marks) == (whole, (Mark(whole, "issue"),))
    assert found.groups == ()


def test_a_label_that_only_says_later_needs_no_hint() -> None:
    assert [one.message for one in read("Later: 2 pirates").issues] == []


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "Rhee [pirate captain] laser pistol",
            "Rhee (pirate captain),laser pistol",
        ),  # each letter keeps its place
        ("Rhee [pirate captain]", "Rhee (pirate captain)"),
        ("Rhee [very tired]: pistol", "Rhee (very tired): pistol"),
        ("3 [elite] pirates", "3 [elite] pirates"),  # words before a name
        ("Team [red]5", "Team [red]5"),
        ("Team [red]5 men", "Team [red]5 men"),
        ("Team [red], 5", "Team (red), 5"),
    ],
)
def test_brackets_of_all_kinds_behind_someone_are_round_ones(text: str, plain: str) -> None:
    assert Draft(text, glossary("cosmos")).plain == plain
