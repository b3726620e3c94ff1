"""What the words of an improvised act mean: the act that the GM can offer at once, or choose, or neither.

`acts/` reads the words; here they become an act of this game: rolled, paid, and with what follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ..basics.dice.requests import Answer, Request
from ..basics.errors import Refused
from ..basics.modifiers import add_up
from ..commands.context import RuleContext
from ..declaration.frames import OFFER, WORDS, Frame
from ..declaration.improvising import Figures, Improvising
from ..declaration.system import System
from ..state.rulings import CheckFields, Effect
from ..state.state import State, is_acting, present
from .acts import reading as words_of
from .acts.endings import Deed, make_endings, measure
from .acts.matching import Fit
from .acts.reading import Reading, read
from .acts.scenery import DOORWAY, FOE, FRIEND, OWN, THEIRS, ZONE, Scenery, view_scenery
from .improvising import Improvise, read_check

MOST_CHOICES = 4
MIGHT, HARM = "might", "harm them"  # the size of a thing makes such acts harder
IT_WORKS = "It works."  # where nothing else follows
LOOKS = {
    FOE: "attack",
    FRIEND: "aid",
    ZONE: "place",
    "passed": "place",
    DOORWAY: "item",
    OWN: "item",
    THEIRS: "item",
}


class Span(msgspec.Struct, frozen=True):
    """A part of the words that was understood: from `start` to `end`, and as what."""

    start: int
    end: int
    what: str


class Choice(msgspec.Struct, frozen=True):
    """One of the acts that the GM can choose, under its name."""

    name: str
    act: Improvise


class Understood(msgspec.Struct, frozen=True):
    """What words mean: the spans, what was understood, and the act that follows from it all.

    `answer` says whether the act can be offered as it is, whether the GM has to choose, or whether these are
    only words. `why` the GM is asked, and the `choices` that there are.
    """

    spans: tuple[Span, ...]
    act: Improvise
    verb: str = ""
    answer: str = WORDS
    why: str = ""
    choices: tuple[Choice, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether the act can be offered as it is."""
        return self.answer == OFFER


def understand(
    system: System, state: State, actor: str, words: str, names: Mapping[str, str], about: str = ""
) -> Understood:
    """What someone's words mean at this table. `names` are those of the people that the reader may know.

    `about` is whom they concern, if that was said.
    """
    rules = system.actions.improvising
    scenery = view_scenery(system, state, actor, names)
    found = read(rules.frames if rules else None, scenery, words, about)
    maker = _Maker(system, state, actor, words, found, scenery, about)
    spans = tuple(_mark(found))
    if found.answer == WORDS or not found.fits:
        named = about or next(
            (one.ids[0] for one in found.tokens if one.slot in (FOE, FRIEND) and len(one.ids) == 1), ""
        )
        name = found.fits[0].frame.name if found.fits else ""
        return Understood(spans, Improvise(actor=actor, words=words, about=named), name)
    lead = found.fits[0]
    act = maker.make(lead)
    choices = tuple(maker.list_choices())[:MOST_CHOICES] if found.answer != OFFER else ()
    return Understood(spans, act, lead.frame.name, found.answer, found.why, choices)


def _mark(found: Reading) -> Iterator[Span]:
    """The parts of the words that were understood."""
    heads = {fit.head for fit in found.fits}
    for at, token in enumerate(found.tokens):
        what = "skill" if at in heads else LOOKS.get(token.slot, "")
        if what and token.end:
            yield Span(token.start, token.end, what)


