"""The table in parts: a page that merges what it lacks equals a whole one, and little is sent."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.safestring import mark_safe
from msgspec.structs import replace
from pytest_django import Settings

from combat.display.drawings import MAX_KEPT, Drawing, Drawings
from combat.display.log import step_drawing
from combat.display.page_parts import Part, Piece
from combat.display.table import parts
from combat.models import Encounter
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import Cast, come
from tests.combat.views.requests.test_queries import lengthen
from tests.combat.views.table.patching import Node, OpenPage, open_anew, parse
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, load, state_of
from tests.thinning import thin

MAX_DRAWN = 8  # parts, when someone was hurt
LOOKERS = ("gm", "player", "other", "watcher")
ACTIONS: dict[str, dict[str, str]] = {
    "next turn": {"do": "next_turn"},
    "attack": {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": PISTOL, "dice": "app"},
    "attack with a table's dice": {
        "do": "attack",
        "combatant": ZARA,
        "target": PIRATE,
        "weapon": PISTOL,
        "dice": "table",
    },
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
def drawings(monkeypatch: pytest.MonkeyPatch) -> Drawings:
    """Empty the memory of drawings, as in a new process."""
    fresh = Drawings(MAX_KEPT)
    for one in (parts, step_drawing):
        monkeypatch.setattr(one, "DRAWINGS", fresh)
    return fresh


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


@pytest.mark.parametrize("seed", thin(range(2), 0))
def test_parts_taken_in_one_after_another_make_the_whole_page(open_pages: Pages, seed: int) -> None:
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


def test_turn_like_those_before_draws_neither_clock_nor_head_nor_log(
    open_pages: Pages, drawings: Drawings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is only written there is new each turn: it is filled into what was drawn."""
    page, clocks, drawn = open_pages["gm"], [read_clock(open_pages["gm"])], list[str]()
    make = drawings.make

    def note(template: str, given: dict[str, Any]) -> Drawing:
        drawn.append(template)
        return make(template, given)

    monkeypatch.setattr(drawings, "make", note)
    for turn in range(12):
        if turn == 9:
            assert "combat/log/log_step.html" in drawn
            drawn.clear()
        assert page.post(do="next_turn") == 200
        clocks.append(read_clock(page))
    assert len({*clocks}) == len(clocks)
    written = {"combat/table/bar_clock.html", "combat/table/turn/turn_head.html", "combat/log/log_step.html"}
    assert not written & {*drawn}


def read_clock(page: OpenPage) -> str:
    """The words of the clock."""
    lines = [line.strip() for line in page.root.find("bar-clock").lines()]
    return " ".join(line for line in lines if not line.startswith("<"))


def test_words_that_are_filled_in_are_escaped(open_pages: Pages) -> None:
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


def test_menu_of_a_row_comes_again_only_when_it_has_changed(pages: dict[str, OpenPage]) -> None:
    page, menu, row = pages["gm"], f"menu-{PIRATE}", f"row-{PIRATE}"
    found = changed(page, lambda: page.post(**ACTIONS["damage"]))
    assert row in found
    assert menu not in found
    assert "Damage…" in " ".join(page.shows())
    assert {row, menu} <= changed(page, lambda: page.post(do="hide", target=PIRATE, hidden="true"))
    assert {row, menu} <= changed(page, lambda: page.look(f"?combatant={PIRATE}&row=damage"))


def test_row_comes_with_those_of_its_pieces_that_a_page_lacks() -> None:
    body, menu = (
        Piece(f"<{name}/>", Drawing(mark_safe(f"<{name}>new</{name}>"), f"{name}2")) for name in "bm"
    )
    row = Part("f1", "<b/><m/>", "row.b2.m2", (body, menu))
    whole = "<b>new</b><m>new</m>"
    assert row.lack("old.b2.m2") == "<b/><m/>"
    assert row.lack("old.b1.m2") == "<b>new</b><m/>"
    assert row.lack("old.b2.m1") == "<b/><m>new</m>"
    assert row.lack("old.m2") == "<b>new</b><m/>"  # it had another number of pieces
    assert row.lack("old.m2.x1.b2") == "<b/><m/>"  # in other places
    assert row.lack("b2") == row.lack("") == row.html == whole
    assert replace(row, is_whole=True).lack("old.b2.m2") == whole


