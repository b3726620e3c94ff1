"""The one place to add people: the notes as they were read, before anyone joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from zlib import crc32

from combat.display.combatants.tokens import Look, find_look, find_tone, find_tones
from combat.play.notes.glossary import Glossary
from combat.play.notes.parts import Group, Reading, Riddle
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.state.state import Combatant, State

MAX_PILE = 3  # tokens that are drawn for several


@dataclass(frozen=True)
class GroupView:
    """Equal combatants that the notes name: how many, who, with what, where."""

    count: int
    title: str
    about: str
    side: str
    tone: str
    zone: str
    hidden: bool
    look: Look

    @property
    def pile(self) -> range:
        """A number for each token drawn behind the first."""
        return range(min(self.count, MAX_PILE) - 1)


@dataclass(frozen=True)
class RiddleView:
    """A part that was not understood, and the buttons that replace it: value and words."""

    words: str
    message: str
    minor: bool
    buttons: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Stretch:
    """A part of the notes as they were typed, and what it was read as; plain without a kind."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class PeopleBox:
    """The box for notes: the text, what holds where the notes say nothing, and what was understood.

    `is_changed` if the text is another one than the box on the page holds.
    """

    text: str = ""
    side: str = ""
    zone: str = ""
    hidden: bool = False
    later: bool = False
    problem: str = ""
    groups: tuple[GroupView, ...] = ()
    riddles: tuple[RiddleView, ...] = ()
    stretches: tuple[Stretch, ...] = ()
    count: int = 0
    is_changed: bool = False

    @property
    def asked(self) -> int:
        """The parts that name people nobody understands: the next page asks about them."""
        return sum(not riddle.minor for riddle in self.riddles)

    @property
    def digest(self) -> str:
        """A mark of the text, so that only what was shown is added."""
        return digest_of(self.text)


def digest_of(text: str) -> str:
    """The mark of notes."""
    return f"{crc32(text.encode()):x}"


@dataclass(frozen=True)
class PeopleReader:
    """Turns what was read into what is shown; `usual` is the side where nothing is said."""

    system: System
    state: State
    glossary: Glossary
    own_side: str
    usual: str
    zones: Mapping[str, str] = field(default_factory=dict)

    def view_group(self, group: Group) -> GroupView:
        """A group with its numbers, as it will join."""
        side = group.side or self.usual
        sheet = group.make_sheet(self.glossary)
        made = self.system.characters.make_combatant(ME, group.title, side, sheet, self.state.options)
        tones = find_tones(self.state)
        tone = tones.get(side) or find_tone(side, self.own_side)
        look = find_look(self.system, made, tone, active=False, down=False)
        zone = self.zones.get(group.zone, "")
        return GroupView(
            group.count,
            group.title,
            self._describe(group, made),
            side=side,
            tone=tone,
            zone=zone,
            hidden=group.hidden,
            look=look,
        )

    def _describe(self, group: Group, made: Combatant) -> str:
        """Block, items and health of one of them."""
        block = group.source.name if group.source and group.source.name != group.title else ""
        items = ", ".join(dict.fromkeys(item.name for item in made.items))
        health = self.system.characters.health(made)
        number = (
            f"{health.now} of {health.most}" if group.health and health.now < health.most else health.unhurt
        )
        return " · ".join(filter(None, (block, items, f"{number} {health.label}")))


def view_riddle(number: int, riddle: Riddle) -> RiddleView:
    """A riddle with a button for each suggestion."""
    buttons = tuple((f"{number}:{place}", one.label) for place, one in enumerate(riddle.suggestions))
    return RiddleView(riddle.words[:100], riddle.message, riddle.minor, buttons)


def view_stretches(reading: Reading) -> Iterator[Stretch]:
    """The whole text, cut where it was read as something."""
    at = 0
    for mark in reading.marks:
        begin, end = mark.span
        if begin > at:
            yield Stretch(reading.text[at:begin])
        yield Stretch(reading.text[begin:end], mark.kind)
        at = end
    if at < len(reading.text):
        yield Stretch(reading.text[at:])
