"""The pages of encounters."""

from django.urls import path

from . import bring_views, forecast_views, log_views, pages, rule_views, share_views, views

urlpatterns = [
    path("", pages.show_home, name="home"),
    path("encounters/", pages.list_encounters, name="encounters"),
    path("encounters/<int:pk>/", views.show_table, name="table"),
    path("encounters/<int:pk>/odds/", views.show_odds, name="odds"),
    path("encounters/<int:pk>/prep/", pages.prepare, name="prep"),
    path("encounters/<int:pk>/log/", log_views.show_log, name="log"),
    path("encounters/<int:pk>/export/", log_views.export, name="export"),
    path("encounters/<int:pk>/share/", share_views.share, name="share"),
    path("encounters/<int:pk>/leave/", share_views.leave, name="leave"),
    path("encounters/<int:pk>/bring/", bring_views.bring_character, name="bring"),
    path("downtime/", bring_views.spend_downtime, name="downtime"),
    path("encounters/<int:pk>/home/", bring_views.take_home, name="take_home"),
    path("join/<token>/", share_views.join, name="join"),
    path("encounters/<int:pk>/forecast/", forecast_views.show_forecast, name="forecast"),
    path("rules/", rule_views.list_rulebooks, name="rulebooks"),
    path("rules/about/", rule_views.about_rules, name="about_rules"),
    path("rules/<slug:slug>/", rule_views.show_rulebook, name="rulebook"),
]
