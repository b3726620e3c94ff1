"""Forms of lists, imports, NPCs and new characters, drawn as their pages read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from combat.rules.core.sheets.foreign import Question
from cosmos_site.base.forms import SearchInput, SiteForm, wrong

from ..creation.creation_view import CreationView
from ..display.forms import FaceChoices, FaceField, PortraitForm
from ..display.number_fields import NumberInput
from ..exchange.reading import PREFIX
from ..games import find_games
from ..services.character_service import MAX_NAME

SKIP, AGAIN, REPLACE = "skip", "again", "replace"  # what to do with characters that someone has already
TWINS = "Those you have already"
TWIN_CHOICES = [
    ("", "Choose…"),
    (REPLACE, "replace mine with those of the file"),
    (SKIP, "leave them out"),
    (AGAIN, "import them again, as others"),
]


class FindForm(SiteForm):
    """Words to search a list by."""

    q = forms.CharField()

    def __init__(self, label: str, example: str, **said: Any) -> None:
        super().__init__(initial=said)
        self.fields["q"].label, self.fields["q"].widget = label, SearchInput(example)


class ImportForm(SiteForm):
    """A file or its text, and the game if the file names none."""

    file = forms.FileField(
        label="JSON, CSV or text file",
        widget=forms.FileInput({"accept": "application/json,text/csv,text/plain,.json,.csv,.txt"}),
    )
    text = forms.CharField(label="or paste it", widget=forms.Textarea({"rows": 8, "spellcheck": "false"}))
    game = forms.ChoiceField(label="Game, if the file names none", widget=forms.RadioSelect)


class QuestionsForm(SiteForm):
    """What a file leaves open: a choice for each question, answered in the form that confirms the import."""

    use_required_attribute = True

    def __init__(self, questions: Iterable[Question], *sent: Any) -> None:
        super().__init__(*sent)
        for question in questions:
            choices = question.options if question.chosen else (("", "Choose…"), *question.options)
            self.fields[PREFIX + question.key] = forms.ChoiceField(
                label=question.text,
                choices=choices,
                initial=question.chosen,
                error_messages=wrong("Choose one of the list."),
            )


class DuplicatesForm(SiteForm):
    """What becomes of characters that someone has already."""

    use_required_attribute = True
    twins = forms.ChoiceField(
        label=TWINS, choices=TWIN_CHOICES, error_messages=wrong("Choose one of the list.")
    )


class LinesForm(SiteForm):
    """NPCs, in a line each."""

    lines = forms.CharField(
        label="One line for each",
        widget=forms.Textarea({"rows": 4, "maxlength": 8000, "spellcheck": "false"}),
    )


class MakingForm(SiteForm):
    """What is typed of a new character besides its numbers; the line and the profile fill these in."""

    feeds = {"class": "feeds", "autocomplete": "off"}  # what the page is drawn again for
    name = forms.CharField(
        label="Character name", max_length=MAX_NAME, widget=forms.TextInput({"autocomplete": "off"})
    )
    face = FaceField(widget=FaceChoices({"class": "feeds"}))
    picture = PortraitForm.base_fields["picture"]
    line = forms.CharField(
        label="One line of text",
        max_length=400,
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    profile = forms.CharField(
        max_length=20,
        widget=forms.TextInput(feeds | {"autocapitalize": "characters", "spellcheck": "false"}),
    )
    money = forms.CharField(widget=NumberInput({"class": "feeds number", "inputmode": "numeric"}))

    def __init__(self, view: CreationView, line: str, nameless: bool) -> None:
        builder, lines = view.builder, view.builder.system.book.imports.lines
        profile, typed = view.profile or (None, "")
        said = {"name": builder.name, "face": builder.face, "money": builder.money}
        super().__init__(initial=said | {"line": line, "profile": typed})
        if lines:
            self.fields["line"].help_text = f"{lines.help} Such as: {lines.example}"
        if profile:
            self.fields["profile"].label, self.fields["profile"].help_text = profile.label, profile.help
        if builder.purse:
            self.fields["money"].label = builder.purse.label
        if nameless:
            self.fields["name"].widget.attrs |= {"aria-invalid": "true", "autofocus": True}


class CopyForm(SiteForm):
    """A character to copy."""

    character = forms.ChoiceField(label="Your character")


def list_games() -> list[tuple[str, str]]:
    """The games to choose from."""
    return [(system.slug, system.name) for system in find_games()]
