"""What any release has stored opens in this one: nothing is lost, and its fights verify."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import tarfile
import time
from contextlib import closing
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from combat.models import Campaign, Encounter
from combat.play.after.imports import import_encounter
from combat.play.autopilot import autoplay
from combat.play.campaigns.campaigns import create_campaign
from combat.play.campaigns.random_tables import find_tables
from combat.play.packs.keeping import read_pack
from combat.play.packs.using import switch_on
from combat.play.writing.encounter_service import Submission, cancel, read_history, read_state, submit
from combat.rules import find_system
from combat.rules.core.basics.release import RELEASE
from combat.rules.core.engine.document import read_document, replay, write_document
from tests.combat.releases.__main__ import (
    FOLDER,
    MAX_BYTES,
    MIGRATIONS,
    POSTGRESQL,
    ROOT,
    sum_migrations,
)
from tests.combat.server import Guest, set_up, sign_in
from tests.combat.services import make_database, needs_services
from tests.site.hosting.table import copy_static_files, make_environment, manage, open_table, play_with

ARCHIVES = sorted(FOLDER.glob("*.tar.xz"))
BACKUPS = sorted(FOLDER.glob(f"*{POSTGRESQL}"))
TABLE = re.compile(r'href="/encounters/(\d+)/(?:prep/)?"')


def test_this_release_keeps_a_small_data_directory() -> None:
    """`python -m tests.combat.releases` makes it, and the backup beside it."""
    kept = {file.name: file.stat().st_size for file in (*ARCHIVES, *BACKUPS)}
    assert {f"{RELEASE}.tar.xz", f"{RELEASE}{POSTGRESQL}"} <= kept.keys()
    assert max(kept.values()) <= MAX_BYTES


def find_changed(recorded: dict[str, str], root: Path) -> list[str]:
    """The migrations of a release that are gone or otherwise in a checkout."""
    present = sum_migrations(root)
    return [place for place, sum_ in recorded.items() if present.get(place) != sum_]


@pytest.mark.slow
def test_migrations_of_a_release_are_frozen() -> None:
    """Change a table with another migration: data of that release has applied this one already."""
    for archive in ARCHIVES:
        with tarfile.open(archive) as packed:
            content = packed.extractfile(MIGRATIONS)
            assert content
            recorded = json.load(content)
        assert len(recorded) >= 3
        assert find_changed(recorded, ROOT) == []


def test_changed_migration_is_found(tmp_path: Path) -> None:
    file = tmp_path / "combat" / "migrations" / "0001_initial.py"
    file.parent.mkdir(parents=True)
    file.write_text("operations = []")
    recorded = sum_migrations(tmp_path)
    assert find_changed(recorded, tmp_path) == []
    file.write_text("operations = [None]")
    assert find_changed(recorded, tmp_path) == ["combat/migrations/0001_initial.py"]
    file.unlink()
    assert find_changed(recorded, tmp_path) == ["combat/migrations/0001_initial.py"]


def read(gm: Guest, address: str) -> str:
    """A page that opens."""
    assert gm.get(address) == 200, f"{address}: {gm.page[:500]}"
    return gm.page


def unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as packed:
        # The first releases of Python 3.11, as in Debian 12, know no filter.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(folder)


@pytest.mark.slow
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda file: file.name)
def test_data_of_a_release_opens_in_this_one(archive: Path, tmp_path: Path) -> None:
    """If the tables changed before the first release: `python -m tests.combat.releases`."""
    unpack(archive, tmp_path)
    copy_static_files(tmp_path)
    with open_table(tmp_path, "--no-demo") as table:
        gm = sign_in(table.port, table.link)
        numbers = sorted(set(map(int, TABLE.findall(read(gm, "/encounters/")))))
        assert len(numbers) >= 4
        assert "Zoë" in read(gm, "/characters/")
        assert "The long way" in read(gm, "/campaigns/")
        assert all(word in read(gm, "/campaigns/1/") for word in ("Zoë", "A letter"))
        for number in numbers:
            read(gm, f"/encounters/{number}/")
            page = read(gm, f"/encounters/{number}/log/?verify")
            assert "Verified" in page or "Not verified here" in page
            assert "does not match" not in page


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda file: file.name)
def test_files_of_a_release_are_read_by_this_one(
    archive: Path, tmp_path: Path, gm: User, gm_client: Client
) -> None:
    """A fight, a sheet and a prepared fight of each game, all characters, a pack with all of a campaign."""
    unpack(archive, tmp_path)
    files = tmp_path / "files"
    games = {file.stem.removeprefix("encounter-") for file in files.glob("encounter-*.json")}
    assert len(games) == 5
    for game in games:
        made = import_encounter(gm, (files / f"encounter-{game}.json").read_bytes()).encounter
        page = gm_client.get(f"/encounters/{made.pk}/log/?verify").content.decode()
        assert is_told_right(made, page)
        sheet = {"game": game, "text": (files / f"sheet-{game}.json").read_text()}
        assert gm_client.post("/characters/import/", sheet).status_code == 302
    assert {one.system for one in Character.objects.filter(npc=False)} == games
    everyone = {"text": (files / "characters.json").read_text(), "twins": "again"}
    assert gm_client.post("/characters/import/", everyone).status_code == 302
    assert Character.objects.filter(name="Zoë").count() == 1
    campaign = create_campaign(gm, "Elsewhere")
    switch_on(read_pack(gm, (files / "pack.json").read_bytes()), campaign)
    blocks = campaign.members.filter(character__npc=True)
    assert {one.character.system for one in blocks} == games
    campaign.refresh_from_db()
    assert [table.name for table in find_tables(campaign)] == ["Who comes"]
    assert find_prepared(campaign) == games
    for game in games:
        campaign = create_campaign(gm, f"With a fight of {game}")
        switch_on(read_pack(gm, (files / f"fight-{game}.json").read_bytes()), campaign)
        assert find_prepared(campaign) == {game}


def is_told_right(fight: Encounter, page: str) -> bool:
    """Whether the log says of an imported fight what is true: only rules played here verify it."""
    rules = read_state(fight).rules
    is_known = find_system(fight.system).versions.knows(rules)
    return ("Verified" in page, "Not verified here" in page) == (is_known, not is_known)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda file: file.name)
def test_fights_of_a_release_are_played_on_and_exported(archive: Path, tmp_path: Path, gm: User) -> None:
    """What came before is named as that release's; what came since is verified here."""
    unpack(archive, tmp_path)
    own = archive.name.removesuffix(".tar.xz")
    for file in sorted((tmp_path / "files").glob("encounter-*.json")):
        made = import_encounter(gm, file.read_bytes()).encounter
        system, count = find_system(made.system), made.steps
        is_known = system.versions.knows(read_state(made).rules)
        if read_state(made).phase == "prep":
            submit(made.pk, Submission(system.actions.start))
            made.refresh_from_db()
        if read_state(made).phase == "fight" and read_state(made).active and not made.open_command:
            autoplay(made.pk)
        else:
            submit(made.pk, Submission("note", {"text": "What came after"}))
            submit(made.pk, Submission("start_clock", {"name": "Dawn"}))
        made.refresh_from_db()
        if made.open_command:
            cancel(made.pk)
            made.refresh_from_db()
        assert read_state(made).rules == system.versions.newest or is_known
        verdict = replay(read_history(made), find_system)
        assert (verdict.ok, verdict.is_whole) == (True, is_known), f"{file.name}: {verdict.summary}"
        assert is_known or (verdict.steps - verdict.earlier >= 2 and f"by release {own}" in verdict.summary)
        again = import_encounter(gm, write_document(read_history(made)))
        assert (again.verdict.earlier, again.verdict.ok) == (verdict.earlier, True)
        assert again.encounter.steps > count


