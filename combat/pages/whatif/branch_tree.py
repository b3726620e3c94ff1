"""The fight and someone's branches of it as a tree, with the chances where a forecast is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from combat.display.combatants.tokens import find_tones
from combat.models import Branch
from combat.play.whatif import forecast_jobs
from combat.play.whatif.branches import read_steps
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.basics.words import possessive
from combat.sharing.viewer_context import ViewerContext

from ..prep.odds_view import OddsPart, PrepOdds, make_odds
from .branch_view import Origin, find_closed, find_origins, make_context, view_steps


@dataclass(frozen=True)
class Node:
    """The fight (number 0) or a branch: how far it went, its first line, its chances; or why it is closed.

    `better` is by how many points its chance is better than that of the fight, with a sign. Its forecast, if
    it is being made, has played `done` of about `needed` fights.
    """

    number: int
    steps: int = 0
    first: str = ""
    note: str = ""
    closed: str = ""
    can_forecast: bool = True
    odds: PrepOdds | None = None
    better: str = ""
    done: int = 0
    needed: int = 0

    @property
    def chance(self) -> OddsPart | None:
        """The chance that is written large."""
        return self.odds.first if self.odds and self.odds.parts else None

    @property
    def running(self) -> bool:
        """Whether its forecast is being made."""
        return bool(self.odds and self.odds.running)


@dataclass(frozen=True)
class Fork:
    """The branches that begin at one step of the fight."""

    origin: Origin | None
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Tree:
    """The fight, and where branches leave it."""

    trunk: Node
    forks: tuple[Fork, ...]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The fight and all branches."""
        return (self.trunk, *(node for fork in self.forks for node in fork.nodes))

    @property
    def running(self) -> bool:
        """Whether a forecast of one of them is being made."""
        return any(node.running for node in self.nodes)

    @property
    def whose(self) -> str:
        """Whose chance is shown: that of the same side for all, as far as it can be said."""
        return next((node.chance.label for node in self.nodes if node.chance), "")


def find_place(branch: Branch) -> str:
    """The key of a branch among the forecasts."""
    return f"branch-{branch.pk}"


def view_tree(context: ViewerContext, branches: Sequence[Branch]) -> Tree:
    """The fight and someone's branches of it, as they may see both; closed ones only with the reason."""
    trunk = _view_fight(context)
    base = trunk.chance
    origins = find_origins(context, branches)
    forks: dict[int, list[Node]] = {}
    for branch in branches:
        node = view_node(context, branch)
        if base and node.chance and node.chance.label == base.label:
            points = node.chance.percent - base.percent
            node = replace(node, better=_say_points(points))
        forks.setdefault(branch.after, []).append(node)
    return Tree(trunk, tuple(Fork(origins.get(after), tuple(forks[after])) for after in sorted(forks)))


def _say_points(points: int) -> str:
    """A difference in points with its sign."""
    return with_true_minus(f"{points:+d}") if points else "±0"


def _view_fight(context: ViewerContext) -> Node:
    state = context.known_state
    acting = state.combatants.get(state.active)
    note = f"round {state.round}" if state.round else "not begun"
    if acting:
        note = f"{note}, {possessive(acting.name)} turn"
    node = Node(0, note=note, can_forecast=context.viewer.is_gm)
    return _add_chances(node, context, context.encounter.pk) if context.viewer.is_gm else node


def view_node(context: ViewerContext, branch: Branch) -> Node:
    """A branch in the tree; a closed one only with the reason."""
    if closed := find_closed(context, branch):
        return Node(branch.number, branch.steps, closed=closed, can_forecast=False)
    inside, first = make_context(context, branch), ""
    if branch.steps:
        told = view_steps(inside, read_steps(branch)[:1], branch)
        first = next((line.text for step in told for line in step.lines if line.kind != "round"), "")
    return _add_chances(Node(branch.number, branch.steps, first), inside, find_place(branch))


def _add_chances(node: Node, context: ViewerContext, place: forecast_jobs.Place) -> Node:
    """The node with the chances of its newest forecast, unless it has moved on since."""
    job = forecast_jobs.read_job(place)
    if job is None or job.stamp != context.stamp:
        return node
    odds = make_odds(job, find_tones(context.known_state))
    return replace(node, odds=odds, done=job.done, needed=job.needed)
