"""The seals of the dice at the head of a log: what they are worth now, and the newest rolls under them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from combat.display.dice import view_dice
from combat.display.shapes.result_shapes import Face
from combat.models import StoredStep
from combat.rules.core.basics.dice.sealed import draw_faces, make_seal
from combat.sharing.viewer_context import ViewerContext

from .dice_view import SealedRoll, find_rolls, find_seals

MOST = 5  # rolls
SEALED, FITS, WRONG = "sealed", "fits", "wrong"


@dataclass(frozen=True)
class RollUnderSeal:
    """A roll with its dice. `state` is sealed until the secret is told, then fits or wrong."""

    text: str
    name: str
    faces: tuple[Face, ...]
    undone: bool
    state: str


@dataclass(frozen=True)
class Seals:
    """The seal of the newest rolls, whether its secret is told, and these rolls; empty without a seal."""

    seal: str
    is_open: bool
    rolls: tuple[RollUnderSeal, ...]

    @property
    def state(self) -> str:
        """What the shown rolls come to: sealed, fits, or wrong if only one does not fit."""
        states = {roll.state for roll in self.rolls}
        if WRONG in states:
            return WRONG
        return FITS if FITS in states and SEALED not in states else SEALED


def view_seals(context: ViewerContext, rows: Iterable[StoredStep]) -> Seals:
    """The seals for a log that shows these steps, newest first."""
    seals = find_seals(context)
    rolled = [row for row in rows if row.dice][:MOST]
    secrets = {one.seal: one.opened for one in seals if one.opened}
    rolls = [roll for roll in find_rolls(context, rolled) if roll.faces]
    shown = tuple(_check(roll, secrets.get(roll.seal, "")) for roll in reversed(rolls[-MOST:]))
    newest = rolls[-1].seal if rolls else ""
    seal = next((one for one in seals if one.seal == newest), seals[-1] if seals else None)
    return Seals(seal.seal if seal else "", bool(seal and seal.opened), shown)


def _check(roll: SealedRoll, secret: str) -> RollUnderSeal:
    """Whether a roll follows from the secret, and the secret from the seal; sealed without a secret."""
    state = SEALED
    if secret:
        drawn = draw_faces(secret, roll.name, roll.words, roll.dice)
        state = FITS if make_seal(secret) == roll.seal and drawn == roll.faces else WRONG
    return RollUnderSeal(
        roll.text, roll.name, view_dice(roll.dice, roll.faces), undone=roll.undone, state=state
    )
