"""Forms: those of actions are generated from what the game declares; the others are below."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice, product, zip_longest
from typing import Any, TypeVar

import msgspec
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Layout
from django import forms
from django.http import QueryDict
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from characters.display.number_fields import WholeField
from characters.games import search_blocks
from characters.models import Character
from combat.play.campaigns.campaigns import clean_title
from combat.play.campaigns.roster import list_sides
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.data import find_fields
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.commands.commands import (
    Action,
    Command,
    Field,
    check_numbers,
    find_first_value,
    find_refusal,
    read_command,
)
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, run
from combat.rules.core.state.state import State
from cosmos_site.base.forms import CheckedField, SiteForm, set_choices

from ..combatants.cards import NPC
from ..combatants.tokens import name_choices
from ..rules_view import link_rule
from .points import read_points

F = TypeVar("F", bound=forms.Form)
MAX_TRIES = 60
MAX_REASONS = 3  # of the likeliest choices; the form disables the others
_NOTHING = {"What": "nothing", "Who": "nobody", "Whom": "nobody"}  # for labels that are no nouns
# Names in a posted form that belong to the page, not to the command
PAGE_FIELDS = frozenset(
    {
        "csrfmiddlewaretoken",
        "version",
        "dice",
        "combatant",
        "do",
        "points",
        "sign",
        "was",
        "next",
        "row",
        "plan",
        "step",
    }
)
# Fields that the app itself sets: a form that sends one was tampered with, unless its action declares it
OWN_FIELDS = ("actor", "typed", "source", "overruled")

SIGNED = re.compile(r"(?<=[ ,:(])([+−]\d.*)$")  # what the words of a tick end with
PLANNED = ("weapon", "item")  # the fields whose refused options a plan may mend
IN_SIGHT = ("target", "place", "text", "many")  # the kinds of fields that a brief form shows at once
STARTING = "start-%s"  # the ids of the fields that begin a fight
# The fold of a form of the table, around its folded fields; only if there is something in it
MORE_BEGINS = """{% if open.has_more %}
<details class="fold" id="fold"{% if open.is_opened or refused %} open data-open{% endif %}>
{% include "combat/forms/more/summary.html" %}{% endif %}"""
MORE_ENDS = '{% if open.has_more %}{% include "combat/forms/more/rest.html" %}</details>{% endif %}'
LATER, WAIT = (
    "Arrives later",
    "They wait from the start, so players never see them here. You say then when and where they arrive.",
)
VARIED = ("place", "target", "choice")  # the kinds of fields that a form may begin with another option of
TYPED = ("text", "faces")  # those that a person fills
MAX_TRIED_VALUES = 24  # each a run of the action up to its first roll


class ChoiceSelect(forms.Select):
    """A select that shows refused options with the reason, as disabled unless a plan may mend them."""

    planned: frozenset[str] = frozenset()

    def __init__(self, options: Iterable[Choice]) -> None:
        self.refused = {option.value: option.refused for option in options if option.refused}
        super().__init__()

    def create_option(self, name: str, value: Any, label: Any, *args: Any, **more: Any) -> Any:
        """One option, disabled if the rules refuse it."""
        option = super().create_option(name, value, label, *args, **more)
        reason = self.refused.get(str(value))
        if reason:
            if str(value) not in self.planned:
                option["attrs"]["disabled"] = True
            option["label"] = f"{label}: {reason}"
        return option


class PlaceInput(forms.TextInput):
    """A place: named choices in a list, or coordinates as x,y."""

    template_name = "combat/forms/place_input.html"

    def __init__(self, options: Iterable[Choice]) -> None:
        self.options = tuple(options)
        super().__init__()

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """The context with the named places beside the free field."""
        context = super().get_context(name, value, attrs)
        named = {option.value for option in self.options}
        context["options"], context["is_free"] = self.options, bool(value) and value not in named
        return context

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """The typed value, or the chosen one if nothing was typed."""
        return data.get(f"{name}-free") or data.get(name)


def _label(choice: Choice) -> str:
    return f"{choice.label}, {with_true_minus(choice.detail)}" if choice.detail else choice.label


def _choice(field: Field) -> forms.Field:
    pairs = [(option.value, _label(option)) for option in field.options]
    return forms.ChoiceField(choices=pairs or [("", "nothing")], widget=ChoiceSelect(field.options))


def _many(field: Field) -> forms.Field:
    pairs = [(option.value, _label(option)) for option in field.options]
    return forms.MultipleChoiceField(choices=pairs, widget=forms.CheckboxSelectMultiple)


class Tick(forms.CheckboxInput):
    """A box that is ticked at first: without the tick the form sends "false" instead of nothing."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """The box after a hidden field with "false"."""
        box = super().render(name, value, attrs, renderer)
        return format_html('<input type="hidden" name="{}" value="false">{}', name, box)


def _flag(field: Field) -> forms.Field:
    widget = Tick if field.value == "true" else forms.CheckboxInput
    return forms.BooleanField(widget=widget(attrs={"value": "true"}))


_MAKERS: dict[str, Callable[[Field], forms.Field]] = {
    "target": _choice,
    "choice": _choice,
    "many": _many,
    "flag": _flag,
    "number": lambda field: WholeField(min_value=field.low, max_value=field.high),
    "text": lambda field: forms.CharField(max_length=200),
    "place": lambda field: forms.CharField(widget=PlaceInput(field.options)),
}


def sign_label(label: str) -> str:
    """A tick's words, with what it adds or takes in its color: “Trip as well, −2”."""
    found = SIGNED.search(label)
    if found is None:
        return label
    look = "signed minus" if found[1][0] in "−-" else "signed"
    return format_html('{}<i class="{}">{}</i>', label[: found.start(1)], look, found[1])


