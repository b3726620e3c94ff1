"""The declaration of a game's demo fights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ..space.blueprint import read_map


class DemoStep(msgspec.Struct, frozen=True):
    """One step of a scripted fight: the command and the answers it will get, in order.

    A list of numbers answers a roll (the faces), a word answers a choice.
    """

    name: str
    command: dict[str, Any] = {}
    answers: tuple[tuple[int, ...] | str, ...] = ()


def step(name: str, /, *answers: tuple[int, ...] | str, **command: Any) -> DemoStep:
    """One step of a script: the command and the answers it will get, in order."""
    return DemoStep(name, command, answers)


def zone(key: str, name: str, x: int, y: int, width: int, depth: int, **more: Any) -> dict[str, Any]:
    """A zone of a demo's scene, in the units of its game."""
    return {"id": key, "name": name, "x": x, "y": y, "width": width, "depth": depth, **more}


def drawn(**rows: Any) -> dict[str, Any]:
    """The battle map of a demo's scene, from the rows of a blueprint (see space/blueprint.py)."""
    made: dict[str, Any] = msgspec.to_builtins(read_map({"zones": (), **rows}))
    return made


class Demo(msgspec.Struct, frozen=True):
    """A ready fight: its setup, and the script of the printed example."""

    name: str
    setup: tuple[DemoStep, ...]
    script: tuple[DemoStep, ...]


class Demos(msgspec.Struct, frozen=True):
    """The demo fights of a game."""

    # Makes each fight, at least one. A table sees the first; all names differ.
    fights: tuple[Callable[[], Demo], ...]

    def make_first(self) -> Demo:
        """The demo fight that a table sees first."""
        return self.fights[0]()

    def make_all(self) -> tuple[Demo, ...]:
        """All demo fights, the first one first."""
        return tuple(make() for make in self.fights)
