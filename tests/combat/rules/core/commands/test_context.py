"""The table and the engine: rolls, questions, facts, guards, and commands that wait for an answer."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import (
    Answer,
    Choice,
    ChoiceRequest,
    NeedsAnswer,
    RollRequest,
    answer_choice,
    answer_roll,
    key_of,
    kind_of,
)
from combat.rules.core.basics.errors import Drift, Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.characters import Track
from combat.rules.core.engine.engine import (
    AutoDriver,
    Done,
    LiveDriver,
    ReplayDriver,
    Waiting,
    find_action,
    follow,
    run,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Berth, Condition, Until, replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules import tiny
from tests.combat.rules.stage import Stage
from tests.typed import as_a, sure

YES_NO = (Choice("yes", "Yes"), Choice("no", "No"), Choice("maybe", "Maybe", refused="Say yes or no."))


@pytest.fixture
def rule_context(duel: Stage) -> RuleContext:
    """A table at which no one answers."""
    return RuleContext(duel.system, duel.state, ReplayDriver())


def seat(stage: Stage, *answers: Answer) -> RuleContext:
    """A table with answers on record."""
    return RuleContext(stage.system, stage.state, ReplayDriver(), answers)


def ask(context: RuleContext, who: str = "f1", default: str = "yes") -> str:
    return context.ask(who, "Well?", YES_NO, rule="Q", default=default)


def roll(context: RuleContext, dice: str = "2d6+1", by: str = "f1") -> int:
    return context.roll(dice, by=by, rule="R", why="to see").total


def rolled(*faces: int, by: str = "f1", ordinal: int = 1) -> Answer:
    return Answer("roll", "R", by, ordinal, faces, "", "table")


def chosen(value: str, who: str = "f1", ordinal: int = 1) -> Answer:
    return Answer("choice", "Q", who, ordinal, (), value, "seat")


# ---------------------------------------------------------------- rolls


def test_roll_without_an_answer_is_needed(rule_context: RuleContext) -> None:
    with pytest.raises(NeedsAnswer) as caught:
        rule_context.roll("2d6+1", by="f1", rule="R", why="to see", look="faces", cuts=(7,))
    assert caught.value.requests == (RollRequest("R", "f1", 1, "2d6+1", "to see", "faces", (7,)),)
    assert not isinstance(caught.value, Exception)


def test_roll_takes_the_recorded_faces(duel: Stage) -> None:
    context = seat(duel, rolled(3, 5))
    found = context.roll("2d6+1", by="f1", rule="R", why="to see")
    assert (found.faces, found.total, found.natural, found.source) == ((3, 5), 9, 8, "table")
    assert (found.by, found.rule, found.why, found.dice) == ("f1", "R", "to see", "2d6+1")
    assert context.answers == [rolled(3, 5)]


@pytest.mark.parametrize("faces", [(3,), (3, 7), (0, 3), (1, 2, 3)])
def test_typed_dice_that_cannot_be_are_refused(duel: Stage, faces: tuple[int, ...]) -> None:
    with pytest.raises(Refused) as caught:
        roll(seat(duel, rolled(*faces)))
    assert caught.value.code == "bad_dice"


def test_rolls_of_one_kind_are_numbered(duel: Stage) -> None:
    context = seat(duel, rolled(1, 1), rolled(6, 6, ordinal=2), rolled(2, 2, by="f2"))
    assert [roll(context), roll(context), roll(context, by="f2")] == [3, 13, 5]
    with pytest.raises(NeedsAnswer) as caught:
        roll(context)
    assert caught.value.requests[0].ordinal == 3


# ---------------------------------------------------------------- questions


def test_question_without_an_answer_is_needed(rule_context: RuleContext) -> None:
    with pytest.raises(NeedsAnswer) as caught:
        ask(rule_context)
    assert caught.value.requests == (ChoiceRequest("Q", "f1", 1, "Well?", YES_NO, "yes"),)


def test_question_takes_the_recorded_choice(duel: Stage) -> None:
    assert ask(seat(duel, chosen("no"))) == "no"


@pytest.mark.parametrize(
    ("choice", "code", "says"),
    [
        ("never", "bad_value", "“never” is not one of the choices"),
        ("maybe", "not_allowed", "Say yes or no"),
    ],
)
def test_choice_that_is_not_offered_or_greyed_is_refused(
    duel: Stage, choice: str, code: str, says: str
) -> None:
    with pytest.raises(Refused, match=says) as caught:
        ask(seat(duel, chosen(choice)))
    assert caught.value.code == code


def test_question_to_several_is_one_that_the_first_answers(duel: Stage) -> None:
    def put(context: RuleContext) -> str:
        return context.ask("f1", "Well?", YES_NO, rule="Q", default="yes", also=("f2", "f3"))

    with pytest.raises(NeedsAnswer) as caught:
        put(seat(duel))
    (request,) = caught.value.requests
    assert request.people == ("f1", "f2", "f3")
    assert put(seat(duel, chosen("no"))) == "no"
    assert LiveDriver(standing={"Q:f1": "no"}).answer(seat(duel), request) is None, "nobody orders for all"


def ask_all(context: RuleContext) -> dict[str, str]:
    return context.ask_each(("f1", "f2", "f3"), "Well?", YES_NO, rule="Q", default="yes")


@pytest.mark.parametrize("order", [("f1", "f2", "f3"), ("f3", "f1", "f2"), ("f2", "f3", "f1")])
def test_several_answer_in_any_order(duel: Stage, order: tuple[str, ...]) -> None:
    answers = {"f1": "yes", "f2": "no", "f3": "yes"}
    known: tuple[Answer, ...] = ()
    for number, who in enumerate(order):
        with pytest.raises(NeedsAnswer) as caught:
            ask_all(seat(duel, *known))
        left = [other for other in answers if other not in order[:number]]
        assert [request.who for request in caught.value.requests] == left
        known = (*known, chosen(answers[who], who))
    assert ask_all(seat(duel, *known)) == answers


def test_one_of_several_may_be_refused(duel: Stage) -> None:
    with pytest.raises(Refused, match="Say yes or no"):
        ask_all(seat(duel, chosen("maybe", "f2")))


def test_keys_tie_answers_to_questions() -> None:
    wanted = RollRequest("R", "f1", 2, "1d6", "")
    asked = ChoiceRequest("Q", "gm", 1, "Well?", YES_NO, "yes")
    assert (kind_of(wanted), kind_of(asked)) == ("roll", "choice")
    assert key_of(answer_roll(wanted, (3,), "app")) == key_of(wanted) == ("roll", "R", "f1", 2)
    assert key_of(answer_choice(asked, "no", "gm")) == key_of(asked) == ("choice", "Q", "gm", 1)


# ---------------------------------------------------------------- facts and their audience


HIDDEN = e.for_seat("f2")


def emit(stage: Stage, event: e.Event, **more: Any) -> e.Fact:
    """The twin of an event while Bo (f2) is hidden."""
    stage.edit("f2", hidden=True)
    context = seat(stage)
    context.emit(event, **more)
    (fact,) = context.facts
    return fact


def gained(who: str, **more: Any) -> e.ConditionGained:
    return e.ConditionGained(who, Condition("k9", "shaken", "Shaken", **more))


def test_what_everybody_sees_is_for_all(duel: Stage) -> None:
    assert emit(duel, e.Said("{who} coughs.", "f1")).to == e.EVERYONE


@pytest.mark.parametrize(
    "event",
    [
        e.Said("{who} creeps.", "f2"),
        e.Said("{who} sees {target}.", "f1", "f2"),
        e.TurnStarted("f2", {}),
        e.Marked("f1", "aim", "f2"),
    ],
)
def test_what_concerns_the_hidden_is_for_the_gm_and_its_own_seat(duel: Stage, event: e.Event) -> None:
    fact = emit(duel, event)
    assert (fact.to, fact.redacted) == (HIDDEN, None)


def test_what_concerns_two_of_the_hidden_is_for_the_gm(duel: Stage) -> None:
    duel.edit("f3", hidden=True)
    assert emit(duel, e.Said("{who} nods to {target}.", "f2", "f3")).to == e.GM_ONLY


def test_hidden_combatant_joins_in_secret(duel: Stage) -> None:
    assert emit(duel, e.CombatantJoined(duel["f3"])).to == e.EVERYONE
    duel.edit("f3", hidden=True)
    fact = emit(duel, e.CombatantJoined(duel["f3"]))
    assert (fact.to, fact.redacted) == (e.for_seat("f3"), None)


def test_order_has_a_public_twin_without_the_hidden(duel: Stage) -> None:
    fact = emit(duel, e.OrderSet(("f1", "f2", "f3"), "order"))
    assert fact.to == HIDDEN
    assert fact.redacted == e.OrderSet(("f1", "f3"), "order")


@pytest.mark.parametrize(
    "event",
    [gained("f1", by="f2"), gained("f1", until=Until("f2", "end")), gained("f1", marks={"source": "f2"})],
)
def test_condition_from_the_hidden_has_a_public_twin(duel: Stage, event: e.ConditionGained) -> None:
    fact = emit(duel, event)
    assert (fact.to, fact.event, fact.redacted) == (HIDDEN, event, gained("f1"))


def test_wound_from_the_hidden_has_a_public_twin(duel: Stage) -> None:
    terms = (Modifier("Ambush", 2),)
    fact = emit(duel, e.TrackChanged("f1", "hits", 8, 5, "an arrow", terms, None, "f2"))
    assert (fact.to, fact.redacted) == (HIDDEN, e.TrackChanged("f1", "hits", 8, 5))


def test_wound_of_the_hidden_has_no_twin(duel: Stage) -> None:
    duel.edit("f2", pc=True)
    fact = emit(duel, e.TrackChanged("f2", "hits", 8, 5, "an arrow", by="f1"))
    assert (fact.to, fact.redacted) == (HIDDEN, None)


def test_health_of_enemies_is_as_public_as_the_table_has_it(duel: Stage) -> None:
    """Players see their own numbers, and words for others', unless the table shows more or less."""
    wound = e.TrackChanged("f3", "hits", 6, 2, terms=(Modifier("Armor", -1),))
    own = e.TrackChanged("f1", "hits", 8, 5)
    assert emit(duel, own).to == e.EVERYONE
    for shown, twin in (
        ("word", e.TrackChanged("f3", "hits", 0, -1, word="health.badly_hurt")),
        ("bar", e.TrackChanged("f3", "hits", 0, -1, word=e.UNTOLD)),
        ("nothing", None),
    ):
        duel.do("set_option", key="foe_health", value=shown)
        fact = emit(duel, wound)
        assert (fact.to, fact.event, fact.redacted) == (e.GM_ONLY, wound, twin)
        hidden = emit(duel, e.TrackChanged("f3", "hits", 6, 2, by="f2"))  # from a hidden combatant
        assert hidden.redacted == twin
    duel.do("set_option", key="foe_health", value="number")
    assert emit(duel, wound) == e.Fact(wound)


