"""What a posted form of the table does: an entry for each `do`; any other names an action of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, QueryDict

from characters.display.number_fields import read_faces
from combat.audience.rights import NOT_YOURS, check_pause, check_right, check_takes_part
from combat.audience.secrecy import find_free, forget_unknown, mask_refusal
from combat.audience.things import CONDITION
from combat.display.forms.action_form import read_overruled
from combat.display.forms.fields import prefilled, read_fields
from combat.display.forms.own_conditions import read_own
from combat.display.forms.questions import read_parts
from combat.models import Encounter
from combat.play.autopilot import autoplay, pass_turns
from combat.play.campaigns.own_conditions import find_kept, keep_condition, write_fields
from combat.play.handing_out import hand_all
from combat.play.overruling import overrule_roll
from combat.play.plans import do_plan
from combat.play.scenes import drawing
from combat.play.scenes.things import PUSH, REMOVE, find_thing_changes
from combat.play.writing.encounter_service import Submission, answer, answer_all, cancel, redo, submit, undo
from combat.play.writing.locking import say_busy, stale
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.commands.commands import Action
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.player_dice import read_term
from combat.rules.core.odds.deck_moves import BY_WAY, foresee_across
from combat.rules.core.odds.next_turn import NO_STEP, find_led_plans
from combat.rules.core.odds.planner import Plan, find_plans, find_upright_plan
from combat.rules.core.space import read_points
from combat.rules.core.space.decks import DOWN, UP
from combat.rules.core.state.state import State, find_own_condition
from combat.sharing import waiting_room
from combat.sharing.links import LET_IN, close_again, let_in
from combat.sharing.viewer_context import ViewerContext

from . import figures_view, planned_view, players_view, wishes_view
from .missed_view import READ

MAX_LENGTH = 100  # of a word quoted in a refusal
GIVES = "to."  # before an item's id: the field that says who gets it
TERMS, MAX_TERMS = "dice", 5  # of free dice: the key in the session, and how many it keeps
# What a form changes: the encounter as it was written, or in words why it stopped before its end
Change = Callable[[QueryDict, ViewerContext, str], Encounter | str | None]

STEPS_BACK: dict[str, Callable[..., object]] = {"undo": undo, "redo": redo, "cancel": cancel}


class Performed(NamedTuple):
    """The encounter as it was written, if it need not be read again; what to tell who did it."""

    encounter: Encounter | None
    stopped: str = ""


def perform(posted: QueryDict, context: ViewerContext) -> Performed:
    """Do what a posted form asks, or a program with the same fields.

    Raises Refused, or PermissionDenied for spectators.
    """
    check_takes_part(context.viewer)
    do = posted.get("do", "")
    changes = FOR_GM if context.viewer.is_gm else FOR_ALL
    change = _do_plan if posted.get("plan") and do not in changes else changes.get(do, _act)
    done = change(posted, context, do)
    return Performed(None, done) if isinstance(done, str) else Performed(done)


def _claim(posted: QueryDict, context: ViewerContext) -> dict[str, Any]:
    """Whose change it is, and of which version; Refused("stale") if the page showed an outdated one."""
    stamp = posted.get("version", "")
    if stamp and stamp != context.stamp:
        raise stale()
    return {"version": stamp or None, "by": context.name, "grant": context.grant}


def _enter_room(posted: QueryDict, context: ViewerContext, do: str) -> None:
    waiting_room.CHANGES[do](context, posted)


def _open_door(_: QueryDict, context: ViewerContext, __: str) -> str:
    let_in(context.encounter.pk)
    return LET_IN


def _shut_door(_: QueryDict, context: ViewerContext, __: str) -> None:
    close_again(context.encounter.pk)


def _answer_all(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """Each row names its question, so it stays right when others are answered."""
    answer_all(
        context.encounter.pk,
        {name: str(posted[name]) for name in posted},
        by=context.name,
        grant=context.grant,
    )


def _answer(posted: QueryDict, context: ViewerContext, _: str) -> None:
    claim = _claim(posted, context)
    number, given = read_answer(posted)
    always = bool(posted.get("always"))
    answer(context.encounter.pk, number, **given, **claim, always=always)


def read_answer(posted: QueryDict) -> tuple[int, dict[str, Any]]:
    """Which question a form answers, and how: by faces, a value, or a roll of the app."""
    number = read_count(posted.get("question", ""))
    if number is None:
        raise Refused("bad_value", "This answer names no question: reload the page.")
    value, faces = (posted.get("value") or read_parts(posted))[:MAX_LENGTH], read_faces(posted)
    roll = posted.get("dice") == "app" or (posted.get("dice") == "auto" and not faces)
    return number, {"faces": faces, "value": value, "roll": roll}


def _autoplay(posted: QueryDict, context: ViewerContext, do: str) -> str:
    """Play a turn, or all of those without a player; why that stopped."""
    return autoplay(context.encounter.pk, everybody=do == "autoplay_all", **_claim(posted, context))


def _pass_turns(posted: QueryDict, context: ViewerContext, _: str) -> None:
    claim, whose = _claim(posted, context), posted.get("whose", "")
    typed, _faces = read_dice(posted, context.known_state)
    pass_turns(context.encounter.pk, whose, typed=typed, **claim)


def _move_to_deck(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """Move to another deck as the page showed it."""
    claim = _claim(posted, context)
    move, typed = foresee_posted(posted, context)
    do_plan(context.encounter.pk, move, Submission("", {}, typed=typed, **claim))


def foresee_posted(posted: QueryDict, context: ViewerContext) -> tuple[Plan, bool]:
    """The move to another deck that a form asks for, and whether its dice are typed."""
    actor = posted.get("combatant", "")
    check_plays(context, actor)
    to = posted.get("to", "")
    goal = to if to in (UP, DOWN) or to.startswith(BY_WAY) else read_points(to)[0]
    typed, _faces = read_dice(posted, context.known_state)
    return foresee_across(context.system, context.obscured_state, actor, goal), typed


def _do_plan(posted: QueryDict, context: ViewerContext, do: str) -> str:
    """Do the plan for an action that a form offered, and say why it stopped before its end."""
    claim = _claim(posted, context)
    plan, typed, faces = find_posted_plan(posted, context, do)
    last = Submission("", {}, typed=typed, faces=faces, **claim)
    _, stopped = do_plan(context.encounter.pk, plan, last)
    return mask_refusal(stopped, context.full_state, context.viewer).message if stopped else ""


def _do_planned(posted: QueryDict, context: ViewerContext, _: str) -> Encounter | str | None:
    """Do what was planned for this turn, by the form that the turn offers for it."""
    made = planned_view.find_ready(posted, context)
    return (_do_plan if made.get("plan") else _act)(made, context, made.get("do", ""))


def find_posted_plan(
    posted: QueryDict, context: ViewerContext, do: str
) -> tuple[Plan, bool, tuple[int, ...]]:
    """The plan that a form names, as it is now for who sent it, and the dice of its last part."""
    actor = posted.get("combatant", "")
    check_plays(context, actor)
    action = find_action(context.system, do[:MAX_LENGTH])
    check_right(context.viewer, context.system, context.full_state, action, {**posted.dict(), "actor": actor})
    fields = read_known_fields(context, action, actor, posted, prefill=False)
    system, state = context.system, context.obscured_state
    upright = find_upright_plan(system, state, action, fields)
    step = posted.get("step", "")[:MAX_LENGTH]
    led = find_led_plans(system, state, action, fields, "" if step == NO_STEP else step) if step else ()
    for plan in (*led, *find_plans(system, state, action, fields), *filter(None, (upright,))):
        if plan.key == posted["plan"]:
            return plan, *read_dice(posted, context.known_state)
    raise Refused("stale", "That plan is not possible as it was: look at what is offered now.")


def _hand_all(posted: QueryDict, context: ViewerContext, _: str) -> None:
    claim = _claim(posted, context)
    hand_all(context.encounter.pk, read_gifts(posted), money=posted.get("money", ""), **claim)


def read_gifts(posted: QueryDict) -> dict[str, str]:
    """Whom each item that is set out goes to, by its id; a row has the ids of equal ones, with commas."""
    to = posted.get("all", "")  # one person who gets everything, in place of each as it is set out
    names = [name for name in posted if name.startswith(GIVES)]
    return {
        item: to or posted.get(name, "") for name in names for item in name.removeprefix(GIVES).split(",")
    }


def _step_back(posted: QueryDict, context: ViewerContext, do: str) -> None:
    STEPS_BACK[do](context.encounter.pk, **_claim(posted, context))


def _roll_dice(posted: QueryDict, context: ViewerContext, do: str) -> None:
    claim = _claim(posted, context)
    fields: dict[str, Any] = {"term": _find_term(posted), "actor": posted.get("combatant", "")}
    if context.viewer.is_gm:
        do, fields = "gm_roll", {"term": fields["term"], "secret": bool(posted.get("secret"))}
    submit(context.encounter.pk, Submission(do, fields, **claim))


def _send_word(posted: QueryDict, context: ViewerContext, do: str) -> None:
    """A word of a player, or of the GM to the player of the combatant that the form names."""
    to, text = posted.get("to", "")[:MAX_LENGTH], posted.get("text", "")
    fields = {"actor": posted.get("combatant", "")[:MAX_LENGTH], "to": to, "text": text}
    if context.viewer.is_gm:
        do, fields = "gm_word", {"target": to, "text": text}
    submit(context.encounter.pk, Submission(do, fields, **_claim(posted, context)))


def _find_term(posted: QueryDict) -> str:
    return (posted.get("again") or posted.get("term", ""))[:MAX_LENGTH]


def find_terms(request: HttpRequest) -> tuple[str, ...]:
    """The free dice that a person rolled last, newest first."""
    return tuple(request.session.get(TERMS, ()))


def keep_term(request: HttpRequest) -> None:
    """Offer free dice that were just rolled again."""
    if request.POST.get("do") == "roll_dice":
        kept = str(read_term(_find_term(request.POST)))
        request.session[TERMS] = [kept, *(one for one in find_terms(request) if one != kept)][:MAX_TERMS]


def _overrule(posted: QueryDict, context: ViewerContext, _: str) -> None:
    claim = _claim(posted, context)
    overrule_roll(context.encounter.pk, *read_overruled(posted), **claim)


def _set_fog(posted: QueryDict, context: ViewerContext, do: str) -> None:
    """Set fog, or hide or reveal an area: a change of the map like any other."""
    claim = _claim(posted, context)
    fields = drawing.find_changes(context.known_state.scene, do, posted)
    submit(context.encounter.pk, Submission("change_map", fields, **claim))


def _change_thing(posted: QueryDict, context: ViewerContext, do: str) -> None:
    """Push or remove a thing: a change of the map like any other."""
    claim = _claim(posted, context)
    fields = find_thing_changes(context.known_state, do, posted)
    submit(context.encounter.pk, Submission("change_map", fields, **claim))


def _join_squad(posted: QueryDict, context: ViewerContext, do: str) -> None:
    """Form a squad of those selected, or of those in a row's menu, without the form's other fields."""
    fields = {"targets": posted.getlist("targets")}
    submit(context.encounter.pk, Submission(do, fields, **_claim(posted, context)))


def _define(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """Make or change a condition of the GM's own, and keep it for the campaign if they want that."""
    claim, fields = _claim(posted, context), read_own(posted)
    submit(context.encounter.pk, Submission("define_condition", fields, **claim))
    campaign = context.find_campaign(CONDITION)
    if campaign and posted.get("keep"):
        old = find_own_condition(context.full_state, fields.get("own", ""))
        keep_condition(campaign, context.system, fields, old.name if old else "")


