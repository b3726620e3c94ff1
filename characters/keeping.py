"""The one door for writing characters: every change is checked, counted and kept in the history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from combat.rules.core.checking import is_shown, tidy
from combat.rules.core.errors import Refused

from .games import check_sheet, find_game, plan_of
from .models import Character, CharacterChange, CharacterRoll, Portrait

GRACE = timedelta(days=30)
MOST_CHARACTERS = 500
MOST_CHANGES, MOST_ROLLS, MOST_PORTRAITS = 200, 200, 5
MOST_NAME, MOST_NOTES = 60, 10_000
CHANGE, UNDO, REDO = "change", "undo", "redo"
STALE = "This character was changed elsewhere: the page has been brought up to date. Look again, then act."


def find_mine(owner: User) -> QuerySet[Character]:
    """Somebody's characters that are not deleted."""
    return Character.objects.filter(owner=owner, deleted_at=None)


def find_deleted(owner: User) -> QuerySet[Character]:
    """Somebody's deleted characters that can still be restored."""
    return Character.objects.filter(owner=owner, deleted_at__gt=timezone.now() - GRACE)


def clean_name(name: str) -> str:
    """A name of 1 to 60 letters, on one line."""
    clean = " ".join(name.split())
    if not 1 <= len(tidy(clean)) <= MOST_NAME or not all(map(is_shown, clean)):
        raise Refused("bad_value", f"A name has 1 to {MOST_NAME} letters.")
    return tidy(clean)


def clean_notes(notes: str) -> str:
    """Notes with plain line ends."""
    clean = notes.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(clean) > MOST_NOTES:
        raise Refused("bad_value", f"Notes have at most {MOST_NOTES:,} letters.")
    if "\x00" in clean:
        raise Refused("bad_value", "The notes have characters that cannot be kept.")
    return clean


@dataclass(frozen=True)
class Wanted:
    """A character to be made, of a game by its slug."""

    system: str
    name: str
    sheet: dict[str, Any]
    notes: str = ""


def create(
    owner: User, slug: str, name: str, sheet: dict[str, Any], notes: str = "", what: str = "Created"
) -> Character:
    """A new character with a sound sheet; Refused if it is not, or there are too many."""
    return create_all(owner, [Wanted(slug, name, sheet, notes)], what)[0]


def create_all(owner: User, wanted: Sequence[Wanted], what: str = "Created") -> list[Character]:
    """New characters, all of them or none; Refused if one is not sound, or there are too many."""
    room = MOST_CHARACTERS - Character.objects.filter(owner=owner).count()
    if len(wanted) > room:
        raise Refused("not_allowed", f"You may have {MOST_CHARACTERS} characters; delete some first.")
    made = []
    for one in wanted:
        character = Character(owner=owner, system=find_game(one.system).slug)
        _write(character, {"name": one.name, "sheet": one.sheet, "notes": one.notes, "portrait": ""})
        made.append(character)
    with transaction.atomic():
        Character.objects.bulk_create(made)
        CharacterChange.objects.bulk_create(
            CharacterChange(
                character=one, number=1, what=what[:200], by=owner.get_username(), after=read_document(one)
            )
            for one in made
        )
    return made


def read_document(character: Character) -> dict[str, Any]:
    """All of a character that its history keeps."""
    return {
        "name": character.name,
        "sheet": character.sheet,
        "notes": character.notes,
        "portrait": character.portrait,
    }


def _write(character: Character, document: dict[str, Any]) -> None:
    """Put a checked document into a character, without saving it."""
    system = find_game(character.system)
    name = clean_name(document["name"])
    sheet = check_sheet(system, {**document["sheet"], "name": name})
    character.name, character.sheet = name, sheet
    character.notes, character.portrait = clean_notes(document["notes"]), document["portrait"]
    character.summary = plan_of(system).summarize(sheet)[:150]


@contextmanager
def _locked(pk: int, version: int | None) -> Iterator[Character]:
    """The character, alone until the block ends; Refused if the person saw an older version."""
    with transaction.atomic():
        rows = Character.objects.all()
        if connection.features.has_select_for_update:
            rows = rows.select_for_update()
        character = rows.get(pk=pk)
        if version is not None and version != character.version:
            raise Refused("stale", STALE)
        yield character


def _remember(
    character: Character, kind: str, what: str, by: str, before: dict[str, Any], after: dict[str, Any]
) -> None:
    last = character.changes.order_by("-number").values_list("number", flat=True).first() or 0
    CharacterChange.objects.create(
        character=character, number=last + 1, kind=kind, what=what[:200], by=by, before=before, after=after
    )
    character.changes.filter(number__lte=last + 1 - MOST_CHANGES).delete()


