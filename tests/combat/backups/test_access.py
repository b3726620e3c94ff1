"""A copy opens no table, and a restore lets in nobody who could not come in now."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from combat.backups.schema import KEYS
from tests.combat.backups.store import SUFFIX, Store, make_store

NOW, LATER = "2030-01-02 03:04:05+00:00", "2040-01-02 03:04:05+00:00"


def read_raw(file: Path) -> bytes:
    """The bytes of a backup, unpacked."""
    raw = file.read_bytes()
    return zlib.decompressobj(31).decompress(raw) if file.name.endswith("gz") else raw


def ask(store: Store, sql: str) -> Any:
    """The first value that a query finds."""
    with store.open() as base:
        row = base.execute(sql).fetchone()
    return row and row[0]


@pytest.fixture
def own(store: Store, backup: Path, tmp_path: Path) -> Iterator[Store]:
    """A table like the used one, with a session, a sign-in link and a code, to change for good."""
    with make_store(store.kind, tmp_path / "own") as made:
        made.run("restore", backup)
        made.change(f"INSERT INTO django_session VALUES ('{'s' * 32}', 'x', '2040-01-02 03:04:05')")
        made.change(
            "INSERT INTO characters_signinlink (digest, user_id, created_at, expires_at) "
            f"SELECT '{'k' * 64}', id, '{NOW}', '{LATER}' FROM auth_user WHERE username = 'gm'"
        )
        made.change(
            "INSERT INTO combat_joincode (link_id, digest, nonce, expires) "
            f"SELECT id, '{'j' * 64}', 'n', '{LATER}' FROM combat_sharelink WHERE name = 'Friends'"
        )
        made.change(
            "INSERT INTO combat_programtoken (name, digest, created, encounter_id) "
            f"SELECT 'Bot', '{'t' * 64}', '{NOW}', encounter_id FROM combat_sharelink WHERE name = 'Friends'"
        )
        yield made


@pytest.mark.slow
def test_no_copy_holds_a_session_sign_in_link_code_or_token(own: Store, tmp_path: Path) -> None:
    """Not one byte of them, so nobody opens the running table with a copy of it."""
    digests = ("characters_signinlink", "combat_joincode", "combat_programtoken")
    keys = [ask(own, "SELECT session_key FROM django_session")]
    keys += [ask(own, f"SELECT digest FROM {table}") for table in digests]
    assert all(keys)
    own.run("backup", file := tmp_path / f"copy{SUFFIX[own.kind]}")
    assert not [key for key in keys if key.encode() in read_raw(file)]
    with make_store(own.kind, tmp_path / "second") as second:
        second.run("restore", file)
        assert not [table for table in KEYS if second.read()[table]]
        assert ask(second, "SELECT count(*) FROM combat_sharelink WHERE revoked IS NULL") > 0


def test_restore_lets_nobody_in_who_could_not_come_in_now(own: Store, tmp_path: Path) -> None:
    """A changed password, a removed passkey, a revoked or used link, an ended seat, a link to a sheet."""
    own.run("backup", before := tmp_path / f"before{SUFFIX[own.kind]}")
    kept = {table: own.read()[table] for table in KEYS}
    own.change("UPDATE auth_user SET password = 'changed'")
    own.change("DELETE FROM mfa_authenticator")
    own.change(f"UPDATE combat_sharelink SET revoked = '{NOW}' WHERE name = 'Phone'")
    own.change("UPDATE combat_sharelink SET uses_left = 1 WHERE name = 'Friends'")
    own.change(f"UPDATE combat_seat SET ended = '{NOW}' WHERE name = 'Pia'")
    own.change("UPDATE characters_sheetlink SET digest = 'another'")
    own.change("UPDATE characters_character SET name = 'Changed'")
    own.run("restore", before)
    assert ask(own, "SELECT count(*) FROM characters_character WHERE name = 'Changed'") == 0
    assert ask(own, "SELECT password FROM auth_user WHERE username = 'gm'") == "changed"
    assert ask(own, "SELECT count(*) FROM mfa_authenticator") == 0
    assert str(ask(own, "SELECT revoked FROM combat_sharelink WHERE name = 'Phone'"))[:10] == NOW[:10]
    assert ask(own, "SELECT uses_left FROM combat_sharelink WHERE name = 'Friends'") == 1
    assert ask(own, "SELECT ended FROM combat_seat WHERE name = 'Pia'")
    assert ask(own, "SELECT count(*) FROM characters_sheetlink") == 0
    found = own.read()
    assert found["django_session"] == kept["django_session"], "who is signed in now stays so"
    assert not found["characters_signinlink"]
    assert not found["combat_joincode"]
    assert not found["combat_programtoken"], "programs need new tokens"


@pytest.mark.slow
def test_restore_brings_back_nobody_whom_the_gm_removed_since(own: Store, tmp_path: Path) -> None:
    """Also at one of two tables where they hold their seats alike, and if they came after the copy."""
    seat = "name, kind, digest, combatants, face, ready, pen, heard, encounter_id, link_id, user_id"
    when = f"'{NOW}', '{NOW}'"
    columns = f"INSERT INTO combat_seat ({seat}, created, seen, removed) SELECT {seat}, {when}, removed"
    own.change(f"{columns} FROM combat_seat WHERE name = 'Pia'")
    newest = ask(own, "SELECT max(id) FROM combat_seat")
    own.run("backup", before := tmp_path / f"before{SUFFIX[own.kind]}")
    true = "TRUE" if own.kind != "sqlite" else "1"
    own.change(f"UPDATE combat_seat SET ended = '{NOW}', removed = {true} WHERE id = {newest}")
    own.change(f"{columns} FROM combat_seat WHERE id = {newest}")
    own.change(f"UPDATE combat_seat SET ended = '{NOW}', name = 'Later' WHERE id > {newest}")
    own.run("restore", before)
    ended = f"SELECT count(*) FROM combat_seat WHERE removed = {true} AND ended IS NOT NULL AND "
    assert ask(own, ended + f"id = {newest}") == 1
    assert ask(own, ended + "name = 'Later'") == 1


def test_restore_leaves_stricter_links_of_the_copy(own: Store, tmp_path: Path) -> None:
    """What was revoked when the copy was made does not open again."""
    own.change(f"UPDATE combat_sharelink SET revoked = '{NOW}' WHERE name = 'Friends'")
    own.run("backup", file := tmp_path / f"strict{SUFFIX[own.kind]}")
    own.change("UPDATE combat_sharelink SET revoked = NULL WHERE name = 'Friends'")
    own.run("restore", file)
    assert ask(own, "SELECT revoked FROM combat_sharelink WHERE name = 'Friends'")
