"""Storage of encounters: the steps of the log, the resulting state, and the open command."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from .stamps import COMMON, OWN, make_stamp


class DataRelease(models.Model):
    """A release that has opened this table's data. The newest row is the last one."""

    release = models.CharField(max_length=30)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.release


class Campaign(models.Model):
    """A GM's folder: encounters, people, NPCs, handouts, notes. `options` are its house rules by game."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="campaigns")
    name = models.CharField(max_length=100)
    notes = models.TextField(max_length=20_000, blank=True, default="")
    options = models.JSONField(default=dict, blank=True)
    conditions = models.JSONField(default=dict, blank=True, help_text="the GM's own, by game")
    tables = models.JSONField(default=list, blank=True, help_text="to roll on: name, dice, lines")
    rulings = models.JSONField(default=dict, blank=True, help_text="what was ruled in its fights, by game")
    evening = models.JSONField(default=list, blank=True, help_text="its fights in order: number, rest, out")
    archived = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-changed", "-pk")
        indexes = (models.Index(fields=("owner", "archived", "-changed")),)

    def __str__(self) -> str:
        return self.name


class CampaignMember(models.Model):
    """A character or an NPC that belongs to a campaign."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="members")
    character = models.ForeignKey("characters.Character", models.CASCADE, related_name="campaigns")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("campaign", "character"), name="one_membership_per_character"),
        )

    def __str__(self) -> str:
        return f"{self.character_id} in {self.campaign_id}"


class Chest(models.Model):
    """What belongs to a campaign's party: things as on sheets, and money; one for each of its games."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="chests")
    system = models.SlugField(max_length=40)
    things = models.JSONField(default=list, blank=True)
    money = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("campaign", "system"), name="one_chest_per_game"),)

    def __str__(self) -> str:
        return f"chest of {self.campaign_id}: {self.system}"


class Transfer(models.Model):
    """A thing, or money, that goes from one to another of a campaign: offered, done, declined or undone.

    `giver` and `taker` are sheets; who has none is the chest, or the GM who adds something new to it. Names
    stay when a sheet is deleted. `goes` says what went where, so that undo takes back just that.
    """

    OPEN, DONE, DECLINED, UNDONE = "open", "done", "declined", "undone"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="transfers")
    system = models.SlugField(max_length=40)
    giver = models.ForeignKey("characters.Character", models.SET_NULL, null=True, related_name="given")
    taker = models.ForeignKey("characters.Character", models.SET_NULL, null=True, related_name="taken")
    giver_name = models.CharField(max_length=60, blank=True, default="")
    taker_name = models.CharField(max_length=60, blank=True, default="")
    what = models.CharField(max_length=120)
    item = models.CharField(max_length=60, blank=True, default="")
    count = models.PositiveIntegerField(default=1)
    money = models.PositiveBigIntegerField(default=0)
    state = models.CharField(max_length=10, default=OPEN)
    goes = models.JSONField(default=dict, blank=True)
    by = models.CharField(max_length=150, blank=True)
    ended_by = models.CharField(max_length=150, blank=True, default="")
    once = models.CharField(max_length=32, blank=True, default="", help_text="of its form: two taps are one")
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-pk",)
        indexes = (models.Index(fields=("campaign", "system", "state", "-id")),)
        constraints = (
            models.UniqueConstraint(
                fields=("once",), condition=~models.Q(once=""), name="one_transfer_per_form"
            ),
        )

    def __str__(self) -> str:
        return f"{self.what}: {self.state}"


class GameEvening(models.Model):
    """An evening on which a campaign plays: when, how long, where. The next one is the last not yet over.

    `zone` is the time zone of its GM. `changes` counts its changes, for calendars.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="evenings")
    starts = models.DateTimeField()
    minutes = models.PositiveIntegerField(default=240)
    zone = models.CharField(max_length=60)
    place = models.CharField(max_length=200, blank=True, default="")
    note = models.CharField(max_length=500, blank=True, default="")
    uid = models.CharField(max_length=32, unique=True, help_text="its name in calendars")
    changes = models.PositiveIntegerField(default=0)
    withdrawn = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-starts", "-pk")

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.starts:%Y-%m-%d %H:%M}"

    @property
    def ends(self) -> datetime:
        """When it is over."""
        return self.starts + timedelta(minutes=self.minutes)

    @property
    def clock(self) -> str:
        """When it begins on the clock of its own zone, such as "19:00"."""
        return f"{self.starts.astimezone(ZoneInfo(self.zone)):%H:%M}"


