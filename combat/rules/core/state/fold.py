"""Folding: state + event -> state. Pure and total; it knows no rule of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET

from . import events as e
from .state import Berth, Combatant, Item, State, replace, with_key


def fold(state: State, event: e.Event) -> State:
    """The state after one event."""
    step = _STEPS.get(type(event))
    return step(state, event) if step else state


def fold_all(state: State, facts: Iterable[e.Fact]) -> State:
    """The state after all the facts."""
    for fact in facts:
        state = fold(state, fact.event)
    return state


def _update(state: State, who: str, change: Callable[[Combatant], Combatant]) -> State:
    fighter = state.combatants.get(who)
    return state if fighter is None else _put(state, change(fighter))


def _edit(state: State, who: str, **changes: Any) -> State:
    return _update(state, who, lambda fighter: replace(fighter, **changes))


def _put(state: State, fighter: Combatant) -> State:
    return replace(state, combatants=with_key(state.combatants, fighter.id, fighter))


def _joined(state: State, event: e.CombatantJoined) -> State:
    return replace(_put(state, event.combatant), made=state.made + 1)


def _setting(state: State, event: e.SettingSet) -> State:
    settings = with_key(state.scene.settings, event.key, event.value)
    return replace(state, scene=replace(state.scene, settings=settings))


def _began(state: State, event: e.FightStarted) -> State:
    return replace(state, phase="fight", round=0, clock=state.clock + event.seconds)


def _round(state: State, event: e.RoundStarted) -> State:
    fresh = {who: replace(f, acted=False) for who, f in state.combatants.items()}
    clock = state.clock + event.seconds
    return replace(state, round=event.round, clock=clock, combatants=fresh)


def _turn_started(state: State, event: e.TurnStarted) -> State:
    return replace(_edit(state, event.who, budget=event.budget, acted=False), active=event.who, sharing=())


def _turn_shared(state: State, event: e.TurnShared) -> State:
    sharing = (*state.sharing, event.who)
    return replace(_edit(state, event.who, budget=event.budget, acted=False), sharing=sharing)


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    state = _edit(state, event.who, acted=True)
    acting = tuple(who for who in (state.active, *state.sharing) if who and who != event.who)
    return replace(state, active=acting[0] if acting else "", sharing=acting[1:])


def _spent(state: State, event: e.BudgetSpent) -> State:
    def spend(fighter: Combatant) -> Combatant:
        left = {pool: n - event.pools.get(pool, 0) for pool, n in fighter.budget.items()}
        return replace(fighter, budget=left)

    return _update(state, event.who, spend)


def _track(state: State, event: e.TrackChanged) -> State:
    def change(fighter: Combatant) -> Combatant:
        return replace(fighter, tracks=with_key(fighter.tracks, event.track, event.new))

    return _update(state, event.who, change)


def _gained(state: State, event: e.ConditionGained) -> State:
    def gain(fighter: Combatant) -> Combatant:
        return replace(fighter, conditions=(*fighter.conditions, event.condition))

    return replace(_update(state, event.who, gain), made=state.made + 1)


def _changed(state: State, event: e.ConditionChanged) -> State:
    new = event.condition

    def change(fighter: Combatant) -> Combatant:
        kept = tuple(new if held.id == new.id else held for held in fighter.conditions)
        return replace(fighter, conditions=kept)

    return _update(state, event.who, change)


def _ended(state: State, event: e.ConditionEnded) -> State:
    def end(fighter: Combatant) -> Combatant:
        kept = tuple(held for held in fighter.conditions if held.id != event.condition)
        return replace(fighter, conditions=kept)

    return _update(state, event.who, end)


def _moved(state: State, event: e.Moved) -> State:
    return _carry(_edit(state, event.who, at=event.path[-1]), event.who) if event.path else state


def _carry(state: State, carrier: str) -> State:
    """Those inside stand where their carrier stands, however deep they are inside."""
    at = state.combatants[carrier].at if carrier in state.combatants else None
    for who, fighter in state.combatants.items():
        if fighter.inside == carrier and fighter.at != at:
            state = _carry(_edit(state, who, at=at), who)
    return state


def _boarded(state: State, event: e.Boarded) -> State:
    berth = Berth(event.inside, event.station) if event.inside else UNSET
    state = _edit(state, event.who, berth=berth)
    return _carry(state, event.inside) if event.inside else state


def _left(state: State, event: e.CombatantLeft) -> State:
    """Who leaves is inside nothing any more, and nobody is inside them."""
    state = _edit(state, event.who, gone=True, berth=UNSET)
    for who, fighter in state.combatants.items():
        if fighter.inside == event.who:
            state = _edit(state, who, berth=UNSET)
    return state


def _others(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    return tuple(held for held in items if held.id != item.id)


def _item_changed(state: State, event: e.ItemChanged) -> State:
    new = event.item

    def change(fighter: Combatant) -> Combatant:
        return replace(fighter, items=tuple(new if i.id == new.id else i for i in fighter.items))

    return _update(state, event.who, change)


def _item_gained(state: State, event: e.ItemGained) -> State:
    def gain(fighter: Combatant) -> Combatant:
        return replace(fighter, items=(*_others(fighter.items, event.item), event.item))

    ground = _others(state.ground, event.item)
    return replace(_update(state, event.who, gain), ground=ground, made=state.made + 1)


def _item_lost(state: State, event: e.ItemLost) -> State:
    def lose(fighter: Combatant) -> Combatant:
        return replace(fighter, items=_others(fighter.items, event.item))

    state = _update(state, event.who, lose)
    if event.item.place != "ground":
        return state
    return replace(state, ground=(*_others(state.ground, event.item), event.item))


def _marked(state: State, event: e.Marked) -> State:
    if not event.who:
        return replace(state, marks=with_key(state.marks, event.key, event.value))

    def mark(fighter: Combatant) -> Combatant:
        return replace(fighter, marks=with_key(fighter.marks, event.key, event.value))

    return _update(state, event.who, mark)


_STEPS: dict[type, Callable[[State, Any], State]] = {
    e.SceneSet: lambda s, v: replace(s, scene=v.scene),
    e.OptionSet: lambda s, v: replace(s, options=with_key(s.options, v.key, v.value)),
    e.SettingSet: _setting,
    e.CombatantJoined: _joined,
    e.CombatantLeft: _left,
    e.FightStarted: _began,
    e.FightEnded: lambda s, v: replace(s, phase="over", active="", sharing=()),
    e.RoundStarted: _round,
    e.TimePassed: lambda s, v: replace(s, clock=s.clock + v.seconds),
    e.OrderSet: lambda s, v: replace(s, order=v.order),
    e.InitiativeSet: lambda s, v: _edit(s, v.who, initiative=v.score),
    e.TurnStarted: _turn_started,
    e.TurnShared: _turn_shared,
    e.TurnEnded: _turn_ended,
    e.BudgetSpent: _spent,
    e.BudgetSet: lambda s, v: _edit(s, v.who, budget=v.budget),
    e.TrackChanged: _track,
    e.ConditionGained: _gained,
    e.ConditionChanged: _changed,
    e.ConditionEnded: _ended,
    e.Moved: _moved,
    e.Boarded: _boarded,
    e.ItemChanged: _item_changed,
    e.ItemGained: _item_gained,
    e.ItemLost: _item_lost,
    e.Marked: _marked,
    e.HiddenSet: lambda s, v: _edit(s, v.who, hidden=v.hidden),
    e.Renamed: lambda s, v: _edit(s, v.who, name=v.name, side=v.side),
}
