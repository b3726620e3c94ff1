"""The values needed before the settings are read: the data directory, the secret key, the addresses."""

import os
import re
import secrets
import socket
import tempfile
import time
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_database_url
import platformdirs

from combat.rules.core.basics.release import PROGRAM

from .base.data_lock import NAME, AlreadyInUse, CannotStart, lock_data_directory
from .base.files import sync_names
from .base.outside import EVERYWHERE, LOCAL_HOSTS, bracket, find_own_addresses

# `play` is always one process with SQLite. Whether a page is read by https differs from request to request.
FOR_HOSTING_ONLY = ("COSMOS_HTTPS", "COSMOS_PATH", "DATABASE_URL", "REDIS_URL")
Value = TypeVar("Value")
LOCAL_TIME = Path("/etc/localtime")
MIN_KEY_LENGTH = 50  # characters
KEY = "secret-key"  # its file in the data directory
MADE: list[Path] = []  # what this process has made for a data directory, in this order
PATH = re.compile(r"(/[A-Za-z0-9_-]+)*")
PATIENT_POSTGRES = "cosmos_site.postgres"
DATABASES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")
CACHES = ("redis://", "rediss://", "unix://")
MISSING = (
    "A hosted site needs the variable {}: HOSTING.md lists all. "
    "A table of your own needs none of them: start it with the command play."
)


def prepare_environment(argv: Sequence[str], environment: MutableMapping[str, str] = os.environ) -> None:
    """Choose the settings, and turn `--data DIR` and the needs of `play` into environment variables."""
    environment.setdefault("DJANGO_SETTINGS_MODULE", "cosmos_site.settings")
    if folder := find_option(argv, "--data"):
        environment["COSMOS_DATA"] = str(Path(folder).expanduser().resolve())
    if argv[1:2] == ["play"]:
        for name in FOR_HOSTING_ONLY:
            environment.pop(name, None)
        environment.setdefault("COSMOS_TIME_ZONE", find_own_zone(environment.get("TZ", "")))
        host = find_option(argv, "--host")
        chosen = [*environment.get("COSMOS_HOSTS", "").split(","), bracket(host)]
        own = find_own_hosts(host or EVERYWHERE[0])
        environment["COSMOS_HOSTS"] = ",".join(dict.fromkeys(filter(None, [*chosen, *own])))


def tell_missing(environment: Mapping[str, str]) -> str:
    """Which variable of a hosted site is missing, in a sentence; empty if none is. Only `play` needs none."""
    if not environment.get("COSMOS_HOSTS"):
        return MISSING.format("COSMOS_HOSTS")
    if not (environment.get("DATABASE_URL") or environment.get("COSMOS_DATA")):
        return MISSING.format("DATABASE_URL, or COSMOS_DATA to keep its data in SQLite there")
    return ""


def find_own_zone(named: str = "", place: Path = LOCAL_TIME) -> str:
    """The time zone of this machine: the one that is `named`, as in TZ, or that of /etc/localtime.

    Without a known name, it is the present distance from UTC if that is whole hours, else UTC.
    """
    for path in (named.removeprefix(":"), os.path.realpath(place)):
        words = path.rpartition("zoneinfo/")[2].removeprefix("posix/").removeprefix("right/")
        if is_zone(words):
            return words
    hours, rest = divmod(time.localtime().tm_gmtoff, 3600)
    name = f"Etc/GMT{-hours:+}"  # their sign is turned around: Etc/GMT-2 is two hours ahead of UTC
    return name if not rest and hours and is_zone(name) else "UTC"


