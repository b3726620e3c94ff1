"""More actions: overwatch, drugs, suits, zero gravity, hazards, and what happens between fights."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Action, Command, Field
from combat.rules.core.gm.decisions import gm_action
from combat.rules.core.gm.renewal import renewal_action
from combat.rules.core.state.state import State, present

from ..book import tables
from ..book.blurbs import BLURBS
from ..care import drugs, healing, repair
from ..dice import saves
from ..fight import overwatch
from ..fight.weapons import check_attacks
from ..hazards import by_decision, checks, electricity, falling, fire, lightning, protection
from ..move import zerog
from ..time import clock, downtime, gadgets, treatment
from . import forms
from .index import act

BETWEEN, SURROUNDINGS = "Between fights", "Surroundings"


def gm_act(name: str, *words: Any, **more: Any) -> Action:
    """An action of the GM with its sentence."""
    return gm_action(name, *words, text=BLURBS[name], **more)


# ---------------------------------------------------------------- forms of the GM's actions


def _who(state: State) -> Field:
    people = tuple(Choice(f.id, f.name, f.side) for f in present(state))
    return Field("target", "Who", "target", people, people[0].value if people else "")


def _number(name: str, label: str, value: int, low: int, high: int) -> Field:
    return Field(name, label, "number", value=str(value), low=low, high=high, required=False)


def _places(state: State) -> tuple[Choice, ...]:
    return tuple(Choice(f"near:{f.id}", f"at {f.name}") for f in present(state))


def time_fields(state: State, actor: str) -> tuple[Field, ...]:
    """How much time passes."""
    return (_number("minutes", "Minutes", 10, 0, 600), _number("hours", "Hours", 0, 0, clock.MAX_HOURS))


def fall_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who falls, how far, onto what."""
    landings = (Choice("hard", "hard ground"), Choice("water", "water"), Choice("soft", "something soft"))
    return (
        _who(state),
        Field("metres", "Height (m)", "number", value="6", low=1, high=falling.MAX_FALL_M, rule="COS-HAZ-01"),
        Field("landing", "Onto", "choice", landings, "hard", rule="COS-HAZ-04"),
    )


def shock_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A touch, the water somebody is in, or an arc from one place towards another."""
    kinds = (
        Choice("touch", "Touch: 2d6 and stunned"),
        Choice("water", "In the water: everyone in it"),
        Choice("arc", "Arc: 3d6 along 6 m"),
    )
    places = _places(state)
    return (
        Field("kind", "How", "choice", kinds, "touch", rule="COS-HAZ-09"),
        _who(state),
        Field("start", "Arc from", "place", places, "", "or x,y in meters", required=False),
        Field("to", "Arc towards", "place", places, "", "or x,y in meters", required=False),
    )


def lightning_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Among whom lightning strikes."""
    people = tuple(Choice(f.id, f.name) for f in present(state))
    return (Field("targets", "Among", "many", people, help="blank: all", required=False),)


def check_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who rolls about a hazard, and how."""
    return (_who(state), *checks.navigate_fields(state, actor))


def save_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who saves, with what, against what."""
    return (_who(state), *saves.save_fields(state, actor))


def expose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who faces which surroundings now."""
    kinds = (
        Choice("radiation", "Radiation"),
        Choice("toxic", "Toxic air"),
        Choice("heat", "Heat"),
        Choice("cold", "Cold"),
        Choice("gravity", "High gravity"),
    )
    levels = dict.fromkeys(level.level for level in tables.hazard_levels().values())
    options = (Choice("", "–"), *(Choice(level, level) for level in levels))
    return (
        _who(state),
        Field("hazard", "What", "choice", kinds, "radiation", rule="COS-HAZ-15"),
        Field("level", "Level", "choice", options, "moderate", required=False),
        _number("tn", "TN, 0: as the level", 0, 0, 60),
        Field("damage", "Other damage", "text", help="such as 2d6", required=False),
    )


def suit_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Whose suit, on or off, and its hours."""
    suits = [(f, item) for f in present(state) for item in protection.find_suits(f)]
    items = tuple(Choice(item.id, f"{item.name} of {f.name}", item.place) for f, item in suits)
    return (
        _who(state),
        Field("item", "Suit", "choice", items, items[0].value if items else ""),
        Field("worn", "Worn", "flag", value="true"),
        _number("hours", "Lasts (h), 0: unchanged", 0, 0, 504),
    )


def drug_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who has taken what."""
    options = tuple(Choice(drug.id, drug.name) for drug in tables.drugs().values())
    return (_who(state), Field("drug", "Drug", "choice", options, options[0].value, rule="COS-DRUG-01"))


def apply_fields(state: State, actor: str) -> tuple[Field, ...]:
    """What to put to use on whom, friends and oneself first."""
    return gadgets.gadget_fields(state, actor, *forms.friend_fields(state, actor))


def jump_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who jumps how far."""
    return (
        _who(state),
        _number("metres", "Distance in normal gravity (m)", 2, 1, 100),
        Field("to", "Where to", "place", _places(state), "", "or x,y in meters", required=False),
    )


# ---------------------------------------------------------------- the lists

