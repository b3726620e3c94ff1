"""Panic fire: every round in the gun at once."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state.state import Item, State, replace

from ...book.options import find_option
from ...book.tables import find_burst
from ...dice.rolls import DICE
from ...world.acting import act
from ...world.order import offer_interrupt
from ..aim import Sight, Strike, modifiers_for_attack
from ..checks import check_attack
from ..fields import gun_obstacle, strike_fields
from ..shots import add_dice
from .attack import begin
from .shotguns import describe_spread

PANIC = (Modifier("term.panic", -2, "CE-PANIC-05"),)  # and no DM of a burst [CE-PANIC-04]
SLUG_THROWERS = ("slug_pistol", "slug_rifle", "shotgun")


class PanicFire(Strike, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Empty a slug thrower at a target. [CE-PANIC-01]"""


def is_slug_thrower(item: Item) -> bool:
    """Whether a weapon is a small-arms slug thrower. [CE-PANIC-01]"""
    skills = item.data.get("skills", ())
    return item.data.get("group") == "ranged" and any(skill in SLUG_THROWERS for skill in skills)


def check_panic(state: State, command: PanicFire) -> Sight:
    """Refuse all but loaded small-arms slug throwers; single-shot guns may panic-fire too. [CE-PANIC-01]

    RULING R17: earlier aim does not count.
    """
    if not find_option(state, "use_panic_fire"):
        raise Refused("not_allowed", "This table plays without panic fire: attack instead.")
    sight = check_attack(state, command, rates=False)
    if not is_slug_thrower(sight.item) or sight.mode != "ranged":
        raise Refused("bad_value", f"{sight.item.name} is no slug thrower: choose a gun that fires slugs.")
    if not sight.item.loaded:
        raise Refused("no_budget", f"{sight.item.name} is empty: reload it.")
    return replace(sight, aimed=False)


def find_damage(sight: Sight) -> str:
    """The dice plus those of the burst row for the rounds left.  [CE-PANIC-03] RULING R17"""
    return add_dice(sight.arm.damage, find_burst(sight.item.loaded or 0).extra_damage)


def fire_in_panic(context: RuleContext, command: PanicFire) -> Then | None:
    """Fire every round left; hits count as a grouped burst. [CE-PANIC-02] [CE-PANIC-03]  RULING R17"""
    sight = check_panic(context.state, command)
    if offer_interrupt(context, command.actor):
        return None
    return begin(context, command, sight, more=PANIC, dice=find_damage(sight), rounds=sight.item.loaded or 0)


def preview(state: State, command: PanicFire) -> Preview:
    """The sums of the form."""
    sight = check_panic(state, command)
    notes = (
        say("note.damage", dice=find_damage(sight)),
        *describe_spread(state, sight),
        say("note.rounds", n=sight.item.loaded or 0, loaded=sight.item.loaded or 0),
    )
    terms = modifiers_for_attack(state, command, sight, *PANIC)
    return Preview(terms, (), "against.eight", dice=DICE, notes=notes)


def panic_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target and gun. [CE-PANIC-01]"""

    def check(target: str, weapon: str) -> None:
        check_panic(state, PanicFire(actor=actor, target=target, weapon=weapon))

    return strike_fields(state, actor, check)


check_panic_now = gun_obstacle(
    "use_panic_fire", is_slug_thrower, "No slug thrower is ready: ready one first.", "panic fire"
)


ACTIONS = (act("panic_fire", fire_in_panic, check_panic_now, fields=panic_fields, preview=preview),)
