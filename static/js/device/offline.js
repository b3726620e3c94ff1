// Opens the wanted page again once the table answers. Runs on the page that the worker shows meanwhile.
//
// data-look on <body>: the address to try.
(() => {
  "use strict";
  const PAUSE = 5000;  // milliseconds between two tries

  async function look() {
    try {
      const answer = await fetch(document.body.dataset.look, { method: "HEAD", cache: "no-store" });
      if (answer.ok) location.reload();
    } catch { /* not yet */ }
  }

  window.addEventListener("online", look);
  setInterval(look, PAUSE);
})();
