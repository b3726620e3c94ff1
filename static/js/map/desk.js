// The page that prepares a fight: keeps its tab on a phone, shows what an address names, and keeps its people filtered.
//
// data-tab="name" on the radio buttons of the tabs, data-panel="name" on what they show.
(() => {
  "use strict";
  const KEPT = "prep-tab";
  const tabOf = (name) => document.querySelector(`[data-tab="${CSS.escape(name)}"]`);

  function show(name) {
    const tab = tabOf(name);
    if (tab) tab.checked = true;
    return tab;
  }
  function showNamed() {
    const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const panel = named && named.closest("[data-panel]");
    if (!panel || !show(panel.dataset.panel)) return false;
    for (let fold = named.closest("details"); fold; fold = fold.parentElement.closest("details"))
      fold.open = true;
    named.scrollIntoView({ block: "nearest" });
    return true;
  }

  document.addEventListener("change", (event) => {
    const name = event.target.dataset?.tab;
    if (name)
      try {
        sessionStorage.setItem(KEPT, name);
      } catch {
        /* private mode */
      }
  });
  document.addEventListener("htmx:afterSettle", () => {
    // new rows, the same words
    const field = document.getElementById("cast-find");
    if (field?.value) field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  addEventListener("hashchange", showNamed);
  let kept = "";
  try {
    kept = sessionStorage.getItem(KEPT) || "";
  } catch {
    /* private mode */
  }
  if (!showNamed() && kept) show(kept);
})();
