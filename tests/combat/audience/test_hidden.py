"""Hidden combatants: their actions, the questions these cause, and a player's own hidden combatant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client
from django.utils.html import escape

from combat.audience.changes import PendingCommand, find_audience, find_seen_audience
from combat.audience.map_fog import find_unknown
from combat.audience.secrecy import forget_unknown, mask_choices, redact
from combat.audience.viewer import Viewer
from combat.display.forms import questions
from combat.display.log_view import view_log
from combat.models import Encounter, StoredStep
from combat.pages.table.shapes import view_table
from combat.pages.table.table_regions import draw_page
from combat.play.writing import encounter_service
from combat.play.writing.encounter_service import Submission, answer, cancel, submit, undo
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.dice.requests import Choice, ChoiceRequest, RollRequest
from combat.rules.core.declaration.system import System
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import State, encode, replace
from combat.sharing.viewer_context import ViewerContext
from tests.combat.audience.secrets import GHOST, Fight, Reading, find_secrets, make_fight, words
from tests.combat.cast import Cast, Place, gather
from tests.combat.markup import Page
from tests.combat.rules.every_game.wild.wild import UNSEEN, few_wild_fights, play
from tests.combat.visit import MARCUS, PIRATE, ZARA, find_open, load, read
from tests.thinning import thin

SWORD = "-1"


@pytest.fixture
def fight(gm: User) -> Fight:
    """A fight with two hidden combatants."""
    return make_fight(gm, secret=True, notes=0, held=False)


@pytest.fixture
def cast(fight: Fight) -> Cast:
    return gather(fight.encounter, ZARA, MARCUS)


def stamps(fight: Fight) -> tuple[str, str, str]:
    """The versions that the GM, players and watchers hear."""
    now = load(fight.pk)
    own = "".join(seat.own_stamp for seat in now.seats.all())
    return now.stamp(is_gm=True), now.stamp(is_gm=False, is_seated=True) + own, now.stamp(is_gm=False)


def moved(fight: Fight, before: tuple[str, str, str]) -> list[str]:
    """The audiences that have to read again."""
    kinds = ("gm", "seat", "watcher")
    return [kind for kind, then, now in zip(kinds, before, stamps(fight), strict=True) if then != now]


def table_of(client: Client, fight: Fight) -> Page:
    """The table as a person sees it."""
    return read(client.get(f"/encounters/{fight.pk}/"))


# ---- Open commands ----


def test_what_the_hidden_are_asked_only_the_gm_learns(fight: Fight, cast: Cast) -> None:
    fight.turn_to(fight.ghost)
    before = stamps(fight)
    attack = {"actor": fight.ghost, "target": PIRATE, "weapon": fight.ghost + SWORD}
    submit(fight.pk, Submission("attack", attack, typed=True))
    assert moved(fight, before) == ["gm"]
    assert table_of(cast.gm, fight).all(id="prompt")
    for role in ("player", "other", "watcher"):
        page = cast[role].get(f"/encounters/{fight.pk}/").content.decode()
        assert 'id="prompt"' not in page
        assert not Reading({role: page}).find(words(GHOST, fight.ghost))
    assert "Waiting" not in table_of(cast.watcher, fight).one(id="watch-result").text
    said = Place(cast.player, fight.pk).refused("answer", 409, question="0", value="1")
    assert said == "Nothing needs an answer now: reload the page."
    cancel(fight.pk)
    assert moved(fight, before) == ["gm"]
    assert "Canceled" in table_of(cast.gm, fight).one(id="log").text
    assert "Canceled" not in table_of(cast.player, fight).one(id="log").text


@pytest.fixture(autouse=True)
def any_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions here are made up: no action asks them."""
    for module in (questions, encounter_service):
        monkeypatch.setattr(module, "find_obstacle", lambda encounter, waiting: "")


def ask(fight: Fight, *requests: ChoiceRequest | RollRequest, actor: str = "") -> None:
    """Make a command wait for these requests."""
    told = (e.Fact(e.Said(f"{GHOST} leaps out", fight.ghost), "", e.for_seat(fight.ghost)),)
    command = {"actor": actor or fight.ghost, "target": ZARA, "weapon": "x"}
    waiting = PendingCommand(
        name="attack", number=1, command=command, answers=(), requests=requests, facts=told, by=GHOST
    )
    Encounter.objects.filter(pk=fight.pk).update(open_command=msgspec.json.encode(waiting))


