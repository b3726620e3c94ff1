"""The duties of every game: its forms, its words, its rule ids, its stat blocks and its demo."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
import pytest

from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.commands.commands import (
    Action,
    Command,
    Field,
    Preview,
    check,
    command_data,
    find_first_value,
    find_reasons,
    find_refusal,
    read_command,
)
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.state.events import Fact
from combat.rules.core.state.state import Combatant, State, present, replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.games import (
    GAMES,
    check_rules,
    demo_fights,
    demo_moments,
    every_demo,
    every_game,
    find_values,
    lack,
    set_up,
)

CODES = {
    "stale", "not_your_turn", "not_allowed", "bad_target", "out_of_range", "no_budget", "bad_dice",
    "bad_value", "unknown", "busy",
}  # fmt: skip
KINDS = {"target", "choice", "many", "number", "flag", "text", "place", "faces"}
PICKED = {"target", "choice"}
Form = tuple[State, str, Action, tuple[Field, ...]]


def find_forms(system: System) -> Iterator[Form]:
    """Every form of the demo: each state, each combatant, each action."""
    for moment in demo_fights(system):
        for combatant in present(moment.before):
            for action in system.actions.by_name.values():
                yield moment.before, combatant.id, action, action.find_fields(moment.before, combatant.id)


@cache
def find_kinds_of_form(slug: str) -> tuple[Form, ...]:
    """The forms of the demo that differ, each where it is met first: most are drawn hundreds of times."""
    met: dict[tuple[str, tuple[Field, ...]], Form] = {}
    for form in find_forms(GAMES[slug]):
        met.setdefault((form[2].name, form[3]), form)
    return tuple(met.values())


@cache
def find_fields(command: type[Command]) -> Mapping[str, bool]:
    """The fields of a command, and whether it cannot do without."""
    return {field.name: field.required for field in msgspec.structs.fields(command)}


@every_game
def test_actions_are_refused_together_as_they_are_one_by_one(system: System) -> None:
    actions = tuple(action for action in system.actions.by_name.values() if action.who != "gm")
    told: set[str] = set()
    for moment in demo_fights(system):
        for state in (moment.before, replace(moment.before, phase="prep")):
            for combatant in present(state):
                alone = [find_refusal(action, state, combatant.id) for action in actions]
                together = find_reasons(actions, state, combatant.id)
                assert together == [refused.message if refused else "" for refused in alone]
                told.update(refused.code for refused in alone if refused)
    assert {"not_allowed", "not_your_turn"} <= told


def fill_in(actor: str, fields: tuple[Field, ...], **other: str) -> dict[str, Any]:
    """The fields of a form as it opens, with some changed."""
    values = {field.name: find_first_value(field) for field in fields} | other
    return {"actor": actor, **{name: value for name, value in values.items() if value}}


def is_ready(action: Action, data: dict[str, Any]) -> bool:
    """Whether a form as it opens has all that the command needs."""
    return all(name in data for name, needed in find_fields(action.type).items() if needed)


def check_words(refused: Refused) -> None:
    """Check that a refusal has a known code and a whole sentence."""
    assert refused.code in CODES
    assert refused.message.endswith((".", "!", "?")), refused.message


# ---------------------------------------------------------------- the demo


@every_game
def test_demos_have_names_of_their_own(system: System) -> None:
    names = [demo.name for demo in system.demo.make_all()]
    assert len(names) == len(set(names))


@every_demo
def test_demo_plays_with_exactly_the_answers_of_its_script(slug: str, number: int) -> None:
    demo, moments = GAMES[slug].demo.make_all()[number], demo_moments(slug, number)
    assert demo.name
    assert [moment.step.name for moment in moments if moment.unused] == []
    assert moments[len(demo.setup)].before.phase == "prep"
    assert moments[len(demo.setup)].after.phase == "fight"
    assert len({combatant.side for combatant in present(moments[-1].after)}) > 1


@every_demo
def test_demo_keeps_the_log_in_words(slug: str, number: int) -> None:
    for moment in demo_moments(slug, number):
        names = {combatant.id: combatant.name for combatant in moment.after.combatants.values()}
        for line in describe_facts(GAMES[slug], moment.step.facts, names):
            assert line.text.strip()
            assert "{" not in line.text
            assert "someone" not in line.text


# ---------------------------------------------------------------- forms


@every_game
def test_forms_name_fields_of_their_command(system: System) -> None:
    for _, _, action, fields in find_kinds_of_form(system.slug):
        known, named = find_fields(action.type), [field.name for field in fields]
        assert set(named) <= known.keys() - {"actor", "typed"}, action.name
        assert len(named) == len(set(named)), action.name
        assert {field.kind for field in fields} <= KINDS, action.name
        needed = {name for name, required in known.items() if required}
        assert needed <= set(named), f"{action.name} asks nowhere for {needed - set(named)}"


@every_game
def test_forms_open_with_something_that_may_be_taken(system: System) -> None:
    for state, who, action, fields in find_kinds_of_form(system.slug):
        for field in fields:
            if field.kind in PICKED and field.value:
                chosen = [option for option in field.options if option.value == field.value]
                where = f"{action.name}.{field.name} of {state[who].name}"
                assert len(chosen) == 1, where
                assert not chosen[0].refused, where
            assert len({option.value for option in field.options}) == len(field.options)
            assert all(option.label for option in field.options)


@every_game
def test_forms_make_commands_from_what_they_offer(system: System) -> None:
    for _, who, action, fields in find_kinds_of_form(system.slug):
        data = fill_in(who, fields)
        if not is_ready(action, data):
            continue  # nothing to choose: the form says so, and the command is refused below
        command = read_command(action, data)
        assert isinstance(command, action.type)
        assert read_command(action, command_data(command)) == command
        for field in fields:
            if field.kind == "many":
                read_command(action, data | {field.name: [o.value for o in field.options]})
            elif field.kind == "flag":
                read_command(action, data | {field.name: "true"})
            elif field.kind == "number":
                for value in (field.low, field.high):
                    assert value is not None, f"{action.name}.{field.name} has no bounds"
                    read_command(action, data | {field.name: str(value)})
            for option in field.options:
                if field.kind != "many" and option.value:
                    read_command(action, data | {field.name: option.value})


@every_game
def test_prefilled_commands_run_or_are_refused_in_words(system: System) -> None:
    taken, offered = set(), set()
    for number, (state, who, action, fields) in enumerate(find_forms(system)):
        if find_refusal(action, state, who) is None:
            offered.add(action.name)
        data = fill_in(who, fields)
        if not is_ready(action, data):
            continue
        command = read_command(action, data)
        try:
            done = run(system, state, action, command, AutoDriver(random.Random(number)))
        except Refused as refused:
            check_words(refused)
        else:
            assert isinstance(done, Done)
            taken.add(action.name)
    assert len(taken) >= len(offered) // 2, f"only {sorted(taken)} can be taken as they open"


@every_game
def test_previews_show_their_sums_or_refuse(system: System) -> None:
    shown = set()
    for state, who, action, fields in find_forms(system):
        data = fill_in(who, fields)
        if action.preview is None or not is_ready(action, data):
            continue
        try:
            preview = action.preview(state, read_command(action, data))
        except Refused as refused:
            check_words(refused)
        else:
            assert isinstance(preview, Preview)
            check_rules(system, find_values(preview, "rule"), f"the preview of {action.name}")
            shown.add(action.name)
    assert shown, lack(system, "shows no preview: give an action with a roll one in actions.py")


@every_game
def test_a_form_asks_for_words_only_where_the_command_needs_them(system: System) -> None:
    for state, who, action, fields in find_kinds_of_form(system.slug):
        data = fill_in(who, fields)
        for field in fields:
            if field.kind != "text" or not field.required or not is_ready(action, data):
                continue
            command = read_command(action, {**data, field.name: ""})
            needless = allows(run, system, state, action, command, AutoDriver(random.Random(1)))
            assert not needless, f"{action.name} needs no {field.name}: let it stay empty"


@every_game
def test_obstacles_are_refusals_in_words(system: System) -> None:
    for moment in demo_fights(system):
        for combatant in moment.before.combatants.values():
            for action in system.actions.by_name.values():
                refusal = find_refusal(action, moment.before, combatant.id)
                if refusal:
                    check_words(refusal)


@every_game
def test_obstacles_do_not_stand_in_the_way_of_the_script(system: System) -> None:
    for moment in demo_fights(system):
        action = find_action(system, moment.step.name)
        command = read_command(action, moment.step.command)
        check(moment.before, action, command.actor)


@every_game
def test_forms_of_a_stranger_are_refused(system: System) -> None:
    state = demo_fights(system)[0].before
    for action in system.actions.by_name.values():
        if action.who != "gm":
            with pytest.raises(Refused, match="not in this encounter"):
                check(state, action, "nobody")


@every_game
def test_actions_are_named_alike(system: System) -> None:
    assert not set(system.actions.by_name) & set(GM_ACTIONS)
    for name, action in system.actions.by_name.items():
        assert action.name == name
        assert action.label
        assert action.group
        assert action.who in ("seat", "gm")
    for name in (system.actions.start, system.actions.advance):
        assert system.action(name).who == "gm"


@every_game
def test_those_who_act_at_once_end_alone_or_together(system: System) -> None:
    """A game in which several have the turn lets the page name whose turn ends."""
    shared = [m.before for m in demo_fights(system) if m.before.sharing]
    known = {field.name for field in msgspec.structs.fields(system.action(system.actions.advance).type)}
    assert not shared or {"target", "whole"} <= known
    for state in shared:
        last = state.sharing[-1]
        one = run_advance(system, state, target=last)
        assert (one.active, one.sharing) == (state.active, state.sharing[:-1])
        assert not set(state.sharing) & {run_advance(system, state, whole=True).active}


def run_advance(system: System, state: State, **fields: Any) -> State:
    """The state after the end of a turn."""
    action = system.action(system.actions.advance)
    done = run(system, state, action, read_command(action, fields), AutoDriver(random.Random(1)))
    assert isinstance(done, Done)
    return done.state


@every_game
def test_seats_are_those_of_combatants_and_move(system: System) -> None:
    seating = system.turn.seating
    for moment in demo_moments(system.slug) if seating else ():
        assert seating
        state, seats = moment.after, seating.find(moment.after)
        assert len(set(seats)) == len(seats)
        assert set(seats) <= {combatant.id for combatant in present(state)}
        assert bool(seating.find_way(state)) == bool(state.round)
        if len(seats) > 1:
            action = system.action(seating.move)
            assert action.who == "gm"
            submission = read_command(action, {"target": seats[0], "after": seats[-1]})
            done = run(system, state, action, submission, AutoDriver(random.Random(1)))
            assert isinstance(done, Done)
            assert seating.find(done.state) == [*seats[1:], seats[0]]
            assert {fact.rule for fact in done.facts} == {seating.rule}


# ---------------------------------------------------------------- tactics


@every_game
def test_suggested_actions_are_legal(system: System) -> None:
    suggested = set()
    for number, moment in enumerate(demo_fights(system)):
        state = moment.before
        submission = system.tactics.suggest(state, state.active) if state.active else None
        if submission is not None:
            name, command = submission
            action = system.action(name)
            assert read_command(action, command_data(command)) == command
            run(system, state, action, command, AutoDriver(random.Random(number)))
            suggested.add(name)
    assert suggested, lack(
        system, "suggests nothing in its demo fight (Tactics.suggest): the app plays by it"
    )


@every_game
def test_nobody_is_suggested_anything_that_changes_nothing(system: System) -> None:
    """A turn played by tactics ends: every suggestion changes the state."""
    for number, moment in enumerate(demo_fights(system)):
        state, steps = moment.before, 0
        while state.active and (submission := system.tactics.suggest(state, state.active)):
            name, command = submission
            done = run(system, state, system.action(name), command, AutoDriver(random.Random(number)))
            assert isinstance(done, Done)
            assert done.state != state
            state, steps = done.state, steps + 1
            assert steps < 12, f"{name} again and again"


# ---------------------------------------------------------------- rules and words


@every_game
def test_rules_cited_by_declarations_exist(system: System) -> None:
    actions, conditions = system.actions.by_name.values(), system.characters.conditions.values()
    check_rules(system, (action.rule for action in actions), "its actions")
    check_rules(system, (kind.rule for kind in conditions), "its conditions")
    check_rules(system, (pool.rule for pool in system.turn.pools), "its pools")
    check_rules(system, (setting.rule for setting in system.book.settings), "its settings")
    for kind in conditions:
        assert kind.rule, lack(system, f"names no rule of the condition {kind.kind} in conditions.toml")


@every_game
def test_rules_cited_by_forms_exist(system: System) -> None:
    for _, _, action, fields in find_kinds_of_form(system.slug):
        check_rules(system, find_values(fields, "rule"), f"the form of {action.name}")


@every_demo
def test_rules_cited_in_the_demo_exist(slug: str, number: int) -> None:
    facts: list[Fact] = [fact for moment in demo_moments(slug, number) for fact in moment.step.facts]
    rulings = GAMES[slug].rulebook.rulings.keys()  # what a house rule is cited by
    cited = set(find_values(facts, "rule")) - {"", *rulings}
    check_rules(GAMES[slug], cited, "the facts of its demo")
    assert len(cited) > min(5, len(GAMES[slug].rulebook.rules) // 2), lack(
        GAMES[slug], f"shows only {', '.join(sorted(cited))} in its demo fight"
    )


@every_game
def test_rules_cited_by_the_numbers_of_combatants_exist(system: System) -> None:
    for moment in demo_moments(system.slug):
        for combatant in present(moment.after):
            numbers = system.characters.facts_of(moment.after, combatant)
            assert numbers
            check_rules(system, find_values(numbers, "rule"), f"the numbers of {combatant.name}")


@every_game
def test_conditions_say_what_they_do_and_what_ends_them(system: System) -> None:
    for name, kind in system.characters.conditions.items():
        assert kind.kind == name
        assert kind.label
        assert kind.text.strip()
        assert kind.ends.strip()


@every_game
def test_options_have_their_default_among_the_choices(system: System) -> None:
    keys = [option.key for option in system.book.all_options]
    assert len(keys) == len(set(keys))
    for option in system.book.all_options:
        if isinstance(option.default, bool):
            assert not option.choices, f"{option.key} is a switch"
        elif option.default not in option.choices:
            assert option.number, f"{option.key} cannot be set back"
            assert option.number[0] <= int(option.default) <= option.number[1]
        assert option.label
        assert system.option(State(system.slug), option.key) == option.default


@every_game
def test_every_house_rule_has_its_ruling(system: System) -> None:
    for option in system.book.options:
        assert option.ruling in system.rulebook.rulings, lack(
            system, f"gives {option.key} of options.toml the ruling {option.ruling}: rulings.toml has none"
        )


@every_game
def test_settings_have_their_default_among_the_choices(system: System) -> None:
    for setting in system.book.settings:
        assert setting.default in dict(setting.choices)
        assert system.setting(State(system.slug), setting.key) == setting.default


@every_game
def test_pools_and_tracks_are_those_of_the_combatants(system: System) -> None:
    pools = {pool.key for pool in system.turn.pools}
    tracks = {track.key for track in system.characters.tracks}
    for moment in demo_moments(system.slug):
        for combatant in present(moment.after):
            assert set(combatant.tracks) == tracks
            assert set(combatant.budget) <= pools
            assert all(left >= 0 for left in combatant.budget.values())


# ---------------------------------------------------------------- combatants


@every_game
def test_stat_blocks_make_combatants_that_survive_json(system: System) -> None:
    blocks = system.book.find_blocks()
    assert blocks
    for name, block in blocks.items():
        assert block.id == name
        assert block.name
        assert block.summary
        combatant = system.characters.make_combatant("f1", block.name, "enemies", block.sheet, {})
        raw = msgspec.json.encode(combatant)
        again = msgspec.json.decode(raw, type=Combatant)
        assert again == combatant
        assert msgspec.json.encode(again) == raw
        copy = system.characters.make_combatant("f1", block.name, "enemies", again.sheet, {})
        assert copy == combatant, f"{name}: a copy from the sheet in play differs"


@every_game
def test_health_is_in_range_whatever_the_tracks_say(system: System) -> None:
    combatants = [f for moment in demo_moments(system.slug) for f in moment.after.combatants.values()]
    for combatant in combatants:
        for change in (0, -9999, -20, -1, 1, 20, 9999):
            tracks = {key: value + change for key, value in combatant.tracks.items()}
            health = system.characters.health(replace(combatant, tracks=tracks))
            assert 0 <= health.level <= 4
            assert 0 <= health.share <= 1
            assert health.word
            assert health.is_out or not health.dead


@every_game
def test_latecomers_take_a_place_in_the_order(system: System) -> None:
    stage = set_up(system)
    state = demo_fights(system)[3].before
    action = GM_ACTIONS["join"]
    block = next(iter(system.book.find_blocks()))
    command = read_command(action, {"block": block, "name": "Late", "side": "late", "count": 2})
    done = run(system, state, action, command, AutoDriver(random.Random(1)))
    assert isinstance(done, Done)
    new = [who for who in done.state.combatants if who not in stage.state.combatants]
    assert len(new) == 2
    assert set(done.state.order) == {*state.order, *new}
    assert done.state.active == state.active
