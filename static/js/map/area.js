// Places the area of an action: while its form is open, a tap on the map is the area's place.
//
// data-area is the address that returns its shapes and the people inside; data-area-words of the
// form says the same in words.
(() => {
  "use strict";
  const { meters, put } = window.cosmosMap;
  const SVG = "http://www.w3.org/2000/svg";
  const WAIT = 120; // milliseconds that the pointer rests before a request
  const START = 6; // pixels until a press becomes a drag
  const OWN = ["csrfmiddlewaretoken", "version", "dice", "adjust", "because"];
  const form = () => document.querySelector("form[data-area]");
  const picture = () => document.querySelector("[data-map] > .map");
  const places = () => [...(form()?.querySelectorAll('input[name$="-free"]') || [])];
  let chosen = ""; // the name of the place field that was used last
  let asked = 0;
  let timer = 0;
  let pressed = null;

  const place = () => places().find((field) => field.name === chosen) || places()[0];
  const half = (number) => Math.round(number * 2) / 2;

  function spot(event) {
    const at = window.cosmosMap.place(event.clientX, event.clientY);
    const { x, y } = window.cosmosMap.unplot({ x: half(at.x), y: half(at.y) });
    return `${x},${y}`;
  }

  function draw(found) {
    for (const old of document.querySelectorAll(".area-laid")) old.remove();
    const words = form()?.querySelector("[data-area-words]");
    if (words) words.textContent = found?.refused || found?.words || "";
    if (!found?.shapes.length || !picture()) return;
    const layer = document.createElementNS(SVG, "g");
    layer.setAttribute("class", "area-laid");
    for (const shape of found.shapes) put(layer, "path", "area-shape", { d: shape.path });
    for (const one of found.inside) {
      const token = picture()
        .querySelector(`[data-token="${CSS.escape(one.id)}"]`)
        ?.getAttribute("transform");
      if (token)
        put(layer, "circle", one.ally ? "area-inside is-ally" : "area-inside", { r: 1.5, transform: token });
    }
    picture().prepend(layer);
    const [{ x, y, metres: far }] = found.shapes;
    const over = document.createElementNS(SVG, "g");
    over.setAttribute("class", "area-laid");
    picture().append(over);
    const [left, top, width] = picture().getAttribute("viewBox").split(" ").map(Number);
    const size = meters(15);
    const side = (x - left) / width;
    const anchor = side < 0.3 ? "start" : side > 0.7 ? "end" : "middle";
    put(
      over,
      "text",
      "carry-words",
      { x, y: Math.max(top + size * 1.2, y - far - meters(6)), "font-size": size, "text-anchor": anchor },
      found.words,
    );
  }

  async function ask(where = "") {
    if (!form()) return draw(null);
    const query = new URLSearchParams(new FormData(form()));
    for (const name of OWN) query.delete(name);
    if (where && place()) query.set(place().name, where);
    const mine = ++asked;
    const answer = await fetch(`${form().dataset.area}?${query}`, {
      headers: { Accept: "application/json" },
    });
    const found = answer.ok ? await answer.json() : null;
    if (mine === asked && form()) draw(found);
  }
  function later(where) {
    clearTimeout(timer);
    timer = setTimeout(() => ask(where), WAIT);
  }

  const isMine = (event) => place() && event.target.closest?.("[data-map] > svg");
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && !event.buttons && isMine(event)) later(spot(event));
  });
  document.addEventListener("pointerout", (event) => {
    if (place() && event.target.closest?.("[data-map]") && !event.relatedTarget?.closest?.("[data-map]"))
      later("");
  });
  document.addEventListener(
    "pointerdown",
    (event) => {
      pressed = isMine(event) ? { x: event.clientX, y: event.clientY } : null;
    },
    true,
  );
  document.addEventListener(
    "click",
    (event) => {
      if (!isMine(event)) return;
      const isTap = pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < START;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!isTap) return;
      place().value = spot(event);
      place().dispatchEvent(new Event("change", { bubbles: true }));
    },
    true,
  );
  document.addEventListener("focusin", (event) => {
    if (places().includes(event.target)) chosen = event.target.name;
  });
  for (const kind of ["change", "input"])
    document.addEventListener(kind, (event) => {
      if (event.target.closest?.("form[data-area]")) later("");
    });
  document.addEventListener("map:view", () => {
    if (form()) later("");
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "odds-panel") ask();
  });
  ask();
})();
