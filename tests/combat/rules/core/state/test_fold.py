"""Folding: each event's changes, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast, get_args

import msgspec
import pytest

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import BattleMap, Point, Scene, Wall, Zone, map_of
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import STEPS, fold, fold_all
from combat.rules.core.state.rulings import Ruling
from combat.rules.core.state.state import (
    Alias,
    Clock,
    Combatant,
    Condition,
    Counter,
    Item,
    OwnCondition,
    Reserve,
    State,
    count_levels,
    decode,
    encode,
    find_condition,
    find_item,
    has_condition,
    is_acting,
    present,
    replace,
)

SHAKEN, OTHER = Condition("k1", "shaken", "Shaken"), Condition("k2", "down", "Down")
SWORD, PEBBLE = Item("i1", "weapon", "Sword"), Item("g1", "stone", "Pebble", place="ground", at=Point(1, 1))
ADA = Combatant("a", "Ada", "allies", {}, {"hits": 8}, {"act": 1, "step": 1}, (SHAKEN,), (SWORD,))
BO = Combatant("b", "Bo", "enemies", {}, {"hits": 6}, acted=True)
STATE = State(
    "tiny",
    combatants={"a": ADA, "b": BO},
    order=("a", "b"),
    round=2,
    active="a",
    phase="fight",
    clock=30,
    ground=(PEBBLE,),
    made=5,
    clocks=(Clock("c1", "Alarm", 6),),
)
GATE = Wall("gate", 0, 0, 2, 0, kind="door")
ROLL = Roll("1d6", (3,), 3, "app", "a", "R", "")

# Every event about a combatant: with its id in place of WHO
ABOUT: dict[type[e.Event], Callable[[str], e.Event]] = {
    e.CombatantLeft: lambda who: e.CombatantLeft(who),
    e.InitiativeSet: lambda who: e.InitiativeSet(who, 9),
    e.TurnStarted: lambda who: e.TurnStarted(who, {"act": 1}),
    e.TurnShared: lambda who: e.TurnShared(who, {"act": 1}),
    e.TurnEnded: lambda who: e.TurnEnded(who),
    e.BudgetSpent: lambda who: e.BudgetSpent(who, {"act": 1}),
    e.BudgetSet: lambda who: e.BudgetSet(who, {"act": 3}),
    e.TrackChanged: lambda who: e.TrackChanged(who, "hits", 8, 2),
    e.ConditionGained: lambda who: e.ConditionGained(who, OTHER),
    e.ConditionChanged: lambda who: e.ConditionChanged(who, replace(SHAKEN, level=3)),
    e.ConditionEnded: lambda who: e.ConditionEnded(who, "k1", "Shaken"),
    e.Moved: lambda who: e.Moved(who, (Point(), Point(3, 4)), 5, 5),
    e.Boarded: lambda who: e.Boarded(who, "b", "driver"),
    e.ItemChanged: lambda who: e.ItemChanged(who, replace(SWORD, loaded=2)),
    e.ItemGained: lambda who: e.ItemGained(who, replace(PEBBLE, place="held", at=None)),
    e.ItemLost: lambda who: e.ItemLost(who, replace(SWORD, place="ground", at=Point(2, 2))),
    e.Marked: lambda who: e.Marked(who, "luck", 3),
    e.HiddenSet: lambda who: e.HiddenSet(who, True),
    e.Renamed: lambda who: e.Renamed(who, "Eve", "strays"),
    e.CounterSet: lambda who: e.CounterSet(who, Counter("n1", "Luck", 3, 2)),
    e.CounterRemoved: lambda who: e.CounterRemoved(who, "n9", "Luck"),
    e.RulingSet: lambda who: e.RulingSet(who, Ruling(id="r1", name="Swing", check=())),
    e.RulingRemoved: lambda who: e.RulingRemoved(who, "r9", "Swing"),
    e.SheetSet: lambda who: e.SheetSet(who, {"might": 3}),
    e.AliasSet: lambda who: e.AliasSet(who, "Eve", "Ada", "scout", Alias("Eve", "Ada")),
}
WITHOUT = [
    e.SceneSet(Scene("Yard", (Zone("z", "Z"),))),
    e.MapSet(BattleMap(walls=(GATE,))),
    e.MapChanged(walls=(GATE,)),
    e.DoorSet("gate", True, False),
    e.Explored("allies", "0,0"),
    e.OptionSet("damage", "1d6"),
    e.RulesMoved(1, 2),
    e.SettingSet("ground", "slippery"),
    e.CombatantJoined(replace(ADA, id="c")),
    e.FightStarted(),
    e.FightEnded(),
    e.RoundStarted(3, 10),
    e.TimePassed(60),
    e.OrderSet(("b", "a")),
    e.Checked("a", "strike", ROLL, (), 3, "miss"),
    e.DiceRolled("a", ROLL),
    e.OwnConditionSet(OwnCondition("o1", "Cursed")),
    e.Earned("a", "maneuver", 2),
    e.Said("Hello."),
    e.Overruled("the weather"),
    e.Marked("", "storm", True),
    e.ClockSet(Clock("c2", "Storm", 4)),
    e.ClockRemoved("c1", "Alarm"),
    e.ReserveSet(Reserve("r1", ("b",))),
    e.PlayersSet(("b",)),
]

WORDS = {e.Said, e.Overruled, e.Checked, e.DiceRolled, e.Earned}  # events that change nothing


def changes(before: msgspec.Struct, after: msgspec.Struct) -> dict[str, Any]:
    """The fields that differ, with their new values."""
    fields = before.__struct_fields__
    return {f: getattr(after, f) for f in fields if getattr(after, f) != getattr(before, f)}


def change(event: e.Event, state: State = STATE) -> dict[str, Any]:
    """An event's changes to the state."""
    return changes(state, fold(state, event))


