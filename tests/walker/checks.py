"""What has to hold after each press."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.http import QueryDict
from django.utils.http import urlencode
from msgspec import to_builtins

from combat.display.forms.odds_panel import percent
from combat.models import Encounter
from combat.pages.table.submissions import read_known_fields
from combat.play.writing.verification import read_step, verify
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import decode
from combat.sharing.viewer_context import ViewerContext
from tests.combat.markup import Page
from tests.combat.pages.table.patching import OpenPage
from tests.combat.visit import refusal
from tests.typed import Answer
from tests.walker.people import GM, PLAYERS, Found, Table, taken_back
from tests.walker.reading import Offer

MOST_BACK = 8  # steps of one press that are undone
MOST_LOOKS = 20_000  # of the engine, for the odds of one form


def check_answer(who: str, offer: Offer, answer: Answer, as_offered: bool) -> None:
    """A link that is offered leads somewhere, and a filled button as it was offered is not refused."""
    status = answer.status_code
    if status >= 400 and offer.method == "get":
        raise Found("dead link", f"{who} follows “{offer.words}” to {offer.address}: {status}")
    if status >= 400 and offer.is_filled and as_offered:
        raise Found("refused", f"{who} presses “{offer.words}” ({offer.key}): {status} {refusal(answer)}")
    if status >= 400 and offer.address.endswith("/") and not _says_why(answer):
        raise Found("mute", f"{who} presses “{offer.words}” ({offer.key}): {status} without a word")


def is_busy_out_of_sight(table: Table, who: str, answer: Answer) -> bool:
    """Whether a press met an action that waits for dice or a choice of somebody whom its reader cannot know.

    No page may tell that one waits (`test_what_the_hidden_are_asked_only_the_gm_learns`), so the page offers
    what it would offer without it.
    """
    if answer.status_code != 409 or who not in PLAYERS or not table.encounter.open_command:
        return False
    return '"prompt"' not in table.browsers[who].get(table.here).content.decode()


def _says_why(answer: Answer) -> bool:
    """Whether a refusal has a message for who reads it."""
    said = answer.content.decode(errors="replace")
    return "alert" in said or "error" in said or "<h1" in said or answer["Content-Type"] == "application/json"


def find_new_steps(table: Table, since: int) -> list[Step]:
    """The steps that were written after that many."""
    rows = table.encounter.log.filter(number__gt=since).order_by("number")
    return [read_step(row) for row in rows]


def check_price(table: Table, offer: Offer, steps: list[Step]) -> None:
    """What a button says it costs is what the step spends."""
    actor = offer.fields.get("combatant", [""])[0]
    done = [step for step in steps if step.kind == COMMAND and step.command.get("actor") == actor]
    system = find_system(table.slug)
    if not actor or not done or not offer.price or offer.do not in system.actions.by_name:
        return
    if table.encounter.open_command:
        return  # what leads to it is done; it spends its price once its dice are typed
    spent = Counter[str]()
    for step in done:
        for fact in step.facts:
            if isinstance(fact.event, e.BudgetSpent) and fact.event.who == actor:
                spent.update(fact.event.pools)
    labels = {pool.key: pool.label for pool in system.turn.pools}
    told = {f"{points} {labels[pool]}" for pool, points in spent.items() if points and pool in labels}
    price = offer.price.strip("· ").removeprefix("takes ").removesuffix(" instead")
    if told != set(price.split(" + ")):
        raise Found("price", f"“{offer.words}” ({offer.key}) costs {sorted(told)}")


def check_odds(table: Table, who: str, page: Page, offer: Offer) -> None:
    """The chance of a form is that of the engine, worked out anew for what its reader knows."""
    system = find_system(table.slug)
    action, (told, _) = system.actions.by_name.get(offer.do), read_chances(page)
    if not action or not told or action.who == "gm" or not page.all("form", id=f"form-{offer.do}"):
        return
    context = ViewerContext(table.encounter, table.viewer(who))
    asked = QueryDict(urlencode(offer.fields, doseq=True))
    looks = iter(range(MOST_LOOKS))
    try:
        fields = read_known_fields(context, action, asked.get("combatant", ""), asked, prefill=False)
        command = read_command(action, fields, context.obscured_state)
        odds = find_odds(
            system, context.obscured_state, action, command, give_up=lambda: next(looks, None) is None
        )
    except (Refused, TooMany):
        return
    if odds.headline and told != percent(odds.headline.chance):
        raise Found("odds", f"{who}: {offer.key} says {told}%, the engine {percent(odds.headline.chance)}%")


def check_undo(table: Table, before: Encounter, after: Encounter, steps: list[Step]) -> None:
    """Undo gives the state of before, redo that of after."""
    own = [step for step in steps if step.kind == COMMAND]
    if not own or len(own) != len(steps) or len(own) > MOST_BACK or after.open_command:
        return
    with taken_back():
        for do, wanted in (("undo", before), ("redo", after)):
            for _ in own:
                posted = {"do": [do], "version": [table.encounter.stamp(is_gm=True)]}
                answer = table.post(GM, table.here, posted, **{"HX-Request": "true"})
                if answer.status_code != 200:
                    raise Found(do, f"after {own[-1].name}: {answer.status_code} {refusal(answer)}")
            if told := tell_difference(bytes(wanted.state), bytes(table.encounter.state)):
                raise Found(do, f"of {[step.name for step in own]} gives another state: {told}")


def read_chances(page: Page) -> tuple[str, str]:
    """The chance of the open form before any defense and after it, in percent; empty if it tells none."""
    main = page.all("p", class_="odds-main")
    if not main:
        return "", ""
    first = page.all("span", inside=main[0])[0]
    after = [first, *page.all("span", class_="odds-after", inside=main[0])][-1]
    return first.text.removesuffix("%"), after.text.removesuffix("%")


def check_tile(who: str, link: Offer | None, page: Page) -> None:
    """The form has the chance that its tile told."""
    told = read_chances(page)[1]
    if link and link.chance and "do=" in link.address and told and told != link.chance:
        raise Found("tile", f"{who}: “{link.words}” opens a form of {told}% ({link.address})")


def check_card(table: Table, who: str, offer: Offer) -> None:
    """The card of someone on the map tells the chance that the form has with the same choices."""
    if not offer.key.startswith("card ") or not offer.chance or "plan" in offer.fields:
        return
    page = Page(table.get(who, f"{table.here}?{urlencode(offer.fields, doseq=True)}").content.decode())
    told = read_chances(page)[1]
    if told and told != offer.chance:
        raise Found("card", f"{who}: “{offer.words}” opens a form of {told}% ({offer.key})")


def tell_difference(wanted: bytes, given: bytes) -> str:
    """Where two stored states differ, but for the number of what was ever made: no id comes twice."""
    one, other = (to_builtins(decode(state)) for state in (wanted, given))
    return "; ".join(
        f"{key}: {one.get(key)!s:.300} but {other.get(key)!s:.300}"
        for key in {**one, **other}
        if key != "made" and one.get(key) != other.get(key)
    )


def check_history(table: Table) -> None:
    """The stored state is what its facts make it."""
    try:
        verify(table.encounter)
    except RuntimeError as wrong:
        raise Found("history", str(wrong)) from wrong


def _without_notices(lines: list[str]) -> Iterator[str]:
    """The lines of a page without what an answer alone says, such as why auto-play stopped."""
    inside = -1
    for line in lines:
        depth = len(line) - len(line.lstrip())
        if inside < 0 or depth <= inside:
            inside = depth if "('id', 'notices')" in line else -1
            if inside < 0:
                yield line


def check_regions(table: Table, who: str, page: OpenPage, address: str) -> None:
    """A page that took in what it lacked equals one that is asked for anew."""
    anew = OpenPage(table.browsers[who], address, page.folds)
    ours, theirs = list(_without_notices(page.shows())), list(_without_notices(anew.shows()))
    if ours != theirs:
        lines = [f"- {a}\n+ {b}" for a, b in zip(ours, theirs, strict=False) if a != b][:3]
        raise Found("regions", f"{who} at {address}:\n" + "\n".join(lines))
