// Opens the wanted page again once the table answers.
//
// Runs on the page that the worker shows meanwhile, and on the one without a database. data-look is the address to try;
// a page that was sent has none.
(() => {
  "use strict";
  const PAUSE = 5000; // milliseconds between two tries
  const place = document.querySelector("[data-look]");

  async function look() {
    try {
      const answer = await fetch(place.dataset.look, { method: "HEAD", cache: "no-store" });
      if (answer.status < 500) location.reload();
    } catch {
      /* not yet */
    }
  }

  if (!place) return;
  window.addEventListener("online", look);
  setInterval(look, PAUSE);
})();
