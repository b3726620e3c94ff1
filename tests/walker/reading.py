"""What a page offers: its buttons with all that they send, and its links."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from tests.combat.markup import Element, Page

Fields = dict[str, list[str]]
UNSEEN = ("csrfmiddlewaretoken", "version")  # what a form has beside what a person chose
SENT_HTML = "application/x-www-form-urlencoded"
WRITTEN = ("text", "number", "search", "", "email", "url")


@dataclass(frozen=True)
class Choice:
    """A field that a person may fill: its options, or none for what is written."""

    name: str
    options: tuple[str, ...] = ()
    many: bool = False
    numeric: bool = False
    needed: bool = False  # a browser does not send the form while it is empty


@dataclass(frozen=True)
class Offer:
    """A button or a link: where it leads, what it sends as it stands, and what may be filled otherwise.

    `lacks` are needed fields that are empty. `is_filled`: it is drawn as the thing to do now.
    """

    key: str
    words: str
    method: str
    address: str
    fields: Fields = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    is_filled: bool = False
    price: str = ""
    chance: str = ""

    @property
    def lacks(self) -> tuple[str, ...]:
        return tuple(
            one.name for one in self.choices if one.needed and not any(self.fields.get(one.name, [""]))
        )

    def options_of(self, name: str) -> list[str]:
        """The options of a field, without the empty one."""
        return [value for one in self.choices if one.name == name for value in one.options if value]

    @property
    def do(self) -> str:
        """What it says that it does: the name of an action."""
        return self.fields.get("do", [""])[0]


def find_offers(page: Page, at: str) -> list[Offer]:
    """All that a page at this address offers, in its order; the same offer once."""
    found = [*_find_buttons(page, at), *_find_cards(page, at), *_find_links(page, at)]
    return list({one.key: one for one in reversed(found)}.values())[::-1]


def _find_buttons(page: Page, at: str) -> Iterator[Offer]:
    forms, fields_of = _sort_fields(page)
    read: dict[int, tuple[Fields, list[Choice]]] = {}
    for button in page.all("button"):
        if _is_shut(button) or button["type"] in ("button", "reset"):
            continue
        form = forms.get(button["form"]) if button["form"] else _find_form(button)
        if form is None:
            continue
        if form.number not in read:
            read[form.number] = _read_fields(page, fields_of.get(form.number, []))
        yield _read_button(at, form, button, *read[form.number])


def _is_shut(one: Element) -> bool:
    """Whether an element is disabled, or stands in a group that is."""
    groups = (up for up in one.parents if up.tag == "fieldset")
    return "disabled" in one.attrs or any("disabled" in group.attrs for group in groups)


def _find_form(one: Element) -> Element | None:
    """The form that an element stands in."""
    up = one.parent
    while up is not None and up.tag != "form":
        up = up.parent
    return up


def _sort_fields(page: Page) -> tuple[dict[str, Element], dict[int, list[Element]]]:
    """The forms of a page by their ids, and the fields of each by its number."""
    forms = {form["id"]: form for form in page.all("form") if form["id"]}
    fields: dict[int, list[Element]] = {}
    for one in sorted(
        (e for tag in ("input", "select", "textarea") for e in page.all(tag)), key=lambda e: e.number
    ):
        form = forms.get(one["form"]) if one["form"] else _find_form(one)
        if form is not None:
            fields.setdefault(form.number, []).append(one)
    return forms, fields


def _read_button(at: str, form: Element, button: Element, sent_so: Fields, choices: list[Choice]) -> Offer:
    fields, page = dict(sent_so), button.page
    if button["name"]:
        fields[button["name"]] = [button["value"]]
    sent = button["hx-post"] or button["formaction"] or form["hx-post"] or form["action"]
    method = "post" if button["hx-post"] else (form["method"] or "get").lower()
    address = urljoin(at, sent) if sent else at
    if method == "get":
        address = f"{address.split('?')[0].split('#')[0]}?{urlencode(fields, doseq=True)}"
    looks = button["class"].split()
    small = " ".join(one.text for one in page.all("small", inside=button))
    words = button.text.partition("·")[2].partition("%")[0].strip()
    return Offer(
        key=name_offer(method, address, button, fields),
        words=button.text,
        method=method,
        address=address.split("#")[0],
        fields=fields if method == "post" else {},
        choices=tuple(choices),
        is_filled="btn-primary" in looks and button["aria-disabled"] != "true",
        price=small,
        chance=words if words.replace(".", "").isdigit() else "",
    )


def name_offer(method: str, address: str, button: Element, fields: Fields) -> str:
    """How an offer is found again on a page made anew: its address, its own value, what nobody chooses."""
    fixed = {
        n: v
        for n, v in fields.items()
        if n
        in (
            "do",
            "target",
            "combatant",
            "row",
            "condition",
            "item",
            "shape",
            "deck",
            "door",
            "thing",
            "clock",
            "key",
            "wish",
            "question",
        )
    }
    own = f"{button['name']}={button['value']}" if button["name"] else button["id"] or button.text
    return f"{method} {urlsplit(address).path} {urlencode(fixed, doseq=True)} {own}"


def _read_fields(page: Page, elements: list[Element]) -> tuple[Fields, list[Choice]]:
    """What a browser would send for these fields, and what may be chosen in them."""
    fields, choices = Fields(), dict[str, Choice]()
    for one in elements:
        name = one["name"]
        if not name or _is_shut(one) or one["type"] == "file":
            continue
        values, choice = _read_field(page, one)
        if values:
            fields[name] = [*fields.get(name, ()), *values]
        if choice and name not in UNSEEN:
            former = choices.get(name)
            options = (*former.options, *choice.options) if former else choice.options
            choices[name] = Choice(name, options, choice.many, choice.numeric, choice.needed)
    return fields, list(choices.values())


def _read_field(page: Page, one: Element) -> tuple[list[str], Choice | None]:
    """The values that a field sends as it stands, and its choice."""
    name, needed = one["name"], "required" in one.attrs
    if one.tag == "select":
        options = [o for o in page.all("option", inside=one) if "disabled" not in o.attrs]
        values = [o.attrs.get("value", o.text) for o in options]
        chosen = [o.attrs.get("value", o.text) for o in options if "selected" in o.attrs]
        many = "multiple" in one.attrs
        return (chosen or ([] if many else values[:1])), Choice(name, tuple(values), many, needed=needed)
    if one.tag == "textarea":
        return [one.text], Choice(name, needed=needed)
    if one["type"] in ("checkbox", "radio"):
        value = one.attrs.get("value", "on")
        many = one["type"] == "checkbox"
        return ([value] if "checked" in one.attrs else []), Choice(
            name, (value,), many, needed=needed and not many
        )
    if one["type"] == "hidden":
        return [one["value"]], None
    numeric = one["inputmode"] in ("numeric", "decimal") or one["type"] == "number"
    return [one["value"]], Choice(name, numeric=numeric, needed=needed)


def _find_cards(page: Page, at: str) -> Iterator[Offer]:
    """The button of a card on the map, which sends its fields by the form of the map."""
    for button in page.all("button"):
        if "data-sends" in button.source and (sent := button["data-sends"]):
            fields = {name: [str(value)] for name, value in json.loads(sent).items()}
            small = " ".join(one.text for one in page.all("small", inside=button))
            chance = button.text.partition("·")[2].partition("%")[0].strip()
            yield Offer(f"card {sent}", button.text, "post", at, fields, (), True, small, chance)


def _find_links(page: Page, at: str) -> Iterator[Offer]:
    """Links, and what a page fetches by itself or when something is opened, with the fields it sends."""
    fields_of: dict[int, list[Element]] | None = None
    for one in page.elements:
        if one.tag != "a" and "hx-get" not in one.source:
            continue
        target = one["hx-get"] or (one["href"] if one.tag == "a" else "")
        if (
            not target
            or target.startswith("#")
            or "download" in one.attrs
            or one.tag in ("input", "textarea")
        ):
            continue
        address = urljoin(at, target).split("#")[0]
        if urlsplit(address).netloc:
            continue
        if one["hx-include"] == "closest form" and (form := _find_form(one)):
            fields_of = fields_of or _sort_fields(page)[1]
            sent = _keep_sent(one, _read_fields(page, fields_of.get(form.number, []))[0])
            address += f"{'&' if '?' in address else '?'}{urlencode(sent, doseq=True)}"
        yield Offer(f"get {address}", one.text, "get", address, chance=_read_chance(one))


def _keep_sent(one: Element, fields: Fields) -> Fields:
    """Those of a form's fields that an element asks with: all, or those that it names."""
    asked = one["hx-params"] or "*"
    named = asked.removeprefix("not ").split(",")
    kept = [name for name in fields if asked == "*" or (name in named) != asked.startswith("not ")]
    return {name: fields[name] for name in kept if name not in UNSEEN}


def _read_chance(link: Element) -> str:
    """The chance in percent that a link names, empty for none."""
    bold = [one.text for one in link.page.all("b", inside=link) if one.text.endswith("%")]
    return bold[0][:-1] if bold else ""


def query_of(address: str) -> dict[str, str]:
    """The query of an address."""
    return dict(parse_qsl(urlsplit(address).query))


def fill(offer: Offer, changes: dict[str, Any]) -> Fields:
    """What is sent when some fields are filled otherwise."""
    return {**offer.fields, **{name: list(value) for name, value in changes.items()}}
