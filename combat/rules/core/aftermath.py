"""After a fight: what of a fighter goes back onto its sheet, item by item and in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from .errors import Refused
from .state import Combatant, Item
from .system import System


class Aftermath(msgspec.Struct, frozen=True):
    """The sheet as it is after the fight, and what that changes, a line each."""

    sheet: dict[str, Any]
    lines: tuple[str, ...]


def find_aftermath(system: System, fighter: Combatant, today: dict[str, Any] | None = None) -> Aftermath:
    """Current numbers, ammunition and lasting conditions, written onto the sheet as it is `today`.

    Without it that is the sheet the fighter joined with. What has been bought meanwhile stays;
    what has been sold does not come back.
    """
    if system.sheets is None:
        raise Refused("not_allowed", f"{system.name} keeps no sheets.")
    lines: list[str] = []
    sheet = dict(fighter.sheet if today is None else today)
    sheet["tracks"] = _find_tracks(system, fighter, sheet.get("tracks", {}), lines)
    sheet["conditions"] = _find_conditions(system, fighter, sheet.get("conditions", ()), lines)
    sheet["items"] = _find_items(system, fighter, sheet.get("items", ()), lines)
    return Aftermath(sheet, tuple(lines))


def _find_tracks(
    system: System, fighter: Combatant, tracks: dict[str, int], lines: list[str]
) -> dict[str, int]:
    """The numbers that are not at their fullest."""
    whole = {**fighter.sheet, "tracks": {}, "conditions": []}
    full = system.make_combatant(fighter.id, fighter.name, fighter.side, whole, {}).tracks
    labels = {track.key: track.label for track in system.tracks}
    before = {**full, **tracks}
    for key, now in fighter.tracks.items():
        if now != before.get(key, now):
            lines.append(f"{labels.get(key, key)}: {before[key]} → {now}")
    return {key: now for key, now in fighter.tracks.items() if now != full.get(key)}


def _find_conditions(
    system: System, fighter: Combatant, conditions: Iterable[dict[str, Any]], lines: list[str]
) -> list[dict[str, Any]]:
    """The conditions that outlast a fight."""
    assert system.sheets is not None
    held = [c for c in fighter.conditions if c.kind in system.sheets.lasting]
    before = {c["kind"]: int(c.get("level", 1)) for c in conditions}
    now = {c.kind: c.level for c in held}
    lines += [f"{c.label} lasts" for c in held if c.kind not in before]
    lines += [
        f"{system.describe_condition(kind).label}: level {before[kind]} → {level}"
        for kind, level in now.items()
        if before.get(kind, level) != level
    ]
    lines += [f"{system.describe_condition(kind).label} is over" for kind in sorted(set(before) - set(now))]
    return [{"kind": c.kind, "level": c.level, **_note(system, c.kind, c.label)} for c in held]


def _note(system: System, kind: str, label: str) -> dict[str, str]:
    return {} if label == system.describe_condition(kind).label else {"note": label}


def _find_items(
    system: System, fighter: Combatant, things: Iterable[dict[str, Any]], lines: list[str]
) -> list[dict[str, Any]]:
    """The things of the sheet with what is left in them; those lost on the way are gone."""
    kept = []
    by_id = {item.id: item for item in fighter.items}
    first = len(fighter.sheet.get("weapons", ())) + 1
    joined = {thing["id"]: number for number, thing in enumerate(fighter.sheet.get("items", ()), first)}
    for thing in things:
        if thing["id"] not in joined:
            kept.append(thing)
            continue
        item = by_id.get(f"{fighter.id}-{joined[thing['id']]}")
        if item is None:
            lines.append(f"{_name(thing)}: lost")
            continue
        kept.append(_write(system, thing, item, lines))
    return kept


def _name(thing: dict[str, Any]) -> str:
    return str(thing.get("record", {}).get("name") or thing.get("entry") or thing["kind"])


def _find_wear(system: System, thing: dict[str, Any], item: Item) -> dict[str, str]:
    """What a thing of its kind can suffer or use up, by key, with its label."""
    kind = system.catalogue.find_kind(str(thing["kind"])) if system.catalogue else None
    return {wear.key: wear.label for wear in kind.find_wear(item.data)} if kind else {}


def _write(system: System, thing: dict[str, Any], item: Item, lines: list[str]) -> dict[str, Any]:
    now = {"loaded": item.loaded, "spares": item.spares, "count": item.count, "place": item.place}
    was = {"loaded": thing.get("loaded"), "spares": thing.get("spares", 0), "count": thing.get("count", 1)}
    for key, word in (("loaded", "rounds"), ("spares", "spare magazines"), ("count", "left")):
        if now[key] != was[key]:
            lines.append(f"{item.name}: {was[key]} → {now[key]} {word}")
    fields = {key: value for key, value in now.items() if value is not None}
    if item.place not in ("held", "worn", "carried"):
        fields["place"] = "carried"
    known, before = _find_wear(system, thing, item), thing.get("wear", {})
    worn = {key: int(item.marks[key]) for key in known if item.marks.get(key)}
    for key, label in known.items():
        if worn.get(key, 0) != before.get(key, 0):
            lines.append(f"{item.name}: {label.lower()} {before.get(key, 0)} → {worn.get(key, 0)}")
    return {**thing, **fields, "wear": worn}
