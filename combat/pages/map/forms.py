"""The forms of the map editor that name no shape: coordinates, the picture and its size, a map's file."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django import forms
from django.utils.html import format_html

from characters.display.number_fields import DecimalField
from combat.play.scenes.drawing import read_corners
from combat.play.scenes.map_files import MAX_BYTES
from combat.play.scenes.ready import find_ready_scenes
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Point
from cosmos_site.base.forms import CheckedField, PictureField, SiteForm, UploadField, set_choices, wrong
from cosmos_site.base.pictures import SCENE

from .zone_form import name_units

MAX_LENGTH = 60  # of a name


class _Ready(forms.RadioSelect):
    template_name = "combat/map/drawing/ready_choices.html"


class MapToolForm(SiteForm):
    """A form whose lengths are in the unit of the game."""

    def __init__(self, system: System, *sent: Any) -> None:
        super().__init__(*sent)
        name_units(self, system.space.unit)
        if "points" in self.fields:
            self.fields["points"].label = f"{self.fields['points'].label} ({system.space.unit})"


def _read_drawn(text: str) -> tuple[Point, ...]:
    return read_corners(text, least=1)


class DrawForm(MapToolForm):
    """A shape by the coordinates of its corners."""

    ids = "draw-%s"
    points = CheckedField(
        _read_drawn,
        label="Points",
        help_text="two corners, or the corners of a chain of walls; one place for a way",
        widget=forms.TextInput({"maxlength": 4000, "placeholder": "0,0; 10,6", "autocomplete": "off"}),
    )
    name = CheckedField(
        lambda words: " ".join(words.split())[:MAX_LENGTH],
        label="Name",
        required=False,
        widget=forms.TextInput({"maxlength": MAX_LENGTH, "autocomplete": "off"}),
    )
    rows = (("points", "name"),)


class SendPictureForm(MapToolForm):
    """A picture to lay under the map."""

    ids = "picture-%s"
    picture = PictureField(
        SCENE, None, label="File", help_text=f"PNG, JPEG or WebP, up to {SCENE.max_bytes // 1_000_000} MB"
    )
    metres = DecimalField(
        label="Width", required=False, help_text="blank: as the last one, or drag “Size picture” later"
    )
    rows = (("picture", "metres"),)


class ScaleForm(MapToolForm):
    """Two places on the picture, and how far apart they are."""

    ids = "scale-%s"
    points = CheckedField(
        read_corners,
        label="Two places on the picture",
        widget=forms.TextInput({"maxlength": 60, "placeholder": "0,0; 10,0", "autocomplete": "off"}),
    )
    metres = DecimalField(
        label="Apart", error_messages={"required": "Enter how far apart the two places are."}
    )
    align = forms.BooleanField(
        label="Lay the first place on a corner of the grid", required=False, initial=True
    )


class ImportMapForm(MapToolForm):
    """A map of another program, and how wide its squares are."""

    ids = "map-%s"
    file = UploadField(
        MAX_BYTES,
        label="File",
        help_text=f".dd2vtt, .uvtt, .df2vtt, or .json of Foundry, up to {MAX_BYTES // 1_000_000} MB",
        widget=forms.FileInput({"accept": ".dd2vtt,.uvtt,.df2vtt,.json,application/json"}),
    )
    metres = DecimalField(label="Side of a square", required=False, min_value=0.1, max_value=100)
    keep = forms.BooleanField(label="Keep the zones", required=False)
    deck = forms.BooleanField(label="Add it as a deck above what is drawn", required=False)

    def __init__(self, system: System, *sent: Any) -> None:
        super().__init__(system, *sent)
        self.fields["metres"].help_text = f"blank: as a scene says, else {system.space.cell_meters:g}"


class ReadyForm(MapToolForm):
    """A scene of the library."""

    ids = "ready-%s"
    missing = wrong("There is no such scene: choose one from the list.")
    ready = forms.ChoiceField(label="", widget=_Ready, error_messages=missing)

    def __init__(self, system: System, *sent: Any) -> None:
        super().__init__(system, *sent)
        groups = groupby(find_ready_scenes(), key=lambda one: one.group)
        rows = [(name, [(one.key, _describe(one)) for one in found]) for name, found in groups]
        set_choices(self, "ready", rows)


class OwnSceneForm(MapToolForm):
    """The scene of another encounter of one's own, by its number."""

    number = forms.IntegerField(min_value=1, error_messages=wrong("That scene is gone: choose another one."))


def _describe(ready: Any) -> str:
    return format_html('<span><b>{}</b> <small class="muted">{}</small></span>', ready.name, ready.about)
