// Moves and zooms the map, and offers its coordinates to the other map scripts (window.cosmosMap).
//
// data-map is on its frame, data-map-view="in|out|whole" on its buttons. The view is the viewBox of the pictures in the
// frame, so it needs no style attribute; it outlives every swap of the map. While the whole map is shown, one finger scrolls
// the page.
(() => {
  "use strict";
  const NEAREST = 6;  // metres across at the highest zoom
  const STEP = 1.5;  // one press of a button
  const START = 6;  // pixels until a press becomes a drag
  const LETTER = .5;  // the width of a letter, as a share of the font size
  const SMALL = .78;  // rem of the names of places
  const LARGEST = 1.05;  // their font size in the stylesheet, in the units of each
  const BAR = 9.5;  // rem of the bar that shows how long a stretch is, at most
  const PERSON = .875;  // rem of the names of people
  const NAMES = [[".token-name:not(.near-name)", .9], [".near-name", 1.1]];  // theirs, on wide and on narrow maps
  const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
  const frame = () => document.querySelector("[data-map]");
  const pictures = (box) => [...box.querySelectorAll(":scope > svg")];
  const read = (box) => box.dataset.map.split(" ").map(Number);
  const fingers = new Map();
  let view = null;  // left, top, width of the shown part; null: the whole map
  let held = null;  // the frame about to be swapped, its middle, and its pixels per metre
  let drag = null;
  let moved = false;
  let extent = null;  // of the pictures on the screen, in pixels; none while the map is hidden
  let watched = null;  // the frame that this is the size of
  let due = 0;
  let panned = null;  // where the pictures were drawn when a finger began to drag them: they follow it undrawn

  // If the size of the map changes, what is shown stays in place on the screen
  function hold() {
    const box = frame();
    if (!box) return;
    const { left, top, width, height } = pictures(box)[0].getBoundingClientRect();
    held = { box, middle: place(left + width / 2, top + height / 2), metre: pictures(box)[0].getScreenCTM().a };
  }

  function putBack(box) {
    const [, , width, height] = read(box);
    const { middle, metre } = held;
    const shown = pictures(box)[0].getBoundingClientRect();
    const wide = Math.min(shown.width, shown.height * width / height) / metre;
    view = { left: middle.x - wide / 2, top: middle.y - wide * height / width / 2, width: wide, isHeld: true };
    held = null;
  }

  function show() {
    const box = frame();
    if (!box) return;
    if (held && held.box !== box) putBack(box);
    const [left, top, width, height] = read(box);
    const isWhole = view && Math.abs(view.width - width) < width / 1000 && Math.hypot(view.left - left, view.top - top) < width / 1000;
    if (isWhole || view && !view.isHeld && view.width >= width * .999) view = null;
    const shown = view || { left, top, width };
    const tall = shown.width * height / width;
    if (view) stay(box);
    if (panned) {
      lift(box, 0, 0);
      panned = { left: shown.left, top: shown.top };
    }
    const words = [shown.left, shown.top, shown.width, tall].map((number) => Math.round(number * 1000) / 1000).join(" ");
    for (const picture of pictures(box)) picture.setAttribute("viewBox", words);
    box.classList.toggle("is-near", Boolean(view));
    for (const button of box.querySelectorAll('[data-map-view="out"], [data-map-view="whole"]')) button.disabled = !view;
    if (box === watched) fit();
    else watch(box);
  }

  // Once before the next paint, however many parts of the page are swapped
  function showSoon() {
    due ||= requestAnimationFrame(() => {
      due = 0;
      show();
    });
  }

  // What depends on the size on the screen. The browser tells the size when it knows it: to ask would make it lay out the page.
  function fit() {
    if (!extent) return;
    sizeNames(frame());
    gauge(frame());
    frame().dispatchEvent(new CustomEvent("map:view", { bubbles: true }));
  }

  const sizes = new ResizeObserver(() => {
    if (watched !== frame()) return;
    const { width, height } = watched.checkVisibility() ? pictures(watched)[0].getBoundingClientRect() : {};
    extent = width && height ? { width, height } : null;
    fit();
  });

  function watch(box) {
    sizes.disconnect();
    sizes.observe(box);
    const panel = box.closest("[data-panel]");
    if (panel) sizes.observe(panel);  // behind another tab it has no height, and the browser says nothing about what is in it
    [watched, extent] = [box, null];
  }

  // Names stay small at every zoom, those of places smaller than those of people. They are laid out for the largest size.
  // All are read before any is written: the browser would style the whole map between a write and a read.
  function sizeNames(box) {
    const size = rem();
    const small = SMALL * size * metres(1);
    const found = new Map();
    for (const [which, most] of NAMES) {
      const names = box.querySelectorAll(which);
      const pixels = names[0]?.getScreenCTM()?.a;
      if (pixels) for (const name of names) found.set(name, Math.min(most, PERSON * size / pixels));
    }
    for (const name of box.querySelectorAll(".label")) {
      const [, scale] = name.getAttribute("transform").match(/scale\(([^)]+)/);
      found.set(name, Math.min(LARGEST, small / scale));
    }
    for (const [name, large] of found) {
      const words = `${Math.round(large * 1000) / 1000}px`;
      if (name.style.fontSize !== words) name.style.fontSize = words;
    }
  }

  // A bar as long as a round number of metres, which it names
  function gauge(box) {
    const bar = box.querySelector(".map-scale");
    const most = metres(Math.min(BAR * rem(), extent.width / 3));
    const ten = 10 ** Math.floor(Math.log10(most));
    const long = [5, 2, 1].map((share) => share * ten).find((share) => share <= most);
    bar.style.setProperty("--long", `${long / metres(1)}px`);
    bar.firstChild.textContent = `${Number(long.toPrecision(1))} ${bar.dataset.unit}`;
    bar.hidden = false;
  }

  // The middle of what is shown stays on the map
  function stay(box) {
    const [left, top, width, height] = read(box);
    const tall = view.width * height / width;
    view.left = Math.min(Math.max(view.left, left - view.width / 2), left + width - view.width / 2);
    view.top = Math.min(Math.max(view.top, top - tall / 2), top + height - tall / 2);
  }

  // Moves the pictures by pixels as they are: much cheaper than to draw them
  function lift(box, x, y) {
    for (const picture of pictures(box)) picture.style.transform = x || y ? `translate(${x}px, ${y}px)` : "";
  }

  function pan(across, down) {
    if (!view) return;
    const box = frame();
    panned ??= { left: view.left, top: view.top };
    box.classList.add("is-panned");
    view.left += across;
    view.top += down;
    stay(box);
    const metre = 1 / metres(1);
    lift(box, (panned.left - view.left) * metre, (panned.top - view.top) * metre);
  }

  function endPan() {
    if (!panned) return;
    lift(frame(), 0, 0);
    panned = null;
    frame().classList.remove("is-panned");
    show();
  }

  // From a point of the window to metres of the picture, and back
  function place(x, y) {
    const matrix = pictures(frame())[0].getScreenCTM();
    const at = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return { x: at.x, y: at.y };
  }

  function zoom(share, x, y) {
    const box = frame();
    const [left, top, width] = read(box);
    const old = view || { left, top, width };
    const [low, high] = [Math.min(NEAREST, width), width];
    const now = Math.min(high, Math.max(low, old.width * share));
    const about = place(x, y);
    const kept = now / old.width;
    view = { left: about.x - (about.x - old.left) * kept, top: about.y - (about.y - old.top) * kept, width: now };
    show();
  }

  function slide(across, down) {
    if (!view) return;
    view.left += across;
    view.top += down;
    show();
  }

  // Scrolls a zoomed map until a place is well inside
  function reveal({ x, y }) {
    if (!view) return;
    const [, , width, height] = read(frame());
    const [across, down] = [view.width, view.width * height / width];
    const inside = (at, start, long) => Math.min(at - long / 4, Math.max(at - long * 3 / 4, start));
    slide(inside(x, view.left, across) - view.left, inside(y, view.top, down) - view.top);
  }

  function press(what) {
    const area = pictures(frame())[0].getBoundingClientRect();
    if (what === "whole") view = null;
    if (what === "whole") show();
    else zoom(what === "in" ? 1 / STEP : STEP, area.left + area.width / 2, area.top + area.height / 2);
  }

  // ---- Wheel, pointer, two fingers ----
  document.addEventListener("wheel", (event) => {
    if (!event.target.closest?.("[data-map] > svg") || event.deltaY > 0 && !view) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, event.clientX, event.clientY);
  }, { passive: false });

  const middle = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  };

  document.addEventListener("pointerdown", (event) => {
    const box = event.target.closest?.("[data-map]");
    if (!box || event.target.closest("button") || event.button || event.defaultPrevented) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = false;
    drag = fingers.size === 2 ? middle() : { x: event.clientX, y: event.clientY };
  });

  document.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId) || !frame()) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = fingers.size === 2 ? middle() : { x: event.clientX, y: event.clientY };
    if (!moved && fingers.size === 1 && Math.hypot(now.x - drag.x, now.y - drag.y) < START) return;
    moved = true;
    if (now.apart) endPan();
    if (now.apart && drag.apart) zoom(drag.apart / now.apart, now.x, now.y);
    const [from, to] = [place(drag.x, drag.y), place(now.x, now.y)];
    (now.apart ? slide : pan)(from.x - to.x, from.y - to.y);
    drag = now;
  });

  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => {
    if (!fingers.delete(event.pointerId)) return;
    endPan();
    const [left] = fingers.values();
    drag = left ? { ...left } : null;
  });
  // A finger that another script hands over
  document.addEventListener("map:give", ({ detail }) => fingers.set(detail.id, { x: detail.x, y: detail.y }));

  // A drag is not a click as well
  document.addEventListener("click", (event) => {
    if (!moved || !event.target.closest?.("[data-map] > svg")) return;
    moved = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-map]")) event.preventDefault(); });

  // ---- Buttons and keys ----
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-map-view]");
    if (button) press(button.dataset.mapView);
  });

  const KEYS = { "+": "in", "=": "in", "-": "out", 0: "whole" };
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    const box = event.target.closest?.("[data-map]");
    if (!box || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!KEYS[event.key] && !(WAYS[event.key] && view && !box.classList.contains("is-measuring"))) return;
    event.preventDefault();
    if (KEYS[event.key]) press(KEYS[event.key]);
    else slide(...WAYS[event.key].map((step) => step * view.width / 8));
  }, true);

  for (const kind of ["htmx:afterSwap", "htmx:oobAfterSwap", "htmx:afterSettle"]) document.addEventListener(kind, showSoon);
  function put(parent, tag, look, attributes, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    made.setAttribute("class", look);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    parent.append(made);
    return made;
  }
  // The metres of a number of pixels at the present zoom; none while the map is hidden
  function metres(pixels) {
    if (!extent) return 0;
    const [, , wide, tall] = pictures(frame())[0].getAttribute("viewBox").split(" ");
    return pixels * Math.max(wide / extent.width, tall / extent.height);
  }
  const isSeen = () => Boolean(extent) && watched === frame();
  function wrap(words, most) {
    const lines = [""];
    for (const word of words.split(" ")) {
      const line = `${lines.at(-1)} ${word}`.trim();
      if (lines.at(-1) && line.length > most) lines.push(word);
      else lines[lines.length - 1] = line;
    }
    return lines;
  }
  // Lines of words above a finger
  function write(parent, at, lines) {
    const size = metres(15);
    const [left, top, width] = pictures(frame())[0].getAttribute("viewBox").split(" ").map(Number);
    const side = (at.x - left) / width;  // words end at the edge of the map
    const anchor = side < .3 ? "start" : side > .7 ? "end" : "middle";
    const most = Math.floor(width * .6 / (size * LETTER));
    lines.filter(Boolean).flatMap((line) => wrap(line, most)).forEach((line, number, all) => {
      const last = Math.max(at.y - metres(44), top + size * (1.25 * all.length - .1));
      const y = last - (all.length - 1 - number) * size * 1.25;
      put(parent, "text", "carry-words", { x: at.x, y, "font-size": size, "text-anchor": anchor }, line);
    });
  }
  // The place of an item in a list of places: coordinates, or "@" and the id of a combatant
  function spot(value) {
    const token = value.startsWith("@") && frame().querySelector(`[data-token="${CSS.escape(value.slice(1))}"]`);
    const [x, y] = (token ? token.getAttribute("transform").match(/translate\(([^)]+)\)/)[1] : value).split(/[ ,]+/).map(Number);
    return token ? { x, y, name: value } : { x, y };
  }
  window.cosmosMap = { frame, hold, place, pictures, put, reveal, metres, isSeen, spot, write };
  show();
})();
