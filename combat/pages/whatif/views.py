"""What if: someone's branches of a fight, each a table of its own that only its owner can open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from combat.audience.changes import find_open_seats
from combat.audience.rights import NOT_YOURS
from combat.audience.secrecy import find_obscured, mask_refusal
from combat.audience.viewer import Viewer
from combat.display.forms.fields import make_start_form, read_fields
from combat.display.log_view import view_log
from combat.models import Branch, ShareLink
from combat.play.whatif import branches, forecast_jobs
from combat.play.whatif.branches import SOURCE, MergePlan, autoplay, find_plan, make_real
from combat.play.writing.encounter_service import read_rows
from combat.play.writing.locking import stale
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.engine.engine import find_action
from combat.rules.core.sides import standing_sides
from combat.sharing.access import GONE, find_context, find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import SiteForm, is_htmx, see_other

from ..home.pictures import draw_known
from ..map.previews import answer_distance, answer_paths, refuse_paths
from ..table.figures_view import CORRECT, OWN, answer_follows, read_correction
from ..table.rows import view_known
from ..table.submissions import MAX_LENGTH, find_posted_plan, foresee_posted, read_answer, read_dice
from ..table.views import answer_odds, find_open_parts
from .branch_tree import find_place, view_tree
from .branch_view import (
    PRESENT,
    find_closed,
    find_origin,
    find_origins,
    find_start,
    make_context,
    view_branch,
    view_steps,
)
from .forecast_view import Subject, answer_forecast, subject_of_fight

METHODS = ["GET", "HEAD", "POST"]


def find_maker(request: HttpRequest, pk: int) -> ViewerContext:
    """The encounter, for a viewer who can have branches: the GM or a player; Http404 for others."""
    context = find_context(request, pk)
    if not (context.viewer.is_gm or context.viewer.is_seated):
        raise Http404(GONE)
    return context


def find_branch(context: ViewerContext, number: int) -> Branch:
    """A branch of the viewer's; for everybody else it does not exist."""
    branch = Branch.objects.filter(encounter=context.encounter.pk, owner=context.asker, number=number).first()
    if branch is None:
        raise Http404("You have no such branch: it may have been deleted.")
    branch.encounter = context.encounter
    return branch


def find_own(context: ViewerContext) -> list[Branch]:
    """All branches of the viewer, in order."""
    return list(Branch.objects.filter(encounter=context.encounter.pk, owner=context.asker))


# ---- The list ----


class CompareForm(SiteForm):
    """Two branches to see side by side."""

    one = forms.ChoiceField(label="Branch")
    other = forms.ChoiceField(label="Beside")


@for_visitors
@require_http_methods(METHODS)
def list_own(request: HttpRequest, pk: int) -> HttpResponse:
    """The viewer's branches; a POST begins or deletes one."""
    context, refused = find_maker(request, pk), None
    if request.method == "POST":
        try:
            return _change_list(request, context)
        except Refused as problem:
            refused = problem
    mark = request.POST.get("step") or request.GET.get("step") or PRESENT
    origin = find_origin(context, mark[:MAX_LENGTH])
    if is_htmx(request):
        return _render_tree(request, context, refused)
    rows = find_own(context)
    pairs = [(str(row.number), f"Branch {row.number}") for row in rows]
    shown = {
        "encounter": context.encounter,
        "tree": view_tree(context, rows),
        "count": len(rows),
        "compare": CompareForm(choices={"one": pairs, "other": pairs}, initial={"other": pairs[1][0]})
        if len(pairs) > 1
        else None,
        "most": branches.MAX_BRANCHES,
        "origin": origin,
        "is_present": mark == PRESENT,
        "picture": draw_known(context, "whatif-"),
        "refused": refused,
    }
    status = status_of(refused) if refused else 200 if origin else 404
    return render(request, "combat/whatif/branches.html", shown, status=status)


