"""Ways between decks in fog: their near end is seen and used; where they lead is known to who was there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from combat.audience.viewer import Viewer
from combat.models import ShareLink
from combat.pages.sharing.open_state import write_state
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.sharing.viewer_context import ViewerContext
from tests.combat.audience.test_leaks import calm
from tests.combat.cast import Cast, come, gather
from tests.combat.rules.every_game.decks import HATCH, LADDER, SHAFT, make_ship, make_zones
from tests.combat.visit import MARCUS, ZARA, Visit, begun, load, read, state_of

WAYS = (LADDER, SHAFT, HATCH)
COVERED = {**SHAFT, "open": False}  # an open one shows those below what is above it
UNSEEN = "You have not seen yet where it leads."


def lay(pk: int, *ways: dict[str, Any], pirate: tuple[float, float] = (43, 11), **more: Any) -> None:
    """The ship of the tests in fog: all in its hold but a foe, who is in the quarters."""
    settings = dict(state_of(pk).scene.settings)
    if load(pk).system == "starshock":
        settings["positioning"] = "squares"
    submit(pk, Submission("set_scene", {"scene": {"zones": make_zones(), "settings": settings}}))
    submit(pk, Submission("set_map", {"map": {**make_ship(*ways, fog=True), "remembers": True, **more}}))
    for who in state_of(pk).combatants:
        submit(pk, Submission("place", {"target": who, "x": 2, "y": 11}))
    foe = next(one.id for one in state_of(pk).combatants.values() if not one.pc)
    for who, x, y in ((ZARA, 4, 6), (foe, *pirate)):
        submit(pk, Submission("place", {"target": who, "x": x, "y": y}))


@dataclass
class Evening:
    """A fight in the fogged ship: its GM, a player's and a spectator's browser, and who acts in it."""

    gm: Visit
    player: Client
    watcher: Client
    who: str

    @property
    def here(self) -> str:
        return self.gm.here

    @property
    def readers(self) -> tuple[Client, Client]:
        return self.player, self.watcher

    def put(self, who: str, x: float, y: float) -> None:
        submit(self.gm.pk, Submission("place", {"target": who, "x": x, "y": y}))

    def ask(self, **query: str) -> Any:
        return self.player.get(f"{self.here}paths/", {"combatant": self.who, **query}).json()

    def do(self, **sent: str) -> None:
        assert self.player.post(self.here, {"combatant": self.who, **sent}).status_code in (200, 303)

    def at(self) -> tuple[float, float]:
        at = state_of(self.gm.pk)[self.who].at
        return at.x, at.y


def begin(gm: User, client: Client, slug: str = "cosmos") -> Evening:
    """A fight of a game in its fogged ship, in the turn of a player at the foot of the ladder."""
    visit = Visit(client, begun(gm, slug).pk)
    advance = find_system(slug).actions.advance
    while not state_of(visit.pk)[who := state_of(visit.pk).active].pc:
        submit(visit.pk, Submission(advance, {}))
    lay(visit.pk, *WAYS)
    submit(visit.pk, Submission("place", {"target": who, "x": 4, "y": 6}))
    if slug == "starshock":
        visit.post(do="declare", combatant=who, actions="3")
    player = come(load(visit.pk), ShareLink.PLAY, "Pia", who)
    return Evening(visit, player, come(load(visit.pk), ShareLink.WATCH, "Wim"), who)


def say_ways(client: Client, evening: Evening) -> set[str]:
    """The ways as their drawings are called, without those of the links around them."""
    page = read(client.get(evening.here))
    return {one["aria-label"] for one in page.all("g", class_="deck-way")}


def say_decks(client: Client, evening: Evening) -> list[str]:
    page = read(client.get(evening.here))
    return [one.text.split()[1] for one in page.all("button") if one["data-deck"]]


def test_near_end_is_drawn_and_its_far_end_once_they_are_there(gm: User, gm_client: Client) -> None:
    evening = begin(gm, gm_client)
    assert "Ladder up to Quarters" in say_ways(gm_client, evening)
    for reader in evening.readers:
        assert say_ways(reader, evening) == {"Ladder up", "Shaft up", "Hatch up, shut"}
        assert say_decks(reader, evening) == ["Hold"]
        assert "Quarters" not in reader.get(evening.here).content.decode()
    evening.put(evening.who, 28, 6)
    for reader in evening.readers:
        assert {"Ladder up to Quarters", "Ladder down to Hold"} <= say_ways(reader, evening)
        assert say_decks(reader, evening) == ["Quarters", "Hold"]
    evening.put(evening.who, 4, 6)
    assert "Ladder up to Quarters" in say_ways(evening.player, evening), "it is remembered"


def test_a_way_out_of_sight_is_not_told(gm: User, gm_client: Client) -> None:
    evening = begin(gm, gm_client)
    wall = {"id": "w", "kind": "wall", "x1": 8, "y1": -1, "x2": 8, "y2": 13}
    lay(evening.gm.pk, *WAYS, walls=[wall])
    assert say_ways(evening.player, evening) == {"Ladder up"}


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["cosmos", "cepheus", "starshock", "guardians"])
def test_way_into_the_unknown_is_taken_by_form_and_by_key(gm: User, gm_client: Client, slug: str) -> None:
    evening = begin(gm, gm_client, slug)
    form = evening.player.get(evening.here, {"combatant": evening.who, "do": "way"}).content.decode()
    assert "Ladder up" in form
    assert "you have not seen yet where it leads" in form
    assert "Quarters" not in form
    told = evening.ask(across="up")
    assert (told["refused"], told["parts"], told["notes"]) == ("", ["Ladder up"], [UNSEEN])
    assert (told["goal"], told["to"]) == ("up", [4, 6])
    evening.do(do="move_to_deck", to="up")
    assert evening.at() == (28, 6)
    assert say_decks(evening.player, evening) == ["Quarters", "Hold"]


@pytest.mark.parametrize("slug", ["cosmos", "cepheus", "starshock", "guardians"])
def test_action_alone_leads_into_the_unknown(gm: User, gm_client: Client, slug: str) -> None:
    evening = begin(gm, gm_client, slug)
    evening.do(do="way", way="ladder")
    assert evening.at() == (28, 6)


def test_from_above_an_open_shaft_is_seen_and_walked_round(gm: User, gm_client: Client) -> None:
    """The deck below stays unknown where nobody can look down into it."""
    evening = begin(gm, gm_client)
    lay(evening.gm.pk, SHAFT, remembers=False)
    for other in state_of(evening.gm.pk).combatants:
        evening.put(other, 25, 11)
    evening.put(evening.who, 34, 6)
    assert "Shaft down" in " ".join(say_ways(evening.player, evening))
    page = read(evening.player.get(evening.here))
    assert page.all("rect", class_="deck-hole")
    places = evening.ask()["places"]
    assert any(place[0] > 40 for place in places)
    assert [place for place in places if 37.3 < place[0] < 39.7 and 5.3 < place[1] < 7.7] == []


def test_player_s_branch_does_not_know_what_lies_above(gm: User, gm_client: Client) -> None:
    evening = begin(gm, gm_client)
    found = evening.player.post(f"{evening.here}whatif/", {"do": "begin", "step": "now"})
    for sent in ({"do": "way", "way": "ladder"}, {"do": "move_to_deck", "to": "up"}):
        refused = evening.player.post(found["Location"], {"combatant": evening.who, **sent})
        assert refused.status_code == 409
        assert "Take it at the table first" in refused.content.decode()


ABOVE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("another name", {"name": "Reactor"}),
    ("another height", {"height": 9}),
    ("another shift", {"shift": 20}),
    ("another size", {"width": 20}),
)


def make_worlds() -> Iterator[tuple[str, dict[str, Any], tuple[float, float]]]:
    """The ship with something else on its upper deck each time: what, its map, and where the pirate is."""
    ship, far = make_ship(), (43, 11)
    yield "as it is", {}, far
    low, high = ship["decks"]
    for what, change in ABOVE:
        yield what, {"decks": [low, {**high, **change}]}, far
    yield "the ladder ends elsewhere", {"ways": [{**LADDER, "x2": 40, "y2": 1}, COVERED, HATCH]}, far
    yield "another opening", {"ways": [LADDER, {**COVERED, "hole": [36.5, 7, 4, 4]}, HATCH]}, far
    idol = {"id": "o1", "name": "Idol", "x": 28, "y": 7, "width": 1, "depth": 1}
    wall = {"id": "w1", "kind": "wall", "x1": 30, "y1": 0, "x2": 30, "y2": 12}
    yield "an idol and a wall", {"obstacles": [idol], "walls": [wall]}, far
    yield "someone at its end", {}, (28, 6)
    yield "nobody", {}, (2, 30)


def tell(cast: Cast, pk: int) -> dict[str, str]:
    """All that a player and a spectator read of a fight and its ways."""
    here = f"/encounters/{pk}/"
    asked = {
        "table": {},
        "form": {"combatant": ZARA, "do": "way"},
        "move": {"combatant": ZARA, "do": "move"},
    }
    told = {
        f"{role} {name}": cast[role].get(here, query).content.decode()
        for role in ("player", "watcher")
        for name, query in asked.items()
    }
    for across in ("up", "down", "30,6", "4,9"):
        query = {"combatant": ZARA, "across": across}
        told[f"to {across}"] = cast.player.get(f"{here}paths/", query).content.decode()
    told["paths"] = cast.player.get(f"{here}paths/", {"combatant": ZARA}).content.decode()
    told["replay"] = cast.player.get(f"{here}log/").content.decode()
    context = ViewerContext(load(pk), Viewer("seat", frozenset((ZARA,))))
    told["programs"] = str(write_state(context))
    return {name: calm(text) for name, text in told.items()}


@pytest.mark.slow
def test_no_byte_tells_what_lies_above(gm: User, gm_client: Client) -> None:
    """Pairs of worlds that differ only on the deck that nobody of the players has seen."""
    pk = begun(gm, "cosmos").pk
    cast = gather(load(pk), ZARA, MARCUS)
    worlds: dict[str, dict[str, str]] = {}
    for what, more, at in make_worlds():
        with transaction.atomic():
            lay(pk, *more.pop("ways", (LADDER, COVERED, HATCH)), pirate=at, **more)
            worlds[what] = tell(cast, pk)
            transaction.set_rollback(True)
    first = worlds["as it is"]
    assert "Ladder up" in first["player table"], "first: the way is told"
    differing = [(what, name) for what, told in worlds.items() for name in told if told[name] != first[name]]
    assert differing == []


def test_blind_ways_are_no_part_of_a_drawn_map(gm: User, gm_client: Client) -> None:
    pk = begun(gm, "cosmos").pk
    with pytest.raises(Refused, match="lead from one deck up"):
        lay(pk, {**LADDER, "blind": "up"})
