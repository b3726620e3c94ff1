"""Forms inside a page's own <form>."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Layout
from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from combat.rules.core.basics.errors import Refused

from .errors import UNPROCESSABLE, status_of
from .pictures import Picture, PictureKind, remake

T = TypeVar("T")
NONE: Mapping[str, Iterable[Any]] = MappingProxyType({})


def set_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    """Give a choice field its choices: pairs of value and label, or a heading with such pairs."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def wrong(words: str) -> dict[str, str]:
    """The messages of a field without a choice, or with a strange one."""
    return dict.fromkeys(("required", "invalid_choice", "invalid_pk_value"), words)


def check(read: Callable[[], T]) -> T:
    """What the rules read; ValidationError in their words if they refuse it."""
    try:
        return read()
    except Refused as refused:
        raise forms.ValidationError(refused.message, code=refused.code) from refused


class CheckedField(forms.CharField):
    """A text as a service reads it, refused in the service's words."""

    def __init__(self, read: Callable[[str], Any], **shown: Any) -> None:
        super().__init__(**shown)
        self.read = read

    def clean(self, value: Any) -> Any:
        """The text, or what is made of it, as the service keeps it."""
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
    """A picture, made smaller by the browser before it is sent if it should be, and remade here."""

    def __init__(self, kind: PictureKind, shrink: int | None, **shown: Any) -> None:
        attrs = {"accept": "image/jpeg,image/png,image/webp"} | ({"data-shrink": shrink} if shrink else {})
        super().__init__(kind.max_bytes, widget=forms.FileInput(attrs), **shown)
        self.kind = kind

    def make(self, raw: bytes) -> Picture:
        """The picture, remade."""
        return check(lambda: remake(raw, self.kind))


class SearchInput(forms.TextInput):
    """Words to search for, with an example; "/" leads there."""

    input_type = "search"

    def __init__(self, example: str) -> None:
        super().__init__({"placeholder": example, "data-key": "/", "autocomplete": "off"})


class SiteForm(forms.Form):
    """A form inside a page's own <form>; what is refused stays typed, with the reasons at its fields."""

    use_required_attribute = False
    ids = "%s"  # of its fields
    rows: tuple[tuple[str, ...], ...] = ()  # names of fields side by side; without rows, one below another
    status = 200  # of an answer with this form

    def __init__(self, *args: Any, choices: Mapping[str, Iterable[Any]] = NONE, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": self.ids, **kwargs})
        for name, pairs in choices.items():
            set_choices(self, name, pairs)
        self.helper = FormHelper()
        self.helper.form_tag, self.helper.disable_csrf = False, True
        if self.rows:
            self.helper.layout = Layout(*(Div(*names, css_class="form-row") for names in self.rows))

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


def see_other(to: str, *args: Any) -> HttpResponse:
    """A 303 to a named page: the browser fetches it with GET."""
    answer = redirect(to, *args)
    answer.status_code = 303
    return answer


# Whether htmx asks for a part of a page, and what a script says with it.


def is_htmx(request: HttpRequest) -> bool:
    """Whether a script asks for part of a page, rather than a browser for the whole page."""
    return find_header(request, "HX-Request") == "true"


def find_header(request: HttpRequest, name: str) -> str:
    """The value of a header, empty without one; `request.headers` would read all of them first."""
    value: str = request.META.get(f"HTTP_{name.upper().replace('-', '_')}", "")
    return value


def lead_on(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """A redirect so that a script reads the whole page, too."""
    return (
        HttpResponse(status=204, headers={"HX-Redirect": answer["Location"]}) if is_htmx(request) else answer
    )
