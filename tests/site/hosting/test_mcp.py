"""A seat for language models: the client of the protocol plays at a real table."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from combat.rules.core.gm.rulings import USE
from cosmos_site.mcp_tools import serve
from tests.combat.visit import ZARA
from tests.site.hosting.table import ROOT, Table, copy_data, make_environment, manage, open_table

pytestmark = pytest.mark.slow
ADD_TOKEN = """
from combat.audience.viewer import GM
from combat.models import Encounter
from combat.sharing.programs import make_token
from combat.sharing.viewer_context import ViewerContext
print(make_token(ViewerContext(Encounter.objects.get(), GM), "Model")[1])
"""
ROLLED = 8  # more than fight
TOOLS = {"see", "what_can_i_do", "how_likely", "do_it", "answer", "what_happened"}


@pytest.fixture(scope="module")
def seat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Table, str]]:
    """An open table with a demo fight, and a token of its GM."""
    folder: Path = tmp_path_factory.mktemp("table")
    copy_data(folder, "fight")
    done = manage("shell", "--no-imports", "-c", ADD_TOKEN, COSMOS_DATA=str(folder))
    assert done.returncode == 0, done.stderr
    with open_table(folder, "--no-demo") as table:
        yield table, done.stdout.strip()


def connect(table: Table, token: str) -> Client:
    """A client of `manage.py mcp`, in a process of its own."""
    words = ["manage.py", "mcp", "--at", f"http://127.0.0.1:{table.port}"]
    environment = make_environment(COSMOS_TOKEN=token)
    return Client(StdioServerParameters(command=sys.executable, args=words, env=environment, cwd=ROOT))


async def call(client: Client, tool: str, **given: Any) -> Any:
    """What a tool answers; for a refusal its sentence. A second later where one was asked to wait."""
    while True:
        result = await client.call_tool(tool, given)
        text = getattr(result.content[0], "text", "")
        if "wait a second" not in text:
            return text if result.is_error else json.loads(text)
        await asyncio.sleep(1)


async def wait_for_zara(client: Client) -> Any:
    """What Zara can do when it is her turn, whoever rolled best; the others pass."""
    for _ in range(ROLLED):
        offered = await call(client, "what_can_i_do")
        if offered["combatant"] == ZARA:
            return offered
        await call(client, "do_it", action="next_turn")
    raise AssertionError(f"Zara has no turn: {offered}")


async def play(client: Client) -> None:
    """Look, begin, ask for odds, act, read the log, and be refused."""
    assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
    assert (await call(client, "see"))["role"] == "gm"
    begun = await call(client, "do_it", action="start")
    while begun.get("questions"):
        begun = await call(client, "answer", question=0, roll=True)
    offered = await wait_for_zara(client)
    assert not [one for one in offered["actions"] if one.get("refused")]
    assert not [one for one in offered["gm"] if one["group"] == "GM" and "fields" in one]  # they are many
    (hide,) = (await call(client, "what_can_i_do", action="hide"))["gm"]
    assert "target" in [field["name"] for field in hide["fields"]]
    attack = next(one for one in offered["actions"] if one["name"] == "attack")
    odds = await call(client, "how_likely", combatant=ZARA, action="attack", fields=attack["usual"])
    assert 0 < odds["chance"] <= 1
    await call(client, "do_it", combatant=ZARA, action="total_defense")
    step = (await call(client, "what_happened"))["steps"][-1]
    assert step["by"].startswith("Model of ")
    (ruling,) = (await call(client, "what_can_i_do", action="rule_wish"))["gm"]
    assert {"whose", "words"} <= {field["name"] for field in ruling["fields"]}
    own = {"wish": 0, "whose": ZARA, "words": "I kick sand in the eyes of the Pirate"}  # nobody asked
    await call(client, "do_it", action="rule_wish", fields=own)
    ruled = (await call(client, "what_happened", since=step["step"]))["steps"]
    assert "I kick sand in the eyes of the Pirate" in str(ruled[-1])
    await do_again(client)
    step = (await call(client, "what_happened"))["steps"][-1]
    assert "has no action “cake”" in await call(client, "how_likely", action="cake")
    assert not (await call(client, "what_happened", since=step["step"])).get("steps")


async def do_again(client: Client) -> None:
    """What was ruled once is an action with its fields, and rolls without asking."""
    for pool in ("standard", "move", "quick"):
        await call(client, "do_it", action="give_budget", fields={"target": ZARA, "pool": pool, "left": 1})
    (tile,) = [one for one in (await call(client, "what_can_i_do"))["actions"] if one["name"] == USE]
    assert tile["usual"]["ruling"] == "r1"
    await call(client, "do_it", combatant=ZARA, action=USE, fields=tile["usual"])
    assert "I kick sand in the eyes of the Pirate" in str((await call(client, "what_happened"))["steps"][-1])


def test_model_plays_by_its_tools(seat: tuple[Table, str]) -> None:
    async def run() -> None:
        async with connect(*seat) as client:
            await play(client)

    asyncio.run(run())


def test_wrong_token_is_told_in_a_sentence(seat: tuple[Table, str]) -> None:
    async def run() -> str:
        async with connect(seat[0], "x" * 43) as client:
            return str(await call(client, "see"))

    assert "revoked" in asyncio.run(run())


@pytest.mark.parametrize(
    ("words", "told"),
    [(["--at", "file:///etc"], "http://"), (["--at", "http://127.0.0.1:1"], "token"), ([], "--at")],
    ids=["address", "token", "nothing"],
)
def test_command_says_what_it_needs(words: list[str], told: str) -> None:
    command = [sys.executable, "manage.py", "mcp", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=make_environment(), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 2
    assert told in done.stderr


def test_command_says_how_to_install_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)  # as where the extra is missing
    with pytest.raises(SystemExit, match=re.escape("cosmos-table[mcp]")):
        serve(["--at", "http://127.0.0.1:1", "--token", "x"])