def _help(field: Field, slug: str) -> str:
    return format_html("{} {}", field.help, link_rule(field.rule, slug)) if field.rule else escape(field.help)


def _rows(fields: list[Field]) -> list[Div]:
    """The fields side by side, the ticks below them."""
    flags = [field.name for field in fields if field.kind == "flag"]
    plain = [field.name for field in fields if field.kind != "flag"]
    rows = (Div(*plain, css_class="form-row"), Div(*flags, css_class="cluster"))
    return [row for row, names in zip(rows, (plain, flags), strict=True) if names]


def _fold(rows: list[Div], *, is_start: bool) -> list[Any]:
    """The rows inside a fold that stays as the person left it, with what else the form of an action says."""
    if not is_start:
        return [HTML(MORE_BEGINS), *rows, HTML(MORE_ENDS)]
    if not rows:
        return []
    return [HTML('<details class="fold" id="fold"><summary>Situation</summary>'), *rows, HTML("</details>")]


def _is_in_sight(field: Field) -> bool:
    """Whether a brief form shows a field at once: it names a target or place, or nothing is chosen yet."""
    is_open = field.required and not field.value and field.kind != "flag"
    return not field.more and (field.kind in IN_SIGHT or field.name == "weapon" or is_open)


def find_folded(fields: Iterable[Field], *, brief: bool) -> list[Field]:
    """The fields behind the fold. A brief form in which no field would be left keeps them in sight."""
    fields = list(fields)
    if brief and any(map(_is_in_sight, fields)):
        return [field for field in fields if not _is_in_sight(field)]
    return [field for field in fields if field.more]


def _is_changed(field: Field, data: dict[str, Any]) -> bool:
    """Whether a form begins with another value for a field than the usual one."""
    value = data.get(field.name)
    word = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "").lower()
    return word not in (field.value.lower(), "", "false", "0")


class ActionForm(forms.Form):
    """The form of one action for one combatant, prefilled from the scene.

    It only draws the fields; the rules check what is posted. A `brief` form folds all fields with a usual
    choice; `folded` says whether there are any, and `is_opened` whether one has another value than usual.
    """

    use_required_attribute = False

    def __init__(
        self,
        fields: tuple[Field, ...],
        slug: str,
        data: dict[str, Any] | None = None,
        ids: str = "do-%s",
        *,
        brief: bool = False,
    ) -> None:
        super().__init__(initial=data, auto_id=ids)
        for field in fields:
            made = _MAKERS[field.kind](field)
            made.label = sign_label(field.label) if field.kind == "flag" else field.label
            made.help_text = _help(field, slug)
            made.required = field.required or field.kind in ("choice", "number", "flag")
            made.initial = field.value == "true" if field.kind == "flag" else find_first_value(field)
            self.fields[field.name] = made
        self.helper = FormHelper()
        self.helper.form_tag, self.helper.disable_csrf = False, True
        folded = find_folded(fields, brief=brief)
        self.folded = bool(folded)
        self.is_opened = brief and any(_is_changed(field, data or {}) for field in folded)
        self.helper.layout = Layout(
            *_rows([f for f in fields if f not in folded]), *_fold(_rows(folded), is_start=ids == STARTING)
        )