class EveningAnswer(models.Model):
    """Whether someone comes to an evening: a person with an account, or a guest's character."""

    COMING, MAYBE, CANNOT = "coming", "maybe", "cannot"
    REPLIES = ((COMING, "Coming"), (MAYBE, "Maybe"), (CANNOT, "Cannot"))

    evening = models.ForeignKey(GameEvening, models.CASCADE, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    character = models.ForeignKey("characters.Character", models.CASCADE, null=True, related_name="+")
    reply = models.CharField(max_length=10, choices=REPLIES)
    note = models.CharField(max_length=120, blank=True, default="")
    starts = models.DateTimeField(help_text="of the evening when they answered: it may move")
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("evening", "user"), name="one_answer_per_person"),
            models.UniqueConstraint(fields=("evening", "character"), name="one_answer_per_guest"),
        )

    def __str__(self) -> str:
        return f"{self.evening_id}: {self.reply}"


class CampaignCalendar(models.Model):
    """The address where calendars read a campaign's evenings. Its token is derived as a share link's."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="calendar")
    digest = models.CharField(max_length=64, unique=True)
    nonce = models.CharField(max_length=32)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"calendar of {self.campaign_id}"


class Handout(models.Model):
    """Something to show to players: a text in Markdown, a picture (re-encoded as WebP), or both."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="handouts")
    title = models.CharField(max_length=100)
    text = models.TextField(max_length=10_000, blank=True, default="")
    image = models.BinaryField(null=True)
    digest = models.CharField(max_length=64, blank=True, default="")
    width = models.PositiveIntegerField(default=0)
    height = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created", "-pk")

    def __str__(self) -> str:
        return self.title


