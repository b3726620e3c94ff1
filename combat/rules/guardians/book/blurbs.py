"""What each action does and costs, in a sentence."""

from __future__ import annotations

BLURBS = {
    "attack": "d100 within the weapon's ranks × 5; then a defense, the location, damage. The round's action.",
    "move": "Running + 2 yards. The round's action.",
    "walk_on": "Use what is left of a move, or of the half that goes with a blow.",
    "stand_up": "Get up; no other combat action before that. The round's action.",
    "guard": "A second defense roll against one successful attack this round. The round's action.",
    "hold": "Act later in the round, or before everyone else in the next one.",
    "act_now": "Take the action that is being held.",
    "first_aid": "Stop a limb from bleeding, or wake somebody. The round's action.",
    "painkillers": "A torso wound takes 3 ranks instead of 5. The round's action.",
    "draw": "Take something in hand. The round's action, or free once a round by house rule.",
    "put_away": "Put away something in hand. The round's action.",
    "pick_up": "Take something from the ground. The round's action.",
    "let_go": "Drop something in hand. Free.",
    "other": "Anything else, with a roll if it takes one. The round's action.",
    "speak": "Say something short. Free.",
    "start": "Round 1 begins: everyone rolls 1d20 + Coordination.",
    "next_turn": "End the turn under way; after the last of a number the count goes on.",
    "pass_time": "Minutes, hours or days go by: clocks run out, rest takes Fatigue off, days heal.",
    "harm": "Damage by your decision to a part of the body: dice or points, with or without soak.",
    "limb": "Make a limb sound, disabled, severed, crushed, bleeding or stanched.",
    "toil": "Say whether this round counts as purely physical for somebody.",
    "impose": "A condition for so many rounds, the present one included.",
    "make_up": "A condition of your own that gives or takes ranks.",
    "fear": "A Spirit roll against fear, as hard as you say.",
    "thing": "Something somebody has falls or breaks.",
    "arm": "Give somebody a weapon, as in the list or with your own figures.",
    "heal": "Mortality Points for a part of the body, by nature or by magic.",
    "repair": "Make somebody's armor whole again, between fights.",
}
