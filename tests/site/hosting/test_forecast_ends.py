"""A forecast that runs while the table stops, or is killed: no process stays, and it starts over."""

import re
import signal
import time
from pathlib import Path

import pytest

from tests.site.hosting.table import PATIENCE, Table, open_again, open_table, play_cold, soon
from tests.site.hosting.test_play import Visitor, visit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing here lists processes"),
]


def find_helpers(of: int) -> set[int]:
    """The processes started by a process, and by those in turn, without zombies."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = entry.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            parents[int(entry.parent.name)] = int(parent)
    found, fresh = set(), {of}
    while fresh:
        fresh = {number for number, parent in parents.items() if parent in fresh}
        found |= fresh
    return found


def is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(done: object, seconds: float = PATIENCE, pause: float = 0.05) -> None:
    """Wait until a question is answered with yes; ask again after a pause."""
    assert callable(done)
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until
        time.sleep(pause)


def begin(table: Table, visitor: Visitor) -> set[int]:
    """Sign in, start a forecast of the demo fight, wait for its first fights; return its processes."""
    visitor.get(table.link)
    visitor.ask("POST", table.link, visitor.make_form())
    visitor.get("/encounters/1/forecast/")
    assert visitor.ask("POST", "/encounters/1/forecast/", visitor.make_form(do="start")).status == 303

    def has_played() -> bool:
        visitor.get("/encounters/1/forecast/")
        return bool(re.search(r"[1-9][0-9]* fights played", visitor.page))

    wait_until(has_played, pause=0.3)
    helpers = find_helpers(table.process.pid)
    assert helpers
    return helpers


def end(table: Table, helpers: set[int], number: signal.Signals) -> int:
    """End the table by a signal; return its exit code once none of its processes is left."""
    started = time.monotonic()
    table.process.send_signal(number)
    code = table.process.wait(PATIENCE)
    assert time.monotonic() - started < soon(3)
    wait_until(lambda: not any(map(is_alive, helpers)), soon(3))
    return code


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_stays_when_the_table_ends_in_a_forecast(tmp_path: Path, number: signal.Signals) -> None:
    with open_again(tmp_path, program=play_cold()) as table, visit(table) as visitor:
        code = end(table, begin(table, visitor), number)
    assert code == (0 if number != signal.SIGKILL else -number)
    assert "Traceback" not in table.said, table.said


def test_forecast_begins_again_after_a_restart_for_whoever_watches_it(tmp_path: Path) -> None:
    """The table is ended as a system does that shuts down; no process stays then either."""
    with open_again(tmp_path, program=play_cold()) as table, visit(table) as visitor:
        assert end(table, begin(table, visitor), signal.SIGTERM) == 0
        cookies = visitor.cookies
    assert "Traceback" not in table.said, table.said
    with open_table(tmp_path, program=play_cold()) as table, visit(table) as visitor:
        visitor.cookies = cookies
        visitor.get("/encounters/1/forecast/?running=1", **{"HX-Request": "true"})
        assert "the forecast starts over" in visitor.page
        form = visitor.make_form(do="start")
        answer = visitor.ask("POST", "/encounters/1/forecast/", form, **{"HX-Request": "true"})
        assert answer.status == 200
        assert "fights played" in visitor.page
        assert "starts over" not in visitor.page