@pytest.mark.parametrize(("shown", "has_twin"), [("word", True), ("nothing", False)])
def test_those_aboard_read_the_numbers_of_what_carries_them(duel: Stage, shown: str, has_twin: bool) -> None:
    """The others read what they read of any enemy; nothing names someone hidden inside."""
    duel.do("set_option", key="foe_health", value=shown)
    wound = e.TrackChanged("f3", "hits", 6, 2)
    apart = emit(duel, wound)
    for who in ("f1", "f2"):  # f2 is hidden
        duel.edit(who, berth=Berth("f3", "seat"))
    fact = emit(duel, wound)
    assert (apart.to, fact.to, fact.event) == (e.GM_ONLY, e.for_seat("f1"), wound)
    assert fact.redacted == apart.redacted
    assert (fact.redacted is not None) is has_twin
    assert emit(duel, replace(wound, why=f"{duel['f2'].name} bites")).to == e.GM_ONLY
    duel.edit("f1", gone=True)
    assert emit(duel, wound).to == e.GM_ONLY


def test_change_of_ammunition_says_nothing_of_health(tmp_path: Path) -> None:
    tracks = (*tiny.SYSTEM.characters.tracks, Track("rounds", "Rounds", 0, tells_health=False))
    system = replace(tiny.SYSTEM, characters=replace(tiny.SYSTEM.characters, tracks=tracks))
    bo = system.characters.make_combatant("f3", "Bo", "enemies", {}, {})
    assert system.say_health(bo, "hits") == "health.fresh"
    shot = e.TrackChanged("f3", "rounds", 0, -1, word=system.say_health(bo, "rounds"))
    lines = describe_facts(replace(system, folder=tmp_path), (e.Fact(shot),), {"f3": "Bo"})
    assert [line.text for line in lines] == ["Bo loses Rounds."]


