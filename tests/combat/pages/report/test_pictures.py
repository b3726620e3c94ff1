"""The report in pictures: who sees which, what they say, and what a projector's end adds to them."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from combat.display.shapes.result_shapes import ResultView, Rolled
from combat.models import Encounter, ShareLink
from combat.pages.report.pictures import Label, add_points, find_roll, is_beside, say_fallen, say_luckiest
from combat.play.after import reports
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import present
from tests.combat.audience.test_leaks import calm
from tests.combat.cast import Cast, come
from tests.combat.markup import Page
from tests.combat.pages.report.test_report import address
from tests.combat.rules.games import every_slug
from tests.combat.visit import MARCUS, PIRATE, ZARA, begun, read, state_of

SECRET = 7351  # points that appear as no other number


@pytest.fixture(autouse=True)
def two_fights(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forecast of two fights is enough here."""
    monkeypatch.setattr(reports, "FIGHTS", 2)


def look(cast: Cast, encounter: Encounter, role: str, kind: str = "") -> Page:
    return read(cast[role].get(address(encounter, kind)))


@pytest.mark.parametrize(
    ("percents", "told"),
    [
        ({"Zara": 60, "Bo": 40}, "Zara: luckier than 60% of fights."),
        ({"Zara": 60, "Bo": 60, "enemies": 40}, "Zara and Bo: luckier than 60% of fights."),
        ({"Zara": 60, "Bo": 60}, "All were as lucky: luckier than 60% of fights."),
        ({"Zara": 60}, "Zara: luckier than 60% of fights."),
    ],
)
def test_words_under_the_luck_name_all_with_the_most(percents: dict[str, int], told: str) -> None:
    assert say_luckiest(percents) == told


@pytest.mark.slow
def test_head_says_who_beat_whom_and_tags_who_is_out(cast: Cast, ended: Encounter) -> None:
    head = look(cast, ended, "watcher").one("header", class_="end-hero")
    assert (
        "The crew beat the pirates in 6 rounds. Down: Pirate. Still standing: Zara, Marcus (crew)."
        in head.text
    )
    assert "Pirate: down, round 6" in head.text
    for label in ("rounds", "in the game", "at the table", "rolls", "damage"):
        assert label in head.text


@pytest.mark.slow
def test_one_filled_button_is_the_next_thing_to_do(cast: Cast, ended: Encounter) -> None:
    next_step = {"gm": "Hand out loot (3)", "player": "Step by step", "watcher": "Step by step"}
    for role, words in next_step.items():
        page = look(cast, ended, role)
        assert [one.text for one in page.all(class_="btn-primary", inside=page.one("main"))] == [words], role


@pytest.mark.slow
def test_pages_of_the_fight_are_those_that_one_may_use(cast: Cast, ended: Encounter) -> None:
    ways = {
        "gm": "Report Log Step by step What if Fight again",
        "co_gm": "Report Log Step by step What if",
        "player": "Report Log Step by step What if",
        "watcher": "Report Log Step by step",
    }
    for role, words in ways.items():
        page = look(cast, ended, role)
        nav = page.one("nav", aria_label="This fight")
        assert nav.text == words, role
        for link in page.all("a", inside=nav):
            assert cast[role].get(link["href"].partition("#")[0]).status_code == 200, (role, link["href"])


@pytest.mark.slow
def test_turning_points_have_faces_dice_and_a_word(cast: Cast, ended: Encounter) -> None:
    page = look(cast, ended, "player")
    cards = page.all("article", class_="tp")
    assert [page.one(class_="tp-no", inside=card).text for card in cards] == ["1", "2", "3", "4"]
    assert len(page.all("svg", class_="flag")) == 4
    last = cards[-1]
    assert "Zara attacks Pirate. Pirate is dying." in last.text
    assert "hit Pistol, 7 damage before armor" in last.text
    assert len(page.all("svg", class_="shot", inside=last)) == 2
    assert len(page.all("svg", class_="is-gone", inside=last)) == 1
    assert "7 damage" in look(cast, ended, "gm").all("article", class_="tp")[-1].text


@pytest.mark.slow
def test_what_if_at_a_turning_point_opens_a_branch_with_one_tap(cast: Cast, ended: Encounter) -> None:
    for role in ("gm", "player"):
        for kind in ("", "points", "end"):
            page = look(cast, ended, role, kind)
            form = next(one for one in page.all("form") if "What if from here" in one.text)
            answer = cast[role].post(form["action"], {**dict(page.fields(form)), "do": "begin"})
            assert (answer.status_code, "/whatif/" in answer["Location"]) == (303, True), (role, kind)
    assert "What if from here" not in look(cast, ended, "watcher", "points").one("ol").text


