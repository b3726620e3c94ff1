"""The pages of gear."""

from django.urls import path

from . import catalogue, views

urlpatterns = [
    path("", views.show_gear, name="gear"),
    path("compare/", views.compare_items, name="compare_gear"),
    path("own/import/", catalogue.import_items, name="import_items"),
    path("own/new/", views.make_own, name="new_own_item"),
    path("own/<int:pk>/", views.edit_own, name="own_item"),
    path("item/<slug:key>/", views.show_item, name="gear_item"),
    path("item/<slug:key>/add/", views.add_item, name="add_item"),
]
