"""The chance of a usual attack or aid, on its tile: "Pirate · 72%", on those of other targets, on a token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, repeat

import msgspec
from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import (
    Action,
    Command,
    Field,
    find_refusal,
    read_command,
)
from combat.rules.core.declaration.parts import name_rounds
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, run
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import brief_chance
from combat.rules.core.odds.planner import MOVE, find_usual_move
from combat.rules.core.state.state import State, present
from combat.rules.core.turn.squads import find_members, has_squads

from ..combatants.tokens import name_fully
from ..shapes.chips import OtherTarget
from ..shapes.scene_shapes import NoWay, SceneView
from ..shapes.table_shapes import ActionView, TurnView
from .fields import find_dead_end, prefill, prefilled
from .odds_panel import percent

ATTACK, AID = "attack", "aid"  # the kinds of actions with a chance on their tile
HARM = (ATTACK, "grapple", "aim")  # the kinds of what nobody does to an ally
MAX_LOOKS = 40  # while counting: a tile shows no chance that takes more; the demos take 18 at most, in 0.5 ms
MAX_OTHERS = 2  # further targets of an attack, each with its own chance


def add_chance(
    system: System, state: State, who: str, lists: Iterable[list[ActionView]], starts: Starts
) -> None:
    """Give the first attack and the first aid in these lists of possible actions a target and its chance.

    The chance is after any defense. The attack names the target that its form starts with, and a few more,
    unless only allies are in its reach; aid names the one who is hurt most. A tile gets none if its form
    has no target, or if there is too much to count. The limit is a number, since two pages of one state must
    not differ by how busy the machine is. `starts` are attacks that were looked at already.
    """
    wanted = {ATTACK, AID}
    for views in lists:
        for n, view in enumerate(views):
            if view.look in wanted:
                wanted.remove(view.look)
                views[n] = _add_to(system, state, who, view=view, starts=starts)


class Usual(msgspec.Struct, frozen=True):
    """An action as its form starts: its target, all that it can name now, and the command.

    `command` is None if something is missing in it; `is_legal`: the rules were asked and allow it.
    """

    action: Action
    target: str
    targets: tuple[str, ...]
    command: Command | None
    is_legal: bool


Starts = Mapping[str, Usual | None]  # by the names of attacks


def _add_to(system: System, state: State, who: str, view: ActionView, starts: Starts) -> ActionView:
    if view.look == AID:
        return _add_aid(system, state, who, view)
    known = view.name in starts
    usual = starts[view.name] if known else find_usual(system, state, who, view.name)
    if usual is None:
        return view
    if _is_ally(state, who, usual.target) and find_foes(state, who):
        return replace(view, target="any enemy", chance="0")
    target, chance = find_chance(system, state, usual)
    if not chance:
        return replace(view, target=target)
    using = next((one for one in state[who].items if one.id == getattr(usual.command, "weapon", "")), None)
    return replace(
        view,
        target=target,
        chance=chance,
        others=find_others(system, state, usual),
        foe=usual.target,
        brief=name_rounds(using) if using and view.brief else view.brief,
    )


def _add_aid(system: System, state: State, who: str, view: ActionView) -> ActionView:
    hurt = find_hurt(system, state, system.action(view.name), who)
    usual = find_usual(system, state, who, view.name) if hurt else None
    if usual is None:
        return view
    chance = _count(system, state, usual, hurt)
    name = name_fully(state, state[hurt]) if chance else ""
    return replace(view, target=name, chance=chance, aim=hurt if chance else "")


def helps_nobody(system: System, state: State, who: str, name: str) -> bool:
    """Whether an aid is for nobody, or cannot succeed."""
    hurt = find_hurt(system, state, system.action(name), who)
    usual = find_usual(system, state, who, name) if hurt else None
    return not hurt or (usual is not None and _count(system, state, usual, hurt) == "0")


def reaches_no_foe(system: System, state: State, who: str, usual: Usual) -> bool:
    """Whether an attack reaches no enemy."""
    if usual.command is None or _is_ally(state, who, usual.target):
        return True
    foes = dict.fromkeys((usual.target, *usual.targets))
    return not usual.is_legal and all(
        _is_refused(system, state, usual, foe) for foe in foes if not _is_ally(state, who, foe)
    )


def _is_refused(system: System, state: State, usual: Usual, target: str) -> bool:
    """Whether an action with its usual choices cannot be done to someone, such as one out of its reach.

    What refuses a command does so before its first roll, so that much is run.
    """
    assert usual.command
    command, no_more = replace(usual.command, target=target), chain([False], repeat(True)).__next__
    try:
        brief_chance(system, state, usual.action, command=command, give_up=no_more, checked=True)
    except TooMany:
        return False
    except Refused:
        return True
    return False


def strikes(action: Action) -> bool:
    """Whether an action strikes someone with a weapon, of whatever kind it is: a fighting retreat moves."""
    return {"target", "weapon"}.issubset(action.type.__struct_fields__)


def leads_nowhere(state: State, who: str, action: Action, look: str) -> bool:
    """Whether nothing is left to choose for an action, or only allies for one of a harmful kind (`look`).

    Asked in every turn: it makes no form of an action that names nobody and nothing.
    """
    if {"target", "weapon", "item"}.isdisjoint(action.type.__struct_fields__):
        return False
    fields = action.find_fields(state, who)
    if find_dead_end(action, fields):
        return True
    targets = _find_targets(fields) if look in HARM else ()
    return bool(targets) and all(_is_ally(state, who, one) for one in targets)


def find_hurt(system: System, state: State, action: Action, who: str) -> str:
    """The ally (or the actor) hurt most, among those an action can name; empty if nobody is hurt."""
    side, levels = state[who].side, dict[str, int]()
    for one in state.combatants.values():  # in every turn: no calls for enemies
        if one.side == side and not one.gone:
            health = system.characters.health(one)
            if health.level and not health.dead:
                levels[one.id] = health.level
    fields = action.find_fields(state, who) if levels else ()
    hurt = [value for value in _find_targets(fields) if value in levels]
    return max(hurt, key=lambda value: levels[value], default="")


def find_foes(state: State, who: str) -> list[str]:
    """Those on other sides."""
    return [one.id for one in present(state) if not _is_ally(state, who, one.id)]


def _is_ally(state: State, who: str, value: str) -> bool:
    return value in state.combatants and state[value].side == state[who].side


def _find_targets(fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Those whom an action can name as its target now, in the order of its form."""
    target = next((field for field in fields if field.name == "target"), None)
    return tuple([one.value for one in target.options if not one.refused]) if target else ()


