// Rule cards: on wide screens, a link to a rule (a.rule) shows its text under the pointer or the keyboard focus.
//
// The pointer may rest on the card; Escape closes it. Without this file the links lead to the rule.
// data-copy-link on a link: a click copies its address too.
(() => {
  "use strict";
  const WIDE = window.matchMedia("(min-width: 64rem)");
  const SOON = 250,
    LATER = 250,
    GAP = 6; // milliseconds, milliseconds, pixels
  const known = new Map(); // address -> promise of the card's HTML
  const card = document.createElement("div");
  Object.assign(card, { id: "rule-card", className: "rule-card", role: "tooltip", popover: "manual" });
  let link = null; // whose card is shown or loading
  let next = null; // whose card comes next
  let timer = 0;

  async function read(address) {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    return answer.ok ? answer.text() : "";
  }

  function findCard(target) {
    const address = target.href;
    if (!known.has(address))
      known.set(
        address,
        read(address).catch(() => {
          known.delete(address);
          return "";
        }),
      );
    return known.get(address);
  }

  // Below the link, or above it without room; never beyond the window.
  function place(target) {
    const at = target.getBoundingClientRect();
    const below = at.bottom + GAP + card.offsetHeight < innerHeight;
    const top = below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - card.offsetHeight);
    const left = Math.max(GAP, Math.min(at.left, innerWidth - card.offsetWidth - GAP));
    card.style.setProperty("top", `${top}px`);
    card.style.setProperty("left", `${left}px`);
  }

  async function show(target) {
    const html = await findCard(target);
    if (target !== link || !html || !target.isConnected) return;
    card.innerHTML = html; // HTML of our own server, already escaped
    if (!card.isConnected) document.body.append(card);
    card.showPopover();
    place(target);
    target.setAttribute("aria-describedby", card.id);
  }

  function hide() {
    clearTimeout(timer);
    link?.removeAttribute("aria-describedby");
    link = next = null;
    if (card.matches(":popover-open")) card.hidePopover();
  }

  function aim(target) {
    clearTimeout(timer);
    next = target;
    if (target !== link && WIDE.matches)
      timer = setTimeout(() => {
        hide();
        link = next = target;
        show(target);
      }, SOON);
  }

  // A link with the keyboard focus keeps its card, wherever the pointer goes.
  function leave() {
    if (next && next === document.activeElement) return;
    clearTimeout(timer);
    if (link && link !== document.activeElement) timer = setTimeout(hide, LATER);
  }

  // Scrolling under a resting pointer, as the Tab key does, is not pointing.
  let last = "";
  function hasMoved({ screenX, screenY }) {
    const now = `${screenX} ${screenY}`;
    const moved = now !== last;
    last = now;
    return moved;
  }

  const ruleAt = (event) => event.target.closest?.("a.rule");
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || !hasMoved(event)) return;
    const target = ruleAt(event);
    if (target) aim(target);
    else if (event.target.closest?.("#rule-card")) clearTimeout(timer);
    else leave();
  });
  document.addEventListener("pointermove", hasMoved, { passive: true });
  document.addEventListener("focusin", (event) => {
    const target = ruleAt(event);
    if (target?.matches(":focus-visible")) aim(target);
    else leave();
  });
  document.addEventListener("focusout", (event) => {
    if (event.target === link) {
      clearTimeout(timer);
      timer = setTimeout(hide, LATER);
    }
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !link) return;
      hide();
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener(
    "scroll",
    (event) => {
      if (link && !card.contains(event.target)) place(link);
    },
    true,
  );
  document.addEventListener("htmx:afterSwap", () => {
    if (link && !link.isConnected) hide();
  });

  // An anchor of the whole book on the page of its contents leads to the chapter
  const anchor = decodeURIComponent(location.hash.slice(1));
  if (anchor && document.querySelector(".chapters") && !document.getElementById(anchor))
    location.replace(`${anchor}/`);

  // The contents that lie over a page on a phone close as they lead to a place of it
  document.addEventListener("click", ({ target }) => {
    target.closest?.("#contents a")?.closest(":popover-open")?.hidePopover();
  });

  document.addEventListener("click", async (event) => {
    const source = event.target.closest?.("a[data-copy-link]");
    if (!source || event.ctrlKey || event.metaKey || event.shiftKey) return;
    try {
      await navigator.clipboard.writeText(source.href);
    } catch {
      return;
    } // the address bar has it anyway
    source.classList.add("is-copied");
    document.getElementById("live").textContent = "Link copied.";
    setTimeout(() => source.classList.remove("is-copied"), 2000);
  });
})();
