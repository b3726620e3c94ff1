"""The forms of the actions: the fields of each, filled in from the scene."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.commands import forms
from combat.rules.core.commands.commands import Field, Give, Handle, Targeted, first_open
from combat.rules.core.commands.forms import folded_field, form_of, name_places, number_field, seen_fields
from combat.rules.core.state.state import Combatant, Item, State, has_condition, present

from ..book import tables
from ..book.tables import DIFFICULTY, EASIEST, HARDEST, MAX_DECLARED
from ..care import check_device, check_patient, check_rouse, check_willing
from ..fight.aim import Attack, check_attack, weapon_choices
from ..fight.items import Load, check_load, check_pick_up
from ..people.conditions import KINDS, OUT, name_condition
from ..people.sheet import ATTRIBUTES, find_stop, is_conscious, read_thing
from ..turn.assist import check_taker, find_uses
from ..turn.basic_actions import check_raise
from ..world.place import are_enemies, describe_distance, find_neighbours, is_map, zone_id
from ..world.touch import fallen_choices

NOTHING = Choice("", "nothing")
AS_TAKEN = (Choice("", "as usual"), Choice("yes", "yes"), Choice("no", "no"))


# ---------------------------------------------------------------- obstacles


def check_free_to_act(state: State, actor: str) -> None:
    """Refuse any action of the unconscious, the comatose and the paralyzed. [SS-UNC-07] [SS-COMA-01]"""
    combatant = state[actor]
    for kind in reversed(OUT):
        if has_condition(combatant, kind):
            tail = "" if kind == "dead" else ": no actions"
            raise Refused("not_allowed", f"{combatant.name} is {KINDS[kind].label.lower()}{tail}.")
    if held := find_stop(combatant):
        raise Refused("not_allowed", f"{name_condition(held)}: {combatant.name} has no actions.")


# ---------------------------------------------------------------- targets


def find_targets(state: State, actor: str, foes: bool = True, own: bool = False) -> list[Combatant]:
    """The possible targets of an action, the likely ones first."""
    combatant = state[actor]
    others = [f for f in present(state) if own or f.id != actor]

    def rank(other: Combatant) -> tuple[bool, bool, bool, str]:
        enemy = are_enemies(combatant, other)
        return (enemy != foes, is_conscious(other) != foes, other.id != actor, _far(state, combatant, other))

    return sorted(others, key=rank)


def _far(state: State, one: Combatant, other: Combatant) -> str:
    words = describe_distance(state, one, other)
    return words if words[0].isdigit() else {"same zone": "0", "no way": "9"}[words]


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

    def refuse(target: Combatant) -> str:
        return KINDS.find_bar(target, "choice") or why_refused(check, target)

    return forms.target_field(people, describe, refuse, wanted)


def friend_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A field for the patient, allies and the actor first.  [SS-OTHER-12] [SS-OTHER-13]"""

    def check(target: Combatant) -> None:
        check_patient(state, Targeted(actor=actor, target=target.id))
        if not target.tracks["damage"] and is_conscious(target):
            raise Refused("bad_target", f"{target.name} is not hurt.")

    return (target_field(state, actor, foes=False, own=True, check=check),)


def rouse_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A field for an unconscious patient.  [SS-UNC-06]"""

    def check(target: Combatant) -> None:
        check_rouse(state, Targeted(actor=actor, target=target.id))

    return (target_field(state, actor, foes=False, check=check),)


# ---------------------------------------------------------------- attacks


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Weapon and target, filled with a pair that works now. [SS-ATK-01] [SS-ATK-02]"""
    target, weapon = _find_pair(state, actor)
    options = weapon_choices(state, state[actor])

    def check(other: Combatant) -> None:
        _check_any_weapon(state, actor, other)

    modes = (Choice("", "automatic"), Choice("melee", "melee"), Choice("thrown", "thrown"))
    keys = (Choice("", "the better"), *_attribute_options())
    return (
        target_field(state, actor, check=check, wanted=target),
        Field("weapon", "Weapon", "choice", options, weapon or first_open(options), rule="SS-ATK-01"),
        folded_field("mode", "Used", "choice", modes, "", rule="SS-RANGE-01"),
        folded_field("using", "Attribute", "choice", keys, "", rule="SS-ATK-04"),
        *seen_fields(state, "SS-MAP-01"),
    )


def _find_pair(state: State, actor: str) -> tuple[str, str]:
    for target in find_targets(state, actor):
        for item in state[actor].items:
            if item.kind == "weapon" and _can_attack(state, actor, target, item):
                return target.id, item.id
    return "", ""


def _can_attack(state: State, actor: str, target: Combatant, item: Item) -> bool:
    return allows(check_attack, state, Attack(actor=actor, target=target.id, weapon=item.id))


