"""The table in regions: a page that takes in what it lacks equals a whole one, and little is sent."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from combat.display import regions
from combat.display.regions import BLANK, Drawn, Region
from combat.models import Encounter
from combat.pages.table.table_regions import ROW, STEP
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import Cast, come
from tests.combat.pages.requests.test_queries import lengthen
from tests.combat.pages.table.patching import OpenPage, open_anew
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, load, state_of
from tests.thinning import thin

MAX_DRAWN = 8  # regions, when someone was hurt
LOOKERS = ("gm", "player", "other", "watcher")
ATTACK = {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": PISTOL}
ACTIONS: dict[str, dict[str, str]] = {
    "next turn": {"do": "next_turn"},
    "attack": {**ATTACK, "dice": "app"},
    "attack with a table's dice": {**ATTACK, "dice": "table"},
    "cancel": {"do": "cancel"},
    "damage": {"do": "adjust", "target": PIRATE, "track": "hp", "points": "3", "sign": "-"},
    "heal": {"do": "adjust", "target": MARCUS, "track": "hp", "points": "2", "sign": ""},
    "hide": {"do": "hide", "target": PIRATE, "hidden": "true"},
    "reveal": {"do": "hide", "target": PIRATE, "hidden": "false"},
    "duplicate": {"do": "duplicate", "target": PIRATE},
    "resize": {"do": "resize", "target": MARCUS, "metres": "3"},
    "rename": {"do": "rename", "target": MARCUS, "name": "Marco & <b>"},
    "reorder": {"do": "reorder", "target": ZARA, "after": MARCUS},
    "note": {"do": "note", "text": "Hm."},
    "undo": {"do": "undo"},
    "redo": {"do": "redo"},
    "end": {"do": "end_fight"},
    "start": {"do": "start", "dice": "app"},
}


@pytest.fixture(autouse=True)
def as_in_play(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing verifies the history after each action; the app's rolls are fixed."""
    settings.COSMOS_VERIFY = False
    monkeypatch.setattr("combat.play.writing.encounter_service.make_secret", lambda: "5" * 64)


@pytest.fixture(autouse=True)
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that were drawn, by a process that had drawn nothing before."""
    made, draw = list[str](), regions._draw

    def note(template: str, shape: Drawn) -> Region:
        made.append(template)
        return draw(template, shape)

    monkeypatch.setattr(regions, "CACHE", regions.RegionCache())
    monkeypatch.setattr(regions, "_draw", note)
    return made


class Pages(dict[str, OpenPage]):
    """The table in people's browsers: each opens it once a test asks for it."""

    def __init__(self, cast: Cast, path: str) -> None:
        super().__init__()
        self.cast, self.path = cast, path

    def __missing__(self, role: str) -> OpenPage:
        return self.setdefault(role, OpenPage(self.cast[role], self.path))


@pytest.fixture
def pages(cast: Cast, started: Encounter) -> Pages:
    """The table, for the browsers of four people."""
    return Pages(cast, f"/encounters/{started.pk}/")


@pytest.fixture
def open_pages(pages: Pages) -> Pages:
    """The table, open in the browsers of four people before anything is done."""
    assert all(pages[role].whole == 1 for role in LOOKERS)
    return pages


@pytest.mark.slow
@pytest.mark.usefixtures("fives")  # a critical hit would keep the other actions waiting
@pytest.mark.parametrize("seed", thin(range(2), 0))
def test_regions_taken_in_one_after_another_make_the_whole_page(open_pages: Pages, seed: int) -> None:
    """Everyone looks now and then: the GM's page after each action, others after several."""
    chance, names = random.Random(seed), list(ACTIONS)
    chance.shuffle(names)
    done = 0
    for name in names:
        done += open_pages["gm"].post(**ACTIONS[name]) == 200
        for role in ("gm", chance.choice(LOOKERS[1:])):
            open_pages[role].look()
            assert open_pages[role].shows() == open_anew(open_pages[role]), f"{role} after {name}"
    assert done > len(names) / 2


def read_clock(page: OpenPage) -> str:
    lines = [line.strip() for line in page.root.find("bar-clock").lines()]
    return " ".join(line for line in lines if not line.startswith("<"))


@pytest.mark.slow
def test_words_of_the_clock_are_escaped(open_pages: Pages) -> None:
    page = open_pages["gm"]
    for _ in range(3):
        if "Marcus" not in read_clock(page):
            page.post(do="next_turn")
    assert page.post(do="rename", target=MARCUS, name="<i>& Marcus") == 200
    whole = page.client.get(page.path).content.decode()
    assert '<span class="clock-turn"><b>&lt;i&gt;&amp; Marcus' in whole
    assert "<i>&" not in whole