@pytest.fixture
def crowd(gm: User, gm_client: Client) -> OpenPage:
    """The GM's page of a fight in which most can do the same."""
    page = OpenPage(gm_client, f"/encounters/{make_demo_fight(gm, 'cosmos').pk}/")
    page.post(do="start", dice="app")
    page.post(do="next_turn")
    return page


def find_groups(page: OpenPage) -> dict[str, Node]:
    """The groups of actions on offer, by their ids."""
    named = {node.attrs.get("id", ""): node for node in page.table.walk()}
    return {name: node for name, node in named.items() if name.startswith("group-")}


def find_links(page: OpenPage) -> list[str]:
    """The addresses of all actions in the groups."""
    return [
        node.attrs["href"]
        for group in find_groups(page).values()
        for node in group.walk()
        if node.attrs.get("id", "").startswith("act-")
    ]


def test_groups_of_actions_stay_when_the_next_can_do_the_same(crowd: OpenPage) -> None:
    before = find_groups(crowd)
    crowd.post(do="next_turn")
    after = find_groups(crowd)
    stayed = {name for name, node in after.items() if before.get(name) is node}
    assert "group-move" in stayed
    assert "group-standard" not in stayed, "an attack that reaches nobody stands there, not among the usual"
    assert all(node.children for node in after.values())
    assert crowd.shows() == open_anew(crowd)


def test_link_of_a_group_opens_the_form_of_whose_turn_it_is_and_a_reload_keeps_it(crowd: OpenPage) -> None:
    actor, links = find_acting(crowd).removeprefix("figure-"), find_links(crowd)
    assert links
    assert all(link.startswith("?do=") for link in links)
    name = links[0].removeprefix("?do=")
    crowd.look(links[0])
    asked = [node.attrs for node in crowd.root.find(f"form-{name}").walk() if node.tag == "input"]
    assert {one["value"] for one in asked if one.get("name") == "combatant"} == {actor}
    assert crowd.table.attrs["data-again"] == f"{crowd.path}?combatant={actor}&do={name}"


def test_links_of_someone_chosen_out_of_turn_name_them(crowd: OpenPage) -> None:
    waiting = next(who for who in (ZARA, MARCUS) if f"figure-{who}" != find_acting(crowd))
    crowd.look(f"?combatant={waiting}")
    links = find_links(crowd)
    assert links
    assert all(link.startswith(f"?combatant={waiting}&do=") for link in links)
    assert crowd.shows() == OpenPage(crowd.client, f"{crowd.path}?combatant={waiting}").shows()


def test_passed_turn_brings_neither_doors_nor_the_buttons_of_the_map(gm: User, gm_client: Client) -> None:
    """They come again only when they change: the map of this fight has two doors."""
    page = OpenPage(gm_client, f"/encounters/{make_demo_fight(gm, 'cosmos').pk}/")
    page.post(do="start", dice="app")
    page.post(do="next_turn")
    sent = gm_client.post(page.path, {"do": "next_turn"}, headers=page.headers).content.decode()
    for name in ("doors", "steps", "zoom"):
        assert f'<div id="map-{name}" hx-preserve></div>' in sent
    assert "set_door" not in sent
    assert "data-map-view" not in sent


def test_newcomer_comes_in_between_and_others_stay(pages: dict[str, OpenPage]) -> None:
    page = pages["gm"]
    found = changed(page, lambda: page.post(**ACTIONS["duplicate"]))
    assert "rows" in found
    assert not found & {f"row-{who}" for who in (ZARA, PIRATE, MARCUS)}
    assert len(state_of(load_pk(page)).combatants) == 4


