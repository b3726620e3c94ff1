"""The actions of the game, room by room: each room's module lists its own."""

from __future__ import annotations

from combat.rules.core.commands.commands import Action

from ..fight import aim, aiming, attack, weapons
from . import body, care, move, time, turn, world
from .guards import check_free_to_act

BASIC = tuple(
    Action(name=name, label=label, group="Action", type=kind, run=run, rule=rule, find_bar=check_free_to_act)
    for name, label, kind, run, rule in (
        ("attack", "Attack", aim.Attack, attack.attack, "CE-ATK-01"),
        ("aim", "Aim", aiming.Aim, aiming.aim, "CE-MINOR-03"),
        ("ready", "Ready a weapon", weapons.Handle, weapons.ready, "CE-MINOR-12"),
        ("reload", "Reload", weapons.Reload, weapons.reload, "CE-MINOR-13"),
    )
)
ACTIONS = (*BASIC, *body.ACTIONS, *care.ACTIONS, *time.ACTIONS, *move.ACTIONS, *world.ACTIONS, *turn.ACTIONS)
