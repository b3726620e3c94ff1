"""The sheet in the form pages need: key numbers, checks outside a fight, and how a character is created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from combat.rules.core.basics.data import load_table
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say, say_typed
from combat.rules.core.commands.commands import Command, Field, Preview, number_field
from combat.rules.core.commands.context import RuleContext, Then
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
    SheetAttack,
    SheetPlan,
    Stat,
    Traits,
    sheet_check,
    with_points,
)
from combat.rules.core.state.state import Combatant, Item, State, replace

from .body.damage import protection_of
from .book import tables
from .book.tables import TARGET_NUMBERS
from .book.traits import find_area_row, has_tag
from .characters import catalogue as kit
from .characters.conditions import KINDS
from .characters.sheet import (
    ATTRIBUTES,
    QUICK,
    ability,
    count_quick,
    describe_abilities,
    drug_terms,
    find_abilities,
    speed_terms,
)
from .dice import DICE, action_penalties, initiative_terms, name_save, roll_check, save_terms, table_terms
from .environment import TRAINED
from .fight.aim import body_terms, defense_terms, skill_terms
from .fight.attack import own_damage
from .fight.weapons import weapon_terms
from .turn.deeds import Check, check_skill, preview_skill, skill_fields, use_skill
from .turn.rounds import roll_initiative
from .world.scene import is_melee

RULE = "R4"  # the chapter mentions no save of this kind; the ruling does
INITIATIVE = Offer("Initiative", "initiative")
CHAPTER = "Character creation"
INTELLECT_FREE = 5  # Intellect above this gives skill points
GROUPS = {"core": "Core skills", "optional": "Optional skills"}
# What a body may withstand: conditions that a hit, a blast or an item brings, and hazards around it
BROUGHT = ("bleeding", "blinded", "deafened", "fatigued", "frightened", "prone", "stunned", "unconscious")
AROUND = {"vacuum": "Vacuum", "temperature": "Heat and cold", "toxic": "Toxic air", "radiation": "Radiation"}


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """Defense, Speed, armor, initiative bonus and penalties, each with its terms."""
    armor = protection_of(state, combatant)
    shots = _derived("Defense", defense_terms(state, combatant), "COS-DEF-01")
    blows = _derived("Defense, melee", defense_terms(state, combatant, melee=True), "COS-COND-26")
    penalties = _signed("Own actions", action_penalties(state, combatant, physical=True), "COS-STATE-01")
    return (
        replace(shots, shield=True),
        *([blows] if blows.value != shots.value else []),
        _derived("Flat-footed", defense_terms(state, combatant, unaware=True), "COS-DEF-11"),
        _derived("Speed", speed_terms(state, combatant), "COS-MOVE-01", " m"),
        _derived("Armor", (armor,), armor.rule),
        _signed("Initiative", initiative_terms(combatant), "COS-INIT-01"),
        *([penalties] if penalties.terms else []),
    )


def _derived(label: str, terms: Modifiers, rule: str, unit: str = "") -> Derived:
    return Derived(label, max(0, add_up(terms)) if unit else add_up(terms), terms, rule=rule, unit=unit)


def _signed(label: str, terms: Modifiers, rule: str) -> Derived:
    return Derived(label, add_up(terms), terms, rule, signed=True)


def find_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """Every weapon, those in hand first. [COS-ATK-01] [COS-DMG-04]"""
    weapons = [item for item in combatant.items if item.kind == "weapon"]
    weapons.sort(key=lambda item: item.place != "held")
    return tuple(_view(state, combatant, weapon) for weapon in weapons)


def _view(state: State, combatant: Combatant, weapon: Item) -> SheetAttack:
    has_area, data = has_tag(weapon.data, "area"), weapon.data
    terms = [*skill_terms(state, combatant, weapon), *weapon_terms(weapon)]
    bonus = [*own_damage(state, combatant, weapon), *drug_terms(combatant, "damage")]
    dice = "" if data["damage"] == "0" else data["damage"]
    return SheetAttack(
        item=weapon,
        terms=() if has_area else (*terms, *body_terms(state, combatant, is_melee(weapon))),
        dice="" if has_area else DICE,
        rule="COS-DMG-04" if has_area else "COS-ATK-01",
        damage=dice if has_area else with_points(dice, bonus),
        reach=f"{data.get('reach_m') or 1} m" if is_melee(weapon) else f"{data['range_m']} m",
        how=_say_how(weapon),
        magazine=data["magazine"] or None if weapon.loaded is not None else None,
    )


def _say_how(weapon: Item) -> Label:
    if has_tag(weapon.data, "area"):
        return say("attack.blast", metres=weapon.data["radius_m"], n=find_area_row(weapon).tn)
    return say("attack.typed", use=f"attack.{weapon.data['mode']}", type=weapon.data["type"])


# Checks outside a fight, rolled from the sheet: the usual sums, but no actions are spent.


class Save(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A save of an attribute against a target number."""

    attribute: str
    tn: int = 14
    why: str = ""


