"""Capitals make no difference to a search, in any alphabet and on any database."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db.models import Q

from characters.accounts.users import find_person
from combat.models import Campaign, Encounter
from combat.play.writing.encounter_service import create_encounter


@pytest.mark.parametrize(
    ("name", "asked"), [("Élodie", "élodie"), ("élodie", "ÉLODIE"), ("Юля", "юля"), ("Ömer", "öMER")]
)
def test_name_with_accents_is_found_whatever_its_capitals(db: None, name: str, asked: str) -> None:
    person = User.objects.create_user(name)
    assert find_person(asked) == person
    for lookup in ({"username__icontains": asked[:3]}, {"username__icontains": asked[1:]}):
        assert User.objects.get(**lookup) == person


@pytest.mark.parametrize("asked", ["elodie", "Élodi", "É%", "É_odie", "Élodie\\", ""])
def test_other_name_and_signs_of_patterns_find_nobody(db: None, asked: str) -> None:
    User.objects.create_user("Élodie")
    assert find_person(asked) is None


def test_search_passes_over_what_is_not_there(gm: User) -> None:
    alone, one_of = (create_encounter(gm, "cosmos", name) for name in ("Alone", "One of them"))
    Encounter.objects.filter(pk=one_of.pk).update(campaign=Campaign.objects.create(owner=gm, name="Ärger"))
    words = Q(campaign__name__icontains="ärg") | Q(name__icontains="alone")
    assert set(Encounter.objects.filter(words)) == {alone, one_of}
