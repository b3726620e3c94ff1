"""Initiative: awareness, the rolls, Leadership and haste; Tactics over communications."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, joined
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Preview,
    Targeted,
    adjusted,
    first_open,
    form_about,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.squads import find_members
from combat.rules.core.turn.turns import add_condition, find_group, remove_conditions

from ..body import drugs
from ..body.states import bring_in_line
from ..book.options import CLEAR, JAMMED, check_used, find_option, find_setting
from ..book.tables import AWARE_ROLL, HASTE
from ..characters.conditions import is_lifeless
from ..characters.values import find_dm, find_score, has_skill, is_conscious, is_vehicle
from ..dice import lose_aim, modifiers_for_check, roll_check
from ..vehicles.driving import face_along
from ..world.acting import act, check_unoccupied, gm
from ..world.bands import find_combatant
from ..world.economy import check_significant, find_budget, pay_significant
from ..world.motion import count_moved, find_mover
from ..world.order import BASE, TACTICS, change_initiative, mark, resort, set_score, sort_order
from ..world.scene import AEROSOL, find_crossed, find_smoke
from ..world.senses import is_in_view

DICE = "2d6"
HASTEN_NEXT, HASTENED_ONCE = "hasten_next", "hastened_once"
PLANNED = "planned"  # mark: this commander has used the one Tactics check
LOST_TACTICS = "tactics_lost"  # mark: the points that return with a link to the commander
DIRECT, HARDLINK, RADIO, LASER, MASER, MESON = "direct", "hardlink", "radio", "laser", "maser", "meson"
LINKS = {  # CE-COMMS-04
    DIRECT: "Voice and hand signals",
    HARDLINK: "Hardlink (wire)",
    RADIO: "Radio",
    LASER: "Laser",
    MASER: "Maser",
    MESON: "Meson",
}
RULES = {
    DIRECT: "CE-COMMS-05",
    HARDLINK: "CE-COMMS-06",
    RADIO: "CE-COMMS-07",
    LASER: "CE-COMMS-08",
    MASER: "CE-COMMS-10",
    MESON: "CE-COMMS-11",
}
LINK = "link"  # mark: the means of communication someone uses, separated by commas
COMMANDER = "commander"  # mark: leads the unit, which is the own side
NO_CONTACT = "no_contact"  # mark of the GM: out of earshot and sight, off the wire, out of reach


# ---------------------------------------------------------------- rolling


def find_actors(state: State) -> list[Combatant]:
    """Everyone who has turns: all but vehicles, which move with their drivers.  [CE-VEH-04]"""
    return [f for f in present(state) if not is_vehicle(f)]


def initiative_terms(combatant: Combatant) -> Modifiers:
    """The Dexterity DM, and the DMs of active drugs. [CE-INIT-01]"""
    return (Modifier("term.dex", find_dm(combatant, "dex"), "CE-INIT-01"), *drugs.initiative_terms(combatant))


def roll_initiative(context: RuleContext, who: str, ready: bool = False) -> None:
    """Roll 2D6 + Dexterity DM [CE-INIT-01]; the ready count as having rolled 12. [CE-SEQ-03] [CE-INIT-04]"""
    terms = initiative_terms(context.state[who])
    if ready:
        score = AWARE_ROLL + add_up(terms)
        context.emit(e.Said("log.ready", who, args={"n": score}), "CE-SEQ-03")
    else:
        roll = context.roll(DICE, by=who, rule="CE-INIT-01", why="check.initiative")
        told = make_checked(who, "check.initiative", roll, terms)
        score = told.total
        context.emit(told, "CE-INIT-01")
    _set_start(context, who, score)


def _set_start(context: RuleContext, who: str, score: int) -> None:
    mark(context, who, BASE, value=score, rule="CE-INIT-01")
    context.emit(e.InitiativeSet(who, score), "CE-INIT-01", e.GM_ONLY)


def find_leader(state: State, who: str, ready: tuple[str, ...] = ()) -> str:
    """The combatant whose dice count for someone: the first of identical opponents, by house rule; the ready
    roll nothing.  RULING R4"""
    if who in ready:
        return who
    if squad := find_members(state, who):
        return next((mate for mate in squad if mate not in ready and not is_lifeless(state[mate])), who)
    if not find_option(state, "group_initiative"):
        return who
    group = find_group(state, state[who])
    mates = (f.id for f in find_actors(state) if find_group(state, f) == group and not is_lifeless(f))
    return next((mate for mate in mates if mate not in ready), who)


def predict_initiative(context: RuleContext, rolling: tuple[str, ...]) -> None:
    """Announce the rolls of these: one for each group."""
    leaders = dict.fromkeys(find_leader(context.state, who) for who in rolling)
    context.predict_rolls(DICE, tuple(leaders), rule="CE-INIT-01", why="check.initiative")


def roll_or_share(context: RuleContext, who: str, ready: tuple[str, ...] = ()) -> None:
    """Roll, or take the dice of the leader of one's group with one's own DMs. [CE-INIT-01]  RULING R4"""
    leader = find_leader(context.state, who, ready)
    if leader == who:
        roll_initiative(context, who, who in ready)
        return
    rolled = int(context.state[leader].marks.get(BASE, 0)) - add_up(initiative_terms(context.state[leader]))
    _set_start(context, who, rolled + add_up(initiative_terms(context.state[who])))


def enter(context: RuleContext, who: str) -> None:
    """Roll for someone who joins a running fight, and place them in the order; vehicles come with their
    drivers."""
    bring_in_line(context, who)
    face_along(context, who)
    if is_vehicle(context.state[who]):
        return
    roll_initiative(context, who)
    context.emit(
        e.OrderSet(sort_order(context.state, (*context.state.order, who)), "why.joins"), "CE-INIT-02"
    )


def reseat(context: RuleContext, who: str, why: Label) -> None:
    """Make a score that the GM sets the new base, and apply it at once.  RULING R4"""
    combatant = context.state[who]
    own = (combatant.initiative or 0) - int(combatant.marks.get(TACTICS, 0))
    mark(context, who, BASE, value=own, rule="CE-ROUND-09")
    resort(context, why)


# ---------------------------------------------------------------- Tactics and Leadership


def can_plan(state: State, combatant: Combatant) -> bool:
    """Whether someone commands a unit and still has its one Tactics check."""
    return allows(check_tactics, state, combatant.id) and has_skill(combatant, "tactics")


def check_tactics(state: State, actor: str) -> None:
    """Refuse Tactics except once, by the marked commander, before anyone has acted in round 1. [CE-TACT-01]
    [CE-TACT-02]"""
    combatant = state[actor]
    check_used(state, "use_tactics", "Tactics")
    if not combatant.marks.get(COMMANDER):
        raise Refused("not_allowed", f"{combatant.name} does not command the unit: the GM marks who does.")
    if combatant.marks.get(PLANNED):
        raise Refused("not_allowed", "The unit's Tactics check has been made.")
    if state.round > 1 or not is_round_fresh(state):
        raise Refused("not_allowed", "Tactics is for the start of combat: use Leadership now.")


def plan_tactics(context: RuleContext, command: Command) -> None:
    """Make the commander's Tactics check on its own. [CE-INIT-06]"""
    roll_tactics(context, command.actor, adjusted(command, ()))


