"""The form of each kind of shape on a scene, in numbers and names."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django import forms
from django.utils.html import format_html

from characters.display.number_fields import DecimalField
from combat.play.scenes.drawing import Shape, read_corners
from combat.play.scenes.map_files import MAX_BYTES
from combat.play.scenes.ready import find_ready_scenes
from combat.rules.core.declaration.system import System
from combat.rules.core.space import (
    Area,
    BattleMap,
    Deck,
    Light,
    Obstacle,
    Passage,
    Picture,
    Point,
    Wall,
    map_of,
)
from combat.rules.core.space.battle_map import (
    DOOR,
    DUSK,
    FENCE,
    FREE,
    FULL,
    HEXES,
    NIGHT,
    RAIN,
    SQUARES,
    THINGS,
    TINTS,
    WALL,
    WINDOW,
)
from combat.rules.core.space.decks import WAY_KINDS
from combat.rules.core.state.state import State
from cosmos_site.base.forms import CheckedField, PictureField, SiteForm, UploadField, set_choices, wrong
from cosmos_site.base.pictures import SCENE

from .zone_form import name_units, plain

WALL_KINDS = ((WALL, "Wall"), (DOOR, "Door"), (WINDOW, "Window"), (FENCE, "Fence"))
GRID_LABELS = (("", "standard grid"), (SQUARES, "Squares"), (HEXES, "Hexes"), (FREE, "None: free"))
LOOKS = (("", "as its name says"), *((kind, kind.capitalize()) for kind in THINGS))
COLORS = (("", TINTS[0].capitalize()), *((tint, tint.capitalize()) for tint in TINTS[1:]))
SKIES = (("", "Day"), (DUSK, "Dusk"), (NIGHT, "Night"))
WEATHERS = (("", "Dry"), (RAIN, "Rain"))
FARTHEST = 10_000
HOLE = ("hole_x", "hole_y", "hole_width", "hole_depth")
MAX_LENGTH = 60  # of a name


def make_place(label: str) -> DecimalField:
    """A field for a place on the plane."""
    return DecimalField(label=label, min_value=-FARTHEST, max_value=FARTHEST)


def make_length(label: str, least: float = 0.1) -> DecimalField:
    """A field for a length."""
    return DecimalField(label=label, min_value=least, max_value=1000)


class ShapeForm(forms.Form):
    """The base of all shape forms."""

    def __init__(self, system: System, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "shape-%s", **kwargs})
        name_units(self, system.space.unit)
        if "cover" in self.fields:
            covers = [("", "none"), *(pair for pair in system.space.wall_covers if pair[0] not in ("", FULL))]
            set_choices(self, "cover", [*covers, (FULL, "Full: nothing gets through")])
        if "light" in self.fields:
            set_choices(self, "light", [("", "bright"), *system.space.lights])

    @property
    def flags(self) -> list[forms.BoundField]:
        """The checkboxes."""
        return [self[name] for name, field in self.fields.items() if isinstance(field, forms.BooleanField)]

    @property
    def words(self) -> list[forms.BoundField]:
        """The other fields."""
        return [
            self[name] for name, field in self.fields.items() if not isinstance(field, forms.BooleanField)
        ]

    def find_fields(self) -> dict[str, Any]:
        """The values for the shape."""
        said = dict(self.cleaned_data)
        if "light" in said:
            said["kind"] = said.pop("light")
        return said


class WallForm(ShapeForm):
    """A wall, door, window or fence."""

    kind = forms.ChoiceField(label="What", choices=WALL_KINDS)
    name = forms.CharField(label="Name", max_length=60, required=False)
    x1, y1 = make_place("From, left"), make_place("From, top")
    x2, y2 = make_place("To, left"), make_place("To, top")
    cover = forms.ChoiceField(label="Cover behind it", required=False)
    blocks_sight = forms.BooleanField(label="Nobody sees through", required=False)
    blocks_way = forms.BooleanField(label="Nobody walks through", required=False)
    open = forms.BooleanField(label="Door: open", required=False)
    locked = forms.BooleanField(label="Door: only the GM opens it", required=False)
    secret = forms.BooleanField(label="Door: players see a wall while it is shut", required=False)


class ObstacleForm(ShapeForm):
    """A crate, a table, a parked vehicle."""

    name = forms.CharField(label="Name", max_length=60)
    x, y = make_place("Left"), make_place("Top")
    width, depth = make_length("Width"), make_length("Depth")
    height = make_length("Height")
    kind = forms.ChoiceField(label="Looks like", choices=LOOKS, required=False)
    cover = forms.ChoiceField(label="Cover behind it", required=False)
    blocks_sight = forms.BooleanField(label="Nobody sees over it", required=False)
    blocks_way = forms.BooleanField(label="Nobody walks over it", required=False)


class LightForm(ShapeForm):
    """A lamp, a fire."""

    x, y = make_place("Left"), make_place("Top")
    radius = make_length("Shines for")
    light = forms.ChoiceField(label="Light there", required=False)
    tint = forms.ChoiceField(label="Color", choices=COLORS, required=False)


class AreaForm(ShapeForm):
    """A part of the map that players do not see yet."""

    name = forms.CharField(label="Name", max_length=60, required=False)
    x, y = make_place("Left"), make_place("Top")
    width, depth = make_length("Width"), make_length("Depth")


class PictureForm(ShapeForm):
    """Where the picture lies and how large it is."""

    x, y = make_place("Left"), make_place("Top")
    width, depth = make_length("Width"), make_length("Depth")


class WayForm(ShapeForm):
    """A way between two decks: its ends, and the opening in the upper deck."""

    kind = forms.ChoiceField(label="What", choices=[(kind, kind.capitalize()) for kind in WAY_KINDS])
    name = forms.CharField(label="Name", max_length=60, required=False)
    x1, y1 = make_place("Below, left"), make_place("Below, top")
    x2, y2 = make_place("Above, left"), make_place("Above, top")
    hole_x = DecimalField(label="Opening, left", min_value=-FARTHEST, max_value=FARTHEST, required=False)
    hole_y = DecimalField(label="Opening, top", min_value=-FARTHEST, max_value=FARTHEST, required=False)
    hole_width = DecimalField(
        label="Opening, width", min_value=0.1, max_value=1000, required=False, help_text="blank: none"
    )
    hole_depth = DecimalField(label="Opening, depth", min_value=0.1, max_value=1000, required=False)
    open = forms.BooleanField(label="Open", required=False)
    locked = forms.BooleanField(label="Shut: only the GM opens it", required=False)

    def clean(self) -> None:
        """Require all four numbers of an opening, or none."""
        said = [self.cleaned_data.get(name) for name in HOLE]
        if None in said and any(number is not None for number in said):
            self.add_error("hole_width", "Enter left, top, width and depth of the opening, or none of them.")

    def find_fields(self) -> dict[str, Any]:
        """The values for the way, with its opening."""
        said = super().find_fields()
        hole = tuple(said[name] for name in HOLE)
        return {**said, "hole": None if None in hole else hole}


class DeckForm(ShapeForm):
    """A deck: its name, the height of its floor, and its rectangle on the map."""

    name = forms.CharField(label="Name", max_length=60)
    height = DecimalField(label="Height of its floor", min_value=-1000, max_value=1000)
    x, y = make_place("Left"), make_place("Top")
    width, depth = make_length("Width"), make_length("Depth")


class MapForm(ShapeForm):
    """The properties of the whole map."""

    grid = forms.ChoiceField(label="Grid", choices=GRID_LABELS, required=False)
    cell = DecimalField(label="Side of a square", min_value=0.1, max_value=100, required=False)
    sky = forms.ChoiceField(label="Sky", choices=SKIES, required=False)
    weather = forms.ChoiceField(label="Weather", choices=WEATHERS, required=False)
    fog = forms.BooleanField(label="Fog: players see only what their side sees", required=False)
    remembers = forms.BooleanField(label="Explored places stay on the map", required=False)


FORMS: dict[type[Any], type[ShapeForm]] = {
    Wall: WallForm,
    Obstacle: ObstacleForm,
    Light: LightForm,
    Area: AreaForm,
    Picture: PictureForm,
    Passage: WayForm,
    Deck: DeckForm,
    BattleMap: MapForm,
}


def make_shape_form(system: System, shape: Shape | Deck | BattleMap, posted: Any = None) -> ShapeForm:
    """The form of a shape as it is, or as it was posted."""
    data = {key: plain(value) for key, value in read_fields_of(shape).items()}
    form = FORMS[type(shape)](system, posted, initial=data)
    if isinstance(shape, Wall) and shape.kind != DOOR and posted is None:
        for name in ("open", "locked", "secret"):
            del form.fields[name]
    return form


def make_map_form(system: System, state: State, posted: Any = None) -> ShapeForm:
    """The form of the properties of the whole map; offers hexes only while the game counts in them."""
    form = make_shape_form(system, map_of(state.scene), posted)
    form.fields["cell"].help_text = f"blank: {system.space.cell_meters:g}"
    if not system.space.has_hexes(state):
        set_choices(form, "grid", [pair for pair in GRID_LABELS if pair[0] != HEXES])
    return form


def read_fields_of(shape: Shape | Deck | BattleMap) -> dict[str, Any]:
    """The values of a shape, by the names of its form's fields."""
    data = {key: getattr(shape, key) for key in shape.__struct_fields__}
    if isinstance(shape, Light):
        data["light"] = data.pop("kind")
    if isinstance(shape, Passage):
        data |= dict(zip(HOLE, data.pop("hole") or (None,) * len(HOLE), strict=True))
    if isinstance(shape, BattleMap):
        data["cell"] = data["cell"] or None
    return data


def find_changes(form: ShapeForm, shape: Shape | Deck | BattleMap) -> dict[str, Any]:
    """The values of a valid form, limited to the shape's own fields."""
    said = form.find_fields()
    if isinstance(shape, BattleMap):
        said["cell"] = said["cell"] or 0.0
    if isinstance(shape, Wall) and said["kind"] != DOOR:
        said |= {"open": False, "locked": False, "secret": False}
    return {name: said[name] for name in said if name in shape.__struct_fields__}


# The forms of the map editor that name no shape: coordinates, the picture and its size, a map's file.


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
