// Handouts on the table: opens a new one in a window, and closes one that the GM withdraws.
//
// data-handouts goes around the links, data-handout="number" on each; a click opens that handout in a window too.
// With data-quiet none opens by itself: for the GM, and where the page shows the newest one anyway.
// Without this file the links lead to the handout's page.
(() => {
  "use strict";
  const KEY = `handouts-seen:${location.pathname}`;
  const links = () => [...document.querySelectorAll("[data-handouts] [data-handout]")];
  const isQuiet = () => Boolean(document.querySelector("[data-handouts][data-quiet]"));
  const isProjector = () => document.querySelector(".watch") && matchMedia("(min-width: 64rem)").matches;
  const read = () => {
    try {
      return new Set(JSON.parse(localStorage.getItem(KEY) || "[]"));
    } catch {
      return new Set();
    }
  };
  const write = (seen) => {
    try {
      localStorage.setItem(KEY, JSON.stringify([...seen]));
    } catch {
      /* nothing kept */
    }
  };
  let box = null;

  function make() {
    const made = document.createElement("dialog");
    made.className = "handout-window";
    made.setAttribute("aria-label", "Handout");
    made.innerHTML =
      '<div data-body></div><form method="dialog"><button class="btn btn-primary" autofocus>Close</button></form>';
    made.addEventListener("click", (event) => {
      if (event.target === made) made.close();
    });
    made.addEventListener("close", () => look());
    document.body.append(made);
    return made;
  }

  async function open(link) {
    const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    if (!answer.ok) {
      if (answer.status !== 404) location.assign(link.href);
      return;
    }
    box ||= make();
    box.querySelector("[data-body]").innerHTML = await answer.text(); // HTML of our own server, already escaped
    box.dataset.number = link.dataset.handout;
    if (!box.open) box.showModal();
  }

  // Opens what is new: the newest when the page opens, later each, one after another. Nobody closes a window on a
  // projector, so there the newest takes its place.
  function look(isFirst = false) {
    const here = links();
    const isGone = box?.open && !here.some((link) => link.dataset.handout === box.dataset.number);
    if (isGone) box.close();
    if (isGone || (box?.open && !isProjector())) return; // the end of the window looks again
    const seen = read();
    const fresh = here.filter((link) => !seen.has(link.dataset.handout));
    const onlyNewest = isFirst || isProjector();
    const next = onlyNewest ? fresh[0] : fresh.at(-1);
    const later = onlyNewest || isQuiet() ? [] : fresh.slice(0, -1);
    write(new Set(here.filter((link) => !later.includes(link)).map((link) => link.dataset.handout)));
    if (next && !isQuiet()) open(next);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-handouts] [data-handout]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });
  document.addEventListener("htmx:afterSettle", () => look());
  look(true);
})();
