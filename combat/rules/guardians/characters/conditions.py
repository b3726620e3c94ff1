"""The conditions of the game: what each does stands in its row, and is asked for here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.book.conditions import Conditions, Term, load_conditions
from combat.rules.core.state.state import SURRENDERED, Combatant, Condition, Scalar, State, replace

from ..book.options import find_option
from ..book.tables import aspects, attributes, skills, things

EASED = "eased"  # the mark of painkillers whose torso ranks differ from the page's
ROLLS_OF = "rolls of {}"  # the number that conditions of the GM's own may change: those of one name


def _load_kinds() -> Conditions:
    """The conditions; one of the GM's own may change the rolls of any attribute, aspect or skill."""
    kinds = load_conditions(Path(__file__).parents[1] / "conditions.toml")
    names = {**attributes(), **aspects(), **skills()}
    each = {ROLLS_OF.format(key): f"ranks on {row.name} rolls" for key, row in names.items()}
    return Conditions(kinds, replace(kinds.own, changes=kinds.own.changes | each))


KINDS = _load_kinds()
ORDER = {kind: place for place, kind in enumerate(KINDS)}
OUT = KINDS.losing("consciousness")  # no turns, no actions
STOPPED = (*KINDS.losing("actions"), SURRENDERED)  # awake, but without actions
DOWN = KINDS.losing("standing")
USELESS = KINDS.losing("limb")


def check_bars(combatant: Combatant, what: str, code: str = "not_allowed") -> None:
    """Refuse what a condition bars, with its words."""
    for held in combatant.conditions:
        bar = KINDS[held.kind].bars.get(what) if held.kind in KINDS else ""
        if bar:
            raise Refused(code, bar.format(who=combatant.name))


def find_stop(combatant: Combatant) -> str:
    """The rule of what keeps someone from acting: what knocked them out, or else takes their actions."""
    if out := KINDS.find_loss(combatant, "consciousness"):
        return out[0].rule
    stopped = KINDS.find_loss(combatant, "actions")
    return stopped[1] if stopped else ""


# ---------------------------------------------------------------- ranks


def terms_of(state: State, combatant: Combatant, *numbers: str) -> list[Modifier]:
    """The changes of these numbers, one for each kind of condition, in the order of the table.

    RULING R32: more fear does not add up. Terms of 0 are left out.
    """
    if not combatant.conditions:
        return []
    found = {
        (ORDER.get(held.kind, len(ORDER)), held.kind, number): (held, row.terms[number])
        for held in reversed(combatant.conditions)
        if (row := KINDS.find_row(held))
        for number in numbers
        if number in row.terms
    }
    terms = [_make_term(state, combatant, *found[place]) for place in sorted(found)]
    return [term for term in terms if term.value]


def _make_term(state: State, combatant: Combatant, held: Condition, term: Term) -> Modifier:
    own = Modifier(term.label or held.label, term.value, term.rule or held.rule)
    return RANKS[term.when](state, combatant, own) if term.when else own


def _by_option(key: str, state: State, combatant: Combatant, term: Modifier) -> Modifier:
    """The ranks that a table option gives.  RULING R22 R32"""
    return Modifier(term.label, int(find_option(state, key)), term.rule)


def find_usual_dose() -> int:
    """The ranks of a torso wound under the page's own painkillers. [CG-TORSO-03]"""
    return things()["painkillers"].torso_penalty_becomes


def _ease(state: State, combatant: Combatant, term: Modifier) -> Modifier:
    """RULING R31: doses do not add up. [CG-TORSO-01] [CG-TORSO-03]"""
    held = (c for c in combatant.conditions if c.kind == "painkillers")
    doses = [int(dose.marks.get(EASED, find_usual_dose())) for dose in held]
    return Modifier(term.label, max(doses), "CG-TORSO-03") if doses else term


def _ease_everywhere(state: State, combatant: Combatant, term: Modifier) -> Modifier:
    """RULING R30: A wound may count for rolls alone. [CG-TORSO-01]"""
    everywhere = find_option(state, "torso_penalty_scope") == "all_ranks"
    return _ease(state, combatant, term) if everywhere else Modifier(term.label, 0)


RANKS: dict[str, Callable[[State, Combatant, Modifier], Modifier]] = {  # named in conditions.toml
    "eased": _ease,
    "eased_everywhere": _ease_everywhere,
    "fear_ranks": partial(_by_option, "fear_ranks"),
    "prone_melee_defense": partial(_by_option, "prone_melee_defense"),
}


# ---------------------------------------------------------------- parts of the body


def find_on_part(combatant: Combatant, kind: str, part: str) -> Condition | None:
    """The condition of this kind on a part of the body."""
    for held in combatant.conditions:
        if held.kind == kind and held.marks.get("part") == part:
            return held
    return None


def is_on_part(combatant: Combatant, kind: str, part: str) -> bool:
    """Whether a part of the body has a condition of this kind."""
    return find_on_part(combatant, kind, part) is not None


def find_useless(combatant: Combatant) -> set[Scalar]:
    """The limbs that cannot be used. [CG-LIMB-02]"""
    return {c.marks.get("part", "") for c in combatant.conditions if c.kind in USELESS}