def change(pk: int, what: str, *, by: str = "", version: int | None = None, **fields: Any) -> Character:
    """Change name, sheet, notes or portrait; Refused with nothing changed if the result is not sound.

    What changes nothing is no step of the history.
    """
    with _locked(pk, version) as character:
        before = read_document(character)
        _write(character, {**before, **fields})
        after = read_document(character)
        if after == before:
            return character
        character.undone, character.version = [], character.version + 1
        character.save()
        _remember(character, CHANGE, what, by, before, after)
        return character


def find_undoable(character: Character) -> CharacterChange | None:
    """The last change that stands, unless it is the making of the character."""
    last = character.changes.filter(kind=CHANGE, struck=False).order_by("-number").first()
    return last if last and last.before else None


def undo(pk: int, *, by: str = "", version: int | None = None) -> Character:
    """Take the last change back."""
    with _locked(pk, version) as character:
        last = find_undoable(character)
        if last is None:
            raise Refused("not_allowed", "There is nothing to undo.")
        _go(character, last, UNDO, by)
        character.undone = [last.number, *character.undone]
        character.save()
        return character


def redo(pk: int, *, by: str = "", version: int | None = None) -> Character:
    """Do again what was taken back last."""
    with _locked(pk, version) as character:
        wanted = character.undone[0] if character.undone else 0
        last = character.changes.filter(number=wanted).first()
        if last is None:
            raise Refused("not_allowed", "There is nothing to redo.")
        _go(character, last, REDO, by)
        character.undone = character.undone[1:]
        character.save()
        return character


def _go(character: Character, step: CharacterChange, kind: str, by: str) -> None:
    """Bring a character to the state before a change, or after it."""
    now = read_document(character)
    then = step.before if kind == UNDO else step.after
    if then["portrait"] and not character.portraits.filter(digest=then["portrait"]).exists():
        then = {**then, "portrait": ""}  # pictures are kept for a few changes only
    _write(character, then)
    step.struck = kind == UNDO
    step.save(update_fields=["struck"])
    character.version += 1
    word = "Undone" if kind == UNDO else "Redone"
    _remember(character, kind, f"{word}: {step.what}", by, now, read_document(character))


def duplicate(character: Character, owner: User) -> Character:
    """The same character once more, with no history. Its picture comes along."""
    name = f"{character.name[: MOST_NAME - 7]} (copy)"
    what = f"Copied from {character.name}"
    with transaction.atomic():
        copy = create(owner, character.system, name, character.sheet, character.notes, what)
        picture = character.portraits.filter(digest=character.portrait).first()
        if picture:
            Portrait.objects.create(character=copy, digest=picture.digest, image=picture.image)
            Character.objects.filter(pk=copy.pk).update(portrait=picture.digest)
    return copy


def keep_portrait(pk: int, digest: str, image: bytes, *, by: str, version: int | None = None) -> Character:
    """Show a new picture; the last few older ones stay for undoing."""
    with transaction.atomic():
        Portrait.objects.get_or_create(character_id=pk, digest=digest, defaults={"image": image})
        kept = change(pk, "New portrait", by=by, version=version, portrait=digest)
        older = kept.portraits.exclude(digest=digest).order_by("-made_at", "-pk")
        kept.portraits.filter(pk__in=[row.pk for row in older.only("pk")[MOST_PORTRAITS - 1 :]]).delete()
    return kept


def archive(character: Character) -> None:
    """Put a character away, or bring it back."""
    Character.objects.filter(pk=character.pk).update(archived=not character.archived)


def delete(character: Character) -> None:
    """Mark a character as deleted; it can be restored for 30 days. What is older goes for good."""
    Character.objects.filter(pk=character.pk).update(deleted_at=timezone.now())
    purge()


def restore(character: Character) -> None:
    """Bring a deleted character back."""
    Character.objects.filter(pk=character.pk).update(deleted_at=None)


def purge() -> int:
    """Remove for good what was deleted more than 30 days ago; returns how many characters."""
    old = Character.objects.filter(deleted_at__lte=timezone.now() - GRACE)
    count = old.count()
    old.delete()
    return count


def keep_roll(character: Character, lines: list[dict[str, Any]], by: str) -> None:
    """Write a rolled check onto the sheet; the oldest give way."""
    CharacterRoll.objects.create(character=character, lines=lines, by=by)
    old = character.rolls.values_list("pk", flat=True)[MOST_ROLLS:]
    character.rolls.filter(pk__in=list(old)).delete()
