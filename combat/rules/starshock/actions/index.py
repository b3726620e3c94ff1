"""The actions of the game by group: what each costs, runs and asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Check, Command, Field, Preview, all_of, no_fields
from combat.rules.core.gm.decisions import Target, gm_action
from combat.rules.core.gm.doors import UseDoor, check_any_door
from combat.rules.core.gm.renewal import renewal_action
from combat.rules.core.space import Reach
from combat.rules.core.space.areas import Shape
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import State

from ..book.tables import DEFENSIVES
from ..care import treatment as care
from ..fight import aim, attack, items
from ..fight.economy import can_afford, check_declared, check_free
from ..hazards import falling
from ..move import movement
from ..move import previews as move_previews
from ..move.reach import find_reach
from ..time import recovery
from ..turn import assist, checks, doors, seating_order
from ..turn import everyday as actions
from ..turn import rounds as turn
from . import forms, gm_forms
from . import gm_rulings as rulings_of_gm

Fields = Callable[[State, str], tuple[Field, ...]]


def _affords(label: str) -> Check:
    """[SS-ACT-03] Whether a declared action is left, so that an action can be greyed with the reason."""

    def check(state: State, actor: str) -> None:
        check_declared(state, actor)
        if not can_afford(state, actor):
            none = "declared for" if state[actor].marks.get("declared") == 0 else "left"
            raise Refused("no_budget", f"No action {none} this turn; {label} takes one.")

    return check


def _may_attack(state: State, actor: str) -> None:
    """[SS-TURN-02] Whether an attack is left this turn; without an action left that is the reason."""
    if can_afford(state, actor) and not can_afford(state, actor, attack=True):
        raise Refused("no_budget", "One attack a turn: a maneuver can allow another.")


def _free(name: str) -> Check:
    return lambda state, actor: check_free(state, actor, name)


def _act(
    name: str,
    label: str,
    kind: type[Command],
    run: Any,
    rule: str,
    *checks_: Check,
    fields: Fields = no_fields,
    preview: Callable[[State, Any], Preview] | None = None,
    reach: Callable[[State, str], tuple[Reach, ...]] | None = None,
    caught: Callable[[State, Any], tuple[str, ...]] | None = None,
    area: Callable[[State, Any], tuple[Shape, ...]] | None = None,
) -> Action:
    """An action that costs one of those declared."""
    return Action(
        name=name,
        label=label,
        group="Action",
        type=kind,
        run=run,
        rule=rule,
        cost="Action",
        find_bar=forms.check_free_to_act,
        find_obstacle=all_of(*checks_, _affords(label)),
        find_fields=fields,
        preview=preview,
        find_reach=reach,
        find_caught=caught,
        find_area=area,
    )


def _free_act(
    name: str,
    label: str,
    kind: type[Command],
    run: Any,
    rule: str,
    *checks_: Check,
    fields: Fields = no_fields,
    preview: Callable[[State, Any], Preview] | None = None,
) -> Action:
    """[SS-FREE-01] [SS-FREE-02] An action that costs nothing, in anybody's turn."""
    return Action(
        name=name,
        label=label,
        group="Free",
        type=kind,
        run=run,
        rule=rule,
        cost="Free",
        find_bar=forms.check_free_to_act,
        find_obstacle=all_of(*checks_),
        find_fields=fields,
        preview=preview,
        on_turn=False,
    )


def _gm(
    name: str, label: str, group: str, kind: type[Command], run: Any, rule: str, fields: Fields, **more: Any
) -> Action:
    return gm_action(name, label, group, kind, run, rule, fields=fields, **more)


