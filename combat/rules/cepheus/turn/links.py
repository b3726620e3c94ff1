"""Tactics over communications: gaining it, being cut off, being linked again."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import joined
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import form_about
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..book.options import check_used
from ..world.acting import act, gm
from ..world.comms import LINK, LINKS, NO_CONTACT, RULES, find_links, find_means, is_cut_off, is_reached
from ..world.order import TACTICS, mark, set_score

LOST_TACTICS = "tactics_lost"  # mark: the points that return with a link to the commander


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


ACTIONS = (
    act("use_link", use_link, check_link_now, fields=link_fields, on_turn=False, has_odds=False),
    gm("set_contact", set_contact, check_comms_used, fields=contact_fields),
)
