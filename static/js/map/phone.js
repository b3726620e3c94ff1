// The map of a phone: it goes to a player's character in their turn, and names at its edge who is outside it.
//
// The character is large enough for a finger there. It goes along with them when they come to another deck. The GM reads there
// too who waits to arrive outside it. data-map-me is the button that leads back there, and data-map-near the one
// that shows them with the nearest enemy. A tap on an action with data-leads goes to the map once it shows where that can lead.
(() => {
  "use strict";
  const NARROW = window.matchMedia("(max-width: 63.99rem)");
  const CELL = 44; // pixels of a meter at the opening zoom, and of a square that can be chosen
  const MOST = 3; // people named at the edge: those nearest to the middle, who wait last
  const SIDES = ["is-ally", "is-foe", "is-third", "is-neutral"]; // the classes of a token's side
  const AROUND = 6; // meters that stay free around two who are shown together
  const GAP = 8; // pixels between two such names
  const form = () => document.getElementById("map-move");
  const frame = () => window.cosmosMap.frame();
  const picture = () => document.querySelector("[data-map] > .map");
  const tokens = () => [...document.querySelectorAll("[data-map] > .map [data-token]")];
  const ghosts = () => [...document.querySelectorAll("[data-map] > .map .ghost")];
  const waits = (token) => token.matches(".ghost");
  let wanted = false,
    wasMine = false;
  let last = {}; // who was followed, and the deck they were on

  const actor = () =>
    tokens().find((one) => one.dataset.token === form()?.dataset.actor) ||
    document.querySelector(".map [data-move=way] [data-token]");
  const spotOf = (token) =>
    window.cosmosMap.spot(token.getAttribute("transform").match(/translate\(([^)]+)\)/)[1]);
  function goTo(token) {
    if (!token) return;
    const square = picture().querySelector("a > .cell")?.getBBox().width || 1;
    const size = Number(frame().dataset.scale); // on a long road, tokens are larger than life
    window.cosmosMap.look(spotOf(token), CELL / Math.max(1, square, size));
  }

  // Whoever acts and the nearest of another side, as large as both fit
  function goNear(token) {
    if (!token) return;
    const sideOf = (one) => [...one.querySelector(".mark").classList].find((name) => SIDES.includes(name));
    const from = spotOf(token);
    const far = ({ x, y }) => Math.hypot(x - from.x, y - from.y);
    const spots = tokens()
      .filter((one) => sideOf(one) !== sideOf(token) && !one.querySelector(".mark.is-down"))
      .map(spotOf)
      .sort((one, other) => far(one) - far(other));
    const [to] = spots;
    if (!to) return void goTo(token);
    const { width, height } = picture().getBoundingClientRect();
    const across = Math.abs(to.x - from.x) + AROUND,
      down = Math.abs(to.y - from.y) + AROUND;
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    window.cosmosMap.look(middle, Math.min(CELL, width / across, height / down));
  }

  // Someone who comes to another deck takes the map along
  function follow() {
    const who = window.cosmosMap.isMine() && actor();
    if (!who) return;
    const { x, y } = spotOf(who);
    const deck = [...document.querySelectorAll("[data-map] [data-deck]")]
      .map((one) => one.dataset.deck)
      .find((words) => {
        const [left, top, width, height] = words.split(" ").map(Number);
        return x >= left && x <= left + width && y >= top && y <= top + height;
      });
    const goes = last.who === who.dataset.token && last.deck && deck && last.deck !== deck;
    last = { who: who.dataset.token, deck };
    if (goes) goTo(who);
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

  // The height at which a name between these sides covers nobody who is on the map: below them
  function passTokens(inside, [left, right], down, high) {
    const covered = inside
      .filter((one) => one.left < right && one.right > left)
      .sort((one, other) => one.top - other.top);
    return covered.reduce(
      (at, one) => (at < one.bottom + GAP && at + high + GAP > one.top ? one.bottom + GAP : at),
      down,
    );
  }

  // Names stand where a line from the middle of the map leaves it, one below the other
  function showEdges() {
    for (const old of document.querySelectorAll(".map-edge")) old.remove();
    if (!NARROW.matches || !frame()?.classList.contains("is-near") || !window.cosmosMap.isSeen()) return;
    const box = picture().getBoundingClientRect();
    const matrix = picture().getScreenCTM();
    const below = (tools) => {
      const one = frame().querySelector(tools);
      return one?.checkVisibility() ? one.offsetTop + one.offsetHeight + GAP : GAP;
    };
    const low = { left: below(".map-steps"), right: below(".map-tools:not(.map-steps)") };
    const people = [...tokens(), ...ghosts()].map((token) => {
      const at = new DOMPoint(spotOf(token).x, spotOf(token).y).matrixTransform(matrix);
      const drawn = token.getBoundingClientRect();
      return {
        token,
        x: at.x - box.left,
        y: at.y - box.top,
        left: drawn.left - box.left,
        right: drawn.right - box.left,
        top: drawn.top - box.top,
        bottom: drawn.bottom - box.top,
      };
    });
    // Someone who is partly on the map needs no name, and none may lie on them
    const isOutside = (one) =>
      one.right <= 0 || one.bottom <= 0 || one.left >= box.width || one.top >= box.height;
    const inside = people.filter((one) => !isOutside(one));
    const outside = people.filter((one) => isOutside(one) && !one.token.querySelector(".mark.is-down"));
    const far = ({ x, y }) => Math.hypot(x - box.width / 2, y - box.height / 2);
    const named = outside
      .sort((one, other) => waits(one.token) - waits(other.token) || far(one) - far(other))
      .slice(0, MOST);
    for (const { token, x, y } of named.sort((one, other) => one.y - other.y)) {
      const side = x < box.width / 2 ? "left" : "right";
      const button = nameOf(token);
      button.classList.add(`is-${side}`);
      frame().append(button);
      const high = button.offsetHeight;
      const across = side === "left" ? [0, button.offsetWidth] : [box.width - button.offsetWidth, box.width];
      const down = passTokens(
        inside,
        across,
        Math.max(low[side], Math.min(y - high / 2, box.height - high - GAP)),
        high,
      );
      button.style.top = `${down}px`;
      if (down + high > box.height) button.remove();
      else low[side] = down + high + GAP;
    }
  }

  function show() {
    if (!frame() || !window.cosmosMap.isSeen()) return;
    picture().classList.toggle("is-close", window.cosmosMap.isClose(1 / window.cosmosMap.meters(1)));
    const begins = !wasMine && window.cosmosMap.isMine();
    wasMine = window.cosmosMap.isMine();
    if (begins) goTo(actor());
    else showEdges();
    follow();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-map-me]")) goTo(actor());
    if (event.target.closest?.("[data-map-near]")) goNear(actor());
    wanted = NARROW.matches && Boolean(event.target.closest?.("a[data-leads]"));
  });
  document.addEventListener("map:view", show);
  document.addEventListener("htmx:afterSettle", () => {
    show();
    if (!wanted || !document.querySelector(".map .cell")) return;
    wanted = false;
    const tab = document.getElementById("tab-scene");
    if (tab?.labels[0].checkVisibility()) {
      tab.checked = true;
      tab.dispatchEvent(new Event("change", { bubbles: true }));
    }
    requestAnimationFrame(() => requestAnimationFrame(() => goTo(actor()))); // once the map has its size
  });
  show();
})();
