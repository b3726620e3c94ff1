"""Actions of seeing and talking: sensors, links, and what the GM says about cover and awareness."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.forms import anybody, form_about, name_everyone
from combat.rules.core.state.state import State

from ..book.options import find_option
from ..turn import basic_actions, links, sensing, traits
from ..world.comms import LINKS, find_links, find_means
from ..world.scene import COVER_CHOICES
from .guards import TABLE

YES_NO = (Choice("as_usual", "as usual"), Choice("yes", "warm"), Choice("no", "cold"))


def check_link_now(state: State, actor: str) -> None:
    """Refuse without gear to communicate by. [CE-COMMS-04]"""
    if not find_option(state, "use_comms"):
        raise Refused("not_allowed", "This table plays without communications: the GM can switch them on.")
    if len(find_means(state[actor])) < 2:
        raise Refused("not_allowed", f"{state[actor].name} has no gear to communicate by.")


def link_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The means at hand. [CE-COMMS-04]"""
    combatant = state[actor]
    options = tuple(Choice(kind, LINKS[kind]) for kind in find_means(combatant))
    used = ",".join(find_links(combatant))
    return (
        Field("kinds", "By", "many", options, used, rule="CE-COMMS-04"),
        Field("unit", "All of the unit who can", "flag", required=False),
    )


contact_fields = form_about(Field("contact", "In contact", "flag", rule="CE-COMMS-05", required=False))
COVERS = (Choice("", "none of their own"), *(Choice(key, label) for key, label in COVER_CHOICES))
cover_fields = form_about(Field("cover", "Cover", "choice", COVERS, "half", rule="CE-COVER-01"))


def aware_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The observer, the observed, and whether the observer knows of them. [CE-REACT-07]"""
    options = name_everyone(state)
    other = options[-1].value if options else ""
    return (
        anybody(state),
        Field("of", "Of whom", "target", options, other, rule="CE-REACT-07"),
        Field("aware", "Knows of them", "flag", required=False),
    )


warm_fields = form_about(Field("warm", "In infra-red", "choice", YES_NO, "as_usual", rule="CE-SENS-02"))
ACTIONS = (
    TABLE.act("scan", sensing.scan, sensing.check_scan, fields=sensing.scan_fields, has_odds=False),
    TABLE.act("use_link", links.use_link, check_link_now, fields=link_fields, on_turn=False, has_odds=False),
    TABLE.gm("set_contact", links.set_contact, fields=contact_fields),
    TABLE.gm("set_cover", basic_actions.set_cover, fields=cover_fields),
    TABLE.gm("set_aware", basic_actions.set_aware, fields=aware_fields),
    TABLE.gm("set_warm", basic_actions.set_warm, fields=warm_fields),
    TABLE.gm("set_shield", traits.set_shield, traits.check_shield, fields=traits.shield_fields),
    TABLE.gm("set_nerve", traits.set_nerve, traits.check_nerve, fields=traits.nerve_fields),
)
