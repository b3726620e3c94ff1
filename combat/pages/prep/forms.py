"""The forms of the preparation: house rules, rows of the roster, a character, the encounter itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.html import format_html

from characters.display.number_fields import DecimalField
from characters.exchange.reading import MAX_BYTES as MAX_FILE
from characters.faces import FACES
from characters.gear.forms import PILLS, OneChip
from characters.models import Character
from combat.display.forms.fields import WAIT, NewEncounterForm, SideForm, list_zones
from combat.display.rules_view import link_rule
from combat.models import Campaign
from combat.play.after.imports import MAX_BYTES
from combat.play.campaigns.campaigns import MAX_NAME, clean_title
from combat.play.notes.lists import MAX_LIST
from combat.play.scenes.imported import is_map
from combat.play.scenes.map_files import MAX_BYTES as MAP_BYTES
from combat.play.scenes.ready import find_ready_scenes
from combat.rules.core.declaration.book import TABLE_OPTIONS, TOPICS, TableOption
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import FORMAT
from combat.rules.core.gm.decisions import MAX_LENGTH, MAX_NUMBER
from combat.rules.core.state.state import State, present
from cosmos_site.base.file_kinds import FORMATS, find_kind
from cosmos_site.base.forms import CheckedField, SiteForm, UploadField, set_choices
from cosmos_site.base.pictures import SCENE
from cosmos_site.base.tags import MAX_TAGS, clean_tags

MAPS = (".uvtt", ".dd2vtt", ".df2vtt")
OWN_FILES = "image/jpeg,image/png,image/webp,.dd2vtt,.uvtt,.df2vtt,.json,application/json"
MAX_OWN = max(MAP_BYTES, SCENE.max_bytes)  # of a picture, or of a map file
DRAW, LAST = "draw", "last"  # beside the ready scenes: an empty map to draw, the scene of the last encounter
NO_FACE = "none"  # the choice that takes a face away
MIN_START, MAX_START = 1, 1000  # meters that a start area is wide and deep
INSIDE = "inside:"  # before the id of one whom others can be inside, among the zones
GROUPS = (*(key for key, *_ in TOPICS), "table")  # of options, as a page shows them


@dataclass(frozen=True)
class Chip:
    """A condition of the scene, such as its light: its field, what it is now in words, whether as usual."""

    field: forms.BoundField
    now: str
    is_usual: bool


class OptionsForm(SiteForm):
    """Scene conditions and house rules: a field for each that is declared, changed rules first.

    Of the groups of rules only those that are `opened` have fields.
    """

    def __init__(
        self,
        system: System,
        state: State,
        sent: Any = None,
        *,
        settings: bool = True,
        opened: Collection[str] = GROUPS,
    ) -> None:
        super().__init__(sent)
        self.system, self.state = system, state
        self.settings: list[Chip] = []
        for one in system.find_settings(state) if settings else ():
            note = format_html(" {}", link_rule(one.rule, system.slug)) if one.rule else ""
            now = system.setting(state, one.key)
            self._add(f"setting-{one.key}", one.label, one.choices, now=now, note=note)
            self.settings.append(Chip(self[f"setting-{one.key}"], dict(one.choices)[now], now == one.default))
        rules = system.book.options
        topics = [(*topic, [one for one in rules if one.topic == topic[0]]) for topic in TOPICS]
        groups = (*topics, ("table", "At the table", "talk", TABLE_OPTIONS))
        self.groups = [self._add_group(*group, is_open=group[0] in opened) for group in groups if group[-1]]

    def _add_group(
        self, key: str, label: str, icon: str, options: Iterable[TableOption], *, is_open: bool
    ) -> dict[str, Any]:
        """Fields under a heading, if it is open, and the options that differ: label, value, default."""
        rows = [(one, self.system.option(self.state, one.key)) for one in options]
        rows.sort(key=lambda row: row[1] == row[0].default)
        changed = [(o.label, o.describe(now), o.describe(o.default)) for o, now in rows if now != o.default]
        fields = [self._add_option(*row) for row in rows] if is_open else []
        return {"key": key, "label": label, "icon": icon, "fields": fields, "changed": changed}

    def _add_option(self, option: TableOption, now: Any) -> forms.BoundField:
        choices = [(one, option.describe(one)) for one in dict.fromkeys((*option.choices, now))]
        return self._add(f"option-{option.key}", option.label, choices, now=now)

    def _add(
        self, name: str, label: str, choices: Iterable[Any], now: Any, note: str = ""
    ) -> forms.BoundField:
        shown: dict[str, Any] = {"label": label, "help_text": note, "initial": now, "required": False}
        if isinstance(now, bool):
            self.fields[name] = forms.BooleanField(**shown)
        else:
            wrong = f"choose {', '.join(words for _, words in choices)}."
            shown |= {"error_messages": {"invalid_choice": wrong}}
            self.fields[name] = forms.ChoiceField(choices=choices, **shown)
        return self[name]

    def find_changes(self) -> list[tuple[str, str, Any]]:
        """What is changed: "option" or "setting", its key, the new value. A list without a choice stays.

        What is as the page showed it stays as it is now: a co-GM may have changed it meanwhile.
        """
        found = []
        for name, said in self.cleaned_data.items():
            kind, _, key = name.partition("-")
            now = str(self.fields[name].initial)
            if said != "" and str(said) not in (now, self.data.get(f"was-{name}", now)):
                found.append((kind, key, said))
        return found


class ArrangeForm(SiteForm):
    """Changes of selected combatants, or of one row as it is: what is blank stays."""

    name = forms.CharField(
        label="Name",
        max_length=MAX_LENGTH,
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "autofocus": True}),
    )
    alias = forms.CharField(
        label="Alias",
        max_length=MAX_LENGTH,
        required=False,
        help_text="the name players read until you reveal them",
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    side = forms.CharField(
        label="Side", max_length=MAX_LENGTH, required=False, widget=forms.TextInput({"list": "people-sides"})
    )
    zone = forms.ChoiceField(label="Zone", required=False)
    hidden = forms.ChoiceField(
        label="Seen by players",
        choices=[("", "as it is"), ("no", "as usual"), ("yes", "hidden")],
        required=False,
    )
    face = forms.ChoiceField(label="Face", required=False)

    def __init__(
        self,
        system: System,
        state: State,
        *sent: Any,
        people: Collection[str] = (),
        auto_id: str = "several-%s",
        **row: Any,
    ) -> None:
        super().__init__(*sent, auto_id=auto_id, initial=row)
        carriers = [
            (f"{INSIDE}{one.id}", f"in {one.name}")
            for one in present(state)
            if one.id not in people and system.actions.carries(one)
        ]
        set_choices(self, "zone", [("", "as it is"), *list_zones(state)[1:], *carriers])
        faces = [(one.key, one.name) for one in FACES]
        none = [("", "as it is"), (NO_FACE, "by the name")]
        set_choices(self, "face", [*(none if row.get("face", "?") else [("", "by the name")]), *faces])
        if not row:
            self.fields["side"].widget.attrs["placeholder"] = "as it is"

    def clean(self) -> dict[str, Any]:
        """What is said, without what is blank."""
        said: dict[str, Any] = {n: " ".join(word.split()) for n, word in self.cleaned_data.items() if word}
        if "hidden" in said:
            said["hidden"] = said["hidden"] == "yes"
        if said.get("face") == NO_FACE:
            said["face"] = ""
        if said.get("zone", "").startswith(INSIDE):
            said["inside"] = said.pop("zone").removeprefix(INSIDE)
        return said


class PutForm(SiteForm):
    """A place on the map, in meters, for those who are dragged there."""

    x = forms.FloatField(min_value=-MAX_NUMBER, max_value=MAX_NUMBER)
    y = forms.FloatField(min_value=-MAX_NUMBER, max_value=MAX_NUMBER)


class StartAreaForm(PutForm):
    """The corner of a start area, in meters, and its size; blank: as it is."""

    width = forms.FloatField(min_value=MIN_START, max_value=MAX_START, required=False)
    depth = forms.FloatField(min_value=MIN_START, max_value=MAX_START, required=False)


class PeopleForm(SideForm):
    """Notes, and what holds where they say nothing; they are read again while they are typed.

    A file is read into them as soon as it is chosen.
    """

    ids = "people-%s"
    side = forms.CharField(label="Side, if none is named", widget=forms.Select)
    notes = forms.CharField(label="Type or paste your notes", widget=forms.Textarea)
    file = forms.FileField(
        label="Or choose a file",
        help_text=f"Text or JSON, up to {MAX_FILE // 1_000_000} MB. It is added below your notes.",
        widget=forms.FileInput({"accept": "text/plain,text/markdown,application/json,.txt,.md,.json"}),
    )
    zone = forms.ChoiceField(label="Zone, if none is named", required=False)
    later = forms.BooleanField(label="All arrive later", required=False, help_text=WAIT)
    hidden = forms.BooleanField(label="All hidden from players", required=False)

    def __init__(self, system: System, state: State, address: str, **said: Any) -> None:
        super().__init__(state, initial=said)
        set_choices(self, "zone", list_zones(state))
        self.system, notes = system, self.fields["notes"]
        notes.help_text = format_html(
            "Such as: {}. “with” replaces their weapons or armor, “plus” adds to them. "
            "Lists of other programs in JSON are read as well.",
            system.book.imports.example,
        )
        reads = {
            "hx-post": address,
            "hx-vals": '{"do": "read"}',
            "hx-target": "#understood",
            "hx-swap": "outerHTML",
        }
        self.fields["file"].widget.attrs |= {**reads, "hx-encoding": "multipart/form-data"}
        notes.widget.attrs |= {
            **reads,
            "rows": 4,
            "maxlength": MAX_LIST,
            "spellcheck": "false",
            "hx-sync": "this:replace",
            "hx-trigger": "input changed delay:400ms, change from:#people-side, "
            "input changed delay:400ms from:#people-new_side, change from:#people-zone, "
            "change from:#people-hidden",
        }

    @property
    def short_example(self) -> str:
        """Notes in a few words."""
        return self.system.book.imports.short_example


class BringForm(SideForm):
    """One of the GM's own characters, and its side."""

    ids = "bring-%s"
    character = forms.ChoiceField(label="Character")
    rows = (("character", "side", "new_side"),)


