"""The actions of the game by group: what each costs, runs and asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.commands.commands import Action, Command, Field, Preview, all_of, no_fields
from combat.rules.core.space import Reach
from combat.rules.core.space.areas import Shape
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import State
from combat.rules.core.turns import find_payment, no_budget

from ..book.blurbs import BLURBS
from ..book.options import POOLS
from ..care import healing
from ..fight import aim, attack, blast, finish, maneuvers
from ..fight.overwatch import watched
from ..fight.weapons import check_attacks
from ..hazards.drift import with_recoil
from ..move import climbing, combos, movement
from ..move.reach import reach_of
from ..people.conditions import KINDS
from ..turn import doors, speech
from ..turn import everyday as actions
from ..turn import rounds as turn
from . import forms

Check = Callable[[State, str], None]
Reaches = Callable[[State, str], tuple[Reach, ...]]
STANDARD, MOVE, QUICK, WHOLE = {"standard": 1}, {"move": 1}, {"quick": 1}, {"standard": 1, "move": 1}
COSTS = {"Standard": STANDARD, "Move": MOVE, "Quick": QUICK, "Whole turn": WHOLE}


def _affords(cost: dict[str, int], label: str) -> Check:
    """Whether the budget pays a cost, so that an action can be greyed with the reason."""

    def check(state: State, actor: str) -> None:
        fighter = state[actor]
        trade = state.options.get("trade_standard_for_move", True) and cost == MOVE
        instead = {"move": ("standard",)} if trade else {}
        if find_payment(fighter.budget, cost, instead) is None:
            raise no_budget(POOLS, KINDS, fighter, cost, label)

    return check


def _affords_reload(state: State, actor: str) -> None:
    """[COS-ACT-13] A Move Action, or none with a weapon that loads freely."""
    if not actions.has_free_reload(state, actor):
        _affords(MOVE, "Reload")(state, actor)


def act(
    name: str,
    label: str,
    group: str,
    kind: type[Command],
    run: Any,
    rule: str,
    *checks: Check,
    fields: Callable[[State, str], tuple[Field, ...]] = no_fields,
    preview: Callable[[State, Any], Preview] | None = None,
    on_turn: bool = True,
    pinned: bool = False,
    pays: bool = True,
    reach: Reaches | None = None,
    caught: Callable[[State, Any], tuple[str, ...]] | None = None,
    area: Callable[[State, Any], tuple[Shape, ...]] | None = None,
    goes: bool = False,
) -> Action:
    """An action of the turn. Enemies on overwatch may answer it; one that `goes` they answer on its way."""
    cost = COSTS.get(group)
    run = run if goes else watched(run)
    first = () if pinned or not on_turn else (forms.check_unpinned,)
    affords = (_affords(cost, label),) if cost and pays else ()
    return Action(
        name=name,
        label=label,
        group=group,
        type=kind,
        run=run,
        rule=rule,
        find_bar=forms.check_free_to_act,
        find_obstacle=all_of(*first, *checks, *affords),
        find_fields=fields,
        preview=preview,
        find_reach=reach,
        find_caught=caught,
        find_area=area,
        on_turn=on_turn,
        text=BLURBS[name],
        cost=group,
    )


def _item_fields(wanted: str, label: str) -> Callable[[State, str], tuple[Field, ...]]:
    return lambda state, actor: actions.items_field(state, actor, wanted, label)


ACTIONS = (
    act(
        "attack",
        "Attack",
        "Standard",
        aim.Attack,
        with_recoil(attack.attack),
        "COS-ACT-02",
        check_attacks,
        fields=forms.attack_fields,
        preview=aim.preview,
    ),
    act(
        "blast",
        "Grenade or area weapon",
        "Standard",
        blast.Blast,
        blast.blast,
        "COS-DMG-04",
        check_attacks,
        blast.check_has_area,
        fields=blast.blast_fields,
        preview=blast.preview_blast,
        caught=blast.find_victims,
        area=blast.find_area,
    ),
    act(
        "grapple",
        "Grapple",
        "Standard",
        maneuvers.Grab,
        maneuvers.grapple,
        "COS-MANV-01",
        check_attacks,
        fields=forms.grapple_fields,
        preview=maneuvers.preview_grapple,
    ),
    act(
        "squeeze",
        "Use your hold",
        "Standard",
        maneuvers.Hold,
        maneuvers.squeeze,
        "COS-MANV-03",
        check_attacks,
        maneuvers.check_holding,
        fields=forms.hold_fields,
        preview=maneuvers.preview_squeeze,
    ),
    act(
        "break_free",
        "Break free",
        "Standard",
        Command,
        maneuvers.break_free,
        "COS-MANV-03",
        maneuvers.check_held,
        preview=maneuvers.preview_break_free,
        pinned=True,
    ),
    act(
        "disarm",
        "Disarm",
        "Standard",
        maneuvers.Disarm,
        with_recoil(maneuvers.disarm),
        "COS-MANV-07",
        check_attacks,
        fields=forms.disarm_fields,
        preview=maneuvers.preview_disarm,
    ),
    act(
        "trip",
        "Trip",
        "Standard",
        maneuvers.Trip,
        maneuvers.trip,
        "COS-MANV-11",
        check_attacks,
        fields=forms.trip_fields,
        preview=maneuvers.preview_trip,
    ),
    act(
        "coup_de_grace",
        "Coup de grace",
        "Standard",
        aim.Strike,
        finish.coup_de_grace,
        "COS-COND-37",
        check_attacks,
        finish.check_helpless,
        fields=forms.finish_fields,
    ),
    act(
        "first_aid",
        "First aid",
        "Standard",
        healing.Care,
        healing.first_aid,
        "COS-ACT-06",
        fields=forms.care_fields,
        preview=healing.preview_aid,
    ),
    act(
        "rally",
        "Rally",
        "Standard",
        actions.Aid,
        actions.rally,
        "COS-ACT-07",
        fields=forms.rally_fields,
        preview=actions.preview_rally,
    ),
    act(
        "skill",
        "Use a skill",
        "Standard",
        actions.Check,
        actions.skill_check,
        "COS-ACT-03",
        fields=actions.skill_fields,
        preview=actions.preview_skill,
    ),
    act(
        "complex_device",
        "Complex device",
        "Standard",
        actions.Words,
        actions.use_complex,
        "COS-ACT-05",
        fields=forms.words_fields,
    ),
    act(
        "move",
        "Move",
        "Move",
        movement.Move,
        movement.move,
        "COS-ACT-08",
        movement.check_may_move,
        fields=movement.move_fields,
        reach=reach_of(1),
        goes=True,
    ),
    act("stand", "Stand up", "Move", Command, movement.stand, "COS-ACT-09", movement.check_prone),
    act(
        "draw",
        "Draw or put away",
        "Move",
        actions.Handle,
        actions.draw,
        "COS-ACT-10",
        fields=_item_fields("draw", "What"),
    ),
    act(
        "reload",
        "Reload",
        "Move",
        actions.Handle,
        actions.reload,
        "COS-ACT-13",
        _affords_reload,
        fields=_item_fields("reload", "Weapon"),
        pays=False,
    ),
    act(
        "pick_up",
        "Pick up",
        "Move",
        actions.Handle,
        actions.pick_up,
        "COS-ACT-10",
        check_anything_lies,
        fields=_item_fields("ground", "What"),
    ),
    act(
        "reactive_defense",
        "Reactive Defense",
        "Move",
        Command,
        combos.reactive_defense,
        "COS-DEF-08",
        combos.check_reactive,
    ),
    act(
        "climb",
        "Climb",
        "Move",
        climbing.Climb,
        climbing.climb,
        "COS-TERR-10",
        climbing.check_may_climb,
        fields=climbing.climb_fields,
        preview=climbing.preview_climb,
        goes=True,
    ),
    act(
        "press",
        "Press on a wound",
        "Move",
        healing.Care,
        healing.press,
        "COS-COND-03",
        fields=forms.friend_fields,
    ),
    act(
        "door",
        "Open or shut a door",
        "Move",
        doors.Door,
        doors.use_door,
        "COS-ACT-11",
        fields=doors.use_door_fields,
    ),
    act(
        "charge",
        "Charge",
        "Whole turn",
        aim.Charge,
        combos.charge,
        "COS-COMBO-01",
        movement.check_may_move,
        check_attacks,
        movement.check_whole_turn,
        fields=forms.charge_fields,
        preview=combos.preview_charge,
        goes=True,
    ),
    act(
        "retreat",
        "Fighting retreat",
        "Whole turn",
        combos.Retreat,
        with_recoil(combos.retreat),
        "COS-COMBO-06",
        check_attacks,
        fields=forms.retreat_fields,
        preview=combos.preview_retreat,
    ),
    act(
        "total_defense",
        "Total Defense",
        "Whole turn",
        combos.Guard,
        combos.total_defense,
        "COS-COMBO-10",
        combos.check_guard,
        fields=forms.guard_fields,
    ),
    act(
        "full_move",
        "Full Move",
        "Whole turn",
        movement.Go,
        movement.full_move,
        "COS-MOVE-03",
        movement.check_may_move,
        movement.check_whole_turn,
        fields=movement.go_fields,
        reach=reach_of(2),
        goes=True,
    ),
    act(
        "sprint",
        "Sprint",
        "Whole turn",
        movement.Go,
        movement.sprint,
        "COS-MOVE-05",
        movement.check_may_move,
        movement.check_sprint,
        movement.check_whole_turn,
        fields=movement.go_fields,
        reach=reach_of(3, smooth=True),
        goes=True,
    ),
    act("quick_aim", "Quick aim", "Quick", Command, combos.quick_aim, "COS-EX-07", combos.check_quick_aim),
    act(
        "fall_prone",
        "Fall prone",
        "Quick",
        Command,
        movement.fall_prone,
        "COS-ACT-16",
        movement.check_standing,
    ),
    act(
        "drop",
        "Drop an item",
        "Quick",
        actions.Handle,
        actions.drop_item,
        "COS-ACT-15",
        fields=_item_fields("held", "What"),
    ),
    act(
        "simple_device",
        "Simple device",
        "Quick",
        actions.Words,
        actions.use_simple,
        "COS-ACT-18",
        fields=forms.words_fields,
    ),
    act(
        "look",
        "Look around",
        "Quick",
        actions.Words,
        actions.look_around,
        "COS-ACT-19",
        fields=forms.words_fields,
    ),
    act(
        "speak",
        "Say a few words",
        "Quick",
        actions.Words,
        actions.speak,
        "COS-ACT-17",
        fields=forms.words_fields,
    ),
    act(
        "say",
        "Say something",
        "Free",
        speech.Speech,
        speech.say,
        "COS-ACT-22",
        fields=speech.speech_fields,
        on_turn=False,
    ),
    act(
        "concentrate", "Start or end concentration", "Free", actions.Words, actions.concentrate, "COS-ACT-20"
    ),
    act("let_go", "Let go", "Free", Command, maneuvers.let_go, "COS-COND-21", maneuvers.check_holding),
    act(
        "delay",
        "Delay",
        "Free",
        turn.Delay,
        turn.delay,
        "COS-INIT-06",
        turn.check_delay,
        fields=turn.delay_fields,
    ),
    act(
        "step_in",
        "Step in after this turn",
        "Out of turn",
        Command,
        turn.step_in,
        "COS-INIT-06",
        turn.check_step_in,
        on_turn=False,
    ),
    act(
        "interrupt",
        "Interrupt",
        "Out of turn",
        Command,
        turn.interrupt,
        "COS-INIT-07",
        turn.check_interrupt,
        preview=turn.preview_interrupt,
        on_turn=False,
    ),
)
FLOW = (
    Action(
        name="start",
        label="Roll initiative",
        group="Flow",
        type=turn.Start,
        run=turn.start,
        rule="COS-INIT-01",
        find_fields=forms.start_fields,
        on_turn=False,
        who="gm",
        text=BLURBS["start"],
    ),
    Action(
        name="next_turn",
        label="Next turn",
        group="Flow",
        type=Command,
        run=turn.next_turn,
        rule="COS-INIT-02",
        on_turn=False,
        who="gm",
        text=BLURBS["next_turn"],
    ),
)
