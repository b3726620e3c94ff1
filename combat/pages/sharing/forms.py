"""The forms of sharing: a new link, who plays whom, a code, a guest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html

from characters.display.forms import FaceForm
from characters.display.number_fields import WholeField
from combat.display.shapes.table_shapes import CombatantView
from combat.models import Seat, ShareLink
from combat.sharing.links import MAX_LENGTH, SCREEN
from cosmos_site.base.forms import SiteForm, set_choices, wrong

MAX_NUMBER = 10_000


class LinkForm(SiteForm):
    """A new link: for whom, its name, and how long it works."""

    ids = "link-%s"
    kind = forms.ChoiceField(
        label="Role",
        choices=ShareLink.KINDS,
        initial=ShareLink.PLAY,
        error_messages=wrong("Choose a role for the link."),
    )
    name = forms.CharField(
        label="Name", required=False, widget=forms.TextInput({"placeholder": "Friday group", "maxlength": 60})
    )
    hours = WholeField(
        label="Expires after (h)", required=False, min_value=1, max_value=MAX_NUMBER, help_text="blank: never"
    )
    uses = WholeField(
        label="Uses", required=False, min_value=1, max_value=MAX_NUMBER, help_text="blank: unlimited"
    )
    rows = (("kind", "name", "hours", "uses"),)


class _Hands(forms.CheckboxSelectMultiple):
    template_name = "combat/sharing/hand_boxes.html"


class HandsForm(SiteForm):
    """Who plays whom: player characters, and others that a player has or should get; the GM's in a fold.

    It offers the first player who has nobody.
    """

    ids = "hand-%s"
    combatant = forms.MultipleChoiceField(label="Combatants", widget=_Hands)
    seat = forms.ChoiceField(label="Assign selected to", required=False)

    def __init__(self, here: Iterable[CombatantView], seats: Sequence[Seat], wanted: str, *sent: Any) -> None:
        hands = [seat for seat in seats if seat.kind == ShareLink.PLAY]
        waiting = next((str(seat.pk) for seat in hands if not seat.combatants), "")
        super().__init__(*sent, initial={"combatant": [wanted], "seat": waiting})
        players = {who: seat.name for seat in seats for who in seat.combatants}
        at_hand: list[tuple[str, Any]] = []
        others: list[tuple[str, Any]] = []
        for one in here:
            words = format_html('{} <small class="muted">{}</small>', one.full_name, players.get(one.id, ""))
            is_at_hand = one.pc or one.id in players or one.id == wanted
            (at_hand if is_at_hand else others).append((one.id, words))
        fold = [(f"The GM's combatants ({len(others)})", others)] if others else []
        set_choices(self, "combatant", [*at_hand, *fold])
        set_choices(self, "seat", [*((str(seat.pk), seat.name) for seat in hands), ("", "the GM")])
        self.is_useful = bool(at_hand or others)


class CodeForm(SiteForm):
    """The code that the GM shows."""

    use_required_attribute = True
    looks = {"class": "code-field", "placeholder": "XXXX-XXXX", "maxlength": 200, "enterkeyhint": "go"}
    types = dict.fromkeys(("autocomplete", "autocorrect"), "off")
    types |= {"autocapitalize": "characters", "spellcheck": "false"}
    hint = "8 letters and digits; dash and capitals do not matter"
    code = forms.CharField(label="Code", help_text=hint, widget=forms.TextInput(looks | types))

    def __init__(self, typed: str = "", why: str = "") -> None:
        super().__init__({"code": typed} if why else None, initial={"code": typed})
        if why:
            self.errors.clear()
            self.add_error("code", why)
        if why or not typed:
            self.fields["code"].widget.attrs["data-focus"] = True


class SeatForm(FaceForm):
    """A guest's name and face."""

    use_required_attribute = True
    name = forms.CharField(
        label="Your name", widget=forms.TextInput({"maxlength": MAX_LENGTH, "autocomplete": "nickname"})
    )

    def __init__(self, *, watches: bool = False, **typed: str) -> None:
        super().__init__(initial=typed)
        if watches:
            self.fields["name"].required = False
            self.fields["name"].help_text = f"blank: {SCREEN}"
        elif not typed["name"]:
            self.fields["name"].widget.attrs["data-focus"] = True
