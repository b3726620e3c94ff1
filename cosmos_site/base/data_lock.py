"""Who has a data directory open: one at a time serves it or replaces what is in it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

NAME, ADDRESS = "in-use", "address"


class CannotStart(SystemExit):
    """Why nothing can be started here: ends the program with that sentence."""


class AlreadyInUse(Exception):
    """Somebody else has this data directory open."""


@contextmanager
def lock_data_directory(folder: Path) -> Iterator[None]:
    """Have a data directory to oneself; raises AlreadyInUse if that cannot be.

    It is SQLite's lock on a database that stays empty: the same on every system, and gone with the process,
    however that ends.
    """
    try:
        lock = sqlite3.connect(folder / NAME, timeout=0, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as problem:
        if getattr(problem, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise AlreadyInUse from None
        raise CannotStart(f"{folder} cannot be used as the data directory: {problem}.") from None
    with closing(lock):
        yield


@contextmanager
def tell_address(folder: Path, address: str) -> Iterator[None]:
    """Let other commands know, as long as this one runs, where the table of a data directory is."""
    with suppress(OSError):  # such as a full disk: the table runs without
        (folder / ADDRESS).write_text(address)
    try:
        yield
    finally:
        with suppress(OSError):
            (folder / ADDRESS).unlink(missing_ok=True)


def find_address(folder: Path) -> str:
    """Where the table of a data directory runs; empty if none does, or if it does not say."""
    try:
        told = (folder / ADDRESS).read_text()
        with lock_data_directory(folder):
            return ""  # left behind by one that was killed
    except AlreadyInUse:
        return told
    except (OSError, CannotStart):
        return ""
