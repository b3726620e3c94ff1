"""The forms of the actions: the fields of each, filled in from the scene."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.book.conditions import OF_EVERY_GAME
from combat.rules.core.commands import forms
from combat.rules.core.commands.commands import Field, Handle, first_open
from combat.rules.core.commands.forms import folded_field, form_of, name_places, seen_fields
from combat.rules.core.state.state import Combatant, Item, State, has_condition, present

from ..book.tables import LIMBS
from ..care import FirstAid, check_first_aid, check_patient, find_needs
from ..fight.aim import THROWABLE, aim, called_choices, read_use, weapon_choices
from ..people.conditions import KINDS, OUT, STOPPED
from ..people.values import name_rank
from ..turn.basic_actions import check_draw, check_held, check_pick_up
from ..world.place import are_enemies, count_yards, describe_distance
from ..world.touch import count_item_hands

# ---------------------------------------------------------------- obstacles


def check_free_to_act(state: State, actor: str) -> None:
    """Refuse any action of someone who cannot act at all. [CG-STUN-01] [CG-FAT-04] [CG-REF-03]"""
    combatant = state.combatants[actor]
    for kind in ("dead", *OUT, *STOPPED) if combatant.conditions else ():
        if has_condition(combatant, kind):
            label = (KINDS | OF_EVERY_GAME)[kind].label.lower()
            raise Refused(
                "not_allowed", f"{combatant.name} is {label}{'' if kind == 'dead' else ': no actions'}."
            )


# ---------------------------------------------------------------- targets


def find_targets(state: State, actor: str, foes: bool = True, own: bool = False) -> tuple[Combatant, ...]:
    """The possible targets of an action, the likely ones first."""
    combatant = state[actor]

    def rank(other: Combatant) -> tuple[bool, bool, float]:
        standing = not has_condition(other, "dead", "unconscious")
        return (are_enemies(combatant, other) != foes, foes != standing, count_yards(combatant, other))

    return tuple(sorted((f for f in present(state) if own or f.id != actor), key=rank))


def target_field(
    state: State,
    actor: str,
    foes: bool = True,
    own: bool = False,
    check: Callable[[Combatant], object] | None = None,
    wanted: str = "",
) -> Field:
    """The field for the target of an action; refused targets are grayed out with the reason."""
    people = find_targets(state, actor, foes, own)
    describe = partial(describe_distance, state, state[actor])
    return forms.target_field(people, describe, partial(why_refused, check), wanted)


# ---------------------------------------------------------------- attacks


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target, weapon and part of the body, filled with what works now. [CG-ATK-01] [CG-REF-04]"""
    target, weapon = _find_pair(state, actor)
    options = weapon_choices(state, state[actor])

    def check(other: Combatant) -> None:
        _check_any(state, actor, other)

    throws = any(THROWABLE in item.data.get("tags", ()) for item in state[actor].items)
    thrown = folded_field("thrown", "Throw it", "flag", rule="CG-ATK-01")
    return (
        target_field(state, actor, check=check, wanted=target),
        Field("weapon", "Weapon", "choice", options, weapon or first_open(options), rule="CG-ATK-01"),
        folded_field("called", "Called shot", "choice", called_choices(state), "", rule="CG-REF-04"),
        *((thrown,) if throws else ()),
        *seen_fields(state, "CG-REF-11"),
    )


def _find_pair(state: State, actor: str) -> tuple[str, str]:
    combatant = state[actor]
    for target in find_targets(state, actor):
        for item in combatant.items:
            if item.kind == "weapon" and not why_refused(
                aim, state, combatant, target, read_use(item, False)
            ):
                return target.id, item.id
    return "", ""


def _refuse_any_use(state: State, combatant: Combatant, target: Combatant, item: Item) -> str:
    """Why a weapon reaches someone neither in hand nor thrown; empty if it does."""
    refused = why_refused(aim, state, combatant, target, read_use(item, False))
    if not refused or THROWABLE not in item.data.get("tags", ()):
        return refused
    return why_refused(aim, state, combatant, target, read_use(item, True)) and refused


