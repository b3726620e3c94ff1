"""Cover: its amount against an attack, stance included."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.words import Label
from combat.rules.core.space.rays.sight import Grade, Sighting, say_lines
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from ..book.tables import COVERS
from ..characters.conditions import is_low
from ..characters.machinery import find_vehicle_cover
from .bands import is_personal
from .scene import SOFT, find_surroundings
from .senses import sees_heat
from .sight_lines import KINDS, look_between

BEYOND_RULE, SIX_DM = "CE-COVER-04", -6
OPEN = "none"  # what the GM says for no cover
MARK = "cover"  # what the GM says about one combatant


class Cover(msgspec.Struct, frozen=True):
    """Cover against one attack: its kind ("" for none), its DM in points, and whether it leaves nothing to
    hit and nothing to fire from."""

    key: str = ""
    dm: int = 0
    rule: str = ""
    beyond: bool = False


NONE = Cover()


def find_cover(state: State, attacker: Combatant | str, target: Combatant | str, stated: str = "") -> Cover:
    """The cover of a target against an attacker, with its stance counted in.

    [CE-COVER-01] [CE-COVER-02] The GM's mark on the target, or its zone if the attack comes from outside.
    RULING R14: none at Personal range. What the GM says about this attack (`stated`) overrides all: a kind
    of cover, or "none".
    """
    one = state[attacker] if isinstance(attacker, str) else attacker
    other = state[target] if isinstance(target, str) else target
    kind = stated or find_kind(state, one, other)
    if not kind or is_personal(state, one, other):
        return NONE
    return judge(state, other, "" if kind == OPEN else kind)


def say_cover(state: State, attacker: Combatant, target: Combatant, cover: Cover) -> Label:
    """The words for a cover, with its lines if it comes from the map."""
    term = f"cover.{cover.key}"
    kind, grade = _find_on_map(state, attacker, target)
    if not kind or rank(kind) < rank(find_kind(state, attacker, target)):
        return term
    return say_lines(term, grade)


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """The map's cover for a combatant against an observer, stances included."""
    kind, grade = _find_on_map(state, one, other)
    cover = judge(state, other, kind)
    label: Label = say_lines(f"cover.{cover.key}", grade) if cover.key else ""
    return Sighting(look_between(state, one, other).is_seen, cover.key, label, rule=cover.rule, grade=grade)


def judge(state: State, target: Combatant, kind: str) -> Cover:
    """The value of a kind of cover for a target, stance included."""
    key = kind.removesuffix(SOFT)
    if not key:
        return NONE
    return step_up(state, key) if is_low(target) else Cover(key, COVERS[key].dm, COVERS[key].rule)


def find_kind(state: State, attacker: Combatant, target: Combatant) -> str:
    """The best cover of those that the GM states, and of the zone, the map and the vehicle of the target.

    [CE-SENS-03] Soft cover is none to who sees the target's heat; hard cover beside it stays.
    """
    every = (
        str(target.marks.get(MARK, "")),
        _find_zone_cover(state, attacker, target),
        find_vehicle_cover(state, attacker, target),
        _find_on_map(state, attacker, target)[0],
    )
    offered = [kind for kind in every if kind]
    if not offered:
        return ""
    best = max(offered, key=rank)
    if not any(map(is_soft, offered)) or not sees_heat(state, attacker, target):
        return best
    return max([kind for kind in offered if not is_soft(kind)], key=rank, default="")


def _find_on_map(state: State, attacker: Combatant, target: Combatant) -> tuple[str, Grade]:
    """The kind of cover that the map gives a target, and its grade."""
    found = look_between(state, attacker, target)
    return found.find_cover(found.grade.key != found.hard.key and sees_heat(state, attacker, target))


def is_soft(kind: str) -> bool:
    """Whether a kind of cover is one that heat shines through."""
    return kind.endswith(SOFT)


def rank(kind: str) -> tuple[int, bool]:
    """The rank of a kind of cover: none first, hard before soft of the same size."""
    key = kind.removesuffix(SOFT)
    return (KINDS.index(key) + 1 if key in KINDS else 0, not kind.endswith(SOFT))


def _find_zone_cover(state: State, attacker: Combatant, target: Combatant) -> str:
    zone = find_surroundings(state, target.at).zone
    if zone is None or not zone.cover:
        return ""
    own = find_surroundings(state, attacker.at).zone
    return "" if own is not None and own.id == zone.id else zone.cover


def step_up(state: State, key: str) -> Cover:
    """Cover one row better, for crouching and prone targets.

    [CE-COVER-03] [CE-STANCE-04] [CE-STANCE-07] One step, never two. [CE-COVER-04] Beyond full cover no one
    can be hit, except by table option.  RULING R14 R68
    """
    following = KINDS.index(key) + 1
    if following < len(KINDS):
        better = KINDS[following]
        return Cover(better, COVERS[better].dm, COVERS[better].rule)
    option = find_option(state, "extra_cover_step")
    if option == "cannot_be_hit":
        return Cover(key, COVERS[key].dm, BEYOND_RULE, beyond=True)
    return Cover(key, SIX_DM if option == "minus_six" else COVERS[key].dm, COVERS[key].rule)


def is_shut_in(state: State, combatant: Combatant | str, target: Combatant | str) -> bool:
    """Whether someone is prone or crouching in full cover and so cannot fire back.  [CE-COVER-05]"""
    return is_beyond(state, target, combatant)


def is_beyond(state: State, attacker: Combatant | str, target: Combatant | str, stated: str = "") -> bool:
    """Whether cover hides a target completely: only crouching and prone ones.

    [CE-COVER-04]
    """
    lying = state[target] if isinstance(target, str) else target
    return bool(lying.conditions) and is_low(lying) and find_cover(state, attacker, lying, stated).beyond


def can_be_struck(state: State, attacker: Combatant, other: Combatant) -> bool:
    """Whether a shot may hit someone who was not its target: not behind a wall, nor down behind full cover.

    [CE-COVER-01] [CE-COVER-04]
    """
    return not look_between(state, attacker, other).is_walled_off and not is_beyond(state, attacker, other)
