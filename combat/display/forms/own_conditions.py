"""The form of a condition of the GM's own, at the table and in a campaign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import QueryDict

from characters.display.shapes import Shape
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole
from combat.rules.core.basics.words import MINUS, say_number
from combat.rules.core.declaration.parts import load_kinds
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.own_conditions import SIGNS
from combat.rules.core.state.state import OwnCondition, replace

LINES = 3  # for changes, at first
FEW = 6  # numbers of a game: no more of them have a line each
NEW = OwnCondition("", "")
Pairs = tuple[tuple[str, str], ...]
EACH = "each"  # the field of a form with a line for each number: those without points change nothing


class OwnView(Shape, frozen=True):
    """A condition of the GM's own in a list: what it does in a sentence, and its turns."""

    id: str
    name: str
    sign: str
    text: str
    turns: int


class OwnForm(Shape, frozen=True):
    """A form with what is in it; `lines` are the changes, each a number and its points.

    `has_each`: each number of the game has its line, and `lines` their names too.
    `listed` are those there are, and `others` those of the campaign that this fight has not; both are empty
    strings where there is no `campaign`.
    """

    own: OwnCondition
    lines: tuple[tuple[str, str, str], ...]
    has_each: bool
    signs: Pairs
    changes: Pairs
    effects: Pairs
    most: int
    listed: tuple[OwnView, ...]
    others: tuple[OwnView, ...] = ()
    campaign: str = ""


def view_form(
    system: System,
    listed: Iterable[OwnCondition],
    own: OwnCondition = NEW,
    others: Iterable[OwnCondition] = (),
    campaign: str = "",
    typed: QueryDict | None = None,
) -> OwnForm:
    """The form of a new condition, or of one that is changed; `typed` is what was refused."""
    rules, kinds = system.characters.own_conditions, load_kinds()
    lines = [(key, say_number(points, signed=True)) for key, points in own.changes.items()]
    if typed:
        lines = [*zip(typed.getlist("change"), typed.getlist("points"), strict=False)]
        name, sign, note = (typed.get(key, "") for key in ("name", "sign", "note"))
        turns = read_whole(typed.get("turns", "")) or 0
        own = OwnCondition(
            own.id, name, sign, changes={}, effects=tuple(typed.getlist("effects")), turns=turns, note=note
        )
        own = replace(own, secret=bool(typed.get("secret")))
    has_each = len(rules.changes) <= FEW
    if has_each:
        points = dict(lines)
        lines = [(key, points.get(key, "")) for key in rules.changes]
    lines += [("", "")] * (min(LINES, len(rules.changes)) - len(lines))
    return OwnForm(
        own,
        tuple((key, points, rules.changes.get(key, "")) for key, points in lines),
        has_each,
        tuple((sign, kinds[sign]) for sign in SIGNS),
        changes=tuple(rules.changes.items()),
        effects=tuple((key, effect.label) for key, effect in rules.effects.items()),
        most=rules.most,
        listed=tuple(_view(system, one) for one in listed),
        others=tuple(_view(system, one) for one in others),
        campaign=campaign,
    )


def _view(system: System, one: OwnCondition) -> OwnView:
    text = system.characters.own_conditions.describe(one)
    return OwnView(one.id, one.name, one.sign, text=text, turns=one.turns)


def read_own(posted: QueryDict) -> dict[str, Any]:
    """The fields of the command; Refused for points that are no number, or twice the same change."""
    changes: dict[str, int] = {}
    for key, word in zip(posted.getlist("change"), posted.getlist("points"), strict=False):
        points = read_whole(word.strip() or "0")
        if (posted.get(EACH) and points == 0) or (not key and not word.strip()):
            continue
        if not key or not points:
            raise Refused("bad_value", f"A change needs both: what it changes, and points such as {MINUS}2.")
        if key in changes:
            raise Refused("bad_value", "Two lines change the same number: put them together.")
        changes[key] = points
    turns = read_whole(posted.get("turns", "") or "0")
    if turns is None:
        raise Refused("bad_value", "Enter turns as a number; 0 lasts until you end it.")
    plain: dict[str, Any] = {
        name: posted[name] for name in ("own", "name", "sign", "note") if posted.get(name)
    }
    plain |= {"secret": True} if posted.get("secret") else {}
    return {"name": "", **plain, "changes": changes, "effects": posted.getlist("effects"), "turns": turns}
