"""Accounts: the host finds, renames, closes, opens and deletes them, and makes sign-in links.

People delete their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils.text import slugify

from characters.accounts.users import find_gms, reset_access
from characters.accounts.visitors import find_visitors
from characters.exchange.previews import write_documents
from characters.gear.models import OwnItem
from characters.models import Character
from combat.models import Campaign, Encounter, Handout, Note, Pack, PackUse, Seat
from combat.play.campaigns.random_tables import find_tables
from combat.play.campaigns.table_notes import find_document
from combat.play.packs.keeping import read_file
from combat.play.packs.making import write_items, write_keepsakes
from combat.play.writing.locking import alone
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.names import claims_gm, is_alike
from combat.rules.core.engine.document import write_document

from .endings import end_access
from .guests import delete_encounter
from .links import leave_seat

GONE = "This account no longer exists."
YOURSELF = "This is your own account: you would lock yourself out. Change it under Account."
ONLY_GM = (
    "You are the only GM of this site: without you, nobody could help people sign in. "
    "Make another GM first (command make_gm)."
)
NAMES = "letters, digits and @ . + - _ only"
# What someone owns, by the plural of its name
THINGS = {
    "encounters": Count("encounters"),
    "characters": Count("characters", filter=Q(characters__deleted_at=None, characters__npc=False)),
    "NPCs": Count("characters", filter=Q(characters__deleted_at=None, characters__npc=True)),
    "campaigns": Count("campaigns"),
    "packs": Count("packs"),
    "custom items": Count("own_items"),
}
MAX_SLUG = 40


def find_accounts(asked: str) -> QuerySet[User]:
    """All accounts with these words in their names, by name; visitors have none."""
    found = User.objects.exclude(pk__in=find_visitors())
    for word in asked.split():
        found = found.filter(username__icontains=word)
    return found.order_by("username")


def count_things(people: Sequence[User]) -> dict[int, list[str]]:
    """What each of these people owns, such as "2 encounters"."""
    owned: dict[int, list[str]] = {person.pk: [] for person in people}
    for name, number in THINGS.items():
        rows = User.objects.filter(pk__in=owned).annotate(number=number).values_list("pk", "number")
        for pk, count in rows:
            if count:
                owned[pk].append(f"{count} {name.removesuffix('s') if count == 1 else name}")
    return owned


def find_other(host: User, number: int | None) -> User:
    """The account that the host means; Refused if it is gone, or their own."""
    person = find_accounts("").filter(pk=number or 0).first()
    if person is None:
        raise Refused("gone", GONE)
    if person == host:
        raise Refused("not_allowed", YOURSELF)
    return person


@transaction.atomic
def close_account(person: User) -> str:
    """End their sign-ins, programs and streams, and let them in no more; their things stay. What was done."""
    User.objects.filter(pk=person.pk).update(is_active=False)
    end_access(person)
    return f"{person.username} is signed out everywhere and cannot sign in. What they own stays."


def open_account(person: User) -> str:
    """Let them sign in again as before. What was done."""
    User.objects.filter(pk=person.pk).update(is_active=True)
    return f"{person.username} can sign in again."


@transaction.atomic
def renew_access(person: User) -> str:
    """Remove password and passkeys, end all access, and return the token of a link; Refused if closed."""
    if not person.is_active:
        raise Refused("not_allowed", f"{person.username} is closed: open the account first.")
    return reset_access(person)


def check_deletable(person: User, typed: str) -> None:
    """Refuse to delete an open account, or one whose name is not typed."""
    if User.objects.select_for_update().filter(pk=person.pk, is_active=True).exists():
        raise Refused("not_allowed", f"{person.username} is open: close the account first.")
    if typed.strip() != person.username:
        raise Refused("bad_value", f"Type the name {person.username} to delete the account.")


@transaction.atomic
def delete_account(person: User, heir_name: str, typed: str) -> str:
    """Delete a closed account; all that it owns goes to another account. What was done.

    Refused unless its name is typed, and the other account is open: nothing is lost by a click.
    """
    heir = find_accounts("").filter(username__iexact=heir_name.strip(), is_active=True).first()
    check_deletable(person, typed)
    if heir is None:
        raise Refused("bad_value", "Name an open account that gets what they own.")
    for model in (Encounter, Character):
        model._default_manager.filter(owner=person).update(owner=heir)
    _hand_over(person, heir)
    name = person.username
    _delete(person)
    return f"{name} is deleted. {heir.username} has what they owned."


def delete_with_things(person: User, host: User, typed: str, downloaded: str) -> str:
    """Delete a closed account with its encounters and characters; the host gets the rest. What was done.

    `downloaded` marks what the host has in a file (`mark_things`). Refused unless that is all there is now,
    and the name is typed: nothing is lost by a click.
    """
    with alone():
        check_deletable(person, typed)
        if not downloaded:
            raise Refused("not_allowed", f"Download what {person.username} owns first: delete after that.")
        if downloaded != mark_things(person):
            raise Refused("stale", f"{person.username}'s things changed meanwhile: download them again.")
        _hand_over(person, host)
        name = person.username
        _delete(person)
    return f"{name} is deleted, with the encounters and characters in your file."


def find_next_host(person: User) -> User | None:
    """The GM who hosts the site without this person; None if they are its only GM."""
    return find_gms().exclude(pk=person.pk).first()


def delete_own_account(number: int, typed: str) -> None:
    """Delete someone's own account with everything that it owns; nothing if it is deleted already.

    Refused unless its name is typed, and for the only GM of the site.
    """
    with alone():
        gms = list(find_gms().select_for_update())  # two who leave at once: one has to stay
        person = User.objects.select_for_update().filter(pk=number).first()
        if person is None:
            return
        if gms == [person]:
            raise Refused("not_allowed", ONLY_GM)
        if typed.strip() != person.username:
            raise Refused("bad_value", f"Type your name {person.username} to delete your account.")
        _delete(person)


def _delete(person: User) -> None:
    """Delete an account with all that it still owns, its seats at other tables and the notes made there."""
    end_access(person)
    for encounter in Encounter.objects.select_for_update().filter(owner=person).order_by("pk"):
        delete_encounter(encounter)
    Note.objects.filter(seat__user=person).delete()
    for seat in Seat.objects.filter(user=person, ended=None).order_by("encounter"):
        leave_seat(seat)
    person.delete()


def _hand_over(person: User, heir: User) -> None:
    """Give campaigns, custom items and packs away; where both have the same pack, one stays."""
    for model in (Campaign, OwnItem):
        model._default_manager.filter(owner=person).update(owner=heir)
    theirs = {pack.digest: pack for pack in Pack.objects.filter(owner=heir).defer("document")}
    for pack in Pack.objects.filter(owner=person).defer("document"):
        if same := theirs.get(pack.digest):
            PackUse.objects.filter(pack=pack).update(pack=same)
    Pack.objects.filter(owner=person).exclude(digest__in=theirs).update(owner=heir)


def rename_account(person: User, typed: str) -> str:
    """Give someone another name to sign in with; Refused if it is taken or no name. What was done."""
    name, old = typed.strip(), person.username
    others = User.objects.exclude(pk=person.pk).values_list("username", flat=True)
    if claims_gm(name) or is_alike(name, others):
        raise Refused("bad_value", f"{name} is taken: choose another name.")
    person.username = name
    try:
        person.clean_fields(exclude={"password"})
    except ValidationError:
        raise Refused("bad_value", f"A name has 1 to 150 characters, {NAMES}.") from None
    try:
        with transaction.atomic():
            person.save(update_fields=["username"])
    except IntegrityError:  # taken in the same instant
        raise Refused("bad_value", f"{name} is taken: choose another name.") from None
    return f"{old} is now called {name}, and signs in with that name."


# A file of what an account owns, for its person, or for the host who deletes it without an heir.


def write_things(person: User, target: IO[bytes]) -> None:
    """Write a zip of all that someone made or wrote here.

    Encounters with the pictures of scenes, characters, NPCs and packs can be imported again; so can custom
    items, and the rules, conditions and handouts of campaigns, as packs. Notes and tables are plain text.
    Those who were deleted and can be restored are in it too.
    """
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, npc in (("characters", False), ("npcs", True)):
            mine = Character.objects.filter(owner=person, npc=npc).order_by("pk")
            for number, raw in enumerate(write_documents(mine) if mine else (), 1):
                archive.writestr(f"{name}-{number}.json", raw)
        for encounter in Encounter.objects.filter(owner=person).order_by("pk").iterator(chunk_size=1):
            name = f"encounters/{encounter.pk}-{slugify(encounter.name)[:MAX_SLUG] or 'encounter'}"
            archive.writestr(f"{name}.json", write_document(find_document(encounter)))
            for number, picture in enumerate(encounter.pictures.order_by("pk").iterator(chunk_size=1), 1):
                archive.writestr(f"{name}-picture-{number}.webp", bytes(picture.image))
        for pack in Pack.objects.filter(owner=person).order_by("pk").iterator(chunk_size=1):
            name = f"{pack.pk}-{slugify(pack.name)[:MAX_SLUG] or 'pack'}"
            archive.writestr(f"packs/{name}.json", read_file(pack))
        for number, items in enumerate(write_items(person), 1):
            archive.writestr(f"packs/custom-items-{number}.json", items)
        for campaign in Campaign.objects.filter(owner=person).order_by("pk"):
            _write_campaign(campaign, archive)
        for note in _find_notes(person):
            assert note.seat
            name = f"{note.pk}-{slugify(note.seat.encounter.name)[:MAX_SLUG] or 'encounter'}"
            archive.writestr(f"notes/{name}.md", note.text)


def _write_campaign(campaign: Campaign, archive: ZipFile) -> None:
    """Write a campaign's notes and tables as text, and its rules, conditions and handouts as packs."""
    name = f"campaigns/{campaign.pk}-{slugify(campaign.name)[:MAX_SLUG] or 'campaign'}"
    shared = campaign.shared_notes.values_list("text", flat=True)
    tables = [f"# {one.name} ({one.dice})\n\n{one.lines}" for one in find_tables(campaign)]
    texts = {"notes": [campaign.notes], "shared-notes": shared, "tables": tables}
    for kind, text in ((kind, "\n\n".join(filter(None, parts))) for kind, parts in texts.items()):
        if text:
            archive.writestr(f"{name}-{kind}.md", text)
    for number, raw in enumerate(write_keepsakes(campaign), 1):
        archive.writestr(f"{name}-pack-{number}.json", raw)