@pytest.mark.slow
def test_forms_that_are_opened_and_closed_make_the_whole_page(pages: dict[str, OpenPage]) -> None:
    for query in (
        f"?combatant={PIRATE}",
        f"?combatant={ZARA}&do=attack",
        f"?combatant={PIRATE}&row=damage",
        "?do=note",
        "",
    ):
        for role in ("gm", "player"):
            pages[role].look(query)
            anew = OpenPage(pages[role].client, pages[role].path)
            anew.look(query)
            whole = OpenPage(pages[role].client, pages[role].path + query)
            assert pages[role].shows() == anew.shows() == whole.shows(), (role, query)


def changed(page: OpenPage, act: Callable[[], object]) -> set[str]:
    """The ids of the replaced elements."""
    before = {node.attrs["id"]: node for node in page.table.walk() if "id" in node.attrs}
    act()
    after = {node.attrs["id"]: node for node in page.table.walk() if "id" in node.attrs}
    return {name for name, node in after.items() if before.get(name) is not node}


def test_damage_changes_one_row(pages: dict[str, OpenPage]) -> None:
    page = pages["gm"]
    found = changed(page, lambda: page.post(**ACTIONS["damage"]))
    assert f"row-{PIRATE}" in found
    assert not found & {f"row-{ZARA}", f"row-{MARCUS}", "rows", "scene", "turn-gm", "log-lines"}
    assert page.whole == 1


@pytest.fixture
def crowd(gm: User, gm_client: Client) -> OpenPage:
    """The GM's page of a fight in which most can do the same."""
    page = OpenPage(gm_client, f"/encounters/{make_demo_fight(gm, 'cosmos').pk}/")
    page.post(do="start", dice="app")
    page.post(do="next_turn")
    return page


def find_links(page: OpenPage) -> list[str]:
    """The addresses of all actions in groups."""
    groups = [node for node in page.table.walk() if node.attrs.get("id", "").startswith("group-")]
    inside = [node for group in groups for node in group.walk()]
    return [node.attrs["href"] for node in inside if node.attrs.get("id", "").startswith("act-")]


@pytest.mark.slow
def test_action_links_name_who_acts_and_a_reload_keeps_the_form(crowd: OpenPage) -> None:
    (figure,) = find_acting(crowd)
    actor = figure.removeprefix("figure-")
    waiting = next(who for who in (ZARA, MARCUS) if who != actor)
    links = list[str]()
    for who, query in ((waiting, f"?combatant={waiting}"), (actor, "")):
        crowd.look(query)
        links = find_links(crowd)
        assert links
        assert all(link.startswith(f"?combatant={who}&do=") for link in links)
    crowd.look(links[0])
    name = links[0].partition("do=")[2]
    asked = [node.attrs for node in crowd.root.find(f"form-{name}").walk() if node.tag == "input"]
    assert {one["value"] for one in asked if one.get("name") == "combatant"} == {actor}
    assert crowd.table.attrs["data-again"] == f"{crowd.path}{links[0]}"


@pytest.mark.slow
def test_passed_turn_sends_neither_doors_nor_map_buttons_again(crowd: OpenPage) -> None:
    """They come again only when they change: the map of this fight has two doors."""
    sent = crowd.client.post(crowd.path, {"do": "next_turn"}, headers=crowd.headers).content.decode()
    for name in ("doors", "steps", "zoom"):
        assert f'<div id="map-{name}" data-slot></div>' in sent
    assert "set_door" not in sent
    assert "data-map-view" not in sent


def test_newcomer_comes_in_between_and_others_stay(pages: dict[str, OpenPage]) -> None:
    page = pages["gm"]
    found = changed(page, lambda: page.post(**ACTIONS["duplicate"]))
    assert not found & {"rows", *[f"row-{who}" for who in (ZARA, PIRATE, MARCUS)]}
    assert len(state_of(load_pk(page)).combatants) == 4


def load_pk(page: OpenPage) -> int:
    return int(page.path.strip("/").split("/")[1])


@pytest.mark.slow
def test_page_that_says_it_has_something_else_is_sent_whole(cast: Cast, started: Encounter) -> None:
    claims = ("nonsense", "undefined", "a|b|c|d", "x " * 3_000, BLANK)
    for role, has in product(("gm", "player", "watcher"), claims):
        headers = {"HX-Request": "true", "X-Regions": has}
        answer = cast[role].get(f"/encounters/{started.pk}/", headers=headers)
        assert answer.status_code == 200
        assert 'id="table"' in answer.content.decode()
        assert "HX-Reswap" not in answer, (role, has[:9])


