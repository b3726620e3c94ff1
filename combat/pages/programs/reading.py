"""What a program reads: the table, its actions with fields and odds, the questions, and the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from django.http import QueryDict

from combat.audience.changes import find_players
from combat.audience.rights import NOT_YOURS, check_gm
from combat.display.forms.action_form import find_odds
from combat.display.forms.fields import find_allowed, find_named_fields, prefill
from combat.display.forms.questions import view_prompt
from combat.display.forms.usual_odds import count_chance
from combat.display.log_view import mark_of, view_log
from combat.display.shapes.result_shapes import Prompt, Question
from combat.display.shapes.table_shapes import LogStep
from combat.display.shapes.wish_shapes import ActView
from combat.models import StoredStep
from combat.play.improvising import OFFERED, find_wishes
from combat.play.writing.step_cache import find_rows
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.commands.commands import (
    Action,
    Field,
    command_data,
    find_first_value,
    find_reasons,
    read_command,
)
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.actions import SEAT_ACTIONS
from combat.rules.core.gm.rulings import DROP, USE
from combat.rules.core.odds.proposals import propose
from combat.rules.core.sides import find_verdict, has_turns
from combat.rules.core.state.state import is_acting, present
from combat.sharing.viewer_context import ViewerContext

from ..sharing.open_state import write_line, write_state
from ..table.planned_view import find_my_plans, list_steps, may_plan, open_planning, view_planned
from ..table.rows import view_known
from ..table.shapes import find_steps, find_usual, recent_steps, view_verdict
from ..table.submissions import read_known_fields
from ..table.wishes_view import find_meaning, show_act, view_choices
from . import shapes as s
from .decisions import find_decision_fields, list_decisions
from .forms import write_fields

STEPS = 100  # of the log, in an answer
NO_ODDS = "What a GM decides has no odds."
END_FIGHT = "end_fight"


def see(context: ViewerContext, _: QueryDict) -> s.Seen:
    """What this person sees now."""
    viewer, prompt = context.viewer, find_prompt(context)
    return s.Seen(
        stamp=context.stamp,
        role="gm" if viewer.is_gm else "seat",
        name=context.name,
        combatants=_write_mine(context),
        verdict=view_verdict(context.system, context.known_state, viewer),
        questions=write_questions(context, prompt),
        awaited=prompt.missing if prompt else (),
        wishes=tuple(_write_wishes(context)),
        state=write_state(context),
        plans=tuple(_write_plans(context)),
    )


def _write_mine(context: ViewerContext) -> tuple[s.OpenMine, ...]:
    """The combatants that this person may act for, each with who plays it."""
    players = find_player_names(context)
    mine = [one for one in context.known_state.combatants.values() if context.viewer.plays(one.id)]
    return tuple(s.OpenMine(one.id, one.name, players.get(one.id, "")) for one in mine)


def _write_plans(context: ViewerContext) -> Iterator[s.OpenPlan]:
    """The plans of this person, for the GM all of them."""
    rows = view_known(context) if (plans := find_my_plans(context)) else {}
    asked = {one.who: one for one in view_planned(context, rows)}
    for plan in plans:
        view, steps = asked.get(plan.who), tuple(list_steps(context, plan, rows))
        ways = [(dict(way.fields).get("target", ""), way) for way in view.ways] if view else []
        yield s.OpenPlan(
            plan.who,
            steps,
            plan.chance,
            view.why if view else "",
            tuple(s.OpenPlannedWay(target, way.words, way.chance, way.price) for target, way in ways),
        )


def _write_wishes(context: ViewerContext) -> Iterator[s.OpenWish]:
    for wish in find_wishes(context.encounter, context.full_state, context.viewer, context.grant):
        meaning = find_meaning(context, wish)
        act, asked = show_act(context, wish, meaning), view_choices(context, wish, meaning)
        yield s.OpenWish(
            wish.number,
            wish.who,
            wish.words,
            wish.status,
            wish.reply,
            _write_act(act) if act else None,
            meaning.why if asked else "",
            tuple(s.OpenWay(one.key, one.name, _write_act(one.act)) for one in asked),
        )


def _write_act(act: ActView) -> s.OpenAct:
    endings = {name: tuple(one.text for one in getattr(act, name)) for name in ("works", "fails")}
    told = {name: getattr(act, name) for name in s.OpenAct.__struct_fields__}
    return s.OpenAct(**{**told, **endings, "cost": act.cost.label if act.cost else ""})


def find_player_names(context: ViewerContext) -> dict[str, str]:
    """The name of the person who plays each combatant from a seat."""
    return {who: seat.name for seat in find_players(context.encounter.pk) for who in seat.combatants}


def find_prompt(context: ViewerContext) -> Prompt | None:
    """The open command, as far as it concerns this person."""
    if context.pending is None:
        return None
    return view_prompt(context, view_known(context))


def write_questions(context: ViewerContext, prompt: Prompt | None) -> tuple[s.OpenQuestion, ...]:
    """The questions to this person."""
    if prompt is None or context.pending is None:
        return ()
    plays, known = context.viewer.plays, context.known_state.combatants
    asked = [one.people for one in context.pending.requests if any(map(plays, one.people))]
    people = [tuple(who for who in each if who in known) for each in asked]
    return tuple(map(_write_question, prompt.questions, people))


def _write_question(asked: Question, people: tuple[str, ...]) -> s.OpenQuestion:
    return s.OpenQuestion(
        combatants=people,
        question=asked.ordinal,
        kind="roll" if asked.kind == "roll" else "choice",
        who=asked.who,
        text=asked.text,
        rule=asked.rule,
        dice=asked.dice,
        choices=tuple(s.OpenChoice(one.value, one.label, one.refused) for one in asked.options),
        default=asked.default,
        total=asked.total,
        parts=tuple(
            s.OpenPart(place.key, place.label, place.least, most=place.most, suggested=points)
            for place, points in asked.parts
        ),
    )


def offer(context: ViewerContext, asked: QueryDict) -> s.Offered:
    """What a combatant of this person can do: the one in `combatant`, or the one whose turn it is.

    Refused for a combatant that is not theirs to play.
    """
    system, state, viewer = context.system, context.obscured_state, context.viewer
    wanted = asked.get("combatant", "")
    if wanted and (not viewer.plays(wanted) or wanted not in state.combatants):
        raise Refused("not_allowed", NOT_YOURS)
    who = wanted or find_usual(state, state.combatants, viewer)
    actions, acts, advance = system.actions.by_name.values(), is_acting(state, who), system.actions.advance
    ending = s.Suggested(advance, {"target": who} if state.sharing and acts else {})
    runs = viewer.is_gm and state.phase == "fight"
    own = [action for action in actions if action.who != "gm" and action.has_place(state)]
    own += [SEAT_ACTIONS["spend_counter"]] if who and state[who].all_counters else []
    own += [SEAT_ACTIONS[USE], SEAT_ACTIONS[DROP]] if who and state[who].all_rulings else []
    return s.Offered(
        stamp=context.stamp,
        phase=state.phase,
        combatant=who,
        acts=acts,
        verdict=view_verdict(system, context.known_state, viewer),
        questions=write_questions(context, find_prompt(context)),
        actions=_write_own(context, own, who) if who else (),
        gm=_write_gm(context, [a for a in actions if a.who == "gm"]) if viewer.is_gm else (),
        suggested=_suggest(context, who) if acts else None,
        ends_turn=ending if acts or runs else None,
        ends_fight=s.Suggested(END_FIGHT, {}) if runs else None,
    )


def _write_own(context: ViewerContext, own: Sequence[Action], who: str) -> tuple[s.OpenAction, ...]:
    """What a combatant can do, and what their player can ask for and plan."""
    return (
        *_write_actions(context, own, who),
        *_write_asking(context, who),
        *_write_planning(context, who),
    )


def _suggest(context: ViewerContext, who: str) -> s.Suggested | None:
    """What the game's tactics would do; None if nothing is useful, or the fight is decided."""
    system, state = context.system, context.obscured_state
    found = None if find_verdict(system, state) else propose(system, state, who)
    if found is None:
        return None
    fields = {name: value for name, value in command_data(found[1]).items() if name != "actor"}
    return s.Suggested(found[0], {name: _plain(value) for name, value in fields.items()})