def load_pk(page: OpenPage) -> int:
    return int(page.path.strip("/").split("/")[1])


@pytest.mark.parametrize("has", ["nonsense", "a|b|c|d", "gm-True-True|x=1|y=2|z=3", "|" * 40_000, "=|=|=|="])
def test_page_that_says_it_has_something_else_is_sent_whole(cast: Cast, started: Encounter, has: str) -> None:
    for role in ("gm", "player", "watcher"):
        headers = {"HX-Request": "true", "X-Parts": has}
        answer = cast[role].get(f"/encounters/{started.pk}/", headers=headers)
        assert answer.status_code == 200
        assert 'id="table"' in answer.content.decode()
        assert "X-Parts" not in answer


@pytest.mark.parametrize("step", ["x.9999999999", "x.²", "x.9", '"><wbr>.1', "x", ".", "x." + "9" * 9000])
def test_steps_that_no_page_has_go_with_the_whole_log_or_by_a_few_lines(
    cast: Cast, started: Encounter, step: str
) -> None:
    """Anyone may forge what a page claims to have: it costs at most a page, and never comes back."""
    page = OpenPage(cast.watcher, f"/encounters/{started.pk}/")
    has = {"HX-Request": "true", "X-Parts": f"{page.table.attrs['data-parts']} {step}=tag"}
    answer = cast.watcher.get(page.path, headers=has)
    said = answer.content.decode()
    assert answer.headers["X-Parts"] == "some"
    assert len(said) < 100_000
    assert "<wbr>" not in said
    assert said.count('hx-swap-oob="delete"') == (9 if step == "x.9" else 0)
    assert ('id="log-lines"' in said) == (step != "x.9")


def test_refusal_comes_as_a_part_and_goes_again(pages: dict[str, OpenPage]) -> None:
    page = pages["other"]
    assert page.post(do="total_defense", combatant=MARCUS) == 409
    assert page.root.find("notice").attrs["role"] == "alert"
    assert page.whole == 1
    page.look()
    assert page.shows() == open_anew(page)


