"""The fields that all strikes share: the weapon, and what the form says of the target's situation."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.forms import folded_field
from combat.rules.core.state.state import State, find_condition, present

from ..book.tables import CONCEALMENT, COVER
from ..book.traits import has_tag
from ..characters.conditions import KINDS
from ..characters.sheet import ATTRIBUTES, attribute
from .weapons import weapon_choices

FROM_SCENE = Choice("", "from the scene")


ROLL_GUESS = Choice("roll", "roll a d10", "6 or more finds the place")  # RULING R50


YES_NO = (FROM_SCENE, Choice("yes", "yes"), Choice("no", "no"))


LEVELS_OF_COVER = (FROM_SCENE, *(Choice(name, name) for name in COVER))


LEVELS_OF_CONCEALMENT = (FROM_SCENE, *(Choice(name, name) for name in CONCEALMENT))


GUESSES = (Choice("", "not needed"), Choice("yes", "right place"), Choice("no", "wrong place"), ROLL_GUESS)


FROM_SIGHT = (  # the same in every form
    folded_field("cover", "Target's cover", "choice", options=LEVELS_OF_COVER, value="", rule="COS-MOD-04"),
    folded_field("concealment", "Concealment", "choice", options=LEVELS_OF_CONCEALMENT, rule="COS-MOD-05"),
    folded_field("guess", "Guess where it is", "choice", options=GUESSES, value="", rule="COS-COVER-10"),
    folded_field("flanking", "Flanking", "choice", options=YES_NO, value="", rule="COS-POS-03"),
)


def weapon_field(state: State, actor: str, melee: bool | None = None) -> Field:
    """The field for the weapon; those not ready are grayed out with the reason."""
    options = weapon_choices(state, state[actor], melee)
    return Field("weapon", "Weapon", "choice", options=options, value=first_open(options))


def using_field(state: State, actor: str) -> tuple[Field, ...]:
    """The attribute of a finesse weapon, if one is ready. [COS-ATK-06]

    It is folded away if another weapon comes first.
    """
    combatant = state[actor]
    ready = [choice.value for choice in weapon_choices(state, combatant, None) if not choice.refused]
    light = [item.id for item in combatant.items if item.id in ready and has_tag(item.data, "finesse")]
    if not light:
        return ()
    known = {key: f"{ATTRIBUTES[key]} {attribute(combatant, key)}" for key in ("MIG", "COO")}
    better = max(known, key=lambda key: attribute(combatant, key))
    options = (Choice("", f"the better: {known[better]}"), *(Choice(*pair) for pair in known.items()))
    more = ready[0] not in light
    return (
        Field(
            "using",
            "Finesse",
            "choice",
            options=options,
            value="",
            rule="COS-ATK-06",
            required=False,
            more=more,
        ),
    )


def situation_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Cover, concealment and position: read from the scene unless the form says otherwise."""
    return (
        *FROM_SIGHT,
        Field("behind", "From behind", "flag", rule="COS-POS-06", help=_facing(state), more=True),
        Field(
            "unaware",
            "Target unaware of this attacker",
            "flag",
            rule="COS-DEF-12",
            help=describe_unwary(state, actor),
            more=True,
        ),
    )


def _facing(state: State) -> str:
    """A combatant who keeps facing the enemy cannot be attacked from behind. [COS-COMBO-09]"""
    facing = [f.name for f in present(state) if find_condition(f, "retreating")]
    return f"not against {', '.join(facing)}" if facing else ""


def describe_unwary(state: State, actor: str) -> str:
    """The combatants that a stealthy approach surprises easily, for the form; RULING R23. [COS-COND-12]"""
    side = state[actor].side
    deaf = [f.name for f in present(state) if f.side != side and KINDS.loses(f, "hearing")]
    return f"easy with {', '.join(deaf)}: deafened" if deaf else ""
