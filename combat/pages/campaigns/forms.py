"""The forms of a campaign's page and of its handouts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters.display.shapes import Shape
from characters.models import Character
from combat.display.forms.fields import NewEncounterForm
from combat.display.forms.own_conditions import EACH, LINES
from combat.display.shapes.chips import Chip
from combat.models import Campaign, Handout, Seat
from combat.play.campaigns import campaigns, handouts
from combat.play.campaigns.own_conditions import read_condition
from combat.rules.core.basics.checking import clean_text
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count, read_whole
from combat.rules.core.basics.words import possessive, say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import MAX_TURNS
from combat.rules.core.state.state import OwnCondition
from cosmos_site.base.errors import CONFLICT
from cosmos_site.base.forms import CheckedField, PictureField, SiteForm, T
from cosmos_site.base.markdown import HINT
from cosmos_site.base.pictures import HANDOUT

from .example_odds import Effect, view_effects

NAMELESS = "New condition"
FIELDS = ("name", "turns", "points")  # that a tap may fill


class NewCampaignForm(SiteForm):
    """A name."""

    use_required_attribute = True
    name = CheckedField(campaigns.clean_title, label="Name of a new campaign", max_length=campaigns.MAX_NAME)


class CampaignForm(SiteForm):
    """One form of a campaign's page; without fields it is a button."""

    use_required_attribute = True
    do = ""  # the button that sends it

    def __init__(self, campaign: Campaign, *sent: Any) -> None:
        super().__init__(*sent, auto_id=f"{self.do}-%s", initial=self.find_initial(campaign))
        self.campaign = campaign

    def find_initial(self, campaign: Campaign) -> dict[str, Any]:
        """The values before anything is typed."""
        return {}


class RenameForm(CampaignForm):
    """The campaign's name."""

    do = "name"
    name = CheckedField(campaigns.clean_title, label="Name", max_length=campaigns.MAX_NAME)

    def find_initial(self, campaign: Campaign) -> dict[str, Any]:
        """Its name."""
        return {"name": campaign.name}


class SeenForm(CampaignForm):
    """A form that sends back what it was opened with: saved from an old page, it replaces nothing unread."""

    seen_text = forms.CharField(required=False, widget=forms.HiddenInput)
    is_stale = False  # the page shows both texts

    def find_seen(self) -> str:
        """What the form sends if it is opened now."""
        raise NotImplementedError

    def carry_out(self, do: Callable[[dict[str, Any]], T]) -> T | None:
        """As every form; after a refusal for what has changed, the next save replaces that."""
        done = super().carry_out(do)
        if self.status == CONFLICT:
            self.is_stale, self.data = True, dict(self.data.items()) | {"seen_text": self.find_seen()}
        return done


class NotesForm(SeenForm):
    """The GM's notes; empty ones are saved too."""

    use_required_attribute = False
    do = "notes"
    rows = (("notes",),)  # what it was opened with stands where the page says how it is saved
    notes = CheckedField(
        partial(clean_text, most=campaigns.MAX_NOTES, what="Notes"),
        label="For your eyes only",
        max_length=campaigns.MAX_NOTES,
        widget=forms.Textarea({"rows": 8}),
    )

    def find_initial(self, campaign: Campaign) -> dict[str, Any]:
        """The notes as they are."""
        return {"notes": campaign.notes, "seen_text": campaigns.write_seen(campaign.notes)}

    def find_seen(self) -> str:
        """The stamp of the notes."""
        return campaigns.write_seen(self.campaign.notes)


class DeleteForm(CampaignForm):
    """The campaign's name, typed once more since a deleted campaign is gone for good."""

    do = "delete"
    asked = "Type the campaign's name to delete it, its handouts and its notes."
    confirm = forms.CharField(
        label="Type the campaign's name",
        widget=forms.TextInput({"autocomplete": "off"}),
        error_messages={"required": asked},
    )

    def clean_confirm(self) -> str:
        """The name."""
        if self.cleaned_data["confirm"] != self.campaign.name:
            raise forms.ValidationError(self.asked)
        return self.campaign.name


class PlanForm(SiteForm):
    """The day on which a fight is to be played, by the table's own calendar; blank: none."""

    ids = "plan-%s"
    planned = forms.DateField(
        required=False,
        label="Day",
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "A day, such as 2026-11-28, or blank for none."},
    )


class EncounterForm(CampaignForm, NewEncounterForm):
    """A new encounter; its game is first the one played last."""

    do = "encounter"
    use_required_attribute = False

    def find_initial(self, campaign: Campaign) -> dict[str, Any]:
        """The game played last."""
        return {"system": campaigns.find_last_game(campaign.encounters)}


