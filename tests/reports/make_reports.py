"""Write reports of demo fights: `python -m tests.reports.make_reports`.

They stand for real ones, so that the gate has something to play again: a fight to its end with steps undone,
and one that is under way. A report that someone sends is put beside them as it is. After a change of the
rules that is meant, `--again` writes every report with the facts that its commands give now.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import django
import msgspec

HERE = Path(__file__).parent
ENDED, UNDER_WAY = ("cosmos", 1.0, "uur"), ("starshock", 0.4, "")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    if "--again" in sys.argv:
        for path in sorted(HERE.glob("*.json")):
            play_again(path)
    else:
        for slug, share, marks in (ENDED, UNDER_WAY):
            make(slug, share, marks)


def make(slug: str, share: float, marks: str) -> None:
    """The report of a demo fight with this much of its script, and some undos and redos after it."""
    from combat.play.after.anonymous import make_anonymous
    from combat.play.after.faults import ReplayResult, Report
    from combat.rules import find_system
    from combat.rules.core.engine.document import make_document
    from tests.combat.rules.every_game.wild.wild import Log

    system, chance = find_system(slug), random.Random(7)
    demo, log = system.demo.make_first(), Log(system)
    log.play((*demo.setup, *demo.script[: int(share * len(demo.script))]), chance)
    for mark in marks:
        log.undo() if mark == "u" else log.redo()
    bare = make_anonymous(system, make_document(demo.name, log.start, tuple(log.steps), log.state))
    report = Report(
        made="2026-11-22T18:00:00+00:00",
        python="3.11.2",
        django=django.get_version(),
        database="sqlite",
        machine="Linux",
        browser={"agent": "", "window": ""},
        said="Made from a demo fight.",
        seats={},
        check=ReplayResult(ok=True),
        refusal=None,
        error=None,
        fight=msgspec.Raw(msgspec.json.encode(bare.document)),
    )
    (HERE / f"{slug}-demo.json").write_bytes(msgspec.json.encode(report) + b"\n")


def play_again(path: Path) -> None:
    """Write a report again, with the facts of the present rules."""
    from combat.play.after.anonymous import make_anonymous
    from combat.play.after.faults import read_report
    from combat.rules import find_system
    from combat.rules.core.engine.document import read_document

    report, fight = read_report(path.read_bytes())
    document = read_document(fight, find_system)
    bare = make_anonymous(find_system(document.system), document)
    fresh = msgspec.structs.replace(report, fight=msgspec.Raw(msgspec.json.encode(bare.document)))
    path.write_bytes(msgspec.json.encode(fresh) + b"\n")


if __name__ == "__main__":
    main()
