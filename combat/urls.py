"""The pages of encounters."""

from django.urls import path

from combat.views import forecast, log, prep, roster, rulebook, share, table

urlpatterns = [
    path("", prep.show_home, name="home"),
    path("encounters/", prep.list_encounters, name="encounters"),
    path("encounters/<int:pk>/", table.show_table, name="table"),
    path("encounters/<int:pk>/odds/", table.show_odds, name="odds"),
    path("encounters/<int:pk>/prep/", prep.prepare, name="prep"),
    path("encounters/<int:pk>/log/", log.show_log, name="log"),
    path("encounters/<int:pk>/export/", log.export, name="export"),
    path("encounters/<int:pk>/share/", share.share, name="share"),
    path("encounters/<int:pk>/leave/", share.leave, name="leave"),
    path("encounters/<int:pk>/bring/", roster.bring_character, name="bring"),
    path("downtime/", roster.spend_downtime, name="downtime"),
    path("encounters/<int:pk>/home/", roster.take_home, name="take_home"),
    path("join/<token>/", share.join, name="join"),
    path("encounters/<int:pk>/forecast/", forecast.show_forecast, name="forecast"),
    path("rules/", rulebook.list_rulebooks, name="rulebooks"),
    path("rules/about/", rulebook.about_rules, name="about_rules"),
    path("rules/<slug:slug>/", rulebook.show_rulebook, name="rulebook"),
]