class Pack(models.Model):
    """A pack that a GM has made or read: its file, and the words at its head."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="packs")
    name = models.CharField(max_length=100)
    author = models.CharField(max_length=100, blank=True, default="")
    license = models.CharField(max_length=100, blank=True, default="")
    release = models.CharField(max_length=30, blank=True, default="")
    digest = models.CharField(max_length=64, help_text="the hash of its content")
    document = models.BinaryField(help_text="the file, compressed")
    contents = models.JSONField(default=dict, help_text="what its card shows: counts by kind, games, people")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name", "-created", "-pk")
        constraints = (models.UniqueConstraint(fields=("owner", "digest"), name="one_pack_per_content"),)

    def __str__(self) -> str:
        return self.name


class PackUse(models.Model):
    """A pack that is switched on for a campaign, with what that made and replaced."""

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="uses")
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="packs")
    made = models.JSONField(default=dict, help_text="what was made and what was replaced, by kind")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pack__name", "pk")
        constraints = (models.UniqueConstraint(fields=("pack", "campaign"), name="one_use_per_campaign"),)

    def __str__(self) -> str:
        return f"{self.pack_id} in {self.campaign_id}"


class Encounter(models.Model):
    """A fight and its present state. `version` grows with every change that anyone could see."""

    name = models.CharField(max_length=100)
    system = models.SlugField(max_length=30)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="encounters")
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    version = models.PositiveIntegerField(default=0)
    public = models.PositiveIntegerField(default=0, help_text="grows with what everybody can see")
    seated = models.PositiveIntegerField(default=0, help_text="grows with what anybody at a seat can see")
    phase = models.CharField(max_length=10, default="prep")
    round = models.PositiveIntegerField(default=0)
    combatants = models.PositiveIntegerField(default=0)
    people = models.TextField(blank=True, default="", help_text="names of its combatants, for the search")
    tags = models.CharField(max_length=201, blank=True, default="", help_text="words of its GM: ,rain,city,")
    archived = models.BooleanField(default=False)
    demo = models.BooleanField(default=False)
    downtime = models.BooleanField(default=False, help_text="no fight: days between fights")
    start = models.BinaryField(help_text="the state before the first step, as JSON")
    state = models.BinaryField(help_text="the state now, as JSON")
    steps = models.PositiveIntegerField(default=0)
    undone = models.JSONField(default=list, help_text="numbers of steps to redo, last undone first")
    dice_secret = models.CharField(max_length=64, help_text="of the dice until the fight ends")
    open_command = models.BinaryField(null=True, help_text="what waits for dice or a choice, as JSON")
    wishes = models.BinaryField(null=True, help_text="what players want to do that no button has, as JSON")
    seals = models.JSONField(default=list, help_text="what the log tells of the secrets: step, seal, opened")
    rolled = models.PositiveIntegerField(
        default=0, help_text="public rolls by the app; no undo takes one back"
    )
    secret_rolls = models.JSONField(default=dict, help_text="the same of each secret series, by its name")
    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True, blank=True, related_name="encounters")
    follows = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="next", help_text="the fight before it"
    )
    closed = models.BooleanField(
        default=False, help_text="players know its name, day and party until their GM lets them in"
    )
    opened = models.DateTimeField(null=True, blank=True, help_text="when its GM let players in")
    planned = models.DateField(null=True, blank=True, help_text="the day on which its GM means to play it")
    turn_began = models.DateTimeField(null=True, blank=True, help_text="when someone else came to act")
    handouts = models.PositiveIntegerField(default=0, help_text="how many handouts are shown to someone")
    noted = models.JSONField(default=list, help_text="combatants on whom the GM has a note")

    class Meta:
        ordering = ("-changed",)
        indexes = (models.Index(fields=("owner", "archived", "-changed")),)

    def __str__(self) -> str:
        return self.name

    @property
    def tag_list(self) -> list[str]:
        """Its tags, each a word or a few."""
        return self.tags.strip(",").split(",") if self.tags else []

    def stamp(self, is_gm: bool, is_seated: bool = False) -> str:
        """The version as a page shows it: comparable, but it does not reveal how many changes there were."""
        number = self.version if is_gm else self.seated if is_seated else self.public
        kind = "gm" if is_gm else "seat" if is_seated else "public"
        return make_stamp("combat.stamp", f"{self.pk}:{kind}:{number}", COMMON)


class StoredStep(models.Model):
    """One step of the log. `struck`: it is undone. `after`: the state after it, compressed."""

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    name = models.CharField(max_length=40, blank=True)
    record = models.BinaryField(help_text="the whole step as JSON")
    after = models.BinaryField()
    struck = models.BooleanField(default=False)
    dice = models.BooleanField(
        default=False, help_text="dice fell, or a word for them: undone, it is still shown"
    )
    public = models.BooleanField(default=True, help_text="whether everybody can read a line of it")
    private = models.TextField(blank=True, help_text="combatants whose players can read more: ,f1,f2,")
    target = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    by = models.CharField(max_length=150, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("encounter", "number"), name="one_step_per_number"),)
        indexes = (models.Index(fields=("encounter", "kind", "struck", "-number")),)

    def __str__(self) -> str:
        return f"{self.encounter_id}/{self.number} {self.kind} {self.name}"

    @cached_property
    def code(self) -> str:
        """Its name for everybody but the GM: it tells no number."""
        return make_stamp("combat.step", f"{self.encounter_id}:{self.number}", 12)


class ShareLink(models.Model):
    """An address that lets people in: to watch, to play, or to run the table as well.

    Its token is derived from the secret key and the `nonce`. So the owner can see it again, and a copy
    of the database gives no access.
    """

    WATCH, PLAY, CO_GM = "watch", "play", "co-gm"
    KINDS = ((WATCH, "Spectator"), (PLAY, "Player"), (CO_GM, "Co-GM"))

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="links")
    kind = models.CharField(max_length=10, choices=KINDS)
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    nonce = models.CharField(max_length=32)
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(null=True, blank=True)
    uses_left = models.PositiveIntegerField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    moves = models.ForeignKey("Seat", models.CASCADE, null=True, related_name="moves")  # to another device

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"


class GivenFight(models.Model):
    """A prepared fight that its GM gives to other GMs: who has its address may look at it and copy it.

    `document` is a pack with this one encounter, as it was prepared when it was given. The token is derived
    as that of a share link; a revoked one is deleted.
    """

    encounter = models.OneToOneField(Encounter, models.CASCADE, related_name="given")
    digest = models.CharField(max_length=64, unique=True)
    nonce = models.CharField(max_length=32)
    document = models.BinaryField(help_text="the file of a pack, compressed")
    state = models.BinaryField(help_text="the fight as its page draws it, compressed")
    notes = models.BooleanField(default=False, help_text="whether the GM's notes are in it")
    seen = models.PositiveIntegerField(default=0, help_text="how often others opened its page")
    used = models.PositiveIntegerField(default=0, help_text="how often it was copied or downloaded")
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.encounter_id}, given"


class JoinCode(models.Model):
    """A short code that opens a link while its GM shows it; typed by hand, so it has only 40 bits.

    Like a token it is derived from the secret key and the `nonce`; the digest needs the key, too.
    """

    link = models.OneToOneField(ShareLink, models.CASCADE, related_name="join_code")
    digest = models.CharField(max_length=64, unique=True)
    nonce = models.CharField(max_length=32)
    expires = models.DateTimeField()

    def __str__(self) -> str:
        return f"code of {self.link_id}"


class Seat(models.Model):
    """A person's place at an encounter, with the combatants that they play.

    A guest holds it by a secret in the browser's session, a signed-in user by the account.
    """

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="seats")
    link = models.ForeignKey(ShareLink, models.SET_NULL, null=True, related_name="seats")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats")
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=10, choices=ShareLink.KINDS)
    digest = models.CharField(max_length=64, db_index=True)
    combatants = models.JSONField(default=list)
    face = models.CharField(max_length=20, blank=True, default="", help_text="a drawn face, or none")
    ready = models.BooleanField(default=False, help_text="ready for the fight to start")
    pen = models.PositiveSmallIntegerField(default=0, help_text="the colour of its drawing pointer, or 0")
    pen_until = models.DateTimeField(null=True, blank=True, help_text="until when the pointer is lent")
    heard = models.PositiveIntegerField(default=0, help_text="grows with what it learns alone")
    created = models.DateTimeField(auto_now_add=True)
    seen = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)
    removed = models.BooleanField(default=False, help_text="whether the GM ended it")

    class Meta:
        ordering = ("created",)
        indexes = (models.Index(fields=("encounter", "ended")),)

    def __str__(self) -> str:
        return f"{self.name} at {self.encounter_id}"

    @property
    def own_stamp(self) -> str:
        """What its pages add to the stamp of all; empty until this seat learns something alone."""
        return make_stamp("combat.stamp", f"seat {self.pk}:{self.heard}", OWN) if self.heard else ""


class ProgramToken(models.Model):
    """A program's right to act as one person at an encounter: from a seat, or without one as its owner.

    Only the digest of the token is stored. Ending it deletes the row.
    """

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="tokens")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="tokens")
    name = models.CharField(max_length=40)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True, help_text="when it was last used, to the minute")

    class Meta:
        ordering = ("created", "pk")

    def __str__(self) -> str:
        return f"{self.name} at {self.encounter_id}"


class Participation(models.Model):
    """A character that its owner has brought to an encounter. It lasts while its combatant is there."""

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="participations")
    character = models.ForeignKey("characters.Character", models.CASCADE, related_name="participations")
    combatant = models.CharField(max_length=20)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("encounter", "combatant"), name="one_sitting_per_combatant"),
        )

    def __str__(self) -> str:
        return f"{self.character_id} at {self.encounter_id} as {self.combatant}"


class LateJoin(models.Model):
    """Someone who joins as soon as the open command is done: the fields of the join, and who gets them."""

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="late_joins")
    fields = models.JSONField()
    by = models.CharField(max_length=150, blank=True)
    character = models.ForeignKey("characters.Character", models.CASCADE, null=True, related_name="+")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.fields.get('name')} waits to join {self.encounter_id}"


class GuestSheet(models.Model):
    """A character made by a guest. It belongs to no account; the guest has it while they hold the seat."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="sheets")
    character = models.OneToOneField("characters.Character", models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.character_id} of seat {self.seat_id}"


