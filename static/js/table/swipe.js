// Tabs on a phone: a swipe to the side goes to the next tab, and a button goes to the one it names.
//
// data-tab="name" on the radio buttons of the tabs, data-panel="name" on what they show. data-show-tab="name" on a button.
// A finger that moves the map, a field, or something that scrolls to the side swipes nothing. Without this file the tabs
// are tapped.
(() => {
  "use strict";
  const NARROW = window.matchMedia("(max-width: 63.99rem)");
  const FAR = 60,
    STEEP = 2,
    SOON = 600; // pixels, times as far to the side as up or down, milliseconds
  const OWN = ".map-frame, input, select, textarea, dialog, [popover], .menu-items";
  const tabs = () => [...document.querySelectorAll("[data-tab]")];
  let start = null;

  const scrolls = (element) =>
    element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX);

  function isTaken(target) {
    for (let one = target; one && one.id !== "table"; one = one.parentElement)
      if (one.matches(OWN) || scrolls(one)) return true;
    return !target.closest("#table");
  }

  function show(tab) {
    if (!tab || tab.checked) return;
    tab.checked = true;
    tab.dispatchEvent(new Event("change", { bubbles: true }));
    const name = tab.labels[0]?.textContent.trim();
    document.getElementById("live")?.replaceChildren(name || "");
  }

  document.addEventListener(
    "touchstart",
    (event) => {
      const [finger] = event.touches;
      const isOne = event.touches.length === 1 && NARROW.matches && !isTaken(event.target);
      start = isOne ? { x: finger.clientX, y: finger.clientY, at: event.timeStamp } : null;
    },
    { passive: true },
  );
  document.addEventListener(
    "touchend",
    (event) => {
      if (!start) return;
      const [finger] = event.changedTouches;
      const [x, y] = [finger.clientX - start.x, finger.clientY - start.y];
      const isSwipe =
        Math.abs(x) > FAR && Math.abs(x) > STEEP * Math.abs(y) && event.timeStamp - start.at < SOON;
      start = null;
      if (!isSwipe || String(getSelection())) return;
      const all = tabs();
      show(all[all.findIndex((tab) => tab.checked) - Math.sign(x)]);
    },
    { passive: true },
  );
  document.addEventListener("touchcancel", () => {
    start = null;
  });

  document.addEventListener("click", (event) => {
    const wanted = event.target.closest?.("[data-show-tab]")?.dataset.showTab;
    if (!wanted) return;
    show(tabs().find((tab) => tab.dataset.tab === wanted));
    scrollTo(0, 0);
  });
})();
