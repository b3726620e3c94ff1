// A button that would only be refused as its form stands cannot be pressed, and says what it lacks.
//
// data-needs="reason": until the required fields of its form are filled. data-needs-picked="name": and one of its boxes of
// that name is ticked. data-needs-change: and something of it is other than it came. data-fills: it is the filled one
// once it can be pressed. Without scripts it stays plain, and the browser or the answer says what it lacks.
(() => {
  "use strict";
  const isOther = (e) => {
    if (e.type === "checkbox" || e.type === "radio") return e.checked !== e.defaultChecked;
    if (e.tagName !== "SELECT") return "defaultValue" in e && e.value !== e.defaultValue;
    const first = [...e.options].findIndex((one) => one.defaultSelected);
    return e.selectedIndex !== Math.max(first, 0);
  };
  const isFilled = (e) => !e.willValidate || (e.validity.valid && !(e.required && !e.value.trim()));

  function lacks({ form, dataset: { needsPicked, needsChange } }) {
    const all = [...form.elements];
    const others = all.filter(
      (e) => e.name && e.name !== needsPicked && e.type !== "hidden" && e.type !== "submit",
    );
    return (
      !all.every(isFilled) ||
      (needsPicked !== undefined && !all.some((e) => e.name === needsPicked && e.checked)) ||
      (needsChange !== undefined && !others.some(isOther))
    );
  }

  // What the server has shut stays shut
  function look() {
    for (const button of document.querySelectorAll("button[data-needs]")) {
      const isOurs = "lacking" in button.dataset;
      if (!button.form || (button.disabled && !isOurs)) continue;
      const isLacking = lacks(button);
      if ("fills" in button.dataset) button.classList.toggle("btn-primary", !isLacking);
      if (isLacking === isOurs) continue;
      button.disabled = isLacking;
      button.title = isLacking ? button.dataset.needs : "";
      if (isLacking) button.dataset.lacking = "";
      else delete button.dataset.lacking;
    }
  }
  const SOON = 100; // milliseconds: what is typed before a reload is back by then
  const lookSoon = () => setTimeout(look, SOON);
  for (const kind of ["input", "change", "htmx:afterSettle"]) document.addEventListener(kind, look);
  document.addEventListener("reset", lookSoon);
  window.addEventListener("pageshow", lookSoon);
  look();
})();
