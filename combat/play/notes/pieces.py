"""Notes cut into pieces, each with its place in the text: lines, sentences, parts of lists, numbers.

And the tables of wordings that its steps ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from combat.rules.core.basics.markup import BULLET

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
COUNTS = {word: number for number, word in enumerate(NUMBERS, 1)} | {
    "a": 1,
    "an": 1,
    "another": 1,
    "their": 1,
    "his": 1,
    "her": 1,
}
COUNTS |= {"a couple of": 2, "a pair of": 2, "a dozen": 12, "half a dozen": 6, "dozen": 12, "single": 1}
WORDS = "|".join(sorted(COUNTS, key=len, reverse=True))
# Behind these a full stop ends nothing; some stand for a rank that notes know as people
TITLES = frozenset(
    "dr mr mrs ms prof st sgt lt capt cpt col maj gen cmdr jr sr rev hon".split()  # noqa: SIM905 - a list of words
)
BEFORE = re.compile(
    rf"\s*(?:(\d+)\s?[x×](?=\s)|(\d+)(?=\s)|({WORDS})(?=\s))\s+(?:of the(?=\s)\s+)?", re.IGNORECASE
)
AFTER = re.compile(r"(?:(?<!\S)x|×)\s*(\d+)\s*$", re.IGNORECASE)
# What stands for a number and is none: “1d6”, “-3”, “½”, “1-3”; “to 3” or “dozen” behind a number
ODD = r"[-+−–—~≈<>≤≥]*[dw]?[\d¼½¾⅐-⅞][\d¼½¾⅐-⅞dwx×*/.,:%?+−–—-]*|dozen|hundred|thousand"
UNCLEAR = re.compile(
    rf"\s*(?:\[[^\[\]]*\]\s*)?(?:(?:to|or|[-–—−])\s+(?:{WORDS}|{ODD})|{ODD})(?=\s)", re.IGNORECASE
)
MAX_DIGITS, MANY = 6, 1000
# What stands between parts of a line, each with its example
JOINTS = (
    ("4 pirates, 1 captain; 2 guards: rifles", r"[(),;]|(?<!side)(?<!hp):(?=\s|$)"),
    ("4 pirates. 2 guards", r"\.(?=\s|$)"),
    (
        "Captain Vox and her 4 pirates",
        r"\sand (?:her|his|its|their)(?=\s(?:\d|(?:two|three|four|five|six)\s))",
    ),
    ("4 pirates and 2 guards", r"\s(?:and|&|plus)(?=\s)(?!(?<=between \d and)\s\d)"),
    ("4 thugs + boss, knife+mesh", r"\s\+(?=\s)|(?<=[^\W\d])\+(?=[^\W\d])"),
    ("Jorn Blick - bounty hunter", r"\s[-–—](?=\s)(?!(?<=\d\s[-–—])\s\d)"),
    ("4 pirates led by a captain", r"\s(?:led|commanded|headed|captained) by(?=\s)"),
    ("4 pirates under Captain Vox", r"\sunder(?=\s(?-i:[A-Z]))"),
    ("Captain Vox leads 4 pirates", r"\s(?:leads|leading|commands|commanding)(?=\s)"),
    ("4 thugs vs 2 marines", r"\s(?:vs\.?|versus)(?=\s)(?!\s(?:the )?(?:players?|party|pcs?|heroes)\b)"),
    ("4 pirates along with 2 guards", r"\s(?:as well as|(?:together|along) with)(?=\s)"),
    ("a captain backed by 2 guards", r"\s(?:accompanied|backed|escorted|guarded|followed) by(?=\s)"),
)
JOINT = re.compile("|".join(pattern for _, pattern in JOINTS), re.IGNORECASE)
ENDS = (";", ".")  # joints that end the list of someone's items
BOTH = (
    "and",
    "&",
    "+",
    "plus",
    "and her",
    "and his",
    "and its",
    "and their",
)  # of what belongs together
ROLES = (",", "-", "–", "—", ":", "(")  # joints between a name and who that is
LEADS = ("led by", "commanded by", "headed by", "captained by", "under")  # joints before the one who leads
LED = ("leads", "leading", "commands", "commanding")  # joints before those who are led
AGAINST = ("vs", "vs.", "versus")  # joints before those of another side
# What stands before things that people have, each with its example
HAVING = (
    ("4 thugs with clubs", r"with|w/(?!o\b)"),
    ("4 thugs armed with clubs", r"(?:armed|equipped|dressed) (?:with|in)"),
    ("4 thugs carrying clubs", r"carrying|wearing|wielding|holding|using|armed:"),
    (
        "4 thugs who have clubs",
        r"(?:(?:who|that|which|they) )?(?:has|have|carry|carries|wears?|wields?|uses?)",
    ),
)
WITH = re.compile(
    r"\s(?:(?:(each|all|both)(?: of them)?)\s+)?"
    rf"(?:(?:{'|'.join(pattern for _, pattern in HAVING)})(?=\s)|w/(?=\w)(?!o\b))"
    r"(?:\s+(?:an?|the|their)(?=\s))?",
    re.IGNORECASE,
)
# What stands before the stat block that someone has
AS = re.compile(
    r"(?:^|\s)(?:(?:(?:use|treat(?:ed)?|stat(?:s|ted)?|counts?|play(?:s|ed)?|run)\s)?as|=)\s"
    r"|^\s*use(?: the)?\s",
    re.IGNORECASE,
)
CALLED = re.compile(r"\s(?:called|named)\s", re.IGNORECASE)


@dataclass(frozen=True)
class Piece:
    """A part of a text from `start` on, and the joint before it: "" for the first of a line."""

    start: int
    text: str
    joint: str = ""

    @property
    def end(self) -> int:
        """The place after it."""
        return self.start + len(self.text)

    @property
    def span(self) -> tuple[int, int]:
        """Its place in the text, without the spaces around it."""
        lead = len(self.text) - len(self.text.lstrip())
        return self.start + lead, self.start + len(self.text.rstrip())

    @property
    def words(self) -> str:
        """Its words, with single spaces."""
        return " ".join(self.text.split())

    def cut(self, begin: int, end: int | None = None) -> Piece:
        """A part of it."""
        return replace(self, start=self.start + begin, text=self.text[begin:end])

    def blank(self, begin: int, end: int) -> Piece:
        """The piece with spaces in place of a part."""
        return replace(self, text=self.text[:begin] + " " * (end - begin) + self.text[end:])


@dataclass(frozen=True)
class Counted:
    """A piece without its number: the number, None if it has none, and its place."""

    piece: Piece
    count: int | None = None
    span: tuple[int, int] = (0, 0)
    is_word: bool = False  # a number in words, or an article

    @property
    def is_article(self) -> bool:
        """Whether its number is only an article, as before any noun."""
        return self.is_word and self.count == 1


def split_cells(line: Piece) -> list[Piece]:
    """The cells of a row of a table that are filled; none if it is no row."""
    mark = "|" if line.text.count("|") >= 2 else "\t"
    if line.text.strip().count(mark) < 2:
        return []
    bounds = [-1, *(found.start() for found in re.finditer(re.escape(mark), line.text)), len(line.text)]
    cells = [line.cut(begin + 1, end) for begin, end in pairwise(bounds)]
    return [cell for cell in cells if cell.text.strip()]


def find_lines(text: str) -> Iterator[Piece]:
    """The lines without bullets, empty ones too."""
    start = 0
    for line in text.splitlines(keepends=True):
        bullet = BULLET.match(line)
        lead = bullet.end() if bullet else 0
        yield Piece(start + lead, line[lead:].rstrip("\r\n"))
        start += len(line)


def split(line: Piece) -> Iterator[Piece]:
    """The parts of a line between its joints, not inside brackets; each knows the joint before it."""
    depth, begin, joint = 0, 0, ""
    for found in JOINT.finditer(line.text):
        mark = " ".join(found[0].split()).casefold()
        if mark in ("(", ")"):
            depth = max(0, depth + (1 if mark == "(" else -1))
        elif not depth and not (mark == "." and _is_title(line.text[: found.start()])):
            piece = replace(line.cut(begin, found.start()), joint=joint)
            yield piece
            both = joint == "," and not piece.text.strip() and mark in BOTH  # “, and”
            begin, joint = found.end(), mark if piece.text.strip() or both or not joint else joint
    yield replace(line.cut(begin), joint=joint)


def split_clauses(line: Piece) -> Iterator[Piece]:
    """The parts of a line between semicolons, not inside brackets: each may have a label."""
    depth, begin, joint = 0, 0, ""
    for found in re.finditer(r"[();]|\.(?=\s+[^\W\d][^.:;(),]{1,40}:\s)", line.text):
        if found[0] in "()":
            depth = max(0, depth + (1 if found[0] == "(" else -1))
        elif not depth and not (found[0] == "." and _is_title(line.text[: found.start()])):
            yield replace(line.cut(begin, found.start()), joint=joint)
            begin, joint = found.end(), ";"
    yield replace(line.cut(begin), joint=joint)


def _is_title(text: str) -> bool:
    """Whether a text ends in a title or an initial: the full stop of “Dr. Vance” ends nothing."""
    word = re.split(r"\W", text)[-1]
    return word.casefold() in TITLES or (len(word) == 1 and word.isupper())


def count_off(piece: Piece) -> Counted:
    """A piece without the number before or after its words: "4 x", "two", "a", or "x 4" at its end."""
    found = BEFORE.match(piece.text)
    if found:
        word = (found[3] or "").casefold()
        count = COUNTS[word] if word else read_count(found[1] or found[2])
        at = found.start(found.lastindex or 0)
        span = (piece.start + at, piece.start + found.end(found.lastindex or 0))
        return Counted(piece.cut(found.end()), count, span, bool(word))
    found = AFTER.search(piece.text)
    if found:
        span = (piece.start + found.start(1), piece.start + found.end(1))
        return Counted(piece.cut(0, found.start()), read_count(found[1]), span)
    return Counted(piece)


def count_off_written(piece: Piece) -> Counted:
    """The same for someone in the format of a game: a number with many digits is a profile."""
    counted = count_off(piece)
    return Counted(piece) if (counted.count or 0) >= MANY else counted


def read_count(digits: str) -> int:
    """A number; one with very many digits is cut to a number that is still too large."""
    return int(digits[:MAX_DIGITS])


# The wordings of notes, in tables: each row has an example, how it is written, and what it means. A new
# wording is a new row. Words of one game are in its own data, never here.


PARTY = r"(?:players?|party|pcs?|hero(?:es)?|player characters)"
OWN, FOE, NOBODY, NEW = "ally", "enemy", "neutral", "new"  # what a side is, for the glossary to name


def _list(words: str) -> frozenset[str]:
    """A list of words."""
    return frozenset(words.split())


@dataclass(frozen=True)
class Wording:
    """A way to say something: an example, its pattern, and what it means."""

    example: str
    pattern: str
    means: str = ""


# Whose side they are on
SIDES = (
    Wording("1 medic for the players", rf"(?:for|with) (?:the )?{PARTY}", OWN),
    Wording("on the players' side", rf"(?:on )?(?:the )?{PARTY}['’]?s?['’]? side", OWN),
    Wording("3 marines on our side", r"(?:on )?our side|with us|on the side of the players", OWN),
    Wording(
        "2 marines helping the party",
        rf"(?:who )?(?:help|aid|protect|support)(?:ing|s)? (?:the )?{PARTY}",
        OWN,
    ),
    Wording(
        "friendly to the party",
        rf"(?:friendly|friends?|allied|loyal|allies) (?:to|of|with) (?:the )?{PARTY}",
        OWN,
    ),
    Wording("2 marines as allies", r"(?:as|are|is|=) (?:allies|friendly|friendlies|an ally)", OWN),
    Wording(
        "2 guards, against the players", rf"(?:against|vs\.?|versus|attack(?:s|ing)?) (?:the )?{PARTY}", FOE
    ),
    Wording("2 guards, hostile to the players", rf"hostile to (?:the )?{PARTY}", FOE),
    Wording("2 marines are neutral", r"(?:as|are|is|=) (?:neutral|neutrals)", NOBODY),
    Wording("on their side", r"(?:on )?(?:their|the (?:enemy|enemies|enemies'|enemy's)) side", FOE),
    Wording("on nobody's side", r"(?:on )?(?:nobody['’]s|no one['’]s|neither|no) side", NOBODY),
    Wording("not involved", r"(?:not involved|uninvolved)", NOBODY),
)
# A side of its own name; only with the whole of some words, since “the port side” is a place
NEW_SIDES = (
    Wording(
        "side Red Guild",
        r"(?:on )?(?:a |the )?(?:new |third |own )?side:? (?:of )?(?:the )?(?P<name>.+)",
        NEW,
    ),
    Wording("on their own side", r"(?:on )?their own side|(?:a )?third party", NEW),
    Wording("third side", r"(?:on )?(?:(?:a|the|their own) )?third side", NEW),
)
# A word for a side in front of people or of a remark
ADJECTIVES = {
    "allied": OWN,
    "friendly": OWN,
    "hostile": FOE,
    "enemy": FOE,
    "neutral": NOBODY,
}
# When they come, if not from the start
COMES = r"(?:(?:(?:show|turn)s? up|arriv(?:es?|ing)|com(?:es?|ing)|join(?:s|ing)?) )?"
ARRIVALS = (
    Wording(
        "Cops show up round 4", rf"{COMES}(?:(?:in|on|from|at) )?(?:the )?(?:round|turn) (\d{{1,2}})", "in"
    ),
    Wording("Backup after round 2", rf"{COMES}(?:after|at the end of) (?:round|turn) (\d{{1,2}})", "after"),
    Wording("3 rounds later", rf"{COMES}(\d{{1,2}}|{WORDS}) (?:rounds?|turns?) later", "after"),
    Wording(
        "3rd round", rf"{COMES}(?:(?:in|on|from) )?(?:the )?(\d{{1,2}})(?:st|nd|rd|th) (?:round|turn)", "in"
    ),
    Wording("Backup after 2 rounds", rf"{COMES}(?:after|in) (\d{{1,2}}|{WORDS}) (?:rounds?|turns?)", "after"),
)
LATER = re.compile(
    r"(?:the )?(?:backup|reinforcements?|(?:second|third|2nd|3rd) wave|wave (?:[2-9]|two|three))",
    re.IGNORECASE,
)
# What they do not have: the kinds of things that are taken away
ABSENT = (
    Wording("unarmed", r"unarmed|bare[- ]?handed|(?:no|without|w/o) (?:any )?weapons?", "weapon"),
    Wording("no armour", r"unarmou?red|(?:no|without|w/o) (?:any )?armou?r", "armor"),
)
# What a sheet has no place for; it is said, and left out
TOLD = (
    Wording("26 years old", r"(?:aged? )?\d{1,3}[- ]years?[- ]old"),
    Wording("aged 26", r"aged?:? \d{1,3}"),
    Wording("human male", r"(?:human )?(?:fe)?male(?: human)?"),
    Wording("2 cops show up", r"(?:show(?:s|ing)? up|arriv(?:es?|ing)|appear(?:s|ing)?)(?=\s*$)"),
    Wording("3 terms", r"\d{1,2} terms?"),
    Wording("2 guards, asleep", r"(?:asleep|sleeping|wounded|prone|drawn)(?=\s*(?:$|\)))"),
)
# Inside what they begin; whether anyone can be inside it is asked of the game
RIDE, DRIVE = "ride", "drive"
INSIDE = (
    Wording(
        "a driver driving the black car",
        r"(?:(?:who|that) )?(?:(?:is|are) )?(?:driv(?:es?|ing)|(?:at|behind) the (?:wheel|controls) of)",
        DRIVE,
    ),
    Wording(
        "2 thugs in a ground car",
        r"(?:(?:who|that) )?(?:(?:is|are) )?(?:(?:sit|sitting|ride|riding) )?(?:in|inside|aboard|on board)",
        RIDE,
    ),
)
# How many there are for each who plays
EACH = re.compile(rf"\b(?:per|for (?:each|every)|each) {PARTY}", re.IGNORECASE)
# What people do at a place: “2 guards standing in the hall”, “2 guards patrol the hall”
STAYS = (
    r"(?:(?:who|that|which) )?(?:(?:is|are) )?"
    r"(?:stand|wait|lurk|sit|hang|rest|crouch|post|station|camp|gather|drink|stay)(?:s|ing|ed)?"
)
HOLDS = r"(?:patrol(?:s|ling)?|watch(?:es)?|holds?|(?:guard|watch|hold|defend)ing)"
# A part of those before it: “4 thugs, two with shotguns”
PARTLY = re.compile(
    rf"\s*(half|some|most|(?:all )?but (?:\d+|{WORDS})|(?:the )?(?:rest|others?)|\d{{1,2}}|{WORDS})"
    r"(?: of (?:them|these|whom))?"
    r"(?=\s+(?:(?:is|are|has|have|carry|carries|with|armed|carrying|unarmed|hidden|the)\b|w/))",
    re.IGNORECASE,
)
# All of those before it: “4 thugs and 2 pirates, all with rifles”
WHOLLY = re.compile(
    r"\s*(?:all|each|both|everyone|everybody|they)(?: of them)?(?: (?:is|are))?(?=\s)(?! but\b)",
    re.IGNORECASE,
)
# Behind what each of them has: “2 grenades each”
APIECE = re.compile(r"\s(?:each|apiece)\s*$", re.IGNORECASE)
# Places of no zone in one word
AROUND = re.compile(
    r"\s(?:overhead|above|below|outside|inside|nearby|upstairs|downstairs|behind|in the (?:back|rear))\s*$",
    re.IGNORECASE,
)
# What a line may begin with before it names someone
LINKS = re.compile(
    r"\s*(?:(?:then|also|finally|plus|next|and|there (?:is|are)|is|are|we have)\s+(?=\S)"
    r"|(?:(?:an?|the|her|his|their) )?"
    r"(?:squad|pack|group|gang|team|band|crew|patrol|bunch|fireteam|unit|swarm) of\s+"
    rf"(?=(?:\d+|{WORDS})\s))",
    re.IGNORECASE,
)
# What names several people or a place as a heading, so that “Bank job: a robber” is nobody called Bank job
GATHERINGS = _list(
    """
    job team crew squad patrol group gang party fight scene encounter ambush wave backup boarders guards
    security staff watch posse unit fireteam detail room hall dock deck bay bar bridge gate door roof
    entrance lobby corridor street alley yard office bank ship camp base others rest people npcs foes side
    """
)
LEADERS = _list("boss leader chief captain commander")
# The one of whom the forecast tells the end, as a remark: “Oda Brenn (boss)”
BOSS = re.compile(
    r"(?:(?:the|their|its|a) )?(?:(?:gang|final|big|main) )?"
    r"(?:boss|leader|ringleader|chief|villain|bbeg|commander|in charge)",
    re.IGNORECASE,
)
# Labels of lines that only the GM reads
REMARKS = _list(
    "note notes treasure loot map tactics description motivation goal history background music reward dc"
)
# Labels of lines about those of the line before
OF_THEM = {
    **dict.fromkeys(
        ("weapons", "weapon", "armor", "armour", "gear", "equipment", "items", "arms", "carries"), "items"
    ),
    **dict.fromkeys(("quantity", "number", "count", "qty"), "number"),
    **dict.fromkeys(("block", "stat block", "type", "role", "stats"), "role"),
    **dict.fromkeys(("hp", "side", "zone", "place", "where"), "detail"),
}
# Words that no name before a stat block has: a sentence has them
STOPS = _list(
    """
    and or of with from by at in on to who which that is are was were be has have come comes arrive arrives
    show shows appear appears wait waits after before until unless if when while per each round rounds turn
    turns not no they them there he she it their his her some several many few more most all both plus + &
    """
)
# The head of a table without a line below it
HEADS = _list(
    """
    name who npc upp profile stats skills skill gear equipment weapons weapon armor armour number count no
    with where side notes zone place role block # qty how many possessions characteristics
    """
)
TITLES_OF = {
    "sgt": "sergeant",
    "lt": "lieutenant",
    "capt": "captain",
    "cpt": "captain",
    "cmdr": "commander",
    "dr": "doctor",
}


def _compile(rows: tuple[Wording, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(rf"(?<![\w'’-])(?:{row.pattern})(?![\w-])", re.IGNORECASE), row.means) for row in rows
    )


SAID_SIDES, SAID_NEW = _compile(SIDES), _compile(NEW_SIDES)
SAID_INSIDE = tuple(
    (re.compile(rf"(?<!\S)(?:{row.pattern})\s+(an?|the|their|his|her)\s+(.+)", re.IGNORECASE), row.means)
    for row in INSIDE
)
SAID_ARRIVALS, SAID_ABSENT, SAID_TOLD = _compile(ARRIVALS), _compile(ABSENT), _compile(TOLD)


def find_all(
    piece: Piece, table: tuple[tuple[re.Pattern[str], str], ...]
) -> Iterator[tuple[re.Match[str], str]]:
    """The first place of each wording of a table in a piece, and what it means."""
    for pattern, means in table:
        if found := pattern.search(piece.text):
            yield found, means


def read_round(found: re.Match[str], means: str) -> int:
    """The round in which they come: “after 2 rounds” is in the third."""
    said = found[1].casefold()
    number = int(said) if said.isdecimal() else COUNTS[said]
    return number + (means == "after")


NUMERAL = re.compile(r"#?\d+(?:[-–]\d+)?")


def is_plain_name(words: list[str]) -> bool:
    """Whether words can stand before a stat block as a name: few, and no number or joint among them."""
    said = [one.casefold() for one in words]
    return len(said) <= 4 and not any(NUMERAL.fullmatch(one) or one in COUNTS or one in STOPS for one in said)
