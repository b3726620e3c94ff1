// Plays a fight step by step: asks for the next step every so often.
//
// data-play is the link that plays and pauses, data-next the link to the next step, data-speeds a group of buttons with
// data-speed, the pace; data-replay holds them all. The space bar plays and pauses. Other keys have data-key (page/keys.js).
(() => {
  "use strict";
  const SECONDS = 2; // for a step at pace 1
  let isPlaying = false;
  let pace = 1;
  let timer = 0;
  const find = (what) => document.querySelector(`[data-replay] [${what}]`);

  function show() {
    const play = find("data-play");
    if (!play) isPlaying = false;
    play?.setAttribute("role", "button");
    play?.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    play?.classList.toggle("is-playing", isPlaying);
    find("data-speeds")?.removeAttribute("hidden");
    for (const one of document.querySelectorAll("[data-replay] [data-speed]")) {
      one.setAttribute("aria-pressed", String(Number(one.dataset.speed) === pace));
    }
    const track = document.querySelector(".track");
    const now = track?.querySelector("[aria-current]");
    if (now)
      track.scrollLeft +=
        now.getBoundingClientRect().x - track.getBoundingClientRect().x - track.clientWidth / 2;
    clearTimeout(timer);
    if (isPlaying) timer = setTimeout(() => find("data-next")?.click(), (1000 * SECONDS) / pace);
  }
  function toggle() {
    isPlaying = !isPlaying;
    show();
  }

  document.addEventListener(
    "click",
    (event) => {
      const speed = event.target.closest("[data-speed]");
      if (speed) {
        pace = Number(speed.dataset.speed);
        show();
      }
      if (!event.target.closest("[data-play]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      toggle();
    },
    true,
  );
  document.addEventListener("keydown", (event) => {
    if (
      event.key !== " " ||
      event.repeat ||
      !find("data-play") ||
      event.target.closest("button, summary, input, select, textarea")
    )
      return;
    event.preventDefault();
    toggle();
  });
  document.addEventListener("htmx:afterSettle", show);
  function stop() {
    isPlaying = false;
    show();
  }
  document.addEventListener("htmx:sendError", stop);
  document.addEventListener("htmx:responseError", stop);
  document.addEventListener("htmx:timeout", stop);
  show();
})();