TURN = (
    Action(
        name="declare",
        label="Declare actions",
        group="Turn",
        type=turn.Declare,
        run=turn.declare,
        rule="SS-ACT-01",
        find_bar=forms.check_free_to_act,
        find_obstacle=turn.check_declaring,
        find_fields=forms.declare_fields,
        first=True,
    ),
    Action(
        name="luck",
        label="Extra action (Luck)",
        group="Turn",
        type=Command,
        run=turn.act_by_luck,
        rule="SS-ACT-02",
        find_bar=forms.check_free_to_act,
        find_obstacle=turn.check_luck,
    ),
)
ATTACKS = (
    _act(
        "attack",
        "Attack",
        aim.Attack,
        attack.attack,
        "SS-ATK-03",
        _may_attack,
        fields=forms.attack_fields,
        preview=aim.preview,
    ),
)
MOVES = (
    _act(
        "move",
        "Move",
        movement.Move,
        movement.move,
        "SS-OTHER-04",
        fields=forms.move_fields,
        preview=move_previews.preview_move,
        reach=find_reach,
    ),
    Action(
        name="stand_up",
        label="Stand up",
        group="Action",
        type=Command,
        run=actions.stand_up,
        rule="SS-OTHER-25",
        cost="Action",
        find_bar=forms.check_free_to_act,
        find_obstacle=actions.check_prone,
        preview=actions.preview_standing,
    ),
    _act(
        "raise_up",
        "Help up",
        actions.Raise,
        actions.raise_up,
        "SS-PRONE-04",
        fields=forms.raise_fields,
        preview=actions.preview_raise,
    ),
)
GUARDS = tuple(
    _act(row.id, row.name, Command, actions.defend(row.id), row.rule) for row in DEFENSIVES.values()
)
HELP = (
    _act(
        "assist",
        "Assist",
        assist.Assist,
        assist.assist,
        "SS-OTHER-09",
        assist.check_can_help,
        fields=forms.assist_fields,
    ),
    _act(
        "emergency_medicate",
        "Emergency Medicate",
        care.Patient,
        care.medicate,
        "SS-OTHER-11",
        fields=forms.friend_fields,
        preview=care.preview_medicine,
    ),
    _act(
        "rouse",
        "Rouse",
        care.Patient,
        care.rouse,
        "SS-UNC-06",
        fields=forms.rouse_fields,
        preview=care.preview_medicine,
    ),
    _act(
        "use_consumable",
        "Use a consumable",
        care.Dose,
        care.use_consumable,
        "SS-OTHER-23",
        fields=forms.dose_fields,
    ),
)
OTHERS = (
    _act("interact", "Interact", items.Use, items.interact, "SS-OTHER-02", fields=forms.object_fields),
    _act(
        "door",
        "Open or shut a door",
        UseDoor,
        doors.use_door,
        "SS-OTHER-02",
        check_any_door(doors.find_arm),
        fields=doors.use_door_fields,
    ),
    _act(
        "use_device",
        "Use an item",
        care.Device,
        care.use_device,
        "SS-OTHER-02",
        fields=forms.device_fields,
        caught=care.find_caught,
        area=care.find_area,
    ),
    _act(
        "pick_up",
        "Pick up",
        items.Handle,
        items.pick_up,
        "SS-OTHER-02",
        check_anything_lies,
        fields=forms.ground_fields,
    ),
    _act("reload", "Reload", items.Load, items.reload, "SS-RATE-01", fields=forms.load_fields),
    _act(
        "check",
        "Other check",
        checks.Check,
        checks.check,
        "SS-OTHER-01",
        fields=forms.check_fields,
        preview=checks.preview_check,
    ),
    _act(
        "skill_challenge",
        "Skill Challenge",
        checks.Challenge,
        checks.try_challenge,
        "SS-OTHER-17",
        fields=forms.challenge_fields,
        preview=checks.preview_challenge,
    ),
)
FREE = (
    _free_act(
        "free_move",
        "Free Move",
        movement.Go,
        movement.free_move,
        "SS-FREE-05",
        movement.check_free_move,
        fields=forms.free_move_fields,
        preview=move_previews.preview_free_move,
    ),
    _free_act("drop_prone", "Drop prone", Command, actions.drop_prone, "SS-FREE-07", actions.check_standing),
    _free_act(
        "change_items",
        "Change items",
        items.Change,
        items.change_items,
        "SS-FREE-09",
        _free("change_items"),
        fields=forms.change_fields,
    ),
    _free_act(
        "communicate",
        "Say a few words",
        actions.Words,
        actions.communicate,
        "SS-FREE-11",
        _free("communicate"),
        fields=forms.words_fields,
    ),
)
FLOW = (
    _gm("start", "Roll initiative", "Flow", turn.Start, turn.start, "SS-INIT-01", gm_forms.start_fields),
    _gm("next_turn", "Next turn", "Flow", turn.Next, turn.next_turn, "SS-INIT-05", gm_forms.next_fields),
    _gm(
        "pass_time",
        "Pass time",
        "Flow",
        recovery.PassTime,
        recovery.pass_time,
        "SS-INIT-09",
        gm_forms.time_fields,
        has_odds=False,
    ),
    renewal_action("new_session", "Flow", "SS-ATK-03"),
    renewal_action("new_day", "Flow", "SS-OTHER-24"),
    _gm(
        "seat",
        "Change seating order",
        "Seating",
        seating_order.Seat,
        seating_order.move_seat,
        "SS-INIT-04",
        gm_forms.seat_fields,
    ),
    _gm(
        "follow",
        "Assign ally to player",
        "Seating",
        seating_order.Follow,
        seating_order.follow_player,
        "SS-INIT-05",
        gm_forms.follow_fields,
    ),
)
RULINGS = (
    _gm("fall", "Fall", "Hazards", falling.Fall, falling.fall, "SS-FALL-05", gm_forms.fall_fields),
    _gm(
        "expose",
        "Poison or trap",
        "Hazards",
        rulings_of_gm.Expose,
        rulings_of_gm.expose,
        "SS-COND-01",
        gm_forms.expose_fields,
    ),
    _gm(
        "make_up",
        "Custom condition",
        "Conditions",
        rulings_of_gm.MakeUp,
        rulings_of_gm.make_up,
        "SS-COND-01",
        gm_forms.make_up_fields,
    ),
    _gm(
        "treat",
        "Advanced healing",
        "Coma",
        recovery.Treat,
        recovery.treat,
        "SS-COMA-11",
        gm_forms.treat_fields,
    ),
    _gm("shock", "Electroshock", "Coma", Target, recovery.shock, "SS-COMA-12", gm_forms.shock_fields),
    _gm(
        "allow_again",
        "Allow an extra use",
        "Turn",
        rulings_of_gm.Again,
        rulings_of_gm.allow_again,
        "SS-OTHER-03",
        gm_forms.again_fields,
    ),
    _gm(
        "open_challenge",
        "Begin a Skill Challenge",
        "Turn",
        rulings_of_gm.OpenChallenge,
        rulings_of_gm.open_challenge,
        "SS-OTHER-17",
        gm_forms.open_challenge_fields,
    ),
)
ACTIONS = (*TURN, *ATTACKS, *MOVES, *GUARDS, *HELP, *OTHERS, *FREE)