def test_points_of_the_end_say_whose_share_they_moved(cast: Cast, ended: Encounter) -> None:
    page = read(cast.gm.get(f"/encounters/{ended.pk}/report/?as=points"))
    told = [one.text for one in page.all("p", class_="point-more")]
    assert told
    assert all(re.search(r"crew's share from \d+% to \d+%$", one) for one in told), told


def test_arrival_of_reinforcements_is_told_beside_initiative(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("duplicate", {"target": PIRATE}))
    spare = present(state_of(started.pk))[-1].id
    submit(started.pk, Submission("hold_back", {"targets": [spare], "when": "hand"}))
    submit(started.pk, Submission("arrive", {"reserve": state_of(started.pk).all_reserves[0].id}))
    submit(started.pk, Submission("end_fight"))
    texts = [
        card.text for card in read(cast.player.get(f"/encounters/{started.pk}/report/")).all(class_="tp")
    ]
    assert ["Reinforcements: Pirate 2." in text for text in texts] == [True]


def test_end_page_and_report_agree_on_who_won_without_a_party(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("join", {"block": "pirate_example", "name": "Guard", "side": "crew"}))
    for who in (ZARA, MARCUS):
        submit(started.pk, Submission("remove", {"target": who}))
    submit(started.pk, Submission("give_condition", {"target": PIRATE, "kind": "unconscious"}))
    submit(started.pk, Submission("end_fight"))
    title = read(cast.gm.get(f"/encounters/{started.pk}/")).one("h2", id="h-turn").text
    assert title == "The crew won: Docking bay 7: the Quick Combat Example"
    assert "The crew beat the pirates in 1 round." in look(cast, started, "gm").one("main").text


def test_numbers_that_the_gm_changed_read_as_such(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -90}))
    submit(started.pk, Submission("end_fight"))
    told = {
        "gm": "Pirate: 80 → −10 HP, changed by the GM; falls unconscious.",
        "player": "Pirate: now dying, changed by the GM; falls unconscious.",
    }
    for role, words in told.items():
        assert words in look(cast, started, role).all(class_="tp")[-1].text


def test_card_of_a_step_that_fells_several_names_them_all(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("duplicate", {"target": PIRATE}))
    other = present(state_of(started.pk))[-1].id
    submit(started.pk, Submission("adjust_each", {"targets": [PIRATE, other], "track": "hp", "by": -90}))
    submit(started.pk, Submission("end_fight"))
    texts = [card.text for card in look(cast, started, "player").all(class_="tp")]
    assert "Pirate and Pirate 2 can no longer fight." in texts[-1]


def test_turning_point_shows_the_roll_that_struck_not_a_miss() -> None:
    miss, hit = (
        Rolled("Attack", (), 7, "app", who="Bo", target=target, verdict=word, tone=tone)
        for target, word, tone in (("Ana", "miss", "is-miss"), ("Cy", "hit", "is-hit"))
    )
    result = ResultView("k", miss, (hit,), changes=(), why=())
    assert find_roll(result, ["Cy"]) is hit
    assert find_roll(result, ["Dee"]) is miss
    assert is_beside(miss, ["Dee"])
    assert not is_beside(miss, ["Bo"]), "who fails their own roll falls by it"
    assert not is_beside(hit, ["Cy"])


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["A", "B"], "A and B can no longer fight."),
        (["A", "B", "C", "D"], "A, B, C and D can no longer fight."),
        (["A", "B", "C", "D", "E"], "A, B, C and 2 others can no longer fight."),
    ],
)
def test_fallen_are_named_and_the_last_of_many_counted(names: list[str], told: str) -> None:
    assert say_fallen(names) == told


def test_recap_is_behind_a_button(cast: Cast, ended: Encounter) -> None:
    page = look(cast, ended, "player")
    files = page.one("details", class_="end-files")
    assert "open" not in files.attrs
    assert page.one("textarea", inside=files)["id"] == page.one("button", data_copy="recap-text")["data-copy"]


@pytest.mark.slow
def test_only_the_gm_gets_points_of_enemies(cast: Cast, ended: Encounter) -> None:
    for role, words in {"gm": "Pirates 0 of 80", "player": "Pirates 0%", "watcher": "Pirates 0%"}.items():
        legend = look(cast, ended, role).one("ul", class_="legend").text
        assert words in legend, role


@time_machine.travel("2030-01-02T03:04:05Z", tick=False)  # the report says how long turns took
def test_secret_numbers_and_secret_steps_change_no_byte(gm: User) -> None:
    """Two fights that differ only in what an enemy lost within one word, and in what the GM did in secret."""
    pages = []
    for lost, notes in ((3, 0), (5, 2)):
        made = begun(gm)
        people = come(made, ShareLink.PLAY, "Pia", ZARA), come(made, ShareLink.WATCH, "Wim")
        submit(made.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -lost}))
        for _ in range(notes):
            submit(made.pk, Submission("note", {"text": f"Secret {SECRET}", "secret": True}))
        submit(made.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -40}))
        submit(made.pk, Submission("end_fight"))
        pages.append(
            [
                calm(client.get(f"/encounters/{made.pk}/report/{kind}").content.decode())
                for client in people
                for kind in ("", "?as=wall")
            ]
        )
    assert pages[0] == pages[1]
    assert all("How it turned" in page or "The moment" in page for page in pages[0])


