// The map of a phone: it opens at who acts, large enough for a finger, and names at its edge who is outside it.
//
// The GM reads there too who waits to arrive outside it.
// data-map-me is the button that leads back there. A tap on an action with data-leads goes to the map once it shows where
// that can lead.
(() => {
  "use strict";
  const NARROW = window.matchMedia("(max-width: 63.99rem)");
  const CELL = 44;  // pixels of a meter at the opening zoom, and of a square that can be chosen
  const CLOSE = 18;  // pixels to a meter from which tokens need not be larger than life
  const MOST = 3;  // people named at the edge: those nearest to the middle, who wait last
  const GAP = 8;  // pixels between two such names
  const form = () => document.getElementById("map-move");
  const frame = () => window.cosmosMap.frame();
  const picture = () => document.querySelector("[data-map] > .map");
  const tokens = () => [...document.querySelectorAll("[data-map] > .map [data-token]")];
  const ghosts = () => [...document.querySelectorAll("[data-map] > .map .ghost")];
  const waits = (token) => token.matches(".ghost");
  let begun = false, wanted = false;

  const actor = () => tokens().find((one) => one.dataset.token === form()?.dataset.actor) || document.querySelector(".map [data-move=way] [data-token]");
  const spotOf = (token) => window.cosmosMap.spot(token.getAttribute("transform").match(/translate\(([^)]+)\)/)[1]);
  function goTo(token) {
    if (!token) return;
    const square = picture().querySelector("a > .cell")?.getBBox().width || 1;
    const [, size] = token.getAttribute("transform").match(/scale\(([^)]+)/);  // on a long road, tokens are larger than life
    window.cosmosMap.look(spotOf(token), CELL / Math.max(1, square, size));
  }

  function nameOf(token) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "map-edge";
    button.classList.toggle("is-waiting", waits(token));
    const drawn = waits(token) ? token : document.getElementById(`row-${token.dataset.token}`);
    const mark = drawn?.querySelector(".mark")?.cloneNode(true);
    if (mark) button.append(mark);
    const name = document.createElement("span");
    name.textContent = (waits(token) ? token : token.parentElement).getAttribute("aria-label");
    button.append(name);
    button.addEventListener("click", () => goTo(token));
    return button;
  }

  // Names stand where a line from the middle of the map leaves it, one below the other
  function showEdges() {
    for (const old of document.querySelectorAll(".map-edge")) old.remove();
    if (!NARROW.matches || !frame()?.classList.contains("is-near") || !window.cosmosMap.isSeen()) return;
    const box = picture().getBoundingClientRect();
    const matrix = picture().getScreenCTM();
    const below = (tools) => { const one = frame().querySelector(tools); return one?.checkVisibility() ? one.offsetTop + one.offsetHeight + GAP : GAP; };
    const low = { left: below(".map-steps"), right: below(".map-tools:not(.map-steps)") };
    const people = [...tokens(), ...ghosts()].filter((token) => !token.matches(".is-out, .is-dead"));
    const outside = people.map((token) => {
      const at = new DOMPoint(spotOf(token).x, spotOf(token).y).matrixTransform(matrix);
      return { token, x: at.x - box.left, y: at.y - box.top };
    }).filter(({ x, y }) => x < 0 || y < 0 || x > box.width || y > box.height);
    const far = ({ x, y }) => Math.hypot(x - box.width / 2, y - box.height / 2);
    const named = outside.sort((one, other) => waits(one.token) - waits(other.token) || far(one) - far(other)).slice(0, MOST);
    for (const { token, x, y } of named.sort((one, other) => one.y - other.y)) {
      const side = x < box.width / 2 ? "left" : "right";
      const button = nameOf(token);
      button.classList.add(`is-${side}`);
      frame().append(button);
      const high = button.offsetHeight;
      const down = Math.max(low[side], Math.min(y - high / 2, box.height - high - GAP));
      button.style.top = `${down}px`;
      if (down + high > box.height) button.remove();
      else low[side] = down + high + GAP;
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