def _check_any(state: State, actor: str, target: Combatant) -> None:
    """Refuse a target that no weapon in hand reaches, with the reason of the last weapon."""
    combatant, refused = state[actor], ""
    for item in combatant.items:
        if item.kind == "weapon" and item.place == "held":
            refused = _refuse_any_use(state, combatant, target, item)
            if not refused:
                return
    if refused:
        raise Refused("out_of_range", refused)


# ---------------------------------------------------------------- moves, care, items


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The goal: next to others, zones, away from enemies, or a place on the map. [CG-ACT-03]"""
    combatant, others = state[actor], find_targets(state, actor)
    describe = partial(describe_distance, state, combatant)
    options = name_places(state, others, describe, partial(are_enemies, combatant))
    return (Field("to", "Where to", "place", options, first_open(options), rule="CG-MOVE-01"),)


def aid_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The patient and the limb, filled with someone it helps. [CG-BLEED-03]"""
    patients = find_targets(state, actor, foes=False, own=True)
    helped = [(f, place) for f in patients for place in find_needs(f)]
    found = next((pair for pair in helped if not _refuse_aid(state, actor, *pair)), None)

    def check(other: Combatant) -> None:
        check_patient(state, state[actor], other)
        if not find_needs(other):
            raise Refused("bad_target", f"{other.name} needs no First Aid: choose someone who does.")

    limbs = tuple(Choice(limb, limb.replace("_", " ").capitalize()) for limb in LIMBS)
    return (
        target_field(state, actor, False, True, check, found[0].id if found else ""),
        Field(
            "place",
            "Stanch",
            "choice",
            (Choice("", "no limb: wake them"), *limbs),
            found[1] if found else "",
            rule="CG-BLEED-03",
            required=False,
        ),
    )


def _refuse_aid(state: State, actor: str, target: Combatant, place: str) -> str:
    command = FirstAid(actor=actor, target=target.id, place=place)  # type: ignore[arg-type]  # of find_needs
    return why_refused(check_first_aid, state, command)


def dose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person who gets painkillers: those with a torso wound first. [CG-TORSO-03]"""
    patients = find_targets(state, actor, foes=False, own=True)

    def check(other: Combatant) -> None:
        check_patient(state, state[actor], other)

    torn = [f for f in patients if has_condition(f, "torso_wound") and allows(check, f)]
    return (target_field(state, actor, False, True, check, torn[0].id if torn else actor),)


def _thing_field(items: tuple[Item, ...], check: Callable[[Item], object]) -> tuple[Field, ...]:
    options = tuple(Choice(i.id, i.name, "", why_refused(check, i)) for i in items)
    return (Field("item", "What", "choice", options, first_open(options)),)


def draw_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The carried items that could be in hand."""
    items = tuple(i for i in state[actor].items if i.place == "carried" and count_item_hands(i))
    return _thing_field(items, lambda item: check_draw(state, Handle(actor=actor, item=item.id)))


def held_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items in hand."""
    items = tuple(i for i in state[actor].items if i.place == "held" and count_item_hands(i))
    return _thing_field(items, lambda item: check_held(state, Handle(actor=actor, item=item.id)))


def ground_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items on the ground; those out of reach with the reason."""
    items = tuple(item for item in state.ground if item.at)
    return _thing_field(items, lambda item: check_pick_up(state, Handle(actor=actor, item=item.id)))


def other_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The deed, and the ranks to roll for it. [CG-ACT-05]"""
    ranks = tuple(Choice(name, name_rank(name), str(n)) for name, n in state[actor].sheet["ranks"].items())
    return (
        Field("what", "What they do", "text", value="something else", rule="CG-ACT-05"),
        Field("roll", "Roll", "choice", (Choice("", "no roll"), *ranks), "", required=False),
        folded_field("physical", "Purely physical", "flag", rule="CG-FAT-01"),
    )


words_fields = form_of(Field("what", "Words", "text", required=False))
