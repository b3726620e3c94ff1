"""A backup is restored by every later release: with the tables of its own, then those of the later one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from combat import migrations
from combat.backups.manifest import Manifest
from tests.combat.backups.store import Store
from tests.combat.backups.test_damage import open_backup, write_sealed

LATER = "migrations_of_a_later_release"
OURS = sorted(path.stem for path in Path(migrations.__file__).parent.glob("0*.py"))
SAME = """
from importlib import import_module

Migration = import_module("combat.migrations.{name}").Migration
"""
ONE_MORE = """
from django.db import migrations, models

def name_all(apps, editor):
    for one in apps.get_model("combat", "Campaign").objects.all():
        one.motto = "Of " + one.name
        one.save()

class Migration(migrations.Migration):
    dependencies = [("combat", "{last}")]
    operations = [
        migrations.AddField("campaign", "motto", models.CharField(max_length=200, default="")),
        migrations.CreateModel("Later", [("id", models.BigAutoField(primary_key=True))]),
        migrations.RunPython(name_all, migrations.RunPython.noop),
    ]
"""


@pytest.fixture
def left_as_found(store: Store, backup: Path) -> Iterator[None]:
    """Restore this release's tables at the end: other tests of this process use the same data."""
    yield
    store.run("restore", backup)


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The program as a later release: it has one more migration."""
    folder = tmp_path / "later" / LATER
    folder.mkdir(parents=True)
    same = [(name, SAME.format(name=name)) for name in OURS]
    for name, text in (("__init__", ""), *same, ("9999_later", ONE_MORE.format(last=OURS[-1]))):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(folder.parent)
    with override_settings(MIGRATION_MODULES={"combat": LATER}):
        yield
    for name in [name for name in sys.modules if name.startswith(LATER)]:
        del sys.modules[name]


def test_backup_is_restored_by_a_later_release(
    store: Store, backup: Path, left_as_found: None, later: None
) -> None:
    wanted = store.read()["combat_campaign"]
    assert wanted
    kept = backup.read_bytes()
    said = store.run("restore", backup)
    assert "is kept in" in said
    with store.open() as base:
        found = base.execute("SELECT name, motto FROM combat_campaign").fetchall()
        assert found == [(name, f"Of {name}") for name, _ in found]
        assert base.execute("SELECT count(*) FROM combat_later").fetchone() == (0,)
        applied = "SELECT count(*) FROM django_migrations WHERE name = '9999_later'"
        assert base.execute(applied).fetchone() == (1,)
    assert len(found) == len(wanted)
    assert backup.read_bytes() == kept


@pytest.mark.slow
def test_backup_that_only_calls_itself_earlier_changes_nothing(
    store: Store, backup: Path, later: None, tmp_path: Path
) -> None:
    content, manifest = open_backup(backup)
    without = [one for one in manifest.migrations if one[0] != "gear"]
    crafted = Manifest(store.kind, without, manifest.tables, release="1.2")
    assert "does not fit the tables" in store.refuse(
        "restore", write_sealed(tmp_path / "file", content, crafted)
    )
