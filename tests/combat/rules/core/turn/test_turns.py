"""Turns: the next one, what a turn may spend, and durations that wait for someone's turn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.conditions import ConditionKind, Conditions, OwnRules
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.characters import make_condition
from combat.rules.core.declaration.parts import Pool
from combat.rules.core.engine.engine import ReplayDriver
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, Until, find_condition, replace
from combat.rules.core.turn.turns import (
    add_condition,
    defer,
    find_deferred,
    find_next,
    find_payment,
    is_anchor,
    is_shared,
    no_budget,
    remove_conditions,
    share_count,
    spend,
    take_deferred,
)
from tests.combat.rules.stage import Stage
from tests.typed import as_a, sure

POOLS = ("act", "step", "quick")
Amounts = dict[str, int]
AMOUNTS = st.dictionaries(st.sampled_from(POOLS), st.integers(0, 3))


def sit(stage: Stage) -> RuleContext:
    """The stage's state at a table of its own."""
    return RuleContext(stage.system, stage.state, ReplayDriver())


# ---------------------------------------------------------------- payments


@pytest.mark.parametrize(
    ("budget", "cost", "instead", "paid"),
    [
        ({"act": 1, "step": 1}, {"act": 1}, {}, {"act": 1}),
        ({"act": 1, "step": 1}, {"act": 1, "step": 1}, {}, {"act": 1, "step": 1}),
        ({"act": 1}, {"act": 2}, {}, None),
        ({}, {"act": 1}, {}, None),
        ({"act": 1}, {}, {}, {}),
        ({"act": 0, "step": 0}, {"act": 0}, {}, {}),
        ({"act": 1, "step": 0}, {"step": 1}, {}, None),
        ({"act": 1, "step": 0}, {"step": 1}, {"step": ("act",)}, {"act": 1}),
        ({"act": 0, "step": 0}, {"step": 1}, {"step": ("act",)}, None),
        ({}, {"step": 1}, {"step": ("act",)}, None),
        ({"act": 1, "step": 1}, {"step": 1}, {"step": ("act",)}, {"step": 1}),  # its own first
        ({"act": 1, "step": 1}, {"step": 2}, {"step": ("act",)}, {"step": 1, "act": 1}),
        ({"act": 0, "step": 1}, {"act": 1}, {"step": ("act",)}, None),  # not the other way round
        ({"act": 1, "step": 0}, {"step": 1, "act": 1}, {"step": ("act",)}, None),  # nothing pays twice
        ({"act": 1, "quick": 1}, {"step": 1, "act": 1}, {"step": ("act", "quick")}, {"act": 1, "quick": 1}),
        ({"act": -1, "step": 1}, {"act": 1}, {}, None),
    ],
)
def test_payment(
    budget: Amounts, cost: Amounts, instead: dict[str, tuple[str, ...]], paid: Amounts | None
) -> None:
    assert find_payment(budget, cost, instead) == paid


@given(budget=AMOUNTS, cost=AMOUNTS, instead=st.dictionaries(st.sampled_from(POOLS), st.permutations(POOLS)))
def test_payment_pays_the_whole_cost_out_of_what_is_there(
    budget: Amounts, cost: Amounts, instead: dict[str, list[str]]
) -> None:
    others = {pool: tuple(other for other in names if other != pool) for pool, names in instead.items()}
    paid = find_payment(budget, cost, others)
    own = {pool: n for pool, n in cost.items() if n}
    if all(budget.get(pool, 0) >= n for pool, n in own.items()):
        assert paid == own
    if paid is None:
        assert any(budget.get(pool, 0) < n for pool, n in own.items())
    else:
        assert sum(paid.values()) == sum(cost.values())
        assert all(0 < n <= budget[pool] for pool, n in paid.items())
        strange = {pool for pool in paid if pool not in cost}
        assert strange <= {other for pool in cost for other in others.get(pool, ())}


def test_spending_takes_from_the_budget(duel: Stage) -> None:
    context = sit(duel)
    spend(context, "f1", {"act": 1}, "A strike", "TINY-STR-01")
    assert context.state["f1"].budget == {"act": 0, "step": 1}
    assert context.facts == [e.Fact(e.BudgetSpent("f1", {"act": 1}), "TINY-STR-01")]


def test_spending_nothing_is_no_fact(duel: Stage) -> None:
    context = sit(duel)
    spend(context, "f1", {"act": 0}, "A word", "TINY-STR-01")
    assert context.facts == []


def test_spending_another_pool_instead(duel: Stage) -> None:
    duel.edit("f1", budget={"act": 1, "step": 0})
    context = sit(duel)
    spend(context, "f1", {"step": 1}, "A step", "TINY-MOVE-01", step=("act",))
    assert context.state["f1"].budget == {"act": 0, "step": 0}


