// Points at a place: a ring with a name stays for a few seconds on every open page.
//
// data-ping is the tool, #map-ping its form, data-points the element that gets points from the live stream.
(() => {
  "use strict";
  const { meters, put } = window.cosmosMap;
  const SVG = "http://www.w3.org/2000/svg";
  const STAYS = 5000; // milliseconds
  const tool = () => document.querySelector("[data-ping]");
  const form = () => document.getElementById("map-ping");
  const picture = () => document.querySelector("[data-map] > .map");
  const isOn = () => tool()?.getAttribute("aria-pressed") === "true";
  let points = []; // {x, y, name, until}

  function show() {
    document.querySelector(".pings")?.remove();
    points = points.filter((point) => point.until > Date.now());
    if (!points.length || !picture()) return;
    const layer = document.createElementNS(SVG, "g");
    layer.setAttribute("class", "pings");
    for (const { x, y, name } of points) {
      put(layer, "circle", "ping", { cx: x, cy: y, r: meters(22) });
      put(layer, "circle", "ping-core", { cx: x, cy: y, r: meters(4) });
      put(
        layer,
        "text",
        "carry-words",
        { x, y: y - meters(28), "font-size": meters(14), "text-anchor": "middle" },
        name,
      );
    }
    picture().append(layer);
  }

  function add(point) {
    points = points.filter((one) => one.name !== point.name);
    points.push({ ...point, until: Date.now() + STAYS });
    const live = document.getElementById("live");
    if (live) live.textContent = `${point.name} points at ${Math.round(point.x)}, ${Math.round(point.y)} m.`;
    show();
    setTimeout(show, STAYS + 50);
  }

  async function send(at) {
    const body = new FormData(form());
    if (at) {
      body.delete("place");
      body.set("x", at.x.toFixed(1));
      body.set("y", at.y.toFixed(1));
    }
    const answer = await fetch(form().getAttribute("action"), {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
    });
    if (answer.ok) add(await answer.json());
    else if (answer.status === 429)
      document.getElementById("live").textContent = (await answer.json()).refused;
  }

  document.addEventListener("htmx:sseBeforeMessage", (event) => {
    if (!event.target.matches?.("[data-points]")) return;
    event.preventDefault();
    const told = JSON.parse(event.detail.data);
    if (told.x === undefined) document.dispatchEvent(new CustomEvent("map:drawn", { detail: told }));
    else add(told);
  });
  // A place chosen in the list
  document.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    send(picture() && window.cosmosMap.spot(form().elements.place.value));
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-ping]")) return;
    tool().setAttribute("aria-pressed", String(!isOn()));
    if (isOn())
      document.getElementById("live").textContent =
        "Tap a place on the map, or choose one in the list (key l). Escape puts the tool down.";
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !isOn()) return;
      event.preventDefault();
      tool().setAttribute("aria-pressed", "false");
    },
    true,
  );
  document.addEventListener(
    "pointerdown",
    (event) => {
      if (!isOn() || event.button || !event.target.closest?.("[data-map] > svg")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      tool().setAttribute("aria-pressed", "false");
      send(window.cosmosMap.place(event.clientX, event.clientY));
      document.addEventListener(
        "click",
        (after) => {
          if (!after.target.closest?.("[data-map] > svg")) return;
          after.preventDefault();
          after.stopImmediatePropagation();
        },
        { capture: true, once: true },
      );
    },
    true,
  );
  for (const kind of ["map:view", "htmx:afterSettle"]) document.addEventListener(kind, show);
})();
