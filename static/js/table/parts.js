// Updates the parts of the table that differ, instead of the whole table.
//
// The page sends the tags of its parts (data-parts on #table). The answer brings those that differ, and
// #table-now with the values for the whole page, where tags that the page has are left out. Without this file the table is swapped whole.
(() => {
  "use strict";
  const PARTS = "X-Parts";
  const find = () => document.getElementById("table");
  const isOfParts = (event) => Boolean(event.detail?.xhr?.getResponseHeader(PARTS));
  let isBroken = false;

  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, headers, target } = event.detail;
    if (target && target === find() && target.dataset.parts && !elt.closest("[hx-select]")) headers[PARTS] = target.dataset.parts;
  });

  function lookAgain() {
    const live = document.querySelector("#stream [data-live]");
    if (live) window.htmx.trigger(live, "again");
  }

  // Parts fit only the page that asked for them: a page that has changed meanwhile asks again.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!isOfParts(event)) return;
    isBroken = false;
    if (event.detail.requestConfig.headers[PARTS] === find()?.dataset.parts) return;
    event.detail.shouldSwap = false;
    event.stopPropagation();
    lookAgain();
  }, true);

  // All tags of the page: those of the answer, and its own for names without one.
  function fillTags(brief, own) {
    const known = new Map(own.split(/[ |]/).filter((word) => word.includes("=")).map((word) => word.split("=")));
    return brief.replaceAll(/[^ |]+/g, (word) => (known.has(word) ? `${word}=${known.get(word)}` : word));
  }

  // Move the values for the whole page to where other scripts look for them. A page that lacks a part is sent whole.
  function settle(table) {
    const now = document.getElementById("table-now"), own = table.dataset.parts ?? "";
    // oxlint-disable-next-line unicorn/no-useless-spread -- the list is live, and shrinks in the loop
    for (const { name, value } of [...now.attributes]) {
      if (!name.startsWith("data-")) continue;
      table.setAttribute(name, value);
      now.removeAttribute(name);
    }
    table.dataset.parts = fillTags(table.dataset.parts, own);
    for (const field of table.querySelectorAll("input[type=hidden][name=version]")) field.value = table.dataset.version;
    if (!isBroken && !table.querySelector("[hx-preserve]")) return;
    table.removeAttribute("data-parts");
    table.removeAttribute("data-tag");
    setTimeout(lookAgain);
  }
  document.addEventListener("htmx:oobErrorNoTarget", () => { isBroken = true; });

  // htmx reports each swapped part; other scripts hear of it once, when the page is complete.
  for (const kind of ["htmx:afterSwap", "htmx:afterSettle"]) document.addEventListener(kind, (event) => {
    if (!isOfParts(event)) return;
    if (event.target.id !== "table-now") event.stopPropagation();
    else if (kind === "htmx:afterSwap") settle(find());
  }, true);
})();
