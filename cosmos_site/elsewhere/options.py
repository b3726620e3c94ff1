"""What `play --at`, `--cert` and `--key` may say."""

import argparse
import ssl
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import CommandError

from cosmos_site.base.addresses import is_local
from cosmos_site.base.outside import is_host_name, read_host

AT = "--at takes the address that players open, such as https://table.example: "


def read_at(typed: str) -> str:
    """The host of `--at https://NAME`, with its port if it has one; ArgumentTypeError in plain words."""
    try:
        parts = urlsplit(typed)
        name, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:  # UnicodeError too
        raise argparse.ArgumentTypeError(f"{AT}{typed} is none.") from None
    if parts.scheme != "https":
        raise argparse.ArgumentTypeError(f"{AT}{typed} does not begin with https://.")
    if not is_host_name(name) or parts.username is not None:
        raise argparse.ArgumentTypeError(f"{AT}{typed} names no host.")
    if is_local(name):
        raise argparse.ArgumentTypeError(f"{AT}{name} is always the visitor's own machine.")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(
            f"{AT}{typed} has more after the name. The table needs a name of its own."
        )
    return read_host(f"{name}:{port}" if port else name)


def read_certificate(cert: str, key: str) -> ssl.SSLContext | None:
    """How to serve https with these two files, None without them; CommandError in plain words."""
    if not cert and not key:
        return None
    if not cert or not key:
        raise CommandError("--cert FILE and --key FILE belong together: give both.")
    for path in (cert, key):
        _check_readable(path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key, password=_refuse_password)
    except ssl.SSLError as problem:
        raise CommandError(_explain(problem, cert, key)) from None
    return context


def keep_cookies_apart() -> None:
    """Name the cookies of a table with a certificate differently.

    Browsers let no http page replace a cookie set by https at the same host, whatever its port: a later table
    without a certificate could sign nobody in.
    """
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"


def _check_readable(path: str) -> None:
    try:
        with open(path, "rb"):  # noqa: PTH123 - as ssl opens it
            pass
    except OSError as problem:
        raise CommandError(f"{path} cannot be read: {problem.strerror}.") from None


def _refuse_password() -> str:
    """Asked only for an encrypted key: nobody may be there to type one."""
    raise CommandError(
        "The key is protected by a password. Give one without: openssl rsa -in KEY -out NEW_KEY"
    )


def _explain(problem: ssl.SSLError, cert: str, key: str) -> str:
    if problem.reason == "KEY_VALUES_MISMATCH":
        return f"{key} is not the key of the certificate {cert}."
    return f"{cert} must be a certificate and {key} its key, both as PEM text (-----BEGIN …)."
