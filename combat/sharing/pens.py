"""Who holds a drawing pointer at a table: the GM lends one to a seat for an evening."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from characters.models import Character
from combat.audience.changes import find_players
from combat.models import Seat
from combat.play.writing.locking import alone, locked
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.sharing.viewer_context import ViewerContext

LENT = timedelta(hours=12)
INKS = 6  # colours of players' lines; the GM's is 0
MAX_PINS = 8  # one digit key each, and one key to spare
SECONDS = 365 * 86_400


def lend_pens(encounter: int, seats: Collection[int]) -> None:
    """Hand a pointer to each of these seats, preferring unused colours."""
    with locked(encounter):  # two GMs at once would give one colour twice
        players = list(find_players(encounter))
        taken = [ink for seat in players if (ink := find_ink_of(seat))]
        lent = [seat for seat in players if seat.pk in seats and not find_ink_of(seat)]
        for seat in lent:
            seat.pen, seat.pen_until = min(range(1, INKS + 1), key=taken.count), timezone.now() + LENT
            taken.append(seat.pen)
        Seat.objects.bulk_update(lent, ["pen", "pen_until"])


def take_pens(encounter: int, seat: int | None = None) -> None:
    """Take the pointer of a seat back, or all."""
    held = Seat.objects.filter(encounter=encounter, pen__gt=0)
    (held if seat is None else held.filter(pk=seat)).update(pen=0, pen_until=None)


def find_ink_of(seat: Seat) -> int | None:
    """The colour of the pointer that a seat holds; None without one."""
    is_held = seat.pen and seat.pen_until and timezone.now() < seat.pen_until
    return seat.pen if is_held else None


def find_ink(context: ViewerContext) -> int | None:
    """The viewer's colour for drawing; None without a pointer. The GM always has one."""
    if context.viewer.is_gm:
        return 0
    return find_ink_of(context.seat) if context.seat and context.viewer.is_seated else None


# The actions that someone has pinned: kept with the sheet that they are for, or, of who has none, in their
# browser for a year, per game.


def read_pins(request: HttpRequest, slug: str) -> tuple[str, ...]:
    """The names of a game's pinned actions, in the order they were pinned."""
    actions = find_system(slug).actions.by_name
    names = dict.fromkeys(request.COOKIES.get(f"pins-{slug}", "").split("."))
    return tuple(name for name in names if name in actions)[:MAX_PINS]


def change_pins(pins: tuple[str, ...], slug: str, name: str, pinned: bool) -> tuple[str, ...]:
    """The pins with one more or one fewer; Refused if there is no such action, or no room."""
    action = find_system(slug).action(name)
    others = tuple(each for each in pins if each != name)
    if not pinned:
        return others
    if action.who == "gm":
        raise Refused("bad_value", f"{action.label} stands under GM actions: pin what a combatant does.")
    if len(others) >= MAX_PINS:
        raise Refused("bad_value", f"{MAX_PINS} actions are pinned already: unpin one first.")
    return (*others, name)


def order_pins(pins: tuple[str, ...], slug: str, do: str, names: Sequence[str]) -> tuple[str, ...]:
    """The pins after an act on them: one more, one fewer, one earlier, just these, or none.

    Refused for an act that there is not, for what is no action of a combatant, and without room.
    """
    name = names[0] if names else ""
    if do in ("pin", "unpin"):
        return change_pins(pins, slug, name, do == "pin")
    if do == "reset":
        return ()
    if do == "keep":
        kept: tuple[str, ...] = ()
        for one in dict.fromkeys(names):
            kept = change_pins(kept, slug, one, True)
        return kept
    if name not in pins:
        raise Refused("bad_value", "That is not among your actions: pin it first.")
    others = [one for one in pins if one != name]
    if do not in ("first", "earlier"):
        raise Refused("unknown", "Pin, unpin, order, keep or reset your actions.")
    others.insert(0 if do == "first" else max(0, pins.index(name) - 1), name)
    return tuple(others)


def keep_bar(number: int, slug: str, do: str, names: Sequence[str]) -> None:
    """Change the usual actions of a sheet: no step of its history. Refused as by `order_pins`."""
    with alone():
        sheet = Character.objects.select_for_update().filter(pk=number).first()
        if sheet is None:
            raise Refused("stale", "That sheet was deleted.")
        known = find_system(slug).actions.by_name
        bar = tuple(name for name in map(str, sheet.bar) if name in known)
        Character.objects.filter(pk=number).update(bar=list(order_pins(bar, slug, do, names)))


def keep_pins(answer: HttpResponse, slug: str, pins: tuple[str, ...]) -> None:
    """Store the pins in the browser."""
    answer.set_cookie(
        f"pins-{slug}",
        ".".join(pins),
        max_age=SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
