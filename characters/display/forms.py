"""The forms of a sheet's sections, built from what the game declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from django import forms
from django.utils import timezone

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.map.bodies import MAX_METERS
from combat.rules.core.sheets.sheets import Draft, OwnStats, SheetPlan, Stat, find_lasting, find_meant
from cosmos_site.base.forms import CheckedField, PictureField, SiteForm, set_choices, wrong
from cosmos_site.base.markdown import HINT
from cosmos_site.base.pictures import PORTRAIT
from cosmos_site.base.tags import MAX_TAGS, clean_tags, list_tags

from ..faces import FACES
from ..games import plan_of
from ..models import Character
from ..services.character_service import MAX_NAME, MAX_NOTES
from ..story import MAX_EXPERIENCE, MAX_LINE, MAX_PART, PARTS, Story, clean_line, read_story
from .counters import CounterRows
from .number_fields import DecimalField, NumberInput, WholeField
from .sheet_view import ItemView

SPENT = "spent"  # experience that raised no number
STORY_HINTS = {
    "looks": "everyone who may read the sheet sees this",
    "background": "only you read this",
    "bonds": "people, debts and promises; only you read this",
}


class SectionForm(forms.Form):
    """A form of one section: its fields are filled from the sheet and check what is typed."""

    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "edit-%s", **kwargs})

    def focus(self) -> SectionForm:
        """The form itself, with its first field focused when shown."""
        next(iter(self.fields.values())).widget.attrs["autofocus"] = True
        return self


class NumbersForm(SectionForm):
    """The attributes or the skills, within the bounds that always hold.

    Where there is experience `left`, the same save can spend some of it.
    """

    def __init__(
        self, stats: tuple[Stat, ...], values: Mapping[str, int], left: int, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.stats = stats
        for number, stat in enumerate(stats):
            field = WholeField(label=stat.label, min_value=stat.low, max_value=stat.high)
            field.initial = values.get(stat.key, stat.usual)
            self.fields[f"n{number}"] = field
        if left > 0:
            self.fields["spent"] = WholeField(
                label="Experience spent",
                min_value=0,
                max_value=left,
                required=False,
                help_text=f"{left} to spend; blank: none",
            )

    def clean(self) -> None:
        """Refuse to spend experience on nothing."""
        raised = any(f"n{number}" in self.changed_data for number in range(len(self.stats)))
        if self.cleaned_data.get("spent") and not raised:
            self.add_error("spent", "Nothing has changed: raise a number above, or leave this blank.")

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields under the same headings as on the sheet; a heading without fields is left out."""
        found: dict[str, list[forms.BoundField]] = {}
        for number, stat in enumerate(self.stats):
            found.setdefault(stat.group, []).append(self[f"n{number}"])
        return list(found.items()) if len(found) > 1 else [("", [*chain.from_iterable(found.values())])]

    @property
    def spent(self) -> forms.BoundField | None:
        """The field of the experience that this spends; None where there is none left."""
        return self["spent"] if "spent" in self.fields else None

    def values(self) -> dict[str, int]:
        """The numbers of a valid form by key."""
        return {stat.key: stat.settle(self.cleaned_data[f"n{n}"]) for n, stat in enumerate(self.stats)}