def _plain(value: Any) -> s.Value:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else value


def _write_actions(context: ViewerContext, actions: Sequence[Action], who: str) -> tuple[s.OpenAction, ...]:
    reasons = find_reasons(tuple(actions), context.obscured_state, who)
    pairs = zip(actions, reasons, strict=True)
    return tuple(_write_action(context, action, who, reason) for action, reason in pairs)


def _write_action(context: ViewerContext, action: Action, who: str, reason: str) -> s.OpenAction:
    usual, chance = ({}, None) if reason else _find_usual_form(context, action, who)
    fields = () if reason else _begin_with(find_named_fields(action, context.obscured_state, who), usual)
    return s.OpenAction(
        name=action.name,
        label=action.label,
        group=action.group,
        rule=action.rule,
        text=action.text,
        refused=reason,
        fields=tuple(_write_field(field, context) for field in fields),
        usual=usual,
        chance=chance,
    )


def _write_asking(context: ViewerContext, who: str) -> Iterator[s.OpenAction]:
    """What a player can do about wishes: ask for something that no action is for, and answer an offer."""
    if not context.viewer.is_seated or context.known_state.phase != "fight":
        return
    words = Field("words", "What you want to do", "text")
    number = Field("wish", "Its number in the state of the table", "number")
    people = tuple(Choice(one.id, one.name) for one in present(context.known_state) if one.id != who)
    about = Field("about", "Whom it concerns", "target", options=people, required=False)
    wishes = find_wishes(context.encounter, context.full_state, context.viewer, context.grant)
    offered = any(wish.status == OFFERED for wish in wishes)
    rows: list[tuple[str, str, str, tuple[Field, ...]]] = [
        ("ask_wish", "Something else", "Asks the GM for what no action is for.", (words, about))
    ]
    rows += [("drop_wish", "Take it back", "Takes a wish back.", (number,))] if wishes else []
    rows += [("take_offer", "Do it", "Does what the GM offers.", (number,))] if offered else []
    rows += [("leave_offer", "Think again", "Leaves what the GM offers.", (number,))] if offered else []
    for name, label, text, fields in rows:
        told = tuple(_write_field(field, context) for field in fields)
        yield s.OpenAction(name, label, "Wishes", "", text, refused="", fields=told, usual={}, chance=None)


