"""The actions of the game, room by room: larger rooms have a module beside this one.

The first actions of each group lead the page. Driving comes early, because a driver has to do it.
"""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.forms import anybody, form_about, form_of, name_everyone, number_field
from combat.rules.core.declaration.actions import Brief, name_loaded
from combat.rules.core.state.state import Combatant, State, present

from .. import time
from ..book import tables
from ..book.options import check_used
from ..book.tables import MENTAL
from ..care import hazards
from ..care.treatment import check_doctor
from ..move import movement, placing, stance
from ..people.machinery import DRIVER
from ..people.values import is_person, is_vehicle
from ..turn import basic_actions, links, sensing, traits
from ..world.comms import LINKS, find_links, find_means
from ..world.motion import allowed_meters
from ..world.scene import COVER_CHOICES
from . import care, fight, turn, vehicles
from .forms.fight import name_attack
from .guards import TABLE, find_reason, people_field

# ---------------------------------------------------------------- damage


def _anybody(state: State, actor: str) -> Field:
    options = tuple(Choice(combatant.id, combatant.name) for combatant in present(state))
    known = {option.value for option in options}
    value = actor if actor in known else next(iter(known and [options[0].value]), "")
    return Field("target", "Target", "choice", options, value)


def find_fields_damage(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the amount of damage, and whether armor counts."""
    return (
        _anybody(state, actor),
        Field("amount", "Damage", "text", value="3d6", help="dice or points: 3d6, 5", rule="CE-DMG-01"),
        Field("past_armor", "Armor does not count", "flag", required=False, rule="CE-ARMOR-01"),
        Field("laser", "It is a laser", "flag", required=False),
    )


def find_fields_mind(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the mental characteristic, and the amount of damage."""
    names = tables.characteristics()
    keys = tuple(Choice(key, names[key].name) for key in MENTAL)
    return (
        people_field(state, actor, "Target", hazards.check_alive),
        Field("key", "Characteristic", "choice", keys, MENTAL[0], rule="CE-MENT-01"),
        Field("amount", "Damage", "text", value="1d6", help="dice or points: 1d6, 2"),
    )


def find_fields_person(state: State, actor: str) -> tuple[Field, ...]:
    """The person it happens to."""
    return (people_field(state, actor, "Target", hazards.check_alive),)


def find_fields_hazard(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the hazard, and how often it strikes."""
    known = tuple(Choice(h.id, h.name, f"{h.damage}, {h.text}") for h in tables.hazards().values())
    return (
        people_field(state, actor, "Target", hazards.check_alive),
        Field("hazard", "Hazard", "choice", known, known[0].value),
        number_field("times", "Times", 1, 1, 100, help="a fall: once for each 2 m"),
    )


DAMAGE_ACTIONS = (
    TABLE.gm("deal_damage", hazards.deal_damage, fields=find_fields_damage),
    TABLE.gm("hazard", hazards.expose, fields=find_fields_hazard),
    TABLE.gm("deal_mind", hazards.deal_mind, fields=find_fields_mind),
    TABLE.gm("exhaust", hazards.exhaust, fields=find_fields_person),
)


# ---------------------------------------------------------------- time


find_fields_time = form_of(
    number_field("hours", "Hours", 1, 0, time.MAX_HOURS),
    number_field("minutes", "Minutes", 0, 0, 59, required=False),
    Field("resting", "Everybody rests", "flag", required=False, rule="CE-FAT-03"),
)


def find_fields_rest(state: State, actor: str) -> tuple[Field, ...]:
    """The kind of rest, its length, the people, and the care they get."""
    kinds = (Choice("rest", "Full rest: 1D6 + Endurance DM"), Choice("active", "Active: 1 + Endurance DM"))
    people = tuple(
        Choice(combatant.id, combatant.name) for combatant in present(state) if is_person(combatant)
    )

    def check(state: State, who: str) -> None:
        check_doctor(state, who, "gives medical care")

    able = [combatant for combatant in present(state) if not is_vehicle(combatant)]
    doctors = tuple(Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in able)
    return (
        Field("kind", "How", "choice", kinds, "rest", rule="CE-HEAL-01"),
        number_field("days", "Days", 1, 1, time.MAX_DAYS),
        Field("who", "Who", "many", people, required=False, help="blank: everyone"),
        Field(
            "doctor",
            "Medical care by",
            "choice",
            (Choice("", "nobody"), *doctors),
            "",
            required=False,
            rule="CE-MED-14",
        ),
        Field("hospital", "In a hospital or sickbay", "flag", required=False, rule="CE-MED-16"),
        Field("slow", "Slow drug: each day heals as a month does", "flag", required=False),
    )


TIME_ACTIONS = (
    TABLE.gm("pass_time", time.pass_time, time.check_pass, fields=find_fields_time, has_odds=False),
    TABLE.gm("rest", time.rest, time.check_pass, fields=find_fields_rest, has_odds=False),
)


# ---------------------------------------------------------------- moving


MOVE_ACTIONS = (
    TABLE.act(
        "move", movement.move, movement.check_move, fields=movement.move_fields, reach=movement.find_reach
    ),
    TABLE.act("stance", stance.take_stance, stance.check_stance, fields=stance.stance_fields),
    TABLE.gm(
        "place_groups",
        placing.place_groups,
        placing.check_not_fighting,
        fields=placing.placing_fields,
        has_odds=False,
    ),
)


# ---------------------------------------------------------------- seeing and talking


YES_NO = (Choice("as_usual", "as usual"), Choice("yes", "warm"), Choice("no", "cold"))


def check_comms_used(state: State, actor: str) -> None:
    """Refuse what matters only to communications, if the table plays without. RULING R61"""
    check_used(state, "use_comms", "communications", "them")


def check_sensors_used(state: State, actor: str) -> None:
    """Refuse what matters only to sensors, if the table plays without. RULING R61"""
    check_used(state, "use_conditions", "sensors", "them")


def check_link_now(state: State, actor: str) -> None:
    """Refuse without gear to communicate by. [CE-COMMS-04]"""
    check_comms_used(state, actor)
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
WORLD_ACTIONS = (
    TABLE.act("scan", sensing.scan, sensing.check_scan, fields=sensing.scan_fields, has_odds=False),
    TABLE.act("use_link", links.use_link, check_link_now, fields=link_fields, on_turn=False, has_odds=False),
    TABLE.gm("set_contact", links.set_contact, check_comms_used, fields=contact_fields),
    TABLE.gm("set_cover", basic_actions.set_cover, fields=cover_fields),
    TABLE.gm("set_aware", basic_actions.set_aware, fields=aware_fields),
    TABLE.gm("set_warm", basic_actions.set_warm, check_sensors_used, fields=warm_fields),
    TABLE.gm("set_shield", traits.set_shield, traits.check_shield, fields=traits.shield_fields),
    TABLE.gm("set_nerve", traits.set_nerve, traits.check_nerve, fields=traits.nerve_fields),
)


ACTIONS = (
    *fight.ATTACKS,
    *vehicles.DRIVER,
    *fight.HANDLING,
    *fight.CHARGES,
    *DAMAGE_ACTIONS,
    *care.ACTIONS,
    *TIME_ACTIONS,
    *MOVE_ACTIONS,
    *WORLD_ACTIONS,
    *turn.ACTIONS,
    *vehicles.ACTIONS,
)


# ---------------------------------------------------------------- tiles


def find_pressing(state: State, combatant: Combatant) -> tuple[str, ...]:
    """Driving comes first for whoever is at the controls: what nobody drives goes straight on. [CE-VEH-05]"""
    return ("drive",) if combatant.station == DRIVER else ()


BRIEFS: dict[str, Brief] = {
    "attack": name_attack,
    "lob": "Everyone near is caught",
    "aim": "+1 on your next attack",
    "aim_to_kill": "+2 damage on it",
    "suppress": "Costs them Initiative",
    "panic_fire": "Every round left, at −2",
    "blind_fire": "At someone unseen",
    "blind_lob": "At a place unseen",
    "grapple": "An opposed check",
    "coup_de_grace": "Someone helpless beside you",
    "drive": "Control for this round",
    "maneuver": "Round obstacles, no check",
    "evade": "Harder to hit",
    "ram": "Drive into something",
    "stunt": "Nearly any feat",
    "weave": "Between obstacles",
    "break_off": "Lets the quarry go",
    "ready": "Into your hand",
    "reload": name_loaded("Fresh rounds"),
    "put_away": "Frees a hand",
    "drop": "Something in your hand",
    "pick_up": "What lies within reach",
    "set_charge": "A Demolitions check",
    "set_off": "From any distance",
    "first_aid": "Soon after the wound",
    "take_drug": "One dose",
    "move": lambda state, combatant: f"Up to {allowed_meters(combatant):g} m",
    "stance": "Stand, crouch or lie prone",
    "scan": "Find what is hidden",
    "use_link": "By signals or gear",
    "exchange": "For the significant one",
    "delay": "Act later in the round",
    "interrupt": "Your turn comes at once",
    "step_in": "Your turn comes next",
    "hasten": "Initiative +2, DM −1",
    "hasten_next": "Counts from next round",
    "tactics": "Once, as combat starts",
    "leadership": "To someone's Initiative",
    "check": "Anything else you do",
    "door": "One within reach",
    "abandon": "Frees you for other things",
    "free": "A shout, a button, a glance",
    "get_in": "A vehicle next to you",
    "get_out": "Onto the ground beside it",
    "change_place": "Another seat",
    "strap_in": "Softens collisions",
    "rig_now": "One hit better for hours",
    "steer": "It acts on its next turn",
}
