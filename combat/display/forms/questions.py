"""The questions of an open command, for those it concerns: the dice to roll, the choices to make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from combat.audience.changes import PendingCommand, find_held, people_of
from combat.audience.secrecy import mask_choices, mask_names
from combat.play.writing.deadlines import seconds_left
from combat.play.writing.encounter_service import find_obstacle, find_problem, find_words, question_key
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import (
    AllocationSlot,
    Choice,
    ChoiceRequest,
    RollRequest,
    read_split,
)
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count, say_no_number
from combat.rules.core.commands import luck
from combat.rules.core.commands.commands import Action, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state.events import Checked
from combat.rules.core.wording import describe_facts
from combat.sharing.viewer_context import ViewerContext

from ..combatants.tokens import Look, name_choices, name_fully, name_people
from ..log_view import names_of
from ..shapes.result_shapes import Decider, Die, Prompt, Question
from ..shapes.table_shapes import CombatantView
from .reaction_odds import view_answers, view_opposed, view_threat
from .usual_odds import say_chance

BY_POINTS = ("adjust", "adjust_each")  # actions of the GM that harm and heal
PART = "part-"  # followed by the key of the place
MAX_PARTS = 20


def view_prompt(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> Prompt | None:
    """The open command, for those it concerns: who is asked, who began it, who sees either."""
    encounter, viewer, system = context.encounter, context.viewer, context.system
    waiting = context.pending
    if waiting is None or not concerns(context, waiting):
        return None
    obstacle = find_obstacle(encounter, waiting)
    asked = () if obstacle else waiting.requests
    mine = [request for request in asked if any(map(viewer.plays, request.people))]
    keys = [question_key(encounter, waiting, request) for request in mine]
    questions = tuple(
        view_question(context, n, request, key=keys[n], combatants=combatants)
        for n, request in enumerate(mine)
    )
    lines = describe_facts(system, viewer.select(waiting.facts), names_of(context.known_state))
    action = find_action(system, waiting.name)
    left = seconds_left(system, context.known_state, waiting)
    chance = "" if questions or obstacle else find_prospect(context, action, waiting)
    return Prompt(
        _name_prompt(system, action, waiting, questions),
        questions,
        lines,
        seconds=left,
        chance=chance,
        deed=say_deed(context, waiting),
        item=_name_item(context, waiting),
        looks=tuple(filter(None, (_draw(combatants, who) for who in _list_people(waiting)))),
        deciders=() if obstacle else find_deciders(context, waiting, combatants),
        obstacle=obstacle,
    )


def _name_prompt(
    system: System, action: Action, waiting: PendingCommand, questions: Iterable[Question]
) -> str:
    """The action; where the GM's points are divided, how many there are. Several may be one."""
    totals = {question.total for question in questions if question.parts}
    if action.name not in BY_POINTS or len(totals) != 1:
        is_one = action.name in BY_POINTS and len(waiting.command.get("targets") or ()) == 1
        return find_action(system, BY_POINTS[0]).label if is_one else action.label
    points = totals.pop()
    verb = "Hit" if int(waiting.command.get("by", 0)) < 0 else "Healed"
    return f"{verb}: {points} point{'' if points == 1 else 's'}"


def find_prospect(context: ViewerContext, action: Action, waiting: PendingCommand) -> str:
    """The chance that those who act had in their form, in percent; empty to others, and once dice fell."""
    acts = context.viewer.is_seated and context.viewer.plays(str(waiting.command.get("actor", "")))
    rolls = any(isinstance(one, RollRequest) for one in waiting.requests)
    rolled = rolls or any(isinstance(fact.event, Checked) for fact in waiting.facts)
    if not acts or rolled or not context.system.actions.has_odds(action):
        return ""
    try:
        command = read_command(action, waiting.command)
        return say_chance(context.system, context.obscured_state, action, command)
    except Refused:
        return ""


def find_deciders(
    context: ViewerContext, waiting: PendingCommand, combatants: Mapping[str, CombatantView]
) -> tuple[Decider, ...]:
    """The people asked elsewhere, except those the viewer cannot know of.

    Alternatives are joined: "Vega or Oslo". The GM answers for a carrier that nobody plays from a seat; the
    names of carriers say so.
    """
    state, plays = context.known_state, context.viewer.plays
    elsewhere = [request for request in waiting.requests if not any(map(plays, request.people))]
    seated = find_held(context.encounter) if elsewhere else set()

    def name(who: str) -> str:
        full = name_fully(state, state.combatants[who])
        return f"the GM ({full})" if who not in seated and find_aboard(state, who) else full

    found = []
    for request in elsewhere:
        people = [who for who in request.people if who in state.combatants]
        looks = tuple(filter(None, (_draw(combatants, who) for who in people)))
        names, rolls = " or ".join(map(name, people)), isinstance(request, RollRequest)
        is_told = names.startswith("the GM")
        found.append(Decider(names, looks, rolls, seated.isdisjoint(people) and not is_told))
    return tuple(dict.fromkeys(one for one in found if one.name))


