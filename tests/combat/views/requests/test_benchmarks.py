"""The cost of an action beside a page that does nothing, in time of this process.

Off by default: pytest --benchmark-enable -n 0. The numbers in brackets are multiples of the empty view.
"""

from __future__ import annotations

import re
import time
from html import unescape
from itertools import cycle
from typing import Any

import msgspec
import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from pytest_django import Settings

from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.undoing import undo
from tests.combat.rules.core.space.maps import make_city
from tests.combat.visit import PIRATE, PISTOL, ZARA, Visit, load, roll_fives
from tests.combat.visit import combatant as find_combatant
from tests.typed import Answer

PARTS = re.compile(r'data-parts="([^"]*)"')
ATTACK = {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": PISTOL, "dice": "app"}


def do_nothing(request: HttpRequest) -> HttpResponse:
    """The emptiest view there is, behind the same middleware."""
    return HttpResponse()


urlpatterns = [path("nothing/", do_nothing), path("", include("cosmos_site.urls"))]
pytestmark = [pytest.mark.urls(__name__), pytest.mark.benchmark(group="one request", timer=time.process_time)]


@pytest.fixture(autouse=True)
def as_hosted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the extra checks of tests; the app rolls fives."""
    settings.COSMOS_VERIFY = False
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "zeal" not in name]
    roll_fives(monkeypatch)


def test_empty_view(benchmark: Any, visit: Visit) -> None:
    answer = benchmark(lambda: visit.client.get("/nothing/", headers=visit.headers))
    assert answer.status_code == 200


def test_table(benchmark: Any, visit: Visit) -> None:
    answer = benchmark(visit.get)
    assert answer.status_code == 200


def test_attack(benchmark: Any, visit: Visit) -> None:
    """From the posted form to the changed part of the page."""

    def fresh() -> None:
        if load(visit.pk).log.filter(name="attack", struck=False).exists():
            undo(visit.pk)

    def attack() -> Answer:
        return visit.client.post(visit.here, ATTACK, headers=visit.headers)

    answer = benchmark.pedantic(attack, setup=fresh, rounds=40, warmup_rounds=3)
    assert answer.status_code == 200


def test_attack_form_with_odds(benchmark: Any, visit: Visit) -> None:
    """The table with the form of an attack open: sums and exact odds."""
    answer = benchmark(lambda: visit.get(do="attack", combatant=ZARA))
    assert answer.status_code == 200


def test_next_turn(benchmark: Any, visit: Visit) -> None:
    answer = benchmark.pedantic(
        lambda: visit.client.post(visit.here, {"do": "next_turn"}, headers=visit.headers), rounds=40
    )
    assert answer.status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("walls", [0, 2000])
def test_move_among_sixty(benchmark: Any, visit: Visit, walls: int) -> None:
    """A step of about three meters, each time to another place; the page is updated by its parts."""
    for _ in range(3):
        submit(visit.pk, Submission("join", {"block": "pirate", "count": 19}))
    if walls:
        drawn = msgspec.to_builtins(make_city(walls).walls)
        submit(visit.pk, Submission("change_map", {"walls": drawn}))
    page = visit.client.get(visit.here).content.decode()
    headers = {**visit.headers, "X-Parts": unescape(PARTS.findall(page)[-1])}
    paths = visit.client.get(f"{visit.here}paths/", {"combatant": ZARA}).json()
    begun = find_combatant(visit.pk, ZARA).at
    number = next(n for n, one in enumerate(paths["moves"]) if one["do"] == "move")
    places = [place for place in paths["places"] if place[5] == number]
    spots = cycle([place[:2] for place in sorted(places, key=lambda place: abs(place[4] - 3))[:40]])

    def fresh() -> None:
        if load(visit.pk).log.filter(name="move", struck=False).exists():
            undo(visit.pk)

    def move() -> Answer:
        x, y = next(spots)
        posted = {"do": "move", "combatant": ZARA, "to": f"{x:g},{y:g}"}
        return visit.client.post(visit.here, posted, headers=headers)

    answer = benchmark.pedantic(move, setup=fresh, rounds=30, warmup_rounds=3)
    assert answer.status_code == 200
    assert find_combatant(visit.pk, ZARA).at != begun
