"""The pages of encounters, by the prefix of their addresses."""

from django.urls import URLPattern, URLResolver, include, path

from combat.pages import accounts, packs
from combat.pages.book import views as rulebook
from combat.pages.campaigns import (
    chest_view,
    evening_view,
    handouts,
    house_rules,
    next_evening_view,
    notes,
    tables,
    who_can_view,
)
from combat.pages.campaigns import views as campaigns
from combat.pages.copies import views as copies
from combat.pages.find import views as find
from combat.pages.help import views as help_pages
from combat.pages.home import views as home
from combat.pages.log import dice_view
from combat.pages.log import views as log
from combat.pages.map import pens, previews
from combat.pages.map import views as scene
from combat.pages.npcs import views as npcs
from combat.pages.prep import (
    downtime,
    encounters,
    gallery,
    odds_view,
    placing,
    ready,
    rest_view,
    roster,
    who_comes,
)
from combat.pages.prep import views as prep
from combat.pages.programs import api
from combat.pages.programs import api as programs
from combat.pages.report import views as report
from combat.pages.sharing import given, join, open_state, views
from combat.pages.sharing import views as share
from combat.pages.table import figures_view, wishes_view
from combat.pages.table import views as table
from combat.pages.whatif import forecast_view
from combat.pages.whatif import views as branches

map_pages = [
    path("area/", previews.show_area, name="area"),
    path("paths/", previews.show_paths, name="paths"),
    path("point/", previews.point_out, name="point"),
    path("pen/", pens.use_pen, name="pen"),
    path("lines/", previews.show_lines, name="lines"),
    path("foe/", previews.show_foe, name="foe"),
    path("ruler/", previews.show_distance, name="ruler"),
    path("scene/", scene.draw_scene, name="scene"),
    path("scene/<slug:digest>.webp", scene.show_picture, name="scene_picture"),
]

branch_pages = [
    path("", branches.show_branch, name="branch"),
    path("odds/", branches.show_branch_odds, name="branch_odds"),
    path("paths/", branches.show_branch_paths, name="branch_paths"),
    path("figures/", branches.show_branch_follows, name="branch_follows"),
    path("ruler/", branches.show_branch_distance, name="branch_ruler"),
    path("forecast/", branches.show_branch_forecast, name="branch_forecast"),
    path("real/", branches.show_real, name="make_real"),
]

encounter_pages: list[URLPattern | URLResolver] = [
    path("", table.show_table, name="table"),
    path("odds/", table.show_odds, name="odds"),
    path("wishes/grades/", wishes_view.show_grades, name="wish_grades"),
    path("wishes/words/", wishes_view.show_understood, name="wish_words"),
    path("points/", table.show_points, name="points"),
    path("figures/", figures_view.show_follows, name="figures_follow"),
    path("mine/", report.show_my_fight, name="my_fight"),
    path("pin/", table.pin_action, name="pin"),
    path("portraits/<slug:digest>.webp", table.show_portrait, name="token"),
    path("", include(map_pages)),
    path("prep/", prep.prepare, name="prep"),
    path("prep/who/", who_comes.roll_for_people, name="prep_who"),
    path("prep/people/", gallery.show_people, name="prep_people"),
    path("prep/odds/", odds_view.show_odds, name="prep_odds"),
    path("prep/scenes/", ready.show_ready_scenes, name="prep_scenes"),
    path("prep/sight/", placing.show_sight, name="prep_sight"),
    path("bring/", roster.bring_character, name="bring"),
    path("home/", roster.take_home, name="take_home"),
    path("rest/", rest_view.show_rest, name="rest"),
    path("share/", share.share, name="share"),
    path("share/full/", views.show_full, name="share_full"),
    path("programs/", programs.list_programs, name="programs"),
    path("leave/", join.leave, name="leave"),
    path("log/", log.show_log, name="log"),
    path("export/", log.export, name="export"),
    path("dice/", dice_view.show_dice, name="dice"),
    path("fault/", help_pages.report_fault, name="fault"),
    path("report/", report.show_report, name="report"),
    path("forecast/", forecast_view.show_forecast, name="forecast"),
    path("whatif/", branches.list_own, name="branches"),
    path("whatif/compare/", branches.compare, name="compare_branches"),
    path("whatif/<int:number>/", include(branch_pages)),
    path("notes/", notes.show_notes, name="notes"),
    path("who-can/", who_can_view.show_for_table, name="who_can"),
    path("handouts/", handouts.list_handouts, name="handouts"),
    path("handouts/<int:number>/", handouts.show_handout, name="handout"),
    path("handouts/<int:number>/<slug:digest>.webp", handouts.show_picture, name="handout_picture"),
]