def _take_own(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """Use a condition of the campaign in this fight."""
    claim, campaign = _claim(posted, context), context.find_campaign(CONDITION)
    if campaign is None:
        raise Refused("not_allowed", "This encounter is in no campaign of yours: create the condition here.")
    own = find_kept(campaign, context.system.slug, posted.get("own", ""))
    fields = write_fields(context.system, own)
    submit(context.encounter.pk, Submission("define_condition", fields, **claim))


def _act(posted: QueryDict, context: ViewerContext, do: str) -> Encounter | None:
    claim = _claim(posted, context)
    viewer, system = context.viewer, context.system
    action = find_action(system, do[:MAX_LENGTH])
    actor = posted.get("combatant", "") if action.who != "gm" else ""
    fields = {**posted.dict(), "actor": actor}
    check_right(viewer, system, context.full_state, action=action, fields=fields)  # and again inside the lock
    fields = read_fields(action, context.known_state, actor, posted)
    typed, faces = read_dice(posted, context.known_state)
    wanted = Submission(do, fields, typed=typed, faces=faces, **claim)
    return submit(context.encounter.pk, wanted).encounter


def read_dice(posted: QueryDict, state: State) -> tuple[bool, tuple[int, ...]]:
    """Whether the dice of a form are typed, and those that are typed already.

    Where no button says it, the table's own dice count if it usually rolls them.
    """
    dice = posted.get("dice", "")
    faces = read_faces(posted) if dice in ("auto", "table") else ()
    return dice == "table" or bool(faces) or (not dice and bool(state.options.get("typed_dice"))), faces


def _note_read(_: QueryDict, __: ViewerContext, ___: str) -> None:
    """Nothing of the fight: that someone has read what they missed, their browser keeps."""


FOR_ALL: dict[str, Change] = {
    **dict.fromkeys(waiting_room.CHANGES, _enter_room),
    "answer": _answer,
    "answer_all": _answer_all,
    "move_to_deck": _move_to_deck,
    "roll_dice": _roll_dice,
    "send_word": _send_word,
    READ: _note_read,
    **wishes_view.FOR_PLAYERS,
    **planned_view.FOR_PLAYERS,
    "do_planned": _do_planned,
    "correct_own": figures_view.correct,
}
FOR_GM: dict[str, Change] = {
    **FOR_ALL,
    "let_in": _open_door,
    "close_again": _shut_door,
    **dict.fromkeys(drawing.CHANGES, _set_fog),
    **dict.fromkeys((PUSH, REMOVE), _change_thing),
    **dict.fromkeys(("autoplay", "autoplay_all"), _autoplay),
    "pass_turns": _pass_turns,
    "hand_all": _hand_all,
    **dict.fromkeys(STEPS_BACK, _step_back),
    "overrule": _overrule,
    "join_squad": _join_squad,
    "define_condition": _define,
    "take_own": _take_own,
    **wishes_view.FOR_GMS,
    "correct": figures_view.correct,
    **players_view.FOR_GM,
}


def find_halt(context: ViewerContext) -> str:
    """Why nobody of a viewer's can begin an action now: a question is open, or the fight is paused."""
    if context.encounter.open_command:
        return say_busy(context.viewer.is_gm)
    return why_refused(check_pause, context.viewer, context.full_state)


def check_plays(context: ViewerContext, actor: str) -> None:
    """Raise Http404 unless the viewer acts for a combatant that they know of and who has not left."""
    combatant = context.known_state.combatants.get(actor)
    if not context.viewer.plays(actor) or combatant is None or combatant.gone:
        raise Http404(NOT_YOURS)


def read_known_fields(
    context: ViewerContext, action: Action, actor: str, asked: QueryDict, *, prefill: bool = True
) -> dict[str, Any]:
    """The fields of a form over its prefilled ones, without combatants that the viewer cannot know."""
    usual = prefilled(action, context.obscured_state, actor) if prefill else {}
    fields = {**usual, **read_fields(action, context.obscured_state, actor, asked)}
    return forget_unknown(fields, find_free(action), context.full_state, context.viewer)
