"""The tree: the fight, its branches where they leave it, and the chances of each where they are known."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from combat.models import Branch, Encounter
from combat.pages.whatif.branch_tree import find_place
from combat.play.whatif import forecast_jobs, workers
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.odds.forecast import Ending
from tests.combat.cast import Cast
from tests.combat.pages.whatif.test_branches import SHOT, Maker
from tests.combat.visit import MARCUS, PIRATE, ZARA, load, read, roll_fives
from tests.typed import sure

HTMX = {"HX-Request": "true"}
SIDE_OF = {ZARA: "crew", MARCUS: "crew", PIRATE: "pirates"}


@pytest.fixture(autouse=True)
def no_fights(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every die shows a five, and no fight of a forecast is ever played."""
    roll_fives(monkeypatch)
    monkeypatch.setattr(workers, "submit", lambda *job: Future())
    yield
    forecast_jobs.stop()


def keep(place: forecast_jobs.Place, stamp: str, won: int, away: int = 0, stuck: int = 0) -> None:
    """Keep a forecast in which the crew won so many of a hundred fights, and got `away` in others; `stuck`
    ones had no end."""
    fights = [Ending(("crew",), 4, (PIRATE,))] * won + [Ending(("pirates",), 4, (), "crew")] * away
    fights += [Ending(("crew", "pirates"), 60, ())] * stuck
    fights += [Ending(("pirates",), 5, (ZARA,))] * (100 - won - away - stuck)
    job = forecast_jobs.Job(
        "j",
        stamp,
        "cosmos",
        done=100,
        settled=True,
        touched=time.time(),
        names={ZARA: "Zara", PIRATE: "Pirate"},
        side_of=SIDE_OF,
        sides=("crew", "pirates"),
        endings=fights,
    )
    forecast_jobs._keep(place, job)


def stamp_of(maker: Maker) -> str:
    return str(maker.page().one(id="table")["data-version"])


@pytest.mark.slow
def test_chances_of_branches_are_beside_that_of_the_fight(maker: Maker) -> None:
    maker.do("attack", **SHOT, dice="app")
    keep(maker.pk, load(maker.pk).stamp(is_gm=True), 61)
    keep(find_place(maker.row), stamp_of(maker), 79)
    page = read(maker.client.get(maker.list))
    assert "chance that crew win" in page.one(id="tree").text
    assert "61%" in page.one(id="branch-0").text
    branch = page.one(id="branch-1").text
    assert "79%" in branch
    assert "+18" in branch
    assert "1 step: Zara attacks Pirate" in branch
    assert "Forecast" not in branch


def test_chance_to_get_away_is_told_wherever_the_forecast_is(maker: Maker) -> None:
    keep(maker.pk, load(maker.pk).stamp(is_gm=True), 20, away=70)
    here = f"/encounters/{maker.pk}/"
    assert "· 70% crew get away" in read(maker.client.get(maker.list)).one(id="branch-0").text
    page = read(maker.client.get(f"{here}forecast/"))
    assert "70% crew get away, none of them down" in page.one("p", class_="forecast-big").text
    assert page.one("svg", class_="is-away").text.strip() == "Away 70%"
    short = maker.client.get(f"{here}prep/odds/", headers=HTMX).content.decode()
    assert "70% crew get away" in short


def test_fights_without_end_are_undecided_in_every_forecast(maker: Maker) -> None:
    keep(maker.pk, load(maker.pk).stamp(is_gm=True), 0, stuck=100)
    keep(find_place(maker.row), stamp_of(maker), 10, stuck=90)
    here, undecided = f"/encounters/{maker.pk}/", "Undecided: these fights do not end."
    tree = read(maker.client.get(maker.list))
    page = read(maker.client.get(f"{here}forecast/"))
    head = page.one("p", class_="forecast-big").text
    short = read(maker.client.get(f"{here}prep/odds/", headers=HTMX)).one(id="prep-odds").text
    for told in (tree.one(id="branch-0").text, tree.one(id="branch-1").text, head, short):
        assert undecided in told
        assert "%" not in told
        assert "almost never" not in told
    assert "100 fights played: most go on without an end." in page.one(id="job").text


@pytest.mark.slow
def test_chance_of_a_branch_that_moved_on_is_asked_for_again(maker: Maker) -> None:
    keep(find_place(maker.row), stamp_of(maker), 79)
    assert "79%" in maker.page().one(id="branch-1").text
    maker.do("next_turn")
    branch = maker.page().one(id="branch-1").text
    assert "79%" not in branch
    assert "Forecast" in branch


