"""Items people made for their own tables, beside the games' catalogues."""

from django.conf import settings
from django.db import models


class OwnItem(models.Model):
    """A person's own item: a record in its game's schema for that kind. Only `item_service.py` writes it."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="own_items")
    system = models.SlugField(max_length=40)
    kind = models.CharField(max_length=60)
    name = models.CharField(max_length=60)
    record = models.JSONField()
    shared = models.BooleanField(default=False, help_text="with those who have a seat at the owner's tables")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("name", "pk")
        indexes = (models.Index(fields=("owner", "system")),)

    def __str__(self) -> str:
        return self.name
