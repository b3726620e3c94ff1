"""Evenings as a calendar file (RFC 5545): what phones and calendar apps open and subscribe to.

Written by hand: it is one kind of event with nine lines, and no library is kept for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from combat.models import GameEvening

KIND = "text/calendar; charset=utf-8"
PRODUCT = "-//Cosmos Table//Next evening//EN"
MAX_OCTETS = 75  # of a line, without its end
END = "\r\n"


def write_calendar(name: str, evenings: Iterable[GameEvening], link: str) -> bytes:
    """The evenings of a campaign as a calendar; `link` is the address of its page."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escape(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ]
    for one in evenings:
        lines += _write_event(name, one, link)
    return "".join(fold(line) + END for line in [*lines, "END:VCALENDAR"]).encode()


def _write_event(name: str, one: GameEvening, link: str) -> list[str]:
    place = [f"LOCATION:{escape(one.place)}"] if one.place else []
    return [
        "BEGIN:VEVENT",
        f"UID:{one.uid}@cosmos-table",
        f"DTSTAMP:{_write_time(one.changed)}",
        f"DTSTART:{_write_time(one.starts)}",
        f"DTEND:{_write_time(one.ends)}",
        f"SEQUENCE:{one.changes}",
        f"SUMMARY:{escape(name)}",
        *place,
        f"URL:{link}",
        f"STATUS:{'CANCELLED' if one.withdrawn else 'CONFIRMED'}",
        "END:VEVENT",
    ]


def _write_time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escape(text: str) -> str:
    """A text as a value of a calendar: no sign in it ends the value or the line."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join("".join(letter for letter in line if letter.isprintable()) for line in lines)


def fold(line: str) -> str:
    """A line in pieces of at most 75 octets; every piece but the first begins with a space."""
    pieces, room, piece = [], MAX_OCTETS, ""
    for letter in line:
        size = len(letter.encode())
        if size > room:
            pieces.append(piece)
            piece, room = "", MAX_OCTETS - 1
        piece, room = piece + letter, room - size
    return f"{END} ".join([*pieces, piece])
