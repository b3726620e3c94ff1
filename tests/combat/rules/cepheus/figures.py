"""The people of the worked checks, and a stage for this game."""

from __future__ import annotations

from typing import Any

from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.body.damage import wound
from combat.rules.cepheus.body.hits import Hit
from combat.rules.cepheus.body.states import bring_in_line
from combat.rules.cepheus.characters.one_line_npc import read_profile
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import follow
from combat.rules.core.state import events as e
from tests.combat.rules.stage import Given, Script, Stage

ADA, BO, CY = "f1", "f2", "f3"
PHYSICAL = ("str", "dex", "end")
PLAYED = SYSTEM  # tests of rules that the quick rules restate are played by these as well


def sheet(profile: str = "777777", **more: Any) -> dict[str, Any]:
    """Someone with this profile, and further fields of the sheet: skills, weapons, armor, gear."""
    return {"attributes": read_profile(profile), **more}


class CepheusStage(Stage):
    """A stage of this game, or of its quick rules."""

    def __init__(self, system: System | None = None, **options: Any) -> None:
        super().__init__(system or PLAYED, **options)

    def hero(self, name: str = "Ada", profile: str = "777777", *, pc: bool = True, **more: Any) -> str:
        """A player character, at the same place as all others unless `at` says otherwise."""
        at, side = more.pop("at", (0, 0)), more.pop("side", "allies")
        return self.add(name, side, at, sheet(profile, **more), pc=pc)

    def foe(self, name: str = "Zed", profile: str = "777777", **more: Any) -> str:
        return self.hero(name, profile, pc=False, side="enemies", **more)

    def body(self, who: str) -> tuple[int, ...]:
        """Current Strength, Dexterity and Endurance."""
        return tuple(self[who].tracks[key] for key in PHYSICAL)

    def wounded(self, who: str, strength: int, dexterity: int, endurance: int) -> None:
        """Set the physical characteristics, with the consequences."""
        self.set_track(who, str=strength, dex=dexterity, end=endurance)
        self.run(lambda context: bring_in_line(context, who))

    def run(self, rule: Any, dice: Given = ()) -> RuleContext:
        """Call a rule with scripted answers; all of them must be used."""
        script = Script(dice)
        context = RuleContext(self.system, self.state, script)
        follow(context, rule(context))
        assert not script.left, f"answers left over: {script.left}"
        self.asked, self.state, self.facts = script.asked, context.state, tuple(context.facts)
        return context

    def hit(self, who: str, points: int, *answers: tuple[int, ...] | str, **more: Any) -> RuleContext:
        """A hit for this many points of dice; `answers` divide them."""
        hit = Hit(target=who, dice_total=points, **{"rule": "CE-DMG-01", **more})
        return self.run(lambda context: wound(context, hit), answers)

    def losses(self) -> dict[str, int]:
        """The loss of each number in the last command."""
        return {x.track: x.old - x.new for x in self.told(e.TrackChanged) if x.old != x.new}


def lone(name: str = "Ada", profile: str = "777777", **more: Any) -> CepheusStage:
    """A stage with one hero."""
    stage = CepheusStage()
    stage.hero(name, profile, **more)
    return stage
