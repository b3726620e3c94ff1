"""Actions of drivers, crews and operators; the GM's rulings on vehicles; repairs."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from combat.rules.core.commands.commands import Action, Check
from combat.rules.core.commands.forms import check_any
from combat.rules.core.commands.table import Form, Run

from ..fight.attacks import volleys
from ..fight.collisions import crashes, ramming, wrecks  # noqa: F401 - it registers what an explosion does
from ..vehicles import crew, driving, drones, motion, repairs, stunts
from .forms import repairs as repair_forms
from .forms import vehicles as forms
from .guards import TABLE


def _drive(name: str, run: Run, check: Check, **form: Unpack[Form]) -> Action:
    """A driver's action; most people are in no vehicle, which is asked once for all of them."""
    return TABLE.act(name, run, driving.check_aboard, check, **form)


DRIVER = (
    _drive("drive", driving.drive, forms.may_drive, fields=forms.drive_fields, has_odds=False),
    _drive("maneuver", driving.maneuver, forms.may_drive_hard, fields=forms.maneuver_fields, has_odds=False),
    _drive(
        "evade", stunts.evade, forms.may_drive_hard, fields=forms.evade_fields, preview=stunts.preview_control
    ),
    _drive("ram", ramming.ram, forms.may_ram, fields=forms.ram_fields, preview=ramming.preview),
    _drive(
        "stunt", stunts.stunt, forms.may_drive_hard, fields=forms.stunt_fields, preview=stunts.preview_control
    ),
    _drive("weave", stunts.weave, forms.may_weave, fields=forms.weave_fields, preview=crashes.preview_weave),
    _drive("break_off", driving.break_off, driving.check_pursuing, has_odds=False),
)
CREW = (
    TABLE.act("get_in", crew.enter, forms.may_enter, fields=forms.enter_fields, has_odds=False),
    TABLE.act("get_out", crew.get_out, forms.may_leave, preview=crew.preview_get_out, has_odds=False),
    TABLE.act("change_place", crew.change_place, forms.may_leave, fields=forms.place_fields, has_odds=False),
    TABLE.act("strap_in", crew.strap_in, forms.is_seated, fields=forms.strap_fields, has_odds=False),
    TABLE.act(
        "rig_now",
        repairs.rig_now,
        repair_forms.may_rig,
        fields=repair_forms.rig_fields,
        preview=repairs.preview_repair,
        has_odds=False,
    ),
    TABLE.act("steer", drones.steer, forms.may_steer, fields=forms.steer_fields, has_odds=False),
)
GM = (
    TABLE.gm("seat", crew.seat, forms.any_vehicle, fields=forms.seat_fields),
    TABLE.gm("set_motion", motion.set_motion, forms.any_vehicle, fields=forms.motion_fields),
    TABLE.gm(
        "crash", motion.crash, forms.any_vehicle, fields=forms.crash_fields, preview=crashes.preview_crash
    ),
    TABLE.gm("rule_ram", ramming.rule_ram, forms.any_vehicle, fields=forms.rule_ram_fields),
    TABLE.gm("volley", volleys.fire_volley, forms.any_ship, fields=forms.volley_fields, has_odds=False),
    TABLE.gm(
        "assign_drone",
        drones.assign,
        check_any(forms.assign_fields, "There is no drone here."),
        fields=forms.assign_fields,
    ),
    TABLE.gm(
        "cargo",
        repairs.rule_cargo,
        check_any(forms.cargo_fields, "No cargo has been hit."),
        fields=forms.cargo_fields,
    ),
)
REPAIRS = (
    TABLE.gm(
        "rig",
        repairs.rig,
        repair_forms.any_damage,
        fields=partial(repair_forms.repair_fields, is_rig=True),
        preview=repairs.preview_repair,
        has_odds=False,
    ),
    TABLE.gm(
        "repair",
        repairs.repair,
        repair_forms.any_damage,
        fields=repair_forms.repair_fields,
        preview=repairs.preview_repair,
        has_odds=False,
    ),
    TABLE.gm(
        "repair_hull",
        repairs.repair_hull,
        repair_forms.any_loss("hull"),
        fields=repair_forms.hull_fields,
        preview=repairs.preview_repair,
        has_odds=False,
    ),
    TABLE.gm(
        "repair_structure",
        repairs.repair_structure,
        repair_forms.any_loss("structure"),
        fields=repair_forms.structure_fields,
        has_odds=False,
    ),
    TABLE.gm(
        "cannibalise",
        repairs.cannibalise,
        forms.any_machine,
        fields=repair_forms.donor_fields,
        has_odds=False,
    ),
    TABLE.gm(
        "spare_parts", repairs.stock, forms.any_machine, fields=repair_forms.spares_fields, has_odds=False
    ),
)
ACTIONS = (*CREW, *GM, *REPAIRS)
