"""The site map."""

from django.urls import include, path
from django.views.generic import RedirectView

from characters.accounts import accounts
from characters.urls import linked_patterns

from . import web_app
from .elsewhere import views as elsewhere

urlpatterns = [
    path("", include("combat.urls")),
    path("characters/", include("characters.urls")),
    path("v/", include(linked_patterns)),
    path("gear/", include("characters.gear.urls")),
    path("sign-in/<token>/", accounts.sign_in_by_link, name="sign_in_by_link"),
    path("accounts/password/reset/", accounts.explain_lost_password, name="lost_password"),
    path("accounts/me/", accounts.show_account, name="account"),
    path("accounts/devices/", accounts.show_devices, name="devices"),
    # accounts have no e-mail addresses: the library's page would ask for one
    path("accounts/email/", RedirectView.as_view(pattern_name="account"), name="no_email"),
    path("accounts/", include("allauth.urls")),
    path("elsewhere/", elsewhere.decide, name="elsewhere"),
    path("manifest.webmanifest", web_app.show_manifest, name="manifest"),
    path("worker.js", web_app.show_worker, name="worker"),
    path("offline/", web_app.show_offline, name="offline"),
]

handler400 = "cosmos_site.base.errors.refuse_request"
handler403 = "cosmos_site.base.errors.refuse_permission"
handler404 = "cosmos_site.base.errors.show_not_found"
handler500 = "cosmos_site.base.errors.show_server_error"