def preview_tactics(state: State, command: Command) -> Preview:
    """The sums of the commander's check."""
    check_tactics(state, command.actor)
    own = modifiers_for_check(state, command.actor, "tactics", "int")
    return Preview(adjusted(command, own), (), "against.eight", DICE)


def roll_tactics(context: RuleContext, who: str, terms: Modifiers = ()) -> None:
    """The Effect raises the starting Initiative of every linked member of the unit.

    [CE-INIT-06] [CE-INIT-07] [CE-TACT-01] [CE-TACT-02] [CE-TACT-03] RULING R30: Intelligence, once, for the
    whole combat; an Effect below 0 counts as 0.
    """
    effect = roll_check(
        context,
        who,
        what="check.tactics",
        skill="tactics",
        characteristic="int",
        terms=terms,
        rule="CE-INIT-06",
        matters="success",
    )
    mark(context, who, PLANNED, value=max(0, effect), rule="CE-TACT-02")
    for combatant in find_actors(context.state):
        if combatant.side == context.state[who].side:
            take_tactics(context, combatant.id, effect)


def find_lead_key(combatant: Combatant) -> str:
    """RULING R30: Social Standing or Intelligence, whichever is higher. [CE-TACT-05]"""
    return max(("soc", "int"), key=lambda key: (find_dm(combatant, key), find_score(combatant, key)))


