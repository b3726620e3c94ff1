"""The drawn faces that people choose from: `static/img/faces.svg` has a symbol for each key.

Given names and titles say whether a face should look like a woman's or a man's.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from combat.rules.core.basics.errors import Refused

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


class Face(NamedTuple):
    """A drawn face: its symbol, its name for people, and whether it is a woman's or a man's."""

    key: str
    name: str
    sex: str = ""


FACES = (
    Face("scout", "Scout"),
    Face("pilot", "Pilot", "woman"),
    Face("marine", "Marine", "man"),
    Face("medic", "Medic", "man"),
    Face("engineer", "Engineer", "man"),
    Face("envoy", "Envoy"),
    Face("robot", "Robot"),
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
    Face("horned", "Horned one"),
    Face("veteran", "Veteran", "man"),
    Face("courier", "Courier", "woman"),
    Face("mystic", "Mystic"),
    Face("elder", "Elder", "woman"),
)
KEYS = frozenset(face.key for face in FACES)
SEXES = {face.key: face.sex for face in FACES}


def fits(face: str, name: str) -> bool:
    """Whether nothing in a name speaks against a face: no bearded Marit."""
    return not SEXES[face] or find_sex(name) in ("", SEXES[face])


def check_face(face: str) -> str:
    """The key of a drawn face, or empty for none; Refused if there is no such face."""
    if face and face not in KEYS:
        raise Refused("bad_value", "There is no such face: choose one of those shown.")
    return face


def find_sex(name: str) -> str:
    """What the first telling word of a name says: "woman", "man", or nothing."""
    told = [SEX_OF[word] for word in WORD.findall(name.casefold()) if word in SEX_OF]
    return told[0] if told else ""