def dodge(fight: Fight, who: str) -> ChoiceRequest:
    """A question that names the hidden in each of its texts."""
    options = (
        Choice("dodge", f"Dodge {GHOST}", f"away from {GHOST}"),
        Choice(fight.ghost, "Look at it"),
        Choice("stay", "Stay", refused=f"{GHOST} is too quick"),
    )
    return ChoiceRequest("COS-CRIT-02", who, 1, f"{GHOST} leaps: what does she do?", options, "dodge")


def test_question_because_of_the_hidden_does_not_name_them(fight: Fight, cast: Cast) -> None:
    ask(
        fight,
        dodge(fight, fight.ghost),
        dodge(fight, ZARA),
        RollRequest("X", ZARA, 1, "2d10", f"save from {GHOST}"),
    )
    gm, player = (
        client.get(f"/encounters/{fight.pk}/").content.decode() for client in (cast.gm, cast.player)
    )
    assert len(Page(gm).all("form", id="rolls")) == 1
    assert f"Dodge {GHOST}" in gm
    assert "Dodge someone" in player
    assert "save from someone" in player
    assert [f["id"] for f in Page(player).all("form") if f["id"].startswith("question")] == ["question-0"]
    assert "save from someone" in Page(player).one("form", id="rolls").text
    for role in ("player", "other", "watcher"):
        reading = Reading({role: cast[role].get(f"/encounters/{fight.pk}/").content.decode()})
        for name, secret in find_secrets(fight).items():
            if name != "number of steps":
                assert not reading.find(secret), (role, name, reading.find(secret))


def test_own_question_is_answered_by_its_place_among_ones_own(fight: Fight, cast: Cast) -> None:
    submit(
        fight.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1"}, typed=True)
    )
    visit = Place(cast.player, fight.pk)
    assert visit.refused("answer", 409, question="1", dice="app") == "That question is already answered."
    other = Place(cast.other, fight.pk)
    assert (
        other.refused("answer", 409, question="0", dice="app")
        == "Nothing needs an answer now: reload the page."
    )
    visit.do("answer", question="0", dice="table", **{"face-1": "1", "face-2": "2"})
    assert not find_open().exists()


def test_who_acts_sees_that_the_gm_is_asked(fight: Fight, cast: Cast) -> None:
    """The question may be about a fumble or about a hidden combatant: they cannot tell."""
    ask(fight, dodge(fight, fight.ghost), actor=ZARA)
    assert "Waiting for an answer." in table_of(cast.player, fight).one(id="prompt").text
    assert not table_of(cast.player, fight).all("form", id="question-0")
    assert not table_of(cast.other, fight).all(id="prompt")
    assert "Waiting" not in table_of(cast.watcher, fight).one(id="watch-result").text


def test_spectators_read_who_is_asked_and_nothing_else(fight: Fight, cast: Cast) -> None:
    """No question, no action and no hidden name: those concerned read that elsewhere."""
    roll = RollRequest("X", MARCUS, 1, "2d10", f"save from {GHOST}")
    ask(fight, dodge(fight, fight.ghost), dodge(fight, ZARA), roll)
    page = table_of(cast.watcher, fight)
    assert page.one(class_="deciders", inside=page.one(id="watch-result")).text == "Zara decides Marcus rolls"
    assert not page.all(id="prompt")
    for role in ("gm", "co_gm", "player", "other"):
        assert not table_of(cast[role], fight).all(id="watch-result")