def find_usual(system: System, state: State, who: str, name: str) -> Usual | None:
    """An action as its form starts; None without odds or without a target."""
    action = system.action(name)
    if not system.actions.has_odds(action):
        return None
    try:
        fields = action.find_fields(state, who)
        data, legal = prefill(state, action, who, fields)
    except Refused:
        return None
    target = data.get("target", "")
    if target not in state.combatants:
        return None
    try:
        command = legal or read_command(action, {"actor": who, **data})
    except Refused:
        command = None
    return Usual(action, target, _find_targets(fields), command=command, is_legal=legal is not None)


def find_chance(system: System, state: State, usual: Usual) -> tuple[str, str]:
    """The name of the target of a usual action, and the chance in percent; both empty if it has none."""
    chance = _count(system, state, usual, usual.target)
    return (name_fully(state, state[usual.target]), chance) if chance else ("", "")


def find_others(system: System, state: State, usual: Usual) -> tuple[OtherTarget, ...]:
    """The next targets of an attack with the same weapon, in the order of its form, and their chances."""
    others = [value for value in usual.targets if _is_other(state, usual.target, value)]
    foes = _fold_squads(system, state, usual.target, others)[:MAX_OTHERS]
    chances = {foe: _count(system, state, usual, foe) for foe in foes}
    return tuple(
        [OtherTarget(foe, name_fully(state, state[foe]), chance) for foe, chance in chances.items() if chance]
    )


