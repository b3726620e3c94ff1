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
    const text = $$("[data-announce]").map((element) => element.dataset.announce).filter(Boolean).join(" ");
    if (!first && text && text !== said) say(text);
    said = text;
  }

  // ---- Swaps: keep open <details>, scroll places and focus (by id); mark what changed ----
  // data-flash on an element with an id: lit up when its text differs after a swap.
  // data-keep on a checkbox with an id: stays ticked. data-open: the server decides.
  // data-keep-fields="key" on a form: what a person has typed there survives until it is sent, as long
  // as a form with the same key is there, also when the page is reloaded.
  // data-stays="name" on <details>: open or closed as the person left the last one of that name, on any page.
  // data-focus-home: gets the focus when the focused element is gone, unless that was in a row, or a token, and nothing
  // there was opened: then the focus stays at the same combatant. If it is hidden, the focus goes to the combatant
  // whose row it was in, else to the title or the content. With data-focus-home="scroll" it also comes into view.
  // A newly opened form scrolls into view as far as it fits; that of an action gets the focus, and Enter presses
  // its data-enter button; that of a row opens the tab that hides it, and a data-select field has its words selected. Closing it returns the focus to what opened it, and shows that. If a swap takes only part of a page
  // (hx-select), the focused element stays at its height on the screen. A new question scrolls into view too,
  // unless someone is typing.
  const OPENED = ".action-form, form.row-form";
  let before = null;
  const unasked = (text, fold) => text.replace(fold.textContent, "");  // what a fold that opens brings is no change
  const textOf = (element) => element.dataset.flash ||
    [...element.querySelectorAll("[data-asks]")].reduce(unasked, element.textContent).replace(/\s+/g, " ");
  const byId = (selector, read) => new Map($$(selector).filter((e) => e.id).map((e) => [e.id, read(e)]));

  const edited = (e) => (e.tagName === "SELECT" ? [...e.options].some((o) => o.selected !== o.defaultSelected) : e.value !== e.defaultValue);

  // What a person has changed in a kept form, by form and field.
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

  // A form that stays is empty once it was sent. Where the answer was another page, such as the one to sign in, it was not.
  const UNSENT = "unsent";
  document.addEventListener("htmx:afterRequest", ({ detail: { successful, xhr, requestConfig: { verb, elt } } }) => {
    if (xhr.leadsAway) try { sessionStorage.setItem(UNSENT, LEFT); } catch { /* private mode */ }
    if (!successful || verb === "get" || xhr.leadsAway) return;
    for (const e of keepable()) if (e.form === elt && !isBox(e) && e.tagName !== "SELECT") e.value = e.defaultValue;
  });

  // What is typed stays across a reload of the page too, and while someone signs in again, but not in forms on their way,
  // and for nobody else on this device.
  const LEFT = `typed ${document.body.dataset.person} ${location.pathname}`;
  addEventListener("pagehide", () => {
    try { sessionStorage.setItem(LEFT, JSON.stringify([...typed($("form[data-busy]"))])); } catch { /* private mode */ }
  });
  function fillAgain() {
    const { type } = performance.getEntriesByType("navigation")[0] ?? {};
    let [left, isUnsent] = ["[]", false];
    try {
      left = sessionStorage.getItem(LEFT) ?? left;
      sessionStorage.removeItem(LEFT);
      isUnsent = sessionStorage.getItem(UNSENT) === LEFT;
      if (isUnsent) sessionStorage.removeItem(UNSENT);
    } catch { /* private mode */ }
    if (!isUnsent && type !== "reload" && type !== "back_forward") return;
    fill(new Map(JSON.parse(left)));
    const change = () => keepable().filter(isEdited).forEach((e) => e.dispatchEvent(new Event("change", { bubbles: true })));
    addEventListener("load", change);  // htmx has set up the forms by then
  }

  function whoseTurn() {
    const head = $("#h-turn");
    return head && head.textContent + (head.dataset.who || "");
  }

  const STAYS = "open-";
  const keepsOpen = (e) => { try { return localStorage.getItem(STAYS + e.dataset.stays) === "yes"; } catch { return e.open; } };
  const openKept = () => $$("details[data-stays]").forEach((e) => { e.open = keepsOpen(e); });
  document.addEventListener("click", (event) => {
    const details = event.target.closest?.("details[data-stays] > summary")?.parentElement;
    const will = details?.open ? "no" : "yes";  // it changes after the click
    if (details) try { localStorage.setItem(STAYS + details.dataset.stays, will); } catch { /* private mode */ }
  });

  function remember({ verb, elt }) {
    before = {
      live: elt.matches("[data-live]"),
      fields: typed(verb === "get" ? null : elt.form || elt),
      details: byId("details:not(.menu, [data-stays])", (e) => e.open),
      reopens: verb !== "get" || elt.matches("[data-live]") ? $$("[data-reopens]:popover-open") : [],
      ticks: byId("input[data-keep]", (e) => e.checked),
      scroll: byId("[data-scroll]", (e) => e.scrollTop),
      text: byId("[data-flash]", textOf),
      focus: document.activeElement === document.body ? null : document.activeElement,
      top: elt.matches("[hx-select]") && document.activeElement.getBoundingClientRect().top,
      form: $(OPENED)?.id,
      prompt: $("#prompt")?.textContent,
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
    openKept();
    for (const old of before.reopens) if (!old.isConnected) document.getElementById(old.id)?.showPopover();
    each(before.ticks, (e, checked) => { e.checked = checked; });
    fill(before.fields);
    each(before.scroll, (e, top) => { e.scrollTop = top; });
  }

  const tabOf = (element) => $(`[data-tab="${element.closest("[data-panel]")?.dataset.panel}"]`);
  function showOpened() {
    const form = $(OPENED);
    if (form?.matches(".row-form") && !isShown(form) && tabOf(form)) tabOf(form).checked = true;
    form?.scrollIntoView({ block: "nearest" });
    $("[data-select]", form || document)?.select();
  }
  const focusOpened = () => $(".action-form")?.focus({ preventScroll: true });

  function showPrompt() {
    const prompt = $("#prompt");
    if (!prompt || prompt.textContent === before.prompt) return;
    const busy = document.activeElement.matches("input:not([type=checkbox], [type=radio]), select, textarea") && !prompt.contains(document.activeElement);
    const asked = $("#rolls, [name=question]", prompt);
    if (!before.live || asked && !busy) prompt.scrollIntoView({ block: "nearest" });
  }

  // Another combatant's turn is shown from its beginning
  function showTurn() {
    const turn = $("#turn");
    if (!before.turn || whoseTurn() === before.turn || !turn) return;
    turn.scrollTop = 0;
    window.scrollBy(0, Math.min(0, turn.getBoundingClientRect().top));
  }

  // In a list that scrolls, the acting combatant comes into view when its turn begins
  let acting = "";
  function showActing() {
    const row = $('[data-row][aria-current="true"]');
    const list = row?.closest("[data-scroll]");
    if (row?.id === acting || !list || !isShown(row) || list.scrollHeight <= list.clientHeight) return;
    acting = row.id;
    const [place, shown] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    if (place.top < shown.top || place.bottom > shown.bottom) list.scrollTop += place.top - shown.top - (shown.height - place.height) / 2;
  }

  function findHomes(gone) {
    const row = document.getElementById(gone.closest("[data-row]")?.id);
    const main = row && $("[data-row-main]", row);
    const token = $(`a > [data-token="${$(":scope > [data-token]", gone)?.dataset.token}"]`)?.parentElement;
    const stays = !before.closes || before.live || gone.closest(".row-form");
    const opener = before.closes && document.getElementById(gone.closest(".action-form")?.id.replace("form-", "act-"));
    return [...stays ? [main, token] : [], opener, ...$$("[data-focus-home]"), main, $("h1[tabindex]"), $("main")];
  }

  // The first that takes the focus gets it: what is hidden or disabled does not
  const giveFocus = (homes) => homes.filter(Boolean).some((home) => {
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
    if (focus && document.activeElement === document.body) giveFocus([gone ? twin : focus, ...findHomes(focus)]);
    else if (twin && before.live) giveFocus([twin]);
    if (twin && before.top !== false) window.scrollBy(0, twin.getBoundingClientRect().top - before.top);
    showTurn();
    showActing();
    if ($(OPENED) && $(OPENED).id !== before.form) {
      showOpened();
      focusOpened();
    }
    showPrompt();
    before = null;
    announce(false);
  }

  document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (detail.shouldSwap) remember(detail.requestConfig); });
  document.addEventListener("htmx:afterSwap", restore);
  document.addEventListener("htmx:afterSettle", settle);

  document.documentElement.classList.add("js");
  openKept();
  fillAgain();
  announce(true);
  showActing();
  if (!location.hash) showOpened();
})();
