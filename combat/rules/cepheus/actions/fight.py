"""Actions of a fight: attacks of every kind, aiming, handling weapons, grappling."""

from __future__ import annotations

from ..fight import aiming, grapple, weapons
from ..fight.attacks import attack, blind, coup, panic, suppression
from ..fight.explosives import charges, lobs
from .forms import fight as forms
from .forms import lobs as lob_forms
from .guards import TABLE, check_unoccupied

ATTACKS = (
    TABLE.act(
        "attack",
        attack.attack,
        forms.check_attack_now,
        fields=forms.attack_fields,
        preview=attack.preview,
        caught=lobs.find_victims_of_attack,
        caught_rolls=False,
        area=lobs.find_area_of_attack,
    ),
    TABLE.act(
        "lob",
        lobs.lob,
        lob_forms.check_lob_now,
        fields=lob_forms.lob_fields,
        preview=lobs.preview_lob,
        reach=lob_forms.find_reach,
        caught=lobs.find_victims,
        caught_rolls=False,
        area=lobs.find_area,
    ),
    TABLE.act("aim", aiming.aim, forms.check_aim_now, fields=forms.aim_fields, has_odds=False),
    TABLE.act(
        "aim_to_kill",
        aiming.aim_to_kill,
        forms.check_kill_played,
        forms.check_aim_now,
        fields=forms.aim_fields,
        has_odds=False,
    ),
    TABLE.act(
        "suppress",
        suppression.suppress,
        forms.check_guns_now,
        fields=forms.suppress_fields,
        preview=suppression.preview,
    ),
    TABLE.act(
        "panic_fire",
        panic.fire_in_panic,
        forms.check_panic_now,
        fields=forms.panic_fields,
        preview=panic.preview,
    ),
    TABLE.act(
        "blind_fire",
        blind.fire_blind,
        forms.check_blind_now,
        fields=forms.blind_fields,
        preview=blind.preview,
    ),
    TABLE.act(
        "blind_lob",
        blind.lob_blind,
        lob_forms.check_blind_now,
        fields=lob_forms.blind_fields,
        preview=blind.preview_blind_lob,
        reach=lob_forms.find_blind_reach,
        caught=blind.find_blind_victims,
        caught_rolls=False,
        area=blind.find_blind_area,
    ),
    TABLE.act(
        "grapple",
        grapple.grapple,
        forms.check_grapple_now,
        bar=check_unoccupied,
        fields=forms.grapple_fields,
        preview=grapple.preview,
    ),
    TABLE.act("coup_de_grace", coup.finish, forms.check_coup_now, fields=forms.coup_fields),
)
HANDLING = (
    TABLE.act("ready", weapons.ready, forms.check_ready_now, fields=forms.ready_fields, has_odds=False),
    TABLE.act("reload", weapons.reload, forms.check_reload_now, fields=forms.reload_fields, has_odds=False),
    TABLE.act(
        "put_away", weapons.put_away, forms.check_put_away_now, fields=forms.held_fields, has_odds=False
    ),
    TABLE.act("drop", weapons.drop, forms.check_drop_now, fields=forms.held_fields, has_odds=False),
    TABLE.act("pick_up", weapons.pick_up, forms.check_pick_up_now, fields=forms.lying_fields, has_odds=False),
)
CHARGES = (
    TABLE.act("set_charge", charges.set_charge, forms.check_charge_now, fields=forms.charge_fields),
    TABLE.act("set_off", charges.set_off, forms.check_set_off_now, fields=forms.set_off_fields),
)