class _PeopleField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]  # generic only for checkers
    widget = forms.CheckboxSelectMultiple
    owner = 0  # of the campaign: whose the others are stands beside them

    def clean(self, value: Any) -> Any:
        """The characters; a number too large for the database is none of them."""
        if any(read_count(str(one)) is None for one in value or ()):
            raise forms.ValidationError(self.error_messages["invalid_pk_value"], code="invalid_pk_value")
        return super().clean(value)

    def label_from_instance(self, obj: Any) -> SafeString:
        """Name, summary, and whose it is if it is not the GM's own."""
        theirs = possessive(obj.owner.get_username()) if obj.owner else "a guest's"
        whose = "" if obj.owner_id == self.owner else f" · {theirs}"
        return format_html("{} <small>{}{}</small>", obj.name, obj.summary, whose)


class AddPeopleForm(CampaignForm):
    """Characters to add to the campaign."""

    do, npc, title = "add_people", False, "Add people"
    who = _PeopleField(
        Character.objects.none(),
        label="Who",
        error_messages={
            "required": "Nobody is selected: choose from the list.",
            **dict.fromkeys(
                ("invalid_choice", "invalid_pk_value"), "Choose from the list: some are no longer there."
            ),
        },
    )

    def __init__(self, campaign: Campaign, *sent: Any) -> None:
        super().__init__(campaign, *sent)
        field = self.fields["who"]
        assert isinstance(field, _PeopleField)
        field.owner = campaign.owner_id
        self.candidates = field.queryset = campaigns.find_candidates(campaign, self.npc)


class AddNpcsForm(AddPeopleForm):
    """NPCs to add."""

    do, npc, title = "add_npcs", True, "Add NPCs"


class HandoutForm(CampaignForm):
    """A handout: title, text, picture."""

    do = "handout"
    title = CheckedField(campaigns.clean_title, label="Title", max_length=campaigns.MAX_NAME)
    text = CheckedField(
        partial(clean_text, most=handouts.MAX_TEXT, what="The text"),
        label="Text",
        required=False,
        max_length=handouts.MAX_TEXT,
        widget=forms.Textarea({"rows": 5}),
        help_text=HINT,
    )
    picture = PictureField(
        HANDOUT,
        HANDOUT.side,
        label="Picture",
        required=False,
        help_text=f"JPEG, PNG or WebP, up to {HANDOUT.max_bytes // 1_000_000} MB; "
        f"shown at up to {HANDOUT.side} pixels",
    )


class EditHandoutForm(SeenForm, HandoutForm):
    """A handout as it is; one with a picture may lose it."""

    drop_picture = forms.BooleanField(label="Remove the picture", required=False)

    def __init__(self, campaign: Campaign, handout: Handout, *sent: Any) -> None:
        super().__init__(campaign, *sent)
        self.handout = handout
        self.initial = {"title": handout.title, "text": handout.text, "seen_text": self.find_seen()}
        if not handout.digest:
            del self.fields["drop_picture"]

    def find_seen(self) -> str:
        """The stamp of the handout."""
        return handouts.see_handout(self.handout)


class DeleteHandoutForm(SiteForm):
    """A box to tick, since a deleted handout is gone for good."""

    sure = forms.BooleanField(error_messages={"required": "Select the box to delete the handout for good."})

    def __init__(self, handout: Handout, *sent: Any) -> None:
        super().__init__(*sent)
        self.fields[
            "sure"
        ].label = f"Delete “{handout.title}” with its text and picture, also for those who see it"


