"""What the kinds of backups share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error

Migrations = list[tuple[str, str]]  # app and name of each that had been applied
SECRETS = ("combat_encounter", "dice_secret")  # the column that no copy holds: it tells the coming rolls


class BackupError(Exception):
    """A backup that cannot be made or restored; the message says what would be right."""


class SchemaMismatch(Exception):
    """A backup that is whole, but not what the program makes; the message says what is odd."""


@contextmanager
def explain_errors(task: str) -> Iterator[None]:
    """Say in a sentence what a disk or a database objects to; `task` is what could not be done."""
    try:
        yield
    except OSError as problem:
        raise BackupError(f"{task}: {problem.strerror or problem}.") from None
    except (Error, sqlite3.Error) as problem:
        raise BackupError(f"{task}: {first_line(problem)}.") from None


def first_line(problem: BaseException) -> str:
    """The first line of what somebody else says, without its full stop."""
    words = str(problem).strip() or type(problem).__name__
    return words.splitlines()[0].removesuffix(".")
