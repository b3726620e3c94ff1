// Watches the beat of the live stream, and opens it again when it falls silent.
//
// The stream beats every second; the page says within three seconds that it is silent.
(() => {
  "use strict";
  const SILENT = 2700;  // milliseconds without a beat
  const AGAIN = 6000;  // milliseconds between two tries
  let last = 0;  // when it was heard last; 0 before it was open
  let tried = 0;  // when it was opened anew; 0 while it beats
  const tell = (kind) => document.dispatchEvent(new Event(kind));

  function hear() {
    last = Date.now();
    if (tried) tell("htmx:sseOpen");  // which takes the banner away
    tried = 0;
  }

  document.addEventListener("htmx:sseOpen", (event) => {
    if (!event.detail?.source) return;
    event.detail.source.addEventListener("beat", hear);
    hear();
  });
  document.addEventListener("htmx:sseClose", () => { last = 0; });
  // Hidden pages have slow clocks, and a device that slept has heard nothing: both begin to listen anew.
  document.addEventListener("visibilitychange", () => { if (last) last = Date.now(); });

  setInterval(() => {
    const now = Date.now();
    if (!last || document.hidden || !navigator.onLine || now - last < SILENT || now - tried < AGAIN) return;
    if (!tried) tell("htmx:sseError");  // which shows the banner
    else tell("stream:silent");
    tried = now;
  }, 300);
})();
