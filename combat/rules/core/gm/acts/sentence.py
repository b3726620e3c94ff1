"""The words of an act in tokens: what is a name is one token, with whom or what it names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from ...basics.checking import plain_quotes
from ...basics.folding import fold_letters
from .lexicon import (
    WORDS_KEPT,
    find_stems,
    load_all_things,
    load_compounds,
    load_short,
    load_things,
    load_words,
    says,
)
from .scenery import DOORWAY, FOE, FRIEND, OWN, PASSED, THEIRS, US, ZONE, Scenery
from .typos import is_english, repair

SIGN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[.,;:!?()–—…]|-(?=\s)")
SPEECH = re.compile(r"\"[^\"]+\"|(?<!\w)'[^']{2,}'(?!\w)")
LONGEST = 7  # words of a name or of a compound
A_NEW_ONE = frozenset(("a", "an", "some", "another", "any", "no"))
SEVERAL = frozenset(("both", "two", "three", "all", "these", "those", "four"))
PEOPLE = (FOE, FRIEND)
ALL = frozenset(("everyone", "everybody"))
OWNERS = frozenset(("his", "their"))
ANY = "any"  # the class of whatever can be thrown
NO_THING = ("between", "toward", "aside", "figures", "helpers", "me")
HANDLED = ("thing", "cloth", "stuff", "weapon")  # the classes that "it" can stand for


class Token(msgspec.Struct, frozen=True):
    """A word, a mark or a name of the words, from `start` to `end`; `text` is folded, without the possessive.

    A name has the `slot` it fills and the `ids` that it means: several if it is a `group`, or if it is
    `unclear` who of them is meant.
    """

    text: str
    start: int = 0
    end: int = 0
    stems: tuple[str, ...] = ()
    slot: str = ""
    ids: tuple[str, ...] = ()
    group: bool = False
    unclear: bool = False
    owner: bool = False

    @property
    def is_mark(self) -> bool:
        """Whether it is a punctuation mark."""
        return not self.stems and not self.slot

    def is_of(self, kind: str) -> bool:
        """Whether it fills a slot or is a word of a class of things."""
        if self.slot == kind or (kind == "person" and self.slot in PEOPLE):
            return True
        if kind == ANY:
            return not self.slot and bool(self.stems) and not any(says(one, self.stems) for one in NO_THING)
        words = load_things().get(kind)
        if words is None or self.slot in (FOE, FRIEND, US):
            return False
        return not words.isdisjoint(self.stems)


def read_tokens(
    words: str, scenery: Scenery, known: Collection[str], verbs: Collection[str]
) -> tuple[Token, ...]:
    """The tokens of words. `known` are words of frames, for which slips are mended, `verbs` their verbs."""
    folded = _fold(words)
    names = _Names(scenery, verbs)
    known = {*known, *names.words, *load_all_things()}
    tokens, at = list[Token](), 0
    for speech in SPEECH.finditer(folded):
        tokens += _split(folded, at, speech.start(), known, verbs)
        tokens.append(Token("", speech.start(), speech.end(), slot="speech"))
        at = speech.end()
    tokens += _split(folded, at, len(folded), known, verbs)
    return tuple(_resolve(list(names.find(tokens)), scenery))


def _fold(words: str) -> str:
    """The words in small plain letters, each in its old place."""
    plain = plain_quotes(fold_letters(words))
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in plain)


def _split(
    folded: str, start: int, end: int, known: Collection[str], verbs: Collection[str]
) -> Iterator[Token]:
    for match in SIGN.finditer(folded, start, end):
        text, owner = match[0], False
        if not text[0].isalnum():
            yield Token(text, match.start(), match.end())
            continue
        if text.endswith("'s") and text[:-2] not in load_words("sentence")["someone"]:
            text, owner = text[:-2], True
        text = repair(load_short().get(text, text), known, verbs)
        yield Token(text, match.start(), match.end(), find_stems(text), owner=owner)


class _Names:
    """The names of a table by how they can be said: whole, by their last word, or by a proper word."""

    def __init__(self, scenery: Scenery, verbs: Collection[str]) -> None:
        self.scenery, self.verbs = scenery, verbs
        self.by_words: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for one, name in scenery.people.items():
            self._add(scenery.find_part(one), one, name, is_person=True)
        places = ((ZONE, scenery.zones), (DOORWAY, scenery.doors))
        for slot, names in (*places, (THEIRS, scenery.theirs), (OWN, scenery.own)):
            for one, name in names.items():
                self._add(slot, one, name)
        self.words = {word for words in self.by_words for word in words if len(word) > 3}

    def _add(self, slot: str, one: str, name: str, *, is_person: bool = False) -> None:
        for way in _list_ways(name, is_person):
            self.by_words.setdefault(way, []).append((slot, one))

    def find(self, tokens: list[Token]) -> Iterator[Token]:
        """The tokens with each name as one, the longest first."""
        at = 0
        while at < len(tokens):
            for size in range(min(LONGEST, len(tokens) - at), 0, -1):
                part = tokens[at : at + size]
                found = self._name(part, tokens[:at]) if all(one.stems for one in part) else None
                if found:
                    yield found
                    at += size
                    break
            else:
                yield tokens[at]
                at += 1

    def _name(self, part: list[Token], before: list[Token]) -> Token | None:
        """The token of what these words name together; None if they name nothing."""
        texts = tuple(one.text for one in part)
        whole = Token(
            "-".join(texts), part[0].start, part[-1].end, find_stems(part[-1].text), owner=part[-1].owner
        )
        owned = any(one.owner for one in part[:-1])  # "the sniper's rifle" is no sniper rifle
        if not owned and (compound := load_compounds().get(texts)):
            return self._group(replace(whole, text=compound, stems=find_stems(compound)))
        meant, is_many = self._look_up(texts)
        if not meant or (before and before[-1].text in A_NEW_ONE and meant[0][0] in PEOPLE):
            return None
        people = [pair for pair in meant if pair[0] in PEOPLE]
        if people and _is_of_them(before):
            return None
        if people:
            return self._person(whole, people, before, is_many=is_many)
        places = [pair for pair in meant if pair[0] in (ZONE, DOORWAY)]
        if places:
            return self._place(whole, places, before)
        is_said = bool(before) and (before[-1].owner or says("between", (before[-1].text,)))
        if not is_said and whole.text in self.verbs:
            return None  # a verb that is also the name of a thing
        is_mine = any(one.text == "my" for one in before[-2:])  # "my last grenade"
        goods = [pair for pair in meant if pair[0] == (OWN if is_mine else THEIRS)] or meant
        return replace(whole, slot=goods[0][0], ids=tuple(one for _, one in goods))

    def _look_up(self, texts: tuple[str, ...]) -> tuple[list[tuple[str, str]], bool]:
        """What words name, and whether they say that it is several."""
        if meant := self.by_words.get(texts):
            return meant, False
        *first, last = texts
        for stem in find_stems(last)[1:]:
            if last.startswith(stem) and last[len(stem) :] in ("s", "es"):
                if meant := self.by_words.get((*first, stem)):
                    return meant, not last[len(stem) - 1 : len(stem)].isdigit()
        return [], False

    def _person(
        self, whole: Token, people: list[tuple[str, str]], before: list[Token], *, is_many: bool
    ) -> Token:
        ids = tuple(dict.fromkeys(one for _, one in people))
        slot = FRIEND if all(slot == FRIEND for slot, _ in people) else FOE
        if len(ids) == 1:
            return replace(whole, slot=slot, ids=ids)
        is_many |= bool(before) and before[-1].text in SEVERAL
        return replace(whole, slot=slot, ids=ids, group=is_many, unclear=not is_many)

    def _place(self, whole: Token, places: list[tuple[str, str]], before: list[Token]) -> Token | None:
        """A zone is one only behind a word that leads there: nobody leaps to the bar who leaps over it."""
        ids = tuple(dict.fromkeys(one for _, one in places))
        skipped = load_words("sentence")["between"]
        is_said = bool(before) and (before[-1].text in skipped or whole.text not in self.verbs)
        if places[0][0] == DOORWAY:
            if before and not is_said:
                return None  # "I lock my arms" is no air lock
            return replace(whole, slot=DOORWAY, ids=ids, unclear=len(ids) > 1)
        if whole.owner and (doors := self._find_doors(whole.text)):
            return replace(whole, slot=DOORWAY, ids=doors, unclear=len(doors) > 1)
        lead = next((one.text for one in reversed(before) if one.text not in skipped), "")
        if lead not in load_words("sentence")["toward"] or not is_said:
            return replace(whole, slot=PASSED) if "-" in whole.text else None
        return replace(whole, slot=ZONE, ids=ids, unclear=len(ids) > 1)

    def _find_doors(self, word: str) -> tuple[str, ...]:
        """The doors whose name begins with a word: the vault's door."""
        doors = self.scenery.doors.items()
        return tuple(one for one, name in doors if _fold(name).startswith(f"{word} "))

    def _group(self, whole: Token) -> Token:
        """A compound, or all foes or friends if it means them."""
        words = load_words("sentence")
        if whole.text in words["groups"] and self.scenery.foes:
            return replace(whole, slot=FOE, ids=self.scenery.foes, group=True)
        friends = tuple(one for one in self.scenery.people if one in self.scenery.friends)
        if whole.text in words["ours"] and friends:
            return replace(whole, slot=FRIEND, ids=friends, group=True)
        return whole


