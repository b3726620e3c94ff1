"""What Tiny Duel declares: actions and their forms, words, stat blocks, tactics and a demo fight."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from combat.rules.core.basics.modifiers import Derived, Modifier
from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Action, Command, Field
from combat.rules.core.space import distance
from combat.rules.core.state.state import Combatant, Scalar, State, has_condition, present
from combat.rules.core.system import (
    ConditionKind,
    Demo,
    DemoStep,
    Health,
    Pool,
    Setting,
    StatBlock,
    System,
    TableOption,
    Track,
)
from tests.combat.rules.tiny import rules
from tests.combat.rules.tiny.rules import REACH_M, Move, Strike

GROUNDS = (("dry", "Dry"), ("slippery", "Slippery"))
HEALTH = ("health.fresh", "health.hurt", "health.badly_hurt", "health.near_the_end", "health.down")


class Sheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A duellist: Skill 0 to 5, hits 1 to 20."""

    name: str = ""
    skill: int = 1
    hits: int = 6


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    sheet = msgspec.convert(data, Sheet)
    if not (0 <= sheet.skill <= 5 and 1 <= sheet.hits <= 20):
        raise msgspec.ValidationError("Skill is 0 to 5, hits 1 to 20")
    return Combatant(who, name, side, msgspec.to_builtins(sheet), {"hits": sheet.hits})


def find_health(fighter: Combatant) -> Health:
    now, most = fighter.tracks["hits"], int(fighter.sheet["hits"])
    out, share = has_condition(fighter, "down"), min(1.0, max(0.0, now / most))
    level = 4 if out else min(3, int(4 * (1 - share)))
    return Health(now, most, HEALTH[level], share, level, out, label="hits")


def describe_fighter(state: State, fighter: Combatant) -> tuple[Derived, ...]:
    skill = int(fighter.sheet["skill"])
    return (Derived("Skill", skill, (Modifier("term.skill", skill, "TINY-STR-01"),), "TINY-STR-01"),)


# ---------------------------------------------------------------- forms


def strike_fields(state: State, actor: str) -> tuple[Field, ...]:
    fighter = state[actor]
    others = [f for f in present(state) if f.id != actor]
    others.sort(key=lambda f: (f.side == fighter.side, distance(f.at, fighter.at)))
    options = tuple(Choice(f.id, f.name, "", _down(f)) for f in others)
    first = next((o.value for o in options if not o.refused), "")
    return (
        Field("target", "Target", "target", options, first),
        Field("strikes", "Strikes", "number", value="1", low=1, high=3, rule="TINY-STR-01"),
    )


def _down(fighter: Combatant) -> str:
    return f"{fighter.name} is down" if has_condition(fighter, "down") else ""


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    zones = [Choice(f"zone:{zone.id}", zone.name) for zone in state.scene.zones]
    near = [Choice(f"near:{f.id}", f"next to {f.name}") for f in present(state) if f.id != actor]
    options = (*zones, *near)
    value = options[0].value if options else ""
    return (
        Field("to", "Where to", "place", options, value),
        Field("far", "As far as it goes", "flag", value="true"),
    )


def _act(name: str, label: str, kind: type[Command], run: Any, rule: str, **more: Any) -> Action:
    more = {"group": "Act", "find_bar": rules.check_up, **more}
    return Action(name=name, label=label, type=kind, run=run, rule=rule, **more)


ACTIONS = (
    _act("strike", "Strike", Strike, rules.strike, "TINY-STR-01",
         find_obstacle=rules.can_pay("act"), find_fields=strike_fields, preview=rules.preview),
    _act("guard", "Guard", Command, rules.guard, "TINY-GRD-01", find_obstacle=rules.can_pay("act")),
    _act("scare", "Scare", Command, rules.scare, "TINY-SCARE-01", find_obstacle=rules.can_pay("act")),
    _act("move", "Step", Move, rules.move, "TINY-MOVE-01", find_fields=move_fields),
    _act("wait", "Wait", Command, rules.wait, "TINY-TURN-03", find_obstacle=rules.check_wait),
    _act("start", "Start", Command, rules.start, "TINY-TURN-01", on_turn=False, who="gm"),
    _act("next_turn", "Next turn", Command, rules.next_turn, "TINY-TURN-02", on_turn=False, who="gm"),
)  # fmt: skip


