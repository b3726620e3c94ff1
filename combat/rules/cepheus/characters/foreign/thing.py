"""An item of another program during reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from combat.rules.core.basics.checking import tidy
from combat.rules.core.sheets.foreign import Bookkeeping, Source, read_number, say_value, says_something

MAX_COUNT, MAX_NOTES = 999, 300
DICE = re.compile(r"(\d{1,2})\s*[dD]\s*(6)?\s*(?:([+-])\s*(\d{1,2}))?")
AROUND = Bookkeeping(
    "_id id name type img system data sort folder ownership permission flags _stats _key effects"
)


class Thing:
    """An item of an actor: its fields as a `Source`, its name, and its place in the file."""

    def __init__(self, data: dict[str, Any], place: str, skills: Mapping[str, str]) -> None:
        system = data.get("system", data.get("data"))
        self.kind = str(data.get("type", ""))
        self.name = tidy(str(data.get("name") or ""))
        self.place = place
        self.skills = skills  # the names of the actor's skills, by id
        named = f"{place} “{self.name[:40]}”".strip()
        self.source = Source(system if isinstance(system, dict) else {}, named)
        self.around = Source(data, named)

    def say(self, message: str) -> None:
        """Remark on the item as a whole."""
        self.source.remark("", message)

    @property
    def count(self) -> int:
        """The number of pieces, as far as the file says: at least one."""
        number = read_number(self.source.find("quantity"))
        return 1 if number is None or number < 1 else min(number, MAX_COUNT)

    @property
    def is_used_up(self) -> bool:
        """Whether the file says that none is left."""
        return read_number(self.source.find("quantity")) == 0

    @property
    def damage(self) -> str:
        """Its dice in our notation, such as 3d6+2; empty without any."""
        return read_damage(self.source.take("damage"), self.source.take_whole("damageBonus", -99, 99))

    def take_notes(self, *paths: str) -> str:
        """Take its texts for the notes of a record; remark on those that are too long."""
        words = dict.fromkeys(tidy(self.source.take_text(path)) for path in paths)
        said = "; ".join(word for word in words if word)
        if len(said) > MAX_NOTES:
            self.source.remark(paths[0], f"is cut after {MAX_NOTES} characters")
        return said[:MAX_NOTES]

    def list_rest(self, bookkeeping: Bookkeeping) -> None:
        """Remark on unused parts of it: fields, effects, and other values next to them."""
        number = self.source.find("quantity")
        if says_something(number) and read_number(number) != self.count:
            self.source.remark("quantity", f"{say_value(number)} is read as {self.count}")
        self.source.list_rest(bookkeeping)
        effects = self.around.data.get("effects")
        if says_something(effects):
            self.source.remark("effects", "active effects: not imported")
        if "system" in self.around.data and says_something(self.around.data.get("data")):
            self.source.remark("data", "stands beside system: not imported")
        self.around.list_rest(AROUND)
        self.source.remarks += self.around.remarks


def read_damage(value: Any, bonus: int = 0) -> str:
    """Dice with their bonus; empty for anything but six-sided dice."""
    found = DICE.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 40 else None
    if not found:
        return ""
    plus = bonus + (int(f"{found[3]}{found[4]}") if found[3] else 0)
    return f"{found[1]}d6" + (f"{plus:+d}" if plus else "") if abs(plus) <= 99 else ""
