"""First Aid and painkillers, a round's non-combat action for the hurt; healing by nature or by magic."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, possessive
from combat.rules.core.commands.commands import Command, Field, Preview, Targeted, form_about, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_condition, has_condition, replace
from combat.rules.core.turn.hands import use_one
from combat.rules.core.turn.turns import spend

from .body.resolve import Effect, do
from .body.states import CAUSE, POINTS
from .body.wounds import face_points
from .book.options import find_option
from .book.tables import ACTION, HEAD, LIMBS, PLACES, TORSO, Place
from .characters.conditions import check_bars, is_on_part
from .characters.values import BROKEN, count_lost, find_mp, rank_terms
from .dice import adjusted, preview_chance, roll_under
from .fight.attack import exert
from .world.acting import REASON, act, find_targets, gm, name_keys, part_field, target_field
from .world.reach import check_arm, check_within

Limb = Literal["", "left_arm", "right_arm", "left_leg", "right_leg"]
SKILL = "first_aid"
MAX_POINTS = 999


class FirstAid(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stanch a limb, or wake someone if none is named. [CG-BLEED-03]  RULING R42"""

    target: str
    place: Limb = ""


def check_first_aid(state: State, command: FirstAid) -> Combatant:
    """The patient; Refused for the dead, the distant, and anyone it does not help."""
    combatant, target = state[command.actor], state[command.target]
    check_patient(state, combatant, target)
    if command.place:
        if not is_on_part(target, "bleeding", command.place):
            name = command.place.replace("_", " ")
            raise Refused(
                "bad_target", f"{possessive(target.name)} {name} does not bleed: choose a limb that does."
            )
    elif not is_wakeable(target):
        raise Refused("bad_target", f"First Aid cannot wake {target.name}: choose a limb that bleeds.")
    return target


def check_patient(state: State, combatant: Combatant, target: Combatant) -> None:
    """Refuse a patient who is dead, or not next to the helper, and a helper without a usable arm."""
    check_arm(combatant)
    check_bars(target, "help", "bad_target")
    check_within(state, combatant, target)


def is_wakeable(target: Combatant) -> bool:
    """Whether a blow or a faint keeps someone unconscious.  RULING R42"""
    return any(c.kind == "unconscious" and c.marks.get(CAUSE) != POINTS for c in target.conditions)


def find_needs(target: Combatant) -> list[str]:
    """What First Aid can do for someone: each limb that bleeds, and "" for waking."""
    if not target.conditions:
        return []
    limbs = [limb for limb in LIMBS if is_on_part(target, "bleeding", limb)]
    return [*limbs, ""] if is_wakeable(target) else limbs


def aid_terms(state: State, command: FirstAid) -> Modifiers:
    """First Aid, with a kit if one is at hand. [CG-BLEED-03]"""
    combatant = state[command.actor]
    terms = [*rank_terms(state, combatant, SKILL, "CG-BLEED-03")]
    kit = max(combatant.items, key=_count_kit, default=None)
    if kit and _count_kit(kit):
        terms.append(Modifier(kit.name, _count_kit(kit), "CG-BLEED-03"))
    return adjusted(command, tuple(terms), "CG-BLEED-03")


def _count_kit(item: Item) -> int:
    return int(item.data.get("first_aid_bonus_ranks", 0))


def give_first_aid(context: RuleContext, command: FirstAid) -> Then:
    """Give First Aid, a non-combat action. [CG-ACT-05]"""
    check_first_aid(context.state, command)
    spend(context, command.actor, {ACTION: 1}, on="First Aid", rule="CG-ACT-05")
    exert(context, command.actor, False)
    return Then(_treat, command)


