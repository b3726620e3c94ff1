"""The actions of the game by group: what each costs, runs and asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import (
    Action,
    Check,
    Command,
    Field,
    Preview,
    all_of,
    no_fields,
    no_obstacle,
)
from combat.rules.core.gm.decisions import Target, gm_action
from combat.rules.core.gm.doors import UseDoor, check_any_door
from combat.rules.core.space import Reach
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import State

from ..book.tables import ACTION
from ..care import first_aid, healing
from ..fight import aim, attack
from ..move import movement
from ..time import downtime
from ..turn import doors, everyday, holding
from ..turn import rounds as turn
from . import forms, gm_forms
from . import gm_rulings as rulings

Fields = Callable[[State, str], tuple[Field, ...]]
Show = Callable[[State, Any], Preview]


def _affords(label: str) -> Check:
    """[CG-ACT-02] Whether the round's action is left, so that an action can be greyed with the reason."""

    def check(state: State, actor: str) -> None:
        if state[actor].budget.get(ACTION, 0) < 1:
            raise Refused("no_budget", f"The action of this round is taken; {label} takes one.")

    return check


def _act(
    name: str,
    label: str,
    group: str,
    kind: type[Command],
    run: Any,
    rule: str,
    *checks: Check,
    fields: Fields = no_fields,
    preview: Show | None = None,
    reach: Callable[[State, str], tuple[Reach, ...]] | None = None,
    paid: bool = True,
    **more: Any,
) -> Action:
    """An action of a fighter; one that is `paid` takes the round's action."""
    costs = (_affords(label),) if paid else ()
    return Action(
        name=name,
        label=label,
        group=group,
        type=kind,
        run=run,
        rule=rule,
        cost="Action" if paid else "Free",
        find_bar=forms.check_free_to_act,
        find_obstacle=all_of(*checks, *costs) if checks or costs else no_obstacle,
        find_fields=fields,
        preview=preview,
        find_reach=reach,
        **more,
    )


def _gm(
    name: str, label: str, group: str, kind: type[Command], run: Any, rule: str, fields: Fields, **more: Any
) -> Action:
    return gm_action(name, label, group, kind, run, rule, fields=fields, **more)


