"""Trouble with disks and databases in one sentence, told apart from bugs of ours."""

import errno
import os
import tempfile
from collections.abc import Iterator

from django.conf import settings
from django.db import (
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.db.migrations.recorder import MigrationRecorder

DISK_ERRORS = {
    errno.EACCES,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EISDIR,
    errno.ENOSPC,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}
DAMAGED = "{} is damaged. Move it elsewhere, then put a backup back: {} restore FILE"
SQLITE_ERRORS = {  # part of SQLite's message: our sentence
    "readonly": "{} cannot be written: it, or the directory it is in, is read-only.",
    "unable to open": "{} cannot be opened: see who may read and write it, and its directory.",
    "full": "{} cannot be written: the disk is full.",
    "disk i/o": "{} cannot be read or written: the disk is full, limited or broken.",
    "malformed": DAMAGED,
    "not a database": DAMAGED,
}
NEVER_OPENED = "This table has never been opened. "
FIRST_STEPS = {  # by the kind of database
    "sqlite": "Choose another directory than {0.COSMOS_DATA} with --data DIR, or start it: {0.COMMAND} play",
    "postgresql": "Prepare its database first: {0.COMMAND} migrate",
}
READ_ONLY = "25006"  # PostgreSQL's code: a standby, or a managed database whose disk is full
READ_ONLY_FILE = "readonly database"  # the words of SQLite
VAGUE = ("disk i/o error", "unable to open")  # its words for all kinds of trouble with files
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
DISK_TROUBLE = {errno.EROFS, errno.EIO, *NO_ROOM}
NOT_WRITABLE = {errno.EROFS, errno.EACCES, errno.EPERM}
FULL = ("disk is full", "No space left")  # the words of SQLite and PostgreSQL
CLOSED = "already closed"  # Django's words for a connection that was lost in a transaction
SQL_FAULTS = ("no such ", "has no column", "syntax error")  # SQLite's words for bugs of ours


def is_outage(problem: BaseException | None) -> bool:
    """Whether the database is away, locked, full or read-only: a traceback explains none of these."""
    if is_read_only(problem) or (isinstance(problem, InterfaceError) and CLOSED in str(problem)):
        return True
    if isinstance(problem, OSError) and problem.errno in DISK_TROUBLE:  # such as an upload that is kept aside
        return True
    return isinstance(problem, OperationalError) and not any(words in str(problem) for words in SQL_FAULTS)


def is_read_only(problem: BaseException | None) -> bool:
    """Whether the database answers, but takes nothing in."""
    if isinstance(problem, InternalError):
        return getattr(problem.__cause__, "sqlstate", "") == READ_ONLY
    if isinstance(problem, OSError):
        return problem.errno == errno.EROFS
    if not isinstance(problem, OperationalError):
        return False
    return READ_ONLY_FILE in str(problem) or (_is_vague(problem) and find_disk_error() in NOT_WRITABLE)


def is_full(problem: BaseException | None) -> bool:
    """Whether the disk has no room for what is written."""
    if any(words in str(problem) for words in FULL):
        return True
    number = problem.errno if isinstance(problem, OSError) else _is_vague(problem) and find_disk_error()
    return number in NO_ROOM


def is_broken(problem: BaseException | None) -> bool:
    """Whether the disk fails: what is known of it is only that something could not be read or written."""
    if isinstance(problem, OSError):
        return problem.errno == errno.EIO
    return _is_vague(problem) and find_disk_error() not in (0, *NO_ROOM, *NOT_WRITABLE)


def _is_vague(problem: BaseException | None) -> bool:
    said = str(problem).lower()
    return isinstance(problem, OperationalError) and any(words in said for words in VAGUE)


def find_disk_error() -> int:
    """What keeps a file from being written beside the database, as a number of `errno`; 0 if nothing does."""
    try:
        with tempfile.TemporaryFile(dir=settings.COSMOS_DATA) as file:
            file.write(b"0")
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        return problem.errno or errno.EIO
    return 0


def explain(problem: BaseException) -> str:
    """What is wrong and what to do; empty if it is no trouble of disk or database."""
    return next(filter(None, map(_explain, _causes(problem))), "")


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    while problem:
        yield problem
        problem = problem.__cause__ or problem.__context__


def _explain(problem: BaseException) -> str:
    if "no such table" in str(problem) or type(problem) is ProgrammingError:
        return _explain_missing_tables()
    if type(problem) in (DatabaseError, OperationalError) or is_outage(
        problem
    ):  # the others are bugs of ours
        return _explain_database(str(problem))
    if isinstance(problem, OSError) and problem.errno in DISK_ERRORS:
        where = problem.filename or settings.COSMOS_DATA
        return f"{where} cannot be read or written: {problem.strerror}."
    return ""


def _explain_database(said: str) -> str:
    if connection.vendor != "sqlite":
        return f"The database cannot be used: {said.strip().partition(chr(10))[0]}"
    return next((_name_place(text) for part, text in SQLITE_ERRORS.items() if part in said.lower()), "")


def _explain_missing_tables() -> str:
    """A sentence if the database has no tables at all, else empty: then it is a bug of ours."""
    if MigrationRecorder(connection).has_table():
        return ""
    return NEVER_OPENED + FIRST_STEPS[connection.vendor].format(settings)


def _name_place(text: str) -> str:
    """A sentence with the file of the database in it, and with the program that mends it."""
    return text.format(connection.settings_dict["NAME"], settings.COMMAND)


def find_damage() -> str:
    """A sentence if SQLite finds its database damaged, else empty."""
    if connection.vendor != "sqlite":
        return ""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)")
        (verdict,) = cursor.fetchone()
    return "" if verdict == "ok" else _name_place(DAMAGED)
