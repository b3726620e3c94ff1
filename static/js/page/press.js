// Shows at once that a press was heard: a word on the button, and a bar while a file is sent or long work goes on.
//
// data-busy-word: the word of a button that rolls; a die turns beside it. Other buttons say “…”.
// data-download on a form whose answer is a file: nothing waits for that.
// data-busy-bar: what a form does that takes long. Forms that send a file have a bar too.
// data-dismiss: the button that closes the message around it.
(() => {
  "use strict";
  const held = new Map();  // by what waits for an answer: how to make all as it was

  function make(tag, kind, text = "") {
    const element = document.createElement(tag);
    element.className = kind;
    element.textContent = text;
    return element;
  }

  function mark(button) {
    const cover = make("span", "busy-word");
    cover.setAttribute("aria-hidden", "true");
    if (button.dataset.busyWord) cover.append(make("i", "busy-die"));
    cover.append(make("span", "", button.dataset.busyWord || "…"));
    button.prepend(cover);
    button.classList.add("is-pressed");
    return () => {
      cover.remove();
      button.classList.remove("is-pressed");
    };
  }

  function showBar(form) {
    const sends = [...form.querySelectorAll("[type=file]")].some((field) => field.files.length);
    const words = form.dataset.busyBar || sends && "Sending the file…";
    const messages = document.getElementById("messages");
    if (!words || !messages) return () => {};
    const box = make("div", "alert busy-bar");
    const bar = make("progress", "");
    bar.setAttribute("aria-label", words);
    box.append(make("p", "", words), bar);
    messages.append(box);
    form.addEventListener("htmx:xhr:progress", ({ detail }) => {
      if (!detail.lengthComputable) return;
      if (detail.loaded < detail.total) bar.value = detail.loaded / detail.total;
      else bar.removeAttribute("value");  // all is sent; how long the table takes is not known
    });
    return () => box.remove();
  }

  function press(waits, submitter) {
    release(waits);
    const pressed = submitter || waits;
    const isHidden = pressed.matches("form, .vh");  // Enter in a field
    const button = isHidden ? waits.querySelector("[data-busy-word]") : pressed.closest(".btn, .action");
    const steps = [button ? mark(button) : () => {}, showBar(waits)];
    held.set(waits, () => steps.forEach((step) => step()));
  }

  function release(waits) {
    held.get(waits)?.();
    held.delete(waits);
  }

  document.addEventListener("submit", (event) => {
    const { method, dataset } = event.target;
    if (!event.defaultPrevented && method === "post" && !("download" in dataset)) press(event.target, event.submitter);
  });
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    const { verb, triggeringEvent } = detail.requestConfig;
    if (verb !== "get" && triggeringEvent) press(detail.elt, triggeringEvent.submitter);  // not what begins by itself
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => release(detail.elt));
  window.addEventListener("pageshow", () => [...held.keys()].forEach(release));

  // Hidden, not removed: table/regions.js sees by it that the table's message is no longer new
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-dismiss]");
    if (!button) return;
    button.parentElement.hidden = true;
    [...document.querySelectorAll("[data-focus-home], main")].findLast((one) => one.checkVisibility())?.focus({ preventScroll: true });
  });
})();