def make_form(
    action: Action, state: State, actor: str, data: dict[str, Any] | None = None, *, brief: bool = False
) -> ActionForm:
    """The form of an action; `data` replaces prefilled values, and `brief` folds what has a usual choice."""
    return ActionForm(find_named_fields(action, state, actor), state.system, data, brief=brief)


def make_start_form(system: System, state: State) -> ActionForm:
    """What the game asks when a fight begins; it may be on a page with another form."""
    return ActionForm(
        find_named_fields(system.action(system.actions.start), state, ""), state.system, ids=STARTING
    )


def find_named_fields(action: Action, state: State, actor: str) -> tuple[Field, ...]:
    """The fields of an action, with namesakes told apart in their options."""
    fields = action.find_fields(state, actor)
    return tuple(msgspec.structs.replace(f, options=name_choices(state, f.options)) for f in fields)


def prefilled(action: Action, state: State, actor: str) -> dict[str, Any]:
    """The first values of an action's form, as fields of a command."""
    return prefill(state, action, actor, action.find_fields(state, actor))[0]


def prefill(
    state: State, action: Action, actor: str, fields: tuple[Field, ...]
) -> tuple[dict[str, Any], Command | None]:
    """The first values of a form with these fields, and their command if it was checked to find them."""
    data: dict[str, Any] = {}
    for field in fields:
        if field.kind == "many" or field.value not in ("", "0"):
            data[field.name] = find_first_value(field)
    return _find_legal(action, state, actor, fields=fields, data=data)


def _find_legal(
    action: Action, state: State, actor: str, fields: tuple[Field, ...], data: dict[str, Any]
) -> tuple[dict[str, Any], Command | None]:
    """The values with the first target and weapon that the rules allow together, and their command.

    Games list enemies first for harm, allies first for help; the form never starts with the other side.
    """
    if action.preview is None:
        return data, None
    choices = {f.name: _find_open(state, actor, f) for f in fields if f.name in ("target", "weapon")}
    if not choices:
        return data, None
    for picked in islice(product(*choices.values()), MAX_TRIES):
        chosen = {**data, **dict(zip(choices, picked, strict=True))}
        try:
            command = read_command(action, {"actor": actor, **chosen})
            action.preview(state, command)
        except Refused:
            continue
        return chosen, command
    return data, None


def _find_open(state: State, actor: str, field: Field) -> list[str]:
    """The allowed values of a field, its own first; for targets, only those on the side of the first."""
    values = [option.value for option in field.options if not option.refused]
    values.sort(key=lambda value: value != field.value)
    if field.kind != "target" or not values or actor not in state.combatants:
        return values
    sides = {f.id: f.side == state.combatants[actor].side for f in state.combatants.values()}
    return [value for value in values if sides.get(value) == sides.get(values[0])]


def find_dead_end(action: Action, fields: tuple[Field, ...]) -> str:
    """Why a form cannot be filled: a field has no options, or none that the rules allow."""
    for field in fields:
        needed = field.kind in ("choice", "target") and field.required
        if needed and all(option.refused for option in field.options):
            reasons = tuple(dict.fromkeys(option.refused for option in field.options))[:MAX_REASONS]
            nothing = _NOTHING.get(field.label, f"no {field.label.lower()}")
            return " ".join(reasons) or f"{action.label}: there is {nothing} to choose."
    return ""


