"""Conditions of the GM's own that a campaign keeps, for each game: its new encounters begin with them."""

from __future__ import annotations

from typing import Any

from combat.models import Campaign
from combat.rules.core.basics.data import convert
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.own_conditions import MAX_OWN, DefineCondition, make_own_condition
from combat.rules.core.state.state import OwnCondition

from ..writing.locking import hold_campaign


def find_kept_conditions(campaign: Campaign, slug: str) -> list[OwnCondition]:
    """The conditions that a campaign keeps for a game; their ids are their names."""
    rows = campaign.conditions.get(slug, [])
    return [convert({**row, "id": row["name"]}, OwnCondition) for row in rows]


def find_kept(campaign: Campaign, slug: str, own_id: str) -> OwnCondition:
    """The kept condition with this id; Refused("stale") if it is gone."""
    found = next((one for one in find_kept_conditions(campaign, slug) if one.id == own_id), None)
    if found is None:
        raise Refused("stale", "That condition is no longer in the campaign: reload the page.")
    return found


def write_fields(system: System, one: OwnCondition) -> dict[str, Any]:
    """The fields of the command that makes a condition; without words that the game no longer has."""
    rules = system.characters.own_conditions
    return {
        "name": one.name,
        "sign": one.sign,
        "changes": {key: points for key, points in one.changes.items() if key in rules.changes},
        "effects": [key for key in one.effects if key in rules.effects],
        "turns": one.turns,
        "note": one.note,
        **({"secret": True} if one.secret else {}),
    }


def read_condition(system: System, fields: dict[str, Any]) -> OwnCondition:
    """The condition of these fields of the command; Refused as at the table."""
    plain = {name: value for name, value in fields.items() if name != "own"}
    command = read_command(find_action(system, "define_condition"), plain)
    assert isinstance(command, DefineCondition)
    return make_own_condition(system, command)


def keep_condition(campaign: Campaign, system: System, fields: dict[str, Any], old: str = "") -> OwnCondition:
    """Keep a condition, in place of that of its name or of the `old` name; Refused as at the table."""
    new = read_condition(system, fields)
    names = {new.name.casefold(), old.casefold()}
    with hold_campaign(campaign, "conditions"):
        kept = find_kept_conditions(campaign, system.slug)
        others = [one for one in kept if one.name.casefold() not in names]
        if len(others) >= MAX_OWN:
            text = f"A campaign keeps up to {MAX_OWN} conditions a game: delete one first."
            raise Refused("not_allowed", text)
        _store(campaign, system, [*others, new])
    return new


def save_condition(campaign: Campaign, system: System, fields: dict[str, Any], own: str = "") -> OwnCondition:
    """Keep a new condition, or change that with the id `own`; Refused if another one has its name."""
    name = read_condition(system, fields).name
    with hold_campaign(campaign, "conditions"):
        old = find_kept(campaign, system.slug, own).name if own else ""
        kept = find_kept_conditions(campaign, system.slug)
        if any(one.name.casefold() == name.casefold() and one.name != old for one in kept):
            raise Refused("bad_value", f"There is a condition {name} already: choose another name.")
        return keep_condition(campaign, system, fields, old)


def drop_kept(campaign: Campaign, system: System, own_id: str) -> OwnCondition:
    """Delete a condition of a campaign; Refused("stale") if it is gone already."""
    with hold_campaign(campaign, "conditions"):
        gone = find_kept(campaign, system.slug, own_id)
        kept = find_kept_conditions(campaign, system.slug)
        _store(campaign, system, [one for one in kept if one != gone])
    return gone


def _store(campaign: Campaign, system: System, conditions: list[OwnCondition]) -> None:
    ordered = sorted(conditions, key=lambda one: one.name.casefold())
    rows = [write_fields(system, one) for one in ordered]
    campaign.conditions = {**campaign.conditions, system.slug: rows}
    campaign.save(update_fields=["conditions", "changed"])
