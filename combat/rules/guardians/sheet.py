"""The sheet as pages need it: current numbers, the body part by part, and how a character is created."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from combat.rules.core.basics.data import load_table
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import BAD, FINE, HURT, LOST, OUT, Figure, Offer, Part
from combat.rules.core.sheets.sheets import (
    Archetype,
    Budget,
    Creation,
    DerivedGroup,
    Draft,
    Option,
    OwnStats,
    Preset,
    Selection,
    SheetAttack,
    SheetPlan,
    Stat,
    sheet_check,
)
from combat.rules.core.sheets.sheets import Offer as SheetOffer
from combat.rules.core.state.state import Combatant, Item, State, has_condition

from .book import tables
from .book.options import find_option
from .book.tables import HEAD, LIMBS, PLACES, SKILL_DIE, TORSO
from .characters import catalogue
from .characters.conditions import find_on_part, is_on_part
from .characters.sheet import HIGHEST
from .characters.values import (
    armor_terms,
    count_lost,
    find_armor,
    find_category,
    find_factor,
    find_health_ranks,
    find_mp,
    find_mp_most,
    find_rank_label,
    has_lost_half,
    is_typed,
    name_rank,
    rank_terms,
)
from .dice import adjusted, find_chance, preview_chance, roll_under
from .fight.aim import read_use
from .fight.attack import say_damage
from .turn.rounds import initiative_terms
from .world.strides import stride_terms, stride_yards

RULES = {HEAD: "CG-HEAD-01", TORSO: "CG-TORSO-01"}  # of limbs: CG-LIMB-01
TEXTS = {
    HEAD: "Half of its points lost is unconsciousness, all of them death for good.",
    TORSO: "Half of its points lost costs 5 ranks on everything, all of them is death.",
}
LOST_WORDS = {  # how a limb was lost, and whether it bleeds
    ("severed", False): "part.severed",
    ("severed", True): "part.severed_bleeding",
    ("crushed", False): "part.crushed",
    ("crushed", True): "part.crushed_bleeding",
}
LIMB_TEXT = "Half of its points lost disables it, all of them destroy it: it bleeds until First Aid."
HOUSE = "Our own: the game's rules are of combat alone"
AVERAGE = 10  # ranks
FIRST_LOW, FIRST_HIGH = 6, 15  # of a new character
SKILL_POINTS = 35
PRICES = {value: value for value in range(HIGHEST + 1)}
GROUPS = {
    "attack": "Attack",
    "defense": "Defense",
    "movement": "Movement",
    "medical": "Medical",
}
MP, NATURAL = "mp_", "natural_"  # precedes the name of a part: its value typed by the table
TRAITS = "initiative"
FOOTING = "footing"
READY_SKILLS = {
    "swordfighter": ("Swordfighter", {"blades": 12, "running": 10, "acrobatics": 8}),
    "guard": ("Guard with a shield", {"bludgeon_weapons": 12, "running": 8, "shield": 11}),
    "archer": ("Archer", {"archery": 12, "running": 10, "acrobatics": 10}),
    "gunner": ("Gunner", {"firearms": 12, "running": 10, "acrobatics": 8}),
    "medic": ("Medic", {"first_aid": 12, "running": 10, "unarmed_combat": 11}),
}
PACKAGES = tuple(
    Preset(key=key, label=label, values=values, floor=True, source=HOUSE)
    for key, (label, values) in READY_SKILLS.items()
)


def make_figure(state: State, combatant: Combatant) -> Figure | None:
    """The six parts of a body, each with its own Mortality Points. [CG-ATK-04]  RULING R20"""
    parts = tuple([make_part(state, combatant, place) for place in PLACES])
    return Figure(shape="human", title="Body", parts=parts)


def make_part(state: State, combatant: Combatant, place: str) -> Part:
    """One part of the body."""
    level, word = describe_part(combatant, place)
    return Part(
        key=place,
        label=tables.locations()[place].name,
        now=find_mp(combatant, place),
        most=find_mp_most(combatant, place),
        level=level,
        word=word,
        armor=describe_armor(combatant, place),
        text=describe_meaning(combatant, place),
        rule=RULES.get(place, "CG-LIMB-01"),
        actions=find_offers(state, combatant, place),
        track=f"mp.{place}",
    )


def describe_part(combatant: Combatant, place: str) -> tuple[int, Label]:
    """The damage of a part: its level and its word.

    [CG-HEAD-01] [CG-HEAD-02] [CG-TORSO-01] [CG-TORSO-04] [CG-LIMB-01] [CG-LIMB-03]
    """
    lost = find_on_part(combatant, "destroyed", place)
    if lost or find_mp(combatant, place) <= 0:
        how = str(lost.marks.get("how", "")) if lost else ""
        return OUT, LOST_WORDS.get((how, is_on_part(combatant, "bleeding", place)), "part.destroyed")
    if has_lost_half(combatant, place):
        if place in LIMBS:
            bleeds = is_on_part(combatant, "bleeding", place)
            return (LOST, "part.disabled_bleeding") if bleeds else (BAD, "part.disabled")
        return LOST, "part.half"
    return (HURT, "part.hurt") if count_lost(combatant, place) else (FINE, "part.whole")


def describe_armor(combatant: Combatant, place: str) -> str:
    """The armor of a part, in a word or two.  [CG-REF-08]"""
    points = find_armor(combatant, place)
    return f"armor {points}" if points else "no armor"


def describe_meaning(combatant: Combatant, place: str) -> str:
    """The meaning of losses there, and the source of its Mortality Points.  RULING R20"""
    whose = " Its Mortality Points are a value typed by the table." if is_typed(combatant, place) else ""
    return TEXTS.get(place, LIMB_TEXT) + whose


def find_offers(state: State, combatant: Combatant, place: str) -> tuple[Offer, ...]:
    """The offers of a tap on a part.

    A called shot at it [CG-REF-04], First Aid on it [CG-BLEED-03] or to wake someone, and the GM's healing of
    it [CG-LIMB-04].
    """
    offers: list[Offer] = []
    if find_option(state, "called_shots") == "on":
        offers.append(("attack", {"target": "", "called": place}))
    if is_on_part(combatant, "bleeding", place):
        offers.append(("first_aid", {"target": "", "place": place}))
    if place == HEAD and has_condition(combatant, "unconscious"):
        offers.append(("first_aid", {"target": ""}))
    if count_lost(combatant, place):
        offers.append(("heal", {"target": "", "place": place}))
    return tuple(offers)


# The current numbers of a combatant, each with its sum, for rows, cards and sheets.


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """Initiative, movement, Toughness and Fatigue.  [CG-INIT-01] [CG-MOVE-01] [CG-ATK-03] [CG-FAT-02]"""
    fatigue = combatant.tracks["fatigue"]
    initiative, stride = initiative_terms(state, combatant), stride_terms(state, combatant)
    toughness = rank_terms(state, combatant, "toughness", roll=False)
    return (
        Derived("Initiative", *_sum(initiative), "CG-INIT-01"),
        Derived(name_stride(state, combatant), *_sum(stride), "CG-MOVE-01", " yd"),
        Derived("Toughness", *_count_ranks(toughness), "CG-ATK-03"),
        Derived("Fatigue", *_sum((Modifier("track.fatigue", fatigue, "CG-FAT-02"),)), "CG-FAT-02"),
    )


def name_stride(state: State, combatant: Combatant) -> str:
    """The label of the movement; with what lies beyond whole yards, if the table keeps it.  RULING R46"""
    yards = stride_yards(state, combatant)
    return "Movement" if yards.is_integer() else f"Movement (exactly {yards:g} yd)"


def _sum(terms: Modifiers) -> tuple[int, Modifiers]:
    """The sum with the terms that change it."""
    return add_up(terms), without_zeros(terms)


def _count_ranks(terms: Modifiers) -> tuple[int, Modifiers]:
    """The sum of ranks with the terms that change it, at least 0."""
    total, changing = _sum(terms)
    return max(0, total), changing


def derive(state: State, combatant: Combatant) -> tuple[DerivedGroup, ...]:
    """The derived numbers of a sheet, each with its sum. [CG-ATK-03] [CG-ATK-04]"""
    names = {place: tables.locations()[place].name for place in PLACES}
    points = tuple(mortality(combatant, place, names[place]) for place in PLACES)
    armor = (
        Derived(names[place], add_up(terms), terms, "CG-ATK-03")
        for place in PLACES
        if (terms := armor_terms(combatant, place))
    )
    groups = [
        DerivedGroup("", describe_combatant(state, combatant)),
        DerivedGroup("Mortality Points", points),
    ]
    if worn := tuple(armor):
        groups.append(DerivedGroup("Armor", worn))
    return (*groups, *_own_groups(state, combatant))


def mortality(combatant: Combatant, place: str, label: str) -> Derived:
    """The Mortality Points of a part, and whether they are worked out or typed by the table.  RULING R20"""
    most = find_mp_most(combatant, place)
    if is_typed(combatant, place):
        return Derived(
            f"{label} (typed by the table)", most, (Modifier("term.typed", most, "CG-REF-11"),), "CG-ATK-04"
        )
    term = Modifier(
        say("term.by_health", percent=find_factor(place, {}), ranks=find_health_ranks(combatant)),
        most,
        "CG-ATK-04",
    )
    return Derived(label, most, (term,), "CG-ATK-04")


def _own_groups(state: State, combatant: Combatant) -> tuple[DerivedGroup, ...]:
    """Ranks of the table's own attributes, aspects and skills."""
    own = sorted(combatant.sheet["own"])
    numbers = tuple(
        Derived(
            f"{name_rank(name)} ({find_category(combatant, name)})",
            *_count_ranks(rank_terms(state, combatant, name)),
            "CG-ATK-02",
        )
        for name in own
    )
    return (DerivedGroup("The table's own", numbers),) if numbers else ()