def read_fields(action: Action, state: State, actor: str, posted: QueryDict) -> dict[str, Any]:
    """The fields of a command from a posted form. Unknown ones stay in, for the rules to refuse."""
    declared = {field.name: field for field in action.find_fields(state, actor)}
    lists = find_lists(action.type)
    _check_own(posted, declared)
    data: dict[str, Any] = {"actor": actor} if actor else {}
    for name in posted:
        if name in PAGE_FIELDS - declared.keys() or name.startswith("face-") or name.endswith("-free"):
            continue
        value = posted.getlist(name) if name in lists else _read(declared.get(name), posted, name)
        if "\0" in "".join(value):
            raise Refused("bad_value", "This form has a character that cannot be saved: type the text again.")
        if value not in ("", []) or (name in declared and takes_nothing(declared[name])):
            data[name] = value
    data = {**{name: [] for name in lists - {*OWN_FIELDS}}, **data}  # nothing ticked is an empty list
    if "points" in posted and "points" not in declared:
        data |= read_points(find_system(state.system), {name: str(posted[name]) for name in posted})
    _check_required(action, declared.values(), data, posted)
    check_numbers(action, declared.values(), data)
    return data


def takes_nothing(field: Field) -> bool:
    """Whether an empty value is a choice, such as no skill, and not the one that the form begins with."""
    return bool(field.value) and any(not option.value for option in field.options)


def find_lists(kind: type[msgspec.Struct]) -> set[str]:
    """The names of the fields of a command that take several values."""
    kinds = {field.name: field.type for field in find_fields(kind)}
    return {name for name, kind in kinds.items() if str(kind).startswith("tuple")}


def _read(field: Field | None, posted: QueryDict, name: str) -> str:
    free = str(posted.get(f"{name}-free", "")).strip()
    if free and (field is None or field.kind == "place"):
        return free
    return str(posted[name]).strip()


def _check_own(posted: QueryDict, declared: Collection[str]) -> None:
    strange = [name for name in OWN_FIELDS if name in posted and name not in declared]
    if strange:
        raise Refused("bad_value", f"This form has no field “{strange[0]}”: reload the page.")


def _check_required(action: Action, fields: Iterable[Field], data: dict[str, Any], posted: QueryDict) -> None:
    """Refuse a form without a choice, or with an empty field that the command needs."""
    needed = {field.name for field in find_fields(action.type) if field.required}
    for field in fields:
        if field.name in data or (field.name not in posted and field.name not in needed):
            continue  # given, or not asked: the command has a usual value
        if field.required and field.kind in ("target", "choice", "place"):
            raise Refused("bad_value", f"{field.label}: choose one first.")
        if field.name in needed and field.name in posted:
            raise Refused("bad_value", f"{action.label}: “{field.label}” is missing.")


class NewEncounterForm(SiteForm):
    """A name and a game."""

    use_required_attribute = True
    name = CheckedField(clean_title, max_length=100, label="Name", help_text="a name your group will know")
    system = forms.ChoiceField(label="Game")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "system", [(slug, find_system(slug).name) for slug in SYSTEMS])


Npcs = Sequence[tuple[str, Character]]


