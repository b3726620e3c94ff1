"""The log for everyone who may read it: step by step, and as an export."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.audience.viewer import GM, Viewer
from combat.display import log_view
from combat.models import Encounter
from combat.pages.table.shapes import find_steps, recent_steps
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.play.writing.step_cache import find_rows
from combat.play.writing.verification import read_step
from combat.sharing.viewer_context import LOG_STEPS, ViewerContext
from tests.combat.audience.secrets import GHOST, make_fight
from tests.combat.cast import Cast, gather
from tests.combat.visit import DEMO, MARCUS, PIRATE, ZARA, Visit, load, play, read

READERS = ("gm", "co_gm", "player", "other", "watcher")


@pytest.fixture
def shot(started: Encounter) -> Encounter:
    """The demo fight after Zara's first shot."""
    play(started.pk, DEMO.script[1:2])
    started.refresh_from_db()
    return started


def exported_log(client: Client, pk: int) -> list[dict[str, object]]:
    """The lines of an exported log."""
    document = json.loads(client.get(f"/encounters/{pk}/export/").content)
    assert document["format"] == "cosmos-table-story"
    lines: list[dict[str, object]] = document["lines"]
    return lines


def steps_of(client: Client, pk: int, step: int = 1) -> tuple[int, int]:
    """The number of the step on a page, and of all."""
    shown = read(client.get(f"/encounters/{pk}/log/", {"step": step})).one(id="h-step").text
    found = re.search(r"Step (\d+) of (\d+)", shown)
    assert found, shown
    return int(found[1]), int(found[2])


def moment(client: Client, pk: int, step: int) -> str:
    """What a page says of a step and of everyone after it, without the log around it."""
    page = read(client.get(f"/encounters/{pk}/log/", {"step": step}))
    return " ".join(page.one(class_=name).text for name in ("step-card", "replay-rows"))


def test_actor_of_a_step_is_known_to_those_who_saw_them_act(shot: Encounter) -> None:
    """The log groups and filters by it: it must not name someone out of sight."""
    step = read_step(find_rows(shot.log.filter(name="attack"))[0])
    for viewer in (GM, Viewer("seat", frozenset([MARCUS])), Viewer()):
        assert log_view._find_actor(step, step.facts, viewer) == ZARA
        of_others = [fact for fact in step.facts if getattr(fact.event, "who", "") != ZARA]
        assert of_others
        assert log_view._find_actor(step, of_others, viewer) == (ZARA if viewer.is_gm else "")


@pytest.mark.slow
def test_everybody_walks_through_the_steps_they_can_read(cast: Cast, shot: Encounter) -> None:
    for role in READERS:
        _, last = steps_of(cast[role], shot.pk)
        assert steps_of(cast[role], shot.pk, last) == (last, last), role
        page = read(cast[role].get(f"/encounters/{shot.pk}/log/", {"step": last}))
        assert not page.all("a", id="replay-next"), role
        lost = "Pirate loses 8 HP" if role in ("gm", "co_gm") else "Pirate is hit, still healthy (Pistol)."
        assert lost in moment(cast[role], shot.pk, last), role
        assert lost not in moment(cast[role], shot.pk, last - 1), role
        assert "Before the first step" in moment(cast[role], shot.pk, 0), role
        beyond = read(cast[role].get(f"/encounters/{shot.pk}/log/", {"step": last + 1}))
        assert not beyond.all(id="replay"), role


def test_numbers_are_those_of_the_audience(cast: Cast, shot: Encounter) -> None:
    """The GM sees HP of the pirate, others a word, as at the table; all see Zara's."""
    _, last = steps_of(cast.watcher, shot.pk)
    assert "72 / 80" not in moment(cast.watcher, shot.pk, last)
    assert "80 / 80" in moment(cast.watcher, shot.pk, last)
    assert "72 / 80" in moment(cast.gm, shot.pk, shot.steps)


def test_arrivals_and_the_beginning_have_one_icon_for_everyone(cast: Cast, started: Encounter) -> None:
    def icons(role: str) -> list[str]:
        page = read(cast[role].get(f"/encounters/{started.pk}/"))
        lines = [
            e
            for e in page.all("li", inside=page.one(id="log-lines"))
            if e["id"].startswith("log-") and not e["class"]
        ]
        found = [" ".join(e["class"] for e in page.all("svg", inside=line)) for line in lines]
        return [one for one in found if not one.endswith(" eye")]  # the map is drawn by the GM alone

    assert all(icons("gm"))
    for role in READERS:
        assert icons(role) == icons("gm")


def test_what_only_the_gm_did_is_no_step_of_others(cast: Cast, shot: Encounter) -> None:
    before = {role: steps_of(cast[role], shot.pk)[1] for role in READERS}
    submit(shot.pk, Submission("note", {"text": "Hm."}))
    after = {role: steps_of(cast[role], shot.pk)[1] for role in READERS}
    assert {role: after[role] - before[role] for role in READERS} == {
        "gm": 1, "co_gm": 1, "player": 0, "other": 0, "watcher": 0,
    }  # fmt: skip


