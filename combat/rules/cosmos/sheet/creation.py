"""Character creation: species, point-buy, skills and money; and the sheet in the form pages need.

Chapter 5 starts with finished characters, so the limits cite the game's chapter on creation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from combat.rules.core.basics.data import load_table
from combat.rules.core.basics.modifiers import Derived, Modifier, add_up
from combat.rules.core.sheets.sheets import (
    Archetype,
    Budget,
    Creation,
    DerivedGroup,
    Draft,
    Money,
    Offer,
    Option,
    Preset,
    Selection,
    SheetPlan,
    Stat,
)
from combat.rules.core.state.state import Combatant, State

from ..book import tables
from ..characters import inventory as kit
from ..characters.sheet import ATTRIBUTES, QUICK, ability, count_quick, describe_abilities, find_abilities
from ..dice import save_terms
from ..turn.checks import CHECKS, INITIATIVE, RULE
from .wording import describe_combatant, find_attacks

CHAPTER = "Character creation"
INTELLECT_FREE = 5  # Intellect above this gives skill points
GROUPS = {"core": "Core skills", "optional": "Optional skills"}


# ---------------------------------------------------------------- points


def count_price(prices: Mapping[int, int], value: int) -> int:
    """The price of a value in points; values off the table cost as much as its nearest end."""
    if value in prices:
        return prices[value]
    return prices[max(prices)] if value > max(prices) else prices.get(min(prices), 0) if value > 0 else 0


def count_spent(prices: Mapping[int, int], values: Mapping[str, int]) -> int:
    """The total points that values cost."""
    return sum(count_price(prices, value) for value in values.values() if value in prices or value > 0)


def finish(bought: Draft) -> Draft:
    """The bought values, with the changes of the species."""
    return _shift(bought, 1)


def undo(finished: Draft) -> Draft:
    """The finished values without the changes of the species."""
    return _shift(finished, -1)


def _shift(draft: Draft, sign: int) -> Draft:
    record = tables.species().get(draft.chosen.get("species", ""))
    changes: Mapping[Any, int] = record.attribute_mods if record else {}
    moved = {key: value + sign * changes.get(key, 0) for key, value in draft.attributes.items()}
    return msgspec.structs.replace(draft, attributes=moved)


def find_budgets(bought: Draft) -> tuple[Budget, ...]:
    """Attribute points, and skill points with those from Intellect and career.

    The career's points count up to the points spent on its skills.
    """
    plan = tables.creation()
    terms = [Modifier("New character", plan.skill_points)]
    clever = finish(bought).attributes.get("INT", 0) - INTELLECT_FREE
    if clever > 0:
        terms.append(Modifier("Intellect above 5", clever * plan.skill_points_per_intellect_above_5))
    package = tables.skill_packages().get(bought.chosen.get("career", ""))
    if package:
        trained = {key: bought.skills.get(key, 0) for key in package.skills}
        spent = count_spent(plan.skill_cost, trained)
        terms.append(Modifier(f"{package.name} skills", min(plan.career_skill_points, spent)))
    return (
        Budget(
            key="attributes",
            label="Attribute points",
            spent=count_spent(plan.attribute_cost, bought.attributes),
            terms=(Modifier("New character", plan.attribute_points),),
            source=f"{CHAPTER}: point-buy",
        ),
        Budget(
            key="skills",
            label="Skill points",
            spent=count_spent(plan.skill_cost, bought.skills),
            terms=tuple(terms),
            source=f"{CHAPTER}: starting skill points",
        ),
    )


# ---------------------------------------------------------------- sheets and drafts


def read(sheet: dict[str, Any]) -> Draft:
    """The player's decisions, read from a sheet."""
    skills = {key: sheet.get("skills", {}).get(key, 0) for key in tables.skills()}
    chosen = {"species": sheet.get("species", ""), "career": sheet.get("career", "")}
    return Draft(attributes=dict(sheet["attributes"]), skills=skills, chosen=chosen)