def test_a_rule_may_name_the_audience(duel: Stage) -> None:
    assert emit(duel, e.Said("psst", "f2"), to=e.for_seat("f1")).to == e.for_seat("f1")
    assert emit(duel, e.Said("psst", "f1"), to=e.GM_ONLY).to == e.GM_ONLY


def test_options_come_from_the_encounter_or_the_game(duel: Stage) -> None:
    assert seat(duel).option("damage") == "1d4"
    duel.do("set_option", key="damage", value="1d6")
    assert seat(duel).option("damage") == "1d6"


# ---------------------------------------------------------------- drivers


def request_roll(dice: str = "1d6") -> RollRequest:
    return RollRequest("R", "f1", 1, dice, "")


def request_choice() -> ChoiceRequest:
    return ChoiceRequest("Q", "f1", 1, "Well?", YES_NO, "yes")


def test_play_rolls_unless_dice_are_typed(rule_context: RuleContext) -> None:
    answer = LiveDriver(chance=random.Random(1)).answer(rule_context, request_roll())
    assert answer is not None
    assert answer.source == "app"
    assert 1 <= answer.faces[0] <= 6
    assert LiveDriver(typed=True).answer(rule_context, request_roll()) is None


def test_faces_typed_with_a_command_are_for_the_first_roll_alone(rule_context: RuleContext) -> None:
    play = LiveDriver(typed=True, faces=(4,))
    first = play.answer(rule_context, request_roll())
    assert first is not None
    assert (first.faces, first.source) == ((4,), "table")
    assert play.answer(rule_context, request_roll()) is None


