"""Branches: one plays on from a step, and the fight knows nothing of it until its GM makes it real."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from combat.models import Branch, Encounter, Seat
from combat.play.whatif import branches
from combat.play.whatif.branches import read_steps, unpack
from combat.play.writing.encounter_service import Submission, read_history, submit, undo
from combat.play.writing.verification import read_step, verify
from combat.rules import find_system
from combat.rules.core.engine.document import replay
from combat.rules.core.state.state import State
from tests.combat.cast import Cast, come, gather
from tests.combat.markup import Page
from tests.combat.visit import (
    DEMO,
    MARCUS,
    PIRATE,
    PISTOL,
    ZARA,
    load,
    play,
    read,
    state_of,
    stored,
)
from tests.typed import Answer, sure

pytestmark = pytest.mark.usefixtures("fives")

SHOT = {"combatant": ZARA, "target": PIRATE, "weapon": PISTOL}


@dataclass
class Maker:
    """A person with branches of a fight, at one of them, with JavaScript off."""

    client: Client
    pk: int
    number: int = 1

    @property
    def list(self) -> str:
        """The address of their branches."""
        return f"/encounters/{self.pk}/whatif/"

    @property
    def here(self) -> str:
        """The address of the branch."""
        return f"{self.list}{self.number}/"

    def begin(self, step: str = "now") -> Maker:
        answer = self.client.post(self.list, {"do": "begin", "step": step})
        assert answer.status_code == 303, answer.content.decode()
        found = sure(re.search(r"/whatif/(\d+)/", answer["Location"]))
        return Maker(self.client, self.pk, int(found[1]))

    def page(self, **query: str) -> Page:
        """The shown branch."""
        answer = self.client.get(self.here, query)
        assert answer.status_code == 200, answer.content.decode()
        return read(answer)

    def post(self, do: str, **fields: Any) -> Answer:
        """Post a form of the branch."""
        version = self.page().one(id="table")["data-version"]
        return self.client.post(self.here, {"version": version, "do": do, **fields})

    def do(self, do: str, **fields: Any) -> None:
        """Post a form, and check that it is accepted."""
        answer = self.post(do, **fields)
        assert answer.status_code == 303, said(answer)

    @property
    def row(self) -> Branch:
        """The stored branch; if several share its number, the newest."""
        return Branch.objects.filter(number=self.number).latest("pk")

    @property
    def state(self) -> State:
        """The state of the branch."""
        return unpack(self.row.state)


def said(answer: Answer) -> str:
    """The message of a page's refusal."""
    return " ".join(alert.text for alert in read(answer).all("p", class_="alert"))


def log_of(page: Page) -> str:
    """The log on a page."""
    return " ".join(item.text for item in page.all("ol", class_="log"))


@pytest.fixture
def player(cast: Cast, started: Encounter) -> Maker:
    """Zara's player with a branch of Zara's first turn."""
    return Maker(cast.player, started.pk).begin()


# ---- Playing on ----


def test_branch_plays_on_and_the_fight_stays_as_it_is(maker: Maker) -> None:
    before = stored(maker.pk)
    assert "nothing here happens in the fight" in maker.page().one("p", class_="branch-band").text
    maker.do("attack", **SHOT, dice="app")
    maker.do("next_turn")
    assert [step.name for step in read_steps(maker.row)] == ["attack", "next_turn"]
    assert maker.state.active == PIRATE
    assert "Zara" in log_of(maker.page())
    assert stored(maker.pk) == before


