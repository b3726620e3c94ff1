"""Any import: its kind, its characters and what is wrong, before anything is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from msgspec import structs, to_builtins

from combat.rules.core.basics.checking import Problem, join
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.foreign import Foreign, Question, Reader, is_json
from cosmos_site.base.pictures import EXPORTED_PORTRAIT, remake

from ..games import check_sheet, find_games, find_problems, plan_of
from ..models import Character
from ..services.character_service import MAX_NOTES, Wanted, count_room, create_all, replace_with
from . import documents, roster
from .blocks import HEALTH, is_block, read_block, tell
from .documents import join_notes, split_notes
from .reading import ValidationFailed, check_count, list_questions, read_text, read_values, refuse_controls
from .roster import is_roster, read_roster
from .unreadable import say_what_text, say_what_values
from .words_in import ReadSheet

DOCUMENT = "A document of this site"
MAX_THINGS_AT_ONCE = 2000
MAX_LINES = 5_000  # of a pasted text: fifty people have a tenth of that


@dataclass(frozen=True)
class Entry:
    """A character that would be made: `problems` say why it cannot be, `questions` what to ask here."""

    system: str
    game: str
    found: Foreign
    summary: str = ""
    problems: tuple[Problem, ...] = ()
    told: tuple[tuple[str, Any], ...] = ()
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True)
class Preview:
    """The contents of a file before anything is stored; `whole` if nothing in it can get lost.

    `is_partial`: sound entries are made although others are faulty; files of other programs are hard to mend.
    """

    kind: str
    entries: tuple[Entry, ...]
    stays: str = ""
    whole: bool = False
    is_partial: bool = False
    wanted: list[Wanted] = field(default_factory=list)

    @property
    def sound(self) -> tuple[Entry, ...]:
        """The characters that would be made."""
        return tuple(entry for entry in self.entries if not entry.problems)

    @property
    def faulty(self) -> tuple[Entry, ...]:
        """The characters that cannot be made."""
        return tuple(entry for entry in self.entries if entry.problems)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong, in the order of the file, if it keeps the whole file out."""
        if self.is_partial and self.sound:
            return ()
        return tuple(problem for entry in self.entries for problem in entry.problems)

    @property
    def remarks(self) -> int:
        """How many values found no place or were put elsewhere."""
        return sum(len(entry.found.remarks) for entry in self.sound)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that the file leaves open, each question once."""
        return tuple(question for entry in self.sound for question in entry.questions)


def find_readers() -> list[tuple[System, Reader]]:
    """Each game's readers of other programs' files; if two read the same format, the first."""
    found: dict[str, tuple[System, Reader]] = {}
    for system in find_games():
        for reader in system.book.imports.readers:
            found.setdefault(reader.key, (system, reader))
    return list(found.values())


def preview(text: str, usual: str, answers: Mapping[str, str]) -> Preview:
    """The characters a text would make; `usual` is the game of a text that names none.

    `answers` hold the answer to each open question by its key. Raises ValidationFailed for a text that no
    game can read.
    """
    if is_json(text) and not is_block(text):
        return _preview_values(text, usual, answers)
    if is_roster(text):
        return _of_words("A roster (CSV)", read_roster(text, usual, answers))
    if is_block(text):
        return _of_words("A text block", [read_block(text, usual, answers)])
    refuse_controls(text)
    if (count := len(text.splitlines())) > MAX_LINES:
        raise ValidationFailed(Problem("", f"has {count:,} lines; at most {MAX_LINES:,} are read at once"))
    for system, reader in _readers_for(usual):
        if reader.plain and reader.recognizes(text):
            return _of_reader(system, reader, text, answers)
    raise ValidationFailed(Problem("", say_what_text(text, usual)))


def _readers_for(usual: str) -> list[tuple[System, Reader]]:
    """The readers of the chosen game, then those of the others."""
    games = sorted(find_games(), key=lambda system: system.slug != usual)
    return [(system, reader) for system in games for reader in system.book.imports.readers]


def _preview_values(text: str, usual: str, answers: Mapping[str, str]) -> Preview:
    data = read_values(text)
    if not (isinstance(data, dict) and data.get("format") == documents.FORMAT):
        for system, reader in _readers_for(usual):
            if not reader.plain and reader.recognizes(data):
                return _of_reader(system, reader, data, answers)
        if said := say_what_values(data, usual):
            raise ValidationFailed(Problem("", said))
    exported = documents.read_document(text.encode("utf-8", "surrogatepass"))
    return Preview(
        DOCUMENT, (), whole=True, wanted=[_want(number, one) for number, one in enumerate(exported)]
    )


def _want(number: int, one: documents.Exported) -> Wanted:
    """A character of a document; raises ValidationFailed for a portrait that is no picture."""
    picture = None
    if one.portrait:
        try:
            made = remake(one.portrait, EXPORTED_PORTRAIT)
        except Refused as refused:
            raise ValidationFailed(Problem(f"characters[{number}].portrait", refused.message)) from None
        picture = made.digest, made.image
    return Wanted(
        one.system,
        one.name,
        one.sheet,
        one.notes,
        face=one.face,
        portrait=picture,
        story=to_builtins(one.story),
        tags=",".join(one.tags),
    )


def _of_reader(system: System, reader: Reader, data: Any, answers: Mapping[str, str]) -> Preview:
    found, allowance = reader.read(data, answers), Allowance()
    for one in found:
        allowance.take(one)
    check_count(list_questions(found))
    return _finish(reader.label, [_check(system, one) for one in found], reader.stays, not reader.plain)


def _of_words(kind: str, worded: Iterable[ReadSheet]) -> Preview:
    games, sheets, allowance = {system.slug: system for system in find_games()}, [], Allowance()
    for one in worded:
        allowance.take(one.found)
        sheets.append(one)
    check_count(list_questions(one.found for one in sheets))
    return _finish(kind, [_check(games[one.system], one.found) for one in sheets])


class Allowance:
    """How many items one import may still bring: checking each takes a while."""

    def __init__(self) -> None:
        self.count = 0

    def take(self, found: Foreign) -> None:
        """Count the items of a sheet; raise ValidationFailed if there are too many."""
        things = found.sheet.get("items", ())
        self.count += len(things) if isinstance(things, list | tuple) else 0
        if self.count > MAX_THINGS_AT_ONCE:
            said = f"has more than {MAX_THINGS_AT_ONCE:,} things: import fewer characters at once"
            raise ValidationFailed(Problem("", said))


def _finish(kind: str, entries: list[Entry], stays: str = "", is_partial: bool = False) -> Preview:
    """The preview of characters, with each question at the first character that asks it."""
    asked: set[str] = set()
    shown = []
    for entry in entries:
        new = tuple(question for question in entry.found.questions if question.key not in asked)
        asked.update(question.key for question in new)
        shown.append(replace(entry, questions=new))
    made = Preview(kind, tuple(shown), stays, is_partial=is_partial)
    if made.problems:
        return made
    found = [(entry.system, entry.found) for entry in made.sound]
    return replace(made, wanted=[_want_found(slug, one) for slug, one in found])


def _want_found(slug: str, found: Foreign) -> Wanted:
    """A character of words: sections of the notes about looks and the like become its story."""
    notes, story, tags = split_notes(found.notes)
    notes = write_notes(structs.replace(found, notes=notes))
    return Wanted(slug, found.name, found.sheet, notes, story=story, tags=tags)


def _check(system: System, found: Foreign) -> Entry:
    """A character with everything that is wrong with it."""
    who = f"“{found.name}”" if found.name else ""
    problems = tuple(Problem(p.place or who, p.message) for p in found.problems)
    if not problems:
        wrong = find_problems(system, found.sheet)
        problems = tuple(Problem(join(who, p.place), p.message) for p in wrong)
    if problems:
        return Entry(system.slug, system.name, found, problems=problems)
    full = check_sheet(system, found.sheet)
    told = tuple(_tell_stored(system, found.name, full))
    return Entry(system.slug, system.name, _with_room(found), plan_of(system).summarize(full), told=told)


def _tell_stored(system: System, name: str, sheet: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What would be stored, in words: without derived numbers, and with health only if hurt."""
    for label, value in tell(system, name, sheet, derived=False):
        if label == HEALTH and not sheet["tracks"]:
            continue
        yield label, f"{value:,}" if isinstance(value, int) else value


