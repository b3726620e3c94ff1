"""allauth's forms, in the words of this site."""

from __future__ import annotations

from allauth.account.forms import LoginForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth has no types
    """Name and password."""

    remember = forms.BooleanField(label="Keep me signed in on this device", required=False)


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """A new passkey."""

    passwordless = forms.BooleanField(label="Passwordless: this passkey alone signs me in", required=False)