def _treat(context: RuleContext, command: FirstAid) -> Then | None:
    """Do one thing on success; a failure may be retried next round. [CG-BLEED-03]  RULING R27 R42"""
    terms = aid_terms(context.state, command)
    result = roll_under(
        context,
        command.actor,
        terms,
        rule="CG-BLEED-03",
        what="action.first_aid",
        target=command.target,
    )
    if not result.good:
        return None
    kind: Literal["stanch", "wake"] = "stanch" if command.place else "wake"
    effect = Effect(
        kind=kind, who=command.actor, target=command.target, place=command.place, rule="CG-BLEED-03"
    )
    return do(context, effect)


def preview_first_aid(state: State, command: FirstAid) -> Preview:
    """The sums of the form."""
    check_first_aid(state, command)
    return preview_chance(state, aid_terms(state, command))


def aid_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The patient and the limb, filled with someone it helps. [CG-BLEED-03]"""
    patients = find_targets(state, actor, foes=False, own=True)
    helped = [(f, place) for f in patients for place in find_needs(f)]
    found = next((pair for pair in helped if not _refuse_aid(state, actor, *pair)), None)

    def check(other: Combatant) -> None:
        check_patient(state, state[actor], other)
        if not find_needs(other):
            raise Refused("bad_target", f"{other.name} needs no First Aid: choose someone who does.")

    limbs = name_keys(LIMBS)
    return (
        target_field(state, actor, False, own=True, check=check, wanted=found[0].id if found else ""),
        Field(
            "place",
            "Stanch",
            "choice",
            options=(Choice("", "no limb: wake them"), *limbs),
            value=found[1] if found else "",
            rule="CG-BLEED-03",
            required=False,
        ),
    )


def _refuse_aid(state: State, actor: str, target: Combatant, place: str) -> str:
    command = FirstAid(actor=actor, target=target.id, place=place)  # type: ignore[arg-type]  # of find_needs
    return why_refused(check_first_aid, state, command)


# ---------------------------------------------------------------- painkillers


def find_painkillers(combatant: Combatant) -> Item | None:
    """The painkillers someone carries."""
    return next((i for i in combatant.items if i.data.get("torso_penalty_becomes")), None)


def check_painkillers(state: State, actor: str) -> None:
    """Refuse if there are no painkillers."""
    if find_painkillers(state[actor]) is None:
        raise Refused("no_budget", f"{state[actor].name} has no painkillers.")


def give_painkillers(context: RuleContext, command: Targeted) -> Then | None:
    """Use up one dose, a non-combat action; a second only lasts longer. [CG-TORSO-03]  RULING R31

    A table's own painkillers may ease the torso to other ranks than the page's.
    """
    combatant, target = context.state[command.actor], context.state[command.target]
    check_patient(context.state, combatant, target)
    spend(context, combatant.id, {ACTION: 1}, on="painkillers", rule="CG-ACT-05")
    exert(context, combatant.id, False)
    item = find_painkillers(combatant)
    assert item is not None
    use_one(context, combatant.id, item, rule="CG-TORSO-03", how="how.uses", last="how.uses_up")
    rounds = int(find_option(context.state, "painkiller_rounds"))
    ranks = int(item.data["torso_penalty_becomes"])
    dose = Effect(
        kind="dose", who=combatant.id, target=target.id, points=rounds, ranks=ranks, rule="CG-TORSO-03"
    )
    return do(context, dose)


def dose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person who gets painkillers: those with a torso wound first. [CG-TORSO-03]"""
    patients = find_targets(state, actor, foes=False, own=True)

    def check(other: Combatant) -> None:
        check_patient(state, state[actor], other)

    torn = [f for f in patients if has_condition(f, "torso_wound") and allows(check, f)]
    return (target_field(state, actor, False, own=True, check=check, wanted=torn[0].id if torn else actor),)


# ---------------------------------------------------------------- healing


