"""Writing characters: checked, counted, with a history for undo."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import msgspec
import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from characters.models import Character, CharacterChange, Portrait
from characters.services import character_service
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from tests.characters.conftest import SHEET

Make = Callable[..., Character]


def set_credits(character: Character, amount: int, **more: Any) -> Character:
    fresh = Character.objects.get(pk=character.pk)
    return character_service.change(
        character.pk, f"Credits {amount}", sheet={**fresh.sheet, "credits": amount}, **more
    )


def credits_of(character: Character) -> int:
    return int(Character.objects.get(pk=character.pk).sheet["credits"])


def test_sheet_is_kept_with_every_field_and_the_name(zara: Character) -> None:
    kept = Character.objects.get(pk=zara.pk)
    left_blank = {"metres", "counters", "alias", "flees"}
    assert (
        set(kept.sheet)
        == {field.name for field in msgspec.structs.fields(find_system("cosmos").characters.sheet)}
        - left_blank
    )
    assert kept.sheet["name"] == "Zara"
    assert kept.summary == "Synaptic, Military"


def test_kept_sheet_joins_a_fight_as_it_is(zara: Character) -> None:
    combatant = find_system("cosmos").characters.make_combatant("f1", zara.name, "crew", zara.sheet, {})
    assert combatant.tracks == {"hp": 80}
    assert [i.name for i in combatant.items if i.place in ("held", "worn")] == [
        "Pistol",
        "Kevlar vest",
        "Unarmed strike",
    ]


def test_unsound_sheet_is_refused_with_all_its_problems(ana: User) -> None:
    bad = {**SHEET, "credits": -1, "skills": {"Magic": 3}}
    with pytest.raises(Refused) as caught:
        character_service.create(ana, "cosmos", "Zara", bad)
    assert "credits: must be at least 0." in caught.value.message
    assert "skills.Magic: there is no such skill" in caught.value.message
    assert not Character.objects.exists()


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\x00b", "\u202e", "\u200d"])
def test_impossible_names_are_refused(ana: User, name: str) -> None:
    with pytest.raises(Refused, match="1 to 60 characters"):
        character_service.create(ana, "cosmos", name, SHEET)


@pytest.mark.parametrize("name", ["\u0645\u06cc\u200c\u0631\u0648\u0645", "Ana \U0001f469\u200d\U0001f680"])
def test_name_keeps_what_joins_letters_and_signs(ana: User, name: str) -> None:
    assert character_service.create(ana, "cosmos", f" {name}\u200c ", SHEET).name == name


def test_name_and_notes_lose_marks_that_turn_the_direction(ana: User) -> None:
    made = character_service.create(ana, "cosmos", "Ana\u202e Ruiz\u2069", SHEET, "one\u202e\r\ntwo")
    assert (made.name, made.notes) == ("Ana Ruiz", "one\ntwo")


def test_game_without_sheets_is_refused(ana: User) -> None:
    with pytest.raises(Refused):
        character_service.create(ana, "chess", "Zara", SHEET)


def test_nobody_has_more_characters_than_fit(
    ana: User, zara: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(character_service, "MAX_CHARACTERS", 1)
    with pytest.raises(Refused, match="delete some first"):
        character_service.duplicate(zara, ana)
    assert Character.objects.count() == 1


# ---------------------------------------------------------------- history


def test_change_is_a_step_of_the_history(zara: Character) -> None:
    changed = set_credits(zara, 10, by="ana")
    step = CharacterChange.objects.first()
    assert step is not None
    assert (step.number, step.what, step.by) == (2, "Credits 10", "ana")
    assert (step.before["sheet"]["credits"], step.after["sheet"]["credits"]) == (500, 10)
    assert changed.version == 2


def test_what_is_refused_or_changes_nothing_is_no_step(zara: Character) -> None:
    assert set_credits(zara, 500).version == 1
    with pytest.raises(Refused):
        set_credits(zara, -5)
    assert credits_of(zara) == 500
    assert CharacterChange.objects.count() == 1


def test_undo_and_redo_walk_the_changes(zara: Character) -> None:
    for amount in (1, 2, 3):
        set_credits(zara, amount)
    seen = []
    for step in (
        character_service.undo,
        character_service.undo,
        character_service.redo,
        character_service.undo,
        character_service.undo,
        character_service.redo,
    ):
        step(zara.pk)
        seen.append(credits_of(zara))
    assert seen == [2, 1, 2, 1, 500, 1]


def test_undone_changes_stay_visible_and_struck(zara: Character) -> None:
    set_credits(zara, 1)
    character_service.undo(zara.pk, by="ana")
    assert [(c.kind, c.what, c.struck) for c in zara.changes.all()] == [
        ("undo", "Undone: Credits 1", False),
        ("change", "Credits 1", True),
        ("change", "Created", False),
    ]


def test_new_change_ends_redoing(zara: Character) -> None:
    set_credits(zara, 1)
    character_service.undo(zara.pk)
    set_credits(zara, 7)
    with pytest.raises(Refused, match="Nothing to redo"):
        character_service.redo(zara.pk)


def test_creation_of_a_character_is_not_undone(zara: Character) -> None:
    with pytest.raises(Refused, match="Nothing to undo"):
        character_service.undo(zara.pk)


def test_undo_brings_back_name_notes_and_summary(zara: Character) -> None:
    character_service.change(
        zara.pk, "All", name="Mara", notes="Tall.", sheet={**zara.sheet, "species": "umbral"}
    )
    character_service.undo(zara.pk)
    back = Character.objects.get(pk=zara.pk)
    assert (back.name, back.notes, back.summary, back.sheet) == ("Zara", "", "Synaptic, Military", zara.sheet)


def test_older_page_is_refused_and_changes_nothing(zara: Character) -> None:
    set_credits(zara, 1, version=1)
    late_ones: tuple[Callable[[], object], ...] = (
        lambda: set_credits(zara, 2, version=1),
        lambda: character_service.undo(zara.pk, version=1),
    )
    for late in late_ones:
        with pytest.raises(Refused) as caught:
            late()
        assert caught.value.code == "stale"
    assert credits_of(zara) == 1


def test_history_does_not_grow_for_ever(zara: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(character_service, "MAX_CHANGES", 5)
    for amount in range(12):
        set_credits(zara, amount)
    assert [c.number for c in zara.changes.all()] == [13, 12, 11, 10, 9]
    character_service.undo(zara.pk)
    assert credits_of(zara) == 10


# ---------------------------------------------------------------- copies, archive, deleting


def test_copy_is_a_character_of_its_own(ana: User, zara: Character) -> None:
    Portrait.objects.create(character=zara, digest="abc", image=b"picture")
    Character.objects.filter(pk=zara.pk).update(portrait="abc")
    zara.refresh_from_db()
    copy = Character.objects.get(pk=character_service.duplicate(zara, ana).pk)
    assert (copy.name, copy.portrait) == ("Zara 2", "abc")
    assert copy.sheet == {**zara.sheet, "name": "Zara 2"}
    assert bytes(copy.portraits.get().image) == b"picture"
    set_credits(copy, 1)
    assert credits_of(zara) == 500


def test_copy_of_a_long_name_still_has_a_name(ana: User, make: Make) -> None:
    assert len(character_service.duplicate(make("x" * 60), ana).name) <= 60


def test_deleted_character_can_be_restored_for_30_days(ana: User, zara: Character) -> None:
    character_service.delete(zara)
    assert not character_service.find_mine(ana).exists()
    assert character_service.find_deleted(ana).get() == zara
    with time_machine.travel(timezone.now() + timedelta(days=29)):
        character_service.restore(zara)
    assert character_service.find_mine(ana).get() == zara


def test_after_30_days_it_is_gone(ana: User, zara: Character, make: Make) -> None:
    character_service.delete(zara)
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        assert not character_service.find_deleted(ana).exists()
        character_service.delete(make("Mara"))  # deleting sweeps old ones
    assert [c.name for c in Character.objects.all()] == ["Mara"]
    assert not CharacterChange.objects.filter(character=zara.pk).exists()


def test_deleting_makes_room_and_restoring_needs_it(
    ana: User, ana_client: Client, zara: Character, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(character_service, "MAX_CHARACTERS", 1)
    character_service.delete(zara)
    mara = make("Mara")
    answer = ana_client.post(f"/characters/{zara.pk}/restore/", follow=True)
    assert "There is room for 0 of 1 characters: delete some first." in answer.content.decode()
    assert list(character_service.find_mine(ana)) == [mara]
    character_service.delete(mara)
    assert list(character_service.find_deleted(ana)) == [mara]  # only so many as one may have


def test_purging_by_command_says_how_many(zara: Character) -> None:
    character_service.delete(zara)
    said = StringIO()
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        call_command("purge_characters", stdout=said)
    assert said.getvalue() == "1 character erased.\n"
    assert not Character.objects.exists()


# ---------------------------------------------------------------- pictures and rolls


def test_undo_shows_the_older_picture(zara: Character) -> None:
    for digest in ("one", "two"):
        character_service.keep_portrait(zara.pk, digest, digest.encode(), by="ana")
    character_service.undo(zara.pk)
    assert Character.objects.get(pk=zara.pk).portrait == "one"


def test_only_the_last_pictures_are_kept_and_undo_copes(zara: Character) -> None:
    digests = [f"d{n}" for n in range(character_service.MAX_PORTRAITS + 3)]
    for digest in digests:
        character_service.keep_portrait(zara.pk, digest, b"x", by="ana")
    assert set(zara.portraits.values_list("digest", flat=True)) == set(
        digests[-character_service.MAX_PORTRAITS :]
    )
    for _ in digests[1:]:
        character_service.undo(zara.pk)
    assert Character.objects.get(pk=zara.pk).portrait == ""


def test_rolls_do_not_grow_for_ever(zara: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(character_service, "MAX_ROLLS", 3)
    for number in range(6):
        character_service.keep_roll(zara, [{"text": str(number)}], "ana")
    assert [roll.lines[0]["text"] for roll in zara.rolls.all()] == ["5", "4", "3"]
