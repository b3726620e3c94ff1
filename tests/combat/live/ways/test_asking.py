"""Streams by POST, and asking: who may, what they are told, and what an unchanged answer is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast
from unittest.mock import Mock

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client

from combat.live import asking, hub
from combat.models import Encounter, Seat
from combat.pages.table import stream as answers
from combat.pages.table import stream as streams
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.access import admit_stream
from combat.sharing.links import end_seat
from cosmos_site import asgi
from tests.combat.cast import ROLES, Cast, enter, invite
from tests.combat.live.test_open_events import Program, Server
from tests.combat.live.test_rereading import hurt
from tests.combat.visit import load

ALLOWED = ("gm", "co_gm", "player", "other", "watcher")
HERE = {"host": "table.example", "origin": "https://table.example"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose client no longer listens; nobody has asked it before."""
    server = Server()
    for room in (streams, answers):
        monkeypatch.setattr(room, "in_thread", server.ask_later)
    for kept in (answers._grants, asking._points, asking._askers):
        kept.clear()
    yield server
    server.stop()
    assert not hub._listeners


@dataclass
class Pages:
    """Pages of the cast at one encounter, whose streams are held back."""

    server: Server
    pk: int
    cast: Cast

    def stream(self, role: str, method: str = "POST", **headers: str) -> Program:
        return self._connect(f"/live/{self.pk}/", streams.stream, method, role, headers or HERE)

    def ask(self, role: str, tag: str = "", method: str = "GET", path: str = "") -> Program:
        """Ask for what came after a tag."""
        headers = {"if-none-match": tag} if tag else {}
        path = path or f"/live/{self.pk}/now/"
        found = self._connect(path, answers.answer_ask, method, role, headers)
        found.wait_for_end()
        return found

    def _connect(self, path: str, to: Any, method: str, role: str, headers: dict[str, str]) -> Program:
        cookies = "; ".join(f"{name}={kept.value}" for name, kept in self.cast[role].cookies.items())
        return self.server.connect(path, to, method, cookie=cookies, **headers)


@pytest.fixture
def pages(server: Server, started: Encounter, cast: Cast) -> Pages:
    return Pages(server, started.pk, cast)


def tag_of(answer: Program) -> str:
    return answer.headers[b"etag"].decode()


# ---- Streams by POST ----


@pytest.mark.parametrize("role", ROLES)
def test_stream_by_post_is_for_those_of_the_table(pages: Pages, role: str) -> None:
    there = pages.stream(role)
    if role in ALLOWED:
        there.hear(1)
        assert there.stamps == pages.ask(role).stamps
    else:
        there.wait_for_end()
        assert (there.status, there.events) == (404, [("ended", "", "ended")])
        assert "not shared with you" in there.text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "same-origin", "origin": "https://elsewhere.example"}, 200),
        ({"sec-fetch-site": "same-site", **HERE}, 403),
        ({"sec-fetch-site": "cross-site", **HERE}, 403),
        ({"sec-fetch-site": "none", **HERE}, 403),
        (HERE, 200),
        ({"host": "table.example:8000", "origin": "http://table.example:8000"}, 200),
        ({"host": "table.example", "origin": "https://elsewhere.example"}, 403),
        ({"host": "table.example", "origin": "https://table.example.elsewhere.example"}, 403),
        ({"host": "table.example", "origin": "null"}, 403),
        ({"host": "table.example", "origin": "https://[::1"}, 403),
        ({"host": "table.example"}, 403),
        ({"host": "", "origin": ""}, 403),
    ],
)
def test_only_pages_of_this_site_open_a_stream_by_post(
    pages: Pages, headers: dict[str, str], status: int
) -> None:
    there = pages.stream("gm", **headers)
    assert there.status == status
    if status == 403:
        there.wait_for_end()
        assert "page of this site" in there.text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "HEAD", "OPTIONS"])
