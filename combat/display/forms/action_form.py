"""The open form of an action: its fields, its sums and its odds, for one viewer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from combat.audience.map_fog import knows_way
from combat.play.overruling import preview
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count, read_whole
from combat.rules.core.basics.words import possessive, say
from combat.rules.core.commands.commands import Action, Command, Field, command_data, read_command
from combat.rules.core.commands.context import OVERRULED
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, Spending, describe_spending, spending_of
from combat.rules.core.gm.rulings import UseRuling, find_ruling
from combat.rules.core.map.vision import keeps_secrets
from combat.rules.core.odds.enumeration import GiveUp
from combat.rules.core.odds.next_turn import NO_STEP, find_led_plans, find_led_refusal
from combat.rules.core.odds.planner import (
    Plan,
    find_goal,
    find_path,
    find_plans,
    is_drawn,
    say_part,
    say_parts,
    say_price,
)
from combat.rules.core.odds.proposals import Suggestion, fields_with, find_suggestions, propose
from combat.rules.core.sides import describe_in_sight, find_verdict, gives_up
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, is_acting
from combat.rules.core.wording import Pen, describe_facts
from combat.sharing.viewer_context import ViewerContext

from ..combatants.tokens import name_fully
from ..log_view import names_of
from ..map.scene import say_lines, view_cells
from ..shapes.scene_shapes import CellView
from .blast import find_blast
from .fields import (
    PLANNED,
    VARIED,
    ChoiceSelect,
    find_allowed,
    find_dead_end,
    make_form,
    prefilled,
    takes_nothing,
)
from .odds_panel import COUNTER, REPLACED, OddsPanel, PlanView, SuggestionView, compute_odds, percent, refuse
from .reactions import say_plan_reaction
from .shot import count_chances
from .usual_odds import ATTACK, say_chance

PLACE = re.compile(r"[-−\d., ]+")
ON_THE_MAP = ("target", "to", "at")  # the fields that a tap on the map fills
MAX_PLANNED = 6  # of their options
MAX_SUGGESTIONS = 3
UNKNOWN_WAY = "Your side does not know all of this way: something may bar it."
NO_WAY = "That move and this attack do not fit into one turn."
MAX_RUNS = 2000  # outcomes to count for all preparations together: fewer preparations of a costly command


def find_odds(
    context: ViewerContext, action: Action, wanted: dict[str, Any] | Command, advises: bool = True
) -> OddsPanel:
    """The odds panel of a command, or of an action with these fields, as far as the viewer knows.

    One that `advises` also has what would raise the odds. After a move that comes first, it is a plan.
    """
    if context.ahead and context.ahead.to:
        fields = command_data(wanted) if isinstance(wanted, Command) else wanted
        plans = view_plans(context, action, fields)
        return replace(refuse(plans[0].note if plans else NO_WAY), plans=plans)
    try:
        command = (
            wanted if isinstance(wanted, Command) else read_command(action, wanted, context.obscured_state)
        )
        found = find_odds_of(context, action, command, advises)
    except Refused as refused:
        found = refuse(refused.message)
        if refused.code == "busy":
            return found
    if not found.is_refused:
        return replace(found, doubt=_doubt_move(context, action, wanted))
    fields = command_data(wanted) if isinstance(wanted, Command) else wanted
    plans = view_plans(context, action, fields)
    if context.ahead and not plans:
        why = find_led_refusal(context.system, context.obscured_state, action, fields)
        return refuse(why) if why else found
    told = {plan.words for plan in plans}
    others = tuple(one for one in found.suggestions if one.label not in told)
    return replace(found, plans=plans, suggestions=others)


def _doubt_move(context: ViewerContext, action: Action, wanted: dict[str, Any] | Command) -> str:
    """What is said of a move that leads over ground which its player does not know: something may bar it."""
    if not action.leads_there or not _is_in_fog(context):
        return ""
    fields, state = command_data(wanted) if isinstance(wanted, Command) else wanted, context.obscured_state
    actor = state.combatants.get(str(fields.get("actor")))
    goal = find_goal(context.system, state, actor, str(fields.get("to") or "")) if actor else None
    if actor is None or goal is None:
        return ""
    path = find_path(context.system, state, actor, goal)
    is_known = path and knows_way(context.full_state, context.viewer, [(at.x, at.y) for at in path])
    return "" if is_known else UNKNOWN_WAY


def _doubt_parts(context: ViewerContext, plan: Plan) -> str:
    """The same of all moves of a plan: something may bar the way there."""
    if not _is_in_fog(context):
        return ""
    courses = [[(at.x, at.y) for at in part.course] for part in plan.parts]
    return "" if all(knows_way(context.full_state, context.viewer, one) for one in courses) else UNKNOWN_WAY


def _is_in_fog(context: ViewerContext) -> bool:
    return not context.viewer.is_gm and keeps_secrets(context.full_state.scene)


def view_plans(context: ViewerContext, action: Action, fields: dict[str, Any]) -> tuple[PlanView, ...]:
    """The plans that mend an action which is refused, as far as the viewer knows."""
    system, state, ahead = context.system, context.obscured_state, context.ahead
    led = find_led_plans(system, state, action, fields, ahead.to) if ahead else ()
    if led or (ahead and ahead.to):
        step = ahead.to or NO_STEP if ahead else ""
        return tuple(replace(view_plan(context, action, plan), step=step) for plan in led)
    plans = [
        plan for plan in find_plans(system, state, action, fields) if plan.key != action.name or plan.stopped
    ]
    return tuple(view_plan(context, action, plan) for plan in plans)


def view_plan(context: ViewerContext, action: Action, plan: Plan) -> PlanView:
    """A plan as its button and its parts show it, with the chance of the action at its end."""
    system, chance, blast, last = context.system, "", None, plan.parts[-1]
    if plan.asked and last.do == action.name and action.preview:
        blast = find_blast(context, plan.after, action, last.fields)
        with suppress(Refused):
            chance = say_chance(system, plan.after, action, read_command(action, last.fields, plan.after))
    waits = plan.asked and not (last.do == action.name and action.preview)
    note = "It stops for a question on the way." if waits else plan.stopped
    parts = tuple((say_part(system, part), say_price(system, (part,))) for part in plan.parts)
    price, reaction = say_price(system, plan.parts), say_plan_reaction(system, plan)
    return PlanView(
        plan.key,
        say_parts(system, plan),
        parts,
        price,
        chance,
        note=note,
        reaction=reaction,
        blast=blast,
        doubt=_doubt_parts(context, plan),
    )


def find_odds_of(context: ViewerContext, action: Action, command: Command, advises: bool) -> OddsPanel:
    """The odds panel of a command, with preparations that would raise the odds if it `advises`.

    Raises Refused("busy").
    """
    system, state = context.system, context.obscured_state
    with COUNTER.count(context.asker) as share:
        found = compute_odds(
            system, state, action, command=command, obscured=context.obscured, give_up=share.give_up
        )
        if share.replaced:
            return OddsPanel(problem=REPLACED)
        paid = Spending() if found.is_refused else spending_of(system, state, action, command)
        found = replace(found, price=describe_spending(system, paid), traded=paid.traded)
        if not advises:
            return found
        most = MAX_RUNS // max(found.runs, 1) if found.runs else 0
        suggestions = view_suggestions(context, action, command, most=most, give_up=share.give_up)
        now = float(found.headline.chance) if found.headline else 0.0
        suggestions = (*suggest_weapons(context, action, command, now), *suggestions)[:MAX_SUGGESTIONS]
    return replace(found, suggestions=suggestions)


def view_suggestions(
    context: ViewerContext, action: Action, command: Command, most: int, give_up: GiveUp
) -> tuple[SuggestionView, ...]:
    """The three best of the first `most` preparations, those that raise the chance most, as links."""
    system, state = context.system, context.obscured_state
    if system.tactics.find_candidates is None or not most:
        return ()
    candidates = system.tactics.find_candidates(state, action.name, command)[:most]
    suggestions = find_suggestions(
        system, state, action, command=command, candidates=candidates, give_up=give_up
    )
    return tuple(view_suggestion(action, command, one) for one in suggestions)


def suggest_weapons(
    context: ViewerContext, action: Action, command: Command, now: float
) -> Iterator[SuggestionView]:
    """Weapons that are not in hand and hit better than `now`, as links to their plans."""
    state, chosen = context.obscured_state, getattr(command, "weapon", "")
    if not chosen or command.actor not in state.combatants:
        return
    carried = [i for i in state[command.actor].items if i.kind == "weapon" and i.place == "carried"]
    for item in carried[:MAX_PLANNED]:
        fields = {**command_data(command), "weapon": item.id}
        plan = next(iter(view_plans(context, action, fields)), None)
        if plan is None or plan.note or not plan.chance or float(plan.chance) / 100 <= now:
            continue
        query = {"combatant": command.actor, "do": action.name, "weapon": item.id}
        query |= {"target": target} if (target := getattr(command, "target", "")) else {}
        gain = f"+{round(float(plan.chance) - 100 * now)}"
        yield SuggestionView(plan.words, plan.chance, gain, action.rule, f"?{urlencode(query)}")


@dataclass(frozen=True)
class OpenForm:
    """The action whose form is open: its fields, sums and odds. The GM's is not `brief`.

    `chances` are those at each target, in percent.
    """

    system: System
    action: Action
    form: Any
    odds_panel: OddsPanel | None
    actor: str
    cells: tuple[CellView, ...] = ()
    untraded: bool = False
    brief: bool = False
    chances: Mapping[str, str] | None = None

    @property
    def has_sum(self) -> bool:
        """Whether a number can be added by hand: there is a roll, or may be one with other fields."""
        rolls = self.odds_panel is not None and bool(self.odds_panel.preview.dice)
        return self.action.preview is not None and (rolls or bool(self.form.fields))

    @property
    def has_choices(self) -> bool:
        """Whether a brief form has more to choose behind its fold."""
        trades = self.untraded or (self.odds_panel is not None and self.odds_panel.traded)
        return bool(self.form.folded or self.has_sum or trades)

    @property
    def has_more(self) -> bool:
        """Whether a brief form has a fold: for choices, and for what the action does."""
        return self.has_choices or bool(self.action.text)

    @property
    def is_opened(self) -> bool:
        """Whether that fold is open at first: something in it differs from the usual."""
        return self.untraded or bool(self.form.is_opened)

    @property
    def has_area(self) -> bool:
        """Whether it reaches over a part of the map."""
        return self.action.find_area is not None

    @property
    def look(self) -> str:
        """The kind of its action, for an icon."""
        return self.system.kinds.of_action(self.action.name)

    @property
    def aimed(self) -> str:
        """The field that a tap on the map fills; empty without one."""
        return next((name for name in ON_THE_MAP if name in self.form.fields), "")

    @property
    def chosen(self) -> str:
        """The label of the chosen target or place; for a free place its coordinates."""
        name = self.aimed
        if not name:
            return ""
        field = self.form.fields[name]
        value = str(self.form.initial.get(name) or field.initial or "")
        options = getattr(field.widget, "options", ())  # none for a free place
        pairs = getattr(field, "choices", None) or [(o.value, o.label) for o in options]
        words: dict[str, str] = dict(pairs)
        return words.get(value, value if PLACE.fullmatch(value) else "")

    @property
    def step(self) -> CellView | None:
        """The chosen cell of the map, if it is one."""
        return next((cell for cell in self.cells if cell.way), None)

    @property
    def rolls(self) -> bool:
        """Whether its button throws dice."""
        return self.odds_panel is not None and bool(self.odds_panel.sides)

    @property
    def roll_label(self) -> str:
        """What its button says."""
        return find_label(self.system, self.action, self.odds_panel)

    @property
    def targets(self) -> frozenset[str]:
        """The combatants its form can name."""
        field = self.form.fields.get("target")
        return frozenset(value for value, _ in field.choices) if field else frozenset()


def find_label(system: System, action: Action, found: OddsPanel | None) -> str:
    """What an action's button says, with the chance: "Roll" if dice may be rolled, else what it does."""
    key = f"button.{action.name}"
    does = system.draw(key) if key in system.words else action.label
    if found is None:
        return does
    verb = "Roll" if found.sides or (found.problem and action.preview) else does
    return f"{verb} · {found.likely}%" if found.likely else verb


