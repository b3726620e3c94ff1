"""The rulebook pages; every link to a rule leads to its place there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from combat.models import Encounter
from combat.pages.book.examples import _say_place, find_cards, find_hit
from combat.pages.book.views import MAX_FOUND
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.numbers import HYPHEN_FOR_MINUS
from combat.rules.core.book.examples import Example, Person, load_examples
from combat.templatetags.table import printed
from tests.combat.cast import Cast
from tests.combat.markup import Element, Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import PIRATE, PISTOL, SLUG, ZARA, Visit, read, state_of

SYSTEM = find_system(SLUG)
_books: dict[str, Page] = {}


def open_book(client: Client, slug: str) -> Page:
    """The page of a whole rulebook, read once: it is the same for everybody."""
    if slug not in _books:
        _books[slug] = read(client.get(f"/rules/{slug}/whole/"))
    return _books[slug]


@every_slug
def test_rulebook_has_an_anchor_for_every_rule_and_ruling(client: Client, slug: str, db: None) -> None:
    page = open_book(client, slug)
    ids = [e["id"] for e in page.elements if e["id"]]
    book = find_system(slug).rulebook
    assert len(ids) == len(set(ids))
    assert set(book.rules) <= set(ids)
    assert set(book.rulings) <= set(ids)
    for link in page.all("a", class_="rule"):
        assert link["href"].split("/")[-2] in ids


def test_rulebook_is_searched(client: Client, db: None) -> None:
    page = read(client.get("/rules/cosmos/", {"q": "bleeding"}))
    found = [e["id"] for e in page.elements if e["id"] in SYSTEM.rulebook.rules]
    assert sorted(found) == sorted(rule.id for rule in SYSTEM.rulebook.search("bleeding"))
    tables = [e["id"] for e in page.all("figure")]
    rulings = [e["id"] for e in page.elements if e["id"] in SYSTEM.rulebook.rulings]
    count = f"{len(found)} rules, {len(tables)} tables and {len(rulings)} rulings for “bleeding”."
    assert count in page.one("main").text
    assert " ".join(page.one("div", id="found")["data-announce"].split()) == count
    assert "table-conditions" in tables
    assert "R38" in rulings
    assert page.one("input", name="q")["value"] == "bleeding"
    for link in page.all("a", class_="rule"):  # not every rule is on this page
        assert client.get(link["href"]).status_code == 302


def test_search_that_finds_nothing_says_so(client: Client, db: None) -> None:
    for q in ["zzzz", "<script>alert(1)</script>", "\0", "x" * 10_000, "🚀", "' OR 1=1"]:
        found = client.get("/rules/cosmos/", {"q": q})
        assert found.status_code == 200, q[:30]
        assert "No rule mentions that" in found.content.decode(), q[:30]
        assert "<script>alert" not in found.content.decode(), q[:30]


def test_rulebooks_are_listed_and_strange_games_are_not_there(client: Client, db: None) -> None:
    page = read(client.get("/rules/"))
    for slug in SYSTEMS:
        assert page.all("a", href=f"/rules/{slug}/")
    for strange in ("chess", "core", "COSMOS"):
        assert client.get(f"/rules/{strange}/").status_code == 404


def test_covers_show_a_scene_and_how_the_game_plays(client: Client, db: None) -> None:
    page = read(client.get("/rules/"))
    for slug in SYSTEMS:
        cover = page.one("a", href=f"/rules/{slug}/")
        assert page.one("svg", inside=cover, class_="picture"), slug
    cover = page.one("a", href=f"/rules/{SLUG}/")
    assert len(page.all("svg", inside=cover, class_="face")) == 2
    assert (
        " ".join(page.one("div", inside=cover, class_="result-roll").text.split())
        == "5 6 +9 = 20 vs Defense 18 hit"
    )


@every_slug
def test_every_game_that_has_examples_shows_a_hit_with_its_dice(slug: str) -> None:
    if load_examples(find_system(slug).folder).example:
        hit = find_hit(slug)
        assert hit
        [check] = hit.steps[0].checks
        assert (check.verdict, bool(check.faces)) == ("hit", True)


def test_check_of_an_example_has_the_dice_of_its_sum(client: Client, db: None) -> None:
    """A second check of one action has its own dice; dice without modifiers are the total alone."""
    card = find_cards("cosmos", "COS-ATK-03").more[1]
    [check] = card.steps[0].checks
    assert ([(face.shape, face.value) for face in check.faces], check.total) == (
        [("d10", 5), ("d10", 6)],
        "19",
    )
    assert check.terms == (("Coordination", "+6"), ("Half Combat", "+2"))
    [loss] = card.steps[0].losses
    assert (loss.who, loss.track, loss.before, loss.after, loss.percent) == ("Bo", "HP", "96", "91", 94)
    plain = find_hit("cepheus")
    assert plain
    assert [face.value for face in plain.steps[0].checks[0].faces] == [4, 4]
    assert plain.steps[0].dice == "1 + 1 + 1"


@every_slug
def test_ruling_stands_once_beside_the_first_rule_that_needs_it(client: Client, slug: str, db: None) -> None:
    page = open_book(client, slug)
    notes = page.all("div", class_="margin-note")
    shown = [page.all("a", inside=note)[0]["href"].split("/")[-2] for note in notes]
    book = find_system(slug).rulebook
    assert len(shown) == len(set(shown))
    assert set(shown) == {name for rule in book.all_rules.values() for name in rule.rulings}


def test_list_of_rulebooks_counts_each_rule_once(client: Client, db: None) -> None:
    """A chapter that builds on another counts its rules too: the kinds of a book add up to its number."""
    page = read(client.get("/rules/"))
    for slug in SYSTEMS:
        (rules,) = re.findall(r"(\d+) rules", page.one("a", href=f"/rules/{slug}/").text)
        kinds = read(client.get(f"/rules/{slug}/")).one("fieldset", class_="badges").text
        assert int(rules) == sum(int(n) for n in re.findall(r"\d+", kinds)), slug


# ---- Tables, badges, options, rulings ----


@pytest.mark.slow
@every_slug
def test_rulebook_shows_every_table_cell_by_cell(client: Client, slug: str, db: None) -> None:
    page = open_book(client, slug)
    for table in find_system(slug).book.tables():
        figure = page.one("figure", id=f"table-{table.key}")
        cells = [e.text for e in page.all("td", inside=figure) + page.all("th", inside=figure)]
        assert {printed(cell) for row in table.rows for cell in row} <= set(cells)
        told = [n for n, column in enumerate(zip(*table.rows, strict=True)) if {*column} - {"", "–"}]
        assert [table.columns[n] for n in told] == [
            e.text for e in page.all("th", inside=figure, scope="col")
        ][: len(told)]


@every_slug
def test_rulebook_has_true_minuses_and_words_instead_of_keys(client: Client, slug: str, db: None) -> None:
    page = open_book(client, slug)
    said = " ".join(element.text for element in page.all("article") + page.all("figure"))
    assert HYPHEN_FOR_MINUS.findall(said) == []
    assert re.findall(r"\b[a-z]+_[a-z]+\b", said) == []


def test_table_stands_in_its_rules_section_and_leads_to_rules(client: Client, db: None) -> None:
    page = open_book(client, "cosmos")
    ids = [e["id"] for e in page.elements]
    assert ids.index("COS-STATE-23") < ids.index("table-health-states") < ids.index("COS-DMG-01")
    assert ids.index("table-conditions") < ids.index("COS-COND-01")  # of the chapter as a whole
    figure = page.one("figure", id="table-health-states")
    links = [e["href"].split("/")[-2] for e in page.all("a", class_="rule", inside=figure)]
    assert links[0] == "COS-STATE-01"
    assert "COS-STATE-14" in links
    box = page.one("div", class_="book-scroll", inside=figure)
    assert (box["tabindex"], box["role"], box["aria-labelledby"]) == ("0", "region", "caption-health-states")


def test_search_keeps_the_rows_that_mention_it(client: Client, db: None) -> None:
    page = read(client.get("/rules/cosmos/", {"q": "rapier"}))
    rows = page.all("tr", inside=page.one("figure", id="table-things-weapon"))
    assert len(rows) == 2  # the headings and one weapon
    assert "Rapier" in rows[1].text


def test_search_is_for_beginnings_of_words(client: Client, db: None) -> None:
    page = read(client.get("/rules/cosmos/", {"q": "cover"}))
    ids = {e["id"] for e in page.elements}
    assert "COS-COVER-01" in ids
    assert "COS-HEAL-01" not in ids  # of the chapter on recovery


def test_badge_keeps_its_rules_and_nothing_else(client: Client, db: None) -> None:
    for badge in ["automated", "assisted", "reference"]:
        page = read(client.get("/rules/cosmos/", {"show": badge}))
        wanted = [r.id for r in SYSTEM.rulebook.rules.values() if r.automation == badge]
        shown = [e["id"] for e in page.all("article")]
        assert shown == wanted[:MAX_FOUND], badge
        assert ("add a word to see fewer" in page.one("main").text) == (len(wanted) > MAX_FOUND), badge
        assert not page.all("figure"), badge
        assert f"{len(wanted)} {badge}" in page.one("form", class_="book-search").text, badge
        assert page.one("input", id=f"show-{badge}").attrs.keys() >= {"checked"}, badge


@every_slug
def test_rulings_and_rules_lead_to_each_other(client: Client, slug: str, db: None) -> None:
    page, book = open_book(client, slug), find_system(slug).rulebook
    for ruling in book.rulings.values():
        links = page.all("a", class_="rule", inside=page.one("article", id=ruling.id))
        assert [e["href"].split("/")[-2] for e in links] == [r.id for r in book.rules_under(ruling.id)]


def test_rulebook_is_the_same_for_everybody(client: Client, gm_client: Client, db: None) -> None:
    pages = [read(c.get("/rules/cosmos/initiative/")) for c in (client, gm_client)]
    assert len({page.one("article", class_="book-text").text for page in pages}) == 1


# ---- Cards ----


@every_slug
def test_every_rule_and_ruling_has_a_card(client: Client, slug: str, db: None) -> None:
    book = find_system(slug).rulebook
    for entry in (*book.rules, *book.rulings):
        answer = client.get(f"/rules/{slug}/{entry}/", headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert entry in answer.content.decode()
        assert b"<html" not in answer.content
        assert "max-age" in answer["Cache-Control"]


def test_card_says_what_a_rule_says_and_how_it_is_played(client: Client, db: None) -> None:
    answer = client.get("/rules/cosmos/COS-ATK-07/", headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert "Combat skill adds to melee damage." in text
    assert "R8. Melee damage" in text


def test_card_says_what_a_condition_does_and_what_ends_it(client: Client, db: None) -> None:
    kind = SYSTEM.characters.conditions["bleeding"]
    answer = client.get(f"/rules/cosmos/{kind.rule}/", headers={"HX-Request": "true"})
    assert f"<b>Bleeding:</b> {kind.text} Ends: {kind.ends}." in answer.content.decode()


def test_card_without_a_script_is_the_place_in_the_book(client: Client, db: None) -> None:
    answer = client.get("/rules/cosmos/COS-ATK-07/")
    assert (answer.status_code, answer["Location"]) == (
        302,
        "/rules/cosmos/making-attacks/#COS-ATK-07",
    )


@pytest.mark.parametrize("rule", ["COS-ATK-99", "SS-INIT-01", "cos-atk-01", "<b>", "\0"])
def test_card_of_no_rule_is_not_there(client: Client, rule: str, db: None) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        assert client.get(f"/rules/cosmos/{quote(rule)}/", headers=headers).status_code == 404


# ---- Makers and licenses ----

HIDDEN = "What can be learned about hidden combatants"


def find_own_notices() -> list[str]:
    """The notices in folders of games."""
    paths = [find_system(slug).folder / "NOTICE" for slug in SYSTEMS]
    return [path.read_text("utf-8") for path in paths if path.exists()]


def test_about_page_names_every_maker_and_license(client: Client, db: None) -> None:
    page = read(client.get("/rules/about/"))
    heads = [e.text for e in page.all("h2")]
    notice = (settings.ROOT / "NOTICE").read_text("utf-8")
    assert heads == [
        "Cosmos Table",
        "Cosmos Engine",
        "Cepheus, Cepheus quick rules",
        "Star Shock",
        "Cosmic Guardians",
        "Words",
        "Scripts",
        "Typefaces",
        *[own.partition("\n")[0] for own in find_own_notices()],
        HIDDEN,
    ]
    own = r"([\w ]+: )?Its rules as they are played here|Their licenses"
    text = re.sub(own, "", page.one("main").text)
    for told in (notice, *find_own_notices()):
        assert "".join(told.split()) in "".join(text.split())
    for slug in SYSTEMS:
        assert page.all("a", href=f"/rules/{slug}/")
    assert page.all("a", href="https://creativecommons.org/licenses/by/4.0/")
    assert page.all("a", href="https://creativecommons.org/licenses/by-nc-sa/4.0/")
    assert page.all("a", href="https://github.com/magicat777/CosmosEngineRPG")
    assert page.all("a", href="https://github.com/Ben-Kantor/Star-Shock")


OPEN = "OGL-1.0a.txt"  # the license of the Open Game Content


def test_open_game_license_ships_whole_and_is_on_the_about_page(client: Client, db: None) -> None:
    text = (settings.ROOT / OPEN).read_text("utf-8")
    project = tomllib.loads((settings.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert OPEN in project["license-files"]
    main = read(client.get("/rules/about/")).one("main").text
    assert "".join(text.split()) in "".join(main.split())


def test_section_15_names_every_source_and_ourselves_last() -> None:
    text = (settings.ROOT / OPEN).read_text("utf-8")
    notices = text.partition("15. COPYRIGHT NOTICE")[2]
    for source in (
        "Open Game License v 1.0a Copyright 2000, Wizards of the Coast",
        "High Guard System Reference Document",
        "Mercenary System Reference Document",
        "Modern System Reference Document",
        "Swords & Wizardry Core Rules",
        "System Reference Document, Copyright 2000, Wizards of the Coast",
        "T20 - The Traveller's Handbook",
        "Traveller System Reference Document",
        "Cepheus Engine System Reference Document, Copyright © 2016 Samardan Press",
    ):
        assert source in notices
    assert notices.strip().splitlines()[-1].startswith("Cosmos Table,")


def test_notice_names_open_game_content_and_claims_nothing() -> None:
    notice = " ".join((settings.ROOT / "NOTICE").read_text("utf-8").split())
    (named,) = re.findall(
        r"every \.toml file in the folder (combat/rules/\w+) and in all folders in it", notice
    )
    assert named == "combat/rules/cepheus"
    assert "The MIT License does not cover them" in notice
    assert "is not affiliated" in notice
    marked = [file for file in (settings.ROOT / "combat").rglob("*.toml") if is_marked(file)]
    assert len(marked) > 10
    assert all(file.is_relative_to(settings.ROOT / named) for file in marked)
    assert {*(settings.ROOT / named / "data").glob("*.toml")} <= {*marked}


def is_marked(file: Path) -> bool:
    """Whether a file says that it is Open Game Content."""
    return "Open Game Content" in file.read_text("utf-8")


def test_license_covers_the_program_and_links_the_games_notice() -> None:
    text = (settings.ROOT / "LICENSE").read_text("utf-8")
    assert "This license covers the program." in text
    assert "see NOTICE" in text


# ---- Links ----


def rule_links(page: Page) -> set[str]:
    """The rules a page links to, each always by the same address."""
    hrefs = {link["href"] for link in page.all("a", class_="rule")}
    assert all(href.startswith(f"/rules/{SLUG}/") for href in hrefs)
    return {href.split("/")[-2] for href in hrefs}


@pytest.mark.slow
def test_every_rule_link_of_table_and_log_leads_to_its_anchor(gm_client: Client, over: Encounter) -> None:
    """Play the whole demo fight, and open every form of every combatant in turn."""
    for option in SYSTEM.book.options:
        submit(over.pk, Submission("set_option", {"key": option.key, "value": option.default}))
    submit(over.pk, Submission("set_setting", {"key": "light", "value": "dim"}))
    address = f"/encounters/{over.pk}/"
    pages = [read(gm_client.get(f"{address}log/", {"page": n})) for n in (1, 2)]
    pages += [read(gm_client.get(f"{address}prep/"))]
    visit = Visit(gm_client, over.pk)
    for _ in range(30):
        undo(over.pk)
        if state_of(over.pk).phase != "fight" or state_of(over.pk).round == 2:
            break
    pages.append(visit.page())
    visit.stay()
    for name, action in SYSTEM.actions.by_name.items():
        if action.who != "gm":
            pages.append(visit.page(do=name, combatant=state_of(over.pk).active))
    found = set().union(*map(rule_links, pages))
    known = set(SYSTEM.rulebook.rules) | set(SYSTEM.rulebook.rulings)
    assert found - known == set()
    assert len(found) > 50


def rules_in(page: Page, element: Element) -> set[str]:
    """The rules that a part of a page links to."""
    return {link["href"].split("/")[-2] for link in page.all("a", class_="rule", inside=element)}


@pytest.mark.slow
def test_every_form_leads_to_its_rule_and_those_of_its_fields(visit: Visit) -> None:
    visit.stay()
    state = state_of(visit.pk)
    offered = 0
    for name, action in SYSTEM.actions.by_name.items():
        page = visit.page(do=name, combatant=state.active)
        for form in page.all("form", id=f"form-{name}"):
            fields = action.find_fields(state, state.active)
            assert {action.rule, *(field.rule for field in fields)} - {""} <= rules_in(page, form), name
            offered += 1
    assert offered > 15


def test_refusals_conditions_surroundings_lead_to_their_rules(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("give_condition", {"target": ZARA, "kind": "bleeding"}))
    submit(started.pk, Submission("set_setting", {"key": "light", "value": "dim"}))
    page = read(cast.gm.get(f"/encounters/{started.pk}/"))
    greyed = page.all("div", class_="action-off")
    assert greyed
    for div in greyed:
        labels = page.one("b", inside=div).text.split(" · ")
        assert 1 <= len(rules_in(page, div)) <= len(labels)
    assert rules_in(page, page.one(id=f"row-{ZARA}")) == {"COS-COND-01"}
    assert rules_in(page, page.one("form", class_="differs")) == {"COS-COVER-07"}
    page = read(cast.player.get(f"/encounters/{started.pk}/"))
    assert rules_in(page, page.one("ul", aria_label="Environment")) == {"COS-COVER-07"}


def test_prompt_leads_to_the_rule_that_asks(gm_client: Client, started: Encounter) -> None:
    submit(started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, typed=True))
    page = read(gm_client.get(f"/encounters/{started.pk}/"))
    assert "COS-ATK-01" in rules_in(page, page.one(id="prompt"))


def test_preparation_leads_to_the_rule_of_each_setting(gm_client: Client, prepared: Encounter) -> None:
    wanted = {s.rule for s in SYSTEM.book.settings} | {o.ruling for o in SYSTEM.book.options}
    found: set[str] = set()
    for group in read(gm_client.get(f"/encounters/{prepared.pk}/prep/")).all("details", class_="rule-row"):
        page = read(
            gm_client.get(f"/encounters/{prepared.pk}/prep/?open={group['id'].removeprefix('options-')}")
        )
        found |= rules_in(page, page.one("main"))
    assert wanted - {""} <= found


@every_slug
def test_each_rule_shows_one_example_and_folds_the_others(client: Client, slug: str, db: None) -> None:
    page = open_book(client, slug)
    examples = load_examples(find_system(slug).folder)
    assert examples.usual.says in page.one("main").text
    for rule_id in find_system(slug).rulebook.rules:
        rule, found = page.one("article", id=rule_id), len(examples.find_about(rule_id))
        assert len(page.all("div", class_="example", inside=rule)) == found
        folded = [page.all("div", class_="example", inside=fold) for fold in page.all("details", inside=rule)]
        assert list(map(len, folded)) == ([found - 1] if found > 1 else [])


def test_an_example_reads_like_the_book(client: Client, db: None) -> None:
    page = open_book(client, "cosmos")
    card = page.all("div", class_="example", inside=page.one("article", id="COS-ATK-03"))[2]
    assert [p.text for p in page.all("p", inside=card)] == [
        "A damaged weapon has no bonus",
        "Ada: Pistol: damaged 2 · Bo: 10 m away",
        "Ada: Attack (Bo, Pistol)",
        "Defense: Base +10, Coordination +6, Half Combat +2 = 18",
        "Total: Damage 1d8 +5 = 5",
        "Ada attacks Bo (19 vs Defense 18): hit. Bo loses 5 HP (96 → 91): Pistol.",
    ]


@pytest.mark.parametrize(
    ("at", "place"),
    [
        ((2, 3), "in Hall"),
        ((6, 6), "in Hall"),
        ((1.9, 3), "3.6 m away"),
        ((2, 2.9), "3.5 m away"),
        ((6.1, 6), "8.6 m away"),
        ((6, 6.1), "8.6 m away"),
        ((0, 0), ""),
    ],
)
def test_a_zone_reaches_to_its_edges_in_an_example(at: tuple[float, float], place: str) -> None:
    hall = {"name": "Hall", "x": 2, "y": 3, "width": 4, "depth": 3}
    ada, bo = Person("Ada"), Person("Bo", at=at)
    assert _say_place(SYSTEM, Example((), (ada, bo), zones=(hall,)), bo, ada) == place


def test_large_numbers_of_tables_have_commas(client: Client, db: None) -> None:
    table = open_book(client, "cosmos").one("figure", id="table-things-weapon")
    assert "10,000" in table.text
    assert "10000" not in table.text


@pytest.mark.parametrize(
    ("rule_id", "kind", "words"),
    [
        ("COS-ACT-05", "example-do", "Ada: Complex device (The reactor console) costs Standard 1"),
        ("COS-HAZ-11", "example-do", "Apply a shock (Arc, Near Ada, Near Di) dice 3 + 5 + 2"),
        ("COS-ENV-03", "example-do", "Apply a fall (Ada, Meters 9)"),
        ("COS-ENV-21", "example-who", "Ada: Basic suit, Basic suit: worn · Bo · Temperature: Extreme cold"),
    ],
)
def test_an_example_says_costs_places_and_what_is_worn(
    client: Client, rule_id: str, kind: str, words: str, db: None
) -> None:
    page = open_book(client, "cosmos")
    said = page.all("p", class_=kind, inside=page.one("article", id=rule_id))
    assert words in [" ".join(one.text.split()) for one in said]
