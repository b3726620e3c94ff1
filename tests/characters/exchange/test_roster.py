"""Rosters: exported as CSV, imported without loss, and every error of a file with its line."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters.exchange import previews, reading
from characters.exchange.previews import preview, write_rosters
from characters.exchange.reading import ValidationFailed, read_text
from characters.exchange.roster import MAX_ROWS, escape_formula, is_roster, read_roster, write_roster
from characters.games import check_sheet, find_games, plan_of
from characters.models import Character
from characters.services import character_service
from combat.rules.core.sheets.sheets import blank_draft, find_meant
from tests.characters.conftest import SHEET
from tests.combat.rules.games import every_slug

Make = Callable[..., Character]
GAMES = {system.slug: system for system in find_games()}


def download(client: Client) -> list[dict[str, str]]:
    raw = client.get("/characters/roster.csv").content
    return list(csv.DictReader(StringIO(raw.decode("utf-8-sig"))))


def test_roster_has_a_line_for_each(ana_client: Client, make: Make) -> None:
    make("Zara")
    make("Mara", species="umbral", abilities={}, size="medium", skills={"Stealth": 3})
    character_service.archive(make("Away"))
    mara, zara = download(ana_client)
    assert (zara["Name"], zara["Game"], zara["Summary"]) == ("Zara", "Cosmos Engine", "Synaptic, Military")
    assert (zara["Coordination"], zara["Max HP"], zara["Saves: Might"], zara["Credits"]) == (
        "7",
        "80",
        "3",
        "500",
    )
    assert (zara["Pilot"], zara["Stealth"]) == ("4", "")
    assert (mara["Pilot"], mara["Stealth"]) == ("", "3")


def test_empty_roster_has_its_head(ana_client: Client) -> None:
    answer = ana_client.get("/characters/roster.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert BytesIO(answer.content).read().decode("utf-8-sig") == "Name,Game\r\n"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "=HYPERLINK(A1)"])
def test_names_are_no_formulas(ana_client: Client, make: Make, name: str) -> None:
    make(name)
    assert download(ana_client)[0]["Name"] == f"'{name}"


# ---------------------------------------------------------------- import


def problems(text: str, usual: str = "cosmos") -> list[str]:
    """All errors of a roster, each with its line."""
    try:
        return [str(problem) for problem in preview(text, usual, {}).problems]
    except ValidationFailed as failed:
        return [str(problem) for problem in failed.problems]


def remarks(text: str, usual: str = "cosmos") -> list[str]:
    shown = preview(text, usual, {})
    assert not shown.problems, shown.problems
    return [str(remark) for entry in shown.entries for remark in entry.found.remarks]


def come_back(character: Character) -> dict[str, Any]:
    """The sheet of a character after passing through a spreadsheet."""
    (found,) = read_roster(write_roster([character]), "cosmos", {})
    assert not found.found.problems, found.found.problems
    assert not found.found.remarks, found.found.remarks
    assert (found.system, found.found.name) == (character.system, character.name)
    assert found.found.notes == character.notes
    return check_sheet(GAMES[found.system], found.found.sheet)


def zeroless(sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet without the zeros in its tables, which games read as 0 anyway; tracks are kept whole."""
    return {
        field: {k: v for k, v in value.items() if v}
        if isinstance(value, dict) and field != "tracks"
        else value
        for field, value in sheet.items()
    }


def as_character(slug: str, name: str, sheet: dict[str, Any], notes: str = "") -> Character:
    system = GAMES[slug]
    full = check_sheet(system, {**sheet, "name": name})
    return Character(
        system=slug, name=name, sheet=full, notes=notes, summary=plan_of(system).summarize(full)[:150]
    )


@pytest.mark.slow
@every_slug
def test_every_stat_block_comes_back_whole(slug: str) -> None:
    for block in GAMES[slug].book.find_blocks().values():
        character = as_character(slug, block.name, block.sheet)
        assert zeroless(come_back(character)) == zeroless(character.sheet), block.id


