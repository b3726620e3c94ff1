"""The headers that tell browsers what they may keep and do."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

# Of a device, pages use only passkeys, the clipboard (to copy links) and the screen (to keep it on).
OURS = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock")
DENIED = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "clipboard-read",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "picture-in-picture",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
PERMISSIONS = ", ".join([*(f"{name}=(self)" for name in OURS), *(f"{name}=()" for name in DENIED)])


class PageHeaders:
    """Middleware: no browser or proxy keeps our answers, unless the answer says otherwise; cookies are ours.

    Nearly every page holds a secret of the fight, of a person, or of a form. Browsers do not keep such pages
    for going back either, so after signing out there is nothing to see. Static files do not pass here; what
    may be kept says so itself, such as a picture whose address is its digest. Cookies are sent to this site,
    not to others of its host.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the headers to any answer."""
        answer = self.get_response(request)
        answer.setdefault("Cache-Control", "no-store")
        if "HX-Reswap" not in answer:  # htmx asks for parts, which are never a page of their own
            answer["Permissions-Policy"] = PERMISSIONS
        for cookie in answer.cookies.values():
            cookie["path"] = settings.COSMOS_PATH or "/"
        return answer
