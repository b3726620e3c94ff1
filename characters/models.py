"""The stored data about people, beyond Django's own accounts."""

from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models

from cosmos_site.base.tags import list_tags

from .ports import encounters


class SignInLink(models.Model):
    """A link that signs one person in, once. Only a hash of its token is kept."""

    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"sign-in link of {self.user}"


class SeenHint(models.Model):
    """A hint of the first fight that someone has seen, by its key: it is not shown to them again."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seen_hints")
    key = models.CharField(max_length=20)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "key"), name="one_seen_hint_per_key"),)

    def __str__(self) -> str:
        return f"{self.user_id} saw {self.key}"


class Character(models.Model):
    """A character: a sheet of one game as plain data, and what belongs to it.

    `sheet` is valid for the game's sheet type; only `character_service.py` writes it. `summary` is a line for
    lists, `portrait` the digest of a picture, `face` the key of a drawn one that shows without a picture,
    `undone` the numbers of changes taken back. `story` is a `Story`. `bar` is no part of its history.
    A character without an owner is a guest's. An `npc` is a stat
    block that a GM made; `kind` is its group, such as the tier of the block it was copied from.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="characters", null=True
    )
    system = models.SlugField(max_length=40)
    name = models.CharField(max_length=60)
    sheet = models.JSONField()
    notes = models.TextField(max_length=10_000, blank=True)
    story = models.JSONField(default=dict, blank=True)
    tags = models.CharField(
        max_length=201, blank=True, default="", help_text="words of its owner: ,crew,rain,"
    )
    portrait = models.CharField(max_length=64, blank=True)
    face = models.SlugField(max_length=20, blank=True, default="", db_index=False)
    summary = models.CharField(max_length=150, blank=True)
    npc = models.BooleanField(default=False)
    kind = models.CharField(max_length=60, blank=True, default="")
    archived = models.BooleanField(default=False)
    deleted_at = models.DateTimeField(null=True, blank=True)
    totals = models.CharField(
        max_length=10, blank=True, default="", help_text="“gm”: the GM alone sees its totals, not the party"
    )
    version = models.PositiveIntegerField(default=1)
    undone = models.JSONField(default=list, blank=True)
    bar = models.JSONField(default=list, blank=True, help_text="its usual actions in a fight, in order")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-changed_at", "-pk")
        indexes = (models.Index(fields=("owner", "archived", "deleted_at", "-changed_at")),)

    def __str__(self) -> str:
        return self.name

    @property
    def tag_list(self) -> list[str]:
        """Its tags, each a word or a few."""
        return list_tags(self.tags)

    @cached_property
    def hosts(self) -> tuple[Any, ...]:
        """The GMs of its tables, as `access.Host`: the table app answers, as this app knows no tables."""
        found: tuple[Any, ...] = encounters.find_hosts(self)
        return found


class SheetLink(models.Model):
    """The read-only link to a sheet, until it is revoked. Only a digest of its token is kept."""

    character = models.OneToOneField(Character, on_delete=models.CASCADE, related_name="sheet_link")
    digest = models.CharField(max_length=64, unique=True)
    nonce = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"link to {self.character_id}"


class Portrait(models.Model):
    """A picture of a character, redrawn from the upload: WebP, at most 512 pixels wide or high."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="portraits")
    digest = models.CharField(max_length=64)
    image = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("character", "digest"), name="one_portrait_per_digest"),
        )

    def __str__(self) -> str:
        return f"portrait of {self.character_id}"


class CharacterChange(models.Model):
    """One step of a character's history: what changed, with the whole character before and after.

    `kind` is change, undo or redo; a change that was undone is `struck`. `source` names what it came from, if
    that was a fight.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="changes")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, default="change")
    what = models.CharField(max_length=200)
    by = models.CharField(max_length=150, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    struck = models.BooleanField(default=False)
    source = models.CharField(max_length=30, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=("character", "number"), name="one_change_per_number"),)

    def __str__(self) -> str:
        return f"{self.character_id}/{self.number} {self.what}"


class CharacterRoll(models.Model):
    """A check rolled from a sheet, as its log lines."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="rolls")
    by = models.CharField(max_length=150, blank=True)
    lines = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"roll of {self.character_id}"
