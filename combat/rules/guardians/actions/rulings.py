"""The GM's rulings: rounds, conditions, bodies and items. [CG-REF-11] The log shows each."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.names import make_id
from combat.rules.core.basics.words import say, say_typed
from combat.rules.core.commands.commands import (
    Field,
    anybody,
    first_open,
    folded_field,
    form_about,
    number_field,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.system import system_of
from combat.rules.core.gm.decisions import Target, clean_name, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Item,
    State,
    find_item,
    has_condition,
    is_acting,
    present,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..body.resolve import Effect, face_all, give_condition, resolve_count, write_effect
from ..body.states import (
    CRUSHED,
    HOW,
    LASTS,
    SEVERED,
    bleed,
    clear_limb,
    drop,
    end_of_round,
    mark_limb,
    terrify,
)
from ..body.wounds import drop_from, face_points
from ..book import tables
from ..book.options import find_option
from ..book.tables import ACTION, FEAR_STEEP, LIMBS, PLACES, SEVEREST_FEAR, STUN_ROUNDS, TORSO, Place, Weapon
from ..characters.conditions import KINDS, check_bars, find_on_part
from ..characters.sheet import weapon_item
from ..characters.values import find_mp, name_rank, rank_terms
from ..dice import roll_under
from ..fight.damage import soak_terms
from ..world.acting import REASON, gm, name_keys, part_field
from ..world.reach import count_item_hands

MAX_ROUNDS, MAX_RANKS = 10_000, 20
CLOCKED = KINDS.tagged("clocked")
CLOCKED_KINDS = tuple(Choice(kind, KINDS[kind].label) for kind in CLOCKED)
MAX_POINTS = 999
STATES = name_keys(("sound", "disabled", "severed", "crushed", "bleeding", "stanched"))
WEAPONS = tuple(Choice(w.id, w.name, w.damage) for w in tables.weapons().values() if w.hands)
SKILLS = tuple(Choice(s.id, s.name) for s in tables.skills().values() if s.attack_kind)


# ---------------------------------------------------------------- a round


class Toil(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether this round is purely physical for someone. [CG-FAT-01]"""

    physical: bool


toil_fields = form_about(
    Field("physical", "Purely physical", "flag", value="true", rule="CG-FAT-01", required=False), REASON
)


def set_toil(context: RuleContext, command: Toil) -> None:
    """Set whether this round is purely physical for someone. [CG-FAT-01]  RULING R40"""
    target = context.state[command.target]
    if context.state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: there is no round to judge.")
    if target.marks.get("physical", None) is command.physical:
        what = "physical alone" if command.physical else "more than physical"
        raise Refused("not_allowed", f"This round of {target.name} already counts as {what}.")
    overrule(context, "gm.physical" if command.physical else "gm.not_physical", command, target.id)
    context.emit(e.Marked(target.id, "physical", command.physical), "CG-FAT-01", e.GM_ONLY)


# ---------------------------------------------------------------- conditions


