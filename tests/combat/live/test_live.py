"""Live streams from a real server: who hears what, how fast, and at what cost."""

from __future__ import annotations

import html
import re
import sqlite3
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.combat.server import Ears, Guest, Server, Site, come, invite, sign_in, wait_for
from tests.site.hosting.table import open_again, soon

TABLE = "/encounters/1/"
LIVE = "/live/1/"
STREAMS, ACTIONS = 200, 20


@pytest.fixture(scope="module")
def gm(site: Site, server: Server) -> Guest:
    """Its game master, who has begun the fight."""
    gm = sign_in(server.port, site.link)
    assert gm.post(TABLE, do="start", dice="app") in (303, 409)
    return gm


def hurt(gm: Guest, port: int = 0) -> None:
    """Do something that all can see."""
    assert gm.post(TABLE, port=port, do="adjust", target="f1", track="hp", points="1", sign="-") == 303


def note(gm: Guest) -> None:
    """Do something that only the GM can see."""
    assert gm.post(TABLE, do="note", text="Hm.") == 303


def test_everybody_is_told_the_stamp_of_their_own_page(gm: Guest, ears: Ears) -> None:
    cast = {"gm": gm, "play": come(gm, TABLE, "play", "Pia"), "watch": come(gm, TABLE, "watch", "Wim")}
    heard = {kind: ears.add(guest, LIVE) for kind, guest in cast.items()}
    for _ in range(3):
        wait_for(lambda: all(heard[kind].last == guest.version(TABLE) for kind, guest in cast.items()))
        hurt(gm)
    wait_for(lambda: all(heard[kind].last == guest.version(TABLE) for kind, guest in cast.items()))
    assert len({ear.last for ear in heard.values()}) == 3
    assert all(len(set(ear.stamps)) == len(ear.stamps) for ear in heard.values())


def test_what_only_the_gm_sees_is_told_to_nobody_else(gm: Guest, ears: Ears) -> None:
    gm_ear = ears.add(gm, LIVE)
    others = [ears.add(come(gm, TABLE, kind, kind), LIVE) for kind in ("play", "watch")]
    wait_for(lambda: gm_ear.last and all(ear.last for ear in others))
    for _ in range(3):
        note(gm)
    wait_for(lambda: len(gm_ear.stamps) >= 2 and gm_ear.last == gm.version(TABLE))
    hurt(gm)  # news come in order: all about the notes came before this
    wait_for(lambda: all(len(ear.stamps) > 1 for ear in others))
    wait_for(lambda: gm_ear.last == gm.version(TABLE))
    assert [len(ear.stamps) for ear in others] == [2, 2]


@pytest.mark.slow
def test_who_comes_back_is_told_the_stamp_of_now(gm: Guest, ears: Ears) -> None:
    watcher = come(gm, TABLE, "watch", "Wim")
    first = ears.add(watcher, LIVE)
    wait_for(lambda: first.last)
    hurt(gm)
    again = ears.add(watcher, LIVE)
    wait_for(lambda: again.last)
    assert again.stamps == [watcher.version(TABLE)]
    assert again.last != first.stamps[0]


@pytest.mark.slow
def test_strangers_are_refused(gm: Guest, server: Server, ears: Ears) -> None:
    nobody, stranger = Guest(server.port), Guest(server.port)
    form = {"username": "stranger", "password1": "seven purple moons", "password2": "seven purple moons"}
    assert stranger.post("/accounts/signup/", port=server.port, **form) == 302
    found = [ears.add(guest, LIVE) for guest in (nobody, stranger)]
    paths = ("/live/999/", "/live/x/", "/live/", "/live/%C2%B2/", "/live/a/1/")
    found += [ears.add(gm, path) for path in paths]
    wait_for(lambda: all(ear.status for ear in found))
    assert {ear.status for ear in found} == {404}
    assert not any(ear.stamps for ear in found)
    assert gm.ask("POST", LIVE, b"x") == 403


@pytest.mark.slow
def test_revoking_ends_the_stream_at_once(gm: Guest, ears: Ears) -> None:
    player, other = come(gm, TABLE, "play", "Pia"), come(gm, TABLE, "play", "Otto")
    ear, left = ears.add(player, LIVE), ears.add(other, LIVE)
    wait_for(lambda: ear.last and left.last)
    gm.get(f"{TABLE}share/")
    numbers = sorted(int(n) for n in find_values(gm.page, "link"))
    assert gm.post(f"{TABLE}share/", do="revoke", link=str(numbers[-2])) == 302
    wait_for(lambda: not ear.open, 3)
    assert ear.heard[-1][:2] == ("ended", "ended")
    assert left.open
    again = ears.add(player, LIVE)
    wait_for(lambda: again.status)
    assert again.status == 404
    assert other.post(f"{TABLE}leave/", form=TABLE) == 302
    wait_for(lambda: not left.open, 3)


