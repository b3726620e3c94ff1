// Shows at once that a press was heard: a word on the button, and a bar while a file is sent or long work goes on.
//
// data-busy-word: the word of a button that rolls; a die turns beside it. Other buttons say “…”.
// data-download on a form whose answer is a file: nothing waits for that.
// data-busy-bar: what a form does that takes long. Forms that send a file have a bar too.
// data-dismiss: the button that closes the message around it. Messages also go after their time, and what was refused
// when its reader does the next thing.
(() => {
  "use strict";
  const held = new Map(); // by what waits for an answer: how to make all as it was

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
    const words = form.dataset.busyBar || (sends && "Sending the file…");
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
      else bar.removeAttribute("value"); // all is sent; how long the table takes is not known
    });
    return () => box.remove();
  }

  function press(waits, submitter) {
    release(waits);
    const pressed = submitter || waits;
    const isHidden = pressed.matches("form, .vh"); // Enter in a field
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
    if (!event.defaultPrevented && method === "post" && !("download" in dataset))
      press(event.target, event.submitter);
  });
  // The end of the request itself releases it: htmx tells of it at what an answer may have replaced
  document.addEventListener(
    "htmx:beforeRequest",
    ({
      detail: {
        elt,
        requestConfig: { verb, triggeringEvent },
        xhr,
      },
    }) => {
      if (verb === "get" || !triggeringEvent) return; // not what begins by itself
      press(elt, triggeringEvent.submitter);
      xhr.addEventListener("loadend", () => release(elt));
    },
  );
  window.addEventListener("pageshow", () => [...held.keys()].forEach(release));

  // Hidden, not removed: table/regions.js sees by it that the table's message is no longer new
  function close(message) {
    const hadFocus = message.contains(document.activeElement);
    message.hidden = true;
    if (hadFocus)
      [...document.querySelectorAll("[data-focus-home], main")]
        .findLast((one) => one.checkVisibility())
        ?.focus({ preventScroll: true });
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-dismiss]");
    if (button) close(button.parentElement);
    else if (!event.target.closest?.(MESSAGES)) closeRefusals(event);
  });

  // ---- A message stays as long as two slow readings of it, and longer under a pointer or the focus ----
  const MESSAGES = "#messages > .alert:not(.busy-bar), #notice";
  const REFUSAL = ".alert-warning, .alert-error";
  const stays = (message) => message.matches(REFUSAL) && !message.closest(".table-page"); // what an import left out
  const [LEAST, LETTER, SOON] = [6000, 120, 1000]; // milliseconds: for each, for each of its letters, and to be seen at all
  const since = new WeakMap();
  function watch() {
    for (const message of document.querySelectorAll(MESSAGES)) {
      if (message.hidden || since.has(message) || stays(message)) continue;
      since.set(message, Date.now());
      const look = () => {
        if (!message.isConnected || message.hidden) return;
        if (message.matches(":hover, :focus-within")) setTimeout(look, SOON);
        else close(message);
      };
      setTimeout(look, LEAST + LETTER * message.textContent.trim().length);
    }
  }
  function closeRefusals({ isTrusted }) {
    for (const message of document.querySelectorAll(MESSAGES)) {
      if (
        isTrusted &&
        since.has(message) &&
        message.matches(REFUSAL) &&
        Date.now() - since.get(message) > SOON
      )
        close(message);
    }
  }
  document.addEventListener("input", closeRefusals);
  document.addEventListener("htmx:afterSettle", watch);
  watch();
})();
