"""The list of what the GM may always do, in every game, each with a sentence about it."""

from __future__ import annotations

from typing import Any

from . import gm, gm_scene
from .commands import Action, Command


def _action(name: str, label: str, kind: type[Command], run: Any, text: str) -> Action:
    return gm.gm_action(name, label, "GM", kind, run, text=text)


GM_ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        _action(
            "join",
            "Add fighters",
            gm.Join,
            gm.join,
            "Fighters join with their sheet as it is now, and take their place in a running fight.",
        ),
        _action("rename", "Rename", gm.Rename, gm.rename, "Gives a fighter another name or side."),
        _action(
            "remove",
            "Remove",
            gm.Target,
            gm.remove,
            "A fighter leaves for good; what depends on it, such as a hold, ends.",
        ),
        _action("duplicate", "Duplicate", gm.Target, gm.duplicate, "Adds another of the same kind, unhurt."),
        _action(
            "adjust",
            "Damage or heal",
            gm.AdjustTrack,
            gm.adjust_track,
            "Changes a number by your decision; what follows from it is applied.",
        ),
        _action(
            "adjust_each",
            "Damage or heal several",
            gm.AdjustEach,
            gm.adjust_each,
            "Changes a number of all you tick by the same points, in one step.",
        ),
        _action(
            "give_condition",
            "Give a condition",
            gm.GiveCondition,
            gm.give_condition,
            "A fighter gains a condition, for some of its turns or until it is taken away.",
        ),
        _action(
            "take_condition",
            "End a condition",
            gm.TakeCondition,
            gm.take_condition,
            "Takes a condition away by your decision.",
        ),
        _action("place", "Place", gm.Place, gm.place, "Puts a fighter somewhere at no cost of movement."),
        _action(
            "hide",
            "Hide or reveal",
            gm.Hide,
            gm.hide,
            "Only you and its own player see a hidden fighter, its rolls and its place in the order.",
        ),
        _action(
            "reorder",
            "Move in the order",
            gm.Reorder,
            gm.reorder,
            "Puts a fighter elsewhere in the order, at once; its score stays.",
        ),
        _action(
            "set_initiative",
            "Set initiative",
            gm.SetInitiative,
            gm.set_initiative,
            "Sets a fighter's score; in a running fight its place follows from the next round on.",
        ),
        _action(
            "give_budget",
            "Set the budget",
            gm.GiveBudget,
            gm.give_budget,
            "Sets how many actions of a kind a fighter has left this turn.",
        ),
        _action(
            "set_option",
            "Table option",
            gm_scene.SetOption,
            gm_scene.set_option,
            "Sets a house rule for this encounter, from now on.",
        ),
        _action(
            "set_setting",
            "Scene condition",
            gm_scene.SetSetting,
            gm_scene.set_setting,
            "Changes the surroundings for everybody at once.",
        ),
        _action(
            "set_scene",
            "Scene",
            gm_scene.SetScene,
            gm_scene.set_scene,
            "Lays out the zones and their surroundings; nobody moves.",
        ),
        _action(
            "note",
            "Note",
            gm_scene.Note,
            gm_scene.note,
            "A remark in the log, for you alone unless said aloud.",
        ),
        _action(
            "end_fight",
            "End the fight",
            gm_scene.EndFight,
            gm_scene.end_fight,
            "Closes the fight; the log and the fighters stay.",
        ),
    )
}
