"""The table loader: records by id, and messages that name the wrong line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from combat.rules.core.basics.data import DataError, load_record, load_table


class Fruit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    stones: int


PLUM = '[[fruit]]\nid = "plum"\nstones = 1\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fruits.toml"


def test_records_come_by_id_in_the_order_of_the_file(file: Path) -> None:
    file.write_text(PLUM + '[[fruit]]\nid = "apple"\nstones = 0\n', encoding="utf-8")
    table = load_table(file, Fruit)
    assert list(table) == ["plum", "apple"]
    assert table["plum"] == Fruit("plum", 1)
    assert load_table(file, Fruit) is table


def test_a_single_record(file: Path) -> None:
    file.write_text('[best]\nid = "plum"\nstones = 1\n', encoding="utf-8")
    assert load_record(file, Fruit, "best") == Fruit("plum", 1)
    with pytest.raises(DataError, match=r"there is no table \[worst\]; it has best"):
        load_record(file, Fruit, "worst")


@pytest.mark.parametrize(
    ("content", "table", "message"),
    [
        (PLUM + "seeds = 2", "", "fruit 'plum': Object contains unknown field `seeds`"),
        (PLUM.replace("1", '"one"'), "", "fruit 'plum': Expected `int`, got `str` - at `$.stones`"),
        (PLUM + PLUM, "", "fruit 'plum' occurs more than once"),
        ("[[fruit]]\nstones = 1", "", "fruit: Object missing required field `id`"),
        (PLUM, "nut", "there is no list [[nut]]; it has fruit"),
        (PLUM + PLUM.replace("fruit", "nut"), "", "say which table; it has fruit, nut"),
        ("fruit = 1", "", "say which table; it has none"),
        ("[[fruit", "", "Expected"),
    ],
)
def test_a_wrong_table_is_refused_with_file_and_id(
    file: Path, content: str, table: str, message: str
) -> None:
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_table(file, Fruit, table)
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)


def test_a_missing_file_is_refused(file: Path) -> None:
    with pytest.raises(DataError, match=r"fruits\.toml: there is no such file"):
        load_table(file, Fruit)


# Types are inspected once, behind a lock: two threads doing so at once crashed the process.


ROOT = Path(__file__).parents[5]
DIRECT = re.compile(r"msgspec\.convert\(|msgspec\.json\.decode\([^)]*type=")
FIRST_USE = """
import sys, threading, typing
import msgspec
from combat.rules.core.basics.data import convert, read_json

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
        and path.name != "data.py"
        and DIRECT.search(path.read_text("utf-8"))
    ]
    assert direct == []
