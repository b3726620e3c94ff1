"""What every page tells the browser to keep and to allow."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Of what pages can ask of a device we use passkeys and the clipboard (a link is copied); the rest is denied.
OURS = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get")
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
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
PERMISSIONS = ", ".join([*(f"{name}=(self)" for name in OURS), *(f"{name}=()" for name in DENIED)])


class PageHeaders:
    """Middleware: nobody keeps an answer of ours, neither browser nor proxy, unless it says otherwise.

    Nearly every page holds a secret: of the fight, of a person, or of a form. A browser keeps no such page
    for going back to either, so after signing out there is nothing to see there. Static files never come by
    here; what may be kept says so itself, such as a picture whose address is its digest.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add to whatever the answer is."""
        answer = self.get_response(request)
        answer.setdefault("Cache-Control", "no-store")
        if "HX-Reswap" not in answer:  # what is asked for in parts is never a page of its own
            answer["Permissions-Policy"] = PERMISSIONS
        return answer
