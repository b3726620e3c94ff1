"""The forms of the actions: their fields, prefilled from the scene."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import Field, Targeted, first_open
from combat.rules.core.commands.forms import folded_field, name_everyone, number_field
from combat.rules.core.map.bodies import is_concealed_from, nearest
from combat.rules.core.space import distance
from combat.rules.core.state.state import Combatant, State, find_condition, has_condition, present, replace

from ..book.tables import CONCEALMENT, COVER
from ..care.healing import STABILIZE_TN, find_dying, needs_aid, patient_of
from ..fight.aim import MAX_ATTACKS, count_attacks
from ..fight.attack import find_helpless
from ..fight.maneuvers import Trip, check_grapple, check_trip, find_weapons_to_lose
from ..fight.weapons import weapon_choices
from ..move.movement import FAR, place_field
from ..people.conditions import KINDS
from ..people.sheet import ATTRIBUTES, attribute
from ..turn.basic_actions import check_rally, describe_unwary
from ..world.scene import find_held, has_trait
from ..world.touch import ARM_M, in_meters, is_within

FROM_SCENE = Choice("", "from the scene")
ROLL_GUESS = Choice("roll", "roll a d10", "6 or more finds the place")  # RULING R50
YES_NO = (FROM_SCENE, Choice("yes", "yes"), Choice("no", "no"))
LEVELS_OF_COVER = (FROM_SCENE, *(Choice(name, name) for name in COVER))
LEVELS_OF_CONCEALMENT = (FROM_SCENE, *(Choice(name, name) for name in CONCEALMENT))
GUESSES = (Choice("", "not needed"), Choice("yes", "right place"), Choice("no", "wrong place"), ROLL_GUESS)
FROM_SIGHT = (  # the same in every form
    folded_field("cover", "Target's cover", "choice", LEVELS_OF_COVER, "", rule="COS-MOD-04"),
    folded_field("concealment", "Concealment", "choice", LEVELS_OF_CONCEALMENT, "", rule="COS-MOD-05"),
    folded_field("guess", "Guess where it is", "choice", GUESSES, "", rule="COS-COVER-10"),
    folded_field("flanking", "Flanking", "choice", YES_NO, "", rule="COS-POS-03"),
)


def targets(state: State, actor: str, foes: bool = True, own: bool = False) -> tuple[Choice, ...]:
    """The possible targets of an action: enemies first when attacking, allies first when helping."""
    combatant = state[actor]
    others = [f for f in present(state) if own or f.id != actor]
    others.sort(
        key=lambda f: (
            (f.side == combatant.side) == foes,
            has_condition(f, "dying", "unconscious", "dead") == foes,
            f.id != actor,
            distance(*nearest(combatant, f)),
        )
    )
    return tuple(Choice(f.id, f.name, in_meters(distance(*nearest(combatant, f))), _dead(f)) for f in others)


def _dead(combatant: Combatant) -> str:
    return f"{combatant.name} is dead" if has_condition(combatant, "dead") else ""


def target_field(
    state: State,
    actor: str,
    foes: bool = True,
    own: bool = False,
    check: Callable[[Combatant], object] | None = None,
) -> Field:
    """The field for the target of an action; those that `check` refuses are grayed out with the reason."""
    options = tuple(
        replace(option, refused=option.refused or why_refused(check, state[option.value]))
        for option in targets(state, actor, foes, own)
    )
    return Field("target", "Target", "target", options, first_open(options))


def weapon_field(state: State, actor: str, melee: bool | None = None) -> Field:
    """The field for the weapon; those not ready are grayed out with the reason."""
    options = weapon_choices(state, state[actor], melee)
    return Field("weapon", "Weapon", "choice", options, first_open(options))


def using_field(state: State, actor: str) -> tuple[Field, ...]:
    """The attribute of a finesse weapon, if one is ready. [COS-ATK-06]

    It is folded away if another weapon comes first.
    """
    combatant = state[actor]
    ready = [choice.value for choice in weapon_choices(state, combatant, None) if not choice.refused]
    light = [item.id for item in combatant.items if item.id in ready and has_trait(item, "finesse")]
    if not light:
        return ()
    known = {key: f"{ATTRIBUTES[key]} {attribute(combatant, key)}" for key in ("MIG", "COO")}
    better = max(known, key=lambda key: attribute(combatant, key))
    options = (Choice("", f"the better: {known[better]}"), *(Choice(*pair) for pair in known.items()))
    more = ready[0] not in light
    return (Field("using", "Finesse", "choice", options, "", rule="COS-ATK-06", required=False, more=more),)


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


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of an attack."""
    auto = any(has_trait(item, "auto") for item in state[actor].items if item.kind == "weapon")
    most = MAX_ATTACKS if auto else count_attacks(state)
    return (
        target_field(state, actor),
        weapon_field(state, actor),
        *using_field(state, actor),
        number_field("attacks", "Attacks (−2 each per extra)", 1, 1, most, rule="COS-MOD-09"),
        Field("aimed", "Aimed shot: whole turn, +3", "flag", rule="COS-MOD-08"),
        Field("burst", "Burst: 3 rounds, +2 damage", "flag", rule="COS-ATK-11"),
        Field("trip", "Trip as well, −2", "flag", rule="COS-MANV-13"),
        *situation_fields(state, actor),
    )


