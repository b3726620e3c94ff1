"""Decisions made before the settings are read."""

import errno
import importlib
import re
import socket
import stat
import sys
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from cosmos_site import launch
from cosmos_site.base.data_lock import CannotStart


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("play --data x", "x"),
        ("play --data=x=y", "x=y"),
        ("play --data", ""),
        ("play", ""),
        ("play --database x", ""),
    ],
)
def test_find_option(words: str, value: str) -> None:
    assert launch.find_option(["manage.py", *words.split()], "--data") == value


def test_play_may_be_opened_under_every_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {socket.AF_INET: ["192.168.7.7"], socket.AF_INET6: ["fd00::7"]}
    monkeypatch.setattr(launch, "find_own_addresses", lambda family=socket.AF_INET: own[family])
    monkeypatch.setattr("socket.gethostname", lambda: "Laptop.lan")
    always = "localhost,127.0.0.1,[::1],laptop.lan,laptop.local"
    for words, names in (
        ([], f"{always},192.168.7.7"),
        (["--host", "0.0.0.0"], f"0.0.0.0,{always},192.168.7.7"),
        (["--host", "::"], f"[::],{always},192.168.7.7,[fd00::7]"),
        (["--host", "fd00::8"], f"[fd00::8],{always}"),
    ):
        environment = {"COSMOS_HOSTS": "table.example"}
        launch.prepare_environment(["manage.py", "play", *words], environment)
        assert environment["COSMOS_HOSTS"] == f"table.example,{names}"


def test_play_kept_to_this_machine_answers_no_network_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(launch, "find_own_addresses", lambda: ["192.168.7.7"])
    environment: dict[str, str] = {}
    launch.prepare_environment(["manage.py", "play", "--host", "127.0.0.1"], environment)
    assert "192.168.7.7" not in environment["COSMOS_HOSTS"].split(",")


def test_only_play_ignores_the_variables_for_hosting() -> None:
    hosted = {"DATABASE_URL": "postgres://x", "REDIS_URL": "redis://x", "COSMOS_HTTPS": "1"}
    for_play, for_others = dict(hosted), dict(hosted)
    launch.prepare_environment(["manage.py", "play"], for_play)
    launch.prepare_environment(["manage.py", "make_gm", "rhea"], for_others)
    assert not hosted.keys() & for_play.keys()
    assert hosted.items() <= for_others.items()
    assert "COSMOS_HOSTS" not in for_others


def make_zone_link(folder: Path, target: str) -> Path:
    """A file like /etc/localtime that leads to a time zone."""
    link = folder / "localtime"
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    return link


def test_time_zone_of_the_machine_is_found_by_name(tmp_path: Path) -> None:
    nowhere = tmp_path / "missing"
    assert launch.find_own_zone("Europe/Berlin", nowhere) == "Europe/Berlin"
    assert launch.find_own_zone(":Asia/Tokyo", nowhere) == "Asia/Tokyo"
    assert launch.find_own_zone("/usr/share/zoneinfo/Asia/Tokyo", nowhere) == "Asia/Tokyo"
    for target in ("/usr/share/zoneinfo/Europe/Paris", "/var/db/timezone/zoneinfo/Europe/Paris"):
        assert launch.find_own_zone("", make_zone_link(tmp_path, target)) == "Europe/Paris"


@pytest.mark.parametrize(
    ("seconds", "zone"), [(0, "UTC"), (7200, "Etc/GMT-2"), (-18_000, "Etc/GMT+5"), (19_800, "UTC")]
)
def test_time_zone_without_a_name_is_that_of_the_clock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seconds: int, zone: str
) -> None:
    monkeypatch.setattr("time.localtime", lambda: SimpleNamespace(tm_gmtoff=seconds))
    assert launch.find_own_zone("CEST-2", tmp_path / "missing") == zone
    if zone != "UTC":
        assert datetime.now(ZoneInfo(zone)).utcoffset() == timedelta(seconds=seconds)


@pytest.mark.parametrize("name", ["", "Europe", "nowhere", "../UTC", "/etc/passwd", "a\0b", "zone.tab"])
def test_what_names_no_time_zone_is_none(name: str) -> None:
    assert not launch.is_zone(name)