def view_suggestion(action: Action, command: Command, found: Suggestion) -> SuggestionView:
    """A preparation as a link to its own form, or to the same form with other fields."""
    candidate = found.candidate
    name, fields = candidate.name, candidate.fields
    if not name:
        name, fields = action.name, fields_with(command, candidate)
    words = {key: _word(value) for key, value in fields.items() if key != "actor"}
    query = urlencode({"combatant": command.actor, "do": name, **words})
    gain = f"+{round(100 * found.gain)}"
    return SuggestionView(
        candidate.label, percent(found.chance), gain, rule=candidate.rule, address=f"?{query}"
    )


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def suggest(context: ViewerContext, actor: str) -> dict[str, Any]:
    """The suggestion of the game's tactics as a filled form, to look at before it is done."""
    system, state = context.system, context.obscured_state
    if not is_acting(state, actor):
        return {"advice": f"It is not {possessive(state[actor].name)} turn."}
    if verdict := find_verdict(system, state):
        return {"advice": describe_in_sight(verdict)}
    if gives_up(system, context.full_state, actor):
        return {"advice": f"{state[actor].name} has had enough: let them surrender."}
    submission = propose(system, state, actor)
    if submission is None:
        return {"advice": "Nothing useful left: end the turn."}
    name, command = submission
    if isinstance(command, UseRuling):
        return {"advice": _advise_ruling(state, command)}
    action = system.action(name)
    brief = not context.viewer.is_gm
    form = make_form(action, state, actor, command_data(command), brief=brief)
    found = find_odds(context, action, command)
    shown = OpenForm(
        system,
        action,
        form,
        odds_panel=found,
        actor=actor,
        brief=brief,
        chances=count_chances(context, action, command, found),
    )
    return {"open": shown, "advice": f"Suggested: {action.label}. Check it, then confirm."}


