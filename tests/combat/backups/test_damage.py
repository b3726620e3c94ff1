"""A file that is no backup, or a damaged one, is refused in a sentence and changes nothing."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combat.backups import check, postgres, schema, sqlite
from combat.backups.manifest import (
    CHECKSUM_BYTES,
    BackupError,
    Manifest,
    Migrations,
    SchemaMismatch,
    append_manifest,
    read_manifest,
)
from combat.backups.sqlite import describe
from tests.combat.backups.store import Store, make_store

pytestmark = pytest.mark.slow

FLIPS = 300


def is_accepted(file: Path, kind: str) -> bool:
    """Whether the program would start to restore a file."""
    try:
        check(file, kind)
    except BackupError:
        return False
    return True


def find_bits(length: int) -> Iterator[int]:
    """Every bit of the beginning and of manifest and checksum, and many between."""
    ends = [*range(64), *range(max(64, length - 4 * CHECKSUM_BYTES), length)]
    yield from (8 * byte + bit for byte in ends for bit in range(8))
    yield from random.Random(1).sample(range(8 * length), FLIPS)


def test_not_one_bit_may_differ(store: Store, backup: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(backup.read_bytes())
    assert is_accepted(file, store.kind)
    length, accepted = file.stat().st_size, []
    with file.open("rb+", buffering=0) as opened:
        for bit in find_bits(length):
            (was,) = os.pread(opened.fileno(), 1, bit // 8)
            os.pwrite(opened.fileno(), bytes([was ^ 1 << bit % 8]), bit // 8)
            accepted += [bit] * is_accepted(file, store.kind)
            os.pwrite(opened.fileno(), bytes([was]), bit // 8)
    assert accepted == []
    assert file.read_bytes() == backup.read_bytes()


def test_not_one_byte_may_be_missing_or_be_added(store: Store, backup: Path, tmp_path: Path) -> None:
    whole, file = backup.read_bytes(), tmp_path / "file"
    shortened = [whole[:-n] for n in (*range(1, 200), len(whole) // 3, len(whole) - 6, len(whole))]
    for content in (
        *shortened,
        whole[1:],
        whole + b"\n",
        whole + b"\0",
        whole + whole,
        whole[: len(whole) // 2],
    ):
        file.write_bytes(content)
        assert not is_accepted(file, store.kind)


def test_damaged_backup_changes_nothing(store: Store, backup: Path, tmp_path: Path) -> None:
    content = bytearray(backup.read_bytes())
    content[len(content) // 2] ^= 4
    (tmp_path / "flipped").write_bytes(content)
    (tmp_path / "cut").write_bytes(backup.read_bytes()[:-8])
    assert "is damaged" in store.refuse("restore", tmp_path / "flipped")
    assert "is cut off, or no backup" in store.refuse("restore", tmp_path / "cut")
    assert "There is no file" in store.refuse("restore", tmp_path)


# ---------------------------------------------------------------- made by hand


def write_sealed(file: Path, content: bytes, manifest: Manifest) -> Path:
    """A file made by hand, with a correct seal."""
    file.write_bytes(content)
    append_manifest(file, manifest)
    return file


def open_backup(backup: Path) -> tuple[bytes, Manifest]:
    """The content of a backup, and its manifest."""
    manifest, length = read_manifest(backup)
    return backup.read_bytes()[:length], manifest


SQLITE_TRICKS = {
    "DROP TABLE combat_participation": "there is no table combat_participation",
    "CREATE TABLE recipes (name text)": "a table recipes does not belong there",
    "CREATE TRIGGER t AFTER INSERT ON auth_user BEGIN SELECT 1; END": "a trigger t does not belong",
    "CREATE VIEW v AS SELECT 1": "a view v does not belong",
    "DROP INDEX combat_enco_owner_i_04de64_idx": "there is no index combat_enco_owner_i_04de64_idx",
    "ALTER TABLE combat_seat ADD COLUMN more text": "its table combat_seat is another",
    "UPDATE combat_seat SET digest = x'00ff'": "a value in combat_seat is of another kind",
    "UPDATE combat_encounter SET steps = 1e300": "a value in combat_encounter is of another kind",
    "UPDATE combat_encounter SET steps = -1": "a value in combat_encounter is of another kind",
    "DELETE FROM auth_user": "belongs to one of auth_user that is not there",
}


def play_trick(trick: str, content: bytes, file: Path) -> Path:
    """Change a database, and seal it as if it were a backup."""
    file.write_bytes(content)
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        base.execute("PRAGMA ignore_check_constraints = ON")
        base.execute(trick)
        manifest = describe(base)
    append_manifest(file, manifest)
    return file


def test_database_with_another_schema_is_refused(tmp_path: Path, sqlite_backup: Path) -> None:
    """Each by the function that looks at it, the last by the command too, which leaves nothing behind."""
    content, _ = open_backup(sqlite_backup)
    files = [
        play_trick(trick, content, tmp_path / f"{number:02}") for number, trick in enumerate(SQLITE_TRICKS)
    ]
    with make_store("sqlite", tmp_path / "new") as new:
        for file, words in zip(files, SQLITE_TRICKS.values(), strict=True):
            with new.use(), pytest.raises(SchemaMismatch, match=re.escape(words)):
                sqlite.examine(file, *read_manifest(file))
        last = new.fail("restore", files[-1])
        assert words in last
        assert "nothing was changed" in last
        assert not new.place.exists()
        assert not list(new.folder.glob("*restoring*"))


def alter(lines: list[bytes], table: str, change: Callable[[list[Any]], Any]) -> list[bytes]:
    """The same lines with another first row of a table."""
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"table":"%s"' % table.encode())) + 1
    return [*lines[:at], json.dumps(change(json.loads(lines[at]))).encode() + b"\n", *lines[at + 1 :]]


def set_value(column: int, value: Any) -> Callable[[list[Any]], Any]:
    """A row with another value."""
    return lambda row: [*row[:column], value, *row[column + 1 :]]


def craft_lines(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """Replacements for the rows, with the message for each."""
    first = lines[0]
    yield "unknown field", alter(lines, "auth_user", lambda row: {"rows": 5})
    yield "Expected", alter(lines, "auth_user", set_value(0, {"bytes": 5}))
    yield "Expected", alter(lines, "auth_user", set_value(0, [1, 2]))
    yield "invalid input syntax", alter(lines, "auth_user", set_value(0, "gm"))
    yield "integer out of range", alter(lines, "auth_user", set_value(0, 10**400))
    yield "bigint out of range", alter(lines, "combat_encounter", set_value(0, 10**30))
    yield "cannot contain NUL", alter(lines, "auth_user", set_value(1, "a\0b"))
    yield "JSON is malformed", alter(lines, "auth_user", set_value(1, "\ud800"))
    yield "has a row that does not belong", alter(lines, "auth_user", lambda row: row[1:])
    yield "got `array`", [*lines, b"[" * 100_000 + b"\n"]
    yield "invalid character", [*lines, b"\xff\n"]
    yield "is there without need", [*lines, first]
    yield "is there without need", [b'{"table":"pg_class","columns":["oid"]}\n', *lines]
    yield "is missing", []
    yield "lacks", lines[:-1]


def test_rows_made_by_hand_are_refused(
    postgres_backup: Path, postgres_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, manifest = open_backup(postgres_backup)
    lines = gzip.decompress(content).splitlines(keepends=True)
    last = next(n for n in range(len(lines) - 1, 0, -1) if lines[n].startswith(b"["))
    assert last == len(lines) - 1, "the last table has a row"
    before = postgres_store.read()
    build_only_once(monkeypatch)
    for words, crafted in craft_lines(lines):
        file = write_sealed(tmp_path / "crafted", gzip.compress(b"".join(crafted)), manifest)
        with postgres_store.use(), pytest.raises(SchemaMismatch, match=re.escape(words)):
            postgres.restore_file(file, *read_manifest(file), lambda: None)
    assert postgres_store.read() == before


def build_only_once(patch: pytest.MonkeyPatch) -> None:
    """Build the tables for the first file; for the others take those that are there, which are the same."""
    build = schema.build

    def build_once(migrations: Migrations) -> None:
        build(migrations)
        for step in ("_drop_all", "build"):
            patch.setattr(postgres, step, lambda *_: None)

    patch.setattr(postgres, "build", build_once)


def craft_manifests(manifest: Manifest) -> Iterator[dict[str, Any]]:
    """Manifests that claim impossible things."""
    plain = msgspec.to_builtins(manifest)
    yield plain | {"kind": 5}
    yield plain | {"migrations": "all"}
    yield plain | {"migrations": [["combat"]]}
    yield plain | {"migrations": []}
    yield plain | {"tables": []}
    yield plain | {"tables": {"auth_user": {"columns": ["id"], "rows": "many"}}}
    yield plain | {"release": "1.0; and more"}
    yield plain | {"more": 1}
    yield {}


def test_manifests_made_by_hand_are_refused(store: Store, backup: Path, tmp_path: Path) -> None:
    content, manifest = open_backup(backup)
    for crafted in craft_manifests(manifest):
        file = tmp_path / "file"
        assert not is_accepted(write_sealed(file, content, crafted), store.kind)  # type: ignore[arg-type]  # on purpose
    plain = msgspec.to_builtins(manifest)
    others = {"sqlite": "a table on PostgreSQL", "postgresql": "a table on SQLite"}
    kind = "postgresql" if store.kind == "sqlite" else "sqlite"
    write_sealed(tmp_path / "file", content, Manifest(kind, manifest.migrations, manifest.tables))
    said = store.refuse("restore", tmp_path / "file")
    assert others[store.kind] in said
    assert "export fights, characters and packs there, and import them here" in said
    assert plain["kind"] == store.kind


def test_backup_of_a_release_with_other_tables_is_refused(store: Store, backup: Path, tmp_path: Path) -> None:
    content, manifest = open_backup(backup)
    newer = [*manifest.migrations, ("combat", "9999_x")]
    crafted = Manifest(store.kind, newer, manifest.tables, release="1.2")
    said = store.refuse("restore", write_sealed(tmp_path / "file", content, crafted))
    assert "by cosmos-table 1.2, which has other tables (combat 9999_x): restore it with that release" in said
    older = [name for name in manifest.migrations if name != ("gear", "0001_initial")]
    crafted = Manifest(store.kind, older, manifest.tables, release="1.2")
    said = store.refuse("restore", write_sealed(tmp_path / "file", content, crafted))
    assert "does not fit the tables of" in said


def test_format_of_another_version_is_refused(store: Store, backup: Path, tmp_path: Path) -> None:
    for version in (b"2", b"13"):
        other = b"cosmos-table-backup " + version + b" "
        (tmp_path / "file").write_bytes(backup.read_bytes().replace(b"cosmos-table-backup 1 ", other))
        said = store.refuse("restore", tmp_path / "file")
        assert f"a backup of version {version.decode()}: here only version 1 is known" in said


def test_bomb_is_put_out(
    postgres_backup: Path, postgres_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert postgres.MAX_LINE_BYTES <= 100_000_000, "what any machine can hold"
    monkeypatch.setattr(postgres, "MAX_LINE_BYTES", 1_000_000)
    _, manifest = open_backup(postgres_backup)
    bomb = gzip.compress(b'["' + b" " * 3_000_000)
    file = write_sealed(tmp_path / "file", bomb, manifest)
    assert "a line without an end" in postgres_store.refuse("restore", file)


def test_what_is_no_backup_at_all_is_refused(store: Store, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "recipes")) as base:
        base.execute("CREATE TABLE recipes (name)")
    contents = [b"Dear diary", b"", gzip.compress(b"{}"), gzip.compress(b"")]
    for content in (*contents, (tmp_path / "recipes").read_bytes()):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(BackupError, match="or no backup of a table"):
            check(tmp_path / "file", store.kind)


def test_sealed_database_opens_with_any_sqlite(sqlite_backup: Path) -> None:
    """The file alone is enough to read it."""
    with closing(sqlite3.connect(f"{sqlite_backup.as_uri()}?mode=ro&immutable=1", uri=True)) as base:
        assert base.execute("PRAGMA quick_check").fetchone() == ("ok",)
        assert base.execute("SELECT count(*) FROM combat_encounter").fetchone()[0] > 1