def find_prepared(campaign: Campaign) -> set[str]:
    """The games of a campaign's encounters, each with its people and its place."""
    encounters = list(campaign.encounters.all())
    for one in encounters:
        state = read_state(one)
        assert state.combatants
        assert state.scene.zones
    return {one.system for one in encounters}


@needs_services
@pytest.mark.slow
@pytest.mark.parametrize("backup", BACKUPS, ids=lambda file: file.name)
def test_postgresql_of_a_release_is_restored_played_and_exported(backup: Path, tmp_path: Path) -> None:
    with make_database() as database:
        site = set_up(tmp_path, DATABASE_URL=database)
        done = manage("restore", str(backup), **site.environment)
        assert done.returncode == 0, done.stderr
        done = manage("reset_access", "gm", "--address", "http://localhost", **site.environment)
        with site.serve() as worker:
            gm = sign_in(worker.port, done.stdout.split("http://localhost")[1].split()[0])
            numbers = sorted(set(map(int, TABLE.findall(read(gm, "/encounters/")))))
            assert len(numbers) >= 4
            assert all(word in read(gm, "/campaigns/1/") for word in ("Zoë", "A letter"))
            for number in numbers:
                fight = f"/encounters/{number}/"
                assert gm.post(fight, do="note", text=f"Later in {number}") == 303
                page = read(gm, f"{fight}log/?verify")
                assert f"Later in {number}" in page
                assert "does not match" not in page
                verdict = replay(read_document(read(gm, f"{fight}export/").encode()), find_system)
                assert verdict.ok, verdict.summary
                assert verdict.is_whole or f"by release {backup.name.partition('-')[0]}" in verdict.summary


