"""The host's page of copies: made, listed, downloaded, verified and uploaded by one person alone."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import msgspec
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from characters.accounts.users import make_gm
from combat.backups import sqlite
from combat.backups.handover import restarter
from combat.backups.manifest import BackupError, Manifest, append_manifest, read_manifest
from combat.pages.copies import views as copies
from combat.play.demo import make_demo_fight
from cosmos_site.middleware import ClosedForRestore
from tests.combat.pages.programs.asking import make_program
from tests.combat.visit import SLUG, load, read
from tests.typed import Answer

COPIES = "/copies/"


def post_file(client: Client, content: bytes, name: str = "mine.sqlite3") -> Answer:
    """Send a file as the page does."""
    return client.post(f"{COPIES}upload/", {"file": SimpleUploadedFile(name, content)})


def change_manifest(copy: Path, **fields: object) -> bytes:
    """The same copy with another manifest, and a correct checksum."""
    manifest, length = read_manifest(copy)
    changed = copy.with_name("changed")
    changed.write_bytes(copy.read_bytes()[:length])
    append_manifest(changed, msgspec.structs.replace(manifest, **fields))
    content = changed.read_bytes()
    changed.unlink()
    return content


def test_second_gm_sees_no_copies(copy: Path, gm_client: Client) -> None:
    """A further GM of the table runs fights of their own; the data of all is the host's."""
    second = Client()
    second.force_login(make_gm("second"))
    for address in (COPIES, f"{COPIES}{copy.name}/file/", f"{COPIES}{copy.name}/restore/"):
        answer = gm_client.get(address)
        answer.close()
        assert answer.status_code == 200
        assert second.get(address).status_code == 404
    forms = ("verify", "restore", "delete")
    for address in (COPIES, *(f"{COPIES}{copy.name}/{form}/" for form in forms)):
        assert second.post(address).status_code == 404
    assert COPIES in gm_client.get("/accounts/me/").content.decode()
    assert COPIES not in second.get("/accounts/me/").content.decode()


@pytest.mark.slow
def test_host_deletes_own_copies_if_sure_but_none_of_the_app(copy: Path, gm_client: Client) -> None:
    (form,) = read(gm_client.get(COPIES)).all("form", action=f"{COPIES}{copy.name}/delete/")
    assert "Nothing can bring it back" in form.text
    automatic = copy.with_name("before-restore-2026-11-23-041609.sqlite3")
    automatic.write_bytes(change_manifest(copy, reason="before-restore"))
    refused = gm_client.post(f"{COPIES}{automatic.name}/delete/")
    assert refused.status_code == 409
    assert not read(refused).all("form", action=f"{COPIES}{automatic.name}/delete/")
    assert automatic.exists()
    assert gm_client.get(f"{COPIES}{copy.name}/delete/").status_code == 302, "opened by hand"
    assert copy.exists()
    said = gm_client.post(f"{COPIES}{copy.name}/delete/", follow=True).content.decode()
    assert f"Deleted {copy.name}." in said
    assert not copy.exists()
    assert gm_client.post(f"{COPIES}{copy.name}/delete/").status_code == 404
    outside = copy.parent.parent / copy.name
    outside.write_bytes(b"kept")
    assert gm_client.post(f"{COPIES}..%2F{copy.name}/delete/").status_code == 404
    assert outside.exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_copy_is_made_listed_verified_and_downloaded(folder: Path, gm_client: Client) -> None:
    assert "None yet" in gm_client.get(COPIES).content.decode()
    assert gm_client.post(COPIES).status_code == 303
    (copy,) = folder.iterdir()
    page = gm_client.get(COPIES).content.decode()
    assert copy.name in page
    assert "By hand" in page
    said = gm_client.post(f"{COPIES}{copy.name}/verify/", follow=True).content.decode()
    assert f"{copy.name} is whole" in said
    answer = gm_client.get(f"{COPIES}{copy.name}/file/")
    assert answer.getvalue() == copy.read_bytes()
    assert copy.name in answer["Content-Disposition"]
    assert "no-store" in answer["Cache-Control"]


def test_damaged_copy_is_listed_and_said_to_be_damaged(
    copy: Path, gm_client: Client, stops: list[str]
) -> None:
    whole = copy.read_bytes()
    copy.write_bytes(whole[:4096] + bytes([whole[4096] ^ 1]) + whole[4097:])
    answer = gm_client.post(f"{COPIES}{copy.name}/verify/")
    assert answer.status_code == 422
    assert f"{copy.name} is damaged" in answer.content.decode()
    assert gm_client.post(f"{COPIES}{copy.name}/restore/").status_code == 422
    copy.write_bytes(whole[:-9])
    assert "Damaged or cut off" in gm_client.get(COPIES).content.decode()
    assert stops == []


