"""Static files are collected once, and again when a source has changed or a run broke off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import LazySettings

from cosmos_site import settings as site
from cosmos_site.bundles import finder
from cosmos_site.bundles.finder import MANIFEST, MARK, collect, is_complete
from tests.site.hosting.table import copy_data

STYLE = "bundles/site.css"


@pytest.fixture
def folder(tmp_path: Path, settings: LazySettings) -> Path:
    """Where the files of a table were collected when it was opened."""
    settings.COSMOS_DATA, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.STORAGES = site.STORAGES
    copy_data(tmp_path)
    return tmp_path / "static"


def test_unchanged_files_are_collected_once_and_changed_again(folder: Path) -> None:
    whole = (folder / STYLE).read_bytes()
    assert (folder / MANIFEST).is_file()
    (folder / STYLE).unlink()
    collect()
    assert not (folder / STYLE).exists(), "nothing has changed, so it did not look"
    (folder.parent / STYLE).write_text("an older release")
    collect()
    assert (folder / STYLE).read_bytes() == whole


@pytest.mark.slow
def test_what_broke_off_is_collected_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("full")

    (folder / MANIFEST).unlink()
    with monkeypatch.context() as patch:
        patch.setattr(finder, "call_command", fail)
        with pytest.raises(OSError, match="full"):
            collect()
    assert not (folder / MARK).exists()
    (folder / MANIFEST).write_text("{}")  # as far as it came
    collect()
    assert len((folder / MANIFEST).read_text()) > 1000
    assert (folder / MARK).is_file()


@pytest.mark.slow
def test_lost_file_is_collected_again(folder: Path) -> None:
    lost = folder / json.loads((folder / MANIFEST).read_text())["paths"][STYLE]
    whole = lost.read_bytes()
    lost.unlink()
    collect()
    assert lost.read_bytes() == whole


@pytest.mark.slow
def test_list_that_cannot_be_read_is_made_again(folder: Path) -> None:
    whole = (folder / MANIFEST).read_bytes()
    assert is_complete(folder)
    for damaged in (b"", b"\xff", b"{}", b"[]", b'{"paths": []}', b'{"paths": {}}', b'{"paths": {"a": 1}}'):
        (folder / MANIFEST).write_bytes(damaged)
        assert not is_complete(folder), damaged
    (folder / MANIFEST).write_bytes(whole[: len(whole) // 2])
    collect()
    assert (folder / MANIFEST).read_bytes() == whole


@pytest.mark.slow
def test_damaged_mark_is_made_again(folder: Path) -> None:
    collect()
    made = (folder / MARK).read_bytes()
    (folder / MARK).write_bytes(b"\xff\xfe")
    collect()
    assert (folder / MARK).read_bytes() == made
