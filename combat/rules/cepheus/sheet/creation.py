"""Creation of people, animals, robots and vehicles, and their sheets as the pages show them.

Characteristics are rolled, by the app or at the table, or bought with points; machines come from the
catalogue or from the user's own numbers. The chapter starts with finished characters, so points, ready
distributions and starting money are our own.
"""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.data import load_table
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.modifiers import Derived, Modifier, add_up
from combat.rules.core.sheets.sheets import (
    Archetype,
    Budget,
    Choices,
    Creation,
    DerivedGroup,
    Draft,
    Money,
    Offer,
    Option,
    Preset,
    Profile,
    Selection,
    SheetPlan,
    Stat,
    Traits,
)
from combat.rules.core.state.state import Combatant, State

from ..book import tables
from ..book.tables import MAX_SHEET_SCORE, PSIONIC, SCORES, UNSKILLED
from ..characters import goods
from ..characters.machinery import STARSHIP, count_round_meters, find_top_speed
from ..characters.one_line_npc import read_profile, write_profile
from ..characters.sheet import robot_sheet, vehicle_sheet
from ..characters.sheet_record import LASTING, fits_sheet
from ..characters.skill_names import find_skills
from ..characters.values import BODY, is_machine, is_vehicle
from . import animals, machines
from .machines import CLOSED, MILITARY, OPEN
from .wording import CHECKS, describe_armor, describe_dm, describe_hindrances, find_attacks

KINDS = {"person": "Person", "animal": "Animal", "robot": "Robot or drone", "vehicle": "Vehicle"}
KIND_TEXTS = {
    "person": "characteristics, skills and gear",
    "animal": "fights with what it has grown",
    "robot": "acts as a person, breaks as a machine",
    "vehicle": "someone else drives it",
}
ALIVE, THINKING, MACHINES = ("person", "animal"), ("person", "animal", "robot"), ("robot", "vehicle")
DICE_METHOD, POINTS_METHOD = "dice", "points"
METHODS = {
    DICE_METHOD: ("Dice", "2d6 for each, rolled by the app or at the table"),
    POINTS_METHOD: ("Points", "42 points, or one of the ready arrays"),
}
DICE = "2d6"
POINTS, MIN_SCORE, MAX_SCORE, USUAL_SCORE = 42, 2, 12, 7
HOUSE, CHAPTER = "This table", "Character creation"
MAX_SKILL, MAX_FIRST_SKILL = 9, 4
MONEY_TO_BEGIN = 2000
OWN_FIELDS = ("agility", "speed_kph", "crew", "passengers")  # numbers of a vehicle other than scores
MINDS = ("int", "edu", "soc")  # scores that a drone lacks
OF_A_KIND = {  # readers of the decisions that only one kind of sheet has
    "animal": animals.read_animal,
    "robot": machines.read_robot,
    "vehicle": machines.read_mounts,
}


# ---------------------------------------------------------------- points and models


def find_budgets(bought: Draft) -> tuple[Budget, ...]:
    """The points for characteristics, if they are bought."""
    if bought.chosen.get("method") != POINTS_METHOD or bought.chosen.get("kind") not in ALIVE:
        return ()
    return (
        Budget(
            key="attributes",
            label="Points",
            spent=sum(bought.attributes.get(key, 0) for key in SCORES),
            terms=(Modifier("term.new_character", POINTS),),
            source=f"{HOUSE}: six characteristics of 7 on average",
        ),
    )


def find_throws(draft: Draft) -> dict[str, str]:
    """The dice of each characteristic, if they are rolled."""
    rolled = draft.chosen.get("method") == DICE_METHOD and draft.chosen.get("kind") in ALIVE
    return dict.fromkeys(SCORES, DICE) if rolled else {}


def find_model(chosen: dict[str, str]) -> dict[str, Any]:
    """The sheet of the machine chosen from the catalogue; empty without one."""
    kind, name = chosen.get("kind", ""), chosen.get("model_" + chosen.get("kind", ""), "")
    if kind == "robot" and name in tables.robots():
        return robot_sheet(tables.robots()[name])
    if kind == "vehicle" and name in tables.vehicles():
        return vehicle_sheet(tables.vehicles()[name])
    return {}


def with_model(draft: Draft) -> Draft:
    """A draft with the numbers of its machine wherever the user has set none."""
    model = find_model(draft.chosen)
    if not model:
        return draft
    brought = {**model["attributes"], **{key: round(model.get(key, 0)) for key in OWN_FIELDS}}
    own = {key: value for key, value in draft.attributes.items() if value != _USUAL.get(key, value)}
    trained = {key: value for key, value in draft.skills.items() if value > UNSKILLED}
    return msgspec.structs.replace(
        draft,
        attributes={**draft.attributes, **brought, **own},
        skills={**draft.skills, **model.get("skills", {}), **trained},
    )


