"""What one seat alone learns moves its own stamp, in the database and in open streams, and no other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from combat.live import hub
from combat.live.hub import Listener, StreamGrant
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.access import admit_stream, read_present_stamp
from tests.combat.cast import Cast, seat_named
from tests.combat.visit import MARCUS, PIRATE, ZARA, read


def find_grants(fight: int) -> dict[str, StreamGrant]:
    """The rights of the people at a table, by their roles."""
    seats = {"player": seat_named("Pia"), "other": seat_named("Otto"), "watcher": seat_named("Wim")}
    grants = {
        role: StreamGrant(fight, "public" if role == "watcher" else "seat", seat.pk, digest=seat.digest)
        for role, seat in seats.items()
    }
    return {"gm": StreamGrant(fight, "gm"), **grants}


def look(cast: Cast, fight: int) -> dict[str, str]:
    """The stamps on the pages of the people, which are those that their streams read."""
    asked = find_grants(fight)
    found = {}
    for role, grant in asked.items():
        found[role] = read(cast[role].get(f"/encounters/{fight}/")).one("div", id="table")["data-version"]
        assert found[role] == read_present_stamp(grant), role
    return found


def find_moved(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [role for role in before if before[role] != after[role]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "fields", "moved"),
    [
        ("start_clock", {"name": "Air", "shown": "some", "who": [ZARA]}, ["gm", "player"]),
        ("start_clock", {"name": "Air", "shown": "some", "who": [ZARA, MARCUS]}, ["gm", "player", "other"]),
        ("start_clock", {"name": "Air", "shown": "gm"}, ["gm"]),
        ("adjust", {"target": PIRATE, "track": "hp", "by": -1}, ["gm", "player", "other", "watcher"]),
    ],
)
def test_who_learns_something_looks_again(
    cast: Cast, started: Encounter, name: str, fields: dict[str, object], moved: list[str]
) -> None:
    before = look(cast, started.pk)
    submit(started.pk, Submission(name, fields, by="gm"))
    after = look(cast, started.pk)
    assert find_moved(before, after) == moved
    submit(started.pk, Submission("note", {"text": "Hm.", "secret": False}, by="gm"))
    assert find_moved(after, look(cast, started.pk)) == ["gm", "player", "other", "watcher"]


def test_page_that_a_private_change_outdated_may_still_act(cast: Cast, started: Encounter) -> None:
    """Others would else be refused because of what they cannot see, and so learn that it was."""
    before = look(cast, started.pk)
    submit(started.pk, Submission("start_clock", {"name": "Air", "shown": "some", "who": [MARCUS]}, by="gm"))
    for role, do in (("player", "total_defense"), ("player", "next_turn")):
        sent = {"do": do, "combatant": ZARA, "version": before[role]}
        assert cast[role].post(f"/encounters/{started.pk}/", sent).status_code == 303
        before = look(cast, started.pk)


def test_stream_ends_with_its_browsers_session_whoever_ended_it(cast: Cast, started: Encounter) -> None:
    """The browser signs out in another tab, whose request another worker may have answered."""
    cookie = f"sessionid={cast.gm.cookies['sessionid'].value}".encode()
    grant = admit_stream({"headers": [(b"cookie", cookie)]}, started.pk)
    assert grant
    assert read_present_stamp(grant) == read_present_stamp(StreamGrant(started.pk, "gm"))
    cast.gm.post("/accounts/logout/")
    assert read_present_stamp(grant) == ""


def test_streams_hear_their_own_part(cast: Cast, started: Encounter) -> None:
    """Parts that come one by one make the stamp that the database has."""
    grants = find_grants(started.pk)

    news: list[dict[str, Any]] = [
        {"stamps": {"seat": "c" * 16, "public": "p" * 16, "gm": "g" * 16}},
        {"stamps": {}, "own": [[grants["player"].seat, "o" * 8]]},
        {"stamps": {"seat": "d" * 16}, "own": []},
    ]

    async def listen() -> list[str]:
        loop = asyncio.get_running_loop()
        listening = [Listener(who, loop, lambda who: asyncio.sleep(0, "")) for who in grants.values()]
        for one in listening:
            hub.add(one)
        for message in news:
            hub.deliver({"encounter": started.pk, **message})
        await asyncio.sleep(0.05)
        for one in listening:
            hub.remove(one)
        return [one.stamp for one in listening]

    heard = dict(zip(grants, asyncio.run(listen()), strict=True))
    assert heard == {"gm": "g" * 16, "player": "d" * 16 + "o" * 8, "other": "d" * 16, "watcher": "p" * 16}


def test_same_stamp_again_wakes_no_stream() -> None:
    """An extra beat would tell that something has happened out of sight."""

    async def listen() -> list[bool]:
        loop, woken = asyncio.get_running_loop(), list[bool]()
        page = Listener(StreamGrant(1, "public"), loop, lambda who: asyncio.sleep(0, ""))
        for stamp in ("one", "one", "two"):
            page.wakeup.clear()
            page.notify(common=stamp)
            woken.append(page.wakeup.is_set())
        return woken

    assert asyncio.run(listen()) == [True, False, True]
