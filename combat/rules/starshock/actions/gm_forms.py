"""The forms of the GM's actions: turns and seats, falls, conditions, challenges, comas."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import MAX_DICE
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.forms import (
    anybody,
    folded_field,
    form_about,
    form_of,
    form_of_next,
    number_field,
)
from combat.rules.core.state.state import State, has_condition, present

from ..book import tables
from ..book.tables import CHALLENGE, EASIEST, GRAVITIES, HARDEST
from ..turn.seating_order import find_followers, find_gm_side, find_seats, is_seated


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The modifiers of the initiative checks. [SS-INIT-11]"""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    skills = (Choice("", "none"), *(Choice(name, name) for name in tables.skills()))
    return (
        number_field("adjust", "For everyone", 0, -3, 3, rule="SS-INIT-11", required=False),
        Field("ambushers", "In ambush (+1)", "many", seats, rule="SS-INIT-11", required=False),
        Field("surprised", "Surprised (\N{MINUS SIGN}1)", "many", seats, rule="SS-INIT-11", required=False),
        folded_field("skill", "Skill that helps", "choice", skills, ""),
    )


next_fields = form_of_next("SS-INIT-05", "The whole side's turn")


def seat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The player to move, and the new seat."""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    after = (Choice("", "next to the GM"), *(Choice(c.value, f"after {c.label}") for c in seats))
    return (
        Field("target", "Player", "choice", seats, first_open(seats), rule="SS-INIT-04"),
        Field("after", "Sits", "choice", after, "", rule="SS-INIT-04", required=False),
    )


def follow_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The ally, and the player they act after."""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    allies = tuple(
        Choice(f.id, f.name)
        for f in present(state)
        if not is_seated(state, f) and f.id not in find_gm_side(state)
    )
    current = next(
        (c.value for c in seats if allies and allies[0].value in find_followers(state, c.value)), ""
    )
    return (
        Field("target", "Ally", "choice", allies, first_open(allies)),
        Field("player", "Acts after", "choice", seats, current or first_open(seats)),
    )


def fall_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who falls, how far, and whether on purpose. [SS-FALL-04]"""
    gravity = GRAVITIES[state.scene.settings.get("gravity", "mars_artigrav")]
    hint = f"1d6 per {gravity.metres} m here ({gravity.name}), up to {MAX_DICE} dice"
    usual = "default: the gravity here"
    return (
        anybody(state),
        number_field("metres", "Distance (m)", gravity.metres, 0, 1000, help=hint),
        Field("deliberate", "On purpose", "flag", rule="SS-FALL-04", required=False),
        number_field(
            "per_die", "Distance per 1d6 (m)", gravity.metres, 0, 1000, help=usual, required=False, more=True
        ),
    )


DOSES = (Choice(key, row.name) for key, row in tables.consumables().items())
DEVICES = (Choice(key, row.name) for key, row in tables.things().items() if row.check)
expose_fields = form_about(Field("thing", "Exposed to", "choice", (*DOSES, *DEVICES), "simple_poison"))
ACTIONS = tuple(Choice(key, row.name) for key, row in tables.actions().items())
again_fields = form_about(
    Field("action", "What", "choice", ACTIONS, "interact", rule="SS-OTHER-03"),
    Field("per", "With what", "text", help="the object's name", required=False),
)
open_challenge_fields = form_of(
    Field("name", "Name", "text", value="Repairs", rule="SS-OTHER-17"),
    number_field("difficulty", "Difficulty", CHALLENGE[0], EASIEST, HARDEST),
    number_field("successes", "Successes to win", CHALLENGE[1], 1, 20),
    number_field("failures", "Failures to lose", CHALLENGE[2], 1, 20),
)
time_fields = form_of(
    number_field("hours", "Hours", 1, 1, 720, rule="SS-INIT-09"),
    Field("resting", "Everyone rests", "flag", required=False),
)


def treat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The points that the medical center heals. [SS-COMA-11]"""
    return (
        comatose_field(state),
        number_field("points", "Damage healed", 0, 0, 999, rule="SS-COMA-11", required=False),
    )


def comatose_field(state: State) -> Field:
    """A field for a comatose character."""
    options = tuple(Choice(f.id, f.name) for f in present(state) if has_condition(f, "coma"))
    return Field("target", "Who", "target", options, first_open(options))


def shock_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The character to wake. [SS-COMA-12]"""
    return (comatose_field(state),)
