"""Forms inside a page's own <form>, and forms whose drawings can be kept."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from crispy_forms.helper import FormHelper
from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.forms.widgets import ChoiceWidget

from combat.rules.core.basics.errors import Refused

from .errors import UNPROCESSABLE, status_of
from .pictures import Picture, PictureKind, remake

T = TypeVar("T")


def set_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    """Give a choice field its choices: pairs of value and label, or a heading with such pairs."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def check(read: Callable[[], T]) -> T:
    """What the rules read; ValidationError in their words if they refuse it."""
    try:
        return read()
    except Refused as refused:
        raise forms.ValidationError(refused.message, code=refused.code) from refused


class CheckedField(forms.CharField):
    """A text as a service reads it, refused in the service's words."""

    def __init__(self, read: Callable[[str], str], **shown: Any) -> None:
        super().__init__(**shown)
        self.read = read

    def clean(self, value: Any) -> str:
        """The text as the service keeps it."""
        text = self.to_python(value) or ""
        ProhibitNullCharactersValidator()(text)
        return check(lambda: self.read(text))


class UploadField(forms.FileField):
    """A file of at most so many bytes: its bytes, at most one more for their reader to refuse."""

    def __init__(self, most: int, **shown: Any) -> None:
        super().__init__(**shown)
        self.most = most
        self.error_messages |= {"required": "Choose a file first."}

    def clean(self, data: Any, initial: Any = None) -> Any:
        """The bytes; None without a file."""
        if not data:
            return super().clean(data, initial)
        return self.make(data.read(self.most + 1))

    def make(self, raw: bytes) -> Any:
        """What is made of the bytes."""
        return raw


class PictureField(UploadField):
    """A picture, made smaller by the browser before it is sent and remade here."""

    def __init__(self, kind: PictureKind, shrink: int, **shown: Any) -> None:
        attrs = {"accept": "image/jpeg,image/png,image/webp", "data-shrink": shrink}
        super().__init__(kind.max_bytes, widget=forms.FileInput(attrs), **shown)
        self.kind = kind

    def make(self, raw: bytes) -> Picture:
        """The picture, remade."""
        return check(lambda: remake(raw, self.kind))


class GroupedChecks(forms.CheckboxSelectMultiple):
    """Boxes to tick under the headings of their groups."""

    template_name = "cosmos/grouped_checks.html"


class SiteForm(forms.Form):
    """A form inside a page's own <form>; what is refused stays typed, with the reasons at its fields."""

    use_required_attribute = False
    status = 200  # of an answer with this form

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag, self.helper.disable_csrf = False, True

    def carry_out(self, do: Callable[[dict[str, Any]], T]) -> T | None:
        """What `do` makes of the checked values; None if they, or `do`, were refused."""
        if not self.is_valid():
            self.status = UNPROCESSABLE
            return None
        try:
            return do(self.cleaned_data)
        except Refused as refused:
            self.add_error(None, refused.message)
            self.status = status_of(refused)
            return None


class KeptForm(forms.Form):
    """A form whose drawing can be kept: until something is typed, it is drawn from its fields alone."""

    def find_drawn(self) -> list[Any]:
        """Everything that an empty form is drawn from; TypeError if something was typed into it."""
        if self.is_bound:
            raise TypeError("a form with what was typed")
        return [type(self).__qualname__, self.auto_id, *map(_find_drawn, self)]


def _find_drawn(bound: forms.BoundField) -> tuple[Any, ...]:
    field = bound.field
    choices = list(field.widget.choices) if isinstance(field.widget, ChoiceWidget) else []
    return (
        bound.name,
        bound.label,
        bound.help_text,
        field.required,
        field.widget.attrs,
        choices,
        bound.value(),
    )
