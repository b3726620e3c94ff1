"""The list of what the GM may always do, in every game, each with a sentence about it."""

from __future__ import annotations

from typing import Any

from ..commands.commands import Action, Command
from . import battle_map as gm_map
from . import decisions as gm
from . import scene as gm_scene
from . import several as gm_several
from . import sizes as gm_sizes


def _action(name: str, label: str, kind: type[Command], run: Any, text: str) -> Action:
    return gm.gm_action(name, label, "GM", kind, run, text=text)


GM_ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        _action(
            "join",
            "Add combatants",
            gm.Join,
            gm.join,
            "Combatants join with their sheets as they are now, and take their place in a running fight.",
        ),
        _action("rename", "Rename", gm.Rename, gm.rename, "Gives a combatant another name or side."),
        _action(
            "remove",
            "Remove",
            gm.Target,
            gm.remove,
            "A combatant leaves for good; what depends on them, such as a hold, ends.",
        ),
        _action(
            "duplicate",
            "Duplicate",
            gm.Target,
            gm.duplicate,
            "Adds another combatant of the same kind, unhurt.",
        ),
        _action(
            "adjust",
            "Damage or heal",
            gm.AdjustTrack,
            gm.adjust_track,
            "Changes a stat by your decision; what follows is applied.",
        ),
        _action(
            "adjust_each",
            "Damage or heal several",
            gm.AdjustEach,
            gm.adjust_each,
            "Changes a stat of all you select by the same points, in one step.",
        ),
        _action(
            "give_condition",
            "Add a condition",
            gm.GiveCondition,
            gm.give_condition,
            "A combatant gains a condition, for some of their turns or until removed.",
        ),
        _action(
            "take_condition",
            "Remove a condition",
            gm.TakeCondition,
            gm.take_condition,
            "Removes a condition by your decision.",
        ),
        _action("place", "Reposition", gm.Place, gm.place, "Moves a combatant at no cost of movement."),
        _action(
            "resize",
            "Size on the map",
            gm_sizes.Resize,
            gm_sizes.resize,
            "A combatant takes up several squares; distances, cover and areas count from the nearest one.",
        ),
        _action(
            "hide",
            "Hide or reveal",
            gm.Hide,
            gm.hide,
            "Only you and their player see a hidden combatant, their rolls and their place in the order.",
        ),
        _action(
            "reorder",
            "Change turn order",
            gm.Reorder,
            gm.reorder,
            "Moves a combatant in the turn order, at once; their initiative stays.",
        ),
        _action(
            "remove_each",
            "Remove several",
            gm_several.Each,
            gm_several.remove_each,
            "All you select leave for good, in one step.",
        ),
        _action(
            "hide_each",
            "Hide or reveal several",
            gm_several.HideEach,
            gm_several.hide_each,
            "Hides all you select from the players, or reveals them, in one step.",
        ),
        _action(
            "gather",
            "Gather in the turn order",
            gm_several.Each,
            gm_several.gather,
            "Puts all you select behind the first of them in the turn order; initiative stays.",
        ),
        _action(
            "set_initiative",
            "Set initiative",
            gm.SetInitiative,
            gm.set_initiative,
            "Sets a combatant's initiative; in a running fight their place follows from the next round on.",
        ),
        _action(
            "give_budget",
            "Set actions left",
            gm.GiveBudget,
            gm.give_budget,
            "Sets how many actions of a kind a combatant has left this turn.",
        ),
        _action(
            "set_option",
            "House rule",
            gm_scene.SetOption,
            gm_scene.set_option,
            "Sets a house rule for this encounter, from now on.",
        ),
        _action(
            "move_rules",
            "Move to newer rules",
            gm_scene.MoveRules,
            gm_scene.move_rules,
            "The fight goes on by a newer version of the rules. What happened stays, and it can be undone.",
        ),
        _action(
            "set_setting",
            "Environment",
            gm_scene.SetSetting,
            gm_scene.set_setting,
            "Changes the environment for everyone at once.",
        ),
        _action(
            "set_scene",
            "Scene",
            gm_scene.SetScene,
            gm_scene.set_scene,
            "Lays out the zones and their environment; nobody moves.",
        ),
        _action(
            "set_map",
            "Battle map",
            gm_map.SetMap,
            gm_map.set_map,
            "Sets a battle map with all its walls, or takes it away; nobody moves.",
        ),
        _action(
            "change_map",
            "Draw on the map",
            gm_map.ChangeMap,
            gm_map.change_parts,
            "Adds, changes or removes walls, doors, obstacles, lights and hidden areas.",
        ),
        _action(
            "set_door",
            "Set a door",
            gm_map.SetDoor,
            gm_map.set_door,
            "Opens, shuts, locks or unlocks a door.",
        ),
        _action(
            "note",
            "Note",
            gm_scene.Note,
            gm_scene.note,
            "Adds a note to the log, private to the GM unless shown to all.",
        ),
        _action(
            "end_fight",
            "End the fight",
            gm_scene.EndFight,
            gm_scene.end_fight,
            "Ends the fight; the log and the combatants stay.",
        ),
    )
}
