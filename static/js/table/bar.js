// A long press on a usual action opens the row of its owner (#my-bar), at this action.
//
// data-bar: the name of an action in that row.
(() => {
  "use strict";
  const HOLD = 500; // milliseconds
  const STILL = 10; // pixels that a finger may move
  let timer = 0;
  let start = null;
  let held = null; // the action that was pressed long: the click that follows opens nothing

  function open(tile) {
    const bar = document.getElementById("my-bar");
    if (!bar) return;
    held = tile;
    bar.open = true;
    const name = CSS.escape(tile.id.replace("act-", ""));
    (bar.querySelector(`[data-bar="${name}"] button`) || bar.querySelector("button")).focus();
  }

  document.addEventListener("pointerdown", (event) => {
    clearTimeout(timer);
    held = null;
    const tile = event.target.closest(".usual .action");
    if (!tile || !event.isPrimary || event.button) return;
    start = event;
    timer = setTimeout(open, HOLD, tile);
  });
  document.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > STILL)
      clearTimeout(timer);
  });
  for (const kind of ["pointerup", "pointercancel"])
    document.addEventListener(kind, () => clearTimeout(timer));
  document.addEventListener("contextmenu", (event) => {
    if (held?.contains(event.target)) event.preventDefault();
  });
  document.addEventListener(
    "click",
    (event) => {
      if (!held?.contains(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      held = null;
    },
    true,
  );
})();
