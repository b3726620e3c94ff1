// Keeps the screen on while a fight runs, on the pages of seats and on the projector.
//
// data-awake on #table: the fight runs. Browsers allow this only on https and on localhost.
(() => {
  "use strict";
  const locks = window.isSecureContext && navigator.wakeLock;
  let lock = null; // a promise of the lock that is held

  const wants = () => document.getElementById("table")?.dataset.awake === "yes";

  function take() {
    const taken = locks.request("screen").catch(() => null); // refused, such as with an empty battery
    const forget = () => {
      if (lock === taken) lock = null;
    };
    taken.then((got) => (got ? got.addEventListener("release", forget) : forget())); // hidden pages lose it
    lock = taken;
  }

  async function giveBack() {
    const taken = await lock;
    lock = null;
    await taken?.release();
  }

  function settle() {
    if (wants() && !lock && !document.hidden) take();
    else if (!wants() && lock) giveBack();
  }

  if (!locks) return;
  document.addEventListener("htmx:afterSwap", settle);
  document.addEventListener("visibilitychange", settle);
  settle();
})();
