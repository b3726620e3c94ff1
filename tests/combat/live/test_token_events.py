"""Events for programs with a token: what their owner hears, until it is revoked."""

from __future__ import annotations

from typing import Any

import pytest

from combat.live import hub
from combat.models import Encounter, ProgramToken
from combat.pages.table import stream as streams
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing import programs
from combat.sharing.links import end_seat
from tests.combat.cast import Cast, seat_named
from tests.combat.live.test_open_events import Program, Server, at_once, server
from tests.combat.pages.programs.asking import Program as Bot
from tests.combat.pages.programs.asking import make_program
from tests.combat.visit import PIRATE, ZARA

__all__ = ["at_once", "server"]  # fixtures
ADDRESS = "/api/table/events/"


def listen(server: Server, bot: Bot, method: str = "GET") -> Program:
    """A program that connects with its token."""
    headers = {name.lower(): value for name, value in bot.headers.items()}
    return server.connect(ADDRESS, streams.stream_to_program, method, **headers)


def test_program_is_told_the_stamps_of_its_owner(
    server: Server, started: Encounter, cast: Cast, at_once: Any
) -> None:
    bots = make_program(started), make_program(started, seat_named("Pia"))
    heard = [listen(server, bot) for bot in bots]
    for bot, program in zip(bots, heard, strict=True):
        assert program.hear(1) == bot.get("state")["stamp"]
    with at_once():  # a secret: only the GM's stamp moves
        submit(started.pk, Submission("note", {"text": "The airlock is mined."}))
    heard[0].hear(2)
    with at_once():
        submit(started.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -5}))
    for bot, program, count in zip(bots, heard, (3, 2), strict=True):
        assert program.hear(count) == bot.get("state")["stamp"]
        assert len(program.stamps) == count
        assert [which for name, which, _ in program.events if name == "changed"] == program.stamps


def test_revoked_token_ends_its_stream_at_once_and_no_other(
    server: Server, started: Encounter, cast: Cast, at_once: Any
) -> None:
    seat = seat_named("Pia")
    bot, other = make_program(started, seat), make_program(started, seat, "Other")
    ended, stays = listen(server, bot), listen(server, other)
    number = ProgramToken.objects.get(name="Bot").pk
    with at_once():
        cast.player.post(f"/encounters/{started.pk}/programs/", {"do": "end", "token": number})
    ended.wait_for_end()
    assert ended.events[-1][0] == "ended"
    server.turn()
    assert not stays.task.done()
    assert listen(server, bot).status == 401


def test_token_revoked_unheard_ends_at_the_next_look(
    server: Server, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "PING_SECONDS", 0)
    program = listen(server, make_program(started))
    program.hear(1)
    ProgramToken.objects.all().delete()
    program.wait_for_end()
    assert program.events[-1][0] == "ended"


def test_stream_ends_with_the_seat(server: Server, started: Encounter, cast: Cast, at_once: Any) -> None:
    program = listen(server, make_program(started, seat_named("Pia")))
    with at_once():
        end_seat(seat_named("Pia"))
    program.wait_for_end()
    assert program.events[-1][0] == "ended"


def test_points_on_the_map_are_for_pages(server: Server, started: Encounter, at_once: Any) -> None:
    program = listen(server, make_program(started))
    program.hear(1)
    hub.point(started.pk, ["gm", "seat"], {"x": 1})
    with at_once():
        submit(started.pk, Submission("hide", {"target": PIRATE}))
    program.hear(2)
    assert "pointed" not in program.text


def test_streams_without_a_valid_token_are_refused(server: Server, started: Encounter, cast: Cast) -> None:
    assert listen(server, Bot("x" * 43)).status == 401
    assert listen(server, make_program(started), "POST").status == 405
    cookie = "; ".join(f"{name}={kept.value}" for name, kept in cast.gm.cookies.items())
    assert server.connect(ADDRESS, streams.stream_to_program, "GET", cookie=cookie).status == 401


def test_opening_streams_counts_as_a_request(
    server: Server, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(programs.RATES, "program", "2/h/key")
    bot = make_program(started)
    assert [listen(server, bot).status for _ in range(3)] == [200, 200, 429]
