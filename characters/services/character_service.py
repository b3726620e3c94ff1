"""The only module that writes characters: every change is checked, counted and kept in the history."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import F, QuerySet, Subquery
from django.utils import timezone

from combat.rules.core.basics.checking import clean_text, is_shown, tidy, without_unseen
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.names import name_copy
from combat.rules.core.declaration.system import System
from combat.rules.core.state import state as fights
from cosmos_site.base.tags import clean_tags, derive_token, find_digest

from ..access import Person, check_change
from ..faces import KEYS, check_face, find_looks
from ..games import check_sheet, find_game, find_problems, furnish_sheet, make_combatant, plan_of
from ..guests import Guest, Keeper
from ..models import Character, CharacterChange, CharacterRoll, Portrait, SheetLink
from ..story import MAX_LINES, Bought, clean_story

GRACE = timedelta(days=30)
MAX_CHARACTERS = 500
MAX_CHANGES, MAX_ROLLS, MAX_PORTRAITS = 200, 200, 5
MAX_NAME, MAX_NOTES = 60, 10_000
CHANGE, UNDO, REDO = "change", "undo", "redo"
GM_ALONE = "gm"  # who sees the totals of a character whose owner keeps them from the party
TRANSFER = "transfer-"  # before a number: the source of a change by which something passed to others
DELETED = "This character was deleted: restore them first."
STALE = "This character was changed elsewhere. The page is now current: check, then try again."
SALT = "characters.link"


def find_mine(owner: Keeper) -> QuerySet[Character]:
    """A person's characters that are not deleted."""
    return _find_all(owner).filter(deleted_at=None, npc=False)


def find_npcs(owner: User) -> QuerySet[Character]:
    """A GM's own NPCs that are not deleted."""
    return Character.objects.filter(owner=owner, deleted_at=None, npc=True)


def find_deleted(owner: Keeper, npc: bool = False) -> QuerySet[Character]:
    """A person's deleted characters, or NPCs, that can still be restored."""
    return _find_all(owner).filter(deleted_at__gt=timezone.now() - GRACE, npc=npc)


def find_some(owner: Keeper, numbers: Iterable[int]) -> QuerySet[Character]:
    """Those of a person's characters and NPCs that have these numbers and are not deleted."""
    return _find_all(owner).filter(deleted_at=None, pk__in=numbers)


def _find_all(owner: Keeper) -> QuerySet[Character]:
    if isinstance(owner, Guest):
        return Character.objects.filter(owner=None, pk__in=owner.sheets)
    return Character.objects.filter(owner=owner)


def clean_name(name: str) -> str:
    """A name of 1 to 60 characters, on one line."""
    clean = " ".join(without_unseen(name).split())
    if not 1 <= len(tidy(clean)) <= MAX_NAME or not all(map(is_shown, clean)):
        raise Refused("bad_value", f"A name needs 1 to {MAX_NAME} characters.")
    return tidy(clean)


def clean_notes(notes: str) -> str:
    """Notes with normalized line ends."""
    return clean_text(notes, MAX_NOTES, "Notes")


@dataclass(frozen=True)
class Wanted:
    """A character to make, of a game by its slug; or an NPC of a kind.

    `portrait` is the digest of a picture made by `pictures`, and the picture. `source` is for the history.
    """

    system: str
    name: str
    sheet: dict[str, Any]
    notes: str = ""
    npc: bool = False
    kind: str = ""
    face: str = ""
    portrait: tuple[str, bytes] | None = None
    story: dict[str, Any] = field(default_factory=dict)
    tags: str = ""
    source: str = ""


def create(
    owner: Keeper,
    slug: str,
    name: str,
    sheet: dict[str, Any],
    notes: str = "",
    what: str = "Created",
    *,
    npc: bool = False,
    kind: str = "",
    face: str = "",
) -> Character:
    """A new character with a valid sheet; Refused if it is not valid, or there are too many."""
    return create_all(owner, [Wanted(slug, name, sheet, notes=notes, npc=npc, kind=kind, face=face)], what)[0]


def count_room(owner: User, npc: bool = False) -> int:
    """How many more characters, or NPCs, an owner may have; deleted ones do not count."""
    return max(0, MAX_CHARACTERS - Character.objects.filter(owner=owner, npc=npc, deleted_at=None).count())


def _check_room(owner: User, npc: bool, count: int) -> None:
    if count > (room := count_room(owner, npc)):
        word = "NPCs" if npc else "characters"
        text = f"There is room for {room} of {MAX_CHARACTERS} {word}: delete some first."
        raise Refused("not_allowed", text)


