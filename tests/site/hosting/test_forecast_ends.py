"""A forecast that runs while the table stops, or is killed: no process stays, and it starts over."""

import re
import signal
import time
from pathlib import Path

import pytest

from tests.combat.server import Guest, sign_in, wait_for
from tests.site.hosting.table import PATIENCE, Table, open_again, open_table, soon

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing here lists processes"),
]

PAGE = "/encounters/1/forecast/"


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


def begin(table: Table) -> tuple[Guest, set[int]]:
    """Sign in, start a forecast of the demo fight, wait for its first fights; the GM and its processes."""
    gm = sign_in(table.port, table.link)
    assert gm.post(PAGE, do="start") == 303

    def has_played() -> bool:
        gm.get(PAGE)
        return bool(re.search(r"[1-9][0-9]* fights played", gm.page))

    wait_for(has_played, PATIENCE)
    helpers = find_helpers(table.process.pid)
    assert helpers
    return gm, helpers


def end(table: Table, helpers: set[int], number: signal.Signals) -> int:
    """End the table by a signal; return its exit code once none of its processes is left."""
    started = time.monotonic()
    table.process.send_signal(number)
    code = table.process.wait(PATIENCE)
    assert time.monotonic() - started < soon(3)
    wait_for(lambda: not any(map(is_alive, helpers)), 3)
    return code


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_stays_when_the_table_ends_in_a_forecast(tmp_path: Path, number: signal.Signals) -> None:
    with open_again(tmp_path, "--no-demo", kind="fight") as table:
        code = end(table, begin(table)[1], number)
    assert code == (0 if number != signal.SIGKILL else -number)
    assert "Traceback" not in table.said, table.said


def test_watched_forecast_begins_again_after_a_restart(tmp_path: Path) -> None:
    """The table is ended as a system does that shuts down; no process stays then either."""
    with open_again(tmp_path, "--no-demo", kind="fight") as table:
        gm, helpers = begin(table)
        assert end(table, helpers, signal.SIGTERM) == 0
    assert "Traceback" not in table.said, table.said
    with open_table(tmp_path, "--no-demo") as table:
        gm.port, gm.headers = table.port, {"HX-Request": "true"}
        gm.get(f"{PAGE}?running=1")
        assert 'hx-trigger="load"' in gm.page  # the page itself begins again
        assert gm.ask("POST", PAGE, gm.fill(do="start")) == 200
        assert "fights played" in gm.page
        assert 'hx-trigger="load"' not in gm.page
