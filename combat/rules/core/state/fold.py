"""Folding: state + event -> state. Pure and total; it knows no rule of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET

from ..space import BattleMap, map_of, put_on_deck, with_map
from ..space.battle_map import change_map, explore, set_door
from . import events as e
from .state import FACE, REVEALED, Berth, Combatant, State, replace, with_key

Things = tuple[Any, ...]  # all of one type, each with its id


def fold(state: State, event: e.Event) -> State:
    """The state after one event."""
    step = STEPS.get(type(event))
    return step(state, event) if step else state


def fold_all(state: State, facts: Iterable[e.Fact]) -> State:
    """The state after all the facts."""
    for fact in facts:
        state = fold(state, fact.event)
    return state


def _rework(state: State, who: str, change: Callable[[Combatant], Combatant]) -> State:
    """The state with a combatant changed; as it is for one it does not know."""
    known = state.combatants.get(who)
    return state if known is None else replace(state, combatants=state.combatants | {who: change(known)})


def _edit(state: State, who: str, **changes: Any) -> State:
    known = state.combatants.get(who)
    return state if known is None else _put(state, replace(known, **changes))


def _put(state: State, combatant: Combatant) -> State:
    return replace(state, combatants=state.combatants | {combatant.id: combatant})


def _without(things: Things, gone: str) -> Things:
    return tuple(one for one in things if one.id != gone)


def _swap(things: Things, new: Any) -> Things:
    """The things, the one of this id as it is now."""
    return tuple(new if one.id == new.id else one for one in things)


def _with(things: Things, new: Any) -> Things:
    """The things, the one of this id as it is now, or last if it is new."""
    return _swap(things, new) if any(one.id == new.id for one in things) else (*things, new)


def _scene(state: State, event: e.SceneSet) -> State:
    """A scene without a map keeps the current one."""
    scene = event.scene
    return replace(state, scene=replace(scene, map=state.scene.map) if scene.map is UNSET else scene)


def _map(state: State, battle_map: BattleMap) -> State:
    before = map_of(state.scene).decks
    state = replace(state, scene=with_map(state.scene, battle_map))
    if battle_map.decks == before:
        return state
    people = {who: replace(f, at=put_on_deck(battle_map, f.at)) for who, f in state.combatants.items()}
    return replace(state, combatants=people)


def _map_changed(state: State, event: e.MapChanged) -> State:
    parts = event.walls, event.obstacles, event.lights, event.hidden, event.drop, event.look
    return _map(state, change_map(map_of(state.scene), *parts, event.decks, event.ways))


def _setting(state: State, event: e.SettingSet) -> State:
    settings = with_key(state.scene.settings, event.key, event.value)
    return replace(state, scene=replace(state.scene, settings=settings))


def _rules_moved(state: State, event: e.RulesMoved) -> State:
    """A copy of the options, so caches by their identity (basics/memory.py) start empty."""
    return replace(state, rules=event.new, options=dict(state.options))


def _refill(combatant: Combatant, *moments: str) -> Combatant:
    """The combatant with the counters full that refill at one of these moments."""
    if combatant.counters is UNSET:
        return combatant
    filled = tuple(
        replace(one, left=one.most) if one.refills in moments else one for one in combatant.counters
    )
    return combatant if filled == combatant.counters else replace(combatant, counters=filled)


def _begun(state: State, event: e.FightStarted) -> State:
    fresh = {who: _refill(f, "round", "turn", "scene") for who, f in state.combatants.items()}
    state = replace(state, phase="fight", round=0, clock=state.clock + event.seconds, combatants=fresh)
    if all(one.acts is UNSET for one in state.all_clocks):
        return state
    clocks = (replace(one, acts=one.acts and replace(one.acts, done=0)) for one in state.all_clocks)
    return replace(state, clocks=tuple(clocks))


def _round(state: State, event: e.RoundStarted) -> State:
    known = state.combatants.items()
    people = {who: f if f.counters is UNSET else _refill(f, "round") for who, f in known}
    fresh = {who: replace(f, acted=False) if f.acted else f for who, f in people.items()}
    clock = state.clock + event.seconds
    return replace(state, round=event.round, clock=clock, combatants=fresh)


def _turn_started(state: State, event: e.TurnStarted) -> State:
    combatant, people = state.combatants.get(event.who), state.combatants.copy()
    if combatant:
        spares = event.again or combatant.counters is UNSET
        fresh = combatant if spares else _refill(combatant, "turn")
        people[event.who] = replace(fresh, budget=event.budget, acted=False)
    return replace(state, combatants=people, active=event.who, sharing=())


def _turn_shared(state: State, event: e.TurnShared) -> State:
    sharing = (*state.sharing, event.who)
    if not event.again:
        state = _rework(state, event.who, lambda known: _refill(known, "turn"))
    return replace(_edit(state, event.who, budget=event.budget, acted=False), sharing=sharing)


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    acting = tuple(who for who in (state.active, *state.sharing) if who and who != event.who)
    active = acting[0] if acting else ""
    return replace(_edit(state, event.who, acted=True), active=active, sharing=acting[1:])


def _spent(state: State, event: e.BudgetSpent) -> State:
    def pay(known: Combatant) -> Combatant:
        budget = {pool: left - event.pools.get(pool, 0) for pool, left in known.budget.items()}
        return replace(known, budget=budget)

    return _rework(state, event.who, pay)


def _gained(state: State, event: e.ConditionGained) -> State:
    state = _rework(state, event.who, lambda f: replace(f, conditions=(*f.conditions, event.condition)))
    return replace(state, made=state.made + 1)


def _joined(state: State, event: e.CombatantJoined) -> State:
    combatant, battle_map = event.combatant, map_of(state.scene)
    if battle_map.decks:
        combatant = replace(combatant, at=put_on_deck(battle_map, combatant.at))
    return replace(_put(state, combatant), made=state.made + 1)


def _moved(state: State, event: e.Moved) -> State:
    if not event.path:
        return state
    at, drawn = event.path[-1], state.scene.map
    if drawn is not UNSET and drawn.decks:
        at = put_on_deck(drawn, at)
    return _carry(_edit(state, event.who, at=at), event.who)


def _carry(state: State, carrier: str) -> State:
    """Move all passengers, at any depth, to the place of their carrier."""
    at = state.combatants[carrier].at if carrier in state.combatants else None
    for who, combatant in state.combatants.items():
        berth = combatant.berth
        if berth is not UNSET and berth.inside == carrier and combatant.at != at:
            state = _carry(_edit(state, who, at=at), who)
    return state


def _boarded(state: State, event: e.Boarded) -> State:
    berth = Berth(event.inside, event.station) if event.inside else UNSET
    state = _edit(state, event.who, berth=berth)
    return _carry(state, event.inside) if event.inside else state


def _left(state: State, event: e.CombatantLeft) -> State:
    """A combatant who leaves is inside nothing, and nobody is inside them."""
    state = _edit(state, event.who, gone=True, berth=UNSET)
    for who, combatant in state.combatants.items():
        if combatant.inside == event.who:
            state = _edit(state, who, berth=UNSET)
    return state


def _item_gained(state: State, event: e.ItemGained) -> State:
    item = event.item
    state = _rework(state, event.who, lambda f: replace(f, items=(*_without(f.items, item.id), item)))
    return replace(state, ground=_without(state.ground, item.id), made=state.made + 1)


def _item_lost(state: State, event: e.ItemLost) -> State:
    item = event.item
    state = _rework(state, event.who, lambda f: replace(f, items=_without(f.items, item.id)))
    if item.place != "ground":
        return state
    return replace(state, ground=(*_without(state.ground, item.id), item))


def _marked(state: State, event: e.Marked) -> State:
    key, value = event.key, event.value
    if not event.who:
        return replace(state, marks=with_key(state.marks, key, value))
    return _rework(state, event.who, lambda f: replace(f, marks=with_key(f.marks, key, value)))


def _alias_set(state: State, event: e.AliasSet) -> State:
    """A revealed combatant keeps a mark with their alias: lines from before the reveal still use it."""

    def rename(known: Combatant) -> Combatant:
        marks = with_key(known.marks, FACE, event.face or None)
        marks = with_key(marks, REVEALED, None if event.alias else event.was)
        return replace(known, name=event.name, alias=event.alias or UNSET, marks=marks)

    return _rework(state, event.who, rename)


def _reserve_set(state: State, event: e.ReserveSet) -> State:
    """Those who are held back leave; the ones inside each other stay so."""
    new, known = event.reserve, state.all_reserves
    if event.end:
        return replace(state, reserves=_without(known, new.id) or UNSET)
    for who, combatant in state.combatants.items():
        if who in new.who and not combatant.gone:
            berth = combatant.berth if combatant.inside in new.who else UNSET
            state = _edit(state, who, gone=True, hidden=True, berth=berth)
        elif combatant.inside in new.who and who not in new.who:
            state = _edit(state, who, berth=UNSET)
    return replace(state, reserves=_with(known, new))


def _counter_set(state: State, event: e.CounterSet) -> State:
    def put(known: Combatant) -> Combatant:
        return replace(known, counters=_with(known.all_counters, event.counter))

    return _rework(state, event.who, put)


def _counter_removed(state: State, event: e.CounterRemoved) -> State:
    def drop(known: Combatant) -> Combatant:
        return replace(known, counters=_without(known.all_counters, event.counter) or UNSET)

    return _rework(state, event.who, drop)


def _ruling_set(state: State, event: e.RulingSet) -> State:
    def put(known: Combatant) -> Combatant:
        return replace(known, rulings=_with(known.all_rulings, event.ruling))

    return _rework(state, event.who, put)


def _ruling_removed(state: State, event: e.RulingRemoved) -> State:
    def drop(known: Combatant) -> Combatant:
        return replace(known, rulings=_without(known.all_rulings, event.ruling) or UNSET)

    return _rework(state, event.who, drop)


def _own_condition_set(state: State, event: e.OwnConditionSet) -> State:
    new, known = event.condition, state.all_own_conditions
    kept = _without(known, new.id) if event.gone else _with(known, new)
    return replace(state, own_conditions=kept or UNSET)


STEPS: dict[type, Callable[[State, Any], State]] = {
    e.SceneSet: _scene,
    e.MapSet: lambda s, v: _map(s, v.map),
    e.MapChanged: _map_changed,
    e.DoorSet: lambda s, v: _map(s, set_door(map_of(s.scene), v.door, v.open, v.locked)),
    e.Explored: lambda s, v: _map(s, explore(map_of(s.scene), v.side, v.cells)),
    e.OptionSet: lambda s, v: replace(s, options=with_key(s.options, v.key, v.value)),
    e.SettingSet: _setting,
    e.RulesMoved: _rules_moved,
    e.CombatantJoined: _joined,
    e.CombatantLeft: _left,
    e.FightStarted: _begun,
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
    e.TrackChanged: lambda s, v: _rework(s, v.who, lambda f: replace(f, tracks={**f.tracks, v.track: v.new})),
    e.ConditionGained: _gained,
    e.ConditionChanged: lambda s, v: _rework(
        s, v.who, lambda f: replace(f, conditions=_swap(f.conditions, v.condition))
    ),
    e.ConditionEnded: lambda s, v: _rework(
        s, v.who, lambda f: replace(f, conditions=_without(f.conditions, v.condition))
    ),
    e.Moved: _moved,
    e.Boarded: _boarded,
    e.ItemChanged: lambda s, v: _rework(s, v.who, lambda f: replace(f, items=_swap(f.items, v.item))),
    e.ItemGained: _item_gained,
    e.ItemLost: _item_lost,
    e.Marked: _marked,
    e.HiddenSet: lambda s, v: _edit(s, v.who, hidden=v.hidden),
    e.ClockSet: lambda s, v: replace(s, clocks=_with(s.all_clocks, v.clock)),
    e.ClockRemoved: lambda s, v: replace(s, clocks=_without(s.all_clocks, v.clock) or UNSET),
    e.CounterSet: _counter_set,
    e.CounterRemoved: _counter_removed,
    e.RulingSet: _ruling_set,
    e.RulingRemoved: _ruling_removed,
    e.SheetSet: lambda s, v: _edit(s, v.who, sheet=v.sheet),
    e.ReserveSet: _reserve_set,
    e.OwnConditionSet: _own_condition_set,
    e.PlayersSet: lambda s, v: replace(s, played=v.people or UNSET),
    e.AliasSet: _alias_set,
    e.Renamed: lambda s, v: _edit(s, v.who, name=v.name, side=v.side),
}
