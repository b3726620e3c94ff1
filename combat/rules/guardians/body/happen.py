"""Effects take place: deeds first, then harm to others, then what follows from it for everybody."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.doors import leave_door
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_condition, has_condition, replace
from combat.rules.core.turns import (
    add_condition,
    defer,
    find_deferred,
    is_shared,
    remove_condition,
    remove_conditions,
)

from ..book.options import find_option
from ..book.tables import DULLED_TORSO_RANKS, LEGS, SEVEN_TOUGHNESS
from ..dice.rolls import roll_under
from ..people.conditions import find_on_part, is_on_part
from ..people.values import BROKEN, EASED, find_armor_pieces, has_natural_armor, rank_terms
from ..world.place import find_zone_name
from ..world.things import find_excess, find_held
from .effects import Effect, read_effects, sort_effects, write_effect
from .harm import face_points, lose_points
from .states import (
    ENDS,
    FAINTED,
    clear_limb,
    drop,
    fall_prone,
    find_round_end,
    knock_out,
    lengthen,
    stun,
    wake,
)

OWN_DEEDS = ("move", "stand", "ready", "stow", "pick", "door", "guard")
PLACES_OF_DEEDS = {
    "ready": "held",
    "stow": "carried",
    "drop": "ground",
}  # where they leave a thing of one's own
Hits = tuple[tuple[str, str], ...]  # who, and which part of the body


def take_effect(context: RuleContext, texts: tuple[str, ...]) -> Then | None:
    """[CG-INIT-05] All these take place together: nobody's deed undoes another's.  RULING R7"""
    found = [f for f in read_effects(texts) if _is_here(context.state, f)]
    return happen(context, [f for f in found if not _is_limp(context.state, f)])


def do(context: RuleContext, *effects: Effect) -> Then | None:
    """[CG-INIT-05] Let effects of one fighter's action happen: now, or at the end of a shared count."""
    if not effects or not is_shared(context.state):
        return happen(context, sort_effects(effects))
    return defer(context, effects[0].who, *map(write_effect, effects))


def happen(context: RuleContext, effects: list[Effect]) -> Then | None:
    """Effects in their order, then what follows from them."""
    for effect in effects:
        HAPPENINGS[effect.kind](context, effect)
    for effect in effects:
        if effect.kind in ("ready", "pick"):
            fighter = context.state[effect.who]
            drop(context, effect.who, *find_excess(fighter, find_held(fighter)))
    hurt = tuple(dict.fromkeys(f.target for f in effects if f.kind in ("wound", "strip", "weaken")))
    wounds = tuple((f.target, f.place) for f in effects if f.kind == "wound" and f.points)
    cuts = tuple((f.target, f.place) for f in effects if f.kind == "wound" and f.severs and f.points)
    return face_all(context, hurt, cuts, wounds) if hurt else None


def _is_here(state: State, effect: Effect) -> bool:
    """Whether there is still somebody for an effect to happen to."""
    whose = state.combatants.get(effect.target or effect.who)
    return whose is not None and not whose.gone


def _is_limp(state: State, effect: Effect) -> bool:
    """Whether the GM has put somebody down, while the count went on, whose own deed this is."""
    return effect.kind in OWN_DEEDS and has_condition(state[effect.who], "dead", "unconscious")


def face_all(
    context: RuleContext, hurt: tuple[str, ...], cuts: Hits, wounds: Hits | None = None
) -> Then | None:
    """What follows for each who was hurt; limbs that were severed ask for a roll.

    `cuts` are parts hit by what severs, `wounds` all that lost points, if that is known.
    """
    severed: list[str] = []
    for who in hurt:
        cutting = frozenset(place for hit, place in cuts if hit == who)
        changed = None if wounds is None else frozenset(place for hit, place in wounds if hit == who)
        places = face_points(context, who, cutting, changed)
        severed += [who for _ in places]
    return Then(face_severing, tuple(severed)) if severed else None


def face_severing(context: RuleContext, left: tuple[str, ...]) -> Then | None:
    """[CG-LIMB-05] Spirit, once for each limb, so as not to pass out.  RULING R28"""
    who, rest = left[0], left[1:]
    fighter = context.state[who]
    if not has_condition(fighter, "dead", "unconscious"):
        terms = rank_terms(context.state, fighter, "spirit", "CG-LIMB-05")
        words = ("outcome.conscious", "outcome.unconscious")
        if not roll_under(context, who, terms, rule="CG-LIMB-05", what="check.severed", words=words).good:
            ends = roll_sleep(context, who, "CG-LIMB-05")
            knock_out(context, who, "CG-LIMB-05", FAINTED, ends)
    return Then(face_severing, rest) if rest else None


def roll_sleep(context: RuleContext, who: str, rule: str) -> int | None:
    """[CG-LOC-10] The clock at which a knock-out ends; None for the end of the fight.  RULING R17"""
    length = find_option(context.state, "knockout_rounds")
    if length == "until_end":
        return None
    if length == "1d10":
        length = context.roll("1d10", by=who, rule=rule, why="roll.sleep").total
    return find_round_end(context.state, int(length))