def test_pool_whose_label_names_an_action_reads_as_one(duel: Stage) -> None:
    duel.edit("f1", budget={"minor": 0})
    pools = (Pool("minor", "Minor action", 1),)
    refused = no_budget(pools, Conditions({}, OwnRules()).find_row, duel["f1"], {"minor": 2}, "A rush")
    assert refused.message == "No minor action left this turn; A rush needs 2 minor actions."
    duel.give("f1", "shaken")
    dazed = ConditionKind("shaken", "Dazed", "", "", "TINY-TURN-02", takes=("minor",))
    kinds = Conditions({"shaken": dazed}, OwnRules())
    refused = no_budget(pools, kinds.find_row, duel["f1"], {"minor": 1}, "A rush")
    assert refused.message == "Dazed: no minor action left this turn."


def test_spending_what_is_not_left_names_it(duel: Stage) -> None:
    duel.edit("f1", budget={"act": 0, "step": 1})
    with pytest.raises(Refused) as caught:
        spend(sit(duel), "f1", {"act": 1, "step": 1}, "A rush", "TINY-STR-01")
    assert caught.value.code == "no_budget"
    assert caught.value.message == "No act left this turn; A rush needs 1 act and 1 step."
    duel.edit("f1", budget={})
    pools, characters = duel.system.turn.pools, duel.system.characters
    refused = no_budget(pools, characters.describe_held, duel["f1"], {"act": 1, "step": 1}, "A rush")
    assert refused.message == "No act or step left this turn; A rush needs 1 act and 1 step."


# ---------------------------------------------------------------- the order


def next_turn(stage: Stage) -> str:
    """End the turn; return who has the next one."""
    stage.do("next_turn")
    return stage.state.active


def test_turns_follow_the_order_round_after_round(duel: Stage) -> None:
    assert [next_turn(duel) for _ in range(5)] == ["f2", "f3", "f1", "f2", "f3"]
    assert (duel.state.round, duel.state.clock) == (2, 10)


def test_a_new_round_refreshes_everybody(duel: Stage) -> None:
    next_turn(duel)
    next_turn(duel)
    assert [duel[who].acted for who in ("f1", "f2", "f3")] == [True, True, False]
    next_turn(duel)
    assert [duel[who].acted for who in ("f1", "f2", "f3")] == [False, False, False]
    assert duel["f1"].budget == {"act": 1, "step": 1}


def test_the_tied_keep_the_order_of_joining(duel: Stage) -> None:
    duel.do("end_fight")
    duel.do("start", dice=[(2,), (4,), (4,)])  # Ada 5 with her skill, the others 5 as well
    assert [duel[who].initiative for who in ("f1", "f2", "f3")] == [5, 5, 5]
    assert duel.state.order == ("f1", "f2", "f3")


def test_next_is_who_has_not_acted(duel: Stage) -> None:
    duel.edit("f1", acted=True)
    assert find_next(duel.state) == "f2"
    for who in ("f2", "f3"):
        duel.edit(who, acted=True)
    assert find_next(duel.state) is None


def test_a_later_place_in_the_order_comes_later(duel: Stage) -> None:
    duel.do("reorder", target="f2", after="f3")
    assert [next_turn(duel) for _ in range(3)] == ["f3", "f2", "f1"]


def test_moved_before_the_active_one_still_has_its_turn(duel: Stage) -> None:
    next_turn(duel)  # Bo's turn
    duel.do("reorder", target="f3")
    assert (next_turn(duel), duel.state.round) == ("f3", 1)
    assert (next_turn(duel), duel.state.round) == ("f3", 2)


def test_moved_behind_after_acting_has_no_second_turn(duel: Stage) -> None:
    next_turn(duel)
    duel.do("reorder", target="f1", after="f3")
    assert [next_turn(duel), next_turn(duel)] == ["f3", "f2"]
    assert duel.state.round == 2


def test_waiting_moves_the_turn_and_keeps_the_budget(duel: Stage) -> None:
    duel.do("wait", "f1")
    assert duel.state.active == "f2"
    assert not duel["f1"].acted
    next_turn(duel)
    assert next_turn(duel) == "f1"
    assert duel["f1"].budget == {"act": 1, "step": 1}
    assert duel.state.round == 1
    assert duel.refused("wait", "f1").code == "not_allowed"


def test_nobody_able_to_act_ends_in_words(duel: Stage) -> None:
    for who in ("f1", "f2", "f3"):
        duel.do("adjust", target=who, track="hits", to=0)
    duel.do("next_turn")
    assert duel.told(e.Said) == [e.Said("log.nobody_able")]
    assert duel.state.active == ""


