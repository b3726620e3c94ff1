// A projector's navigation: it comes when the pointer moves to the upper edge, and goes a few seconds after the last move.
//
// A pointer that only rests there does not call it: the person who opened the page left it there. Keyboard focus calls it
// too, by the stylesheet. On small screens the class changes nothing.
(() => {
  "use strict";
  const EDGE = 12,
    REST = 4000; // pixels below the upper edge, or below the bar while it is shown; milliseconds
  const bar = document.querySelector(".site");
  let timer = 0;
  let last = "";

  function show(called) {
    clearTimeout(timer);
    bar.classList.toggle("is-called", called);
    if (called) timer = setTimeout(() => show(false), REST);
  }

  document.addEventListener("pointermove", (event) => {
    const place = `${event.clientX} ${event.clientY}`;
    if (last && place !== last) show(event.clientY <= Math.max(0, bar.getBoundingClientRect().bottom) + EDGE);
    last = place;
  });
  document.documentElement.addEventListener("pointerleave", () => show(false));
})();