def _fold_squads(system: System, state: State, first: str, foes: list[str]) -> list[str]:
    """These with one of each squad, who stands if anyone does; none of the squad of the `first` target."""
    if not has_squads(state):
        return foes
    health = system.characters.health
    seen, found = set(find_members(state, first)), list[str]()
    for foe in sorted(foes, key=lambda who: bool(find_members(state, who)) and health(state[who]).is_out):
        if foe not in seen:
            found.append(foe)
            seen |= {foe, *find_members(state, foe)}
    return [foe for foe in foes if foe in found]


def _is_other(state: State, first: str, value: str) -> bool:
    """Whether it is another combatant on the side of the first target."""
    one, known = state.combatants.get(value), state.combatants.get(first)
    return value != first and one is not None and known is not None and one.side == known.side


def _count(system: System, state: State, usual: Usual, target: str) -> str:
    """The chance of a possible action at a target; empty if it has none, or if there is too much to count."""
    if usual.command is None:
        return ""
    try:
        return say_chance(system, state, usual.action, replace(usual.command, target=target), checked=True)
    except Refused:
        return ""


def say_chance(system: System, state: State, action: Action, command: Command, checked: bool = False) -> str:
    """The chance of a command after any defense, in percent; empty if that is too much to count.

    The guards of a `checked` action have let it pass already. Raises Refused if the command is not legal.
    """
    chance = count_chance(system, state, action, command=command, checked=checked)
    return "" if chance is None else percent(chance)


def count_chance(
    system: System, state: State, action: Action, command: Command, checked: bool = False
) -> float | None:
    """The same as a number from 0 to 1; None if that is too much to count."""
    give_up = chain(repeat(False, MAX_LOOKS), repeat(True)).__next__
    try:
        return brief_chance(system, state, action, command=command, give_up=give_up, checked=checked)
    except TooMany:
        return None


# Whether the combatant whose turn it is can move to a zone now, checked before anybody tries.


def mark_ways(system: System, state: State, scene: SceneView, turn: TurnView | None) -> SceneView:
    """The scene with the reasons why zones, or all of them, are out of reach in this turn."""
    action = system.actions.by_name.get(MOVE)
    if turn is None or not turn.is_active or action is None:
        return scene
    actor = turn.combatant.id
    if refused := find_refusal(action, state, actor):
        return replace(scene, no_way=_say_no_way(system, state, actor, refused))
    check_way = system.space.zones.check_way or partial(try_way, system)
    why = {
        zone.id: why_refused(check_way, state, actor, f"zone:{zone.id}")
        for zone in scene.zones
        if not zone.here
    }
    notes = {note.why: note for note in _share_reasons(scene, why)}
    zones = [
        replace(zone, refused=said, refused_at=notes[said].id if said in notes else "")
        if (said := why.get(zone.id))
        else zone
        for zone in scene.zones
    ]
    return replace(scene, zones=tuple(zones), no_ways=tuple(notes.values()))


def _say_no_way(system: System, state: State, actor: str, refused: Refused) -> str:
    """That nobody walks to a zone now, and why; inside a carrier, what moves that, or why nothing does."""
    who = state[actor]
    usual = find_usual_move(system, state, actor) if who.inside else None
    if usual is None:
        return f"No move now: {refused.message}"
    action, reason = usual
    if reason:
        return f"No move now: {reason.message}"
    return f"{who.name} is in {state[who.inside].name}: choose {action.label}."


def _share_reasons(scene: SceneView, why: dict[str, str]) -> Iterator[NoWay]:
    """The reasons that keep the combatant out of more than one zone, with the names of these zones."""
    for number, said in enumerate(dict.fromkeys(filter(None, why.values())), 1):
        names = tuple(zone.name for zone in scene.zones if why.get(zone.id) == said)
        if len(names) > 1:
            yield NoWay(f"no-ways-{number}", names, said)


def try_way(system: System, state: State, actor: str, to: str) -> None:
    """Run the move to a place that the form starts with; Refused if the rules do not allow it."""
    action = system.action(MOVE)
    command = read_command(action, {"actor": actor, **prefilled(action, state, actor), "to": to})
    run(system, state, action, command=command, driver=TryDriver())
