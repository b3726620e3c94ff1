"""Play a seat at a Cosmos Table by HTTP alone: a program for you to copy and change.

    COSMOS_TOKEN=… python combat/pages/programs/play_a_seat.py --at http://127.0.0.1:8000

Make the token on the page “Programs” of the encounter: the log leads there. A player's token plays their
combatants. The GM's plays everyone who has no player, begins the fight and ends it when it is decided;
`--all` leaves nobody to players, `--leave f1,f2` leaves more to others. It prepares the fight first with
`--scene KEY` and `--people "4 pirates; 2 guards (allies)"`; with `--new NAME` in an encounter of its own,
which the owner finds among theirs. `--by tactics` (the default) follows what the game's tactics suggest,
`--by odds` takes the action with the best chance. It needs nothing but Python's standard library.

All addresses and shapes: /api/openapi.json. The rules of this program are these:

- Each answer has a `stamp`. Send it back with what you do; if someone was quicker, you get 409: look again.
- A refusal is JSON with a `problem` in a sentence, and a `code`.
- While it is someone else's turn, listen to /api/table/events/; at 429, wait.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

MOST_ACTIONS = 8  # of one turn: then it ends, whatever else could be done
SECONDS = 30  # without a word from the table: then look again


class Refusal(Exception):
    """The table says no: `status` is that of HTTP, `code` and the sentence say why."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.code = status, code


class Table:
    """The table, as the owner of a token sees it."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.headers = f"{address.rstrip('/')}/api/table", {"Authorization": f"Bearer {token}"}

    def get(self, what: str, **query: str) -> Any:
        """Read something."""
        return self._ask(Request(f"{self.address}/{what}/?{urlencode(query)}", headers=self.headers))

    def post(self, what: str, **body: Any) -> Any:
        """Do something, or ask for odds."""
        headers = {**self.headers, "Content-Type": "application/json"}
        return self._ask(Request(f"{self.address}/{what}/", json.dumps(body).encode(), headers))

    def _ask(self, request: Request) -> Any:
        while True:
            try:
                with urlopen(request, timeout=SECONDS) as answer:
                    return json.load(answer)
            except HTTPError as error:
                if error.code == 429:
                    time.sleep(float(error.headers.get("Retry-After", "1")))
                    continue
                raise read_refusal(error) from None

    def wait(self, stamp: str) -> None:
        """Wait until the table is no longer at this stamp."""
        headers = {**self.headers, "Last-Event-ID": stamp}
        try:
            with urlopen(Request(f"{self.address}/events/", headers=headers), timeout=SECONDS) as stream:
                until = time.monotonic() + SECONDS
                for name in read_events(stream):
                    if name in ("changed", "ended", "closing") or time.monotonic() > until:
                        return
        except HTTPError as error:
            if error.code != 429:
                raise read_refusal(error) from None
            time.sleep(1)
        except (OSError, HTTPException):  # nothing came for too long, or the connection broke
            time.sleep(1)


def read_refusal(error: HTTPError) -> Refusal:
    """What an answer that is no success says."""
    raw = error.read().decode(errors="replace")
    try:
        said = json.loads(raw)
        return Refusal(error.code, said["code"], said["problem"])
    except (ValueError, KeyError, TypeError):
        return Refusal(error.code, "", raw.strip()[:200])


def read_events(stream: Any) -> Iterator[str]:
    """The names of server-sent events, as they come."""
    for line in stream:
        if line.startswith(b"event: "):
            yield line[7:].decode().strip()


def create(table: Table, address: str, name: str) -> Table:
    """A new encounter of the token's owner, as the table that is played."""
    made = table.post("encounters", name=name)
    print(f"Created: {address.rstrip('/')}{made['page']}")
    return Table(address, made["token"])


def prepare(table: Table, scene: str, people: str) -> None:
    """Choose a ready scene and add people, before the fight. Refusal says what would be right."""
    if scene:
        table.post("scenes", scene=scene, stamp=table.get("state")["stamp"])
    if people:
        done = table.post("people", notes=people, stamp=table.get("state")["stamp"])
        print(f"Added: {', '.join(done['added'])}.")
        if done["not_understood"]:
            print(f"Not understood: {done['not_understood']}")


