"""What the GM says about traits that no sheet has: nerves of steel, shielded electrics."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, present, replace

from ..book.options import check_used, find_option
from ..book.tables import nerves
from ..characters.values import is_person
from ..world.acting import gm
from ..world.order import mark
from .sensing import SHIELDED, find_electric

USUAL = "as_usual"
NERVES = (Choice(USUAL, "as the sheet has it"), *(Choice(row.id, row.name) for row in nerves().values()))


class SetNerve(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether someone ignores suppression fire, and why."""

    target: str
    nerve: str = USUAL


class SetShield(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the electrics of a carried item are shielded."""

    item: str
    shielded: bool = False


# ---------------------------------------------------------------- nerve


def set_nerve(context: RuleContext, command: SetNerve) -> None:
    """Set whether someone is immune to suppression fire [CE-SUPP-11]: zealots [CE-SUPP-13], androids
    [CE-SUPP-14], the suicidal. [CE-SUPP-16] Players learn it when suppression fire does nothing."""
    target = context.state[command.target]
    row = nerves().get(command.nerve)
    if row is None and command.nerve != USUAL:
        raise Refused("bad_value", "Choose from the list what they are.")
    wanted = {e.UNTOLD_MARK + tag: True if tag == command.nerve else None for tag in nerves()}
    if all(target.marks.get(tag) == value for tag, value in wanted.items()):
        raise Refused("not_allowed", f"{target.name} is so already: choose something else.")
    rule = row.rule if row else "CE-SUPP-11"
    for tag, value in wanted.items():
        mark(context, target.id, tag, value=value, rule=rule)
    told = say("gm.nerve", who=target.id, what=row.name) if row else say("gm.nerve_as_usual", who=target.id)
    context.emit(e.Overruled(told, command.reason), rule, e.GM_ONLY)


def find_nerve(combatant: Combatant) -> str:
    """What the GM says about someone's nerve."""
    return next((tag for tag in nerves() if combatant.marks.get(e.UNTOLD_MARK + tag)), USUAL)


def check_nerve(state: State, actor: str) -> None:
    """Refuse without people: machines are always immune. RULING R87: by the summary nobody's nerve counts."""
    if find_option(state, "suppression_effect") == "next_action":
        text = "By the house rules suppression fire works on everyone here: the GM can change that."
        raise Refused("not_allowed", text)
    if not any(is_person(combatant) for combatant in present(state)):
        raise Refused("not_allowed", "Nobody here is a person: machines never mind suppression fire.")


def nerve_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person, and the reason for their immunity. [CE-SUPP-11]"""
    known = {choice.value: choice.label for choice in NERVES}
    people = [f for f in present(state) if is_person(f)]
    options = tuple(Choice(f.id, f.name, known[find_nerve(f)]) for f in people)
    return (
        Field("target", "Who", "target", options=options, value=first_open(options), rule="CE-SUPP-11"),
        Field("nerve", "Is", "choice", options=NERVES, value="zealot", rule="CE-SUPP-11"),
    )


# ---------------------------------------------------------------- shielding


def set_shield(context: RuleContext, command: SetShield) -> None:
    """Shield an item from electromagnetic detectors; its owner knows. [CE-SENS-06]"""
    found = next((pair for pair in find_electrics(context.state) if pair[1].id == command.item), None)
    if found is None:
        raise Refused("bad_value", "Choose one of the things with high-power electrics.")
    who, item = found
    if bool(item.marks.get(SHIELDED)) == command.shielded:
        raise Refused("not_allowed", f"{item.name} is so already: choose the other.")
    marks = {key: value for key, value in item.marks.items() if key != SHIELDED}
    now = replace(item, marks={**marks, SHIELDED: True} if command.shielded else marks)
    context.emit(e.ItemChanged(who.id, now, ""), "CE-SENS-06", e.GM_ONLY)
    key = "gm.shielded" if command.shielded else "gm.unshielded"
    told = e.Overruled(say(key, who=who.id, item=item.name), command.reason)
    context.emit(told, "CE-SENS-06", e.for_seat(who.id))


def find_electrics(state: State) -> Iterator[tuple[Combatant, Item]]:
    """The items that electromagnetic detectors find unless shielded, with their owners."""
    return ((f, item) for f in present(state) for item in find_electric(f.items))


def check_shield(state: State, actor: str) -> None:
    """Refuse without anything to shield, or without sensors in play."""
    check_used(state, "use_conditions", "sensors", "them")
    if next(find_electrics(state), None) is None:
        raise Refused("not_allowed", "Nobody here has a gauss weapon or a transmitter.")


def shield_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item, with its owner. [CE-SENS-06]"""
    options = tuple(
        Choice(item.id, f"{item.name}, {who.name}", "shielded" if item.marks.get(SHIELDED) else "")
        for who, item in find_electrics(state)
    )
    first = next((o.value for o in options if not o.detail), options[0].value if options else "")
    return (
        Field("item", "What", "choice", options=options, value=first, rule="CE-SENS-06"),
        Field("shielded", "Shielded", "flag", value="true", required=False),
    )


ACTIONS = (
    gm("set_shield", set_shield, check_shield, fields=shield_fields),
    gm("set_nerve", set_nerve, check_nerve, fields=nerve_fields),
)