class ScenePicture(models.Model):
    """A picture under the scene of an encounter, re-encoded as WebP.

    The scene says which picture it shows now, and where.
    """

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="pictures")
    digest = models.CharField(max_length=64)
    image = models.BinaryField()
    width = models.PositiveIntegerField(help_text="pixels")
    height = models.PositiveIntegerField(help_text="pixels")
    kept_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("encounter", "digest"), name="one_scene_picture_per_digest"),
        )

    def __str__(self) -> str:
        return f"picture of {self.encounter_id}"


class HandoutShowing(models.Model):
    """A handout that is shown at an encounter: to one seat, or to everybody if `seat` is empty."""

    handout = models.ForeignKey(Handout, models.CASCADE, related_name="showings")
    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="showings")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="showings")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-since", "-pk")

    def __str__(self) -> str:
        return f"{self.handout_id} at {self.encounter_id}"


class Note(models.Model):
    """A text in Markdown: the GM's on an encounter, a player's own at a seat, or one that a campaign shares.

    It has exactly one of `encounter`, `seat` and `campaign`. A deleted note has no text and keeps its
    revision, so that an editor opened before cannot bring it back unasked.
    """

    encounter = models.ForeignKey(Encounter, models.CASCADE, null=True, related_name="notes")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="notes")
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True, related_name="shared_notes")
    about = models.CharField(
        max_length=20, help_text="encounter, scene or a combatant; own at a seat; shared of a campaign"
    )
    text = models.TextField(max_length=10_000, blank=True, default="")
    revision = models.PositiveIntegerField(default=0, help_text="grows with every change")
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("pk",)
        constraints = tuple(
            models.UniqueConstraint(fields=(of, "about"), name=f"one_note_per_{of}")
            for of in ("encounter", "seat", "campaign")
        )

    def __str__(self) -> str:
        return f"note {self.pk} on {self.about}"