def test_wounds_rounds_wear_and_conditions_come_back(make: Make) -> None:
    hurt = make(tracks={"hp": 12}, conditions=[{"kind": "bleeding"}], notes="Two\nlines; “quotes”, =1+1")
    assert come_back(hurt) == hurt.sheet


@every_slug
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=20)
@given(data=st.data())
def test_any_draft_comes_back_whole(slug: str, data: st.DataObject) -> None:
    plan = plan_of(GAMES[slug])
    draft = blank_draft(plan)
    for selection in plan.selections:
        keys = [option.key for option in selection.options] + ([] if selection.required else [""])
        draft.chosen[selection.key] = data.draw(st.sampled_from(keys))
    for stats, values in ((plan.attributes, draft.attributes), (plan.skills, draft.skills)):
        meant = find_meant(stats, draft.chosen) or stats
        for stat in data.draw(st.lists(st.sampled_from(meant), max_size=4)) if meant else ():
            values[stat.key] = stat.settle(data.draw(st.integers(stat.low, stat.high)))
    sheet = plan.write(plan.write({}, draft), draft)
    if plan.money:
        sheet[plan.money.key] = data.draw(st.integers(0, plan.money.most))
    name = data.draw(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20))
    notes = data.draw(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=60)).strip()
    character = as_character(slug, name, sheet, notes)
    assert zeroless(come_back(character)) == zeroless(character.sheet)


def test_roster_written_by_hand_needs_names_only() -> None:
    text = "name;Coordination;Pilot;species;credits;items\nAda;7;4;Synaptic;1,500;Pistol (held); 2 x Knife\n"
    text = text.replace("Pistol (held); 2 x Knife", '"Pistol (held); 2 x Knife"')
    (found,) = read_roster(text, "cosmos", {})
    sheet = check_sheet(GAMES["cosmos"], found.found.sheet)
    assert (sheet["attributes"]["COO"], sheet["skills"], sheet["credits"]) == (7, {"Pilot": 4}, 1500)
    assert sheet["species"] == "synaptic"
    assert [(i["entry"], i.get("place"), i.get("count", 1)) for i in sheet["items"]] == [
        ("pistol", "held", 1),
        ("knife", None, 2),
    ]


def test_count_makes_as_many_characters() -> None:
    shown = preview("Name,count,Pilot\nGuard,6,2\nAda,,4\nBo,1,1\n", "cosmos", {})
    assert [one.name for one in shown.wanted] == [*(f"Guard {n}" for n in range(1, 7)), "Ada", "Bo"]
    assert len({str(sorted(one.sheet["skills"].items())) for one in shown.wanted[:6]}) == 1
    assert not shown.remarks


@pytest.mark.parametrize("count", ["0", "21", "many", "-1", "9" * 30])
def test_count_out_of_bounds_is_told_by_its_line(count: str) -> None:
    (problem,) = preview(f"Name,Count\nGuard,{count}\n", "cosmos", {}).problems
    assert problem.place == "line 2, Count"
    assert "is no number from 1 to 20" in problem.message


def test_counts_of_all_lines_have_a_limit() -> None:
    with pytest.raises(ValidationFailed) as caught:
        preview("Name,Count\n" + "Guard,20\n" * 11, "cosmos", {})
    assert "has more than 200 characters" in caught.value.problems[0].message


@pytest.mark.parametrize(
    ("above", "told"),
    [
        ("sep=,\n", []),
        ("SEP=,\r\n", []),
        ("My party,,\n,,\n", ["line 1: “My party” stands above the columns: left out"]),
        (
            "Party list\n\nMade with Calc\n",
            [
                "line 1: “Party list” stands above the columns: left out",
                "line 3: “Made with Calc” stands above the columns: left out",
            ],
        ),
        ("Party,2 of 3\n", ["line 1: “Party,2 of 3” stands above the columns: left out"]),
    ],
)
def test_lines_of_a_spreadsheet_above_the_columns_are_told(above: str, told: list[str]) -> None:
    text = f"{above}Name,Game,Pilot\nAda,cosmos,4\nBo,cosmos,x\n"
    sound = text.replace("Bo,cosmos,x\n", "")
    (found,) = read_roster(sound, "cosmos", {})
    assert (found.found.name, list(map(str, found.found.remarks))) == ("Ada", told)
    assert problems(text)[0].startswith(f"line {len(text.splitlines())}, Pilot: "), (
        "lines count from the first"
    )


