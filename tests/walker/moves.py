"""Moves on the map: what a tap on the ground or on another deck asks for, and the button of its card."""

from __future__ import annotations

from random import Random
from typing import Any
from urllib.parse import urlencode

from tests.combat.markup import Page
from tests.walker.people import Found, Table
from tests.walker.reading import Fields, Offer

TAP = "tap "  # begins the key of a move: its fields follow, as in an address
ACROSS = ("up", "down")


def find_actor(page: Page) -> str:
    """Whose moves the map of a page shows; empty for nobody's."""
    forms = page.all("form", id="map-move")
    return forms[0]["data-actor"] if forms else ""


def pick_move(table: Table, who: str, page: Page, chance: Random) -> Offer | None:
    """What the card of a tap somewhere on the map offers; None if it offers nothing."""
    actor = find_actor(page)
    if not actor:
        return None
    if chance.random() < 0.25:
        return offer_move(table, who, {"combatant": actor, "across": chance.choice(ACROSS)})
    found = ask(table, who, {"combatant": actor})
    if not found.get("places"):
        return None
    x, y, _, _, _, move, *_ = chance.choice(found["places"])
    return offer_move(
        table, who, {"combatant": actor, "do": found["moves"][move]["do"], "to": f"{x:g},{y:g}"}
    )


def offer_move(table: Table, who: str, asked: dict[str, str]) -> Offer | None:
    """The filled button of a card, as the consequences of a move say it."""
    found = ask(table, who, asked)
    if "across" in asked:
        if found.get("refused") or not found.get("parts"):
            return None
        fields = {"do": "move_to_deck", "combatant": asked["combatant"], "to": asked["across"]}
    elif found.get("refused"):
        fields = (found.get("out") or {}).get("fields") or {}
        if not fields.get("plan"):
            return None
    else:
        fields = asked
    sent: Fields = {name: [str(value)] for name, value in fields.items()}
    price = "" if fields is not asked else found.get("price", "")
    return Offer(TAP + urlencode(asked), "a place on the map", "post", table.here, sent, (), True, price)


def ask(table: Table, who: str, asked: dict[str, str]) -> dict[str, Any]:
    """What the map is told."""
    answer = table.get(who, f"{table.here}paths/?{urlencode(asked)}")
    if answer.status_code not in (200, 422):
        raise Found("dead link", f"{who} asks the map for {asked}: {answer.status_code}")
    found: dict[str, Any] = answer.json()
    return found
