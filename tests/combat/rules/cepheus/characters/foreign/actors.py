"""Actors as Foundry VTT exports them for twodsix, made for these tests: small, and complete."""

from __future__ import annotations

from typing import Any

SCORES = ("strength", "dexterity", "endurance", "intelligence", "education", "socialStanding")
SHORT = ("STR", "DEX", "END", "INT", "EDU", "SOC")


def characteristics(upp: str, **damage: int) -> dict[str, Any]:
    """The characteristics of a profile in decimal digits, with those that the program adds to all."""
    found = {
        name: {
            "key": name,
            "value": int(digit, 36),
            "damage": damage.get(name, 0),
            "label": name,
            "shortLabel": short,
        }
        for name, digit, short in zip(SCORES, upp, SHORT, strict=True)
    }
    return found | {
        "psionicStrength": {"key": "psionicStrength", "value": 0, "damage": 0, "shortLabel": "PSI"},
        "stamina": {"key": "stamina", "value": 7, "damage": 0, "shortLabel": "STA"},
        "lifeblood": {"key": "lifeblood", "value": 14, "damage": 0, "shortLabel": "LFB"},
        "alternative1": {"key": "alternative1", "value": 7, "damage": 0, "shortLabel": "ALT1"},
        "alternative2": {"key": "alternative2", "value": 7, "damage": 0, "shortLabel": "ALT2"},
    }


def item(kind: str, name: str, **system: Any) -> dict[str, Any]:
    """An item with the fields that every item has."""
    return {
        "_id": f"{kind}{name}",
        "name": name,
        "type": kind,
        "img": "systems/twodsix/assets/icons/default.svg",
        "system": {"name": "", "type": kind, "docReference": "", "quantity": 1, "traits": [], **system},
        "effects": [],
        "flags": {"twodsix": {}},
        "ownership": {"default": 0},
    }


def skill(name: str, value: int, characteristic: str = "DEX") -> dict[str, Any]:
    return item("skills", name, value=value, characteristic=characteristic, difficulty="Average", key="key")


def weapon(name: str, damage: str, **more: Any) -> dict[str, Any]:
    plain = {
        "damage": damage,
        "damageBonus": 0,
        "range": "100/300",
        "rangeBand": "rifle",
        "rateOfFire": "1",
        "ammo": "10",
        "magazineSize": 0,
        "armorPiercing": 0,
        "damageType": "ballistic",
        "features": "",
        "recoil": True,
        "associatedSkillName": "Gun Combat",
        "equipped": "backpack",
        "techLevel": 7,
        "price": 300,
        "weight": 4,
    }
    return item("weapon", name, **{**plain, **more})


def armor(name: str, points: int, **more: Any) -> dict[str, Any]:
    plain = {"armor": points, "secondaryArmor": {"value": 0, "protectionTypes": []}, "equipped": "equipped"}
    return item("armor", name, **{**plain, "weight": 1, "price": 250, "techLevel": 7, **more})