# ---------------------------------------------------------------- durations


def lasting(stage: Stage, who: str, anchor: str, edge: str, count: int = 1) -> None:
    """Shake a combatant until the start or end of someone's turn."""
    stage.give(who, "shaken", until=Until(anchor, edge, count))


def count_turns(stage: Stage, who: str = "f3") -> list[str]:
    """Those whose turns begin while the combatant is still shaken."""
    seen: list[str] = []
    while stage.has(who, "shaken"):
        assert len(seen) < 20, "it never ends"
        if stage.do("next_turn") and stage.has(who, "shaken"):
            seen.append(stage.state.active)
    return seen


@pytest.mark.parametrize(
    ("edge", "count", "seen"),
    [
        ("end", 1, []),  # this very turn's end
        ("end", 2, ["f2", "f3", "f1"]),
        ("start", 1, ["f2", "f3"]),  # up to the next turn
        ("start", 2, ["f2", "f3", "f1", "f2", "f3"]),
        ("end", 3, ["f2", "f3", "f1", "f2", "f3", "f1"]),
    ],
)
def test_what_hangs_on_the_active_combatant(duel: Stage, edge: str, count: int, seen: list[str]) -> None:
    lasting(duel, "f3", "f1", edge, count)
    assert count_turns(duel) == seen


@pytest.mark.parametrize(("edge", "seen"), [("start", []), ("end", ["f2"])])
def test_what_hangs_on_the_next_combatant(duel: Stage, edge: str, seen: list[str]) -> None:
    lasting(duel, "f3", "f2", edge)
    assert count_turns(duel) == seen


def test_counting_down_is_for_the_gm(duel: Stage) -> None:
    lasting(duel, "f3", "f1", "end", 2)
    facts = duel.do("next_turn")
    (changed,) = [fact for fact in facts if isinstance(fact.event, e.ConditionChanged)]
    assert changed.to == e.GM_ONLY
    condition = as_a(changed.event, e.ConditionChanged).condition
    assert as_a(condition, Condition).until == Until("f1", "end", 1)


def test_the_end_of_a_duration_says_so(duel: Stage) -> None:
    lasting(duel, "f3", "f1", "end")
    duel.do("next_turn")
    (ended,) = duel.told(e.ConditionEnded)
    assert (ended.who, ended.label, ended.why) == ("f3", "Shaken", "why.expired")


def test_a_duration_survives_waiting(duel: Stage) -> None:
    """A combatant who delays has not ended their turn: effects until its end last on."""
    lasting(duel, "f3", "f1", "end")
    duel.do("wait", "f1")
    assert duel.has("f3", "shaken")
    next_turn(duel)
    assert next_turn(duel) == "f1"
    assert duel.has("f3", "shaken")
    next_turn(duel)
    assert not duel.has("f3", "shaken")


def test_waiting_is_no_second_start(duel: Stage) -> None:
    """The turn that a combatant resumes has started already."""
    lasting(duel, "f3", "f1", "start")
    duel.do("wait", "f1")
    next_turn(duel)
    assert next_turn(duel) == "f1"
    assert duel.has("f3", "shaken")
    assert [next_turn(duel), next_turn(duel)] == ["f2", "f3"]
    assert duel.has("f3", "shaken")
    assert next_turn(duel) == "f1"
    assert not duel.has("f3", "shaken")


def test_a_duration_survives_a_new_order(duel: Stage) -> None:
    lasting(duel, "f1", "f2", "end")
    duel.do("reorder", target="f2", after="f3")
    assert next_turn(duel) == "f3"
    assert duel.has("f1", "shaken")
    assert next_turn(duel) == "f2"
    assert duel.has("f1", "shaken")
    next_turn(duel)
    assert not duel.has("f1", "shaken")


def test_a_duration_outlives_the_combatant_it_hangs_on(duel: Stage) -> None:
    """The turn of a combatant who left passes in its old place; effects that depend on it run out there."""
    lasting(duel, "f1", "f2", "end", 2)
    duel.do("remove", target="f2")
    assert duel.state.order == ("f1", "f2", "f3")
    assert next_turn(duel) == "f3"
    assert sure(find_condition(duel["f1"], "shaken")).until == Until("f2", "end", 1)
    assert next_turn(duel) == "f1"
    assert duel.has("f1", "shaken")
    assert next_turn(duel) == "f3"
    assert not duel.has("f1", "shaken")
    next_turn(duel)
    assert [*duel.state.order] == ["f1", "f3"]  # nothing depends on it any longer


