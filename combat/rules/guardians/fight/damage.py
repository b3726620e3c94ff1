"""A hit: its location by d12, damage less armor and Toughness, and the further effect of a 7."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import Args, say
from combat.rules.core.commands.context import Again, RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State
from combat.rules.core.turn.squads import find_others
from combat.rules.core.turn.turns import is_shared

from ..body.resolve import VITAL, Effect, Kind, do, roll_sleep
from ..book.options import find_option
from ..book.tables import (
    ARMOR_ROW,
    EXTREMITIES,
    EXTREMITY_DIE,
    FALL_ROW,
    HEAD,
    KNOCK_DIE,
    LOCATION_DIE,
    PLACES,
    ROWS,
    SLEEP_ROW,
    SPECIAL_ROWS,
)
from ..book.traits import disarms, severs
from ..characters.values import find_armor, find_mp, find_ranks, rank_terms
from ..dice import roll_under
from ..world.reach import find_held, find_shield
from .aim import Attack, damage_ranks, find_use

NO_ROW = 1  # CG-LOC-02
NO_LIMBS = (1, 4)  # rows of the d6 that are rolled again where only limbs count
EQUAL_ROWS = ((4, 11), SPECIAL_ROWS)  # rows of the d12 with the same effect
BOTH, PRONE, STUNNED, NOTHING = "both", "prone", "stunned", "nothing"


def land(context: RuleContext, command: Attack, *effects: Effect) -> Then | None:
    """Apply the effects of an attack; a thrown weapon lies where it hit."""
    use = find_use(context.state, command)
    if use.kind == "thrown":
        at = context.state[command.target].at
        thrown = Effect(kind="land", who=command.actor, rule="CG-ATK-01", item=use.item.id, at=at)
        effects = (*effects, thrown)
    return do(context, *effects)


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """A hit on a part of the body without its dice: added points, soak, and the further effect of a 7."""

    command: Attack
    place: str
    name: str
    dice: str
    attribute: str
    added: int
    severs: bool
    soak: Modifiers
    cuts: tuple[int, ...]
    besides: tuple[Effect, ...] = ()


def deal(context: RuleContext, command: Attack, place: str, seven: bool) -> Then | None:
    """Find the damage to a part of the body, and its soak. [CG-ATK-03] [CG-ATK-04]

    Only a part that was hit loses points. [CG-ATK-05] A 7 also breaks the armor. [CG-SPEC-03]  RULING R13
    """
    target = context.state[command.target]
    how = find_option(context.state, "seven_damage") if seven else ""
    besides = (make_seven_effect(context.state, command, target, place),) if seven else ()
    if how == "no_damage":
        return land(context, command, *besides)
    return Then(
        roll_damage, make_blow(context.state, command, place, bare=how == "zero_then_damage", besides=besides)
    )


def make_blow(
    state: State, command: Attack, place: str, bare: bool, besides: tuple[Effect, ...] = ()
) -> Blow:
    """The added ranks, less armor and Toughness; `bare` ignores armor. [CG-ATK-03] [CG-REF-05]"""
    use, target = find_use(state, command), state[command.target]
    added = damage_ranks(state, state[command.actor], use)
    soak = soak_terms(state, target, place, bare)
    return Blow(
        command=command,
        place=place,
        name=use.item.name,
        dice=use.weapon.damage,
        attribute=use.attribute,
        added=added,
        severs=severs(use.weapon),
        soak=soak,
        cuts=find_cuts(use.weapon.damage, added + add_up(soak), _count_left(state, target, place)),
        besides=besides,
    )


def _count_left(state: State, target: Combatant, place: str) -> int:
    """The points that a blow on a part can take: for a head or a torso also those of others of a squad."""
    others = find_others(state, target) if place in VITAL else ()
    return sum(find_mp(one, place) for one in (target, *others))


def make_seven_effect(state: State, command: Attack, target: Combatant, place: str) -> Effect:
    """Break the armor [CG-SPEC-03]; without armor, lower Toughness. [CG-SPEC-04]  RULING R14"""
    anywhere = find_option(state, "no_armor_means") == "anywhere"
    has_armor = find_armor(target, place) or (anywhere and any(find_armor(target, p) for p in PLACES))
    kind: Kind = "strip" if has_armor else "weaken"
    rule = "CG-SPEC-03" if has_armor else "CG-SPEC-04"
    return Effect(
        kind=kind,
        who=command.actor,
        target=target.id,
        place=place,
        rule=rule,
        why="why.seven",
    )


def roll_damage(context: RuleContext, blow: Blow) -> Then | None:
    """Roll the weapon's damage, added and soaked, never below 0; then apply it. [CG-ATK-03]"""
    command, place, waits = blow.command, blow.place, is_shared(context.state)
    cuts = () if waits else blow.cuts
    roll = context.roll(blow.dice, by=command.actor, rule="CG-ATK-03", why=blow.name, cuts=cuts)
    points = roll.total + blow.added + add_up(blow.soak)
    if waits:
        args: Args = {"n": roll.total, "dice": blow.dice}
        context.emit(e.Said("log.damage", command.actor, command.target, args), "CG-INIT-05")
    wound = Effect(
        kind="wound",
        who=command.actor,
        target=command.target,
        place=place,
        rule="CG-ATK-04",
        points=max(0, points),
        severs=blow.severs,
        why=say("why.blow", item=blow.name, part=f"place.{place}"),
        terms=damage_terms(blow, 0 if waits else roll.total, 0 if waits else points),
        roll=None if waits else roll,
        thrown=say("term.weapon", item=blow.name, dice=blow.dice) if waits else "",
    )
    return land(context, command, wound, *blow.besides)


