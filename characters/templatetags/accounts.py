"""What pages say about accounts."""

from django import template

from characters.accounts.accounts import say_signup_closed

register = template.Library()
register.simple_tag(say_signup_closed, name="signup_closed")
