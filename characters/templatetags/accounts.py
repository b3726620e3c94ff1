"""What pages say about accounts."""

from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from django import template

from characters.accounts.accounts import say_signup_closed
from cosmos_site.base.addresses import is_local

register = template.Library()
register.simple_tag(say_signup_closed, name="signup_closed")


@register.simple_tag(takes_context=True)
def passkey_obstacle(context: template.RequestContext) -> str:
    """Why passkeys do not work at the address of a page, with what works; empty if they do.

    Browsers keep them for a name, over https or on the visitor's own machine.
    """
    request = context["request"]
    place = urlsplit(f"//{request.get_host()}")
    name, port = place.hostname or "", f":{place.port}" if place.port else ""
    if not _is_number(name) and (request.is_secure() or is_local(name)):
        return ""
    return f"Passkeys need a name: open http://localhost{port} or your https address."


def _is_number(host: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(host))
    return False