def test_play_takes_the_machines_time_zone_unless_one_is_given() -> None:
    for given, zone in (({}, "Asia/Tokyo"), ({"COSMOS_TIME_ZONE": "America/Lima"}, "America/Lima")):
        environment = {"TZ": "Asia/Tokyo", **given}
        launch.prepare_environment(["manage.py", "play"], environment)
        assert environment["COSMOS_TIME_ZONE"] == zone
    hosted = {"TZ": "Asia/Tokyo"}
    launch.prepare_environment(["manage.py", "migrate"], hosted)
    assert "COSMOS_TIME_ZONE" not in hosted


@pytest.mark.parametrize(
    ("name", "typed", "right"),
    [
        *[("COSMOS_SIGNUP", typed, "open or closed") for typed in ("Closed", "no", "0", "")],
        *[("COSMOS_THREADS", typed, "a whole number from 1") for typed in ("0", "-2", "1.5", "abc")],
        ("COSMOS_TIME_ZONE", "Mars", "the name of a time zone, such as Europe/Berlin"),
        ("COSMOS_GUESTS", "closed", "0 or 1"),
        ("COSMOS_HTTPS", "maybe", "0 or 1"),
        ("COSMOS_HSTS_SECONDS", "-1", "a whole number from 0"),
        ("COSMOS_LOG_LEVEL", "loud", "one of DEBUG, INFO, WARNING, ERROR, CRITICAL"),
    ],
)
def test_variable_that_cannot_be_stops_the_start_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, typed: str, right: str
) -> None:
    monkeypatch.setenv("COSMOS_DATA", str(tmp_path))
    monkeypatch.setenv(name, typed)
    monkeypatch.delitem(sys.modules, "cosmos_site.settings", raising=False)
    with pytest.raises(CannotStart, match=re.escape(f"{name} is {right}: not “{typed}”.")):
        importlib.import_module("cosmos_site.settings")


DATABASE = "DATABASE_URL is an address such as postgres://user:password@host/name."
KEY_NEEDED = "With DATABASE_URL, COSMOS_SECRET_KEY is needed: 50 random characters."


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        *[
            ({"DATABASE_URL": address}, DATABASE)
            for address in ("postgres", "db://u:secret@h/x", "postgres://h:port/x", "mysql://u:secret@h/x")
        ],
        ({"COSMOS_SECRET_KEY": ""}, KEY_NEEDED),
        ({"COSMOS_SECRET_KEY": "short"}, KEY_NEEDED),
        ({"REDIS_URL": "localhost:6379"}, "REDIS_URL is an address such as redis://host:6379/0."),
    ],
)
def test_hosted_site_without_a_good_address_or_key_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: dict[str, str], said: str
) -> None:
    usable = {"DATABASE_URL": "postgres://u:secret@h/x", "COSMOS_SECRET_KEY": "x" * 50}
    for name, value in {"COSMOS_DATA": str(tmp_path), **usable, **typed}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delitem(sys.modules, "cosmos_site.settings", raising=False)
    with pytest.raises(CannotStart, match=f"^{re.escape(said)}$"):
        importlib.import_module("cosmos_site.settings")


def test_data_directory_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    environment: dict[str, str] = {}
    launch.prepare_environment(["manage.py", "make_gm", "rhea", "--data", "here"], environment)
    assert environment["COSMOS_DATA"] == str(tmp_path / "here")
    assert launch.find_data_folder(environment["COSMOS_DATA"]).is_dir()


def test_secret_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    key = launch.find_or_make_secret_key(tmp_path)
    assert len(key) > 50
    assert launch.find_or_make_secret_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


@pytest.mark.parametrize("left", ["", "\n", "half-a-key", "\0" * 67, "\udcff" * 67])
def test_half_written_secret_key_is_made_again(tmp_path: Path, left: str) -> None:
    path = tmp_path / "secret-key"
    path.write_bytes(left.encode(errors="surrogateescape"))
    key = launch.find_or_make_secret_key(tmp_path)
    assert len(key) > 50
    assert path.read_text() == key
    assert launch.find_or_make_secret_key(tmp_path) == key
    assert [file.name for file in tmp_path.iterdir()] == ["secret-key"]


def test_secret_key_that_cannot_be_written_is_not_left_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(CannotStart, match=r"cannot be read or written: No space left on device\."):
        launch.find_or_make_secret_key(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_data_directory_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotStart, match="cannot be the data directory: Not a directory"):
        launch.find_data_folder(str(tmp_path / "file" / "data"))
