"""The lock of a data directory: one process at a time serves it or replaces its contents."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

NAME, ADDRESS = "in-use", "address"


class CannotStart(SystemExit):
    """Why the program cannot start: ends it with that sentence."""


class AlreadyInUse(Exception):
    """Another process has this data directory open."""


@contextmanager
def lock_data_directory(folder: Path) -> Iterator[None]:
    """Hold a data directory alone; raises AlreadyInUse if another process has it.

    The lock is SQLite's, on a database that stays empty: it works the same on every system, and ends with the
    process, however that ends.
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
    """Show other commands the address of a data directory's table, as long as this command runs."""
    with suppress(OSError):  # such as a full disk: the table runs without
        (folder / ADDRESS).write_text(address)
    try:
        yield
    finally:
        with suppress(OSError):
            (folder / ADDRESS).unlink(missing_ok=True)


def find_address(folder: Path) -> str:
    """The address of the table that runs on a data directory; empty if none runs or it is not shown."""
    try:
        told = (folder / ADDRESS).read_text()
        with lock_data_directory(folder):
            return ""  # left behind by a killed process
    except AlreadyInUse:
        return told
    except (OSError, CannotStart):
        return ""
