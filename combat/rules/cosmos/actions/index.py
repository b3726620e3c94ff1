"""The actions of the game by group: the cost, code and form of each, and the few words on its tile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from combat.rules.core.commands.commands import Action, Check, Field
from combat.rules.core.commands.forms import check_any, words_fields
from combat.rules.core.commands.table import Form, Run, load_actions
from combat.rules.core.declaration.actions import Brief, name_loaded, name_weapon
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import Combatant, State, has_condition
from combat.rules.core.turn.turns import find_payment, no_budget

from ..book.options import POOLS, find_option
from ..care import healing
from ..fight import aim, attack, blast, maneuvers
from ..fight.overwatch import watched
from ..fight.weapons import check_attacks
from ..hazards.drift import with_recoil
from ..move import climbing, combos, movement
from ..move.movement import reach_of
from ..people.conditions import KINDS
from ..people.sheet import find_speed
from ..turn import basic_actions as actions
from ..turn import rounds as turn
from . import forms


def _walk(times: int, how: str = "") -> Callable[[State, Combatant], str]:
    return lambda state, combatant: f"Up to {times * find_speed(state, combatant)} m{how}"


BRIEFS: dict[str, Brief] = {
    "attack": name_weapon("Shoot or strike"),
    "blast": "Everyone within its radius",
    "grapple": "Seize someone within 1 m",
    "squeeze": "Hurt, pin or throw them",
    "break_free": "A contest of Might",
    "disarm": "At −2, without damage",
    "trip": "Puts someone on the ground",
    "coup_de_grace": "Maximum damage, no roll",
    "first_aid": "Stops bleeding, heals 1d6",
    "field_medicine": "With a kit, heals 2d6",
    "rally": "Ends an ally's fear",
    "skill": "Against the GM's number",
    "complex_device": "Takes all your attention",
    "overwatch": "One shot, held ready",
    "extinguish": "Puts out the fire on you",
    "navigate": "Detect, avoid or escape it",
    "move": _walk(1),
    "full_move": _walk(2),
    "sprint": _walk(3, " straight"),
    "stand": "Back on your feet",
    "draw": "A weapon",
    "reload": name_loaded("A full magazine"),
    "pick_up": "Something within 1 m",
    "reactive_defense": "Half Combat to Defense",
    "climb": "Over or onto an obstacle",
    "press": "Holds back bleeding",
    "door": "One next to you",
    "drug": "Lasts ten minutes",
    "apply": "Within 1 m, no roll",
    "catch_hold": "Ends your drift",
    "hurl": "You drift the other way",
    "charge": "Run and strike, +2 damage",
    "retreat": "Attack, then half Speed",
    "total_defense": "+4 Defense, half Speed",
    "quick_aim": "+1 on your next shot",
    "fall_prone": "+2 Defense against shots",
    "drop": "Something you hold",
    "simple_device": "A switch or a button",
    "look": "The GM says what you notice",
    "speak": "To those who hear you",
    "brace": "No drift after your attacks",
    "suit": "Or a mask",
    "say": "To all, or to your side",
    "concentrate": "It costs nothing",
    "let_go": "Everyone you hold",
    "delay": "Act later this round",
    "step_in": "Your turn comes next",
    "interrupt": "Awareness against 17",
}


def find_pressing(state: State, combatant: Combatant) -> tuple[str, ...]:
    """Breaking free comes first for someone held, who cannot move. [COS-COND-22]"""
    return ("break_free",) if has_condition(combatant, *maneuvers.HOLDS) else ()


TABLE = load_actions(Path(__file__).parents[1] / "actions.toml", forms.check_free_to_act)
STANDARD, MOVE, QUICK, WHOLE = {"standard": 1}, {"move": 1}, {"quick": 1}, {"standard": 1, "move": 1}
COSTS = {"Standard": STANDARD, "Move": MOVE, "Quick": QUICK, "Whole turn": WHOLE}


def _affords(cost: dict[str, int], label: str) -> Check:
    """A check that the budget pays a cost, so that an action can be grayed out with the reason."""

    def check(state: State, actor: str) -> None:
        combatant = state.combatants[actor]
        trade = find_option(state, "trade_standard_for_move") and cost == MOVE
        instead = {"move": ("standard",)} if trade else {}
        if find_payment(combatant.budget, cost, instead) is None:
            raise no_budget(POOLS, KINDS.find_row, combatant, cost, label)

    return check


def _affords_reload(state: State, actor: str) -> None:
    """Refuse a reload without a Move Action, unless a weapon in hand loads freely. [COS-ACT-13]"""
    if not actions.has_free_reload(state, actor):
        _affords(MOVE, "Reload")(state, actor)


def act(
    name: str,
    run: Run,
    *checks: Check,
    pinned: bool = False,
    pays: bool = True,
    goes: bool = False,
    **form: Unpack[Form],
) -> Action:
    """An action of the turn, which enemies on overwatch may answer; if it `goes`, along its path."""
    row = TABLE.rows[name]
    cost = COSTS.get(row.cost)
    first = () if pinned or not form.get("on_turn", True) else (forms.check_unpinned,)
    affords = (_affords(cost, row.label),) if cost and pays else ()
    run = run if goes else watched(run)
    return TABLE.act(name, run, *first, *checks, *affords, **form)


def _item_fields(wanted: str, label: str) -> Callable[[State, str], tuple[Field, ...]]:
    return lambda state, actor: actions.items_field(state, actor, wanted, label)


_to_draw, _to_load = _item_fields("draw", "What"), _item_fields("reload", "Weapon")

ACTIONS = (
    act("attack", with_recoil(attack.attack), check_attacks, fields=forms.attack_fields, preview=aim.preview),
    act(
        "blast",
        blast.blast,
        check_attacks,
        blast.check_has_area,
        fields=blast.blast_fields,
        preview=blast.preview_blast,
        caught=blast.find_victims,
        area=blast.find_area,
    ),
    act(
        "grapple",
        maneuvers.grapple,
        check_attacks,
        forms.check_near,
        fields=forms.grapple_fields,
        preview=maneuvers.preview_grapple,
    ),
    act(
        "squeeze",
        maneuvers.squeeze,
        check_attacks,
        maneuvers.check_holding,
        fields=forms.hold_fields,
        preview=maneuvers.preview_squeeze,
    ),
    act(
        "break_free",
        maneuvers.break_free,
        maneuvers.check_held,
        preview=maneuvers.preview_break_free,
        pinned=True,
    ),
    act(
        "disarm",
        with_recoil(maneuvers.disarm),
        check_attacks,
        fields=forms.disarm_fields,
        preview=maneuvers.preview_disarm,
    ),
    act(
        "trip",
        maneuvers.trip,
        check_attacks,
        forms.check_near,
        fields=forms.trip_fields,
        preview=maneuvers.preview_trip,
    ),
    act(
        "coup_de_grace",
        attack.coup_de_grace,
        check_attacks,
        attack.check_helpless,
        fields=forms.finish_fields,
    ),
    act("first_aid", healing.first_aid, fields=forms.care_fields, preview=healing.preview_aid),
    act(
        "rally",
        actions.rally,
        actions.check_any_afraid,
        fields=forms.rally_fields,
        preview=actions.preview_rally,
    ),
    act("skill", actions.skill_check, fields=actions.skill_fields, preview=actions.preview_skill),
    act("complex_device", actions.use_complex, fields=words_fields),
    act(
        "move",
        movement.move,
        movement.check_may_move,
        fields=movement.move_fields,
        reach=reach_of(1),
        goes=True,
    ),
    act("stand", movement.stand, movement.check_prone),
    act("draw", actions.draw, check_any(_to_draw, "There is nothing to draw."), fields=_to_draw),
    act(
        "reload",
        actions.reload,
        check_any(_to_load, "Nothing here takes rounds."),
        _affords_reload,
        fields=_to_load,
        pays=False,
    ),
    act("pick_up", actions.pick_up, check_anything_lies, fields=_item_fields("ground", "What")),
    act("reactive_defense", combos.reactive_defense, combos.check_reactive),
    act(
        "climb",
        climbing.climb,
        climbing.check_may_climb,
        fields=climbing.climb_fields,
        preview=climbing.preview_climb,
    ),
    act("press", healing.press, fields=forms.friend_fields),
    act("door", actions.use_door, fields=actions.use_door_fields),
    act(
        "charge",
        combos.charge,
        movement.check_may_move,
        check_attacks,
        movement.check_whole_turn,
        fields=forms.charge_fields,
        preview=combos.preview_charge,
        goes=True,
    ),
    act(
        "retreat",
        with_recoil(combos.retreat),
        movement.check_may_move,
        check_attacks,
        fields=forms.retreat_fields,
        preview=combos.preview_retreat,
    ),
    act("total_defense", combos.total_defense, combos.check_guard, fields=forms.guard_fields),
    act(
        "full_move",
        movement.full_move,
        movement.check_may_move,
        movement.check_whole_turn,
        fields=movement.go_fields,
        reach=reach_of(2),
        goes=True,
    ),
    act(
        "sprint",
        movement.sprint,
        movement.check_may_move,
        movement.check_sprint,
        movement.check_whole_turn,
        fields=movement.go_fields,
        reach=reach_of(3, smooth=True),
        goes=True,
    ),
    act("quick_aim", combos.quick_aim, combos.check_quick_aim),
    act("fall_prone", movement.fall_prone, movement.check_standing),
    act("drop", actions.drop_item, fields=_item_fields("held", "What")),
    act("simple_device", actions.use_simple, fields=words_fields),
    act("look", actions.look_around, fields=words_fields),
    act("speak", actions.speak, fields=words_fields),
    act("say", actions.talk, fields=actions.speech_fields, on_turn=False),
    act("concentrate", actions.concentrate),
    act("let_go", maneuvers.let_go, maneuvers.check_holding),
    act("delay", turn.delay, turn.check_delay, fields=turn.delay_fields),
    act("step_in", turn.step_in, turn.check_step_in, on_turn=False),
    act("interrupt", turn.interrupt, turn.check_interrupt, preview=turn.preview_interrupt, on_turn=False),
)
FLOW = (
    TABLE.gm("start", turn.start, fields=forms.start_fields),
    TABLE.gm("next_turn", turn.next_turn),
)
