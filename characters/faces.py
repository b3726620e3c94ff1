"""How people, animals and machines are drawn: faces to choose from, signs, and which fit whom.

`static/img/faces.svg` has a symbol for each face, `static/img/tokens.svg` one for each sign. Given names and
titles say whether a face should look like a woman's or a man's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember
from combat.rules.core.declaration.parts import PERSON, SHAPES, check_looks, load_look_words
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import Combatant

WORD = re.compile(r"[^\W\d_]+")
LISTED = {
    "woman": """
        ada adele agnes aisha alba alice alma amara amelia amina ana anastasia andrea angela anika anita
        anna anne annika anya ariadne astrid athena aunt aurora ava baroness beatrice bella bianca brigid
        brigitte camila carla carmen caroline cassandra catherine cecilia celeste charlotte chiara chloe
        clara claudia cleo cora countess dana daphne diana dina dora dorothy duchess edith eira eleanor
        elena eliza elizabeth ella ellen elsa emilia emily emma empress erika esther eva evelyn fatima fiona
        flora freya frida gabriela gloria grace greta hana hannah heidi helen helena hilda ida imani ines
        ingrid irene irina iris isabel isabella ivana ivy jade jana jane janet jenna jessica joan johanna
        josephine judith julia juno kaja karen karin kate katherine katja keiko kira klara lady lara laura
        layla lea leila lena leona lily lina linda linnea lisa liv lola louisa lucia lucy luna lydia madam
        maja margaret maria mariam marie marina marit martha mary matilda maya mei mercedes mia mina mira
        miriam miss molly mona mother mrs ms nadia naomi nara natalia natasha nina nora octavia olga olivia
        ophelia paula penelope petra phoebe pia princess priya queen rachel ramona rebecca regina rita
        roberta rosa rose ruth sabine sabrina samira sandra sara sarah selene selma sigrid silvia simone
        sister sofia sonja sophia stella susan svetlana sylvia tamara tanya tara tatiana teresa thea tilda
        uma ursula valentina valeria vanessa vela vera verena veronica victoria viola vivian wanda wilma
        yasmin yuki yvonne zara zelda zoe
    """,
    "man": """
        aaron abdul abel abraham adam adrian ahmed alan albert alberto alejandro alexander alfred ali amir
        anders andre andrei andrew anton antonio arjun arne arthur august axel baldur baron basil ben
        benjamin bernard björn boris brian brother bruno callum carl carlos caspar charles chen christian
        christopher clark claude conrad count cyrus daniel david dexter diego dimitri dirk dominic donald
        duke edgar edmund eduardo edward einar elias emil emperor enrique eric erik ernest eugene fabian
        father felix fergus fernando finn francis frank franz fred frederick gabriel george gerald gideon
        giovanni gregor gregory gustav hans harald harold harry hassan hector henrik henry hiroshi horst
        hugo ian ibrahim igor ivan ivar jack jacob jakob james jan jasper jens jeremy jerome jim joachim joe
        joel johan johannes john jonah jonas jonathan jorge jose josef joseph joshua juan julian julius karl
        kaspar keith kenji kenneth kevin king klaus kofi konrad kurt lars lawrence leif leo leon leonard
        leopold liam lord louis lucas ludwig luigi luis luke magnus malcolm manuel marcel marco marcus mario
        mark markus martin matteo matthew max maximilian michael miguel mikhail milo mohammed moritz mr
        nathan neil nicholas niels nikolai nils noah olaf oleg oliver oscar oskar otis otto pablo patrick
        paul pavel pedro peter philip piet prince rafael ragnar ralph ramon raymond reginald ricardo richard
        robert roger roland rolf roman ronald rudolf rupert samuel sebastian sergei sigurd simon sir
        stanislav stefan stephen sven tariq theodore thomas thor tobias tobin tom torben ulrich uncle
        valentin vasili victor viktor vincent vladimir walter werner wilhelm william wolfgang xavier yuri
        yusuf
    """,
}
SEX_OF = {name: sex for sex, names in LISTED.items() for name in names.split()}


ALIEN, ROBOT, VEHICLE = "alien", "robot", "vehicle"
# Signs of those without a face, by nature
SIGNS = {
    "animal": ("beast", "reptile", "insect", "hound", "cat", "bear", "raptor"),
    "drone": ("drone", "gunship", "probe"),
    VEHICLE: SHAPES,
}
# Faces and signs of those who chose none and of whom nothing tells more. The name picks one of the first
# tuple, so the same name always has the same; those of the others follow
PLAYED = (
    ("scout", "pilot", "marine", "medic", "engineer", "broker", "spacer", "scientist", "courier", "elder"),
    ("ensign", "hacker", "driver", "gunner", "fighter", "marshal", "noble", "officer"),
)
OTHERS = (
    ("raider", "stranger", "enforcer", "cyborg", "captain", "trooper", "guard", "veteran"),
    ("rogue", "deckhand", "rifleman", "thug", "corsair", "sergeant", "hunter", "passerby", "civilian"),
)
STRANGE = {
    ALIEN: (("envoy", "horned", "mystic"), ("gilled", "domed", "gilded", "tanked")),
    ROBOT: (("robot",), ("servitor", "sentry", "loader", "mender", "autodoc")),
    "animal": (("beast", "reptile", "insect"), ("cat", "bear", "raptor", "hound")),
    "drone": (("drone",), ("probe", "gunship")),
}


class Face(NamedTuple):
    """A drawn face: its symbol, its name for people, whether it is a woman's or a man's, and what has it."""

    key: str
    name: str
    sex: str = ""
    nature: str = PERSON


FACES = (
    Face("scout", "Scout"),
    Face("pilot", "Pilot", "woman"),
    Face("marine", "Marine", "man"),
    Face("medic", "Medic", "man"),
    Face("engineer", "Engineer", "man"),
    Face("envoy", "Envoy", nature=ALIEN),
    Face("robot", "Robot", nature=ROBOT),
    Face("broker", "Broker", "woman"),
    Face("spacer", "Spacer"),
    Face("scientist", "Scientist", "woman"),
    Face("guard", "Guard"),
    Face("trooper", "Trooper"),
    Face("cyborg", "Cyborg"),
    Face("stranger", "Stranger"),
    Face("captain", "Captain", "man"),
    Face("enforcer", "Enforcer", "man"),
    Face("raider", "Raider"),
    Face("horned", "Horned one", nature=ALIEN),
    Face("veteran", "Veteran", "man"),
    Face("courier", "Courier", "woman"),
    Face("mystic", "Mystic", nature=ALIEN),
    Face("elder", "Elder", "woman"),
    Face("corsair", "Corsair", "man"),
    Face("deckhand", "Deckhand", "woman"),
    Face("thug", "Thug"),
    Face("rogue", "Rogue"),
    Face("officer", "Officer"),
    Face("riot", "Riot trooper"),
    Face("sergeant", "Sergeant", "man"),
    Face("sniper", "Sniper"),
    Face("gunner", "Gunner"),
    Face("armored", "Armored trooper"),
    Face("assassin", "Assassin"),
    Face("zealot", "Zealot"),
    Face("noble", "Noble"),
    Face("hunter", "Hunter", "man"),
    Face("civilian", "Civilian", "man"),
    Face("passerby", "Passerby", "woman"),
    Face("driver", "Driver", "man"),
    Face("knight", "Knight"),
    Face("brute", "Brute", "man"),
    Face("fighter", "Fighter"),
    Face("warlord", "Warlord", "man"),
    Face("hacker", "Hacker"),
    Face("marshal", "Marshal", "man"),
    Face("ensign", "Ensign"),
    Face("rifleman", "Rifle soldier"),
    Face("gilded", "Gilded one", nature=ALIEN),
    Face("gilled", "Gilled one", nature=ALIEN),
    Face("domed", "Domed one", nature=ALIEN),
    Face("tanked", "One in a tank", nature=ALIEN),
    Face("loader", "Loader", nature=ROBOT),
    Face("mender", "Mender", nature=ROBOT),
    Face("autodoc", "Autodoc", nature=ROBOT),
    Face("servitor", "Servitor", nature=ROBOT),
    Face("sentry", "Sentry", nature=ROBOT),
)
KEYS = frozenset(face.key for face in FACES)
SEXES = {face.key: face.sex for face in FACES}
NATURES = {face.key: face.nature for face in FACES} | {
    sign: nature for nature, signs in SIGNS.items() for sign in signs
}


def fits(face: str, name: str) -> bool:
    """Whether nothing in a name speaks against a face: no bearded Marit."""
    return not SEXES[face] or find_sex(name) in ("", SEXES[face])


def check_face(face: str) -> str:
    """The key of a drawn face, or empty for none; Refused if there is no such face."""
    if face and face not in KEYS:
        raise Refused("bad_value", "There is no such face: choose one of those shown.")
    return face


def find_looks(system: System, combatant: Combatant) -> tuple[str, ...]:
    """The faces or signs that fit someone who chose none, the best first.

    Those of their stat block come first. One of another name than the block's has what the name says before
    them ("Captain Vox", a pirate), and the name picks among them.
    """
    name = split_name(combatant.name)[0]
    known = str(combatant.sheet.get("name") or name)
    own = _find_own_looks(system).get(known.casefold(), ())
    nature = NATURES[own[0]] if own else system.look.appearance(combatant)
    if nature == VEHICLE:
        body = system.look.vehicle(combatant) if system.look.vehicle else None
        return (*own, body.shape if body else SHAPES[0])
    return find_faces(name, nature, pc=combatant.pc, own=own, is_usual=name.casefold() == known.casefold())


@remember
def _find_own_looks(system: System) -> Mapping[str, tuple[str, ...]]:
    """The looks that a game names for its stat blocks; DataError with file and key if one is not drawn."""
    check_looks(system.folder, system.book.find_blocks(), NATURES)
    return system.looks


def find_faces(
    name: str, nature: str, *, pc: bool, own: tuple[str, ...] = (), is_usual: bool = False
) -> tuple[str, ...]:
    """The faces or signs of a nature that fit a name, the best first: `own` ones are those of a stat block.

    First what the name says, unless it is the block's (`is_usual`); then the block's own; then from one that
    the name picks. Of a player character those that anybody could have come before others, unless the name
    says more. The faces of the other kind of people come last.
    """
    said, sex = _find_said(name, nature), find_sex(name)
    first = (*own, *said) if is_usual else (*said, *_turn(own, name))
    groups = STRANGE.get(nature) or ((*PLAYED, *OTHERS) if pc else (*OTHERS, *PLAYED))
    rest = [look for group in groups for look in _turn(group, name)]
    if pc and not first and not sex and nature not in STRANGE:
        rest.sort(key=lambda look: bool(SEXES[look]))
    able = [look for look in dict.fromkeys((*first, *rest)) if not sex or SEXES.get(look, "") in ("", sex)]
    return tuple(able)


def _find_said(name: str, nature: str) -> tuple[str, ...]:
    """The looks of a nature that the words of a name tell; people may look like those of other worlds."""
    fitting, words = {nature} if nature in SIGNS or nature == ROBOT else {PERSON, ALIEN}, load_look_words()
    told = [look for word in name.casefold().split() for look in (word, *words.get(word, ()))]
    return tuple(look for look in told if NATURES.get(look) in fitting)


def _turn(looks: Sequence[str], name: str) -> tuple[str, ...]:
    """The looks, beginning with one that the name picks."""
    first = crc32(name.encode()) % len(looks) if looks else 0
    return (*looks[first:], *looks[:first])


def choose_fitting(looks: Sequence[str], name: str) -> str:
    """The first of these faces that fits the name of a person, else one that does."""
    return next((face for face in looks if fits(face, name)), "") or find_faces(name, PERSON, pc=True)[0]


def split_name(name: str) -> tuple[str, str]:
    """A name and the number after it: "Pirate 3" is Pirate and 3."""
    words, _, last = name.rpartition(" ")
    return (words, last) if words and last.isdecimal() and len(last) < 4 else (name, "")


def find_sex(name: str) -> str:
    """What the first telling word of a name says: "woman", "man", or nothing."""
    told = [SEX_OF[word] for word in WORD.findall(name.casefold()) if word in SEX_OF]
    return told[0] if told else ""