campaign_pages = [
    path("", campaigns.show_campaign, name="campaign"),
    path("rules/<slug:slug>/", house_rules.edit_rules, name="campaign_rules"),
    path("conditions/<slug:slug>/", campaigns.edit_conditions, name="campaign_conditions"),
    path("tables/", tables.edit_tables, name="campaign_tables"),
    path("chest/", chest_view.show_chest, name="chest"),
    path("who-can/", who_can_view.show_for_party, name="who_can_party"),
    path("next/", next_evening_view.show_next_evening, name="next_evening"),
    path("next/evening.ics", next_evening_view.download_evening, name="evening_file"),
    path("evening/", evening_view.show_evening, name="evening"),
    path("pack/", packs.make_pack, name="make_pack"),
    path("handouts/<int:number>/", campaigns.edit_handout, name="edit_handout"),
    path("handouts/<int:number>/<slug:digest>.webp", campaigns.show_own_picture, name="own_handout_picture"),
]

pack_pages = [
    path("", packs.list_packs, name="packs"),
    path("<int:pk>/", packs.show_pack, name="pack"),
    path("<int:pk>/file/", packs.download_pack, name="pack_file"),
]

copy_pages = [
    path("", copies.list_copies, name="copies"),
    path("upload/", copies.upload, name="upload_copy"),
    path("<str:file_name>/file/", copies.download, name="download_copy"),
    path("<str:file_name>/verify/", copies.verify, name="verify_copy"),
    path("<str:file_name>/delete/", copies.delete, name="delete_copy"),
    path("<str:file_name>/restore/", copies.restore, name="restore_copy"),
]

rule_pages = [
    path("", rulebook.list_rulebooks, name="rulebooks"),
    path("about/", rulebook.about_rules, name="about_rules"),
    path("side-by-side/", rulebook.show_side_by_side, name="side_by_side"),
    path("<slug:slug>/", rulebook.show_rulebook, name="rulebook"),
    path("<slug:slug>/<slug:part>/", rulebook.show_book_page, name="book_page"),
    path("<slug:slug>/<slug:part>/again/<int:number>/", rulebook.roll_again, name="roll_again"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.show_home, name="home"),
    path("demo/", home.open_demo, name="open_demo"),
    path("encounters/", encounters.list_encounters, name="encounters"),
    path("encounters/new/", encounters.new_encounter, name="new_encounter"),
    path("encounters/import/", encounters.import_page, name="import_encounter"),
    path("encounters/<int:pk>/", include(encounter_pages)),
    path("npcs/new/", npcs.make_npc, name="npc_form"),
    path("npcs/<int:pk>/", npcs.change_npc, name="change_npc"),
    path("campaigns/", campaigns.list_campaigns, name="campaigns"),
    path("campaigns/<int:pk>/", include(campaign_pages)),
    path("packs/", include(pack_pages)),
    path("copies/", include(copy_pages)),
    path("accounts/delete/", accounts.delete_own, name="delete_own_account"),
    path("accounts/people/", accounts.list_accounts, name="people"),
    path("downtime/", downtime.spend_downtime, name="downtime"),
    path("hand/<int:pk>/", chest_view.hand_over, name="hand_over"),
    path("find/", find.find_anything, name="find"),
    path("encounters/<int:pk>/find/", find.find_anything, name="find_here"),
    path("join/", share.enter_code, name="enter_code"),
    path("fights/<token>/", given.show_given, name="given_fight"),
    path("fights/<token>/map.webp", given.show_given_picture, name="given_picture"),
    path("fights/<token>/file/", given.download_given, name="given_file"),
    path("fights/<token>/odds/", given.show_given_odds, name="given_odds"),
    path("calendar/<slug:token>/evenings.ics", next_evening_view.show_calendar, name="campaign_calendar"),
    path("j/<code>/", share.open_code, name="open_code"),
    path("join/<token>/", join.join, name="join"),
    path("seat/", join.open_my_seat, name="my_seat"),
    path("join/<token>/portraits/<slug:digest>.webp", join.show_portrait, name="join_portrait"),
    path("join/<token>/map/<slug:digest>.webp", join.show_map_picture, name="join_map"),
    path("rules/", include(rule_pages)),
    path("help/", help_pages.list_pages, name="help"),
    path("help/hints/", help_pages.change_hints, name="hints"),
    path("help/<slug:name>/", help_pages.show_page, name="help_page"),
    path("api/", open_state.explain, name="for_programs"),
    path("api/openapi.json", api.show_document, name="openapi"),
    path("api/table/<slug:what>/", api.answer, name="program"),
    path("api/v1/<token>/", open_state.show_state, name="open_state"),
]
