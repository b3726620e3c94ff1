"""More actions: overwatch, drugs, suits, zero gravity, hazards, and events between fights."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.forms import anybody, check_any, form_about, form_of, number_field
from combat.rules.core.gm.decisions import begin_day
from combat.rules.core.state.state import State, present

from .. import dice
from ..book import tables
from ..care import drugs, repair
from ..fight import overwatch
from ..fight.weapons import check_attacks
from ..hazards import checks, electricity, falling, fire, protection
from ..move import zerog
from ..time import clock, downtime, gadgets, treatment
from . import forms
from .index import TABLE, act

# ---------------------------------------------------------------- forms of the GM's actions


def _number(name: str, label: str, value: int, low: int, high: int) -> Field:
    return number_field(name, label, value, low, high, required=False)


def _places(state: State) -> tuple[Choice, ...]:
    return tuple(Choice(f"near:{f.id}", f"at {f.name}") for f in present(state))


time_fields = form_of(
    _number("minutes", "Minutes", 10, 0, 600), _number("hours", "Hours", 0, 0, clock.MAX_HOURS)
)
LANDINGS = (Choice("hard", "hard ground"), Choice("water", "water"), Choice("soft", "something soft"))
fall_fields = form_about(
    number_field("metres", "Height (m)", 6, 1, falling.MAX_FALL_M, rule="COS-HAZ-01"),
    Field("landing", "Onto", "choice", LANDINGS, "hard", rule="COS-HAZ-04"),
)


def shock_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The fields of a shock: a touch, water, or an arc between two places."""
    kinds = (
        Choice("touch", "Touch: 2d6 and stunned"),
        Choice("water", "In the water: everyone in it"),
        Choice("arc", "Arc: 3d6 along 6 m"),
    )
    places = _places(state)
    return (
        Field("kind", "How", "choice", kinds, "touch", rule="COS-HAZ-09"),
        anybody(state),
        Field("start", "Arc from", "place", places, "", "or x,y in meters", required=False),
        Field("to", "Arc towards", "place", places, "", "or x,y in meters", required=False),
    )


def lightning_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The possible targets of lightning."""
    people = tuple(Choice(f.id, f.name) for f in present(state))
    return (Field("targets", "Among", "many", people, help="blank: all", required=False),)


check_fields = form_about(*checks.NAVIGATE)


def save_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The fields of a save: combatant, attribute, target number."""
    return (anybody(state), *dice.save_fields(state, actor))


EXPOSURES = (
    Choice("radiation", "Radiation"),
    Choice("toxic", "Toxic air"),
    Choice("heat", "Heat"),
    Choice("cold", "Cold"),
    Choice("gravity", "High gravity"),
)
NAMES = dict.fromkeys(row.level for row in tables.hazard_levels().values())
LEVELS = (Choice("", "–"), *(Choice(name, name) for name in NAMES))
expose_fields = form_about(
    Field("hazard", "What", "choice", EXPOSURES, "radiation", rule="COS-HAZ-15"),
    Field("level", "Level", "choice", LEVELS, "moderate", required=False),
    _number("tn", "TN, 0: as the level", 0, 0, 60),
    Field("damage", "Other damage", "text", help="such as 2d6", required=False),
)


def suit_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The fields of a suit: its owner, on or off, and its hours."""
    suits = [(f, item) for f in present(state) for item in protection.find_suits(f)]
    items = tuple(Choice(item.id, f"{item.name} of {f.name}", item.place) for f, item in suits)
    return (
        anybody(state),
        Field("item", "Suit", "choice", items, items[0].value if items else ""),
        Field("worn", "Worn", "flag", value="true"),
        _number("hours", "Lasts (h), 0: unchanged", 0, 0, 504),
    )


DRUGS = tuple(Choice(drug.id, drug.name) for drug in tables.drugs().values())
drug_fields = form_about(Field("drug", "Drug", "choice", DRUGS, DRUGS[0].value, rule="COS-DRUG-01"))


def apply_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item to use and its target, allies and the actor first."""
    return gadgets.gadget_fields(state, actor, *forms.friend_fields(state, actor))


def jump_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant who jumps, and the distance."""
    return (
        anybody(state),
        _number("metres", "Distance in normal gravity (m)", 2, 1, 100),
        Field("to", "Where to", "place", _places(state), "", "or x,y in meters", required=False),
    )


# ---------------------------------------------------------------- the lists

TURN = (
    act(
        "overwatch",
        overwatch.overwatch,
        check_attacks,
        check_any(overwatch.watch_fields, "There is nothing to shoot with."),
        fields=overwatch.watch_fields,
    ),
    act(
        "field_medicine",
        treatment.field_medicine,
        treatment.check_in_rounds,
        fields=forms.friend_fields,
        preview=treatment.preview_field,
    ),
    act("extinguish", fire.extinguish, fire.check_burning),
    act("navigate", checks.navigate, fields=form_of(*checks.NAVIGATE), preview=checks.preview_navigate),
    act("drug", drugs.take, drugs.check_has_drug, fields=drugs.dose_fields),
    act("apply", gadgets.apply, gadgets.check_has_gadget, fields=apply_fields),
    act("catch_hold", zerog.catch_hold, zerog.check_drifting),
    act("hurl", zerog.hurl, zerog.check_hurl, fields=zerog.hurl_fields),
    act("brace", zerog.brace, zerog.check_brace),
    act("suit", protection.wear, protection.check_has_suit, fields=protection.suit_fields),
)
WORLD = (
    TABLE.gm("pass_time", clock.pass_time, fields=time_fields, has_odds=False),
    TABLE.gm("new_day", begin_day, has_odds=False),
    TABLE.gm("rest", downtime.rest, downtime.check_rest, fields=downtime.rest_fields),
    TABLE.gm("treat", treatment.treat, fields=treatment.treat_fields, preview=treatment.preview_treat),
    TABLE.gm(
        "repair",
        repair.repair,
        repair.check_repair,
        fields=repair.repair_fields,
        preview=repair.preview_repair,
    ),
    TABLE.gm("give_drug", drugs.set_drug, fields=drug_fields),
    TABLE.gm("set_suit", protection.set_suit, protection.check_any_suit, fields=suit_fields),
    TABLE.gm("save", dice.ask_save, fields=save_fields, preview=dice.preview_save),
    TABLE.gm("fall", falling.fall, fields=fall_fields),
    TABLE.gm("jump", zerog.jump, fields=jump_fields),
    TABLE.gm("shock", electricity.shock, fields=shock_fields, area=electricity.find_arc),
    TABLE.gm("lightning", electricity.strike_lightning, fields=lightning_fields),
    TABLE.gm("hazard_check", checks.check_hazard, fields=check_fields),
    TABLE.gm("expose", checks.expose, fields=expose_fields),
)
