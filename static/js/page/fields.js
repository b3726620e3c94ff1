// Fields for dice, numbers, points to divide and pictures: a convenience only, the server checks everything.
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

  // In other number fields, the up and down arrows count, and the buttons data-count="1" (or "-1") beside them,
  // these within data-low and data-high of the field
  function count(field, step) {
    const number = readNumber(field.value || "0");
    if (Number.isNaN(number)) return false;
    field.value = String(number + step).replace("-", "−");
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
    return true;
  }
  document.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step && event.target.matches?.("input.number") && count(event.target, step)) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-count]");
    const field = button && $("input", button.parentElement);
    if (!field) return;
    const [step, { low, high }] = [Number(button.dataset.count), field.dataset];
    const end = step < 0 ? low : high;
    if (end === undefined || (Number(end) - readNumber(field.value || "0")) * step > 0) count(field, step);
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

  // ---- Pictures: data-shrink="1024" on a field, the longest side that is worth sending; small files stay as they are ----
  const LARGE = 500_000;  // bytes
  async function shrink(field) {
    const [file] = field.files;
    if (!file || file.size < LARGE) return;
    try {
      const picture = await createImageBitmap(file);
      const share = Math.min(1, field.dataset.shrink / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width * share, picture.height * share].map(Math.round);
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      const made = await new Promise((done) => canvas.toBlob(done, "image/webp", .9));
      if (!made || made.size >= file.size || field.files[0] !== file) return;
      const sent = new DataTransfer();
      sent.items.add(new File([made], file.name, { type: made.type }));
      field.files = sent.files;
    } catch { /* no picture, or an old browser: the server says what it cannot read */ }
  }
  const shrinking = new WeakMap();  // by form
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-shrink]")) shrinking.set(target.form, shrink(target).finally(() => shrinking.delete(target.form)));
  });
  document.addEventListener("submit", (event) => {
    const [form, button, wait] = [event.target, event.submitter, shrinking.get(event.target)];
    if (!wait) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    wait.then(() => form.requestSubmit(button));
  }, { capture: true });
})();
