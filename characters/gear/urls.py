"""The pages of gear."""

from django.urls import path

from . import views

urlpatterns = [
    path("", views.show_gear, name="gear"),
    path("compare/", views.compare_things, name="compare_gear"),
    path("own/new/", views.make_own, name="new_own_item"),
    path("own/<int:pk>/", views.edit_own, name="own_item"),
    path("thing/<slug:key>/", views.show_thing, name="thing"),
    path("thing/<slug:key>/add/", views.add_thing, name="add_thing"),
]
