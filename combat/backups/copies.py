"""The copies in the data directory: their names, what they say of themselves, and how many are kept."""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.files import locks
from django.utils import timezone

from cosmos_site.base.files import sync, sync_names

from .manifest import BEFORE_RESTORE, BEFORE_UPDATE, BY_HAND, BackupError, Manifest, Origin, Reason, glance

AUTOMATIC_KEPT = 5  # of each automatic kind
UPLOADED = "uploaded"
NAME = re.compile(r"[\w.+-]{1,150}", re.ASCII)
YEARS = range(2000, 3000)  # the first and last years of the calendar cannot be told in local time
LOCKS = None if os.name == "nt" else locks
STAMP = re.compile(r"-\d{4}-\d\d-\d\d-\d{6}(-\d+)?\.")  # in the names that we give
SUFFIXES = (".sqlite3", ".json.gz")
TAKEN = "{} is there already: choose another name."
SETTLE = 0.5  # seconds
UNFINISHED = "{} is being written by another process. If none runs, delete {} and try again."
PART = ".unfinished"  # after the name of a copy that is being written
LONGEST = 3600  # seconds that writing one may take, where no lock tells that its writer lives


@dataclass(frozen=True)
class Copy:
    """A copy in the data directory. `manifest` is None if its end is missing or damaged."""

    file: Path
    bytes: int
    made: datetime
    manifest: Manifest | None

    @property
    def name(self) -> str:
        """Its file name."""
        return self.file.name

    @property
    def reason(self) -> Reason:
        """Why it was made; an unreadable one tells it by its name."""
        if self.manifest:
            return self.manifest.reason
        return next(
            (kind for kind in (BEFORE_UPDATE, BEFORE_RESTORE) if is_automatic(self.file, kind)), BY_HAND
        )

    @property
    def is_uploaded(self) -> bool:
        """Whether it came through the page, perhaps from another table."""
        return self.name.startswith(f"{UPLOADED}-")

    def count(self, table: str) -> int | None:
        """How many rows it holds of a table; None if it does not say."""
        content = self.manifest.tables.get(table) if self.manifest else None
        return content.rows if content else None


def find_folder() -> Path:
    """The directory of the copies; it may not exist yet."""
    return Path(settings.COSMOS_DATA) / "backups"


def make_folder() -> Path:
    """The directory of the copies, made for its owner only if it is missing."""
    folder = find_folder()
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_names(folder.parent)
    return folder


def name_copy(origin: Origin) -> str:
    """The name of a copy without its time: `table`, or why the app made it."""
    if origin["reason"] == BEFORE_UPDATE:
        return f"{BEFORE_UPDATE}-{origin['release']}-to-{origin['update']}"
    return "table" if origin["reason"] == BY_HAND else origin["reason"]


def find_copies() -> list[Copy]:
    """All copies in the data directory, the newest first."""
    with suppress(FileNotFoundError):
        found = [copy for file in find_folder().iterdir() if (copy := read_copy(file))]
        return sorted(found, key=lambda copy: (copy.made, copy.name), reverse=True)
    return []


def find_copy(name: str) -> Copy | None:
    """The copy with this file name; None if there is none."""
    return read_copy(find_folder() / name) if NAME.fullmatch(name) else None


def read_copy(file: Path) -> Copy | None:
    """What a file says of itself; None if it is no copy by its name, or no plain file."""
    if not NAME.fullmatch(file.name) or not file.name.endswith(SUFFIXES):
        return None
    manifest = None
    try:
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode) or not status.st_size:  # empty while it is written aside
            return None
        with suppress(BackupError):
            manifest = glance(file)
    except OSError:  # such as one that was just deleted
        return None
    made = _read_time(manifest) or datetime.fromtimestamp(status.st_mtime, UTC)
    return Copy(file, status.st_size, made, manifest)


def _read_time(manifest: Manifest | None) -> datetime | None:
    """When a copy was made, as it says itself; None for a year that no clock of ours shows."""
    with suppress(ValueError):
        if manifest and manifest.made:
            made = datetime.fromisoformat(manifest.made)
            return made if made.year in YEARS else None
    return None


def is_automatic(file: Path, reason: Reason) -> bool:
    """Whether the app has made and named a copy itself, for this reason."""
    return file.name.startswith(f"{reason}-") and bool(STAMP.search(file.name))