def damage_terms(blow: Blow, rolled: int, points: int) -> Modifiers:
    """The terms of a blow's points; without the dice if those are added later."""
    label = say("term.weapon", item=blow.name, dice=blow.dice)
    terms = (
        Modifier(label, rolled, "CG-REF-05"),
        Modifier(f"term.{blow.attribute}", blow.added, "CG-REF-05"),
        *blow.soak,
        Modifier("term.floor", max(0, -points), "CG-ATK-03"),
    )
    return without_zeros(terms)


def find_cuts(notation: str, shift: int, left: int) -> tuple[int, ...]:
    """The dice sums at which a damage roll takes more points; beyond the last, nothing changes."""
    dice = parse_dice(notation)
    first, last = dice.count, dice.count * dice.sides
    return tuple(s for s in range(1 - shift, left - shift + 1) if first <= s <= last) or (first,)


def soak_terms(state: State, target: Combatant, place: str, bare: bool = False) -> Modifiers:
    """Armor of that part and Toughness. [CG-ATK-03] [CG-REF-08]  RULING R19 R24 R30"""
    armor = 0 if bare else find_armor(target, place)
    armor, tough = count_soak(find_option(state, "soak"), armor, count_toughness(state, target))
    terms = (Modifier("term.armor", -armor, "CG-REF-08"), Modifier("term.toughness", -tough, "CG-ATK-03"))
    return without_zeros(terms)


