"""The table loader: records by id, and messages that name the wrong line."""

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