def create_all(owner: Keeper, wanted: Sequence[Wanted], what: str = "Created") -> list[Character]:
    """New characters, all of them or none; Refused if one is invalid, or there are too many."""
    account = owner if isinstance(owner, User) else None
    made = []
    if account:
        for npc in (False, True):
            _check_room(account, npc, sum(one.npc == npc for one in wanted))
    taken = _find_taken(owner) if any(not one.face for one in wanted) else set()
    for one in wanted:
        system = find_game(one.system)
        kind = tidy(one.kind)[:MAX_NAME]
        character = Character(owner=account, system=system.slug, npc=one.npc, kind=kind)
        sheet = furnish_sheet(system, one.sheet)
        digest = one.portrait[0] if one.portrait else ""
        told = {"notes": one.notes, "story": one.story, "tags": one.tags}
        face = one.face or _choose_face(system, one, taken)
        _write(character, {"name": one.name, "sheet": sheet, "portrait": digest, "face": face, **told})
        taken.add(face)
        made.append(character)
    with transaction.atomic():
        Character.objects.bulk_create(made)
        pictures = [(made[i], *one.portrait) for i, one in enumerate(wanted) if one.portrait]
        Portrait.objects.bulk_create(
            Portrait(character=character, digest=digest, image=image) for character, digest, image in pictures
        )
        if isinstance(owner, Guest):
            owner.keep(made)
        CharacterChange.objects.bulk_create(
            CharacterChange(
                character=one,
                number=1,
                what=what[:200],
                by=owner.get_username(),
                after=read_document(one),
                source=asked.source,
            )
            for one, asked in zip(made, wanted, strict=True)
        )
    return made


def _find_taken(owner: Keeper) -> set[str]:
    """The faces of the characters that an owner has."""
    return set(find_mine(owner).values_list("face", flat=True))


def _choose_face(system: System, one: Wanted, taken: Collection[str]) -> str:
    """The face that fits someone best who chose none; empty for what has none, or if the sheet is not valid.

    A character gets one that none of their owner's others has, while there are enough.
    """
    if find_problems(system, one.sheet):
        return ""
    made = fights.replace(make_combatant(system, one.name, one.sheet), pc=not one.npc)
    looks = [look for look in find_looks(system, made) if look in KEYS]
    free = (look for look in looks if one.npc or look not in taken)
    return next(free, next(iter(looks), ""))


def read_document(character: Character) -> dict[str, Any]:
    """Everything about a character that its history keeps."""
    return {
        "name": character.name,
        "sheet": character.sheet,
        "notes": character.notes,
        "story": character.story,
        "tags": character.tags,
        "portrait": character.portrait,
        "face": character.face,
    }


def _write(character: Character, document: dict[str, Any]) -> None:
    """Put a checked document into a character, without saving it."""
    system = find_game(character.system)
    name = clean_name(document["name"])
    sheet = check_sheet(system, {**document["sheet"], "name": name})
    character.name, character.sheet = name, sheet
    character.notes, character.portrait = clean_notes(document["notes"]), document["portrait"]
    character.face = check_face(document["face"])
    character.story, character.tags = clean_story(document["story"]), clean_tags(document["tags"])
    character.summary = plan_of(system).summarize(sheet)[:150]


@contextmanager
def _locked(pk: int, version: int | None) -> Iterator[Character]:
    """The character, locked until the block ends; Refused if it is gone or not of this version."""
    with transaction.atomic():
        rows = Character.objects.all()
        if connection.features.has_select_for_update:
            rows = rows.select_for_update()
        character = rows.filter(pk=pk, deleted_at=None).first()
        if character is None:
            raise Refused("stale", DELETED)
        if version is not None and version != character.version:
            raise Refused("stale", STALE)
        yield character


def _remember(
    character: Character,
    kind: str,
    what: str,
    by: str,
    before: dict[str, Any],
    after: dict[str, Any],
    source: str = "",
) -> None:
    last = character.changes.order_by("-number").values_list("number", flat=True).first() or 0
    CharacterChange.objects.create(
        character=character,
        number=last + 1,
        kind=kind,
        what=what[:200],
        by=by,
        before=before,
        after=after,
        source=source,
    )
    _forget_old(character, last + 1)


def _forget_old(character: Character, newest: int) -> None:
    """Drop the oldest steps. As many older ones from fights stay: they tell what a fight gave already."""
    older = character.changes.filter(number__lte=newest - MAX_CHANGES)
    of_fights = older.exclude(source="").order_by("-number").values("pk")
    older.exclude(pk__in=of_fights[:MAX_CHANGES]).delete()


