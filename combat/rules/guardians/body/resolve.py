"""Effects that happen: deeds first, then harm to others, then the consequences for everyone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, get_args

import msgspec

from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.handing import HandOver, pass_on
from combat.rules.core.gm.ways import leave_door
from combat.rules.core.map.moving import Course
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_condition, has_condition, replace
from combat.rules.core.turn import hands
from combat.rules.core.turn.squads import LEFT_OVER, over_terms, share_harm
from combat.rules.core.turn.turns import (
    add_condition,
    defer,
    find_deferred,
    is_shared,
    remove_condition,
    remove_conditions,
)

from ..book.options import find_option
from ..book.tables import HEAD, LEGS, SEVEN_TOUGHNESS, TORSO
from ..characters.conditions import EASED, find_on_part, find_usual_dose, is_on_part
from ..characters.values import BROKEN, find_armor_pieces, find_mp, find_natural_armor, rank_terms
from ..dice import roll_under
from ..world.reach import find_excess, find_held
from .moving import MOVER
from .states import ENDS, FAINTED, clear_limb, drop, end_of_round, fall_prone, knock_out, lengthen, stun, wake
from .wounds import face_points, lose_points

VITAL = (HEAD, TORSO)  # the parts without whose points someone dies
BLOW = "CG-ATK-04"  # the rule of the points of a blow
OWN_DEEDS = ("move", "stand", "ready", "stow", "pick", "hand", "door", "guard")
PLACES_OF_DEEDS = {
    "ready": "held",
    "stow": "carried",
    "drop": "ground",
}  # where they put one of the combatant's items
Hits = tuple[tuple[str, str], ...]  # pairs of combatant and part of the body


def resolve_count(context: RuleContext, texts: tuple[str, ...]) -> Then | None:
    """Apply these effects together: no one's deed undoes another's. [CG-INIT-05]  RULING R7"""
    found = [f for f in read_effects(texts) if _is_here(context.state, f)]
    return happen(context, [f for f in found if not _is_limp(context.state, f)])


def do(context: RuleContext, *effects: Effect) -> Then | None:
    """Apply the effects of one action: now, or at the end of a shared count. [CG-INIT-05]"""
    if not effects or not is_shared(context.state):
        return happen(context, sort_effects(effects))
    return defer(context, effects[0].who, *map(write_effect, effects))


def happen(context: RuleContext, effects: list[Effect]) -> Then | None:
    """Apply effects in their order, then their consequences."""
    effects = [done for effect in effects for done in _happen(context, effect)]
    for effect in effects:
        if effect.kind in ("ready", "pick"):
            combatant = context.state[effect.who]
            drop(context, effect.who, *find_excess(combatant, find_held(combatant)))
    harm = [f for f in effects if f.kind in ("wound", "strip", "weaken")]
    if not harm:
        return None
    hurt = tuple(dict.fromkeys([f.target for f in harm]))
    wounds = tuple((f.target, f.place) for f in harm if f.kind == "wound" and f.points)
    cuts = tuple((f.target, f.place) for f in harm if f.kind == "wound" and f.severs and f.points)
    return face_all(context, hurt, cuts, wounds)


def _happen(context: RuleContext, effect: Effect, passed: tuple[str, ...] = ()) -> tuple[Effect, ...]:
    """Let one effect happen; returns it, and the wounds that fell through to others of a squad.

    The points beyond the last of a head or a torso do: the text lets those of a limb be lost. It is the
    table's own, in no text.
    """
    over, mate = 0, ""
    if effect.kind == "wound" and effect.place in VITAL and effect.rule in (BLOW, ""):
        now = find_mp(context.state[effect.target], effect.place)
        here, over, mate = share_harm(context, effect.target, effect.points, now, passed)
        if mate:
            effect = replace(effect, points=here, terms=(*effect.terms, *over_terms(over)))
    HAPPENINGS[effect.kind](context, effect)
    if not mate:
        return (effect,)
    why = say(LEFT_OVER, who=effect.target)
    rest = replace(effect, target=mate, points=over, why=why, rule="", terms=(), roll=None, thrown="")
    return (effect, *_happen(context, rest, (*passed, effect.target)))


def _is_here(state: State, effect: Effect) -> bool:
    """Whether the combatant of an effect is still there."""
    whose = state.combatants.get(effect.target or effect.who)
    return whose is not None and not whose.gone


def _is_limp(state: State, effect: Effect) -> bool:
    """Whether an effect is the own deed of someone the GM put down during the count."""
    return effect.kind in OWN_DEEDS and has_condition(state[effect.who], "dead", "unconscious")


def face_all(
    context: RuleContext, hurt: tuple[str, ...], cuts: Hits, wounds: Hits | None = None
) -> Then | None:
    """Apply the consequences for everyone hurt; severed limbs need a roll.

    `cuts` are parts hit by weapons that sever, `wounds` all parts that lost points, if known.
    """
    severed: list[str] = []
    for who in hurt:
        cutting = frozenset(place for hit, place in cuts if hit == who)
        changed = None if wounds is None else frozenset(place for hit, place in wounds if hit == who)
        places = face_points(context, who, cutting, changed)
        severed += [who for _ in places]
    return Then(face_severing, tuple(severed)) if severed else None


def face_severing(context: RuleContext, left: tuple[str, ...]) -> Then | None:
    """Roll Spirit once for each severed limb; failure knocks out. [CG-LIMB-05]  RULING R28"""
    who, rest = left[0], left[1:]
    combatant = context.state[who]
    if not has_condition(combatant, "dead", "unconscious"):
        terms = rank_terms(context.state, combatant, "spirit", "CG-LIMB-05")
        words = ("outcome.conscious", "outcome.unconscious")
        if not roll_under(context, who, terms, rule="CG-LIMB-05", what="check.severed", words=words).good:
            ends = roll_sleep(context, who, "CG-LIMB-05")
            knock_out(context, who, "CG-LIMB-05", cause=FAINTED, ends=ends)
    return Then(face_severing, rest) if rest else None


def roll_sleep(context: RuleContext, who: str, rule: str) -> int | None:
    """The clock at which a knock-out ends; None for the end of the fight. [CG-LOC-10]  RULING R17"""
    length = find_option(context.state, "knockout_rounds")
    if length == "until_end":
        return None
    if length == "1d10":
        length = context.roll("1d10", by=who, rule=rule, why="roll.sleep").total
    return end_of_round(context.state, int(length))


# ---------------------------------------------------------------- own deeds


def _move(context: RuleContext, effect: Effect) -> None:
    combatant = context.state[effect.who]
    assert effect.at is not None
    yards, path = round(effect.cost, 1), (combatant.at, effect.at)
    course = Course(effect.who, path, effect.way, effect.rule, effect.how, cost=yards, meters=yards)
    MOVER.carry(context, course)


def _stand(context: RuleContext, effect: Effect) -> None:
    """Stand up. [CG-PRONE-01]"""
    remove_conditions(context, effect.who, "prone", why="why.gets_up", rule=effect.rule)


def _find_own(combatant: Combatant, item_id: str) -> Item | None:
    return next((item for item in combatant.items if item.id == item_id), None)


def _ready(context: RuleContext, effect: Effect) -> None:
    item = _find_own(context.state[effect.who], effect.item)
    if item:
        move = hands.draw if effect.kind == "ready" else hands.put_away
        move(context, effect.who, item, effect.rule)


def _pick(context: RuleContext, effect: Effect) -> None:
    """Pick up an item; if two want it, the first to have joined the fight gets it."""
    item = next((thing for thing in context.state.ground if thing.id == effect.item), None)
    if item:
        hands.pick_up(context, effect.who, item, effect.rule)


def _hand(context: RuleContext, effect: Effect) -> None:
    """Hand over what is still there; `place` is the seed of its id."""
    item = _find_own(context.state[effect.who], effect.item)
    if item:
        count = min(effect.points, item.count)
        to = HandOver(actor=effect.who, item=item.id, target=effect.target, count=count, seed=effect.place)
        pass_on(context, to, effect.rule)


def _door(context: RuleContext, effect: Effect) -> None:
    """Open or shut a door; the last who handles it in a count decides. [CG-ACT-05]"""
    leave_door(context, effect.who, effect.item, is_open=bool(effect.points), rule=effect.rule)


def _guard(context: RuleContext, effect: Effect) -> None:
    """Give a second defense until the end of the round. [CG-ACT-04]"""
    ends = end_of_round(context.state)
    lengthen(context, effect.who, "extra_defense", ends=ends, rule=effect.rule)


def _stanch(context: RuleContext, effect: Effect) -> None:
    """Stop the clock of one limb for good, by First Aid. [CG-BLEED-03]"""
    clear_limb(context, effect.target, "bleeding", part=effect.place, why="why.first_aid", rule=effect.rule)


def _dose(context: RuleContext, effect: Effect) -> None:
    """Give painkillers; another dose of the same only lasts longer. [CG-TORSO-03]  RULING R31"""
    ends = end_of_round(context.state, effect.points)
    eased = {} if effect.ranks in (0, find_usual_dose()) else {EASED: effect.ranks}
    lengthen(context, effect.target, "painkillers", ends=ends, rule=effect.rule, **eased)


def _scare(context: RuleContext, effect: Effect) -> None:
    """Frighten someone for some rounds, including this one. [CG-REF-02]  RULING R44"""
    ends = end_of_round(context.state, effect.points - 1)
    lengthen(context, effect.target, "frightened", ends=ends, rule=effect.rule)


def _land(context: RuleContext, effect: Effect) -> None:
    """Put a thrown weapon where it landed; from a stack, only one."""
    item = _find_own(context.state[effect.who], effect.item)
    if item is None:
        return
    lying = replace(item, place="ground", at=effect.at)
    if item.count > 1:
        left = item.count - 1
        lying = replace(lying, id=f"{item.id} {left}", count=1)
        context.emit(e.ItemChanged(effect.who, replace(item, count=left), ""), effect.rule)
        context.emit(e.ItemGained(effect.who, lying, ""), effect.rule)
    context.emit(e.ItemLost(effect.who, lying, "how.throws"), effect.rule)


# ---------------------------------------------------------------- harm to others


def _wound(context: RuleContext, effect: Effect) -> None:
    """Take off the points of one blow. [CG-ATK-04]"""
    lose_points(
        context,
        effect.target,
        effect.place,
        effect.points,
        why=effect.why,
        rule=effect.rule,
        terms=find_terms(effect),
        roll=effect.roll,
        by=effect.who,
    )


def find_terms(effect: Effect) -> Modifiers:
    """The terms of a wound; the dice of a waiting one are worked out from its points."""
    if not effect.thrown:
        return effect.terms
    rolled = effect.points - add_up(effect.terms)
    return (Modifier(effect.thrown, rolled, "CG-REF-05"), *effect.terms) if effect.points else ()


def _strip(context: RuleContext, effect: Effect) -> None:
    """Break the armor of that part until it is repaired between fights. [CG-SPEC-03]  RULING R13"""
    combatant, mark = context.state[effect.target], BROKEN + effect.place
    for piece in find_armor_pieces(combatant, effect.place):
        broken = replace(piece, marks={**piece.marks, mark: 1})
        how = say("how.loses_armor", part=f"place.{effect.place}")
        context.emit(e.ItemChanged(effect.target, broken, how), effect.rule)
    if find_natural_armor(combatant, effect.place):
        context.emit(e.Marked(effect.target, mark, True), effect.rule, e.GM_ONLY)


def _weaken(context: RuleContext, effect: Effect) -> None:
    """Lower Toughness by one [CG-SPEC-04]; at the last rank, fall instead. [CG-SPEC-05]  RULING R14 R47"""
    who = effect.target
    ranks = context.state[who].tracks["toughness"]
    if ranks > SEVEN_TOUGHNESS:
        told = e.TrackChanged(
            who, "toughness", ranks, new=ranks - SEVEN_TOUGHNESS, why=effect.why, by=effect.who
        )
        context.emit(told, "CG-SPEC-04")
        return
    fall_prone(context, who, "CG-SPEC-05")
    stun(context, who, "CG-SPEC-05")


def _drop(context: RuleContext, effect: Effect) -> None:
    """Knock a held item away. [CG-SPEC-01] [CG-SPEC-07]"""
    item = _find_own(context.state[effect.target], effect.item)
    if item:
        drop(context, effect.target, item, by=effect.who, yards=effect.points, rule=effect.rule)


def _break(context: RuleContext, effect: Effect) -> None:
    """Destroy a shield or a weapon. [CG-LOC-11]"""
    item = _find_own(context.state[effect.target], effect.item)
    if item:
        gone = replace(item, place="destroyed")
        context.emit(e.ItemLost(effect.target, gone, "item_is.destroyed"), effect.rule)


def _sleep(context: RuleContext, effect: Effect) -> None:
    """Knock someone out; `points` is the clock at which it ends, 0 for the end of the fight. [CG-LOC-10]"""
    knock_out(context, effect.target, effect.rule, ends=effect.points or None)


HAPPENINGS: dict[str, Callable[[RuleContext, Effect], None]] = {
    "move": _move,
    "stand": _stand,
    "ready": _ready,
    "stow": _ready,
    "pick": _pick,
    "hand": _hand,
    "door": _door,
    "guard": _guard,
    "stanch": _stanch,
    "wake": lambda context, effect: wake(context, effect.target, "why.first_aid", effect.rule),
    "dose": _dose,
    "scare": _scare,
    "land": _land,
    "wound": _wound,
    "strip": _strip,
    "weaken": _weaken,
    "drop": _drop,
    "break": _break,
    "prone": lambda context, effect: fall_prone(context, effect.target, effect.rule),
    "stun": lambda context, effect: stun(context, effect.target, effect.rule),
    "sleep": _sleep,
}


def other_outcomes(before: Combatant, after: Combatant) -> tuple[str, ...]:
    """Outcomes for the odds other than going down: limbs, death, stun, falls."""
    kinds = [kind for kind in ("dead", "stunned", "prone", "torso_wound") if has_condition(after, kind)]
    found = [kind for kind in kinds if not has_condition(before, kind)]
    limbs = (
        f"fate.{limb}_{kind}"
        for limb in ("left_arm", "right_arm", *LEGS)
        for kind in ("disabled", "destroyed")
        if is_on_part(after, kind, limb) and not find_on_part(before, kind, limb)
    )
    return (*(f"fate.{kind}" for kind in found), *limbs)


def end_sleep(context: RuleContext, who: str) -> None:
    """Wake someone who was out until the end of the fight. [CG-LOC-10]  RULING R17"""
    held = find_condition(context.state[who], "unconscious")
    if held and ENDS not in held.marks and held.marks.get("cause") in ("knocked", FAINTED):
        remove_condition(context, who, held, why="why.fight_over", rule="CG-LOC-10")


def has_guard(combatant: Combatant) -> bool:
    """Whether a second defense is left.  [CG-ACT-04]"""
    return has_condition(combatant, "extra_defense")


def carry_out(context: RuleContext, *effects: Effect) -> None:
    """Apply deeds that hurt no one: now, or at the end of a shared count.  [CG-INIT-05]"""
    do(context, *effects)


def _find_waiting(state: State, who: str) -> list[Effect]:
    """The deeds of someone that wait for the end of a shared count."""
    waiting = [key for key in find_deferred(state) if key.split(":")[1] == who]
    return read_effects(tuple(str(state.marks[key]) for key in waiting))


def find_spot(state: State, who: str) -> Point:
    """The position of someone for their own deeds, after moves that wait for the end of the count."""
    moves = [f for f in _find_waiting(state, who) if f.kind == "move"]
    return moves[-1].at if moves and moves[-1].at else state[who].at


def find_hands(state: State, who: str) -> Combatant:
    """Someone with the items they will hold, after deeds that wait for the end of the count."""
    if not is_shared(state):
        return state[who]
    combatant = state[who]
    for effect in _find_waiting(state, who):
        item = _find_own(combatant, effect.item)
        if effect.kind in PLACES_OF_DEEDS and item:
            moved = replace(item, place=PLACES_OF_DEEDS[effect.kind])
            combatant = replace(
                combatant, items=tuple(moved if i.id == item.id else i for i in combatant.items)
            )
        elif effect.kind == "pick":
            found = (replace(i, place="held", at=None) for i in state.ground if i.id == effect.item)
            combatant = replace(combatant, items=(*combatant.items, *found))
    return combatant


def give_condition(context: RuleContext, who: str, kind: str, rule: str, ends: int | None) -> None:
    """Give a state with or without a clock."""
    if ends is None:
        add_condition(context, who, kind, rule=rule)
    else:
        lengthen(context, who, kind, ends=ends, rule=rule)


# The effects of actions, stored so that those of a shared count happen together. Every roll is made during
# the action, on the state before that count; an effect holds the results. [CG-INIT-05] RULING R7


Kind = Literal[
    "move", "stand", "ready", "stow", "pick", "hand", "door", "guard", "stanch", "wake", "dose", "scare",
    "land", "wound", "strip", "weaken", "drop", "break", "prone", "stun", "sleep",
]  # fmt: skip
# Own deeds come first, then harm to others
PHASES: tuple[Kind, ...] = get_args(Kind)


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One effect of an action. `who` did it, `target` suffers it.

    `points` are Mortality Points, yards, rounds, seconds or things by kind; for a door, 1 means open.
    `ranks` are the torso's ranks after a dose; `severs` marks weapons that cut. A waiting effect holds no
    dice, only their results: `thrown` is the label of their term. `way` is the way to move of a move.
    """

    kind: Kind
    who: str
    rule: str
    target: str = ""
    place: str = ""
    points: int = 0
    ranks: int = 0
    severs: bool = False
    item: str = ""
    at: Point | None = None
    cost: float = 0.0
    how: Label = ""
    way: str = "walk"
    why: Label = ""
    terms: Modifiers = ()
    roll: Roll | None = None
    thrown: Label = ""


def write_effect(effect: Effect) -> str:
    """An effect as text, to be stored until the end of the count."""
    return msgspec.json.encode(effect).decode()


def read_effects(texts: tuple[str, ...]) -> list[Effect]:
    """The effects in the order they happen: by kind, then as given."""
    return sort_effects(read_json(text, Effect) for text in texts)


def sort_effects(effects: Iterable[Effect]) -> list[Effect]:
    """The effects in the order they happen: by kind, then as given."""
    return sorted(effects, key=lambda effect: PHASES.index(effect.kind))