def _draw(combatants: Mapping[str, CombatantView], who: str) -> Look | None:
    """The token of someone who is asked, without the mark of a turn; None if the viewer has none."""
    return replace(combatants[who].look, active=False) if who in combatants else None


def say_deed(context: ViewerContext, waiting: PendingCommand) -> str:
    """Who began the open command and whom it is for, as far as the viewer knows."""
    state = context.known_state
    actor, *targets = (
        name_fully(state, state.combatants[who]) if who in state.combatants else ""
        for who in _list_people(waiting)
    )
    return " → ".join(filter(None, (actor, " and ".join(filter(None, targets)))))


def _list_people(waiting: PendingCommand) -> list[str]:
    """The actor of the open command, empty without one, and its targets."""
    command = waiting.command
    targets = (command.get("target"), *(command.get("targets") or ()))
    return [str(command.get("actor", "")), *(str(who) for who in targets if who)]


def _name_item(context: ViewerContext, waiting: PendingCommand) -> str:
    """The item that the open command uses, as far as the viewer knows."""
    actor = context.known_state.combatants.get(str(waiting.command.get("actor", "")))
    items = actor.items if actor else ()
    return next((one.name for one in items if one.id == waiting.command.get("weapon")), "")


def fill_dice(prompt: Prompt, posted: Mapping[str, str]) -> Prompt:
    """The prompt with the refused dice as typed, each row with its problem."""
    filled = []
    for question in prompt.questions:
        words = find_words(posted, question.key, question.dice) if question.kind == "roll" else ()
        fields = tuple(Die(die.side, word) for die, word in zip(question.fields, words, strict=False))
        problem = find_problem(words, question.dice)
        filled.append(replace(question, fields=fields, problem=problem))
    return replace(prompt, questions=tuple(filled))


def concerns(context: ViewerContext, waiting: PendingCommand) -> bool:
    """Whether a viewer may know that a command is open."""
    viewer, known = context.viewer, context.known_state.combatants.keys()
    if viewer.is_gm or any(viewer.plays(w) for w in people_of(waiting)):
        return True
    return viewer.is_seated and any(not known.isdisjoint(request.people) for request in waiting.requests)


def view_question(
    context: ViewerContext,
    number: int,
    request: RollRequest | ChoiceRequest,
    key: str,
    combatants: Mapping[str, CombatantView],
) -> Question:
    """A request in words. `key` distinguishes questions of different commands."""
    known, names = context.known_state.combatants, context.secret_names
    who = name_people(context.known_state, request.people) or "The GM"
    if isinstance(request, ChoiceRequest):
        answers = view_answers(context, request, _name_options(context, request))
        is_counted = any(answer.told for answer in answers)
        is_luck = request.rule == luck.RULE
        return Question(
            number,
            "choice",
            who,
            text=mask_names(request.question, names),
            rule="" if is_luck else request.rule,
            options=answers,
            threat=view_threat(context, request.who, combatants, is_counted),
            sums=view_opposed(context, request) if is_counted else None,
            default=request.default,
            can_stand=request.who in known and not request.also and not is_luck,
            key=key,
            total=request.split.total if request.split else 0,
            parts=view_parts(request),
            look=_draw(combatants, request.who),
        )
    sides = parse_dice(request.dice)
    return Question(
        number,
        "roll",
        who,
        text=mask_names(
            context.system.draw(request.why, names_of(context.full_state) | names_of(context.known_state)),
            names,
        ),
        rule=request.rule,
        dice=request.dice,
        look=_draw(combatants, request.who),
        fields=(Die(sides.sides),) * sides.count,
        key=key,
    )


def _name_options(context: ViewerContext, request: ChoiceRequest) -> tuple[Choice, ...]:
    """The options as a viewer may read them, without those they do not know of."""
    masked = mask_choices(request.options, context.unknown, context.secret_names, context.full_state)
    return name_choices(context.known_state, masked)


def view_parts(request: ChoiceRequest) -> tuple[tuple[AllocationSlot, int], ...]:
    """The places to divide points among, each with the points that the game suggests."""
    if request.split is None:
        return ()
    suggested = read_split(request.split, request.default)
    return tuple((place, suggested[place.key]) for place in request.split.places)


def read_parts(posted: Mapping[str, str]) -> str:
    """The answer from the fields for points, empty ones as 0; "" without such fields."""
    found = [name for name in posted if name.startswith(PART)][:MAX_PARTS]
    words = {name.removeprefix(PART): posted.get(name, "").strip() or "0" for name in found}
    parts = {key: read_count(word) for key, word in words.items()}
    for key, points in parts.items():
        if points is None:
            raise Refused("bad_value", f"The number of points {say_no_number(words[key])}")
    return ",".join(f"{key}={points}" for key, points in parts.items() if points)
