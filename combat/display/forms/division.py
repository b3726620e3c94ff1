"""Points to divide, such as a wound: the fields of the prompt, and the answer read from them."""

from __future__ import annotations

from collections.abc import Mapping

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.basics.dice.splits import read_split
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count, say_no_number

from ..shapes.question_shapes import PartField

PART = "part-"  # followed by the key of the place
MAX_PARTS = 20


def view_parts(request: ChoiceRequest) -> tuple[PartField, ...]:
    """A field for each place, filled as the game suggests."""
    if request.split is None:
        return ()
    suggested = read_split(request.split, request.default)
    return tuple(
        PartField(place.key, place.label, place.detail, place.least, place.most, str(suggested[place.key]))
        for place in request.split.places
    )


def read_parts(posted: Mapping[str, str]) -> str:
    """The answer from the fields for points, empty ones as 0; "" without such fields."""
    found = [name for name in posted if name.startswith(PART)][:MAX_PARTS]
    words = {name.removeprefix(PART): posted.get(name, "").strip() or "0" for name in found}
    parts = {key: read_count(word) for key, word in words.items()}
    for key, points in parts.items():
        if points is None:
            raise Refused("bad_value", f"The number of points {say_no_number(words[key])}")
    return ",".join(f"{key}={points}" for key, points in parts.items() if points)
