"""What lies in a campaign: handouts and who sees them, house rules by game, packs and their makers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from combat.models import Campaign, Handout, HandoutShowing, PackUse
from combat.play.scenes.ready import find_ready_scene
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.system import System

from ..home.pictures import draw_picture

MOST_NAMED = 3  # seats beside a handout
FIRST = ("docking_ring", "bazaar", "free_trader", "checkpoint")  # scenes that a new campaign shows
FACES = ("pilot", "raider", "enforcer", "horned")  # a player's, and those of a pack


@dataclass(frozen=True)
class HandoutTile:
    """A handout: since when it is shown and to whom, such as “Ida, Tom”; no time if nobody sees it."""

    handout: Handout
    since: datetime | None = None
    to: str = ""


@dataclass(frozen=True)
class RulesLine:
    """What a campaign changes of a game: how many rules, and in words which; its own conditions.

    `is_used`: the game is the one played last, or the campaign changes something of it.
    """

    game: System
    count: int
    words: str
    conditions: int
    is_used: bool


@dataclass(frozen=True)
class PackLine:
    """A pack that is switched on: whose it is, and how many things it made here."""

    use: PackUse
    whose: str
    things: int


def view_first() -> dict[str, Any]:
    """The pictures of an empty campaign: some ready scenes, and faces."""
    system = find_system(next(iter(SYSTEMS)))
    scenes = (replace(system.begin(), scene=find_ready_scene(key).scene) for key in FIRST)
    return {"scenes": [draw_picture(system, state, {}) for state in scenes], "faces": FACES}


def view_handouts(campaign: Campaign) -> list[HandoutTile]:
    """The handouts, each with who sees it at any table of the campaign. Two queries."""
    seen: dict[int, list[HandoutShowing]] = {}
    for one in HandoutShowing.objects.filter(handout__campaign=campaign).select_related("seat"):
        seen.setdefault(one.handout_id, []).append(one)
    return [_view_handout(one, seen.get(one.pk, [])) for one in campaign.handouts.defer("image")]


def _view_handout(handout: Handout, seen: list[HandoutShowing]) -> HandoutTile:
    if not seen:
        return HandoutTile(handout)
    names = list(dict.fromkeys(one.seat.name for one in seen if one.seat))
    more = len(names) - MOST_NAMED
    listed = ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    to = "everyone" if any(one.seat is None for one in seen) else listed
    return HandoutTile(handout, max(one.since for one in seen), to)


def view_rules(campaign: Campaign, last: System | None) -> list[RulesLine]:
    """A line for each game, those that the campaign uses first."""
    lines = [_view_game(campaign, find_system(slug), last) for slug in SYSTEMS]
    return sorted(lines, key=lambda line: not line.is_used)


def _view_game(campaign: Campaign, game: System, last: System | None) -> RulesLine:
    changed = campaign.options.get(game.slug, {})
    labels = [option.label for option in game.book.all_options if option.key in changed]
    conditions = campaign.conditions.get(game.slug, [])
    words = [*labels, *(str(one.get("name", "")) for one in conditions)]
    is_used = game == last or bool(changed or conditions)
    return RulesLine(game, len(changed), "; ".join(words), conditions=len(conditions), is_used=is_used)


def view_packs(campaign: Campaign) -> list[PackLine]:
    """The packs that are switched on, without their files."""
    uses = campaign.packs.select_related("pack").defer("pack__document")
    own = campaign.owner.get_username()
    return [_view_pack(use, own) for use in uses]


def _view_pack(use: PackUse, own: str) -> PackLine:
    author = use.pack.author
    things = sum(len(made) for made in use.made.values() if isinstance(made, list | dict))
    return PackLine(use, "yours" if author == own else f"by {author}" if author else "", things)