COMBAT = (
    _act(
        "attack",
        "Attack",
        "Combat action",
        aim.Attack,
        attack.attack,
        "CG-ATK-01",
        aim.check_standing,
        fields=forms.attack_fields,
        preview=aim.preview,
    ),
    _act(
        "stand_up",
        "Stand up",
        "Combat action",
        Command,
        everyday.stand_up,
        "CG-PRONE-01",
        everyday.check_prone,
    ),
)
MOVES = (
    _act(
        "move",
        "Move",
        "Movement action",
        movement.Move,
        movement.move,
        "CG-ACT-03",
        fields=forms.move_fields,
        preview=movement.preview_move,
        reach=movement.find_reach,
    ),
    _act(
        "walk_on",
        "Move on",
        "Movement action",
        movement.Move,
        movement.walk_on,
        "CG-MOVE-03",
        movement.check_left,
        fields=forms.move_fields,
        reach=movement.find_reach_left,
        paid=False,
    ),
)
DEFENSE = (
    _act("guard", "Extra defense", "Extra defensive action", Command, everyday.guard, "CG-ACT-04"),
    _act(
        "hold",
        "Hold the action",
        "Holding",
        Command,
        turn.hold,
        "CG-ACT-06",
        holding.check_hold,
        paid=False,
        has_odds=False,
    ),
    _act(
        "act_now",
        "Take the held action",
        "Holding",
        Command,
        holding.act_now,
        "CG-ACT-06",
        holding.check_act_now,
        paid=False,
        on_turn=False,
    ),
)
OTHERS = (
    _act(
        "first_aid",
        "First Aid",
        "Non-combat action",
        first_aid.FirstAid,
        first_aid.give_first_aid,
        "CG-BLEED-03",
        fields=forms.aid_fields,
        preview=first_aid.preview_first_aid,
    ),
    _act(
        "painkillers",
        "Give painkillers",
        "Non-combat action",
        first_aid.Dose,
        first_aid.give_painkillers,
        "CG-TORSO-03",
        first_aid.check_painkillers,
        fields=forms.dose_fields,
    ),
    _act(
        "draw",
        "Draw",
        "Non-combat action",
        everyday.Handle,
        everyday.draw,
        "CG-ACT-05",
        everyday.check_can_draw,
        fields=forms.draw_fields,
        paid=False,
    ),
    _act(
        "put_away",
        "Put away",
        "Non-combat action",
        everyday.Handle,
        everyday.put_away,
        "CG-ACT-05",
        fields=forms.held_fields,
    ),
    _act(
        "pick_up",
        "Pick up",
        "Non-combat action",
        everyday.Handle,
        everyday.pick_up,
        "CG-ACT-05",
        check_anything_lies,
        fields=forms.ground_fields,
    ),
    _act(
        "door",
        "Open or shut a door",
        "Non-combat action",
        UseDoor,
        doors.use_door,
        "CG-ACT-05",
        check_any_door(doors.find_arm),
        fields=doors.use_door_fields,
    ),
    _act(
        "other",
        "Something else",
        "Non-combat action",
        everyday.Other,
        everyday.do_other,
        "CG-ACT-05",
        fields=forms.other_fields,
        preview=everyday.preview_other,
    ),
)
FREE = (
    _act(
        "let_go",
        "Drop",
        "Free",
        everyday.Handle,
        everyday.let_go,
        "CG-ACT-02",
        fields=forms.held_fields,
        paid=False,
    ),
    _act(
        "speak",
        "Say a few words",
        "Free",
        everyday.Words,
        everyday.speak,
        "CG-ACT-02",
        fields=forms.words_fields,
        paid=False,
        on_turn=False,
    ),
)
FLOW = (
    _gm("start", "Roll initiative", "Flow", turn.Start, turn.start, "CG-ROUND-01", gm_forms.start_fields),
    _gm("next_turn", "Next turn", "Flow", turn.Next, turn.next_turn, "CG-INIT-03", gm_forms.next_fields),
    _gm(
        "pass_time",
        "Pass time",
        "Flow",
        downtime.PassTime,
        downtime.pass_time,
        "CG-FAT-05",
        gm_forms.time_fields,
        has_odds=False,
    ),
)
RULINGS = (
    _gm(
        "harm",
        "Special damage",
        "Body",
        rulings.Harm,
        rulings.do_harm,
        "CG-SPEC-07",
        gm_forms.harm_fields,
    ),
    _gm(
        "heal",
        "Heal a part",
        "Body",
        healing.Heal,
        healing.heal,
        "CG-LIMB-04",
        gm_forms.heal_fields,
    ),
    _gm(
        "limb",
        "State of a limb",
        "Body",
        rulings.SetLimb,
        rulings.set_limb,
        "CG-LIMB-03",
        gm_forms.limb_fields,
    ),
    _gm(
        "impose",
        "Condition for rounds",
        "Conditions",
        rulings.Impose,
        rulings.impose,
        "CG-REF-11",
        gm_forms.impose_fields,
    ),
    _gm(
        "make_up",
        "Custom condition",
        "Conditions",
        rulings.MakeUp,
        rulings.make_up,
        "CG-REF-11",
        gm_forms.make_up_fields,
    ),
    _gm(
        "fear",
        "Fear roll",
        "Conditions",
        rulings.Fear,
        rulings.call_fear,
        "CG-REF-02",
        gm_forms.fear_fields,
    ),
    _gm(
        "call_roll",
        "Call for a roll",
        "Conditions",
        rulings.CallRoll,
        rulings.call_roll,
        "CG-REF-11",
        gm_forms.call_fields,
    ),
    _gm(
        "toil",
        "Purely physical?",
        "Conditions",
        rulings.Toil,
        rulings.set_toil,
        "CG-FAT-01",
        gm_forms.toil_fields,
    ),
    _gm(
        "thing",
        "Drop or destroy",
        "Things",
        rulings.Thing,
        rulings.set_thing,
        "CG-SPEC-06",
        gm_forms.thing_fields,
    ),
    _gm(
        "arm",
        "Give a weapon",
        "Things",
        rulings.Arm,
        rulings.give_weapon,
        "CG-REF-05",
        gm_forms.arm_fields,
    ),
    _gm(
        "repair",
        "Repair armor",
        "Things",
        Target,
        healing.repair,
        "CG-SPEC-03",
        gm_forms.repair_fields,
    ),
)
ACTIONS = (*COMBAT, *MOVES, *DEFENSE, *OTHERS, *FREE)
