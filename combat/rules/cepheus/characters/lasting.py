"""The conditions that a sheet keeps after a fight, including damage to the parts of a machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from combat.rules.core.sheets.sheets import Lasting
from combat.rules.core.state.state import Combatant, Condition

from .conditions import KINDS
from .machinery import HIT_KINDS, LIMB, WEAPON, find_limbs, find_mounts

PARTS_OF = {kind: part for part, kind in HIT_KINDS.items()}
OF_MACHINES, OF_BODIES = KINDS.tagged("lasting_machine"), KINDS.tagged("lasting_body")
LASTING = tuple(dict.fromkeys((*OF_BODIES, *OF_MACHINES, *PARTS_OF)))


def fits_sheet(sheet: dict[str, Any], kind: str) -> bool:
    """Whether a condition can be added to a sheet directly: parts break on machines, limbs on robots."""
    if kind == HIT_KINDS[LIMB]:
        return bool(sheet["kind"] == "robot" and not sheet.get("drone"))
    return kind in (OF_MACHINES if sheet["kind"] in ("vehicle", "robot") else OF_BODIES)


def make_conditions(combatant: Combatant, held: Iterable[Lasting]) -> tuple[Condition, ...]:
    """The conditions a combatant joins with: those of the sheet, and prone for the unconscious."""
    held = tuple(held)
    if any(lasting.kind == "unconscious" for lasting in held):
        held = (*held, Lasting(kind="prone"))
    taken: set[str] = set()
    return tuple(_condition(combatant, n, lasting, taken) for n, lasting in enumerate(held, 1))


def _condition(combatant: Combatant, number: int, lasting: Lasting, taken: set[str]) -> Condition:
    known = KINDS[lasting.kind]
    part = find_part(combatant, lasting, taken)
    taken.add(part)
    return Condition(
        f"{combatant.id}-c{number}",
        known.kind,
        lasting.note or f"condition.{known.kind}",
        rule=known.rule,
        level=lasting.level,
        marks={"part": part} if part else {},
    )


def find_part(combatant: Combatant, lasting: Lasting, taken: set[str]) -> str:
    """The damaged part of a machine; empty if the condition is no damage to a part.

    For weapons and limbs the one that the note names, else the first undamaged one.
    """
    kind = PARTS_OF.get(lasting.kind, "")
    if kind not in (WEAPON, LIMB):
        return kind
    if kind == LIMB:
        places = {key: key.replace("_", " ").capitalize() for key in find_limbs(combatant)}
    else:
        places = {item.id: item.name for item in find_mounts(combatant)}
    free = [key for key in places if key not in taken]
    named = [key for key in free if places[key] and lasting.note.startswith(f"{places[key]} ")]
    return next(iter((*named, *free)), "")