def _with_room(found: Foreign) -> Foreign:
    """The character with notes cut to the limit, and a remark if they were."""
    notes, story, tags = split_notes(found.notes)
    if len(notes) <= MAX_NOTES // 2:
        return found
    cut = Problem("notes", f"have more than {MAX_NOTES // 2:,} characters: the rest is left out")
    whole = join_notes(notes[: MAX_NOTES // 2], story, tags)
    return structs.replace(found, notes=whole, remarks=(cut, *found.remarks))


def write_notes(found: Foreign) -> str:
    """The notes plus what found no place, so that it can still be read on the sheet."""
    if not found.remarks:
        return found.notes
    lines, room = ["Changed or left out on import:"], MAX_NOTES - len(found.notes) - 100
    for number, remark in enumerate(found.remarks):
        room -= len(line := f"- {remark}") + 1
        if room < 0:
            lines.append(f"- and {len(found.remarks) - number} more")
            break
        lines.append(line)
    told = "\n".join(lines)
    return f"{found.notes}\n\n{told}".strip()


def find_twins(owner: User, shown: Preview, *, npc: bool) -> set[str]:
    """The names of a preview's characters that the owner already has in the same game."""
    taken = _find_mine(owner, npc)
    return {one.name for one in shown.wanted if (one.system, one.name.casefold()) in taken}


def _find_mine(owner: User, npc: bool) -> dict[tuple[str, str], int]:
    """The numbers of an owner's characters by game and folded name: of twins the one changed last."""
    rows = Character.objects.filter(owner=owner, npc=npc, deleted_at=None).order_by("changed_at", "pk")
    return {(system, name.casefold()): pk for system, name, pk in rows.values_list("system", "name", "pk")}


def store(owner: User, shown: Preview, *, npc: bool, replacing: Collection[str] = ()) -> list[Character]:
    """Make all characters of a preview or none; raises ValidationFailed.

    Those with a name of `replacing` become a change of the one the owner has already, which can be undone.
    """
    if shown.problems:
        raise ValidationFailed(*shown.problems)
    mine = _find_mine(owner, npc) if replacing else {}
    again: list[tuple[int, Wanted]] = []
    wanted: list[Wanted] = []
    for one in shown.wanted:
        twin = mine.pop((one.system, one.name.casefold()), None)
        if twin is None:
            wanted.append(replace(one, npc=npc))
        else:
            again.append((twin, one))
    free, count = count_room(owner, npc), len(wanted)
    if count > free:
        raise ValidationFailed(Problem("characters", f"has {count}; there is room for {free}"))
    try:
        with transaction.atomic():
            changed = [replace_with(pk, one, by=owner.get_username()) for pk, one in again]
            return [*changed, *create_all(owner, wanted, "Imported")]
    except Refused as refused:
        raise ValidationFailed(Problem("", refused.message)) from None


# Any number of characters as files that the import takes one by one.


def write_documents(characters: Iterable[Character]) -> list[bytes]:
    """JSON documents; a single empty one without characters."""
    return _write(documents.write_document, list(characters), documents.MAX_AT_ONCE)


def write_rosters(characters: Iterable[Character]) -> list[bytes]:
    """Rosters in CSV, marked as UTF-8 for spreadsheets; one with only its head without characters."""
    return _write(
        lambda some: roster.write_roster(some).encode("utf-8-sig"), list(characters), roster.MAX_ROWS
    )


def _write(
    write: Callable[[Sequence[Character]], bytes], characters: Sequence[Character], most: int
) -> list[bytes]:
    """Files of at most so many characters each, and of fewer where they would be too large to import."""
    if len(characters) <= most:
        raw = write(characters)
        if len(characters) < 2 or _is_importable(raw, characters):
            return [raw]
        most = (len(characters) + 1) // 2
    return [*_write(write, characters[:most], most), *_write(write, characters[most:], most)]


def _is_importable(raw: bytes, characters: Iterable[Character]) -> bool:
    """Whether a file is within the limits of the import: its size, and how many items its people have."""
    try:
        read_text(raw)
    except ValidationFailed:
        return False
    return sum(len(one.sheet.get("items", ())) for one in characters) <= MAX_THINGS_AT_ONCE
