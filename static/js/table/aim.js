// Says in one line of a form whom it aims at and with what. On a phone a tap on that line opens the fields.
//
// data-aim is the name of the field whose choice stands there; the target's token comes first.
(() => {
  "use strict";
  function show(line) {
    for (const part of line.querySelectorAll("[data-aim]")) {
      const field = line.closest("form").elements[part.dataset.aim];
      part.textContent = field?.selectedOptions?.[0]?.textContent.trim() ?? "";
      if (part.dataset.aim !== "target") continue;
      line.querySelector(".mark")?.remove();
      const mark = document.getElementById(`row-${field?.value}`)?.querySelector(".mark")?.cloneNode(true);
      if (mark) line.prepend(mark);
    }
  }
  const showAll = () => document.querySelectorAll(".aim-line").forEach(show);
  document.addEventListener("change", ({ target }) => {
    const line = target.form?.querySelector(".aim-line");
    if (line) show(line);
  });
  document.addEventListener("htmx:afterSettle", showAll);
  showAll();
})();
