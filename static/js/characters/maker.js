// Keeps what a person types and presses while making a character, as the server works out the numbers.
//
// The page's address holds the whole character, so going back restores a half-made one, after a posted form too.
(() => {
  "use strict";
  const TARGET = "build";
  const form = document.getElementById("maker");

  function keep() {
    const all = new URLSearchParams(new FormData(form));
    all.delete("csrfmiddlewaretoken");
    all.delete("picture");
    history.replaceState(history.state, "", `?${all}`);
  }

  if ("posted" in form.dataset) keep();
  form.addEventListener("change", keep);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === TARGET) keep();
  });

  // ---- data-made-name has the name as it is typed, or these words without one ----
  function tellName(field) {
    if (field.name !== "name") return;
    for (const place of form.querySelectorAll("[data-made-name]"))
      place.textContent = field.value.trim() || place.dataset.madeName;
  }

  form.addEventListener("input", ({ target }) => tellName(target));

  // Hidden fields hold what the server decided, and several of them may have one name.
  const fields = (root) => [
    ...root.querySelectorAll("input[name]:not([type=hidden]), select[name], textarea[name]"),
  ];
  const read = (field) => (["checkbox", "radio"].includes(field.type) ? field.checked : field.value);
  const key = (field) => `${field.name} ${["checkbox", "radio"].includes(field.type) ? field.value : ""}`;
  let sent = new Map(); // the values that the server works with
  let typed = []; // [key, value, caret] of those changed since

  function write(field, value) {
    if (typeof value === "boolean") field.checked = value;
    else field.value = value;
  }

  // ---- Buttons pressed while an answer is under way: each applies to the result of that answer ----
  let flight = null; // the request under way
  let pressed = []; // buttons by name and value, and the item chosen at that time
  const isStep = (button) => button.hasAttribute("hx-get") && button.name !== "remove"; // its number may be wrong by then

  function pressNext() {
    if (flight || !pressed.length) return;
    const { name, value, wanted } = pressed.shift();
    const list = document.getElementById("wanted");
    if (list && wanted) list.value = wanted;
    const button = [...form.querySelectorAll("button[hx-get]")].find(
      (one) => one.name === name && one.value === value,
    );
    if (button && !button.disabled) button.click();
    else pressNext();
  }

  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest?.(`#${TARGET} button`);
      if (!flight || !button?.hasAttribute("hx-get")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (isStep(button))
        pressed.push({
          name: button.name,
          value: button.value,
          wanted: document.getElementById("wanted")?.value,
        });
    },
    true,
  );
  document.addEventListener("htmx:beforeSend", ({ detail }) => {
    if (detail.target.id === TARGET) flight = detail.xhr;
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.xhr !== flight || detail.successful) return;
    flight = null;
    pressed = [];
  });

  document.addEventListener("htmx:beforeSend", (event) => {
    if (event.detail.target.id === TARGET)
      sent = new Map(fields(event.detail.target).map((field) => [key(field), read(field)]));
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== TARGET) return;
    const changed = fields(event.detail.target).filter(
      (field) => sent.has(key(field)) && sent.get(key(field)) !== read(field),
    );
    typed = changed.map((field) => [
      key(field),
      read(field),
      field.type === "text" ? field.selectionStart : null,
    ]);
  });
  // ---- What is pressed stays under the finger, and what is searched for stays found ----
  let held = null; // the pressed button's id and its place in the window
  let searched = []; // [id, words] of each search
  const filters = () => [...form.querySelectorAll("[data-filter]")];

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== TARGET) return;
    const button = document.activeElement?.closest?.("[data-hold]");
    held = button?.id ? { id: button.id, top: button.getBoundingClientRect().top } : null;
    searched = filters()
      .filter((field) => field.value)
      .map((field) => [field.id, field.value]);
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== TARGET) return;
    for (const [id, words] of searched) {
      const field = document.getElementById(id);
      if (!field) continue;
      field.value = words;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const button = held && document.getElementById(held.id);
    if (button) scrollBy(0, button.getBoundingClientRect().top - held.top);
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== TARGET) return;
    flight = null;
    if (typed.length) retype(event);
    pressNext();
  });

  function retype(event) {
    const there = new Map(fields(event.target).map((field) => [key(field), field]));
    const again = typed.filter(([name]) => there.has(name));
    typed = [];
    for (const [name, value, caret] of again) {
      write(there.get(name), value);
      tellName(there.get(name)); // the answer was made with an older one
      if (caret !== null) there.get(name).setSelectionRange(caret, caret);
    }
    const feeding = again.map(([name]) => there.get(name)).find((field) => field.closest(".feeds"));
    feeding?.dispatchEvent(new Event("change", { bubbles: true }));
  }
})();
