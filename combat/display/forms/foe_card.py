"""How to attack someone who is tapped on the map: each weapon with its chance, or what has to come first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec

from combat.audience.secrecy import mask_names
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Field, find_reasons, read_command
from combat.rules.core.declaration.parts import name_rounds
from combat.rules.core.engine.engine import describe_spending, spending_of
from combat.rules.core.state.state import Item, State
from combat.sharing.viewer_context import ViewerContext

from .action_form import view_plans
from .fields import prefill
from .odds_panel import PlanView
from .usual_odds import ATTACK, say_chance

MAX_WEAPONS = 4
NO_ATTACK = "No attack reaches them now."


class FoeWay(msgspec.Struct, frozen=True):
    """An attack on someone with a weapon: its chance in percent, "" if there is too much to count.

    `price` is what it takes from the turn, with all of the `plan` if something comes first. `refused` is why
    it cannot be done now, nor after anything else.
    """

    action: str
    label: str
    target: str
    weapon: str = ""
    name: str = ""
    where: str = ""
    chance: str = ""
    price: str = ""
    plan: PlanView | None = None
    refused: str = ""

    @property
    def words(self) -> str:
        """What its button says."""
        return self.plan.words if self.plan else self.label

    @property
    def is_possible(self) -> bool:
        """Whether one tap does it, and it may succeed."""
        return self.is_offered and not (self.plan and self.plan.note)

    @property
    def is_offered(self) -> bool:
        """Whether its button does something that may help: all of it, or the first parts of its plan."""
        return not self.refused and self.chance != "0"

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Its place among the ways: at once before after something else, then by the chance."""
        return self.is_possible, self.plan is None, float(self.chance or 0)

    def sends(self, actor: str) -> dict[str, str]:
        """The fields that do it. They name no dice, so the table's usual ones count."""
        sent = {"combatant": actor, "do": self.action, "target": self.target, "weapon": self.weapon}
        if self.plan:
            sent["plan"] = self.plan.key
        return {name: value for name, value in sent.items() if value}

    def asks(self, actor: str) -> str:
        """The query of the form with the same choices."""
        return urlencode({name: value for name, value in self.sends(actor).items() if name != "plan"})


class FoeWays(msgspec.Struct, frozen=True):
    """The ways to attack someone, the best first, and the one that is chosen; `refused` if there is none."""

    ways: tuple[FoeWay, ...] = ()
    chosen: FoeWay | None = None
    refused: str = ""


def find_foe_ways(context: ViewerContext, actor: str, target: str, weapon: str = "") -> FoeWays:
    """How someone can attack a target in their turn, by the first action with a possible way.

    `weapon` is the one that its reader chose, if it is among them.
    """
    system, state = context.system, context.obscured_state
    known = [one for one in system.actions.by_name.values() if one.who != "gm"]
    attacks = tuple(one for one in known if system.kinds.of_action(one.name) == ATTACK)
    reasons = find_reasons(attacks, state, actor)
    best: list[FoeWay] = []
    for action, reason in zip(attacks, reasons, strict=True):
        found = list(_find_ways(context, action, actor, target, reason))
        if any(way.is_possible for way in found):
            best = found
            break
        best = best or found
    ways = sorted(best, key=lambda way: way.rank, reverse=True)
    if not ways:
        return FoeWays(refused=mask_names(next(filter(None, reasons), NO_ATTACK), context.secret_names))
    chosen = next((way for way in ways if weapon and way.weapon == weapon), ways[0])
    return FoeWays(tuple(ways), chosen)


def _find_ways(
    context: ViewerContext, action: Action, actor: str, target: str, reason: str
) -> Iterator[FoeWay]:
    """An action against a target with each weapon that its form offers; nothing if it names no target."""
    state = context.obscured_state
    try:
        fields = action.find_fields(state, actor)
        data, _ = prefill(state, action, actor, fields)
    except Refused:
        return
    if not any(field.name == "target" for field in fields):
        return
    items = _find_weapons(state, actor, fields, str(data.get("weapon", "")))
    if reason and not items:
        return
    wanted = {**data, "actor": actor, "target": target}
    for item in items:
        yield _find_way(context, action, {**wanted, "weapon": item.id}, item)
    if not items:
        yield _find_way(context, action, wanted, None)


def _find_weapons(state: State, actor: str, fields: tuple[Field, ...], first: str) -> list[Item]:
    """The weapons of a form that are in hand or carried, its first one first."""
    offered = next((field.options for field in fields if field.name == "weapon"), ())
    values = sorted((option.value for option in offered), key=lambda value: value != first)
    items = {item.id: item for item in state[actor].items}
    return [items[value] for value in values if value in items][:MAX_WEAPONS]


def _find_way(context: ViewerContext, action: Action, wanted: dict[str, Any], item: Item | None) -> FoeWay:
    """An attack with these fields as it stands now."""
    system, state = context.system, context.obscured_state
    way = FoeWay(action.name, action.label, str(wanted["target"]))
    if item:
        place = "" if item.place == "held" else f"{item.place} · "
        where = place + name_rounds(item).removeprefix(item.name).removeprefix(", ")
        way = msgspec.structs.replace(way, weapon=item.id, name=item.name, where=where.removesuffix(" · "))
    try:
        command = read_command(action, wanted, state)
        chance = say_chance(system, state, action, command)
        price = describe_spending(system, spending_of(system, state, action, command))
    except Refused as refused:
        plan = next(iter(view_plans(context, action, wanted)), None)
        if plan is None:
            return msgspec.structs.replace(way, refused=mask_names(refused.message, context.secret_names))
        return msgspec.structs.replace(way, plan=plan, chance=plan.chance, price=plan.price)
    return msgspec.structs.replace(way, chance=chance, price=price)
