"""The forms of packs: read a file, make one, choose where it is switched on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from crispy_forms.layout import HTML, Div, Layout
from django import forms
from django.utils.html import format_html

from combat.models import Campaign
from combat.play.packs import making
from combat.play.packs.documents import MAX_BYTES
from combat.play.people.campaigns import MAX_NAME, clean_text, clean_title
from cosmos_site.base.forms import CheckedField, GroupedChecks, SiteForm, UploadField, set_choices


class ReadPackForm(SiteForm):
    """A file."""

    file = UploadField(
        MAX_BYTES,
        label="File",
        help_text=f"up to {MAX_BYTES // 1_000_000} MB; you see what is in it before anything is changed",
        widget=forms.FileInput({"accept": "application/json,.json"}),
    )


class NewPackForm(SiteForm):
    """What goes into a pack, and the words at its head."""

    name = CheckedField(clean_title, label="Name", max_length=MAX_NAME)
    release = forms.CharField(label="Version", max_length=30, required=False)
    author = forms.CharField(label="Author", max_length=100, required=False)
    license = forms.CharField(
        label="License", max_length=100, required=False, widget=forms.TextInput({"placeholder": "CC BY 4.0"})
    )
    about = CheckedField(
        partial(clean_text, most=making.MAX_ABOUT, what="The description"),
        label="Description",
        required=False,
        max_length=making.MAX_ABOUT,
        widget=forms.Textarea({"rows": 3}),
    )
    thing = forms.MultipleChoiceField(required=False, label="", widget=GroupedChecks)

    def __init__(self, campaign: Campaign, *sent: Any, author: str) -> None:
        usual = {"name": campaign.name, "author": author, "release": "1"}
        super().__init__(*sent, auto_id="%s", initial=usual)
        offers = making.find_offers(campaign).items()
        set_choices(self, "thing", [(title, [_offer(one) for one in rows]) for title, rows in offers])
        self.helper.layout = Layout(
            HTML('<section class="card" aria-labelledby="h-about"><h2 id="h-about">About it</h2>'),
            Div("name", "release", css_class="form-row"),
            Div("author", "license", css_class="form-row"),
            "about",
            HTML("</section>"),
            "thing",
        )


def _offer(offer: making.Offer) -> tuple[str, str]:
    note = format_html(' <small class="muted">{}</small>', offer.note) if offer.note else ""
    return offer.value, format_html("{}{}", offer.name, note)


class PreviewForm(SiteForm):
    """The campaign to compare a pack with."""

    campaign = forms.ChoiceField(label="Campaign")

    def __init__(self, free: Iterable[Campaign]) -> None:
        super().__init__(auto_id="%s")
        set_choices(self, "campaign", [(str(one.pk), one.name) for one in free])