def test_play_asks_people(rule_context: RuleContext) -> None:
    assert LiveDriver().answer(rule_context, request_choice()) is None


def test_play_follows_standing_orders(rule_context: RuleContext) -> None:
    answer = LiveDriver(standing={"Q:f1": "no"}).answer(rule_context, request_choice())
    assert answer is not None
    assert (answer.value, answer.source) == ("no", "order")
    assert LiveDriver(standing={"Q:f2": "no"}).answer(rule_context, request_choice()) is None


@pytest.mark.parametrize("order", ["maybe", "never"])
def test_play_asks_when_a_standing_order_cannot_be_followed(rule_context: RuleContext, order: str) -> None:
    assert LiveDriver(standing={"Q:f1": order}).answer(rule_context, request_choice()) is None


def test_auto_answers_everything(rule_context: RuleContext) -> None:
    auto = AutoDriver(random.Random(1))
    assert sure(auto.answer(rule_context, request_choice())).value == "yes"
    assert 1 <= sure(auto.answer(rule_context, request_roll())).faces[0] <= 6


# ---------------------------------------------------------------- running commands


def start(stage: Stage, name: str, *answers: Answer, **fields: object) -> Done | Waiting:
    action = find_action(stage.system, name)
    return run(stage.system, stage.state, action, read_command(action, fields), ReplayDriver(), answers)


def test_an_open_command_says_what_it_waits_for(duel: Stage) -> None:
    waiting = start(duel, "strike", actor="f1", target="f2")
    assert isinstance(waiting, Waiting)
    assert [(r.who, r.rule) for r in waiting.requests] == [("f1", "TINY-STR-01")]
    assert [type(fact.event) for fact in waiting.facts] == [e.BudgetSpent]
    assert waiting.answers == ()


def test_an_open_command_goes_on_with_each_answer(duel: Stage) -> None:
    """A strike on someone on guard: roll to hit, the target's choice, its parry."""
    duel.give("f2", "guarded")
    answers: tuple[Answer, ...] = ()
    for given, who in (((6,), "f1"), ("parry", "f2"), ((4,), "f2")):
        waiting = start(duel, "strike", *answers, actor="f1", target="f2")
        assert isinstance(waiting, Waiting)
        (request,) = waiting.requests
        assert request.who == who
        if isinstance(request, ChoiceRequest):
            answers = (*waiting.answers, answer_choice(request, as_a(given, str), "seat"))
        else:
            answers = (*waiting.answers, answer_roll(request, as_a(given, tuple), "seat"))
    done = start(duel, "strike", *answers, actor="f1", target="f2")
    assert isinstance(done, Done)
    assert done.answers == answers
    assert [f.event.outcome for f in done.facts if isinstance(f.event, e.Checked)] == [
        "outcome.hit",
        "outcome.stopped",
    ]


