"""What one has to hold in mind: lines, caches, the way of an attack. `python -m tests.tools.counts`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CACHED = re.compile(
    r"^\s*@(remember\w*|(functools\.)?(lru_)?cache|once|cached_property)\b|= lru_cache\(", re.M
)


def read(*folders: str) -> list[str]:
    """The tracked Python files of folders, without migrations."""
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = [n for n in listed.stdout.split() if n.endswith(".py") and "/migrations/" not in n]
    return [(ROOT / name).read_text("utf-8") for name in names]


def follow_attack() -> list[tuple[str, int]]:
    """The functions that an attack of the first demo enters, in order: file and line.

    Comprehensions and generator expressions are read as part of the function in which they stand.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django.test.utils

    django.setup()
    django.test.utils.setup_test_environment()
    django.db.connection.creation.create_test_db(verbosity=0)
    from characters.accounts.users import make_gm
    from tests.combat.visit import PIRATE, PISTOL, ZARA, Visit, demo_fight

    gm, client, entered = make_gm("gm"), django.test.Client(), list[tuple[str, int]]()
    client.force_login(gm)
    visit = Visit(client, demo_fight(gm).pk)

    def note(frame: Any, event: str, _: object) -> None:
        code = frame.f_code
        name = code.co_filename.removeprefix(f"{ROOT}/")
        is_ours = name.startswith(("characters/", "combat/", "cosmos_site/"))
        if event == "call" and is_ours and not code.co_name.endswith(("comp>", "genexpr>")):
            entered.append((name, code.co_firstlineno))

    visit.do("start", dice="app")
    for profile in (None, note):  # the first one loads what any later one has
        sys.setprofile(profile)
        visit.post("attack", combatant=ZARA, target=PIRATE, weapon=PISTOL, dice="app")
        sys.setprofile(None)
        visit.post("undo")
    return entered


if __name__ == "__main__":
    product, way = read("characters", "combat", "cosmos_site"), follow_attack()
    lines, tested = (sum(text.count("\n") for text in texts) for texts in (product, read("tests")))
    caches, changes = (
        sum(len(CACHED.findall(t)) for t in product),
        sum(a[0] != b[0] for a, b in pairwise(way)),
    )
    counts = f"{lines:,} lines of Python, {tested:,} of tests, {caches} cached functions\n"
    attack = f"An attack: {len({m for m, _ in way})} modules, {len({*way})} functions, {changes:,} changes\n"
    sys.stdout.write(counts + attack)
