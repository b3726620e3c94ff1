"""Who may see and change items that people made."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.module_loading import import_string

from ..guests import Guest, Keeper
from .models import OwnItem


def find_visible(person: Keeper) -> QuerySet[OwnItem]:
    """One's own items, and what those share at whose tables one has a seat. In one query.

    Guests have the catalogue alone: items are shared with accounts.
    """
    if isinstance(person, Guest):
        return OwnItem.objects.none()
    gms = import_string(settings.COSMOS_FIND_GMS)(person)
    return OwnItem.objects.filter(Q(owner=person) | Q(shared=True, owner__in=gms)).select_related("owner")


def find_own(person: User, pk: int) -> OwnItem:
    """A item of one's own, to change it; for everybody else it does not exist."""
    item = OwnItem.objects.filter(pk=pk, owner=person).first()
    if item is None:
        raise Http404("Item not found, or not yours.")
    return item
