"""Wishes at the table: what players want, the GM's answer in one tap or by a form, and the offer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from combat.audience.rights import check_gm
from combat.display.combatants.tokens import Look
from combat.display.forms.improvising import (
    FAILS,
    NO_LOOKS,
    WORKS,
    find_chances,
    read_ruling,
    say_override,
    split_words,
    try_dice,
    view_act,
    view_grades,
    view_ruling,
)
from combat.display.shapes.table_shapes import CombatantView
from combat.display.shapes.wish_shapes import ActView, ChoiceView, MyWish, Person, RulingForm, WishView
from combat.play import improvising as play
from combat.play.improvising import OFFERED, Wish, find_wishes
from combat.play.writing.encounter_service import Submission
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count, read_whole
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.improvising import ACT, MAX_WORDS, Improvise, find_cost
from combat.rules.core.gm.verbs import Understood, name_everyone, understand
from combat.rules.core.state.state import is_acting, present
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

from .rulings_view import apply_earlier, list_earlier, name_ruling

NEW = 0  # the number of what the GM rules without a wish
NOT_NOW = "The fight waits for dice or a choice: answer that first."


def view_wishes(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> tuple[WishView, ...]:
    """All wishes as the GM sees them: what was understood of each, ready to offer."""
    if not context.viewer.is_gm:
        return ()
    found = find_wishes(context.encounter, context.full_state, context.viewer, context.grant)
    return tuple(_view_wish(context, wish, combatants) for wish in found if wish.who in combatants)


def find_meaning(context: ViewerContext, wish: Wish) -> Understood:
    """What the words of a wish mean, from what its reader knows."""
    state = context.known_state
    return understand(context.system, state, wish.who, wish.words, name_everyone(state), wish.about)


def read_offer(context: ViewerContext, wish: Wish) -> Improvise | None:
    """The act that was offered for a wish; None before that."""
    if wish.status != OFFERED:
        return None
    command = read_command(find_action(context.system, ACT), wish.offer)
    assert isinstance(command, Improvise)
    return command


def show_act(context: ViewerContext, wish: Wish, meaning: Understood) -> ActView | None:
    """What is offered for a wish, as its reader may know it; for the GM before that what its words mean."""
    offered, is_gm = read_offer(context, wish), context.viewer.is_gm
    act = offered or (meaning.act if is_gm and meaning.is_ready else None)
    if act is None:
        return None
    state = context.known_state if is_gm else context.obscured_state
    return view_act(context.system, state, act, for_gm=is_gm, hides=wish.hides and not is_gm)


def _view_wish(context: ViewerContext, wish: Wish, combatants: Mapping[str, CombatantView]) -> WishView:
    meaning, row = find_meaning(context, wish), combatants[wish.who]
    about, is_gm = combatants.get(meaning.act.about), context.viewer.is_gm
    is_open = is_gm and wish.status == "asked" and (meaning.is_ready or bool(meaning.choices))
    return WishView(
        number=wish.number,
        who=wish.who,
        name=row.full_name,
        look=row.look,
        parts=split_words(wish.words, meaning.spans),
        status=wish.status,
        reply=wish.reply,
        about=about.full_name if about else "",
        whom=meaning.act.about if about else "",
        in_turn=is_acting(context.known_state, wish.who),
        act=show_act(context, wish, meaning),
        is_ready=meaning.is_ready,
        hides=wish.hides,
        words=wish.words,
        most=MAX_WORDS,
        note=_note_rules(context, wish, meaning.act) if is_gm else "",
        why=meaning.why if is_open else "",
        choices=view_choices(context, wish, meaning),
        keeps=f"Stays as {possessive(row.full_name)} tile" if is_open and meaning.act.check else "",
        kept=name_ruling(meaning) if is_open else "",
    )


def view_choices(context: ViewerContext, wish: Wish, meaning: Understood) -> tuple[ChoiceView, ...]:
    """What the GM can choose for a wish that is open, where its act cannot be offered at once."""
    if not context.viewer.is_gm or wish.status != "asked":
        return ()
    state = context.known_state
    return tuple(
        ChoiceView(key, choice.name, view_act(context.system, state, choice.act, for_gm=True))
        for key, choice in enumerate(meaning.choices)
    )


def _note_rules(context: ViewerContext, wish: Wish, act: Improvise) -> str:
    """What the rules say to an act: which the GM sets aside, and why it would not cost what is usual."""
    notes = (say_override(context.system, context.known_state, act), _note_cost(context, wish, act))
    return "; ".join(filter(None, notes))


def _note_cost(context: ViewerContext, wish: Wish, act: Improvise) -> str:
    """What an act costs, and why not what is usual in someone's turn; "" if nothing is rolled."""
    rules, state = context.system.actions.improvising, context.known_state
    if rules is None or not rules.costs or not act.check:
        return ""
    if not is_acting(state, wish.who):
        return "Free, out of turn"
    usual = rules.costs[0]
    if act.cost == usual.key:
        awaited = usual.awaits(state, wish.who)
        return f"Costs: {usual.label}, {awaited}" if awaited else f"Costs: {usual.label}"
    instead = f"costs {find_cost(context.system, act.cost).label}" if act.cost else "is free"
    return f"{usual.label}: none left, so it {instead}"


