"""What programs can ask for, at /api/table/: one declaration, for the answers and for the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from django.http import QueryDict

from combat.sharing.viewer_context import ViewerContext

from . import shapes as s
from .decisions import add_people, create_new, list_scenes, use_scene
from .forms import write_act, write_reply
from .reading import offer, read_log, see, show_odds

WHOSE = ("combatant", "the id of one of your combatants; left out, it is the one whose turn it is")
SINCE = ("since", "the name of a step: only newer ones are told")


@dataclass(frozen=True)
class Operation:
    """What one address does by one method: it reads or prepares (`read`), or acts as a form (`form`).

    `body` is the shape of what is sent, `query` are the words after the address, each with its meaning.
    """

    summary: str
    answer: type[msgspec.Struct]
    read: Callable[[ViewerContext, Any], msgspec.Struct] | None = None
    form: Callable[[ViewerContext, Any], QueryDict] | None = None
    body: type[msgspec.Struct] | None = None
    query: tuple[tuple[str, str], ...] = ()


OPERATIONS: dict[str, dict[str, Operation]] = {
    "state": {"GET": Operation("What you see", s.Seen, see)},
    "actions": {
        "GET": Operation("What you can do, with all fields", s.Offered, offer, query=(WHOSE,)),
        "POST": Operation("Do an action", s.Done, form=write_act, body=s.Act),
    },
    "odds": {
        "POST": Operation("The odds of an action; nothing changes", s.OpenOdds, show_odds, body=s.Wanted)
    },
    "answers": {"POST": Operation("Answer a question", s.Done, form=write_reply, body=s.Reply)},
    "encounters": {
        "POST": Operation(
            "Create an encounter, for the owner's programs", s.Created, create_new, body=s.NewEncounter
        )
    },
    "scenes": {
        "GET": Operation("The ready scenes, for the GM", s.Scenes, list_scenes),
        "POST": Operation("Use a ready scene", s.Prepared, use_scene, body=s.UseScene),
    },
    "people": {"POST": Operation("Add people from notes, for the GM", s.Prepared, add_people, body=s.People)},
    "log": {"GET": Operation("The log, oldest first", s.OpenLog, read_log, query=(SINCE,))},
}
