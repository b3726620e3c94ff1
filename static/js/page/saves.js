// Saves a text while it is written. The form around [data-saves] posts it after a pause; what came of it stands in [data-said].
//
// A text that came back after a reload is saved by its button alone: what it was written over may be another by now.
(() => {
  "use strict";
  // The part that says how the text stands; not a page of an error, nor the one to sign in
  const isPart = ({ responseText, status }) =>
    [200, 409, 422].includes(status) && !/^\s*<!doctype/i.test(responseText);
  const FAILED = "Not saved. Your text stays here: the next letter tries again, and so does Save.";
  const BACK = "This is what you typed before. Save keeps it.";
  const boxOf = (form) => form?.querySelector("[data-saves]");
  const textOf = (box) => box.closest("form").querySelector("textarea");
  const say = (box, words) => {
    box.querySelector("[data-said]").textContent = words;
  };

  document.addEventListener("input", ({ target }) => {
    const box = boxOf(target.form);
    if (box && !("back" in target.form.dataset)) say(box, "");
  });
  // A change that nobody has made: page/swaps.js has filled the field
  document.addEventListener("change", ({ isTrusted, target }) => {
    const box = !isTrusted && target.matches("textarea") && boxOf(target.form);
    if (!box || target.value === target.defaultValue) return;
    target.form.dataset.back = "";
    say(box, BACK);
  });
  document.addEventListener("htmx:confirm", (event) => {
    const { elt } = event.detail;
    if (!elt.matches("[data-saves]")) return;
    const text = textOf(elt);
    if (text.value === text.defaultValue || "back" in text.form.dataset) event.preventDefault();
  });

  // Who leaves before the pause is over loses nothing
  window.addEventListener("pagehide", () => {
    for (const box of document.querySelectorAll("[data-saves]")) {
      const text = textOf(box);
      if (text.value === text.defaultValue || "back" in text.form.dataset) continue;
      const body = new FormData(text.form);
      body.set("typing", "1");
      fetch(box.getAttribute("hx-post"), { method: "POST", body, keepalive: true }).catch(() => {});
    }
  });

  const keep = (text, sent) => {
    text.defaultValue = sent.get(text.name);
  };
  const isOurs = ({ requestConfig }) => requestConfig.elt.matches("[data-saves]");
  document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
    // What was sent is what is saved: what is typed since is new
    if (isOurs(detail) && isPart(detail.xhr) && detail.xhr.status === 200)
      keep(textOf(detail.requestConfig.elt), detail.requestConfig.parameters);
  });
  const fail = ({ detail }) => {
    if (isOurs(detail)) say(detail.requestConfig.elt, FAILED);
  };
  document.addEventListener("htmx:sendError", fail);
  document.addEventListener("htmx:timeout", fail);
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!isOurs(event.detail) || isPart(event.detail.xhr)) return;
    event.detail.shouldSwap = false;
    fail(event);
  });
})();
