"""The result of a load run: lost actions, pages that were not told, and response times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.tools.load.people import Table, Times
from tests.tools.load.setting import Kept

HEAD = (
    "phase",
    "actions/s",
    "action p50, p99",
    "told p50, p99",
    "reads/s",
    "read p50, p99",
    "workers, CPU",
    "a request",
    "database, CPU",
)


@dataclass(frozen=True)
class Moment:
    """The beginning of a phase: its name, when it is, and the processor seconds used until then.

    `loop` are those of the workers' first threads, which hold connections and streams: a part of `workers`.
    """

    name: str
    at: float
    workers: float
    loop: float
    database: float


@dataclass
class Run:
    """All measurements: seconds, megabytes, and the content of the database at the end."""

    tables: int
    people: int
    every: float
    opened: float
    heard: float = 0.0
    busy: float = 0.0
    settled: float = 0.0
    streams: int = 0
    paced: Times = field(default_factory=Times)
    flood: Times = field(default_factory=Times)
    harms: list[tuple[float, str]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    kept: dict[int, Kept] = field(default_factory=dict)

    def find_losses(self, tables: Iterable[Table]) -> dict[str, int]:
        """The number of answered actions that are missing in the log, done twice, or in a wrong log."""
        found: Counter[str] = Counter({"lost": 0, "twice": 0, "wrong": 0, "saved without an answer": 0})
        for table in tables:
            kept = self.kept[table.gm.table]
            found["lost"] += len(table.answered - set(kept.marks)) + max(0, table.turns - kept.turns)
            found["twice"] += sum(count > 1 for count in kept.marks.values())
            found["wrong"] += bool(kept.wrong) + (kept.turns > table.turns + table.lost_turns)
            found["saved without an answer"] += len(table.unanswered & set(kept.marks))
        return dict(found)

    def count_untold(self, tables: Iterable[Table]) -> int:
        """The number of pages that never heard the final state of their table."""
        return sum(
            person.told != self.kept[table.gm.table].stamps[person.kind]
            for table in tables
            for person in table.people
        )

    def is_sound(self, tables: Sequence[Table]) -> bool:
        """Whether nothing was lost or done twice, and every page was told."""
        losses = self.find_losses(tables)
        return not (losses["lost"] or losses["twice"] or losses["wrong"] or self.count_untold(tables))


def find_percentile(values: Sequence[float], share: float) -> float:
    """The value at this percentile; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def find_recovery(run: Run, number: int) -> tuple[Counter[str], float]:
    """The failures after each breakage, and until how many seconds after it."""
    begins = run.harms[number][0]
    ends = run.harms[number + 1][0] if number + 1 < len(run.harms) else float("inf")
    failed = [(moment, what) for moment, what in run.paced.failed if begins <= moment < ends]
    return Counter(what for _, what in failed), max((moment for moment, _ in failed), default=begins) - begins


def describe(run: Run, tables: Sequence[Table]) -> str:
    """The run as a table of Markdown."""
    return "\n".join([*_describe_load(run), *_describe_harm(run), *_describe_end(run, tables), ""])


def _describe_load(run: Run) -> Iterator[str]:
    yield f"{run.tables} tables, {run.people} people, each table with an action every {run.every:.0f} s."
    yield f"All pages were opened in {run.opened:.1f} s, all streams {run.heard:.1f} s later."
    yield f"Load average when it began: {run.busy:.1f}."
    yield ""
    yield f"| {' | '.join(HEAD)} |"
    yield "| --- " * len(HEAD) + "|"
    phases = {"quiet": Times(), "paced": run.paced, "flood": run.flood}
    for begins, ends in zip(run.moments, run.moments[1:], strict=False):
        yield f"| {' | '.join(_describe_phase(begins, ends, phases[begins.name]))} |"
    yield ""


def _describe_phase(begins: Moment, ends: Moment, times: Times) -> list[str]:
    """The cells of a phase; a worker that was killed in it takes the time it had used with it."""
    seconds = ends.at - begins.at
    return [
        begins.name,
        f"{len(times.actions) / seconds:.1f}",
        _pair(times.actions),
        _pair(times.told),
        f"{len(times.read) / seconds:.0f}",
        _pair(times.read),
        ("at least " if begins.name == "paced" else "") + _share(ends.workers - begins.workers, seconds),
        _describe_cost(begins, ends, len(times.actions) + len(times.read)),
        _share(ends.database - begins.database, seconds),
    ]


def _describe_cost(begins: Moment, ends: Moment, requests: int) -> str:
    """The workers' processor time for a request, and the part of it for connections and streams."""
    used, loop = ends.workers - begins.workers, ends.loop - begins.loop
    if begins.name == "paced" or not requests:
        return "–"
    return f"{1000 * used / requests:.1f} ms, {1000 * loop / requests:.1f} of them for connections"


def _pair(values: Sequence[float]) -> str:
    if not values:
        return "–"
    return f"{1000 * find_percentile(values, 0.5):.0f}, {1000 * find_percentile(values, 0.99):.0f} ms"


def _share(used: float, seconds: float) -> str:
    """Processor time used, in percent of one core; unknown if processes ended meanwhile."""
    return f"{100 * used / seconds:.0f}%" if used >= 0 else "–"


def _describe_harm(run: Run) -> Iterator[str]:
    for number, (_, what) in enumerate(run.harms):
        failed, seconds = find_recovery(run, number)
        told = ", ".join(f"{count} × {kind}" for kind, count in failed.items())
        yield f"{what}: " + (
            f"failed {told}; the last {seconds:.1f} s later." if failed else "nothing failed."
        )


def _describe_end(run: Run, tables: Sequence[Table]) -> Iterator[str]:
    losses, steps = run.find_losses(tables), sum(kept.steps for kept in run.kept.values())
    answered = sum(len(table.answered) + table.turns for table in tables)
    yield f"Pages showed their last change {run.settled:.1f} s after the last action."
    yield f"{run.streams} streams were opened in all."
    yield (
        f"{answered} actions answered; "
        + ", ".join(f"{count} {what}" for what, count in losses.items())
        + "."
    )
    yield f"{sum(table.refused for table in tables)} refused; pages not told: {run.count_untold(tables)}."
    size = sum(kept.bytes for kept in run.kept.values()) / max(1, steps) / 1000
    memory = ", ".join(f"{one:.0f}" for one in run.megabytes)
    yield f"Workers: {memory} MB. {steps} steps are kept, {size:.1f} kB each."
