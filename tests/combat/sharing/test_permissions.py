"""Who may open and send what: every address of the site, for everyone, in one table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from zeal import zeal_ignore

from combat.models import Encounter
from cosmos_site.base import errors
from tests.combat.cast import ROLES, Cast, invite
from tests.combat.visit import SLUG
from tests.typed import Answer

# 302 leads to signing in, or home; 410 tells what became of a seat; 303 is an action done; 401 is for
# programs without a token; 403 is for actions by those who may only look; 404 hides what the person may not
# know; 405 is for what no one can send there; 409 and 422 are refusals by the rules. 507: nothing can be
# copied in the middle of this test's transaction.
# BOTH is GET and POST; an address without a row for POST answers it with 405, to all or, after SHOW, to those
# whom it does not ask to sign in.
MATRIX = """
# name               sent           GM, co-GM, player, other player, watcher, revoked, stranger, nobody
home                 GET                                     200 200 200 200 200 200 200 200
find                 GET q=zara                              200 302 302 302 302 302 200 302
encounters           GET                                     200 302 302 302 302 302 200 302
encounters           GET show=archived                       200 302 302 302 302 302 200 302
open_demo            GET                                     302 302 302 302 302 302 302 302
open_demo            POST                                    303 303 303 303 303 303 303 303
new_encounter        GET                                     200 302 302 302 302 302 200 302
new_encounter        POST name=Mine&system=SLUG              303 302 302 302 302 302 303 302
encounters           POST demo=SLUG                          303 302 302 302 302 302 303 302
table                GET                                     200 200 200 200 200 410 404 302
table                GET row=damage&combatant=f2               200 200 200 200 200 410 404 302
table                POST do=note&text=Hm                    303 303 403 403 403 410 404 302
table                POST do=undo                            303 303 422 422 403 410 404 302
table                POST do=cancel                          409 409 422 422 403 410 404 302
table                POST do=autoplay                        303 303 422 422 403 410 404 302
table                POST do=next_turn                       303 303 303 403 403 410 404 302
table                POST do=total_defense&combatant=f1        303 303 303 409 403 410 404 302
table                POST do=total_defense&combatant=f3        409 409 409 409 403 410 404 302
table                POST do=answer&question=0&value=x       409 409 409 409 403 410 404 302
table                POST do=hide&target=f1                  303 303 403 403 403 410 404 302
table                POST do=hide_each&targets=f2              303 303 403 403 403 410 404 302
table                POST do=remove_each&targets=f2            303 303 403 403 403 410 404 302
table                POST do=gather&targets=f1&targets=f2      409 409 403 403 403 410 404 302
table                POST do=pause                           303 303 403 403 403 410 404 302
table                POST do=resume                          409 409 403 403 403 410 404 302
table                POST do=set_setting&key=light&value=dim 303 303 403 403 403 410 404 302
table                POST do=fog&fog=true&remembers=true     303 303 422 422 403 410 404 302
table                POST do=tick_clock&clock=c1             422 422 403 403 403 410 404 302
table                POST do=hold_back&targets=f2            303 303 403 403 403 410 404 302
table                POST do=arrive&reserve=r1               422 422 403 403 403 410 404 302
table                POST do=define_condition&name=Cursed   303 303 403 403 403 410 404 302
table                POST do=drop_condition&own=o1          422 422 403 403 403 410 404 302
table                POST do=take_own&own=o1                409 409 422 422 403 410 404 302
table                POST do=drop_reserve&reserve=r1         422 422 403 403 403 410 404 302
table                POST do=move_rules&to=9                 409 409 403 403 403 410 404 302
table                POST do=overrule&overrule=1&roll=0      409 409 422 422 403 410 404 302
table                POST do=hand_out&holder=f2&to=f1        422 422 403 403 403 410 404 302
table                POST do=leave_items&holder=f2           422 422 403 403 403 410 404 302
table                POST do=share_money&amount=5&to=f1      303 303 403 403 403 410 404 302
table                POST do=search&target=f2                409 409 403 403 403 410 404 302
table                POST do=ask_for&combatant=f3&item=x     409 409 409 409 403 410 404 302
table                POST                                    422 422 422 422 403 410 404 302
wish_grades          GET                                     200 200 403 403 403 410 404 302
wish_words           GET words=I%20jump                      200 200 200 200 403 410 404 302
points               GET target=f2&track=hp&points=5           200 200 403 403 403 410 404 302
figures_follow       GET                                     200 200 403 403 403 410 404 302
odds                 GET do=attack&combatant=f1                200 200 200 404 404 410 404 302
odds                 GET do=attack&combatant=f2                200 200 404 404 404 410 404 302
prep                 GET                                     200 200 404 404 404 410 404 302
prep                 POST do=options                         303 303 404 404 404 410 404 302
prep                 POST do=delete&confirm=NAME             303 404 404 404 404 410 404 302
prep                 POST do=read&notes=x                  200 200 404 404 404 410 404 302
prep                 POST do=people&notes=x                409 409 404 404 404 410 404 302
prep                 POST do=archive                         303 404 404 404 404 410 404 302
prep                 POST do=copy                            303 404 404 404 404 410 404 302
prep                 POST do=name&name=Other                 303 404 404 404 404 410 404 302
rest                 BOTH                                    302 302 404 404 404 410 404 302
prep_who              GET                                    200 200 404 404 404 410 404 302
prep_who             POST                                    422 422 404 404 404 410 404 302
prep_people          GET who=guard                           200 200 404 404 404 410 404 302
prep_people          POST notes=guard                        303 303 404 404 404 410 404 302
prep_people          POST measure=nobody                     303 303 404 404 404 410 404 302
prep_odds            BOTH                                    302 302 404 404 404 410 404 302
prep_scenes          GET group=Town                          302 302 404 404 404 410 404 302
prep_sight           GET                                     422 422 404 404 404 410 404 302
scene                GET                                     200 200 404 404 404 410 404 302
scene                POST do=draw&kind=wall&points=0,0;5,0   303 303 404 404 404 410 404 302
scene_picture        GET                                     404 404 404 404 404 410 404 302
point                GET                                     302 302 302 302 302 410 404 302
point                POST x=1&y=1                           200 200 200 200 403 410 404 302
pen                  GET                                     302 302 302 302 302 410 404 302
pen                  POST line=1&points=1,1                  204 204 403 403 403 410 404 302
lines                GET combatant=f1                          200 200 200 404 404 410 404 302
foe                  GET combatant=f1&target=f2                200 200 200 404 404 410 404 302
ruler                GET from=1,1&to=2,2                     200 200 200 200 200 410 404 302
area                 GET combatant=f1&do=blast                 200 200 200 404 404 410 404 302
area                 GET combatant=f2&do=blast                 200 200 404 404 404 410 404 302
paths                GET combatant=f1                          200 200 200 404 404 410 404 302
notes                GET                                     200 200 200 200 403 410 404 302
notes                GET about=f2                            200 200 200 200 403 410 404 302
who_can              GET                                     200 200 200 200 403 410 404 302
who_can              GET q=Stealth                           200 200 200 200 403 410 404 302
who_can              POST character=1&totals=gm              409 409 409 409 403 410 404 302
notes                POST about=f2&text=Hm&seen=0            303 303 404 404 403 410 404 302
notes                POST about=own&text=Hm&seen=0           404 404 303 303 403 410 404 302
notes                POST about=own&text=Hm&seen=7           404 404 409 409 403 410 404 302
find_here            GET q=zara                              200 200 200 200 200 410 404 302
log                  GET                                     200 200 200 200 200 410 404 302
log                  GET step=3&verify=                      200 200 200 200 200 410 404 302
log                  GET step=1                              200 200 200 200 200 410 404 302
export               GET                                     200 200 200 200 200 410 404 302
export               GET as=text                             200 200 200 200 200 410 404 302
export               GET as=cake                             404 404 404 404 404 410 404 302
share                GET                                     200 404 404 404 404 410 404 302
share_full           GET                                     200 404 404 404 404 410 404 302
enter_code           GET                                     200 200 200 200 200 200 200 200
enter_code           POST                                    422 422 422 422 422 422 422 422
open_code            GET                                     200 200 200 200 200 200 200 200
elsewhere            GET                                     404 404 404 404 404 404 404 404
elsewhere            POST do=stop&host=table.example           404 404 404 404 404 404 404 404
share                POST do=make&kind=play                  302 404 404 404 404 410 404 302
share                POST do=assign&combatant=f1&seat=         302 404 404 404 404 410 404 302
token                GET                                     404 404 404 404 404 410 404 302
pin                  GET                                     302 302 302 302 302 410 404 302
pin                  POST do=pin&action=attack               303 303 303 303 403 410 404 302
leave                BOTH                                    302 302 302 302 302 302 302 302
forecast             GET                                     200 200 404 404 404 410 404 302
forecast             POST do=cancel                          303 303 404 404 404 410 404 302
join                 GET                                     200 200 200 200 200 200 200 200
join                 POST name=Ada                           302 302 302 302 302 302 302 302
join                 POST name=Ada&combatant=watch             302 302 302 302 302 302 302 302
join                 POST name=Ada&face=nobody                302 422 422 422 422 422 422 422
join_portrait        GET                                     404 404 404 404 404 404 404 404
join_map             GET                                     404 404 404 404 404 404 404 404
table                POST do=say_ready&ready=1                 409 409 409 409 403 410 404 302
bring                GET                                     302 302 302 302 302 410 404 302
bring                POST                                    303 303 303 303 403 410 404 302
downtime             GET                                     200 302 302 302 302 302 200 302
downtime             POST who=                               422 302 302 302 302 302 422 302
table                GET do=rest                             200 200 200 200 200 410 404 302
table                POST do=rest&kind=full&days=1           409 409 403 403 403 410 404 302
odds                 GET do=rest&kind=full&days=1            200 200 404 404 404 410 404 302
take_home            GET                                     200 200 200 200 200 410 404 302
take_home            POST                                    422 422 422 422 422 410 404 302
characters           SHOW                                    200 302 200 200 302 302 200 302
new_character        BOTH                                    200 302 200 200 302 302 200 302
import_characters    GET                                     200 302 302 302 302 302 200 302
import_characters    POST                                    422 302 302 302 302 302 422 302
npc_roster           SHOW                                    200 302 302 302 302 302 200 302
export_block         SHOW                                    404 302 404 404 302 302 404 302
export_line          SHOW                                    404 302 404 404 302 302 404 302
roster               SHOW                                    200 302 302 302 302 302 200 302
export_characters    SHOW                                    200 302 302 302 302 302 200 302
several_characters   BOTH                                    302 302 302 302 302 302 302 302
print_characters     GET                                     302 302 302 302 302 302 302 302
print_characters     POST                                    405 302 405 405 302 302 405 302
export_several       GET                                     302 302 302 302 302 302 302 302
export_several       POST                                    405 302 405 405 302 302 405 302
sheet_schema         SHOW                                    200 302 302 302 302 302 200 302
character            BOTH                                    404 302 404 404 302 302 404 302
character_odds       SHOW                                    404 302 404 404 302 302 404 302
character_reading    SHOW                                    404 302 404 404 302 302 404 302
restore_character    GET                                     302 302 302 302 302 302 302 302
restore_character    POST                                    404 302 404 404 302 302 404 302
print_character      SHOW                                    404 302 404 404 302 302 404 302
export_character     SHOW                                    404 302 404 404 302 302 404 302
share_sheet          GET                                     302 302 302 302 302 302 302 302
share_sheet          POST                                    404 302 404 404 302 302 404 302
shared_sheet         GET                                     404 404 404 404 404 404 404 404
print_shared         GET                                     404 404 404 404 404 404 404 404
shared_portrait      GET                                     404 404 404 404 404 404 404 404
send_portrait        GET                                     302 302 302 302 302 302 302 302
send_portrait        POST                                    404 302 404 404 302 302 404 302
gear                 SHOW                                    200 302 200 200 302 302 200 302
compare_gear         SHOW                                    200 302 200 200 302 302 200 302
import_items         GET                                     200 302 302 302 302 302 200 302
import_items         POST                                    422 302 302 302 302 302 422 302
npc_form             GET                                     200 302 302 302 302 302 200 302
npc_form             POST                                    422 302 302 302 302 302 422 302
change_npc           BOTH                                    404 302 302 302 302 302 404 302
new_own_item         GET                                     200 302 302 302 302 302 200 302
new_own_item         POST                                    422 302 302 302 302 302 422 302
own_item             BOTH                                    404 302 302 302 302 302 404 302
gear_item            SHOW                                    404 302 404 404 302 302 404 302
add_item             GET                                     302 302 302 302 302 302 302 302
add_item             POST                                    404 302 404 404 302 302 404 302
portrait             SHOW                                    404 302 404 404 302 302 404 302
import_encounter      GET                                     200 302 302 302 302 302 200 302
import_encounter     POST                                     422 302 302 302 302 302 422 302
dice                  GET                                     200 200 200 200 200 410 404 302
dice                 POST                                     409 409 409 409 403 410 404 302
fault                GET                                     200 200 404 404 404 410 404 302
fault                POST said=Hm                            200 200 404 404 404 410 404 302
report                GET                                     200 200 200 200 200 410 404 302
my_fight              GET                                     404 404 404 404 404 410 404 302
branches             GET                                     200 200 200 200 404 410 404 302
branches             GET step=cake                           404 404 404 404 404 410 404 302
branches             POST do=begin&step=now                  303 303 303 303 404 410 404 302
branches             POST                                    422 422 422 422 404 410 404 302
compare_branches     GET                                     302 302 302 302 404 410 404 302
branch               GET                                     404 404 404 404 404 410 404 302
branch               POST do=next_turn                       404 404 404 404 404 410 404 302
branch_odds          GET                                     404 404 404 404 404 410 404 302
branch_paths          GET                                     404 404 404 404 404 410 404 302
branch_follows          GET                                     404 404 404 404 404 410 404 302
branch_ruler         GET                                     404 404 404 404 404 410 404 302
branch_forecast      BOTH                                    404 404 404 404 404 410 404 302
make_real            BOTH                                    404 404 404 404 404 410 404 302
handouts              GET                                     200 200 200 200 200 410 404 302
handouts             POST                                     422 404 404 404 404 410 404 302
handout               GET                                     404 404 404 404 404 410 404 302
handout_picture       GET                                     404 404 404 404 404 410 404 302
campaigns             GET                                     200 302 302 302 302 302 200 302
campaigns            POST                                     422 302 302 302 302 302 422 302
campaign              BOTH                                    404 302 302 302 302 302 404 302
campaign_rules        BOTH                                    404 302 302 302 302 302 404 302
campaign_conditions   BOTH                                    404 302 302 302 302 302 404 302
campaign_tables       BOTH                                   404 302 302 302 302 302 404 302
chest                 BOTH                                   404 302 404 404 302 302 404 302
who_can_party         BOTH                                   404 302 404 404 302 302 404 302
next_evening          BOTH                                   404 302 404 404 302 302 404 302
evening_file          SHOW                                   404 302 404 404 302 302 404 302
campaign_calendar     GET                                    404 404 404 404 404 404 404 404
hand_over             BOTH                                   404 302 404 404 302 302 404 302
evening               BOTH                                   404 302 302 302 302 302 404 302
edit_handout          BOTH                                    404 302 302 302 302 302 404 302
own_handout_picture   SHOW                                    404 302 302 302 302 302 404 302
given_fight          BOTH                                    404 404 404 404 404 404 404 404
given_file            GET                                    404 404 404 404 404 404 404 404
given_odds           BOTH                                    404 404 404 404 404 404 404 404
given_picture         GET                                    404 404 404 404 404 404 404 404
packs                 GET                                     200 302 302 302 302 302 200 302
packs                POST                                    422 302 302 302 302 302 422 302
make_pack             BOTH                                    404 302 302 302 302 302 404 302
pack                  GET                                     404 302 302 302 302 302 404 302
pack                 POST do=delete                          404 302 302 302 302 302 404 302
pack_file             SHOW                                    404 302 302 302 302 302 404 302
for_programs          GET                                     200 200 200 200 200 200 200 200
open_state            GET                                     404 404 404 404 404 404 404 404
openapi              GET                                     200 200 200 200 200 200 200 200
program              GET                                     401 401 401 401 401 401 401 401
programs             GET                                     200 200 200 200 404 410 404 302
programs             POST do=make&name=Bot                   200 200 200 200 404 410 404 302
programs             POST do=end&token=1                     422 422 422 422 404 410 404 302
people               GET                                     200 404 404 404 404 404 404 404
people               POST                                    409 404 404 404 404 404 404 404
copies               GET                                     200 404 404 404 404 404 404 404
copies               POST                                    507 404 404 404 404 404 404 404
upload_copy          GET                                     302 404 404 404 404 404 404 404
upload_copy          POST                                    409 404 404 404 404 404 404 404
download_copy        GET                                     404 404 404 404 404 404 404 404
download_copy        POST                                    405 404 404 404 404 404 404 404
verify_copy          GET                                     302 404 404 404 404 404 404 404
verify_copy          POST                                    404 404 404 404 404 404 404 404
delete_copy          GET                                     302 404 404 404 404 404 404 404
delete_copy          POST                                    404 404 404 404 404 404 404 404
restore_copy         BOTH                                    404 404 404 404 404 404 404 404
npcs                  SHOW                                    200 302 302 302 302 302 200 302
new_npc               GET                                     200 302 302 302 302 302 200 302
new_npc              POST                                     422 302 302 302 302 302 422 302
rulebooks            GET                                     200 200 200 200 200 200 200 200
side_by_side         GET                                     200 200 200 200 200 200 200 200
about_rules          GET                                     200 200 200 200 200 200 200 200
rulebook             GET                                     200 200 200 200 200 200 200 200
book_page            GET                                     200 200 200 200 200 200 200 200
roll_again           GET                                     404 404 404 404 404 404 404 404
help                 GET                                     200 200 200 200 200 200 200 200
hints                GET                                     302 302 302 302 302 302 302 302
hints                POST seen=gm-act                        204 204 204 204 204 204 204 204
hints                POST                                    404 404 404 404 404 404 404 404
help_page            GET                                     200 200 200 200 200 200 200 200
my_seat              GET                                     302 302 302 302 302 302 302 302
manifest             GET                                     200 200 200 200 200 200 200 200
worker               GET                                     200 200 200 200 200 200 200 200
offline              GET                                     200 200 200 200 200 200 200 200
sign_in_by_link      BOTH                                    410 410 410 410 410 410 410 410
account              SHOW                                    200 302 302 302 302 302 200 302
delete_own_account   BOTH                                    302 302 302 302 302 302 302 302
lost_password        GET                                     200 200 200 200 200 200 200 200
devices              GET                                     200 302 302 302 302 302 200 302
devices              POST                                    302 302 302 302 302 302 302 302
account_login        GET                                     302 200 200 200 200 200 302 200
account_login        POST login=gm&password=wrong            302 200 200 200 200 200 302 200
account_logout       GET                                     200 302 302 302 302 302 200 302
account_logout       POST                                    302 302 302 302 302 302 302 302
account_inactive     GET                                     200 200 200 200 200 200 200 200
account_signup                       BOTH                    302 200 200 200 200 200 302 200
account_reauthenticate               BOTH                    200 302 302 302 302 302 200 302
account_email                        BOTH                    302 302 302 302 302 302 302 302
no_email                             BOTH                    302 302 302 302 302 302 302 302
account_email_verification_sent      GET                     200 200 200 200 200 200 200 200
account_change_password              BOTH                    200 302 302 302 302 302 200 302
account_set_password                 BOTH                    302 302 302 302 302 302 302 302
account_reset_password               GET                     200 200 200 200 200 200 200 200
account_confirm_login_code           BOTH                    302 302 302 302 302 302 302 302
account_confirm_email                GET                     200 200 200 200 200 200 200 200
account_confirm_email                POST                    404 404 404 404 404 404 404 404
account_reset_password_from_key_done GET                     200 200 200 200 200 200 200 200
account_reset_password_from_key      BOTH                    200 200 200 200 200 200 200 200
account_reset_password_done          GET                     200 200 200 200 200 200 200 200
mfa_index                            SHOW                    200 302 302 302 302 302 200 302
mfa_authenticate                     BOTH                    302 302 302 302 302 302 302 302
mfa_reauthenticate                   BOTH                    302 302 302 302 302 302 302 302
mfa_activate_totp                    BOTH                    302 302 302 302 302 302 302 302
mfa_deactivate_totp                  BOTH                    404 302 302 302 302 302 404 302
mfa_view_recovery_codes              SHOW                    404 302 302 302 302 302 404 302
mfa_generate_recovery_codes          BOTH                    302 302 302 302 302 302 302 302
mfa_download_recovery_codes          BOTH                    404 302 302 302 302 302 404 302
mfa_list_webauthn                    SHOW                    200 302 302 302 302 302 200 302
mfa_add_webauthn                     BOTH                    302 302 302 302 302 302 302 302
mfa_reauthenticate_webauthn          BOTH                    302 302 302 302 302 302 302 302
mfa_login_webauthn                   BOTH                    302 302 302 302 302 302 302 302
mfa_remove_webauthn                  BOTH                    302 302 302 302 302 302 302 302
mfa_edit_webauthn                    BOTH                    302 302 302 302 302 302 302 302
"""
SILENT = tuple(405 * (role in ("gm", "player", "nobody")) for role in ROLES)  # 0: not tried, as all are alike
METHODS = {"BOTH": ("GET", "POST"), "SHOW": ("GET",)}


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    name: str
    method: str
    sent: str
    wanted: tuple[int, ...]


def read_matrix() -> list[Row]:
    """The lines of the table, with those that it leaves out."""
    rows = []
    for line in MATRIX.strip().splitlines():
        if not line.startswith("#"):
            words = line.split()
            wanted = tuple(map(int, words[-len(ROLES) :]))
            sent = words[2] if len(words) > 2 + len(ROLES) else ""
            rows += [Row(words[0], method, sent, wanted) for method in METHODS.get(words[1], (words[1],))]
            if words[1] == "SHOW":
                rows.append(Row(words[0], "POST", sent, tuple(302 if n == 302 else 405 for n in wanted)))
    taken = {row.name for row in rows if row.method == "POST"}
    silent = sorted({row.name for row in rows} - taken)
    return rows + [Row(name, "POST", "", SILENT) for name in silent]


ROWS = read_matrix()
STRANGERS = ("stranger", "nobody")
SECRET_NAME = "The Quiet Mutiny"


def find_names(resolver: URLResolver) -> Iterator[str]:
    """The names of all addresses of the site."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield entry.name or str(entry.pattern)
        else:
            yield from find_names(entry)