def change_ada(event: e.Event, **others: object) -> dict[str, Any]:
    """An event's changes to Ada; in the rest of the state only `others` may change."""
    found = change(event)
    combatants = found.pop("combatants", STATE.combatants)
    assert found == others
    assert combatants["b"] == BO
    return changes(ADA, combatants["a"])


def test_every_event_is_in_these_tests() -> None:
    missing = {*get_args(e.Event)} - {*ABOUT, *(type(event) for event in WITHOUT)}
    names = ", ".join(sorted(event.__name__ for event in missing))
    assert not missing, f"give {names} an example, in ABOUT if it is about someone, else in WITHOUT"
    unfolded = {*get_args(e.Event)} ^ {*STEPS, *WORDS}
    assert not unfolded, "say in STEPS of core/state/fold.py what these events change, or add them to WORDS"


# ---------------------------------------------------------------- clocks


def test_clocks_are_made_changed_and_removed() -> None:
    alarm, storm = Clock("c1", "Alarm", 6), Clock("c2", "Storm", 4)
    assert change(e.ClockSet(storm)) == {"clocks": (alarm, storm)}
    assert change(e.ClockSet(replace(alarm, filled=2), 0)) == {"clocks": (replace(alarm, filled=2),)}
    assert change(e.ClockRemoved("c1", "Alarm")) == {"clocks": msgspec.UNSET}
    assert change(e.ClockRemoved("c9", "None")) == {}


# ---------------------------------------------------------------- reinforcements


def test_reserves_are_gone_and_hidden_until_they_join_again() -> None:
    guard = Reserve("r1", ("b",), when="round", at_round=3)
    away = replace(BO, gone=True, hidden=True)
    assert change(e.ReserveSet(guard)) == {"combatants": {"a": ADA, "b": away}, "reserves": (guard,)}
    state = fold(STATE, e.ReserveSet(guard))
    later = replace(guard, at_round=4)
    assert change(e.ReserveSet(later), state) == {"reserves": (later,)}
    assert change(e.ReserveSet(guard, e.NEVER), state) == {"reserves": msgspec.UNSET}
    back = fold_all(state, [e.Fact(e.ReserveSet(guard, e.ARRIVES)), e.Fact(e.CombatantJoined(BO, True))])
    assert back == replace(STATE, made=STATE.made + 1)


# ---------------------------------------------------------------- the fight


@pytest.mark.parametrize(
    "kind", [*get_args(e.Event), e.Fact, State, Combatant, Condition, Item, Scene, Zone, Roll]
)
def test_what_has_happened_can_be_changed_by_nobody(kind: type[msgspec.Struct]) -> None:
    """States share parts when folding, and the log is the truth: neither may be written to."""
    assert kind.__struct_config__.frozen


def test_a_fight_follows_the_version_it_was_moved_to() -> None:
    assert change(e.RulesMoved(1, 2)) == {"rules": 2}


def test_scene_option_and_setting() -> None:
    scene = Scene("Yard", (Zone("z", "Z"),))
    assert change(e.SceneSet(scene)) == {"scene": scene}
    assert change(e.OptionSet("damage", "1d6")) == {"options": {"damage": "1d6"}}
    lit = fold(STATE, e.SettingSet("light", "dim"))
    assert lit.scene == Scene(settings={"light": "dim"})
    again = fold(fold(lit, e.SettingSet("wind", "calm")), e.SettingSet("light", "dark"))
    assert again.scene.settings == {"light": "dark", "wind": "calm"}


