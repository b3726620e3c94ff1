"""The sealed dice of an encounter as one viewer may read them: seals, and every roll with its proof."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from combat.display.log_view import view_log
from combat.display.shapes.table_shapes import LogStep
from combat.models import StoredStep
from combat.play.writing.sealing import has_lost_dice
from combat.play.writing.verification import read_step
from combat.rules.core.basics.dice.sealed import make_message, name_roll
from combat.rules.core.declaration.system import System
from combat.rules.core.state.history import COMMAND, Step
from combat.sharing.viewer_context import ViewerContext

UNTOLD = "Not in your log"  # such as a roll that breaks a tie
Key = tuple[str, int]  # the series and the number of a roll


@dataclass(frozen=True)
class Seal:
    """The digest of a secret; `opened` is the secret once the fight is over, else empty.

    `abandoned`: new dice began before it was opened, so its secret is lost.
    """

    seal: str
    opened: str
    abandoned: bool = False


@dataclass(frozen=True)
class SealedRoll:
    """One roll of the app: its purpose, and all that determines its faces; faces are empty if not shown."""

    text: str
    dice: str
    faces: tuple[int, ...]
    number: int
    series: str
    words: str
    seal: str
    undone: bool

    @property
    def name(self) -> str:
        """The number, after the name of its series if that is a secret one."""
        return name_roll(self.number, self.series)

    @property
    def shown(self) -> str:
        """The faces as the page shows them and the check compares them."""
        return ", ".join(map(str, self.faces))


@dataclass(frozen=True)
class ShellLines:
    """Two lines for a terminal: the first checks a secret's seal, the second computes the bytes of a roll."""

    name: str
    seal: str
    bytes: str


def find_seals(context: ViewerContext) -> tuple[Seal, ...]:
    """All seals of an encounter, oldest first."""
    seals, is_lost = context.encounter.seals, has_lost_dice(context.encounter)
    last = len(seals) - (not is_lost)
    return tuple(Seal(s["seal"], s["opened"], not s["opened"] and n < last) for n, s in enumerate(seals))


def find_rolls(context: ViewerContext, rows: Iterable[StoredStep]) -> tuple[SealedRoll, ...]:
    """The sealed rolls of these steps: for the GM all, for others those in lines that they may read.

    Others see only the numbers of the remaining public rolls, so that none can be missing.
    """
    told = {row.number: (row, read_step(row)) for row in rows}
    found: list[SealedRoll] = []
    for row, step in told.values():
        seal = _seal_of(context, row.number)
        lines = view_log(context, [row])
        texts, otherwise = _texts_of(lines), name_action(context.system, step.name)
        found += _rolls_of(
            step, seal, texts, otherwise=otherwise if context.viewer.is_gm else None, struck=row.struck
        )
    return tuple(sorted(found, key=lambda roll: (roll.series, roll.number)))


def _seal_of(context: ViewerContext, step: int) -> str:
    """The seal in force when a step began; for the step with the first seal, that seal."""
    seals = context.encounter.seals
    held = [one for one in seals if one["step"] < step] or seals[:1]
    return str(held[-1]["seal"]) if held else ""


def _texts_of(steps: Iterable[LogStep]) -> dict[Key, str]:
    """The purpose of each sealed roll, by its series and number."""
    lines = (line for step in steps for line in step.lines)
    return {(line.roll.series, line.roll.number): line.text for line in lines if line.roll}


def name_action(system: System, name: str) -> str:
    """The purpose of a roll that has no line in the log, such as one that breaks a tie."""
    return system.action(name).label if name in system.actions.by_name else name


def _rolls_of(
    step: Step, seal: str, texts: dict[Key, str], otherwise: str | None, struck: bool
) -> Iterator[SealedRoll]:
    """The rolls of a step; `otherwise` is the text of those in no line. None: only their public numbers."""
    is_undone = struck or step.kind != COMMAND
    for answer in step.answers:
        text = texts.get((answer.series, answer.number), otherwise)
        if answer.number and text is not None:
            made = answer.number, answer.series, answer.words
            yield SealedRoll(text, answer.dice, answer.faces, *made, seal, is_undone)
        elif answer.number and not answer.series:
            yield SealedRoll(
                UNTOLD, "", (), number=answer.number, series="", words="", seal=seal, undone=is_undone
            )


def write_shell(seals: Iterable[Seal], rolls: Iterable[SealedRoll]) -> ShellLines | None:
    """How to check the first roll with an open secret without this program; None if there is none."""
    secrets = {one.seal: one.opened for one in seals if one.opened}
    roll = next((roll for roll in rolls if roll.seal in secrets), None)
    if roll is None:
        return None
    message = shlex.quote(make_message(roll.seal, roll.name, roll.words))
    secret = secrets[roll.seal]
    return ShellLines(
        roll.name,
        f"printf %s {secret} | openssl dgst -sha256",
        f"printf %s {message} | openssl dgst -sha256 -hmac {secret}",
    )