@lru_cache(WORDS_KEPT)
def _list_ways(name: str, is_person: bool) -> tuple[tuple[str, ...], ...]:
    """All ways to say a name, each in its words."""
    words = tuple(word for word in SIGN.findall(_fold(name)) if word[0].isalnum())
    return tuple(dict.fromkeys(way for way in (words, *_list_short(words, is_person=is_person)) if way))


def _list_short(words: tuple[str, ...], *, is_person: bool) -> Iterator[tuple[str, ...]]:
    """Shorter ways to say a name: its last word and number; for people titles, and what is no English."""
    plain = [word for word in words if not word.isdigit() and len(word) > 1]
    if not plain:
        return
    if words[-1].isdigit():
        yield (f"{words[-2]}{words[-1]}",)
        yield (words[-2], words[-1])
    yield (plain[-1],)
    if is_person:
        yield from ((word,) for word in plain if not is_english(word))
        if plain[0] in load_words("sentence")["titles"]:
            yield (plain[0],)
            yield (plain[0], plain[-1])


def _is_of_them(before: list[Token]) -> bool:
    """Whether who acts claims to be one of those who are named: "I'm one of the robbers"."""
    texts = [one.text for one in before[-4:]]
    return "one" in texts and not {"i'm", "am", "be", "as", "like", "im"}.isdisjoint(texts)