class Player:
    """Plays at a table until the fight is over."""

    def __init__(self, table: Table, by: str, leave: set[str], *, plays_all: bool = False) -> None:
        self.table, self.by, self.left, self.plays_all = table, by, leave, plays_all
        self.leave = leave  # and those of players
        self.turn, self.done = "", 0  # whose turn it is, and what has been done in it
        self.skipped: set[str] = set()  # actions that were refused in this turn

    def play(self) -> None:
        """Play to the end."""
        while True:
            offered = self.table.get("actions")
            if offered["phase"] == "over":
                return
            self.leave = self.left | self.find_played()
            try:
                if not self.step(offered):
                    self.table.wait(offered["stamp"])
            except Refusal as refusal:
                if refusal.status not in (409, 422):
                    raise
                print(f"  ({refusal})")

    def find_played(self) -> set[str]:
        """The combatants that others play: for a GM's program those with a player, whom it leaves alone."""
        seen = self.table.get("state")
        if self.plays_all or seen["role"] != "gm":
            return set()
        return {one["id"] for one in seen["combatants"] if one["player"]}

    def step(self, offered: dict[str, Any]) -> bool:
        """Do one thing; return whether there was one to do."""
        mine = offered["acts"] and offered["combatant"] not in self.leave
        asked = [
            one
            for one in offered["questions"]
            if not one["combatants"] or set(one["combatants"]) - self.leave
        ]
        if asked:
            self.answer(asked[0], offered["stamp"])
        elif offered["phase"] == "prep" and offered["gm"]:
            self.begin(offered)
        elif offered["ends_fight"] and offered["verdict"]:
            self.do(offered["ends_fight"], offered)
        elif mine:
            self.act(offered)
        elif offered["ends_turn"] and not offered["acts"] and offered["gm"]:
            self.do(offered["ends_turn"], offered)  # nobody can act: the GM moves on
        else:
            return False
        return True

    def answer(self, asked: dict[str, Any], stamp: str) -> None:
        """Let the app roll; of choices take the one that the game suggests, or the first that is possible."""
        reply: dict[str, Any] = {"question": asked["question"], "stamp": stamp}
        possible = [one["value"] for one in asked["choices"] if not one["refused"]]
        if asked["kind"] == "roll":
            reply["roll"] = True
        elif asked["parts"]:
            reply["parts"] = {part["key"]: part["suggested"] for part in asked["parts"]}
        else:
            reply["value"] = asked["default"] if asked["default"] in possible else possible[0]
        self.table.post("answers", **reply)

    def begin(self, offered: dict[str, Any]) -> None:
        """Begin the fight."""
        start = next(one for one in offered["gm"] if one["name"] == "start")
        self.do({"action": "start", "fields": start["usual"]}, offered)

    def act(self, offered: dict[str, Any]) -> None:
        """Do the best action of this turn, or end it."""
        if self.turn != offered["combatant"]:
            self.turn, self.done, self.skipped = offered["combatant"], 0, set()
        best = self.choose(offered) if self.done < MOST_ACTIONS else None
        self.done += 1
        if best is None or best["action"] in self.skipped:
            self.turn = ""
            self.do(offered["ends_turn"], offered)
            return
        try:
            self.do(best, offered, offered["combatant"])
        except Refusal as refusal:
            if refusal.status == 422:
                self.skipped.add(best["action"])
            raise

    def choose(self, offered: dict[str, Any]) -> dict[str, Any] | None:
        """What to do now; None to end the turn."""
        if self.by == "tactics":
            suggested: dict[str, Any] | None = offered["suggested"]
            return suggested
        possible = [one for one in offered["actions"] if one["chance"] and one["name"] not in self.skipped]
        best = max(possible, key=lambda one: one["chance"], default=None)
        return {"action": best["name"], "fields": best["usual"]} if best else None

    def do(self, wanted: dict[str, Any], offered: dict[str, Any], combatant: str = "") -> None:
        """Do an action, and tell what came of it."""
        done = self.table.post("actions", **wanted, combatant=combatant, stamp=offered["stamp"])
        for line in done["newest"]["lines"] if done["newest"] else ():
            print(line["text"])


def main() -> None:
    """Read the command line and play."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--at", required=True, metavar="ADDRESS", help="of the table: http://127.0.0.1:8000")
    words.add_argument("--by", choices=("tactics", "odds"), default="tactics", help="how to choose an action")
    words.add_argument("--leave", default="", metavar="IDS", help="combatants that others play: f1,f2")
    words.add_argument("--all", action="store_true", help="play the combatants of players too")
    words.add_argument("--new", default="", metavar="NAME", help="create an encounter of this name first")
    words.add_argument("--scene", default="", metavar="KEY", help="a ready scene to use: /api/table/scenes/")
    words.add_argument("--people", default="", metavar="NOTES", help="people to add before the fight")
    said = words.parse_args()
    token = os.environ.get("COSMOS_TOKEN", "")
    if not token:
        sys.exit("Put the token of this program into the variable COSMOS_TOKEN.")
    try:
        leave = set(filter(None, said.leave.split(",")))
        table = Table(said.at, token)
        if said.new:
            table = create(table, said.at, said.new)
        prepare(table, said.scene, said.people)
        Player(table, said.by, leave, plays_all=said.all).play()
    except Refusal as refusal:
        sys.exit(f"{refusal.status}: {refusal}")
    print("The fight is over.")


if __name__ == "__main__":
    main()
