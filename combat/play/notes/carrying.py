"""What people carry and can do: items of the catalogue, and skills where a game gives them."""

from __future__ import annotations

import re

from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.sheets.catalogue import Entry

from .draft import PROSE, Draft
from .glossary import find_named, find_stems
from .parts import Group, Mark, Suggestion
from .pieces import BOTH, Counted, Piece, count_off
from .sides import hint_only
from .words import APIECE, AS, CALLED, WITH

SKILL = re.compile(r"\s*([^\W\d][^\d,]*?)[-–—\s]+(\d{1,2})\s*")


def read_item(draft: Draft, piece: Piece) -> bool:
    """Give the group an item; False if the piece is someone else, or nothing known."""
    if found := APIECE.search(piece.text):
        piece = piece.cut(0, found.start())
    group, counted = draft.group, count_off(piece)
    assert group is not None
    words = counted.piece.words
    item = choose_item(draft, group, counted)
    people = find_named(words.split(" with ")[0], draft.glossary.people)
    is_rather = any(one.stems == find_stems(words) for one in people)  # “1 sniper”, not a part of an item
    if item and (not is_rather or find_stems(item.name) == find_stems(words)):
        give(draft, group, item, piece)
        return True
    if people or AS.search(piece.text) or CALLED.search(piece.text) or draft.glossary.find_who(words):
        return False
    several = draft.glossary.find_items(words)
    is_other = counted.count is not None and not counted.is_word and not several
    if is_other and draft.with_items and draft.find_near(words, draft.glossary.items):
        is_other = bool(draft.find_near(words, draft.glossary.people))
    is_name = not several and not draft.with_items and (words[:1].isupper() or piece.joint in BOTH)
    if is_other or is_name or WITH.search(piece.text) or piece.joint in ("", "with"):
        return False
    if not several and not draft.with_items and (group.issue or len(words.split()) >= PROSE):
        return False
    say_no_item(draft, piece)
    return True


def give(draft: Draft, group: Group, entry: Entry, piece: Piece) -> None:
    """Give the group an item, as many as the piece says."""
    if piece.joint == "/" and group.count > 1 and any(one is group for one, _, _ in draft.given):
        _ask_which(draft, group, piece)
        return
    count = count_off(piece).count or 1
    for one in (group, *draft.sharers):
        one.things.append((entry, min(max(count, 1), MAX_COPIES)))
        draft.given.append((one, entry, piece))
    group.span = min(group.span[0], piece.span[0]), max(group.span[1], piece.span[1])
    draft.marks.append(Mark(piece.span, "item"))
    if not draft.glossary.find_items(count_off(piece).piece.words):
        draft.say(piece, f"Read as “{entry.name}”.")
    hint_only(draft, group, piece, f" with {piece.words}")


def _ask_which(draft: Draft, group: Group, piece: Piece) -> None:
    """Ask who has what of things between which a stroke stands: “2 guards: rifle / pistol”."""
    *_, (_, entry, before) = [one for one in draft.given if one[0] is group]
    head, whole = draft.head(group).piece.words, (group.span[0], piece.span[1])
    things = [count_off(one).piece.words for one in (before, piece)]
    used = [Suggestion("both each", whole, f"{group.count} {head} with {' and '.join(things)}")]
    if group.count % 2 == 0:
        half = group.count // 2
        text = ", ".join(f"{half} {head} with {thing}" for thing in things)
        used.insert(0, Suggestion(f"{half} with each", whole, text))
    draft.say(draft.piece(whole), f"Who has {entry.name}, and who the other?", used, minor=False)


def read_skill(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece is a skill with its level, such as “Slug Pistol 0”, in a game that can give it."""
    train = draft.glossary.system.book.imports.train
    found = SKILL.fullmatch(piece.text) if train and group.source else None
    if not found or not train or not group.source:
        return False
    words, level = found[1].strip().replace("/", " and "), int(found[2])
    if train(dict(group.source.sheet), words, level) is None:
        return False
    group.skills.append((words, level))
    group.span = group.span[0], max(group.span[1], piece.span[1])
    draft.marks.append(Mark(piece.span, "item"))
    return True


def choose_item(draft: Draft, group: Group | None, counted: Counted) -> Entry | None:
    """The item that words mean; of several, the one that the stat block has anyway."""
    found = draft.glossary.find_items(counted.piece.words)
    is_someone = not found and draft.glossary.repair(counted.piece.words)
    if (
        not found
        and not is_someone
        and (repaired := draft.glossary.repair(counted.piece.words, is_item=True))
    ):
        found = draft.glossary.find_items(repaired)
    if len(found) > 1 and group and group.source:
        has = {stem for word in [group.source.summary] for stem in find_stems(word)}
        own = tuple(one for one in found if has.issuperset(find_stems(one.name)))
        found = own or draft.glossary.find_items(counted.piece.words, usual=True)
    return found[0] if len(found) == 1 else None


def say_no_item(draft: Draft, piece: Piece) -> None:
    """An issue for words that are no item."""
    counted = count_off(piece)
    words = counted.piece.words
    several = draft.glossary.find_items(words)
    near = [one.name for one in several[:6]]
    if not near:
        near = [one.name for one in draft.find_near(words, draft.glossary.items)]
    used = tuple(Suggestion(name, counted.piece.span, name) for name in dict.fromkeys(near))
    text = f"“{words[:60]}” can be several items." if several else f"No item is called “{words[:60]}”."
    if draft.group:
        draft.group.span = draft.group.span[0], max(draft.group.span[1], piece.span[1])
    draft.say(piece, f"{text} Left out.", used)


def cut_with(piece: Piece) -> tuple[Piece, Piece | None]:
    """What stands before “with”, and behind it, if there is any."""
    found = WITH.search(piece.text)
    return (piece.cut(0, found.start()), piece.cut(found.end()).after(",")) if found else (piece, None)
