"""How a combatant is drawn: ground, face or sign, and marks; the same in rows, cards and on the map.

A row also takes from all combatants: names, sides, and faces for those who chose none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from characters.display.shapes import Shape
from characters.display.sheet_view import find_drawn
from characters.faces import KEYS, find_looks, split_name
from characters.models import Character
from combat.play.campaigns.roster import find_side
from combat.play.notes.glossary import NEUTRAL
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.declaration.parts import SHAPES, list_marks
from combat.rules.core.declaration.system import System
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import FACE, Combatant, State, present

NO_FACES: Mapping[str, str] = MappingProxyType({})
DEAD, PRONE, HIDDEN = "dead", "prone", "hidden"
MOST_MARKS = 2  # shown; the rest is a +
FOE, THIRD = "is-foe", "is-third"
OUTLINES = {"is-ally": "round", FOE: "diamond", THIRD: "square", "is-neutral": "hexagon"}
PARTS = re.compile("[:/]")  # between the parts of a choice's value


class Look(Shape, frozen=True):
    """What a token shows: side, face, sign or portrait, the number among namesakes, and its state.

    `portrait` is the address of a picture and comes first, then `face`, the key of a drawn one, then `bust`,
    the sign of something without a face. `heading` is that of a vehicle, in degrees clockwise from the top.
    `marks` are kinds of conditions, the most urgent first; `more`: there are others.

    The tag `token` of combat/templatetags/table.py draws it in a square of 48.
    """

    tone: str
    bust: str = ""
    badge: str = ""
    portrait: str = ""
    face: str = ""
    active: bool = False
    down: bool = False
    dead: bool = False
    prone: bool = False
    hidden: bool = False
    marks: tuple[str, ...] = ()
    more: bool = False
    heading: float = 0

    @property
    def plain(self) -> Look:
        """Who it is, without what has become of them: it stays the same while they fight."""
        return Look(self.tone, self.bust, self.badge, portrait=self.portrait, face=self.face)

    @property
    def classes(self) -> str:
        """The classes of its drawing: its side, and what has become of it."""
        states = {"is-down": self.down, "is-prone": self.prone, "is-hidden": self.hidden}
        return " ".join([self.tone or "is-foe", *[name for name, is_so in states.items() if is_so]])

    @property
    def outline(self) -> str:
        """The shape of its ground.

        Round for allies, a diamond for enemies, a square for other sides of enemies, a hexagon for neither.
        """
        return OUTLINES.get(self.tone, "diamond")

    @property
    def is_vehicle(self) -> bool:
        """Whether it is drawn from above, without a ground."""
        return self.bust in SHAPES and not self.portrait and not self.face

    @property
    def turn(self) -> float:
        """The degrees that the drawing of a vehicle, which heads right, is turned clockwise."""
        return (self.heading - 90) % 360


def find_look(
    system: System,
    combatant: Combatant,
    tone: str,
    *,
    active: bool,
    down: bool,
    number: str = "",
    usual: str = "",
) -> Look:
    """How a combatant is drawn for a viewer who may see them.

    `number` tells namesakes apart; `usual` is the face or sign of those who chose none, by default the one
    that fits best.
    """
    badge = split_name(combatant.name)[1]
    body = system.look.vehicle(combatant) if system.look.vehicle else None
    held = (one for one in combatant.conditions if system.characters.describe_condition(one.kind).for_gm)
    kinds = [system.kinds.sign_of(one) for one in held]
    marks = find_marks(kinds, hidden=combatant.hidden)
    drawn = usual or find_looks(system, combatant)[0]
    is_face = drawn in KEYS
    return Look(
        tone,
        "" if is_face else drawn,
        badge or number,
        face=(find_chosen(combatant) or drawn) if is_face else "",
        active=active,
        down=down,
        dead=DEAD in kinds,
        prone=PRONE in kinds,
        hidden=combatant.hidden,
        marks=marks[:MOST_MARKS],
        more=len(marks) > MOST_MARKS,
        heading=body.heading if body else 0,
    )


def draw_character(one: Character, tone: str) -> Look:
    """How a character looks away from the table."""
    drawn = find_drawn(one)
    return Look(tone, face=drawn) if drawn in KEYS else Look(tone, drawn)


def make_past(system: System, look: Look, then: Combatant, *, down: bool) -> Look:
    """A look with what had become of a combatant by an earlier moment, `then`."""
    kinds = [system.kinds.sign_of(one) for one in then.conditions]
    return replace(look, down=down, dead=DEAD in kinds, prone=PRONE in kinds)


def assign_faces(system: System, state: State, given: Mapping[str, str] = NO_FACES) -> dict[str, str]:
    """The face or sign of everyone, by id: another face for each name while there are enough.

    `given` are those of sheets and of players, which come first. The hidden choose last, so that the GM and
    the players see the same faces.
    """
    found, faces, taken = {}, dict[tuple[str, tuple[str, ...]], str](), set[str]()
    for hidden in (False, True):
        people = [one for one in present(state) if one.hidden == hidden]
        chosen = {one.id: given.get(one.id) or find_chosen(one) for one in people}
        taken |= set(chosen.values())
        for one in people:
            able = find_looks(system, one)
            if able[0] not in KEYS:  # a sign is that of a kind, and several may have it
                found[one.id] = able[0]
                continue
            key = split_name(one.name)[0], able
            if not chosen[one.id] and key not in faces:
                faces[key] = next((face for face in able if face not in taken), able[0])
                taken.add(faces[key])
            found[one.id] = chosen[one.id] or faces[key]
    return found


def find_chosen(combatant: Combatant) -> str:
    """The drawn face that someone chose; empty for none."""
    face = str(combatant.marks.get(FACE, ""))
    return face if face in KEYS else ""


def find_marks(kinds: Iterable[str], *, hidden: bool) -> tuple[str, ...]:
    """The marks of a token: that it is hidden, then the kinds of its conditions that are worth one."""
    held = set(kinds)
    return (*((HIDDEN,) if hidden else ()), *(kind for kind in list_marks() if kind in held))


def has_face(system: System, combatant: Combatant) -> bool:
    """Whether a drawn face fits: no beast and no vehicle has one."""
    return find_looks(system, combatant)[0] in KEYS


class AllCombatants(NamedTuple):
    """The names of all combatants by id, those who left too, and what tells namesakes apart.

    `words` and `numbers` do that; `tones` are the CSS classes of the sides, `faces` those of combatants who
    chose none.
    """

    names: dict[str, str]
    words: dict[str, str]
    numbers: dict[str, str]
    tones: dict[str, str]
    faces: dict[str, str]


def find_all_combatants(system: System, state: State) -> AllCombatants:
    """What rows take from all the combatants."""
    names = {who: combatant.name for who, combatant in state.combatants.items()}
    numbers, faces = number_namesakes(state), assign_faces(system, state)
    return AllCombatants(names, tell_apart(state), numbers, tones=find_tones(state), faces=faces)


def find_tones(state: State) -> dict[str, str]:
    """The CSS class of each side; a single side counts as enemies. The neutral side is neither.

    Of several sides of enemies the first to come has the usual class, all others one of their own.
    """
    own = find_side(state)
    tones = {side: find_tone(side, own) for side in dict.fromkeys(f.side for f in state.combatants.values())}
    _, *more = [side for side, tone in tones.items() if tone == FOE] or [""]
    return tones | dict.fromkeys(more, THIRD)


def find_tone(side: str, own: str) -> str:
    """The CSS class of a side, for those on the side `own`."""
    return "is-ally" if side == own else "is-neutral" if side == NEUTRAL else FOE


# Combatants with the same name: how people tell them apart where they choose.


def tell_apart(state: State) -> dict[str, str]:
    """The words after the name of each combatant that shares it, by id.

    The side or the zone if these tell all of them apart, else their number.
    """
    found: dict[str, str] = {}
    for namesakes in _find_namesakes(state):
        found |= zip((f.id for f in namesakes), _find_words(state, namesakes), strict=True)
    return found


def _find_namesakes(state: State) -> list[list[Combatant]]:
    """Those who share a name, in joining order: a place in it is the number of someone, on every page."""
    names = [one.name for one in state.combatants.values() if not one.gone]
    if len(set(names)) == len(names):  # most fights, in every turn
        return []
    shared = [name for name, count in Counter(names).items() if count > 1]
    return [[one for one in present(state) if one.name == name] for name in shared]


def _find_words(state: State, namesakes: list[Combatant]) -> list[str]:
    zones = (find_zone(state.scene, f.at) for f in namesakes)
    for words in ([f.side for f in namesakes], [zone.name if zone else "" for zone in zones]):
        if len(set(filter(None, words))) == len(namesakes):
            return words
    return [str(number) for number in range(1, len(namesakes) + 1)]


def number_namesakes(state: State) -> dict[str, str]:
    """The number of each combatant that shares its name with another one on its side, by id.

    A namesake on another side looks different anyway, and is counted all the same.
    """
    found: dict[str, str] = {}
    for namesakes in _find_namesakes(state):
        sides = Counter(one.side for one in namesakes)
        found |= {f.id: str(number) for number, f in enumerate(namesakes, 1) if sides[f.side] > 1}
    return found


def name_fully(state: State, combatant: Combatant) -> str:
    """The name of a combatant, with a word to tell it from its namesakes."""
    words = tell_apart(state).get(combatant.id)
    return f"{combatant.name} ({words})" if words else combatant.name


def name_people(state: State, people: Iterable[str]) -> str:
    """The full names of those of these combatants that are in the state: "Vega or Oslo"."""
    known = (state.combatants[who] for who in people if who in state.combatants)
    return " or ".join(name_fully(state, combatant) for combatant in known)


def say_fully(state: State, who: str, words: str) -> str:
    """A text with a combatant's name, plus the word that tells it apart; in brackets after a comma."""
    told = tell_apart(state).get(who, "")
    if not told:
        return words
    name = state.combatants[who].name
    if f"({name})" in words:
        return words.replace(f"({name})", f"({name}, {told})", 1)
    return words.replace(name, f"{name} ({told})", 1)


def name_choices(state: State, options: Iterable[Choice]) -> tuple[Choice, ...]:
    """Choices of combatants, their items or places beside them, with namesakes told apart."""
    words, options = tell_apart(state), tuple(options)
    if not words:
        return options
    owners = {item.id: who for who in words for item in state.combatants[who].items} | {w: w for w in words}
    return tuple(_name_choice(state, words, owners, option) for option in options)


def _name_choice(state: State, words: dict[str, str], owners: dict[str, str], option: Choice) -> Choice:
    """A choice with the owner told apart; its value is like "f2", "near:f2", "f2/f2-1"."""
    who = next((owners[part] for part in PARTS.split(option.value) if part in owners), "")
    if not who or words[who] == option.detail:
        return option
    return msgspec.structs.replace(option, label=say_fully(state, who, option.label))
