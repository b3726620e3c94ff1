"""What all kinds of backups share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error

Migrations = list[tuple[str, str]]  # app and name of each applied migration
SECRETS = ("combat_encounter", "dice_secret")  # the column that no copy holds: it tells the coming rolls


class BackupError(Exception):
    """A backup that cannot be made or restored; the message says what would help."""


class SchemaMismatch(Exception):
    """A whole backup that this program did not make; the message says what is odd."""


@contextmanager
def explain_errors(task: str) -> Iterator[None]:
    """Turn errors of the disk or the database into a sentence; `task` is what could not be done."""
    try:
        yield
    except OSError as problem:
        raise BackupError(f"{task}: {problem.strerror or problem}.") from None
    except (Error, sqlite3.Error) as problem:
        raise BackupError(f"{task}: {first_line(problem)}.") from None


def first_line(problem: BaseException) -> str:
    """The first line of another program's message, without its full stop."""
    words = str(problem).strip() or type(problem).__name__
    return words.splitlines()[0].removesuffix(".")
