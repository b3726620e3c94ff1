"""Join codes: short enough to type by hand, open only while the GM shows them, never for a co-GM."""

from __future__ import annotations

import re
import secrets
import unicodedata
from datetime import timedelta

from allauth.core.internal import ratelimit
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from combat.models import JoinCode, ShareLink
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused

from .links import find_token, is_open

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # 32 signs: five bits each
CONFUSED = str.maketrans("ILOU", "110V")
LENGTH, HALF = 8, 4
MAX_TYPED = 200  # characters
HOURS = 3  # until a code expires
KINDS = (ShareLink.WATCH, ShareLink.PLAY)
GAPS = re.compile(r"[\s._\u00b7\u2010-\u2015\u2212-]+")
# How many wrong codes are allowed: from one address, and from all together
WRONG = {"code_address": "10/5m/ip", "code_all": "2000/h/key"}


def show_code(link: ShareLink) -> JoinCode:
    """Turn on the code of a link for some hours; one that is on already stays as it is.

    Refused for a link that lets in a co-GM or moves a seat.
    """
    if link.kind not in KINDS or link.moves_id:
        raise Refused("not_allowed", "Only links for players and spectators have a code.")
    with locked(link.encounter_id):
        shown = JoinCode.objects.filter(link=link, expires__gt=timezone.now()).first()
        return shown if shown and spell(shown) else _make_code(link)


def _make_code(link: ShareLink) -> JoinCode:
    nonce = secrets.token_urlsafe(16)
    digest = _find_digest(_derive(link.pk, nonce))
    if JoinCode.objects.filter(digest=digest).exclude(link=link).exists():
        return _make_code(link)  # another table has these eight signs now
    expires = timezone.now() + timedelta(hours=HOURS)
    fresh = {"nonce": nonce, "digest": digest, "expires": expires}
    return JoinCode.objects.update_or_create(link=link, defaults=fresh)[0]


def end_code(link: ShareLink) -> None:
    """Turn the code of a link off; the link itself stays open."""
    JoinCode.objects.filter(link=link).delete()


def find_code(link: ShareLink) -> JoinCode | None:
    """The code of a link if it works now."""
    code = getattr(link, "join_code", None)
    return code if code and code.expires > timezone.now() and spell(code) else None


def spell(code: JoinCode) -> str:
    """A code as it is shown, like "7K4P-M2QX"; empty if it was made with another secret key."""
    word = _derive(code.link_id, code.nonce)
    return write_code(word) if _find_digest(word) == code.digest else ""


def write_code(word: str) -> str:
    """The signs of a code as it is shown."""
    return f"{word[:HALF]}-{word[HALF:]}"


def _derive(link: int, nonce: str) -> str:
    """The eight signs of a code; they cannot be made without the secret key of this site."""
    number = int.from_bytes(salted_hmac("combat.code", f"{link}:{nonce}", algorithm="sha256").digest())
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(LENGTH))


def _find_digest(word: str) -> str:
    """The keyed digest that is stored: 40 bits alone could be guessed from a copy of the database."""
    return salted_hmac("combat.code.digest", word, algorithm="sha256").hexdigest()


def read_code(typed: str) -> str:
    """The code in what someone typed or pasted, also at the end of an address; empty if there is none.

    Case, gaps and dashes do not matter; I and L count as 1, O as 0, U as V.
    """
    plain = unicodedata.normalize("NFKC", typed[:MAX_TYPED]).strip().rstrip("/").rpartition("/")[2]
    word = GAPS.sub("", plain).upper().translate(CONFUSED)
    return word if len(word) == LENGTH and set(word).issubset(ALPHABET) else ""


def find_coded_link(word: str) -> ShareLink | None:
    """The link that a code opens now."""
    codes = JoinCode.objects.select_related("link__encounter", "link__moves")
    codes = codes.filter(expires__gt=timezone.now(), link__kind__in=KINDS, link__moves=None)
    code = codes.filter(digest=_find_digest(word)).first()
    return code.link if code and is_open(code.link) and find_token(code.link) else None


def count_try(request: HttpRequest) -> ratelimit.RateLimitUsage | None:
    """Count a typed code before it is looked up; None after too many. Take a right one back by `rollback`."""
    counted = ratelimit.RateLimitUsage(usage=[])
    for action in WRONG:
        more = ratelimit.consume(request, app="combat.sharing", action=action, config=WRONG, key="all")
        if not more:
            return None
        counted.usage += more.usage
    return counted
