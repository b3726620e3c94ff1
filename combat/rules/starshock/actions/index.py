"""The actions of the game by group: cost, procedure and form of each, and the few words on its tile."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Check
from combat.rules.core.commands.forms import check_any, words_fields
from combat.rules.core.commands.table import Form, Run, load_actions
from combat.rules.core.declaration.actions import Brief, name_loaded, name_weapon
from combat.rules.core.gm.decisions import begin_day, begin_session
from combat.rules.core.gm.doors import check_any_door
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import State

from .. import care, hazards, time
from ..book.tables import DEFENSIVES, ZONE_METERS
from ..fight import aim, attack, items
from ..fight.economy import can_afford, check_declared, check_free
from ..move import movement
from ..move import previews as move_previews
from ..move.movement import find_reach
from ..turn import assist, basic_actions, checks, seating_order
from ..turn import basic_actions as actions
from ..turn import rounds as turn
from ..world.place import is_map
from . import forms, gm_forms
from . import gm_rulings as rulings_of_gm

TABLE = load_actions(Path(__file__).parents[1] / "actions.toml", forms.check_free_to_act)
ARMOR, RESISTANCE = "+1 Armor until your turn", "+1 Resistance until your turn"


BRIEFS: dict[str, Brief] = {
    "declare": "How many the turn has",
    "luck": "For a point of luck",
    "attack": name_weapon("Armor or Resistance"),
    "move": lambda state, who: f"{ZONE_METERS} m more" if is_map(state) else "Into the next zone",
    "free_move": lambda state, who: f"Up to {ZONE_METERS} m" if is_map(state) else "Within your zone",
    "stand_up": "From prone",
    "raise_up": "Someone pinned down",
    "block": ARMOR,
    "dodge": ARMOR,
    "concentrate": RESISTANCE,
    "meditate": RESISTANCE,
    "assist": "+1 on their next check",
    "emergency_medicate": "Takes off 1 damage",
    "rouse": "Wakes someone",
    "use_consumable": "Take or give a dose",
    "interact": "An object of the scene",
    "door": "One next to you",
    "use_device": "Something you carry",
    "pick_up": "Into a free hand",
    "reload": name_loaded("A weapon that is empty"),
    "check": "Whatever the GM asks",
    "skill_challenge": "One check towards it",
    "drop_prone": "Lie down",
    "change_items": "One away, one in hand",
    "communicate": "Something short",
}


def _affords(label: str) -> Check:
    """A check whether a declared action is left; its refusal is the reason on a gray action. [SS-ACT-03]"""

    def check(state: State, actor: str) -> None:
        if not can_afford(state, actor):
            none = "declared for" if state[actor].marks.get("declared") == 0 else "left"
            raise Refused("no_budget", f"No action {none} this turn; {label} takes one.")

    return check


def _may_attack(state: State, actor: str) -> None:
    """Refuse an attack beyond the turn's limit; a missing action is a reason of its own. [SS-TURN-02]"""
    if not can_afford(state, actor, attack=True) and can_afford(state, actor):
        raise Refused("no_budget", "One attack a turn: a maneuver can allow another.")


def _has(kind: str, none: str) -> Check:
    """A check whether anything of a kind is carried; else it says `none`."""

    def check(state: State, actor: str) -> None:
        if not any(item.kind == kind for item in state[actor].items):
            raise Refused("not_allowed", none)

    return check


def _free(name: str) -> Check:
    return lambda state, actor: check_free(state, actor, name)


def _act(name: str, run: Run, *checks_: Check, **form: Unpack[Form]) -> Action:
    """An action that costs a declared action."""
    return TABLE.act(name, run, *checks_, check_declared, _affords(TABLE.rows[name].label), **form)


