"""The characters app."""

from django.apps import AppConfig


class CharactersConfig(AppConfig):
    """People and their sheets."""

    name = "characters"

    def ready(self) -> None:
        """Note sign-ins, sign-outs and new passwords; find names whatever their capitals."""
        from allauth.account.signals import password_changed, password_set
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from cosmos_site.base import folding  # noqa: F401 - it registers its lookups

        from .accounts.accounts import note_new_password, note_sign_in, note_sign_out

        user_logged_in.connect(note_sign_in)
        user_logged_out.connect(note_sign_out)
        for changed in (password_changed, password_set):
            changed.connect(note_new_password)
