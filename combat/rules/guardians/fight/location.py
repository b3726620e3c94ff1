"""The location of a hit: the d12, the extremity of a 7, and the rows that are no part of the body."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.words import Args
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Item

from ..body.effects import Effect, Kind
from ..body.resolve import roll_sleep
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
from ..book.traits import disarms
from ..characters.values import rank_terms
from ..dice import roll_under
from ..world.reach import find_held, find_shield
from .aim import Attack, find_use
from .damage import deal, land

NO_ROW = 1  # CG-LOC-02
REROLLS = 3  # then the die counts: a d12's 1 is the head, a d6's 1 and 4 the arm and leg beside
LIMB_ONLY = {1: 2, 4: 5}  # rows of the d6 rerolled where only limbs count, and what they become
EQUAL_ROWS = ((4, 11), SPECIAL_ROWS)  # rows of the d12 with the same effect
BOTH, PRONE, STUNNED, NOTHING = "both", "prone", "stunned", "nothing"


def locate(context: RuleContext, command: Attack, tries: int) -> Then | None:
    """Roll 1d12 before any damage; a called shot has its location already. [CG-LOC-01]"""
    if command.called:
        return Then(deal, command, command.called, False)
    die = context.roll(
        LOCATION_DIE, by=command.actor, rule="CG-LOC-01", why="roll.location", equal_states=EQUAL_ROWS
    )
    row = die.total
    _tell(context, command, "log.location", row)
    if row == NO_ROW:
        return face_no_row(context, command, tries)
    return Then(face_row, command, row if row not in ROWS else 0, ROWS.get(row, ""))


def _tell(context: RuleContext, command: Attack, key: str, row: int) -> None:
    known = f"place.{ROWS[row]}" if row in ROWS else f"row.{row}"
    context.emit(e.Said(key, command.actor, command.target, {"n": row, "result": known}), "CG-LOC-01")


def face_no_row(context: RuleContext, command: Attack, tries: int) -> Then | None:
    """Resolve a 1, which has no row: the head, a new roll, nothing, or the GM. [CG-LOC-02]  RULING R11"""
    wanted = find_option(context.state, "d12_one")
    if wanted == "reroll" and tries < REROLLS:
        return Then(locate, command, tries + 1)
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
    return Then(roll_extremity, command, 0)


def roll_extremity(context: RuleContext, command: Attack, tries: int) -> Then | None:
    """Roll 1d6 for the part. [CG-SPEC-02]  RULING R12"""
    row = context.roll(EXTREMITY_DIE, by=command.actor, rule="CG-SPEC-02", why="roll.extremity").total
    if find_option(context.state, "d6_table") != "as_d12_rows" and row in LIMB_ONLY:
        if tries < REROLLS:
            return Then(roll_extremity, command, tries + 1)
        row = LIMB_ONLY[row]
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
