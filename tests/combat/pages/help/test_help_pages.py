"""The help pages: open to all, complete, and made from what the table uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from characters.faces import SIGNS, STRANGE, VEHICLE
from combat.display.combatants.tokens import Look
from combat.pages.help.marks import LEVELS, OUTCOMES, ROW, view_marks
from combat.pages.help.views import BY_NAME, PAGES, TOPICS, find_neighbours
from combat.pages.table.result_view import RANKS
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.characters import TONES
from combat.rules.core.declaration.parts import load_kinds
from combat.rules.core.space import DARK, DIM, FLOORS, HAZARDS
from combat.rules.core.space.battle_map import THINGS
from tests.combat.visit import read

FOLDER = Path(settings.ROOT) / "templates" / "help"
OPTIONS = Path(settings.ROOT) / "combat" / "pages" / "prep" / "forms.py"


def test_everything_on_the_map_of_marks_lies_in_its_row() -> None:
    """Beside it, and not below it or beyond the edge, stands what it is called."""
    scene = view_marks().plan
    left, top, width, height = scene.box
    assert (left, top, width) == (0, 0, 4)
    areas = [area for floor in scene.land.floors for area in floor.path.split("z") if area]
    assert len(areas) > len(FLOORS)
    for area in areas:
        numbers = [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?", area)]
        xs, ys = numbers[::2], numbers[1::2]
        assert left + 0.2 <= min(xs) <= max(xs) <= left + width - 0.2
        assert min(ys) % ROW == pytest.approx(0.3), "at the top of its row, beside the words"
        assert max(ys) - min(ys) < ROW / 2
    assert height == ROW * sum(len(group.rows) for group in view_marks().plan_groups)


def test_marks_show_the_first_look_of_each_kind_of_being() -> None:
    drawn = [
        one.drawing.face or one.drawing.bust for one in view_marks().busts if isinstance(one.drawing, Look)
    ]
    assert drawn == [*(looks[0] for looks, _ in STRANGE.values()), SIGNS[VEHICLE][0]]


def test_links_to_help_take_nothing_from_the_page_around_them() -> None:
    """A `part` of that page, such as one of a body, is none of the help page."""
    told = [
        (path.name, asked)
        for path in FOLDER.parent.rglob("*.html")
        for asked in re.findall(r'include "help/ask\.html"([^%]*)%', path.read_text())
    ]
    assert told
    assert not [one for one in told if not one[1].rstrip().endswith(" only")]


@pytest.mark.parametrize("name", BY_NAME)
def test_help_page_is_open_to_anyone(client: Client, name: str, db: None) -> None:
    page = read(client.get(f"/help/{name}/"))
    assert page.one("h1").text.strip() == BY_NAME[name].title
    ids = [element["id"] for element in page.elements if element["id"]]
    assert len(ids) == len(set(ids))
    for section in page.all("section"):
        assert section["id"]
    assert not page.all("script", src="")


def test_figure_of_the_table_has_a_line_for_each_of_its_numbers(client: Client, db: None) -> None:
    """It is drawn from the demo's map and an example of the book, with what is said of it in the words."""
    page = read(client.get("/help/gm/"))
    screen = page.one("div", class_="help-screen")
    assert screen["aria-hidden"] == "true"
    numbers = sorted(int(one.text) for one in page.all("i", inside=screen))
    key = page.all("li", inside=page.one("ol", class_="screen-key"))
    assert numbers == [*range(1, len(key) + 1)]
    assert len(page.all("svg", inside=screen, class_="face")) == 2
    assert page.all("svg", inside=screen, class_="picture")
    assert page.all("div", inside=screen, class_="example-loss")


@pytest.mark.parametrize("name", BY_NAME)
def test_help_page_ends_with_where_to_ask_on(client: Client, name: str, db: None) -> None:
    page = read(client.get(f"/help/{name}/"))
    links = [link["href"] for link in page.all("a", inside=page.one("p", class_="help-open"))]
    assert links == ["/help/", "/rules/", "/help/faults/"]


def test_list_leads_to_every_page(client: Client, db: None) -> None:
    page = read(client.get("/help/"))
    cards = page.one("ul", class_="help-cards")
    assert [link["href"] for link in page.all("a", inside=cards)] == [f"/help/{page.name}/" for page in PAGES]


def test_each_question_leads_to_a_part_that_answers_it(client: Client, db: None) -> None:
    asked = [at for topic in TOPICS for _, at in topic.questions]
    assert len(asked) == len(set(asked))
    for at in asked:
        name, _, part = at.partition("#")
        assert read(client.get(f"/help/{name}/")).one(id=part), at
        assert f'href="/help/{name}/#{part}"' in client.get("/help/").content.decode()


@pytest.mark.parametrize(("name", "scenes"), [("", 1), ("gm/", 1), ("player/", 0)])
def test_pictures_of_help_are_drawn_from_a_fight(client: Client, name: str, scenes: int, db: None) -> None:
    page = read(client.get(f"/help/{name}"))
    assert len(page.all("svg", class_="picture")) == scenes
    [card] = page.all("div", class_="result-roll")
    assert len(page.all("svg", inside=card, class_="face")) == 2
    assert "hit" in card.text


def test_neighbours_go_through_all_pages_once() -> None:
    seen = [PAGES[0]]
    while (page := find_neighbours(seen[-1])[1]) is not None:
        seen.append(page)
    assert tuple(seen) == PAGES
    assert find_neighbours(PAGES[0])[0] is None


