"""A seat for a language model, as tools of the Model Context Protocol: `cosmos-table mcp --at ADDRESS`.

It is a program like any other: it knows the table's interface at /api/table/ and nothing else of this site.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

MISSING = "Install it with its extra first: uv tool install 'cosmos-table[mcp] @ FILE'."
NO_TOKEN = "Give the token of a program with --token, or in the variable COSMOS_TOKEN."  # noqa: S105 - no token
ABOUT = (
    "You play a seat at a table for science-fiction fights. Look first, then act; when a question is open, "
    "answer it. Use the names and values that the table gives you."
)
SECONDS = 30  # to wait for an answer


class Trouble(Exception):
    """The table refuses something, or does not answer: the sentence says why."""


class Seat:
    """The table as the owner of a token sees it; it remembers the stamp of what was seen last."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.stamp = f"{address.rstrip('/')}/api/table", ""
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def see(self) -> Any:
        """Tell what you see now: combatants, places, whose turn it is, open questions."""
        return self._ask("state")

    def what_can_i_do(self, combatant: str = "", action: str = "") -> Any:
        """List what a combatant of yours can do, with fields, choices, chances; "" for the one who acts.

        The GM's decisions come without fields: name one as `action` to see it with them, alone.
        """
        found = self._ask("actions", combatant=combatant) if combatant else self._ask("actions")
        for kind in ("actions", "gm"):
            possible = (one for one in found.get(kind, ()) if "refused" not in one)
            found[kind] = [one for one in possible if action in ("", one["name"])]
        for one in () if action else found["gm"]:
            if one["group"] == "GM":
                one.pop("fields", None)
        return found

    def how_likely(self, action: str, combatant: str = "", fields: dict[str, Any] | None = None) -> Any:
        """Tell the sum and the odds of an action with these fields. Nothing changes."""
        return self._ask("odds", {"action": action, "combatant": combatant, "fields": fields or {}})

    def do_it(self, action: str, combatant: str = "", fields: dict[str, Any] | None = None) -> Any:
        """Do an action. It is refused if the table has changed since you looked: then look again."""
        wanted = {"action": action, "combatant": combatant, "fields": fields or {}}
        return self._ask("actions", {**wanted, "stamp": self._find_stamp()})

    def answer(
        self, question: int, value: str = "", roll: bool = False, parts: dict[str, int] | None = None
    ) -> Any:
        """Answer a question by its number: a value, points by part, or `roll` to let the app roll."""
        given = {"question": question, "value": value, "roll": roll, "parts": parts or {}}
        return self._ask("answers", {**given, "stamp": self._find_stamp()})

    def what_happened(self, since: str = "") -> Any:
        """Tell the log, oldest first, or only what came after the step `since`."""
        return self._ask("log", since=since) if since else self._ask("log")

    def _find_stamp(self) -> str:
        if not self.stamp:
            self.see()
        return self.stamp

    def _ask(self, what: str, body: dict[str, Any] | None = None, **query: str) -> Any:
        """What the table answers, without what is empty; Trouble with its sentence if it refuses."""
        raw = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.address}/{what}/?{urlencode(query)}", raw, self.headers)  # noqa: S310 - checked
        try:
            with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310 - checked
                found = json.load(answer)
        except HTTPError as error:
            raise Trouble(_read_problem(error)) from None
        except (URLError, TimeoutError, ValueError) as problem:
            raise Trouble(f"The table at {self.address} does not answer: {problem}") from None
        self.stamp = found.get("stamp", self.stamp)
        return _shorten(found)


def _read_problem(error: HTTPError) -> str:
    """The sentence in a refusal; a table of another kind has none."""
    try:
        return str(json.load(error)["problem"])
    except (ValueError, KeyError, TypeError):
        return f"The table answers with status {error.code}."


def _shorten(found: Any) -> Any:
    """The same without empty texts, lists and nothing at all: a model reads every word of it."""
    if isinstance(found, dict):
        return {name: _shorten(value) for name, value in found.items() if value not in ("", None, [], {})}
    return [_shorten(one) for one in found] if isinstance(found, list) else found


def make_server(seat: Seat) -> Any:
    """The server with the tools of a seat; a refusal is an error that the model can read."""
    from functools import wraps

    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    server = MCPServer("cosmos-table", instructions=ABOUT)
    for tool in (seat.see, seat.what_can_i_do, seat.how_likely, seat.do_it, seat.answer, seat.what_happened):

        @wraps(tool)
        def call(*args: Any, _tool: Any = tool, **given: Any) -> Any:
            try:
                return json.dumps(_tool(*args, **given), ensure_ascii=False)
            except Trouble as trouble:
                raise ToolError(str(trouble)) from None

        server.tool()(call)
    return server


def serve(words: Sequence[str]) -> None:
    """`cosmos-table mcp`: serve the tools on this program's input and output, until they close."""
    said = argparse.ArgumentParser(prog="cosmos-table mcp", description=(__doc__ or "").partition("\n")[0])
    said.add_argument("--at", required=True, metavar="ADDRESS", help="of the table: http://127.0.0.1:8000")
    usual = os.environ.get("COSMOS_TOKEN", "")
    said.add_argument("--token", default=usual, help="of the program; better in the variable COSMOS_TOKEN")
    found = said.parse_args(words)
    if not found.at.startswith(("http://", "https://")):
        said.error("The address of a table begins with http:// or https://.")
    if not found.token:
        said.error(NO_TOKEN)
    try:
        server = make_server(Seat(found.at, found.token))
    except ModuleNotFoundError:
        sys.exit(MISSING)
    server.run("stdio")