def test_table_without_names_below_its_titles_is_no_roster() -> None:
    assert not is_roster("Party\nPilot,Game\n4,cosmos\n")
    assert not is_roster("Ada,Bo,Cy\nName,Game\n"), "as many cells are no title"
    assert not is_roster("title\n" * 50 + "Name,Game\nAda,cosmos\n")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\v", "\r"])
def test_breaks_in_cells_end_a_part_of_a_list(end: str) -> None:
    cells = [f"Ada{end}Lee", "cosmos", f"Pilot 4{end}Medicine 2", f"Pistol{end}Knife"]
    row = ",".join(map(quote, cells))
    text = f'"Other\ncolumn",Name,Game,Skills,Gear\n,{row}\n'
    (found,) = read_roster(text, "cosmos", {})
    assert not found.found.problems
    assert found.found.name == "Ada Lee"
    assert found.found.sheet["skills"] == {"Pilot": 4, "Medicine": 2}
    assert [item["entry"] for item in found.found.sheet["items"]] == ["pistol", "knife"]


def test_word_processor_quotes_may_enclose_cells_and_be_in_names() -> None:
    (found,) = read_roster("“Name”,“Game”,“Notes”\n“O’Bri\u00aden”,“cosmos”,“a, b”\n", "cosmos", {})
    assert (found.found.name, found.found.notes) == ("O'Brien", "a, b")
    (found,) = read_roster("Name,Game\nAnn “Ace” O’Bri\u00aden,cosmos\n", "cosmos", {})
    assert (found.found.name, found.found.problems) == ("Ann “Ace” O’Brien", ())


@pytest.mark.parametrize(
    "text",
    [
        "«Name»;«Game»;«UPP»\n« Ann »;« Cepheus »;« 777A87 »\n",
        "\ufeff\ufeffName,Game,UPP\nAnn,Cepheus,777A87\n",  # two programs have each set a mark
        "Na\u00adme,Ga\u200bme,UPP\nAn\u00adn,Cephe\u00adus,77\u00ad7A87\n",
        '="Name",="Game",="UPP"\n="Ann",="Cepheus",="777A87"\n',
        "'Name',Game,UPP\nAnn,Cepheus,777A87\n",
        ",Name,Game,,UPP,\n,Ann,Cepheus,,777A87,\n",
    ],
)
def test_signs_that_other_programs_add_to_cells_are_ignored(text: str) -> None:
    (found,) = read_roster(text, "cosmos", {})
    assert (found.found.problems, found.found.remarks) == ((), ())
    assert (found.system, found.found.name) == ("cepheus", "Ann")
    assert found.found.sheet["attributes"]["int"] == 10


def test_hyphen_that_does_not_break_is_one() -> None:
    (found,) = read_roster("Name,Game,Skills\nAnn,cepheus,Admin\u20111; Pilot \u2010 2\n", "cosmos", {})
    assert found.found.sheet["skills"] == {"admin": 1, "piloting": 2}


def test_cell_below_no_name_is_told_so() -> None:
    (said,) = problems(",Name,Game\n1,Ada,cosmos\n")
    assert said == "line 2: “1” stands in a column without a name: give it one, or delete it"


