"""Who may see and change items that people made."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import Http404

from ..guests import Guest, Keeper
from ..ports import encounters
from .models import OwnItem


def find_visible(person: Keeper) -> QuerySet[OwnItem]:
    """A person's own items, and those that the GMs of their tables share. One query.

    Guests see only the catalogue: items are shared with accounts.
    """
    if isinstance(person, Guest):
        return OwnItem.objects.none()
    gms = encounters.find_gms_of(person)
    return OwnItem.objects.filter(Q(owner=person) | Q(shared=True, owner__in=gms)).select_related("owner")


def find_own(person: User, pk: int) -> OwnItem:
    """A person's own item, to change it; Http404 for everyone else."""
    item = OwnItem.objects.filter(pk=pk, owner=person).first()
    if item is None:
        raise Http404("Item not found, or not yours.")
    return item
