// The small window of a combatant: beside their token, with a line to it.
//
// data-window of the window names the combatant. Where the map is wide, it stands where it covers neither them nor who acts.
(() => {
  "use strict";
  const GAP = 12; // pixels between the window and the edges of the map
  const NARROW = window.matchMedia("(max-width: 63.99rem)");
  const PLAIN = 520; // pixels of a map beside which the window stays where the page puts it
  const card = () => document.querySelector("#row-window > [data-window]");
  const tokenOf = (who) => document.querySelector(`[data-map] > .map [data-token="${CSS.escape(who)}"]`);
  const boxOf = (token) => token?.querySelector(".mark")?.getBoundingClientRect();
  let line = null;
  let shown = ""; // whose window it was
  let kept = null; // where the map stood before a window moved it, and where it stands since

  // The area of a token that a window at this place would cover
  function covers(left, top, element, box) {
    if (!box) return 0;
    const wide = Math.min(left + element.offsetWidth + GAP, box.right) - Math.max(left - GAP, box.left);
    const high = Math.min(top + element.offsetHeight, box.bottom) - Math.max(top, box.top);
    return Math.max(0, wide) * Math.max(0, high);
  }

  function isOutside(box) {
    const map = window.cosmosMap.frame().getBoundingClientRect();
    return box.left < map.left || box.right > map.right || box.top < map.top || box.bottom > map.bottom;
  }

  function point(element, box) {
    line?.remove();
    line = null;
    if (!box || NARROW.matches) return;
    const own = element.getBoundingClientRect();
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    const from = {
      x: middle.x > own.right ? own.right : own.left,
      y: Math.min(Math.max(middle.y, own.top + 20), own.bottom - 20),
    };
    const far = Math.hypot(middle.x - from.x, middle.y - from.y) || 1;
    const part = Math.max(0, far - box.width * 0.62) / far;
    if (!part || (middle.x > own.left && middle.x < own.right)) return;
    const to = { x: from.x + (middle.x - from.x) * part, y: from.y + (middle.y - from.y) * part };
    line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    line.setAttribute("class", "window-line");
    line.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", `M${from.x} ${from.y}L${to.x} ${to.y}`);
    line.append(path);
    document.body.append(line);
  }

  // Moves the map for a window, which gives it back unless someone moves it meanwhile
  const same = (one, other) => JSON.stringify(one.view) === JSON.stringify(other.view);
  function visit(token) {
    const map = window.cosmosMap;
    const before = map.keep();
    const at = map.spot(`@${shown}`);
    if (isOutside(boxOf(token))) map.reveal(at);
    const hidden = NARROW.matches ? boxOf(token).bottom + 2 * GAP - card().getBoundingClientRect().top : 0;
    if (hidden > 0) map.slide(0, map.meters(hidden));
    const since = map.keep();
    if (same(before, since)) return;
    kept = { before: kept && same(kept.since, before) ? kept.before : before, since };
    document.dispatchEvent(new CustomEvent("map:visit", { detail: { at } }));
  }
  function giveBack() {
    const map = window.cosmosMap;
    if (kept && same(kept.since, map.keep())) {
      map.giveBack(kept.before);
      document.dispatchEvent(new CustomEvent("map:return"));
    }
    kept = null;
  }

  function put() {
    const element = card();
    const token = element && tokenOf(element.dataset.window);
    for (const one of document.querySelectorAll(".token.is-chosen"))
      one.classList.toggle("is-chosen", one === token);
    if (!element) {
      shown = "";
      giveBack();
      return point(null, null);
    }
    element.style.left = element.style.top = element.style.right = "";
    if (!token || !window.cosmosMap?.isSeen()) return point(element, null);
    token.classList.add("is-chosen");
    if (shown !== element.dataset.window) {
      shown = element.dataset.window;
      visit(token);
    }
    const map = window.cosmosMap.frame().getBoundingClientRect();
    const box = boxOf(token);
    if (NARROW.matches || map.width < PLAIN) return point(element, map.width < PLAIN ? null : box);
    const acts = boxOf(document.querySelector("[data-map] > .map .token:has(.reticle)"));
    const [high, low] = [map.top + 5 * GAP, map.bottom - element.offsetHeight - GAP];
    const tops = [Math.max(map.top + GAP, Math.min(high, low)), Math.max(map.top + GAP, low)];
    const lefts = [map.left + GAP, map.right - element.offsetWidth - GAP];
    const places = tops.flatMap((top) => lefts.map((left) => ({ left, top })));
    const cost = ({ left, top }) => 20 * covers(left, top, element, box) + covers(left, top, element, acts);
    const { left, top } = places.reduce((best, one) => (cost(one) < cost(best) ? one : best));
    element.style.left = `${left}px`;
    element.style.right = "auto";
    element.style.top = `${top}px`;
    return point(element, box);
  }

  document.addEventListener("htmx:afterSettle", put);
  document.addEventListener("map:view", put);
  addEventListener("resize", put);
  put();
})();
