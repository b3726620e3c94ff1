"""What the GM may always do with the table and the scene: options, surroundings, zones, notes."""

from __future__ import annotations

from . import events as e
from .errors import Refused
from .gm import MOST_NUMBER, GmCommand, clean_name
from .space import Scene, Zone
from .state import Scalar
from .table import Table


class SetOption(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: str
    value: Scalar


class SetSetting(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: str
    value: str


class SetScene(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    scene: Scene


class Note(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: str
    secret: bool = True


class EndFight(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


def set_option(table: Table, command: SetOption) -> None:
    """Set a house rule of this table."""
    option = next((o for o in table.system.all_options if o.key == command.key), None)
    if option is None:
        raise Refused("unknown", f"There is no table option “{command.key}”.")
    value = _fit_option(option.default, option.choices, command.value)
    if value is None and option.number:
        value = _fit_number(option.number, command.value)
    if value is None:
        choices = ", ".join(str(c) for c in option.choices) or "yes or no"
        if option.number:
            choices += f", or a number from {option.number[0]} to {option.number[1]}"
        raise Refused("bad_value", f"{option.label}: choose {choices}.")
    table.tell(e.OptionSet(option.key, value), option.ruling)


def _fit_option(default: Scalar, choices: tuple[Scalar, ...], value: Scalar) -> Scalar | None:
    if isinstance(default, bool):
        words = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False, "": False}
        return words.get(str(value).lower())
    return next((choice for choice in choices if str(choice) == str(value)), None)


def _fit_number(span: tuple[int, int], value: Scalar) -> int | None:
    text = str(value).strip()
    number = int(text) if text.isdecimal() and len(text) < 10 else span[0] - 1
    return number if span[0] <= number <= span[1] else None


def set_setting(table: Table, command: SetSetting) -> None:
    """Change a scene condition for everybody."""
    setting = next((s for s in table.system.settings if s.key == command.key), None)
    labels = dict(setting.choices) if setting else {}
    if setting is None or command.value not in labels:
        raise Refused("bad_value", "That is not one of the scene conditions.")
    label = f"{setting.label}: {labels[command.value]}"
    table.tell(e.SettingSet(setting.key, command.value, label), setting.rule)


def set_scene(table: Table, command: SetScene) -> None:
    """Lay out the zones; sizes are metres."""
    scene = command.scene
    if len(scene.zones) > 60 or len({z.id for z in scene.zones}) != len(scene.zones):
        raise Refused("bad_value", "A scene has up to 60 zones with different ids.")
    for zone in scene.zones:
        _check_zone(table, zone)
    _check_settings(table, scene)
    table.tell(e.SceneSet(scene))
    for warning in table.system.warn_scene(scene):
        table.tell(e.Said(warning), to=e.GM_ONLY)


def _check_settings(table: Table, scene: Scene) -> None:
    known = {setting.key: dict(setting.choices) for setting in table.system.settings}
    if any(value not in known.get(key, {}) for key, value in scene.settings.items()):
        raise Refused("bad_value", "That is not one of the scene conditions.")


def _check_zone(table: Table, zone: Zone) -> None:
    clean_name(zone.name)
    clean_name(zone.id)
    if not (1 <= zone.width <= 1000 and 1 <= zone.depth <= 1000 and abs(zone.height) <= 1000):
        raise Refused("bad_value", f"{zone.name}: a zone is 1 to 1000 m wide and deep.")
    if not (abs(zone.x) <= MOST_NUMBER and abs(zone.y) <= MOST_NUMBER):
        raise Refused("bad_value", f"{zone.name} lies too far away.")
    known = {key for key, _ in table.system.terrains}
    if set(zone.terrain) - known or zone.cover not in _keys(table.system.covers):
        raise Refused("bad_value", f"{zone.name}: unknown terrain or cover.")
    if zone.light not in _keys(table.system.lights):
        raise Refused("bad_value", f"{zone.name}: unknown light.")
    if not all(1 <= steps <= 20 for steps in zone.links.values()):
        raise Refused("bad_value", f"{zone.name}: the next zone is 1 to 20 steps away.")
    for made_up in zone.properties:
        clean_name(made_up.name)
        if max(abs(made_up.into), abs(made_up.out), abs(made_up.inside)) > 20:
            raise Refused("bad_value", f"{zone.name}: a property adds or takes at most 20 points.")


def _keys(pairs: tuple[tuple[str, str], ...]) -> set[str]:
    return {"", *(key for key, _ in pairs)}


def note(table: Table, command: Note) -> None:
    """A remark in the log, for the GM alone unless said aloud."""
    text = command.text.strip()
    if not 1 <= len(text) <= 2000:
        raise Refused("bad_value", "A note has 1 to 2000 letters.")
    table.tell(e.Said(text), to=e.GM_ONLY if command.secret else e.EVERYONE)


def end_fight(table: Table, command: EndFight) -> None:
    """Close the fight; the log and the fighters stay."""
    if table.state.phase != "fight":
        raise Refused("not_allowed", "There is no fight to end.")
    table.tell(e.FightEnded(command.reason))
