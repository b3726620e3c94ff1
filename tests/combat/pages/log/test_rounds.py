"""The log by rounds and turns: what it shows of steps, how it is narrowed, and to whom."""

from __future__ import annotations

from itertools import chain, pairwise

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.pages.log import views
from combat.play.writing.encounter_service import Submission, submit, undo
from tests.combat.audience.secrets import GHOST, make_fight
from tests.combat.cast import Cast, come
from tests.combat.markup import Element, Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, demo_fight, load, read, roll_fives

ATTACK = Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL})


def log_of(client: Client, pk: int, **asked: str) -> Page:
    return read(client.get(f"/encounters/{pk}/log/", asked))


def lines(page: Page) -> list[str]:
    """The lines of a log, from the top."""
    return [line.text for line in page.all("li") if "log-entry" in line["class"]]


def find_steps(page: Page) -> list[int]:
    """The numbers of the steps of its lines, from the top."""
    return [int(one["id"].split("-")[1]) for one in page.all("li") if "log-entry" in one["class"]]


def heads(page: Page) -> list[str]:
    """The heads of its parts, from the top."""
    return [page.one("h2", inside=part).text for part in page.all("section", class_="log-part")]


def entry(page: Page, text: str) -> Element:
    """The line with a text."""
    return next(one for one in page.all("li") if "log-entry" in one["class"] and text in one.text)


def test_rounds_are_parts_with_their_time_the_newest_first(gm_client: Client, over: Encounter) -> None:
    page = log_of(gm_client, over.pk)
    rounds = [f"Round {n} from {6 * (n - 1)} s" for n in range(6, 0, -1)]
    assert heads(page) == [*rounds, "Before the fight"]
    rail = page.one("nav", class_="log-rail")
    links = page.all("a", inside=rail)
    assert [link["href"] for link in links] == [f"#part-{n}" for n in range(6, -1, -1)]
    assert [link.attrs.get("aria-current") for link in links] == ["true"] + [None] * 6
    turns = [
        page.one("div", class_="log-who", inside=one).text for one in page.all("div", class_="log-turn")[:3]
    ]
    assert turns == ["Marcus", "Pirate", "Zara"], "the last turn is on top"
    told = " ".join(lines(page))
    assert told.index("Marcus gives Pirate first aid") < told.index("Zara attacks Pirate (18")


def test_every_round_begins_with_the_turn_that_opens_it(gm_client: Client, over: Encounter) -> None:
    """The step that ends a round begins the next: its last lines belong to that."""
    page = log_of(gm_client, over.pk)
    *rounds, before = page.all("section", class_="log-part")
    assert len(rounds) == 6
    for part in rounds:
        turns = page.all("div", class_="log-turn", inside=part)
        names = [page.one("div", class_="log-who", inside=one).text for one in turns]
        assert names == ["Marcus", "Pirate", "Zara"], "the newest on top"
        first = page.all("li", inside=turns[-1])[0]
        assert first.text.startswith("Zara's turn")
    assert "Turn order" in before.text
    assert not page.all("div", class_="log-who", inside=before), "no empty row where nobody acts"


@pytest.mark.slow
def test_marks_say_what_a_round_came_to(gm_client: Client, over: Encounter) -> None:
    rail = log_of(gm_client, over.pk).one("nav", class_="log-rail")
    page = log_of(gm_client, over.pk)
    first, last = (page.all("li", inside=page.one("nav", class_="log-rail"))[n] for n in (5, 0))
    assert [mark["aria-label"] for mark in page.all("svg", inside=first)] == ["hit", "miss", "critical"]
    assert [mark["aria-label"] for mark in page.all("svg", inside=last)] == ["hit", "fall", "aid"]
    assert "falls" in rail.text, "the words of the marks"


def test_undone_step_stays_struck_with_its_dice_and_is_marked_so(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    roll_fives(monkeypatch)
    submit(started.pk, ATTACK)
    undo(started.pk, by="gm")
    for role in ("gm", "player", "watcher"):
        page = log_of(cast[role], started.pk)
        line = entry(page, "Zara attacks Pirate")
        assert "is-undone" in line["class"]
        assert "Zara attacks Pirate" in page.one("del", inside=line).text
        assert len(page.all("svg", class_="face", inside=line)) == 2
        rail = page.one("nav", class_="log-rail")
        now = next(link for link in page.all("a", inside=rail) if "Round 1" in link.text)
        assert [mark["aria-label"] for mark in page.all("svg", inside=now)] == ["undone"]


def test_undone_step_without_dice_is_nothing_to_others(cast: Cast, started: Encounter) -> None:
    """Nor on the track of a replay."""
    submit(started.pk, Submission("note", {"text": "A word too much."}))
    undo(started.pk, by="gm")
    for asked in ({}, {"step": "3"}, {"show": "notes"}):
        assert "too much" not in log_of(cast.player, started.pk, **asked).html
        assert "too much" not in log_of(cast.watcher, started.pk, **asked).html
    assert "too much" in log_of(cast.gm, started.pk).html


def test_private_line_says_so_and_is_for_its_audience(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("note", {"text": "They lie.", "secret": True}))
    page = log_of(cast.gm, started.pk)
    line = entry(page, "They lie.")
    assert "is-private" in line["class"]
    assert "private" in line.text
    private = lines(log_of(cast.gm, started.pk, show="private"))
    assert "They lie." in " ".join(private)
    assert "Zara joins" not in " ".join(private)
    for role in ("player", "watcher"):
        assert "They lie" not in log_of(cast[role], started.pk, show="private").html
        assert "Private" not in log_of(cast[role], started.pk).one("nav", class_="log-filters").text


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{}, {"show": "rolls"}, {"who": ZARA, "show": "attacks"}])
def test_first_page_has_the_newest_and_the_last_the_oldest(
    gm_client: Client, over: Encounter, monkeypatch: pytest.MonkeyPatch, asked: dict[str, str]
) -> None:
    whole = find_steps(log_of(gm_client, over.pk, **asked))
    monkeypatch.setattr(views, "STEPS_PER_PAGE", 4)
    pages = [find_steps(log_of(gm_client, over.pk, **asked, page=str(n))) for n in range(1, 15)]
    pages = [page for page in pages if page]
    assert len(pages) > 1
    assert all(min(newer) > max(older) for newer, older in pairwise(pages))
    assert sorted(chain(*pages)) == sorted(whole)


