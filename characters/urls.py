"""The pages of characters."""

from django.urls import path

from .views import creation, import_export, npcs, several, shared
from .views import sheets as views

urlpatterns = [
    path("", views.list_characters, name="characters"),
    path("npcs/", npcs.list_npcs, name="npcs"),
    path("npcs/roster.csv", import_export.export_roster, {"npc": True}, name="npc_roster"),
    path("npcs/new/", npcs.make_npcs, name="new_npc"),
    path("new/", creation.make_character, name="new_character"),
    path("import/", import_export.import_characters, name="import_characters"),
    path("roster.csv", import_export.export_roster, name="roster"),
    path("all.json", import_export.export_all, name="export_characters"),
    path("several/", several.change_several, name="several_characters"),
    path("several/print/", several.print_several, name="print_characters"),
    path("several.json", several.export_several, name="export_several"),
    path("schema/<slug:slug>.json", import_export.show_schema, name="sheet_schema"),
    path("<int:pk>/", views.show_character, name="character"),
    path("<int:pk>/odds/", views.show_odds, name="character_odds"),
    path("<int:pk>/reading/", views.show_reading, name="character_reading"),
    path("<int:pk>/share/", shared.share_sheet, name="share_sheet"),
    path("<int:pk>/restore/", views.restore_character, name="restore_character"),
    path("<int:pk>/print/", import_export.print_character, name="print_character"),
    path("<int:pk>/export/", import_export.export_character, name="export_character"),
    path("<int:pk>/export.txt", import_export.export_character, {"form": "txt"}, name="export_block"),
    path("<int:pk>/export.csv", import_export.export_character, {"form": "csv"}, name="export_line"),
    path("<int:pk>/portrait/", import_export.send_portrait, name="send_portrait"),
    path("<int:pk>/portrait/<slug:digest>.webp", import_export.show_portrait, name="portrait"),
]

# read by anyone who has the link
linked_patterns = [
    path("<str:token>/", shared.show_shared, name="shared_sheet"),
    path("<str:token>/print/", shared.print_shared, name="print_shared"),
    path("<str:token>/portrait/<slug:digest>.webp", shared.show_shared_portrait, name="shared_portrait"),
]