def _advise_ruling(state: State, command: UseRuling) -> str:
    """Where what was ruled once stands: it has a tile, and no form."""
    ruling = find_ruling(state[command.actor], command.ruling)
    whom = f" ({name_fully(state, state[command.target])})" if command.target else ""
    return f"Suggested: {ruling.name}{whom}, as it was ruled before. Its tile is here."


def open_form(context: ViewerContext, action: Action, actor: str, asked: Any, refused: bool) -> OpenForm:
    """The form of an action with its odds: prefilled, or as it was requested or refused."""
    state = context.obscured_state
    fields = action.find_fields(state, actor)
    asked_for = {f.name: _read(f, asked) for f in fields if _says(f, asked)}
    data = {**prefilled(action, state, actor), **asked_for}
    if not refused:
        data = find_allowed(state, action, actor, fields, data, asked=asked_for)
    data["actor"] = actor
    if refused:
        flags = {f.name for f in fields if f.kind == "flag" and f.name not in asked}
        data = {name: value for name, value in data.items() if name not in flags}
    if asked.get("untraded") == "true":
        data["untraded"] = "true"
    problem = find_dead_end(action, tuple(f for f in fields if f.name not in asked_for))
    found = refuse(problem) if problem else find_odds(context, action, data)
    if found.is_refused and action.who != "gm" and not refused:
        data, found = find_planned(context, action, fields, data, asked_for, found)
    shown: dict[str, Any] = {
        f.name: data[f.name] for f in fields if f.kind in VARIED and f.name in data
    } | asked_for
    if refused:
        shown |= {f.name: f.name in asked for f in fields if f.kind == "flag"}
    untraded = asked.get("untraded") == "true"
    brief = not context.viewer.is_gm
    form = make_form(action, state, actor, shown, brief=brief)
    allow_plans(context, form, actor, data if found.plans else {})
    say_lines(context, form, actor)
    put_foes_first(context, form, action, actor)
    cells = view_cells(context.system, state, action, actor=actor, to=str(data.get("to", "")))
    return OpenForm(
        context.system,
        action,
        form,
        odds_panel=found,
        actor=actor,
        cells=cells,
        untraded=untraded,
        brief=brief,
        chances=count_chances(context, action, data, found),
    )