class _Maker:
    """Makes acts of what was read."""

    def __init__(
        self,
        system: System,
        state: State,
        actor: str,
        words: str,
        found: Reading,
        scenery: Scenery,
        about: str,
    ) -> None:
        self.system, self.state, self.actor, self.words = system, state, actor, words
        self.found, self.scenery, self.about = found, scenery, about

    def make(self, fit: Fit, endings: Sequence[str] = (), them: tuple[str, ...] | None = None) -> Improvise:
        """The act of a frame, with its usual endings or with these."""
        frame, rules = fit.frame, self.system.actions.improvising
        deed = self._find_deed(fit, self._find_them(fit) if them is None else them)
        check = self._find_check(frame, rules, deed.size) if rules and self.actor else ()
        works = make_endings(deed, endings or frame.works) or (Effect(kind="words", text=IT_WORKS),)
        return Improvise(
            actor=self.actor,
            words=self.words,
            about=deed.them[0] if len(deed.them) == 1 else "",
            check=check,
            cost=find_usual_cost(self.system, self.state, self.actor) if check else "",
            works=works,
            fails=make_endings(deed, frame.fails) if check else (),
        )

    def _find_check(self, frame: Frame, rules: Improvising, size: str) -> CheckFields:
        """What a frame is rolled on, and how hard it is."""
        if frame.deed not in rules.figures.deeds:
            return ()
        fields = find_best(self.system, self.state, self.actor, rules.figures, frame.deed)
        is_heavy_work = frame.deed == MIGHT or HARM in frame.works
        return (*fields, (rules.figures.grade, rules.figures.find_grade(size if is_heavy_work else "")))

    def _find_them(self, fit: Fit) -> tuple[str, ...]:
        """Whom an act concerns: nobody as long as that is unclear."""
        if self.about:
            return (self.about,)
        near = [*fit.used, *self.found.list_near(fit)]
        wanted = [kind for kind in (FOE, FRIEND) if kind in fit.frame.needs] or [FOE, FRIEND]
        people = [one for one in near if one.slot in wanted]
        if not people or people[0].unclear:
            return ()
        return people[0].ids

    def _find_deed(self, fit: Fit, them: tuple[str, ...]) -> Deed:
        near = [*fit.used, *self.found.list_near(fit)]
        zone = next((one.ids[0] for one in near if one.slot == ZONE), "")
        doors = next((one.ids for one in near if one.slot == DOORWAY and not one.unclear), ())
        items = tuple(i for one in near if one.slot in (OWN, THEIRS) for i in one.ids)
        return Deed(
            system=self.system,
            state=self.state,
            actor=self.actor,
            them=them,
            zone="" if fit.frame.needs and FOE in fit.frame.needs else zone,
            door=doors[0] if doors else "",
            items=items,
            takes_held=any(one.is_of("weapon") for one in near)
            or not any(one.is_of("valuable") for one in near),
            size=measure(near),
        )

    def list_choices(self) -> Iterator[Choice]:
        """What the GM can choose: whom it concerns, which act it is, or what follows."""
        lead = self.found.fits[0]
        if self.found.why == words_of.WHICH:
            yield from self._list_people(lead)
        elif len(self.found.fits) > 1:
            yield from (Choice(fit.frame.name, self.make(fit)) for fit in self.found.fits)
        elif lead.frame.choose:
            yield from (Choice(name, self.make(lead, ends)) for name, ends in lead.frame.choose.items())
        else:
            yield Choice(lead.frame.name, self.make(lead))

    def _list_people(self, lead: Fit) -> Iterator[Choice]:
        unclear = next((one for one in lead.used if one.unclear), None)
        for one in unclear.ids if unclear else ():
            if unclear and unclear.slot in (FOE, FRIEND):
                yield Choice(self.scenery.people[one], self.make(lead, them=(one,)))


def find_best(system: System, state: State, actor: str, figures: Figures, deed: str) -> CheckFields:
    """What a deed is best rolled on by someone: the first of those that give the best chance."""
    ways = [figures.deeds[deed], *figures.fitting.get(deed, ())]
    if len(ways) > 1:
        ways.sort(key=lambda way: _weigh(system, state, actor, way), reverse=True)
    return tuple(ways[0].items())


def _weigh(system: System, state: State, actor: str, way: Mapping[str, str]) -> int:
    """What someone adds to the dice on a roll, or has to roll under; far below all others if they cannot."""
    rules = system.actions.improvising
    if rules is None or rules.check.preview is None:
        return 0
    try:
        preview = rules.check.preview(state, read_check(system, state, actor, tuple(way.items())))
    except Refused:
        return -1000
    return add_up(preview.modifiers) + add_up(
        preview.against
    )  # to roll under more, or to add more, is better


class _Nobody:
    """Answers nothing: paying asks nobody."""

    tells = False

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        return None


def find_open_costs(system: System, state: State, actor: str) -> tuple[str, ...]:
    """The costs that someone can pay in their turn as it stands, by their keys; none outside it.

    What has to be declared first counts as open: it is not free.
    """
    rules: Improvising | None = system.actions.improvising
    if rules is None or not is_acting(state, actor):
        return ()
    return tuple(
        cost.key
        for cost in rules.costs
        if cost.awaits(state, actor) or _can_pay(system, state, actor, cost.key)
    )


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