class Impose(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A condition with its length in rounds, including this one; 0 until the GM ends it."""

    kind: str
    rounds: int = 0


impose_fields = form_about(
    Field("kind", "Condition", "choice", options=CLOCKED_KINDS, value=CLOCKED_KINDS[0].value),
    number_field(
        "rounds", "Rounds", 2, low=0, high=MAX_ROUNDS, help="the present one is the first; 0: until ended"
    ),
    REASON,
)


def impose(context: RuleContext, command: Impose) -> None:
    """Give any condition that has a clock, for some rounds. [CG-REF-11]"""
    target = context.state[command.target]
    if command.kind not in CLOCKED:
        raise Refused("unknown", f"Choose one of: {', '.join(KINDS[kind].label for kind in CLOCKED)}.")
    if not 0 <= command.rounds <= MAX_ROUNDS:
        raise Refused("bad_value", f"A length is 0 to {MAX_ROUNDS} rounds; 0 lasts until it is ended.")
    overrule(context, "gm.imposes", command, target.id, what=f"condition.{command.kind}")
    ends = end_of_round(context.state, command.rounds - 1) if command.rounds else None
    remove_conditions(context, target.id, command.kind, why="why.gm", rule="CG-REF-11")
    if ends is None and "brief" in KINDS[command.kind].tags:
        add_condition(context, target.id, command.kind, marks={LASTS: True})
    else:
        give_condition(context, target.id, command.kind, rule=KINDS[command.kind].rule, ends=ends)
    system_of(context).turn.after_change(context, target)


# ---------------------------------------------------------------- rolls


class Fear(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fear roll, made harder by 0 to 6 ranks. [CG-REF-02]"""

    severity: int = 0


fear_fields = form_about(
    number_field("severity", "Severity (ranks)", 0, low=SEVEREST_FEAR, high=0, rule="CG-REF-02"), REASON
)


def call_fear(context: RuleContext, command: Fear) -> None:
    """Roll Spirit: failure frightens, and by far costs the next action. [CG-REF-02]  RULING R32 R44"""
    target = context.state[command.target]
    _check_living(target)
    if find_option(context.state, "fear") == "off":
        raise Refused("not_allowed", "House rule: no fear rolls.")
    if not SEVEREST_FEAR <= command.severity <= 0:
        raise Refused("bad_value", f"The severity is {SEVEREST_FEAR} to 0 ranks.".replace("-", "−"))
    terms = rank_terms(context.state, target, "spirit", "CG-REF-02")
    if command.severity:
        terms = (*terms, Modifier("term.severity", command.severity, "CG-REF-02"))
    result = roll_under(
        context,
        target.id,
        terms,
        rule="CG-REF-02",
        what="check.fear",
        why=say_typed(command.reason),
        exact=True,
    )
    if result.good:
        return
    rounds = int(find_option(context.state, "fear_rounds"))
    scared = Effect(kind="scare", who=target.id, target=target.id, points=rounds, rule="CG-REF-02")
    resolve_count(context, (write_effect(scared),))
    if result.margin < -FEAR_STEEP:
        terrify(context, target.id, _count_rounds_lost(context, target))


def _count_rounds_lost(context: RuleContext, target: Combatant) -> int:
    """The rounds without an action after this one, so that fear costs only the next action.  RULING R32"""
    if context.state.phase != "fight":
        return STUN_ROUNDS
    if is_acting(context.state, target.id):
        return 0 if target.budget.get(ACTION, 0) else STUN_ROUNDS
    return 0 if not target.acted or has_condition(target, "holding") else STUN_ROUNDS


class CallRoll(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ranks to roll for someone, with more or fewer ranks; it costs nothing. [CG-REF-11]"""

    roll: str
    ranks: int = 0


def call_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant who rolls, and the ranks. [CG-REF-11]"""
    ranks = number_field("ranks", "More or fewer ranks", 0, low=-MAX_RANKS, high=MAX_RANKS)
    return (anybody(state, "Who rolls"), rank_field(state), ranks, REASON)


def rank_field(state: State) -> Field:
    """The ranks that anyone here has."""
    names = dict.fromkeys(name for f in present(state) for name in f.sheet["ranks"])
    options = tuple(Choice(name, name_rank(name)) for name in names)
    return Field("roll", "Roll", "choice", options=options, value=first_open(options), rule="CG-ATK-02")


def call_roll(context: RuleContext, command: CallRoll) -> None:
    """Make a roll that the GM asks for; it takes no action. [CG-REF-11] [CG-ATK-02]  RULING R37"""
    target = context.state[command.target]
    _check_living(target)
    if command.roll not in target.sheet["ranks"]:
        raise Refused("bad_value", f"{target.name} has no ranks in “{command.roll}”: choose what they have.")
    if abs(command.ranks) > MAX_RANKS:
        raise Refused("bad_value", f"It gives or takes at most {MAX_RANKS} ranks.")
    terms = rank_terms(context.state, target, command.roll, "CG-ATK-02")
    if command.ranks:
        terms = (*terms, Modifier("term.situational", command.ranks, "CG-REF-11"))
    roll_under(
        context,
        target.id,
        terms,
        rule="CG-REF-11",
        what=name_rank(command.roll),
        why=say_typed(command.reason),
    )


def _check_living(target: Combatant) -> None:
    check_bars(target, "help", "bad_target")


# The GM's rulings on bodies: special damage and the states of limbs. [CG-REF-11] The log shows each.


Limb = Literal["left_arm", "right_arm", "left_leg", "right_leg"]


# ---------------------------------------------------------------- damage


class Harm(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Damage that the GM adds: dice or a number, to a part of the body, with or without soak. [CG-SPEC-07]"""

    place: Place
    damage: str
    soak: bool = False
    severs: bool = False


harm_fields = form_about(
    part_field(PLACES, TORSO),
    Field("damage", "Damage", "text", value="2d6", help="dice, or points", rule="CG-SPEC-07"),
    Field("soak", "Less armor and Toughness", "flag", rule="CG-ATK-03", required=False),
    folded_field("severs", "It can sever", "flag", rule="CG-LIMB-05"),
    REASON,
)


def do_harm(context: RuleContext, command: Harm) -> Then | None:
    """Deal damage as entered; armor and Toughness count if selected. [CG-SPEC-07]  RULING R18"""
    target = context.state[command.target]
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead: choose another target.")
    points = read_points(command.damage)
    overrule(context, "gm.harm", command, target.id, part=f"place.{command.place}")
    roll = None
    if not points:
        roll = context.roll(command.damage, by=target.id, rule="CG-SPEC-07", why="roll.special")
        points = max(0, roll.total)
    terms: Modifiers = (Modifier("term.special", points, "CG-SPEC-07"),)
    if command.soak:
        terms = (*terms, *soak_terms(context.state, target, command.place))
    lost = max(0, sum(term.value for term in terms))
    effect = Effect(
        kind="wound",
        who=target.id,
        target=target.id,
        place=command.place,
        rule="CG-SPEC-07",
        points=min(lost, find_mp(target, command.place)),
        severs=command.severs,
        why="why.special",
        terms=terms,
        roll=roll,
    )
    return resolve_count(context, (write_effect(effect),))


def read_points(text: str) -> int:
    """A whole number of points; 0 for dice to roll. Refused for any other text."""
    try:
        dice = parse_dice(text)
    except ValueError:
        raise Refused("bad_value", "Enter dice such as 2d6, or a number of points.") from None
    if not dice.count and not 1 <= dice.plus <= MAX_POINTS:
        raise Refused("bad_value", f"Enter 1 to {MAX_POINTS} points, or dice such as 2d6.")
    return 0 if dice.count else dice.plus


# ---------------------------------------------------------------- limbs


class SetLimb(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The state of a limb that the GM sets."""

    place: Limb
    state: Literal["sound", "disabled", "severed", "crushed", "bleeding", "stanched"]


limb_fields = form_about(
    part_field(LIMBS, "right_arm"),
    Field("state", "Is now", "choice", options=STATES, value="disabled", rule="CG-LIMB-03"),
    REASON,
)


def set_limb(context: RuleContext, command: SetLimb) -> Then | None:
    """Set the state of a limb; its points follow. [CG-LIMB-03] [CG-BLEED-01]  RULING R26 R27"""
    who, limb = context.state[command.target].id, command.place
    overrule(context, "gm.limb", command, who, part=f"place.{limb}", what=f"limb_state.{command.state}")
    if command.state in (SEVERED, CRUSHED):
        return _lose_limb(context, who, limb, command.state)
    if command.state == "bleeding":
        clear_limb(context, who, "bleeding", part=limb, why="why.gm", rule="CG-BLEED-01")
        bleed(context, who, limb)
    elif command.state == "stanched":
        clear_limb(context, who, "bleeding", part=limb, why="why.gm", rule="CG-BLEED-03")
    elif command.state == "disabled":
        _disable(context, who, limb)
    else:
        _restore(context, who, limb)
    return None


def _lose_limb(context: RuleContext, who: str, limb: str, how: str) -> Then | None:
    """Sever or crush a limb; one already lost only gets the new word."""
    held = find_on_part(context.state[who], "destroyed", limb)
    if held:
        label = say("limb.lost", part=f"place.{limb}", how=f"how_lost.{how}")
        changed = replace(held, label=label, marks={**held.marks, HOW: how})
        context.emit(e.ConditionChanged(who, changed), "CG-LIMB-03")
        return None
    now = find_mp(context.state[who], limb)
    context.emit(e.TrackChanged(who, f"mp.{limb}", now, new=0, why="why.gm"), "CG-LIMB-03")
    cuts = ((who, limb),) if how == SEVERED else ()
    return face_all(context, (who,), cuts)


def _disable(context: RuleContext, who: str, limb: str) -> None:
    """Disable a limb, with at least 1 point, as 0 would destroy it; that arm drops items.  RULING R25 R45"""
    if not find_mp(context.state[who], limb):
        context.emit(e.TrackChanged(who, f"mp.{limb}", 0, new=1, why="why.gm"), "CG-LIMB-03")
        face_points(context, who, changed=frozenset({limb}))
    clear_limb(context, who, "destroyed", part=limb, why="why.gm", rule="CG-LIMB-03")
    mark_limb(context, who, "disabled", part=limb, rule="CG-LIMB-01")
    drop_from(context, who, limb)
    face_points(context, who, changed=frozenset({limb}))


def _restore(context: RuleContext, who: str, limb: str) -> None:
    """Restore a limb with all its points."""
    for kind in ("destroyed", "disabled", "bleeding"):
        clear_limb(context, who, kind, part=limb, why="why.gm", rule="CG-REF-11")
    combatant = context.state[who]
    full = {**combatant.sheet["computed"], **combatant.sheet["mortality"]}[limb]
    now = find_mp(combatant, limb)
    if now < full:
        context.emit(e.TrackChanged(who, f"mp.{limb}", now, new=full, why="why.gm"), "CG-REF-11")


# The GM's rulings on items: dropped, destroyed, given. [CG-REF-11] The log shows each.


class Thing(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happens to someone's item."""

    item: str
    fate: Literal["dropped", "destroyed"]


def thing_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item, and what happens to it. [CG-SPEC-06]"""
    owned = [(f, i) for f in present(state) for i in f.items if i.data.get("hands", 1) or i.kind == "armor"]
    items = tuple(Choice(item.id, f"{f.name}: {item.name}") for f, item in owned)
    fates = name_keys(("dropped", "destroyed"))
    return (
        anybody(state),
        Field("item", "What", "choice", options=items, value=first_open(items)),
        Field("fate", "Is", "choice", options=fates, value="dropped", rule="CG-SPEC-06"),
        REASON,
    )


def set_thing(context: RuleContext, command: Thing) -> None:
    """Drop or break an item, as the GM says. [CG-LOC-11] [CG-SPEC-06]"""
    target = context.state[command.target]
    item = find_item(target, command.item)
    if not count_item_hands(item) and item.kind != "armor":
        raise Refused("bad_value", f"{item.name} is part of the body: choose something else.")
    overrule(context, f"gm.{command.fate}", command, target.id, item=item.name)
    if command.fate == "dropped":
        drop(context, target.id, item, rule="CG-SPEC-06")
    else:
        gone = replace(item, place="destroyed")
        context.emit(e.ItemLost(target.id, gone, "item_is.destroyed"), "CG-LOC-11")


# ---------------------------------------------------------------- weapons


class Arm(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon of the catalogue, with the table's own values. The `seed` makes its id."""

    weapon: str
    name: str = ""
    damage: str = ""
    skill: str = ""
    range_yards: int = 0
    seed: str = ""


arm_fields = form_about(
    Field("weapon", "Weapon", "choice", options=WEAPONS, value=first_open(WEAPONS), rule="CG-REF-05"),
    folded_field("name", "Name", "text"),
    folded_field("damage", "Damage dice", "text"),
    folded_field("skill", "Skill", "choice", options=(Choice("", "its own"), *SKILLS), value=""),
    number_field("range_yards", "Range step (yd)", 0, low=0, high=10_000, required=False, more=True),
    REASON,
)


def give_weapon(context: RuleContext, command: Arm) -> None:
    """Give a weapon of the catalogue, perhaps changed by the table; it is carried. [CG-REF-05]  RULING R35"""
    target = context.state[command.target]
    item = make_weapon(context.state, command)
    overrule(context, "gm.arms", command, target.id, item=item.name)
    context.emit(e.ItemGained(target.id, item, "how.gets"), "CG-REF-05")


def make_weapon(state: State, command: Arm) -> Item:
    """The weapon with the table's own values; Refused for impossible ones."""
    known = tables.weapons().get(command.weapon)
    if known is None:
        raise Refused("unknown", "Choose a weapon from the list to begin with.")
    weapon = _change(known, command)
    item = weapon_item(known.id)
    data = {**item.data, "name": weapon.name, "damage": weapon.damage, "skill": weapon.skill}
    data["range_yards"] = weapon.range_yards
    fresh = make_id(f"{command.target}-g", command.seed, state.made + 1, ())
    return replace(item, id=fresh, name=weapon.name, data=data)


def _change(known: Weapon, command: Arm) -> Weapon:
    if command.damage and (not parse_known(command.damage) or "+" in command.damage):
        raise Refused("bad_value", "Damage is dice such as 2d6; ranks are added automatically.")
    if not 0 <= command.range_yards <= 10_000:
        raise Refused("bad_value", "A range step is 0 to 10,000 yards.")
    return replace(
        known,
        name=clean_name(command.name) if command.name else known.name,
        damage=command.damage or known.damage,
        skill=command.skill or known.skill,
        range_yards=command.range_yards or known.range_yards,
    )


def parse_known(text: str) -> bool:
    """Whether a text names at least one die."""
    try:
        return parse_dice(text).count > 0
    except ValueError:
        return False


ACTIONS = (
    gm("impose", impose, fields=impose_fields),
    gm("fear", call_fear, fields=fear_fields),
    gm("call_roll", call_roll, fields=call_fields),
    gm("toil", set_toil, fields=toil_fields),
    gm("harm", do_harm, fields=harm_fields),
    gm("limb", set_limb, fields=limb_fields),
    gm("thing", set_thing, fields=thing_fields),
    gm("arm", give_weapon, fields=arm_fields),
)
