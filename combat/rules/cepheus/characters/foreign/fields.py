"""Fields of twodsix's actors: those that go to the notes, and those that mean nothing outside the program."""

from __future__ import annotations

from combat.rules.core.sheets.foreign import Bookkeeping

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