@pytest.mark.parametrize("coding", ["latin-1", "cp1252", "mac_roman", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_codings_are_told_with_what_works(coding: str) -> None:
    with pytest.raises(ValidationFailed) as caught:
        preview(read_text("Name,Game\nZoë,cosmos\n".encode(coding)), "cosmos", {})
    assert "save it as “UTF-8”, in a spreadsheet as “CSV UTF-8”" in caught.value.problems[0].message


@pytest.mark.parametrize("typed", ["1.250,50", "1.250", "1'250", "1 250", "Cr1250", "1,5", "1.5", "many"])
def test_money_that_is_no_whole_number_is_told_so(typed: str) -> None:
    (said,) = problems(f"Name;Credits\nAda;{typed}\n")
    assert said.startswith(f"line 2, Credits: must be a whole number, not “{typed}”")


def test_profile_fills_all_attributes() -> None:
    (found,) = read_roster("Name,Game,UPP,Admin\nAda,Cepheus,777A87,1\n", "cosmos", {})
    assert found.system == "cepheus"
    assert found.found.sheet["attributes"]["int"] == 10
    assert found.found.sheet["skills"] == {"admin": 1}


def test_what_has_no_place_is_told_by_line_and_column() -> None:
    text = "Name,Favourite colour,Pilott,Items,Max HP\nAda,red,3,Pistl; Knife (worn),999\n"
    assert remarks(text) == [
        "line 2, Items: “Pistl” is not in the catalogue, left out: perhaps Pistol",
        "line 2, Items: Knife cannot be worn: stowed",
        "line 2, Favourite colour: red: not imported",
        "line 2, Pilott: 3: not imported; perhaps Pilot is meant",
        "line 2, Max HP: 999: the sheet makes it 76",
    ]


FAULTY = """\
Name,Game,Species,Presence,Pilot,Credits,Items,Other (JSON)
,cosmos,Terran,4,1,5,,
Ada,Chess,Terran,4,1,5,,
Bo,cosmos,Elf,11,x,-3,0 x Knife,
Cy,cosmos,Terran,4,1,5,,{nope
Di,cosmos,Terran,4,1,5,,"{""flying"": true}"
Ed,cosmos,Terran,4,1,5,,,too,many
Fay,cosmos,Terran,4,1,5,,"{""tracks"": {""hp"": 99999}}"
Gus,cosmos,Terran,4,1,5,,"{""attributes"": {""PRE"":5,""RES"":4,""INT"":4,""MIG"":4,""AWA"":4,""COO"":4}}"
"""


def test_file_with_every_fault_tells_each_by_its_line() -> None:
    found = problems(FAULTY)
    for start in (
        "line 2, Name: A name needs 1 to 60 characters.",
        "line 3, Game: there is no game “Chess”: Cosmos Engine, ",
        "line 4, Species: “Elf” is none of: ",
        "line 4, Presence: must be 1 to 10, not 11",
        "line 4, Pilot: must be a whole number, not “x”",
        "line 4, Credits: must be 0 to 1,000,000,000, not “-3”",
        "line 4, Items: Knife: there can be 1 to 999",
        "line 5, Other (JSON): is not JSON",
        "line 6, Other (JSON): has the field “flying”, which no sheet of Cosmos Engine has",
        "line 7: has more cells than there are columns: “too”",
        "line 8, tracks.hp: ",
        "line 9, Presence: is 5 in Other (JSON): change it there too, or empty that cell",
    ):
        assert any(line.startswith(start) for line in found), (start, found)
    assert len({line.split(",")[0].split(":")[0] for line in found}) == 8


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Name,Game\n", "has no line besides that of the columns"),
        ("Name,Game,game\nA,,\n", "line 1: has the column “game” twice"),
        ('Name,Notes\nA,"never closed\n', "line 2: a quotation mark does not close"),
        ('Name,Notes\nA,"b"c\n', "line 2: a quotation mark does not close"),
        ("Name,Notes\nA,\x01\n", "line 2: has characters that cannot be shown"),
        ("Name,Notes\n" + "A,b\n" * (MAX_ROWS + 1), f"has {MAX_ROWS + 1} lines; at most {MAX_ROWS} are read"),
        ("Name" + ",x" * 500 + "\nA\n", "line 1: has 501 columns"),
        ("Name,Notes\nA," + "b" * 200_000 + "\n", "line 2: a cell is too long"),
    ],
)
def test_broken_tables_are_told(text: str, words: str) -> None:
    assert any(words in line for line in problems(text)), problems(text)[:3]


def test_lines_are_counted_over_quoted_cells_and_empty_lines() -> None:
    text = 'Name,Pilot,Notes\nAda,1,"two\nlines"\n\nBo,x,\n'
    assert problems(text)[0].startswith("line 5, Pilot: must be a whole number")


