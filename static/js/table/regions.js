// Puts the regions of the table in place that an answer brings, because this page has not got them.
//
// A region is an element, or several in a list, with its version in data-v; data-slot is the place of a region inside
// another. #table-now, at the end of an answer, names all versions: those of the page, then those of each list in order.
// What would only be refused while the table waits for an answer (data-waits) stands in a fieldset.waits.
// A fold with data-asks is drawn only while it is open: the ids of those that are open are sent.
// Without this file the table is swapped whole.
(() => {
  "use strict";
  const find = () => document.getElementById("table");
  const HEADER = "X-Regions";
  // The message about the last action comes again, also with the same words: who has not read it yet, or acts again, is told
  const known = () =>
    [
      ...new Set(
        [find(), ...find().querySelectorAll("[data-v]:not(:has(> #notice))")].map((one) => one.dataset.v),
      ),
    ].join(" ");

  let newest = null; // the headers of what was last tapped
  document.addEventListener("htmx:configRequest", ({ detail: { elt, headers, target } }) => {
    if (!target || target !== find() || elt.closest("[hx-select]")) return;
    if (!elt.matches("[data-live]")) newest = headers;
    headers[HEADER] = known();
    headers["X-Folds"] = [...find().querySelectorAll("[data-asks][open]")].map((one) => one.id).join(" ");
  });

  // Regions fit only the page that asked for them: a page that has changed meanwhile asks again. What was refused, or
  // asked for last, is sent again as it was, since the refusal or the form would be lost.
  document.addEventListener(
    "htmx:beforeSwap",
    (event) => {
      const {
        requestConfig: { headers, verb },
        xhr,
      } = event.detail;
      if (xhr.getResponseHeader("HX-Reswap") !== "regions" || headers[HEADER] === known()) return;
      event.detail.shouldSwap = false;
      event.stopPropagation();
      const live = document.querySelector("#stream [data-live]");
      const isAsked = verb === "get" && headers === newest;
      if (xhr.status >= 400 || isAsked) window.cosmosLive.sendAgain(event.detail, "outerHTML");
      else if (live) window.htmx.trigger(live, "again");
    },
    true,
  );

  // A list gets exactly the named regions, in order; those that stay where they are are not touched.
  function order(list, names, fresh) {
    const wanted = new Set(names);
    for (const old of list.querySelectorAll(":scope > *")) if (!wanted.has(old.dataset.v)) old.remove();
    const all = [...list.children, ...fresh];
    let next = list.firstElementChild;
    for (const one of names.flatMap((name) => all.filter((element) => element.dataset.v === name))) {
      if (one === next) next = next.nextElementSibling;
      else list.insertBefore(one, next);
    }
  }

  function place(table, fragment) {
    const now = fragment.lastElementChild;
    const [fixed, ...lists] = now.dataset.regions.split("|").map((words) => words.split(" "));
    now.removeAttribute("data-regions");
    const fresh = [...fragment.children].filter((one) => one !== now);
    for (const slot of fragment.querySelectorAll("[data-slot]")) {
      slot.replaceWith(fresh.find((one) => one.id === slot.id) || document.getElementById(slot.id));
    }
    for (const one of fresh) {
      if (one.parentNode === fragment && fixed.includes(one.dataset.v))
        document.getElementById(one.id).replaceWith(one);
    }
    for (const [id, ...names] of lists) order(document.getElementById(id), names, fresh);
    for (const { name, value } of now.attributes)
      if (name.startsWith("data-")) table.setAttribute(name, value);
    for (const field of table.querySelectorAll("input[type=hidden][name=version]"))
      field.value = table.dataset.version;
    const why = table.dataset.waits;
    for (const box of table.querySelectorAll("fieldset.waits")) {
      box.disabled = Boolean(why);
      box.title = why;
    }
    return fresh;
  }

  window.htmx.defineExtension("regions", {
    handleSwap: (style, table, fragment) => style === "regions" && place(table, fragment),
  });
})();