def test_spectators_read_of_nobody_in_a_hidden_area(fight: Fight, cast: Cast) -> None:
    """Players know where their own are; spectators do not, nor that someone there is asked."""
    at = fight.state.combatants[ZARA].at
    area = {"id": "a1", "x": at.x - 0.4, "y": at.y - 0.4, "width": 0.8, "depth": 0.8}
    submit(fight.pk, Submission("change_map", {"hidden": [area]}))
    before = stamps(fight)
    attack = {"actor": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1"}
    submit(fight.pk, Submission("attack", attack, typed=True))
    assert moved(fight, before) == ["gm", "seat"]
    assert "Waiting" not in table_of(cast.watcher, fight).one(id="watch-result").text
    assert table_of(cast.player, fight).all(id="prompt")


# ---- Versions ----


def test_changes_that_only_the_gm_sees_are_news_for_nobody_else(fight: Fight) -> None:
    before = stamps(fight)
    fight.secretly("note", text="Hm.")
    fight.secretly("adjust", target=fight.ghost, track="hp", by=-5)
    fight.secretly("place", target=fight.ghost, x=9, y=9)
    fight.secretly("give_condition", target=fight.ghost, kind="prone")
    fight.secretly("rename", target=fight.ghost, name="Nobody special")
    fight.secretly("duplicate", target=fight.ghost)
    undo(fight.pk)
    fight.secretly("remove", target=fight.lurker)
    assert moved(fight, before) == ["gm"]
    submit(fight.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -5}))
    assert moved(fight, before) == ["gm", "seat", "watcher"]


def test_item_all_saw_lying_is_missed_when_the_hidden_take_it(fight: Fight) -> None:
    """No one learns who it was; the item is gone from every page."""
    submit(fight.pk, Submission("drop", {"actor": ZARA, "item": f"{ZARA}-1"}))
    at = fight.state.combatants[ZARA].at
    submit(fight.pk, Submission("place", {"target": fight.ghost, "x": at.x, "y": at.y}))
    fight.turn_to(fight.ghost)
    before = stamps(fight)
    submit(fight.pk, Submission("pick_up", {"actor": fight.ghost, "item": f"{ZARA}-1"}))
    assert not fight.state.ground
    assert moved(fight, before) == ["gm", "seat", "watcher"]


def test_who_is_asked_is_news_for_everybody_and_its_end_too(fight: Fight) -> None:
    gather(fight.encounter, ZARA, MARCUS)
    attack = {"actor": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1"}
    ends: list[Callable[[], object]] = [lambda: cancel(fight.pk), lambda: answer(fight.pk, 0, faces=(1, 2))]
    for end in ends:
        before = stamps(fight)
        submit(fight.pk, Submission("attack", attack, typed=True))
        assert moved(fight, before) == ["gm", "seat", "watcher"]
        before = stamps(fight)
        end()
        assert moved(fight, before) == ["gm", "seat", "watcher"]


# ---- A player's own combatant, hidden from the others ----


def test_only_their_own_player_sees_a_hidden_combatant(fight: Fight, cast: Cast) -> None:
    submit(fight.pk, Submission("hide", {"target": ZARA}))
    before = stamps(fight)
    submit(fight.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -7}))
    assert moved(fight, before) == ["gm", "seat"]
    page = table_of(cast.player, fight)
    assert page.all(id=f"row-{ZARA}")
    assert "Your turn" in page.one(id="turn").text
    assert "Zara loses 7 HP" in page.one(id="log").text
    assert "Zara loses 7 HP" in cast.player.get(f"/encounters/{fight.pk}/log/").content.decode()
    for role in ("other", "watcher"):
        page = table_of(cast[role], fight)
        assert not page.all(id=f"row-{ZARA}")
        assert "loses 7" not in page.one(id="log").text
        assert "loses 7" not in cast[role].get(f"/encounters/{fight.pk}/log/").content.decode()


def test_player_acts_for_their_own_hidden_combatant(fight: Fight, cast: Cast) -> None:
    submit(fight.pk, Submission("hide", {"target": ZARA}))
    Place(cast.player, fight.pk).do("move", combatant=ZARA, to="", **{"to-free": "4,4"})
    assert fight.state.combatants[ZARA].at.y == 4
    assert "translate(4 4)" in cast.player.get(f"/encounters/{fight.pk}/").content.decode()
    assert "translate(4 4)" not in cast.other.get(f"/encounters/{fight.pk}/").content.decode()


def test_who_left_keeps_the_name_in_the_story(fight: Fight, cast: Cast) -> None:
    fight.turn_to(PIRATE)
    submit(fight.pk, Submission("remove", {"target": PIRATE}))
    assert "Pirate" in table_of(cast.player, fight).one(id="log").text
    assert not table_of(cast.player, fight).all(id=f"row-{PIRATE}")