class Heal(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Mortality Points for one part of the body; `magic` may restore what nothing else does."""

    place: Place
    points: int
    magic: bool = False


def heal(context: RuleContext, command: Heal) -> None:
    """Heal a part, if it can be healed. [CG-LIMB-04] [CG-HEAD-03] [CG-TORSO-02]"""
    target = check_heal(context.state, command)
    how = "gm.magic" if command.magic else "gm.heals"
    overrule(context, how, command, target.id, part=f"place.{command.place}")
    heal_place(
        context, target.id, command.place, points=command.points, why="why.healed", magic=command.magic
    )


def check_heal(state: State, command: Heal) -> Combatant:
    """Refuse what cannot be healed: the dead, a destroyed limb without magic.  RULING R26 R30"""
    target = state[command.target]
    if not 1 <= command.points <= MAX_POINTS:
        raise Refused("bad_value", f"Heal 1 to {MAX_POINTS} Mortality Points.")
    check_dead(state, target, command.magic)
    name = command.place.replace("_", " ")
    if is_on_part(target, "destroyed", command.place) and not command.magic:
        raise Refused("not_allowed", f"The {name} is destroyed: only magic restores it (select “By magic”).")
    if not count_lost(target, command.place):
        raise Refused("bad_value", f"{possessive(target.name)} {name} is whole: choose another part.")
    return target


def check_dead(state: State, target: Combatant, magic: bool) -> None:
    """Refuse to heal the dead, except by magic for the torso if the table allows it. [CG-HEAD-03]"""
    dead = find_condition(target, "dead")
    if dead is None:
        return
    torso = dead.marks.get(CAUSE) == TORSO and find_mp(target, HEAD) > 0
    if magic and torso and find_option(state, "torso_death_irrevocable") == "no":
        return
    raise Refused("bad_target", f"{target.name} is dead: no healing helps, not even magic.")


def heal_place(
    context: RuleContext, who: str, place: str, points: int, why: Label, magic: bool = False
) -> None:
    """Give points back to a part that can be healed, and apply the consequences.  RULING R25 R37"""
    combatant = context.state[who]
    gain, is_lost = min(points, count_lost(combatant, place)), is_on_part(combatant, "destroyed", place)
    if gain <= 0 or (is_lost and not magic):
        return
    rule = "CG-LIMB-04" if is_lost else "CG-TORSO-02" if place == TORSO else "CG-REF-11"
    now = find_mp(combatant, place)
    context.emit(e.TrackChanged(who, f"mp.{place}", now, new=now + gain, why=why), rule)
    face_points(context, who)


# ---------------------------------------------------------------- armor


def repair(context: RuleContext, command: Target) -> None:
    """Repair armor between fights, natural armor too. [CG-SPEC-03]  RULING R13"""
    target = context.state[command.target]
    if context.state.phase == "fight":
        raise Refused("not_allowed", "Armor is repaired between fights: end this one first.")
    bare = [place for place in PLACES if BROKEN + place in target.marks]
    if not find_damaged(target) and not bare:
        raise Refused("not_allowed", f"No armor of {target.name} needs repair.")
    overrule(context, "gm.repair", command, target.id)
    for item in find_damaged(target):
        whole = replace(item, marks={k: v for k, v in item.marks.items() if not k.startswith(BROKEN)})
        context.emit(e.ItemChanged(target.id, whole, "how.repaired"), "CG-SPEC-03")
    for place in bare:
        context.emit(e.Marked(target.id, BROKEN + place, None), "CG-SPEC-03", e.GM_ONLY)


def find_damaged(target: Combatant) -> list[Item]:
    """The damaged pieces of armor."""
    return [item for item in target.items if any(key.startswith(BROKEN) for key in item.marks)]


heal_fields = form_about(
    part_field(PLACES, TORSO),
    number_field("points", "Points", 1, low=1, high=MAX_POINTS),
    Field("magic", "By magic", "flag", rule="CG-LIMB-04", required=False),
    REASON,
)
ACTIONS = (
    act("first_aid", give_first_aid, fields=aid_fields, preview=preview_first_aid),
    act("painkillers", give_painkillers, check_painkillers, fields=dose_fields),
    gm("heal", heal, fields=heal_fields),
    gm("repair", repair, fields=form_about(REASON)),
)