def _write_planning(context: ViewerContext, who: str) -> Iterator[s.OpenAction]:
    """What a player can do about a combatant's next turn: plan it, drop the plan, do it once it is there."""
    rows = view_known(context) if context.viewer.is_seated else {}
    form = open_planning(context, QueryDict(f"plan={who}"), rows) if may_plan(context, who) else None
    has_plan = any(plan.who == who for plan in find_my_plans(context)) if rows else False
    made: list[tuple[str, str, str, tuple[Field, ...]]] = []
    if form:
        attacks = tuple(Choice(one.value, one.said) for one in form.attacks)
        to = tuple(Choice(value, words) for value, words in form.places)
        others = tuple(Choice(value, words) for value, words in form.others)
        fields = (
            Field("attack", "Attack", options=attacks, required=False),
            Field("to", "Move first", options=to, required=False),
            Field("otherwise", "If nobody is in reach", options=others, required=False),
        )
        made.append(("keep_plan", "Plan the next turn", "Kept for you and the GM; nothing is done.", fields))
    made += [("drop_plan", "Drop plan", "Drops what was planned.", ())] if has_plan else []
    if has_plan and is_acting(context.known_state, who):
        target = Field("target", "At whom, if not at the first", "target", required=False)
        made.append(("do_planned", "Do as planned", "Does what the plan comes to now.", (target,)))
    for name, label, text, asked in made:
        told = tuple(_write_field(field, context) for field in asked)
        yield s.OpenAction(name, label, "Plans", "", text, refused="", fields=told, usual={}, chance=None)


def _begin_with(fields: tuple[Field, ...], usual: Mapping[str, object]) -> Iterator[Field]:
    """The fields with the values that the form starts with."""
    for field in fields:
        value = usual.get(field.name)
        yield msgspec.structs.replace(field, value=value) if isinstance(value, str) else field


def _write_gm(context: ViewerContext, actions: Sequence[Action]) -> tuple[s.OpenAction, ...]:
    """The game's actions of the GM, then what the GM can decide in every game."""
    found = find_decision_fields(context).items()
    fields = {name: tuple(_write_field(field, context) for field in made) for name, made in found}
    rest = (
        s.OpenAction(
            name,
            one.label,
            "GM",
            rule="",
            text=one.text,
            refused="",
            fields=fields[name],
            usual={},
            chance=None,
        )
        for name, one in list_decisions().items()
    )
    return (*_write_actions(context, actions, ""), *rest)