def test_answers_given_early_are_kept_while_others_are_missing(duel: Stage) -> None:
    duel.do("place", target="f3", x=3, y=0)
    early = Answer("choice", "TINY-SCARE-01", "f3", 1, (), "back", "seat")
    waiting = start(duel, "scare", early, actor="f1")
    assert isinstance(waiting, Waiting)
    assert [request.who for request in waiting.requests] == ["f2"]
    assert waiting.answers == (early,)


def test_left_over_answers_are_drift(duel: Stage) -> None:
    extra = Answer("roll", "TINY-STR-09", "f1", 1, (3,))
    with pytest.raises(Drift, match="TINY-STR-09"):
        start(duel, "guard", extra, actor="f1")


@pytest.mark.parametrize(
    "wrong",
    [
        Answer("choice", "TINY-STR-01", "f1", 1, (), "yes"),
        Answer("roll", "TINY-STR-02", "f1", 1, (1,)),
        Answer("roll", "TINY-STR-01", "f2", 1, (1,)),
        Answer("roll", "TINY-STR-01", "f1", 2, (1,)),
    ],
    ids=["kind", "rule", "who", "ordinal"],
)
def test_answers_to_other_questions_are_drift(duel: Stage, wrong: Answer) -> None:
    right = Answer("roll", "TINY-STR-01", "f1", 1, (1,))  # a miss: no further question
    assert isinstance(start(duel, "strike", right, actor="f1", target="f2"), Done)
    with pytest.raises(Drift):
        start(duel, "strike", right, wrong, actor="f1", target="f2")
    waiting = start(duel, "strike", wrong, actor="f1", target="f2")
    assert isinstance(waiting, Waiting)
    assert waiting.answers == (wrong,)


def test_steps_are_followed_to_the_end(rule_context: RuleContext) -> None:
    seen = []

    def count(rule_context: RuleContext, left: int) -> Then | None:
        seen.append(left)
        return Then(count, left - 1) if left else None

    follow(rule_context, Then(count, 3))
    assert seen == [3, 2, 1, 0]


# ---- Dice of several people ----


def predict_rolls(context: RuleContext) -> list[int]:
    """Two people roll the same dice, asked for together."""
    context.predict_rolls("1d6", ("f1", "f2"), rule="R", why="to see")
    return [context.roll("1d6", by=who, rule="R", why="to see").total for who in ("f1", "f2")]


def test_dice_of_several_are_asked_together_where_they_are_typed(duel: Stage) -> None:
    context = RuleContext(duel.system, duel.state, LiveDriver(typed=True))
    with pytest.raises(NeedsAnswer) as asked:
        predict_rolls(context)
    assert [request.who for request in asked.value.requests] == ["f1", "f2"]
    answers = (rolled(4, by="f2"),)
    with pytest.raises(NeedsAnswer) as asked:
        predict_rolls(RuleContext(duel.system, duel.state, LiveDriver(typed=True), answers))
    assert [request.who for request in asked.value.requests] == ["f1"]
    assert predict_rolls(
        RuleContext(duel.system, duel.state, LiveDriver(typed=True), (*answers, rolled(2)))
    ) == [
        2,
        4,
    ]


def test_wrong_dice_of_one_are_refused_while_others_are_missing(duel: Stage) -> None:
    with pytest.raises(Refused):
        predict_rolls(RuleContext(duel.system, duel.state, LiveDriver(typed=True), (rolled(7, by="f2"),)))


@pytest.mark.parametrize("driver", [LiveDriver(chance=random.Random(1)), AutoDriver(random.Random(1))])
def test_dice_of_several_are_rolled_at_once_by_the_app(duel: Stage, driver: LiveDriver | AutoDriver) -> None:
    assert len(predict_rolls(RuleContext(duel.system, duel.state, driver))) == 2


def test_foreseen_dice_stay_single_branches_for_the_odds(rule_context: RuleContext) -> None:
    with pytest.raises(NeedsAnswer) as asked:
        predict_rolls(rule_context)
    assert [request.who for request in asked.value.requests] == ["f1"]
