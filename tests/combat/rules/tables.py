"""What every game's tables of data must be."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Accessors = Mapping[str, Callable[[], dict[str, Any]]]


def check_tables(folder: Path, accessors: Accessors, *others: str) -> None:
    """Each table of the files has an accessor, which returns its rows by id; `others` have none."""
    files = (tomllib.loads(file.read_text("utf-8")) for file in folder.glob("*.toml"))
    rows = {table: found for file in files for table, found in file.items()}
    assert rows.keys() == {*accessors, *others}
    for table, find in accessors.items():
        assert [*find()] == [record.id for record in find().values()] == [row["id"] for row in rows[table]], (
            table
        )