def _resolve(tokens: list[Token], scenery: Scenery) -> Iterator[Token]:
    """The tokens with each "him" as who was named before it, or as somebody unclear; "it" is a thing."""
    last: Token | None = None
    thing: Token | None = None
    named = any(one.slot in PEOPLE for one in tokens)
    for at, token in enumerate(tokens):
        if token.slot == DOORWAY and _is_of_door(tokens, at):
            yield replace(token, slot="", ids=(), unclear=False)
            continue
        if token.slot in PEOPLE:
            last = token
        elif token.text == "it" and thing:
            yield replace(token, stems=("it", *thing.stems), slot=thing.slot, ids=thing.ids)
            continue
        elif any(token.is_of(kind) for kind in HANDLED) and not (thing and _is_aside(tokens, at)):
            thing = token
        if token.text in ALL and not named and scenery.foes:
            yield replace(token, slot=FOE, ids=scenery.foes, group=True)
            continue
        who = last or (None if named else _find_anyone(scenery))
        if who and at > 0 and not token.slot and token.text in load_words("sentence")["he"]:
            is_owner = token.text in OWNERS
            yield replace(
                token, slot=who.slot, ids=who.ids, group=who.group, unclear=who.unclear, owner=is_owner
            )
            continue
        yield token


def _is_of_door(tokens: list[Token], at: int) -> bool:
    """Whether what is called like a door is a part of another: "the lock of the ring door"."""
    behind = [one for one in tokens[at + 1 :] if not says("between", (one.text,)) or one.slot]
    return [one.text for one in behind[:1]] in (["of"], ["on"]) and [one.slot for one in behind[1:2]] == [
        DOORWAY
    ]


def _is_aside(tokens: list[Token], at: int) -> bool:
    """Whether a thing only says where: the wall of "off the wall"."""
    lead = next((one.text for one in reversed(tokens[:at]) if not says("between", (one.text,))), "")
    return says("aside", (lead,)) or says("toward", (lead,))


def _find_anyone(scenery: Scenery) -> Token | None:
    """Whom "him" means where nobody is named: the only foe, or one of all foes."""
    foes = scenery.foes
    return Token("", slot=FOE, ids=foes, unclear=len(foes) > 1) if foes else None