def test_other_methods_are_told_which_are_right(pages: Pages, method: str) -> None:
    there, asked = pages.stream("gm", method), pages.ask("gm", method=method)
    assert (there.status, there.headers[b"allow"]) == (405, b"GET, POST")
    assert (asked.status, asked.headers[b"allow"]) == (405, b"GET")


def test_page_that_sends_a_body_to_a_stream_is_let_go(pages: Pages) -> None:
    class Sender(Program):
        async def receive(self) -> dict[str, Any]:
            return {"type": "http.request", "body": b"x", "more_body": True}

    cookies = f"sessionid={pages.cast.gm.cookies['sessionid'].value}"
    headers = {"cookie": cookies, **HERE}
    sender = Sender(pages.server, f"/live/{pages.pk}/", streams.stream, "POST", headers)
    sender.wait_for_end()
    assert sender.status == 200


# ---- Asking ----


@pytest.mark.parametrize("role", ROLES)
def test_asking_is_for_those_of_the_table(pages: Pages, role: str) -> None:
    answer = pages.ask(role)
    if role in ALLOWED:
        kind = "gm" if "gm" in role else "public" if role == "watcher" else "seat"
        stamp = load(pages.pk).stamp(kind == "gm", kind == "seat")
        assert (answer.status, answer.events) == (200, [("changed", "", stamp)])
    else:
        assert (answer.status, answer.events) == (404, [("ended", "", "ended")])
    assert answer.headers[b"cache-control"] == b"no-store"


@pytest.mark.parametrize("path", ["/live/999/now/", "/live/x/now/"])
def test_asking_for_what_is_not_there_is_refused_like_a_stranger(pages: Pages, path: str) -> None:
    assert pages.ask("gm", path=path).text == pages.ask("stranger").text


@pytest.mark.parametrize("role", ALLOWED)
def test_unchanged_answer_is_empty_and_a_change_is_told(pages: Pages, role: str) -> None:
    first = pages.ask(role)
    for tag in (tag_of(first), f"W/{tag_of(first)}"):
        again = pages.ask(role, tag)
        assert (again.status, again.text, tag_of(again)) == (304, "", tag_of(first))
    hurt(pages.pk)
    changed = pages.ask(role, tag_of(first))
    assert (changed.status, len(changed.stamps)) == (200, 1)
    assert changed.stamps != first.stamps
    assert pages.ask(role, tag_of(changed)).status == 304


def test_what_only_the_gm_sees_changes_no_other_answer(pages: Pages) -> None:
    tags = {role: tag_of(pages.ask(role)) for role in ALLOWED}
    submit(pages.pk, Submission("note", {"text": "Hm."}))
    status = {role: pages.ask(role, tag).status for role, tag in tags.items()}
    assert status == {"gm": 200, "co_gm": 200, "player": 304, "other": 304, "watcher": 304}


@pytest.mark.parametrize("tag", ["*", '"', '"x"', '"x.', '"a.1" "b.2"', '"a.999999999999999999999"', "é"])
def test_tag_of_somebody_else_is_answered_as_none(pages: Pages, tag: str) -> None:
    assert pages.ask("player", tag).events == pages.ask("player").events


def test_points_reach_only_pages_that_may_see_them_and_once(pages: Pages) -> None:
    tags = {role: tag_of(pages.ask(role)) for role in ALLOWED}
    hub.point(pages.pk, ("gm",), {"x": 1, "y": 2, "name": "GM"})
    hub.point(pages.pk, ("gm", "seat", "public"), {"x": 3, "y": 4, "name": "Pia"})
    for role in ALLOWED:
        answer = pages.ask(role, tags[role])
        names = [data.rpartition('"name": "')[2][:-2] for kind, _, data in answer.events if kind == "pointed"]
        assert names == (["GM", "Pia"] if "gm" in role else ["Pia"]), role
        assert pages.ask(role, tag_of(answer)).status == 304
    assert [kind for kind, _, _ in pages.ask("gm").events] == ["changed"], "a new page begins without points"


