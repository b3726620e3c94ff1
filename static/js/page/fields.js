// Fields for dice, numbers and points to divide: a convenience only, the server checks everything.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

  // data-window on a hidden field: the size of the window and its zoom, for a report of a fault
  $$("input[data-window]").forEach((field) => { field.value = `${innerWidth} × ${innerHeight} at ${devicePixelRatio}`; });

  // ---- Dice: data-die="10" on each field, data-dice around them, data-dice-submit on their button ----
  // A leading sign and the full-width digits of some keyboards are allowed: the server reads them too.
  const plain = (word) => word.trim().replace(/[０-９]/g, (wide) => String(wide.charCodeAt(0) - 0xFF10)).replace(/^[−–－﹣]/, "-").replace(/^＋/, "+");
  const readNumber = (word) => (/^[+-]?\d+$/.test(plain(word)) ? Number(plain(word)) : NaN);
  const dieFields = (field) => $$("[data-die]", field.closest("[data-dice]") || field.form);

  document.addEventListener("input", (event) => {
    const field = event.target;
    if (!field.matches("[data-die]")) return;
    const sides = Number(field.dataset.die);
    const shown = readNumber(field.value);
    const zero = shown === 0 && [10, 100].includes(sides);  // real dice show 0 for ten and 00 for a hundred
    const face = zero && field.value.length >= String(sides).length - 1 ? sides : shown;
    const wrong = field.value !== "" && !zero && !(Number.isInteger(face) && face >= 1 && face <= sides);
    field.setCustomValidity(wrong ? `A d${sides} shows 1 to ${sides}.` : "");
    field.toggleAttribute("data-wrong", wrong);
    if (wrong) field.reportValidity();
    const complete = !wrong && field.value !== "" && (face * 10 > sides || field.value.length >= String(sides).length);
    if (!complete) return;
    const all = dieFields(field);
    const next = all[all.indexOf(field) + 1] || $("[data-dice-submit]", field.closest("[data-dice]") || field.form);
    if (next) next.focus();
    if (next?.select) next.select();
  });

  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (!field.matches?.("[data-die]")) return;
    const all = dieFields(field);
    const step = { ArrowRight: 1, ArrowLeft: -1, Backspace: field.value === "" ? -1 : 0 }[event.key] || 0;
    const other = all[all.indexOf(field) + step];
    if (step && other) {
      event.preventDefault();
      other.focus();
      other.select();
    } else if (event.key === "Enter") {
      const button = $("[data-dice-submit]", field.closest("[data-dice]") || field.form);
      if (!button) return;
      event.preventDefault();
      button.click();
    }
  });

  // In other number fields, the up and down arrows count
  document.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || !event.target.matches?.("input.number")) return;
    const number = readNumber(event.target.value || "0");
    if (Number.isNaN(number)) return;
    event.preventDefault();
    event.target.value = String(number + step).replace("-", "−");
    for (const kind of ["input", "change"]) event.target.dispatchEvent(new Event(kind, { bubbles: true }));
  });

  // ---- Points to divide: data-points="7" around the fields, data-point-step="1" (or "-1") on its buttons ----
  // data-least and data-most on the fields; data-points-left shows what is left to place.
  function countPoints(box) {
    const fields = $$("[data-most]", box);
    const numbers = fields.map((field) => readNumber(field.value || "0"));
    const left = Number(box.dataset.points) - numbers.reduce((sum, number) => sum + number, 0);
    fields.forEach((field, n) => {
      const fits = numbers[n] >= Number(field.dataset.least) && numbers[n] <= Number(field.dataset.most);
      const range = fits ? "" : `${field.dataset.least} to ${field.dataset.most} here.`;
      field.setCustomValidity(range || (left && n === 0 ? `Divide all ${box.dataset.points} points.` : ""));
      field.toggleAttribute("data-wrong", !fits);
    });
    const words = left > 0 ? `${left} more to place.` : left < 0 ? `${-left} too many.` : `All ${box.dataset.points} placed.`;
    $("[data-points-left]", box).textContent = Number.isNaN(left) ? "Whole numbers only." : words;
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-point-step]");
    const field = button && $("[data-most]", button.parentElement);
    if (!field) return;
    const number = (readNumber(field.value || "0") || 0) + Number(button.dataset.pointStep);
    field.value = String(Math.min(Number(field.dataset.most), Math.max(Number(field.dataset.least), number)));
    countPoints(field.closest("[data-points]"));
  });
  document.addEventListener("input", (event) => {
    const box = event.target.closest("[data-points]");
    if (box) countPoints(box);
  });

  document.addEventListener("toggle", (event) => {
    const opened = event.target.open && event.target.matches("details[data-dice]");
    if (opened && document.activeElement?.parentElement === event.target) $("[data-die]", event.target)?.focus();
  }, true);
})();
