"""Break places of the code, one at a time, and report which of them the tests notice.

`python -m tests.tools.breaks --most 24` takes places in lines that have changed since the last release, the
same ones for the same tree; without `--most` all of them. What survives fails the run, unless `noted.toml`
says why nobody could see it. `--fixed` takes a set of places for each room, of which as many must be caught
as `fixed.json` says; `--fix` tries them, keeps those that are still there, and writes that file anew.
Other places: `--places FILE`. `--of PATH` tries only those of a file or a folder, also among known ones.

`--write FILE` only writes the places. A run of tests with FILE in BREAKS_PLACES then learns which of them
reach these, and `--known FILE` uses that. Without it, all tests run first.

A place is asked of all tests that reach it, or of the nearest ones, so no answer depends on a machine's pace.

mutmut answers the same question, but for each place it starts Python and the tests again.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tests.tools.breaks.places import Place, find_again, find_places
from tests.tools.breaks.reach import PLACES, ROOT, Reached, read_places, read_reach
from tests.tools.breaks.server import ORDERS, Order, Orders, Result
from tests.tools.breaks.since import can_be_seen, draw, find_changed_places, find_release

HERE = Path(__file__).parent
NOTED, FIXED = HERE / "noted.toml", HERE / "fixed.json"
OF_ROOM = 5  # places of each room that are always the same
NEAREST = 60  # tests for each fixed place: many of these survive, and ask all that are asked
BY_THE_DAY = "tests/walker/"  # what another seed finds every day says nothing of a tree


class Noted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place that no test can see, and the reason."""

    path: str
    line: str
    old: str
    new: str
    why: str


class Room(msgspec.Struct, frozen=True):
    """A room's fixed places, with how many of them the tests catch at least."""

    least: int
    places: list[Place]


def main(words: list[str] | None = None) -> int:
    """Break places and report; exit with 1 if one survives that is not noted, or a room has got worse."""
    wanted = read_arguments(words)
    try:
        places = take_places(wanted)
    except LookupError as unknown:
        say(str(unknown))
        return 2
    if not places:
        say("No line with a place to break has changed since the last release.")
    if wanted.write:
        wanted.write.write_bytes(msgspec.json.encode(places))
        return 0
    results = try_places(places, wanted) if places else []
    for result in results:
        say(describe(result))
    counts = Counter(result.outcome for result in results)
    say(f"{counts['caught']} of {len(results)} caught: {dict(counts)}")
    failed = find_worse(results) if wanted.fixed or wanted.fix else find_survivors(results)
    if wanted.fix and not failed:
        FIXED.write_bytes(msgspec.json.format(msgspec.json.encode(count_rooms(results))) + b"\n")
    return int(bool(failed))


