"""Times on pages: drawn in the zone of the host, then by a script in that of the reader."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.dateformat import format as write_date
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
WHOLE = "j F Y, H:i T"  # the title of a time, for readers without scripts


@register.filter
def moment(value: datetime | None, form: str) -> SafeString:
    """A time, written in the letters of Django's filter `date`; empty without a time.

    Use only j F M Y H i D and l: `static/js/page/times.js` knows no others.
    """
    if value is None:
        return SafeString("")
    here = timezone.localtime(value)
    return format_html(
        '<time datetime="{}" title="{}" data-written="{}">{}</time>',
        here.isoformat(timespec="seconds"),
        write_date(here, WHOLE),
        form,
        write_date(here, form),
    )
