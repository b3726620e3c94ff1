"""What every game's tables of data must be."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Accessors = Mapping[str, tuple[Callable[[], dict[str, Any]], int]]


def check_tables(folder: Path, accessors: Accessors, *others: str) -> None:
    """Each table of the files has an accessor, which returns this many records by id; `others` have none."""
    for table, (find, count) in accessors.items():
        records = find()
        assert len(records) == count, f"{len(records)} rows of [[{table}]]: change the number in this test"
        assert all(key == record.id for key, record in records.items()), table
    files = (file.read_text("utf-8") for file in folder.glob("*.toml"))
    assert {name for text in files for name in tomllib.loads(text)} == {*accessors, *others}