def actor(
    kind: str, name: str, system: dict[str, Any], *items: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """An actor with the top-level keys that every actor has."""
    return {
        "name": name,
        "type": kind,
        "img": "systems/twodsix/assets/icons/default_actor.png",
        "system": system,
        "items": list(items),
        "effects": [],
        "folder": None,
        "sort": 0,
        "ownership": {"default": 0},
        "flags": {},
        "_id": "aaaabbbbccccdddd",
        "prototypeToken": {"name": name, "sight": {"range": 30}},
        "_stats": {"systemId": "twodsix", "systemVersion": "6.8.1"},
        **more,
    }


def being(upp: str = "768579", **more: Any) -> dict[str, Any]:
    """The fields that travellers, animals and robots share."""
    plain: dict[str, Any] = {
        "characteristics": characteristics(upp),
        "primaryArmor": {"value": 0},
        "secondaryArmor": {"value": "0"},
        "movement": {"walk": 6, "climb": 0, "fly": 0, "swim": 0, "burrow": 0, "units": "m", "hover": False},
        "hits": {"value": 21, "min": 0, "max": 21, "lastDelta": 0},
        "encumbrance": {"value": 3, "max": 24},
        "untrainedSkill": "id00000000000001",
        "species": "",
        "age": {"value": "", "min": 0},
        "description": "",
        "notes": "",
        "finances": {"cash": "0", "pension": "0", "debt": "0"},
    }
    return plain | more


UNTRAINED = skill("Untrained", -3, "NONE")
LOOKOUT = actor(
    "traveller",
    "Lookout",
    being(
        characteristics=characteristics("868774", strength=2),
        species="Human",
        age={"value": "34", "min": 18},
        finances={"cash": "1,250", "pension": "0", "debt": "400"},
        bio="<p>Watches the <b>gate</b>.</p><p>Sleeps badly &amp; late.</p>",
        heroPoints=2,
    ),
    UNTRAINED,
    skill("Gun Combat", 1),
    skill("Melee", 0, "STR"),
    skill("Driving", 1),
    skill("Investigate", 1),
    weapon("Rifle", "3d6", equipped="equipped"),
    weapon("Old Musket", "3d6", features="Slow to load", rateOfFire="1", armorPiercing=2, ammo="1"),
    weapon("Unarmed", "max(@characteristics.strength.mod, 1)", rangeBand="close"),
    armor("Cloth", 9),
    item("equipment", "Binoculars"),
    item("equipment", "Thermos", description="<p>Keeps tea hot.</p>", quantity=2),
    item("trait", "Night owl", description="Awake at night."),
)
BEAST = actor(
    "animal",
    "Ridge Cat",
    being(
        "9A7140",
        primaryArmor={"value": 2},
        movement={"walk": 12, "climb": 6, "units": "m"},
        animalType={"niche": "carnivore", "subtype": "pouncer"},
        size="80 kg",
        numberAppearing="1d6",
        reaction={"attack": 9, "flee": 6},
    ),
    UNTRAINED,
    skill("Natural Weapons", 1),
    weapon(
        "Claws",
        "2D6+1",
        rangeBand="closeQuarters",
        weaponType="melee",
        damageType="slashing",
        ammo="",
        associatedSkillName="Natural Weapons",
    ),
)
SENTRY = actor(
    "robot",
    "Sentry Unit",
    being(
        "CAF750",
        hits={"value": 37, "min": 0, "max": 37},
        primaryArmor={"value": 9},
        movement={"walk": 10, "units": "m"},
        techLevel="12",
        price="100000 Cr",
    ),
    skill("Gun Combat", 2),
    weapon("Laser Rifle", "5d6", damageType="laser", equipped="equipped"),
    weapon(
        "Pincers",
        "3d6",
        rangeBand="close",
        weaponType="melee",
        damageType="bludgeoning",
        ammo="",
        associatedSkillName="Melee",
    ),
)
RIG = actor(
    "vehicle",
    "Survey Rig",
    {
        "name": "",
        "techLevel": 8,
        "crew": {"operators": "2", "passengers": "4"},
        "damageStats": {
            "armor": {"value": 6, "max": 6, "min": 0},
            "hull": {"value": 7, "max": 10, "min": 0},
            "structure": {"value": 9, "max": 9, "min": 0},
        },
        "maneuver": {
            "speed": "70",
            "speedUnits": "km/h",
            "range": "300",
            "rangeUnits": "km",
            "agility": "-1",
        },
        "skillToOperate": "Wheeled Vehicle",
        "openVehicle": True,
        "cost": "2,000,000",
        "systemStatus": {"cargo": "operational", "sensors": "destroyed"},
    },
    item(
        "component",
        "Roof Gun",
        subtype="armament",
        damage="4d6",
        range="200/400",
        rateOfFire="Auto 4",
        armorPiercing="0",
        associatedSkillName="Heavy Weapons",
    ),
    item("component", "Crew Cabin", subtype="accomodations", status="operational"),
)
FAULTY = actor(
    "traveller",
    "",
    being(
        characteristics={
            **characteristics("777777"),
            "strength": {"value": 4000, "damage": 0},
            "dexterity": {"value": "strong"},
            "endurance": 7,
            "education": {"value": True},
        },
        finances={"cash": "-5"},
        movement={"walk": 10**6, "units": "m"},
    ),
    skill("Admin", "much"),  # type: ignore[arg-type]  # wrong on purpose
    weapon("", "3d6"),
    armor("Plating", 500),
)
FAULTY["items"].append("a pistol")