def find_planned(
    context: ViewerContext,
    action: Action,
    fields: tuple[Field, ...],
    data: dict[str, Any],
    asked: Collection[str],
    found: OddsPanel,
) -> tuple[dict[str, Any], OddsPanel]:
    """The first values of a form whose plan has the best chance, with its panel; as they are if none has one.

    What someone chose stays; a target and a weapon, or another item, are tried where they are free.
    """
    state, actor = context.obscured_state, str(data["actor"])
    thing = next((f for f in fields if f.name in PLANNED and f.options and f.name not in asked), None)
    if thing is None:
        return data, found
    for field in fields:
        if field.kind == "target" and not data.get(field.name) and field.options:
            foes = [one.value for one in field.options if _is_foe(state, actor, one.value)]
            data = {**data, field.name: (foes or [field.options[0].value])[0]}
    tried = [{**data, thing.name: option.value} for option in thing.options[:MAX_PLANNED]]
    panels = [(one, find_odds(context, action, one)) for one in tried]
    drawn = {item.id for item in state[actor].items if is_drawn(context.system, state, actor, item)}
    best = max(
        panels, key=lambda pair: _rank_plan(pair[1], pair[0][thing.name] in drawn), default=(data, found)
    )
    return best if best[1].plans else (data, found)


def allow_plans(context: ViewerContext, form: Any, actor: str, mended: Mapping[str, Any]) -> None:
    """Let people choose what is not in hand, though it is refused: a plan may draw it.

    What is chosen in a form whose plan is offered, `mended`, is sent with it.
    """
    people = context.obscured_state.combatants
    carried = (
        {item.id for item in people[actor].items if item.place == "carried"} if actor in people else set()
    )
    for name, field in form.fields.items():
        if isinstance(field.widget, ChoiceSelect):
            planned = {str(mended[name])} if name in mended else set()
            field.widget.planned = frozenset(planned | (carried if name in PLANNED else set()))