def write(sheet: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """A sheet with new decisions. A new species brings its size and abilities."""
    changed = {
        **sheet,
        "attributes": dict(draft.attributes),
        "skills": {key: value for key, value in draft.skills.items() if value},
        **{key: draft.chosen.get(key, "") for key in ("species", "career")},
    }
    record = tables.species().get(changed["species"])
    if record is None or sheet.get("species") == record.id:
        return changed
    abilities = find_abilities(record)
    natural = record.abilities.natural_armor
    return {**changed, "size": record.size, "abilities": abilities, "natural_armor": natural}


def summarize(sheet: dict[str, Any]) -> str:
    """Species and career in a line."""
    record = tables.species().get(sheet.get("species", ""))
    package = tables.skill_packages().get(sheet.get("career", ""))
    names = (record.name if record else sheet.get("species", ""), package.name if package else "")
    return ", ".join(name for name in names if name)


def derive(state: State, combatant: Combatant) -> tuple[DerivedGroup, ...]:
    """The numbers derived from a sheet, each with its sum.  [COS-HP-01] [COS-ACT-14]"""
    saves = tuple(_derive_save(state, combatant, key) for key in ATTRIBUTES)
    quick = [Modifier("Every turn", QUICK, "COS-ACT-14")]
    if count_quick(combatant) != QUICK:
        quick.append(Modifier("Species", count_quick(combatant) - QUICK, "COS-ACT-14"))
    numbers = (
        Derived("Max HP", int(combatant.marks["max_hp"]), hp_terms(combatant), "COS-HP-01"),
        *describe_combatant(state, combatant),
        Derived("Quick Actions", count_quick(combatant), tuple(quick), "COS-ACT-14"),
    )
    return (DerivedGroup("", numbers), DerivedGroup("Saves", saves))


def hp_terms(combatant: Combatant) -> tuple[Modifier, ...]:
    """40 + 8 x Might + 4 x Resolve, and the species; drugs do not count. [COS-HP-01]"""
    might, resolve = (int(combatant.sheet["attributes"][key]) for key in ("MIG", "RES"))
    terms = [
        Modifier("Base", 40, "COS-HP-01"),
        Modifier(f"8 × Might {might}", 8 * might, "COS-HP-01"),
        Modifier(f"4 × Resolve {resolve}", 4 * resolve, "COS-HP-01"),
    ]
    if ability(combatant, "hp"):
        terms.append(Modifier("Species", ability(combatant, "hp")))
    return tuple(terms)


def _derive_save(state: State, combatant: Combatant, key: str) -> Derived:
    terms = save_terms(state, combatant, key, RULE)
    return Derived(ATTRIBUTES[key], add_up(terms), terms, RULE, signed=True)


# ---------------------------------------------------------------- the plan


def _attribute_stats() -> tuple[Stat, ...]:
    free = next(value for value, price in tables.creation().attribute_cost.items() if price == 0)
    return tuple(
        Stat(
            key=row.id,
            label=row.name,
            short=row.id,
            low=row.min,
            high=row.max,
            first_low=row.min,
            first_high=row.creation_max,
            usual=free,
            text=f"Saves: {row.save_against}",
            offers=(
                Offer("Check", "check", {"attribute": row.id, "skill": ""}),
                Offer("Save", "save", {"attribute": row.id}),
            ),
            source=f"{CHAPTER}: ratings above {row.creation_max} are not for new characters",
        )
        for row in tables.attributes().values()
    )


def _skill_stats() -> tuple[Stat, ...]:
    limits = tables.limits()
    return tuple(
        Stat(
            key=row.id,
            label=row.name,
            group=GROUPS[row.group],
            low=limits.skill_min,
            high=limits.skill_absolute_max,
            first_low=limits.skill_min,
            first_high=limits.skill_creation_max,
            text=row.uses,
            links=row.linked,
            offers=tuple(
                Offer(ATTRIBUTES[key], "check", {"skill": row.id, "attribute": key}) for key in row.linked
            ),
            source=f"{CHAPTER}: starting skills up to {limits.skill_creation_max}",
        )
        for row in tables.skills().values()
    )


def _species_options() -> tuple[Option, ...]:
    return tuple(
        Option(
            key=record.id,
            label=record.name,
            changes={str(key): value for key, value in record.attribute_mods.items()},
            abilities=describe_abilities(record),
            source=f"{CHAPTER}: species",
        )
        for record in tables.species().values()
    )


def _career_options() -> tuple[Option, ...]:
    return tuple(
        Option(
            key=row.id, label=row.name, text=", ".join(f"{key} {value}" for key, value in row.skills.items())
        )
        for row in tables.skill_packages().values()
    )


def _arrays() -> tuple[Preset, ...]:
    return tuple(
        Preset(
            key=row.id,
            label=row.name,
            values={key: getattr(row, key) for key in ATTRIBUTES},
            source=f"{CHAPTER}: quick arrays",
        )
        for row in tables.attribute_arrays().values()
    )


def _packages() -> tuple[Preset, ...]:
    return tuple(
        Preset(
            key=row.id,
            label=row.name,
            values=dict(row.skills),
            floor=True,
            source=f"{CHAPTER}: skill packages",
        )
        for row in tables.skill_packages().values()
    )


def make_plan() -> SheetPlan:
    """The plan of this game's sheets."""
    points = tables.creation()
    career = f"{points.career_skill_points} more skill points for skills of the career"
    return SheetPlan(
        attributes=_attribute_stats(),
        skills=_skill_stats(),
        selections=(
            Selection(
                key="species",
                label="Species",
                options=_species_options(),
                usual="terran",
                source=f"{CHAPTER}: species",
            ),
            Selection(
                key="career",
                label="Career",
                options=_career_options(),
                required=False,
                text=career,
                source=f"{CHAPTER}: starting skill points",
            ),
        ),
        creation=Creation(
            attribute_prices=points.attribute_cost,
            skill_prices=points.skill_cost,
            find_budgets=find_budgets,
            finish=finish,
            undo=undo,
            archetypes=tuple(load_table(tables.DATA / "archetypes.toml", Archetype).values()),
            arrays=_arrays(),
            packages=_packages(),
            source=CHAPTER,
        ),
        read=read,
        write=write,
        find_problems=kit.find_problems,
        derive=derive,
        find_attacks=find_attacks,
        summarize=summarize,
        money=Money(
            key="credits",
            label="Credits",
            start=points.starting_credits,
            source=f"{CHAPTER}: starting resources",
        ),
        lasting=kit.LASTING,
        named={"weapons": [], "armor": "none", "shield": "", "gear": []},
        named_for={"weapon": "weapons", "armor": "armor", "shield": "shield"}
        | dict.fromkeys(("suit", "medical", "drug", "gear"), "gear"),
        checks={action.name: action for action in CHECKS},
        offers=(INITIATIVE, Offer("Any check…", "check")),
    )


PLAN = make_plan()
