"""Static files without compressed twins: what a browser gets, and what a cache may do with it."""

from __future__ import annotations

import gzip
from http import HTTPStatus
from pathlib import Path

import pytest
from django.http import FileResponse
from django.test import RequestFactory
from pytest_django import Settings

from cosmos_site.middleware import StaticFiles

pytestmark = pytest.mark.django_db  # the end of an answer looks at the connections
STYLE = ".a { color: red }\n" * 200


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.STATIC_ROOT = tmp_path
    settings.WHITENOISE_USE_FINDERS = False
    (tmp_path / "one.css").write_text(STYLE)
    (tmp_path / "one.png").write_bytes(b"a picture")
    return tmp_path


def ask(files: StaticFiles, name: str, accepted: str, method: str = "GET", **more: str) -> FileResponse:
    headers = {"Accept-Encoding": accepted, **more}
    request = RequestFactory().generic(method, f"/static/{name}", headers=headers)
    answer = files(request)
    assert isinstance(answer, FileResponse)
    return answer


def read(answer: FileResponse) -> bytes:
    content = answer.getvalue()
    for close in getattr(answer, "_resource_closers"):  # noqa: B009 - no type knows it; to close the answer itself would end a request
        close()
    return content


def test_text_is_compressed_for_who_accepts_it_and_nothing_is_written(folder: Path) -> None:
    files = StaticFiles()
    answer = ask(files, "one.css", "gzip, deflate, br")
    body = read(answer)
    assert gzip.decompress(body).decode() == STYLE
    assert answer["Content-Encoding"] == "gzip"
    assert answer["Content-Type"] == 'text/css; charset="utf-8"'
    assert len(body) < len(STYLE) / 10
    assert sorted(path.name for path in folder.iterdir()) == ["one.css", "one.png"]


@pytest.mark.parametrize("accepted", ["", "identity", "br"])
def test_text_stays_plain_for_anybody_else(folder: Path, accepted: str) -> None:
    answer = ask(StaticFiles(), "one.css", accepted)
    assert read(answer).decode() == STYLE
    assert "Content-Encoding" not in answer
    assert answer["Vary"] == "Accept-Encoding"  # a cache must not give the one for the other


def test_known_tag_needs_no_body(folder: Path) -> None:
    files = StaticFiles()
    first = ask(files, "one.css", "gzip")
    assert read(first)
    again = ask(files, "one.css", "gzip", **{"If-None-Match": first["ETag"]})
    assert (again.status_code, read(again)) == (HTTPStatus.NOT_MODIFIED, b"")
    assert first["Vary"] == again["Vary"] == "Accept-Encoding"


def test_part_of_a_text_is_of_the_plain_one(folder: Path) -> None:
    answer = ask(StaticFiles(), "one.css", "gzip", Range="bytes=0-4")
    assert (answer.status_code, read(answer)) == (HTTPStatus.PARTIAL_CONTENT, b".a { ")
    assert "Content-Encoding" not in answer


def test_picture_is_sent_as_it_is(folder: Path) -> None:
    answer = ask(StaticFiles(), "one.png", "gzip")
    assert read(answer) == b"a picture"
    assert "Vary" not in answer


def test_twin_of_a_collected_file_is_sent(folder: Path) -> None:
    twin = gzip.compress(b"twin")
    (folder / "one.css.gz").write_bytes(twin)
    answer = ask(StaticFiles(), "one.css", "gzip")
    assert read(answer) == twin
    assert (answer["Content-Encoding"], answer["Vary"]) == ("gzip", "Accept-Encoding")