# ---------------------------------------------------------------- one's own deeds


def _move(context: RuleContext, effect: Effect) -> None:
    fighter = context.state[effect.who]
    assert effect.at is not None
    yards = round(effect.cost, 1)
    context.emit(e.Moved(effect.who, (fighter.at, effect.at), yards, yards, effect.how), effect.rule)
    zone = find_zone_name(context.state, context.state[effect.who])
    if zone and zone != find_zone_name(context.state, fighter):
        context.emit(e.Said("log.reaches", effect.who, args={"zone": zone}), effect.rule)


def _stand(context: RuleContext, effect: Effect) -> None:
    """[CG-PRONE-01] Up again."""
    remove_conditions(context, effect.who, "prone", why="why.gets_up", rule=effect.rule)


def _find_own(fighter: Combatant, item_id: str) -> Item | None:
    return next((item for item in fighter.items if item.id == item_id), None)


def _ready(context: RuleContext, effect: Effect) -> None:
    item = _find_own(context.state[effect.who], effect.item)
    if item:
        place = "held" if effect.kind == "ready" else "carried"
        how = "how.draws" if effect.kind == "ready" else "how.puts_away"
        context.emit(e.ItemChanged(effect.who, replace(item, place=place), how), effect.rule)


def _pick(context: RuleContext, effect: Effect) -> None:
    """What two want at once the first of them by the order of joining gets."""
    item = next((thing for thing in context.state.ground if thing.id == effect.item), None)
    if item:
        held = replace(item, place="held", at=None)
        context.emit(e.ItemGained(effect.who, held, "how.picks_up"), effect.rule)


def _door(context: RuleContext, effect: Effect) -> None:
    """[CG-ACT-05] A door stands as the last who handled it at this count left it."""
    leave_door(context, effect.who, effect.item, bool(effect.points), effect.rule)


def _guard(context: RuleContext, effect: Effect) -> None:
    """[CG-ACT-04] A second defense until the end of the round."""
    ends = find_round_end(context.state)
    lengthen(context, effect.who, "extra_defense", ends, effect.rule)


def _stanch(context: RuleContext, effect: Effect) -> None:
    """[CG-BLEED-03] First Aid stops the clock of one limb for good."""
    clear_limb(context, effect.target, "bleeding", effect.place, "why.first_aid", effect.rule)


def _wake(context: RuleContext, effect: Effect) -> None:
    wake(context, effect.target, "why.first_aid", effect.rule)


def _dose(context: RuleContext, effect: Effect) -> None:
    """[CG-TORSO-03] Painkillers; another dose of the same only lasts longer.  RULING R31"""
    ends = find_round_end(context.state, effect.points)
    eased = {} if effect.ranks in (0, DULLED_TORSO_RANKS) else {EASED: effect.ranks}
    lengthen(context, effect.target, "painkillers", ends, effect.rule, **eased)


def _scare(context: RuleContext, effect: Effect) -> None:
    """[CG-REF-02] Frightened for some rounds, the present one included.  RULING R44"""
    ends = find_round_end(context.state, effect.points - 1)
    lengthen(context, effect.target, "frightened", ends, effect.rule)


def _land(context: RuleContext, effect: Effect) -> None:
    """A thrown weapon lies where it was thrown; of a stack it is one, and the others stay."""
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


# ---------------------------------------------------------------- what is done to others


def _wound(context: RuleContext, effect: Effect) -> None:
    """[CG-ATK-04] The points of one blow."""
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
    """The terms of a wound; what waited finds its dice again from the points that came of them."""
    if not effect.thrown:
        return effect.terms
    rolled = effect.points - add_up(effect.terms)
    return (Modifier(effect.thrown, rolled, "CG-REF-05"), *effect.terms) if effect.points else ()


def _strip(context: RuleContext, effect: Effect) -> None:
    """[CG-SPEC-03] No armor is left on that part, until it is repaired between fights.  RULING R13"""
    fighter, mark = context.state[effect.target], BROKEN + effect.place
    for piece in find_armor_pieces(fighter, effect.place):
        broken = replace(piece, marks={**piece.marks, mark: 1})
        how = say("how.loses_armor", part=f"place.{effect.place}")
        context.emit(e.ItemChanged(effect.target, broken, how), effect.rule)
    if has_natural_armor(fighter, effect.place):
        context.emit(e.Marked(effect.target, mark, True), effect.rule, e.GM_ONLY)


def _weaken(context: RuleContext, effect: Effect) -> None:
    """[CG-SPEC-04] Toughness falls by one; [CG-SPEC-05] the last rank stays: they fall.  RULING R14 R47"""
    who = effect.target
    ranks = context.state[who].tracks["toughness"]
    if ranks > SEVEN_TOUGHNESS:
        told = e.TrackChanged(who, "toughness", ranks, ranks - SEVEN_TOUGHNESS, effect.why, by=effect.who)
        context.emit(told, "CG-SPEC-04")
        return
    fall_prone(context, who, "CG-SPEC-05")
    stun(context, who, "CG-SPEC-05")