def test_list_begins_with_the_map_as_its_viewer_knows_it(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    for viewer, tokens in ((cast.gm, 3), (cast.player, 2)):
        page = read(viewer.get(f"/encounters/{started.pk}/whatif/"))
        picture = page.one("div", class_="head-picture")
        assert len(page.all("svg", inside=picture, class_="mark")) == tokens


@pytest.mark.slow
def test_undo_takes_the_last_step_of_the_branch_back(maker: Maker) -> None:
    begun = maker.state
    maker.do("attack", **SHOT, dice="app")
    maker.do("undo")
    assert maker.state == begun
    assert read_steps(maker.row) == ()
    refused = maker.post("undo")
    assert (refused.status_code, said(refused)) == (409, "Nothing to undo.")


def test_branch_of_an_older_step_begins_with_the_state_of_then(gm_client: Client, started: Encounter) -> None:
    then = state_of(started.pk)
    play(started.pk, DEMO.script[1:3])
    old = Maker(gm_client, started.pk).begin(str(started.steps))
    assert old.state.active == then.active == ZARA
    assert old.state.combatants == then.combatants
    assert state_of(started.pk).combatants != then.combatants


def test_each_step_of_the_full_log_leads_to_a_branch(gm_client: Client, started: Encounter) -> None:
    page = read(gm_client.get(f"/encounters/{started.pk}/log/"))
    links = [a["href"] for a in page.all("a") if a.attrs.get("aria-label", "").startswith("What if… after")]
    assert links
    first = gm_client.get(links[0])
    assert first.status_code == 200
    step = read(first).one("input", name="step")["value"]
    assert f"?step={step}" in links[0]
    assert f"/encounters/{started.pk}/whatif/" in gm_client.get(f"/encounters/{started.pk}/").content.decode()


def test_odds_and_the_form_of_an_action_are_those_of_the_table(maker: Maker) -> None:
    form = maker.page(do="attack", combatant=ZARA).one("form", id="form-attack")
    assert form["action"] == maker.here
    odds = maker.client.get(f"{maker.here}odds/", {"do": "attack", **SHOT})
    table = maker.client.get(f"/encounters/{maker.pk}/odds/", {"do": "attack", **SHOT})
    assert odds.content == table.content
    assert "%" in odds.content.decode()


@pytest.mark.slow
def test_ways_of_a_token_begin_where_it_stands_in_the_branch(maker: Maker) -> None:
    def paths() -> Any:
        return maker.client.get(f"{maker.here}paths/", {"combatant": ZARA}).json()

    table = maker.client.get(f"/encounters/{maker.pk}/paths/", {"combatant": ZARA}).json()
    assert paths() == table
    maker.do("place", target=ZARA, x="20", y="4")
    assert paths() != table
    assert maker.client.get(f"/encounters/{maker.pk}/paths/", {"combatant": ZARA}).json() == table


def test_typed_dice_are_asked_for_and_answered(maker: Maker) -> None:
    maker.do("attack", **SHOT, dice="table")
    asked = maker.page()
    rows = asked.all("input", inside=asked.one("form", id="rolls"), type="text")
    faces = {row["name"]: "10" for row in rows}
    maker.client.post(maker.here, {"do": "answer_all", "dice": "table", **faces})
    waits = branches.read_open(maker.row)
    rolled = read_steps(maker.row)[-1].answers if waits is None else waits.answers
    assert (rolled[0].faces, rolled[0].source) == ((10, 10), "table")


@pytest.mark.slow
def test_what_waits_is_called_off_by_undo(maker: Maker) -> None:
    maker.do("attack", **SHOT, dice="table")
    refused = maker.post("next_turn")
    assert refused.status_code == 409
    maker.do("undo")
    maker.do("next_turn")


def test_npc_plays_its_turn_by_the_tactics(maker: Maker) -> None:
    maker.do("next_turn")
    maker.do("autoplay")
    assert maker.state.active != PIRATE
    assert all(step.by.endswith("(auto)") for step in read_steps(maker.row)[1:])


def test_auto_play_of_a_branch_says_why_it_stopped(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a player's turn, and at the limit of a branch."""
    maker.do("next_turn")
    maker.do("autoplay_all")
    assert "Auto-play stopped: it is " in said_once(maker)
    while maker.row.steps > 1:
        maker.do("undo")
    monkeypatch.setattr(branches, "MAX_STEPS", 2)
    for do in ("autoplay_all", "pass_turns"):
        maker.do(do, whose="side")
        assert branches.FULL in said_once(maker)
        maker.do("undo")


def said_once(maker: Maker) -> str:
    """What the page of the branch says after a post, and no more after that."""
    told, again = (str(maker.client.get(maker.here).content.decode()) for _ in range(2))
    assert len(again) < len(told)
    return told


def test_dice_of_a_branch_have_a_key_of_their_own(maker: Maker) -> None:
    """Rolls in a branch follow from no sealed secret, and do not count among the fight's rolls."""
    fight = load(maker.pk)
    assert maker.row.secret
    assert maker.row.secret != fight.dice_secret
    maker.do("attack", **SHOT, dice="app")
    tried = read_steps(maker.row)[-1].answers[0]
    assert (tried.source, tried.number) == ("branch", 0)
    assert load(maker.pk).rolled == fight.rolled
    submit(maker.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}))
    done = read_step(load(maker.pk).log.latest("number")).answers[0]
    assert (done.source, done.number) == ("app", fight.rolled + 1)