def test_battle_map_its_parts_and_its_doors() -> None:
    walled = fold(STATE, e.MapSet(BattleMap(walls=(GATE,))))
    assert map_of(walled.scene).walls == (GATE,)
    longer = fold(walled, e.MapChanged(walls=(replace(GATE, x2=3),)))
    assert [wall.x2 for wall in map_of(longer.scene).walls] == [3]
    assert map_of(fold(walled, e.DoorSet("gate", True, False)).scene).walls[0].open
    assert map_of(fold(walled, e.MapChanged(drop=("gate",))).scene).walls == ()
    assert map_of(fold(walled, e.SceneSet(Scene("Yard"))).scene).walls == (GATE,)


def test_someone_joins_and_leaves() -> None:
    new = replace(BO, id="c")
    assert change(e.CombatantJoined(new)) == {"combatants": {**STATE.combatants, "c": new}, "made": 6}
    assert change_ada(e.CombatantLeft("a")) == {"gone": True}
    gone = fold(STATE, e.CombatantLeft("a"))
    assert [combatant.id for combatant in present(gone)] == ["b"]
    with pytest.raises(Refused, match="not in this encounter"):
        gone["a"]


def test_fight_starts_and_ends() -> None:
    prep = replace(STATE, phase="prep", active="")
    assert change(e.FightStarted(), prep) == {"phase": "fight", "round": 0}
    later = replace(prep, phase="over", round=7, clock=36)
    assert change(e.FightStarted(6), later) == {"phase": "fight", "round": 0, "clock": 42}
    shared = replace(STATE, sharing=("b",))
    assert change(e.FightEnded("done"), shared) == {"phase": "over", "active": "", "sharing": ()}


def test_round_refreshes_and_counts_time() -> None:
    found = change(e.RoundStarted(3, 10))
    assert found == {"round": 3, "clock": 40, "combatants": {"a": ADA, "b": replace(BO, acted=False)}}
    assert change(e.TimePassed(60, "a rest")) == {"clock": 90}


def test_order_and_initiative() -> None:
    assert change(e.OrderSet(("b", "a"))) == {"order": ("b", "a")}
    assert change_ada(e.InitiativeSet("a", 9)) == {"initiative": 9}
    assert fold(fold(STATE, e.InitiativeSet("a", 9)), e.InitiativeSet("a", None)) == STATE


# ---------------------------------------------------------------- turns


def test_turn_starts_and_ends() -> None:
    found = change(e.TurnStarted("b", {"act": 2}))
    assert found["active"] == "b"
    assert found["combatants"]["b"] == replace(BO, budget={"act": 2}, acted=False)
    assert change_ada(e.TurnEnded("a"), active="") == {"acted": True}
    assert change(e.TurnEnded("b")) == {}  # the end of another's turn: it is still Ada's


def test_shared_turn_is_handed_on() -> None:
    shared = fold(STATE, e.TurnShared("b", {"act": 1}))
    assert (shared.active, shared.sharing) == ("a", ("b",))
    assert is_acting(shared, "a")
    assert is_acting(shared, "b")
    assert not is_acting(shared, "")
    first = fold(shared, e.TurnEnded("a"))
    assert (first.active, first.sharing) == ("b", ())
    second = fold(shared, e.TurnEnded("b"))
    assert (second.active, second.sharing) == ("a", ())
    assert fold(shared, e.TurnStarted("a", {})).sharing == ()


def test_budget_is_spent_and_set() -> None:
    assert change_ada(e.BudgetSpent("a", {"act": 1})) == {"budget": {"act": 0, "step": 1}}
    assert change_ada(e.BudgetSpent("a", {"luck": 1})) == {}
    assert change_ada(e.BudgetSet("a", {"act": 3})) == {"budget": {"act": 3}}


# ---------------------------------------------------------------- combatants


def test_track_takes_the_new_number() -> None:
    assert change_ada(e.TrackChanged("a", "hits", 8, 2)) == {"tracks": {"hits": 2}}
    assert change_ada(e.TrackChanged("a", "luck", 0, 1)) == {"tracks": {"hits": 8, "luck": 1}}


def test_conditions_come_change_and_go() -> None:
    assert change_ada(e.ConditionGained("a", OTHER), made=6) == {"conditions": (SHAKEN, OTHER)}
    worse = replace(SHAKEN, level=3)
    assert change_ada(e.ConditionChanged("a", worse)) == {"conditions": (worse,)}
    assert change_ada(e.ConditionChanged("a", OTHER)) == {}
    assert change_ada(e.ConditionEnded("a", "k1", "Shaken")) == {"conditions": ()}
    assert change_ada(e.ConditionEnded("a", "k7", "Shaken")) == {}


