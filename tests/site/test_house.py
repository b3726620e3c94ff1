"""The contract of the whole house holds for every room of it."""

from __future__ import annotations

import pkgutil
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("cosmos_site", "combat", "characters")
STORED = "migrations"  # written by Django, which alone reads them


def read_layers() -> set[str]:
    """The rooms that the contract names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (house,) = (one for one in contracts if one["type"] == "layers" and "containers" not in one)
    return {room for layer in house["layers"] for room in re.split(r"\s*\|\s*", layer)}


def find_rooms(package: str) -> set[str]:
    """The modules and packages right inside a package."""
    found = pkgutil.iter_modules([str(ROOT / package)], f"{package}.")
    return {module.name for module in found} - {f"{package}.{STORED}"}


def test_every_room_has_its_floor() -> None:
    assert read_layers() == {room for package in PACKAGES for room in find_rooms(package)}