def test_page_of_another_worker_fits(pages: dict[str, OpenPage], monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that has drawn nothing yet makes the same tags."""
    page = pages["player"]
    monkeypatch.setattr(parts, "DRAWINGS", Drawings(MAX_KEPT))
    submit(load_pk(page), Submission("adjust", {"target": PIRATE, "track": "hp", "by": -1}))
    found = changed(page, page.look)
    assert found.isdisjoint({f"row-{ZARA}", f"row-{MARCUS}", "scene", "bar-clock"})
    assert page.whole == 1


def test_answer_in_parts_has_a_token_that_is_taken(strict_client: Client, started: Encounter) -> None:
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


def test_secret_changes_no_byte_of_anothers_parts(open_pages: Pages) -> None:
    open_pages["gm"].post(do="hide", target=PIRATE, hidden="true")
    for role in ("player", "other", "watcher"):
        open_pages[role].look()
        was = open_pages[role].shows()
        open_pages["gm"].post(**ACTIONS["damage"])
        open_pages[role].look()
        assert open_pages[role].shows() == was
        assert "Pirate" not in str([line for line in was if "row-" in line])


# ---- Drawn once ----


def test_six_who_look_on_cost_one_more_drawing_than_one(started: Encounter, drawings: Drawings) -> None:
    pages = [OpenPage(come(started, "watch", f"W {n}"), f"/encounters/{started.pk}/") for n in range(6)]
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -3}))
    before = drawings.drawn
    pages[0].look()
    first = drawings.drawn
    assert before < first <= before + MAX_DRAWN
    for page in pages[1:]:
        page.look()
    assert drawings.drawn == first
    assert len({tuple(page.shows()) for page in pages}) == 1


# ---- On the wire ----

MAX_OF_A_TURN, MAX_OF_SIXTY = 8_000, 60_000  # bytes


def weigh(client: Client, path: str, has: str = "", **posted: str) -> int:
    """The bytes of an answer to a browser, with its headers, except those that it sets once."""
    headers = {
        "Accept-Encoding": "gzip, deflate, br",
        **({"HX-Request": "true", "X-Parts": has} if has else {}),
    }
    answer = client.post(path, posted, headers=headers) if posted else client.get(path, headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Encoding"] == "gzip"
    return len(answer.content) + len(answer.serialize_headers())


@pytest.mark.parametrize("steps", [10, 1000])
def test_turn_passed_is_small_however_long_the_log_is(cast: Cast, started: Encounter, steps: int) -> None:
    lengthen(started.pk, steps)
    page = OpenPage(cast.gm, f"/encounters/{started.pk}/")
    for _ in range(4):
        has = page.table.attrs["data-parts"]
        assert weigh(cast.gm, page.path, has, do="next_turn") <= MAX_OF_A_TURN
        page.look()
    assert page.whole == 1


def test_answer_leaves_out_the_tags_that_a_page_has(cast: Cast, started: Encounter) -> None:
    for role in LOOKERS:
        page = OpenPage(cast[role], f"/encounters/{started.pk}/")
        begun = page.table.attrs["data-parts"]
        submit(started.pk, Submission("next_turn"))
        answer = cast[role].get(page.path, headers=page.headers)
        told = parse(answer.content.decode()).find("table-now").attrs["data-parts"]
        page.take(answer)
        assert page.whole == 1
        assert told.count("=") < begun.count("=") / 2
        assert page.table.attrs["data-parts"] == OpenPage(cast[role], page.path).table.attrs["data-parts"]


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


def find_acting(page: OpenPage) -> str:
    """The figure of the row whose turn it is."""
    (row,) = [node for node in page.table.walk() if "data-row" in node.attrs and "aria-current" in node.attrs]
    return row.attrs["id"].replace("row-", "figure-")


def test_figures_of_those_who_wait_stay_when_the_turn_passes(bodies: OpenPage) -> None:
    before, changed = find_figures(bodies), {find_acting(bodies)}
    bodies.post(do="next_turn")
    changed.add(find_acting(bodies))
    assert len(changed) == 2
    after = find_figures(bodies)
    assert len(after) > 2
    assert {name for name, lines in after.items() if lines != before[name]} <= changed
    assert bodies.shows() == open_anew(bodies)


def test_link_of_a_part_opens_the_form_of_whose_turn_it_is_and_a_reload_keeps_it(bodies: OpenPage) -> None:
    actor = find_acting(bodies).removeprefix("figure-")
    links = [node.attrs.get("href", "") for node in bodies.table.walk() if node.tag == "a"]
    link = next(link for link in links if link.startswith("?do=attack&target="))
    bodies.look(link)
    asked = [node.attrs for node in bodies.root.find("form-attack").walk() if node.tag == "input"]
    assert {one["value"] for one in asked if one.get("name") == "combatant"} == {actor}
    assert bodies.table.attrs["data-again"] == f"{bodies.path}?combatant={actor}&{link[1:]}"


def test_row_and_step_are_drawn_once_for_players_and_spectators(
    started: Encounter, pages: dict[str, OpenPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    draw = Drawings.make

    def note(self: Drawings, template: str, given: dict[str, Any]) -> Drawing:
        made.append(template)
        return draw(self, template, given)

    watcher = OpenPage(come(started, "watch", "W"), f"/encounters/{started.pk}/")
    pages["other"].look()
    submit(started.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -3}))
    monkeypatch.setattr(Drawings, "make", note)
    pages["other"].look()
    watcher.look()
    assert (made.count(parts.ROW.template), made.count(step_drawing.TEMPLATE)) == (1, 1)


def test_answer_without_a_form_makes_no_token(
    pages: dict[str, OpenPage], started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages["other"].look()
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -40}))
    monkeypatch.setattr("combat.views.table.table.get_token", lambda request: pytest.fail("made a token"))
    found = changed(pages["other"], pages["other"].look)
    assert f"row-{PIRATE}" in found