def check_lead(state: State, command: Targeted) -> Combatant:
    """Refuse to lead anyone but another member of the unit [CE-COMMS-01] with a link. [CE-TACT-04]"""
    check_used(state, "use_tactics", "Leadership")
    leader, target = state[command.actor], state[command.target]
    if target.id == leader.id or target.side != leader.side or not is_conscious(target):
        raise Refused("bad_target", "Leadership is for someone else of the same side who can act.")
    if find_option(state, "use_comms") and not is_linked(state, leader, target):
        raise Refused("not_allowed", f"{target.name} is out of communication: restore the link first.")
    return target


def check_leadership(state: State, actor: str) -> None:
    """Refuse Leadership without a significant action and someone to lead. [CE-TACT-06]"""
    check_used(state, "use_tactics", "Leadership")
    others = (f for f in present(state) if f.side == state[actor].side and f.id != actor)
    if not any(is_conscious(other) and not is_vehicle(other) for other in others):
        raise Refused("bad_target", "Nobody else of this side is here to lead.")
    check_significant(state, actor, "Leadership")


def lead(context: RuleContext, command: Targeted) -> Then:
    """Use Leadership as a significant action. [CE-TACT-04] [CE-TACT-06]"""
    check_lead(context.state, command)
    pay_significant(context, command.actor, "Leadership", "CE-TACT-06")
    lose_aim(context, command.actor, "why.does_something_else")
    return Then(_lead, command)


def preview_lead(state: State, command: Targeted) -> Preview:
    """The sums of a Leadership check."""
    check_lead(state, command)
    own = modifiers_for_check(state, command.actor, "leadership", find_lead_key(state[command.actor]))
    return Preview(adjusted(command, own), (), "against.eight", DICE)


def _lead(context: RuleContext, command: Targeted) -> None:
    """Add the Effect to the target's Initiative, for a round or for the combat. [CE-TACT-05]

    RULING R30
    """
    who, target = command.actor, command.target
    effect = roll_check(
        context,
        who,
        what="check.leadership",
        skill="leadership",
        characteristic=find_lead_key(context.state[who]),
        terms=adjusted(command, ()),
        rule="CE-TACT-05",
        target=target,
        matters="success",
    )
    if effect < 1:
        return
    if find_option(context.state, "leadership_lasts") == "combat":
        combatant = context.state[target]
        mark(context, target, BASE, value=int(combatant.marks.get(BASE, 0)) + effect, rule="CE-TACT-05")
        set_score(context, target, (combatant.initiative or 0) + effect, why="why.led", rule="CE-TACT-05")
        return
    change_initiative(context, target, effect, why="why.led", rule="CE-TACT-05")


def check_commander_now(state: State, actor: str) -> None:
    """Refuse a commander at a table without Tactics, where nothing depends on one. [CE-TACT-02]"""
    check_used(state, "use_tactics", "Tactics")


def mark_commander(context: RuleContext, command: Targeted) -> None:
    """Mark the commander of a unit: one per side. [CE-TACT-02]"""
    target = context.state[command.target]
    former = find_commander(context.state, target.side)
    if former and former.id != target.id:
        mark(context, former.id, COMMANDER, value=None, rule="CE-TACT-02")
    is_now = not target.marks.get(COMMANDER)
    mark(context, target.id, COMMANDER, value=is_now or None, rule="CE-TACT-02")
    context.emit(e.Said("log.commands" if is_now else "log.commands_no_more", target.id), "CE-TACT-02")


# ---------------------------------------------------------------- haste


def is_round_fresh(state: State) -> bool:
    """Whether no one who is still here has acted in this round: its first turn is untouched."""
    if any(one.acted and not one.gone for one in map(state.combatants.__getitem__, state.order)):
        return False
    acting = [w for w in (state.active, *state.sharing) if w]
    return all(state[who].budget == find_budget(state, state[who]) for who in acting)


def check_hasten(state: State, actor: str) -> None:
    """Refuse haste that was used in this round, or by table option in this combat. [CE-ROUND-14]
    [CE-ROUND-17]

    RULING R6
    """
    combatant = state[actor]
    check_used(state, "use_hasten", "hastening")
    if HASTENED_ONCE in combatant.marks and combatant.marks[HASTENED_ONCE] in _spent_rounds(state):
        raise Refused("not_allowed", f"{combatant.name} has hastened already.")