# Character creation: attributes around 10, skills by points; and the sheet for pages. The combat page
# starts with finished characters: all limits of new ones are our own.


def find_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """Every weapon, those in hand first. [CG-ATK-01] [CG-ATK-02]"""
    weapons = [item for item in combatant.items if item.kind == "weapon"]
    weapons.sort(key=lambda item: item.place != "held")
    return tuple(_view(state, combatant, weapon) for weapon in weapons)


def _view(state: State, combatant: Combatant, item: Item) -> SheetAttack:
    use = read_use(item, False)
    return SheetAttack(
        item=item,
        terms=find_chance(state, rank_terms(state, combatant, use.skill, "CG-ATK-01")).terms,
        dice=SKILL_DIE,
        percent=True,
        rule="CG-ATK-02",
        damage=say_damage(state, combatant, use),
        reach=f"{use.weapon.range_yards} yd a step" if use.is_distant else "melee",
        how=name_rank(use.skill),
    )


# ---------------------------------------------------------------- checks outside a fight


class RankCheck(Command, frozen=True, kw_only=True):
    """A roll of any attribute, aspect or skill by its key."""

    name: str = "perception"


def check(context: RuleContext, command: RankCheck) -> None:
    """Roll any ranks from the sheet: d100 within five times the ranks. [CG-ATK-02]"""
    ranks = adjusted(command, rank_terms(context.state, context.state[command.actor], command.name))
    roll_under(
        context,
        command.actor,
        ranks,
        rule="CG-ATK-02",
        what=say("check.rank", what=find_rank_label(command.name)),
    )