def test_duration_ends_when_the_active_combatant_it_needs_leaves(duel: Stage) -> None:
    lasting(duel, "f2", "f1", "end")
    lasting(duel, "f3", "f1", "start")
    duel.do("remove", target="f1")
    assert duel.state.active == ""
    assert not duel.has("f2", "shaken")
    assert duel.has("f3", "shaken")
    assert [next_turn(duel), next_turn(duel)] == ["f2", "f3"]
    assert next_turn(duel) == "f2"
    assert not duel.has("f3", "shaken")
    assert duel.state.round == 2


def test_a_place_without_a_combatant_is_given_up_with_the_round(duel: Stage) -> None:
    duel.do("remove", target="f2")
    assert duel.state.order == ("f1", "f2", "f3")
    assert [next_turn(duel), next_turn(duel)] == ["f3", "f1"]
    assert [*duel.state.order] == ["f1", "f3"]


def test_condition_of_someone_gone_keeps_no_anchor(duel: Stage) -> None:
    lasting(duel, "f3", "f2", "end", 5)
    duel.do("remove", target="f2")
    assert is_anchor(duel.state, "f2")
    duel.do("remove", target="f3")
    assert not is_anchor(duel.state, "f2")


def test_several_durations_hang_on_one_turn(duel: Stage) -> None:
    lasting(duel, "f2", "f1", "end")
    lasting(duel, "f3", "f1", "end")
    duel.give("f3", "guarded", until=Until("f1", "end", 2))
    next_turn(duel)
    assert not duel.has("f2", "shaken")
    assert not duel.has("f3", "shaken")
    assert duel.has("f3", "guarded")


def test_the_gm_counts_a_targets_own_turns(duel: Stage) -> None:
    duel.do("give_condition", target="f2", kind="shaken", turns=2)
    assert count_turns(duel, "f2") == ["f2", "f3", "f1", "f2"]


# ---------------------------------------------------------------- conditions


def test_conditions_have_ids_of_their_own(duel: Stage) -> None:
    context = sit(duel)
    first, second = add_condition(context, "f2", "shaken"), add_condition(context, "f3", "shaken")
    assert first.id != second.id
    assert (first.label, first.rule, first.ends) == ("condition.shaken", "TINY-COND-01", "")
    known = duel.system.characters.describe_condition("down")
    assert make_condition(context.state, known).id not in {first.id, second.id}


def test_made_up_conditions_have_a_name(duel: Stage) -> None:
    assert duel.system.characters.describe_condition("on_fire").label == "On fire"


def test_lifting_counts_what_it_ends(duel: Stage) -> None:
    duel.give("f2", "shaken")
    duel.give("f2", "guarded")
    duel.give("f2", "shaken")
    context = sit(duel)
    assert remove_conditions(context, "f2", "shaken", why="calm") == 2
    assert remove_conditions(context, "f2", "shaken") == 0
    assert [held.kind for held in context.state["f2"].conditions] == ["guarded"]


# ---------------------------------------------------------------- several at one count


def _resolve_count(context: RuleContext, effects: tuple[str, ...]) -> None:
    for effect in effects:
        context.emit(e.Said("note", args={"text": effect}))


def _share(stage: Stage, *people: str) -> RuleContext:
    system = replace(stage.system, turn=replace(stage.system.turn, resolve_count=_resolve_count))
    context = RuleContext(system, stage.state, ReplayDriver())
    share_count(context, people)
    return context


def _told(context: RuleContext) -> list[str]:
    return [str(f.event.args["text"]) for f in context.facts if isinstance(f.event, e.Said)]


def test_who_is_alone_at_a_count_acts_at_once(duel: Stage) -> None:
    context = _share(duel, "f1")
    assert not is_shared(context.state)
    assert defer(context, "f1", "a blow") is None
    assert _told(context) == ["a blow"]


def test_what_several_do_at_one_count_waits_and_keeps_no_order(duel: Stage) -> None:
    found = []
    for order in (("f2", "f1"), ("f1", "f2")):
        context = _share(duel, "f1", "f2")
        for who in order:
            assert defer(context, who, f"{who} first", f"{who} then") is None
        assert _told(context) == []
        then = take_deferred(context)
        assert then is not None
        then.step(context, *then.args)
        assert not context.state.marks
        found.append(_told(context))
    assert found[0] == found[1] == ["f1 first", "f1 then", "f2 first", "f2 then"]


def test_some_of_what_waits_may_be_left_out(duel: Stage) -> None:
    context = _share(duel, "f1", "f2")
    defer(context, "f1", "old")
    waiting = find_deferred(context.state)
    defer(context, "f2", "new")
    then = take_deferred(context, waiting)
    assert then is not None
    then.step(context, *then.args)
    assert _told(context) == ["new"]