LATER = "migrations_of_a_later_release"
OF_NOW = """
from importlib import import_module

Migration = import_module("combat.migrations.{name}").Migration
"""
NEXT = """
import time
from pathlib import Path
from django.db import migrations, models

FOLDER = Path(__file__).parent

def rename(apps, editor):
    apps.get_model("combat", "Encounter").objects.update(name="Lost")
    while (FOLDER / "hangs").exists():
        (FOLDER / "begun").touch()
        time.sleep(0.05)

class Migration(migrations.Migration):
    dependencies = [("combat", "{last}")]
    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
"""
AS_LATER = """
sys.path.insert(0, {folder!r})
from django.conf import settings
settings.MIGRATION_MODULES = {{"combat": {name!r}}}
"""


def dump(file: Path) -> list[str]:
    """All that a database holds."""
    with closing(sqlite3.connect(file)) as opened:
        return list(opened.iterdump())


@pytest.mark.slow
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda file: file.name)
def test_kill_in_the_middle_of_a_migration_loses_nothing(archive: Path, tmp_path: Path) -> None:
    """This release or the next then opens the data, and one whole copy from before is kept."""
    data, later = tmp_path / "data", tmp_path / "later" / LATER
    data.mkdir()
    later.mkdir(parents=True)
    unpack(archive, data)
    copy_static_files(data)
    present = sorted(file.stem for file in (ROOT / "combat" / "migrations").glob("[0-9]*.py"))
    texts = {name: OF_NOW.format(name=name) for name in present}
    texts |= {"__init__": "", f"{len(present) + 1:04}_later": NEXT.replace("{last}", present[-1])}
    for name, text in texts.items():
        (later / f"{name}.py").write_text(text)
    (later / "hangs").touch()
    before = dump(data / "table.sqlite3")
    program = play_with(AS_LATER.format(folder=str(later.parent), name=LATER))
    words = [sys.executable, *program, "play", "--data", str(data), "--port", "0", "--no-demo"]
    with subprocess.Popen(words, cwd=ROOT, env=make_environment(), stdout=subprocess.DEVNULL) as process:
        while not (later / "begun").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
    assert dump(data / "table.sqlite3") == before
    (copy,) = (data / "backups").iterdir()
    with closing(sqlite3.connect(copy)) as opened:
        names = opened.execute("SELECT DISTINCT name FROM combat_encounter").fetchall()
    assert len(names) >= 4
    (later / "hangs").unlink()
    with open_table(data, "--no-demo", program=program) as table:
        assert table.interrupt()[0] == 0
    with closing(sqlite3.connect(data / "table.sqlite3")) as opened:
        assert opened.execute("SELECT DISTINCT name FROM combat_encounter").fetchall() == [("Lost",)]
    assert len(list((data / "backups").iterdir())) == 2


@pytest.mark.slow
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda file: file.name)
def test_backup_of_a_release_is_restored_by_this_one(archive: Path, tmp_path: Path) -> None:
    unpack(archive, tmp_path)
    table = tmp_path / "table"
    done = manage("restore", str(tmp_path / "files" / "backup.sqlite3"), "--data", str(table))
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(table / "table.sqlite3")) as opened:
        assert ("Zoë",) in opened.execute("SELECT name FROM characters_character").fetchall()