# ---------------------------------------------------------------- tactics


def suggest(state: State, actor: str) -> tuple[str, Command] | None:
    """Strike whoever is near, else come near."""
    fighter = state[actor]
    foes = [f for f in present(state) if f.side != fighter.side and not has_condition(f, "down")]
    if has_condition(fighter, "down") or not foes:
        return None
    foe = min(foes, key=lambda f: distance(f.at, fighter.at))
    if distance(foe.at, fighter.at) > REACH_M and any(fighter.budget.values()):
        return "move", Move(actor=actor, to=f"near:{foe.id}", far=True)
    return ("strike", Strike(actor=actor, target=foe.id)) if fighter.budget.get("act") else None


# ---------------------------------------------------------------- the demo

ADA, BO, CY = "f1", "f2", "f3"


def _step(step: str, /, *answers: tuple[int, ...] | str, **command: Any) -> DemoStep:
    return DemoStep(step, command, answers)


def make_demo() -> Demo:
    yard = {"id": "yard", "name": "Yard", "width": 10, "depth": 10}
    wall = {"id": "wall", "name": "Wall", "x": 10, "width": 2, "depth": 10, "height": 1}
    return Demo(
        name="A duel in the yard",
        intro="Ada alone against two.",
        setup=(
            _step("set_scene", scene={"name": "The yard", "zones": [yard, wall]}),
            _step("join", sheet={"skill": 3, "hits": 8}, name="Ada", side="heroes", zone="yard", pc=True),
            _step("join", block="brawler", name="Bo", zone="yard"),
            _step("join", block="brawler", name="Cy", zone="wall"),
        ),
        script=(
            _step("start", (4,), (5,), (1,)),  # 7, 6, 2
            _step("move", actor=ADA, to=f"near:{BO}", far=True),
            _step("strike", (4,), (1,), (1,), actor=ADA, target=BO, strikes=2),
            _step("next_turn"),
            _step("guard", actor=BO),
            _step("next_turn"),
            _step("move", actor=CY, to=f"near:{ADA}", far=True),
            _step("next_turn"),
            _step("strike", (5,), "parry", (2,), (4,), actor=ADA, target=BO),
            _step("next_turn"),
            _step("set_setting", key="ground", value="slippery"),
            _step("wait", actor=BO),
            _step("next_turn"),
            _step("next_turn"),
            _step("scare", "back", "stand", (1,), actor=ADA),
            _step("end_fight", reason="Enough for today."),
        ),
    )


SYSTEM = System(
    slug="tiny",
    name="Tiny Duel",
    folder=Path(__file__).parent,
    sheet=Sheet,
    actions={action.name: action for action in ACTIONS},
    options=(
        TableOption("damage", "Dice of a wound", "1d4", ("1d4", "1d6"), "R1"),
        TableOption("scaring", "One may be scared", True, (), "R2"),
    ),
    settings=(Setting("ground", "Ground", GROUNDS, "dry", "TINY-MOVE-02"),),
    pools=(Pool("act", "act", 1, "TINY-TURN-02"), Pool("step", "step", 1, "TINY-TURN-02")),
    tracks=(Track("hits", "hits", 0),),
    conditions={
        kind.kind: kind
        for kind in (
            ConditionKind("guarded", "Guarded", "2 harder to hit.", "one's next turn", "TINY-GRD-01"),
            ConditionKind("shaken", "Shaken", "1 less to hit.", "the end of one's next turn", "TINY-COND-01"),
            ConditionKind("down", "Down", "Out of the fight.", "a hit regained", "TINY-COND-02"),
            ConditionKind("waiting", "Waiting", "Acts last.", "one's turn", "TINY-TURN-03", False),
        )
    },
    covers=(),
    lights=(),
    terrains=(),
    round_seconds=10,
    make_combatant=make_combatant,
    find_blocks=lambda: {
        "brawler": StatBlock("brawler", "Brawler", "", "Skill 1, 6 hits", {"skill": 1, "hits": 6}),
        "master": StatBlock("master", "Master", "", "Skill 4, 12 hits", {"skill": 4, "hits": 12}),
    },
    health=find_health,
    facts_of=describe_fighter,
    settle=rules.settle,
    enter=rules.enter,
    suggest=suggest,
    demo=make_demo,
)  # fmt: skip
