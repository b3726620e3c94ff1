"""The drawing pointer: who gets one, who sees the lines, the limits; no line is stored."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from combat.live import hub
from combat.models import Encounter, Seat
from combat.pages.map import pens
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.links import end_seat
from combat.sharing.pens import INKS, LENT, find_ink_of, lend_pens
from tests.combat.cast import ROLES, Cast, come, seat_named
from tests.combat.visit import Visit, stored

ALL = ("gm", "seat", "public")
LINE = "1,1; 2,2.5; 3,4"
SPOTS = [(1.0, 1.0), (2.0, 2.5), (3.0, 4.0)]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The messages given to the live stream."""
    found: list[Any] = []
    monkeypatch.setattr(hub, "point", lambda *given: found.append(given))
    monkeypatch.setattr(pens, "WINDOW_SECONDS", 600)
    cache.clear()
    return found


def use(client: Client, pk: int, **fields: Any) -> Any:
    return client.post(f"/encounters/{pk}/pen/", fields)


def draw(client: Client, pk: int, points: str = LINE, line: str = "7") -> Any:
    return use(client, pk, do="draw", points=points, line=line)


def find_pens(pk: int) -> dict[int, int]:
    """The seats that hold a pointer, with its colour."""
    held = {seat.pk: find_ink_of(seat) for seat in Seat.objects.filter(encounter=pk)}
    return {seat: ink for seat, ink in held.items() if ink}


def has_tool(client: Client, pk: int) -> bool:
    return "data-pen=" in client.get(f"/encounters/{pk}/").content.decode()


def test_only_who_holds_a_pointer_draws(started: Encounter, cast: Cast, told: list[Any]) -> None:
    before = stored(started.pk)
    for role, name in (("gm", "GM"), ("co_gm", "Cleo")):
        assert draw(cast[role], started.pk).status_code == 204
        assert told.pop() == (started.pk, ALL, {"line": 7, "ink": 0, "name": name, "runs": [SPOTS]})
    for role in ("player", "other", "watcher"):
        assert draw(cast[role], started.pk).status_code == 403, role
    for role in ("revoked", "stranger", "nobody"):
        assert draw(cast[role], started.pk).status_code in (302, 404, 410), role
    assert not told
    lend_pens(started.pk, [seat_named("Pia").pk])
    assert draw(cast.player, started.pk).status_code == 204
    assert told.pop()[2] == {"line": 7, "ink": 1, "name": "Pia", "runs": [SPOTS]}
    assert draw(cast.other, started.pk).status_code == 403
    assert stored(started.pk) == before, "nothing is kept of the fight"


def test_only_the_gm_hands_pointers_on(started: Encounter, cast: Cast, told: list[Any]) -> None:
    otto = seat_named("Otto").pk
    lend_pens(started.pk, [otto])
    for role in set(ROLES) - {"gm", "co_gm"}:
        for do, seat in (("lend", seat_named("Pia").pk), ("take", otto), ("wipe", "")):
            found = use(cast[role], started.pk, do=do, seat=str(seat))
            assert found.status_code in (302, 403, 404, 410), role
            assert found.get("Location", "/accounts/").startswith("/accounts/")
    assert not told
    assert list(find_pens(started.pk)) == [otto]
    for role in ("gm", "co_gm"):
        for do in ("lend", "take", "wipe"):
            assert use(cast[role], started.pk, do=do, seat=str(otto)).status_code == 303
            assert told.pop()[0] == started.pk


def test_pointer_goes_out_and_comes_back(started: Encounter, cast: Cast, told: list[Any]) -> None:
    seat = str(seat_named("Pia").pk)
    assert not has_tool(cast.player, started.pk)
    use(cast.gm, started.pk, do="lend", seat=seat)
    assert told.pop() == (started.pk, ("gm", "seat"), {"pens": True})
    assert [has_tool(cast[role], started.pk) for role in ("gm", "player", "other", "watcher")] == [
        True, True, False, False,
    ]  # fmt: skip
    use(cast.gm, started.pk, do="take", seat=seat)
    assert not has_tool(cast.player, started.pk)
    use(cast.gm, started.pk, do="lend", seat="all")
    assert (has_tool(cast.player, started.pk), has_tool(cast.other, started.pk)) == (True, True)
    use(cast.gm, started.pk, do="take", seat="all")
    assert not find_pens(started.pk)