def _find_usual_form(
    context: ViewerContext, action: Action, who: str
) -> tuple[dict[str, str | tuple[str, ...]], float | None]:
    """The values that a form starts with, and the chance of success with them."""
    system, state = context.system, context.obscured_state
    fields = action.find_fields(state, who)
    data, command = prefill(state, action, who, fields)
    if (allowed := find_allowed(state, action, who, fields, data)) != data:
        data, command = allowed, None
    usual = {name: tuple(value) if isinstance(value, list) else str(value) for name, value in data.items()}
    if not who or not system.actions.has_odds(action):
        return usual, None
    try:
        command = command or read_command(action, {"actor": who, **data})
        return usual, count_chance(system, state, action, command, checked=True)
    except Refused:
        return usual, None


def _write_field(field: Field, context: ViewerContext) -> s.OpenField:
    usual = find_first_value(field)
    outs = find_out(context) if field.kind in ("target", "many") else frozenset()
    return s.OpenField(
        name=field.name,
        label=field.label,
        kind=field.kind,  # type: ignore[arg-type]  # the kinds of the games' forms
        required=field.required,
        choices=tuple(_write_choice(option, outs) for option in field.options),
        usual=tuple(usual) if isinstance(usual, list) else usual,
        help=field.help,
        rule=field.rule,
        low=field.low,
        high=field.high,
    )


def _write_choice(option: Choice, outs: frozenset[str]) -> s.OpenChoice:
    label = f"{option.label}, {option.detail}" if option.detail else option.label
    return s.OpenChoice(option.value, label, option.refused, option.value in outs)


def find_out(context: ViewerContext) -> frozenset[str]:
    """The combatants who can no longer fight, as far as this person sees."""
    system, state = context.system, context.obscured_state
    return frozenset(one.id for one in present(state) if not has_turns(system, state, one))


def show_odds(context: ViewerContext, wanted: s.Wanted) -> s.OpenOdds:
    """The sum and the odds of an action with these fields, as far as this person knows."""
    if wanted.action in list_decisions():
        raise Refused("not_allowed", NO_ODDS)
    action = find_action(context.system, wanted.action[:100])
    if action.who == "gm":
        check_gm(context.viewer)
    elif not context.viewer.plays(wanted.combatant) or wanted.combatant not in context.known_state.combatants:
        raise Refused("not_allowed", NOT_YOURS)
    actor = "" if action.who == "gm" else wanted.combatant
    fields = read_known_fields(context, action, actor, write_fields(action, wanted.fields), prefill=False)
    found = find_odds(context, action, fields)
    return s.OpenOdds(
        refused=found.refusal,
        limits=found.limits or ("" if found.is_refused else found.problem),
        label=found.headline.label if found.headline else "",
        chance=found.headline.chance if found.headline else None,
        after=found.after,
        dice=found.preview.dice,
        total=found.total,
        terms=_write_terms(found.preview.modifiers),
        against=_write_terms(found.against),
        number=found.number,
        measures=tuple(s.OpenMeasure(label, percent) for label, percent in found.measures),
        notes=tuple(map(str, found.preview.notes)),
        price=found.price,
    )


def _write_terms(terms: Iterable[Modifier]) -> tuple[s.OpenTerm, ...]:
    return tuple(s.OpenTerm(str(term.label), term.value, term.rule) for term in terms)


def read_log(context: ViewerContext, asked: QueryDict) -> s.OpenLog:
    """The log after the step `since`, or from its beginning. Refused for a step that is not there."""
    steps, since = find_steps(context).order_by("number"), asked.get("since", "")
    if since:
        steps = steps.filter(number__gt=_find_number(context, since))
    rows = find_rows(steps[: STEPS + 1])
    log = view_log(context, rows[:STEPS])
    return s.OpenLog(context.stamp, tuple(map(_write_step, log)), len(rows) > STEPS)


def _find_number(context: ViewerContext, mark: str) -> int:
    """The number of a step by its name, also of one that was undone meanwhile."""
    encounter = context.encounter
    for number in range(encounter.steps, 0, -1):
        if mark_of(StoredStep(encounter_id=encounter.pk, number=number), context.viewer) == mark:
            return number
    raise Refused("unknown", "The log has no such step: leave out “since” to begin at its first.")


def _write_step(step: LogStep) -> s.OpenStep:
    return s.OpenStep(
        step.number, step.by, step.is_undone, tuple(write_line(step, one) for one in step.lines)
    )


def tell_done(context: ViewerContext) -> s.Done:
    """What the last deed led to."""
    log = view_log(context, recent_steps(context, most=1), context.told_lately)
    return s.Done(
        context.stamp, write_questions(context, find_prompt(context)), _write_step(log[0]) if log else None
    )