@pytest.mark.slow
@given(st.text(max_size=12))
def test_no_text_becomes_a_formula_and_all_come_back(text: str) -> None:
    cell = escape_formula(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    if text == text.strip() and text.isprintable():
        (found,) = read_roster(f"Name,Notes\nA,{quote(cell)}\n", "cosmos", {})
        assert found.found.notes == text


def quote(cell: str) -> str:
    out = StringIO()
    csv.writer(out).writerow([cell])
    return out.getvalue().rstrip("\r\n")


@given(st.text(alphabet=st.sampled_from("Name,;\t\n\"'ab=1{}()x"), max_size=60))
def test_any_table_is_read_or_told(text: str) -> None:
    assert all(problems(f"Name,Pilot,Items\n{text}\n"))


def test_npcs_have_a_roster_of_their_own(ana_client: Client, ana: User, make: Make) -> None:
    make("Zara")
    character_service.create(ana, "cosmos", "Guard", make("Model").sheet, npc=True)
    raw = ana_client.get("/characters/npcs/roster.csv").content.decode("utf-8-sig")
    assert [row["Name"] for row in csv.DictReader(StringIO(raw))] == ["Guard"]


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/characters/roster.csv", "/characters/npcs/roster.csv"])
def test_more_than_a_roster_holds_are_exported_in_several(
    ana_client: Client, ana: User, address: str
) -> None:
    Character.objects.bulk_create(
        Character(owner=ana, system="cosmos", name=f"Zara {number}", sheet=SHEET, npc="npcs" in address)
        for number in range(MAX_ROWS + 1)
    )
    answer = ana_client.get(address)
    assert answer["Content-Type"] == "application/zip"
    with ZipFile(BytesIO(answer.content)) as archive:
        files = {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
    name = "npcs" if "npcs" in address else "roster"
    assert list(files) == [f"{name}-1.csv", f"{name}-2.csv"]
    assert answer["Content-Disposition"] == f'attachment; filename="{name}.zip"'
    read = [preview(text, "cosmos", {}).wanted for text in files.values()]
    assert [len(some) for some in read] == [MAX_ROWS, 1]
    assert {one.name for some in read for one in some} == {f"Zara {n}" for n in range(MAX_ROWS + 1)}


def test_roster_with_too_many_items_or_letters_is_cut(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [make(f"Zara {number}", notes="x" * 4_000) for number in range(4)]

    def read_all() -> list[int]:
        texts = [raw.decode("utf-8-sig") for raw in write_rosters(made)]
        return [len(preview(text, "cosmos", {}).wanted) for text in texts]

    assert read_all() == [4]
    for place in (previews, previews):
        monkeypatch.setattr(place, "MAX_THINGS_AT_ONCE", 2 * len(SHEET["items"]))
    assert read_all() == [2, 2]
    monkeypatch.undo()
    monkeypatch.setattr(reading, "MAX_BYTES", 15_000)
    assert read_all() == [2, 2]


# ---------------------------------------------------------------- tables of other kinds


def read_all(text: str, usual: str, **answers: str) -> list[tuple[str, str]]:
    """The names and summaries of what a table makes, with answers to its questions."""
    shown = preview(text, usual, {f"roster.{key.replace('_', '.')}": said for key, said in answers.items()})
    return [(one.found.name, one.summary) for one in shown.entries]


TURNED = "Name,Ann,Bo\nSTR,7,8\nDEX,7,6\nEND,4,4\nINT,5,5\nEDU,5,6\nSOC,7,7\n"


def test_turned_table_is_asked_and_likely_read_by_columns() -> None:
    assert read_all(TURNED, "cepheus") == [("Ann", "774557"), ("Bo", "864567")]
    shown = preview(TURNED, "cepheus", {})
    assert [one.text for one in shown.questions] == ["The table looks turned: where are the characters?"]
    with pytest.raises(ValidationFailed) as caught:
        read_all(TURNED, "cepheus", way="lines")
    assert "(Ann, Bo)" in str(caught.value.problems[0]), "these are no columns of the game"
    assert not preview("Name,STR,DEX\nAnn,7,8\nDEX,8,7\n", "cepheus", {}).questions
    assert [name for name, _ in read_all("Name,Ann,Bo,Min\nSTR,7,8,9\nDEX,7,6,5\n", "cepheus")][2] == "Min"
    assert not preview("Name,STR,DEX\nEnd,7,8\nMin,8,7\n", "cepheus", {}).questions, "odd names"
    games = "Name,Ann,Bo\nGame,cepheus,cosmos\nNotes,tall,small\n"
    assert [one.system for one in preview(games, "cosmos", {}).entries] == ["cepheus", "cosmos"]


@pytest.mark.parametrize("name", ["Total", "TOTAL:", "Sum", "Average", "Grand total", "Subtotal"])
def test_sum_below_the_characters_is_asked_and_likely_none(name: str) -> None:
    text = f"Name,STR,DEX\nAnn,7,7\nBo,8,8\n{name},15,15\n"
    assert read_all(text, "cepheus") == [("Ann", "777777"), ("Bo", "887777")]
    (question,) = preview(text, "cepheus", {}).questions
    assert question.text == f"Line 4, “{name}”: what is it?"
    assert len(read_all(text, "cepheus", sum_4="character")) == 3
    assert len(read_all(f"Name,STR\n{name},7\n", "cepheus")) == 1, "nobody is above it"
    assert len(read_all("Name,STR\nAnn,7\nTotal Annihilator,7\n", "cepheus")) == 2


@pytest.mark.parametrize(
    ("text", "usual", "said"),
    [
        ("Name,Class,Level,HP,AC\nAnn,Bard,3,28,18\n", "cepheus", "Class, Level, HP, AC"),
        ("Name,Class,Level,AC,Str,Dex\nAnn,Bard,3,18,16,14\n", "cepheus", "Class, Level, AC"),
        ("Name,Weight,Price\nRope,5,10\n", "cosmos", "Weight, Price"),
        ("Name,UPP,Gun\nAnn,777777,2\n", "cosmos", "UPP, Gun): choose Cepheus"),
    ],
)
def test_table_of_another_game_is_asked_for_its_game(text: str, usual: str, said: str) -> None:
    (told,) = problems(text, usual)
    assert said in told
    assert "has columns that no sheet of" in told


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("Name,Credits\nAnn,50\nBo,70\n", "cosmos"),
        ("Name,Credits,Homeworld\nAnn,50,Terra\n", "cosmos"),
        ("Name;Notes;Credits\nAnn;tall;50\n", "cepheus"),
    ],
)
def test_people_known_only_by_their_money_are_asked_who_they_are(text: str, usual: str) -> None:
    shown = preview(text, usual, {})
    (question,) = shown.questions
    assert (question.text, question.chosen) == ("Only their money can be read: who are they?", "")
    assert [label for _, label in question.options][1] == "Nobody: do not import them"
    assert [name for name, _ in read_all(text, usual, who="character")] == [
        one.found.name for one in shown.entries
    ]
    with pytest.raises(ValidationFailed) as caught:
        read_all(text, usual, who="left_out")
    assert "nobody to import" in str(caught.value.problems[0])


@pytest.mark.parametrize(
    "text", ["Name,STR,Credits\nAnn,7,50\n", "Name,Game,Credits\nAnn,cepheus,50\n", "Name,Credits\nAnn,\n"]
)
def test_people_known_by_more_than_money_are_not_asked_about(text: str) -> None:
    assert not preview(text, "cepheus", {}).questions


@pytest.mark.parametrize(
    "text",
    [
        "Name\tNotes\nAnn\ttall\n",
        "Name,Class,Level\nAnn,,\n",
        "Name,Game,Class,Level\nAnn,cepheus,Bard,3\n",
        "Name,STR,Homeworld,Age\nAnn,7,Terra,22\n",
    ],
)
def test_table_with_names_or_its_game_is_read(text: str) -> None:
    assert [name for name, _ in read_all(text, "cepheus")] == ["Ann"]