def test_page_that_looks_again_is_told_of_its_pointer(started: Encounter, cast: Cast) -> None:
    """The table has the same version: without a tag of its own the page would get "nothing new"."""
    here = f"/encounters/{started.pk}/"
    again = {"HX-Request": "true", "If-None-Match": cast.player.get(here)["ETag"]}
    assert cast.player.get(here, headers=again).status_code == 304
    lend_pens(started.pk, [seat_named("Pia").pk])
    assert "data-pen=" in cast.player.get(here, headers=again).content.decode()


def test_nobody_who_watches_or_has_left_is_lent_one(started: Encounter, cast: Cast) -> None:
    for name in ("Wim", "Rex", "Cleo"):
        use(cast.gm, started.pk, do="lend", seat=str(seat_named(name).pk))
    assert not find_pens(started.pk)
    htmx = cast.gm.post(
        f"/encounters/{started.pk}/pen/", {"do": "lend", "seat": "no"}, headers={"HX-Request": "true"}
    )
    assert (htmx.status_code, htmx.json()["refused"]) == (
        422,
        "Nobody plays from that seat now: reload the page.",
    )


def test_each_has_a_colour_of_their_own(started: Encounter) -> None:
    names = [f"Player {n}" for n in range(INKS + 1)]
    for name in names:
        come(started, "play", name)
    seats = [seat_named(name).pk for name in names]
    lend_pens(started.pk, seats[:INKS])
    assert sorted(find_pens(started.pk).values()) == list(range(1, INKS + 1))
    lend_pens(started.pk, seats)
    assert find_pens(started.pk)[seats[INKS]] == 1, "and then the first again"


def test_a_pointer_is_lent_for_an_evening(started: Encounter, cast: Cast, told: list[Any]) -> None:
    pia = Seat.objects.filter(pk=seat_named("Pia").pk)
    lend_pens(started.pk, [seat_named("Pia").pk])
    pia.update(pen_until=timezone.now() + timedelta(minutes=1))
    assert draw(cast.player, started.pk).status_code == 204
    pia.update(pen_until=timezone.now())
    assert draw(cast.player, started.pk).status_code == 403
    assert not has_tool(cast.player, started.pk)
    use(cast.gm, started.pk, do="lend", seat="all")
    until = seat_named("Pia").pen_until
    assert until
    assert until > timezone.now() + LENT - timedelta(hours=1)


def test_wiping_is_told_to_all(started: Encounter, cast: Cast, told: list[Any]) -> None:
    use(cast.gm, started.pk, do="wipe")
    assert told == [(started.pk, ALL, {"wipe": True})]


NO_LINES = [
    ("", "1"),
    ("1", "1"),
    ("1,2,3", "1"),
    ("nan,1", "1"),
    ("1,1e9", "1"),
    ("<b>,0", "1"),
    (LINE, ""),
    (LINE, "-1"),
    (LINE, "x"),
    ("; ".join(["1,1"] * 61), "1"),
    ("1" * 3000, "1"),
]


def test_no_line_is_refused(visit: Visit, told: list[Any]) -> None:
    for points, line in NO_LINES:
        found = draw(visit.client, visit.pk, points, line)
        assert found.status_code == 422, (points[:20], line)
        assert found.json()["refused"], (points[:20], line)
        assert not told, (points[:20], line)


@pytest.mark.slow
def test_too_many_pieces_at_once_are_refused(started: Encounter, cast: Cast, told: list[Any]) -> None:
    lend_pens(started.pk, [seat_named("Pia").pk, seat_named("Otto").pk])
    answers = [draw(cast.player, started.pk).status_code for _ in range(pens.MAX_PIECES + 2)]
    assert answers == [204] * pens.MAX_PIECES + [429, 429]
    assert draw(cast.other, started.pk).status_code == 204, "each for themselves"
    assert len(told) == pens.MAX_PIECES + 1