def _show_few(field: forms.Field, campaigns: QuerySet[Campaign]) -> None:
    """Show few campaigns as chips; many stay a list."""
    few = [(one.pk, one.name) for one in campaigns[:PILLS]]
    if 0 < len(few) < PILLS:
        field.widget = OneChip(choices=[("", "none"), *few])


class StartForm(NewEncounterForm):
    """A new encounter: its game, its name, who fights in it, where, and in which campaign."""

    ids = "start-%s"
    notes = forms.CharField(label="Who fights", required=False, max_length=MAX_LIST)
    scene = forms.ChoiceField(label="Where", required=False)
    own = UploadField(
        MAX_OWN,
        label="Your picture or map file",
        required=False,
        widget=forms.FileInput({"accept": OWN_FILES}),
    )
    metres = DecimalField(label="Width", required=False, min_value=1, max_value=1000)
    who = forms.MultipleChoiceField(label="Your party", required=False)
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(), label="Campaign", required=False, empty_label="none"
    )

    def __init__(
        self, campaigns: QuerySet[Campaign], now: Campaign | None, party: Iterable[Character], *sent: Any
    ) -> None:
        super().__init__(*sent, initial={"campaign": now})
        field = self.fields["campaign"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = campaigns
        _show_few(field, campaigns)
        ready = [(one.key, one.name) for one in find_ready_scenes()]
        set_choices(self, "scene", [("", "no map"), (DRAW, "draw"), (LAST, "as last time"), *ready])
        set_choices(self, "who", [(str(one.pk), one.name) for one in party])

    def clean_own(self) -> bytes | None:
        """The bytes of the file; an empty one is refused, since nobody sends it for nothing."""
        raw: bytes | None = self.cleaned_data["own"]
        if not raw and self.files.get("own") is not None:
            raise forms.ValidationError("This file is empty: choose another one.")
        return raw


class MoveForm(SiteForm):
    """A campaign of the encounter's owner, or none."""

    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        label="Campaign",
        required=False,
        empty_label="none",
        error_messages={"invalid_choice": "Choose one of your campaigns."},
    )

    def __init__(self, campaigns: QuerySet[Campaign], now: int | None, *sent: Any) -> None:
        super().__init__(*sent, initial={"campaign": now})
        field = self.fields["campaign"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset, self.is_useful = campaigns, bool(now) or campaigns.exists()
        if not self.is_useful:
            field.widget = forms.HiddenInput()
        else:
            _show_few(field, campaigns)


class RenameForm(MoveForm):
    """The encounter's name and its tags, and its campaign, which stays if the form has none to choose."""

    name = CheckedField(clean_title, label="Name", max_length=MAX_NAME)
    tags = CheckedField(
        clean_tags,
        label="Tags",
        required=False,
        help_text=f"up to {MAX_TAGS} words with commas, to find it in your list",
        widget=forms.TextInput({"autocomplete": "off", "placeholder": "boarding, session 8"}),
    )
    field_order = ("name", "tags", "campaign")

    def __init__(
        self, campaigns: QuerySet[Campaign], now: int | None, *sent: Any, names: dict[str, str]
    ) -> None:
        super().__init__(campaigns, now, *sent)
        self.initial.update(names)
        self.chooses = self.is_useful and (not self.is_bound or "campaign" in self.data)


class ImportForm(MoveForm):
    """An exported encounter, and its campaign."""

    file = UploadField(
        MAX_BYTES,
        label="Exported encounter",
        help_text=f"up to {MAX_BYTES // 1_000_000} MB; every step is played again and compared",
        widget=forms.FileInput({"accept": "application/json,.json"}),
    )
    field_order = ("file", "campaign")

    def clean_file(self) -> bytes:
        """The bytes; maps are read elsewhere, by the page of a scene."""
        raw: bytes = self.cleaned_data["file"]
        if is_map(raw) or str(getattr(self.files["file"], "name", "")).lower().endswith(MAPS):
            raise forms.ValidationError("This is a map, not an encounter.", code="map")
        kind = find_kind(raw)
        if kind and kind.words != FORMATS[FORMAT][0]:
            raise forms.ValidationError(kind.refuse("an encounter", "as its GM, export one from the log."))
        return raw


class DeleteForm(SiteForm):
    """The encounter's name, typed once more since a deleted encounter is gone for good."""

    asked = "Type the encounter's name to delete it and its log."
    confirm = forms.CharField(
        label="Type the encounter's name",
        widget=forms.TextInput({"autocomplete": "off"}),
        error_messages={"required": asked},
    )
