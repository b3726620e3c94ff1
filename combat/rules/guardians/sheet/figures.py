"""The body of a combatant, part by part: points left, their meaning, and the offers of a tap."""

from __future__ import annotations

from combat.rules.core.basics.words import Label
from combat.rules.core.declaration.figures import BAD, FINE, HURT, LOST, OUT, Figure, Offer, Part
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book import tables
from ..book.options import find_option
from ..book.tables import HEAD, LIMBS, PLACES, TORSO
from ..characters.conditions import find_on_part, is_on_part
from ..characters.values import count_lost, find_armor, find_mp, find_mp_most, has_lost_half, is_typed

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


def make_figure(state: State, combatant: Combatant) -> Figure | None:
    """The six parts of a body, each with its own Mortality Points. [CG-ATK-04]  RULING R20"""
    parts = tuple([make_part(state, combatant, place) for place in PLACES])
    return Figure(shape="human", title="Body", parts=parts)


def make_part(state: State, combatant: Combatant, place: str) -> Part:
    """One part of the body."""
    level, word = describe_part(combatant, place)
    return Part(
        key=place,
        label=tables.locations()[place].name,
        now=find_mp(combatant, place),
        most=find_mp_most(combatant, place),
        level=level,
        word=word,
        armor=describe_armor(combatant, place),
        text=describe_meaning(combatant, place),
        rule=RULES.get(place, "CG-LIMB-01"),
        actions=find_offers(state, combatant, place),
        track=f"mp.{place}",
    )


def describe_part(combatant: Combatant, place: str) -> tuple[int, Label]:
    """The damage of a part: its level and its word.

    [CG-HEAD-01] [CG-HEAD-02] [CG-TORSO-01] [CG-TORSO-04] [CG-LIMB-01] [CG-LIMB-03]
    """
    lost = find_on_part(combatant, "destroyed", place)
    if lost or find_mp(combatant, place) <= 0:
        how = str(lost.marks.get("how", "")) if lost else ""
        return OUT, LOST_WORDS.get((how, is_on_part(combatant, "bleeding", place)), "part.destroyed")
    if has_lost_half(combatant, place):
        if place in LIMBS:
            bleeds = is_on_part(combatant, "bleeding", place)
            return (LOST, "part.disabled_bleeding") if bleeds else (BAD, "part.disabled")
        return LOST, "part.half"
    return (HURT, "part.hurt") if count_lost(combatant, place) else (FINE, "part.whole")


def describe_armor(combatant: Combatant, place: str) -> str:
    """The armor of a part, in a word or two.  [CG-REF-08]"""
    points = find_armor(combatant, place)
    return f"armor {points}" if points else "no armor"


def describe_meaning(combatant: Combatant, place: str) -> str:
    """The meaning of losses there, and the source of its Mortality Points.  RULING R20"""
    whose = " Its Mortality Points are a value typed by the table." if is_typed(combatant, place) else ""
    return TEXTS.get(place, LIMB_TEXT) + whose


def find_offers(state: State, combatant: Combatant, place: str) -> tuple[Offer, ...]:
    """The offers of a tap on a part.

    A called shot at it [CG-REF-04], First Aid on it [CG-BLEED-03] or to wake someone, and the GM's healing of
    it [CG-LIMB-04].
    """
    offers: list[Offer] = []
    if find_option(state, "called_shots") == "on":
        offers.append(("attack", {"target": "", "called": place}))
    if is_on_part(combatant, "bleeding", place):
        offers.append(("first_aid", {"target": "", "place": place}))
    if place == HEAD and has_condition(combatant, "unconscious"):
        offers.append(("first_aid", {"target": ""}))
    if count_lost(combatant, place):
        offers.append(("heal", {"target": "", "place": place}))
    return tuple(offers)
