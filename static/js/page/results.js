// Result cards: a new one tumbles in; several are shown one after another, the newest of one's own first.
//
// A projector shows only the last one.
// data-results goes around cards, data-result="key" on each but free dice, which stand beside them, data-own on one's own;
// data-results-next and -skip go through them, data-results-count shows which one it is. Without this file every card is shown.
// data-turns-pages goes around the changes of a roll: on a projector, where nobody scrolls, a card that does not fit leaves
// out what its other words say, and then shows the changes page by page.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const cards = () => [...document.querySelectorAll("[data-result]")];
  const isProjector = () => $(".watch") && matchMedia("(min-width: 64rem)").matches; // nobody presses buttons there
  let seen = cards().at(-1)?.dataset.result || "";

  // The server gets the step seen last, and sends the cards of all later ones.
  document.addEventListener("htmx:configRequest", (event) => {
    if (seen) event.detail.headers["X-Seen"] = seen;
  });

  // The cards as they are shown: the newest of one's own waits for no other.
  function queue() {
    const all = cards();
    const own = all.findLastIndex((card) => card.matches("[data-own]"));
    return own > 0 ? [all[own], ...all.filter((_, n) => n !== own)] : all;
  }

  function show(box, number, ends = false) {
    const all = queue();
    box.dataset.step = number;
    all.forEach((card, n) => card.classList.toggle("is-shown", n === number));
    all[number].classList.add("is-fresh");
    const more = $(".results-next", box);
    more.hidden = ends || number === all.length - 1;
    $("[data-results-count]", more).textContent = `${number + 1} of ${all.length}`;
    if (more.contains(document.activeElement) && more.hidden) all[number].querySelector("summary").focus();
  }

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    const all = cards();
    const last = all.at(-1)?.dataset.result || "";
    if (!last || last === seen) {
      if (all.length > 1) all.slice(0, -1).forEach((card) => card.remove());
      return;
    }
    seen = last;
    const box = $("[data-results]");
    if (all.length > 1) show(box, isProjector() ? all.length - 1 : 0);
    else all[0].classList.add("is-fresh");
    if (!detail.requestConfig?.elt.matches("[data-live]")) box?.scrollIntoView({ block: "nearest" }); // others keep their place; a replay has none
  });

  // ---- Pages of a card that is too long for a projector ----
  const PAGE_TIME = 6000; // milliseconds
  const TIGHT = ["is-tight", "is-tighter"];
  let paged = null; // the list with these pages
  let page = 0;

  const entriesOf = (list) => $$(".result-change, .result-crowd > li", list);

  // The entries that fit into this many pixels, in order; entries in one line stay together.
  function findPages(entries, room) {
    const places = entries.map((entry) => entry.getBoundingClientRect());
    const pages = [];
    let top = 0;
    entries.forEach((entry, n) => {
      if (!n || (places[n].bottom - top > room && places[n].top > top)) {
        pages.push([]);
        top = places[n].top;
      }
      pages.at(-1).push(entry);
    });
    return pages;
  }

  function showPage(turned) {
    const place = $("#watch-result");
    if (!place || !isProjector()) return;
    const list = $$("[data-turns-pages]", place).find((one) => one.getClientRects().length);
    const entries = list ? entriesOf(list) : [];
    for (const entry of entries) entry.hidden = false;
    list?.querySelector(".result-page")?.remove();
    page = list === paged ? page + turned : 0;
    paged = list;
    const isLong = () => place.scrollHeight > place.clientHeight;
    place.classList.remove(...TIGHT);
    for (const name of TIGHT) if (isLong()) place.classList.add(name);
    if (!list || !isLong()) return;
    const note = document.createElement("p");
    note.className = "result-page small muted";
    note.textContent = "1";
    list.append(note);
    const over = place.scrollHeight - place.clientHeight;
    const height = entries.at(-1).getBoundingClientRect().bottom - entries[0].getBoundingClientRect().top;
    const pages = findPages(entries, height - over);
    const shown = new Set(pages[page % pages.length]);
    for (const entry of entries) entry.hidden = !shown.has(entry);
    note.textContent = `${(page % pages.length) + 1} of ${pages.length}`;
    note.hidden = pages.length === 1;
  }

  showPage(0);
  if ($("#watch-result")) addEventListener("resize", () => showPage(0));
  document.addEventListener("htmx:afterSettle", () => showPage(0));
  setInterval(() => {
    if (!paged?.matches(":hover")) showPage(1);
  }, PAGE_TIME);

  document.addEventListener("click", (event) => {
    const box = event.target.closest?.("[data-results]");
    if (!box) return;
    event.target.closest("[data-result]")?.classList.remove("is-fresh"); // a tap ends the animation
    const all = cards();
    if (event.target.closest("[data-results-next]"))
      show(box, Math.min(all.length - 1, Number(box.dataset.step) + 1));
    if (event.target.closest("[data-results-skip]")) show(box, queue().indexOf(all.at(-1)), true);
  });
})();
