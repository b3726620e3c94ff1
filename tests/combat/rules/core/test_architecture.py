"""Who may import what: the rules only Python, the core no game, and no one a game's name."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from combat.management.commands.new_game import OF_TESTS
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from tests.combat.rules import BESIDE, MADE_UP
from tests.test_sizes import walk_blocks

ROOT = Path(__file__).parents[4]
RULES = ROOT / "combat" / "rules"
IMPORT_ALL = """
import pkgutil, sys, importlib
import combat.rules
for found in pkgutil.walk_packages(combat.rules.__path__, "combat.rules."):
    importlib.import_module(found.name)
print(*sorted(name for name in sys.modules if name.split(".")[0] in {banned}))
print(sum(name.startswith("combat.rules.") for name in sys.modules))
"""
BANNED = ("django", "characters", "cosmos_site", "asgiref", "allauth")
TEXT = {".py", ".html", ".txt", ".js", ".css", ".svg", ".toml", ".json"}
# Words of the project itself that contain a game's name
OWN = re.compile(
    r"cosmos[ -]table|cosmos/|css/page/cosmos\.css|template_pack\W+cosmos|tiny duel", re.IGNORECASE
)


def test_rules_lean_on_no_framework() -> None:
    code = IMPORT_ALL.format(banned=BANNED)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    banned, count = done.stdout.split("\n")[:2]
    assert banned == ""
    assert int(count) > 20


def find_imports(path: Path) -> Iterator[str]:
    """Every module a file imports, relative ones spelled out."""
    package = list(path.relative_to(ROOT).with_suffix("").parts)
    for node in walk_blocks(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: -node.level]) if node.level else ""
            start = ".".join(part for part in (base, node.module or "") if part)
            yield from (f"{start}.{name.name}" for name in node.names)


def test_core_imports_no_game() -> None:
    for path in (RULES / "core").rglob("*.py"):
        strange = [
            name
            for name in find_imports(path)
            if name.startswith("combat.") and not name.startswith("combat.rules.core")
        ]
        assert strange == [], path


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_game_imports_the_core_and_itself(slug: str) -> None:
    """The template has the tests of a game in its own folder; they take the game as all tests do."""
    for path in find_system(slug).folder.rglob("*.py"):
        strange = [
            name
            for name in find_imports(path)
            if name.startswith("combat.") and not name.startswith(("combat.rules.core", find_home(slug)))
        ]
        if path.name in OF_TESTS:
            strange = [name for name in strange if name != "combat.rules.find_system"]
        assert strange == [], path


def find_home(slug: str) -> str:
    """The package of a game, perhaps with its variants."""
    return ".".join(SYSTEMS[slug].split(".")[: 4 if slug == MADE_UP else 3])


@cache
def find_lines() -> list[tuple[str, str]]:
    """The place and text of each line of the application's hand-written files, without those of the games."""
    homes = tuple(f"{find_home(slug).replace('.', '/')}/" for slug in SYSTEMS)
    return [
        (f"{name}:{number}", line)
        for part in ("combat", "characters", "templates", "static")
        for path in sorted((ROOT / part).rglob("*"))
        if path.suffix in TEXT
        and path.name != "english.txt"
        and not (name := path.relative_to(ROOT).as_posix()).startswith(homes)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
    ]


@pytest.mark.parametrize("slug", [slug for slug in SYSTEMS if slug not in (MADE_UP, BESIDE)])
def test_a_game_is_named_nowhere_outside_its_folder(slug: str) -> None:
    words = {slug, find_system(slug).name}
    named = re.compile(rf"\b({'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    found = [
        f"{place}: {line.strip()}"
        for place, line in find_lines()
        if named.search(line) and named.search(OWN.sub("", line))
    ]
    declared = [line for line in found if re.match(r'combat/rules/__init__\.py:\d+: "\w+": "combat', line)]
    assert declared
    assert [line for line in found if line not in declared] == []


def test_a_game_that_is_not_there_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        find_system("core")
    assert caught.value.code == "unknown"