def change(
    pk: int,
    what: str,
    *,
    by: str = "",
    version: int | None = None,
    author: Person | None = None,
    source: str = "",
    **fields: Any,
) -> Character:
    """Change name, sheet, notes or portrait; Refused, with nothing changed, if the result is invalid.

    A change without effect is no step of the history. The rights of `author` are checked here, on the
    character as it is now; without an author, those of its owner apply. `source` is kept in the history.
    """
    with _locked(pk, version) as character:
        if author:
            check_change(author, character, fields)
        before = read_document(character)
        _write(character, {**before, **fields})
        after = read_document(character)
        if after == before:
            return character
        character.undone, character.version = [], character.version + 1
        character.save()
        _remember(character, CHANGE, what, by=by, before=before, after=after, source=source)
        return character


def earn(pk: int, line: Bought, *, by: str, source: str) -> Character | None:
    """Put a line of experience on a sheet; None if it has one of this `source` that was not undone."""
    with _locked(pk, None) as character:
        if character.changes.filter(source=source, kind=CHANGE, struck=False).exists():
            return None
        lines = [msgspec.to_builtins(line), *character.story.get("bought", [])]
        if len(lines) > MAX_LINES:
            raise Refused("not_allowed", f"{character.name} has {MAX_LINES} lines of experience, the limit.")
        what = f"Experience {line.points:+}: {line.what}"
        return change(pk, what, by=by, source=source, story={**character.story, "bought": lines})


def replace_with(pk: int, wanted: Wanted, *, by: str) -> Character:
    """Give a character the sheet, notes and picture of another file: one change, which can be undone."""
    with transaction.atomic():
        digest = wanted.portrait[0] if wanted.portrait else ""
        if wanted.portrait:
            Portrait.objects.get_or_create(
                character_id=pk, digest=digest, defaults={"image": wanted.portrait[1]}
            )
        return change(
            pk,
            "Imported again",
            by=by,
            name=wanted.name,
            sheet=furnish_sheet(find_game(wanted.system), wanted.sheet),
            notes=wanted.notes,
            story=wanted.story,
            tags=wanted.tags,
            face=wanted.face,
            portrait=digest,
        )


def find_undoable(character: Character) -> CharacterChange | None:
    """The last change that is not undone, unless it is the creation of the character, or very old.

    What passed to another sheet or to a chest is undone there, on both sides at once: never here.
    """
    newest = character.changes.order_by("-number").values("number")[:1]
    recent = character.changes.filter(kind=CHANGE, number__gt=Subquery(newest) - MAX_CHANGES)
    last = recent.filter(struck=False).order_by("-number").first()
    return last if last and last.before and not last.source.startswith(TRANSFER) else None


def undo(pk: int, *, by: str = "", version: int | None = None) -> Character:
    """Undo the last change."""
    with _locked(pk, version) as character:
        last = find_undoable(character)
        if last is None:
            raise Refused("not_allowed", _say_why_not(character))
        return _go(character, last, UNDO, undone=[last.number, *character.undone], by=by)


def _say_why_not(character: Character) -> str:
    last = character.changes.filter(kind=CHANGE, struck=False).order_by("-number").first()
    if last and last.source.startswith(TRANSFER):
        return f"{last.what}: undo that in the party’s chest, or ask for it back."
    return "Nothing to undo."


def redo(pk: int, *, by: str = "", version: int | None = None) -> Character:
    """Redo the last undone change."""
    with _locked(pk, version) as character:
        wanted = character.undone[0] if character.undone else 0
        last = character.changes.filter(number=wanted).first()
        if last is None:
            raise Refused("not_allowed", "Nothing to redo.")
        return _go(character, last, REDO, undone=character.undone[1:], by=by)


def _go(character: Character, step: CharacterChange, kind: str, undone: list[int], by: str) -> Character:
    """Bring a character to the state before or after a change."""
    now = read_document(character)
    then = step.before if kind == UNDO else step.after
    if then["portrait"] and not character.portraits.filter(digest=then["portrait"]).exists():
        then = {**then, "portrait": ""}  # pictures are kept for a few changes only
    _write(character, then)
    step.struck = kind == UNDO
    step.save(update_fields=["struck"])
    character.undone, character.version = undone, character.version + 1
    character.save()
    word = "Undone" if kind == UNDO else "Redone"
    _remember(character, kind, f"{word}: {step.what}", by=by, before=now, after=read_document(character))
    return character


def duplicate(character: Character, owner: Keeper, *, as_npc: bool = False) -> Character:
    """A copy of the character without history, or as an NPC. Its picture comes along."""
    taken = set(_find_all(owner).filter(deleted_at=None).values_list("name", flat=True))
    name = character.name if as_npc else name_copy(character.name, taken, MAX_NAME)
    what, npc = f"Copied from {character.name}", as_npc or character.npc
    wanted = replace(want_again(character), name=name, npc=npc, kind=character.kind)
    return create_all(owner, [wanted], what)[0]


