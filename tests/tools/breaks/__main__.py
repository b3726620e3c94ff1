"""Break random places of the code, one at a time, and report which of them the tests notice.

`python -m tests.tools.breaks --count 60 --seed 24` works in copies of the tree, so nothing stays broken, and
in as many of them at once as `--jobs` says. It runs the tests nearest to each place, then those of `--then`.
`--places FILE` keeps the places, so that later runs can break the same ones, even if the code moved.

mutmut answers the same question, but first runs every test once to learn what reaches what (half an hour of
processor), and takes no random sample of a few rooms.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import msgspec

from tests.tools.breaks.places import Place, choose_places, find_again, find_places
from tests.tools.breaks.tries import LIMIT, Try, copy_tree, end_runs, find_false, try_place

ROOT = Path(__file__).resolve().parents[3]
CAUGHT = {"caught", "endless"}
THEN = "for places in PATH: a further run, as words for pytest; {game} is the folder of the place's game"


def read_arguments(words: list[str] | None) -> argparse.Namespace:
    """The options: how many places, which ones, and the tests to run for them."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.breaks", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60, help="how many places")
    parser.add_argument("--seed", type=int, default=24, help="which ones")
    parser.add_argument("--places", type=Path, help="read them from this file, or write it if there is none")
    parser.add_argument("--only", action="append", default=[], metavar="PATH", help="only places below this")
    parser.add_argument("--least", type=int, default=0, help="fail if fewer are caught")
    parser.add_argument(
        "--jobs", type=int, default=1, help="how many places at once, each in a copy of its own"
    )
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for the nearest tests")
    parser.add_argument("--then", action="append", default=[], metavar="[PATH: ]WORDS", help=THEN)
    return parser.parse_args(words)


def take_places(wanted: argparse.Namespace) -> list[Place]:
    """The places of the file, else new ones, which are written to it."""
    if wanted.places and wanted.places.exists():
        places = msgspec.json.decode(wanted.places.read_bytes(), type=list[Place])
    else:
        rooms = tuple(wanted.only)
        among = [place for place in find_places(ROOT) if not rooms or place.path.startswith(rooms)]
        places = choose_places(among, wanted.count, wanted.seed)
        if wanted.places:
            wanted.places.write_bytes(msgspec.json.format(msgspec.json.encode(places)))
    return places


def try_places(copies: list[Path], places: Iterable[Place], wanted: argparse.Namespace) -> list[Try]:
    """Break each place in a copy that is free, print each result at once, and return them in order."""
    today, free = find_places(ROOT), SimpleQueue[Path]()
    for copy in copies:
        free.put(copy)

    def try_one(place: Place) -> Try:
        found, copy = find_again(place, today), free.get()
        try:
            tried = try_place(copy, found, wanted.then, wanted.limit) if found else Try(place, "gone")
        finally:
            free.put(copy)
        say(describe(tried))
        return tried

    with ThreadPoolExecutor(len(copies)) as pool:
        try:
            return list(pool.map(try_one, places))
        except BaseException:  # the threads would wait for their tests
            end_runs()
            raise


def describe(found: Try) -> str:
    """A line about one place."""
    place = found.place
    change = f"{place.old.strip()} -> {place.new or 'nothing'}"
    where = f"{place.path} {place.function or 'module'}: {place.line}"
    return f"{found.outcome:8} {found.seconds:6.1f} s  {where}  [{change}]  {found.by}".rstrip()


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(words: list[str] | None = None) -> int:
    """Break places and report; exit with 1 if fewer than `--least` are caught."""
    wanted = read_arguments(words)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: delete the copy, end its processes
    places = take_places(wanted)
    with tempfile.TemporaryDirectory(prefix="breaks-") as folder:
        copies = [Path(folder) / str(number) for number in range(wanted.jobs)]
        for copy in copies:
            copy_tree(ROOT, copy)
        tries = try_places(copies, places, wanted)
        false = find_false(copies[0], tries)
    for test in sorted(false):
        say(f"This test fails also where nothing is broken: {test}")
    counts = Counter("survived" if found.by in false else found.outcome for found in tries)
    caught = sum(counts[outcome] for outcome in CAUGHT)
    say(
        f"{caught} of {len(tries) - counts['gone']} caught; "
        + ", ".join(f"{n} {name}" for name, n in counts.items())
    )
    return int(caught < wanted.least)


if __name__ == "__main__":
    sys.exit(main())
