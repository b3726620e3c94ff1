"""What programs send, as the table's own forms have it: both are read and checked by the same code."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict

from combat.display.forms.fields import OWN_FIELDS, PAGE_FIELDS, find_lists
from combat.display.forms.questions import PART
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.sharing.viewer_context import ViewerContext

from .decisions import Decision, list_decisions
from .shapes import Act, Reply, Value

# Names of a form that say something else than a field of the command
RESERVED = (PAGE_FIELDS - {"points", "sign", "was"}) | {*OWN_FIELDS}
PREFIXES, SUFFIX = ("face-", PART), "-free"


def write_fields(action: Action | Decision | None, fields: Mapping[str, Value]) -> QueryDict:
    """The fields of an action as a form; Refused for names that no action has, and for misplaced lists."""
    posted, lists = QueryDict(mutable=True), find_lists(action.type) if action else ()
    for name, value in fields.items():
        if name in RESERVED or name.startswith(PREFIXES) or name.endswith(SUFFIX):
            raise Refused("bad_value", f"“{name[:60]}” is no field of an action.")
        if isinstance(value, tuple) and name not in lists:
            raise Refused("bad_value", f"“{name[:60]}” takes one value, not a list.")
        if isinstance(value, tuple):
            posted.setlist(name, list(value))
        else:
            posted[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return posted


def write_act(context: ViewerContext, deed: Act) -> QueryDict:
    """An action as its form posts it; other deeds of the table, such as undo, have names too."""
    known: dict[str, Action | Decision] = {**context.system.actions.by_name, **GM_ACTIONS, **list_decisions()}
    posted = write_fields(known.get(deed.action), deed.fields)
    posted["do"], posted["combatant"], posted["version"] = deed.action, deed.combatant, deed.stamp
    posted["dice"] = "table" if deed.faces else deed.dice
    _add_faces(posted, deed.faces)
    return posted


def write_reply(_: ViewerContext, given: Reply) -> QueryDict:
    """The answer to a question as its form posts it."""
    posted = QueryDict(mutable=True)
    posted["do"], posted["question"], posted["version"] = "answer", str(given.question), given.stamp
    posted["value"], posted["dice"] = given.value, "app" if given.roll else "table"
    if given.always:
        posted["always"] = "1"
    for place, points in given.parts.items():
        posted[PART + place] = str(points)
    _add_faces(posted, given.faces)
    return posted


def _add_faces(posted: QueryDict, faces: tuple[int, ...]) -> None:
    for place, face in enumerate(faces, 1):
        posted[f"face-{place}"] = str(face)
