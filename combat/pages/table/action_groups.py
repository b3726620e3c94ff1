"""The actions of a turn: the usual ones first, then the game's groups, and what is impossible now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.text import slugify
from msgspec.structs import replace

from characters.display.shapes import Shape
from combat.display.combatants.tokens import name_fully
from combat.display.forms.fields import PLANNED
from combat.display.forms.helping import Help, find_help
from combat.display.forms.usual_odds import (
    AID,
    ATTACK,
    Starts,
    Usual,
    add_chance,
    find_usual,
    helps_nobody,
    leads_nowhere,
    reaches_no_foe,
    strikes,
)
from combat.display.shapes.table_shapes import ActionView, CombatantView, Group, Offer
from combat.models import StoredStep
from combat.play.autopilot import foresee
from combat.play.writing.verification import read_step
from combat.rules.core.commands.commands import Action, find_reasons
from combat.rules.core.declaration.parts import Handling, find_brief
from combat.rules.core.declaration.system import System
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import Combatant, State, is_acting
from combat.sharing.viewer_context import ViewerContext

MAX_COST_WORDS = 3
MAX_USUAL = 4
SKILL = "skill"  # the kind of actions whose number the GM names
FEW = 8  # with so few, a list needs no usual ones first


def view_offer(
    system: System,
    state: State,
    combatant: Combatant,
    combatants: Mapping[str, CombatantView],
    lead: Action | None,
    rows: Iterable[StoredStep] = (),
    pins: tuple[str, ...] = (),
    keeps: bool = False,
) -> Offer:
    """What a combatant can do now, and what they cannot, with the reasons; `rows` are the newest steps.

    Help for a dying friend comes first among the usual ones, then the actions in `pins`, if possible now,
    what cannot wait, what was used before, and attacks. If the sheet `keeps` them, pins stand in their order,
    and what cannot be done now has its place there, with the reason.
    Left out: the action that leads the page (`lead`), before and after it is done; and out of turn, what
    needs a turn.
    """
    views = _find_views(system, state, combatant, lead)
    used = (*system.actions.find_pressing(state, combatant), *find_used(rows, combatant.id, views.names))
    helping = find_help(system, state, combatant.id)
    names, starts = _leave_out(system, state, combatant.id, views=views, used=used, pins=pins)
    names = put_spent_last(system, combatant, names)
    if helping and not helping.to:
        names = (helping.action, *[name for name in names if name != helping.action])
    if keeps:
        names = _choose_own(names, pins, helping.action if helping and not helping.to else "")
    briefs = [find_brief(system.actions.by_name[name], state, combatant) for name in names]
    usual, groups = _lay_out(views, names, tuple(briefs), pins)
    shown = [list(usual), *[list(group.actions) for group in groups]]
    if helping and helping.to:
        shown[0] = _put_first(state, helping, usual)
    add_chance(system, state, combatant.id, lists=shown, starts=starts)
    shown, groups = _move_vain(system, shown, groups)
    shown[0] = put_vain_last(shown[0])
    if keeps:
        shown[0] = _keep_places(system, state, combatant, usual=shown[0], pins=pins)
    for one in shown:
        one[:] = [_show_foe(view, combatants) if view.foe else view for view in one]
    if lead is None:
        mark_first(shown, system.tactics.handling)
    filled = [_fill(group, tuple(one)) for group, one in zip(groups, shown[1:], strict=True)]
    mine = tuple((name, system.action(name).label) for name in pins) if keeps else ()
    return Offer(tuple(shown[0]), tuple(filled), views.refused, count=views.many, pins=pins, mine=mine)


def _choose_own(names: tuple[str, ...], pins: tuple[str, ...], aid: str) -> tuple[str, ...]:
    """The usual actions of a row of one's own: the pinned, the `aid` that a friend needs, others only in
    a short row."""
    own = [name for name in names if name in pins or name == aid]
    others = [name for name in names if name not in own]
    return (*own, *others[: max(0, MAX_USUAL - len(pins))])


def _keep_places(
    system: System, state: State, combatant: Combatant, usual: list[ActionView], pins: tuple[str, ...]
) -> list[ActionView]:
    """The usual actions with the pinned ones in their order: those that cannot be done now with the reason.

    Help for a friend stands before them. Out of turn, only what can be done is there.
    """
    by_name = {view.name: view for view in usual if not view.to}
    shut = [system.action(name) for name in pins if name not in by_name and is_acting(state, combatant.id)]
    shut = [action for action in shut if action.who != "gm" and action.has_place(state)]
    reasons = find_reasons(tuple(shut), state, combatant.id)
    for action, reason in zip(shut, reasons, strict=True):
        if reason:
            look = system.kinds.of_action(action.name)
            by_name[action.name] = replace(view_action(action, reason, look), small="", pinned=True)
    row = [by_name[name] for name in pins if name in by_name]
    rest = [view for view in usual if view not in row]
    aid = [view for view in rest if view.to or view.look == AID]
    ordered = [*aid, *row, *[view for view in rest if view not in aid]]
    return [replace(one, key=str(n)) for n, one in enumerate(ordered, 1)]


def _leave_out(
    system: System, state: State, who: str, views: _Views, used: tuple[str, ...], pins: tuple[str, ...]
) -> tuple[tuple[str, ...], Starts]:
    """The names of the usual actions, without those that are seldom wanted or lead to nothing now.

    Also how the attacks and other strikes start that were looked at.
    """
    looks = {action.name: view.look for action, view in views.open_ones}
    attack = next((name for name, look in looks.items() if look == ATTACK), "")
    pointless = dict.fromkeys(system.actions.find_unusual(state, state[who]), True)
    starts: dict[str, Usual | None] = {}
    while True:
        names = _choose_usual(views, used, pins, [name for name, is_so in pointless.items() if is_so])
        new = [name for name in names if name not in pins and name not in pointless]
        if not new:
            return names, starts
        for name in new:
            action, look = system.action(name), looks[name]
            if look == AID:
                pointless[name] = helps_nobody(system, state, who, name)
            elif look != ATTACK and strikes(action) and pointless.get(attack) is False:
                pointless[name] = False  # it strikes whom the attack reaches
            else:
                if look == ATTACK or strikes(action):
                    starts[name] = find_usual(system, state, who, name)
                usual = starts.get(name)
                pointless[name] = (
                    reaches_no_foe(system, state, who, usual)
                    if usual
                    else leads_nowhere(state, who, action, look)
                )


def put_spent_last(system: System, combatant: Combatant, names: tuple[str, ...]) -> tuple[str, ...]:
    """The usual actions; those whose part of the turn is spent come last, pinned ones too,
    though something else may pay."""
    spent = [one.label for one in system.turn.pools if not combatant.budget.get(one.key, 0)]

    def is_spent(name: str) -> bool:
        cost = system.action(name).cost
        return bool(cost) and any(label.startswith(cost) for label in spent)

    return tuple(sorted(names, key=is_spent))


def _put_first(state: State, helping: Help, usual: tuple[ActionView, ...]) -> list[ActionView]:
    """The usual actions after the move to a dying friend."""
    label = f"Help {name_fully(state, helping.friend)}"
    view = ActionView(helping.action, label, "", refused="", rule="", look=AID, to=helping.to)
    view = replace(view, target="move, then first aid", chance=helping.chance)
    return [replace(one, key=str(n)) for n, one in enumerate((view, *usual), 1)]


def _move_vain(
    system: System, shown: list[list[ActionView]], groups: tuple[Group, ...]
) -> tuple[list[list[ActionView]], tuple[Group, ...]]:
    """The usual actions and the lists of the groups, with attacks that can hit nobody in their groups."""
    vain = [view for view in shown[0] if view.look == ATTACK and not view.pinned and _is_vain(view)]
    if not vain:
        return shown, groups
    lists = {group.label: views for group, views in zip(groups, shown[1:], strict=True)}
    for view in vain:
        lists.setdefault(system.action(view.name).group, []).insert(0, replace(view, key="", brief=""))
    return [[view for view in shown[0] if view not in vain], *lists.values()], make_groups(lists)


def _is_vain(view: ActionView) -> bool:
    """Whether no target of an attack that was counted can be hit."""
    return view.chance == "0" and all(other.chance == "0" for other in view.others)


def put_vain_last(usual: list[ActionView]) -> list[ActionView]:
    """The usual actions, those without any chance after the others, with their keys in that order."""
    ordered = sorted(usual, key=lambda one: one.chance == "0")
    return [replace(one, key=str(n)) for n, one in enumerate(ordered, 1)]


def _fill(group: Group, actions: tuple[ActionView, ...]) -> Group:
    return group if actions == group.actions else replace(group, actions=actions)


def _show_foe(view: ActionView, combatants: Mapping[str, CombatantView]) -> ActionView:
    """An attack with the tokens of its targets, of those that a row shows."""
    looks = {
        who: replace(combatants[who].look, active=False)
        for who in (view.foe, *(other.id for other in view.others))
        if who in combatants
    }
    others = tuple([replace(other, look=looks.get(other.id)) for other in view.others])
    return replace(view, foe_look=looks.get(view.foe), others=others)


def list_possible(system: System, state: State, combatant: Combatant) -> tuple[ActionView, ...]:
    """Every action that a combatant can take now, in the order of the game."""
    return tuple([view for _, view in _find_views(system, state, combatant, None).open_ones])


class _Views(NamedTuple):
    """The possible actions; the impossible ones, joined by reason, and how many they are."""

    open_ones: tuple[tuple[Action, ActionView], ...]
    refused: tuple[ActionView, ...]
    many: int
    names: frozenset[str]  # of the possible ones


def _find_views(system: System, state: State, combatant: Combatant, lead: Action | None) -> _Views:
    acts = is_acting(state, combatant.id)
    actions = _list_offered(system, state, acts, lead.name if lead else "")
    reasons = find_reasons(actions, state, combatant.id)
    views = _view_all(system, actions, reasons)
    return views._replace(refused=_offer_plans(system, state, combatant, views)) if acts else views


def _offer_plans(system: System, state: State, combatant: Combatant, views: _Views) -> tuple[ActionView, ...]:
    """The impossible actions; one may have a plan if its form has something that is not in hand yet."""
    carried = {item.id for item in combatant.items if item.place == "carried"}
    if not carried or system.tactics.handling is None:
        return views.refused
    return tuple([_offer_plan(system, state, combatant, view, carried) for view in views.refused])


def _offer_plan(
    system: System, state: State, combatant: Combatant, view: ActionView, carried: set[str]
) -> ActionView:
    action = system.action(view.name)
    if view.several or not {"weapon", "item"} & {*action.type.__struct_fields__}:
        return view
    fields = {field.name: field.options for field in action.find_fields(state, combatant.id)}
    has_thing = any(one.value in carried for name in PLANNED for one in fields.get(name, ()))
    has_target = "target" not in fields or any(not one.refused for one in fields["target"])
    return replace(view, mends=has_thing and has_target)


def _list_offered(system: System, state: State, acts: bool, lead: str) -> tuple[Action, ...]:
    """The actions of someone who acts or not, but for the one that leads the page."""
    known = system.actions.by_name.values()
    usual = [one for one in known if one.who != "gm" and (acts or not one.on_turn)]
    return tuple([one for one in usual if one.name != lead and one.has_place(state)])


def _view_all(system: System, actions: tuple[Action, ...], reasons: list[str]) -> _Views:
    """The offered actions, refused for these reasons."""
    kinds = system.kinds
    views = [
        (action, view_action(action, reason, kinds.of_action(action.name)))
        for action, reason in zip(actions, reasons, strict=True)
        if not (reason and (action.first or not action.on_turn))  # possible out of turn, but pointless now
    ]
    refused = [view for _, view in views if view.refused]
    open_ones = tuple([one for one in views if not one[1].refused])
    names = frozenset([action.name for action, _ in open_ones])
    return _Views(open_ones, tuple(join_refused(refused)), len(refused), names)


def _choose_usual(
    views: _Views, used: tuple[str, ...], pins: tuple[str, ...], left_out: Collection[str]
) -> tuple[str, ...]:
    """The names of the actions to show first, in their order."""
    by_name = {view.name: view for _, view in views.open_ones}
    names = list_usual(views.open_ones, used, pins, left_out)
    names.sort(key=lambda name: (name not in pins, name not in used, *_rank(by_name[name])))
    return tuple(names)


def _rank(view: ActionView) -> tuple[bool, bool, bool]:
    """What helps most is lowest: attacks, aid, a way to where one of them can be done; skills are last."""
    return view.look not in (ATTACK, AID), not view.leads, view.look == SKILL


def _lay_out(
    views: _Views, names: tuple[str, ...], briefs: tuple[str, ...], pins: tuple[str, ...]
) -> tuple[tuple[ActionView, ...], tuple[Group, ...]]:
    """The usual actions and the groups of the others, without chances."""
    by_name = {view.name: view for _, view in views.open_ones}
    usual = [
        replace(by_name[name], key=str(n), pinned=name in pins, brief=brief)
        for n, (name, brief) in enumerate(zip(names, briefs, strict=True), 1)
    ]
    groups: dict[str, list[ActionView]] = {}
    for action, view in views.open_ones:
        if view.name not in names:
            groups.setdefault(action.group, []).append(view)
    return tuple(usual), make_groups(groups)


def list_usual(
    offered: Sequence[tuple[Action, ActionView]],
    used: Sequence[str],
    pins: tuple[str, ...] = (),
    left_out: Collection[str] = (),
) -> list[str]:
    """The names of a few actions to show first: the pinned, the last used, the first of each group.

    A short list starts with the pinned ones only. Those `left_out` are shown only if they are pinned.
    """
    pinned = [name for name in pins if name in [action.name for action, _ in offered]]
    if len(offered) <= FEW:
        return pinned
    wanted = [one for one in offered if one[0].name in pinned or one[0].name not in left_out]
    open_names = [action.name for action, _ in wanted]
    firsts: dict[str, ActionView] = {}
    for action, view in wanted:
        firsts.setdefault(action.group, view)
    names = dict.fromkeys((*pinned, *used, *[view.name for view in sorted(firsts.values(), key=_rank)]))
    return [name for name in names if name in open_names][: max(MAX_USUAL, len(pinned) + 1)]


def find_used(rows: Iterable[StoredStep], who: str, names: Collection[str]) -> list[str]:
    """Those of these actions that a combatant did recently, by name, the last one first."""
    did = [row for row in rows if row.name in names and row.kind == COMMAND and not row.struck]
    steps = [read_step(row) for row in did]
    return list(dict.fromkeys([step.name for step in steps if step.command.get("actor") == who]))


def mark_first(lists: Iterable[list[ActionView]], handling: Handling | None) -> None:
    """Mark the first possible action, which a key opens; what cannot succeed, and what only takes something
    out of the hands, is passed over."""
    away = {handling.drop, handling.put_away} - {handling.draw} if handling else set()
    for views in lists:
        for n, view in enumerate(views):
            is_vain = view.pinned and view.look == ATTACK and not view.chance  # it reaches nobody
            if view.chance != "0" and not (view.refused or is_vain) and view.name not in away:
                views[n] = replace(view, first=True)
                return


def make_groups(groups: dict[str, list[ActionView]]) -> tuple[Group, ...]:
    """Groups by heading."""
    return tuple([Group(slugify(label), label, tuple(views)) for label, views in groups.items()])


def join_refused(views: list[ActionView]) -> list[ActionView]:
    """The views, with those refused for the same reason joined into one; the reason drops their names."""
    same: dict[str, list[ActionView]] = {}
    for view in [view for view in views if view.refused]:
        reason = view.refused.removeprefix(f"{view.label} ").replace(f"; {view.label} ", "; each ")
        same.setdefault(reason, []).append(view)
    return [view for view in views if not view.refused] + [
        _join(found, reason) if len(found) > 1 else found[0] for reason, found in same.items()
    ]


def _join(views: list[ActionView], reason: str) -> ActionView:
    named = tuple(name for view in views for name in view.named)
    return replace(views[0], refused=reason[:1].upper() + reason[1:], named=named, several=True)


def view_action(action: Action, reason: str, look: str) -> ActionView:
    """An action, refused for a reason, or possible without one; `look` is its kind."""
    named = ((action.label, action.rule),)
    leads = bool(action.leads_there and action.find_reach)
    return ActionView(
        action.name,
        action.label,
        shorten(action),
        refused=reason,
        rule=action.rule,
        named=named,
        look=look,
        leads=leads,
    )


def shorten(action: Action) -> str:
    """The text of an action, without a last sentence that repeats the cost in its group's heading."""
    told, _, last = action.text.removesuffix(".").rpartition(". ")
    says_cost = action.group.lower() in last.lower() and len(last.split()) <= MAX_COST_WORDS
    return f"{told}." if told and says_cost else action.text


# What the GM sees before turns are passed: whose turns end, in order.


class PassView(Shape, frozen=True):
    """One way to pass turns: its key, what it says, and the names of those whose turns end."""

    key: str
    label: str
    names: tuple[str, ...]


def view_passing(context: ViewerContext) -> tuple[PassView, ...]:
    """The ways to pass turns now; none if it is nobody's turn. The second only where it passes others."""
    system, state = context.system, context.full_state
    if state.active not in state.combatants:
        return ()
    labels = {"side": f"All of the {state.combatants[state.active].side}", "idle": "Those who can do nothing"}
    found: dict[tuple[str, ...], PassView] = {}
    for key, label in labels.items():
        people = tuple(who for turn in foresee(system, state, key) for who in turn)
        names = tuple(state.combatants[who].name for who in people)
        if people and people not in found:
            found[people] = PassView(key, label, names)
    return tuple(found.values())
