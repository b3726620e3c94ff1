"""The pages of packs: the list, a new one, and one with what it would change in a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from functools import partial
from typing import Any

from crispy_forms.layout import Div, Layout
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from characters.access import find_owned, person_of
from characters.faces import find_faces
from combat.display.combatants.tokens import Look, draw_character
from combat.models import Campaign, Pack
from combat.play.campaigns.campaigns import MAX_NAME, clean_title, find_campaigns
from combat.play.packs import keeping, making, using
from combat.play.packs.documents import MAX_BYTES
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import clean_text
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import answer_file
from cosmos_site.base.forms import CheckedField, SiteForm, UploadField, see_other, set_choices

KINDS = (  # of what is in a pack: its key, icon and words
    ("npcs", "people", "stat block", "stat blocks"),
    ("items", "box", "item", "items"),
    ("encounters", "flag", "encounter", "encounters"),
    ("scenes", "layers", "scene", "scenes"),
    ("handouts", "letter", "handout", "handouts"),
    ("rules", "notes", "house rule", "house rules"),
    ("conditions", "ping", "condition", "conditions"),
)
ICONS = {  # of what is in a pack, by its kind
    "Item": "box",
    "Handout": "letter",
    "Encounter": "flag",
    "Scene": "layers",
    "House rule": "notes",
    "Condition": "ping",
    "Table to roll on": "chart",
    "Ruling": "check",
}
SIGNS = {  # of the groups on the page of a new pack
    "Encounters and scenes": "flag",
    "Stat blocks": "people",
    "Handouts": "letter",
    "Tables to roll on": "chart",
    "House rules": "notes",
    "Own conditions": "ping",
    "Rulings": "check",
    "Own items": "box",
}
HINTS = {  # what a group has, where a campaign has none of it yet
    "Encounters and scenes": "prepared fights with their maps",
    "Stat blocks": "the NPCs of the campaign",
    "Handouts": "letters, maps and faces",
    "Tables to roll on": "who comes, what they find",
    "House rules": "what you changed from the book",
    "Own conditions": "a sign and what it changes",
    "Rulings": "how you read the book",
    "Own items": "gear of your own",
}
MAX_OPEN = 20  # things of a group; the others are folded
MAX_FACES = 6  # in the picture of a new pack


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
    thing = forms.MultipleChoiceField(required=False)

    def __init__(self, campaign: Campaign, *sent: Any, author: str) -> None:
        usual = {"name": campaign.name, "author": author, "release": "1"}
        super().__init__(*sent, initial=usual)
        self.offers = making.find_offers(campaign)
        rows = [one for offers in self.offers.values() for one in offers]
        set_choices(self, "thing", [(one.value, one.name) for one in rows])
        self.helper.layout = Layout(
            Div("name", "release", css_class="form-row"),
            Div("author", "license", css_class="form-row"),
            "about",
        )


@dataclass(frozen=True)
class OfferView:
    """A thing that can go into a pack, with the face of a stat block, and whether it is chosen."""

    offer: making.Offer
    is_chosen: bool
    look: Look | None


@dataclass(frozen=True)
class OfferGroup:
    """The things of a kind that can go into a pack: its icon and words; some are folded."""

    icon: str
    title: str
    rows: tuple[OfferView, ...]

    @property
    def open(self) -> tuple[OfferView, ...]:
        """Those that are shown at once."""
        return self.rows[:MAX_OPEN]

    @property
    def folded(self) -> tuple[OfferView, ...]:
        """All others."""
        return self.rows[MAX_OPEN:]


def _view_offers(form: NewPackForm) -> dict[str, Any]:
    """What can go into the pack by kind, the faces among it, and the kinds that have nothing yet."""
    chosen = set(form["thing"].value() or ())
    groups = [
        OfferGroup(SIGNS[title], title, tuple(_view_offer(one, chosen) for one in offers))
        for title, offers in form.offers.items()
        if offers
    ]
    looks = [row.look for group in groups for row in group.rows if row.look]
    missing = [(title, SIGNS[title], HINTS[title]) for title, offers in form.offers.items() if not offers]
    return {"groups": groups, "looks": looks[:MAX_FACES], "missing": missing, "signs": SIGNS}


def _view_offer(offer: making.Offer, chosen: Set[str]) -> OfferView:
    look = draw_character(offer.character, "is-foe") if offer.character else None
    return OfferView(offer, offer.value in chosen, look)


class PreviewForm(SiteForm):
    """The campaign to compare a pack with."""

    campaign = forms.ChoiceField(label="Campaign")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_packs(request: HttpRequest) -> HttpResponse:
    """The user's packs, and the form that reads one from a file."""
    person, form = person_of(request), ReadPackForm()
    if request.method == "POST":
        form = ReadPackForm(request.POST, request.FILES)
        had = dict(keeping.find_packs(person).values_list("pk", "name"))
        pack = form.carry_out(lambda said: keeping.read_pack(person, said["file"]))
        if pack:
            messages.success(request, _say_read(pack, had))
            return see_other("pack", pack.pk)
    context = {
        "packs": [_view_card(one) for one in keeping.find_packs(person).prefetch_related("uses__campaign")],
        "campaigns": find_campaigns(person).only("name"),
        "form": form,
        "kinds": KINDS,
    }
    return render(request, "combat/packs/packs.html", context, status=form.status)


