// Moments on a projector: what just happened, large, for a few seconds.
//
// data-moments="keys" goes around them, with the keys of all that this page knows of. On each: data-moment="key",
// data-weight and data-said, its words for screen readers. Of several new ones the weightiest is shown. None is shown on
// a small screen, under reduced motion or while a window is open, and none that happened before the page was opened.
// Without this file they stay hidden.
(() => {
  "use strict";
  const LAST = 3750,
    LATE = 300; // milliseconds: how long one is shown, with time to spare below 4 s; after the words for the step itself
  const WIDE = window.matchMedia("(min-width: 64rem)");
  const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
  const box = () => document.querySelector("[data-moments]");
  const keys = () => (box()?.dataset.moments || "").split(" ").filter(Boolean);
  const shown = () => [...(box()?.querySelectorAll("[data-moment]") || [])];
  const seen = new Set(keys());
  let now = "";
  let timer = 0;

  function end() {
    clearTimeout(timer);
    now = "";
    for (const moment of shown()) moment.hidden = true;
  }

  function say(words) {
    const live = document.getElementById("live");
    if (live && !live.textContent.includes(words)) live.textContent = `${live.textContent} ${words}`.trim();
  }

  function begin(moment) {
    end();
    now = moment.dataset.moment;
    moment.hidden = false;
    moment.classList.add("is-fresh");
    timer = setTimeout(end, LAST);
    setTimeout(() => say(moment.dataset.said), LATE);
  }

  function look() {
    const fresh = keys().filter((key) => !seen.has(key));
    for (const key of fresh) seen.add(key);
    const still = shown().find((moment) => moment.dataset.moment === now);
    if (still) still.hidden = false; // swapped while it was shown
    else if (now) end();
    if (!WIDE.matches || STILL.matches || document.querySelector("dialog[open]")) return;
    const found = shown().filter((moment) => fresh.includes(moment.dataset.moment));
    found.sort((one, other) => other.dataset.weight - one.dataset.weight);
    if (found.length) begin(found[0]);
  }

  document.addEventListener("htmx:afterSettle", look);
  for (const kind of ["keydown", "pointerdown"])
    document.addEventListener(kind, () => {
      if (now) end();
    });
})();