def _is_foe(state: State, actor: str, other: str) -> bool:
    return other in state.combatants and state[other].side != state[actor].side


def _rank_plan(panel: OddsPanel, is_in_hand: bool) -> tuple[bool, bool, bool, float]:
    """Its place among plans: finished ones first, what is in hand before the rest, then the best chance."""
    plan = panel.plan
    whole = plan is not None and not plan.note
    return plan is not None, whole, is_in_hand, float(plan.chance or 0) if plan else 0.0


def put_foes_first(context: ViewerContext, form: Any, action: Action, actor: str) -> None:
    """List the targets of an attack on other sides before allies; each group keeps its order."""
    state, field = context.obscured_state, form.fields.get("target")
    if not hasattr(field, "choices") or context.system.kinds.of_action(action.name) != ATTACK:
        return
    mine = state[actor].side if actor in state.combatants else ""
    allies = {one.id for one in state.combatants.values() if one.side == mine}
    choices: list[tuple[str, str]] = list(field.choices)
    field.choices = sorted(choices, key=lambda pair: pair[0] in allies)


def _says(field: Field, asked: Any) -> bool:
    """Whether a form or an address says something for a field."""
    return bool(asked.get(field.name)) or (field.name in asked and takes_nothing(field))


def _read(field: Field, asked: Any) -> Any:
    return asked.getlist(field.name) if field.kind == "many" else asked[field.name]