def test_unknown_help_page_is_not_found(client: Client, db: None) -> None:
    for name in ["cake", "GM", "page", "list", "hints/gm"]:
        assert client.get(f"/help/{name}/").status_code == 404, name


def test_house_rules_say_how_many_choices_each_game_has(client: Client, db: None) -> None:
    page = read(client.get("/help/house-rules/"))
    listed = [item.text for item in page.all("li") if "choices" in item.text]
    counts = [len(find_system(slug).book.options) for slug in SYSTEMS]
    assert [int(text.split()[-2]) for text in listed] == counts
    assert min(counts) > 0


def test_hosting_page_names_every_variable_of_the_settings(client: Client, db: None) -> None:
    code = [path.read_text("utf-8") for path in (Path(settings.ROOT) / "cosmos_site").glob("*.py")]
    read_by = re.compile(r"""(?:env\.\w+[(,]|environ\.get\(|switch\()\s*"([A-Z_]+)\"""")
    variables = {name for text in code for name in read_by.findall(text)}
    page = read(client.get("/help/hosting/"))
    listed = " ".join(row.text for row in page.all("tr"))
    assert len(variables) > 10
    assert [name for name in variables if not re.search(rf"\b{name}\b", listed)] == []


def test_wide_tables_scroll_on_a_phone_and_the_page_does_not(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/help/hosting/")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


PROMISED = {
    "gm": "Roll initiative, Next turn",
    "between": """Fight again, Copy encounter, Archive, Restore, Downtime, GM actions, New NPC,
        Next fight, Update character sheets, Two-step sign-in, Delete permanently""",
    "house-rules": "House rules, At the table",
}


@pytest.mark.parametrize("name", PROMISED)
def test_what_help_names_is_on_a_page(client: Client, name: str, db: None) -> None:
    """A button or heading that is renamed is renamed in Help too."""
    text = read(client.get(f"/help/{name}/")).one("article").text
    pages = [page for page in FOLDER.parent.rglob("*.html") if FOLDER not in page.parents]
    source = " ".join(page.read_text("utf-8") for page in pages) + OPTIONS.read_text("utf-8")
    for label in map(str.strip, PROMISED[name].split(",")):
        assert label in text, label
        assert re.search(rf">\s*{label}\b|\b{label}[<{{]|\"{label}\"", source), label


def test_marks_show_every_icon_once_and_every_condition() -> None:
    marks = view_marks()
    kinds = [kind for group in marks.icons for kind, _ in group.kinds]
    assert len(kinds) == len(set(kinds))
    used = {kind for slug in SYSTEMS for kind, _ in find_system(slug).kinds.legend}
    assert set(kinds) == used <= set(load_kinds())
    assert [game.system.slug for game in marks.conditions] == list(SYSTEMS)
    assert all(game.kinds for game in marks.conditions)


def test_marks_know_every_level_of_health_and_every_outcome() -> None:
    assert len(LEVELS) == len(TONES)
    assert set(OUTCOMES) == set(RANKS)


def test_every_thing_of_the_map_key_has_a_row_of_its_own() -> None:
    marks = view_marks()
    plan, land = marks.plan.plan, marks.plan.land
    shown = [(words.lower(), at) for group in marks.plan_groups for at, words in group.rows]
    assert [at for _, at in shown] == [ROW * row for row in range(len(shown))]
    rows = dict(shown)
    assert len(plan.doors) + len(plan.walls) + len(plan.lights) + len(plan.hidden) == 9
    assert {floor.look for floor in land.floors} == set(FLOORS)
    assert {one.look for one in land.signs} == set(HAZARDS)
    assert all(rows[one.look] < one.spot[1] < rows[one.look] + ROW for one in land.signs)
    assert {look for one in plan.things for look in THINGS if f"t-{look}" in one.look.split()} == set(THINGS)
    assert {*FLOORS, *HAZARDS, *THINGS, DIM, DARK} <= rows.keys()
    assert land.dim.startswith(f"M0.3 {rows[DIM] + 0.3:g}")
    assert land.dark.startswith(f"M0.3 {rows[DARK] + 0.3:g}")


def test_texts_of_help_name_no_game() -> None:
    names = [find_system(slug).name for slug in SYSTEMS]
    texts = {path.name: path.read_text("utf-8") for path in FOLDER.rglob("*.html")}
    assert len(texts) > len(PAGES)
    assert [(file, name) for file, text in texts.items() for name in names if name in text] == []


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("how do I place people?", "/help/gm/#prepare"),
        ("projector", "/help/gm/#share"),
        ("COSMOS_DATA", "/help/hosting/#main"),
    ],
)
def test_help_is_searched_by_question_and_by_word(client: Client, asked: str, first: str, db: None) -> None:
    page = read(client.get("/help/", {"q": asked}))
    hits = [link["href"] for link in page.all("a", inside=page.one("ul", class_="help-cards"))]
    assert first in hits[:4]
    for address in hits:
        assert read(client.get(address.partition("#")[0])).one(id=address.partition("#")[2])


def test_question_without_an_answer_says_so(client: Client, db: None) -> None:
    for asked in ("zzzz", "???"):
        assert "0 answers" in client.get("/help/", {"q": asked}).content.decode()
