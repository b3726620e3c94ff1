// Says in one line of a form whom it aims at and with what. On a phone a tap on that line opens the fields.
//
// data-aim is the name of the field whose choice stands there; the target's token comes first. data-mirrors="id" on the bar
// below the map of a phone names its form: what it says is what the form says, and in its data-mirror stand the form's reason,
// plan and button as they are there, or the way to the dice that are typed in it. data-adds is the length of a chosen step,
// which its button names too.
(() => {
  "use strict";
  const formOf = (line) => document.getElementById(line.dataset.mirrors) || line.closest("form");
  const say = (field) =>
    field?.selectedOptions?.[0]?.value
      ? field.selectedOptions[0].textContent.trim()
      : (field?.form.elements[`${field.name}-free`]?.value ?? "");
  function show(line, isChanged) {
    for (const part of line.querySelectorAll("[data-aim]")) {
      const field = formOf(line)?.elements[part.dataset.aim];
      if (isChanged || !part.textContent.trim() || !line.dataset.mirrors) part.textContent = say(field);
      if (part.dataset.aim !== "target" || line.dataset.mirrors) continue;
      line.querySelector(".mark")?.remove();
      const mark = document.getElementById(`row-${field?.value}`)?.querySelector(".mark")?.cloneNode(true);
      if (mark) line.prepend(mark);
    }
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
    document.querySelectorAll(".aim-line, [data-mirrors]").forEach((line) => show(line, false));
    mirrorAll();
  }
  document.addEventListener("change", ({ target }) => {
    const lines = [target.form?.querySelector(".aim-line"), ...bars()];
    for (const line of lines.filter((one) => one && formOf(one) === target.form)) {
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
