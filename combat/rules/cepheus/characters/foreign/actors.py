"""Actors of twodsix, a game system for Foundry VTT: travellers, animals, robots and vehicles onto sheets.

Fields that both programs have are read unchanged. Robots have hits there, but Hull and Structure here: a
catalogue model brings its own, any other robot gets one of each for every eight hits, rounded up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import structs

from combat.rules.core.basics.checking import Problem, tidy
from combat.rules.core.sheets.foreign import (
    Asker,
    Bookkeeping,
    Foreign,
    Reader,
    Source,
    limit_remarks,
    read_number,
    say_value,
    says_something,
)

from ...book import tables
from ...book.tables import MAX_SHEET_SCORE, PSIONIC, SCORES
from ..one_line_npc import make_items
from ..sheet import robot_sheet, vehicle_sheet
from ..skill_names import find_skills, flatten, label_skills
from .items import (
    SKILLS,
    Thing,
    is_folder,
    is_item,
    is_natural,
    is_of_another_system,
    list_left,
    read_goods,
    sort_places,
)
from .skills import SkillList

MAX_ACTORS, MAX_ITEMS, MAX_NAME = 50, 200, 60
MAX_ALL_ITEMS = 4000  # the total over all actors of a document, skills included
MAX_CREDITS, MAX_METERS = 1_000_000_000, 999
MAX_ATTACKS, USUAL_WALK = 20, 6
METERS = {"": 1.0, "m": 1.0, "meters": 1.0, "metres": 1.0, "ft": 0.3, "feet": 0.3, "yd": 0.9, "yards": 0.9}
KPH = {"km/h": 1.0, "kph": 1.0, "kmh": 1.0, "m/s": 3.6, "mph": 1.609344, "": 1.0}
HITS_PER_POINT = 8
KEYS = {
    "strength": "str",
    "dexterity": "dex",
    "endurance": "end",
    "intelligence": "int",
    "education": "edu",
    "socialStanding": "soc",
    "psionicStrength": PSIONIC,
}
UNTRAINED = "untrained"
KINDS = ("traveller", "animal", "robot", "vehicle")
OTHERS = ("ship", "space-object")
BESIDES = ("_id", "id", "name", "img", "type", "sort", "folder", "flags", "ownership", "_stats", "_key")
TEXT = (
    "In Foundry, open the menu of an actor and choose “Export Data”: travellers, animals, robots and "
    "vehicles are read, each with skills, weapons, armor and gear. A list of actors is read as well."
)
STAYS = (
    "Pictures, tokens, permissions, the rules text of skills, and what the other program counts from other "
    "figures stay behind. Of things that the catalogue knows, its own figures and words are used."
)
TOLD = {  # texts that go to the notes, and their headings
    "species": "Species",
    "gender": "Gender",
    "homeWorld": "Homeworld",
    "nationality": "Nationality",
    "size": "Size",
    "chassis": "Chassis",
    "locomotionType": "Locomotion",
    "features": "Features",
    "traits": "Traits",
    "cargoCapacity": "Cargo capacity",
    "cargoList": "Cargo",
    "contacts": "Contacts",
    "allies": "Allies",
    "enemies": "Enemies",
    "description": "",
    "bio": "",
    "notes": "",
    "xpNotes": "Experience",
}
SYSTEM = Bookkeeping(
    """
    name docReference pdfReference untrainedSkill characteristicEdit hideStoredItems displaySkillGroup
    encumbrance.value encumbrance.max financeValues conditions.woundedEffect conditions.encumberedEffect
    characteristics.*.key characteristics.*.label characteristics.*.shortLabel
    characteristics.*.displayShortLabel characteristics.*.current characteristics.*.mod
    characteristics.stamina.value characteristics.lifeblood.value
    characteristics.alternative1.value=7 characteristics.alternative2.value=7
    age.min hits.min hits.lastDelta radiationDose.min radiationDose.max damageStats.*.min
    maneuver.rangeUnits
    """
)
AROUND = Bookkeeping(
    """
    _id id name type img system data items sort folder ownership permission flags _stats _key token
    prototypeToken effects
    """
)
SKILL = Bookkeeping(
    """
    name value type docReference pdfReference reference characteristic difficulty rolltype key subtype
    description shortdescr groupLabel prereq equipped quantity
    """
)


def recognizes(data: Any) -> bool:
    """Whether a document looks like an actor or a list of actors."""
    return any(_is_actor(one) for one in list_actors(data)[:MAX_ACTORS])


def list_actors(data: Any) -> list[Any]:
    """The actors of a document: one, a list, or its `actors`; without folders."""
    listed = data.get("actors") if isinstance(data, dict) else None
    found = listed if isinstance(listed, list) else data if isinstance(data, list) else [data]
    return [one for one in found if not is_folder(one)]


def _is_actor(data: Any) -> bool:
    """Whether a value looks like an actor or an item of twodsix: other systems use the same types."""
    system = data.get("system", data.get("data")) if isinstance(data, dict) else None
    if not isinstance(system, dict):
        return False
    scores = system.get("characteristics")
    if is_of_another_system(data) or (isinstance(scores, dict) and "STR" in scores):
        return False
    return data.get("type") in (*KINDS, *OTHERS) or is_item(data)


def read(data: Any, answers: Mapping[str, str]) -> tuple[Foreign, ...]:
    """The actors of a document as sheets, each with its problems."""
    return _tell_besides(data, read_all(list_actors(data), answers, read_actor))


def read_all(
    actors: list[Any], answers: Mapping[str, str], read_one: Callable[[Any, int, Asker], Foreign]
) -> tuple[Foreign, ...]:
    """Each of some actors by a function that reads one; a problem if they or their items are too many."""
    count = sum(map(_count_items, actors[:MAX_ACTORS]))
    if count > MAX_ALL_ITEMS:
        text = f"has {count:,} items; at most {MAX_ALL_ITEMS:,} are read at once"
        return (Foreign(name="", sheet={}, problems=(Problem("the document", text),)),)
    found = tuple(
        read_one(actor, n, Asker(answers, f"{n}.")) for n, actor in enumerate(actors[:MAX_ACTORS], 1)
    )
    if len(actors) <= MAX_ACTORS:
        return found
    text = f"has {len(actors)} actors; at most {MAX_ACTORS} are read at once"
    return (*found, Foreign(name="", sheet={}, problems=(Problem("the document", text),)))


def _count_items(actor: Any) -> int:
    items = actor.get("items") if isinstance(actor, dict) else None
    return len(items) if isinstance(items, list) else 0


def _tell_besides(data: Any, found: tuple[Foreign, ...]) -> tuple[Foreign, ...]:
    """Add a remark to the first actor on what else the document holds, such as items."""
    if not found or not isinstance(data, dict) or not isinstance(data.get("actors"), list):
        return found
    remarks = [
        Problem(tidy(str(key))[:60], f"{_say_besides(value)} beside the actors: not imported")
        for key, value in data.items()
        if key not in ("actors", *BESIDES) and says_something(value)
    ]
    first = structs.replace(found[0], remarks=limit_remarks([*found[0].remarks, *remarks]))
    return (first, *found[1:])


def _say_besides(value: Any) -> str:
    return str(len(value)) if isinstance(value, list | dict) else say_value(value)


def read_actor(data: Any, number: int, asker: Asker) -> Foreign:
    """One actor as a sheet; `number` names it if it has no name."""
    if not _is_actor(data):
        where = Problem(f"actor {number}", "must be an actor with type and system")
        return Foreign(name="", sheet={}, problems=(where,))
    kind = data["type"]
    if kind not in KINDS:
        name = tidy(str(data.get("name")))[:MAX_NAME]
        return Foreign(name=name, sheet={}, problems=(Problem(f"actor {number}", refuse(kind, name)),))
    found = Actor(data, asker).read()
    who = f"“{found.name[:40]}”" if found.name else f"actor {number}"
    problems = tuple(Problem(f"{who}, {problem.place}", problem.message) for problem in found.problems)
    return structs.replace(found, problems=problems)


def refuse(kind: str, name: str) -> str:
    """The reason why a value is not a readable actor, and what would be."""
    if kind in OTHERS:
        return f"“{name[:40]}” is a {kind.replace('-', ' ')}: these rules fight with {', '.join(KINDS)} only"
    return f"“{name[:40]}” is an item ({kind[:30]}): import items on the page “Gear”"


class Actor:
    """An actor during reading."""

    def __init__(self, data: dict[str, Any], asker: Asker) -> None:
        self.data, self.kind, self.asker = data, str(data["type"]), asker
        self.source = Source(data.get("system") or data.get("data") or {}, "system")
        self.skills = SkillList()
        self.left_behind: list[str] = []  # notes about items kept somewhere else
        self.name = self._read_name()
        self.items = self._list_items()
        self.things = self._sort_items()

    def read(self) -> Foreign:
        """The sheet of the actor."""
        readers: dict[str, Callable[[], dict[str, Any]]] = {
            "traveller": self._read_person,
            "animal": self._read_animal,
            "robot": self._read_robot,
            "vehicle": self._read_vehicle,
        }
        sheet = {"name": self.name, **readers[self.kind]()}
        notes = "\n".join([*self._tell(), *self.left_behind])
        self._say_rest()
        remarks = [*self.source.remarks, *self.skills.remarks, *self.asker.remarks]
        problems = list(self.source.problems)
        for thing in self.things:
            remarks += thing.source.remarks
            problems += thing.source.problems
        return Foreign(
            name=self.name,
            sheet=sheet,
            notes=notes,
            remarks=limit_remarks(remarks),
            problems=tuple(problems[:100]),
            questions=self.asker.list_questions(),
        )

    # ------------------------------------------------------------ what all have

    def _read_name(self) -> str:
        value = self.data.get("name")
        name = tidy(value) if isinstance(value, str) else ""
        if not name:
            self.source.problems.append(Problem("name", "is missing"))
        if len(name) > MAX_NAME:
            self.source.remarks.append(Problem("name", f"has more than {MAX_NAME} characters: cut"))
        return name[:MAX_NAME].strip()

    def _list_items(self) -> list[dict[str, Any]]:
        value = self.data.get("items", [])
        if not isinstance(value, list):
            self.source.problems.append(Problem("items", "must be a list"))
            return []
        if len(value) > MAX_ITEMS:
            self.source.problems.append(Problem("items", f"has {len(value)}; at most {MAX_ITEMS} are read"))
        sound = [item for item in value[:MAX_ITEMS] if isinstance(item, dict)]
        for number, item in enumerate(value[:MAX_ITEMS]):
            if not isinstance(item, dict):
                self.source.problems.append(Problem(f"items[{number}]", "must be a table of named values"))
        return sound

    def _sort_items(self) -> list[Thing]:
        """The items; the skills among them are read at once."""
        names = {str(item.get("_id")): str(item.get("name")) for item in self.items if _is_skill(item)}
        things = []
        for number, item in enumerate(self.items):
            thing = Thing(item, f"items[{number}]", names)
            if _is_skill(item):
                self._read_skill(thing)
            else:
                things.append(thing)
        return things

    def _read_skill(self, thing: Thing) -> None:
        value = thing.source.take("value")
        level = read_number(value)
        if thing.name.casefold().startswith(UNTRAINED):  # every actor has this item
            thing.source.leave("value", value if level is None else None)
        elif not thing.name:
            thing.say(f"a skill without a name, level {say_value(value) or 'unknown'}: left out")
        elif level is None:
            thing.source.problem("value", "must be a whole number")
        elif level >= 0:
            self.skills.add(thing.name, level, thing.place)
        else:
            thing.say(f"{level}: untrained, left out")
        thing.list_rest(SKILL)
        self.source.problems += thing.source.problems
        self.skills.remarks += thing.source.remarks

    def _read_things(self, mounted: bool = False) -> dict[str, Any]:
        """Read items and skills: equipped items come first, and take the hands."""
        found = list(read_goods(self.things, self.asker, mounted))
        ready, carried, self.left_behind = (found, [], []) if mounted else sort_places(found, self.asker)
        list_left(self.things)
        counted = [[(entry, thing.count) for thing, entry in some] for some in (ready, carried)]
        entries = [entry for _, entry in (*ready, *carried)]
        items = make_items(*counted)
        self._compare_armor(items)
        return {"items": items, "skills": self.skills.settle(entries, self.asker)}

    def _compare_armor(self, items: list[dict[str, Any]]) -> None:
        """Remark on armor that the file counts but no worn item gives."""
        if self.kind == "traveller" and not any(item.get("place") == "worn" for item in items):
            for path in ("primaryArmor.value", "secondaryArmor.value"):
                self.source.leave(path, self.source.find(path))

    def _tell(self) -> Iterator[str]:
        """Collect the notes from the texts."""
        age = self.source.take("age.value")
        if says_something(age):
            yield f"Age: {say_value(age)}"
        for path, label in TOLD.items():
            text = self.source.take_text(path)
            if text:
                yield f"{label}: {text}" if label else text

    def _say_rest(self) -> None:
        self.source.list_rest(SYSTEM)
        effects = self.data.get("effects")
        if says_something(effects):
            count = len(effects) if isinstance(effects, list) else 1
            self.source.remarks.append(Problem("effects", f"{count} active effects: not imported"))
        around = Source(self.data)
        if "system" in self.data and says_something(self.data.get("data")):
            around.remark("data", "stands beside system: not imported")
        around.list_rest(AROUND)
        self.source.remarks += around.remarks

    # ------------------------------------------------------------ characteristics

    def _read_scores(self, keys: tuple[str, ...]) -> tuple[dict[str, int], dict[str, int]]:
        """Read the scores by short name, with the current values of those that are damaged."""
        scores, tracks = {}, {}
        for name, key in KEYS.items():
            usual = 0 if key == PSIONIC or key not in keys else None
            path = f"characteristics.{name}"
            score = self.source.take_number(f"{path}.value", 0, MAX_SHEET_SCORE, usual)
            damage = self.source.take_number(f"{path}.damage", 0, 99, 0)
            if key not in keys:
                if score:
                    self.source.remark(path, f"{score}: machines have none here")
                continue
            if key != PSIONIC or (score and self._is_psionic(score)):
                scores[key] = score
            if damage and key == PSIONIC:
                self.source.remark(f"{path}.damage", f"{damage}: not imported")
            elif damage:
                tracks[key] = max(0, score - damage)
        return scores, tracks

    def _is_psionic(self, score: int) -> bool:
        """Ask whether they have psionic strength: some files give everyone a score."""
        if any(item.get("type") == "psiAbility" for item in self.items):
            return True
        options = (("no", "No: leave it out"), ("yes", f"Yes: Psionic Strength {score}"))
        return self.asker.ask("psi", f"Psionic Strength {score}: psionic?", options, "no") == "yes"

    def _read_hits(self, tracks: dict[str, int]) -> int:
        """Read the hits of a person, and remark on wounds that no characteristic shows."""
        now, most = (self.source.take_whole(f"hits.{key}", 0, 9999) for key in ("value", "max"))
        if now < most and not tracks:
            self.source.remark(
                "hits", f"{now} of {most} left: which score is damaged is not said, so none is"
            )
        return most

    def _read_person(self) -> dict[str, Any]:
        scores, tracks = self._read_scores((*SCORES, PSIONIC))
        self._read_hits(tracks)
        self.source.pass_over("primaryArmor.value", "secondaryArmor.value")  # of the armor they wear
        money = self.source.take_number("finances.cash", 0, MAX_CREDITS, 0)
        return {
            "kind": "person",
            "attributes": scores,
            "tracks": tracks,
            "credits": money,
            "move_m": self._read_walk(),
            **self._read_things(),
        }

    def _read_walk(self) -> int:
        """Read the meters of a movement action; ask if the file says 0, since many files never set it."""
        walk = self.source.take_number("movement.walk", 0, MAX_METERS, 0)
        units = self.source.take_word("movement.units")
        if units not in METERS:
            self.source.remark("movement.units", f"{units}: read as meters")
        meters = round(walk * METERS.get(units, 1.0))
        if meters != walk:
            self.source.remark("movement.walk", f"{walk} {units} are read as {meters} m")
        if walk:
            return meters
        options = ((str(USUAL_WALK), f"{USUAL_WALK} m, as usual"), ("0", "0 m: cannot walk"))
        return int(self.asker.ask("walk", "Movement is 0 m in the file: how far?", options, str(USUAL_WALK)))

    def _read_animal(self) -> dict[str, Any]:
        scores, tracks = self._read_scores((*SCORES, PSIONIC))
        self._read_hits(tracks)
        return {
            "kind": "animal",
            "attributes": scores,
            "tracks": tracks,
            "natural_armor": self.source.take_number("primaryArmor.value", 0, 99, 0),
            "move_m": self._read_walk(),
            "natural_attacks": self._read_attacks(),
            **self._read_things(),
        }

    def _read_attacks(self) -> list[dict[str, str]]:
        """Turn weapons that are in no catalogue into teeth and claws, and take them out of the items."""
        found: list[dict[str, str]] = []
        taken: list[Thing] = []
        for thing in self.things:
            damage = thing.damage
            if not damage or len(found) == MAX_ATTACKS or not is_natural(thing, self.kind == "animal"):
                continue
            found.append({"name": thing.name[:MAX_NAME], "damage": damage})
            thing.say(f"is read as a natural attack of {damage}")
            thing.source.pass_over("equipped")
            taken.append(thing)
        self.things = [thing for thing in self.things if thing not in taken]
        list_left(taken)
        self.source.remarks += [remark for thing in taken for remark in thing.source.remarks]
        return found

    # ------------------------------------------------------------ machines

    def _read_robot(self) -> dict[str, Any]:
        scores, _ = self._read_scores(("str", "dex", "int", "edu", "soc"))
        hits = self._read_hits({"hull": 0})
        model = next(
            (row for row in tables.robots().values() if row.name.casefold() == self.name.casefold()), None
        )
        points = -(-max(hits, 1) // HITS_PER_POINT)
        body = {"hull": points, "structure": points}
        if model:
            body = {"hull": model.hull, "structure": model.structure}
        where = "of the catalogue's model" if model else f"of {hits} hits, one for every {HITS_PER_POINT}"
        self.source.remark("hits", f"Hull {body['hull']} and Structure {body['structure']} are those {where}")
        armor = self.source.take_number("primaryArmor.value", 0, 99, 0)
        base = robot_sheet(model) if model else {}
        return {
            **base,
            "name": self.name,
            "kind": "robot",
            "attributes": {**scores, **body, "armor": armor},
            "natural_attacks": self._read_attacks() or base.get("natural_attacks", []),
            "drone": model.drone if model else "drone" in self.name.casefold(),
            **self._read_things(),
        }

    def _read_vehicle(self) -> dict[str, Any]:
        body, tracks = self._read_body()
        row = next((v for v in tables.vehicles().values() if v.name.casefold() == self.name.casefold()), None)
        if not body["structure"] and row and row.structure:
            body = {"hull": row.hull, "structure": row.structure, "armor": body["armor"] or row.armor}
            self.source.remark("damageStats", "has no Structure: that of the catalogue's model is used")
        elif not body["structure"]:
            body["structure"] = 1
            self.source.remark(
                "damageStats.structure", "is 0: a vehicle has at least 1, correct it on the sheet"
            )
        number = self.source.take_number
        base = vehicle_sheet(row) if row else {}
        self._read_status()
        if self.skills.named:
            self.source.remarks.append(Problem("items", "a vehicle has no skills here: left out"))
        return {
            "kind": "vehicle",
            "attributes": body,
            "tracks": {key: value for key, value in tracks.items() if value < body[key]},
            "drives_by": self._read_driving(str(base.get("drives_by", ""))),
            "agility": number("maneuver.agility", -9, 9, 0),
            "speed_kph": self._read_speed(),
            "crew": number("crew.operators", 0, 9999, 1),
            "passengers": number("crew.passengers", 0, 9999, 0),
            "open": self.source.take_flag("openVehicle"),
            "military": bool(base.get("military", False)),
            **{key: value for key, value in self._read_things(mounted=True).items() if key == "items"},
        }

    def _read_body(self) -> tuple[dict[str, int], dict[str, int]]:
        """Read Hull, Structure and Armor, undamaged and current."""
        body, tracks = {}, {}
        for key in ("hull", "structure", "armor"):
            now = self.source.take_number(f"damageStats.{key}.value", 0, 999, 0)
            body[key] = max(now, self.source.take_number(f"damageStats.{key}.max", 0, 999, 0))
            if now < body[key]:
                tracks[key] = now
        return body, tracks

    def _read_status(self) -> None:
        """Remark on damaged parts, which are not imported."""
        status = self.source.take("systemStatus")
        if not isinstance(status, dict):
            self.source.leave("systemStatus", status)
            return
        for part, word in status.items():
            if says_something(word) and word != "operational":
                said = f"{say_value(word)}: imported as working"
                self.source.remark(f"systemStatus.{tidy(str(part))[:30]}", said)

    def _read_speed(self) -> float:
        """Read the top speed in km/h."""
        value = self.source.take("maneuver.speed")
        units = self.source.take_word("maneuver.speedUnits")
        speed, unit = read_number(value), KPH.get(units)
        if value in (None, "") or speed == 0:
            return 0.0
        if speed is None or unit is None or not 0 < speed * unit <= 100_000:
            said = f"{say_value(value)} {units}".strip()
            self.source.problem("maneuver.speed", f"must be a whole number of km/h, m/s or mph, not {said}")
            return 0.0
        return round(speed * unit, 1)

    def _read_driving(self, usual: str) -> str:
        """Read the skill for driving: ask if the file names none of this book, or several."""
        said = self.source.take_text("skillToOperate")[:60]
        found = find_skills(said) if said else (usual,) if usual else ()
        if len(found) == 1:
            return found[0]
        options = label_skills(found or flatten("vehicle"))
        words = f"Driven by {said or 'a skill not said'}: which skill?"
        return self.asker.ask("driving", words, options, usual) or options[0][0]


def _is_skill(item: dict[str, Any]) -> bool:
    return item.get("type") == SKILLS


READER = Reader(
    key="twodsix",
    label="Actors of twodsix for Foundry VTT (JSON)",
    text=TEXT,
    stays=STAYS,
    recognizes=recognizes,
    read=read,
)

# Fields of twodsix's actors: those that go to the notes, and those that mean nothing outside the program.