# ---------------------------------------------------------------- sheets and drafts


def read(sheet: dict[str, Any]) -> Draft:
    """The decisions in a sheet; those that its kind lacks are as on a blank one."""
    kind = sheet.get("kind", "person")
    scores = {stat.key: sheet["attributes"].get(stat.key, stat.usual) for stat in STATS}
    chosen = {selection.key: selection.usual for selection in SELECTIONS} | {"kind": kind}
    if kind in MACHINES:
        chosen[f"model_{kind}"] = sheet.get("model", "")
    if kind == "vehicle":
        scores |= {key: round(sheet.get(key, 0)) for key in OWN_FIELDS}
        body = MILITARY if sheet.get("military") else OPEN if sheet.get("open") else CLOSED
        chosen |= {"drives_by": sheet.get("drives_by", ""), "body": body}
    if kind in OF_A_KIND:
        found = OF_A_KIND[kind](sheet)
        scores |= found.attributes
        chosen |= found.chosen
    levels = sheet.get("skills", {})
    skills = {name: levels.get(name, UNSKILLED) for name in tables.skills()}
    return Draft(attributes=scores, skills=skills, chosen=chosen)


def write(sheet: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """The sheet with changed decisions. A new model brings all its parts."""
    kind, model = draft.chosen.get("kind", "person"), find_model(draft.chosen)
    fresh = bool(model) and sheet.get("model", "") != model["model"]
    base = (
        {**sheet, **{key: value for key, value in model.items() if key != "name"}} if fresh else dict(sheet)
    )
    draft = with_model(draft) if fresh else draft
    base |= {
        "kind": kind,
        "attributes": {key: draft.attributes[key] for key in _scores_of(kind, draft)},
        "skills": {key: value for key, value in draft.skills.items() if value > UNSKILLED},
        "model": model.get("model", ""),
    }
    if kind == "animal":
        return base | animals.write_animal(base, draft)
    if kind == "robot" and not model:
        base |= machines.write_robot(base, draft)
    return base | (_write_vehicle(draft, fresh, base) if kind == "vehicle" else {})


def _scores_of(kind: str, draft: Draft) -> tuple[str, ...]:
    """The scores of a kind of sheet; Psionic Strength only if there is any."""
    if kind == "vehicle":
        return BODY
    if kind == "robot":
        return ("str", "dex", *(MINDS if _acts_alone(draft) else ()), *BODY)
    return (*SCORES, PSIONIC) if draft.attributes.get(PSIONIC) else SCORES


def _acts_alone(draft: Draft) -> bool:
    """Whether a robot has its own mind; drones use that of their operator.  RULING R74"""
    model = find_model(draft.chosen)
    return not model["drone"] if model else draft.chosen.get("control") != machines.STEERED


def _write_vehicle(draft: Draft, fresh: bool, base: dict[str, Any]) -> dict[str, Any]:
    numbers: dict[str, Any] = {key: draft.attributes[key] for key in OWN_FIELDS}
    if fresh:
        return numbers | {"speed_kph": base["speed_kph"]}
    if round(base.get("speed_kph", 0)) == numbers["speed_kph"]:
        numbers["speed_kph"] = base.get("speed_kph", 0)
    body = draft.chosen.get("body", CLOSED)
    drives_by = draft.chosen.get("drives_by", "")
    numbers |= {"drives_by": drives_by, "open": body == OPEN, "military": body == MILITARY}
    return numbers | ({} if base.get("model") else machines.write_mounts(base, draft))


def summarize(sheet: dict[str, Any]) -> str:
    """The profile of a person or animal, or the type, points and notes of a machine."""
    scores = sheet["attributes"]
    if sheet.get("kind") in MACHINES:
        points = f"Hull {scores.get('hull', 0)}, Structure {scores.get('structure', 0)}"
        told = f"{KINDS[sheet['kind']]}, {points}, Armor {scores.get('armor', 0)}"
        return "; ".join((told, *sheet.get("notes", ())))
    return write_profile(scores)


def derive(state: State, combatant: Combatant) -> tuple[DerivedGroup, ...]:
    """The numbers derived from a sheet, each with its sum."""
    if is_vehicle(combatant):
        return (DerivedGroup("", describe_vehicle(state, combatant)),)
    scores = combatant.sheet["attributes"]
    dms = tuple(describe_dm(combatant, key) for key in (*SCORES, PSIONIC) if key in scores)
    first = (
        () if is_machine(combatant) else (describe_armor(combatant), *describe_hindrances(state, combatant))
    )
    return (*((DerivedGroup("", first),) if first else ()), DerivedGroup("DMs", dms))


def describe_vehicle(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """How far a vehicle goes in a round now, [CE-VEH-01] and how many places it has."""
    sheet = combatant.sheet
    places = tuple(Modifier(f"term.{key}", sheet[key], "CE-VEH-01") for key in ("crew", "passengers"))
    meters = round(count_round_meters(find_top_speed(state, combatant)))
    return (
        Derived("Each round at top speed", meters, unit=" m"),
        Derived("Places", add_up(places), places, "CE-VEH-01"),
    )


# ---------------------------------------------------------------- the plan


def _score(key: str, label: str, kinds: tuple[str, ...]) -> Stat:
    only: Choices = {"kind": kinds}
    if key in MINDS:
        only |= {"control": (machines.ALONE,)}
    return Stat(
        key=key,
        label=label,
        short=key.capitalize(),
        low=0,
        high=MAX_SHEET_SCORE,
        first_low=MIN_SCORE,
        first_high=MAX_SCORE,
        usual=USUAL_SCORE,
        offers=(Offer("Check", "check", {"characteristic": key, "skill": ""}),),
        rule="CE-DMG-10" if key in tables.PHYSICAL else "",
        source=f"{CHAPTER}: {DICE} each",
        only=only,
    )


def _point(key: str, label: str, most: int, kinds: tuple[str, ...], low: int = 0, usual: int = 0) -> Stat:
    return Stat(
        key=key,
        label=label,
        low=low,
        high=most,
        first_low=low,
        first_high=most,
        usual=usual,
        source="Vehicles and robots",
        only={"kind": kinds},
    )


def _make_stats() -> tuple[Stat, ...]:
    names = {row.id: row.name for row in tables.characteristics().values()}
    kinds = {key: THINKING if key != "end" else ALIVE for key in SCORES}
    psionic = msgspec.structs.replace(
        _score(PSIONIC, names[PSIONIC], ALIVE), first_low=0, usual=0, text="0: none", lack=True
    )
    return (
        *(_score(key, names[key], kinds[key]) for key in SCORES),
        psionic,
        _point("hull", "Hull", 999, MACHINES),
        _point("structure", "Structure", 999, MACHINES, low=1, usual=1),
        _point("armor", "Armor", 99, MACHINES),
        _point("agility", "Agility", 9, ("vehicle",), low=-9),
        _point("speed_kph", "Speed, km/h", 9999, ("vehicle",)),
        _point("crew", "Crew", 999, ("vehicle",), usual=1),
        _point("passengers", "Passengers", 9999, ("vehicle",)),
        *machines.STATS,
        *animals.STATS,
    )


STATS = _make_stats()
_USUAL = {stat.key: stat.usual for stat in STATS}


def _skill_stats() -> tuple[Stat, ...]:
    families = {row.id: row.name for row in tables.cascades().values()}
    rows = sorted(tables.skills().values(), key=lambda row: row.cascade != "")
    return tuple(
        Stat(
            key=row.id,
            label=row.name,
            group=families.get(row.cascade, ""),
            low=UNSKILLED,
            high=MAX_SKILL,
            first_low=UNSKILLED,
            first_high=MAX_FIRST_SKILL,
            usual=UNSKILLED,
            gap=tuple(range(UNSKILLED + 1, 0)),
            text="0 if another of the group is known" if row.cascade else "",
            offers=tuple(
                Offer(key.capitalize(), "check", {"skill": row.id, "characteristic": key})
                for key in row.usual
            ),
            source=f"Skills: {UNSKILLED} untrained".replace("-", "\N{MINUS SIGN}"),
            only={"kind": THINKING},
        )
        for row in rows
    )


def _models(kind: str) -> Selection:
    """The machines of a kind in the catalogue, and the user's own."""
    if kind == "robot":
        options = tuple(
            Option(
                key=row.id,
                label=row.name,
                text=f"TL {row.tl}, {row.notes}",
                abilities=machines.describe_robot(row),
                source=row.origin,
            )
            for row in tables.robots().values()
        )
    else:
        options = tuple(
            Option(
                key=row.id,
                label=row.name if row.series == "core" else f"{row.name} (design)",
                text=f"TL {row.tl}, Hull {row.hull}, Structure {row.structure}, Armor {row.armor}",
                abilities=machines.describe_vehicle(row),
                source=row.origin,
            )
            for row in tables.vehicles().values()
            if row.structure
        )
    return Selection(
        key=f"model_{kind}",
        label="Model",
        options=options,
        required=False,
        text="A model brings its numbers; what you set stays. Without one all of them are your own.",
        only={"kind": (kind,)},
    )


def _selections() -> tuple[Selection, ...]:
    own: Choices = {"kind": ("vehicle",), "model_vehicle": ("",)}
    pilots = [row for row in tables.skills().values() if row.group == "transport" or row.id == "zero_g"]
    return (
        Selection(
            key="kind",
            label="Kind",
            options=tuple(Option(key=key, label=label, text=KIND_TEXTS[key]) for key, label in KINDS.items()),
            usual="person",
        ),
        Selection(
            key="method",
            label="Characteristics by",
            options=tuple(Option(key=key, label=label, text=text) for key, (label, text) in METHODS.items()),
            usual=DICE_METHOD,
            only={"kind": ALIVE},
            passing=True,
        ),
        _models("robot"),
        _models("vehicle"),
        Selection(
            key="drives_by",
            label="Driven by",
            options=tuple(Option(key=row.id, label=row.name) for row in pilots),
            usual="wheeled_vehicle",
            only=own,
            mends=True,
        ),
        Selection(
            key="body",
            label="Body",
            options=tuple(Option(key=key, label=label) for key, label in machines.BODIES.items()),
            usual=CLOSED,
            only=own,
            rule="CE-VEH-08",
            mends=True,
        ),
        *machines.SELECTIONS,
        *animals.SELECTIONS,
    )


SELECTIONS = _selections()


def _arrays() -> tuple[Preset, ...]:
    only = {"kind": ALIVE, "method": (POINTS_METHOD,)}
    return tuple(
        Preset(key=row.id, label=row.name, values=dict(row.scores), source=HOUSE, only=only)
        for row in tables.spreads().values()
    )


def _packages() -> tuple[Preset, ...]:
    """The skills of ready people, as a starting point."""
    people = (row for row in tables.npcs().values() if row.skills and "animal" not in row.tags)
    return tuple(
        Preset(
            key=row.id,
            label=row.name,
            values=dict(row.skills),
            floor=True,
            source=HOUSE,
            only={"kind": THINKING},
        )
        for row in people
    )


def _traits() -> tuple[Traits, ...]:
    """Words on a sheet: who does not care about suppression fire, and what a vehicle is. [CE-SUPP-13]"""
    nerves = tuple(Choice(row.id, row.name) for row in tables.nerves().values())
    ship = (Choice(STARSHIP, "of starship scale"),)
    return (
        Traits(key="tags", label="Traits", options=nerves, free=True, only={"kind": ALIVE}),
        Traits(key="tags", label="Traits", options=ship, free=True, only={"kind": ("vehicle",)}),
    )


PLAN = SheetPlan(
    find_skills=find_skills,
    attributes=STATS,
    skills=_skill_stats(),
    selections=SELECTIONS,
    creation=Creation(
        find_budgets=find_budgets,
        finish=with_model,
        archetypes=tuple(load_table(tables.DATA / "archetypes.toml", Archetype).values()),
        arrays=_arrays(),
        packages=_packages(),
        source=CHAPTER,
        find_throws=find_throws,
        only={"kind": ALIVE},
    ),
    read=read,
    write=write,
    find_problems=goods.find_problems,
    derive=derive,
    find_attacks=find_attacks,
    summarize=summarize,
    money=Money(
        key="credits",
        label="Credits",
        start=MONEY_TO_BEGIN,
        source=f"{HOUSE}: money to begin with",
        only={"kind": ("person",)},
    ),
    lasting=LASTING,
    traits=_traits(),
    speeds=("speed_kph", "move_m"),
    fits=fits_sheet,
    checks={action.name: action for action in CHECKS},
    offers=(
        Offer("Initiative", "initiative", only={"kind": THINKING}),
        Offer("Any check…", "check", only={"kind": THINKING}),
    ),
    named={"weapons": [], "armor": [], "gear": []},
    named_for={"weapon": "weapons", "armor": "armor"}
    | dict.fromkeys(("grenade", "explosive", "ammo", "accessory", "gear"), "gear"),
    profile=Profile(
        label="Profile",
        read=lambda word: {PSIONIC: 0, **read_profile(word)},  # six digits: no Psionic Strength
        write=write_profile,
        help="All characteristics as digits, such as 777A87: A is 10, B is 11, without I and O",
        only={"kind": ALIVE},
    ),
)