def _check_any_weapon(state: State, actor: str, target: Combatant) -> None:
    """Refuse a target that no weapon in hand reaches; unready weapons say why themselves. [SS-ATK-02]"""
    weapons = [i for i in state[actor].items if i.kind == "weapon"]
    if all(option.refused for option in weapon_choices(state, state[actor])):
        return
    if not any(_can_attack(state, actor, target, item) for item in weapons):
        raise Refused("out_of_range", f"No weapon in hand reaches {target.name}: move closer.")


# ---------------------------------------------------------------- turns and movement


declare_fields = form_of(  # [SS-ACT-01]
    number_field(
        "actions", "Actions", 1, 0, MAX_DECLARED, help="−1 to rolls per extra action", rule="SS-ACT-02"
    )
)


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a Move: a zone next to the actor's, perhaps by a drop, or a path on the map."""
    options = map_places(state, actor) if is_map(state) else zone_places(state, actor)
    jump = folded_field("jump", "Drop down on purpose", "flag", rule="SS-FALL-04")
    value = "" if is_map(state) else first_open(options)
    hint = "5 m more; blank: only gain them" if is_map(state) else "one Move per border"
    keys = (Choice("dex", "Dex"), Choice("str", "Str"))
    return (
        Field("to", "Where to", "place", options, value, hint, required=not is_map(state)),
        folded_field("how", "How", "text", help="runs, climbs, swims…", rule="SS-OTHER-06"),
        number_field(
            "difficulty",
            "Check vs",
            0,
            0,
            30,
            help="0: no check",
            rule="SS-OTHER-08",
            required=False,
            more=True,
        ),
        folded_field("using", "With", "choice", keys, "dex", rule="SS-OTHER-08"),
        *(_far_fields() if is_map(state) else (jump,)),
    )


def free_move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of Free Move."""
    options = map_places(state, actor) if is_map(state) else inner_places(state, actor)
    return (
        Field("to", "Where to", "place", options, first_open(options)),
        *(_far_fields() if is_map(state) else ()),
    )


def _far_fields() -> tuple[Field, ...]:
    """On a map only: zones have no pool."""
    return (folded_field("far", "As far as the pool allows", "flag", rule="SS-MAP-07"),)


def zone_places(state: State, actor: str) -> tuple[Choice, ...]:
    """The zones next to the actor's; all zones from outside.  [SS-OTHER-05]"""
    here = zone_id(state, state[actor])
    near = find_neighbours(state.scene, here)
    zones = [z for z in state.scene.zones if z.id in near or (not here and z.id)]
    return tuple(Choice(f"zone:{z.id}", z.name, _ground(z.terrain)) for z in zones)


def _ground(terrain: tuple[str, ...]) -> str:
    return ", ".join(tables.GROUNDS[tag].name.lower() for tag in terrain if tag in tables.GROUNDS)


def inner_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Places inside the actor's own zone: next to the others there.  [SS-ZONE-04]"""
    combatant = state[actor]
    here = zone_id(state, combatant)
    others = [f for f in present(state) if f.id != actor and zone_id(state, f) == here]
    centre = (Choice(f"zone:{here}", "the middle of the zone"),) if here else ()
    return (*(Choice(f"near:{f.id}", f"next to {f.name}") for f in others), *centre)


def map_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Named places of a map, with the distance in meters."""
    combatant, others = state[actor], (f for f in present(state) if f.id != actor)
    describe = partial(describe_distance, state, combatant)
    return name_places(state, others, describe, partial(are_enemies, combatant))


# ---------------------------------------------------------------- items


def _items_field(
    name: str,
    label: str,
    items: list[Item],
    check: Callable[[Item], object] | None = None,
    empty: bool = False,
    more: tuple[Choice, ...] = (),
) -> Field:
    options = tuple(Choice(i.id, _count_name(i), i.place, why_refused(check, i)) for i in items) + more
    if empty:
        return Field(name, label, "choice", (NOTHING, *options), "", required=False)
    return Field(name, label, "choice", options, first_open(options))


def _count_name(item: Item) -> str:
    return f"{item.name} ×{item.count}" if item.count > 1 else item.name


def change_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item to put away and the item to draw. [SS-FREE-09] [SS-FREE-10]"""
    combatant = state[actor]
    held = [i for i in combatant.items if i.place == "held" and i.data.get("hands", 1)]
    carried = [i for i in combatant.items if i.place == "carried"]
    options = [tuple(Choice(i.id, _count_name(i)) for i in items) for items in (held, carried)]
    return (
        Field("stow", "Put away", "many", options[0], rule="SS-FREE-09", required=False),
        Field("draw", "Draw", "many", options[1], rule="SS-FREE-10", required=False),
    )


