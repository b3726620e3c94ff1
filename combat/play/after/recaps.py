"""The story of an encounter's last fight as the whole table knows it, and what was handed out after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.report.story import Story
from combat.rules.core.state.history import Step, find_counting
from combat.rules.core.state.state import State, decode

from ..writing.verification import read_step
from .reports import begins

PUBLIC = Viewer()  # a recap may be pasted anywhere: it tells what every spectator was told


@dataclass(frozen=True)
class Told:
    """A fight as everyone may know it: the state `before` it, the one at its end, and its story."""

    before: State
    after: State
    story: Story


def find_told(encounter: Encounter) -> Told | None:
    """The last fight of an encounter, or the one under way; None if none has begun."""
    steps = [read_step(row) for row in encounter.log.defer("after")]
    return tell(find_system(encounter.system), decode(bytes(encounter.start)), steps)


def tell(system: System, start: State, steps: Sequence[Step]) -> Told | None:
    """The last fight in a log that begins with a state; None if none has begun."""
    story, found = Story(system, start), None
    for step in find_counting(steps):
        if begins(step):
            story = Story(system, story.state)
            found = Told(story.state, story.state, story)
        was_on = story.state.phase == "fight"
        _follow(story, step)
        if found and (was_on or story.state.phase == "fight"):
            found = replace(found, after=story.state)
    return found


def _follow(story: Story, step: Step) -> None:
    actor = str(step.command.get("actor", ""))
    for fact in step.facts:
        shown = fact.event if PUBLIC.may_see(fact.to) else PUBLIC.find_redacted(fact)
        story.follow(fact, shown, actor=actor)
    story.end_step()