def preview_check(state: State, command: RankCheck) -> Preview:
    """The chance of such a roll. [CG-ATK-02]"""
    return preview_chance(state, adjusted(command, rank_terms(state, state[command.actor], command.name)))


def check_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Every name with ranks to roll."""
    known = (*tables.attributes(), *tables.aspects(), *tables.skills(), *sorted(state[actor].sheet["own"]))
    options = tuple(Choice(name, name_rank(name)) for name in known)
    return (Field("name", "Roll", options=options, value="perception", rule="CG-ATK-02"),)


CHECKS = (
    sheet_check(
        "check", "Check", RankCheck, run=check, rule="CG-ATK-02", preview=preview_check, fields=check_fields
    ),
)


# ---------------------------------------------------------------- sheets and drafts


def find_budgets(bought: Draft) -> tuple[Budget, ...]:
    """The points for attributes, aspects and skills, all our own."""
    attributes, aspects = tables.attributes(), tables.aspects()
    start = {key: skill.start_ranks for key, skill in tables.skills().items()}
    values = bought.attributes
    spent = sum(max(0, bought.skills.get(key, 0) - ranks) for key, ranks in start.items())
    return (
        _budget("attributes", "Attribute points", *_count(values, attributes)),
        _budget("aspects", "Aspect points", *_count(values, aspects)),
        _budget("skills", "Skill points", spent, SKILL_POINTS),
    )


def _count(values: Mapping[str, int], keys: Collection[str]) -> tuple[int, int]:
    """The ranks of these names, and how many a new character has."""
    return sum(values.get(key, 0) for key in keys), AVERAGE * len(keys)


def _budget(key: str, label: str, spent: int, most: int) -> Budget:
    terms = (Modifier("term.new_character", most),)
    return Budget(key=key, label=label, spent=spent, terms=terms, source=HOUSE)


def read(sheet: dict[str, Any]) -> Draft:
    """The decisions in a sheet."""
    ranks = sheet["ranks"]
    attributes = {key: int(ranks.get(key, 0)) for key in (*tables.attributes(), *tables.aspects())}
    skills = {key: int(ranks.get(key, row.start_ranks)) for key, row in tables.skills().items()}
    skills |= {MP + place: int(sheet.get("mortality", {}).get(place, 0)) for place in PLACES}
    skills |= {NATURAL + place: int(sheet.get("natural_armor", {}).get(place, 0)) for place in PLACES}
    skills |= {TRAITS: int(sheet.get(TRAITS, 0)), FOOTING: int(sheet.get(FOOTING, 100))}
    return Draft(attributes=attributes, skills=skills, chosen={"hand": sheet.get("hand", "right")})


def write(sheet: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """A sheet with the decisions of a draft; the table's own names stay."""
    known = {**draft.attributes, **draft.skills}
    kept = {key: value for key, value in sheet.get("ranks", {}).items() if key not in known}
    start = {key: row.start_ranks for key, row in tables.skills().items()}
    skills = {key: draft.skills.get(key, ranks) for key, ranks in start.items()}
    trained = {key: value for key, value in skills.items() if value or start[key]}
    return {
        **sheet,
        "ranks": {**kept, **draft.attributes, **trained},
        "mortality": _find_typed(draft, MP),
        "natural_armor": _find_typed(draft, NATURAL),
        TRAITS: draft.skills.get(TRAITS, 0),
        FOOTING: draft.skills.get(FOOTING, 100),
        "hand": draft.chosen.get("hand", "right"),
    }


