"""Two of the ledger's characters face each other, with helpers for an attack between them."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.modifiers import Modifiers, add_up
from combat.rules.core.commands.commands import Preview
from combat.rules.core.state.events import Checked
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import CosmosStage, sheet, words

ADA, BO, CY = "f1", "f2", "f3"
BALANCE = ("accurate", "balanced")


def duel(
    *weapons: str,
    apart: float = 10,
    ada: dict[str, Any] | None = None,
    bo: dict[str, Any] | None = None,
    bonus: bool = False,
    **options: Any,
) -> CosmosStage:
    """Ada at the origin, every weapon in hand, and Bo `apart` meters east; Ada's turn.

    Without `bonus` the weapons add nothing, as in the ledger's checks.
    """
    stage = CosmosStage(**options)
    stage.hero(weapons=weapons or ("pistol",), **(ada or {}))
    stage.foe(at=(apart, 0), **{"weapons": ("pistol", "club"), **(bo or {})})
    for who in (ADA, BO):
        stage.draw_all(who)
        if not bonus:
            make_plain(stage, who)
    return stage.begin()


def make_plain(stage: CosmosStage, who: str) -> None:
    """Take the equipment bonus and the balance from all weapons of a combatant."""
    for item in stage[who].items:
        if item.kind == "weapon":
            traits = [trait for trait in item.data["traits"] if trait not in BALANCE]
            stage.change(who, item.data["id"], equipment=0, traits=traits)


def add_ally(stage: CosmosStage, at: tuple[float, ...], side: str = "allies", **more: Any) -> str:
    """Cy, a third with a club, on Ada's side unless another is named; acts last."""
    begun = stage.state
    stage.state = replace(begun, phase="prep")
    cy = stage.add("Cy", side, at, sheet(**{"weapons": ("club",), **more}))
    make_plain(stage, cy)
    stage.state = replace(stage.state, phase=begun.phase, order=(*begun.order, cy))
    return cy


def sums(stage: CosmosStage, entry: str = "pistol", **fields: Any) -> Preview:
    """The sums of Ada's attack on Bo, as the form shows them."""
    return stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, entry), **fields)


def strike(
    stage: CosmosStage,
    entry: str = "pistol",
    faces: tuple[int, int] = (5, 6),
    damage: int | tuple[int, ...] = 1,
    **fields: Any,
) -> Checked:
    """Ada's attack on Bo; `damage` is the damage die where it hits.

    The roll uses exactly the sums that the form showed.
    """
    shown = sums(stage, entry, **fields)
    hits = sum(faces) + add_up(shown.modifiers) >= add_up(shown.against)
    dice = [faces, damage] if hits else [faces]
    stage.do("attack", ADA, target=BO, weapon=stage.weapon(ADA, entry), dice=dice, **fields)
    check = stage.check("attack")
    assert (check.modifiers, check.against_terms) == (shown.modifiers, shown.against)
    assert check.good == hits
    return check


def total(stage: CosmosStage, entry: str = "pistol", **fields: Any) -> int:
    """The total of Ada's attack with 5 and 6 on the dice, as the form shows it."""
    return 11 + add_up(sums(stage, entry, **fields).modifiers)


def defense(stage: CosmosStage, entry: str = "pistol", **fields: Any) -> int:
    """Bo's Defense against Ada's attack."""
    return add_up(sums(stage, entry, **fields).against)


def card(stage: CosmosStage, who: str, label: str = "Defense") -> int:
    """A number on a combatant's card."""
    return stage.derived(who, label).value


def terms(modifiers: Modifiers) -> list[tuple[str, int, str]]:
    """Labels, values and rules of a sum."""
    return [(words(term.label), term.value, term.rule) for term in modifiers]


def rule_of(modifiers: Modifiers, label: str) -> tuple[int, str]:
    """Value and rule of the only term with this label."""
    ((_, value, rule),) = [term for term in terms(modifiers) if term[0] == label]
    return value, rule


def labels(modifiers: Modifiers) -> list[str]:
    return [words(term.label) for term in modifiers]


def pass_turns(stage: CosmosStage, count: int = 2) -> None:
    """Let n turns pass: two bring a duel back to the same combatant."""
    for _ in range(count):
        stage.do("next_turn")
