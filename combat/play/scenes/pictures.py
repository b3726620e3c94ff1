"""Pictures of scenes: stored with their encounter, so that backups include them."""

from __future__ import annotations

import threading
from collections import OrderedDict

from msgspec.structs import replace

from combat.audience.map_fog import Clip, find_shares
from combat.models import Encounter, ScenePicture
from combat.rules.core.space import Picture, Scene, map_of, with_map
from cosmos_site.base.pictures import Picture as RemadePicture
from cosmos_site.base.pictures import cut_out

MAX_PICTURES = 5  # per encounter: an undo may need an older one
PIXELS_PER_METER = 50  # until someone scales the picture
MAX_CUT = 16  # cut pictures that this process keeps

_cut: OrderedDict[str, bytes] = OrderedDict()
_cutting = threading.Lock()  # one at a time: a large picture takes much memory


def keep_picture(encounter: Encounter, made: RemadePicture | ScenePicture) -> ScenePicture:
    """Store a picture that was drawn again, or one of another encounter; the oldest ones are dropped."""
    fields = {"image": made.image, "width": made.width, "height": made.height}
    kept, _ = ScenePicture.objects.update_or_create(encounter=encounter, digest=made.digest, defaults=fields)
    older = encounter.pictures.exclude(pk=kept.pk).order_by("-kept_at", "-pk").only("pk")
    encounter.pictures.filter(pk__in=[row.pk for row in older[MAX_PICTURES - 1 :]]).delete()
    return kept


def find_picture(encounter: Encounter, digest: str) -> bytes | None:
    """A stored picture; None if it is gone."""
    row = encounter.pictures.filter(digest=digest).first()
    return bytes(row.image) if row else None


def cut_picture(encounter: Encounter, clip: Clip) -> bytes | None:
    """The visible part of a picture, made once for all who see the same part; None if it is gone."""
    with _cutting:
        digest = clip.shown.digest
        if digest not in _cut:
            image = find_picture(encounter, clip.whole.digest)
            if image is None:
                return None
            _cut[digest] = _make_cut(image, clip)
            while len(_cut) > MAX_CUT:
                _cut.popitem(last=False)
        _cut.move_to_end(digest)
        return _cut[digest]


def _make_cut(image: bytes, clip: Clip) -> bytes:
    crop, *clear = find_shares(clip.whole, (clip.shown, *clip.clear))
    return cut_out(image, crop, clear, find_shares(clip.whole, clip.dark))


def copy_pictures(old: Encounter, new: Encounter, scene: Scene) -> None:
    """Store the picture of a scene for another encounter as well."""
    picture = map_of(scene).picture
    for row in old.pictures.filter(digest=picture.digest) if picture else ():
        ScenePicture.objects.create(
            encounter=new, digest=row.digest, image=row.image, width=row.width, height=row.height
        )


def lay_picture(scene: Scene, picture: ScenePicture | RemadePicture, meters: float | None = None) -> Scene:
    """The scene with a picture under it, `meters` wide, at the corner of the last one."""
    old = map_of(scene).picture
    width = meters or (old.width if old else round(picture.width / PIXELS_PER_METER, 3))
    laid = Picture(
        picture.digest,
        old.x if old else min((zone.x for zone in scene.zones), default=0.0),
        old.y if old else min((zone.y for zone in scene.zones), default=0.0),
        width=width,
        depth=round(width * picture.height / picture.width, 3),
    )
    return with_map(scene, replace(map_of(scene), picture=laid))