def _spent_rounds(state: State) -> range:
    """The rounds of earlier haste that forbid it now."""
    first = 1 if find_option(state, "hasten") == "once_a_combat" else state.round
    return range(first, state.round + 1)


def check_hasten_now(state: State, actor: str) -> None:
    """Refuse haste that was used, and haste after the start of the round."""
    check_hasten(state, actor)
    if not is_round_fresh(state):
        text = "Hastening is declared at the start of a round: declare it for the next one."
        raise Refused("not_allowed", text)


def be_hasty(context: RuleContext, who: str) -> None:
    """Act hastily: Initiative +2 for this round, DM -1 on all checks. [CE-ROUND-15] [CE-ROUND-16]"""
    add_condition(context, who, "hastened")
    mark(context, who, HASTENED_ONCE, value=context.state.round, rule="CE-ROUND-17")
    score = (context.state[who].initiative or 0) + HASTE
    set_score(context, who, score, why="why.hastens", rule="CE-ROUND-15")


def hasten_next(context: RuleContext, command: Command) -> None:
    """Declare haste for the start of the next round; a second time takes it back. [CE-ROUND-14]"""
    combatant = context.state[command.actor]
    wanted = not combatant.marks.get(HASTEN_NEXT)
    mark(context, combatant.id, HASTEN_NEXT, value=wanted or None, rule="CE-ROUND-14")
    key = "log.will_hasten" if wanted else "log.will_not_hasten"
    context.emit(e.Said(key, combatant.id), "CE-ROUND-14", e.for_seat(combatant.id))


def check_hasten_next(state: State, actor: str) -> None:
    """Refuse haste in the next round if it was used in this combat. [CE-ROUND-17] RULING R6: the option “once
    a round” allows it."""
    check_used(state, "use_hasten", "hastening")
    once = find_option(state, "hasten") == "once_a_combat"
    if once and HASTENED_ONCE in state[actor].marks:
        raise Refused("not_allowed", f"{state[actor].name} has hastened in this combat.")


def hasten_declared(context: RuleContext) -> None:
    """Apply haste at the start of a round to those who declared it. [CE-ROUND-14]"""
    for combatant in present(context.state):
        if combatant.marks.get(HASTEN_NEXT):
            mark(context, combatant.id, HASTEN_NEXT, value=None, rule="CE-ROUND-14")
            if is_conscious(combatant):
                be_hasty(context, combatant.id)


# ---------------------------------------------------------------- forms


def lead_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person to lead: others of the side; those out of reach are grayed out. [CE-TACT-04]"""
    others = [f for f in find_actors(state) if f.side == state[actor].side and f.id != actor]
    asked = [(f, Targeted(actor=actor, target=f.id)) for f in others]
    options = tuple(Choice(f.id, f.name, refused=why_refused(check_lead, state, lead)) for f, lead in asked)
    first = first_open(options)
    return (Field("target", "Whom", "target", options=options, value=first, rule="CE-TACT-05"),)


commander_fields = form_about(rule="CE-TACT-02")

# Tactics over communications: gaining it, being cut off, being linked again.


class UseLink(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Use these means of communication only; with `unit`, every member of the side uses those they have."""

    kinds: tuple[str, ...]
    unit: bool = False