def _drop(context: RuleContext, effect: Effect) -> None:
    """[CG-SPEC-01] [CG-SPEC-07] Something held flies away."""
    item = _find_own(context.state[effect.target], effect.item)
    if item:
        drop(context, effect.target, item, by=effect.who, yards=effect.points, rule=effect.rule)


def _break(context: RuleContext, effect: Effect) -> None:
    """[CG-LOC-11] A shield or a weapon is destroyed."""
    item = _find_own(context.state[effect.target], effect.item)
    if item:
        gone = replace(item, place="destroyed")
        context.emit(e.ItemLost(effect.target, gone, "item_is.destroyed"), effect.rule)


def _prone(context: RuleContext, effect: Effect) -> None:
    fall_prone(context, effect.target, effect.rule)


def _stun(context: RuleContext, effect: Effect) -> None:
    stun(context, effect.target, effect.rule)


def _sleep(context: RuleContext, effect: Effect) -> None:
    """[CG-LOC-10] Knocked out; `points` is the clock at which it ends, 0 for the end of the fight."""
    knock_out(context, effect.target, effect.rule, ends=effect.points or None)


HAPPENINGS: dict[str, Callable[[RuleContext, Effect], None]] = {
    "move": _move,
    "stand": _stand,
    "ready": _ready,
    "stow": _ready,
    "pick": _pick,
    "door": _door,
    "guard": _guard,
    "stanch": _stanch,
    "wake": _wake,
    "dose": _dose,
    "scare": _scare,
    "land": _land,
    "wound": _wound,
    "strip": _strip,
    "weaken": _weaken,
    "drop": _drop,
    "break": _break,
    "prone": _prone,
    "stun": _stun,
    "sleep": _sleep,
}


def find_fates(before: Combatant, after: Combatant) -> tuple[str, ...]:
    """What happened to somebody besides going down, for the odds: limbs, death, stun, falls."""
    found = [kind for kind in ("dead", "stunned", "prone", "torso_wound") if _gains(before, after, kind)]
    limbs = (
        f"fate.{limb}_{kind}"
        for limb in ("left_arm", "right_arm", *LEGS)
        for kind in ("disabled", "destroyed")
        if is_on_part(after, kind, limb) and not find_on_part(before, kind, limb)
    )
    return (*(f"fate.{kind}" for kind in found), *limbs)


def _gains(before: Combatant, after: Combatant, kind: str) -> bool:
    return has_condition(after, kind) and not has_condition(before, kind)


def end_sleep(context: RuleContext, who: str) -> None:
    """[CG-LOC-10] Who was out until the end of the fight comes round.  RULING R17"""
    held = find_condition(context.state[who], "unconscious")
    if held and ENDS not in held.marks and held.marks.get("cause") in ("knocked", FAINTED):
        remove_condition(context, who, held, "why.fight_over", "CG-LOC-10")


def has_guard(fighter: Combatant) -> bool:
    """Whether a second defense is left.  [CG-ACT-04]"""
    return has_condition(fighter, "extra_defense")


def use_guard(context: RuleContext, who: str) -> None:
    """The extra defense has been rolled.  [CG-ACT-04]"""
    remove_conditions(context, who, "extra_defense", why="why.used", rule="CG-ACT-04")


def carry_out(context: RuleContext, *effects: Effect) -> None:
    """Let deeds that hurt nobody happen: now, or at the end of a shared count.  [CG-INIT-05]"""
    do(context, *effects)


def _find_waiting(state: State, who: str) -> list[Effect]:
    """What somebody does at a shared count, and waits for its end."""
    waiting = [key for key in find_deferred(state) if key.split(":")[1] == who]
    return read_effects(tuple(str(state.marks[key]) for key in waiting))


def find_spot(state: State, who: str) -> Point:
    """Where somebody stands for their own doings: moves that wait for the end of the count included."""
    moves = [f for f in _find_waiting(state, who) if f.kind == "move"]
    return moves[-1].at if moves and moves[-1].at else state[who].at


def find_hands(state: State, who: str) -> Combatant:
    """Somebody with what will be in their hands: own doings that wait for the end of the count included."""
    if not is_shared(state):
        return state[who]
    fighter = state[who]
    for effect in _find_waiting(state, who):
        item = _find_own(fighter, effect.item)
        if effect.kind in PLACES_OF_DEEDS and item:
            moved = replace(item, place=PLACES_OF_DEEDS[effect.kind])
            fighter = replace(fighter, items=tuple(moved if i.id == item.id else i for i in fighter.items))
        elif effect.kind == "pick":
            found = (replace(i, place="held", at=None) for i in state.ground if i.id == effect.item)
            fighter = replace(fighter, items=(*fighter.items, *found))
    return fighter


def give_condition(context: RuleContext, who: str, kind: str, rule: str, ends: int | None) -> None:
    """A state with a clock, or without one."""
    if ends is None:
        add_condition(context, who, kind, rule=rule)
    else:
        lengthen(context, who, kind, ends, rule)