def _find_notes(person: User) -> QuerySet[Note]:
    """The notes that someone made at tables of others."""
    return Note.objects.filter(seat__user=person).exclude(text="").select_related("seat__encounter")


def mark_things(person: User) -> str:
    """A mark of all that the file holds: another one as soon as something in it has changed."""
    handouts = Handout.objects.filter(campaign__owner=person)
    rows = (
        Encounter.objects.filter(owner=person).order_by("pk").values_list("pk", "version", "name"),
        Note.objects.filter(encounter__owner=person).order_by("pk").values_list("pk", "revision"),
        Character.objects.filter(owner=person).order_by("pk").values_list("pk", "version", "changed_at"),
        Pack.objects.filter(owner=person).order_by("pk").values_list("pk", "digest"),
        OwnItem.objects.filter(owner=person).order_by("pk").values_list("pk", "changed_at"),
        Campaign.objects.filter(owner=person).order_by("pk").values_list("pk", "changed"),
        handouts.order_by("pk").values_list("pk", "title", "text", "digest"),
        Note.objects.filter(campaign__owner=person).order_by("pk").values_list("pk", "revision"),
        _find_notes(person).order_by("pk").values_list("pk", "revision"),
    )
    return hashlib.sha256(repr([list(one) for one in rows]).encode()).hexdigest()[:16]