def want_again(character: Character) -> Wanted:
    """The same character, to be created once more."""
    return Wanted(
        character.system,
        character.name,
        character.sheet,
        notes=character.notes,
        face=character.face,
        portrait=find_portraits([character]).get(character.pk),
        story=character.story,
        tags=character.tags,
    )


def find_portraits(characters: Iterable[Character]) -> dict[int, tuple[str, bytes]]:
    """The pictures that characters show now, by the number of the character: digest and image."""
    shown = Portrait.objects.filter(character__in=characters, digest=F("character__portrait"))
    return {one.character_id: (one.digest, bytes(one.image)) for one in shown}


def keep_portrait(pk: int, digest: str, image: bytes, *, by: str, version: int | None = None) -> Character:
    """Show a new picture; the last few older ones stay for undo."""
    with transaction.atomic():
        Portrait.objects.get_or_create(character_id=pk, digest=digest, defaults={"image": image})
        kept = change(pk, "New portrait", by=by, version=version, portrait=digest)
        older = kept.portraits.exclude(digest=digest).order_by("-made_at", "-pk")
        kept.portraits.filter(pk__in=[row.pk for row in older.only("pk")[MAX_PORTRAITS - 1 :]]).delete()
    return kept


def set_kind(character: Character, kind: str) -> None:
    """Put an NPC into a group."""
    clean = tidy(kind)
    if len(clean) > MAX_NAME:
        raise Refused("bad_value", f"A kind has at most {MAX_NAME} characters.")
    Character.objects.filter(pk=character.pk).update(kind=clean)


def share_totals(character: Character, whom: str) -> None:
    """Let the party see the totals of a character's checks, or with GM_ALONE nobody but the GM."""
    if whom not in ("", GM_ALONE):
        raise Refused("bad_value", "Totals are for the party, or for the GM alone: choose one of them.")
    Character.objects.filter(pk=character.pk).update(totals=whom)


def archive(character: Character) -> None:
    """Archive a character, or bring it back."""
    Character.objects.filter(pk=character.pk).update(archived=not character.archived)


def delete(character: Character) -> None:
    """Mark a character as deleted: it can be restored for 30 days. Also purge the expired ones.

    Of one owner, only the last 500 deleted ones stay.
    """
    Character.objects.filter(pk=character.pk).update(deleted_at=timezone.now())
    if character.owner:
        older = find_deleted(character.owner, character.npc).order_by("-deleted_at", "-pk")
        too_many = list(older.values_list("pk", flat=True)[MAX_CHARACTERS:])
        Character.objects.filter(pk__in=too_many).delete()
    purge()


def restore(character: Character) -> None:
    """Bring a deleted character back; Refused if there are too many."""
    if character.owner:
        _check_room(character.owner, character.npc, 1)
    Character.objects.filter(pk=character.pk).update(deleted_at=None)


def purge() -> int:
    """Erase what was deleted more than 30 days ago; returns how many characters."""
    old = Character.objects.filter(deleted_at__lte=timezone.now() - GRACE)
    count = old.count()
    old.delete()
    return count


def keep_roll(character: Character, lines: list[dict[str, Any]], by: str) -> None:
    """Log a rolled check on the sheet; the oldest are dropped."""
    CharacterRoll.objects.create(character=character, lines=lines, by=by)
    old = character.rolls.values_list("pk", flat=True)[MAX_ROLLS:]
    character.rolls.filter(pk__in=list(old)).delete()


# Read-only links to sheets: anyone who has one reads along, until its owner revokes it.


def open_link(character: Character) -> SheetLink:
    """The link of a character, made if there is none that can be shown; two who ask at once get the same."""
    with transaction.atomic():
        known = SheetLink.objects.filter(character=character).first()
        if known and find_token(known):
            return known
        if known:
            known.delete()  # made with another secret key
        nonce = secrets.token_urlsafe(16)
        digest = find_digest(derive_token(SALT, character.pk, nonce))
        defaults = {"nonce": nonce, "digest": digest}
        return SheetLink.objects.get_or_create(character=character, defaults=defaults)[0]


def revoke_link(character: Character) -> bool:
    """End the link of a character at once; whether there was one."""
    return bool(SheetLink.objects.filter(character=character).delete()[0])


def find_link(character: Character) -> SheetLink | None:
    """The link of a character, if it has one."""
    return getattr(character, "sheet_link", None)


def find_token(link: SheetLink) -> str:
    """The token of a link, to show it again; empty if it was made with another secret key."""
    token = derive_token(SALT, link.character_id, link.nonce)
    return token if find_digest(token) == link.digest else ""


def find_linked(token: str) -> Character | None:
    """The character that a link opens now; none if it was revoked, or the character deleted."""
    links = SheetLink.objects.select_related("character")
    link = links.filter(digest=find_digest(token), character__deleted_at=None).first()
    return link.character if link else None