def check(context: RuleContext, command: Check) -> Then:
    """A skill or attribute check. [COS-ACT-03]  RULING R5."""
    check_skill(context.state, command)
    return Then(use_skill, command)


def check_save(command: Save) -> None:
    """Refuse unknown attributes and impossible numbers."""
    if command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", f"Choose one of {', '.join(ATTRIBUTES)}.")
    if not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60.")


def find_save_terms(state: State, command: Save) -> Modifiers:
    """The attribute alone, and the table's own modifier.  RULING R4."""
    terms = save_terms(state, state[command.actor], command.attribute, RULE)
    return (*terms, *table_terms(command, RULE))


def save(context: RuleContext, command: Save) -> None:
    """2d10 and the attribute against the target number.  RULING R4."""
    check_save(command)
    terms = find_save_terms(context.state, command)
    what = name_save(command.attribute)
    roll_check(
        context,
        command.actor,
        terms,
        target=command.tn,
        rule=RULE,
        what=what,
        why=say_typed(command.why, "typed_against"),
    )


def preview_save(state: State, command: Save) -> Preview:
    """The sums of a save."""
    check_save(command)
    target = (Modifier("term.target_number", command.tn, RULE),)
    return Preview(find_save_terms(state, command), target, "against.tn", DICE)


def save_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a save."""
    numbers = ", ".join(f"{word} {tn}" for word, tn in TARGET_NUMBERS.items())
    options = tuple(Choice(key, name) for key, name in ATTRIBUTES.items())
    return (
        Field("attribute", "Attribute", "choice", options=options, value="RES"),
        number_field("tn", "Target number", 14, low=2, high=60, help=numbers),
        Field("why", "Against what", "text", required=False),
    )


def initiative(context: RuleContext, command: Command) -> None:
    """1d10 + Awareness. [COS-INIT-01]"""
    roll_initiative(context, command.actor)


def preview_initiative(state: State, command: Command) -> Preview:
    """The sums of initiative. [COS-INIT-01]"""
    return Preview(initiative_terms(state[command.actor]), (), "", "1d10")


CHECKS = (
    sheet_check(
        "check",
        "Skill or attribute check",
        Check,
        run=check,
        rule="COS-ACT-03",
        preview=preview_skill,
        fields=skill_fields,
        text="Any skill or attribute against a number, rolled from the sheet.",
    ),
    sheet_check(
        "save",
        "Save",
        Save,
        run=save,
        rule=RULE,
        preview=preview_save,
        fields=save_fields,
        text="Someone rolls 2d10 and an attribute against a number you name.",
    ),
    sheet_check(
        "initiative",
        "Initiative",
        Command,
        run=initiative,
        rule="COS-INIT-01",
        preview=preview_initiative,
        text="1d10 and Awareness, rolled from the sheet.",
    ),
)

# Character creation: species, point-buy, skills and money; and the sheet in the form pages need. Chapter 5
# starts with finished characters, so the limits cite the game's chapter on creation.


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


def _traits() -> tuple[Traits, ...]:
    """Training and the like, and what cannot harm them.  RULING R47 [COS-ENV-21]"""
    conditions = (Choice(kind, KINDS[kind].label) for kind in BROUGHT)
    hazards = (Choice(key, label) for key, label in AROUND.items())
    trained = Choice(TRAINED, "Trained for zero gravity")
    return (
        Traits(key="traits", label="Traits", options=(trained,), free=True),
        Traits(key="immune", label="Immune to", options=(*conditions, *hazards)),
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
                mends=True,
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
        traits=_traits(),
        named={"weapons": [], "armor": "none", "shield": "", "gear": []},
        named_for={"weapon": "weapons", "armor": "armor", "shield": "shield"}
        | dict.fromkeys(("suit", "medical", "drug", "gear"), "gear"),
        checks={action.name: action for action in CHECKS},
        offers=(INITIATIVE, Offer("Any check…", "check")),
    )


PLAN = make_plan()