def test_moving_ends_where_the_path_ends() -> None:
    assert change_ada(e.Moved("a", (Point(), Point(3, 4)), 5, 5)) == {"at": Point(3, 4)}
    assert change_ada(e.Moved("a", (), 0, 0)) == {}


def test_items_change_come_and_go() -> None:
    loaded = replace(SWORD, loaded=2)
    assert change_ada(e.ItemChanged("a", loaded)) == {"items": (loaded,)}
    assert change_ada(e.ItemChanged("a", PEBBLE)) == {}
    held = replace(PEBBLE, place="held", at=None)
    assert change_ada(e.ItemGained("a", held), ground=(), made=6) == {"items": (SWORD, held)}
    fallen = replace(SWORD, place="ground", at=Point(2, 2))
    assert change_ada(e.ItemLost("a", fallen), ground=(PEBBLE, fallen)) == {"items": ()}
    assert change_ada(e.ItemLost("a", replace(SWORD, place="spent"))) == {"items": ()}


def test_remarks_on_a_combatant_and_on_the_fight() -> None:
    assert change_ada(e.Marked("a", "luck", 3)) == {"marks": {"luck": 3}}
    assert change(e.Marked("", "storm", True)) == {"marks": {"storm": True}}
    assert fold(fold(STATE, e.Marked("", "storm", True)), e.Marked("", "storm", None)) == STATE
    assert fold(fold(STATE, e.Marked("a", "luck", 3)), e.Marked("a", "luck", None)) == STATE


def test_hiding_and_renaming() -> None:
    assert change_ada(e.HiddenSet("a", True)) == {"hidden": True}
    assert change_ada(e.Renamed("a", "Eve", "strays")) == {"name": "Eve", "side": "strays"}


@pytest.mark.parametrize("event", [event for event in WITHOUT if type(event) in WORDS])
def test_words_change_nothing(event: e.Event) -> None:
    assert change(event) == {}


# ---------------------------------------------------------------- totality


@pytest.mark.parametrize("kind", ABOUT, ids=lambda kind: kind.__name__)
def test_events_about_strangers_change_no_combatant(kind: type[e.Event]) -> None:
    after = fold(STATE, ABOUT[kind]("nobody"))
    assert after.combatants == STATE.combatants
    assert decode(encode(after)) == after


@pytest.mark.parametrize(
    "event", [*(make("a") for make in ABOUT.values()), *WITHOUT], ids=lambda x: type(x).__name__
)
def test_events_fold_into_nothing_and_change_nothing_given(event: e.Event) -> None:
    before = encode(STATE)
    for state in (State("tiny"), STATE):
        after = fold(state, event)
        assert decode(encode(after)) == after
        assert encode(fold(state, event)) == encode(after)
    assert encode(STATE) == before


@pytest.mark.parametrize(
    "event", [*(make("a") for make in ABOUT.values()), *WITHOUT], ids=lambda x: type(x).__name__
)
def test_facts_survive_json(event: e.Event) -> None:
    fact = e.Fact(event, "R-1", e.GM_ONLY, e.Said("Something happens."))
    assert msgspec.json.decode(msgspec.json.encode(fact), type=e.Fact) == fact


def test_an_unknown_event_is_passed_over() -> None:
    assert fold(STATE, cast("e.Event", object())) is STATE


def test_facts_fold_in_order() -> None:
    facts = [e.Fact(e.TrackChanged("a", "hits", 8, n)) for n in (5, 3, 4)]
    assert fold_all(STATE, facts).combatants["a"].tracks == {"hits": 4}
    assert fold_all(STATE, ()) is STATE


# ---------------------------------------------------------------- questions about a state


def test_conditions_are_found_and_counted() -> None:
    combatant = replace(ADA, conditions=(SHAKEN, replace(SHAKEN, id="k3", level=2), OTHER))
    assert find_condition(combatant, "shaken") == SHAKEN
    assert find_condition(combatant, "guarded") is None
    assert has_condition(combatant, "guarded", "down")
    assert not has_condition(combatant, "guarded")
    assert (count_levels(combatant, "shaken"), count_levels(combatant, "guarded")) == (3, 0)


def test_items_are_found_or_refused() -> None:
    assert find_item(ADA, "i1") == SWORD
    with pytest.raises(Refused, match="Ada does not have that item"):
        find_item(ADA, "i2")