def test_line_into_a_hidden_area_is_cut_for_players(visit: Visit, told: list[Any]) -> None:
    hidden = [{"id": "a1", "x": 10, "y": 0, "width": 10, "depth": 10}]
    submit(visit.pk, Submission("change_map", {"hidden": hidden}))
    draw(visit.client, visit.pk, "5,5; 9,5; 15,5; 22,5; 25,5")
    whole, cut = told
    assert whole[1] == ("gm",)
    assert whole[2]["runs"] == [[(5, 5), (9, 5), (15, 5), (22, 5), (25, 5)]]
    assert cut[1] == ("seat", "public")
    assert cut[2]["runs"] == [[(5, 5), (9, 5)], [(22, 5), (25, 5)]]


def test_line_across_a_hidden_area_is_cut_too(visit: Visit, told: list[Any]) -> None:
    """Players know both its ends, but not what lies between them."""
    hidden = [{"id": "a1", "x": 10, "y": 0, "width": 10, "depth": 10}]
    submit(visit.pk, Submission("change_map", {"hidden": hidden}))
    draw(visit.client, visit.pk, "5,5; 25,5")
    assert told[-1][2]["runs"] == [[(5, 5)], [(25, 5)]]


def test_fog_keeps_a_line_from_players(visit: Visit, told: list[Any]) -> None:
    wall = [{"id": "w1", "x1": 20, "y1": -20, "x2": 20, "y2": 40}]
    submit(visit.pk, Submission("change_map", {"walls": wall, "look": {"fog": True}}))
    draw(visit.client, visit.pk, "25,5; 26,6")
    assert [given[1] for given in told] == [("gm",)]


def test_lines_of_a_player_tell_them_nothing_of_the_fog(
    started: Encounter, cast: Cast, told: list[Any]
) -> None:
    """Whether a place is known or not, the answer and what everyone sees are the same."""
    wall = [{"id": "w1", "x1": 20, "y1": -20, "x2": 20, "y2": 40}]
    hidden = [{"id": "a1", "x": 24, "y": 0, "width": 10, "depth": 10}]
    submit(started.pk, Submission("change_map", {"walls": wall, "look": {"fog": True}, "hidden": hidden}))
    lend_pens(started.pk, [seat_named("Pia").pk])
    near, far = draw(cast.player, started.pk, "5,5; 6,6"), draw(cast.player, started.pk, "5,5; 26,6")
    assert (near.status_code, near.content) == (far.status_code, far.content) == (204, b"")
    assert [given[1] for given in told] == [ALL, ALL]
    assert told[1][2]["runs"] == [[(5, 5), (26, 6)]], "whole, not cut where the player knows nothing"


def test_list_of_who_may_draw_is_drawn_while_it_is_open(started: Encounter, cast: Cast) -> None:
    come(started, "play", "Zenobia")
    here, opened = f"/encounters/{started.pk}/", f"/encounters/{started.pk}/?fold=map-pens"
    for role in ("gm", "co_gm"):
        assert "Zenobia" not in cast[role].get(here).content.decode()
        assert "Zenobia" in cast[role].get(opened).content.decode()
    for role in ("player", "watcher"):
        assert "Zenobia" not in cast[role].get(opened).content.decode()


def test_sitting_down_or_leaving_changes_the_list_at_once(visit: Visit) -> None:
    def read() -> str:
        return visit.client.get(f"/encounters/{visit.pk}/?fold=map-pens").content.decode()

    assert "No player has joined yet." in read()
    come(Encounter.objects.get(pk=visit.pk), "play", "Nia")
    come(Encounter.objects.get(pk=visit.pk), "watch", "Wim")
    assert 'id="pen-lend-all"' in read()
    assert "the pointer: Nia" in read()
    assert "Wim" not in read()
    end_seat(seat_named("Nia"))
    assert "No player has joined yet." in read()


def test_open_list_of_who_may_draw_follows_what_is_lent(started: Encounter, cast: Cast) -> None:
    """The table has the same version: without a tag of its own the page would get "nothing new"."""
    here, headers = f"/encounters/{started.pk}/", {"HX-Request": "true", "X-Folds": "map-pens"}
    again = {**headers, "If-None-Match": cast.gm.get(here, headers=headers)["ETag"]}
    assert cast.gm.get(here, headers=again).status_code == 304
    lend_pens(started.pk, [seat_named("Pia").pk])
    assert "Take back" in cast.gm.get(here, headers=again).content.decode()