def _find_typed(draft: Draft, prefix: str) -> dict[str, int]:
    found = {place: draft.skills.get(prefix + place, 0) for place in PLACES}
    return {place: value for place, value in found.items() if value}


def find_own(sheet: dict[str, Any]) -> tuple[tuple[str, str, int], ...]:
    """The attributes, aspects and skills that a table added: name, kind, ranks."""
    kinds, ranks = sheet.get("own", {}), sheet["ranks"]
    return tuple((name, kinds[name], int(ranks.get(name, 0))) for name in sorted(kinds))


def put_own(sheet: dict[str, Any], name: str, kind: str, ranks: int | None) -> dict[str, Any]:
    """A sheet with or without ranks under a name of the table's own.  [CG-REF-11]"""
    own = {key: value for key, value in sheet.get("own", {}).items() if key != name}
    if ranks is None:
        kept = {
            key: value for key, value in sheet["ranks"].items() if key != name or name not in sheet["own"]
        }
        return {**sheet, "own": own, "ranks": kept}
    if name in (*tables.attributes(), *tables.aspects(), *tables.skills()):
        return {**sheet, "own": {**own, name: kind}}  # refused by the check of the sheet
    return {**sheet, "own": {**own, name: kind}, "ranks": {**sheet["ranks"], name: ranks}}


def summarize(sheet: dict[str, Any]) -> str:
    """The best skill and Health in one line."""
    ranks = sheet.get("ranks", {})
    skills = {key: value for key, value in ranks.items() if key in tables.skills()}
    best = max(skills, key=lambda key: skills[key], default="")
    words = (f"{name_rank(best)} {skills[best]}" if best else "", f"Health {ranks.get('health', 0)}")
    return ", ".join(word for word in words if word)


