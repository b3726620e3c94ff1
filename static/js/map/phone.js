// The map of a phone: it opens at who acts, large enough for a finger, and names at its edge who is outside of it.
//
// data-map-me is the button that leads back there. A tap on an action with data-leads goes to the map once it shows where
// that can lead.
(() => {
  "use strict";
  const NARROW = window.matchMedia("(max-width: 63.99rem)");
  const CELL = 44;  // pixels of a meter at the opening zoom, and of a square that can be chosen
  const CLOSE = 18;  // pixels to a meter from which tokens need not be larger than life
  const MOST = 3;  // people named at the edge, those nearest to the middle
  const EDGE = [48, 8];  // pixels of such a name, and between two of them
  const form = () => document.getElementById("map-move");
  const frame = () => window.cosmosMap.frame();
  const picture = () => document.querySelector("[data-map] > .map");
  const tokens = () => [...document.querySelectorAll("[data-map] > .map [data-token]")];
  let begun = false, wanted = false;

  const actor = () => tokens().find((one) => one.dataset.token === form()?.dataset.actor) || document.querySelector(".map [data-move=way] [data-token]");
  const spotOf = (token) => window.cosmosMap.spot(`@${token.dataset.token}`);
  function goTo(token) {
    if (!token) return;
    const square = picture().querySelector("a > .cell")?.getBBox().width || 1;
    const [, size] = token.getAttribute("transform").match(/scale\(([^)]+)/);  // on a long road, tokens are larger than life
    window.cosmosMap.look(spotOf(token), CELL / Math.max(1, square, size));
  }

  function nameOf(token) {
    const row = document.getElementById(`row-${token.dataset.token}`);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "map-edge";
    button.dataset.edge = token.dataset.token;
    const mark = row?.querySelector(".mark")?.cloneNode(true);
    if (mark) button.append(mark);
    button.append(token.parentElement.getAttribute("aria-label"));
    return button;
  }

  // Names stand where a line from the middle of the map leaves it, one below the other
  function showEdges() {
    for (const old of document.querySelectorAll(".map-edge")) old.remove();
    if (!NARROW.matches || !frame()?.classList.contains("is-near") || !window.cosmosMap.isSeen()) return;
    const box = picture().getBoundingClientRect();
    const matrix = picture().getScreenCTM();
    const [high, gap] = EDGE;
    const below = (tools) => { const one = frame().querySelector(tools); return one?.checkVisibility() ? one.offsetTop + one.offsetHeight + gap : gap; };
    const low = { left: below(".map-steps"), right: below(".map-tools:not(.map-steps)") };
    const outside = tokens().filter((token) => !token.matches(".is-out, .is-dead")).map((token) => {
      const at = new DOMPoint(spotOf(token).x, spotOf(token).y).matrixTransform(matrix);
      return { token, x: at.x - box.left, y: at.y - box.top };
    }).filter(({ x, y }) => x < 0 || y < 0 || x > box.width || y > box.height);
    const far = ({ x, y }) => Math.hypot(x - box.width / 2, y - box.height / 2);
    const named = outside.sort((one, other) => far(one) - far(other)).slice(0, MOST);
    for (const { token, x, y } of named.sort((one, other) => one.y - other.y)) {
      const side = x < box.width / 2 ? "left" : "right";
      const button = nameOf(token);
      button.classList.add(`is-${side}`);
      const down = Math.max(low[side], Math.min(y - high / 2, box.height - high - gap));
      if (down + high > box.height) continue;
      low[side] = down + high + gap;
      frame().append(button);
      button.style.top = `${down}px`;
    }
  }

  function show() {
    if (!frame() || !window.cosmosMap.isSeen()) return;
    picture().classList.toggle("is-close", NARROW.matches && 1 / window.cosmosMap.meters(1) >= CLOSE);
    if (!begun && NARROW.matches && form() && actor()) {
      begun = true;
      goTo(actor());
    } else showEdges();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-map-me]")) goTo(actor());
    const edge = event.target.closest?.("[data-edge]");
    if (edge) goTo(tokens().find((one) => one.dataset.token === edge.dataset.edge));
    wanted = NARROW.matches && Boolean(event.target.closest?.("a[data-leads]"));
  });
  document.addEventListener("map:view", show);
  document.addEventListener("htmx:afterSettle", () => {
    show();
    if (!wanted || !document.querySelector(".map .cell")) return;
    wanted = false;
    begun = true;
    const tab = document.getElementById("tab-scene");
    if (tab?.labels[0].checkVisibility()) {
      tab.checked = true;
      tab.dispatchEvent(new Event("change", { bubbles: true }));
    }
    requestAnimationFrame(() => requestAnimationFrame(() => goTo(actor())));  // once the map has its size
  });
  show();
})();
