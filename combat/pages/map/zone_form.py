"""The form of a zone: its place and kind; in some games also its neighbors and properties."""

from __future__ import annotations

from typing import Any

import msgspec
from django import forms

from characters.display.number_fields import DecimalField, WholeField
from combat.play.scenes.drawing import without_link
from combat.rules.core.declaration.system import System
from combat.rules.core.space import (
    FLOORS,
    OUTDOORS,
    ROOM,
    Deck,
    Scene,
    Zone,
    ZoneProperty,
    find_links,
    find_rise,
    lay_zone,
    map_of,
)
from combat.rules.core.state.state import State
from cosmos_site.base.forms import SiteForm, set_choices

MAX_STEPS, MAX_POINTS, MAX_PROPERTIES = 20, 20, 3
PLAIN = ("name", "x", "y", "width", "depth", "cover", "light")
LOOKS = ("floor", "kind")
KINDS = (("", "as its floor suggests"), (ROOM, "Room"), (OUTDOORS, "Outdoors"))
SIDES = ("x", "y", "width", "depth")
POINTS = {"into": "Attacks into it", "out": "Attacks out of it", "inside": "Checks inside"}


class ZoneForm(SiteForm):
    """One zone of the scene, with fields for what its game uses."""

    use_required_attribute = True
    ids = "zone-%s"
    id = forms.SlugField(widget=forms.HiddenInput, required=False)
    name = forms.CharField(label="Name", max_length=60)
    x = DecimalField(label="Left", initial=0)
    y = DecimalField(label="Top", initial=0)
    width = DecimalField(label="Width", initial=10, min_value=1, max_value=1000)
    depth = DecimalField(label="Depth", initial=10, min_value=1, max_value=1000)
    height = DecimalField(label="Height", initial=0, required=False, help_text="above the ground")
    cover = forms.ChoiceField(label="Cover", required=False)
    light = forms.ChoiceField(label="Light", required=False)
    floor = forms.ChoiceField(
        label="Floor",
        choices=[("", "as its name suggests"), *((key, key.capitalize()) for key in FLOORS)],
        required=False,
    )
    kind = forms.ChoiceField(label="Place", choices=KINDS, required=False)
    terrain = forms.MultipleChoiceField(
        label="Ground and objects", required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, system: System, state: State, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_units(self, system.space.unit)
        if map_of(state.scene).decks:
            self.fields["height"].help_text = "above its deck"
        for side in ("width", "depth"):
            self.fields[side].initial = system.space.zones.side
        set_choices(self, "cover", [("", "none"), *system.space.covers])
        set_choices(self, "light", [("", "as the scene"), *system.space.zone_lights])
        if not system.space.lights:
            self.fields["light"].help_text = "only how it looks: this game has no rules of light"
        self.terrains = dict(system.find_terrains(state))
        set_choices(self, "terrain", self.terrains.items())
        if system.space.zones.link_rule:
            self._add_links(state.scene)
        if system.space.zones.property_rule:
            self._add_properties()

    def _add_links(self, scene: Scene) -> None:
        """Add a number of steps for every other zone."""
        own = self["id"].value()
        for zone in scene.zones:
            if zone.id != own:
                self.fields[f"link-{zone.id}"] = WholeField(
                    label=f"Steps to {zone.name}", min_value=1, max_value=MAX_STEPS, required=False
                )

    def _add_properties(self) -> None:
        """Add names and points of custom properties."""
        for number in range(MAX_PROPERTIES):
            self.fields[f"property-{number}-name"] = forms.CharField(
                label="Called", max_length=60, required=False
            )
            for key, label in POINTS.items():
                self.fields[f"property-{number}-{key}"] = WholeField(
                    label=label, min_value=-MAX_POINTS, max_value=MAX_POINTS, required=False
                )

    @property
    def links(self) -> list[forms.BoundField]:
        """The fields for the zones next to this one."""
        return [self[name] for name in self.fields if name.startswith("link-")]

    @property
    def is_linked(self) -> bool:
        """Whether any of them has a number."""
        return any(field.value() for field in self.links)

    @property
    def properties(self) -> list[list[forms.BoundField]]:
        """The fields of each custom property, a row each."""
        rows = range(MAX_PROPERTIES if "property-0-name" in self.fields else 0)
        return [[self[f"property-{n}-{key}"] for key in ("name", *POINTS)] for n in rows]

    def make_zone(self, old: Zone | None, zone_id: str, decks: tuple[Deck, ...]) -> Zone:
        """The zone from the form, over one of the decks; values without a field stay as they were."""
        said = self.cleaned_data
        data = {name: said[name] for name in PLAIN} | {
            **{name: said[name] or msgspec.UNSET for name in LOOKS},
            "id": zone_id,
            "terrain": (*said["terrain"], *(self._find_unasked(old) if old else ())),
        }
        if self.links:
            steps = {name.removeprefix("link-"): said[name] for name in said if name.startswith("link-")}
            data["links"] = {zone: number for zone, number in steps.items() if number}
        if self.properties:
            data["properties"] = self._read_properties()
        if old and any(data[name] != getattr(old, name) for name in SIDES):
            data["parts"] = msgspec.UNSET  # they belonged to the old rectangle
        zone = msgspec.structs.replace(old, **data) if old else Zone(**data)
        return lay_zone(decks, zone, said["height"] or 0.0)

    def put_into(self, scene: Scene, old: Zone | None, zone_id: str) -> Scene:
        """The scene with the zone from the form; the zone has all links between it and others."""
        zone = self.make_zone(old, zone_id, map_of(scene).decks)
        others = [without_link(one, zone_id) if self.links else one for one in scene.zones]
        zones = tuple(zone if one.id == zone_id else one for one in others)
        return msgspec.structs.replace(scene, zones=zones if old else (*zones, zone))

    def _find_unasked(self, old: Zone) -> list[str]:
        """The kinds of ground that a zone has and the form does not offer."""
        return [key for key in old.terrain if key not in self.terrains]

    def _read_properties(self) -> tuple[ZoneProperty, ...]:
        said, found = self.cleaned_data, []
        for number in range(MAX_PROPERTIES):
            name = said[f"property-{number}-name"]
            points: dict[str, Any] = {key: said[f"property-{number}-{key}"] or 0 for key in POINTS}
            if name:
                found.append(ZoneProperty(name, **points))
        return tuple(found)

    def clean(self) -> None:
        """Require a name for points."""
        for row in self.properties:
            said = [self.cleaned_data.get(field.name) for field in row]
            if any(said[1:]) and not said[0]:
                self.add_error(row[0].name, "Enter what these points come from.")


def name_units(form: forms.Form, unit: str) -> None:
    """Add the unit to the label of every length in a form."""
    for field in form.fields.values():
        if isinstance(field, DecimalField):
            field.label = f"{field.label} ({unit})"


def plain(value: Any) -> Any:
    """Whole meters without a decimal; everything else unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def find_initial(scene: Scene, zone: Zone) -> dict[str, Any]:
    """The first values of a zone's form; a link that another zone has counts for both."""
    whole = msgspec.to_builtins(zone) | {"height": find_rise(scene, zone)}
    data: dict[str, Any] = {key: plain(value) for key, value in whole.items()}
    links = find_links(scene)[zone.id] if any(one.links for one in scene.zones) else {}
    data |= {f"link-{other}": steps for other, steps in links.items()}
    for number, made_up in enumerate(zone.properties[:MAX_PROPERTIES]):
        data[f"property-{number}-name"] = made_up.name
        data |= {f"property-{number}-{key}": getattr(made_up, key) or None for key in POINTS}
    return data
