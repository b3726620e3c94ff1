"""Keep a data directory of this release: `python -m tests.combat.releases`.

Run it once for each release, and before the first one whenever the tables change. The file is a tar archive
of a database and a secret key that opens nothing else.
"""

from __future__ import annotations

import sqlite3
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from combat.rules.core.basics.release import RELEASE
from tests.combat.server import set_up

FOLDER = Path(__file__).parent
MAX_BYTES = 200_000
KEY = "x" * 60  # as `set_up` has it
# People, sheets, and a fight of each game: one played to its end, two with the app's dice, one not begun.
USED = """
from characters.services.character_service import create, keep_portrait
from combat.models import Campaign, CampaignMember, Encounter, Handout
from combat.play.autopilot import autoplay
from combat.play.demo import ensure_demo
from combat.play.writing.encounter_service import Submission, answer, submit
from combat.rules import find_system
ensure_demo(gm)
def follow(fight, steps):
    for step in steps:
        left = list(step.answers)
        done = submit(fight.pk, Submission(step.name, step.command, typed=bool(left), by="gm"))
        while done.waiting:
            given = left.pop(0)
            how = {"value": given} if isinstance(given, str) else {"faces": given}
            done = answer(fight.pk, 0, by="gm", **how)
for fight in Encounter.objects.filter(owner=gm).order_by("pk"):
    demo = next(d for d in find_system(fight.system).demo.make_all() if d.name == fight.name)
    follow(fight, demo.script if fight.pk == 1 else demo.script[:1] if fight.pk < 4 else ())
    if fight.pk in (2, 3):
        autoplay(fight.pk)
sheet = {"attributes": dict.fromkeys(("PRE", "RES", "INT", "MIG", "AWA", "COO"), 4)}
made = create(gm, "cosmos", "Zoë", sheet, notes="A note")
campaign = Campaign.objects.create(owner=gm, name="The long way", notes="Notes", options={"cosmos": {}})
CampaignMember.objects.create(campaign=campaign, character=made)
Handout.objects.create(campaign=campaign, title="A letter", text="Come at once")
"""


def make(file: Path) -> None:
    """Write the archive of a table that was used with this release."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "secret-key").write_text(KEY)
        set_up(folder, USED)
        with closing(sqlite3.connect(folder / "table.sqlite3", isolation_level=None)) as base:
            base.execute("PRAGMA journal_mode = DELETE")
            base.execute("VACUUM")
        with tarfile.open(file, "w:xz", preset=9) as archive:
            for part in ("secret-key", "table.sqlite3"):
                archive.add(folder / part, part, filter=_forget_owner)


def _forget_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o600
    return entry


if __name__ == "__main__":
    made = FOLDER / f"{RELEASE}.tar.xz"
    make(made)
    print(f"{made.name}: {made.stat().st_size:,} bytes")  # noqa: T201 - what a person wants to know
    if made.stat().st_size > MAX_BYTES:
        raise SystemExit(f"At most {MAX_BYTES:,} bytes: make less of it.")
