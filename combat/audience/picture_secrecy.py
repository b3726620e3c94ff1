"""The picture under a map as someone may see it: without what lies in fog or in a hidden area."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.crypto import salted_hmac

from combat.audience.map_fog import find_known_map
from combat.audience.viewer import Viewer
from combat.rules.core.space import Area, Picture, map_of
from combat.rules.core.space.rays.fog import find_strips
from combat.rules.core.state.state import State


@dataclass(frozen=True)
class Clip:
    """A picture and its visible part: `shown` is the remaining box, with an address of its own.

    The rectangles in `clear` may be seen, except where those in `dark` overlap them; all in meters of the
    plane. A picture that is shown whole has neither.
    """

    whole: Picture
    shown: Picture
    clear: tuple[Area, ...] = ()
    dark: tuple[Area, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all of it may be seen."""
        return self.shown == self.whole


def find_clip(state: State, viewer: Viewer) -> Clip | None:
    """What a viewer may see of the picture in a state with all its secrets; None for nothing at all."""
    whole = map_of(state.scene).picture
    if whole is None:
        return None
    dark = () if viewer.is_gm else tuple(a for a in map_of(state.scene).hidden if _overlap(whole, a))
    known = find_known_map(state, viewer)
    if known is None and not dark:
        return Clip(whole, whole)
    strips = find_strips(known.window, known.known) if known else (_as_area(whole),)
    clear = tuple(part for strip in strips if (part := _overlap(whole, strip)))
    dark = tuple(part for area in dark if (part := _overlap(whole, area)))
    return _cut(whole, clear, dark) if clear else None


def _cut(whole: Picture, clear: tuple[Area, ...], dark: tuple[Area, ...]) -> Clip:
    """The visible part of the picture; its address can't be guessed and reveals nothing of the rest."""
    left, top = min(a.x for a in clear), min(a.y for a in clear)
    right, low = max(a.x + a.width for a in clear), max(a.y + a.depth for a in clear)
    word = repr((whole, clear, dark))
    digest = salted_hmac("combat.picture", word, algorithm="sha256").hexdigest()
    box = (round(number, 3) for number in (left, top, right - left, low - top))
    return Clip(whole, Picture(digest, *box), clear, dark)


def _as_area(box: Picture) -> Area:
    return Area("", box.x, box.y, box.width, box.depth)


def _overlap(one: Picture, other: Area) -> Area | None:
    """The part of a rectangle that lies on the picture; None for nothing."""
    left, top = max(one.x, other.x), max(one.y, other.y)
    right, low = min(one.x + one.width, other.x + other.width), min(one.y + one.depth, other.y + other.depth)
    return Area("", left, top, right - left, low - top) if right > left and low > top else None


def find_shares(whole: Picture, areas: Iterable[Area]) -> tuple[tuple[float, float, float, float], ...]:
    """Rectangles as shares of a picture: left, top, right, bottom, each from 0 to 1."""
    return tuple(
        (
            (area.x - whole.x) / whole.width,
            (area.y - whole.y) / whole.depth,
            (area.x + area.width - whole.x) / whole.width,
            (area.y + area.depth - whole.y) / whole.depth,
        )
        for area in areas
    )