@dataclass(frozen=True)
class PackCard:
    """A pack as a card: its game, if it is of one that is here, faces, and how much of each kind is in it."""

    pack: Pack
    game: System | None
    faces: tuple[str, ...]
    counts: tuple[tuple[str, str, int], ...]  # icon, words, number


def _view_card(pack: Pack) -> PackCard:
    known, games = pack.contents, [slug for slug in pack.contents.get("games", []) if slug in SYSTEMS]
    counts = [
        (icon, one if number == 1 else several, number)
        for kind, icon, one, several in KINDS
        if (number := known.get("counts", {}).get(kind, 0))
    ]
    faces = tuple(find_faces(name, "person", pc=False)[0] for name in known.get("people", []))
    return PackCard(pack, find_system(games[0]) if len(games) == 1 else None, faces, counts=tuple(counts))


def _say_read(pack: Pack, had: dict[int, str]) -> str:
    """What reading a file did; `had` are the names of the packs that were there before."""
    if pack.pk in had:
        return f"You have “{pack.name}” already: the file is the same, and nothing has changed."
    said = f"The file of “{pack.name}” was read. Nothing changes until you switch it on."
    return f"{said} You have another pack of this name: compare them." if pack.name in had.values() else said


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make_pack(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose what of a campaign goes into a pack, and make it."""
    campaign, person = find_owned(request, Campaign.objects, pk), person_of(request)
    sent = [request.POST] if request.method == "POST" else []
    form = NewPackForm(campaign, *sent, author=person.get_username())
    if sent:

        def make(said: dict[str, Any]) -> Pack:
            return keeping.keep_pack(person, making.make_pack(campaign, said["thing"], said))

        pack = form.carry_out(make)
        if pack:
            messages.success(request, f"“{pack.name}” is ready. Download it to pass it on.")
            return see_other("pack", pack.pk)
    context = {"campaign": campaign, "form": form, **_view_offers(form)}
    return render(request, "combat/packs/new_pack.html", context, status=form.status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_pack(request: HttpRequest, pk: int) -> HttpResponse:
    """A pack: what is in it, what it would change in a campaign, on and off."""
    pack, refused = find_owned(request, Pack.objects, pk), None
    if request.method == "POST":
        try:
            return _perform(request, pack)
        except Refused as problem:
            refused = problem
    context = _find_shown(request, pack)
    status = status_of(refused) if refused else 200
    return render(request, "combat/packs/pack.html", {**context, "refused": refused}, status=status)


def _perform(request: HttpRequest, pack: Pack) -> HttpResponse:
    """Do what a form of the page asks; raises Refused."""
    do = request.POST.get("do", "")
    if do == "delete":
        keeping.delete_pack(pack)
        messages.success(request, f"“{pack.name}” is deleted.")
        return see_other("packs")
    if do not in ("on", "off"):
        raise Refused("unknown", "This page has no such action.")
    campaign = find_owned(request, Campaign.objects, read_count(request.POST.get("campaign", "")) or 0)
    if do == "on":
        using.switch_on(pack, campaign)
        messages.success(request, f"“{pack.name}” is on in {campaign.name}.")
    else:
        using.switch_off(pack, campaign)
        messages.success(request, f"“{pack.name}” is off in {campaign.name}. What you changed stays.")
    return see_other("pack", pack.pk)


def _find_shown(request: HttpRequest, pack: Pack) -> dict[str, Any]:
    """The values of the page's template: the preview is for the campaign asked for."""
    document = keeping.open_pack(pack)
    uses = list(pack.uses.select_related("campaign"))
    on = {use.campaign_id for use in uses}
    free = [one for one in find_campaigns(person_of(request)).defer("notes") if one.pk not in on]
    wanted = read_count(request.GET.get("campaign") or request.POST.get("campaign") or "")
    campaign = next((one for one in free if one.pk == wanted), None)
    rows = using.compare(document, campaign)
    return {
        "pack": pack,
        "document": document,
        "uses": uses,
        "form": PreviewForm(choices={"campaign": [(str(one.pk), one.name) for one in free]})
        if free
        else None,
        "campaign": campaign,
        "cards": [_view_entry(row) for row in rows],
        "cover": _view_card(pack),
        "counts": Counter(row.state for row in rows),
    }


def _view_entry(row: using.PackEntry) -> tuple[using.PackEntry, str, str]:
    """What is in a pack as its card shows it: the icon of its kind, and the face of a person."""
    is_person = row.kind == "Stat block"
    face = find_faces(row.name, "person", pc=False)[0] if is_person else ""
    return row, ICONS.get(row.kind, "notes"), face


@login_required
@require_safe
def download_pack(request: HttpRequest, pk: int) -> HttpResponse:
    """The file of a pack."""
    pack = find_owned(request, Pack.objects, pk)
    return answer_file(keeping.read_file(pack), f"{slugify(pack.name)[:60] or 'pack'}.pack.json")