def count_toughness(state: State, target: Combatant) -> int:
    """The points that Toughness may take off a blow. [CG-ATK-03]  RULING R19 R30"""
    ranks = find_ranks(state, target, "toughness", roll=False)
    share = str(find_option(state, "toughness_soak"))
    return {"full_ranks": ranks, "half_ranks": ranks // 2}.get(share, 0)


def count_soak(how: str, armor: int, tough: int) -> tuple[int, int]:
    """The points of armor and of Toughness that count together, by the option "soak".  RULING R24"""
    if (how == "armor_else_toughness" and armor) or (how == "higher" and armor >= tough):
        return armor, 0
    return (0, tough) if how == "higher" else (armor, tough)


# The location of a hit: the d12, the extremity of a 7, and the rows that are no part of the body.


def locate(context: RuleContext, command: Attack) -> Then | None:
    """Roll 1d12 before any damage; a called shot has its location already. [CG-LOC-01]"""
    if command.called:
        return Then(deal, command, command.called, False)
    die = context.roll(
        LOCATION_DIE, by=command.actor, rule="CG-LOC-01", why="roll.location", equal_states=EQUAL_ROWS
    )
    row = die.total
    _tell(context, command, "log.location", row)
    if row == NO_ROW:
        return face_no_row(context, command)
    return Then(face_row, command, row if row not in ROWS else 0, ROWS.get(row, ""))


def _tell(context: RuleContext, command: Attack, key: str, row: int) -> None:
    known = f"place.{ROWS[row]}" if row in ROWS else f"row.{row}"
    context.emit(e.Said(key, command.actor, command.target, {"n": row, "result": known}), "CG-LOC-01")


def face_no_row(context: RuleContext, command: Attack) -> Then | None:
    """Resolve a 1, which has no row: the head, a new roll, nothing, or the GM. [CG-LOC-02]  RULING R11"""
    wanted = find_option(context.state, "d12_one")
    if wanted == "reroll":
        return Again(locate, command)
    if wanted == "no_effect":
        context.emit(e.Said("log.no_effect", command.actor, command.target), "CG-LOC-02")
        return Then(land, command)
    place = ask_place(context, command) if wanted == "gm" else HEAD
    return Then(deal, command, place, False) if place != NOTHING else Then(land, command)


def ask_place(context: RuleContext, command: Attack) -> str:
    """Ask the GM which part a 1 has hit."""
    options = tuple(Choice(place, place.replace("_", " ").capitalize()) for place in PLACES)
    question = f"A 1 for the location of the hit on {context.state[command.target].name}. Where?"
    options = (*options, Choice(NOTHING, "No effect"))
    return context.ask(GM, question, options, rule="CG-LOC-02", default=HEAD)


def face_row(context: RuleContext, command: Attack, row: int, place: str) -> Then | None:
    """Resolve a part of the body or a row. [CG-LOC-03] [CG-LOC-04] [CG-LOC-05] [CG-LOC-06] [CG-LOC-07]"""
    if place:
        return Then(deal, command, place, False)
    if row == ARMOR_ROW:
        return face_seven(context, command)
    if row == FALL_ROW:
        return Then(land, command, *find_falls(context, command))
    if row == SLEEP_ROW:
        return Then(face_sleep, command)
    assert row in SPECIAL_ROWS
    return Then(face_special, command)


# ---------------------------------------------------------------- seven


def face_seven(context: RuleContext, command: Attack) -> Then | None:
    """Hit armor or Toughness [CG-LOC-08]; a whip or flail may disarm instead. [CG-SPEC-01]  RULING R15"""
    use, held = find_use(context.state, command), find_held(context.state[command.target])
    if held and disarms(use.weapon):
        name = context.state[command.target].name
        options = (Choice("disarm", f"Disarm: {held[0].name} falls"), Choice("armor", "Armor or Toughness"))
        chosen = context.ask(
            command.actor, f"A 7 on {name}: disarm?", options, rule="CG-SPEC-01", default="disarm"
        )
        if chosen == "disarm":
            return Then(land, command, _drop(command, held[0], 0, "CG-SPEC-01"))
    return Then(roll_extremity, command)


def roll_extremity(context: RuleContext, command: Attack) -> Then:
    """Roll 1d6 for the part. [CG-SPEC-02]  RULING R12"""
    row = context.roll(EXTREMITY_DIE, by=command.actor, rule="CG-SPEC-02", why="roll.extremity").total
    if find_option(context.state, "d6_table") != "as_d12_rows" and row in NO_LIMBS:
        return Again(roll_extremity, command)
    args: Args = {"n": row, "result": f"place.{EXTREMITIES[row]}"}
    context.emit(e.Said("log.extremity", command.actor, command.target, args), "CG-SPEC-02")
    return Then(deal, command, EXTREMITIES[row], True)


def _drop(command: Attack, item: Item, yards: int, rule: str) -> Effect:
    return Effect(
        kind="drop", who=command.actor, target=command.target, rule=rule, item=item.id, points=yards
    )


# ---------------------------------------------------------------- eight and nine


def find_falls(context: RuleContext, command: Attack) -> tuple[Effect, ...]:
    """Prone, stunned, or both, as the GM or the table says. [CG-LOC-09]  RULING R16"""
    wanted = str(find_option(context.state, "result_8"))
    if wanted == "d6":
        die = context.roll("1d6", by=command.actor, rule="CG-LOC-09", why="roll.fall", cuts=(3, 5)).total
        wanted = PRONE if die < 3 else STUNNED if die < 5 else BOTH
    elif wanted == "gm_choice":
        wanted = ask_falls(context, command)
    falls: dict[str, tuple[Kind, ...]] = {BOTH: ("prone", "stun"), PRONE: ("prone",), STUNNED: ("stun",)}
    return tuple(
        Effect(kind=kind, who=command.actor, target=command.target, rule="CG-LOC-09")
        for kind in falls[wanted]
    )


def ask_falls(context: RuleContext, command: Attack) -> str:
    """Ask the GM for the effect of an 8; both is suggested."""
    options = (Choice(BOTH, "Prone and stunned"), Choice(PRONE, "Prone"), Choice(STUNNED, "Stunned"))
    question = f"An 8: what happens to {context.state[command.target].name}?"
    return context.ask(GM, question, options, rule="CG-LOC-09", default=BOTH)


def face_sleep(context: RuleContext, command: Attack) -> Then | None:
    """Knock the target out, unless a roll against it succeeds, by option. [CG-LOC-10]  RULING R17"""
    resist, who = find_option(context.state, "knockout_resist"), command.target
    if resist != "none":
        name = str(resist).removesuffix("_roll")
        terms = rank_terms(context.state, context.state[who], name, "CG-LOC-10")
        words = ("outcome.conscious", "outcome.unconscious")
        if roll_under(context, who, terms, rule="CG-LOC-10", what="check.knockout", words=words).good:
            return Then(land, command)
    ends = roll_sleep(context, who, "CG-LOC-10") or 0
    return Then(
        land, command, Effect(kind="sleep", who=command.actor, target=who, rule="CG-LOC-10", points=ends)
    )


# ---------------------------------------------------------------- ten and twelve


def face_special(context: RuleContext, command: Attack) -> Then | None:
    """Ask the GM; the first choice is suggested. [CG-LOC-11] [CG-SPEC-06] [CG-SPEC-07]  RULING R18"""
    options = find_specials(context, command)
    chosen = options[0].value
    if find_option(context.state, "result_10_12") == "gm_choice":
        question = f"A 10 or 12: what happens to {context.state[command.target].name}?"
        chosen = context.ask(GM, question, options, rule="CG-SPEC-06", default=chosen)
    return Then(land, command, *take_special_effect(context, command, chosen))


def find_specials(context: RuleContext, command: Attack) -> tuple[Choice, ...]:
    """The choices that apply, in order: shield destroyed, disarmed, weapon destroyed, another effect."""
    target = context.state[command.target]
    shield = find_shield(target)
    weapon = next((i for i in find_held(target) if i.kind == "weapon"), None)
    found = [Choice("shield", f"{shield.name} is destroyed")] if shield else []
    if weapon:
        found.append(Choice("disarm", f"Disarmed: {weapon.name} flies off"))
        found.append(Choice("break", f"{weapon.name} is destroyed"))
    found.append(Choice("special", "Something else: the GM applies it"))
    return (*found, Choice(NOTHING, "Nothing more"))


def take_special_effect(context: RuleContext, command: Attack, chosen: str) -> tuple[Effect, ...]:
    """The effects of the GM's choice."""
    target = context.state[command.target]
    shield = find_shield(target)
    weapon = next((i for i in find_held(target) if i.kind == "weapon"), None)
    if chosen == "disarm" and weapon:
        yards = context.roll(KNOCK_DIE, by=command.actor, rule="CG-SPEC-07", why="roll.flies").total
        return (_drop(command, weapon, yards, "CG-SPEC-07"),)
    broken = {"shield": shield, "break": weapon}.get(chosen)
    if broken:
        return (Effect(kind="break", who=command.actor, target=target.id, rule="CG-LOC-11", item=broken.id),)
    if chosen == "special":
        context.emit(e.Said("log.special", command.actor, command.target), "CG-SPEC-07")
    return ()
