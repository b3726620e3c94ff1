"""How to attack someone who is tapped on the map: each weapon with its chance, or what has to come first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec

from combat.audience.secrecy import mask_names
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Field, find_reasons
from combat.rules.core.declaration.parts import name_rounds
from combat.rules.core.odds.planner import is_drawn
from combat.rules.core.state.state import Item
from combat.sharing.viewer_context import ViewerContext

from .action_form import find_odds
from .blast import BlastView, find_blast
from .fields import prefill
from .odds_panel import PlanView
from .usual_odds import ATTACK

MAX_WEAPONS = 4
NO_ATTACK = "No attack reaches them now."


class FoeWay(msgspec.Struct, frozen=True):
    """An attack on someone with a weapon: its chance in percent, "" if there is too much to count.

    `price` is what it takes from the turn, with all of the `plan` if something comes first. `blast` are those
    in its area. `refused` is why it cannot be done now, nor after anything else. `more` are the other values
    that its chance and its plan count with: the first ones of the form, which are sent with the tap.
    """

    action: str
    label: str
    target: str
    weapon: str = ""
    name: str = ""
    where: str = ""
    chance: str = ""
    price: str = ""
    in_hand: bool = True
    plan: PlanView | None = None
    blast: BlastView | None = None
    refused: str = ""
    more: Mapping[str, str] = {}

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
    def rank(self) -> tuple[bool, bool, bool, bool, float]:
        """Its place among the ways: what is in hand before the rest, without allies in a blast before with
        them, at once before after something else, then by the chance."""
        spares = self.blast is None or not self.blast.allies
        return self.is_possible, self.in_hand, spares, self.plan is None, float(self.chance or 0)

    def sends(self, actor: str) -> dict[str, str]:
        """The fields that do it. They name no dice, so the table's usual ones count."""
        planned = {"plan": self.plan.key, "step": self.plan.step} if self.plan else {}
        return {**self.more, **self._name(actor), **{name: one for name, one in planned.items() if one}}

    def plans(self, actor: str) -> dict[str, str]:
        """The fields that plan it for someone's next turn."""
        return {**self._name(actor), "do": "keep_plan", "action": self.action}

    def asks(self, actor: str) -> str:
        """The query of the form with the same choices: it fills in the rest."""
        return urlencode(self._name(actor))

    def _name(self, actor: str) -> dict[str, str]:
        named = {"combatant": actor, "do": self.action, "target": self.target, "weapon": self.weapon}
        return {name: value for name, value in named.items() if value}


class FoeWays(msgspec.Struct, frozen=True):
    """The ways to attack someone, the best first, and the one that is chosen; `refused` if there is none."""

    ways: tuple[FoeWay, ...] = ()
    chosen: FoeWay | None = None
    refused: str = ""


def find_foe_ways(
    context: ViewerContext, actor: str, target: str, weapon: str = "", *, only: bool = False
) -> FoeWays:
    """How someone can attack a target in their turn, by the first action with a possible way.

    `weapon` is the one that its reader chose, if it is among them; with `only` no other is asked.
    """
    system, state = context.system, context.obscured_state
    known = [one for one in system.actions.by_name.values() if one.who != "gm"]
    attacks = tuple(one for one in known if system.kinds.of_action(one.name) == ATTACK)
    reasons = find_reasons(attacks, state, actor)
    best: list[FoeWay] = []
    for action, reason in zip(attacks, reasons, strict=True):
        found = list(_find_ways(context, action, actor, target, reason, weapon if only else ""))
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
    context: ViewerContext, action: Action, actor: str, target: str, reason: str, only: str
) -> Iterator[FoeWay]:
    """An action against a target with each weapon that its form offers, or `only` this one; nothing if it
    names no target."""
    state = context.obscured_state
    try:
        fields = action.find_fields(state, actor)
        data, _ = prefill(state, action, actor, fields)
    except Refused:
        return
    if not any(field.name == "target" for field in fields):
        return
    items = _find_weapons(context, actor, fields, str(data.get("weapon", "")))
    items = [item for item in items if item.id == only] if only else items
    if reason and not items:
        return
    wanted = {**data, "actor": actor, "target": target}
    for item in items:
        yield find_way(context, action, {**wanted, "weapon": item.id}, item)
    if not items:
        yield find_way(context, action, wanted, None)


def _find_weapons(context: ViewerContext, actor: str, fields: tuple[Field, ...], first: str) -> list[Item]:
    """The weapons of a form: what is in hand before the rest, and of each the form's first one first."""
    system, state = context.system, context.obscured_state
    offered = next((field.options for field in fields if field.name == "weapon"), ())
    items = {item.id: item for item in state[actor].items}
    found = [items[option.value] for option in offered if option.value in items]
    ranked = sorted(found, key=lambda item: (not is_drawn(system, state, actor, item), item.id != first))
    return ranked[:MAX_WEAPONS]


def find_way(context: ViewerContext, action: Action, wanted: dict[str, Any], item: Item | None) -> FoeWay:
    """An attack with these fields as it stands now: what its form says of it, shorter."""
    system, state = context.system, context.obscured_state
    named = {name: str(value) for name, value in wanted.items() if name not in ("actor", "target", "weapon")}
    way = FoeWay(action.name, action.label, str(wanted.get("target", "")), more=named)
    if item:
        place = "" if item.place == "held" else f"{item.place} · "
        where = place + name_rounds(item).removeprefix(item.name).removeprefix(", ")
        in_hand = is_drawn(system, state, str(wanted["actor"]), item)
        way = msgspec.structs.replace(
            way, weapon=item.id, name=item.name, where=where.removesuffix(" · "), in_hand=in_hand
        )
    panel = find_odds(context, action, wanted, advises=False)
    if plan := panel.plan:
        return msgspec.structs.replace(way, plan=plan, chance=plan.chance, price=plan.price, blast=plan.blast)
    if panel.is_refused:
        return msgspec.structs.replace(way, refused=mask_names(panel.problem, context.secret_names))
    blast = find_blast(context, state, action, wanted)
    return msgspec.structs.replace(way, chance=panel.likely, price=panel.price, blast=blast)
