"""Fields of forms: a box that starts selected can be cleared, and the form sends that."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from combat.display.forms.action_form import OpenForm
from combat.display.forms.fields import find_dead_end, make_form, prefilled, read_fields
from combat.display.forms.odds_panel import OddsPanel, refuse
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, Field, Preview
from combat.rules.core.state.state import State, replace
from tests.combat.markup import Page
from tests.combat.rules.games import find_game
from tests.combat.visit import ZARA, Visit


class Enter(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Get in, strapped in unless stated otherwise."""

    secured: bool = True
    quiet: bool = False
    speed: int = 0


class Go(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go to a place."""

    to: str = ""


FIELDS = (
    Field("secured", "Strapped in", "flag", value="true", required=False),
    Field("quiet", "Quietly", "flag", required=False),
    Field("speed", "Speed, km/h", "number", value="0", required=False),
)


def make_action(label: str, command: type[Command], *fields: Field) -> Action:
    """An action that does nothing, with a form of these fields."""
    return Action(
        name=label.lower(),
        label=label,
        group="Move",
        type=command,
        run=lambda context, command: None,
        find_fields=lambda state, actor: fields,
    )


ENTER = make_action("Get in", Enter, *FIELDS)
STATE = State("cosmos")


def send(*ticked: str) -> dict[str, object]:
    """The values read from the form as a browser sends it with these boxes selected."""
    page = Page(str(make_form(ENTER, STATE, "").as_p()))
    pairs = []
    for box in page.all("input"):
        if box["name"] in ("secured", "quiet") and (box["type"] == "hidden" or box["name"] in ticked):
            pairs.append(f"{box['name']}={box['value']}")
    assert pairs or not ticked
    return read_fields(ENTER, STATE, "", QueryDict("&".join(pairs)))


def test_box_ticked_at_first_is_true_only_with_its_tick() -> None:
    assert send("secured") == {"secured": "true"}
    assert send() == {"secured": "false"}


def test_box_that_is_empty_at_first_says_nothing_without_a_tick() -> None:
    assert send("secured", "quiet") == {"secured": "true", "quiet": "true"}


@pytest.mark.parametrize("word", ["fast", "12.5"])
def test_word_for_a_number_is_refused_by_the_visible_label(word: str) -> None:
    with pytest.raises(Refused, match=f"^Get in: “Speed, km/h” must be a whole number, not “{word}”"):
        read_fields(ENTER, STATE, "", QueryDict(f"speed={word}"))


class Fall(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fall this far, in meters."""

    metres: int


def test_empty_field_that_is_needed_is_named_by_its_label() -> None:
    fall = make_action("Fall", Fall, Field("metres", "Distance (m)", "number", value="5"))
    with pytest.raises(Refused, match=r"^Fall: “Distance \(m\)” is missing\.$"):
        read_fields(fall, STATE, "", QueryDict("metres="))


class Mend(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Repair this many points."""

    points: int = 1


def test_an_action_may_have_points_of_its_own() -> None:
    field = Field("points", "Points", "number", value="1", low=1, high=9)
    mend = make_action("Mend", Mend, field)
    assert read_fields(mend, STATE, "", QueryDict("points=2")) == {"points": "2"}


class Curse(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Curse someone."""

    source: str = ""


@pytest.mark.parametrize("fields", [(), (Field("source", "From", "text", required=False),)])
def test_what_only_the_app_says_is_taken_if_the_form_asks_for_it(fields: tuple[Field, ...]) -> None:
    curse = make_action("Curse", Curse, *fields)
    if fields:
        assert read_fields(curse, STATE, "", QueryDict("source=a+witch")) == {"source": "a witch"}
        return
    with pytest.raises(Refused, match="has no field “source”"):
        read_fields(curse, STATE, "", QueryDict("source=a+witch"))


class Signal(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Talk by these means."""

    kinds: tuple[str, ...]
    target: str = ""


BY = Field("kinds", "By", "many", (Choice("voice", "Voice"), Choice("radio", "Radio")), "voice,radio")
NOBODY = Field("target", "Who", "target")


class Try(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Try something, with a skill or with none."""

    skill: str = ""
    aim: str = ""


SKILLS = (Choice("", "none"), Choice("combat", "Combat"))


def test_none_is_a_choice_where_the_form_begins_with_another_one() -> None:
    """It would else read as not said, and get the first value of the form again."""
    skill = Field("skill", "Skill", options=SKILLS, value="combat", required=False)
    attempt = make_action("Try", Try, skill, Field("aim", "Aim", options=SKILLS, required=False))
    assert read_fields(attempt, STATE, "", QueryDict("skill=&aim=")) == {"skill": ""}
    assert read_fields(attempt, STATE, "", QueryDict("aim=")) == {}


def test_none_stays_chosen_when_the_form_opens_again(visit: Visit) -> None:
    begun, again = (visit.open_form("skill", ZARA, **asked) for asked in ({}, {"skill": ""}))
    assert [page.fields(form)["skill"] for page, form in (begun, again)] == ["Combat", ""]


def test_boxes_ticked_at_first_count_in_an_untouched_form() -> None:
    assert prefilled(make_action("Signal", Signal, BY), STATE, "") == {"kinds": ["voice", "radio"]}
    bare = Field("kinds", "By", "many", BY.options)
    assert prefilled(make_action("Signal", Signal, bare), STATE, "") == {"kinds": []}


def test_form_with_nobody_to_choose_says_so() -> None:
    assert (
        find_dead_end(make_action("Signal", Signal, NOBODY), (NOBODY,))
        == "Signal: there is nobody to choose."
    )


@pytest.mark.parametrize(
    ("panel", "fields", "has_sum"),
    [
        (OddsPanel(Preview(dice="2d10")), (), True),
        (refuse("Out of reach."), FIELDS[:1], True),
        (refuse("Ada is in already."), (), False),
        (None, (), False),
    ],
)
def test_number_is_added_by_hand_where_there_is_or_may_be_a_roll(
    panel: OddsPanel | None, fields: tuple[Field, ...], has_sum: bool
) -> None:
    """With other fields the rules may allow the roll; without any field they refuse it for now."""
    action = replace(make_action("Get in", Enter, *fields), preview=lambda state, command: Preview())
    opened = OpenForm(find_game("cosmos"), action, make_form(action, STATE, ""), panel, "")
    assert opened.has_sum == has_sum


def test_place_may_be_typed_as_coordinates_in_the_games_unit() -> None:
    """Guardians measures in yards: the words name no unit."""
    spot = Field("to", "To", "place", options=(Choice("zone:hall", "Hall"),))
    page = Page(str(make_form(make_action("Go", Go, spot), STATE, "").as_p()))
    assert page.one("input", name="to-free")["aria-label"] == "or coordinates as x,y"