def is_zone(name: str) -> bool:
    """Whether there is a time zone of this name. Only its own file is looked for: there are hundreds."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def find_option(argv: Sequence[str], name: str) -> str:
    """The value given as `--name value` or `--name=value`; empty if missing."""
    for word, following in zip(argv, [*argv[1:], ""], strict=True):
        if word == name:
            return following
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return ""


def read_variable(
    read: Callable[..., Value],
    name: str,
    default: Value,
    right: str,
    fits: Callable[[Value], bool] = lambda _: True,
) -> Value:
    """The value of an environment variable, or the default.

    CannotStart, with what would be right, if it cannot be read or does not fit.
    """
    with suppress(ValueError):
        value = read(name, default)
        if fits(value):
            return value
    raise CannotStart(f"{name} is {right}: not “{os.environ[name]}”.")


def read_path(typed: str) -> str:
    """The path under which a site is served, such as `/table`; empty if it has a host name of its own.

    CannotStart if it is no such path.
    """
    path = typed.rstrip("/")
    if not PATH.fullmatch(path):
        raise CannotStart(
            "COSMOS_PATH is what follows the host name, such as /table "
            f"(letters, digits, - and _): not “{typed}”."
        )
    return path


def read_database(address: str) -> dict[str, Any]:
    """Django's settings for the database at an address; PostgreSQL is told who connects.

    CannotStart if it is no address of PostgreSQL or SQLite; the message does not repeat its password.
    """
    with suppress(ValueError):
        found = dj_database_url.parse(address)
        if found["ENGINE"] == DATABASES[0]:
            options = {"application_name": PROGRAM, **found.get("OPTIONS", {})}
            return {**found, "ENGINE": PATIENT_POSTGRES, "OPTIONS": options}
        if found["ENGINE"] in DATABASES:
            return {**found}
    raise CannotStart("DATABASE_URL is an address such as postgres://user:password@host/name.")


def read_shared_key(key: str) -> str:
    """The secret key that all workers on one database share; CannotStart if it is missing or short."""
    if len(key) < MIN_KEY_LENGTH:
        raise CannotStart(
            f"With DATABASE_URL, COSMOS_SECRET_KEY is needed: {MIN_KEY_LENGTH} random characters."
        )
    return key


def read_cache(address: str) -> str:
    """The address of Redis, empty if there is none; CannotStart if it is no such address."""
    if address and not address.startswith(CACHES):
        raise CannotStart("REDIS_URL is an address such as redis://host:6379/0.")
    return address


def find_data_folder(chosen: str) -> Path:
    """The one directory that holds all data of a table; created for its owner only if missing."""
    folder = Path(chosen or platformdirs.user_data_dir("cosmos-table", appauthor=False)).expanduser()
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        MADE.extend(reversed(missing))
    except OSError as problem:
        raise CannotStart(f"{folder} cannot be the data directory: {problem.strerror}.") from None
    return folder.resolve()


def find_or_make_secret_key(folder: Path) -> str:
    """The secret key of this data directory, readable by its owner only.

    It is made at the first start, and again if the file is empty or cut short: then everyone signs in again.
    """
    path = folder / KEY
    try:
        if not is_secret_key(path):
            MADE.extend([] if path.exists() else [path])
            write_safely(path, secrets.token_urlsafe(50))
        return path.read_text().strip()
    except OSError as problem:
        raise CannotStart(f"The secret key {path} cannot be read or written: {problem.strerror}.") from None


def is_secret_key(path: Path) -> bool:
    """Whether a file holds a complete key of ours."""
    try:
        key = path.read_text().strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return False
    return len(key) >= MIN_KEY_LENGTH and key.isprintable()


def leave_no_trace() -> None:
    """Remove what this process has made for a data directory, if nothing else is in it."""
    keys = [made for made in MADE if made.name == KEY]
    with suppress(AlreadyInUse, CannotStart, OSError):
        for key in keys:
            with lock_data_directory(key.parent):
                if all(one == key or one.name.startswith(NAME) for one in key.parent.iterdir()):
                    key.unlink()
                    key.with_name(NAME).unlink()
        for folder in reversed([made for made in MADE if made not in keys]):
            folder.rmdir()
    MADE.clear()


def write_safely(path: Path, text: str) -> None:
    """Replace a file only once its text is complete on the disk; for its owner only."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(number, "w") as fresh:
            fresh.write(text)
            fresh.flush()
            os.fsync(fresh.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise
    sync_names(path.parent)


def find_own_hosts(host: str = EVERYWHERE[0]) -> list[str]:
    """Every name under which a table of this machine that listens on `host` may be opened."""
    name = socket.gethostname().lower()
    addresses = find_own_addresses() if host in EVERYWHERE else []
    if host == EVERYWHERE[1]:
        addresses += map(bracket, find_own_addresses(socket.AF_INET6))
    return [*LOCAL_HOSTS, name, f"{name.partition('.')[0]}.local", *addresses]