def test_two_copies_at_once_are_refused(folder: Path, gm_client: Client) -> None:
    with copies._making:
        answer = gm_client.post(COPIES)
    assert answer.status_code == 409
    assert "is being made already" in answer.content.decode()
    assert not folder.exists()


def test_copy_on_a_full_disk_leaves_nothing(
    folder: Path, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(file: Path, origin: object) -> None:
        file.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sqlite, "write", fill)
    answer = gm_client.post(COPIES)
    assert answer.status_code == 507
    assert "No space left on device" in answer.content.decode()
    assert list(folder.iterdir()) == []


def test_uploaded_copy_is_kept_and_changes_nothing(copy: Path, gm_client: Client, stops: list[str]) -> None:
    User.objects.create_user("later")
    assert post_file(gm_client, copy.read_bytes()).status_code == 303
    (kept,) = copy.parent.glob("uploaded-*")
    assert kept.read_bytes() == copy.read_bytes()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "Uploaded" in gm_client.get(COPIES).content.decode()
    assert User.objects.filter(username="later").exists()
    assert stops == []


def without_content(copy: Path) -> bytes:
    """A manifest and a correct checksum, behind nothing."""
    manifest, _ = read_manifest(copy)
    empty = copy.with_name("empty")
    empty.write_bytes(b"")
    append_manifest(empty, manifest)
    content = empty.read_bytes()
    empty.unlink()
    return content


def test_copy_of_a_strange_year_is_listed_by_its_file_time(copy: Path, gm_client: Client) -> None:
    for year in ["0001", "9999"]:
        strange = copy.with_name(f"uploaded-2026-11-25-120000{copy.suffix}")
        strange.write_bytes(change_manifest(copy, made=f"{year}-01-01T00:00:00Z"))
        assert strange.name in gm_client.get(COPIES).content.decode(), year


