// Measures distances as the game counts them, and hides areas from players.
//
// data-ruler is the address for distances. A drag measures from its start, a tap from the combatant whose turn it is;
// arrow keys move the end (data-cell is one step), Home starts there, and #map-measure measures between named places.
// data-hide draws a rectangle that players do not see.
(() => {
  "use strict";
  const { put, write, meters } = window.cosmosMap;
  const START = 6; // pixels until a press becomes a drag
  const PAUSE = 60; // milliseconds between two requests
  const ROW = Math.sqrt(3) / 2; // the distance between rows of hexes
  const tools = () => [...document.querySelectorAll("[data-ruler], [data-hide]")];
  const tool = () =>
    tools().find((one) => (held === "hide" ? one.hasAttribute("data-hide") : one.hasAttribute("data-ruler")));
  const picture = () => document.querySelector("[data-map] > .map");
  const form = () => document.getElementById("map-move");
  const round = (number) => Math.round(number * 10) / 10;
  let held = ""; // "ruler" or "hide"
  let line = null; // {from, to, asked, found: {words, ends}, form}
  let drag = null; // {id, x, y, at, moved}
  let isAsking = false;

  // ---- What is shown ----
  function show() {
    document.querySelector(".ruler")?.remove();
    if (!line || !picture()) return;
    const layer = put(picture(), "g", "ruler", {});
    const { from, to, found } = line;
    if (held === "hide") return drawArea(layer, from, to);
    const ends = found?.ends || [
      [from.x, from.y],
      [to.x, to.y],
    ];
    const [[x1, y1], [x2, y2]] = drag
      ? [
          [from.x, from.y],
          [to.x, to.y],
        ]
      : ends;
    put(layer, "line", "carry-way", { x1, y1, x2, y2 });
    for (const [cx, cy] of ends) put(layer, "circle", "ruler-end", { cx, cy, r: meters(5) });
    write(layer, drag ? to : { x: x2, y: y2 }, [found?.words || "…"]);
  }
  function drawArea(layer, a, b) {
    const [width, height] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
    put(layer, "rect", "area-new", { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width, height });
    write(layer, b, [`${round(width)} × ${round(height)} ${form().dataset.unit}`]);
  }
  function say(words) {
    const live = document.getElementById("live");
    if (live) live.textContent = words;
  }

  // ---- Asking ----
  const spot = ({ x, y, name }) => name || `${x.toFixed(2)},${y.toFixed(2)}`; // tokens may be drawn beside their places
  async function ask() {
    if (isAsking || !line || held === "hide") return;
    const mine = line;
    const query = new URLSearchParams({ from: spot(mine.from), to: spot(mine.to) });
    const address = tool()?.dataset.ruler || document.getElementById("map-measure").action;
    if (mine.asked === `${query}`) return;
    isAsking = true;
    mine.asked = `${query}`;
    const answer = await fetch(`${address}?${query}`, { headers: { Accept: "application/json" } }).catch(
      () => null,
    );
    const found = answer ? await answer.json().catch(() => ({})) : {};
    mine.found = { ends: found.ends, words: found.words || found.refused || "The table did not answer." };
    isAsking = false;
    if (mine !== line) return ask();
    show();
    if (mine.form) mine.form.querySelector("output").textContent = mine.found.words;
    else if (!drag) say(mine.found.words);
    setTimeout(ask, PAUSE);
  }
  function measure(from, to, asking = null) {
    line = { from, to, form: asking, found: line?.found && { words: line.found.words } };
    show();
    ask();
  }
  function extend(to) {
    line.to = to;
    if (line.found && !drag) line.found.ends = null;
    show();
    ask();
  }

  // ---- The start: the combatant whose turn it is, else the middle of what is shown ----
  function origin() {
    const found = window.cosmosMap.spot(`@${form()?.dataset.actor || ""}`);
    const [left, top, width, height] = picture().getAttribute("viewBox").split(" ").map(Number);
    return found.name ? found : { x: left + width / 2, y: top + height / 2 };
  }

  // ---- The pointer ----
  document.addEventListener(
    "pointerdown",
    (event) => {
      if (!held || !event.target.closest?.("[data-map] > svg")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (drag || event.button) return;
      drag = {
        id: event.pointerId,
        x: event.clientX,
        y: event.clientY,
        at: window.cosmosMap.place(event.clientX, event.clientY),
      };
    },
    true,
  );
  document.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < START) return;
    const at = window.cosmosMap.place(event.clientX, event.clientY);
    if (drag.moved) return extend(at);
    drag.moved = true;
    measure(drag.at, at);
  });
  document.addEventListener("pointerup", (event) => {
    if (drag?.id !== event.pointerId) return;
    const { moved, at } = drag;
    drag = null;
    if (held === "hide") return moved ? hide() : take("");
    if (!moved) return measure(line?.from || origin(), at);
    show();
    if (line.found?.ends) say(line.found.words);
  });
  document.addEventListener("pointercancel", (event) => {
    if (drag?.id !== event.pointerId) return;
    drag = line = null;
    show();
  });
  // A measurement is not a click as well
  document.addEventListener(
    "click",
    (event) => {
      if (!held || !event.target.closest?.("[data-map] > svg")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  function hide() {
    const sent = document.getElementById("map-hide");
    sent.elements.points.value = [line.from, line.to].map((at) => `${round(at.x)},${round(at.y)}`).join("; ");
    take("");
    sent.requestSubmit();
  }

  // ---- Keys ----
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function step(at, [across, down]) {
    const cell = Number(tool().dataset.cell) || 1;
    if (!form()?.dataset.hexes || !down) return { x: at.x + across * cell, y: at.y + down * cell };
    const isOdd = Math.abs(Math.round(at.y / ROW)) % 2; // rows lie half a hex apart: moving up alternates left and right
    return { x: at.x + (isOdd ? -0.5 : 0.5), y: at.y + down * ROW };
  }
  document.addEventListener(
    "keydown",
    (event) => {
      if (
        (!held && !line) ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.target.closest?.("input, select, textarea, dialog")
      )
        return;
      if (event.key === "Escape") take("");
      else if (held !== "ruler" || (event.target !== document.body && !event.target.closest?.("[data-map]")))
        return;
      else if (event.key === "Home" && line) measure(line.to, line.to);
      else if (!WAYS[event.key]) return;
      else {
        const from = line?.from || origin();
        measure(from, step(line?.to || from, WAYS[event.key]));
        window.cosmosMap.reveal(line.to);
      }
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "map-measure") return;
    event.preventDefault();
    const [from, to] = ["from", "to"].map((name) => window.cosmosMap.spot(event.target.elements[name].value));
    if (held === "hide") take("");
    measure(from, to, event.target);
  });

  // ---- The tools: one is held until it is put down, or another is picked up ----
  function take(what) {
    held = what;
    line = drag = null;
    if (held) document.querySelector("[data-ping][aria-pressed=true]")?.click();
    show();
    mark();
    if (held === "ruler")
      say("Drag or tap on the map, or move the end with the arrow keys. Escape puts the ruler down.");
    if (held === "hide")
      say(
        "Drag over the area to hide, or type its coordinates on the page to edit the scene. Escape puts the tool down.",
      );
  }
  function mark() {
    if (held && !tool()) held = "";
    for (const one of tools()) one.setAttribute("aria-pressed", String(Boolean(held) && one === tool()));
    window.cosmosMap.frame()?.classList.toggle("is-measuring", Boolean(held));
  }
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest?.(".map-steps button");
    if (!pressed) return;
    const what = pressed.hasAttribute("data-ruler")
      ? "ruler"
      : pressed.hasAttribute("data-hide")
        ? "hide"
        : "";
    if (what) take(held === what ? "" : what);
    else if (held && pressed.hasAttribute("aria-pressed")) take("");
  });
  document.addEventListener("map:view", show);
  document.addEventListener("htmx:afterSettle", () => {
    if (!held) line = null; // the combatant may be elsewhere now
    mark();
    show();
  });
})();