# ---- Made real ----


def test_real_branch_gives_its_exact_steps_and_the_log_verifies(
    gm_client: Client, started: Encounter
) -> None:
    play(started.pk, DEMO.script[1:3])
    maker = Maker(gm_client, started.pk).begin(str(started.steps))
    maker.do("total_defense", combatant=ZARA)
    maker.do("next_turn")
    maker.do("autoplay")
    tried, ends = read_steps(maker.row), maker.state
    before = load(started.pk)
    page = read(gm_client.get(f"{maker.here}real/"))
    assert "Undone" in page.one(id="h-undone").text
    version = page.one("input", name="version")["value"]
    assert gm_client.post(f"{maker.here}real/", {"version": version}).status_code == 303
    log = [read_step(row) for row in load(started.pk).log.order_by("number") if row.number > before.steps]
    undone = [step for step in log if step.kind == "undo"]
    done = [step for step in log if step.kind == "command"]
    assert len(undone) + len(done) == len(log)
    assert [s.target for s in undone] == sorted([s.target for s in undone], reverse=True)
    assert [(s.name, s.command, s.answers, s.facts) for s in done] == [
        (s.name, s.command, s.answers, s.facts) for s in tried
    ]
    assert all(step.by == f"{started.owner.username} (GM)" for step in done)
    assert state_of(started.pk) == ends
    verify(load(started.pk))
    assert replay(read_history(load(started.pk)), find_system).ok
    assert not Branch.objects.exists()
    assert load(started.pk).rolled == before.rolled


@pytest.mark.slow
def test_fight_that_went_on_refuses(maker: Maker) -> None:
    maker.do("next_turn")
    submit(maker.pk, Submission("total_defense", {"actor": ZARA}))
    before = stored(maker.pk)
    version = maker.page().one(id="table")["data-version"]
    shown = maker.client.get(f"{maker.here}real/")
    posted = maker.client.post(f"{maker.here}real/", {"version": version})
    for answer in (shown, posted):
        assert answer.status_code == 409
        assert "The fight went on" in said(answer)
    assert stored(maker.pk) == before
    assert Branch.objects.exists()


def test_step_that_was_undone_since_refuses(gm_client: Client, started: Encounter) -> None:
    submit(started.pk, Submission("total_defense", {"actor": ZARA}))
    step = load(started.pk).steps
    undo(started.pk)
    maker = Maker(gm_client, started.pk).begin(str(step))
    maker.do("next_turn")
    answer = gm_client.get(f"{maker.here}real/")
    assert answer.status_code == 409
    assert "no longer comes by this step" in said(answer)


def test_empty_branch_and_one_that_waits_refuse(maker: Maker) -> None:
    for waits in [False, True]:
        if waits:
            maker.do("attack", **SHOT, dice="table")
        answer = maker.client.get(f"{maker.here}real/")
        assert answer.status_code == 409, waits
        assert ("needs dice" if waits else "no steps yet") in said(answer), waits


def test_branch_changed_in_another_tab_is_not_made_real(maker: Maker) -> None:
    maker.do("next_turn")
    version = read(maker.client.get(f"{maker.here}real/")).one("input", name="version")["value"]
    maker.do("next_turn")
    before = stored(maker.pk)
    answer = maker.client.post(f"{maker.here}real/", {"version": version})
    assert answer.status_code == 409
    assert stored(maker.pk) == before


# ---- Two tabs, limits, bad input ----


def test_second_tab_that_has_grown_old_changes_nothing(maker: Maker) -> None:
    version = maker.page().one(id="table")["data-version"]
    posted = {"version": version, "do": "next_turn"}
    assert maker.client.post(maker.here, posted).status_code == 303
    state = maker.state
    late = maker.client.post(maker.here, posted)
    assert late.status_code == 409
    assert "Someone acted first" in said(late)
    assert maker.state == state


@pytest.mark.slow
def test_stale_row_is_refused_inside_the_lock(maker: Maker) -> None:
    """Two posts at once: both read the branch, the second writes nothing."""
    seen = maker.row
    maker.do("next_turn")
    state = maker.state
    with pytest.raises(Exception, match="Someone acted first"):
        branches.undo(seen)
    assert maker.state == state


