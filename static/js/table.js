// Comforts for the table. Every page works without this file; templates declare
// behaviour with data- attributes (see the list in each section), nothing here knows a rule.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isShown = (element) => element.getClientRects().length > 0;

  // ---- Panels behind tabs: data-panel="log" on the panel, data-tab="log" on its radio ----
  function reveal(element) {
    const panel = element.closest("[data-panel]");
    const tab = panel && $(`[data-tab="${panel.dataset.panel}"]`);
    if (tab) tab.checked = true;
  }

  // ---- Keys: data-key on what a key presses; data-row-key inside the fighter's row it acts on ----
  // Fields are focused, everything else is clicked; data-key-focus asks for focus only, and data-focus-key
  // names a key that only focuses what another one clicks.
  const TYPING = "textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])";
  const rows = () => $$("[data-row]");
  const currentRow = () => document.activeElement?.closest("[data-row]") || $('[data-row][aria-current="true"]');

  function press(element, key) {
    reveal(element);
    const onlyFocus = element.hasAttribute("data-key-focus") || element.dataset.key !== key && element.dataset.focusKey === key;
    if (element.matches(TYPING) || onlyFocus) element.focus();
    else element.click();
  }

  function walk(step) {
    const all = rows();
    if (!all.length) return;
    const at = all.indexOf(currentRow());
    const inside = document.activeElement?.closest("[data-row]");
    const next = all[inside ? (at + step + all.length) % all.length : Math.max(at, 0)];
    reveal(next);
    ($("[data-row-main]", next) || next).focus();
  }

  function escape() {
    const menu = $("details.menu[open]");
    if (menu) {
      menu.open = false;
      $("summary", menu).focus();
      return true;
    }
    const closer = $$('[data-key="Escape"]').find(isShown);
    if (closer) closer.click();
    return Boolean(closer);
  }

  // Out of a field onto what closes its form, if there is that: the next Escape closes it.
  function leaveField(field) {
    field.blur();
    $('[data-key="Escape"]', field.form || field)?.focus();
  }

  const keysAreOn = () => { try { return localStorage.getItem("keys") !== "off"; } catch { return true; } };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if ($("dialog[open]")) return;
    if (event.target.matches(TYPING)) {
      if (event.key === "Escape") leaveField(event.target);
      return;
    }
    if (event.key === "Escape") {
      if (escape()) event.preventDefault();
      return;
    }
    if (event.key === "Enter" && event.target.matches(".action-form") && !event.repeat) {
      event.preventDefault();
      $("[data-enter]", event.target)?.click();
      return;
    }
    if (!keysAreOn() || event.repeat && !"jk".includes(event.key) || event.key === "Enter") return;
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      walk(event.key === "j" ? 1 : -1);
      return;
    }
    const name = CSS.escape(event.key);
    const found = [...(currentRow() ? $$(`[data-row-key="${name}"]`, currentRow()) : []), ...$$(`[data-key="${name}"], [data-focus-key="${name}"]`)]
      .find((element) => !element.disabled && element.getAttribute("aria-disabled") !== "true");
    if (!found) return;
    event.preventDefault();
    press(found, event.key);
  });

  // data-filter="id": a field that leaves in sight those actions or tiles of its panel that have its words; Enter opens the first
  const showFilters = () => $$("[data-filter]").forEach((field) => { field.hidden = false; });
  const filtered = (field) => $$("li:has(> .action), label.tile", field.closest("details, [data-panel]"));
  function filter(field) {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const item of filtered(field)) item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
    if (field.value) $$("details", document.getElementById(field.dataset.filter)).forEach((group) => { group.open = true; });
    const none = $("[data-filter-none]", field.closest("details, [data-panel]"));
    if (none) none.hidden = filtered(field).some((item) => !item.hidden);
  }
  document.addEventListener("input", (event) => { if (event.target.matches("[data-filter]")) filter(event.target); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("[data-filter]")) return;
    event.preventDefault();
    const link = filtered(event.target).filter((item) => !item.hidden && isShown(item)).map((item) => $("a.action", item)).find(Boolean);
    if (!link) return;
    event.target.value = "";
    filter(event.target);
    link.focus();
    link.click();
  });
  showFilters();

  // data-keys-toggle: a checkbox that turns the single-letter keys off (WCAG 2.1.4)
  const showKeysChoice = () => $$("[data-keys-toggle]").forEach((box) => { box.checked = keysAreOn(); });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-keys-toggle]")) return;
    try { localStorage.setItem("keys", event.target.checked ? "on" : "off"); } catch { /* private mode */ }
  });

  // ---- Dialogs: data-dialog="id" opens <dialog id>, data-close closes; menus: one open at a time ----
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    const dialog = opener && document.getElementById(opener.dataset.dialog);
    if (dialog?.showModal) {
      event.preventDefault();
      if (!dialog.open) dialog.showModal();
    }
    const closer = event.target.closest("[data-close]");
    const shut = event.target.matches("dialog") ? event.target : closer?.closest("dialog");
    if (shut?.open) {
      event.preventDefault();
      shut.close();
    }
    const menu = event.target.closest("details.menu");
    $$("details.menu[open]").forEach((other) => { if (other !== menu) other.open = false; });
  });

  // data-copy="id": copies that field's value (share links)
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    const field = button && document.getElementById(button.dataset.copy);
    if (!field) return;
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      say("Copied.");
      button.textContent = "Copied";
    } catch { say("Selected: press Ctrl+C or ⌘C to copy."); }
  });

  // ---- Dice: data-die="10" on each field, data-dice around them, data-dice-submit on their button ----
  // A sign in front is allowed, and the wide digits of some keyboards: the server reads them alike.
  const plain = (word) => word.trim().replace(/[０-９]/g, (wide) => String(wide.charCodeAt(0) - 0xFF10)).replace(/^[−–－﹣]/, "-").replace(/^＋/, "+");
  const readNumber = (word) => (/^[+-]?\d+$/.test(plain(word)) ? Number(plain(word)) : NaN);
  const dieFields = (field) => $$("[data-die]", field.closest("[data-dice]") || field.form);

  document.addEventListener("input", (event) => {
    const field = event.target;
    if (!field.matches("[data-die]")) return;
    const sides = Number(field.dataset.die);
    const face = readNumber(field.value);
    const wrong = field.value !== "" && !(Number.isInteger(face) && face >= 1 && face <= sides);
    field.setCustomValidity(wrong ? `A d${sides} shows 1 to ${sides}.` : "");
    field.toggleAttribute("data-wrong", wrong);
    if (wrong) field.reportValidity();
    const complete = !wrong && field.value !== "" && (face * 10 > sides || field.value.length >= String(sides).length);
    if (!complete) return;
    const all = dieFields(field);
    const next = all[all.indexOf(field) + 1] || $("[data-dice-submit]", field.closest("[data-dice]") || field.form);
    if (next) next.focus();
    if (next?.select) next.select();
  });

  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (!field.matches?.("[data-die]")) return;
    const all = dieFields(field);
    const step = { ArrowRight: 1, ArrowLeft: -1, Backspace: field.value === "" ? -1 : 0 }[event.key] || 0;
    const other = all[all.indexOf(field) + step];
    if (step && other) {
      event.preventDefault();
      other.focus();
      other.select();
    } else if (event.key === "Enter") {
      const button = $("[data-dice-submit]", field.closest("[data-dice]") || field.form);
      if (!button) return;
      event.preventDefault();
      button.click();
    }
  });

  // In other fields for a number, the arrows up and down count
  document.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || !event.target.matches?.("input.number")) return;
    const number = readNumber(event.target.value || "0");
    if (Number.isNaN(number)) return;
    event.preventDefault();
    event.target.value = String(number + step).replace("-", "−");
    for (const kind of ["input", "change"]) event.target.dispatchEvent(new Event(kind, { bubbles: true }));
  });

  // ---- Points to divide: data-points="7" around the fields, data-point-step="1" on what counts one of them ----
  // data-least and data-most on the fields; data-points-left says what is still to place.
  function countPoints(box) {
    const fields = $$("[data-most]", box);
    const numbers = fields.map((field) => readNumber(field.value || "0"));
    const left = Number(box.dataset.points) - numbers.reduce((sum, number) => sum + number, 0);
    fields.forEach((field, n) => {
      const fits = numbers[n] >= Number(field.dataset.least) && numbers[n] <= Number(field.dataset.most);
      const range = fits ? "" : `${field.dataset.least} to ${field.dataset.most} here.`;
      field.setCustomValidity(range || (left && n === 0 ? `Divide all ${box.dataset.points} points.` : ""));
      field.toggleAttribute("data-wrong", !fits);
    });
    const words = left > 0 ? `${left} more to place.` : left < 0 ? `${-left} too many.` : `All ${box.dataset.points} placed.`;
    $("[data-points-left]", box).textContent = Number.isNaN(left) ? "Whole numbers only." : words;
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-point-step]");
    const field = button && $("[data-most]", button.parentElement);
    if (!field) return;
    const number = (readNumber(field.value || "0") || 0) + Number(button.dataset.pointStep);
    field.value = String(Math.min(Number(field.dataset.most), Math.max(Number(field.dataset.least), number)));
    countPoints(field.closest("[data-points]"));
  });
  document.addEventListener("input", (event) => {
    const box = event.target.closest("[data-points]");
    if (box) countPoints(box);
  });

  document.addEventListener("toggle", (event) => {
    const opened = event.target.open && event.target.matches("details[data-dice]");
    if (opened && document.activeElement?.parentElement === event.target) $("[data-die]", event.target)?.focus();
  }, true);

  // ---- Links inside a picture: htmx swaps them in, but does not know that they are links ----
  document.addEventListener("click", (event) => {
    if (window.htmx && event.target.closest?.("svg a[hx-get]")) event.preventDefault();
  });

  // ---- A list put in order by dragging: data-drag="field" on it, data-drag-id on each item ----
  // Its buttons do the same: the dragged item's form is sent with the item before its new place as `field`.
  let dragged = null;
  const dropPlace = (event) => {
    const over = event.target.closest?.("[data-drag-id]");
    return dragged && over !== dragged && over?.parentElement === dragged.parentElement ? over : null;
  };
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("[data-drag-id]");
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragover", (event) => { if (dropPlace(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    const over = dropPlace(event);
    if (!over) return;
    event.preventDefault();
    const down = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    const button = $(`button[name="${over.parentElement.dataset.drag}"]`, dragged);
    button.value = (down ? over : over.previousElementSibling)?.dataset.dragId || "";
    button.click();
  });
  document.addEventListener("dragend", () => { dragged = null; });

  // ---- The polite live region: the server words it in data-announce ----
  let said = null;
  function say(text) {
    const live = document.getElementById("live");
    if (live) live.textContent = text;
  }
  function announce(first) {
    const text = $$("[data-announce]").map((element) => element.dataset.announce).filter(Boolean).join(" ");
    if (!first && text && text !== said) say(text);
    said = text;
  }

  // ---- Swaps: keep open <details>, scroll places and focus (by id); mark what changed ----
  // data-flash on an element with an id: lit up when its text differs after a swap.
  // data-keep on a checkbox with an id: stays ticked. data-open: the server decides.
  // data-keep-fields="key" on a form: what a person has typed there survives until it is sent, as long
  // as a form with the same key is there.
  // data-focus-home: where focus goes when the focused thing is gone; if that is not shown, to the
  // fighter whose row it was in, else to the title.
  // A form that has just been opened is brought into view as far as it fits; that of an action has the focus, where
  // Enter presses its data-enter button. Closed, it gives the focus back to what opened it. What is focused in a page
  // of which only a part was taken (hx-select) stays at its height on the screen.
  const OPENED = ".action-form, form.row-form";
  let before = null;
  const textOf = (element) => element.dataset.flash || element.textContent.replace(/\s+/g, " ");
  const byId = (selector, read) => new Map($$(selector).filter((e) => e.id).map((e) => [e.id, read(e)]));

  const edited = (e) => (e.tagName === "SELECT" ? [...e.options].some((o) => o.selected !== o.defaultSelected) : e.value !== e.defaultValue);

  // What a person has changed in a form that stays, by form and field.
  const isBox = (e) => e.matches("[type=checkbox], [type=radio]");
  const placeOf = (e) => `${e.closest("[data-keep-fields]").dataset.keepFields} ${e.id}`;
  const keepable = () => $$("[data-keep-fields] :is(input, select, textarea)").filter((e) => e.id && e.type !== "hidden");
  const isEdited = (e) => isBox(e) ? e.checked !== e.defaultChecked : edited(e);
  const typed = (sent) => new Map(keepable().filter((e) => e.form !== sent && isEdited(e))
    .map((e) => [placeOf(e), isBox(e) ? e.checked : e.value]));

  function fill(fields) {
    for (const element of keepable()) {
      const value = fields.get(placeOf(element));
      if (value === undefined) continue;
      if (isBox(element)) element.checked = value;
      else element.value = value;
    }
  }

  function whoseTurn() {
    const head = $("#h-turn");
    return head && head.textContent + (head.dataset.who || "");
  }

  function remember({ verb, elt }) {
    before = {
      live: elt.matches("[data-live]"),
      fields: typed(verb === "get" ? null : elt.form || elt),
      details: byId("details:not(.menu)", (e) => e.open),
      ticks: byId("input[data-keep]", (e) => e.checked),
      scroll: byId("[data-scroll]", (e) => e.scrollTop),
      text: byId("[data-flash]", textOf),
      focus: document.activeElement === document.body ? null : document.activeElement,
      top: elt.matches("[hx-select]") && document.activeElement.getBoundingClientRect().top,
      form: $(OPENED)?.id,
      turn: whoseTurn(),
      closes: verb === "get",
    };
  }

  function restore() {
    if (!before) return;
    const each = (map, apply) => map.forEach((value, id) => {
      const element = document.getElementById(id);
      if (element) apply(element, value);
    });
    each(before.details, (e, open) => { if (!e.hasAttribute("data-open")) e.open = open; });
    each(before.ticks, (e, checked) => { e.checked = checked; });
    fill(before.fields);
    each(before.scroll, (e, top) => { e.scrollTop = top; });
  }

  // A form that leads to another page, such as the one that leaves the table, is on its way there
  const isGoing = () => Boolean($("form[data-busy]:not([hx-post])"));

  const showOpened = () => $(OPENED)?.scrollIntoView({ block: "nearest" });
  const focusOpened = () => $(".action-form")?.focus({ preventScroll: true });

  // Someone else's turn is read from its beginning
  function showTurn() {
    const turn = $("#turn");
    if (!before.turn || whoseTurn() === before.turn || !turn) return;
    turn.scrollTop = 0;
    window.scrollBy(0, Math.min(0, turn.getBoundingClientRect().top));
  }

  // In a list that is longer than its place, whoever acts is in sight once it is their turn
  let acting = "";
  function showActing() {
    const row = $('[data-row][aria-current="true"]');
    const list = row?.closest("[data-scroll]");
    if (row?.id === acting || !list || list.scrollHeight <= list.clientHeight) return;
    acting = row.id;
    const [place, shown] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    if (place.top < shown.top || place.bottom > shown.bottom) list.scrollTop += place.top - shown.top - (shown.height - place.height) / 2;
  }

  function findHome(gone) {
    const row = document.getElementById(gone.closest("[data-row]")?.id);
    const opener = before.closes && document.getElementById(gone.closest(".action-form")?.id.replace("form-", "act-"));
    return [opener, ...$$("[data-focus-home]"), row && $("[data-row-main]", row), $("h1")].find((e) => e && isShown(e));
  }

  function settle() {
    if (!before) return;
    for (const element of $$("[data-flash]")) {
      if (!element.id || before.text.get(element.id) === textOf(element)) continue;
      element.classList.add("changed");
      setTimeout(() => element.classList.remove("changed"), 1600);
    }
    const gone = before.focus && !before.focus.isConnected;
    const lost = gone && (before.live || document.activeElement === document.body);
    const twin = gone && before.focus.id && document.getElementById(before.focus.id);
    const same = lost && twin;
    const home = same || (lost && document.activeElement === document.body && findHome(before.focus));
    if (home && home !== document.activeElement) home.focus({ preventScroll: true });
    if (twin && before.top !== false) window.scrollBy(0, twin.getBoundingClientRect().top - before.top);
    showTurn();
    showActing();
    if ($(OPENED) && $(OPENED).id !== before.form) {
      showOpened();
      focusOpened();
    }
    before = null;
    announce(false);
    showKeysChoice();
    showFilters();
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig, target } = event.detail;
    const wholePage = /^\s*<!doctype/i.test(event.detail.serverResponse || "");
    const wanted = requestConfig.elt.closest("[hx-select], [hx-boost]") || target === document.body;
    if (wholePage && !wanted) {
      event.detail.shouldSwap = false;
      if (isGoing()) return;
      if (xhr.status < 400) location.assign(xhr.responseURL);  // e.g. the sign-in page
      else banner(refusals[xhr.status] || "The server did not accept that. Nothing was changed.", null);
      return;
    }
    remember(requestConfig);
  });
  document.addEventListener("htmx:afterSwap", restore);
  document.addEventListener("htmx:afterSettle", settle);

  // ---- What cannot be done now: aria-disabled, described by the reason, which is shown and said instead ----
  // A form changed since its odds came is left to the server.
  document.addEventListener("click", (event) => {
    const off = event.target.closest?.('[aria-disabled="true"]');
    if (!off || off.form?.hasAttribute("data-changed")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const why = document.getElementById(off.getAttribute("aria-describedby"));
    if (!why) return;
    why.scrollIntoView({ block: "nearest" });
    say("");
    setTimeout(() => say(why.textContent.trim()), 50);  // said again even if it was said before
  }, true);
  for (const kind of ["input", "change"]) document.addEventListener(kind, (event) => event.target.form?.matches(".action-form") && (event.target.form.dataset.changed = ""));
  // Who is quicker than htmx changes a form that it does not know yet: its odds are asked for once it does.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "odds-panel") delete event.target.closest("form")?.dataset.changed;
    else if (!event.target.closest(".action-form")) $$(".action-form[data-changed] > [hx-include]").forEach((fields) => window.htmx.trigger(fields, "change"));
  });

  // ---- One submit at a time ----
  const blockBusy = (event) => {
    const busy = event.target.closest?.("[data-busy]");
    if (!busy || event.type === "click" && busy.matches("form") && !event.target.closest("[type=submit], button:not([type])")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("submit", blockBusy, true);
  document.addEventListener("click", blockBusy, true);
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.target.method !== "dialog") event.target.dataset.busy = "";
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.verb === "get") return;
    event.detail.elt.dataset.busy = "";
    document.getElementById("messages")?.replaceChildren();  // they told of what was done before
  });
  document.addEventListener("htmx:afterRequest", (event) => { delete event.detail.elt.dataset.busy; });
  window.addEventListener("pageshow", () => $$("[data-busy]").forEach((e) => { delete e.dataset.busy; }));

  // ---- The banner: a request that did not get through can be sent again ----
  const refusals = {
    403: "You may not do that, or this page is out of date. Reload it and try again.",
    404: "That is gone. Reload the page.",
    413: "That was too much at once. Nothing was changed.",
    429: "Too many tries. Wait a minute, then try again.",
  };
  let again = null;

  function banner(text, retry) {
    const box = document.getElementById("banner");
    if (!box) return;
    again = retry;
    $("[data-banner-text]", box).textContent = text;
    $("[data-banner-retry]", box).hidden = !retry;
    box.hidden = !text;
  }

  function resend({ elt, triggeringEvent }) {
    return () => {
      if (!elt.isConnected) location.reload();
      else if (elt.matches("form")) elt.requestSubmit(triggeringEvent?.submitter || null);
      else if (triggeringEvent?.type === "click") elt.click();
      else window.htmx.trigger(elt, triggeringEvent?.type || "click");
    };
  }
  const lost = (event) => banner("The table did not answer. Nothing was changed here.", resend(event.detail.requestConfig));
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:timeout", lost);
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status >= 500) banner("The server failed. Nothing was changed.", resend(event.detail.requestConfig));
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => { if (event.detail.xhr.status < 400 && navigator.onLine) banner("", null); });
  // The stream tells the stamp of now: what this page shows already needs no second look, and
  // neither does what its own action brings along in a moment.
  const PATIENCE = 2000;  // milliseconds in which an action usually answers
  let sent = 0;
  let told = "";
  const isOld = (stamp) => stamp && stamp !== document.getElementById("table")?.dataset.version;
  const lookAgain = () => { if ($("#stream [data-live]")) window.htmx.trigger($("#stream [data-live]"), "again"); };
  const lookIfOld = () => { if (isOld(told)) lookAgain(); };
  document.addEventListener("sse:changed", (event) => {
    told = event.detail.data;
    const waits = Date.now() - sent < PATIENCE;
    if (waits || !isOld(told)) event.stopPropagation();
    if (waits) setTimeout(lookIfOld, PATIENCE);
  }, true);
  document.addEventListener("htmx:beforeSend", (event) => { if (event.detail.requestConfig.verb !== "get") [sent, told] = [Date.now(), ""]; });
  // An answer needs the table it asked for: a look that comes before it is left out, and an answer that found
  // another table in its place (htmx then tells nobody of the swap) is looked up.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    detail.xhr.isTaken = true;
    if (!sent || detail.target.id !== "table" || !detail.requestConfig.elt.matches("[data-live]")) return;
    detail.shouldSwap = false;
    told = "left out";
  }, true);
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig.verb === "get") return;
    sent = 0;
    if (detail.target.id === "table" && detail.successful && !detail.xhr.isTaken) lookAgain();
    else lookIfOld();
  });
  document.addEventListener("htmx:sseClose", (event) => { if (event.detail.type === "message" && !isGoing()) location.reload(); });
  // A live page reads again what it shows, and nothing at all comes back if that is still the same.
  document.addEventListener("htmx:configRequest", (event) => {
    const table = document.getElementById("table");
    if (!event.detail.elt.matches?.("[data-live]") || !table) return;
    event.detail.path = table.dataset.again || location.pathname + location.search;
    if (table.dataset.tag) event.detail.headers["If-None-Match"] = table.dataset.tag;
  });
  document.addEventListener("htmx:sseError", () => {  // what says more stays
    if (navigator.onLine && !again) banner("Connection lost. Reconnecting…", null);
  });
  document.addEventListener("htmx:sseOpen", () => { if (navigator.onLine) banner("", null); });  // a late answer ends no outage

  // After sleep or without network a stream may be dead without knowing: begin it anew and look.
  function reconnect() {
    const old = document.getElementById("stream");
    if (!old || !window.htmx) return;
    window.htmx.swap(old, old.outerHTML, { swapStyle: "outerHTML" });
    lookAgain();
  }
  document.addEventListener("stream:silent", reconnect);
  const NAP = 30000;  // milliseconds without a tick: the device slept
  let lastTick = Date.now();
  let slept = false;
  function tick() {
    slept ||= Date.now() - lastTick > NAP;
    lastTick = Date.now();
    if (!slept || document.hidden) return;
    slept = false;
    reconnect();
  }
  setInterval(tick, 5000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) tick(); });
  const tellOffline = () => banner("You're offline.", null);
  window.addEventListener("offline", tellOffline);
  if (!navigator.onLine) tellOffline();  // since before this script ran
  window.addEventListener("online", () => { banner("", null); reconnect(); });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-banner-close]")) banner("", null);
    if (event.target.closest("[data-banner-retry]") && again) again();
  });

  document.documentElement.classList.add("js");
  announce(true);
  showKeysChoice();
  showActing();
  if (!location.hash) showOpened();
})();