TURN = (
    TABLE.act("declare", turn.declare, turn.check_declaring, fields=forms.declare_fields, first=True),
    TABLE.act("luck", turn.act_by_luck, turn.check_luck),
)
ATTACKS = (_act("attack", attack.attack, _may_attack, fields=forms.attack_fields, preview=aim.preview),)
MOVES = (
    _act(
        "move", movement.move, fields=forms.move_fields, preview=move_previews.preview_move, reach=find_reach
    ),
    TABLE.act("stand_up", actions.stand_up, actions.check_prone, preview=actions.preview_standing),
    _act("raise_up", actions.raise_up, fields=forms.raise_fields, preview=actions.preview_raise),
)
GUARDS = tuple(_act(kind, actions.defend(kind)) for kind in DEFENSIVES)
HELP = (
    _act("assist", assist.assist, assist.check_can_help, fields=forms.assist_fields),
    _act("emergency_medicate", care.medicate, fields=forms.friend_fields, preview=care.preview_medicine),
    _act("rouse", care.rouse, fields=forms.rouse_fields, preview=care.preview_medicine),
    _act(
        "use_consumable",
        care.use_consumable,
        _has("consumable", "There is nothing to take or give."),
        fields=forms.dose_fields,
    ),
)
OTHERS = (
    _act("interact", items.interact, fields=forms.object_fields),
    _act(
        "door",
        basic_actions.use_door,
        check_any_door(basic_actions.find_arm),
        fields=basic_actions.use_door_fields,
    ),
    _act(
        "use_device",
        care.use_device,
        _has("item", "There is no device to use."),
        fields=forms.device_fields,
        caught=care.find_caught,
        area=care.find_area,
    ),
    _act("pick_up", items.pick_up, check_anything_lies, fields=forms.ground_fields),
    _act(
        "reload",
        items.reload,
        check_any(forms.load_fields, "Nothing here takes rounds."),
        fields=forms.load_fields,
    ),
    _act("check", checks.check, fields=forms.check_fields, preview=checks.preview_check),
    _act(
        "skill_challenge",
        checks.try_challenge,
        fields=forms.challenge_fields,
        preview=checks.preview_challenge,
    ),
)
FREE = (  # [SS-FREE-01] [SS-FREE-02] in anybody's turn
    TABLE.act(
        "free_move",
        movement.free_move,
        movement.check_free_move,
        fields=forms.free_move_fields,
        preview=move_previews.preview_free_move,
        on_turn=False,
    ),
    TABLE.act("drop_prone", actions.drop_prone, actions.check_standing, on_turn=False),
    TABLE.act(
        "change_items", items.change_items, _free("change_items"), fields=forms.change_fields, on_turn=False
    ),
    TABLE.act("communicate", actions.communicate, _free("communicate"), fields=words_fields, on_turn=False),
)
FLOW = (
    TABLE.gm("start", turn.start, fields=gm_forms.start_fields),
    TABLE.gm("next_turn", turn.next_turn, fields=gm_forms.next_fields),
    TABLE.gm("pass_time", time.pass_time, fields=gm_forms.time_fields, has_odds=False),
    TABLE.gm("new_session", begin_session, has_odds=False),
    TABLE.gm("new_day", begin_day, has_odds=False),
    TABLE.gm("seat", seating_order.move_seat, fields=gm_forms.seat_fields),
    TABLE.gm("follow", seating_order.follow_player, fields=gm_forms.follow_fields),
)
RULINGS = (
    TABLE.gm("fall", hazards.fall, fields=gm_forms.fall_fields),
    TABLE.gm("expose", rulings_of_gm.expose, fields=gm_forms.expose_fields),
    TABLE.gm("treat", time.treat, fields=gm_forms.treat_fields),
    TABLE.gm("shock", time.shock, fields=gm_forms.shock_fields),
    TABLE.gm("allow_again", rulings_of_gm.allow_again, fields=gm_forms.again_fields),
    TABLE.gm("open_challenge", rulings_of_gm.open_challenge, fields=gm_forms.open_challenge_fields),
)
ACTIONS = (*TURN, *ATTACKS, *MOVES, *GUARDS, *HELP, *OTHERS, *FREE)
