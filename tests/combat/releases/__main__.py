"""Keep a data directory of this release and files that it wrote: `python -m tests.combat.releases`.

Run it once for each release. The file is a tar archive of a database, a secret key that opens nothing else,
the sums of the migrations, which are frozen, and a file of each kind that it writes: a fight, a sheet and a
prepared fight of each game, all characters, a pack with scenes and all else of a campaign, and a backup.
Beside it lies a backup of a site on PostgreSQL.
It also fixes the newest version of each game's rules (tests/combat/rules/released.py).
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from combat.rules.core.basics.release import RELEASE
from tests.combat.rules.released import stamp_release
from tests.combat.server import set_up
from tests.combat.services import describe_missing, make_database

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
MIGRATIONS = "migrations.json"
POSTGRESQL = "-postgresql.json.gz"  # after the name of a release: its backup of a site on PostgreSQL
MAX_BYTES = 250_000
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
# Each kind of file that the app writes, of each game, in the folder `files`.
WRITTEN = """
from pathlib import Path
from django.conf import settings
from django.test import Client
from combat.backups import back_up
from combat.play.campaigns.campaigns import move_encounter
from combat.play.campaigns.random_tables import EXAMPLE, read_table, save_table
from combat.play.demo import make_demo_fight
from combat.play.packs.documents import write_document
from combat.play.packs.giving import give, read_file
from combat.play.packs.making import find_offers, make_pack
from combat.rules import SYSTEMS
from characters.gear.item_service import save_own
files = Path(settings.COSMOS_DATA) / "files"
files.mkdir()
client = Client(headers={"host": settings.ALLOWED_HOSTS[0]})
client.force_login(gm)
def keep(name, address):
    answer = client.get(address, secure=settings.SECURE_SSL_REDIRECT)
    assert answer.status_code == 200, address
    (files / name).write_bytes(answer.getvalue())
for fight in Encounter.objects.filter(owner=gm).order_by("pk"):
    keep(f"encounter-{fight.system}.json", f"/encounters/{fight.pk}/export/")
for system in map(find_system, SYSTEMS):
    sheet = next(iter(system.book.find_blocks().values())).sheet
    npc = create(gm, system.slug, f"Block of {system.slug}", sheet, npc=True)
    one = create(gm, system.slug, f"Sheet of {system.slug}", sheet)
    keep(f"sheet-{system.slug}.json", f"/characters/{one.pk}/export/")
    CampaignMember.objects.create(campaign=campaign, character=npc)
    if system.book.catalogue:
        weapon = next(e.record for e in system.book.catalogue.find_entries() if e.kind == "weapon")
        save_own(gm, system, "weapon", {**weapon, "name": f"Heirloom of {system.slug}"})
    prepared = make_demo_fight(gm, system.slug)
    (files / f"fight-{system.slug}.json").write_bytes(read_file(give(prepared, notes=True)))
    move_encounter(prepared.pk, campaign)
keep("characters.json", "/characters/all.json")
save_table(campaign, read_table("Who comes", "2d6", EXAMPLE))
offered = {offer.value for offers in find_offers(campaign).values() for offer in offers}
words = {"name": "All", "author": "Mara", "license": "CC BY 4.0", "release": "1", "about": "One of each."}
(files / "pack.json").write_bytes(write_document(make_pack(campaign, offered, words)))
back_up(files / "backup.sqlite3")
"""


def make(file: Path) -> None:
    """Write the archive of a table that was used with this release."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "secret-key").write_text(KEY)
        set_up(folder, USED + WRITTEN)
        with closing(sqlite3.connect(folder / "table.sqlite3", isolation_level=None)) as base:
            base.execute("PRAGMA journal_mode = DELETE")
            base.execute("VACUUM")
        (folder / MIGRATIONS).write_text(json.dumps(sum_migrations(ROOT), indent=1))
        with tarfile.open(file, "w:xz", preset=9) as archive:
            for part in ("secret-key", "table.sqlite3", MIGRATIONS, "files"):
                archive.add(folder / part, part, filter=_forget_owner)


def back_up_postgresql(file: Path) -> None:
    """Write a backup of a site on PostgreSQL that was used with this release."""
    file.unlink(missing_ok=True)
    with make_database() as database, tempfile.TemporaryDirectory() as name:
        set_up(Path(name), USED + f'call_command("backup", {str(file)!r})', DATABASE_URL=database)


def sum_migrations(root: Path) -> dict[str, str]:
    """The sum of each migration in a checkout, by its place."""
    found = sorted(root.glob("**/migrations/0*.py"))
    return {
        str(file.relative_to(root)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in found
        if ".venv" not in file.parts
    }


def _forget_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o700 if entry.isdir() else 0o600
    return entry


if __name__ == "__main__":
    if describe_missing():
        raise SystemExit(describe_missing())
    made = FOLDER / f"{RELEASE}.tar.xz", FOLDER / f"{RELEASE}{POSTGRESQL}"
    make(made[0])
    back_up_postgresql(made[1])
    for file in made:
        print(f"{file.name}: {file.stat().st_size:,} bytes")  # noqa: T201 - what a person wants to know
        if file.stat().st_size > MAX_BYTES:
            raise SystemExit(f"At most {MAX_BYTES:,} bytes: make less of it.")
    stamp_release()