class ShowHandoutForm(SiteForm):
    """The seats that see a handout; with none, everybody does."""

    to = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, handout: Handout, seats: list[Seat], shown: set[int | None], data: Any = None) -> None:
        super().__init__(data, auto_id=f"to-{handout.pk}-%s", initial={"to": [*shown]})
        self.handout, self.seats, self.shown = handout, seats, shown
        field = self.fields["to"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.label = format_html('<span class="vh">Who sees {}</span>', handout.title)
        field.help_text = (
            "Select seats, or none: everyone, spectators too" if seats else "Everyone, spectators too"
        )
        field.choices = [
            (str(seat.pk), format_html("{} <small>{}</small>", seat.name, seat.get_kind_display()))
            for seat in seats
        ]
        field.error_messages["invalid_choice"] = "Someone chosen has left the table: choose again."

    def send(self, data: Any) -> ShowHandoutForm:
        """The same form with what was sent."""
        return ShowHandoutForm(self.handout, self.seats, self.shown, data)


# A condition of the GM's own while it is typed: as rows and cards will show it, and what would be right.


class LiveFault(Shape, frozen=True):
    """What is wrong at a field, by its place on the page, and the value that would do, as it is sent."""

    place: str
    words: str
    take: str = ""
    taken: str = ""


class LiveCondition(Shape, frozen=True):
    """The chip as the table draws it, the sentence beside it, what it does to odds, and the faults."""

    chip: Chip
    effects: tuple[Effect, ...] = ()
    faults: tuple[LiveFault, ...] = ()
    lines: int = LINES

    @property
    def places(self) -> list[str]:
        """The fields of the form that may have a fault."""
        return ["own-name", "own-turns", *(f"own-points-{number}" for number in range(1, self.lines + 1))]

    @property
    def chips(self) -> tuple[Chip, ...]:
        """As rows list them."""
        return (self.chip,)


def show_condition(system: System, own: OwnCondition) -> LiveCondition:
    """A condition as it is stored, or the fresh one."""
    return LiveCondition(_make_chip(system, own), view_effects(system, own))


def view_typed(system: System, posted: QueryDict) -> LiveCondition:
    """What is typed so far: a faulty field counts with the value that would do, or not at all."""
    changes, faults = _read_changes(system, posted)
    turns = read_whole(posted.get("turns", "") or "0")
    if turns is None or not 0 <= turns <= MAX_TURNS:
        good = 0 if turns is None or turns < 0 else MAX_TURNS
        faults.append(_make_fault("own-turns", f"0 to {MAX_TURNS} turns", f"turns={good}", str(good)))
        turns = good
    known = system.characters.own_conditions.effects
    fields: dict[str, Any] = {
        "sign": posted.get("sign", "ruling"),
        "changes": changes,
        "effects": [key for key in posted.getlist("effects") if key in known],
        "turns": turns,
        "note": posted.get("note", "")[:200],
    }
    name = posted.get("name", "").strip() or NAMELESS
    try:
        own = read_condition(system, {**fields, "name": name})
    except Refused as refused:
        other = f"{name} (ours)"[:60]
        faults.append(_make_fault("own-name", refused.message, f"name={other}", other))
        own = OwnCondition("", NAMELESS, changes=changes, effects=tuple(fields["effects"]), turns=turns)
    count = max(LINES, len(posted.getlist("points")[:50]))
    effects = view_effects(system, own)
    return LiveCondition(_make_chip(system, own), effects, faults=tuple(faults), lines=count)


def _read_changes(system: System, posted: QueryDict) -> tuple[dict[str, int], list[LiveFault]]:
    """The changes by number, each once and within bounds, and what is wrong with the lines."""
    rules, changes, faults = system.characters.own_conditions, dict[str, int](), list[LiveFault]()
    lines = zip(posted.getlist("change"), posted.getlist("points"), strict=False)
    for number, (key, word) in enumerate(lines, 1):
        points, place = read_whole(word.strip() or "0"), f"own-points-{number}"
        if not key or key not in rules.changes or key in changes or (points == 0 and posted.get(EACH)):
            continue
        if points is None or points == 0:
            faults.append(_make_fault(place, "By how much, such as −2?", f"points.{number}=-2", "−2"))
        elif abs(points) > rules.most:
            points = rules.most if points > 0 else -rules.most
            shown = say_number(points, signed=True)
            words = f"−{rules.most} to +{rules.most}"
            faults.append(_make_fault(place, words, f"points.{number}={points}", shown))
        if points:
            changes[key] = points
    return changes, faults


def _make_fault(place: str, words: str, take: str, taken: str) -> LiveFault:
    return LiveFault(place, words, take=take, taken=taken)


def take_fix(posted: QueryDict) -> QueryDict:
    """What was sent, with the value that was tapped in its field: "name=…", or "points.2=…" for a line."""
    place, _, value = posted.get("take", "").partition("=")
    name, _, line = place.partition(".")
    fixed, number = posted.copy(), read_whole(line) or 1
    values = fixed.getlist(name)
    if name in FIELDS and 0 < number <= len(values):
        values[number - 1] = value
        fixed.setlist(name, values)
    return fixed


def _make_chip(system: System, own: OwnCondition) -> Chip:
    ends = f"{own.turns} turn{'s' if own.turns != 1 else ''}" if own.turns else "until removed"
    return Chip(
        "live",
        own.name or NAMELESS,
        ends=ends,
        text=system.characters.own_conditions.describe(own) or "Changes nothing yet.",
        rule="",
        look=own.sign or "ruling",
        count=str(own.turns or ""),
    )
