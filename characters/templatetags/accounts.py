"""What pages say about accounts."""

from django import template

from characters.accounts.accounts import find_passkey_obstacle, say_signup_closed

register = template.Library()
register.simple_tag(say_signup_closed, name="signup_closed")


@register.simple_tag(takes_context=True)
def passkey_obstacle(context: template.RequestContext) -> str:
    """Why passkeys do not work at the address of this page, with what works; empty if they do."""
    return find_passkey_obstacle(context["request"])