def test_points_are_kept_only_for_a_moment(pages: Pages) -> None:
    tag = tag_of(pages.ask("gm"))
    hub.point(pages.pk, ("gm",), {"x": 1})
    with time_machine.travel(time.time() + asking.POINT_SECONDS + 1):
        assert pages.ask("gm", tag).status == 304
        hub.point(pages.pk + 1, ("gm",), {"x": 2})
    assert set(asking._points) == {pages.pk + 1}
    for number in range(2 * asking.MAX_POINTS):
        hub.point(pages.pk, ("gm",), {"x": number})
    assert len(asking._points[pages.pk]) == asking.MAX_POINTS


# ---- Rights that end, limits, presence ----


def test_seat_that_ends_is_told_with_the_next_answer(pages: Pages) -> None:
    tag = tag_of(pages.ask("player", ""))
    end_seat(Seat.objects.get(name="Pia"))
    assert pages.ask("player", tag).events == [("ended", "", "ended")]
    assert pages.ask("other").status == 200


def test_who_takes_another_seat_with_the_same_browser_goes_on(pages: Pages, started: Encounter) -> None:
    assert pages.ask("player").status == 200
    end_seat(Seat.objects.get(name="Pia"))
    enter(pages.cast.player, invite(started), "Pia again")
    assert pages.ask("player").status == 200


def test_right_is_looked_up_closely_once_a_minute(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = Mock(side_effect=admit_stream)
    monkeypatch.setattr(streams, "admit_stream", looked)
    for _ in range(3):
        pages.ask("gm")
    assert looked.call_count == 1
    monkeypatch.setattr(answers, "GRANT_SECONDS", 0)
    answers._grants.clear()
    for _ in range(3):
        pages.ask("gm")
    assert looked.call_count == 4
    assert len(answers._grants) == 1


def test_deleted_table_is_told(pages: Pages) -> None:
    pages.ask("gm")
    Encounter.objects.filter(pk=pages.pk).delete()
    assert pages.ask("gm").events == [("ended", "", "ended")]


def test_pages_that_ask_count_as_open_pages(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_PAGES", 2)
    there = pages.stream("player")
    assert pages.ask("player").status == 200
    assert [pages.ask("player").status, pages.stream("player").status] == [429, 429]
    assert "close some pages" in pages.ask("player").text
    assert pages.ask("other").status == 200
    monkeypatch.setattr(asking, "ASK_SECONDS", 1e-6)
    assert pages.ask("player").status == 200
    there.leave()


@pytest.mark.parametrize("role", ["player", "gm"])
def test_page_that_asks_keeps_its_person_present(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    Seat.objects.update(seen="2026-01-01T00:00Z")
    pages.ask(role)
    monkeypatch.setattr(asking, "VISIT_SECONDS", 0)
    pages.ask(role)
    seen = Seat.objects.filter(seen__gt="2026-02-01T00:00Z").values_list("name", flat=True)
    assert list(seen) == (["Pia"] if role == "player" else [])


def test_database_that_is_away_is_told_and_asked_again(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(who: hub.StreamGrant) -> str:
        raise OperationalError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(answers, "read_stamp", fail)
        answer = pages.ask("gm")
        assert (answer.status, "try again" in answer.text) == (503, True)
    assert pages.ask("gm").status == 200


def test_old_askers_are_forgotten(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    pages.ask("gm")
    monkeypatch.setattr(asking, "VISIT_SECONDS", -1)
    pages.ask("player")
    assert len(asking._askers) == 1


def test_the_site_gives_each_connection_to_its_room(client: Client) -> None:
    taken: list[str] = []

    def take(name: str) -> Callable[..., Any]:
        async def answer(*given: Any) -> None:
            taken.append(name)

        return answer

    site = cast("Any", asgi.Site)(None, None, take("stream"), take("ask"), take("program"))
    for path in ("/live/1/now/", "/live/1/", "/live/1/now", "/live/x/now/", "/api/v1/abc/events/"):
        asyncio.run(site({"type": "http", "path": path}, None, None))
    assert taken == ["ask", "stream", "stream", "stream", "program"]