class Branch(models.Model):
    """A what-if: someone plays on from a step of an encounter, without changing it.

    It belongs to its `owner` alone (an account, or a guest's seat), who sees what they could see when it
    began: `role` and `combatants`. `start` is the state after the step `after` as far as they may know it,
    without other secrets; the fight had `seen` steps then. Its dice have a `secret` of their own.
    """

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="branches")
    owner = models.CharField(max_length=30)
    number = models.PositiveIntegerField(help_text="counted for each owner")
    role = models.CharField(max_length=10)
    combatants = models.JSONField(default=list)
    after = models.PositiveIntegerField(help_text="the step of the log it goes on from; 0 before the first")
    seen = models.PositiveIntegerField(help_text="steps in the log when it began")
    start = models.BinaryField(help_text="the state it begins with, compressed")
    state = models.BinaryField(help_text="the state now, compressed")
    record = models.BinaryField(help_text="its steps as JSON")
    waiting = models.BinaryField(null=True, help_text="the open command as JSON")
    steps = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0, help_text="grows with every change")
    secret = models.CharField(max_length=64, help_text="of its own dice")
    rolled = models.PositiveIntegerField(default=0, help_text="rolls so far; no undo takes one back")
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("encounter", "owner", "number"), name="one_branch_per_number_and_owner"
            ),
        )

    def __str__(self) -> str:
        return f"branch {self.number} of {self.owner} at {self.encounter_id}"