def test_undone_step_with_dice_is_told_undone_and_is_no_moment(cast: Cast, shot: Encounter) -> None:
    _, last = steps_of(cast.player, shot.pk)
    undo(shot.pk)
    assert steps_of(cast.player, shot.pk) == (1, last - 1)
    told = [line for line in exported_log(cast.player, shot.pk) if "Pirate is hit" in str(line["text"])]
    assert [line["undone"] for line in told] == [True]
    text = cast.gm.get(f"/encounters/{shot.pk}/export/?as=text").content.decode()
    assert re.search(r"Pirate loses 8 HP.*\(undone\)", text)


def test_undone_step_is_read_out_to_players_as_undone(cast: Cast, shot: Encounter) -> None:
    undo(shot.pk)
    page = read(cast.player.get(f"/encounters/{shot.pk}/"))
    told = page.one("p", class_="latest").text
    undone = "Undone: Zara attacks Pirate (18 vs Defense 12): hit. Pirate is hit, still healthy (Pistol)."
    assert told == undone
    assert page.one(id="table")["data-announce"] == f"{undone} Your turn."


def test_who_is_hidden_now_was_never_there(cast: Cast, shot: Encounter) -> None:
    _, last = steps_of(cast.player, shot.pk)
    assert "Pirate" in moment(cast.player, shot.pk, last)
    submit(shot.pk, Submission("hide", {"target": PIRATE}))
    _, now = steps_of(cast.player, shot.pk)
    assert now < last, "their joining and their hiding have no line"
    for step in range(now + 1):
        page = read(cast.player.get(f"/encounters/{shot.pk}/log/", {"step": step}))
        replay = page.all(id="replay")
        assert not any(row.text.startswith("P Pirate") for row in page.all("span", class_="row-main"))
        assert replay
    assert "Pirate" in moment(cast.gm, shot.pk, shot.steps)


def test_story_is_told_in_order_with_dice_and_rules(cast: Cast, shot: Encounter) -> None:
    lines = exported_log(cast.watcher, shot.pk)
    hit = next(line for line in lines if "hit" in str(line["text"]))
    assert (hit["dice"], hit["faces"], hit["rule"], hit["round"]) == ("2d10", [5, 5], "COS-ATK-02", 1)
    assert [line["round"] for line in lines] == sorted(int(str(line["round"])) for line in lines)
    text = cast.watcher.get(f"/encounters/{shot.pk}/export/?as=text")
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text["Content-Disposition"].endswith('.txt"')
    words = text.content.decode()
    assert "[2d10: 5, 5]" in words
    assert words.index("The fight begins") < words.index("Pirate is hit")


def test_players_take_along_what_is_for_their_eyes(gm: User) -> None:
    fight = make_fight(gm, secret=True, notes=2)
    cast = gather(fight.encounter, ZARA, MARCUS)
    assert GHOST in cast.gm.get(f"/encounters/{fight.pk}/export/").content.decode()
    assert GHOST in cast.gm.get(f"/encounters/{fight.pk}/export/?as=text").content.decode()
    told = {role: [str(line["text"]) for line in exported_log(cast[role], fight.pk)] for role in READERS[2:]}
    assert all("Zara" in " ".join(lines) for lines in told.values())
    assert GHOST not in str(told)


def test_replay_shows_where_everybody_stood(cast: Cast, shot: Encounter) -> None:
    submit(shot.pk, Submission("place", {"target": PIRATE, "x": 30, "y": 1}))
    last = load(shot.pk).steps
    for step, told in ((last - 1, "Pirate at 14, 3 m"), (last, "Pirate at 30, 1 m")):
        page = read(cast.gm.get(f"/encounters/{shot.pk}/log/", {"step": step}))
        assert told in page.one("svg", class_="map")["aria-label"]


def test_newest_steps_from_memory_are_those_of_the_database(gm: User) -> None:
    """Among them steps that only the GM may read, and steps that were undone, with dice and without."""
    fight = make_fight(gm, secret=True)
    viewers = [GM, Viewer(), Viewer("seat", frozenset({ZARA})), Viewer("seat", frozenset({GHOST}))]
    for _ in range(3):
        for viewer in viewers:
            context = ViewerContext(load(fight.pk), viewer)
            shown = [row.number for row in recent_steps(context)]
            newest = find_steps(context).order_by("-number").values_list("number", flat=True)
            assert shown == list(newest[:LOG_STEPS]), viewer
        fight.secretly("note", text="only for the GM")
        undo(fight.pk, by="gm")


def test_decision_about_someone_unseen_is_marked_as_private(visit: Visit) -> None:
    """Others do not read that someone is hidden; once revealed, everybody may."""
    visit.do("hide", target=PIRATE, hidden="true")
    assert "Pirate is hidden. private" in visit.page().one(id="log").text
    visit.do("hide", target=PIRATE, hidden="false")
    assert "Pirate is hidden. private" not in visit.page().one(id="log").text


def test_undo_of_a_step_of_several_things_says_how_much_more(visit: Visit) -> None:
    visit.do("hide_each", targets=[PIRATE, MARCUS], hidden="true")
    page = visit.page()
    button = page.one("button", value="undo", inside=page.one(id="bar-undo"))
    assert button["title"].endswith("is hidden. (and 1 more)")
