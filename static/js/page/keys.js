// Keys and the search of actions.
//
// Every page works without this file. Templates declare behaviour with data- attributes (each section lists its own);
// nothing here knows a rule.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isShown = (element) => element.checkVisibility();

  // ---- Panels behind tabs: data-panel="log" on the panel, data-tab="log" on its radio ----
  function reveal(element) {
    const panel = element.closest("[data-panel]");
    const tab = panel && $(`[data-tab="${panel.dataset.panel}"]`);
    if (tab) tab.checked = true;
  }

  // Each tab keeps its own scroll place until the turn changes or another form opens; without one it starts at
  // the top, or at its form.
  let places = { of: null, tops: new Map() };
  function findPlaces() {
    const of = [$("#h-turn")?.textContent, $("#h-turn")?.dataset.who, $(".action-form")?.id].join(" ");
    if (of !== places.of) places = { of, tops: new Map() };
    return places.tops;
  }
  document.addEventListener(
    "scroll",
    () => {
      const tab = $("[data-tab]:checked");
      if (tab) findPlaces().set(tab.id, window.scrollY);
    },
    { passive: true },
  );
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-tab]")) return;
    const top = findPlaces().get(event.target.id);
    window.scrollTo(0, top || 0);
    if (top === undefined)
      $(`[data-panel="${event.target.dataset.tab}"] .action-form`)?.scrollIntoView({ block: "nearest" });
  });

  // ---- Keys: data-key on what a key presses; data-row-key inside the row of its combatant, also from their token on the map ----
  // Fields get the focus, and their fold opens; everything else is clicked; data-key-focus asks for focus only, and data-focus-key
  // names a key that only focuses what another key clicks.
  const TYPING =
    "textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])";
  const rows = () => $$("[data-row]").filter((row) => row.checkVisibility());
  const currentRow = () => {
    const token = document.activeElement?.querySelector(":scope > [data-token]");
    const ofToken = token && document.getElementById(`row-${token.dataset.token}`);
    return ofToken || document.activeElement?.closest("[data-row]") || $('[data-row][aria-current="true"]');
  };

  function press(element, key) {
    reveal(element);
    const onlyFocus =
      element.hasAttribute("data-key-focus") ||
      (element.dataset.key !== key && element.dataset.focusKey === key);
    const fold = element.matches(TYPING) && element.closest("details.fold");
    if (fold) fold.open = true;
    if (element.matches(TYPING) || onlyFocus || element.matches("[popovertarget]")) element.focus(); // Tab goes on into a list
    if (!element.matches(TYPING) && !onlyFocus) element.click();
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

  function closeOne() {
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

  // From a field it closes the form; a field of a form that stays loses the focus.
  function leaveField(field) {
    const around = field.closest(".row-card") || field.form; // the window of a row has several forms
    const closer = around && $('[data-key="Escape"]', around);
    if (closer) closer.click();
    else field.blur();
  }

  const keysAreOn = () => {
    try {
      return localStorage.getItem("keys") !== "off";
    } catch {
      return true;
    }
  };

  // An address that ends in the name of something in a panel opens the panel.
  function revealNamed() {
    const named = document.getElementById(location.hash.slice(1));
    if (!named) return;
    reveal(named);
    named.scrollIntoView({ block: "nearest" });
  }
  addEventListener("hashchange", revealNamed);
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.('a[href^="#"]');
    link?.closest(".site-nav:popover-open")?.hidePopover(); // what it leads to lies under the menu
  });

  // Ctrl Z or ⌘ Z presses the button of the key u, with Shift that of r; in a field it undoes typing.
  document.addEventListener("keydown", (event) => {
    const isMeant = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isMeant || event.target.matches(TYPING) || $("dialog[open]")) return;
    const button = $(`button[data-key="${event.shiftKey ? "r" : "u"}"]:enabled`);
    if (!button) return;
    event.preventDefault();
    if (!event.repeat) button.click();
  });

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if ($("dialog[open]")) return;
    if (event.target.matches(TYPING)) {
      if (event.key === "Escape") leaveField(event.target);
      return;
    }
    if (event.key === "Escape") {
      if (closeOne()) event.preventDefault();
      return;
    }
    if (event.key === "Enter" && event.target.matches(".action-form") && !event.repeat) {
      event.preventDefault();
      $("[data-enter]", event.target)?.click();
      return;
    }
    if (!keysAreOn() || (event.repeat && !"jk".includes(event.key)) || event.key === "Enter") return;
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      walk(event.key === "j" ? 1 : -1);
      return;
    }
    const name = CSS.escape(event.key);
    const found = [
      ...(currentRow() ? $$(`[data-row-key="${name}"]`, currentRow()) : []),
      ...$$(`[data-key="${name}"], [data-focus-key="${name}"]`),
    ].find((element) => !element.disabled && element.getAttribute("aria-disabled") !== "true");
    if (!found) return;
    event.preventDefault();
    press(found, event.key);
  });

  // data-filter="id": a field that shows only the actions or tiles of its panel with its words, or, if no name has them, those
  // whose title has. Enter opens the first; of tiles to choose from the first is chosen, and Enter presses data-enter
  // A swap may bring a field beside actions that it left as they were, or actions beside a field that keeps its words
  const showFilters = () =>
    $$("[data-filter]").forEach((field) => {
      field.hidden = false;
      if (field.value || document.getElementById(field.dataset.filter)?.querySelector("li[hidden]"))
        filter(field);
    });
  const around = (field) => field.closest("details, [data-panel], form") || document;
  const filtered = (field) => $$("li:has(> .action), li[data-found], label.tile", around(field));
  const hasWords = (text, words) => words.every((word) => text.toLowerCase().includes(word));
  function filter(field) {
    const words = field.value.toLowerCase().split(/\s+/);
    const items = filtered(field);
    const named = items.filter((item) => hasWords(item.textContent, words));
    const found = new Set(
      named.length ? named : items.filter((item) => hasWords($("[title]", item)?.title || "", words)),
    );
    for (const item of items) item.hidden = !found.has(item);
    const choice = field.value && [...found].map((item) => $("input[type=radio]", item)).find(Boolean);
    if (choice && $("[data-enter]", choice.form)) choice.checked = true;
    if (field.value)
      $$("details", document.getElementById(field.dataset.filter)).forEach((group) => {
        group.open = true;
      });
    const none = $("[data-filter-none]", around(field));
    if (none) none.hidden = found.size > 0;
  }
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-filter]")) filter(event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("[data-filter]")) return;
    event.preventDefault();
    const found = filtered(event.target).filter((item) => !item.hidden && isShown(item));
    const pressed = (item) =>
      $("a.action, [data-hold]", item) || ($("input:checked", item) && $("[data-enter]", event.target.form));
    const link = found.map(pressed).find(Boolean);
    if (!link) return;
    event.target.value = "";
    filter(event.target);
    link.focus();
    link.click();
  });
  showFilters();

  // data-keys-toggle: a checkbox that turns the single-letter keys off (WCAG 2.1.4)
  const showKeysChoice = () =>
    $$("[data-keys-toggle]").forEach((box) => {
      box.checked = keysAreOn();
    });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-keys-toggle]")) return;
    try {
      localStorage.setItem("keys", event.target.checked ? "on" : "off");
    } catch {
      /* private mode */
    }
  });

  function show() {
    showKeysChoice();
    showFilters();
  }
  document.addEventListener("htmx:afterSettle", show);
  show();
  revealNamed();
})();
