"""The outlines of bodies and hulls, drawn for this program: SVG paths in a box of 100 by 200.

Bodies face the viewer: their right arm is on the left of the drawing.
"""

from __future__ import annotations

BOXES_IN_A_ROW = 3
HUMAN = {
    "head": "M50 6c10 0 17 8 17 18s-7 19-17 19-17-9-17-19 7-18 17-18z",
    "torso": "M34 48h32c4 0 7 3 7 7l-3 49c0 3-3 6-6 6H36c-3 0-6-3-6-6l-3-49c0-4 3-7 7-7z",
    "right_arm": "M22 51c3 0 4 2 4 5l2 26-6 32c-1 4-4 6-7 5s-5-4-4-8l5-29 1-23c0-5 2-8 5-8z",
    "left_arm": "M78 51c-3 0-4 2-4 5l-2 26 6 32c1 4 4 6 7 5s5-4 4-8l-5-29-1-23c0-5-2-8-5-8z",
    "right_leg": "M32 114h15c1 0 2 1 2 2l-3 70c0 5-3 8-8 8s-8-3-8-8l-2-66c0-4 1-6 4-6z",
    "left_leg": "M68 114H53c-1 0-2 1-2 2l3 70c0 5 3 8 8 8s8-3 8-8l2-66c0-4-1-6-4-6z",
}
VEHICLE = {
    "hull": "M10 62l18-34h44l18 34v76l-14 34H24l-14-34z",
    "turret": "M38 74h24l6 14v24l-6 10H38l-6-10V88z",
    "front": "M28 8h44l14 16H14z",
    "rear": "M22 176h56l-8 16H30z",
    "left_side": "M94 66h5v72h-5z",
    "right_side": "M1 66h5v72H1z",
}
OUTLINES = {"human": HUMAN, "vehicle": VEHICLE}


def outline_of_box(number: int) -> str:
    """A plain box for a part without an outline in the shape, three in a row."""
    row, column = divmod(number, BOXES_IN_A_ROW)
    return f"M{2 + column * 33} {2 + row * 34}h30v30h-30z"
