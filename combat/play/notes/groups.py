"""The parts of a line: someone, or something that those before it carry, are, or do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from . import words as lex
from .carrying import choose_item, cut_having, read_numbered, read_of_some
from .details import Detail
from .draft import NOTE, PROSE, Draft
from .parts import Group, Mark, ParseIssue, Suggestion
from .people import cut_known, find_inside, read_more, read_open, read_people
from .pieces import AGAINST, BOTH, ENDS, LEADS, Piece, count_off
from .sides import apply, ask_place, find_place, hint_only

MAX_WITH = 12  # in one part of a line
BEHIND = re.compile(r"[(]| (?:of|next|in|on|at|by|near|beside|behind|under) ")
COMES = re.compile(lex.COMES, re.IGNORECASE)
VERB = re.compile(r"\s(?:(?:who|that|which)\s)?(?:is|are)\s*$", re.IGNORECASE)
WHEN_IF = re.compile(r"\s(?=(?:only )?(?:if|when|once|as soon as|in case)\s)")
DEAD = "The dead do not join: left out."


def read_piece(draft: Draft, piece: Piece) -> None:
    """Read one part of a line by the first of its kinds that it is."""
    if piece.joint in ENDS and not _is_only_item(draft, piece):
        draft.end_sentence()
    if piece.text.strip() and not any(read(draft, piece) for read in KINDS):
        read_rest(draft, piece)


def read_rest(draft: Draft, piece: Piece) -> None:
    """A part with details of its own, then something of those before it, or someone."""
    span = piece.span  # with what stands in brackets
    if link := lex.LINKS.match(piece.text):
        piece = piece.cut(link.end() - 1)
    piece = draft.take_told(piece)
    having = cut_having(piece)
    if (
        piece.joint
        and having is not piece
        and draft.find_who(having)
        and not draft.glossary.find_items(having.words)
    ):
        piece = having.after("with")  # “…, with 3 pirates”
    states = draft.states
    details, inside, bare = _take_details(draft, piece)
    bare = _take_place(draft, bare)
    counted = count_off(bare)
    is_more = cut_known(draft, counted)[0] is not counted  # “gunner 1”
    if bare.text.strip(" .!?*-–—").casefold() in ("", "each", "apiece"):
        _read_only_details(draft, piece, details, inside)
    elif not is_more and _read_of_group(draft, bare, details, inside):
        pass
    elif len(lex.WITH.findall(bare.text)) > MAX_WITH:
        draft.say(bare, "Too many “with” in one: write each kind of people on a line.", minor=False)
    elif not draft.is_too_much(bare):
        read_people(draft, bare, details, inside, span)
        _ask_against(draft, piece)
    draft.hint_states(states if draft.group and not draft.group.issue else ())


def _take_details(draft: Draft, piece: Piece) -> tuple[list[Detail], list[Piece], Piece]:
    """The details of a part, what else stands in its brackets, and the part without both."""
    is_first = draft.group is None
    if piece.joint in AGAINST:  # “heroes vs 3 pirates”
        draft.said = [one for one in draft.said if one.kind != "side"]
    whole = draft.details.read(piece) if not is_first or piece.joint in ("", *ENDS) else []
    if whole and piece.joint == "," and draft.leads_with and draft.leads_with == whole[0].kind:
        draft.end_sentence()  # “Dock / 3 guards, Hall / 2 guards”
        is_first, draft.said = True, []
    if whole:
        draft.said = [] if is_first and piece.joint in ENDS else draft.said  # a label begins anew
        return whole, [], piece.cut(0, 0)
    details, inside, bare = draft.details.take(piece)
    found = WHEN_IF.search(bare.text)
    behind = draft.details.read_if(bare.cut(found.end())) if found else None
    if found and behind and draft.find_who(bare.cut(0, found.start())):  # “4 marines if the alarm is raised”
        return [*details, behind], inside, bare.cut(0, found.start())
    if details and (verb := VERB.search(bare.text)):  # “Zara is with the heroes”
        bare = bare.blank(*verb.span())
    leads = [one for one in details if is_first and one.kind == "place" and one.span[0] == piece.span[0]]
    draft.said, draft.once = [*draft.said, *draft.mark(leads)], leads  # “In the hall 3 guards and a sniper”
    return [one for one in details if one not in leads], inside, bare


def _read_if(draft: Draft, piece: Piece) -> bool:
    """Whether a part before people says when they come: “If they call for help, 3 soldiers”."""
    if draft.group is not None or piece.joint:
        return False
    behind = draft.plain[piece.end :].partition("\n")[0]
    if lex.SCENE.fullmatch(piece.text) and behind.strip() and not COMES.search(behind):
        draft.marks.append(Mark(piece.span, "place"))
        return True
    if not lex.IF.match(piece.words):
        return False
    people = find_inside(draft, piece)
    found = draft.details.read_if(piece.cut(0, people.start - piece.start) if people else piece)
    if found is None:
        return False
    draft.said, draft.once = [*draft.said, found], [found]
    if people:
        read_rest(draft, people)
    return True


def _read_dead(draft: Draft, piece: Piece) -> bool:
    """Whether a part names people who are dead, or says so of those before it."""
    found = next((hit for pattern, _ in lex.SAID["dead"] if (hit := pattern.search(piece.text))), None)
    if found is None or len(piece.words.split()) > 2 * PROSE:
        return False
    counted, rest = count_off(piece), piece.blank(*found.span())
    if draft.group is not None and counted.count is None and not rest.text.strip(" ."):
        close(draft, draft.group)
        return True
    who = BEHIND.split(count_off(rest).piece.text)
    is_known = any(draft.glossary.find_who(words) for words in who)
    if counted.count is None and not is_known:
        return False
    group = draft.begin(piece.span, counted, piece.joint)
    group.name_span = piece.span
    is_named = is_known and who[0].strip()
    close(draft, group, [Suggestion("They join", piece.span, rest.words)] if is_named else ())
    return True


def _read_nobody(draft: Draft, piece: Piece) -> bool:
    """Whether a part says that nobody is there: “no guards in the Hall”. It is told, and changes nothing."""
    if not any(pattern.fullmatch(piece.words.strip(" .!")) for pattern, _ in lex.SAID["nobody"]):
        return False
    draft.leave_out(piece, "brings nobody")
    return True


def is_dead(words: str) -> bool:
    """Whether words say that people are dead, and no more."""
    return any(pattern.fullmatch(words.strip(" .")) for pattern, _ in lex.SAID["dead"])


def close(draft: Draft, group: Group, used: Sequence[Suggestion] = ()) -> None:
    """Leave out people who are dead, whatever else is said of them."""
    draft.doubt(group, DEAD, used)
    group.is_closed = True


def _take_place(draft: Draft, piece: Piece) -> Piece:
    """A piece without a place that the scene has not, and without the words that lead on to someone."""
    lead = len(piece.text) - len(piece.text.lstrip())
    place = find_place(draft, piece)
    if place and (worn := _find_worn(draft, piece.cut(*place))):  # “2 thugs in leather jackets”
        return replace(piece, text=f"{piece.text[: place[0]]}w/{piece.text[place[0] + worn :]}")
    if not place and draft.group and (found := lex.ELSEWHERE.match(f" {piece.text.lstrip()}", 1)):
        said = piece.cut(lead, lead + found.end() - 1)  # “…, under the desk”
        if not (draft.glossary.find_items(said.words) or _find_worn(draft, said)):
            place = lead, lead + found.end() - 1
    if place:
        ask_place(draft, piece.cut(*place))
        piece = piece.blank(*place)
    link = lex.LINKS.match(piece.text)  # “in the hall are 4 thugs”
    return piece.blank(0, link.end()) if link else piece


def _find_worn(draft: Draft, place: Piece) -> int:
    """How long “in” is before things to wear, in place of a place; 0 for any other words."""
    found = re.match(r"in(?=\s+(?:an?\s+)?(\S.*))", lex.WITH.split(place.text)[0], re.IGNORECASE)
    return found.end() if found and choose_item(draft, draft.group, count_off(Piece(0, found[1]))) else 0


def _ask_against(draft: Draft, piece: Piece) -> None:
    """Ask for the side of those who fight against the ones before them: “4 thugs vs 2 marines”."""
    group = draft.group
    if (
        piece.joint not in AGAINST
        or len(draft.run) < 2
        or group is None
        or group.side
        or group.issue
        or draft.run[0].side
    ):
        return
    at = (group.span[1],) * 2
    used = [Suggestion(f"{group.title}: {one}", at, f" ({one})") for one in ("allies", "third side")]
    text = f"Whose side is {group.title} on? Now all are on one side."
    draft.issues.append(ParseIssue(group.span, piece.words, text, tuple(used), True, True))


def _find_all(draft: Draft, word: str) -> list[Group]:
    """Those whom “they” or “all” means: of this sentence, else the last, or all of the line or above it."""
    said = draft.run or draft.before or (draft.groups[draft.held_from :] if draft.above else [])
    if not draft.run and "they" not in word:
        said = draft.groups[draft.line_from :] or said
    bases = [one.base or one for one in said]  # those of whom they are a part, “the rest”, too
    return [one for one in draft.groups if not one.issue and any(one is x for x in (*said, *bases))]


def _read_of_all(draft: Draft, piece: Piece) -> bool:
    """Whether a piece is of all before it, in this sentence or the last: “all with rifles”."""
    found = lex.WHOLLY.match(piece.text)
    word = found[0].casefold() if found else ""
    people = _find_all(draft, word) if found else []
    if not found or not people or draft.glossary.find_people(piece.words):
        return False
    rest = piece.cut(found.end()).after(",")
    if worn := _find_worn(draft, rest.cut(rest.span[0] - rest.start)):  # “all in kevlar vests”
        rest = rest.cut(rest.span[0] - rest.start + worn)
    rest = draft.take_told(rest)
    draft.hint_states(draft.states)
    if not rest.text.strip(" ."):  # “all asleep”
        return True
    if is_dead(rest.text):
        for one in people:
            close(draft, one)
        return True
    draft.group, draft.run = people[-1], people
    draft.sharers = people[-2:-1] if "both" in word else people[:-1]
    details, inside, bare = draft.details.take(rest)
    if whole := draft.details.read(rest):
        apply(draft, draft.group, whole)
    elif not bare.text.strip():
        _read_only_details(draft, piece, details, inside)
    elif not _read_of_group(draft, bare, details, inside):
        if len(rest.words.split()) >= PROSE:
            draft.say(piece, NOTE, minor=False)
        else:
            draft.leave_out(rest, "is not understood")
    return True


def _is_only_item(draft: Draft, piece: Piece) -> bool:
    """Whether a piece behind a semicolon is an item of those before it, and nobody: “4 thugs; blades”."""
    is_item = draft.group and choose_item(draft, draft.group, count_off(piece))
    return bool(is_item) and not draft.find_who(piece)


def _read_only_details(
    draft: Draft, piece: Piece, details: Sequence[Detail], inside: Sequence[Piece]
) -> None:
    """What says no more than details, or only something in brackets."""
    if draft.group:
        apply(draft, draft.group, details)
        if details and piece.joint == "," and details[0].kind in ("place", "side"):
            hint_only(draft, draft.group, piece, f" ({piece.words})", least=1, joints=(*BOTH, ","))
        for one in inside:
            read_more(draft, draft.group, one)
    elif not inside and _is_of_those_before(draft, piece, details):  # “2 pirates. Neutral.”
        for before in draft.before:
            apply(draft, before, details)
    elif not inside and all(one.kind in ("side", "place") for one in details):  # “In the hall, 4 thugs”
        draft.leads_with = details[0].kind if details else ""
        draft.said = [*draft.said, *details]
        draft.marks += [Mark(one.span, one.kind) for one in details]
    elif not draft.is_too_much(piece):
        draft.say(piece, NOTE, minor=False)


def _is_of_those_before(draft: Draft, piece: Piece, details: Sequence[Detail]) -> bool:
    """Whether a sentence of its own at the end of a line says whose side those before it are on."""
    is_side = bool(details) and all(one.kind == "side" for one in details)
    is_last = not draft.plain[piece.end :].partition("\n")[0].strip(" .!")
    return is_side and is_last and piece.joint in ENDS and bool(draft.before)


def _read_of_group(draft: Draft, piece: Piece, details: Sequence[Detail], inside: Sequence[Piece]) -> bool:
    """Whether a piece is something of the people before it: what they carry or are, a skill, a remark."""
    group = draft.group
    blocks = [one for one in inside if len(draft.glossary.find_people(one.words)) == 1]
    is_someone = bool(blocks) and not any(map(lex.is_leader, (piece.words, *(one.words for one in blocks))))
    if group is None or piece.joint in LEADS or is_someone:  # “Viper (martial artist), Fang (brute)”
        return False
    said = len(draft.issues)
    done = read_open(draft, group, piece)
    if done:
        is_read = (
            len(draft.issues) == said
        )  # else “her two hounds at the dock” are nobody, and nobody is there
        apply(draft, group, [one for one in details if is_read or one.kind not in ("place", "side")])
        for one in inside:
            read_more(draft, group, one)
    return done


KINDS = (_read_nobody, read_numbered, _read_of_all, read_of_some, _read_if, _read_dead)
