// Find anything: Ctrl K or ⌘ K opens the dialog #finder; arrows go through what was found, Enter opens it.
//
// A rule opens beside the page, if the page has the rulebook there. Without this file the button in the account menu
// leads to a page that finds the same.
(() => {
  "use strict";
  const dialog = document.getElementById("finder");
  if (!dialog?.showModal) return;
  const field = document.getElementById("find-q");
  const found = document.getElementById("find-found");
  const links = () => [...found.querySelectorAll("li a")];
  let goes = false; // Enter came before its answer

  const isAnswered = () => found.firstElementChild?.dataset.q === field.value.trim();
  const openFirst = () => links()[0]?.click();

  document.addEventListener("keydown", (event) => {
    const isMeant =
      event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isMeant || (!dialog.open && document.querySelector("dialog[open]"))) return;
    event.preventDefault();
    if (!dialog.open) dialog.showModal();
    field.focus();
    field.select();
  });

  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const stops = [field, ...links()];
      event.preventDefault();
      stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
    } else if (event.key === "Escape") {
      // at once: a search field would empty itself first
      event.preventDefault();
      dialog.close();
    } else if (event.key === "Enter" && event.target === field) {
      goes = !isAnswered();
      if (goes) return;
      event.preventDefault();
      openFirst();
    } else if (
      event.key.length === 1 &&
      event.key !== " " &&
      !event.ctrlKey &&
      !event.metaKey &&
      found.contains(event.target)
    )
      field.focus();
  });
  field.addEventListener("input", () => {
    goes = false;
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target !== found) return;
    document.getElementById("find-said").textContent = found.firstElementChild?.dataset.announce || "";
    if (goes && isAnswered()) openFirst();
  });

  // Before rules.js hears of the click: what it opens lies below a dialog
  found.addEventListener("click", (event) => {
    const word = event.target.closest("[data-word]")?.dataset.word;
    if (word) {
      event.preventDefault();
      field.value = word;
      field.focus();
      field.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (event.target.closest("li a") && !event.ctrlKey && !event.metaKey) dialog.close();
  });
})();
