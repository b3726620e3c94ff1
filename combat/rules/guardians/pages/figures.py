"""The body of a fighter, part by part: what is left, what that means, what a tap offers."""

from __future__ import annotations

from combat.rules.core.basics.words import Label
from combat.rules.core.figures import BAD, FINE, HURT, LOST, OUT, Figure, Offer, Part
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book import tables
from ..book.options import find_option
from ..book.tables import HEAD, LIMBS, PLACES, TORSO
from ..people.conditions import find_on_part, is_on_part
from ..people.values import count_lost, find_armor, find_mp, find_mp_most, has_lost_half, is_typed

RULES = {HEAD: "CG-HEAD-01", TORSO: "CG-TORSO-01"}  # of limbs: CG-LIMB-01
TEXTS = {
    HEAD: "Half of its points lost is unconsciousness, all of them death for good.",
    TORSO: "Half of its points lost costs 5 ranks on everything, all of them is death.",
}
LOST_WORDS = {  # how a limb was lost, and whether it bleeds
    ("severed", False): "part.severed",
    ("severed", True): "part.severed_bleeding",
    ("crushed", False): "part.crushed",
    ("crushed", True): "part.crushed_bleeding",
}
LIMB_TEXT = "Half of its points lost disables it, all of them destroy it: it bleeds until First Aid."


def make_figure(state: State, fighter: Combatant) -> Figure | None:
    """[CG-ATK-04] The six parts of a body, each with its own Mortality Points.  RULING R20"""
    return Figure(
        shape="human", title="Body", parts=tuple(make_part(state, fighter, place) for place in PLACES)
    )


def make_part(state: State, fighter: Combatant, place: str) -> Part:
    """One part of the body."""
    level, word = describe_part(fighter, place)
    return Part(
        key=place,
        label=tables.locations()[place].name,
        now=find_mp(fighter, place),
        most=find_mp_most(fighter, place),
        level=level,
        word=word,
        armor=describe_armor(fighter, place),
        text=describe_meaning(fighter, place),
        rule=RULES.get(place, "CG-LIMB-01"),
        actions=find_offers(state, fighter, place),
        track=f"mp.{place}",
    )


def describe_part(fighter: Combatant, place: str) -> tuple[int, Label]:
    """How badly off a part is: its level and its word.

    [CG-HEAD-01] [CG-HEAD-02] [CG-TORSO-01] [CG-TORSO-04] [CG-LIMB-01] [CG-LIMB-03]
    """
    lost = find_on_part(fighter, "destroyed", place)
    if lost or find_mp(fighter, place) <= 0:
        how = str(lost.marks.get("how", "")) if lost else ""
        return OUT, LOST_WORDS.get((how, is_on_part(fighter, "bleeding", place)), "part.destroyed")
    if has_lost_half(fighter, place):
        if place in LIMBS:
            bleeds = is_on_part(fighter, "bleeding", place)
            return (LOST, "part.disabled_bleeding") if bleeds else (BAD, "part.disabled")
        return LOST, "part.half"
    return (HURT, "part.hurt") if count_lost(fighter, place) else (FINE, "part.whole")


def describe_armor(fighter: Combatant, place: str) -> str:
    """What protects a part, in a word or two.  [CG-REF-08]"""
    points = find_armor(fighter, place)
    return f"armor {points}" if points else "no armor"


def describe_meaning(fighter: Combatant, place: str) -> str:
    """What losses there mean, and whose number its Mortality Points are.  RULING R20"""
    whose = " Its Mortality Points are a value typed by the table." if is_typed(fighter, place) else ""
    return TEXTS.get(place, LIMB_TEXT) + whose


def find_offers(state: State, fighter: Combatant, place: str) -> tuple[Offer, ...]:
    """What a tap on a part offers: a called shot at it [CG-REF-04], First Aid on it [CG-BLEED-03] or to
    wake somebody, and the GM's healing of it [CG-LIMB-04]."""
    offers: list[Offer] = []
    if find_option(state, "called_shots") == "on":
        offers.append(("attack", {"target": "", "called": place}))
    if is_on_part(fighter, "bleeding", place):
        offers.append(("first_aid", {"target": "", "place": place}))
    if place == HEAD and has_condition(fighter, "unconscious"):
        offers.append(("first_aid", {"target": ""}))
    if count_lost(fighter, place):
        offers.append(("heal", {"target": "", "place": place}))
    return tuple(offers)
