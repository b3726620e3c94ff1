"""Types are inspected once, behind a lock: two threads doing so at once crashed the process."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[5]
DIRECT = re.compile(r"msgspec\.convert\(|msgspec\.json\.decode\([^)]*type=")
FIRST_USE = """
import sys, threading, typing
import msgspec
from combat.rules.core.basics.typed import convert, read_json

sys.setswitchinterval(1e-6)
FIELDS = [("b", typing.Optional[str]), ("a", typing.Union[int, str, None]), ("c", typing.List[int])]

JSON = b'{"a":"1","b":"2","c":[]}'

def use_first_at_once():
    kinds = [msgspec.defstruct(f"Kind{n}", FIELDS, frozen=True) for n in range(20)]
    together = threading.Barrier(4)
    def use():
        together.wait()
        for kind in kinds:
            assert convert({"a": "1", "b": "2", "c": []}, kind) == read_json(JSON, kind)
    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()

for _ in range(100): use_first_at_once()
print("all alive")
"""


@pytest.mark.slow
def test_four_threads_may_use_a_type_for_the_first_time_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_USE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "all alive"), done.stderr


def test_nothing_reads_into_types_past_the_lock() -> None:
    paths = [path for room in ("combat", "characters") for path in (ROOT / room).rglob("*.py")]
    direct = [
        path
        for path in paths
        if "migrations" not in path.parts
        and path.name != "typed.py"
        and DIRECT.search(path.read_text("utf-8"))
    ]
    assert direct == []
