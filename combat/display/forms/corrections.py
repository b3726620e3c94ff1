"""The GM's forms that correct what is in the log: a step overruled, points lost or gained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from combat.play.overruling import preview
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count, read_whole
from combat.rules.core.basics.words import say
from combat.rules.core.commands.overruling import OVERRULED
from combat.rules.core.engine.engine import Done
from combat.rules.core.state import events as e
from combat.rules.core.wording import Pen, describe_facts
from combat.sharing.viewer_context import ViewerContext

from ..log_view import names_of


@dataclass(frozen=True)
class OverrulingView:
    """What overruling a roll changes: lines of the log that go and lines that come; what is still open.

    `step` and `roll` name the roll. `refused` says why it cannot be overruled.
    """

    step: int
    roll: int
    label: str = ""
    goes: tuple[str, ...] = ()
    comes: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    refused: str = ""


def read_overruled(asked: Mapping[str, str]) -> tuple[int, int]:
    """The step and the number of its check that a form or an address names."""
    step, roll = (read_count(asked.get(name, "")) for name in ("overrule", "roll"))
    if step is None or roll is None:
        raise Refused("bad_value", "This form names no roll: reload the page.")
    return step, roll


def view_overruling(context: ViewerContext, asked: Mapping[str, str]) -> OverrulingView:
    """The confirmation before a roll is overruled, or the reason why it cannot be."""
    step, roll = read_overruled(asked)
    try:
        found = preview(context.encounter, step, roll)
    except Refused as refused:
        return OverrulingView(step, roll, refused=refused.message)
    system, names = context.system, names_of(context.known_state)
    was, now = (
        [line.text for line in describe_facts(system, _without_ruling(facts), names)]
        for facts in (found.step.facts, found.result.facts)
    )
    goes, comes = Counter(was) - Counter(now), Counter(now) - Counter(was)
    requests = () if isinstance(found.result, Done) else found.result.requests
    still = tuple(
        system.draw(say("overruling.rolled", dice=request.dice, why=request.why), names)
        if isinstance(request, RollRequest)
        else system.draw(say("overruling.asked", who=request.who), names)
        for request in requests
    )
    pen = Pen(system, names)
    return OverrulingView(
        step, roll, pen.draw(found.verdict.label), goes=tuple(goes), comes=tuple(comes), open=still
    )


def _without_ruling(facts: tuple[e.Fact, ...]) -> Iterator[e.Fact]:
    """The facts without the sentence that names the ruling itself."""
    return (fact for fact in facts if not (isinstance(fact.event, e.Said) and fact.event.key in OVERRULED))


@dataclass(frozen=True)
class Correction:
    """What was lost or gained: the key and label of a track, how many points, and "-" for harm."""

    track: str
    label: str
    points: int
    verb: str
    sign: str


def find_sent_correction(context: ViewerContext, posted: Mapping[str, str]) -> Correction | None:
    """What a form that was sent corrects."""
    track = next((t for t in context.system.characters.tracks if t.key == posted.get("track")), None)
    was = read_count(posted.get("was", "")[:10])
    if track is None or was is None:
        return None
    rose = (posted.get("sign") == "-") == track.rises
    return find_correction(context, {"track": track.key, "points": str(was if rose else -was)})


def find_correction(context: ViewerContext, asked: Mapping[str, str]) -> Correction | None:
    """What the address of a form asks to correct; None if there is no such track or no points."""
    points = read_whole(asked.get("points", "")[:10])
    track = next((t for t in context.system.characters.tracks if t.key == asked.get("track")), None)
    if track is None or not points:
        return None
    verb = ("took" if points > 0 else "recovered") if track.rises else ("gained" if points > 0 else "lost")
    is_harm = (points > 0) == track.rises
    return Correction(track.key, track.label, abs(points), verb=verb, sign="-" if is_harm else "")
