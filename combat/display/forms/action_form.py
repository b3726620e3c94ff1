"""The open form of an action: its fields, its sums and its odds, for one viewer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Action, Command, Field, command_data, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.spending import describe_spending, spending_of
from combat.rules.core.odds.enumeration import GiveUp
from combat.rules.core.odds.proposals import propose
from combat.rules.core.odds.suggestions import Suggestion, fields_with, find_suggestions
from combat.rules.core.sides import describe_in_sight, find_verdict, gives_up
from combat.rules.core.state.state import is_acting
from combat.sharing.viewer_context import ViewerContext

from ..map.scene import view_cells
from ..map.sight_lines import say_lines
from ..shapes.scene_shapes import CellView
from .fields import find_dead_end, make_form, prefilled
from .odds_budget import COUNTER, REPLACED
from .odds_panel import OddsPanel, SuggestionView, compute_odds, percent, refuse
from .usual_odds import ATTACK

PLACE = re.compile(r"[-−\d., ]+")
ON_THE_MAP = ("target", "to", "at")  # the fields that a tap on the map fills
AIMS = ("target", "weapon")
MAX_RUNS = 2000  # outcomes to count for all preparations together: fewer preparations of a costly command


def find_odds(context: ViewerContext, action: Action, wanted: dict[str, Any] | Command) -> OddsPanel:
    """The odds panel of a command, or of an action with these fields, as far as the viewer knows."""
    try:
        command = (
            wanted if isinstance(wanted, Command) else read_command(action, wanted, context.obscured_state)
        )
        return find_odds_of(context, action, command)
    except Refused as refused:
        return refuse(refused.message)


def find_odds_of(context: ViewerContext, action: Action, command: Command) -> OddsPanel:
    """The odds panel of a command, with preparations that would raise the odds; raises Refused("busy")."""
    system, state = context.system, context.obscured_state
    with COUNTER.count(context.asker) as share:
        found = compute_odds(
            system, state, action, command=command, obscured=context.obscured, give_up=share.give_up
        )
        if share.replaced:
            return OddsPanel(problem=REPLACED)
        paid = spending_of(system, state, action, command)
        most = MAX_RUNS // max(found.runs, 1) if found.runs else 0
        suggestions = view_suggestions(context, action, command, most=most, give_up=share.give_up)
    return replace(found, suggestions=suggestions, price=describe_spending(system, paid), traded=paid.traded)


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


@dataclass(frozen=True)
class OpenForm:
    """The action whose form is open: its fields, sums and odds. The GM's is not `brief`."""

    system: System
    action: Action
    form: Any
    odds_panel: OddsPanel | None
    actor: str
    cells: tuple[CellView, ...] = ()
    untraded: bool = False
    brief: bool = False

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
    def chosen(self) -> str:
        """The label of the chosen target or place; for a free place its coordinates."""
        name = next((name for name in ON_THE_MAP if name in self.form.fields), "")
        if not name:
            return ""
        field = self.form.fields[name]
        value = str(self.form.initial.get(name) or field.initial or "")
        options = getattr(field.widget, "options", ())  # none for a free place
        pairs = getattr(field, "choices", None) or [(o.value, o.label) for o in options]
        words: dict[str, str] = dict(pairs)
        return words.get(value, value if PLACE.fullmatch(value) else "")

    @property
    def aims(self) -> tuple[str, ...]:
        """Whom and with what: the fields that a phone folds into one line, once they have a value."""
        fields = [name for name in AIMS if getattr(self.form.fields.get(name), "choices", None)]
        chosen = all(self.form.initial.get(name) or self.form.fields[name].initial for name in fields)
        return tuple(fields) if "target" in fields and chosen else ()

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
    """What an action's button says, with the chance: "Roll" if dice are or may be rolled, else what it does.

    A throw that is stopped on its way shows no chance there: it would not say of what.
    """
    key = f"button.{action.name}"
    does = system.draw(key) if key in system.words else action.label
    if found is None:
        return does
    chance = "" if found.preview.stopped else found.after or found.chance
    verb = "Roll" if found.sides or (found.problem and action.preview) else does
    return f"{verb} · {chance}%" if chance else verb


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
    action = system.action(name)
    brief = not context.viewer.is_gm
    form = make_form(action, state, actor, command_data(command), brief=brief)
    shown = OpenForm(
        system, action, form, odds_panel=find_odds(context, action, command), actor=actor, brief=brief
    )
    return {"open": shown, "advice": f"Suggested: {action.label}. Check it, then confirm."}


def open_form(context: ViewerContext, action: Action, actor: str, asked: Any, refused: bool) -> OpenForm:
    """The form of an action with its odds: prefilled, or as it was requested or refused."""
    state = context.obscured_state
    fields = action.find_fields(state, actor)
    data = {"actor": actor, **prefilled(action, state, actor)}
    shown: dict[str, Any] = {
        f.name: data[f.name] for f in fields if f.name in ("target", "weapon") and f.name in data
    }
    asked_for = {f.name: _read(f, asked) for f in fields if asked.get(f.name)}
    shown, data = shown | asked_for, data | asked_for
    if refused:
        shown |= {f.name: f.name in asked for f in fields if f.kind == "flag"}
        data = {name: value for name, value in data.items() if shown.get(name, True) is not False}
    untraded = asked.get("untraded") == "true"
    data |= {"untraded": "true"} if untraded else {}
    brief = not context.viewer.is_gm
    form = make_form(action, state, actor, shown, brief=brief)
    say_lines(context, form, actor)
    put_foes_first(context, form, action, actor)
    cells = view_cells(context.system, state, action, actor=actor, to=str(data.get("to", "")))
    problem = find_dead_end(action, fields)
    found = refuse(problem) if problem else find_odds(context, action, data)
    return OpenForm(
        context.system,
        action,
        form,
        odds_panel=found,
        actor=actor,
        cells=cells,
        untraded=untraded,
        brief=brief,
    )


def put_foes_first(context: ViewerContext, form: Any, action: Action, actor: str) -> None:
    """List the targets of an attack on other sides before allies; each group keeps its order."""
    state, field = context.obscured_state, form.fields.get("target")
    if not hasattr(field, "choices") or context.system.kinds.of_action(action.name) != ATTACK:
        return
    mine = state[actor].side if actor in state.combatants else ""
    allies = {one.id for one in state.combatants.values() if one.side == mine}
    choices: list[tuple[str, str]] = list(field.choices)
    field.choices = sorted(choices, key=lambda pair: pair[0] in allies)


def _read(field: Field, asked: Any) -> Any:
    return asked.getlist(field.name) if field.kind == "many" else asked[field.name]