def find_values(page: str, name: str) -> list[str]:
    """The values of the hidden fields of a name."""
    return [part.split('"')[0] for part in page.split(f'name="{name}" value="')[1:]]


@pytest.mark.slow
def test_stream_ends_when_its_link_runs_out(gm: Guest, site: Site, ears: Ears) -> None:
    player = Guest(gm.port)
    player.post(invite(gm, TABLE, "play", hours="1"), name="Pia")
    end = shorten(site)
    ear = ears.add(player, LIVE)
    wait_for(lambda: ear.last)
    wait_for(lambda: not ear.open)
    assert end <= time.time() < end + soon(5)
    assert ear.heard[-1][0] == "ended"
    assert player.get(TABLE) == 410


def shorten(site: Site) -> float:
    """Let the links that have an end run out soon; return when, in seconds since 1970."""
    end = time.time() + soon(1)
    with closing(sqlite3.connect(Path(site.environment["COSMOS_DATA"]) / "table.sqlite3")) as base, base:
        moment = f"{datetime.fromtimestamp(end, UTC):%Y-%m-%d %H:%M:%S.%f}"
        base.execute("UPDATE combat_sharelink SET expires = ? WHERE expires IS NOT NULL", [moment])
    return end


@pytest.mark.slow
def test_two_hundred_streams_hear_twenty_actions(
    site: Site, gm: Guest, ears: Ears, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with site.beside(tmp_path).serve() as server:
        cookies, gm = gm.cookies, Guest(server.port)
        gm.cookies = dict(cookies)
        assert gm.get(TABLE) == 200
        before = server.measure()
        watchers = [come(gm, TABLE, kind, kind) for kind in ("watch", "play")]
        all_ears = [ears.add(watchers[number % 2], LIVE) for number in range(STREAMS)]
        wait_for(lambda: all(ear.last for ear in all_ears), 60)
        opened = server.measure()
        for _ in range(ACTIONS):
            hurt(gm)
        done = time.monotonic()
        wanted = [guest.version(TABLE) for guest in watchers]
        wait_for(lambda: all(ear.last == wanted[n % 2] for n, ear in enumerate(all_ears)), 10)
        late = max(0, 1000 * (max(ear.heard[-1][2] for ear in all_ears) - done))
        after = server.measure()
        told = [len(ear.stamps) for ear in all_ears]
        assert all(ear.connects == 1 and ear.open for ear in all_ears)
        seconds = server.stop()
    assert seconds < soon(3)
    assert after[1] < 20, "a thread for every stream"
    assert after[0] - before[0] < 60, "too much memory for 200 streams"
    assert min(told) > ACTIONS * 0.9, "streams skip what is not even a flood"
    sizes = ", ".join(f"{memory:.0f} MB and {threads} threads" for memory, threads in (before, opened, after))
    say(
        capsys,
        f"{STREAMS} streams, {ACTIONS} actions: told {min(told)} to {max(told)} stamps, the last one "
        f"{late:.0f} ms after its action; idle, open, at the end: {sizes}; stopped in {seconds:.2f} s",
    )


def say(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{text}\n")


@pytest.mark.slow
def test_own_table_stops_at_once_with_open_streams(tmp_path: Path, ears: Ears) -> None:
    with open_again(tmp_path, "--no-demo", kind="fight") as table:
        gm = sign_in(table.port, table.link)
        opened = [ears.add(gm, LIVE) for _ in range(20)]
        wait_for(lambda: all(ear.last for ear in opened))
        code, seconds = table.interrupt()
    assert code == 0
    assert seconds < soon(3)
    assert {ear.heard[-1][0] for ear in opened} == {"closing"}
    assert "Traceback" not in table.said


@pytest.mark.slow
def test_stream_of_a_removed_encounter_ends(gm: Guest, ears: Ears) -> None:
    assert gm.post("/encounters/new/", name="Another", system="cosmos") == 303
    (number,) = re.findall(r"\d+", gm.leads)
    table = f"/encounters/{number}/"
    assert gm.get(table) == 200
    ear = ears.add(gm, f"/live/{number}/")
    wait_for(lambda: ear.last)
    (name,) = re.findall(r"<h1[^>]*>(.*?)</h1>", gm.page)
    assert gm.post(f"{table}prep/", do="delete", confirm=html.unescape(name)) == 303
    wait_for(lambda: not ear.open, 3)
    assert ear.heard[-1][0] == "ended"