def test_forecast_begins_from_the_tree_and_shows_what_is_left(maker: Maker) -> None:
    other = maker.begin()
    for number in (0, 1):
        posted = {"do": "forecast", "branch": str(number)}
        tree = maker.client.post(f"{maker.list}?at=2", posted, headers=HTMX).content.decode()
        assert 'hx-trigger="every 500ms"' in tree
        assert "<progress" in tree
        assert "<h1" not in tree
    assert forecast_jobs.read_job(maker.pk)
    assert forecast_jobs.read_job(find_place(maker.row))
    assert maker.client.post(maker.list, {"do": "forecast", "branch": "2"}).status_code == 303
    first = sure(forecast_jobs.read_job(find_place(maker.row)))
    assert first.cancelled, "one at a time"
    job = sure(forecast_jobs.read_job(find_place(other.row)))
    assert job.running


def test_refused_forecast_says_why_in_the_tree(maker: Maker) -> None:
    submit(maker.pk, Submission("remove", {"target": PIRATE}))
    told = maker.client.post(maker.list, {"do": "forecast", "branch": "0"}, headers=HTMX)
    assert told.status_code == 409
    assert not told.content.strip().startswith(b"<!"), "the tree alone, which a page puts in place"
    assert "needs two sides" in read(told).one(id="tree").text


def test_branches_hang_where_they_leave_the_fight(maker: Maker) -> None:
    submit(maker.pk, Submission("total_defense", {"actor": ZARA}))
    maker.begin().begin()
    page = read(maker.client.get(maker.list))
    forks = page.all("li", class_="fork")
    assert [fork.text.count("steps") for fork in forks] == [1, 2]
    assert "Zara" in forks[1].text


def test_two_that_are_compared_are_all_of_the_tree(maker: Maker) -> None:
    maker.begin().begin()
    address = f"{maker.list}compare/?one=1&other=3"
    page = read(maker.client.get(address))
    assert [node["id"] for node in page.all("article", class_="node")] == ["branch-0", "branch-1", "branch-3"]
    tree = maker.client.get(f"{maker.list}?only=1-3", headers=HTMX).content.decode()
    assert 'id="branch-3"' in tree
    assert 'id="branch-2"' not in tree
    assert "Delete" not in tree


def test_player_learns_no_chance_of_the_fight_itself(cast: Cast, started: Encounter) -> None:
    player = Maker(cast.player, started.pk).begin()
    keep(started.pk, load(started.pk).stamp(is_gm=True), 61)
    for answer in (player.client.get(player.list), player.client.get(player.here)):
        page = read(answer)
        assert "61%" not in page.one(id="tree").text
        assert "Forecast" not in page.one(id="branch-0").text
        assert "Forecast" in page.one(id="branch-1").text
    before = forecast_jobs.read_job(started.pk)
    assert player.client.post(player.list, {"do": "forecast", "branch": "0"}).status_code in (403, 404)
    assert forecast_jobs.read_job(started.pk) == before
    assert player.client.post(player.list, {"do": "forecast", "branch": "7"}).status_code == 404


def test_tree_of_a_player_is_the_same_whoever_is_hidden(cast: Cast, started: Encounter) -> None:
    """The fight is told by what they know of it: in the turn of someone hidden it has only its round."""
    player = Maker(cast.player, started.pk).begin()
    submit(started.pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    submit(started.pk, Submission("next_turn", {}))
    page = player.client.get(player.list).content.decode()
    assert "Pirate" not in page
    assert "round 1" in page


def test_real_tells_what_is_undone_what_was_rolled_who_sees_it(cast: Cast, started: Encounter) -> None:
    step = load(started.pk).steps
    submit(started.pk, Submission("total_defense", {"actor": ZARA}))
    maker = Maker(cast.gm, started.pk).begin(str(step))
    assert "no steps yet" in maker.page().one("section", class_="make-real").text
    maker.do("attack", **SHOT, dice="app")
    said = " ".join(maker.page().one("section", class_="make-real").text.split())
    assert "1 step of the fight is undone, first Zara" in said
    assert "rolls stay as rolled here" in said
    assert "Seen at once by 2 players and 1 spectator" in said
    version = stamp_of(maker)
    assert maker.client.post(f"{maker.here}real/", {"version": version}).status_code == 303
    assert not Branch.objects.exists()


@pytest.mark.slow
def test_typed_dice_are_no_rolls_of_the_branch(cast: Cast, started: Encounter) -> None:
    maker = Maker(cast.gm, started.pk).begin()
    maker.do("attack", **SHOT, dice="auto", **{"face-1": "1", "face-2": "2"})
    typed = " ".join(maker.page().one("section", class_="make-real").text.split())
    assert "1 typed roll stays as typed here" in typed
    for _ in range(2):
        maker.do("next_turn")
    maker.do("attack", combatant=MARCUS, target=PIRATE, weapon=f"{MARCUS}-1", dice="app")
    mixed = " ".join(maker.page().one("section", class_="make-real").text.split())
    assert "rolls stay as rolled here, marked in the log as of a branch; 1 typed" in mixed


def test_player_sees_nothing_of_making_it_real(cast: Cast, started: Encounter) -> None:
    page: Any = Maker(cast.player, started.pk).begin().page()
    assert page.all("section", class_="make-real") == []
