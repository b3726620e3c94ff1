"""The emptiest view that writes, behind the same middleware."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.utils import timezone

from combat.models import Encounter


def write_a_row(request: HttpRequest, pk: int) -> HttpResponse:
    """Somebody signed in changes one row."""
    assert request.user.is_authenticated
    with transaction.atomic():
        Encounter.objects.filter(pk=pk).update(changed=timezone.now())
    return HttpResponse(status=204)


urlpatterns = [path("empty/<int:pk>/", write_a_row), path("", include("cosmos_site.urls"))]