# ---- Any fight of any game ----


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("slug", thin(SYSTEMS, "cosmos", "guardians"))
@few_wild_fights
def test_no_wild_fight_shows_the_hidden(slug: str, seed: int, length: int) -> None:
    """No page for a watcher or a player holds a hidden name or id.

    And a step that no one else learns of changes nothing for spectators.
    """
    system, watcher = find_system(slug), Viewer()
    for log, step in play(system, seed, length):
        player = Viewer("seat", frozenset(list(log.state.combatants)[:1]))
        for viewer in (watcher, player) if log.state.made % 2 == 0 else ():
            if secrets := find_hidden(log.state, viewer):
                page = draw(system, log.state, [step], viewer)
                assert not Reading({"page": page}).find(secrets)
        if step.kind == COMMAND and not tells_all(step, *log.states[-2:]):
            before, after = (draw(system, state, [], watcher) for state in log.states[-2:])
            assert before == after


def tells_all(step: Step, before: State, after: State) -> bool:
    """Whether everyone has to read again after a step."""
    return find_audience(step.facts).public or find_seen_audience(before, after).public


def find_hidden(state: State, viewer: Viewer) -> re.Pattern[str] | None:
    """The ids of hidden combatants, and the names that only they have."""
    hidden = [f for f in state.combatants.values() if f.hidden and f.id not in viewer.seats]
    seen = [f.name for f in state.combatants.values() if f not in hidden]
    names = [] if any(name.startswith(UNSEEN) for name in seen) else [UNSEEN]
    return words(*(f.id for f in hidden), *names) if hidden else None


# The other values of a table's page, with nothing open
SHOWN: dict[str, Any] = {
    "here": "/encounters/1/",
    "handouts": (),
    "ready": (),
    "has_ready": False,
    "grid": True,
    **dict.fromkeys(("part", "part_of", "again", "tag", "door"), ""),
    **dict.fromkeys(("downtime", "owns", "joining")),
    **dict.fromkeys(("seat", "timer", "pens", "handles", "room", "refused", "next_fight")),
}


def draw(system: System, state: State, steps: list[Step], viewer: Viewer) -> str:
    """The changing part of the table for a person, drawn without a database."""
    encounter = Encounter(pk=1, name="Wild", system=system.slug, state=encode(state))
    rows = [
        StoredStep(encounter=encounter, number=s.number, kind=s.kind, record=msgspec.json.encode(s))
        for s in steps
    ]
    context = ViewerContext(encounter, viewer, look_back=lambda number: state)
    table = view_table(context, steps=rows)
    assert view_log(context, rows) is not None
    shown = SHOWN | {"table": table, "slug": table.slug, "encounter": encounter, "system": system}
    page = draw_page(table, shown)
    shown |= {"regions": page.by_name, "frame": page.frame}
    drawn = render_to_string("combat/table/table.html#state", shown)
    assert all(escape(combatant.name) in drawn for combatant in table.combatants)
    return drawn


def test_thing_of_someone_hidden_belongs_to_who_has_it_now(fight: Fight) -> None:
    """Its id begins with that of its first owner, whom nobody else may name."""
    state, viewer = fight.state, Viewer("seat", frozenset([ZARA]))
    taken, other = (item.id for item in state[fight.ghost].items[:2])
    holder = replace(
        state[ZARA],
        items=(*state[ZARA].items, state[fight.ghost].items[0]),
        marks={"aims": taken, "fears": fight.ghost, "wants": other},
    )
    state = replace(state, combatants={**state.combatants, ZARA: holder})
    named = {"weapon": taken, "target": fight.ghost, "items": [taken, other]}
    nobodys = other.replace(fight.ghost, "nobody")
    told = {"weapon": taken, "target": "nobody", "items": [taken, nobodys]}
    assert forget_unknown(named, frozenset(), state, viewer) == told
    assert redact(state, viewer)[ZARA].marks == {"aims": taken}
    options = tuple(Choice(value, "") for value in (taken, other, fight.ghost))
    left = mask_choices(options, find_unknown(state, viewer), None, state)
    assert [option.value for option in left] == [taken]
