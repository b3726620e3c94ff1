"""allauth's forms, in the words of this site."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ChangePasswordForm, LoginForm, SignupForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms

from ..ports import encounters

AS_TYPED = {"autocapitalize": "none", "autocorrect": "off"}  # a phone changes no letter of a name


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth has no types
    """Name and password."""

    remember = forms.BooleanField(label="Keep me signed in on this device", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs |= AS_TYPED


class SignUpForm(SignupForm):  # type: ignore[misc]  # allauth has no types
    """Name and password of a new account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= AS_TYPED


class NewPasswordForm(ChangePasswordForm):  # type: ignore[misc]  # allauth has no types
    """A new password, which ends all other access; it asks about programs if there are some."""

    keep_programs = forms.BooleanField(label="Keep the tokens of my programs", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [f"{one.name} at {one.encounter.name}" for one in encounters.find_tokens_of(self.user)]
        if names:
            self.fields["keep_programs"].help_text = f"{', '.join(names)}: otherwise they end."
        else:
            del self.fields["keep_programs"]


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """A new passkey. Each signs in alone, so nobody is asked whether it may."""

    passwordless = None

    def clean(self) -> dict[str, Any]:
        """The passkey; ValidationError without a finger, face or PIN.

        Browsers that do not tell whether it signs in alone have still been asked for no other.
        """
        self.cleaned_data["passwordless"] = True
        cleaned: dict[str, Any] = super().clean()
        if credential := cleaned.get("credential"):
            stated = (credential.get("clientExtensionResults") or {}).get("credProps") or {}
            credential["clientExtensionResults"] = {"credProps": {"rk": True, **stated}}
        return cleaned
