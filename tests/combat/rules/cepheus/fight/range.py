"""A shooting range: Ada with weapons in hand, and Bo this many meters away."""

from __future__ import annotations

from typing import Any

from combat.rules.cepheus.book.tables import grenades
from combat.rules.cepheus.characters.goods import make_gear, make_weapon
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage


class RangeStage(CepheusStage):
    """A stage on which Ada attacks Bo."""

    def arm(self, who: str, *names: str, **marks: Any) -> str:
        """Put exactly these weapons in hand; return the id of the first."""
        made = [make_gear(n) if n in grenades() else make_weapon(n) for n in names]
        held = [replace(item, id=f"{who}-w{n}", place="held", marks=marks) for n, item in enumerate(made, 1)]
        kept = [item for item in self[who].items if item.kind == "armor"]
        self.edit(who, items=(*held, *kept))
        return held[0].id

    def join(self, name: str, x: float, y: float = 0, **more: Any) -> str:
        """Add another combatant; return the id."""
        fight, self.state = self.state, replace(self.state, phase="prep")
        who = self.hero(name, pc=False, at=(x, y), **more)
        self.state = replace(self.state, phase=fight.phase, order=(*fight.order, who))
        self.edit(who, initiative=9)
        self.give(who, "unaware", by=ADA)
        return who

    def machine(self, name: str, at: tuple[float, float], sheet: dict[str, Any]) -> str:
        """Add a vehicle or robot; return the id."""
        fight, self.state = self.state, replace(self.state, phase="prep")
        who = self.add(name, "enemies", at, sheet)
        self.state = replace(self.state, phase=fight.phase)
        return who

    def put_inside(self, who: str, carrier: str) -> None:
        self.run(lambda context: context.emit(e.Boarded(who, carrier, "")))

    def fit(self, who: str, name: str) -> None:
        """Fit an accessory to the first gun."""
        item = replace(make_gear(name), id=f"{who}-a{len(self[who].items)}")
        self.edit(who, items=(*self[who].items, item))

    def load(self, who: str, loaded: int, spares: int = 2) -> None:
        """Set the rounds in the first weapon in hand."""
        first, *rest = self[who].items
        self.edit(who, items=(replace(first, loaded=loaded, spares=spares), *rest))

    def skilled(self, who: str, **levels: int) -> None:
        """Give someone exactly these skills."""
        self.edit(who, sheet={**self[who].sheet, "skills": levels})

    def mark(self, who: str, **marks: Any) -> None:
        self.edit(who, marks={**self[who].marks, **marks})

    def setting(self, key: str, value: str) -> None:
        scene = self.state.scene
        settings = {**scene.settings, key: value}
        self.state = replace(self.state, scene=replace(scene, settings=settings))

    def aimed(self, who: str, target: str, level: int, kind: str = "aiming") -> None:
        """Take n actions of aiming at a target."""
        self.give(who, kind, level=level, marks={"target": target})

    def attack(
        self, *dice: Any, who: str = ADA, on: str = BO, action: str = "attack", **more: Any
    ) -> e.Checked:
        """Attack with the first weapon in hand; return the check."""
        weapon = more.pop("weapon", None) or self[who].items[0].id
        self.do(action, who, dice=dice, target=on, weapon=weapon, **more)
        return self.checks()[0]

    def terms(self, action: str = "attack", who: str = ADA, on: str = BO, **more: Any) -> dict[str, int]:
        """The sums of a form, by key or name."""
        weapon = more.pop("weapon", None) or self[who].items[0].id
        found = self.preview(action, who, target=on, weapon=weapon, **more).modifiers
        return {self.system.draw(term.label): term.value for term in found}

    def total(self, **more: Any) -> int:
        """The sum of the DMs of an attack."""
        return sum(self.terms(**more).values())

    def questions(self) -> list[ChoiceRequest]:
        """The questions of the last command to people."""
        return [request for request in self.asked if isinstance(request, ChoiceRequest)]


def duel(
    weapon: str = "rifle",
    meters: float = 20,
    *,
    ready: bool = False,
    foe: dict[str, Any] | None = None,
    **options: Any,
) -> RangeStage:
    """Ada with a weapon and its skill at 0, her turn; Bo this far away, who reacts only if `ready`."""
    stage = RangeStage(**options)
    stage.hero("Ada")
    stage.foe("Bo", at=(meters, 0), **(foe or {}))
    stage.arm(ADA, weapon)
    item = stage[ADA].items[0]
    stage.skilled(ADA, **dict.fromkeys((*item.data.get("skills", ()), "athletics"), 0))
    stage.begin(ADA, BO)
    for who, score in ((ADA, 9), (BO, 9)):
        stage.edit(who, initiative=score)
    if not ready:
        stage.give(BO, "unaware", by=ADA)
    return stage


def posed(
    weapon: str = "rifle",
    meters: float = 20,
    *,
    ada: str = "",
    bo: str = "",
    cover: str = "",
    own_cover: str = "",
    fit: str = "",
    aim: int = 0,
    moved: str = "",
    strength: int = 7,
    skills: dict[str, int] | None = None,
    options: dict[str, Any] | None = None,
    **settings: str,
) -> RangeStage:
    """A duel in which each has a condition, Bo is in cover or has moved, Ada has fitted a sight or aimed."""
    stage = duel(weapon, meters, **(options or {}))
    for who, kind, behind in ((ADA, ada, own_cover), (BO, bo, cover)):
        stage.mark(who, cover=behind)
        if kind:
            stage.give(who, kind)
    if fit:
        stage.fit(ADA, fit)
    if aim:
        stage.aimed(ADA, BO, aim)
    if moved:
        stage.mark(BO, moved_m=moved)
    if skills:
        stage.skilled(ADA, **skills)
    stage.set_track(ADA, str=strength)
    for key, value in settings.items():
        stage.setting(key, value)
    return stage


def losses(stage: RangeStage) -> dict[str, int]:
    """The points that each combatant lost in the last command."""
    lost: dict[str, int] = {}
    for told in stage.told(e.TrackChanged):
        lost[told.who] = lost.get(told.who, 0) + told.old - told.new
    return lost
