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

from combat.play.writing.encounter_service import Submission, submit, undo
from tests.combat.desk import PIRATE, PISTOL, ZARA, Desk, load, roll_fives
from tests.combat.desk import combatant as find_combatant
from tests.combat.rules.core.space.maps import make_city
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


def test_empty_view(benchmark: Any, desk: Desk) -> None:
    answer = benchmark(lambda: desk.client.get("/nothing/", headers=desk.headers))
    assert answer.status_code == 200


def test_table(benchmark: Any, desk: Desk) -> None:
    answer = benchmark(desk.get)
    assert answer.status_code == 200


def test_attack(benchmark: Any, desk: Desk) -> None:
    """From the posted form to the changed part of the page."""

    def fresh() -> None:
        if load(desk.pk).log.filter(name="attack", struck=False).exists():
            undo(desk.pk)

    def attack() -> Answer:
        return desk.client.post(desk.here, ATTACK, headers=desk.headers)

    answer = benchmark.pedantic(attack, setup=fresh, rounds=40, warmup_rounds=3)
    assert answer.status_code == 200


def test_attack_form_with_odds(benchmark: Any, desk: Desk) -> None:
    """The table with the form of an attack open: sums and exact odds."""
    answer = benchmark(lambda: desk.get(do="attack", combatant=ZARA))
    assert answer.status_code == 200


def test_next_turn(benchmark: Any, desk: Desk) -> None:
    answer = benchmark.pedantic(
        lambda: desk.client.post(desk.here, {"do": "next_turn"}, headers=desk.headers), rounds=40
    )
    assert answer.status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("walls", [0, 2000])
def test_move_among_sixty(benchmark: Any, desk: Desk, walls: int) -> None:
    """A step of about three meters, each time to another place; the page is updated by its parts."""
    for _ in range(3):
        submit(desk.pk, Submission("join", {"block": "pirate", "count": 19}))
    if walls:
        drawn = msgspec.to_builtins(make_city(walls).walls)
        submit(desk.pk, Submission("change_map", {"walls": drawn}))
    page = desk.client.get(desk.here).content.decode()
    headers = {**desk.headers, "X-Parts": unescape(PARTS.findall(page)[-1])}
    paths = desk.client.get(f"{desk.here}paths/", {"combatant": ZARA}).json()
    begun = find_combatant(desk.pk, ZARA).at
    number = next(n for n, one in enumerate(paths["moves"]) if one["do"] == "move")
    places = [place for place in paths["places"] if place[5] == number]
    spots = cycle([place[:2] for place in sorted(places, key=lambda place: abs(place[4] - 3))[:40]])

    def fresh() -> None:
        if load(desk.pk).log.filter(name="move", struck=False).exists():
            undo(desk.pk)

    def move() -> Answer:
        x, y = next(spots)
        posted = {"do": "move", "combatant": ZARA, "to": f"{x:g},{y:g}"}
        return desk.client.post(desk.here, posted, headers=headers)

    answer = benchmark.pedantic(move, setup=fresh, rounds=30, warmup_rounds=3)
    assert answer.status_code == 200
    assert find_combatant(desk.pk, ZARA).at != begun
