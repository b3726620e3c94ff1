"""The actions of every game: those of the GM, and those that combatants have at any time."""

from __future__ import annotations

from pathlib import Path

from ..commands.commands import Action, Run, load_actions
from . import battle_map as gm_map
from . import bosses as gm_bosses
from . import clocks as gm_clocks
from . import counters as gm_counters
from . import decisions as gm
from . import decisions as gm_fighting
from . import decisions as gm_tracks
from . import figures as gm_figures
from . import improvising as gm_improvising
from . import loot as gm_giving
from . import loot as gm_loot
from . import own_conditions as gm_own
from . import player_dice, private_words
from . import reserves as gm_reserves
from . import rulings as gm_rulings
from . import scene as gm_scene
from . import several as gm_several
from . import squads as gm_squads
from .player_dice import give_word
from .standing_orders import set_standing

TABLE = load_actions(Path(__file__).parents[1] / "actions.toml")

GM_ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        TABLE.gm("join", gm_reserves.join),
        TABLE.gm("rename", gm.rename),
        TABLE.gm("alias", gm.set_alias),
        TABLE.gm("remove", gm.remove),
        TABLE.gm("duplicate", gm.duplicate),
        TABLE.gm("adjust", gm_tracks.adjust_track),
        TABLE.gm("adjust_each", gm_tracks.adjust_each),
        TABLE.gm("correct", gm_figures.correct),
        TABLE.gm("give_condition", gm.give_condition),
        TABLE.gm("take_condition", gm.take_condition),
        TABLE.gm("define_condition", gm_own.define_condition),
        TABLE.gm("drop_condition", gm_own.drop_condition),
        TABLE.gm("surrender", gm_fighting.surrender),
        TABLE.gm("fight_on", gm_fighting.fight_on),
        TABLE.gm("revive", gm_fighting.revive),
        TABLE.gm("place", gm.place),
        TABLE.gm("resize", gm.resize),
        TABLE.gm("hide", gm.hide),
        TABLE.gm("set_boss", gm_bosses.set_boss),
        TABLE.gm("reorder", gm.reorder),
        TABLE.gm("remove_each", gm_several.remove_each),
        TABLE.gm("join_squad", gm_squads.join_squad),
        TABLE.gm("split_squad", gm_squads.split_squad),
        TABLE.gm("hide_each", gm_several.hide_each),
        TABLE.gm("arrange", gm_several.arrange),
        TABLE.gm("gather", gm_several.gather),
        TABLE.gm("place_each", gm_several.place_each),
        TABLE.gm("place_by_side", gm_several.place_by_side),
        TABLE.gm("set_initiative", gm.set_initiative),
        TABLE.gm("give_budget", gm.give_budget),
        TABLE.gm("set_option", gm_scene.set_option),
        TABLE.gm("move_rules", gm_scene.move_rules),
        TABLE.gm("set_setting", gm_scene.set_setting),
        TABLE.gm("set_scene", gm_scene.set_scene),
        TABLE.gm("set_map", gm_map.set_map),
        TABLE.gm("change_map", gm_map.change_parts),
        TABLE.gm("set_door", gm_map.set_door),
        TABLE.gm("start_clock", gm_clocks.start_clock),
        TABLE.gm("tick_clock", gm_clocks.tick_clock),
        TABLE.gm("change_clock", gm_clocks.change_clock),
        TABLE.gm("remove_clock", gm_clocks.remove_clock),
        TABLE.gm("start_counter", gm_counters.start_counter),
        TABLE.gm("tick_counter", gm_counters.tick_counter),
        TABLE.gm("change_counter", gm_counters.change_counter),
        TABLE.gm("remove_counter", gm_counters.remove_counter),
        TABLE.gm("hold_back", gm_reserves.hold_back),
        TABLE.gm("arrive", gm_reserves.arrive),
        TABLE.gm("change_arrival", gm_reserves.change_arrival),
        TABLE.gm("drop_reserve", gm_reserves.drop_reserve),
        TABLE.gm("hand_out", gm_loot.hand_out),
        TABLE.gm("leave_items", gm_loot.leave_items),
        TABLE.gm("give_item", gm_giving.give_item),
        TABLE.gm("share_money", gm_loot.share_money),
        TABLE.gm("improvise", gm_improvising.improvise),
        TABLE.gm("help_next", gm_improvising.help_next),
        TABLE.gm("answer_wish", gm_improvising.answer_wish),
        TABLE.gm("bring_rulings", gm_rulings.bring_rulings),
        TABLE.gm("search", gm_loot.search),
        TABLE.gm("decline_ask", gm_loot.decline_ask),
        TABLE.gm("note", gm_scene.note),
        TABLE.gm("gm_roll", player_dice.gm_roll),
        TABLE.gm("gm_word", private_words.gm_word),
        TABLE.gm("pause", gm_scene.pause),
        TABLE.gm("resume", gm_scene.resume),
        TABLE.gm("play_on", gm_scene.play_on),
        TABLE.gm("close_fight", gm_scene.close_fight),
        TABLE.gm("end_fight", gm_scene.end_fight),
    )
}
_ORDERS: dict[str, Run] = {
    "set_standing": set_standing,
    "give_word": give_word,
    "ask_for": gm_loot.ask_for,
    "roll_dice": player_dice.roll_dice,
    "send_word": private_words.send_word,
}
SEAT_ACTIONS = {name: TABLE.act(name, run, on_turn=False, in_fight=False) for name, run in _ORDERS.items()}
SEAT_ACTIONS["spend_counter"] = TABLE.act(
    "spend_counter",
    gm_counters.spend_counter,
    fields=gm_counters.counter_fields,
    on_turn=False,
    in_fight=False,
    has_odds=False,
)
SEAT_ACTIONS["use_ruling"] = TABLE.act(
    "use_ruling", gm_rulings.use_ruling, fields=gm_rulings.ruling_fields, on_turn=False, has_odds=False
)
SEAT_ACTIONS["drop_ruling"] = TABLE.act(
    "drop_ruling",
    gm_rulings.drop_ruling,
    fields=gm_rulings.drop_fields,
    on_turn=False,
    in_fight=False,
    has_odds=False,
)
SEAT_ACTIONS["correct_own"] = TABLE.act(
    "correct_own", gm_figures.correct_own, on_turn=False, in_fight=False, has_odds=False
)
