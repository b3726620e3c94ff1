"""Look at pages in all windows: `python -m tests.tools.layout [page ...]`.

It prints each finding once, with the windows in which it shows. The gate looks at each page in one or two.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest

TESTS = sorted((Path(__file__).resolve().parents[2] / "combat/pages/every_page").glob("test_layout*.py"))


def main() -> None:
    """Measure the pages named, or all, and print the findings."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "findings")
        os.environ |= {"LAYOUT_PAGES": "/".join(sys.argv[1:]) or "all", "LAYOUT_REPORT": str(report)}
        pytest.main(
            [
                "-q",
                "-n",
                "0",
                "-m",
                "",
                "--tb",
                "short",
                "--show-capture",
                "no",
                "-k",
                "windows",
                *map(str, TESTS),
            ]
        )
        seen: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for line in report.read_text("utf-8").splitlines():
            found, reason = line.split("\t")
            page_and_look, _, rest = found.partition(": ")
            page, _, look = page_and_look.rpartition(", ")
            seen[reason, page, rest].append(look)
    for (reason, page, rest), looks in sorted(seen.items()):
        sys.stdout.write(f"{page}: {rest} ({', '.join(looks)}){f' may stay: {reason}' if reason else ''}\n")


if __name__ == "__main__":
    main()
