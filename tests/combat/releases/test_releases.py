"""What any release has stored opens in this one: nothing is lost, and its fights verify."""

from __future__ import annotations

import json
import re
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from combat.models import Campaign
from combat.play.after.imports import import_encounter
from combat.play.campaigns.campaigns import create_campaign
from combat.play.campaigns.random_tables import find_tables
from combat.play.packs.library import read_pack
from combat.play.packs.using import switch_on
from combat.play.writing.encounter_service import read_state
from combat.rules.core.basics.release import RELEASE
from tests.combat.releases.__main__ import FOLDER, MAX_BYTES, MIGRATIONS, ROOT, sum_migrations
from tests.combat.server import Guest, sign_in
from tests.site.hosting.table import copy_static_files, manage, open_table

ARCHIVES = sorted(FOLDER.glob("*.tar.xz"))
TABLE = re.compile(r'href="/encounters/(\d+)/(?:prep/)?"')


def test_this_release_keeps_a_small_data_directory() -> None:
    """`python -m tests.combat.releases` makes it."""
    assert f"{RELEASE}.tar.xz" in {file.name for file in ARCHIVES}
    assert all(file.stat().st_size <= MAX_BYTES for file in ARCHIVES)


def find_changed(recorded: dict[str, str], root: Path) -> list[str]:
    """The migrations of a release that are gone or otherwise in a checkout."""
    present = sum_migrations(root)
    return [place for place, sum_ in recorded.items() if present.get(place) != sum_]


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
        assert "Verified" in read(gm, "/encounters/1/log/?verify") or not archive.name.startswith(RELEASE)


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
        assert "Verified" in page or "Not verified here" in page
        assert "Verified" in page or not archive.name.startswith(RELEASE)
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


def find_prepared(campaign: Campaign) -> set[str]:
    """The games of a campaign's encounters, each with its people and its place."""
    encounters = list(campaign.encounters.all())
    for one in encounters:
        state = read_state(one)
        assert state.combatants
        assert state.scene.zones
    return {one.system for one in encounters}


@pytest.mark.slow
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda file: file.name)
def test_backup_of_a_release_is_restored_by_it_and_named_by_others(archive: Path, tmp_path: Path) -> None:
    unpack(archive, tmp_path)
    own = archive.name.removesuffix(".tar.xz")
    table = tmp_path / "table"
    done = manage("restore", str(tmp_path / "files" / "backup.sqlite3"), "--data", str(table))
    if own != RELEASE and done.returncode:
        assert own in done.stderr
        return
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(table / "table.sqlite3")) as opened:
        assert ("Zoë",) in opened.execute("SELECT name FROM characters_character").fetchall()