def test_page_of_a_deleted_branch_fits_no_other(maker: Maker) -> None:
    version = maker.page().one(id="table")["data-version"]
    assert maker.client.post(maker.list, {"do": "delete", "branch": "1"}).status_code == 303
    assert maker.client.get(maker.here).status_code == 404
    fresh = maker.begin()
    assert fresh.number == maker.number
    assert maker.client.post(fresh.here, {"version": version, "do": "next_turn"}).status_code == 409
    assert fresh.row.steps == 0


@pytest.mark.slow
def test_branches_are_limited_in_number_and_length(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "MAX_BRANCHES", 2)
    monkeypatch.setattr(branches, "MAX_STEPS", 1)
    maker.begin()
    answer = maker.client.post(maker.list, {"do": "begin", "step": "now"})
    assert answer.status_code == 409
    assert "2 branches are the limit" in said(answer)
    maker.do("next_turn")
    long = maker.post("next_turn")
    assert long.status_code == 409
    assert said(long) == branches.FULL
    shown = maker.page()
    assert "This branch is full" in shown.one(id="turn").text
    assert not shown.all("button", inside=shown.one(id="turn")), "nothing is offered that is refused"
    monkeypatch.setattr(branches, "MAX_STEPS", 5)
    monkeypatch.setattr(branches, "MAX_BYTES", 100)
    assert "too long" in said(maker.post("next_turn"))
    assert maker.row.steps == 1


