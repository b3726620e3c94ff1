"""How a combatant is drawn: ground, face or sign, and marks; the same in rows, cards and on the map.

A row also takes from all combatants: names, sides, and faces for those who chose none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

from msgspec.structs import replace

from characters.display.shapes import Shape
from characters.faces import KEYS, SEXES, find_sex
from combat.play.campaigns.roster import find_side
from combat.play.notes.glossary import NEUTRAL
from combat.rules.core.declaration.kinds import list_marks
from combat.rules.core.declaration.look import SHAPES
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import FACE, Combatant, State, present

from .namesakes import number_namesakes, tell_apart

# Faces of those who chose none; the name picks one, so the same name always has the same face
PLAYED = (
    *("scout", "pilot", "marine", "medic", "engineer"),
    *("broker", "spacer", "scientist", "courier", "elder"),
)
OTHERS = ("raider", "stranger", "enforcer", "cyborg", "captain", "trooper", "guard", "veteran")
STRANGE = {"alien": ("envoy", "horned", "mystic"), "robot": ("robot",)}
# Signs of those without a face (static/img/tokens.svg), by what they look like
BUSTS = {"animal": ("beast", "reptile", "insect"), "drone": ("drone",), "vehicle": ("car",)}
NO_FACES: Mapping[str, str] = MappingProxyType({})
DEAD, PRONE, HIDDEN = "dead", "prone", "hidden"
MOST_MARKS = 2  # shown; the rest is a +
OUTLINES = {"is-ally": "round", "is-foe": "diamond", "is-neutral": "hexagon"}


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
        """The shape of its ground: round for allies, a diamond for enemies, a hexagon for neither."""
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

    `number` tells namesakes apart; `usual` is the face of those who chose none, by default by their name.
    """
    name, badge = split_name(combatant.name)
    appearance = system.look.appearance(combatant)
    body = system.look.vehicle(combatant) if system.look.vehicle else None
    held = (one for one in combatant.conditions if system.characters.describe_condition(one.kind).for_gm)
    kinds = [system.kinds.sign_of(one) for one in held]
    marks = find_marks(kinds, hidden=combatant.hidden)
    bust = body.shape if body else pick(BUSTS.get(appearance, ()), name)
    return Look(
        tone,
        bust,
        badge or number,
        face=""
        if bust
        else find_chosen(combatant) or usual or find_faces(name, appearance, pc=combatant.pc)[0],
        active=active,
        down=down,
        dead=DEAD in kinds,
        prone=PRONE in kinds,
        hidden=combatant.hidden,
        marks=marks[:MOST_MARKS],
        more=len(marks) > MOST_MARKS,
        heading=body.heading if body else 0,
    )


def make_past(system: System, look: Look, then: Combatant, *, down: bool) -> Look:
    """A look with what had become of a combatant by an earlier moment, `then`."""
    kinds = [system.kinds.sign_of(one) for one in then.conditions]
    return replace(look, down=down, dead=DEAD in kinds, prone=PRONE in kinds)


def assign_faces(system: System, state: State, given: Mapping[str, str] = NO_FACES) -> dict[str, str]:
    """The face of everyone, by id: another one for each name while there are enough.

    `given` are those of sheets and of players, which come first. The hidden choose last, so that the GM and
    the players see the same faces.
    """
    found, faces, taken = {}, dict[tuple[str, str, bool], str](), set[str]()
    for hidden in (False, True):
        people = [one for one in present(state) if one.hidden == hidden]
        chosen = {one.id: given.get(one.id) or find_chosen(one) for one in people}
        taken |= set(chosen.values())
        for one in people:
            appearance = system.look.appearance(one)
            name = split_name(one.name)[0]
            key = name, appearance, one.pc
            if not chosen[one.id] and key not in faces:
                able = find_faces(name, appearance, pc=one.pc)
                faces[key] = next((face for face in able if face not in taken), able[0])
                taken.add(faces[key])
            found[one.id] = chosen[one.id] or faces[key]
    return found


def find_chosen(combatant: Combatant) -> str:
    """The drawn face that someone chose; empty for none."""
    face = str(combatant.marks.get(FACE, ""))
    return face if face in KEYS else ""


def find_faces(name: str, appearance: str, *, pc: bool) -> tuple[str, ...]:
    """The drawn faces that fit someone who chose none, the best first.

    First what their name says, then from one that it picks; of a player character those that anybody could
    have come before others, unless the name says more. The faces of the other kind of people come last.
    """
    said = tuple(word for word in name.lower().split() if word in KEYS)
    if strange := STRANGE.get(appearance):
        return (*said, *_turn(strange, name))
    own, others = (PLAYED, OTHERS) if pc else (OTHERS, PLAYED)
    able, sex = dict.fromkeys((*said, *_turn(own, name), *_turn(others, name))), find_sex(name)
    faces = [face for face in able if not sex or SEXES[face] in ("", sex)]
    if pc and not said and not sex:
        faces.sort(key=lambda face: bool(SEXES[face]))
    return tuple(faces)


def _turn(faces: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The faces, beginning with one that the name picks."""
    first = crc32(name.encode()) % len(faces)
    return (*faces[first:], *faces[:first])


def pick(signs: tuple[str, ...], name: str) -> str:
    """The sign that a name picks; empty if there is none."""
    return signs[crc32(name.encode()) % len(signs)] if signs else ""


def find_marks(kinds: Iterable[str], *, hidden: bool) -> tuple[str, ...]:
    """The marks of a token: that it is hidden, then the kinds of its conditions that are worth one."""
    held = set(kinds)
    return (*((HIDDEN,) if hidden else ()), *(kind for kind in list_marks() if kind in held))


def has_face(system: System, combatant: Combatant) -> bool:
    """Whether a drawn face fits: no beast and no vehicle has one."""
    return system.look.appearance(combatant) not in BUSTS


def split_name(name: str) -> tuple[str, str]:
    """A name and the number after it: "Pirate 3" is Pirate and 3."""
    words, _, last = name.rpartition(" ")
    return (words, last) if words and last.isdecimal() and len(last) < 4 else (name, "")


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
    """The CSS class of each side; a single side counts as enemies. The neutral side is neither."""
    own = find_side(state)
    return {side: find_tone(side, own) for side in dict.fromkeys(f.side for f in present(state))}


def find_tone(side: str, own: str) -> str:
    """The CSS class of a side, for those on the side `own`."""
    return "is-ally" if side == own else "is-neutral" if side == NEUTRAL else "is-foe"