def _change_list(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    pk, do = context.encounter.pk, request.POST.get("do", "")
    if do == "begin":
        origin = find_origin(context, request.POST.get("step", "")[:MAX_LENGTH])
        if origin is None:
            raise Refused("bad_value", "That step is not in the log: choose one there.")
        start = find_start(context, origin.number)
        made = branches.begin(
            context.encounter, context.asker, context.viewer, after=origin.number, start=start
        )
        return see_other("branch", pk, made.number)
    if do == "delete":
        number = read_count(request.POST.get("branch", ""))
        branch = find_branch(context, number or 0)
        forecast_jobs.cancel(find_place(branch))
        branches.delete(branch)
        return see_other("branches", pk)
    if do == "forecast":
        _find_subject(request, context, read_count(request.POST.get("branch", "")) or 0).begin()
        if is_htmx(request):
            return _render_tree(request, context)
        return see_other("branches", pk)
    raise Refused("bad_value", "Nothing here does that: use the buttons of the page.")


def _render_tree(
    request: HttpRequest, context: ViewerContext, refused: Refused | None = None
) -> HttpResponse:
    """The tree alone, with the branches of the page that asks: `at` one of them, `only` two, or all."""
    at, only = (request.GET.get(name, "")[:MAX_LENGTH] for name in ("at", "only"))
    mine = find_own(context)
    if only:
        mine = [branch for branch in mine if str(branch.number) in only.split("-")]
    shown = {
        "encounter": context.encounter,
        "tree": view_tree(context, mine),
        "number": read_count(at) or -1,
        "deletes": not (at or only),
        "query": urlencode({"at": at} if at else {"only": only} if only else {}),
        "problem": refused.message if refused else "",
    }
    return render(request, "combat/whatif/tree.html", shown, status=status_of(refused) if refused else 200)


def _find_subject(request: HttpRequest, context: ViewerContext, number: int) -> Subject:
    """The forecast of a branch, or for the GM that of the fight, which has the number 0."""
    if number:
        return subject_of_branch(*find_inside(request, context.encounter.pk, number))
    return subject_of_fight(find_gm_context(request, context.encounter.pk))


# ---- A branch ----


@for_visitors
@require_http_methods(METHODS)
def show_branch(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A branch as a table; a POST tries something there."""
    context = find_maker(request, pk)
    branch = find_branch(context, number)
    if closed := find_closed(context, branch):
        return _render_closed(request, context, branch, closed)
    inside = make_context(context, branch)
    if request.method != "POST":
        return _render(request, context, branch)
    try:
        told = _perform(request, branch, inside)
    except Refused as refused:
        known = mask_refusal(refused, inside.full_state, inside.viewer)
        return _render(request, context, find_branch(context, number), known)
    if is_htmx(request):
        answer = _render(request, context, find_branch(context, number), told=told)
        answer["HX-Replace-Url"] = request.path
        return answer
    if told:
        messages.info(request, told)
    return see_other("branch", pk, number)


def _render_closed(request: HttpRequest, context: ViewerContext, branch: Branch, closed: str) -> HttpResponse:
    shown = {"encounter": context.encounter, "number": branch.number, "closed": closed}
    answer = render(request, "combat/whatif/branch_closed.html", shown, status=409)
    if is_htmx(request):
        answer["HX-Refresh"] = "true"  # a different page: nothing of the table is left
    return answer


def _perform(request: HttpRequest, branch: Branch, inside: ViewerContext) -> str:
    """Do what the posted form asks, in the branch; return why that stopped, "" if nothing has to be said."""
    posted, do, by = request.POST, request.POST.get("do", ""), inside.name
    if posted.get("version") and posted["version"] != inside.stamp:
        raise stale()
    simple: dict[str, Callable[[], str | None]] = {"undo": lambda: branches.undo(branch)}
    simple["cancel"] = simple["undo"]
    if inside.viewer.is_gm:
        simple["autoplay"] = lambda: autoplay(branch, by=by)
        simple["autoplay_all"] = lambda: autoplay(branch, everybody=True, by=by)
        simple["pass_turns"] = lambda: branches.pass_turns(branch, posted.get("whose", ""), by=by)
    if do in simple:
        return simple[do]() or ""
    if do == "answer":
        number, given = read_answer(request.POST)
        branches.answer(branch, number, **given, by=by)
    elif do == "answer_all":
        _answer_all(request, branch, inside)
    elif do == "move_to_deck":
        move, typed = foresee_posted(posted, inside)
        branches.do_plan(branch, move, typed=typed, by=by)
    elif posted.get("plan"):
        plan, typed, faces = find_posted_plan(posted, inside, do)
        branches.do_plan(branch, plan, typed=typed, faces=faces, by=by)
    else:
        _act(request, branch, inside, do)
    return ""


def _answer_all(request: HttpRequest, branch: Branch, inside: ViewerContext) -> None:
    with branches.changing(branch) as row:
        waiting, asked = branches.find_asked(row)
        mine = [one for one in asked if isinstance(one, RollRequest)]

        def reply(one: RollRequest, faces: tuple[int, ...]) -> Any:
            return branches.reply(row, one, faces, roll=not faces)

        given = read_rows(inside.encounter, waiting, mine, posted=request.POST.dict(), reply=reply)
        branches.go_on(row, branch.encounter, given, inside.name)


def _act(request: HttpRequest, branch: Branch, inside: ViewerContext, do: str) -> None:
    posted = request.POST
    if do in (CORRECT, OWN):
        name, fields = read_correction(inside, posted)
        branches.act(branch, find_action(inside.system, name), fields, by=inside.name)
        return
    action = find_action(inside.system, do[:MAX_LENGTH])
    actor = posted.get("combatant", "") if action.who != "gm" else ""
    if action.who != "gm" and not inside.viewer.plays(actor):
        raise Refused("not_allowed", NOT_YOURS)
    fields = read_fields(action, inside.known_state, actor, posted)
    typed, faces = read_dice(posted, inside.known_state)
    branches.act(branch, action, fields, typed=typed, faces=faces, by=inside.name)


def _render(
    request: HttpRequest,
    context: ViewerContext,
    branch: Branch,
    refused: Refused | None = None,
    told: str = "",
) -> HttpResponse:
    inside = make_context(context, branch)
    table = view_branch(branch, inside, request.GET.get("combatant", ""))
    shown: dict[str, Any] = {
        "whatif": True,
        "full": branches.is_full(branch),
        "table": table,
        "bare": replace(table, viewer=Viewer("player")),  # for rows without menus
        "real": None,
        "branch": branch,
        "number": branch.number,
        "leaf": f"Branch {branch.number}",
        "origin": find_origins(context, [branch]).get(branch.after),
        "tree": view_tree(context, find_own(context)),
        "query": urlencode({"at": branch.number}),
        "here": reverse("branch", args=[context.encounter.pk, branch.number]),
        "encounter": context.encounter,
        "system": context.system,
        "slug": table.slug,
        "questions": table.prompt,
        "refused": refused,
        "obscured": bool(inside.obscured),
        "part": request.GET.get("part", "")[:MAX_LENGTH],
        "part_of": request.GET.get("part", "")[:MAX_LENGTH].partition(".")[0],
    }
    if told:
        shown["advice"] = told
    if inside.viewer.is_gm:
        shown["real"] = _view_real(context, branch)
    if inside.viewer.is_gm and table.phase != "fight":
        shown["start_form"] = make_start_form(context.system, inside.known_state)
        shown["lacks_side"] = len(standing_sides(context.system, inside.known_state)) < 2
    try:
        shown |= find_open_parts(request, inside, table, refused)
    except Refused as problem:
        shown["refused"] = refused or problem
    partial = "#state" if is_htmx(request) else ""
    status = status_of(refused) if refused else 200
    return render(request, f"combat/whatif/branch.html{partial}", shown, status=status)


def find_inside(request: HttpRequest, pk: int, number: int) -> tuple[ViewerContext, Branch, ViewerContext]:
    """The encounter, a branch of the viewer's, and the branch's context; Http404 while it is closed."""
    context = find_maker(request, pk)
    branch = find_branch(context, number)
    if closed := find_closed(context, branch):
        raise Http404(closed)
    return context, branch, make_context(context, branch)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_branch_odds(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The modifier list and odds of an action form in a branch."""
    _, _, inside = find_inside(request, pk, number)
    return answer_odds(request, inside)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_branch_follows(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """What would follow in a branch from the figures as they are typed."""
    _, _, inside = find_inside(request, pk, number)
    return answer_follows(request, inside)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_branch_paths(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Where a combatant can go in a branch, for a token that is carried: nowhere once it is full."""
    _, branch, inside = find_inside(request, pk, number)
    return refuse_paths(branches.FULL) if branches.is_full(branch) else answer_paths(request, inside)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_branch_distance(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The distance between two places in a branch."""
    _, _, inside = find_inside(request, pk, number)
    return answer_distance(request, inside, see_other("branch", pk, number))


@for_visitors
@require_http_methods(METHODS)
def show_branch_forecast(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The forecast of a branch, from what its owner knows; each owner has one at a time."""
    context = find_maker(request, pk)
    branch = find_branch(context, number)
    if closed := find_closed(context, branch):
        return _render_closed(request, context, branch, closed)
    return answer_forecast(request, subject_of_branch(context, branch, make_context(context, branch)))


def subject_of_branch(context: ViewerContext, branch: Branch, inside: ViewerContext) -> Subject:
    """A branch as the subject of a forecast."""
    state, places = inside.obscured_state, [find_place(other) for other in find_own(context)]
    pk, number = context.encounter.pk, branch.number
    return Subject(
        inside,
        find_place(branch),
        reverse("branch_forecast", args=[pk, number]),
        back=reverse("branch", args=[pk, number]),
        state=state,
        unnamed=find_obscured(inside.system, state, inside.viewer),
        others=tuple(place for place in places if place != find_place(branch)),
        branch=number,
    )


# ---- Made real ----


def _view_real(context: ViewerContext, branch: Branch) -> dict[str, Any]:
    """What making a branch real would do; or why it cannot be."""
    try:
        return _view_plan(context, find_plan(context.encounter, branch))
    except Refused as refused:
        return {"problem": refused.message}


def _view_plan(context: ViewerContext, plan: MergePlan) -> dict[str, Any]:
    """What making a branch real would do: numbers, the first line that is undone, and who sees it."""
    places = find_open_seats().filter(encounter=context.encounter).exclude(kind=ShareLink.CO_GM)
    kinds = list(places.values_list("kind", flat=True))
    undone = _view_undone(context, plan.undone[-1:])
    thrown = [answer.source for step in plan.steps for answer in step.answers if answer.faces]
    rolls = thrown.count(SOURCE)
    return {
        "undone": len(plan.undone),
        "first": next((line.text for step in undone for line in step.lines), ""),
        "steps": len(plan.steps),
        "rolls": rolls,
        "typed": len(thrown) - rolls,
        "players": kinds.count(ShareLink.PLAY),
        "watchers": kinds.count(ShareLink.WATCH),
    }


@for_visitors
@require_http_methods(METHODS)
def show_real(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """What making a branch real would do, for those who run the fight; a POST does it."""
    context, branch, inside = find_inside(request, pk, number)
    if not context.viewer.is_gm:
        raise Http404(GONE)
    refused = None
    if request.method == "POST":
        try:
            if request.POST.get("version") != inside.stamp:
                raise stale()
            make_real(pk, branch, by=context.name, grant=context.grant)
            forecast_jobs.cancel(find_place(branch))
            return see_other("table", pk)
        except Refused as problem:
            refused = problem
    shown: dict[str, Any] = {"encounter": context.encounter, "number": number, "version": inside.stamp}
    shown["slug"] = context.system.slug
    shown["looks"] = {who: view.look.plain for who, view in view_known(inside).items()}
    try:
        plan = find_plan(context.encounter, branch)
        shown |= {
            "plan": plan,
            "real": _view_plan(context, plan),
            "log": view_steps(inside, plan.steps, branch),
        }
        shown["undone"] = _view_undone(context, plan.undone)
    except Refused as problem:
        refused = refused or problem
    shown["refused"] = refused
    return render(
        request, "combat/whatif/branch_real.html", shown, status=status_of(refused) if refused else 200
    )


def _view_undone(context: ViewerContext, numbers: tuple[int, ...]) -> tuple[Any, ...]:
    """The steps to undo as lines, newest first."""
    rows = context.encounter.log.defer("after").filter(number__in=numbers).order_by("-number")
    return view_log(context, rows)


# ---- Two side by side ----


@for_visitors
@require_http_methods(["GET", "HEAD"])
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """Two of the viewer's branches side by side."""
    context = find_maker(request, pk)
    if not {"one", "other"} <= request.GET.keys():
        return redirect("branches", pk)
    numbers = [read_count(request.GET.get(name, "")) or 0 for name in ("one", "other")]
    both = [find_branch(context, number) for number in numbers]
    shown = {
        "encounter": context.encounter,
        "sides": [_view_side(context, branch) for branch in both],
        "tree": view_tree(context, list({branch.number: branch for branch in both}.values())),
        "query": urlencode({"only": f"{numbers[0]}-{numbers[1]}"}),
        "slug": context.system.slug,
    }
    return render(request, "combat/whatif/branch_compare.html", shown)


def _view_side(context: ViewerContext, branch: Branch) -> dict[str, Any]:
    """A branch as one half of a comparison."""
    closed = find_closed(context, branch)
    if closed:
        return {"number": branch.number, "closed": closed}
    inside = make_context(context, branch)
    return {
        "number": branch.number,
        "origin": find_origins(context, [branch]).get(branch.after),
        "table": view_branch(branch, inside),
        "log": view_steps(inside, branches.read_steps(branch), branch),
    }