def find_address(name: str, encounter: Encounter) -> str:
    """The address of a page about an encounter."""
    known = {
        "pk": encounter.pk,
        "slug": SLUG,
        "key": "x-x",
        "token": "unknown",
        "code": "2345-6789",
        **dict.fromkeys(("uidb36", "digest"), "x"),
        "number": 1,
        "name": "marks",
        "part": "initiative",
        "what": "state",
        "file_name": "table.sqlite3",
    }
    if name == "join":
        return invite(encounter)
    return reverse(name, kwargs={key: known[key] for key in find_keys(name)})


def find_keys(name: str) -> list[str]:
    """The names of the variable parts of an address."""
    return list(get_resolver().reverse_dict.getlist(name)[0][0][0][1])


def send(client: Client, row: Row, address: str, encounter: Encounter) -> Answer:
    """What someone gets; undo every change. Those who are kept out store nothing."""
    data = {k: v.replace("SLUG", SLUG) for k, v in parse_qsl(row.sent, keep_blank_values=True)}
    data = {k: encounter.name if v == "NAME" else v for k, v in data.items()}
    cookies = client.cookies.output()
    cache.clear()  # all ask from one address, and the limits of requests have tests of their own
    with transaction.atomic(), zeal_ignore():
        answer = client.get(address, data) if row.method == "GET" else client.post(address, data)
        is_kept_out = answer.status_code == 404 or "/login/" in answer.headers.get("Location", "")
        if row.method == "POST" and is_kept_out:
            versions = Encounter.objects.filter(pk=encounter.pk).values_list("version", flat=True)
            assert [*versions] == [encounter.version], (row, address)
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.load(cookies.replace("Set-Cookie: ", ""))
    return answer


