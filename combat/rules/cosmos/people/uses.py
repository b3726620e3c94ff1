"""Things limited to a number of uses per encounter or day.  RULING R20, RULING R41"""

from __future__ import annotations

from combat.rules.core.declaration.people import DAY, FIGHT, Use

USES = (
    Use("first_aid_at", "Healing of first aid", DAY, "COS-MED-05"),
    Use("surgery_at", "Surgery", DAY, "COS-MED-11"),
    Use("gift_at", "Healing gift", DAY),
    Use("doses", "Tolerance of drugs", DAY, "COS-DRUG-08"),
    Use("field_medicine", "Field medicine", FIGHT, "COS-MED-08"),
)
