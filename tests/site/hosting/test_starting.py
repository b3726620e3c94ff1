"""What keeps a table from starting is told in a sentence: a second table, a disk, a damaged database."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.site.hosting.table import ROOT, copy_data, manage, open_again, open_table

pytestmark = pytest.mark.slow

# Root may write everywhere, so someone else tries.
AS_SOMEONE = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.geteuid() == 0 else ()
COMMANDS = ["play", "migrate"]
VARIABLES = {"COSMOS_HOSTS": "localhost", "PYTHONDONTWRITEBYTECODE": "1"}


def say(*words: str, folder: Path, before: tuple[str, ...] = ()) -> str:
    """The output of a command that must fail: one sentence."""
    port = ("--port", "0") if words[0] == "play" else ()
    where = ("--data", str(folder)) if words[0] != "migrate" else ()
    done = manage(*words, *where, *port, before=before, **VARIABLES, COSMOS_DATA=str(folder))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A data directory that other users may open."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o777)
    yield made
    made.chmod(0o777)
    shutil.rmtree(made)


def test_second_table_on_the_same_data_says_so_and_stops(tmp_path: Path) -> None:
    backup = tmp_path / "copy"
    with open_again(tmp_path, "--no-demo") as table:
        assert say("play", folder=tmp_path).endswith("Stop it first, or choose another directory: --data DIR")
        assert manage("backup", str(backup), "--data", str(tmp_path)).returncode == 0
        assert "The table is running: stop it first" in say("restore", str(backup), folder=tmp_path)
        table.process.send_signal(signal.SIGKILL)
        table.process.wait()
    with open_table(tmp_path, "--no-demo") as table:  # the killed one leaves no trace
        table.interrupt()


def test_table_cannot_be_opened_while_it_is_restored(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path\n"
        "from cosmos_site.base.data_lock import lock_data_directory\n"
        "with lock_data_directory(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        assert "A table runs with the data in" in say("play", folder=tmp_path)
        other.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="other permissions")
@pytest.mark.parametrize("command", COMMANDS)
def test_directory_that_may_not_be_written_is_named(folder: Path, command: str) -> None:
    folder.chmod(0o555)
    said = say(command, folder=folder, before=AS_SOMEONE)
    assert str(folder) in said
    assert "Permission denied" in said


@pytest.mark.skipif(sys.platform == "win32", reason="other permissions")
@pytest.mark.parametrize("command", COMMANDS)
def test_data_that_may_not_be_written_is_named(folder: Path, command: str) -> None:
    database = copy_data(folder)
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("DELETE FROM django_migrations WHERE name = '0001_initial' AND app = 'gear'")
        opened.execute("UPDATE django_migrations SET app = 'gone' WHERE app = 'sessions'")
        opened.commit()
    for file in folder.rglob("*"):
        file.chmod(0o555 if file.is_dir() else 0o444)
    folder.chmod(0o555)
    said = say(command, folder=folder, before=AS_SOMEONE)
    assert str(folder) in said
    assert any(word in said for word in ("cannot be written", "cannot be used"))


@pytest.mark.skipif(not shutil.which("prlimit"), reason="nothing here limits the size of files")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("size", [0, 100, 5_000, 50_000])
def test_full_disk_is_named(tmp_path: Path, command: str, size: int) -> None:
    said = say(command, folder=tmp_path, before=("prlimit", f"--fsize={size}"))
    assert str(tmp_path) in said
    assert any(word in said for word in ("cannot be written", "cannot be read or written", "cannot be used"))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["no database", "cut short", "overwritten"])
def test_damaged_database_is_named(tmp_path: Path, command: str, kind: str) -> None:
    database = copy_data(tmp_path)
    whole = database.read_bytes()
    damaged = {
        "no database": b"hello " * 10_000,
        "cut short": whole[: len(whole) // 3],
        "overwritten": whole[:100] + b"\xa5" * (len(whole) - 100),
    }
    database.write_bytes(damaged[kind])
    said = say(command, folder=tmp_path)
    assert f"{database} is damaged. Move it elsewhere, then put a backup back" in said


def test_damage_only_a_full_look_finds_keeps_play_from_starting(tmp_path: Path) -> None:
    database = copy_data(tmp_path)
    with closing(sqlite3.connect(database)) as opened:
        (size,) = opened.execute("PRAGMA page_size").fetchone()
        (page,) = opened.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'combat_encounter'"
        ).fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)
    assert "is damaged" in say("play", folder=tmp_path)


def test_fault_of_ours_keeps_its_traceback(tmp_path: Path) -> None:
    done = manage("shell", "--no-imports", "-c", "raise ZeroDivisionError", COSMOS_DATA=str(tmp_path))
    assert "Traceback" in done.stderr
