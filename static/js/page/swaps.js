// Keeps a person's state when htmx swaps something in: open parts, scroll places, focus, typed words.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isShown = (element) => element.checkVisibility();

  // ---- The polite live region: data-announce has the server's words for it ----
  let said = null;
  function say(text) {
    const live = document.getElementById("live");
    if (live) live.textContent = text;
  }
  function announce(first) {
    const text = $$("[data-announce]")
      .map((element) => element.dataset.announce)
      .filter(Boolean)
      .join(" ");
    if (!first && text && text !== said) say(text);
    said = text;
  }

  // ---- Swaps: keep open <details>, scroll places and focus (by id); mark what changed ----
  // data-flash on an element with an id: lit up when its text differs after a swap.
  // data-keep on a checkbox with an id: stays ticked, with “turn” until another turn. data-open: the server decides.
  // The words of a data-filter stay until another turn, unless a link leads somewhere else.
  // data-keep-fields="key" on a form: what a person has typed there survives until it is sent and accepted, as long
  // as a form with the same key is there, also when the page is reloaded.
  // data-stays="name" on <details>: open or closed as the person left the last one of that name, on any page.
  // data-focus-home: gets the focus when the focused element is gone, unless that was in a row, or a token, and nothing
  // there was opened: then the focus stays at the same combatant. If it is hidden, the focus goes to the combatant
  // whose row it was in, else to the title or the content. With data-focus-home="scroll" it also comes into view.
  // A newly opened form scrolls into view as far as it fits; that of an action gets the focus, and Enter presses
  // its data-enter button; that of a row opens the tab that hides it, and a data-select field has its words selected. Closing it returns the focus to what opened it, and shows that. If a swap takes only part of a page
  // (hx-select), the focused element stays at its height on the screen. A new question scrolls into view too,
  // unless someone is typing.
  const OPENED = ".action-form, form.row-form, .ruling";
  let before = null;
  const unasked = (text, fold) => text.replace(fold.textContent, ""); // what a fold that opens brings is no change
  const textOf = (element) =>
    element.dataset.flash ||
    [...element.querySelectorAll("[data-asks]")].reduce(unasked, element.textContent).replace(/\s+/g, " ");
  const byId = (selector, read) =>
    new Map(
      $$(selector)
        .filter((e) => e.id)
        .map((e) => [e.id, read(e)]),
    );

  const edited = (e) =>
    e.tagName === "SELECT"
      ? [...e.options].some((o) => o.selected !== o.defaultSelected)
      : e.value !== e.defaultValue;

  // What a person has changed in a kept form, by form and field.
  const isBox = (e) => e.matches("[type=checkbox], [type=radio]");
  // Tiles of one name are one field, as a list would be: that of the chosen one
  const isTile = (e) => "tile" in e.dataset;
  const placeOf = (e) => `${e.closest("[data-keep-fields]").dataset.keepFields} ${isTile(e) ? e.name : e.id}`;
  const keepable = () =>
    $$("[data-keep-fields] :is(input, select, textarea)").filter(
      (e) => e.id && e.type !== "hidden" && (!isTile(e) || e.checked),
    );
  const isEdited = (e) => (isBox(e) ? e.checked !== e.defaultChecked : edited(e));
  const valueOf = (e) => (isBox(e) && !isTile(e) ? e.checked : e.value);
  const read = (sent, isWanted) =>
    new Map(
      keepable()
        .filter((e) => e.form !== sent && isWanted(e))
        .map((e) => [placeOf(e), valueOf(e)]),
    );
  // All that an action's form has: another target may be the usual one when it comes back
  const isChosen = (e) =>
    isEdited(e) || isTile(e) || (e.tagName === "SELECT" && Boolean(e.closest(".action-form")));
  let held = new Map(); // what is chosen, also in forms that are not there now

  // What the new page is filled with. What someone opens themselves is theirs to choose
  function hold(sent, isOpened) {
    for (const e of keepable()) held.delete(placeOf(e));
    if (!isOpened) held = new Map([...held, ...read(sent, isChosen)]);
    else held = new Map();
    return isOpened ? read(sent, isEdited) : held;
  }

  // The choice of a select that is offered no longer is named, and what the server proposes stays
  const offers = (e, value) => [...e.options].some((one) => one.value === value && !one.disabled);
  function fill(fields) {
    const changed = [];
    for (const element of keepable()) {
      const value = fields.get(placeOf(element));
      if (value === undefined || value === valueOf(element)) continue;
      if (element.tagName === "SELECT" && !element.multiple && !offers(element, value)) {
        tellGone(element);
        continue;
      }
      if (isTile(element)) {
        const tile = $$("[data-tile]", element.form).find(
          (one) => one.name === element.name && one.value === value && !one.disabled,
        );
        if (tile) tile.checked = true;
        else tellGone(element);
        if (tile) changed.push(tile);
        continue;
      }
      if (isBox(element)) element.checked = value;
      else element.value = value;
      changed.push(element);
    }
    return changed;
  }
  function tellGone(field) {
    const note = $("[data-gone]", field.form);
    if (!note) return;
    note.hidden = false;
    const named = isTile(field) ? $("legend", field.closest("fieldset")) : field.labels[0];
    $("b", note).textContent = named?.textContent.trim() || field.name;
  }
  document.addEventListener("input", ({ isTrusted, target }) => {
    const note = isTrusted && target.form?.querySelector("[data-gone]");
    if (note) note.hidden = true; // it was read
  });

  // A form that stays is empty once it was sent. Where the answer was another page, such as the one to sign in, it was not.
  const UNSENT = "unsent";
  document.addEventListener(
    "htmx:afterRequest",
    ({
      detail: {
        successful,
        xhr,
        requestConfig: { verb, elt },
      },
    }) => {
      if (xhr.leadsAway)
        try {
          sessionStorage.setItem(UNSENT, LEFT);
        } catch {
          /* private mode */
        }
      if (!successful || verb === "get" || xhr.leadsAway) return;
      for (const e of keepable())
        if (e.form === elt && !isBox(e) && e.tagName !== "SELECT") e.value = e.defaultValue;
    },
  );

  // What is typed stays across a reload of the page too, and while someone signs in again, but not in forms on their way,
  // and for nobody else on this device.
  const LEFT = `typed ${document.body.dataset.person} ${location.pathname}`;
  addEventListener("pagehide", () => {
    try {
      sessionStorage.setItem(LEFT, JSON.stringify([...held, ...read($("form[data-busy]"), isChosen)]));
    } catch {
      /* private mode */
    }
  });
  function fillAgain() {
    const { type } = performance.getEntriesByType("navigation")[0] ?? {};
    let [left, isUnsent] = ["[]", false];
    try {
      left = sessionStorage.getItem(LEFT) ?? left;
      sessionStorage.removeItem(LEFT);
      isUnsent = sessionStorage.getItem(UNSENT) === LEFT;
      if (isUnsent) sessionStorage.removeItem(UNSENT);
    } catch {
      /* private mode */
    }
    if (!isUnsent && type !== "reload" && type !== "back_forward") return;
    held = new Map(JSON.parse(left));
    const changed = fill(held);
    addEventListener("load", () => tellChanged(changed)); // htmx has set up the forms by then
  }

  const SET_UP = 50; // milliseconds until htmx has set up a form that has come
  // Odds are of what is chosen now, and the fold around it is open
  function tellChanged(fields) {
    for (const field of fields) {
      const fold = isEdited(field) && field.closest("details");
      if (fold) fold.open = true;
    }
    // Some of a form's fields lie outside of the part that computes its odds
    const partOf = (field) => field.closest("[hx-get], form");
    for (const part of new Set(fields.map(partOf))) {
      const first = fields.find((field) => partOf(field) === part);
      setTimeout(() => first.dispatchEvent(new Event("change", { bubbles: true })), SET_UP);
    }
  }

  function whoseTurn() {
    const head = $("#h-turn");
    return head && head.textContent + (head.dataset.who || "");
  }

  const STAYS = "open-";
  const keepsOpen = (e) => {
    try {
      return localStorage.getItem(STAYS + e.dataset.stays) === "yes";
    } catch {
      return e.open;
    }
  };
  const openKept = () =>
    $$("details[data-stays]").forEach((e) => {
      e.open = keepsOpen(e);
    });
  const keepOpen = (details, will) => {
    try {
      localStorage.setItem(STAYS + details.dataset.stays, will);
    } catch {
      /* private mode */
    }
  };
  document.addEventListener("click", (event) => {
    const details = event.target.closest?.("details[data-stays] > summary")?.parentElement;
    if (details) keepOpen(details, details.open ? "no" : "yes"); // it changes after the click
    // A link to what lies in a closed one opens it, as the browser does
    const link = event.target.closest?.("a[href^='#']");
    let at = link && document.getElementById(link.hash.slice(1))?.closest("details[data-stays]");
    for (; at; at = at.parentElement.closest("details[data-stays]")) keepOpen(at, "yes");
  });

  function remember({ verb, elt }, target, isRefused) {
    before = {
      live: elt.matches("[data-live]"),
      fields: hold(
        verb === "get" || isRefused ? null : elt.form || elt,
        verb === "get" && target?.id === "table" && !elt.matches("[data-live]"),
      ),
      details: byId("details:not(.menu:not(.scene-now), [data-stays])", (e) => e.open),
      reopens: verb !== "get" || elt.matches("[data-live]") ? $$("[data-reopens]:popover-open") : [],
      ticks: byId("input[data-keep]", (e) => e.checked),
      filters:
        verb !== "get" || elt.matches("[data-live], [hx-select]")
          ? byId("[data-filter]", (e) => e.value)
          : [],
      scroll: byId("[data-scroll]", (e) => e.scrollTop),
      text: byId("[data-flash]", textOf),
      focus: document.activeElement === document.body ? null : document.activeElement,
      top: elt.matches("[hx-select]") && document.activeElement.getBoundingClientRect().top,
      form: $(OPENED)?.id,
      prompt: $("#prompt")?.textContent,
      turn: whoseTurn(),
      isDown: Boolean($(".down")),
      wish: $(".wish.mine")?.id,
      sent: verb !== "get" && (elt.form || elt).id,
      closes: verb === "get",
    };
  }

  function restore() {
    if (!before) return;
    const each = (map, apply) =>
      map.forEach((value, id) => {
        const element = document.getElementById(id);
        if (element) apply(element, value);
      });
    each(before.details, (e, open) => {
      if (!e.hasAttribute("data-open")) e.open = open;
    });
    openKept();
    for (const old of before.reopens) if (!old.isConnected) document.getElementById(old.id)?.showPopover();
    each(before.ticks, (e, checked) => {
      e.checked = checked && (e.dataset.keep !== "turn" || whoseTurn() === before.turn);
    });
    if (whoseTurn() === before.turn)
      each(before.filters, (e, words) => {
        e.value ||= words;
      });
    tellChanged(fill(before.fields));
    each(before.scroll, (e, top) => {
      e.scrollTop = top;
    });
  }

  const tabOf = (element) => $(`[data-tab="${element.closest("[data-panel]")?.dataset.panel}"]`);
  function showOpened() {
    const form = $(OPENED);
    if (form?.matches(".row-form, .ruling") && !isShown(form) && tabOf(form)) tabOf(form).checked = true;
    form?.scrollIntoView({ block: form.matches(".ruling") ? "start" : "nearest" });
    $("[data-select]", form || document)?.select();
  }
  const focusOpened = () => $(".action-form")?.focus({ preventScroll: true });

  function showPrompt() {
    const prompt = $("#prompt");
    if (!prompt || prompt.textContent === before.prompt) return;
    const busy =
      document.activeElement.matches("input:not([type=checkbox], [type=radio]), select, textarea") &&
      !prompt.contains(document.activeElement);
    const asked = $("#rolls, [name=question]", prompt);
    const block = prompt.offsetHeight > innerHeight / 2 ? "start" : "nearest"; // a long one is read from its beginning
    if (!before.live || (asked && !busy)) prompt.scrollIntoView({ block });
  }

  // What was refused: the field that it names, or the one that was sent from, comes back into sight
  function showRefused() {
    const reason = $("#notice.alert-warning")?.textContent.trim();
    const form = reason && before.sent && document.getElementById(before.sent);
    if (!form) return;
    const words = (label) => label.textContent.trim().split("\n")[0];
    const named = $$("label:not(.tile-one)", form).find(
      (label) => label.control && words(label) && reason.includes(words(label)),
    );
    const field = named?.control || (form.contains(document.activeElement) && document.activeElement);
    if (!field) return;
    const fold = field.closest("details");
    if (fold) fold.open = true;
    field.focus({ preventScroll: true });
    const { left, right, top, bottom } = field.getBoundingClientRect();
    if (document.elementFromPoint((left + right) / 2, (top + bottom) / 2) !== field)
      field.scrollIntoView({ block: "nearest" });
  }

  // What a player wants stands in sight with what has become of it, unless they are at something else
  function showWish() {
    const wish = $(".wish.mine");
    if (!wish || wish.id === before.wish) return;
    if (!before.live || !$(".action-form, .else[open]")) wish.scrollIntoView({ block: "start" });
  }

  // Someone who is out now reads that first
  function showDown() {
    const down = $(".down");
    if (down && !before.isDown && isShown(down)) down.scrollIntoView({ block: "start" });
  }

  // Another combatant's turn is shown from its beginning, and the sums of the last one's roll are folded
  function showTurn() {
    const turn = $("#turn");
    if (!before.turn || whoseTurn() === before.turn || !turn) return;
    for (const why of $$(".result-why[open]", turn)) why.open = false;
    turn.scrollTop = 0;
    window.scrollBy(0, Math.min(0, turn.getBoundingClientRect().top));
  }

  // In a list that scrolls, the acting combatant comes into view when its turn begins
  let acting = "";
  function showActing() {
    const row = $('[data-row][aria-current="true"]');
    const list = row?.closest("[data-scroll]");
    if (row?.id === acting || !list || !isShown(row)) return;
    acting = row.id;
    if (list.scrollHeight <= list.clientHeight) return;
    const [place, shown] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    if (place.top < shown.top || place.bottom > shown.bottom)
      list.scrollTop += place.top - shown.top - (shown.height - place.height) / 2;
  }

  function findHomes(gone) {
    const whose = gone.closest("[data-window]")?.dataset.window; // of the small window beside the rows
    const row = document.getElementById(whose ? `row-${whose}` : gone.closest("[data-row]")?.id);
    const main = row && $("[data-row-main]", row);
    const named = whose || $(":scope > [data-token]", gone)?.dataset.token;
    const token = $(`a > [data-token="${named}"]`)?.parentElement;
    const stays = !before.closes || before.live || whose;
    const field = whose && $(`[data-window="${CSS.escape(whose)}"] [autofocus]`);
    const opener =
      before.closes && document.getElementById(gone.closest(".action-form")?.id.replace("form-", "act-"));
    return [
      field,
      ...(stays ? [main, token] : []),
      opener,
      ...$$("[data-focus-home]"),
      main,
      $("h1[tabindex]"),
      $("main"),
    ];
  }

  // The first that takes the focus gets it: what is hidden or disabled does not
  const giveFocus = (homes) =>
    homes.filter(Boolean).some((home) => {
      home.focus({ preventScroll: !home.matches("a.action, [data-focus-home=scroll]") });
      return home === document.activeElement;
    });

  function settle() {
    if (!before) return;
    for (const element of $$("[data-flash]")) {
      if (!element.id || before.text.get(element.id) === textOf(element)) continue;
      element.classList.add("changed");
      setTimeout(() => element.classList.remove("changed"), 1600);
    }
    const { focus } = before;
    const gone = focus && !focus.isConnected;
    const twin = gone && focus.id && document.getElementById(focus.id);
    // Also a region that is moved into another one loses the focus
    if (focus && document.activeElement === document.body)
      giveFocus([gone ? twin : focus, ...findHomes(focus)]);
    else if (twin && before.live) giveFocus([twin]);
    if (twin && before.top !== false) window.scrollBy(0, twin.getBoundingClientRect().top - before.top);
    showTurn();
    showActing();
    if ($(OPENED) && $(OPENED).id !== before.form) {
      showOpened();
      focusOpened();
    }
    showPrompt();
    showWish();
    showDown();
    showRefused();
    before = null;
    announce(false);
  }

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.shouldSwap) remember(detail.requestConfig, detail.target, detail.xhr.status >= 400);
  });
  document.addEventListener("htmx:afterSwap", restore);
  document.addEventListener("htmx:afterSettle", settle);

  document.documentElement.classList.add("js");
  openKept();
  fillAgain();
  announce(true);
  showActing();
  if (!location.hash) showOpened();
})();