@pytest.mark.slow
def test_full_branch_offers_no_further_step(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No button, no token on the map and no open window asks for one: it would be refused."""
    monkeypatch.setattr(branches, "MAX_STEPS", 1)
    for client in (cast.gm, cast.player):
        owner = Maker(client, started.pk).begin()
        owner.do("attack", **SHOT, dice="app")
        for query in ({}, {"combatant": ZARA}, {"combatant": PIRATE}, {"part": f"figures.{ZARA}"}):
            page = owner.page(**query)
            table = page.one(id="table")
            buttons = page.all("button", inside=table, name="do")
            filled = {one["value"] for one in buttons if "disabled" not in one.attrs}
            assert filled <= {"undo", "forecast", "real"}, query
            assert not [one for one in page.all("a", inside=table) if one["data-move"]]
            form = page.one(id="map-move")
            assert (form["data-gm"], form["data-actor"]) == ("", ""), "the map measures, and moves nobody"
        moves = owner.client.get(f"{owner.here}paths/", {"combatant": ZARA}).json()
        assert (moves["moves"], moves["refused"]) == ([], branches.FULL)


BAD = [
    ({}, 422),
    ({"do": "cake"}, 422),
    ({"do": "attack"}, 422),
    ({"do": "attack", "combatant": "f99"}, 422),
    ({"do": "attack", **SHOT, "dice": "table", "face-1": "99"}, 422),
    ({"do": "answer"}, 422),
    ({"do": "answer", "question": "0"}, 409),
    ({"do": "answer_all"}, 409),
    ({"do": "next_turn", "version": "old"}, 409),
    ({"do": "damage", "target": PIRATE, "amount": "9" * 30}, 422),
]


@pytest.mark.slow
def test_bad_input_is_refused_and_changes_nothing(maker: Maker) -> None:
    before, state = stored(maker.pk), maker.state
    for posted, status in BAD:
        answer = maker.client.post(maker.here, posted)
        assert (answer.status_code, bool(said(answer))) == (status, True), (posted, said(answer))
        assert (stored(maker.pk), maker.state) == (before, state), posted


def test_unknown_steps_and_branches(maker: Maker) -> None:
    assert maker.client.get(maker.list, {"step": "cake"}).status_code == 404
    assert maker.client.post(maker.list, {"do": "begin", "step": "9999"}).status_code == 422
    assert maker.client.post(maker.list, {"do": "cake"}).status_code == 422
    assert maker.client.post(maker.list, {"do": "delete", "branch": "x"}).status_code == 404
    assert maker.client.get(f"{maker.list}7/").status_code == 404
    assert maker.client.get(f"{maker.list}compare/", {"one": "1", "other": "7"}).status_code == 404


# ---- Lists ----


def test_two_branches_stand_side_by_side(maker: Maker) -> None:
    other = maker.begin()
    maker.do("total_defense", combatant=ZARA)
    other.do("next_turn")
    page = read(maker.client.get(f"{maker.list}compare/", {"one": "1", "other": "2"}))
    sides = page.all("section", class_="card")
    assert len(sides) == 2
    assert "Pirate's turn" not in sides[0].text
    assert "Pirate's turn" in sides[1].text


# ---- Who may ----


def test_lines_of_a_branch_have_the_face_of_who_acts(maker: Maker) -> None:
    maker.do("attack", **SHOT)
    page = maker.page()
    (log,) = page.all("ol", class_="log")
    faces = page.all("svg", class_="mark", inside=log)
    assert faces
    assert all("is-ally" in face["class"] for face in faces)  # Zara's, whose turn it is


def test_branches_are_private_to_their_makers(cast: Cast, started: Encounter) -> None:
    """Each starts branch 1; no one finds another's, and the GM no player's either."""
    for role in ("gm", "co_gm", "player", "other"):
        Maker(cast[role], started.pk).begin()
    assert Branch.objects.filter(number=1).count() == 4
    Maker(cast.gm, started.pk).do("next_turn")
    for role in ("co_gm", "player", "other"):
        assert "0 steps here" in cast[role].get(f"/encounters/{started.pk}/whatif/1/").content.decode()
    Maker(cast.gm, started.pk).begin()
    for role in ("co_gm", "player", "other"):
        assert cast[role].get(f"/encounters/{started.pk}/whatif/2/").status_code == 404


@pytest.mark.slow
def test_player_tries_own_actions_and_ends_the_turns_of_others(player: Maker) -> None:
    before = stored(player.pk)
    player.do("attack", **SHOT, dice="app")
    refused = player.post("total_defense", combatant=PIRATE)
    assert (refused.status_code, said(refused)) == (409, "You don't control that combatant.")
    for do in ("autoplay", "damage", "hide", "end_fight"):
        assert player.post(do, target=PIRATE).status_code in (403, 422), do
    for _ in range(3):
        player.do("next_turn")
    assert player.state.active == ZARA
    assert stored(player.pk) == before


def test_player_cannot_make_a_branch_real(player: Maker) -> None:
    player.do("next_turn")
    before = stored(player.pk)
    version = player.page().one(id="table")["data-version"]
    assert player.client.get(f"{player.here}real/").status_code == 404
    assert player.client.post(f"{player.here}real/", {"version": version}).status_code == 404
    assert "Make it real" not in player.client.get(player.here).content.decode()
    assert stored(player.pk) == before


def test_co_gm_makes_a_branch_real(cast: Cast, started: Encounter) -> None:
    maker = Maker(cast.co_gm, started.pk).begin()
    maker.do("next_turn")
    version = read(maker.client.get(f"{maker.here}real/")).one("input", name="version")["value"]
    assert maker.client.post(f"{maker.here}real/", {"version": version}).status_code == 303
    assert state_of(started.pk).active == PIRATE


def test_branch_closes_when_its_maker_has_another_part(player: Maker) -> None:
    Seat.objects.filter(name="Pia").update(combatants=[MARCUS])
    closed = player.client.get(player.here)
    assert closed.status_code == 409
    assert "Zara" not in closed.content.decode()
    assert player.client.get(f"{player.here}odds/", {"do": "attack", **SHOT}).status_code == 404
    assert player.client.get(f"{player.here}paths/", {"combatant": ZARA}).status_code == 404
    forecast = player.client.get(f"{player.here}forecast/")
    assert (forecast.status_code, "Zara" in forecast.content.decode()) == (409, False)
    assert "Branch 1 is closed" in read(forecast).one("h1").text
    assert "Closed" in read(player.client.get(player.list)).one(id="branch-1").text
    fresh = player.begin()
    beside = read(player.client.get(f"{player.list}compare/", {"one": "1", "other": str(fresh.number)}))
    assert "Closed" in beside.all("section", class_="card")[0].text


@pytest.mark.slow
@pytest.mark.usefixtures("db")
def test_someone_who_takes_a_seat_later_finds_no_branches(started: Encounter) -> None:
    cast = gather(started, ZARA, MARCUS)
    Maker(cast.player, started.pk).begin()
    late = come(started, "play", "Lea")
    assert "No branches yet" in late.get(f"/encounters/{started.pk}/whatif/").content.decode()