def view_my_wish(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> MyWish | None:
    """The wish of a player, and the form for a new one; None for others, and outside a fight."""
    state = context.known_state
    if not context.viewer.is_seated or state.phase != "fight" or context.decoded is not None:
        return None
    own = [who for who in combatants if who in context.viewer.seats]
    doers = tuple((who, combatants[who].full_name) for who in own if not combatants[who].is_out)
    wishes = find_wishes(context.encounter, context.full_state, context.viewer, context.grant)
    wish = next((one for one in wishes if one.who in combatants), None)
    if not doers and wish is None:
        return None
    people = tuple(
        Person(who, one.full_name, one.look.plain) for who, one in combatants.items() if who not in own
    )
    shown = _view_wish(context, wish, combatants) if wish else None
    return MyWish(doers=doers, people=people, wish=shown, most=MAX_WORDS)


def find_wanting(context: ViewerContext) -> frozenset[str]:
    """The combatants who want something, for the GM."""
    if not context.viewer.is_gm:
        return frozenset()
    return frozenset(
        wish.who for wish in find_wishes(context.encounter, context.full_state, context.viewer, context.grant)
    )


# ---------------------------------------------------------------- the GM's form


def open_ruling(
    context: ViewerContext, asked: QueryDict, looks: Mapping[str, Look] = NO_LOOKS
) -> RulingForm | None:
    """The form that an address asks for: of a wish by its number, or of what the GM rules alone.

    `looks` are the faces of those whom it may concern.
    """
    if "wish" not in asked or not context.viewer.is_gm or context.known_state.phase != "fight":
        return None
    number = read_count(asked.get("wish", ""))
    found = find_wishes(context.encounter, context.full_state, context.viewer, context.grant)
    wish = next((one for one in found if one.number == number), None)
    if wish is None and number != NEW:
        return None
    meaning = find_meaning(context, _concern(context, wish or _make_own(context, asked), asked))
    actor = meaning.act.actor
    return view_ruling(
        context.system,
        context.known_state,
        meaning,
        wish.number if wish else NEW,
        asked,
        hides=bool(asked.get("hides")) if "mode" in asked else bool(wish and wish.hides),
        kept=name_ruling(meaning) if actor else "",
        earlier=list_earlier(context, actor) if actor else (),
        looks=looks,
    )


def _concern(context: ViewerContext, wish: Wish, asked: QueryDict) -> Wish:
    """A wish about whom the GM's form says; those who are not here are nobody."""
    about = asked.get("about", wish.about)
    is_here = about in {one.id for one in present(context.known_state)}
    return replace(wish, about=about if is_here else "")


def _check_here(context: ViewerContext, about: str) -> None:
    """Refuse someone who is not here."""
    if about and about not in {one.id for one in present(context.known_state)}:
        raise Refused("unknown", "That combatant is not in this encounter.")


def _make_own(context: ViewerContext, asked: QueryDict) -> Wish:
    """What the GM wants someone to do, or the scene if nobody is named."""
    who = asked.get("whose", "")
    if who not in {one.id for one in present(context.known_state)}:
        who = ""
    return Wish(NEW, who, asked.get("words", "")[:MAX_WORDS])


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_grades(request: HttpRequest, pk: int) -> HttpResponse:
    """The steps of difficulty of the GM's form, as it stands now."""
    context = find_context(request, pk)
    check_gm(context.viewer)
    shown: dict[str, Any] = {"grades": (), "problem": "", "dice": "", "chances": {WORKS: "", FAILS: ""}}
    try:
        act = _read_act(context, request.GET)
        grade = request.GET.get("grade", "")
        shown["grades"] = view_grades(context.system, context.known_state, act, grade)
        shown["dice"] = try_dice(context.system, context.known_state, act)
        shown["chances"] = find_chances(context.system, context.known_state, act)
    except Refused as refused:
        shown["problem"] = refused.message
    return render(request, "combat/table/wishes/grades.html", shown)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_understood(request: HttpRequest, pk: int) -> HttpResponse:
    """The words as they are typed, with what is understood underlined: for players and the GM."""
    context = find_context(request, pk)
    asked = request.GET
    if context.viewer.is_spectator:
        raise PermissionDenied("Spectators can't act.")
    words, who = asked.get("words", "")[:MAX_WORDS], asked.get("combatant", "") or asked.get("whose", "")
    if who not in context.known_state.combatants or not context.viewer.plays(who):
        who = ""
    about = asked.get("about", "")
    about = about if about in context.known_state.combatants else ""
    meaning = find_meaning(context, Wish(NEW, who, words, about))
    parts = split_words(words, meaning.spans)
    shown = {
        "parts": parts if meaning.spans else (),
        "verb": meaning.verb,
        "asks": bool(meaning.choices),
        "about": meaning.act.about,
    }
    return render(request, "combat/table/wishes/understood.html", shown)


def _read_act(context: ViewerContext, posted: QueryDict) -> Improvise:
    """The act that a form of the GM rules: over what its words mean."""
    number = read_count(posted.get("wish", "")) or NEW
    found = find_wishes(context.encounter, context.full_state, context.viewer, context.grant)
    wish = next((one for one in found if one.number == number), None) or _make_own(context, posted)
    meaning = find_meaning(context, _concern(context, wish, posted))
    return read_ruling(context.system, context.known_state, meaning.act, posted)


# ---------------------------------------------------------------- what is posted


def ask_wish(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """A player asks; whom it is about has to be someone they know of."""
    about = posted.get("about", "")
    _check_here(context, about)
    play.ask(
        context.encounter.pk, posted.get("combatant", ""), posted.get("words", ""), about, grant=context.grant
    )


def drop_wish(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """A player takes a wish back, or the GM puts it away."""
    play.take_back(context.encounter.pk, _read_number(posted), grant=context.grant)


def leave_offer(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """A player thinks again."""
    play.think_again(context.encounter.pk, _read_number(posted), grant=context.grant)


def take_offer(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """A player does what was offered, with real dice if they say so."""
    typed, faces = posted.get("dice") == "table", ()
    if not posted.get("dice"):
        typed = bool(context.known_state.options.get("typed_dice"))
    play.take_offer(
        context.encounter.pk,
        _read_number(posted),
        typed=typed,
        faces=faces,
        by=context.name,
        grant=context.grant,
    )


def offer_wish(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """The GM offers what the form rules; without a form, what the words mean."""
    number, act = _read_number(posted), _read_ruled(context, posted)
    _offer(context, number, replace(act, hides=bool(posted.get("hides"))))


def _offer(context: ViewerContext, number: int, act: Improvise) -> None:
    play.offer(context.encounter.pk, number, command_data(act), grant=context.grant)


def rule_again(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """As ruled before: offered to who wants it, or without a wish done at once."""
    number, chosen = _read_number(posted), posted.get("ruled", "")
    wish = _find(context, number) if number else _make_own(context, posted)
    about = find_meaning(context, wish).act.about
    act = apply_earlier(context, wish, about, chosen)
    if number:
        _offer(context, number, act)
    else:
        play.settle(context.encounter.pk, NEW, _submit(context, posted, ACT, command_data(act)))


def rule_wish(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """The GM does at once what the form rules: rolled here, or with nothing rolled."""
    number, act = _read_number(posted), _read_ruled(context, posted)
    play.check_ruling(context.encounter, command_data(act))  # also the ending that does not come true
    typed = posted.get("dice") == "table"
    play.settle(context.encounter.pk, number, _submit(context, posted, ACT, command_data(act), typed=typed))


def let_work(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """It just works: nothing is rolled, it costs nothing, and what the words mean follows."""
    number = _read_number(posted)
    wish = _find(context, number)
    act = replace(find_meaning(context, wish).act, check=(), cost="", fails=())
    play.settle(context.encounter.pk, number, _submit(context, posted, ACT, command_data(act)))


def help_wish(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """A bonus or a penalty on the next roll."""
    number, points = _read_number(posted), read_whole(posted.get("points", ""))
    wish = _find(context, number)
    if points is None:
        raise Refused("bad_value", "Enter a whole number of points, such as 2 or −2.")
    fields = {"target": wish.who, "points": points, "words": wish.words}
    reply = f"{'−' if points < 0 else '+'}{abs(points)} on your next roll"
    play.settle(context.encounter.pk, number, _submit(context, posted, "help_next", fields), reply=reply)


def refuse_wish(posted: QueryDict, context: ViewerContext, _: str) -> None:
    """The GM says no, or answers in words."""
    number, text = _read_number(posted), posted.get("text", "")
    wish = _find(context, number)
    fields = {"target": wish.who, "words": wish.words, "text": text}
    reply = " ".join(text.split())[:MAX_WORDS] or "No."
    play.settle(context.encounter.pk, number, _submit(context, posted, "answer_wish", fields), reply=reply)


def _read_number(posted: QueryDict) -> int:
    number = read_count(posted.get("wish", ""))
    if number is None:
        raise Refused("bad_value", "This answer names no wish: reload the page.")
    return number


def _find(context: ViewerContext, number: int) -> Wish:
    """A wish by its number; Refused if it has changed."""
    for wish in find_wishes(context.encounter, context.full_state, context.viewer, context.grant):
        if wish.number == number:
            return wish
    raise Refused("stale", "That wish is no longer there: it was taken back, changed or answered.")


def _read_ruled(context: ViewerContext, posted: QueryDict) -> Improvise:
    number = _read_number(posted)
    _check_here(context, posted.get("about", ""))
    wish = _find(context, number) if number else _make_own(context, posted)
    meaning = find_meaning(context, _concern(context, wish, posted))
    if "mode" in posted:
        act = read_ruling(context.system, context.known_state, meaning.act, posted)
        keeps = bool(posted.get("keep"))
    elif meaning.is_ready or "choice" in posted:
        act = _choose(meaning, posted) if "choice" in posted else meaning.act
        keeps = bool(posted.get("keep")) if "card" in posted else True
    else:
        raise Refused("bad_value", "Say first what is rolled and what follows.")
    return replace(act, keep=name_ruling(meaning)) if keeps and act.check else act


def _choose(meaning: Understood, posted: QueryDict) -> Improvise:
    """The act that the GM chose on the card; Refused if the card has no such choice."""
    key = read_count(posted.get("choice", ""))
    if key is None or key >= len(meaning.choices):
        raise Refused("bad_value", "That choice is not on the card: choose one that is.")
    return meaning.choices[key].act


def _submit(
    context: ViewerContext, posted: QueryDict, name: str, fields: dict[str, Any], *, typed: bool = False
) -> Submission:
    version = posted.get("version", "") or None
    return Submission(name, fields, version=version, typed=typed, by=context.name, grant=context.grant)


FOR_PLAYERS = {
    "ask_wish": ask_wish,
    "drop_wish": drop_wish,
    "leave_offer": leave_offer,
    "take_offer": take_offer,
}
FOR_GMS = {
    "offer_wish": offer_wish,
    "rule_wish": rule_wish,
    "let_work": let_work,
    "help_wish": help_wish,
    "refuse_wish": refuse_wish,
    "rule_again": rule_again,
}