def craft(copy: Path) -> dict[str, bytes]:
    """Files that are refused, by the words for it."""
    whole, (manifest, _) = copy.read_bytes(), read_manifest(copy)
    newer = [*manifest.migrations, ("combat", "9999_x")]
    return {
        "is cut off, or no backup": whole[:-20],
        "no backup of a table: nothing was changed": whole[: len(whole) // 2],
        "is damaged": whole[:5000] + b"!" + whole[5001:],
        "by cosmos-table 9.1, which has other tables": change_manifest(copy, migrations=newer, release="9.1"),
        "is a backup of a table on PostgreSQL": change_manifest(copy, kind="postgresql"),
        "does not fit": without_content(copy),
    }


@pytest.mark.slow
def test_upload_that_cannot_be_restored_is_refused_without_trace(
    copy: Path, gm_client: Client, stops: list[str]
) -> None:
    files = sorted(copy.parent.parent.rglob("*"))
    for words, content in craft(copy).items():
        answer = post_file(gm_client, content, "mine<b>.sqlite3")
        assert answer.status_code == 422
        said = answer.content.decode()
        assert words in said
        assert "mine&lt;b&gt;.sqlite3" in said
        assert str(copy.parent.parent) not in said.partition("<main")[2].partition('id="upload"')[0]
        assert sorted(copy.parent.parent.rglob("*")) == files
    assert gm_client.post(f"{COPIES}upload/").status_code == 422
    assert stops == []


def test_upload_of_another_kind_is_named(copy: Path, gm_client: Client, stops: list[str]) -> None:
    said = post_file(gm_client, b"{\\rtf1 hello}", "mine.sqlite3").content.decode()
    assert "This is a rich text document (RTF), not a backup: send a file that was downloaded here." in said


def test_upload_on_a_full_disk_leaves_nothing(
    copy: Path, gm_client: Client, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(sent: Path, file: Path) -> None:
        file.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", fill)
    answer = post_file(gm_client, copy.read_bytes())
    assert "The backup cannot be kept: No space left on device" in answer.content.decode()
    assert [file.name for file in copy.parent.iterdir()] == [copy.name]


def test_upload_needs_the_secret_of_its_form(
    copy: Path, strict_client: Client, gm: User, stops: list[str]
) -> None:
    strict_client.force_login(gm)
    assert post_file(strict_client, copy.read_bytes()).status_code == 403
    assert [file.name for file in copy.parent.iterdir()] == [copy.name]


def test_without_restart_uploads_and_restores_are_by_command(copy: Path, gm_client: Client) -> None:
    page = gm_client.get(COPIES).content.decode()
    assert "manage.py restore FILE" in page
    assert 'type="file"' not in page
    assert post_file(gm_client, copy.read_bytes()).status_code == 409
    assert gm_client.post(f"{COPIES}{copy.name}/restore/").status_code == 409


def test_only_copies_can_be_reached(copy: Path, gm_client: Client) -> None:
    (copy.parent / "notes.txt").write_text("private")
    (copy.parent.parent / "secret-key").write_text("secret")
    (copy.parent / "link.sqlite3").symlink_to(copy.parent.parent / "secret-key")
    page = gm_client.get(COPIES).content.decode()
    for name in ("notes.txt", "link.sqlite3", "..%2Fsecret-key", "%2e%2e", "none.sqlite3"):
        assert name not in page
        assert gm_client.get(f"{COPIES}{name}/file/").status_code == 404


# ---------------------------------------------------------------- restoring


def test_question_shows_both_sides(copy: Path, gm_client: Client, stops: list[str]) -> None:
    User.objects.create_user("later")
    page = " ".join(gm_client.get(f"{COPIES}{copy.name}/restore/").content.decode().split())
    assert 'People with an account</th> <td class="num">2</td> <td class="num">1</td>' in page
    assert stops == []


def test_restore_stops_the_table_once(copy: Path, gm_client: Client, stops: list[str]) -> None:
    address = f"{COPIES}{copy.name}/restore/"
    answer = gm_client.post(address)
    assert answer.status_code == 202
    assert answer["Refresh"].endswith(f"url={COPIES}")
    assert restarter.wanted
    assert restarter.wanted.path == copy
    assert restarter.wanted.session == gm_client.cookies["sessionid"].value
    assert "Restoring" in gm_client.get(COPIES).content.decode()
    second = gm_client.post(address)
    assert second.status_code == 503
    assert "The host restores a backup" in second.content.decode()
    assert stops == ["stop"]


def test_write_that_ends_after_the_press_is_not_confirmed(stops: list[str]) -> None:
    """It began before; only the press itself is answered as asked for."""

    def press_meanwhile(status: int, method: str = "post") -> int:
        def write(request: HttpRequest) -> HttpResponse:
            restarter.closed = True
            return HttpResponse(status=status)

        restarter.closed = False
        ask = getattr(RequestFactory(), method)
        return ClosedForRestore(write)(ask("/encounters/1/")).status_code

    assert press_meanwhile(303) == 503
    assert press_meanwhile(202) == 202
    assert press_meanwhile(200, "get") == 200


@pytest.mark.slow
def test_nothing_is_confirmed_from_the_press_on(
    copy: Path, gm: User, gm_client: Client, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is checked first, which takes seconds: what is saved meanwhile would be lost."""
    encounter = make_demo_fight(gm, SLUG)
    table, token = f"/encounters/{encounter.pk}/", make_program(encounter)
    before = load(encounter.pk).version
    answers = []

    def examine_and_write(file: Path) -> None:
        answers.append(gm_client.post(table, {"do": "note", "text": "Hm"}))
        token.post("actions", 503, action="note", combatant="", fields={"text": "Hm"}, stamp="x")
        assert gm_client.get(table).status_code == 200, "it can still be read"
        if stops == ["broken"]:
            raise BackupError("It is broken.")

    monkeypatch.setattr(copies, "examine", examine_and_write)
    stops.append("broken")
    assert gm_client.post(f"{COPIES}{copy.name}/restore/").status_code == 422
    assert load(encounter.pk).version == before
    assert gm_client.post(table, {"do": "note", "text": "Hm"}).status_code == 303, "open again"
    stops.clear()
    assert gm_client.post(f"{COPIES}{copy.name}/restore/").status_code == 202
    answers.append(gm_client.post(table, {"do": "note", "text": "Hm"}))
    for answer in answers:
        assert answer.status_code == 503
        assert "was not saved" in answer.content.decode()
        assert answer["Retry-After"]
    assert load(encounter.pk).version == before + 1


@pytest.mark.slow
def test_hostile_copy_stops_nothing(copy: Path, gm_client: Client, stops: list[str]) -> None:
    tables = read_manifest(copy)[0].tables
    lying = Manifest(
        "sqlite", read_manifest(copy)[0].migrations, tables | {"auth_user": tables["auth_group"]}
    )
    content = change_manifest(copy, tables=lying.tables)
    answer = post_file(gm_client, content)
    assert answer.status_code == 422
    assert "it holds other rows than it says" in answer.content.decode()
    kept = copy.with_name(f"uploaded-2026-11-25-120000{copy.suffix}")
    kept.write_bytes(content)  # by hand, without that check
    answer = gm_client.post(f"{COPIES}{kept.name}/restore/")
    assert answer.status_code == 422
    assert "it holds other rows than it says" in answer.content.decode()
    assert stops == []
