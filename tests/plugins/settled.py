"""Pytest plugin: `pytest --leave-settled` leaves out slow tests of subjects in which nothing has changed.

They start processes and databases, or restore what releases have kept: minutes each time, for code that
seldom changes. `settled.toml` says what each subject is made of, tests and tools too, and the sum of all that
when its tests last passed. Who changes any of it has them run, until a run that passes is noted:

    python -m tests.plugins.settled [SUBJECT …]

runs the slow tests of these subjects, or of those that have changed, and notes their
sums. `.ci/run alone` leaves out none.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_suffix(".toml")
EVERYWHERE = (
    "requirements.txt",
    "tests/settings.py",
    "tests/combat/server.py",
    "tests/combat/services.py",
    "tests/site/hosting/table.py",
)


class Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tests, what else they are about, and the sum of both when they last passed."""

    tests: list[str]
    of: list[str]
    sum: str = ""


def read_subjects(file: Path = FILE) -> dict[str, Subject]:
    """All subjects by name."""
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), dict[str, Subject])


def find_sum(subject: Subject, root: Path = ROOT) -> str:
    """The sum of all files of a subject, their names too."""
    total = sha256()
    for path in find_files([*subject.tests, *subject.of, *EVERYWHERE], root):
        total.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def find_files(patterns: Iterable[str], root: Path) -> list[Path]:
    """The files of these patterns, without what Python compiles."""
    found = {path for pattern in patterns for path in root.glob(pattern)}
    return sorted(path for path in found if path.is_file() and "__pycache__" not in path.parts)


def find_settled(root: Path = ROOT, file: Path = FILE) -> dict[str, str]:
    """The files of tests of subjects in which nothing has changed, each with the name of its subject."""
    subjects = read_subjects(file).items()
    return {
        test: name
        for name, one in subjects
        if one.sum and one.sum == find_sum(one, root)
        for test in one.tests
    }


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--leave-settled", action="store_true", help="leave out subjects that have not changed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests of settled subjects."""
    if not config.getoption("--leave-settled"):
        return
    settled = find_settled()
    left = [item for item in items if item.location[0] in settled and item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=left)
    gone = set(left)
    items[:] = [item for item in items if item not in gone]


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what is left out."""
    if not config.getoption("--leave-settled"):
        return []
    names = sorted(set(find_settled().values()))
    return [
        f"Left out, as nothing of theirs has changed (tests/plugins/settled.toml): {', '.join(names)}"
    ] * bool(names)


def main(names: list[str]) -> int:
    """Run the tests of the named subjects, or of all that have changed; note their sums if they pass."""
    subjects, settled = read_subjects(), set(find_settled().values())
    for name in names or [name for name in subjects if name not in settled]:
        subject = subjects[name]
        new = find_sum(subject)
        words = [sys.executable, "-m", "pytest", "-m", "slow", *subject.tests]
        if code := subprocess.run(words, cwd=ROOT, check=False).returncode:
            return code
        assert find_sum(subject) == new, f"{name} has changed meanwhile"
        head, begin, rest = FILE.read_text("utf-8").partition(f"[{name}]")
        FILE.write_text(head + begin + rest.replace(f'sum = "{subject.sum}"', f'sum = "{new}"', 1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