def test_fight_without_a_roll_has_a_report(started: Encounter, cast: Cast) -> None:
    submit(started.pk, Submission("end_fight"))
    page = look(cast, started, "gm")
    assert "It ends after 1 round with nobody beaten." in page.one("main").text
    assert "No single step turned it." in page.one(id="report").text
    assert "No checks, no luck." in page.one(id="report").text
    assert "Damage" in cast.watcher.get(address(started, "wall")).content.decode()


def test_report_before_the_end_says_so(cast: Cast, started: Encounter) -> None:
    page = look(cast, started, "gm")
    assert "The fight is still on, in round 1." in page.one("main").text
    (back,) = page.all(class_="btn-primary", inside=page.one("main"))
    assert back["href"] == f"/encounters/{started.pk}/"
    assert not cast.player.get(address(started, "wall")).content.strip()


@pytest.mark.slow
def test_wall_shows_damage_luck_and_the_moment(cast: Cast, ended: Encounter) -> None:
    page = look(cast, ended, "watcher", "wall")
    assert [one.text.partition(",")[0] for one in page.all("h3")] == ["Damage", "Luck", "The moment"]
    assert "Zara attacks Pirate." in page.one(class_="wall-moment").text
    ending = read(cast.watcher.get(f"/encounters/{ended.pk}/")).one(class_="ending-low")
    assert ending["hx-get"] == f"/encounters/{ended.pk}/report/?as=wall"


@every_slug
def test_every_game_has_a_report_in_pictures(gm: User, gm_client: Client, slug: str) -> None:
    made = begun(gm, slug, steps=12)
    page = read(gm_client.get(f"/encounters/{made.pk}/report/"))
    assert page.one("svg", class_="flow-plot")["aria-label"].startswith("Round 1: ")
    assert len(page.all("span", class_="dmg-who")) == len(present(state_of(made.pk)))
    assert page.all("svg", class_="map")


def test_tags_lie_beside_names_and_not_on_each_other() -> None:
    """A tag is as far from its own name as from any other words."""
    name, tag, other = (
        Label(10, 10, "Pirate"),
        Label(10, 10, "down, round 6", -1.5, is_tag=True),
        Label(14, 10, "Marcus", 0),
    )
    assert not name.meets(tag, 1)
    assert not name.meets(Label(10, 12, "Zara"), 1)
    assert name.meets(Label(10, 9, "Zara"), 1)
    assert name.meets(other, 1)
    assert not name.meets(other, 0.5)


def test_tags_cover_no_token() -> None:
    for down, covers in ((0, True), (-3, False), (3, False)):
        assert Label(10, 10, "dead, round 1", down, is_tag=True).covers((10, 10), 1, 1) is covers, down
    assert not Label(16, 10, "dead, round 1", is_tag=True).covers((10, 10), 1, 1)


def test_a_corrected_figure_is_no_turning_point(cast: Cast, started: Encounter) -> None:
    """It moves the strength of a side, as a wound would."""
    points = state_of(started.pk)[PIRATE].tracks["hp"]
    submit(started.pk, Submission("correct", {"target": PIRATE, "health": 200}))
    assert state_of(started.pk)[PIRATE].tracks["hp"] > points
    submit(started.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -70}))
    submit(started.pk, Submission("end_fight"))
    (card,) = look(cast, started, "gm").all(class_="tp")
    assert "Zara" in card.text


def test_damage_of_namesakes_is_one_line_that_opens(gm_client: Client, started: Encounter) -> None:
    block = {"block": "pirate_example", "name": "Thug", "side": "pirates", "count": 4}
    submit(started.pk, Submission("join", block))
    thugs = [one for one in present(state_of(started.pk)) if one.name.startswith("Thug")]
    submit(started.pk, Submission("adjust", {"target": thugs[0].id, "track": "hp", "by": -3}))
    submit(started.pk, Submission("end_fight", {}))
    page = read(gm_client.get(address(started)))
    (group,) = page.all("li", class_="dmg-group")
    summary = page.one("summary", inside=group).text
    assert summary.startswith(f"{len(thugs)} × Thug")
    assert "taken 3" in summary
    assert len(page.all("li", inside=group)) == len(thugs)


@pytest.mark.parametrize(
    ("words", "total"),
    [(["3", "4"], "7"), (["3", "–"], "at least 3"), (["at least 2", "5"], "at least 7"), (["–", "–"], "–")],
)
def test_sums_of_damage_say_what_is_not_known(words: list[str], total: str) -> None:
    assert add_points(words) == total