FILTERS = [
    ({"show": "attacks"}, "Zara attacks Pirate", "Marcus moves"),
    ({"show": "moves"}, "Marcus moves", "Zara attacks Pirate"),
    ({"show": "aid"}, "first aid", "Zara attacks Pirate"),
    ({"show": "rolls"}, "Zara attacks Pirate", "Marcus moves"),
    ({"who": MARCUS}, "Marcus moves", "Zara takes quick aim"),
    ({"who": ZARA, "show": "attacks"}, "Zara attacks Pirate", "Marcus attacks"),
    ({"who": "f99", "show": "cake"}, "Marcus moves", "nothing is left out by what there is not"),
]


@pytest.mark.parametrize(("asked", "kept", "left"), FILTERS)
def test_log_is_narrowed_by_links(
    gm_client: Client, over: Encounter, asked: dict[str, str], kept: str, left: str
) -> None:
    page = log_of(gm_client, over.pk, **asked)
    told = " ".join(lines(page))
    assert kept in told
    assert left not in told


@pytest.mark.slow
def test_filters_are_links_that_add_up_and_lead_back(gm_client: Client, over: Encounter) -> None:
    def links(**asked: str) -> dict[str, str]:
        page = log_of(gm_client, over.pk, **asked)
        found = page.all("a", inside=page.one("nav", class_="log-filters"))
        return {link.text or link["title"]: link["href"] for link in found}

    assert links()["Attacks"] == "?show=attacks"
    assert links(show="attacks")["Attacks"] == "?"
    assert links(who=ZARA)["Attacks"] == f"?who={ZARA}&show=attacks"
    assert links(who=ZARA, show="attacks")["All"] == "?show=attacks"


@pytest.mark.slow
def test_mine_are_the_steps_of_a_seat_and_nobody_elses(gm_client: Client, over: Encounter) -> None:
    player = come(over, ShareLink.PLAY, "Pia", ZARA)
    told = lines(log_of(player, over.pk, who="mine"))
    assert any("Zara takes quick aim" in line for line in told)
    assert not any("Marcus moves" in line for line in told)
    for client in (gm_client, come(over, ShareLink.WATCH, "Wim")):
        assert "Mine" not in log_of(client, over.pk).one("nav", class_="log-filters").text


@pytest.mark.slow
def test_filter_by_someone_unseen_is_no_filter(gm: User) -> None:
    """The id of a hidden combatant in the address changes nothing."""
    fight = make_fight(gm, secret=True)
    watcher = come(fight.encounter, ShareLink.WATCH, "Wim")
    assert lines(log_of(watcher, fight.pk, who=fight.ghost)) == lines(log_of(watcher, fight.pk))
    assert GHOST not in log_of(watcher, fight.pk, who=fight.ghost).html


def test_seals_are_fixed_first_and_verified_once_secret_is_told(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("hazard_check", {"target": ZARA, "approach": "detect"}))
    for role in ("gm", "player", "watcher"):
        assert (
            "Sealed, not verified yet" in log_of(cast[role], started.pk).one("aside", class_="log-side").text
        )
    submit(started.pk, Submission("end_fight", {}))
    for role in ("gm", "player", "watcher"):
        aside = log_of(cast[role], started.pk).one("aside", class_="log-side").text
        assert "verified" in aside
        assert "fits" in aside
    table = load(started.pk)
    table.seals = [{**seal, "opened": "cafe" if seal["opened"] else ""} for seal in table.seals]
    table.save()
    assert "does not fit its seal" in log_of(cast.watcher, started.pk).one("aside", class_="log-side").text


@every_slug
def test_log_and_replay_of_every_game(gm: User, slug: str) -> None:
    made = demo_fight(gm, slug)
    submit(made.pk, Submission("start", {}))
    watcher = come(made, ShareLink.WATCH, "Wim")
    assert heads(log_of(watcher, made.pk))[-1] == "Before the fight"
    page = log_of(watcher, made.pk, step="")
    assert "round 1" in page.one(id="h-step").text
    assert page.all("li", class_="is-now")


@pytest.mark.slow
def test_long_log_has_pages_and_its_rail_leads_to_them(gm_client: Client, started: Encounter) -> None:
    for number in range(110):
        submit(started.pk, Submission("note", {"text": f"Note {number}."}))
    page = log_of(gm_client, started.pk)
    assert len(lines(page)) == 100
    rail = page.all("a", inside=page.one("nav", class_="log-rail"))
    assert [link["href"] for link in rail] == ["#part-1", "?page=2#part-0"]
    assert "Newer" in log_of(gm_client, started.pk, page="2").one("nav", aria_label="Pages").text
    assert "Nothing here fits" in log_of(gm_client, started.pk, show="aid").html
