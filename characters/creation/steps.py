"""Creating a character step by step: the steps, what each of them still misses, and the form between them.

The form of one step holds its own fields, and those of all others hidden: no step loses what another has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from combat.rules.core.basics.words import say_number
from combat.rules.core.sheets.sheets import Budget

from .builder import CharacterBuilder, begin, count_cost, make_items, stats_of
from .creation_view import CreationView, StatRow

WHO, BODY, SKILLS, GEAR, DONE = "who", "body", "skills", "gear", "done"
LABELS = {WHO: "Who", BODY: "Body", SKILLS: "Skills", GEAR: "Gear", DONE: "Done"}
TITLES = {
    WHO: "Who are you?",
    BODY: "Body and mind",
    SKILLS: "What can you do?",
    GEAR: "What do you carry?",
    DONE: "This is you",
}
TITLES_OF_NPC = {
    WHO: "Who are they?",
    SKILLS: "What can they do?",
    GEAR: "What do they carry?",
    DONE: "This is they",
}
OPEN_AT_ONCE = 12  # skills of a group that is open when its page opens


@dataclass(frozen=True)
class Step:
    """One step: its key, its label, its question, and what it still misses; `state` is done or now."""

    key: str
    label: str
    title: str
    missing: str
    says: str
    state: str = ""


@dataclass(frozen=True)
class SkillGroup:
    """The skills of one heading; `trained` counts those above their usual value."""

    key: str
    label: str
    rows: tuple[StatRow, ...]
    trained: int
    is_open: bool


@dataclass(frozen=True)
class Wizard:
    """Everything the page of a step shows besides the numbers: the steps, where one is, the hidden fields."""

    steps: tuple[Step, ...]
    number: int
    hidden: tuple[tuple[str, str], ...]
    budgets: tuple[Budget, ...] = ()
    trained: tuple[StatRow, ...] = ()
    groups: tuple[SkillGroup, ...] = ()

    @property
    def now(self) -> Step:
        """The step on the page."""
        return self.steps[self.number - 1]

    @property
    def back(self) -> Step | None:
        """The step before."""
        return self.steps[self.number - 2] if self.number > 1 else None

    @property
    def next(self) -> Step | None:
        """The step after."""
        return self.steps[self.number] if self.number < len(self.steps) else None

    @property
    def open(self) -> tuple[Step, ...]:
        """The steps that miss something."""
        return tuple(step for step in self.steps if step.missing)


def view_wizard(view: CreationView, at: str, npc: bool = False) -> Wizard:
    """The page of one step; of the first if there is no such step in this game."""
    keys = find_steps(view)
    at = at if at in keys else WHO
    titles = TITLES | TITLES_OF_NPC if npc else TITLES
    said = {key: _find_missing(view, key) for key in keys}
    steps = tuple(
        Step(
            key,
            LABELS[key],
            titles[key],
            missing=said[key],
            says="" if said[key] else _say_done(view, key),
            state="now"
            if key == at
            else "done"
            if keys.index(key) < keys.index(at) and not said[key]
            else "",
        )
        for key in keys
    )
    trained = tuple(row for _, rows in view.skills for row in rows if row.is_trained)
    hidden = tuple(find_fields(view.builder, except_of=at))
    budgets = tuple(_budgets_of(view, at))
    return Wizard(
        steps, keys.index(at) + 1, hidden, budgets=budgets, trained=trained, groups=tuple(_group_skills(view))
    )


def find_steps(view: CreationView) -> list[str]:
    """The steps of this character: a machine has no skills, and some games have no gear."""
    has = {
        WHO: True,
        BODY: bool(view.attributes or view.selections),
        SKILLS: bool(view.skills),
        GEAR: bool(view.catalogue),
        DONE: True,
    }
    return [key for key, there in has.items() if there]


def _group_skills(view: CreationView) -> Iterator[SkillGroup]:
    for number, (label, rows) in enumerate(view.skills):
        trained = sum(row.is_trained for row in rows)
        is_open = not number and len(rows) <= OPEN_AT_ONCE
        yield SkillGroup(f"skills-{number}", label or "General", rows, trained=trained, is_open=is_open)


# ---------------------------------------------------------------- what is missing


def _step_of(place: str) -> str:
    """The step where a fault can be mended."""
    part = place.partition(".")[0]
    return {"skills": SKILLS, "money": GEAR}.get(part, BODY)


def _budgets_of(view: CreationView, step: str) -> list[Budget]:
    return [budget for budget in view.budgets if _step_of(budget.key) == step]


def _find_missing(view: CreationView, step: str) -> str:
    """What a step still misses, in a sentence; empty if nothing."""
    fault = next((one.message for one in view.obstacles if _step_of(one.place) == step), "")
    if fault:
        return fault
    if step == WHO:
        return "" if view.builder.name.strip() else "A name is missing."
    left = [budget for budget in _budgets_of(view, step) if budget.left > 0]
    if left:
        return f"{_join(_say_left(budget) for budget in left)} left."
    if step == GEAR and not any(item["place"] == "held" for item in _find_items(view.builder)):
        return "No weapon yet."
    return ""


def _say_left(budget: Budget) -> str:
    label = budget.label[:1].lower() + budget.label[1:]
    return f"{say_number(budget.left)} {label[:-1] if budget.left == 1 else label}"


def _join(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _say_done(view: CreationView, step: str) -> str:
    """How far a step is that misses nothing."""
    builder = view.builder
    if step == WHO:
        return builder.name
    if step == GEAR:
        worn = any(item["place"] == "worn" for item in _find_items(builder))
        return "Armed and armored." if worn else "Armed."
    if step == DONE:
        return "" if any(_find_missing(view, other) for other in find_steps(view)) else "Nothing is missing."
    if _budgets_of(view, step):
        return "All points are spent."
    return (
        f"{sum(row.is_trained for _, rows in view.skills for row in rows)} trained." if step == SKILLS else ""
    )


def _find_items(builder: CharacterBuilder) -> list[dict[str, Any]]:
    return [{"place": "carried", **item} for item in make_items(builder)]


# ---------------------------------------------------------------- the form between the steps


def find_fields(builder: CharacterBuilder, except_of: str = "") -> Iterator[tuple[str, str]]:
    """The fields of the form that differ from an empty one, without those that one step shows itself."""
    blank, draft = begin(builder.system, builder.guided), builder.draft
    if except_of not in (WHO, DONE) and builder.name:
        yield "name", builder.name
    if except_of != DONE and builder.face:
        yield "face", builder.face
    if builder.ready:
        yield "ready", builder.ready
    if except_of != BODY:
        yield from _find_numbers(builder, "attributes")
        for key, value in draft.chosen.items():
            if value != blank.draft.chosen[key]:
                yield f"chosen-{key}", value
    if except_of != SKILLS:
        yield from _find_numbers(builder, "skills")
    if except_of != GEAR:
        yield from (("item", item) for item in builder.items)
    if not builder.guided and builder.money != blank.money:
        yield "money", str(builder.money)


def _find_numbers(builder: CharacterBuilder, part: Any) -> Iterator[tuple[str, str]]:
    values = getattr(builder.draft, part)
    for stat in stats_of(builder.plan, part):
        if values[stat.key] != stat.usual:
            yield f"{part}-{stat.key}", str(values[stat.key])


def write_query(builder: CharacterBuilder, **more: str) -> str:
    """The address of a form as a query: it holds the whole character."""
    first = [("game", builder.system.slug), ("way", "guided" if builder.guided else "free")]
    return urlencode([*first, *((key, word) for key, word in more.items() if word), *find_fields(builder)])


def count_spent(builder: CharacterBuilder) -> int:
    """The share of the starting money that the gear costs, in percent, at most 100."""
    return min(100, round(100 * count_cost(builder) / builder.money)) if builder.money else 0
