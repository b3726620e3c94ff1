"""The actions of the game by group: cost, procedure and form of each, and the few words on its tile."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Check
from combat.rules.core.commands.forms import check_any
from combat.rules.core.commands.table import Form, Run, load_actions
from combat.rules.core.declaration.actions import Brief, name_weapon
from combat.rules.core.gm.doors import check_any_door
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import State

from .. import care, move, time
from ..book.tables import ACTION
from ..fight import aim, attack
from ..move import count_left
from ..turn import basic_actions, holding
from ..turn import rounds as turn
from ..world.strides import stride_yards
from . import forms, gm_forms
from . import gm_rulings as rulings

BRIEFS: dict[str, Brief] = {
    "attack": name_weapon("d100 within your ranks"),
    "stand_up": "Before any other action",
    "move": lambda state, combatant: f"Up to {stride_yards(state, combatant):g} yd",
    "walk_on": lambda state, combatant: f"{count_left(state, combatant)} yd are left",
    "guard": "Once more this round",
    "hold": "Act later",
    "act_now": "Between those of others",
    "first_aid": "One limb, or wakes someone",
    "painkillers": "They last an hour",
    "draw": "Something you carry",
    "put_away": "Something in your hand",
    "pick_up": "What lies next to you",
    "door": "One next to you",
    "other": "With a roll if it needs one",
    "let_go": "Something in your hand",
    "speak": "At any time",
}


TABLE = load_actions(Path(__file__).parents[1] / "actions.toml", forms.check_free_to_act)


def _affords(label: str) -> Check:
    """A check whether the round's action is left; its refusal is the reason on a gray action. [CG-ACT-02]"""

    def check(state: State, actor: str) -> None:
        if state.combatants[actor].budget.get(ACTION, 0) < 1:
            raise Refused("no_budget", f"The action of this round is taken; {label} takes one.")

    return check


def _act(name: str, run: Run, *checks: Check, **form: Unpack[Form]) -> Action:
    """An action of a combatant; one that does not cost the round's action is free."""
    row = TABLE.rows[name]
    costs = () if row.cost == "Free" else (_affords(row.label),)
    return TABLE.act(name, run, *checks, *costs, **form)


check_holds = check_any(forms.held_fields, "The hands are empty.")

COMBAT = (
    _act("attack", attack.attack, aim.check_standing, fields=forms.attack_fields, preview=aim.preview),
    _act("stand_up", basic_actions.stand_up, basic_actions.check_prone),
)
MOVES = (
    _act(
        "move",
        move.move,
        fields=forms.move_fields,
        preview=move.preview_move,
        reach=move.find_reach,
    ),
    _act(
        "walk_on",
        move.walk_on,
        move.check_left,
        fields=forms.move_fields,
        reach=move.find_reach_left,
    ),
)
DEFENSE = (
    _act("guard", basic_actions.guard),
    _act("hold", turn.hold, holding.check_hold, has_odds=False),
    _act("act_now", holding.act_now, holding.check_act_now, on_turn=False),
)
OTHERS = (
    _act("first_aid", care.give_first_aid, fields=forms.aid_fields, preview=care.preview_first_aid),
    _act("painkillers", care.give_painkillers, care.check_painkillers, fields=forms.dose_fields),
    _act(
        "draw",
        basic_actions.draw,
        check_any(forms.draw_fields, "There is nothing to draw."),
        basic_actions.check_can_draw,
        fields=forms.draw_fields,
    ),
    _act("put_away", basic_actions.put_away, check_holds, fields=forms.held_fields),
    _act("pick_up", basic_actions.pick_up, check_anything_lies, fields=forms.ground_fields),
    _act(
        "door",
        basic_actions.use_door,
        check_any_door(basic_actions.find_arm),
        fields=basic_actions.use_door_fields,
    ),
    _act("other", basic_actions.do_other, fields=forms.other_fields, preview=basic_actions.preview_other),
)
FREE = (
    _act("let_go", basic_actions.let_go, check_holds, fields=forms.held_fields),
    _act("speak", basic_actions.speak, fields=forms.words_fields, on_turn=False),
)
FLOW = (
    TABLE.gm("start", turn.start, fields=gm_forms.start_fields),
    TABLE.gm("next_turn", turn.next_turn, fields=gm_forms.next_fields),
    TABLE.gm("pass_time", time.pass_time, fields=gm_forms.time_fields, has_odds=False),
)
RULINGS = (
    TABLE.gm("harm", rulings.do_harm, fields=gm_forms.harm_fields),
    TABLE.gm("heal", care.heal, fields=gm_forms.heal_fields),
    TABLE.gm("limb", rulings.set_limb, fields=gm_forms.limb_fields),
    TABLE.gm("impose", rulings.impose, fields=gm_forms.impose_fields),
    TABLE.gm("fear", rulings.call_fear, fields=gm_forms.fear_fields),
    TABLE.gm("call_roll", rulings.call_roll, fields=gm_forms.call_fields),
    TABLE.gm("toil", rulings.set_toil, fields=gm_forms.toil_fields),
    TABLE.gm("thing", rulings.set_thing, fields=gm_forms.thing_fields),
    TABLE.gm("arm", rulings.give_weapon, fields=gm_forms.arm_fields),
    TABLE.gm("repair", care.repair, fields=gm_forms.repair_fields),
)
ACTIONS = (*COMBAT, *MOVES, *DEFENSE, *OTHERS, *FREE)
