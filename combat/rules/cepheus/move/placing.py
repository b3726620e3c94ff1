"""The starting places of the groups."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present

from ..body.moving import settle_place
from ..book.tables import BANDS, RANGE_BANDS, SQUARE_METERS
from ..world.acting import gm
from ..world.bands import SITES, find_starting_band, place_meters

SITE_NAMES = {"tight": "Tight quarters", "outdoors": "Outdoors", "open": "Wide open ground"}


class PlaceGroups(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Place the sides apart: as usual at a `site`, or at the `band` of the GM's choice."""

    site: str = "outdoors"
    band: str = ""


def check_not_fighting(state: State, actor: str) -> None:
    """Refuse to set the starting range during a fight. [CE-RANGE-19]"""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: move combatants one by one.")
    if len({f.side for f in present(state)}) < 2:
        raise Refused("not_allowed", "There is only one group: add their opponents first.")


def place_groups(context: RuleContext, command: PlaceGroups) -> None:
    """Place each side in a line, at the starting range from the one before.

    [CE-RANGE-19] [CE-RANGE-20] [CE-RANGE-21] [CE-RANGE-22] [CE-RANGE-23] [CE-RANGE-24]
    """
    if command.site not in SITES or command.band not in ("", *BANDS):
        raise Refused("bad_value", "Choose a kind of place and, if you like, a range band from the lists.")
    state = context.state
    band = find_starting_band(state, command.site, command.band)
    sides = list(dict.fromkeys(f.side for f in present(state)))
    for column, side in enumerate(sides):
        outside = [f for f in present(state) if f.side == side and not f.inside]
        for row, combatant in enumerate(outside):
            goal = Point(column * place_meters(band), row * SQUARE_METERS)
            path = (combatant.at, goal)
            context.emit(e.Moved(combatant.id, path, 0.0, cost=0.0, how="how.is_placed"), "CE-RANGE-19")
    settle_place(context, *context.state.combatants)
    wanted = command.band or SITES[command.site][0]
    rule = "CE-RANGE-19" if band == wanted else "CE-RANGE-23" if band == "short" else "CE-RANGE-24"
    context.emit(e.Said("log.starts_at", args={"band": say(f"band.{band}")}), rule)


def placing_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the kind of place, with its usual range."""
    sites = tuple(
        Choice(site, SITE_NAMES[site], f"usually {RANGE_BANDS[bands[0]].name}")
        for site, bands in SITES.items()
    )
    bands = (Choice("", "as usual"), *(Choice(band, RANGE_BANDS[band].name) for band in BANDS))
    return (
        Field("site", "Where", "choice", options=sites, value="outdoors", rule="CE-RANGE-19"),
        Field("band", "Range", "choice", options=bands, value="", rule="CE-RANGE-19", required=False),
    )


ACTIONS = (gm("place_groups", place_groups, check_not_fighting, fields=placing_fields, has_odds=False),)
