"""The forms of the GM's actions: turns and seats, falls, conditions, challenges, comas."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.forms import anybody, folded_field, number_field
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


def next_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant whose turn ends, among those who act together. [SS-INIT-05]"""
    acting = [who for who in (state.active, *state.sharing) if who in state.combatants]
    options = (Choice("", "the first"), *(Choice(who, state.combatants[who].name) for who in acting))
    return (
        Field("target", "Whose turn ends", "choice", options, "", rule="SS-INIT-05", required=False),
        Field("whole", "The whole side's turn", "flag", rule="SS-INIT-05", required=False),
    )


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
    hint = f"1d6 per {gravity.metres} m here ({gravity.name})"
    usual = "default: the gravity here"
    return (
        anybody(state),
        number_field("metres", "Distance (m)", gravity.metres, 0, 1000, help=hint),
        Field("deliberate", "On purpose", "flag", rule="SS-FALL-04", required=False),
        number_field(
            "per_die", "Distance per 1d6 (m)", gravity.metres, 0, 1000, help=usual, required=False, more=True
        ),
    )


def make_up_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A condition that the GM makes up. [SS-COND-01] [SS-COND-02]"""
    return (
        anybody(state),
        Field("name", "Name", "text", value="", rule="SS-COND-01"),
        Field("text", "What it does", "text", value="", rule="SS-COND-01"),
        Field("source", "From", "text", required=False),
        number_field("checks", "Modifier on every roll", 0, -10, 10, required=False),
        Field("stops", "No actions", "flag", required=False),
        number_field("turns", "Lasts (own turns)", 1, 0, 10_000, rule="SS-COND-02", required=False),
        Field("ends", "What ends it", "text", rule="SS-COND-02", required=False),
    )


def expose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A dose or a device the GM places."""
    doses = tuple(Choice(key, row.name) for key, row in tables.consumables().items())
    devices = tuple(Choice(key, row.name) for key, row in tables.things().items() if row.check)
    options = (*doses, *devices)
    return (anybody(state), Field("thing", "Exposed to", "choice", options, "simple_poison"))


def again_fields(state: State, actor: str) -> tuple[Field, ...]:
    """An action that someone may repeat this turn."""
    options = tuple(Choice(key, row.name) for key, row in tables.actions().items())
    return (
        anybody(state),
        Field("action", "What", "choice", options, "interact", rule="SS-OTHER-03"),
        Field("per", "With what", "text", help="the object's name", required=False),
    )


def open_challenge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The numbers of a Skill Challenge."""
    difficulty, successes, failures = (str(n) for n in CHALLENGE)
    return (
        Field("name", "Name", "text", value="Repairs", rule="SS-OTHER-17"),
        Field("difficulty", "Difficulty", "number", value=difficulty, low=EASIEST, high=HARDEST),
        Field("successes", "Successes to win", "number", value=successes, low=1, high=20),
        Field("failures", "Failures to lose", "number", value=failures, low=1, high=20),
    )


def time_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Hours that pass. [SS-INIT-09]"""
    return (
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