def disarm_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a disarm."""
    return (
        target_field(state, actor),
        *_lost_field(state, actor),
        weapon_field(state, actor),
        *using_field(state, actor),
        *situation_fields(state, actor),
    )


def _lost_field(state: State, actor: str) -> tuple[Field, ...]:
    """The weapon to knock away, if the target holds several. [COS-MANV-07]"""
    one = state[actor]
    foes = [foe for foe in present(state) if foe.side != one.side and not is_concealed_from(state, one, foe)]
    several = [foe for foe in foes if len(find_weapons_to_lose(foe)) > 1]
    if not several:
        return ()
    named = [Choice(i.id, f"{i.name} of {foe.name}") for foe in several for i in find_weapons_to_lose(foe)]
    options = (Choice("", "the first one in hand"), *named)
    return (Field("item", "Knock away", "choice", options, "", rule="COS-MANV-07", required=False),)


def charge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a charge."""
    return (
        target_field(state, actor),
        weapon_field(state, actor, melee=True),
        *using_field(state, actor),
        *situation_fields(state, actor),
    )


def retreat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a fighting retreat."""
    back = place_field(state, actor, "up to half Speed, away from enemies beside you", required=False)
    front = (target_field(state, actor), weapon_field(state, actor), *using_field(state, actor))
    return (*front, back, FAR, *situation_fields(state, actor))


def guard_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of Total Defense."""
    return (place_field(state, actor, "up to half Speed, if any", required=False), FAR)


def check_near(state: State, actor: str) -> None:
    """Refuse a grapple or a trip with nobody within arm's reach, to gray out an action."""
    one = state[actor]
    if not any(is_within(state, one, other) for other in present(state) if other.id != actor):
        raise Refused("out_of_range", "Nobody is within reach: move next to someone first.")


def grapple_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target of a grapple, enemies first. [COS-MANV-01]"""

    def check(target: Combatant) -> None:
        check_grapple(state, Targeted(actor=actor, target=target.id))

    return (target_field(state, actor, check=check),)


def friend_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The patient, with allies and the actor first."""

    def check(patient: Combatant) -> None:
        patient_of(state, Targeted(actor=actor, target=patient.id))

    return (target_field(state, actor, foes=False, own=True, check=check),)


def rally_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target to rally, allies first. [COS-ACT-07]"""

    def check(other: Combatant) -> None:
        check_rally(state, Targeted(actor=actor, target=other.id))

    return (target_field(state, actor, foes=False, check=check),)


def trip_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a trip."""
    combatant = state[actor]
    better = max(("MIG", "COO"), key=lambda key: combatant.sheet["attributes"][key])
    options = (Choice("MIG", "Might"), Choice("COO", "Coordination"))
    target = target_field(state, actor, check=lambda f: check_trip(state, Trip(actor=actor, target=f.id)))
    return (target, Field("using", "With", "choice", options, better))


def hold_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of the holder's contest."""
    held = tuple(Choice(f.id, f.name) for f in find_held(state, actor))
    effects = (
        Choice("damage", "Unarmed damage"),
        Choice("pin", "Pin"),
        Choice("throw", "Throw 2 m, prone, unarmed damage"),
    )
    return (
        Field("target", "Held", "target", held, held[0].value if held else ""),
        Field("effect", "On success", "choice", effects, "damage"),
    )


def care_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of first aid: those who need it, filled with someone nearby who is dying. [COS-STATE-23]"""

    def check(patient: Combatant) -> None:
        patient_of(state, Targeted(actor=actor, target=patient.id))
        if not needs_aid(patient):
            raise Refused("bad_target", f"{patient.name} needs no first aid.")

    field = target_field(state, actor, foes=False, own=True, check=check)
    dying = find_dying(state, state[actor])
    if not dying:
        return (field,)
    names = ", ".join(f"{f.name} ({in_meters(distance(*nearest(state[actor], f)))})" for f in dying)
    text = f"Dying: {names}. Medicine {STABILIZE_TN} stabilizes, from {ARM_M} m."
    return (replace(field, value=dying[0].id, help=text, rule="COS-STATE-23"),)


def finish_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a coup de grace: the helpless enemies within reach. [COS-COND-35]"""
    near = {f.id for f in find_helpless(state, actor)}
    options = tuple(choice for choice in targets(state, actor) if choice.value in near)
    field = Field("target", "Target", "target", options, options[0].value if options else "")
    return (field, weapon_field(state, actor, melee=True))


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form that starts a fight, with the surprised combatants."""
    people, hint = name_everyone(state), "flat-footed until their first turn"
    return (Field("surprised", "Surprised", "many", people, help=hint, rule="COS-DEF-12", required=False),)


def check_free_to_act(state: State, actor: str) -> None:
    """Refuse actions of the unconscious. [COS-COND-34]"""
    combatant = state.combatants[actor]
    if has_condition(combatant, "dead"):
        raise Refused("not_allowed", f"{combatant.name} is dead.")
    KINDS.check(combatant, "be_conscious")


def check_unpinned(state: State, actor: str) -> None:
    """Refuse actions of the pinned, except breaking free. [COS-MANV-05]"""
    KINDS.check(state.combatants[actor], "act")
