"""Break a place in a copy of the tree, run the tests nearest to it, and tell whether one of them fails."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import msgspec

from tests.tools.breaks.places import Place, find_spots

NEAR = 8  # test files at most that are nearest to a module
LIMIT = 900.0  # seconds for the nearest tests, on a busy machine; a longer run is an endless loop
MORE = 8  # times as long for each further run: there are many more tests
WITHOUT_BROWSER = ("-m", "", "-k", "not chromium")
RUNNING = set[subprocess.Popen[str]]()
ENDED = {-signal.SIGKILL, -signal.SIGTERM}  # exit codes of what someone ended: that catches nothing
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)  # an id may have spaces
PASSED, NONE_FOUND, MISUSED = 0, 5, (3, 4)  # exit codes of pytest


class Try(msgspec.Struct, frozen=True):
    """The result for a broken place: caught, survived, endless or gone; the test that caught it; seconds."""

    place: Place
    outcome: str
    by: str = ""
    seconds: float = 0


def copy_tree(root: Path, to: Path) -> None:
    """Copy what git tracks in a tree or would add to it."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to / name)


@contextmanager
def broken(root: Path, place: Place) -> Iterator[None]:
    """Change a place of the tree while the block runs; always restore the file."""
    file = root / place.path
    text = file.read_text("utf-8")
    spot = next(spot for spot in find_spots(place.path, text) if spot.place == place)
    try:
        _write(file, text[: spot.start] + place.new + text[spot.end :])
        yield
    finally:
        _write(file, text)


def _write(file: Path, text: str) -> None:
    """Write a file of code and delete its compiled form, which hides a change within a second."""
    file.write_text(text, "utf-8")
    Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)


def find_near_tests(root: Path, path: str, most: int = NEAR) -> list[str]:
    """The test files nearest to a module: its own, those that import it, those of its folder.

    Those of the folder are sorted by how often they name it; a folder without tests uses all below it.
    """
    module = Path(path)
    folder = next(folder for folder in (root / "tests" / module).parents if any(folder.rglob("test_*.py")))
    imports = _read_imports(root)
    texts = {name: (root / name).read_text("utf-8") for name in imports if (root / name).parent == folder}
    beside = sorted(texts, key=lambda name: (-texts[name].count(module.stem), name))
    name = module.with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    importers = [test for test, names in imports.items() if name in names]
    near = [*(test for test in beside if test.endswith(f"/test_{module.name}")), *importers, *beside]
    return list(dict.fromkeys(near))[:most] if near else [folder.relative_to(root).as_posix()]


@cache
def _read_imports(root: Path) -> dict[str, frozenset[str]]:
    """Each test file of a tree, with the names of modules it may import."""
    return {
        path.relative_to(root).as_posix(): frozenset(_find_imports(ast.parse(path.read_text("utf-8"))))
        for path in sorted((root / "tests").rglob("test_*.py"))
    }


def _find_imports(tree: ast.Module) -> Iterator[str]:
    """Each module named by an import of a file, and each imported name, which may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (found.name for found in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{found.name}" for found in node.names)


def find_runs(root: Path, path: str, then: Iterable[str]) -> Iterator[list[str]]:
    """The arguments of each run of pytest for a module: its nearest tests, then the requested ones.

    The nearest are run with the slow ones, and without those that drive a browser.
    "combat/rules: words" is only for modules there, and {game} is the folder of the module's game, if any.
    """
    yield [*WITHOUT_BROWSER, *find_near_tests(root, path)]
    game = re.match(r"combat/rules/(?!core/)(\w+)/", path)
    for text in then:
        where, _, words = text.rpartition(": ")
        if path.startswith(where) and (game or "{game}" not in words):
            yield shlex.split(words.replace("{game}", game[1] if game else ""))


def run_tests(root: Path, words: list[str], limit: float = LIMIT, *more: str) -> tuple[int | None, list[str]]:
    """The exit code of pytest, None if it had to be ended, and the tests that failed."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider"]
    command += ["--hypothesis-seed=0", "--tb=no", "--no-header", *more, *words]
    # The caller's own options for pytest may need a plugin that is off here.
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    surroundings["PYTHONPATH"] = str(root)
    process = subprocess.Popen(
        command,
        cwd=root,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    RUNNING.add(process)
    try:
        said, _ = process.communicate(timeout=limit)
        return process.returncode, FAILED.findall(said)
    except subprocess.TimeoutExpired:
        return None, []
    finally:
        RUNNING.discard(process)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(root / ".hypothesis", ignore_errors=True)  # forget the examples found in broken code


def end_runs() -> None:
    """End the runs of other threads, with all that they started."""
    for process in tuple(RUNNING):
        os.killpg(process.pid, signal.SIGKILL)


def try_place(root: Path, place: Place, then: Iterable[str] = (), limit: float = LIMIT) -> Try:
    """Break a place of a copy and run tests until one fails."""
    begun = time.monotonic()
    outcome, by = "survived", ""
    with broken(root, place):
        for number, words in enumerate(find_runs(root, place.path, then)):
            status, failed = run_tests(root, words, MORE * limit if number else limit, "-x")
            if status in MISUSED or status in ENDED:
                raise RuntimeError(f"pytest did not run: exit code {status}")
            if status not in (PASSED, NONE_FOUND):
                outcome, by = ("endless", "") if status is None else ("caught", (failed or [""])[0])
                break
    return Try(place, outcome, by, round(time.monotonic() - begun, 1))


def find_false(root: Path, tries: Iterable[Try], limit: float = LIMIT) -> set[str]:
    """The tests that caught a broken place but also fail in sound code."""
    tests = sorted({found.by for found in tries if "::" in found.by})
    if not tests:
        return set()
    status, failed = run_tests(root, tests, MORE * limit, "-m", "")
    if status in MISUSED:
        raise RuntimeError(f"pytest did not run: exit code {status}")
    return set(failed)
