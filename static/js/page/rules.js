// The rulebook beside the page: a[data-rules] opens it at its search, a.rule and a[data-rule] at that rule's paragraph.
//
// It is no dialog: the page beside it goes on. Escape or data-rules-close closes it, and the focus returns to what
// opened it. Without this file all of these links lead to the rulebook.
(() => {
  "use strict";
  const panel = document.getElementById("rules-panel");
  if (!panel?.showPopover) return;
  const field = document.getElementById("rules-q");
  const found = document.getElementById("rules-found");
  const TYPING = "textarea, select, input";
  let opener = null;
  const isOpen = () => panel.matches(":popover-open");
  const isShown = (element) => element?.checkVisibility();

  // On the side that does not cover what was tapped.
  function open(from) {
    const { left, right } = from.getBoundingClientRect();
    const box = from.closest("[popover]");
    if (box && box !== panel) box.hidePopover();
    if (isOpen()) return;
    opener = isShown(from) ? from : document.activeElement;
    panel.classList.toggle("at-left", (left + right) / 2 > innerWidth / 2 && right > 0);
    panel.showPopover();
  }

  // What opened it may have been drawn again meanwhile: then a link to the same place has the focus.
  function close() {
    panel.hidePopover();
    const same = [...document.links].filter((link) => link.href === opener?.href && !panel.contains(link));
    const home = [opener, ...same, document.querySelector("h1")].find(isShown);
    home?.focus({ preventScroll: true });
  }

  // The encounter goes along: the rulebook then says what its table plays otherwise.
  async function load(address, then) {
    await window.htmx.ajax("GET", `${address}&at=${panel.dataset.at}`, {
      source: found,
      target: found,
      swap: "innerHTML show:none",
    });
    then();
  }

  function showRule(link) {
    open(link);
    field.value = "";
    load(`${link.href}?brief=1`, () => {
      found.focus({ preventScroll: true });
      found.querySelector(".is-here")?.scrollIntoView({ block: "center" });
    });
  }

  function showSearch(link) {
    open(link);
    field.focus();
    field.select();
    if (!found.firstElementChild) load(`${new URL(link.href).pathname}?brief=1`, () => {});
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.rule, a[data-rule], a[data-rules]");
    if (event.target.closest?.("[data-rules-close]")) close();
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (link.matches("[data-rules]")) showSearch(link);
    else showRule(link);
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || !isOpen()) return;
      if (event.target.matches?.(TYPING) && !panel.contains(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      close();
    },
    true,
  );
})();
