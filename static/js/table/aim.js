// Lets the bar below the map of a phone say and do what a form does.
//
// data-mirrors="id" on the bar names its form. data-aim is the name of the field whose choice stands there, and in its data-mirror
// stand the form's reason, plan and button as they are there, or the way to the dice that are typed in it. data-adds is the length
// of a chosen step, which its button names too. data-says is what a face or a tile of a form is called.
(() => {
  "use strict";
  const formOf = (line) => document.getElementById(line.dataset.mirrors);
  function say(form, name) {
    const tile = form.querySelector(`[data-tile][name="${name}"]:checked`);
    if (tile) return tile.closest("[data-says]").dataset.says;
    const field = form.elements[name];
    return field?.selectedOptions?.[0]?.value
      ? field.selectedOptions[0].textContent.trim()
      : (form.elements[`${name}-free`]?.value ?? "");
  }
  function show(line, isChanged) {
    const form = formOf(line);
    for (const part of form ? line.querySelectorAll("[data-aim]") : [])
      if (isChanged || !part.textContent.trim()) part.textContent = say(form, part.dataset.aim);
  }

  // ---- The bar below the map ----
  const isTyped = (form) => [...form.querySelectorAll("[data-die]")].some((one) => one.value !== "");
  function copyButton(button, form, adds) {
    const copy = button.cloneNode(true);
    for (const name of copy.getAttributeNames())
      if (/^(id|aria-|hx-|data-enter)/.test(name)) copy.removeAttribute(name);
    for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
    copy.querySelector("kbd")?.remove();
    copy.setAttribute("form", form.id);
    if (adds) copy.firstChild.textContent = `${copy.firstChild.textContent.trim()} ${adds} `;
    return copy;
  }
  function makeWayToDice() {
    const label = document.createElement("label");
    label.className = "btn btn-primary";
    label.htmlFor = "tab-turn";
    label.textContent = "To the typed dice";
    return label;
  }
  function mirror(bar) {
    const form = formOf(bar);
    const button = form?.querySelector("#roll-app");
    if (!button) return;
    const reason = form.querySelector("#problem");
    const plan = form.querySelector("#odds-panel > .plan")?.cloneNode(true);
    const parts = [...form.querySelectorAll("#odds-panel > .alert")].map((one) => {
      const line = document.createElement("p");
      line.className = "small map-card-warn";
      line.textContent = one.textContent.trim();
      return line;
    });
    if (plan) parts.splice(reason ? 0 : parts.length, reason ? 1 : 0, plan);
    if (isTyped(form)) parts.push(makeWayToDice());
    else if (button.getAttribute("aria-disabled") !== "true")
      parts.push(copyButton(button, form, bar.dataset.adds));
    bar.querySelector("[data-mirror]").replaceChildren(...parts);
  }

  const bars = () => document.querySelectorAll("[data-mirrors]");
  const mirrorAll = () => bars().forEach(mirror);
  function showAll() {
    bars().forEach((line) => show(line, false));
    mirrorAll();
  }
  document.addEventListener("change", ({ target }) => {
    for (const line of [...bars()].filter((one) => formOf(one) === target.form)) {
      delete line.dataset.adds;
      show(line, true);
    }
  });
  document.addEventListener("input", ({ target }) => {
    if (target.matches?.("[data-die]")) mirrorAll();
  });
  document.addEventListener("htmx:afterSettle", showAll);
  showAll();
})();