# The GM's forms that correct what is in the log: a step overruled, points lost or gained.


@dataclass(frozen=True)
class OverrulingView:
    """What overruling a roll changes: lines of the log that go and lines that come; what is still open.

    `step` and `roll` name the roll. `later` counts the steps after it, which are done again. `refused` says
    why it cannot be overruled.
    """

    step: int
    roll: int
    label: str = ""
    goes: tuple[str, ...] = ()
    comes: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    later: int = 0
    refused: str = ""


def read_overruled(asked: Mapping[str, str]) -> tuple[int, int]:
    """The step and the number of its check that a form or an address names."""
    step, roll = (read_count(asked.get(name, "")) for name in ("overrule", "roll"))
    if step is None or roll is None:
        raise Refused("bad_value", "This form names no roll: reload the page.")
    return step, roll


def view_overruling(context: ViewerContext, asked: Mapping[str, str]) -> OverrulingView:
    """The confirmation before a roll is overruled, or the reason why it cannot be."""
    step, roll = read_overruled(asked)
    try:
        found = preview(context.encounter, step, roll)
    except Refused as refused:
        return OverrulingView(step, roll, refused=refused.message)
    system, names = context.system, names_of(context.known_state)
    courses = [(found.step, found.result), *found.later]
    goes, comes = list[str](), list[str]()
    for was, now in courses:
        old, new = (
            [line.text for line in describe_facts(system, _without_ruling(facts), names)]
            for facts in (was.facts, now.facts)
        )
        goes.extend(Counter(old) - Counter(new))
        comes.extend(Counter(new) - Counter(old))
    last = courses[-1][1]
    requests = () if isinstance(last, Done) else last.requests
    still = tuple(
        system.draw(say("overruling.rolled", dice=request.dice, why=request.why), names)
        if isinstance(request, RollRequest)
        else system.draw(say("overruling.asked", who=request.who), names)
        for request in requests
    )
    return OverrulingView(
        step,
        roll,
        Pen(system, names).draw(found.verdict.label),
        goes=tuple(goes),
        comes=tuple(comes),
        open=still,
        later=found.count,
    )


def _without_ruling(facts: tuple[e.Fact, ...]) -> Iterator[e.Fact]:
    """The facts without the sentence that names the ruling itself."""
    return (fact for fact in facts if not (isinstance(fact.event, e.Said) and fact.event.key in OVERRULED))


@dataclass(frozen=True)
class Correction:
    """What was lost or gained: the key and label of a track, how many points, and "-" for harm."""

    track: str
    label: str
    points: int
    verb: str
    sign: str


def find_sent_correction(context: ViewerContext, posted: Mapping[str, str]) -> Correction | None:
    """What a form that was sent corrects."""
    track = next((t for t in context.system.characters.tracks if t.key == posted.get("track")), None)
    was = read_count(posted.get("was", "")[:10])
    if track is None or was is None:
        return None
    rose = (posted.get("sign") == "-") == track.rises
    return find_correction(context, {"track": track.key, "points": str(was if rose else -was)})


def find_correction(context: ViewerContext, asked: Mapping[str, str]) -> Correction | None:
    """What the address of a form asks to correct; None if there is no such track or no points."""
    points = read_whole(asked.get("points", "")[:10])
    track = next((t for t in context.system.characters.tracks if t.key == asked.get("track")), None)
    if track is None or not points:
        return None
    verb = ("took" if points > 0 else "recovered") if track.rises else ("gained" if points > 0 else "lost")
    is_harm = (points > 0) == track.rises
    return Correction(track.key, track.label, abs(points), verb=verb, sign="-" if is_harm else "")
