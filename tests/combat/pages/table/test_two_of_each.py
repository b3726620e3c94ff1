"""Two of a thing where one is the rule: two who are dying, two who fall by one step."""

from __future__ import annotations

import pytest
from django.test import Client

from combat.display.forms.helping import Help, find_dying, find_help
from combat.models import Encounter, Seat, ShareLink
from combat.pages.table import end_view
from combat.pages.table.moments_view import _find_cause
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.words import say
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.wording import Pen
from tests.combat.cast import come
from tests.combat.markup import Page
from tests.combat.rules.stage import Stage
from tests.combat.visit import MARCUS, SLUG, ZARA, read, state_of


def give(pk: int, *who: str, kind: str = "dying") -> None:
    for one in who:
        submit(pk, Submission("give_condition", {"target": one, "kind": kind}))


@pytest.fixture
def nia(started: Encounter) -> Client:
    """The player of Zara."""
    client = come(started, ShareLink.PLAY, "Nia")
    Seat.objects.filter(name="Nia").update(combatants=[ZARA])
    return client


def end(encounter: Encounter, client: Client) -> Page:
    submit(encounter.pk, Submission("end_fight", {}))
    return read(client.get(f"/encounters/{encounter.pk}/"))


def test_dying_are_named_where_nobody_can_help(started: Encounter, nia: Client) -> None:
    give(started.pk, ZARA, MARCUS)
    page = end(started, nia)
    urgent = page.one("section", class_="end-urgent")
    assert urgent.text.startswith("Marcus is dying 2.8 m from you")
    assert page.all("p", class_="end-ask"), "Zara is dying too and helps nobody"


def test_of_two_dying_the_one_who_can_be_helped_comes_first(
    started: Encounter, nia: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    block, side = next(iter(find_system(SLUG).book.find_blocks())), state_of(started.pk)[ZARA].side
    submit(started.pk, Submission("join", {"block": block, "side": side, "name": "Bo"}))
    bo = next(one for one in state_of(started.pk).combatants.values() if one.name == "Bo")
    give(started.pk, MARCUS, bo.id)
    monkeypatch.setattr(end_view, "find_help", lambda *_: Help("first_aid", bo, "90"))
    page = end(started, nia)
    urgent = [one.text for one in page.all("section", class_="end-urgent")]
    assert [text.partition(" is dying")[0] for text in urgent] == ["Bo", "Marcus"]
    helped = [one["href"] for one in page.all("a", class_="btn-large") if one.text == "Help Bo · 90%"]
    assert len(helped) == 1
    assert f"target={bo.id}" in helped[0]
    (told,) = (one.text for one in page.all("p", class_="end-ask"))
    assert told == "Tell the GM at once: help for Marcus cannot wait."


def test_help_is_for_the_dying_friend_in_reach() -> None:
    """Of two who are dying, the one who comes first is too far away."""
    stage, block = Stage(SLUG), next(iter(find_system(SLUG).book.find_blocks()))
    places = {"Ada": (0, 0), "Bo": (400, 0), "Cy": (1, 0)}
    ada, bo, cy = (stage.add(name, "allies", at, block=block) for name, at in places.items())
    stage.add("Foe", "enemies", (0, 60), block=block)
    stage.begin()
    for one in (bo, cy):
        stage.give(one, "dying")
    system = find_system(SLUG)
    assert [one.id for one in find_dying(system, stage.state, ada)] == [bo, cy]
    found = find_help(system, stage.state, ada)
    assert found
    assert (found.friend.id, found.to) == (cy, "")
    stage.edit(cy, at=Point(400, 1))
    assert find_help(system, stage.state, ada) is None
    stage.edit(bo, at=Point(0, 1))
    found = find_help(system, stage.state, ada)
    assert found
    assert found.friend.id == bo


def test_each_of_two_who_fall_by_one_step_has_their_own_cause() -> None:
    def fall(who: str, by: str, item: str) -> e.Fact:
        return e.Fact(e.TrackChanged(who, "hp", 5, 0, why=say("why.hit", item=item), by=by))

    def strike(who: str, target: str) -> e.Fact:
        roll = Roll("1d6", (5,), 5, "app", who, "R1", "")
        return e.Fact(e.Checked(who, "check.attack", roll, (), 5, "hit", target=target))

    pen = Pen(find_system(SLUG), {})
    hit = [strike("f7", "f1"), fall("f1", "", "pistol"), strike("f8", "f2"), fall("f2", "", "sword")]
    assert [_find_cause(pen, hit, who)[0] for who in ("f1", "f2", "f3")] == ["f7", "f8", ""]
    seen = [fall("f1", "f7", "pistol"), fall("f2", "f8", "sword")]
    assert [_find_cause(pen, seen, who)[0] for who in ("f1", "f2", "f3")] == ["f7", "f8", ""]
