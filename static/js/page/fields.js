// Fields for dice, numbers, points to divide and pictures: a convenience only, the server checks everything.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

  // data-window on a hidden field: the size of the window and its zoom, for a report of a fault
  $$("input[data-window]").forEach((field) => {
    field.value = `${innerWidth} × ${innerHeight} at ${devicePixelRatio}`;
  });

  // data-focus on a field: typing begins there, and the page stays at its top, which autofocus may scroll away
  $("[data-focus]")?.focus({ preventScroll: true });

  // data-sifts="id" on a search field: of the lines [data-sift] in it, those with all words stay, with their sections
  $$("input[data-sifts]").forEach((field) => {
    const list = document.getElementById(field.dataset.sifts);
    field.hidden = false;
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      const lines = $$("[data-sift]", list);
      lines.forEach((line) => {
        line.hidden = !words.every((word) => line.textContent.toLowerCase().includes(word));
      });
      $$("section", list).forEach((part) => {
        part.hidden = !$("[data-sift]:not([hidden])", part);
        const fold = $("details", part);
        if (fold && field.value.trim()) fold.open = true;
      });
      $("[data-sift-none]", list).hidden = lines.some((line) => !line.hidden);
    });
  });

  // details[data-wide-open]: sent open; folded on a phone, unless something in it is asked or refused
  const foldNarrow = (part) => {
    if (!matchMedia("(max-width: 47.99rem)").matches) return;
    $$("details[data-wide-open]", part).forEach((fold) => {
      fold.open = !!$(".errors, [aria-invalid=true], .rule-odds, :target", fold);
      fold.removeAttribute("data-wide-open");
    });
  };
  foldNarrow(document);
  document.addEventListener("htmx:load", (event) => foldNarrow(event.target));

  // data-changes="Save # change|Save # changes" on a button: its words while that many of the fields of its form
  // differ from what is saved, their fields "was-"
  const tellChanges = (button) => {
    const fields = new FormData(button.form);
    const changed = [...fields].filter(
      ([name, was]) => name.startsWith("was-") && (fields.get(name.slice(4)) ?? was) !== was,
    );
    button.dataset.usual ||= button.textContent;
    const [one, more] = button.dataset.changes.split("|");
    const words = changed.length ? (changed.length === 1 ? one : more) : button.dataset.usual;
    button.textContent = words.replace("#", changed.length);
  };
  $$("[data-changes]").forEach((button) => {
    button.form.addEventListener("change", () => tellChanges(button));
    tellChanges(button);
  });

  // data-tally="Write 1 change|Write # changes": the words of a number of selected boxes, those in the nearest
  // [data-tallied]; without a bar the words serve every number
  const tally = (form) => {
    $$("[data-tally]", form).forEach((words) => {
      const chosen = $$(":checked", words.closest("[data-tallied]")).length;
      const [one, more] = words.dataset.tally.split("|");
      words.textContent = (chosen === 1 || !more ? one : more).replace("#", chosen);
    });
  };
  $$("form[data-tallied]").forEach(tally);
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-tallied]");
    if (form) tally(form);
  });

  // data-letters="id": how many of the characters that fit into that field are typed, and near the end how many are left
  const NEAR = 20;
  const tellLetters = (words) => {
    const field = document.getElementById(words.dataset.letters);
    const left = field.maxLength - field.value.length;
    words.textContent = left <= NEAR ? `${left} left` : `${field.value.length} of ${field.maxLength}`;
    words.toggleAttribute("data-near", left <= NEAR);
  };
  const tellAllLetters = () => $$("[data-letters]").forEach(tellLetters);
  tellAllLetters();
  document.addEventListener("htmx:afterSettle", tellAllLetters); // what was typed before is back in its field
  document.addEventListener("input", ({ target }) => {
    $$("[data-letters]")
      .filter((words) => words.dataset.letters === target.id)
      .forEach(tellLetters);
  });

  // details[data-begins]: opened, it begins at the top of the page, and its first field has the focus
  document.addEventListener("click", ({ target }) => {
    const fold = target.closest?.("details[data-begins] > summary")?.parentElement;
    if (!fold || fold.open) return;
    requestAnimationFrame(() => {
      $("textarea, input:not([type=hidden])", fold)?.focus({ preventScroll: true });
      fold.scrollIntoView({ block: "start" });
    });
  });

  // data-concerns-in="id" around choices: marks the label of the one that data-concerns in that part names
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    const found = $("[data-concerns]", target)?.dataset.concerns;
    $$("[data-concerns-in]")
      .filter((choices) => choices.dataset.concernsIn === target.id)
      .flatMap((choices) => $$("input", choices))
      .forEach((choice) =>
        choice.parentElement.toggleAttribute("data-is-found", Boolean(found) && choice.value === found),
      );
  });

  // ---- Dice: data-die="10" on each field, data-dice around them, data-dice-submit on their button ----
  // A leading sign and the full-width digits of some keyboards are allowed: the server reads them too.
  const plain = (word) =>
    word
      .trim()
      .replace(/[０-９]/g, (wide) => String(wide.charCodeAt(0) - 0xff10))
      .replace(/^[−–－﹣]/, "-")
      .replace(/^＋/, "+");
  const readNumber = (word) => (/^[+-]?\d+$/.test(plain(word)) ? Number(plain(word)) : NaN);
  const dieFields = (field) => $$("[data-die]", field.closest("[data-dice]") || field.form);

  document.addEventListener("input", (event) => {
    const field = event.target;
    if (!field.matches("[data-die]")) return;
    const sides = Number(field.dataset.die);
    const shown = readNumber(field.value);
    const zero = shown === 0 && [10, 100].includes(sides); // real dice show 0 for ten and 00 for a hundred
    const face = zero && field.value.length >= String(sides).length - 1 ? sides : shown;
    const wrong = field.value !== "" && !zero && !(Number.isInteger(face) && face >= 1 && face <= sides);
    field.setCustomValidity(wrong ? `A d${sides} shows 1 to ${sides}.` : "");
    field.toggleAttribute("data-wrong", wrong);
    if (wrong) field.reportValidity();
    const complete =
      !wrong && field.value !== "" && (face * 10 > sides || field.value.length >= String(sides).length);
    if (!complete) return;
    const all = dieFields(field);
    const next =
      all[all.indexOf(field) + 1] || $("[data-dice-submit]", field.closest("[data-dice]") || field.form);
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
    const words =
      left > 0
        ? `${left} more to place.`
        : left < 0
          ? `${-left} too many.`
          : `All ${box.dataset.points} placed.`;
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

  document.addEventListener(
    "toggle",
    (event) => {
      const opened = event.target.open && event.target.matches("details[data-dice]");
      if (opened && document.activeElement?.parentElement === event.target)
        $("[data-die]", event.target)?.focus();
    },
    true,
  );

  // ---- Pictures: data-shrink="1024" on a field, the longest side that is worth sending; small files stay as they are ----
  const LARGE = 500_000; // bytes
  async function shrink(field) {
    const [file] = field.files;
    if (!file || file.size < LARGE) return;
    try {
      const picture = await createImageBitmap(file);
      const share = Math.min(1, field.dataset.shrink / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width * share, picture.height * share].map(Math.round);
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      const made = await new Promise((done) => canvas.toBlob(done, "image/webp", 0.9));
      if (!made || made.size >= file.size || field.files[0] !== file) return;
      const sent = new DataTransfer();
      sent.items.add(new File([made], file.name, { type: made.type }));
      field.files = sent.files;
    } catch {
      /* no picture, or an old browser: the server says what it cannot read */
    }
  }
  const shrinking = new WeakMap(); // by form
  // ---- Counts of a group of house rules follow its choices: data-counted="those changed elsewhere" ----
  document.addEventListener("change", ({ target }) => {
    const part = target.closest?.("[data-counted]");
    const usual = part?.querySelector("[data-usual]");
    if (!usual) return;
    const all = part.querySelectorAll(".rule-line").length;
    const as = part.querySelectorAll(".is-book :checked").length;
    const changed = part.querySelector("[data-changed]");
    const others = all - as + Number(part.dataset.counted);
    usual.textContent = as;
    changed.hidden = !others;
    changed.querySelector("b").textContent = others;
  });

  // ---- Files beside choices: data-clears="name" on a file field: a file takes the place of what is chosen, and back ----
  document.addEventListener("change", ({ target }) => {
    const field = target.form?.querySelector("[data-clears]");
    if (!field) return;
    const choices = [...target.form.elements].filter((one) => one.name === field.dataset.clears);
    if (target === field && field.files.length) for (const one of choices) one.checked = false;
    else if (choices.includes(target)) field.value = "";
  });

  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-shrink]"))
      shrinking.set(
        target.form,
        shrink(target).finally(() => shrinking.delete(target.form)),
      );
  });
  document.addEventListener(
    "submit",
    (event) => {
      const [form, button, wait] = [event.target, event.submitter, shrinking.get(event.target)];
      if (!wait) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      wait.then(() => {
        if (button) button.click();
        else form.requestSubmit();
      }); // htmx sends the button of a click
    },
    { capture: true },
  );
})();
