"""What the words of an improvised act mean: a verb of a small list, and names at this table.

Nothing is guessed: words that are not understood stay words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

from ..basics.data import load_table
from ..basics.dice.requests import Answer, Request
from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..declaration.improvising import Improvising
from ..declaration.system import System
from ..space import map_of
from ..space.battle_map import DOOR
from ..state.rulings import ME, THEM, Effect
from ..state.state import State, is_acting, present
from .improvising import Improvise
from .loot import can_part

WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
FEWEST = 3  # letters of a part of a name that stands for all of it
HINDERS, CHEERS, LASTS = -2, 2, 1  # the points of a hindrance and of help, and their turns
ENDINGS = ("s", "es", "ed", "ing")


class Verb(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `verbs.toml`."""

    id: str
    name: str
    words: tuple[str, ...]
    deed: str
    works: tuple[str, ...]
    fails: tuple[str, ...]
    leads: bool = False


class Span(msgspec.Struct, frozen=True):
    """A part of the words that was understood: from `start` to `end`, and as what."""

    start: int
    end: int
    what: str


class Understood(msgspec.Struct, frozen=True):
    """What words mean: the spans, the verb, whom they concern, and the act that follows from it all."""

    spans: tuple[Span, ...]
    act: Improvise
    verb: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether the act can be offered as it is: a verb was understood, with what it is rolled on."""
        return bool(self.verb)


@cache
def load_verbs() -> dict[str, Verb]:
    """The verbs by each of their words."""
    rows = load_table(Path(__file__).parent / "verbs.toml", Verb, "verb").values()
    return {word: row for row in rows for word in row.words}


def understand(
    system: System, state: State, actor: str, words: str, names: Mapping[str, str], about: str = ""
) -> Understood:
    """What someone's words mean at this table. `names` are those of the people that the reader may know.

    `about` is whom they concern, if that was said.
    """
    spans = list[Span]()
    verb = _find_verb(words, spans)
    people = _find_named({one: name for one, name in names.items() if one != actor}, words, spans, "attack")
    zones = {zone.id: zone.name for zone in state.scene.zones}
    places = _find_named(zones, words, spans, "place")
    doors = {wall.id: wall.name for wall in map_of(state.scene).walls if wall.kind == DOOR and wall.name}
    things = _find_named(doors, words, spans, "item")
    them = about or next(iter(people), "")
    owners = [one for one in (them, actor) if one in state.combatants]
    goods = {
        item.id: item.name for one in owners for item in state.combatants[one].items if can_part(system, item)
    }
    items = _find_named(goods, words, spans, "item")
    scene = _Scene(system, state, actor, them, next(iter(places), ""), next(iter(things), ""), items)
    rules = system.actions.improvising
    check = dict(rules.figures.deeds.get(verb.deed, {})) if rules and verb and actor else {}
    if rules and check:
        check[rules.figures.grade] = rules.figures.usual
    act = Improvise(
        actor=actor,
        words=words,
        about=them,
        check=tuple(check.items()),
        cost=find_usual_cost(system, state, actor) if verb and check else "",
        works=tuple(scene.make(verb.works)) if verb else (),
        fails=tuple(scene.make(verb.fails)) if verb and check else (),
    )
    spans.sort(key=lambda span: span.start)
    return Understood(tuple(spans), act, verb.name if verb else "")


def _find_verb(words: str, spans: list[Span]) -> Verb | None:
    """The first verb of the words, or one that leads."""
    known, found = load_verbs(), list[tuple[bool, re.Match[str], Verb]]()
    for match in WORD.finditer(words):
        for stem in _find_stems(match[0].lower()):
            if row := known.get(stem):
                found.append((not row.leads, match, row))
                break
    if not found:
        return None
    _, match, row = min(found, key=lambda each: (each[0], each[1].start()))
    spans.append(Span(match.start(), match.end(), "skill"))
    return row


def _find_stems(word: str) -> Iterator[str]:
    """A word, and what it may be a form of: "throws", "throwing", "grabbed", "tries"."""
    yield word
    for ending in ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            yield stem
            yield f"{stem}e"
            if stem[-1] == stem[-2:-1]:
                yield stem[:-1]
    if word.endswith("ies"):
        yield f"{word[:-3]}y"


def _find_named(names: Mapping[str, str], words: str, spans: list[Span], what: str) -> list[str]:
    """The ids of what the words name, in their order: by a whole name, else by a word that only one has."""
    found = list[tuple[int, str]]()
    for key, name in sorted(names.items(), key=lambda pair: -len(pair[1])):
        parts = [name, *(part for part in WORD.findall(name) if _is_own(part, name, names))]
        for part in parts:
            match = re.search(rf"(?<!\w){re.escape(part)}(?!\w)", words, re.IGNORECASE) if part else None
            if match and not any(s.start < match.end() and match.start() < s.end for s in spans):
                spans.append(Span(match.start(), match.end(), what))
                found.append((match.start(), key))
                break
    return [key for _, key in sorted(found)]


def _is_own(part: str, name: str, names: Mapping[str, str]) -> bool:
    """Whether a word stands for a name: long enough, and in no other name."""
    if len(part) < FEWEST or part.isdigit():
        return False
    return sum(part.lower() in WORD.findall(one.lower()) for one in names.values()) == 1


class _Scene:
    """Who and what an act is about, to make the endings of its verb."""

    def __init__(
        self,
        system: System,
        state: State,
        actor: str,
        them: str,
        place: str,
        door: str,
        items: list[str],
    ) -> None:
        self.system, self.state = system, state
        self.actor, self.them, self.place, self.door, self.items = actor, them, place, door, items

    def make(self, endings: tuple[str, ...]) -> Iterator[Effect]:
        """The effects of endings, without those about people or things that nobody named."""
        for ending in endings:
            what, _, whom = ending.partition(" ")
            if whom not in (ME, THEM, ""):
                yield Effect(kind="words", text=ending)
                continue
            who = {ME: self.actor, THEM: self.them}.get(whom, "")
            effect = self._make(what, who) if who or what in ("open", "shut") else None
            if effect:
                yield effect
            elif not whom and what not in ("open", "shut"):
                yield Effect(kind="words", text=ending)

    def _make(self, what: str, who: str) -> Effect | None:
        rules, whom = self.system.actions.improvising, (who,)
        if what == "prone":
            known = "prone" in self.system.characters.conditions
            return Effect(kind="condition", who=whom, key="prone") if known else None
        if what == "beside":
            if self.them:
                return Effect(kind="place", who=whom, to=self.them)
            return Effect(kind="place", who=whom, key=self.place) if self.place else None
        if what in ("hinder", "cheer") and rules:
            points = HINDERS if what == "hinder" else CHEERS
            return Effect(kind="points", who=whom, n=points, turns=LASTS)
        if what == "harm" and rules:
            return Effect(kind="harm", who=whom, dice=rules.figures.harm)
        if what in ("open", "shut"):
            return Effect(kind="door", key=self.door, n=int(what == "open")) if self.door else None
        if what == "item":
            return self._take(who)
        if what == "side":
            return Effect(kind="side", who=whom, key=self.state[self.actor].side) if self.actor else None
        if what in ("leaves", "surrenders"):
            return Effect(kind="leaves", who=whom, key=what if what == "surrenders" else "")
        return None

    def _take(self, who: str) -> Effect | None:
        """What they lose: the thing that was named, or what they hold."""
        owner = self.state.combatants.get(who)
        if owner is None or not self.actor:
            return None
        own = [item for item in owner.items if can_part(self.system, item)]
        named = [item for item in own if item.id in self.items]
        item = next(iter([*named, *(one for one in own if one.place == "held")]), None)
        return Effect(kind="item", who=(who,), key=item.id, to=self.actor) if item else None


class _Nobody:
    """Answers nothing: paying asks nobody."""

    tells = False

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        return None


def find_open_costs(system: System, state: State, actor: str) -> tuple[str, ...]:
    """The costs that someone can pay now, by their keys; none outside their turn."""
    rules: Improvising | None = system.actions.improvising
    if rules is None or not is_acting(state, actor):
        return ()
    return tuple(cost.key for cost in rules.costs if _can_pay(system, state, actor, cost.key))


def _can_pay(system: System, state: State, actor: str, key: str) -> bool:
    rules = system.actions.improvising
    cost = next(one for one in rules.costs if one.key == key) if rules else None
    try:
        if cost:
            cost.pay(RuleContext(system, state, _Nobody(), actor=actor), actor)
    except Refused:
        return False
    return cost is not None


def find_usual_cost(system: System, state: State, actor: str) -> str:
    """The first cost that is left; none outside their turn, or if nothing is left."""
    return next(iter(find_open_costs(system, state, actor)), "")


def name_everyone(state: State) -> dict[str, str]:
    """The names of all who are here, as words may name them."""
    return {one.id: one.name for one in present(state)}