def prune(reason: Reason, folder: Path, spared: Path | None = None) -> None:
    """Delete all automatic copies of a kind but the newest; never `spared`, nor any copy made by hand."""
    own = [file for file in folder.iterdir() if is_automatic(file, reason)]
    for file in sorted(own, key=_read_stamp, reverse=True)[AUTOMATIC_KEPT:]:
        if spared is None or not _is_same(file, spared):
            with suppress(OSError):
                file.unlink()


def _read_stamp(file: Path) -> tuple[str, int]:
    """The time in the name of a copy, and its number within that second."""
    found = STAMP.search(file.name)
    assert found
    number = (found[1] or "-1").removeprefix("-")
    return found[0].removesuffix(".").removesuffix(found[1] or ""), int(number)


def _is_same(file: Path, other: Path) -> bool:
    with suppress(OSError):
        return file.samefile(other)
    return False


def list_files(folder: Path, word: str, suffix: str, moment: datetime) -> Iterator[Path]:
    """The places for a copy made at this time, best first."""
    name = f"{word}-{moment:%Y-%m-%d-%H%M%S}"
    yield folder / f"{name}{suffix}"
    yield from (folder / f"{name}-{number}{suffix}" for number in range(2, 100))


@contextmanager
def write_aside(file: Path) -> Iterator[Path]:
    """A file to write to, which gets the name of `file` once it is whole; if that fails, nothing stays.

    Until then nothing has that name: a process that is killed leaves none that counts as a copy. Once this
    returns, no power cut takes it. Another process may have taken the name before: `take_name`.
    """
    part = _name_part(file)
    remove_left_over(file.parent)
    if not part.exists():
        take_name([file])
    try:
        with _hold(part):
            yield part
        sync(part)
        if os.path.lexists(file):
            raise BackupError(TAKEN.format(file))
        part.replace(file)
        sync_names(file.parent)
    except BaseException:
        for left in (part, _name_journal(part)):
            with suppress(OSError):
                left.unlink()
        raise


def _name_part(file: Path) -> Path:
    """Where a copy is written before it is whole."""
    return file.with_name(f"{file.name}{PART}")


def _name_journal(part: Path) -> Path:
    """Where SQLite notes how to take back what it has begun to write."""
    return part.with_name(f"{part.name}-journal")


@contextmanager
def _hold(part: Path) -> Iterator[bool]:
    """Hold a part as long as its writer lives; false if another process holds it.

    The lock ends with its process. Windows lets nobody write to what is held: there its age has to tell.
    """
    if LOCKS is None:
        yield time.time() - part.stat().st_mtime >= LONGEST
        return
    with part.open("rb") as opened:
        yield LOCKS.lock(opened, LOCKS.LOCK_EX | LOCKS.LOCK_NB)


def remove_left_over(folder: Path) -> None:
    """Delete what writers have left that were killed."""
    for part in folder.glob(f"*{PART}"):
        with suppress(OSError), _hold(part) as is_left:
            if not is_left:
                continue
            part.unlink()
            _name_journal(part).unlink(missing_ok=True)
            if not part.with_suffix("").stat().st_size:  # release 1.0.0 took a name by an empty file
                part.with_suffix("").unlink()


def take_name(files: Iterable[Path]) -> Path:
    """The first of these names that is free, taken by the empty part beside it, for its owner only.

    A part that a killed writer has left keeps no name: the same command works again.
    """
    places = list(files)
    found = _take_free(places)
    begun = [place for place in places if _name_part(place).exists()]
    if found is None and begun:
        time.sleep(SETTLE)  # a writer that lives holds its part by then
        remove_left_over(begun[0].parent)
        found = _take_free(begun)
    if found:
        return found
    held = next((place for place in begun if not os.path.lexists(place)), None)
    raise BackupError(UNFINISHED.format(held, _name_part(held)) if held else TAKEN.format(places[-1]))


def _take_free(files: Iterable[Path]) -> Path | None:
    for file in files:
        if os.path.lexists(file):
            continue
        try:
            os.close(os.open(_name_part(file), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            continue
        except OSError as problem:
            raise BackupError(f"{file} cannot be written: {problem.strerror}.") from None
        return file
    return None


def keep_upload(sent: Path, suffix: str) -> Copy:
    """Put an uploaded file, already checked, among the copies."""
    file = take_name(list_files(make_folder(), UPLOADED, suffix, timezone.now()))
    with write_aside(file) as part:
        shutil.copyfile(sent, part)
    copy = read_copy(file)
    assert copy
    return copy
