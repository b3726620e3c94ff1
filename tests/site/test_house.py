"""What holds for every room of the house: its floor, and a reason for each exception of a check."""

from __future__ import annotations

import pkgutil
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("cosmos_site", "combat", "characters")
STORED = "migrations"  # written by Django, read only by Django
SILENCED = re.compile(r"# (?:type: ignore|noqa)\b(?P<rest>.*)")
WITH_REASON = re.compile(r"\[[\w-]+\]  # \S.*|: [A-Z]+\d+ - \S.*")


def read_layers() -> set[str]:
    """The rooms that the contract of imports names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (house,) = (one for one in contracts if one["type"] == "layers" and "containers" not in one)
    return {room for layer in house["layers"] for room in re.split(r"\s*\|\s*", layer)}


def find_rooms(package: str) -> set[str]:
    """The modules and packages directly in a package."""
    found = pkgutil.iter_modules([str(ROOT / package)], f"{package}.")
    return {module.name for module in found} - {f"{package}.{STORED}"}


def test_every_room_has_its_floor() -> None:
    assert read_layers() == {room for package in PACKAGES for room in find_rooms(package)}


def test_what_silences_a_check_says_why() -> None:
    bare = [
        f"{path.relative_to(ROOT)}:{number}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (found := SILENCED.search(line)) and not WITH_REASON.fullmatch(found["rest"])
    ]
    assert bare == []
