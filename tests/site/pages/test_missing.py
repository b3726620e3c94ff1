"""Templates that read what is not there are found."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.template import Context, Origin, Template

from tests.plugins.missing import OURS, NotThereError

GAME = SimpleNamespace(name="Tiny", book=None)


def render(source: str, folder: str = OURS) -> str:
    """A template as if it were in a folder, with a game."""
    template = Template(source, origin=Origin(f"{folder}/help/page.html"))
    return template.render(Context({"game": GAME}))


@pytest.mark.parametrize(
    "source",
    [
        "{{ game.options|length }}",
        "{{ gmae.name }}",
        "{% if game.options %}yes{% endif %}",
        "{% for one in game.options %}{% endfor %}",
        "{% with options=game.options %}{% endwith %}",
    ],
)
def test_what_is_not_there_is_an_error(source: str) -> None:
    with pytest.raises(NotThereError, match=r"help/page\.html reads"):
        render(source)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("{{ game.name }}", "Tiny"),
        ("{{ game.book.options }}", ""),
        ('{{ typed.name|default:"none" }}', "none"),
        ("{% if refused %}no{% endif %}", ""),
    ],
)
def test_what_may_be_missing_is_written_as_nothing(source: str, shown: str) -> None:
    assert render(source) == shown


def test_templates_of_others_are_left_alone() -> None:
    assert render("{{ game.options }}", folder="/elsewhere") == ""