def ground_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items on the ground; those out of reach, or too much for the hands, with the reason."""

    def check(item: Item) -> None:
        check_pick_up(state, Handle(actor=actor, item=item.id))

    return (_items_field("item", "What", list(state.ground), check),)


def load_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A weapon to load, and a dose if the weapon takes one."""
    combatant = state[actor]
    weapons = [
        item
        for item in combatant.items
        if item.kind == "weapon" and (item.loaded is not None or item.data.get("takes_payload"))
    ]
    doses = [i for i in combatant.items if i.kind == "consumable"]

    def check(item: Item) -> None:
        dose = doses[0].id if doses and item.data.get("takes_payload") else ""
        check_load(state, Load(actor=actor, item=item.id, dose=dose))

    return (
        _items_field("item", "Weapon", weapons, check, more=fallen_choices(state, actor)),
        _items_field("dose", "Payload", doses, empty=True),
    )


def dose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A consumable and the person who gets it. [SS-OTHER-24]"""
    combatant = state[actor]

    def check(item: Item) -> None:
        if not item.data["beneficial"]:
            raise Refused("not_allowed", f"{item.name} is harmful: deliver it by an attack.")

    doses = [i for i in combatant.items if i.kind == "consumable"]
    sure = Field(
        "sure",
        "Second dose within 24 h (1d6 damage)",
        "flag",
        rule="SS-OTHER-24",
        required=False,
    )

    def check_taker(target: Combatant) -> None:
        """Refuse an unwilling taker; the comatose may take doses, and so may the actor."""
        check_willing(state, combatant, target)

    takers = target_field(state, actor, foes=False, own=True, check=check_taker)
    target = Field("target", "For", "target", takers.options, takers.value)
    return (_items_field("item", "Consumable", doses, check), target, sure)


def device_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Another item, and its target if it needs one."""
    things = [i for i in state[actor].items if i.kind == "item"]

    def check(other: Combatant) -> None:
        """Refuse a target that no item reaches, with the reason of the last item."""
        aimed = (item for item in things if read_thing(item).check)
        uses = (Give(actor=actor, item=item.id, target=other.id) for item in aimed)
        reasons = [why_refused(check_device, state, command) for command in uses]
        if reasons and all(reasons):
            raise Refused("out_of_range", reasons[-1])

    target = target_field(state, actor, check=check)
    options = (Choice("", "no one"), *target.options)
    shown = tuple(Choice(i.id, _count_name(i), i.data["text"].rstrip(".")) for i in things)
    return (
        Field("item", "Item", "choice", shown, first_open(shown)),
        Field("target", "Target", "target", options, "", required=False),
    )


object_fields = form_of(  # [SS-OTHER-02]
    Field("what", "What", "text", value="something", rule="SS-OTHER-03"),
    Field("becomes", "Becomes", "text", help="open, broken, switched off…", required=False),
)


# ---------------------------------------------------------------- checks and help


def _attribute_options() -> tuple[Choice, ...]:
    return tuple(Choice(key, label) for key, label in ATTRIBUTES.items())


def _skill_field(state: State, actor: str, value: str = "") -> Field:
    own = set(state[actor].sheet["skills"])
    names = sorted(tables.skills(), key=lambda name: (name not in own, name))
    options = (Choice("", "none"), *(Choice(n, n, "+1" if n in own else "") for n in names))
    return Field("skill", "Skill", "choice", options, value, required=False)


def assist_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person to help, and their check. [SS-OTHER-09]"""
    combatant = state[actor]
    target = target_field(state, actor, foes=False, check=lambda other: check_taker(state, actor, other))
    skill = next(iter(combatant.sheet["skills"]), "")
    uses = find_uses(state[target.value], skill) if target.value else ()
    best = max(uses or ATTRIBUTES, key=lambda key: combatant.sheet["attributes"][key])
    help_text = f"takes {ATTRIBUTES[best]} 3 or the skill"
    return (
        target,
        Field(
            "attribute", "Their check uses", "choice", _attribute_options(), best, help_text, "SS-OTHER-10"
        ),
        _skill_field(state, actor, skill),
    )


def check_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of any other check. [SS-OTHER-01]"""
    return (
        Field("attribute", "Attribute", "choice", _attribute_options(), "dex"),
        _skill_field(state, actor),
        number_field("difficulty", "Difficulty", DIFFICULTY, EASIEST, HARDEST),
        Field("why", "For what", "text", required=False),
        folded_field("prone", "Prone hinders", "choice", AS_TAKEN, "", "", "SS-PRONE-02"),
        folded_field("sight", "Needs sight", "choice", AS_TAKEN, "", "", "SS-BLIND-02"),
    )


def challenge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The challenge, and the attribute and skill to try it with. [SS-OTHER-17]"""
    known = [key.partition(" ")[2] for key in state.marks if key.startswith("challenge ")]
    return (
        Field("name", "Challenge", "text", value=known[0] if known else "repairs", rule="SS-OTHER-17"),
        Field("attribute", "Attribute", "choice", _attribute_options(), "int"),
        _skill_field(state, actor),
    )


def raise_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person who is pinned down."""

    def check(target: Combatant) -> None:
        check_raise(state, Targeted(actor=actor, target=target.id))

    return (target_field(state, actor, foes=False, check=check),)