class Explanations:
    """Draws the page for an address that is not there, or takes no form, once for each person.

    It names no address, and of later ones only the status matters. Those who might learn of the encounter get
    all of them.
    """

    def __init__(self) -> None:
        self.role = ""
        self.drawn: set[tuple[str, int]] = set()

    def render(
        self, request: HttpRequest, template: str, shown: dict[str, Any] | None = None, *, status: int
    ) -> HttpResponse:
        """The page, or its status alone."""
        known = self.role, status
        if status not in (404, 405) or self.role in STRANGERS or known not in self.drawn:
            self.drawn.add(known)
            return render(request, template, shown, status=status)
        return HttpResponse(status=status)


@pytest.mark.slow
def test_everybody_may_do_what_the_table_says(
    started: Encounter, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    explanations = Explanations()
    monkeypatch.setattr(errors, "render", explanations.render)
    Encounter.objects.filter(pk=started.pk).update(name=SECRET_NAME)
    started.refresh_from_db()
    wrong = []
    for row in ROWS:
        address = find_address(row.name, started)
        answers = {}
        for explanations.role, wanted in zip(ROLES, row.wanted, strict=True):
            if wanted:
                answers[explanations.role] = send(cast[explanations.role], row, address, started)
        found = tuple(answers[role].status_code if role in answers else 0 for role in ROLES)
        if found != row.wanted:
            wrong.append(f"{row.name} {row.method} {row.sent}: {found} instead of {row.wanted}")
        for role in STRANGERS:
            told = leaks(answers[role], row.name) if role in answers else []
            wrong += [f"{row.name} {row.method} {row.sent} tells {role} of {', '.join(told)}"] if told else []
    assert not wrong, "\n".join(wrong)


def leaks(answer: Answer, name: str) -> list[str]:
    """Words of the encounter in an answer to people without a link."""
    text = answer.content.decode() + str(answer.headers)
    secret = [] if name == "join" else [SECRET_NAME]
    people = ["Zara", "Marcus"] if "pk" in find_keys(name) or name == "encounters" else []
    return [word for word in (*secret, *people) if word in text]


def test_those_who_may_look_read_what_others_must_not(gm_client: Client, started: Encounter) -> None:
    """The other half of the table: the words that no stranger may read are there."""
    Encounter.objects.filter(pk=started.pk).update(name=SECRET_NAME)
    for name in ("home", "encounters", "table", "prep", "log", "export"):
        text = gm_client.get(find_address(name, started)).content.decode()
        words = (SECRET_NAME, "Zara", "Marcus") if name in ("table", "prep", "log") else (SECRET_NAME,)
        assert all(word in text for word in words), name


def test_every_address_has_its_rows() -> None:
    known = {row.name for row in ROWS if row.method == "GET"}
    missing = ", ".join(sorted(set(find_names(get_resolver())) - known))
    assert not missing, f"say in MATRIX who may open {missing}"


def test_no_page_says_that_it_only_takes_forms() -> None:
    """An address typed by hand leads somewhere or says what it is: 405 is for misplaced forms."""
    assert not [row.name for row in ROWS if row.method == "GET" and 405 in row.wanted]


def without_address(page: bytes) -> bytes:
    """A page without the encounter's number and the form's secret."""
    page = re.sub(rb"/encounters/\d+", b"/encounters/N", page)
    return re.sub(rb"\b\w{64}\b", b"", page)


def test_htmx_asks_for_nothing_more_than_others_may(cast: Cast, started: Encounter) -> None:
    for role, status in (("revoked", 410), ("stranger", 404), ("nobody", 302), ("watcher", 200)):
        answer = cast[role].get(f"/encounters/{started.pk}/", headers={"HX-Request": "true"})
        assert answer.status_code == status, role


def test_what_is_not_there_and_what_is_not_for_one_look_the_same(cast: Cast, started: Encounter) -> None:
    for role in ("stranger", "nobody", "player"):
        for page in ("", "log/", "prep/", "share/", "export/", "odds/", "nothing/"):
            if role == "player" and page in ("", "log/", "export/", "odds/"):
                continue
            theirs = cast[role].get(f"/encounters/{started.pk}/{page}")
            none = cast[role].get(f"/encounters/{started.pk + 1000}/{page}")
            if role == "player" and none.status_code == 302:
                continue  # a guest is unknown at other encounters
            assert theirs.status_code == none.status_code, (role, page)
            assert without_address(theirs.content) == without_address(none.content), (role, page)
    for role in STRANGERS:
        left = [cast[role].post(f"/encounters/{started.pk + more}/leave/") for more in (0, 1000)]
        assert {answer.status_code for answer in left} == {302}, role
        assert len({without_address(answer["Location"].encode()) for answer in left}) == 1, role


def test_an_address_with_a_number_too_large_is_not_found(gm_client: Client) -> None:
    assert gm_client.get(f"/encounters/{10**30}/").status_code == 404