TURN = (
    act(
        "overwatch",
        "Overwatch",
        "Standard",
        overwatch.Watch,
        overwatch.overwatch,
        "COS-MANV-15",
        check_attacks,
        fields=overwatch.watch_fields,
    ),
    act(
        "field_medicine",
        "Field medicine",
        "Standard",
        healing.Care,
        treatment.field_medicine,
        "COS-MED-06",
        treatment.check_in_rounds,
        fields=forms.friend_fields,
        preview=treatment.preview_field,
    ),
    act(
        "extinguish",
        "Stop, drop and roll",
        "Standard",
        Command,
        fire.extinguish,
        "COS-HAZ-07",
        fire.check_burning,
    ),
    act(
        "navigate",
        "Deal with a hazard",
        "Standard",
        checks.Navigate,
        checks.navigate,
        "COS-HAZ-22",
        fields=checks.navigate_fields,
        preview=checks.preview_navigate,
    ),
    act(
        "drug",
        "Take or give a drug",
        "Move",
        drugs.Dose,
        drugs.take,
        "COS-DRUG-01",
        drugs.check_has_drug,
        fields=drugs.dose_fields,
    ),
    act(
        "apply",
        "Use a bandage, patch or dose",
        "Move",
        gadgets.Apply,
        gadgets.apply,
        "COS-COND-03",
        gadgets.check_has_gadget,
        fields=apply_fields,
    ),
    act(
        "catch_hold",
        "Catch hold",
        "Move",
        Command,
        zerog.catch_hold,
        "COS-ZG-03",
        zerog.check_drifting,
    ),
    act(
        "hurl",
        "Throw something to drift",
        "Move",
        zerog.Hurl,
        zerog.hurl,
        "COS-ZG-08",
        zerog.check_weightless,
        fields=zerog.hurl_fields,
    ),
    act("brace", "Brace", "Quick", Command, zerog.brace, "COS-ZG-09", zerog.check_brace),
    act(
        "suit",
        "Put on or take off a suit",
        "Quick",
        protection.Wear,
        protection.wear,
        "COS-PROT-01",
        protection.check_has_suit,
        fields=protection.suit_fields,
    ),
)
WORLD = (
    gm_act(
        "pass_time",
        "Pass time",
        BETWEEN,
        clock.PassTime,
        clock.pass_time,
        "COS-HAZ-21",
        fields=time_fields,
        has_odds=False,
    ),
    renewal_action("new_day", BETWEEN, "COS-MED-05", BLURBS["new_day"]),
    gm_act(
        "rest",
        "Rest",
        BETWEEN,
        downtime.Rest,
        downtime.rest,
        "COS-HEAL-02",
        fields=downtime.rest_fields,
        check=downtime.check_rest,
    ),
    gm_act(
        "treat",
        "Medical treatment",
        BETWEEN,
        treatment.Treat,
        treatment.treat,
        "COS-MED-06",
        fields=treatment.treat_fields,
        preview=treatment.preview_treat,
    ),
    gm_act(
        "repair",
        "Repair armor or a weapon",
        BETWEEN,
        repair.Repair,
        repair.repair,
        "COS-ARMOR-11",
        fields=repair.repair_fields,
        check=repair.check_repair,
        preview=repair.preview_repair,
    ),
    gm_act(
        "give_drug",
        "Apply a drug",
        BETWEEN,
        drugs.SetDrug,
        drugs.set_drug,
        "COS-DRUG-01",
        fields=drug_fields,
    ),
    gm_act(
        "set_suit",
        "Set a suit",
        SURROUNDINGS,
        protection.SetSuit,
        protection.set_suit,
        "COS-PROT-03",
        check=protection.check_any_suit,
        fields=suit_fields,
    ),
    gm_act(
        "save",
        "Ask for a save",
        SURROUNDINGS,
        saves.AskSave,
        saves.ask_save,
        "COS-TERR-07",
        fields=save_fields,
        preview=saves.preview_save,
    ),
    gm_act(
        "fall", "Apply a fall", SURROUNDINGS, falling.Fall, falling.fall, "COS-HAZ-01", fields=fall_fields
    ),
    gm_act("jump", "Allow a jump", SURROUNDINGS, zerog.Jump, zerog.jump, "COS-ENV-05", fields=jump_fields),
    gm_act(
        "shock",
        "Apply a shock",
        SURROUNDINGS,
        electricity.Shock,
        electricity.shock,
        "COS-HAZ-09",
        fields=shock_fields,
        area=electricity.find_arc,
    ),
    gm_act(
        "lightning",
        "Lightning strike",
        SURROUNDINGS,
        lightning.Lightning,
        lightning.strike_lightning,
        "COS-XENV-08",
        fields=lightning_fields,
    ),
    gm_act(
        "hazard_check",
        "Hazard check",
        SURROUNDINGS,
        checks.HazardCheck,
        checks.check_hazard,
        "COS-HAZ-22",
        fields=check_fields,
    ),
    gm_act(
        "expose",
        "Environment check",
        SURROUNDINGS,
        by_decision.Expose,
        by_decision.expose,
        "COS-HAZ-15",
        fields=expose_fields,
    ),
)