def read_arguments(words: list[str] | None) -> argparse.Namespace:
    """The options: which places, and what is known of them."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.breaks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--most", type=int, help="so many places at most")
    parser.add_argument("--fixed", action="store_true", help="the fixed places of each room")
    part = parser.add_mutually_exclusive_group()  # what is written is of all rooms
    part.add_argument(
        "--fix", action="store_true", help="try the fixed places, fill rooms up, and write what is caught"
    )
    part.add_argument(
        "--of", type=Path, nargs="+", metavar="PATH", help="only places of these files and folders"
    )
    parser.add_argument("--places", type=Path, metavar="FILE", help="places of a file")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the places")
    parser.add_argument(
        "--known", type=Path, metavar="FILE", help="the places, beside what a run learned of them"
    )
    parser.add_argument(
        "--nearest", type=int, help=f"tests for each place; {NEAREST} for fixed ones, else all that reach it"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    return parser.parse_args(words)


def take_places(wanted: argparse.Namespace) -> list[Place]:
    """The requested places, as they are in the code today."""
    if wanted.known:
        return read_places(wanted.known)  # their numbers are in what was learned
    if wanted.places:
        return keep_those_of(wanted.of, find_today(read_places(wanted.places)))
    if wanted.fixed or wanted.fix:
        fixed = find_today([place for room in read_rooms().values() for place in room.places])
        return fill_rooms(fixed) if wanted.fix else keep_those_of(wanted.of, fixed)
    noted = read_noted()
    changed = keep_those_of(wanted.of, find_changed_places(ROOT, find_release()))
    changed = [place for place in changed if name_place(place) not in noted]
    return draw(changed, wanted.most or len(changed))


def keep_those_of(paths: Sequence[Path] | None, places: Sequence[Place]) -> list[Place]:
    """The places of these files and folders; all of them where none is named."""
    return [
        place for place in places if not paths or any(Path(place.path).is_relative_to(of) for of in paths)
    ]


def fill_rooms(fixed: Sequence[Place]) -> list[Place]:
    """These places, and more for each room that has fewer than it should."""
    here = sort_by_room(fixed)
    rooms = sort_by_room([place for place in find_places(ROOT) if can_be_seen(place)])
    for name, places in rooms.items():
        mine = here.setdefault(name, [])
        mine += draw([place for place in places if place not in mine], max(OF_ROOM - len(mine), 0))
    return [place for places in here.values() for place in places]


def find_today(places: Sequence[Place]) -> list[Place]:
    """Places as they are in the code today, without those that are gone."""
    today = find_places(ROOT)
    return [found for found in (find_again(place, today) for place in places) if found]


def sort_by_room(places: Sequence[Place]) -> dict[str, list[Place]]:
    """Places by their room: two folders deep, three in `combat/rules/core`."""
    rooms: dict[str, list[Place]] = {}
    for place in places:
        folders = place.path.split("/")[:-1]
        rooms.setdefault("/".join(folders[: 4 if "core" in folders else 3]), []).append(place)
    return rooms


def read_rooms() -> dict[str, Room]:
    """The fixed places by room."""
    if not FIXED.exists():
        return {}
    return msgspec.json.decode(FIXED.read_bytes(), type=dict[str, Room])


def learn(folder: Path, places: Sequence[Place], *words: str) -> Path:
    """Run all tests but those in browsers, to learn which of them reach the places: the file of these."""
    file = folder / "places.json"
    file.write_bytes(msgspec.json.encode(places))
    run_pytest("-m", "", *words, "-k", "not chromium", **{PLACES: str(file)})
    return file


def run_pytest(*words: str, **settings: str) -> None:
    """Run pytest; what it says goes into the report only if it could not run."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--tb=no",
        "--hypothesis-seed=0",
        *words,
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0", **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):  # a test that fails says nothing of a place
        raise RuntimeError(
            f"pytest did not run: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )


def make_orders(
    places: Sequence[Place], reach: dict[str, Reached], nearest: int | None = None
) -> list[Order]:
    """For each place the tests that reach it, or some of them: near and quick ones first, no browsers."""
    known = {
        test: reached
        for test, reached in reach.items()
        if "chromium" not in test and not test.startswith(BY_THE_DAY)
    }
    orders = []
    for number, place in enumerate(places):
        tests = [test for test, reached in known.items() if number in reached.places]
        way = {test: measure_way(place, test) for test in tests}
        near = sorted(tests, key=lambda test: (way[test], len(known[test].places), test))[:nearest]
        near.sort(key=lambda test: (way[test], known[test].seconds, test))
        orders.append(Order(place, {test: known[test].seconds for test in near}))
    return orders


def measure_way(place: Place, test: str) -> int:
    """How far a test is from a place, by the folders that they have in common."""
    path = test.partition("::")[0].removeprefix("tests/")
    common = os.path.commonpath([path, place.path])
    return -common.count("/") - bool(common)


def try_places(places: Sequence[Place], wanted: argparse.Namespace) -> list[Result]:
    """Learn which tests reach these places, unless that is known, and try each."""
    with tempfile.TemporaryDirectory(prefix="breaks-") as name:
        folder = Path(name)
        settled = ("--leave-settled",) if wanted.most else ()  # as the gate does
        reach = read_reach(wanted.known or learn(folder, places, *settled))
        if not (wanted.fixed or wanted.fix):
            orders = make_orders(places, reach, wanted.nearest)
            asked = set(keep_those_of(wanted.of, places))
            return try_orders(folder, [order for order in orders if order.place in asked], wanted.jobs)
        results = try_orders(folder, make_orders(places, reach, wanted.nearest or NEAREST), wanted.jobs)
        again = find_doubtful(results)
        orders = [order for order in make_orders(places, reach) if order.place in again]
        later = {result.place: result for result in try_orders(folder, orders, wanted.jobs)}
        return [later.get(result.place, result) for result in results]


def find_doubtful(results: Sequence[Result]) -> set[Place]:
    """What the nearest tests do not see in rooms that seem worse: others may, which newer ones push away."""
    worse = set(find_worse(results))
    return {
        result.place
        for room, places in sort_by_room([result.place for result in results]).items()
        for result in results
        if room in worse and result.place in places and result.outcome == "survived"
    }


def try_orders(folder: Path, orders: list[Order], jobs: int) -> list[Result]:
    """The result for each place, in the order of the places."""
    results, file = folder / "results.jsonl", folder / "orders.json"
    results.touch()
    file.write_bytes(msgspec.json.encode(Orders(orders, str(results), jobs)))
    files = sorted({test.partition("::")[0] for order in orders for test in order.tests})
    if files:
        run_pytest("-n", "0", "-m", "", *files, **{ORDERS: str(file)})
    found = {
        result.place: result
        for result in (msgspec.json.decode(line, type=Result) for line in results.read_bytes().splitlines())
    }
    if untried := [order.place for order in orders if order.tests and order.place not in found]:
        raise RuntimeError(f"{len(untried)} of {len(orders)} places were not tried: pytest did not run")
    return [found.get(order.place, Result(order.place, "unreached")) for order in orders]


def find_survivors(results: Sequence[Result]) -> list[str]:
    """What no test sees and no note excuses, and notes about nothing; each is said."""
    noted = read_noted()
    today = {name_place(place) for place in find_places(ROOT)}
    told = [
        f"No test sees this: {describe(result)}"
        for result in results
        if result.outcome in {"survived", "unreached"} and name_place(result.place) not in noted
    ]
    told += [f"Noted, but gone: {path}: {line}" for path, line, *_ in sorted(noted - today)]
    for text in told:
        say(text)
    return told


def read_noted() -> set[tuple[str, ...]]:
    """The places that nobody could see broken."""
    notes = [Noted(**note) for note in tomllib.loads(NOTED.read_text("utf-8")).get("place", ())]
    return {(note.path, note.line, note.old, note.new) for note in notes}


def name_place(place: Place) -> tuple[str, ...]:
    """What a note names of a place."""
    return place.path, place.line, place.old, place.new


def count_rooms(results: Sequence[Result]) -> dict[str, Room]:
    """The places of each room, and how many of them are caught."""
    caught = {result.place for result in results if result.outcome == "caught"}
    rooms = sort_by_room([result.place for result in results])
    return {room: Room(len(caught.intersection(places)), places) for room, places in sorted(rooms.items())}


def find_worse(results: Sequence[Result]) -> list[str]:
    """Rooms of which fewer places are caught than before; each is said, with its count."""
    now, worse = count_rooms(results), []
    for name, room in read_rooms().items():
        caught, places = (now[name].least, len(now[name].places)) if name in now else (0, 0)
        say(f"{name}: {caught} of {places} caught, {room.least} of {len(room.places)} before")
        if caught < room.least - (len(room.places) - places):
            worse.append(name)
    return worse


def describe(result: Result) -> str:
    """A line about one place."""
    place = result.place
    change = f"{place.old.strip()} -> {place.new or 'nothing'}"
    return f"{result.outcome:9} {place.path} {place.function}: {place.line}  [{change}]  {result.by}".rstrip()


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
