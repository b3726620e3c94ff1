"""Tactics by way of communications: who gains, who is cut off, who is linked again."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import joined
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present
from combat.rules.core.turns import add_condition, remove_conditions

from ..world.comms import LINK, LINKS, NO_CONTACT, RULES, find_links, find_means, is_cut_off, is_reached
from ..world.order import TACTICS, mark, set_score

LOST_TACTICS = "tactics_lost"  # mark: the points that a link to the commander brings back


class UseLink(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Communicate by these means and no others; with `unit`, everybody of the side by those they have."""

    kinds: tuple[str, ...]
    unit: bool = False


class SetContact(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether somebody is in contact at all, as the Referee sees it."""

    target: str
    contact: bool = False


def take_tactics(context: RuleContext, who: str, effect: int) -> None:
    """The Effect of a Tactics check onto the Initiative of one of the unit, who is linked.

    [CE-INIT-07] [CE-TACT-03] [CE-COMMS-01]
    """
    if effect < 1:
        return
    if not is_reached(context.state, who):
        context.emit(e.Said("log.unreached", who), "CE-COMMS-01")
        return
    fighter = context.state[who]
    mark(context, who, TACTICS, effect, "CE-TACT-03")
    set_score(context, who, (fighter.initiative or 0) + effect, "why.tactics", "CE-TACT-03")


def cut_links(context: RuleContext) -> None:
    """Whoever gained from Tactics and is cut off from the commander loses what it gained.

    [CE-COMMS-02] RULING R54
    """
    for fighter in present(context.state):
        points = int(fighter.marks.get(TACTICS, 0))
        if points and not is_reached(context.state, fighter.id):
            mark(context, fighter.id, TACTICS, None, "CE-COMMS-02")
            mark(context, fighter.id, LOST_TACTICS, points, "CE-COMMS-02")
            add_condition(context, fighter.id, "cut_off")
            score = (fighter.initiative or 0) - points
            set_score(context, fighter.id, score, "why.cut_off", "CE-COMMS-02")


def restore_links(context: RuleContext) -> None:
    """At the start of a round the plan counts again for who is linked again.  [CE-COMMS-03] RULING R54"""
    for fighter in present(context.state):
        points = int(fighter.marks.get(LOST_TACTICS, 0))
        if points and is_cut_off(fighter) and is_reached(context.state, fighter.id):
            mark(context, fighter.id, LOST_TACTICS, None, "CE-COMMS-03")
            mark(context, fighter.id, TACTICS, points, "CE-COMMS-03")
            remove_conditions(context, fighter.id, "cut_off", why="why.linked", rule="CE-COMMS-03")


def use_link(context: RuleContext, command: UseLink) -> None:
    """Change the means of communication, several at once if one likes.

    [CE-COMMS-04] RULING: a free action, a word into the microphone.
    """
    check_link(context.state, command)
    fighter = context.state[command.actor]
    unit = [f for f in present(context.state) if f.side == fighter.side] if command.unit else [fighter]
    for one in unit:
        kinds = tuple(kind for kind in find_means(one) if kind in command.kinds)
        if kinds and kinds != find_links(one):
            tell_link(context, one.id, kinds)
    cut_links(context)


def tell_link(context: RuleContext, who: str, kinds: tuple[str, ...]) -> None:
    """Remember and say by which means somebody communicates now."""
    mark(context, who, LINK, ",".join(kinds), RULES[kinds[0]])
    means = joined(f"link.{kind}" for kind in kinds)
    context.emit(e.Said("log.links", who, args={"means": means}), RULES[kinds[0]])


def check_link(state: State, command: UseLink) -> None:
    """Refuse what is no means of communication, or none that the actor has."""
    fighter = state[command.actor]
    if not command.kinds or not set(command.kinds) <= set(LINKS):
        means = ", ".join(LINKS[kind] for kind in find_means(fighter))
        raise Refused("bad_value", f"No means is chosen: choose one or more of {means}.")
    missing = [LINKS[kind] for kind in LINKS if kind in command.kinds and kind not in find_means(fighter)]
    if missing:
        raise Refused("not_allowed", f"{fighter.name} has no gear for that: {', '.join(missing)}.")


def set_contact(context: RuleContext, command: SetContact) -> None:
    """The Referee says who is in earshot, in sight, on the wire.  [CE-COMMS-05]"""
    target = context.state[command.target]
    if bool(target.marks.get(NO_CONTACT)) == (not command.contact):
        raise Refused("not_allowed", f"{target.name} is so already: choose the other.")
    mark(context, target.id, NO_CONTACT, None if command.contact else True, "CE-COMMS-05")
    key = "log.in_contact" if command.contact else "log.out_of_contact"
    context.emit(e.Said(key, target.id), "CE-COMMS-05")
    cut_links(context)
