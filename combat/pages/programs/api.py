"""Programs that play a seat: their addresses, what they read and do, and the page of their tokens."""

from __future__ import annotations

import msgspec
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.common import no_append_slash
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from combat.audience.secrecy import mask_refusal
from combat.display.forms.fields import check_form
from combat.models import Encounter
from combat.play.after.faults import keep_refusal
from combat.play.writing.deadlines import answer_overdue
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.commands.commands import describe_misfit
from combat.sharing.access import GONE, find_context, for_visitors
from combat.sharing.links import touch_seat
from combat.sharing.programs import (
    MAX_LENGTH,
    NO_NAME,
    end_token,
    find_open_context,
    find_token,
    is_too_fast,
    list_tokens,
    make_token,
)
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import TOO_LARGE, answer_no_address, answer_problem, status_of
from cosmos_site.base.forms import SiteForm, see_other

from ..sharing.open_state import write_state
from ..table.stream import TOO_FAST, UNKNOWN_PROGRAM
from ..table.submissions import perform
from .document import describe
from .operations import OPERATIONS, Operation
from .reading import tell_done

SAMPLE = 4  # people in the sample of an answer
CONFLICTS = frozenset({"stale", "busy"})  # something else was first: look again


@no_append_slash  # a redirect would make a GET of each POST
@csrf_exempt  # a token counts, and no cookie: no other page can send one in someone's name
def answer(request: HttpRequest, what: str) -> HttpResponse:
    """Answer a program at /api/table/<what>/.

    Problems are JSON too: 401 without a valid token, 403 without the right, 404, 405, 409 for what is
    outdated or has to wait, 413, 422 for what the rules refuse or nobody can read, 429 for too many requests.
    What goes wrong before or around this is JSON as well (cosmos_site/base/errors.py).
    """
    methods = OPERATIONS.get(what)
    if methods is None:
        return answer_no_address()
    operation = methods.get("GET" if request.method == "HEAD" else request.method or "")
    if operation is None:
        return answer_problem(
            405, "unknown", f"Here works {' and '.join(methods)}.", Allow=", ".join(methods)
        )
    token = find_token(request.headers.get("Authorization", ""))
    if token is None:
        return answer_problem(401, "not_allowed", UNKNOWN_PROGRAM, **{"WWW-Authenticate": "Bearer"})
    if is_too_fast(token.pk):
        return answer_problem(429, "busy", TOO_FAST, **{"Retry-After": "1"})
    try:
        return _answer(request, operation, find_open_context(token))
    except (Http404, Encounter.DoesNotExist):
        return answer_problem(404, "unknown", GONE)
    except PermissionDenied as denied:
        return answer_problem(403, "not_allowed", str(denied))
    except RequestDataTooBig:
        return answer_problem(413, "bad_value", TOO_LARGE)
    except Refused as refused:
        return answer_problem(409 if refused.code in CONFLICTS else 422, refused.code, refused.message)


def _answer(request: HttpRequest, operation: Operation, context: ViewerContext) -> HttpResponse:
    """The answer to a valid request."""
    check_query(request.GET, operation)
    sent = read_body(request.body, operation.body) if operation.body else request.GET
    if context.seat:
        touch_seat(context.seat)
    if context.pending and answer_overdue(context.encounter, context.full_state):
        context = _look_again(request)
    if operation.read:
        return write(operation.read(context, sent))
    assert operation.form
    posted = operation.form(context, sent)
    try:
        perform(posted, context)
    except Refused as refused:
        keep_refusal(context.encounter.pk, {name: str(posted[name]) for name in posted}, refused)
        now = _look_again(request)
        raise mask_refusal(refused, now.full_state, now.viewer) from None
    return write(tell_done(_look_again(request)))


def _look_again(request: HttpRequest) -> ViewerContext:
    """What the program may know now; PermissionDenied if its token has just been revoked."""
    token = find_token(request.headers.get("Authorization", ""))
    if token is None:
        raise PermissionDenied(UNKNOWN_PROGRAM)
    return find_open_context(token)


def check_query(asked: QueryDict, operation: Operation) -> None:
    """Refuse words after the address that it does not take, or takes once."""
    known = [name for name, _ in operation.query]
    for name, values in asked.lists():
        if name not in known or len(values) > 1:
            takes = f"takes {' and '.join(known)}, once" if known else "takes nothing after its “?”"
            raise Refused("bad_value", f"This address {takes}.")


def read_body(raw: bytes, shape: type[msgspec.Struct]) -> msgspec.Struct:
    """What a program sent; Refused("bad_value") if it is not JSON of this shape."""
    try:
        return read_json(raw, shape)
    except msgspec.ValidationError as wrong:
        if str(wrong).startswith("Expected `object`") and "$" not in str(wrong):
            raise refuse_body() from None
        raise Refused("bad_value", f"{describe_misfit(str(wrong), {})}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise refuse_body() from None


def refuse_body() -> Refused:
    """What is said of a body that is no object in JSON."""
    return Refused("bad_value", f"The body must be an object in JSON, as {reverse('openapi')} describes it.")


def write(found: msgspec.Struct) -> HttpResponse:
    """An answer in JSON."""
    return HttpResponse(msgspec.json.encode(found), "application/json")


@require_safe
def show_document(request: HttpRequest) -> HttpResponse:
    """The description of all addresses, as an OpenAPI document."""
    return HttpResponse(msgspec.json.encode(describe()), "application/json")


# The page with the tokens of one person's programs at an encounter.


class TokenForm(SiteForm):
    """A new token: the name of the program that gets it."""

    ids = "token-%s"
    use_required_attribute = True
    name = forms.CharField(
        label="Program",
        max_length=MAX_LENGTH,
        error_messages={"required": NO_NAME},
        help_text="its name in the log",
    )


@never_cache
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def list_programs(request: HttpRequest, pk: int) -> HttpResponse:
    """The tokens of the GM's or a player's programs; a new one is shown once, in the answer that made it."""
    context, made, status = find_context(request, pk), None, 200
    if context.viewer.is_spectator:
        raise Http404(GONE)
    form = TokenForm()
    if request.method == "POST":
        try:
            if request.POST.get("do") == "end":
                end_token(list_tokens(context), read_count(request.POST.get("token", "")))
                return see_other("programs", pk)
            form = TokenForm(request.POST)
            made = make_token(context, check_form(form).cleaned_data["name"])
            form = TokenForm()
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    shown = {
        "encounter": context.encounter,
        "tokens": list_tokens(context),
        "made": made,
        "form": form,
        "sample": write_sample(context),
    }
    return render(request, "combat/programs/programs.html", shown, status=status)


def write_sample(context: ViewerContext) -> str:
    """The beginning of what a program of this person reads now, as JSON in lines."""
    state = write_state(context)
    people = [{"id": one.id, "name": one.name, "zone": one.zone} for one in state.combatants[:SAMPLE]]
    seen = {"name": state.name, "phase": state.phase, "round": state.round, "active": state.active}
    return msgspec.json.format(msgspec.json.encode({**seen, "combatants": people}), indent=2).decode()
