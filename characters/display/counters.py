"""The counters of a sheet as rows of fields: in the sheet's own form, and in that of an NPC."""

from __future__ import annotations

from typing import Any

from django import forms

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.data import as_plain, convert
from combat.rules.core.gm.counters import ALL, GM, REFILLS
from combat.rules.core.sheets.sheets import MAX_COUNTED, MAX_COUNTERS, MAX_NAME, USUAL_MOST, SheetCounter

from .number_fields import WholeField

ROWS = 2  # at least
FIELDS = ("name", "left", "most", "refills", "shown")
SEEN_BY = ((ALL, "everyone"), (GM, "only the GM"))


def list_counters(sheet: dict[str, Any]) -> list[SheetCounter]:
    """The counters of a valid sheet."""
    return [convert(one, SheetCounter) for one in sheet.get("counters") or ()]


class CounterRows:
    """The rows of a form: one for each counter, and a free one.

    A row without a name is no counter. Only a form with `secrets` can hide one from players.
    """

    def __init__(self, form: forms.Form, sheet: dict[str, Any], secrets: bool = False) -> None:
        self.form, known = form, list_counters(sheet)
        self.secrets = secrets or any(one.gm for one in known)
        for number in range(min(MAX_COUNTERS, max(ROWS, len(known) + 1))):
            self._add(number, known[number] if number < len(known) else None)
        self.count = number + 1

    def _add(self, number: int, known: SheetCounter | None) -> None:
        name = forms.CharField(label="Counter", max_length=MAX_NAME, required=False)
        name.initial = known.name if known else ""
        left = WholeField(label="Left", min_value=0, max_value=MAX_COUNTED, required=False)
        left.initial = known.left if known else None
        left.widget.attrs["placeholder"] = "all"
        most = WholeField(label="of", min_value=1, max_value=MAX_COUNTED)
        most.initial = known.most if known else USUAL_MOST
        refills = forms.ChoiceField(label="Refills", choices=list(REFILLS.items()), required=False)
        refills.initial = known.refills if known else "hand"
        found: dict[str, forms.Field] = {"name": name, "left": left, "most": most, "refills": refills}
        if self.secrets:
            shown = forms.ChoiceField(label="In a fight seen by", choices=SEEN_BY, required=False)
            shown.initial = GM if known and known.gm else ALL
            found["shown"] = shown
        self.form.fields.update({f"counter{number}-{key}": field for key, field in found.items()})

    def __iter__(self) -> Any:
        """Each row, as the names of its fields."""
        names = list(self.form.fields)
        return iter([[n for n in names if n.startswith(f"counter{k}-")] for k in range(self.count)])

    def check(self) -> None:
        """Mark a second counter of the same name, and more left than there are."""
        taken = set()
        for number, one in self._find():
            if one.name.casefold() in taken:
                self.form.add_error(f"counter{number}-name", "There is one of this name already.")
            taken.add(one.name.casefold())
            if (one.left or 0) > one.most:
                self.form.add_error(f"counter{number}-left", f"Must be at most {one.most}.")

    def put(self, sheet: dict[str, Any]) -> dict[str, Any]:
        """The sheet with the counters of a valid form."""
        rest = {key: value for key, value in sheet.items() if key != "counters"}
        found = [as_plain(one) for _, one in self._find()]
        return {**rest, "counters": found} if found else rest

    def _find(self) -> list[tuple[int, SheetCounter]]:
        """The counters of the rows that have a name, each with the number of its row."""
        rows = [(number, self._read(number)) for number in range(self.count)]
        return [(number, one) for number, one in rows if one.name]

    def _read(self, number: int) -> SheetCounter:
        said = {key: self.form.cleaned_data.get(f"counter{number}-{key}") for key in FIELDS}
        most = said["most"] or USUAL_MOST
        return SheetCounter(
            name=tidy(said["name"] or ""),
            most=most,
            left=None if said["left"] in (None, "", most) else said["left"],
            refills=said["refills"] or "hand",
            gm=said["shown"] == GM,
        )
