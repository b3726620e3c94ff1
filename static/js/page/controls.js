// Buttons and menus: dialogs, copying, lists to sort by dragging, parts of a page, and what cannot be done now.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const say = (text) => {
    document.getElementById("live")?.replaceChildren(text);
  };

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
    const menu = event.target.closest(".item:is([hx-get], [hx-target])")
      ? null
      : event.target.closest("details.menu");
    $$("details.menu[open]").forEach((other) => {
      if (other !== menu) other.open = false;
    });
  });

  // A box that ticks others: data-ticks="values" of the boxes in its fieldset; it shows whether all of them are
  function tick(box) {
    const values = box.dataset.ticks.split(" ");
    return $$("input[name]", box.closest("fieldset")).filter((one) => values.includes(one.value));
  }
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-ticks]"))
      for (const one of tick(event.target)) one.checked = event.target.checked;
    const field = event.target.closest("fieldset");
    for (const box of field ? $$("[data-ticks]", field) : [])
      box.checked = tick(box).every((one) => one.checked);
  });

  // A menu stays in the window, and scrolls there if it is longer
  const GAP = 8; // pixels between a menu and the edges
  function fit(menu) {
    const items = $(":scope > .menu-items", menu);
    if (!items) return;
    items.style.translate = "";
    items.style.maxHeight = "";
    if (!menu.open) return;
    const [wide, high] = [document.documentElement.clientWidth, window.innerHeight];
    const low = $(".tabs")?.checkVisibility() ? $(".tabs").getBoundingClientRect().top : high;
    const [lowest, most] = [Math.min(low, high) - GAP, Math.min(low, high) - 2 * GAP];
    items.style.maxHeight = `${most}px`;
    const box = items.getBoundingClientRect();
    const down = Math.min(0, lowest - box.bottom);
    const across = Math.max(Math.min(0, wide - GAP - box.right), GAP - box.left);
    items.style.translate = `${across}px ${down}px`;
  }
  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.matches("details.menu")) fit(event.target);
    },
    true,
  );

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
    } catch {
      say("Selected: press Ctrl+C or ⌘C to copy.");
    }
  });

  // ---- Links inside a picture: htmx swaps them in, but does not know them as links ----
  document.addEventListener("click", (event) => {
    if (window.htmx && event.target.closest?.("svg a[hx-get]")) event.preventDefault();
  });

  // ---- A list to sort by dragging: data-drag="field" on it, data-drag-id on each item ----
  // Its buttons do the same: the dragged item's form is sent, with the item before its new place as `field`.
  let dragged = null;
  const dropPlace = (event) => {
    const over = event.target.closest?.("[data-drag-id]");
    return dragged && over !== dragged && over?.parentElement === dragged.parentElement ? over : null;
  };
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("[data-drag-id]");
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragover", (event) => {
    if (dropPlace(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const over = dropPlace(event);
    if (!over) return;
    event.preventDefault();
    const down = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    const button = $(`button[name="${over.parentElement.dataset.drag}"]`, dragged);
    button.value = (down ? over : over.previousElementSibling)?.dataset.dragId || "";
    button.click();
  });
  document.addEventListener("dragend", () => {
    dragged = null;
  });

  // ---- What cannot be done now: aria-disabled, described by the reason; a click shows and reads the reason ----
  // The server decides about a form that changed since its odds came.
  document.addEventListener(
    "click",
    (event) => {
      const off = event.target.closest?.('[aria-disabled="true"]');
      if (!off || off.form?.hasAttribute("data-changed")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const why = document.getElementById(off.getAttribute("aria-describedby"));
      if (!why) return;
      why.scrollIntoView({ block: "nearest" });
      say("");
      setTimeout(() => say(why.textContent.trim()), 50); // so that the same text is read again
    },
    true,
  );
  for (const kind of ["input", "change"])
    document.addEventListener(
      kind,
      (event) => event.target.form?.matches(".action-form") && (event.target.form.dataset.changed = ""),
    );
  // ---- Parts of a page, one at a time on a phone: data-part="name" on what the radio button #part-name shows ----
  function showPart(element) {
    const tab = document.getElementById(`part-${element?.closest("[data-part]")?.dataset.part}`);
    if (!tab || element.checkVisibility()) return;
    tab.checked = true;
    element.scrollIntoView({ block: "nearest" });
  }
  const showNamed = () =>
    location.hash.length > 1 && showPart(document.getElementById(location.hash.slice(1)));
  addEventListener("hashchange", showNamed);
  document.addEventListener("htmx:afterSettle", () => showPart($("[data-part] .section-form")));
  showNamed();

  // A form may change before htmx has set it up: its odds are then requested afterwards.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "odds-panel") delete event.target.closest("form")?.dataset.changed;
    else if (!event.target.closest(".action-form"))
      $$(".action-form[data-changed] > [hx-include]").forEach((fields) =>
        window.htmx.trigger(fields, "change"),
      );
  });
})();