def test_versions_that_a_page_makes_up_change_nothing(cast: Cast, started: Encounter) -> None:
    """Anyone may forge what a page claims to have: it never comes back."""
    page = OpenPage(cast.watcher, f"/encounters/{started.pk}/")
    has = {"HX-Request": "true", "X-Regions": f'{" ".join(page.versions)} x.9 "><wbr>.1 {"9" * 4000}'}
    page.take(answer := cast.watcher.get(page.path, headers=has))
    assert (page.whole, page.sent) == (1, [])
    assert "<wbr>" not in answer.content.decode()


def test_refusal_comes_as_a_region_and_goes_again(pages: dict[str, OpenPage]) -> None:
    page = pages["other"]
    assert page.post(do="total_defense", combatant=MARCUS) == 409
    assert page.root.find("notice").attrs["role"] == "alert"
    assert page.whole == 1
    page.look()
    assert page.shows() == open_anew(page)


def test_page_of_another_worker_fits(pages: dict[str, OpenPage], monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that has drawn nothing yet makes the same versions."""
    page = pages["player"]
    monkeypatch.setattr(regions, "CACHE", regions.RegionCache())
    submit(load_pk(page), Submission("adjust", {"target": PIRATE, "track": "hp", "by": -1}))
    found = changed(page, page.look)
    assert found.isdisjoint({f"row-{ZARA}", f"row-{MARCUS}", "scene", "bar-clock"})
    assert page.whole == 1


def test_answer_in_regions_has_a_token_that_is_taken(strict_client: Client, started: Encounter) -> None:
    strict_client.force_login(started.owner)
    page = OpenPage(strict_client, f"/encounters/{started.pk}/")
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -3}))
    page.look()
    row = page.root.find(f"row-{PIRATE}")
    token = next(
        node.attrs["value"] for node in row.walk() if node.attrs.get("name") == "csrfmiddlewaretoken"
    )
    answer = strict_client.post(page.path, {"do": "note", "text": "Hm.", "csrfmiddlewaretoken": token})
    assert answer.status_code == 303
    assert load(started.pk).steps


def test_secret_changes_no_byte_of_anothers_regions(open_pages: Pages) -> None:
    open_pages["gm"].post(do="hide", target=PIRATE, hidden="true")
    for role in ("player", "other", "watcher"):
        open_pages[role].look()
        was, had = open_pages[role].shows(), open_pages[role].versions
        open_pages["gm"].post(**ACTIONS["damage"])
        open_pages[role].look()
        assert (open_pages[role].shows(), open_pages[role].versions) == (was, had)
        assert "Pirate" not in str([line for line in was if "row-" in line])


# ---- Drawn once ----


@pytest.mark.slow
def test_six_who_look_on_cost_no_more_drawings_than_one(started: Encounter, drawn: list[str]) -> None:
    pages = [OpenPage(come(started, "watch", f"W {n}"), f"/encounters/{started.pk}/") for n in range(6)]
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -3}))
    drawn.clear()
    pages[0].look()
    first = len(drawn)
    assert 0 < first <= MAX_DRAWN
    for page in pages[1:]:
        page.look()
    assert len(drawn) == first
    assert len({tuple(page.shows()) for page in pages}) == 1


# ---- On the wire ----

MAX_OF_A_TURN, MAX_OF_SIXTY = 12_000, 60_000  # bytes


def weigh(client: Client, path: str, has: str = "", **posted: str) -> int:
    """The bytes of an answer to a browser, with its headers, except those that it sets once."""
    headers = {
        "Accept-Encoding": "gzip, deflate, br",
        **({"HX-Request": "true", "X-Regions": has} if has else {}),
    }
    answer = client.post(path, posted, headers=headers) if posted else client.get(path, headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Encoding"] == "gzip"
    return len(answer.content) + len(answer.serialize_headers())


@pytest.mark.slow
@pytest.mark.parametrize("steps", [10, 1000])
def test_turn_passed_is_small_however_long_the_log_is(cast: Cast, started: Encounter, steps: int) -> None:
    lengthen(started.pk, steps)
    page = OpenPage(cast.gm, f"/encounters/{started.pk}/")
    for _ in range(4):
        has = " ".join(page.versions)
        assert weigh(cast.gm, page.path, has, do="next_turn") <= MAX_OF_A_TURN
        page.look()
    assert page.whole == 1


@pytest.mark.slow
def test_first_page_with_sixty_combatants_is_small(cast: Cast, started: Encounter) -> None:
    for _ in range(3):
        submit(started.pk, Submission("join", {"block": "pirate_example", "count": 19}))
    for role in LOOKERS:
        assert weigh(cast[role], f"/encounters/{started.pk}/") <= MAX_OF_SIXTY


# ---- Figures ----


@pytest.fixture
def bodies(gm: User, gm_client: Client) -> OpenPage:
    """The GM's page of a fight in a game that draws bodies part by part."""
    page = OpenPage(gm_client, f"/encounters/{make_demo_fight(gm, 'guardians').pk}/")
    page.post(do="start", dice="app")
    return page


def find_figures(page: OpenPage) -> dict[str, list[str]]:
    """The figures in the rows, by their ids."""
    names = [node.attrs.get("id", "") for node in page.table.walk() if node.tag == "details"]
    return {name: list(page.root.find(name).lines()) for name in names if name.startswith("figure-")}


def list_drawn(page: OpenPage) -> list[str]:
    """The ids of the figures whose parts the page has, which are those that stand open."""
    folds = [page.root.find(name) for name in sorted(find_figures(page))]
    drawn = [fold for fold in folds if any(node.tag == "svg" for node in fold.walk())]
    assert drawn == [fold for fold in folds if "open" in fold.attrs]
    return [fold.attrs["id"] for fold in drawn]


@pytest.mark.slow
def test_parts_are_drawn_only_for_pages_with_their_fold_open(bodies: OpenPage) -> None:
    (first, second, *_), whole = find_figures(bodies), bodies.whole
    assert not list_drawn(bodies)
    bodies.folds = second
    assert second in changed(bodies, bodies.look)
    assert list_drawn(bodies) == [second]
    bodies.post(do="next_turn")
    assert list_drawn(bodies) == [second]
    bodies.folds = ""
    bodies.look(f"?fold={first}")  # its link, without scripts
    assert list_drawn(bodies) == [first]
    who = second.removeprefix("figure-")
    bodies.look(f"?combatant={who}&part={who}.head")  # an open part opens its fold
    assert list_drawn(bodies) == [second]
    assert bodies.whole == whole


def test_help_links_take_nothing_from_the_open_part_of_a_body(bodies: OpenPage) -> None:
    def list_links() -> list[str]:
        hrefs = [node.attrs.get("href", "") for node in bodies.table.walk() if node.tag == "a"]
        return [href for href in hrefs if href.startswith("/help/")]

    links, who = list_links(), next(iter(find_figures(bodies))).removeprefix("figure-")
    assert links
    bodies.look(f"?combatant={who}&part={who}.head")
    assert list_drawn(bodies)
    assert list_links() == links


def test_open_fold_tells_a_watcher_no_more_than_a_closed_one(bodies: OpenPage) -> None:
    """Where the table shows nothing of foes, their figures cannot be asked for."""
    encounter = load_pk(bodies)
    submit(encounter, Submission("set_option", {"key": "foe_health", "value": "nothing"}))
    foe = next(one for one in state_of(encounter).combatants.values() if not one.pc)
    page = OpenPage(come(Encounter.objects.get(pk=encounter), "watch", "W"), bodies.path, f"figure-{foe.id}")
    assert f"figure-{foe.id}" not in find_figures(page)


def find_acting(page: OpenPage) -> set[str]:
    """The figures of the rows whose turn it is."""
    rows = [node for node in page.table.walk() if "data-row" in node.attrs and "aria-current" in node.attrs]
    return {row.attrs["id"].replace("row-", "figure-") for row in rows}


@pytest.mark.slow
def test_figures_of_those_who_wait_stay_when_the_turn_passes(bodies: OpenPage) -> None:
    bodies.folds = " ".join(find_figures(bodies))
    bodies.look()
    before, changed = find_figures(bodies), find_acting(bodies)
    assert list_drawn(bodies) == sorted(before)
    bodies.post(do="next_turn")
    changed |= find_acting(bodies)
    assert len(changed) > 1
    after = find_figures(bodies)
    assert len(after) > 2
    assert {name for name, lines in after.items() if lines != before[name]} <= changed
    assert bodies.shows() == open_anew(bodies)


@pytest.mark.slow
def test_row_and_step_are_drawn_once_for_a_kind_of_viewer(
    started: Encounter, pages: dict[str, OpenPage], drawn: list[str]
) -> None:
    watcher = OpenPage(come(started, "watch", "W"), f"/encounters/{started.pk}/")
    pages["other"].look()
    submit(started.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -3}))
    drawn.clear()
    pages["other"].look()
    watcher.look()
    assert (drawn.count(ROW), drawn.count(STEP)) == (2, 2)


def test_answer_without_a_form_makes_no_token(
    pages: dict[str, OpenPage], started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages["other"].look()
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -40}))
    monkeypatch.setattr("combat.pages.table.views.get_token", lambda request: pytest.fail("made a token"))
    found = changed(pages["other"], pages["other"].look)
    assert f"row-{PIRATE}" in found