class AboutForm(SectionForm):
    """The name, the choices from lists, and the space the character takes up on a map."""

    name = forms.CharField(label="Name", max_length=MAX_NAME)

    def __init__(
        self, plan: SheetPlan, name: str, meters: float, draft: Draft, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.plan = plan
        self.fields["name"].initial = name
        self.selections = tuple(s for s in find_meant(plan.selections, draft.chosen) if not s.passing)
        for selection in self.selections:
            value = draft.chosen.get(selection.key, "")
            choices = [(option.key, option.label) for option in selection.options]
            if value not in dict(choices):
                choices.insert(0, (value, value or "none"))
            if not selection.required and value:
                choices.insert(0, ("", "none"))
            field = forms.ChoiceField(label=selection.label, choices=choices, required=selection.required)
            field.initial, field.help_text = value, selection.text
            self.fields[f"chosen-{selection.key}"] = field
        self.fields["metres"] = DecimalField(
            label="Size on the map (m)",
            min_value=0,
            max_value=MAX_METERS,
            required=False,
            initial=meters or None,
            help_text="along each side; blank: one square",
        )
        if any(option.changes for selection in self.selections for option in selection.options):
            self.fields["move"] = forms.BooleanField(
                label="Adjust attributes to the new choice", required=False, initial=True
            )

    def chosen(self) -> dict[str, str]:
        """The choices of a valid form by key."""
        return {s.key: self.cleaned_data[f"chosen-{s.key}"] for s in self.selections}


class MoneyForm(SectionForm):
    """How much money there is."""

    def __init__(self, plan: SheetPlan, value: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert plan.money is not None
        self.fields["money"] = WholeField(
            label=plan.money.label, min_value=0, max_value=plan.money.most, initial=value
        )


class NotesForm(SectionForm):
    """Free text."""

    notes = forms.CharField(
        label="Notes",
        max_length=MAX_NOTES,
        required=False,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=f"{HINT}; each heading begins a section",
    )


class StoryForm(SectionForm):
    """Looks, background and bonds, and the tags by which a list is sorted."""

    def __init__(self, story: Story, tags: str, *args: Any) -> None:
        super().__init__(*args)
        for key, label in PARTS.items():
            self.fields[key] = forms.CharField(
                label=label,
                max_length=MAX_PART,
                required=False,
                initial=getattr(story, key),
                widget=forms.Textarea(attrs={"rows": 4}),
                help_text=STORY_HINTS[key],
            )
        self.fields["tags"] = CheckedField(
            clean_tags,
            label="Tags",
            required=False,
            initial=", ".join(list_tags(tags)),
            help_text=f"up to {MAX_TAGS} words with commas, to find them in your list",
        )


def list_raises(plan: SheetPlan, draft: Draft) -> list[tuple[str, str]]:
    """What experience can raise by one on a sheet, with the numbers before and after."""
    parts = (("skills", plan.skills, draft.skills), ("attributes", plan.attributes, draft.attributes))
    return [
        (f"{part}.{stat.key}", f"{stat.label} {now} → {stat.step(now, 1)}")
        for part, stats, values in parts
        for stat in find_meant(stats, draft.chosen)
        if (now := values.get(stat.key, stat.usual)) < stat.high and (now or not stat.lack)
    ]


class BoughtForm(SectionForm):
    """A line of the log of experience: what for, how many points came or went, and the day.

    Points are typed without a sign: the choice says whether they were earned or spent. A minus spends too.
    """

    what = CheckedField(
        lambda words: clean_line(words, "").what,
        label="What for",
        widget=forms.TextInput({"maxlength": MAX_LINE, "placeholder": "The cargo deck"}),
    )
    points = WholeField(
        label="Points",
        min_value=-MAX_EXPERIENCE,
        max_value=MAX_EXPERIENCE,
        required=False,
        widget=NumberInput({"placeholder": "3"}),
    )
    raises = forms.ChoiceField(label="Earned or spent", required=False)
    on = CheckedField(
        lambda day: clean_line("-", day).on,
        label="Day",
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, system: System, character: Character, *args: Any) -> None:
        super().__init__(*args, auto_id="bought-%s")
        plan = plan_of(system)
        raises = [
            (key, f"spent on {change}") for key, change in list_raises(plan, plan.read(character.sheet))
        ]
        set_choices(self, "raises", [("", "earned"), (SPENT, "spent on something else"), *raises])
        self.fields["on"].initial = timezone.localdate().isoformat()
        if not self.is_bound:
            self.fields["on"].widget.attrs["data-today"] = ""


class AmmunitionForm(SectionForm):
    """What is left in an item, and its spare magazines."""

    def __init__(self, view: ItemView, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.view = view
        if view.capacity is not None:
            self._add("loaded", "Rounds loaded", view.item.loaded or 0, view.capacity)
            self._add("spares", "Spare magazines", view.item.spares, 99)

    def _add(self, name: str, label: str, value: int, most: int, least: int = 0) -> None:
        self.fields[name] = WholeField(label=label, min_value=least, max_value=most, initial=value)

    def changed(self) -> dict[str, Any]:
        """The changed fields of the item, from a valid form."""
        return self.cleaned_data


class ItemForm(AmmunitionForm):
    """The rounds of an item, how many there are, and its damage."""

    def __init__(self, view: ItemView, *args: Any, **kwargs: Any) -> None:
        super().__init__(view, *args, **kwargs)
        self._add("count", "Quantity", view.item.count, 999, least=1)
        for wear in view.wear:
            self._add(f"wear-{wear.key}", wear.label, wear.value, wear.most)

    def changed(self) -> dict[str, Any]:
        """The changed fields of the item, from a valid form."""
        data = self.cleaned_data
        wear = {w.key: data[f"wear-{w.key}"] for w in self.view.wear if data[f"wear-{w.key}"]}
        kept: dict[str, Any] = {n: data[n] for n in ("loaded", "spares", "count") if n in data}
        return {**kept, "wear": wear}


def _read_name(words: str) -> str:
    if not (name := tidy(words)[:MAX_NAME]):
        raise Refused("bad_value", "Enter a name.")
    return name


class OwnForm(SectionForm):
    """A number of the player's own by its name; without a value it is removed."""

    name = CheckedField(_read_name, label="Name", widget=forms.TextInput({"maxlength": MAX_NAME}))
    kind = forms.ChoiceField(label="Kind", error_messages=wrong("Choose one of the list."))

    def __init__(self, own: OwnStats, *args: Any) -> None:
        super().__init__(*args, auto_id="own-%s")
        set_choices(self, "kind", own.kinds)
        widget = NumberInput({"placeholder": "empty: remove"})
        self.fields["points"] = WholeField(
            label="Ranks", min_value=0, max_value=own.high, required=False, widget=widget
        )


class ConditionForm(SectionForm):
    """A lasting condition, its level, and a name if there is more than one of it."""

    kind = forms.ChoiceField(label="Condition", error_messages=wrong("Choose a condition from the list."))
    level = WholeField(label="Level", min_value=1, max_value=20, initial=1, required=False)
    note = forms.CharField(label="Name", max_length=100, required=False)

    def __init__(self, system: System, sheet: dict[str, Any], *args: Any) -> None:
        super().__init__(*args, auto_id="condition-%s")
        kinds = find_lasting(plan_of(system), sheet)
        self.labels = {kind: system.characters.describe_condition(kind).label for kind in kinds}
        set_choices(self, "kind", self.labels.items())


class CountersForm(SectionForm):
    """The counters with which someone joins a fight."""

    def __init__(self, sheet: dict[str, Any], secrets: bool, *args: Any) -> None:
        super().__init__(*args)
        self.counters = CounterRows(self, sheet, secrets)

    def clean(self) -> None:
        """Check the rows against each other."""
        self.counters.check()

    def rows(self) -> list[list[forms.BoundField]]:
        """The fields of each counter."""
        return [[self[name] for name in names] for names in self.counters]


class FaceChoices(forms.RadioSelect):
    """A choice of one of the drawn faces."""

    template_name = "characters/portraits/face_choices.html"


class FaceField(forms.ChoiceField):
    """A drawn face, or none."""

    widget = FaceChoices

    def __init__(self, **shown: Any) -> None:
        choices = [("", "No face"), *((face.key, face.name) for face in FACES)]
        super().__init__(choices=choices, required=False, **shown)


class FaceForm(SiteForm):
    """The face of a person at a table."""

    face = FaceField()


class PortraitForm(SectionForm):
    """A picture to upload, or a drawn face."""

    field_order = ("picture", "face")

    face = FaceField()

    picture = PictureField(
        PORTRAIT, 1024, label="Picture", help_text="JPEG, PNG or WebP. Camera location and time are removed"
    )
    picture.widget.attrs["required"] = True  # without it there is nothing to save


WORDS: dict[str, Callable[[System, Character, Any], SectionForm]] = {  # sections without numbers of a game
    "notes": lambda system, character, data: NotesForm(data, initial={"notes": character.notes}),
    "story": lambda system, character, data: StoryForm(read_story(character.story), character.tags, data),
    "bought": lambda system, character, data: BoughtForm(system, character, data),
    "portrait": lambda system, character, data: PortraitForm(data, initial={"face": character.face}),
}


def make_section_form(
    section: str, system: System, character: Character, data: Any = None, item: ItemView | None = None
) -> SectionForm | None:
    """The form of a section, filled from the sheet or bound to what was sent; None for an unknown section."""
    plan = plan_of(system)
    draft = plan.read(character.sheet)
    if section == "about":
        return AboutForm(plan, character.name, character.sheet.get("metres", 0), draft, data)
    if section == "attributes":
        stats = find_meant(plan.attributes, draft.chosen)
        return NumbersForm(stats, draft.attributes, read_story(character.story).experience, data)
    if section == "skills":
        stats = find_meant(plan.skills, draft.chosen)
        return NumbersForm(stats, draft.skills, read_story(character.story).experience, data)
    if section == "money" and plan.money:
        return MoneyForm(plan, character.sheet.get(plan.money.key, 0), data)
    if section in WORDS:
        return WORDS[section](system, character, data)
    if section == "counters":
        return CountersForm(character.sheet, character.npc, data)
    if section == "own" and plan.own:
        return OwnForm(plan.own, data)
    if section == "add_condition":
        return ConditionForm(system, character.sheet, data)
    if section == "ammunition" and item:
        return AmmunitionForm(item, data, auto_id=f"{item.item.id}-%s")
    return ItemForm(item, data) if section == "item" and item else None
