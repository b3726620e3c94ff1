"""Actions of seeing and talking: sensors, links, and what the Referee says of cover and awareness."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Action, Field
from combat.rules.core.gm.decisions import gm_action
from combat.rules.core.state.state import State, present

from ..book.options import find_option
from ..turn import everyday, links, sensing, traits
from ..world.comms import LINKS, find_links, find_means
from ..world.scene import COVER_CHOICES
from .guards import check_free_to_act
from .turn import WORD, anybody

GROUP = "Senses"
YES_NO = (Choice("as_usual", "as usual"), Choice("yes", "warm"), Choice("no", "cold"))


def find_obstacle_link(state: State, actor: str) -> None:
    """[CE-COMMS-04] There has to be another means than the one in use."""
    if not find_option(state, "use_comms"):
        raise Refused("not_allowed", "This table plays without communications: the GM can switch them on.")
    if len(find_means(state[actor])) < 2:
        raise Refused("not_allowed", f"{state[actor].name} has no gear to communicate by.")


def link_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-COMMS-04] The means at hand."""
    fighter = state[actor]
    options = tuple(Choice(kind, LINKS[kind]) for kind in find_means(fighter))
    used = ",".join(find_links(fighter))
    return (
        Field("kinds", "By", "many", options, used, rule="CE-COMMS-04"),
        Field("unit", "All of the unit who can", "flag", required=False),
    )


def contact_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-COMMS-05] Who, and whether they are in contact."""
    return (anybody(state), Field("contact", "In contact", "flag", rule="CE-COMMS-05", required=False))


def cover_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-COVER-01] Who, and behind what."""
    kinds = (Choice("", "none of their own"), *(Choice(key, label) for key, label in COVER_CHOICES))
    return (anybody(state), Field("cover", "Cover", "choice", kinds, "half", rule="CE-COVER-01"))


def aware_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-REACT-07] Who, of whom, and whether they know."""
    options = tuple(Choice(f.id, f.name, f.side) for f in present(state))
    other = options[-1].value if options else ""
    return (
        anybody(state),
        Field("of", "Of whom", "target", options, other, rule="CE-REACT-07"),
        Field("aware", "Knows of them", "flag", required=False),
    )


def warm_fields(state: State, actor: str) -> tuple[Field, ...]:
    """[CE-SENS-02] Who, and whether infra-red shows them."""
    return (anybody(state), Field("warm", "In infra-red", "choice", YES_NO, "as_usual", rule="CE-SENS-02"))


ACTIONS = (
    Action(
        name="scan",
        label="Use a sensor",
        group=GROUP,
        type=sensing.Scan,
        run=sensing.scan,
        rule="CE-SENS-05",
        cost="Minor",
        find_bar=check_free_to_act,
        find_obstacle=sensing.check_scan,
        find_fields=sensing.scan_fields,
        has_odds=False,
        text="Find hidden people, or what is in the air. Goggles need no action to aim by.",
    ),
    Action(
        name="use_link",
        label="Communicate",
        group=GROUP,
        type=links.UseLink,
        run=links.use_link,
        rule="CE-COMMS-04",
        cost="Free",
        find_bar=check_free_to_act,
        find_obstacle=find_obstacle_link,
        find_fields=link_fields,
        on_turn=False,
        has_odds=False,
        text="With people out of earshot, by signals or by gear you carry.",
    ),
    gm_action(
        "set_contact",
        "In contact or not",
        WORD,
        links.SetContact,
        links.set_contact,
        "CE-COMMS-05",
        fields=contact_fields,
        text="Out of earshot and sight, off the wire: no Tactics, no Leadership.",
    ),
    gm_action(
        "set_cover",
        "Cover of one combatant",
        WORD,
        everyday.SetCover,
        everyday.set_cover,
        "CE-COVER-01",
        fields=cover_fields,
    ),
    gm_action(
        "set_aware",
        "Who knows of whom",
        WORD,
        everyday.SetAware,
        everyday.set_aware,
        "CE-REACT-07",
        fields=aware_fields,
        text="Nobody reacts to an attacker they do not know of.",
    ),
    gm_action(
        "set_warm",
        "Warm or cold",
        WORD,
        everyday.SetWarm,
        everyday.set_warm,
        "CE-SENS-02",
        fields=warm_fields,
    ),
    gm_action(
        "set_shield",
        "Shielded electrics",
        WORD,
        traits.SetShield,
        traits.set_shield,
        "CE-SENS-06",
        fields=traits.shield_fields,
        check=traits.check_shield,
        text="Electromagnetic detectors find gauss weapons and transmitters, unless they are shielded.",
    ),
    gm_action(
        "set_nerve",
        "Nerves of steel",
        WORD,
        traits.SetNerve,
        traits.set_nerve,
        "CE-SUPP-11",
        fields=traits.nerve_fields,
        check=traits.check_nerve,
        text="Zealots, androids and the suicidal do not care about suppression fire.",
    ),
)