class SetContact(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The GM states whether someone is in contact."""

    target: str
    contact: bool = False


def take_tactics(context: RuleContext, who: str, effect: int) -> None:
    """Add the Effect of a Tactics check to the Initiative of a linked member of the unit.

    [CE-INIT-07] [CE-TACT-03] [CE-COMMS-01]
    """
    if effect < 1:
        return
    if not is_reached(context.state, who):
        context.emit(e.Said("log.unreached", who), "CE-COMMS-01")
        return
    combatant = context.state[who]
    mark(context, who, TACTICS, value=effect, rule="CE-TACT-03")
    set_score(context, who, (combatant.initiative or 0) + effect, why="why.tactics", rule="CE-TACT-03")


def cut_links(context: RuleContext) -> None:
    """Take the gain of Tactics from everyone who is cut off from the commander.

    [CE-COMMS-02] RULING R54
    """
    for combatant in present(context.state):
        points = int(combatant.marks.get(TACTICS, 0))
        if points and not is_reached(context.state, combatant.id):
            mark(context, combatant.id, TACTICS, value=None, rule="CE-COMMS-02")
            mark(context, combatant.id, LOST_TACTICS, value=points, rule="CE-COMMS-02")
            add_condition(context, combatant.id, "cut_off")
            score = (combatant.initiative or 0) - points
            set_score(context, combatant.id, score, why="why.cut_off", rule="CE-COMMS-02")


def restore_links(context: RuleContext) -> None:
    """Give the gain of Tactics back, at the start of a round, to everyone linked again.  [CE-COMMS-03]
    RULING R54"""
    for combatant in present(context.state):
        points = int(combatant.marks.get(LOST_TACTICS, 0))
        if points and is_cut_off(combatant) and is_reached(context.state, combatant.id):
            mark(context, combatant.id, LOST_TACTICS, value=None, rule="CE-COMMS-03")
            mark(context, combatant.id, TACTICS, value=points, rule="CE-COMMS-03")
            remove_conditions(context, combatant.id, "cut_off", why="why.linked", rule="CE-COMMS-03")


def check_comms_used(state: State, actor: str) -> None:
    """Refuse what matters only to communications, if the table plays without. RULING R61"""
    check_used(state, "use_comms", "communications", "them")


def use_link(context: RuleContext, command: UseLink) -> None:
    """Change the means of communication; several at once are possible.

    [CE-COMMS-04] RULING: a free action, a word into the microphone.
    """
    check_link(context.state, command)
    combatant = context.state[command.actor]
    unit = [f for f in present(context.state) if f.side == combatant.side] if command.unit else [combatant]
    for one in unit:
        kinds = tuple(kind for kind in find_means(one) if kind in command.kinds)
        if kinds and kinds != find_links(one):
            tell_link(context, one.id, kinds)
    cut_links(context)


def tell_link(context: RuleContext, who: str, kinds: tuple[str, ...]) -> None:
    """Set someone's means of communication and log it."""
    mark(context, who, LINK, value=",".join(kinds), rule=RULES[kinds[0]])
    means = joined(f"link.{kind}" for kind in kinds)
    context.emit(e.Said("log.links", who, args={"means": means}), RULES[kinds[0]])


def check_link(state: State, command: UseLink) -> None:
    """Refuse unknown means of communication, and those the actor lacks."""
    combatant = state[command.actor]
    if not command.kinds or not set(command.kinds) <= set(LINKS):
        means = ", ".join(LINKS[kind] for kind in find_means(combatant))
        raise Refused("bad_value", f"No means is chosen: choose one or more of {means}.")
    missing = [LINKS[kind] for kind in LINKS if kind in command.kinds and kind not in find_means(combatant)]
    if missing:
        raise Refused("not_allowed", f"{combatant.name} has no gear for that: {', '.join(missing)}.")


def check_link_now(state: State, actor: str) -> None:
    """Refuse without gear to communicate by. [CE-COMMS-04]"""
    check_comms_used(state, actor)
    if len(find_means(state[actor])) < 2:
        raise Refused("not_allowed", f"{state[actor].name} has no gear to communicate by.")


def link_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The means at hand. [CE-COMMS-04]"""
    combatant = state[actor]
    options = tuple(Choice(kind, LINKS[kind]) for kind in find_means(combatant))
    used = ",".join(find_links(combatant))
    return (
        Field("kinds", "By", "many", options=options, value=used, rule="CE-COMMS-04"),
        Field("unit", "All of the unit who can", "flag", required=False),
    )


def set_contact(context: RuleContext, command: SetContact) -> None:
    """Set whether someone is in earshot, in sight, on the wire.  [CE-COMMS-05]"""
    target = context.state[command.target]
    if bool(target.marks.get(NO_CONTACT)) == (not command.contact):
        raise Refused("not_allowed", f"{target.name} is so already: choose the other.")
    mark(context, target.id, NO_CONTACT, value=None if command.contact else True, rule="CE-COMMS-05")
    key = "log.in_contact" if command.contact else "log.out_of_contact"
    context.emit(e.Said(key, target.id), "CE-COMMS-05")
    cut_links(context)


contact_fields = form_about(Field("contact", "In contact", "flag", rule="CE-COMMS-05", required=False))

# Links between the members of a unit: the means, and what cuts them.


def find_links(combatant: Combatant) -> tuple[str, ...]:
    """The means of communication someone uses together, of those at hand; voice and hand signals by default.
    [CE-COMMS-04]"""
    used = str(combatant.marks.get(LINK, DIRECT)).split(",")
    return tuple(kind for kind in find_means(combatant) if kind in used)


def find_means(combatant: Combatant) -> tuple[str, ...]:
    """The means someone has to communicate: signals, and those of their gear.  [CE-COMMS-04]"""
    gear = {str(item.data.get("comms", "")) for item in combatant.items}
    return tuple(kind for kind in LINKS if kind == DIRECT or kind in gear)


def find_commander(state: State, side: str) -> Combatant | None:
    """The leader of a side's unit, as the GM marked; None without one."""
    return next((f for f in present(state) if f.side == side and f.marks.get(COMMANDER)), None)


def is_linked(state: State, a: Combatant | str, b: Combatant | str) -> bool:
    """Whether two members of a unit can talk: by a means that both use and that works between them.

    [CE-COMMS-01] [CE-COMMS-05] The GM says who is out of contact. Everyone is linked to themselves.
    """
    one, other = find_combatant(state, a), find_combatant(state, b)
    if one.id == other.id:
        return True
    if not (is_conscious(one) and is_conscious(other)):
        return False
    if one.marks.get(NO_CONTACT) or other.marks.get(NO_CONTACT):
        return False
    theirs = find_links(other)
    return any(is_up(state, one, other, kind) for kind in find_links(one) if kind in theirs)


def is_up(state: State, one: Combatant, other: Combatant, kind: str) -> bool:
    """Whether a means of communication works between two who use it.

    [CE-COMMS-06] A wire is never cut automatically. [CE-COMMS-07] Jamming cuts radio. [CE-COMMS-11]
    [CE-COMMS-12] Only moving with the device stops mesons.  RULING R80: also inside a vehicle.
    """
    if kind == RADIO:
        return find_setting(state, "radio") != JAMMED
    if kind in (LASER, MASER):
        return other.id in find_chain(state, one, kind)
    if kind == MESON:
        return not any(count_moved(find_mover(state, each)) for each in (one, other))
    return True


def find_chain(state: State, start: Combatant, kind: str) -> set[str]:
    """Everyone a tight beam reaches, relayed by allies in sight.

    [CE-COMMS-08] [CE-COMMS-09] [CE-COMMS-10]
    """
    relays = [f for f in present(state) if f.side == start.side and _relays(f, kind)]
    found, waiting = {start.id}, [start]
    while waiting:
        here = waiting.pop()
        near = [f for f in relays if f.id not in found and has_beam(state, here, f, kind)]
        found |= {f.id for f in near}
        waiting += near
    return found


def _relays(combatant: Combatant, kind: str) -> bool:
    usable = is_conscious(combatant) and not combatant.marks.get(NO_CONTACT)
    return usable and kind in find_means(combatant)


def has_beam(state: State, one: Combatant, other: Combatant, kind: str) -> bool:
    """Whether a beam goes straight from one to the other.

    [CE-COMMS-08] A laser needs a clear line of sight; [CE-COMMS-10] a maser goes through smoke and aerosol.
    """
    if not is_in_view(state, one, other):
        return False
    if kind == MASER:
        return True
    has_aerosol = bool(find_crossed(state, one.at, other.at, AEROSOL))
    return not has_aerosol and find_smoke(state, one.at, other.at) == CLEAR


def is_reached(state: State, who: str) -> bool:
    """Whether someone is linked to the commander of their unit.  [CE-COMMS-01]

    If the table plays without communications, everyone is.  RULING R61
    """
    combatant = state[who]
    leader = find_commander(state, combatant.side)
    if leader is None or not find_option(state, "use_comms"):
        return True
    return is_linked(state, combatant, leader)


def is_cut_off(combatant: Combatant) -> bool:
    """Whether someone has lost the gain from the commander's plan.  [CE-COMMS-02]"""
    return has_condition(combatant, "cut_off")


ACTIONS = (
    gm("mark_commander", mark_commander, check_commander_now, fields=commander_fields),
    act("hasten_next", hasten_next, check_hasten_next, bar=check_unoccupied, on_turn=False, has_odds=False),
    act("tactics", plan_tactics, check_tactics, preview=preview_tactics, on_turn=False, asks_others=True),
    act("leadership", lead, check_leadership, fields=lead_fields, preview=preview_lead),
    act("use_link", use_link, check_link_now, fields=link_fields, on_turn=False, has_odds=False),
    gm("set_contact", set_contact, check_comms_used, fields=contact_fields),
)
