"""Times on pages: in the zone of the host, and ready for that of the reader."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from django.template import Context, Template
from django.utils import timezone

from cosmos_site.base.moments import moment

ROOT = Path(__file__).resolve().parents[3]
WHEN = datetime(2026, 11, 22, 23, 40, 5, tzinfo=UTC)
WRITTEN = re.compile(r"""\|(?:date|time):"([^"]*)\"""")


def test_time_has_its_exact_moment_and_reads_well_without_script() -> None:
    drawn = Template('{{ when|moment:"j F Y, H:i" }}').render(Context({"when": WHEN}))
    assert drawn == (
        '<time datetime="2026-11-22T23:40:05+00:00" title="22 November 2026, 23:40 UTC" '
        'data-written="j F Y, H:i">22 November 2026, 23:40</time>'
    )


def test_time_is_written_in_the_zone_of_the_host() -> None:
    with timezone.override("Europe/Berlin"):
        drawn = moment(WHEN, "l H:i")
    assert 'datetime="2026-11-23T00:40:05+01:00"' in drawn
    assert 'title="23 November 2026, 00:40 CET"' in drawn
    assert drawn.endswith(">Monday 00:40</time>")


def test_no_time_is_nothing() -> None:
    assert Template('{{ when|moment:"H:i"|default:"never" }}').render(Context({"when": None})) == "never"


def test_templates_write_times_in_the_zone_of_the_reader() -> None:
    """All of them use `moment`, or stand in a <time> that says how they are written. Days have no zone."""
    templates = sorted((ROOT / "templates").rglob("*.html"))
    assert len(templates) > 700
    for path in templates:
        for line in path.read_text("utf-8").replace(".planned|date:", "").splitlines():
            forms = [form for form in WRITTEN.findall(line) if form != "c"]
            assert all(f'data-written="{form}"' in line for form in forms), f"{path}: {line.strip()}"


def test_script_knows_every_letter_that_templates_use() -> None:
    known = re.search(r"/\[(\w+)\]/g", (ROOT / "static/js/page/times.js").read_text("utf-8"))
    used = "".join(
        form
        for path in (ROOT / "templates").rglob("*.html")
        for form in re.findall(r'(?:\|moment:|data-written=)"([^"]*)"', path.read_text("utf-8"))
    )
    assert known
    assert {letter for letter in used if letter.isalpha()} <= set(known[1])