# ---------------------------------------------------------------- the plan


def _attribute_stats() -> tuple[Stat, ...]:
    """Attributes, then Aspects."""
    uses = {key: row.use for key, row in tables.attributes().items()}
    rows = {**tables.attributes(), **tables.aspects()}
    return tuple(
        Stat(
            key=key,
            label=row.name,
            short=row.name[:3],
            group="Attributes" if key in uses else "Aspects",
            low=1 if key in ("health", "toughness") else 0,
            high=HIGHEST,
            first_low=FIRST_LOW,
            first_high=FIRST_HIGH,
            usual=AVERAGE,
            text=uses.get(key, ""),
            offers=(SheetOffer("Roll", "check", {"name": key}),),
            source=HOUSE,
        )
        for key, row in rows.items()
    )


def _skill_stats() -> tuple[Stat, ...]:
    return tuple(
        Stat(
            key=row.id,
            label=row.name,
            group=GROUPS[row.category],
            low=0,
            high=HIGHEST,
            first_low=row.start_ranks,
            first_high=FIRST_HIGH,
            usual=row.start_ranks,
            text=f"{row.start_ranks} to begin with" if row.start_ranks else "",
            offers=(SheetOffer("Roll", "check", {"name": row.id}),),
            source=HOUSE,
        )
        for row in tables.skills().values()
    )


def _typed_stats() -> tuple[Stat, ...]:
    """Numbers that a table may type: Mortality Points and natural armor by part, Traits, movement."""
    names = {place: tables.locations()[place].name for place in PLACES}
    by_hand = "Mortality Points set by hand (0: from Health)"
    points = (_typed(MP + p, f"{name}, Mortality Points", by_hand, 9999) for p, name in names.items())
    natural = (
        _typed(NATURAL + p, f"{name}, natural armor", "Natural armor", 99) for p, name in names.items()
    )
    other = "Initiative and movement"
    return (
        *points,
        *natural,
        _typed(TRAITS, "Initiative from Traits", other, 20, low=-20, rule="CG-INIT-02"),
        _typed(FOOTING, "Movement, percent", other, 500, usual=100, rule="CG-MOVE-02"),
    )


def _typed(
    key: str, label: str, group: str, high: int, low: int = 0, usual: int = 0, rule: str = "CG-REF-11"
) -> Stat:
    return Stat(
        key=key,
        label=label,
        group=group,
        low=low,
        high=high,
        first_low=usual,
        first_high=usual,
        usual=usual,
        rule=rule,
        source=HOUSE,
    )


PLAN = SheetPlan(
    attributes=_attribute_stats(),
    skills=(*_skill_stats(), *_typed_stats()),
    selections=(
        Selection(
            key="hand",
            label="Better hand",
            options=(Option(key="right", label="Right"), Option(key="left", label="Left")),
            usual="right",
            text="It holds the first weapon.",
            rule="CG-LIMB-02",
            mends=True,
        ),
    ),
    creation=Creation(
        attribute_prices=PRICES,
        skill_prices=PRICES,
        find_budgets=find_budgets,
        archetypes=tuple(load_table(tables.DATA / "archetypes.toml", Archetype).values()),
        packages=PACKAGES,
        source=HOUSE,
    ),
    read=read,
    write=write,
    worked_out=("computed",),
    find_problems=catalogue.find_problems,
    derive=derive,
    find_attacks=find_attacks,
    summarize=summarize,
    lasting=catalogue.LASTING,
    named={"weapons": [], "wears": [], "shields": [], "gear": []},
    named_for={"weapon": "weapons", "armor": "wears", "shield": "shields", "item": "gear"},
    checks={action.name: action for action in CHECKS},
    offers=(SheetOffer("Any roll…", "check"),),
    own=OwnStats(
        label="Attributes, aspects and skills of your own",
        kinds=(("attribute", "Attribute"), ("aspect", "Aspect"), ("skill", "Skill")),
        high=HIGHEST,
        find=find_own,
        put=put_own,
        rule="CG-REF-11",
    ),
)
