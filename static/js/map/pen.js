// Draws fading lines over the map, for the table to see.
//
// data-pen is the tool of a person with a pointer, and the number of its colour; #map-pen is its form; the event
// "map:drawn" brings what others draw. A line is sent in pieces, several a second; they share one number.
(() => {
  "use strict";
  const { meters, put } = window.cosmosMap;
  const STAYS = 5000; // milliseconds after its last piece
  const FADES = 2000;
  const PIECE = 300; // milliseconds from one piece to the next
  const MOST = 50; // places in one piece
  const STEP = 4; // pixels between two places
  const NAME = 0.7; // size of names on large maps, in meters
  const tool = () => document.querySelector("[data-pen]");
  const picture = () => document.querySelector("[data-map] > .map");
  const lines = new Map(); // key: {ink, name, runs: [[[x, y]]], until}
  const own = new Set();
  let isOn = false;
  let stroke = null; // {id, key, line, x, y, waiting: [[x, y]]}
  let timer = 0;
  let sending = Promise.resolve(); // one piece after another, or a slow network would mix their order

  // ---- What is shown ----
  const path = (runs) =>
    runs
      .map((run) => `M${(run.length > 1 ? run : [run[0], run[0]]).map((spot) => spot.join(" ")).join("L")}`)
      .join("");

  function show() {
    document.querySelector(".pens")?.remove();
    if (isOn && !tool()) isOn = false; // taken back
    tool()?.setAttribute("aria-pressed", String(isOn));
    window.cosmosMap.frame()?.classList.toggle("is-drawing", isOn);
    if (!lines.size || !picture()) return;
    const layer = put(picture(), "g", "pens", {});
    for (const line of lines.values()) {
      line.shown = put(layer, "g", `pen pen-${line.ink}`, {});
      put(line.shown, "path", "pen-line", { d: path(line.runs) });
      const [x, y] = line.runs[0][0];
      put(
        line.shown,
        "text",
        "carry-words",
        { x, y: y - meters(10), "font-size": Math.max(meters(13), NAME), "text-anchor": "middle" },
        line.name,
      );
    }
    fade();
  }

  function fade() {
    clearTimeout(timer);
    const now = Date.now();
    let gone = false;
    for (const [key, line] of lines) {
      if (line.until < now) gone = lines.delete(key);
      else line.shown?.setAttribute("opacity", String(Math.min(1, (line.until - now) / FADES)));
    }
    if (gone) show();
    else if (lines.size) timer = setTimeout(fade, 150);
  }

  function add(key, line, runs) {
    const found = lines.get(key) || { ...line, runs: [] };
    const last = found.runs.at(-1);
    const joins = last && runs.length && String(last.at(-1)) === String(runs[0][0]);
    if (joins) last.push(...runs[0].slice(1));
    found.runs.push(...runs.slice(joins ? 1 : 0));
    found.until = Date.now() + STAYS + FADES;
    lines.set(key, found);
    show();
  }

  document.addEventListener("map:drawn", ({ detail }) => {
    if (detail.pens) window.htmx.trigger(document.querySelector("#stream [data-live]"), "again");
    if (detail.wipe) {
      lines.clear();
      show();
    }
    if (!detail.runs || own.has(detail.line)) return;
    const { line, ink, name, runs } = detail;
    const isNew = !lines.has(`${name} ${line}`);
    add(`${name} ${line}`, { ink, name }, runs);
    const live = document.getElementById("live");
    if (isNew && live) live.textContent = `${name} draws on the map.`;
  });

  // ---- Drawing ----
  async function post(form, body) {
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
    });
    if (answer.status === 429) document.getElementById("live").textContent = (await answer.json()).refused;
  }
  function send() {
    const { line, waiting, begun } = stroke;
    if (begun && waiting.length < 2) return;
    Object.assign(stroke, { sent: Date.now(), begun: true });
    stroke.waiting = waiting.slice(-1); // the next piece begins where this one ends
    const form = document.getElementById("map-pen");
    if (!form) return;
    const body = new FormData(form);
    body.set("line", String(line));
    body.set("points", waiting.map(([x, y]) => `${x},${y}`).join(";"));
    sending = sending.catch(() => {}).then(() => post(form, body));
  }
  function spotOf(event) {
    const at = window.cosmosMap.place(event.clientX, event.clientY);
    return [Math.round(at.x * 100) / 100, Math.round(at.y * 100) / 100];
  }
  function draw(event) {
    if (Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) < STEP) return;
    Object.assign(stroke, { x: event.clientX, y: event.clientY });
    const spot = spotOf(event);
    add(stroke.key, { ink: tool()?.dataset.pen, name: "" }, [[stroke.waiting.at(-1), spot]]);
    stroke.waiting.push(spot);
    if (stroke.waiting.length >= MOST || Date.now() - stroke.sent > PIECE) send();
  }
  function begin(event) {
    const line = crypto.getRandomValues(new Uint32Array(1))[0] % 1e9;
    own.add(line);
    const spot = spotOf(event);
    stroke = {
      id: event.pointerId,
      key: `own ${line}`,
      line,
      x: event.clientX,
      y: event.clientY,
      waiting: [spot],
      sent: Date.now(),
    };
    add(stroke.key, { ink: tool().dataset.pen, name: "" }, [[spot]]);
  }

  document.addEventListener(
    "pointerdown",
    (event) => {
      if (!isOn || !tool() || !event.target.closest?.("[data-map] > svg")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!stroke && !event.button) begin(event);
    },
    true,
  );
  document.addEventListener("pointermove", (event) => {
    if (stroke?.id === event.pointerId) draw(event);
  });
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, (event) => {
      if (stroke?.id !== event.pointerId) return;
      send();
      stroke = null;
    });
  // A stroke is not a click as well
  document.addEventListener(
    "click",
    (event) => {
      if (!isOn || !event.target.closest?.("[data-map] > svg")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  // ---- The tool: it stays until it is put down, or another one is picked up ----
  function take(now) {
    isOn = now;
    show();
  }
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest?.(".map-steps [aria-pressed]");
    if (!pressed) return;
    if (!pressed.matches("[data-pen]")) {
      if (isOn) take(false);
      return;
    }
    for (const other of document.querySelectorAll(".map-steps [aria-pressed=true]:not([data-pen])"))
      other.click();
    take(!isOn);
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !isOn) return;
      event.preventDefault();
      take(false);
    },
    true,
  );
  for (const kind of ["map:view", "htmx:afterSettle"]) document.addEventListener(kind, show);
})();