class SideForm(SiteForm):
    """A side to choose, the first one unless another is chosen, or a new one typed beside it."""

    side = forms.CharField(label="Side", max_length=60, widget=forms.Select)
    new_side = forms.CharField(
        label="Or a new side",
        max_length=60,
        required=False,
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    def __init__(self, state: State, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sides = list_sides(state)
        self.sides = dict.fromkeys((*sides, str(self["side"].value() or sides[0])))
        self.fields["side"].widget.choices = [(side, side) for side in self.sides]

    def clean(self) -> dict[str, Any]:
        """The new side counts, if there is one."""
        said = self.cleaned_data
        new = said.pop("new_side", "")
        return {**said, "side": new} if new else said


class JoinForm(SideForm):
    """Combatants from the library: which, how many, on which side, where.

    `npcs` are the GM's own, each under its heading.
    """

    ids = "join-%s"
    block = forms.ChoiceField(label="Stat block")
    count = WholeField(label="How many", min_value=1, max_value=20, initial=1)
    name = forms.CharField(label="Name", max_length=60, required=False, help_text="numbered if several")
    zone = forms.ChoiceField(label="Zone", required=False)
    later = forms.BooleanField(label=LATER, required=False, help_text=WAIT)
    hidden = forms.BooleanField(label="Hidden from players", required=False)
    pc = forms.BooleanField(label="Player character", required=False)
    group = forms.BooleanField(
        label="As one group",
        required=False,
        help_text="They stay together: hidden, revealed, gathered and removed at once.",
    )
    rows = (("count", "name"), ("side", "new_side"), ("zone",))

    def __init__(
        self, system: System, state: State, *args: Any, find: str = "", npcs: Npcs = (), **kwargs: Any
    ) -> None:
        super().__init__(state, *args, **kwargs)
        choices: dict[str, list[tuple[str, str]]] = {}
        for heading, npc in npcs:
            choices.setdefault(heading, []).append((f"{NPC}{npc.pk}", f"{npc.name} ({npc.summary})"))
        for found in search_blocks(system, "" if self.is_bound else find):
            if found.option and not system.option(state, found.option):
                continue
            choices.setdefault(found.tier, []).append((found.id, f"{found.name} ({found.summary})"))
        block = self.fields["block"]
        block.widget.attrs |= {
            "hx-get": "",
            "hx-target": "#block-preview",
            "hx-select": "#block-preview",
            "hx-swap": "outerHTML",
        }
        block.error_messages["required"] = "choose one from the list."
        if not choices:
            block.help_text = "No stat block has these words: try fewer."
        set_choices(self, "block", choices.items())
        self.blocks = [pair for pairs in choices.values() for pair in pairs]  # without their headings
        set_choices(self, "zone", list_zones(state))
        ticks = Div("later", "hidden", "pc", "group", css_class="ticks")
        self.helper.layout = Layout("block", *self.helper.layout, ticks)


def list_zones(state: State) -> list[tuple[str, str]]:
    """The zones to choose from; the first choice is where combatants join otherwise."""
    zones = [(zone.id, zone.name) for zone in state.scene.zones]
    usual = "start of their side" if state.scene.starts else "first zone"
    return [("", usual if zones else "open ground"), *zones]


def check_form(form: F) -> F:
    """The form, with checked values; Refused with all its errors, in one message that names the fields."""
    if form.is_valid():
        return form
    parts = []
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        parts.append(f"{label}: {' '.join(str(error) for error in errors)}" if label else str(errors))
    raise Refused("bad_value", " ".join(parts))


# First values that the rules allow: no form opens with what is refused while it offers something else.


def find_allowed(
    state: State,
    action: Action,
    actor: str,
    fields: tuple[Field, ...],
    data: dict[str, Any],
    asked: Collection[str] = (),
) -> dict[str, Any]:
    """The first values of a form, changed as little as needed for the rules to allow them.

    They stay as they are if no such change helps, if someone has to type something first, and where they are
    `asked` for.
    """
    waits = any(field.required and field.kind in TYPED and not data.get(field.name) for field in fields)
    if not actor or waits or find_refusal(action, state, actor) or _is_allowed(state, action, actor, data):
        return data
    free = [field for field in fields if field.kind in VARIED and field.name not in asked]
    tried = (data | changes for changes in _find_changes(state, actor, free, data))
    return next(
        (one for one in islice(tried, MAX_TRIED_VALUES) if _is_allowed(state, action, actor, one)), data
    )


def _is_allowed(state: State, action: Action, actor: str, data: dict[str, Any]) -> bool:
    def try_out() -> None:
        command = read_command(action, {**data, "actor": actor}, state)
        run(find_system(state.system), state, action, command=command, driver=TryDriver())

    return allows(try_out)


def _find_changes(
    state: State, actor: str, fields: list[Field], data: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Other open options: of one field, of each in turn, then of two; only of fields with a value."""
    options = {
        field.name: _find_others(state, actor, field, str(data[field.name]))
        for field in sorted(fields, key=lambda field: VARIED.index(field.kind))
        if data.get(field.name)
    }
    for values in zip_longest(*options.values()):
        yield from ({name: value} for name, value in zip(options, values, strict=True) if value is not None)
    for one, other in combinations(options, 2):
        yield from ({one: a, other: b} for a, b in product(options[one], options[other]))


def _find_others(state: State, actor: str, field: Field, now: str) -> list[str]:
    """The other open options of a field; for targets only those on the same side as the first."""
    values = [option.value for option in field.options if not option.refused and option.value != now]
    if field.kind != "target" or actor not in state.combatants:
        return values
    sides = {one.id: one.side == state[actor].side for one in state.combatants.values()}
    return [value for value in values if sides.get(value) == sides.get(now)]
