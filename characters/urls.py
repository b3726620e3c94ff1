"""The pages of characters."""

from django.urls import path

from . import papers, views

urlpatterns = [
    path("", views.list_characters, name="characters"),
    path("new/", views.make_character, name="new_character"),
    path("import/", papers.import_characters, name="import_characters"),
    path("roster.csv", papers.export_roster, name="roster"),
    path("all.json", papers.export_all, name="export_characters"),
    path("schema/<slug:slug>.json", papers.show_schema, name="sheet_schema"),
    path("<int:pk>/", views.show_character, name="character"),
    path("<int:pk>/odds/", views.show_odds, name="character_odds"),
    path("<int:pk>/restore/", views.restore_character, name="restore_character"),
    path("<int:pk>/print/", papers.print_character, name="print_character"),
    path("<int:pk>/export/", papers.export_character, name="export_character"),
    path("<int:pk>/portrait/", papers.send_portrait, name="send_portrait"),
    path("<int:pk>/portrait/<slug:digest>.webp", papers.show_portrait, name="portrait"),
]
