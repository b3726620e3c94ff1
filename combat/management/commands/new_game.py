"""manage.py new_game: a runnable game of its own, copied from the template."""

from __future__ import annotations

import keyword
import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

TEMPLATE = Path("tests/combat/rules/tiny")
# The template's names in its files, and what a copy has in their places
MODULE, SLUG, TITLE, PREFIX = "tests.combat.rules.tiny", '"tiny"', "Tiny Duel", "TINY"
LEFT_OUT, IN_A_COPY = "# not in a copy", "# in a copy: "  # the end, and the beginning, of lines
OF_TESTS = ("pairs.py", "test_rules.py", "ways_to_move.py")  # what goes to the tests of the game
NOT_COPIED = ("versions.toml", "fights.py")  # what only the template has
FOLDERS = ("combat/rules", "tests/combat/rules")
NEXT = """\
Made {made}.

Add this line to SYSTEMS in combat/rules/__init__.py:

    "{slug}": "combat.rules.{slug}",

Record its fights, tables and pages, then run all that it must pass, with `uv run --group dev`
before each line or in the activated .venv:

    python -m tests.record {slug}
    pytest --game {slug}

Then make it yours, file by file: combat/rules/NEW_GAME.md. Say in combat/rules/{slug}/NOTICE
whose rules it plays and under which license.
"""


class Command(BaseCommand):
    """Copy the template under a new name."""

    help = "Make a new game: a runnable copy of the template, with its tests."
    requires_system_checks = ()
    root = Path(__file__).resolve().parents[3]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The short name, and the name for people."""
        parser.add_argument("name", help="the short name: small letters, digits and _")
        parser.add_argument("--title", default="", help="the name for people; the short name by default")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the name, copy, and say what comes next."""
        slug = options["name"]
        title = options["title"].strip() or slug.replace("_", " ").title()
        homes = [self.root / folder / slug for folder in FOLDERS]
        if fault := find_fault(self.root, slug, title, homes):
            raise CommandError(fault)
        made = copy_template(self.root / TEMPLATE, *homes, slug=slug, title=title)
        lines = ", ".join(str(home.relative_to(self.root)) for home in homes)
        self.stdout.write(NEXT.format(made=f"{lines}: {made} files", slug=slug))


def find_fault(root: Path, slug: str, title: str, homes: list[Path]) -> str:
    """Why no game of this name can be made; empty if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,29}", slug) or keyword.iskeyword(slug):
        return f"“{slug}” is no name for a game: 2 to 30 small letters, digits and _, a letter first."
    if not re.fullmatch(r"[^\W_][\w '&:.-]{0,59}", title):
        return f"“{title}” is no title: letters, digits, spaces and ' & : . -, at most 60."
    if taken := [home for home in homes if home.exists()]:
        return f"There is {taken[0].relative_to(root)} already."
    if not (root / TEMPLATE).is_dir():
        return f"The template {TEMPLATE} is missing: make games in a checkout with its tests."
    return ""


def copy_template(template: Path, home: Path, tests: Path, *, slug: str, title: str) -> int:
    """Write the files of a game and of its tests; gives how many."""
    wanted = [path for path in sorted(template.iterdir()) if path.is_file() and path.name not in NOT_COPIED]
    for folder in (home, tests):
        folder.mkdir(parents=True)
    (tests / "__init__.py").write_text("", encoding="utf-8")
    for path in wanted:
        text = rename(path.read_text(encoding="utf-8"), slug, title)
        place = tests if path.name in OF_TESTS else home
        (place / path.name).write_text(text, encoding="utf-8")
    return len(wanted) + 1


def rename(text: str, slug: str, title: str) -> str:
    """A text of the template as that of a game of this name."""
    prefix = re.sub(r"[^A-Z0-9]", "", slug.upper())
    lines = (line for line in text.splitlines(keepends=True) if not line.rstrip().endswith(LEFT_OUT))
    text = "".join(lines).replace(IN_A_COPY, "").replace(MODULE, f"combat.rules.{slug}")
    return re.sub(rf"\b{PREFIX}\b", prefix, text).replace(SLUG, f'"{slug}"').replace(TITLE, title)
