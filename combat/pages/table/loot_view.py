"""What is left after a fight, as one viewer sees it: the GM all of it, players what lies open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from characters.gear.catalogue import picture_of
from combat.display.shapes.loot_shapes import HolderView, LootAsk, LootItem, LootPerson, LootView
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.play.handing_out import Due, find_due
from combat.rules.core.gm.loot import (
    LEFT,
    SCENE,
    Holder,
    find_asks,
    find_holders,
    find_load,
    find_open,
    find_takers,
    name_money,
)
from combat.rules.core.state.state import CLOSED, Combatant, Item
from combat.sharing.viewer_context import ViewerContext

from .waiting_view import find_given

PLACES = {"held": "in hand", "worn": "worn", "carried": "carried"}
UNSEEN = "only you see it"
Asks = Mapping[str, tuple[LootPerson, ...]]


def view_loot(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView]
) -> LootView | None:
    """What can be handed out or asked for once a fight is over; None before, and for spectators."""
    viewer, state = context.viewer, context.full_state
    if state.phase != "over" or viewer.is_spectator or context.encounter.downtime:
        return None
    holders = [one for one in find_holders(context.system, state) if _is_known(one, combatants)]
    asks, open_now = _find_asks(context, combatants), find_open(context.system, state)
    if not viewer.is_gm:
        found = (
            _view_open(context, one, combatants, asks=asks, open_now=open_now.get(one.id, ()))
            for one in holders
        )
        return LootView(
            tuple(one for one in found if one.items or one.money), given=find_given(context, rows)
        )
    views = tuple(_view_all(context, one, combatants, open_now.get(one.id)) for one in holders)
    takers = tuple(
        replace(_view_person(combatants[one.id]), load=_say_load(context, one))
        for one in find_takers(context.system, state)
    )
    due = find_due(context.system, state)
    return LootView(
        tuple(_set_out(views, due, asks)),
        takers,
        tuple(_list_asks(views, asks)),
        name_money(context.system),
        coins=due.coins,
    )


def _set_out(views: Iterable[HolderView], due: Due, asks: Asks) -> Iterator[HolderView]:
    """The holders, allies last, each row of what is due marked for the first who asked, or who has fewest."""
    counts = dict.fromkeys(due.people, 0)
    for view in sorted(views, key=lambda view: view.is_ally):
        rows = []
        for item in _join_equal(view.items, lambda one: (asks.get(one.id, ()), one.id in due.items)):
            if item.first not in due.items:
                rows.append(item)
                continue
            asking = (one.id for one in asks.get(item.first, ()) if one.id in counts)
            to = next(asking, None) or min(counts, key=counts.__getitem__)
            counts[to] += item.count
            rows.append(replace(item, to=to))
        yield replace(view, rows=tuple(rows))


def _join_equal(
    items: Iterable[LootItem], tell_apart: Callable[[LootItem], object] = lambda _: None
) -> Iterator[LootItem]:
    """One row for all equal things of a holder: those that read the same, and are not told apart."""
    groups: dict[object, list[LootItem]] = {}
    for item in items:
        groups.setdefault((replace(item, id=""), tell_apart(item)), []).append(item)
    for group in groups.values():
        yield replace(group[0], id=",".join(one.id for one in group), count=len(group))


def say_loot(context: ViewerContext) -> str:
    """What the GM can still hand out after a fight that is not closed; empty for others."""
    state = context.full_state
    if (
        not context.viewer.is_gm
        or state.phase != "over"
        or context.encounter.downtime
        or CLOSED in state.marks
    ):
        return ""
    due = find_due(context.system, state)
    if due.items:
        return f"loot ({len(due.items)})"
    return f"{due.coins:,} {name_money(context.system)}" if due.coins else ""


def _is_known(holder: Holder, combatants: Mapping[str, CombatantView]) -> bool:
    return holder.id == SCENE or holder.id in combatants


def _find_asks(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> Asks:
    """Those who ask for a thing, by its id, as far as the viewer knows them."""
    found: dict[str, tuple[LootPerson, ...]] = {}
    for one, item in find_asks(context.known_state):
        if one.id in combatants:
            found[item] = (*found.get(item, ()), _view_person(combatants[one.id]))
    return found


def _view_person(one: CombatantView) -> LootPerson:
    return LootPerson(one.id, one.full_name, one.look)


def _say_load(context: ViewerContext, one: Combatant) -> str:
    """How much someone carries now."""
    count, weight = find_load(context.system, one)
    items = f"{count} item{'' if count == 1 else 's'}"
    return items if weight is None else f"{items}, {weight:.1f} kg"


def _view_all(
    context: ViewerContext,
    holder: Holder,
    combatants: Mapping[str, CombatantView],
    open_now: tuple[Item, ...] | None,
) -> HolderView:
    """Everything that a holder has, for the GM; `open_now` is None if not every player knows them."""
    seen, marks = {item.id for item in open_now or ()}, context.full_state.marks
    items = []
    for item in holder.items:
        left = f"{LEFT}{item.id}" in marks
        notes = (PLACES.get(item.place, ""), "left behind" if left else "" if item.id in seen else UNSEEN)
        picture = picture_of(context.system, item.kind, item.name)
        note = ", ".join(filter(None, notes))
        items.append(LootItem(item.id, _name(item), note, left=left, picture=picture))
    has_secrets = bool(holder.money) or any(UNSEEN in one.note for one in items)
    is_secret = open_now is not None and not holder.searched and has_secrets
    view = _view_holder(context, holder, combatants, items, is_secret=is_secret)
    has_pile = any(item.count > 1 for item in holder.items)
    return replace(view, has_pile=has_pile, is_hidden=open_now is None)


def _view_open(
    context: ViewerContext,
    holder: Holder,
    combatants: Mapping[str, CombatantView],
    asks: Asks,
    open_now: tuple[Item, ...],
) -> HolderView:
    """What a player sees of a holder's things, and who asks for them."""
    own = [
        _view_person(combatants[who])
        for who in combatants
        if who in context.viewer.seats and not context.system.characters.health(context.known_state[who]).dead
    ]
    on_ground = {item.id for item in context.known_state.ground}
    items = []
    for item in open_now:
        if holder.id == SCENE and item.id not in on_ground:
            continue
        asking = asks.get(item.id, ())
        mine = tuple(one for one in own if one in asking)
        rivals = tuple(one.name for one in asking if one not in own)
        free = tuple(one for one in own if one not in asking)
        items.append(
            LootItem(
                item.id,
                _name(item),
                PLACES.get(item.place, ""),
                left=False,
                asked=mine,
                open_to=free,
                rivals=rivals,
            )
        )
    view = _view_holder(context, holder, combatants, items, shows_money=holder.searched)
    return replace(view, rows=tuple(_join_equal(items)))


def _view_holder(
    context: ViewerContext,
    holder: Holder,
    combatants: Mapping[str, CombatantView],
    items: Iterable[LootItem],
    *,
    is_secret: bool = False,
    shows_money: bool = True,
) -> HolderView:
    one = combatants.get(holder.id)
    name = one.full_name if one else "On the ground"
    money = f"{holder.money:,} {name_money(context.system)}" if holder.money and shows_money else ""
    return HolderView(
        holder.id,
        name,
        one.look if one else None,
        items=tuple(items),
        money=money,
        is_secret=is_secret,
        is_ally=one is not None and one.tone == "is-ally",
    )


def _name(item: Item) -> str:
    return f"{item.name} × {item.count}" if item.count > 1 else item.name


def _list_asks(holders: Iterable[HolderView], asks: Asks) -> Iterable[LootAsk]:
    """What players ask for, thing by thing."""
    for holder in holders:
        for item in holder.items:
            for one in asks.get(item.id, ()):
                yield LootAsk(one, item.id, item.name, holder=holder.id, of=holder.name)
