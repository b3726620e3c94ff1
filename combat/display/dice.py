"""Dice as pages draw them: the shape of each, with its number up."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import Roll, parse_dice

from .shapes.result_shapes import Face

SHAPES = (4, 6, 8, 10, 12, 20, 100)  # the dice that have drawings; others are plain discs


def view_faces(roll: Roll) -> tuple[Face, ...]:
    """The dice of a roll as drawn, in their order."""
    return view_dice(roll.dice, roll.faces)


def view_dice(dice: str, faces: tuple[int, ...]) -> tuple[Face, ...]:
    """Dice as drawn, with these faces up."""
    if not faces:
        return ()
    sides = parse_dice(dice).sides
    shape = f"d{sides}" if sides in SHAPES else "disc"
    return tuple(Face(shape, face, face == sides) for face in faces)
