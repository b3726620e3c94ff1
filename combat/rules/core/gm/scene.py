"""The GM's actions for the scene: house rules, environment, zones, notes."""

from __future__ import annotations

from msgspec import UNSET

from ..basics.errors import Refused
from ..basics.numbers import read_whole
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..sides import count_out, find_able, find_verdict, is_asked, say_standing
from ..space import FLOORS, ZONE_KINDS, Piece, Scene, Zone, map_of, settle_zones, with_map
from ..state import events as e
from ..state.state import CLOSED, PAUSED, PLAYS_ON, Scalar, replace
from .battle_map import check_map
from .decisions import MAX_NUMBER, GmCommand, clean_name
from .several import follow_ground, follow_starts, put_by_side
from .spots import go_along, settle_ground, stand_on, step_clear

MAX_STARTS = 8
MAX_PARTS, SLACK = 1000, 0.01  # of a zone; meters that a part may extend beyond it


class SetOption(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: str
    value: Scalar


class SetSetting(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: str
    value: str


class SetScene(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`clear`: a scene without a map takes the present one away."""

    scene: Scene
    clear: bool = False


class Note(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: str
    secret: bool = True


class MoveRules(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`to` is the number of a version."""

    to: int


class Pause(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class PlayOn(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class EndFight(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class CloseFight(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


def set_option(context: RuleContext, command: SetOption) -> None:
    """Set a house rule of this table."""
    option = next((o for o in system_of(context).book.all_options if o.key == command.key), None)
    if option is None:
        raise Refused("unknown", f"There is no house rule “{command.key}”.")
    value = _fit_option(option.default, option.choices, command.value)
    if value is None and option.number:
        value = _fit_number(option.number, command.value)
    if value is None:
        choices = ", ".join(str(c) for c in option.choices) or "yes or no"
        if option.number:
            choices += f", or a number from {option.number[0]} to {option.number[1]}"
        raise Refused("bad_value", f"{option.label}: choose {choices}.")
    context.emit(e.OptionSet(option.key, value), option.ruling)


def _fit_option(default: Scalar, choices: tuple[Scalar, ...], value: Scalar) -> Scalar | None:
    if isinstance(default, bool):
        words = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False, "": False}
        return words.get(str(value).lower())
    return next((choice for choice in choices if str(choice) == str(value)), None)


def _fit_number(span: tuple[int, int], value: Scalar) -> int | None:
    number = read_whole(str(value))
    return number if number is not None and span[0] <= number <= span[1] else None


def move_rules(context: RuleContext, command: MoveRules) -> None:
    """Continue under a newer version of the rules; combatants keep all they have."""
    now, newest = context.state.rules, system_of(context).versions.newest
    if now >= newest:
        raise Refused("not_allowed", f"This fight follows the newest rules already, version {now}.")
    if not now < command.to <= newest:
        span = f"{now + 1} to {newest}" if newest > now + 1 else str(newest)
        raise Refused("bad_value", f"There is no such version to move to: choose {span}.")
    context.emit(e.RulesMoved(now, command.to))
    settle_ground(context)


def set_setting(context: RuleContext, command: SetSetting) -> None:
    """Change a setting of the environment for everyone."""
    setting = next((s for s in system_of(context).book.settings if s.key == command.key), None)
    labels = dict(setting.choices) if setting else {}
    if setting is None or command.value not in labels:
        raise Refused("bad_value", "That is no setting of the environment: choose one from the list.")
    had_hexes = system_of(context).space.has_hexes(context.state)
    context.emit(e.SettingSet(setting.key, command.value), setting.rule)
    if had_hexes and not system_of(context).space.has_hexes(context.state):
        _straighten(context)


def _straighten(context: RuleContext) -> None:
    """Clear the `upright` marks of zones: without hexes all zones are upright."""
    scene = context.state.scene
    if any(zone.upright for zone in scene.zones):
        zones = tuple(replace(zone, upright=UNSET) for zone in scene.zones)
        context.emit(e.SceneSet(replace(scene, zones=zones, map=UNSET)))


def set_scene(context: RuleContext, command: SetScene) -> None:
    """Set the zones; sizes are meters. The battle map stays unless a new one comes along, or it is cleared.

    A zone whose height lies in another deck gets that of its own.
    Combatants stay on the ground where its height changes. Those in a wall of the new map move out of it; if
    the scene brings starts, all go to those, but only those in them if they alone are moved or sized; before
    a fight they go to the ends of ground that is new. Those on a deck that lies elsewhere with all that is
    drawn on it go along.
    """
    scene = command.scene
    if len(scene.zones) > 60 or len({z.id for z in scene.zones}) != len(scene.zones):
        raise Refused("bad_value", "A scene has up to 60 zones with different ids.")
    for zone in scene.zones:
        _check_zone(context, zone)
    _check_starts(scene)
    _check_settings(context, scene)
    drawn = replace(map_of(scene), explored={})
    check_map(context, drawn)
    now = context.state.scene
    under = drawn if drawn or command.clear else map_of(now)
    scene = replace(scene, zones=settle_zones(with_map(scene, under)).zones)
    warnings = system_of(context).space.zones.find_warnings(context.state, scene)
    is_public = (scene.name, scene.settings) != (now.name, now.settings)  # zones may be out of sight
    context.emit(e.SceneSet(replace(scene, map=UNSET)), to="" if is_public else e.GM_ONLY)
    if drawn or command.clear:
        context.emit(e.MapSet(drawn), to=e.GM_ONLY)
    slid = go_along(context, now)
    stand_on(context, now)
    if slid:
        pass  # its starts lie elsewhere too, and nobody is sent back to them
    elif scene.starts and scene.starts != now.starts:
        if drawn or command.clear or not follow_starts(context, now):
            put_by_side(context)
    elif not follow_ground(context, now) and drawn:
        step_clear(context)
    for warning in warnings:
        context.emit(e.say_so(warning), to=e.GM_ONLY)


def _check_starts(scene: Scene) -> None:
    starts = scene.starts or ()
    sound = (1 <= s.width <= 1000 and 1 <= s.depth <= 1000 for s in starts)
    near = (abs(s.x) <= MAX_NUMBER and abs(s.y) <= MAX_NUMBER for s in starts)
    if len(starts) > MAX_STARTS or not (all(sound) and all(near)):
        raise Refused("bad_value", f"A scene has up to {MAX_STARTS} starts, each 1 to 1000 m wide and deep.")


def _check_settings(context: RuleContext, scene: Scene) -> None:
    known = {setting.key: dict(setting.choices) for setting in system_of(context).book.settings}
    if any(value not in known.get(key, {}) for key, value in scene.settings.items()):
        raise Refused("bad_value", "That is no setting of the environment: choose one from the list.")


def _check_zone(context: RuleContext, zone: Zone) -> None:
    clean_name(zone.name)
    clean_name(zone.id)
    least = SLACK if zone.parts else 1
    if not (least <= zone.width <= 1000 and least <= zone.depth <= 1000 and abs(zone.height) <= 1000):
        raise Refused("bad_value", f"{zone.name}: a zone is 1 to 1000 m wide and deep.")
    if not (abs(zone.x) <= MAX_NUMBER and abs(zone.y) <= MAX_NUMBER):
        raise Refused("bad_value", f"{zone.name} lies too far away.")
    if zone.parts and (len(zone.parts) > MAX_PARTS or not all(_is_inside(part, zone) for part in zone.parts)):
        raise Refused("bad_value", f"{zone.name}: its parts lie inside it, up to {MAX_PARTS} of them.")
    known = {key for key, _ in system_of(context).space.terrains}
    if set(zone.terrain) - known or zone.cover not in _keys(system_of(context).space.covers):
        raise Refused("bad_value", f"{zone.name}: unknown terrain or cover.")
    if zone.light not in _keys(system_of(context).space.zone_lights):
        raise Refused("bad_value", f"{zone.name}: unknown light.")
    if zone.floor not in (UNSET, *FLOORS) or zone.kind not in (UNSET, *ZONE_KINDS):
        raise Refused("bad_value", f"{zone.name}: choose its floor and its kind from the lists.")
    if not all(1 <= steps <= 20 for steps in zone.links.values()):
        raise Refused("bad_value", f"{zone.name}: the next zone is 1 to 20 steps away.")
    for made_up in zone.properties:
        clean_name(made_up.name)
        if max(abs(made_up.into), abs(made_up.out), abs(made_up.inside)) > 20:
            raise Refused("bad_value", f"{zone.name}: a property adds or takes at most 20 points.")


def _is_inside(part: Piece, zone: Zone) -> bool:
    return (
        part.width > 0
        and part.depth > 0
        and part.x >= zone.x - SLACK
        and part.y >= zone.y - SLACK
        and part.x + part.width <= zone.x + zone.width + SLACK
        and part.y + part.depth <= zone.y + zone.depth + SLACK
    )


def _keys(pairs: tuple[tuple[str, str], ...]) -> set[str]:
    return {"", *(key for key, _ in pairs)}


def note(context: RuleContext, command: Note) -> None:
    """Add a remark to the log, for the GM only unless said aloud."""
    text = command.text.strip()
    if not 1 <= len(text) <= 2000:
        raise Refused("bad_value", "A note has 1 to 2000 characters.")
    context.emit(e.Said("log.note", args={"text": text}), to=e.GM_ONLY if command.secret else e.EVERYONE)


def pause(context: RuleContext, command: Pause) -> None:
    """Pause the fight: until it goes on, only the GM acts."""
    if context.state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: nothing to pause.")
    if context.state.is_paused:
        raise Refused("not_allowed", "The fight is paused already.")
    context.emit(e.Marked("", PAUSED, True))
    reason = command.reason.strip().rstrip(".")
    context.emit(e.Said("log.paused_why" if reason else "log.paused", args={"why": reason} if reason else {}))


def resume(context: RuleContext, command: Pause) -> None:
    """Let a paused fight go on."""
    if not context.state.is_paused:
        raise Refused("not_allowed", "The fight is not paused.")
    context.emit(e.Marked("", PAUSED, None))
    context.emit(e.Said("log.resumed"))


def play_on(context: RuleContext, command: PlayOn) -> None:
    """Let a decided fight go on: nobody asks about its end again until someone else goes down."""
    system, state = system_of(context), context.state
    if find_verdict(system, state) is None:
        raise Refused("not_allowed", "The fight is not decided: it goes on as it is.")
    if not is_asked(system, state):
        raise Refused("not_allowed", "The fight goes on already.")
    context.emit(e.Marked("", PLAYS_ON, count_out(system, state)), to=e.GM_ONLY)
    reason = command.reason.strip().rstrip(".")
    context.emit(
        e.Said("log.plays_on_why" if reason else "log.plays_on", args={"why": reason} if reason else {})
    )


def end_fight(context: RuleContext, command: EndFight) -> None:
    """End the fight and log who stands; the log and the combatants stay."""
    if context.state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: nothing to end.")
    system = system_of(context)
    if system.turn.end_fight:
        system.turn.end_fight(context)
    if context.state.is_paused:
        context.emit(e.Marked("", PAUSED, None))
    for mark in (PLAYS_ON, CLOSED):
        if mark in context.state.marks:
            context.emit(e.Marked("", mark, None), to=e.GM_ONLY)
    able = find_able(system, context.state)
    context.emit(e.FightEnded(command.reason))
    context.emit(e.say_so(say_standing([f for f in able if f.id not in context.unknown])))
    if unseen := [f for f in able if f.id in context.unknown]:
        context.emit(e.say_so(say_standing(unseen, "log.standing_hidden")), to=e.GM_ONLY)


def close_fight(context: RuleContext, command: CloseFight) -> None:
    """Close a fight that is over: nothing of it is left to do."""
    if context.state.phase != "over":
        raise Refused("not_allowed", "The fight is not over: end it first.")
    if CLOSED in context.state.marks:
        raise Refused("not_allowed", "The fight is closed already: read its report.")
    context.emit(e.Marked("", CLOSED, value=True), to=e.GM_ONLY)
    context.emit(e.Said("log.closed"), to=e.GM_ONLY)
