"""The example program plays a fight of each game to its end, by HTTP alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from combat.rules import SYSTEMS
from tests.combat.rules import MADE_UP
from tests.site.hosting.table import ROOT, Table, copy_data, manage, open_table

pytestmark = pytest.mark.slow
GAMES = [slug for slug in SYSTEMS if slug != MADE_UP]
PATIENCE = 300  # seconds for a fight, on a busy machine
# A token of the GM at a demo fight of each game, at one more those of the GM and of a player, and at one two
PREPARE = """
import json
from characters.accounts.users import find_or_make_gm
from combat.audience.rights import viewer_of
from combat.audience.viewer import GM
from combat.models import Seat
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import read_state
from combat.sharing.programs import make_token
from combat.sharing.viewer_context import ViewerContext
gm, made = find_or_make_gm(), {}
for game in GAMES:
    made[game] = make_token(ViewerContext(make_demo_fight(gm, game), GM), "Bot")[1]
fight = make_demo_fight(gm, GAMES[0])
who = next(one.id for one in read_state(fight).combatants.values() if one.pc)
seat = Seat.objects.create(encounter=fight, name="Pia", kind="play", digest="x", combatants=[who])
made["gm"] = make_token(ViewerContext(fight, GM), "Bot")[1]
made["player"] = make_token(ViewerContext(fight, viewer_of(seat), seat), "Bot")[1]
shared = ViewerContext(make_demo_fight(gm, GAMES[0]), GM)
made["one"], made["other"] = make_token(shared, "One")[1], make_token(shared, "Other")[1]
print(json.dumps({"who": who, **made}))
"""


@dataclass
class Place:
    """An open table, and the tokens of its programs."""

    table: Table
    made: dict[str, str]

    def start(self, token: str, *words: str) -> subprocess.Popen[str]:
        address = f"http://127.0.0.1:{self.table.port}"
        return subprocess.Popen(
            [sys.executable, "combat/pages/programs/play_a_seat.py", "--at", address, *words],
            cwd=ROOT,
            env={**os.environ, "COSMOS_TOKEN": token, "PYTHONIOENCODING": "utf-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, name: str, what: str, **body: Any) -> tuple[int, Any]:
        """The status and the answer to a program; with a body it acts."""
        request = Request(
            f"http://127.0.0.1:{self.table.port}/api/table/{what}/",
            json.dumps(body).encode() if body else None,
            {"Authorization": f"Bearer {self.made[name]}"},
        )
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except HTTPError as refused:
            return refused.code, json.load(refused)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A table with its own data."""
    folder = tmp_path_factory.mktemp("table")
    copy_data(folder)
    program = f"GAMES = {GAMES}\n{PREPARE}"
    done = manage("shell", "--no-imports", "-c", program, COSMOS_DATA=str(folder))
    assert done.returncode == 0, done.stderr
    with open_table(folder, "--no-demo") as table:
        yield Place(table, json.loads(done.stdout))


def finish(program: subprocess.Popen[str]) -> str:
    """What a program printed until the fight was over."""
    try:
        out, problems = program.communicate(timeout=PATIENCE)
    finally:
        program.kill()
    assert program.returncode == 0, out[-2000:] + problems
    assert out.endswith("The fight is over.\n")
    return out


def test_programs_finish_a_fight_of_each_game(place: Place) -> None:
    """All at once, as each may send ten requests a second."""
    playing = {game: place.start(place.made[game]) for game in GAMES}
    said = {game: finish(program) for game, program in playing.items()}
    assert all(len(lines.splitlines()) > 10 for lines in said.values())


def test_two_programs_play_one_fight(place: Place) -> None:
    """A player's program waits for its turn by the stream of events, and acts for its combatant alone."""
    player = place.start(place.made["player"], "--by", "odds")
    gm = place.start(place.made["gm"], "--leave", place.made["who"])
    finish(gm)
    assert len(finish(player).splitlines()) > 1


def test_of_two_posts_at_once_one_wins_and_the_other_is_told(place: Place) -> None:
    """Nothing is lost, and nothing done twice."""
    _, seen = place.ask("one", "state")
    assert place.ask("one", "actions", action="start", stamp=seen["stamp"])[0] == 200
    for _ in range(3):
        _, seen = place.ask("one", "state")
        act = {"action": "next_turn", "stamp": seen["stamp"]}
        with ThreadPoolExecutor(2) as pool:
            calls = [pool.submit(partial(place.ask, name, "actions", **act)) for name in ("one", "other")]
            answers = [call.result() for call in calls]
        (lost,) = [answer for status, answer in answers if status == 409]
        (won,) = [answer for status, answer in answers if status == 200]
        assert lost["code"] == "stale"
        assert place.ask("other", "state")[1]["stamp"] == won["stamp"]


def test_program_says_why_it_cannot_play(place: Place) -> None:
    wrong = place.start("x" * 43)
    _, problems = wrong.communicate(timeout=PATIENCE)
    assert wrong.returncode == 1
    assert problems.startswith("401: ")
    assert "Traceback" not in problems
