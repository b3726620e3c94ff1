// The timer of a turn: counts down by the server's clock, and announces the end once.
//
// data-timer="seconds" and data-began="milliseconds" are on an element, data-timer-text within. The clock is read once (meta
// server-time). At the end there is a soft sound if sounds are on; nothing else happens. Without this file the length of a
// turn is shown.
(() => {
  "use strict";
  const told = document.querySelector("meta[name=server-time]");
  if (!told?.content) return;
  const ahead = Date.now() - 1000 * Number(told.content); // the lead over the server's clock, delivery time included
  const find = () => document.querySelector("[data-timer]");
  const say = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  let was = { began: "", left: 0 };

  function tick() {
    const timer = find();
    if (!timer) {
      was = { began: "", left: 0 };
      return;
    }
    const { began } = timer.dataset;
    const passed = Math.max(0, Date.now() - ahead - Number(began)); // a clock may have been set back
    const left = Math.ceil(Number(timer.dataset.timer) - passed / 1000);
    const text = left > 0 ? `${say(left)} left` : `time is up, ${say(-left)} over`;
    const place = timer.querySelector("[data-timer-text]");
    if (place.textContent !== text) place.textContent = text;
    timer.classList.toggle("is-up", left <= 0);
    timer.classList.toggle("is-short", left > 0 && left <= 10);
    if (left <= 0 && was.began === began && was.left > 0) {
      document.dispatchEvent(new CustomEvent("table:sound", { detail: { height: 330, length: 0.6 } }));
      const live = document.getElementById("live");
      if (live) live.textContent = "Time is up for this turn.";
    }
    was = { began, left };
  }

  setInterval(tick, 1000);
  document.addEventListener("htmx:afterSwap", tick);
  tick();
})();
