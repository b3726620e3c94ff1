// Moves and zooms the map, and offers its coordinates to the other map scripts (window.cosmosMap).
//
// data-map is on its frame, data-map-view="in|out|whole" on its buttons. The view is the viewBox of the pictures in the
// frame, so it needs no style attribute; it outlives every swap of the map. While the whole map is shown, one finger scrolls
// the page. data-opening are the people: left, top, width, height, and the width of the smallest token; data-rooms are they
// with the zones they stand in. A page begins with the whole map, else the rooms, else the people: with the most that leaves
// tokens large enough, and with as many around who acts where that is not everyone. A phone in whose turn someone plays begins
// at them (phone.js). data-tools folds the tools, which lie on the map; they begin folded where they would cover a room.
(() => {
  "use strict";
  const NEAREST = 6; // meters across at the highest zoom
  const STEP = 1.5; // one press of a button
  const START = 6; // pixels until a press becomes a drag
  const LETTER = 0.5; // the width of a letter, as a share of the font size
  const BETWEEN = 0.2; // between two names in one line, as a share of the font size
  const SMALL = 0.78; // rem of the names of places
  const LARGEST = 1.05; // their font size in the stylesheet, in the units of each
  const BAR = 9.5; // rem of the bar that shows how long a stretch is, at most
  const TOKEN = 16; // pixels of the smallest token in the view that a page opens with, however far apart people are
  const FINGER = 26; // the same on phones and tablets while someone acts
  const HEAD = 3.75; // rem of the highest line of the map there: tools lie on it
  const ROOMY = 30; // pixels of it with which the page opens with the whole map, or the rooms, instead of the people alone
  const FOOT = 1.75; // rem of the lowest line of the map, which the bar of a length covers
  const LETTER_TOP = 0.78; // how high a letter is, as a share of the font size
  const INSIDE = 0.4; // how far from its middle those who act may be, as a share of the view
  const FREELY = 0.92; // how much smaller a map may be for the tools beside it
  const NARROW = [34, 3.5 / 2.3]; // rem of a map on which tokens are larger, and how much
  const CLOSE = 41; // pixels of one from which those of phones need not be larger than life
  const LIFE = 2.3; // meters of a token
  const PERSON = 0.875; // rem of the names of people
  const NAMES = [
    [".token-name:not(.near-name)", 1.06, 0.9],
    [".near-name", 1.1, 1.1],
  ]; // theirs at most, on wide and on narrow maps; as laid out
  const READABLE = 0.6875; // rem of them at least, also where the page has no room for so much
  const WAY = [0.48, 0.65]; // the font size of the words of a way in the stylesheet, and the largest that there is room for
  const COST = 0.62; // the font size of a square's cost at most, as a share of its side
  const WIDE = window.matchMedia("(min-width: 64rem)");
  const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
  const frame = () => document.querySelector("[data-map]");
  const pictures = (box) => [...box.querySelectorAll(":scope > svg")];
  const read = (box, which = "map") => box.dataset[which].split(" ").map(Number);
  const fingers = new Map();
  const paper = document.createElement("canvas").getContext("2d"); // measures words: to ask the map would make the browser lay it out
  let view = null; // left, top, width of the shown part; null: the whole map
  let begun = ""; // the data-opening that is shown; null once someone has moved or zoomed the map
  let held = null; // the frame about to be swapped, its middle, and its pixels per meter
  let drag = null;
  let moved = false;
  let extent = null; // of the pictures on the screen, in pixels; none while the map is hidden
  let watched = null; // the frame that this is the size of
  let due = 0;
  let folded = false; // whether the tools on the map are
  let panned = null; // where the pictures were drawn when a finger began to drag them: they follow it undrawn

  // If the size of the map changes, what is shown stays in place on the screen
  function hold() {
    const box = frame();
    if (!box) return;
    begun = null;
    const { left, top, width, height } = pictures(box)[0].getBoundingClientRect();
    held = {
      box,
      middle: place(left + width / 2, top + height / 2),
      meter: pictures(box)[0].getScreenCTM().a,
    };
  }

  function putBack(box) {
    const [, , width, height] = read(box);
    const { middle, meter } = held;
    const shown = pictures(box)[0].getBoundingClientRect();
    const wide = Math.min(shown.width, (shown.height * width) / height) / meter;
    view = {
      left: middle.x - wide / 2,
      top: middle.y - (wide * height) / width / 2,
      width: wide,
      isHeld: true,
    };
    held = null;
  }

  function show() {
    const box = frame();
    if (!box) return;
    if (held && held.box !== box) putBack(box);
    const [left, top, width, height] = read(box);
    const isWhole =
      view &&
      Math.abs(view.width - width) < width / 1000 &&
      Math.hypot(view.left - left, view.top - top) < width / 1000;
    if (!carried && (isWhole || (view && !view.isHeld && view.width >= width * 0.999))) view = null;
    const shown = view || { left, top, width };
    const tall = (shown.width * height) / width;
    if (view) stay(box);
    if (panned) {
      lift(box, 0, 0);
      panned = { left: shown.left, top: shown.top };
    }
    const words = [shown.left, shown.top, shown.width, tall]
      .map((number) => Math.round(number * 1000) / 1000)
      .join(" ");
    for (const picture of pictures(box)) picture.setAttribute("viewBox", words);
    box.classList.toggle("is-near", Boolean(view));
    foldTools(box);
    for (const button of box.querySelectorAll('[data-map-view="out"], [data-map-view="whole"]'))
      button.disabled = !view;
    if (box === watched) fit();
    else watch(box);
  }

  // Whether a phone opens at the one it plays, whose turn it is: the GM's and those of others open with everyone
  const isMine = () =>
    !WIDE.matches &&
    !frame().querySelector("[data-move=place]") &&
    Boolean(frame().querySelector("[data-move=way]"));

  // Whether a phone draws tokens in true size at so many pixels to a meter, and how much larger than that all others are
  const isClose = (meter) =>
    !WIDE.matches && meter * Number(frame().dataset.opening?.split(" ")[4] || LIFE) >= CLOSE;
  const grow = (meter) => (extent.width > NARROW[0] * rem() || isClose(meter) ? 1 : NARROW[1]);

  // The view that a page opens with: the people and what is near those who act, each token large enough to press
  function open(box) {
    if (begun === null || !box.dataset.opening || !extent || isMine()) return;
    begun ||= box.dataset.opening;
    const [first, high, width, height] = read(box);
    const token = Number(begun.split(" ")[4]);
    const [head, foot] = [WIDE.matches ? 0 : HEAD * rem(), FOOT * rem()];
    const meet = (across, down, free = 0) =>
      Math.min((extent.width - free) / across, (extent.height - head - foot) / down);
    const isRoomy = (meter) => meter * token * grow(meter) >= ROOMY;
    const parts = [[first, high, width, height], read(box, "rooms"), begun.split(" ").map(Number)];
    const pick = (free) =>
      parts.find(([, , across, down], number) => number === 2 || isRoomy(meet(across, down, free)));
    const aside = layTools(
      box,
      (free) =>
        pick(free) === pick(0) && meet(pick(0)[2], pick(0)[3], free) >= meet(pick(0)[2], pick(0)[3]) * FREELY,
    );
    const [left, top, wide, tall] = pick(aside);
    const all = meet(wide, tall, aside);
    const least = (WIDE.matches || !findActing() ? TOKEN : FINGER) / token;
    const meter = Math.max(all, least / grow(least / NARROW[1]));
    const acting = meter > all && findActing();
    // Where not all fit, the people are in the middle as far as that leaves those who act inside
    const people = acting
      ? [...box.querySelectorAll("[data-token]:not(:has(.mark.is-down))")].map((one) =>
          spot(`@${one.dataset.token}`),
        )
      : [];
    const near = (axis, from, long, shown) => {
      if (!acting || shown >= long) return from + long / 2;
      const spots = people.map((one) => one[axis]);
      return Math.min(
        Math.max((Math.min(...spots) + Math.max(...spots)) / 2, acting[axis] - shown * INSIDE),
        acting[axis] + shown * INSIDE,
      );
    };
    const about = {
      x: near("x", left, wide, (extent.width - aside) / meter),
      y: near("y", top, tall, (extent.height - head - foot) / meter),
    };
    const inside = (at, from, most, shown) =>
      shown < most ? Math.min(Math.max(at, from + shown / 2), from + most - shown / 2) : from + most / 2;
    const across = Math.min(extent.width, (extent.height * width) / height) / meter;
    const [free, up, low] = [aside / meter, head / meter, foot / meter]; // tools and the bar lie on these parts of the map
    view =
      across < width || aside
        ? {
            isHeld: true,
            left: inside(about.x - free / 2, first - free, width + free, extent.width / meter) - across / 2,
            width: across,
          }
        : null;
    if (view)
      view.top =
        inside(about.y + (low - up) / 2, high - up, height + low + up, extent.height / meter) -
        (across * height) / width / 2;
    show();
  }

  // Folds the tools unless someone has chosen, or there is room for them; returns how many pixels they take from the map
  function layTools(box, isFree) {
    const tools = box.querySelector("[data-tools]")?.parentElement;
    if (!tools || getComputedStyle(tools).position !== "absolute") return 0;
    const aside = tools.offsetLeft + tools.offsetWidth;
    folded = localStorage.getItem("tools") ? localStorage.getItem("tools") === "folded" : !isFree(aside);
    foldTools(box);
    return folded ? 0 : aside;
  }
  function foldTools(box) {
    const handle = box.querySelector("[data-tools]");
    handle?.parentElement.classList.toggle("is-folded", folded);
    handle?.setAttribute("aria-expanded", !folded);
  }

  function findActing() {
    const token = frame().querySelector(".reticle")?.closest("[data-token]");
    return token && spot(`@${token.dataset.token}`);
  }

  // Someone acts outside what the page opened with: it shows what it would open with now
  function follow() {
    const at = begun && extent && findActing();
    if (!at) return;
    const { left, top, right, bottom } = frame().getBoundingClientRect();
    const { a, d, e, f } = pictures(frame())[0].getScreenCTM();
    const [x, y] = [at.x * a + e, at.y * d + f];
    if (x > left && x < right && y > top && y < bottom) return;
    begun = frame().dataset.opening;
    open(frame());
  }

  // Who is dragged stays under the finger: the map stands as it is. If it stays, it does so also where it grows by that.
  let carried = null; // what the page had opened with before
  document.addEventListener("map:carry", ({ detail }) => {
    if (detail && !carried && extent) {
      carried = { begun };
      begun = null;
      const [left, top, width] = read(frame());
      view = { ...(view || { left, top, width }), isHeld: true };
    } else if (!detail && carried) {
      if (!carried.stays) begun = carried.begun;
      carried = null;
    }
    if (carried) carried.stays = detail.stays;
  });

  // Once before the next paint, however many parts of the page are swapped
  function showSoon() {
    due ||= requestAnimationFrame(() => {
      due = 0;
      show();
      if (frame()) follow();
    });
  }

  // What depends on the size on the screen. The browser tells the size when it knows it: to ask would make it lay out the page.
  function fit() {
    if (!extent || !frame()) return;
    frame().dispatchEvent(new CustomEvent("map:view", { bubbles: true })); // names near by are shown after it
    sizeNames(frame());
    gauge(frame());
  }

  const sizes = new ResizeObserver(() => {
    if (watched !== frame()) return;
    const { width, height } = watched.checkVisibility() ? pictures(watched)[0].getBoundingClientRect() : {};
    extent = width && height ? { width, height } : null;
    open(watched);
    setTimeout(fit); // once the map that a tab shows is painted: a slow phone takes 70 ms for it
  });

  function watch(box) {
    sizes.disconnect();
    sizes.observe(box);
    const panel = box.closest("[data-panel]");
    if (panel) sizes.observe(panel); // behind another tab it has no height, and the browser says nothing about what is in it
    [watched, extent] = [box, null];
  }

  // Names stay small at every zoom, those of places smaller than those of people. They are laid out for the largest size.
  // All are read before any is written: the browser would style the whole map between a write and a read.
  function sizeNames(box) {
    const isWall = WIDE.matches && document.documentElement.matches(".watch");
    const size = isWall ? rem() / SMALL : rem(); // none smaller than other words of a projector
    const small = SMALL * size * meters(1);
    const [found, raised, crowds] = [new Map(), new Map(), new Map()];
    for (const name of box.querySelectorAll(".start text")) found.set(name, small);
    const side = box.querySelector(".cost")?.getScreenCTM().a;
    for (const [which, most, laid] of NAMES) {
      const names = box.querySelectorAll(which);
      const pixels = names[0]?.getScreenCTM()?.a;
      const least = (READABLE * size) / pixels;
      let large = Math.max(Math.min(most, (PERSON * size) / pixels), least);
      let crowded = large > laid ? findCrowded(names, large) : new Set();
      if (crowded.size && large > Math.max(laid, least)) {
        // smaller rather than hidden
        large = Math.max(laid, least);
        crowded = large > laid ? findCrowded(names, large) : new Set();
      }
      if (pixels)
        for (const name of names) {
          found.set(name, large);
          crowds.set(name, crowded.has(name));
          if (name.getAttribute("y") > 0)
            raised.set(name, `${Math.round((large - most) * LETTER_TOP * 1000) / 1000}`); // close under its token
        }
    }
    for (const name of box.querySelectorAll(".label")) {
      const [, scale] = name.getAttribute("transform").match(/scale\(([^)]+)/);
      found.set(name, Math.min(LARGEST, small / scale));
    }
    // The words of ways: none where they could not be read, none larger than those of places
    const least = READABLE * rem() * meters(1);
    if (!isWall)
      for (const words of box.querySelectorAll(".deck-words"))
        found.set(words, least > WAY[1] ? 0 : Math.max(least, Math.min(WAY[0], small)));
    if (side) box.style.setProperty("--cost", `${Math.min(COST, (PERSON * size) / side)}px`);
    for (const [name, large] of found) {
      const words = `${Math.round(large * 1000) / 1000}px`;
      if (name.style.fontSize !== words) name.style.fontSize = words;
    }
    for (const [name, isCrowded] of crowds) name.classList.toggle("is-crowded", isCrowded);
    for (const [name, up] of raised) if (name.getAttribute("dy") !== up) name.setAttribute("dy", up);
  }

  // Names that would lie on others, where all are larger than they are laid out for
  function findCrowded(names, large) {
    const taken = [];
    if (names[0]) paper.font = `600 100px ${getComputedStyle(names[0]).fontFamily}`;
    return new Set(
      [...names].filter((name) => {
        const { a, d, e, f } = name.getScreenCTM() || {};
        if (!a) return false;
        const [x, y] = [(name.getAttribute("x") || 0) * a + e, (name.getAttribute("y") || 0) * d + f];
        const [half, high] = [
          ((paper.measureText(name.textContent).width / 100 + BETWEEN) * large * a) / 2,
          large * a,
        ];
        const hides = taken.some(
          (one) => Math.abs(one.x - x) < one.half + half && Math.abs(one.y - y) < high,
        );
        if (!hides) taken.push({ x, y, half });
        return hides;
      }),
    );
  }

  // A bar as long as a round number of meters, which it names
  function gauge(box) {
    const bar = box.querySelector(".map-scale");
    const most = meters(Math.min(BAR * rem(), extent.width / 3));
    const ten = 10 ** Math.floor(Math.log10(most));
    const long = [5, 2, 1].map((share) => share * ten).find((share) => share <= most);
    bar.style.setProperty("--long", `${long / meters(1)}px`);
    bar.firstChild.textContent = `${Number(long.toPrecision(1))} ${bar.dataset.unit}`;
    bar.hidden = false;
  }

  // The middle of what is shown stays on the map
  function stay(box) {
    const [left, top, width, height] = read(box);
    const tall = (view.width * height) / width;
    view.left = Math.min(Math.max(view.left, left - view.width / 2), left + width - view.width / 2);
    view.top = Math.min(Math.max(view.top, top - tall / 2), top + height - tall / 2);
  }

  // Moves the pictures by pixels as they are: much cheaper than to draw them
  function lift(box, x, y) {
    for (const picture of pictures(box)) picture.style.transform = x || y ? `translate(${x}px, ${y}px)` : "";
  }

  function pan(across, down) {
    if (!view) return;
    begun = null;
    const box = frame();
    panned ??= { left: view.left, top: view.top };
    box.classList.add("is-panned");
    view.left += across;
    view.top += down;
    stay(box);
    const meter = 1 / meters(1);
    lift(box, (panned.left - view.left) * meter, (panned.top - view.top) * meter);
  }

  function endPan() {
    if (!panned) return;
    lift(frame(), 0, 0);
    panned = null;
    frame().classList.remove("is-panned");
    show();
  }

  // From a point of the window to meters of the picture, and back
  function place(x, y) {
    const matrix = pictures(frame())[0].getScreenCTM();
    const at = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return { x: at.x, y: at.y };
  }

  function zoom(share, x, y) {
    begun = null;
    const box = frame();
    const [left, top, width] = read(box);
    const old = view || { left, top, width };
    const [low, high] = [Math.min(NEAREST, width), width];
    const now = Math.min(high, Math.max(low, old.width * share));
    const about = place(x, y);
    const kept = now / old.width;
    view = {
      left: about.x - (about.x - old.left) * kept,
      top: about.y - (about.y - old.top) * kept,
      width: now,
    };
    show();
  }

  function slide(across, down) {
    if (!view) return;
    begun = null;
    view.left += across;
    view.top += down;
    show();
  }

  // Scrolls a zoomed map until a place is well inside
  function reveal({ x, y }) {
    if (!view) return;
    const [, , width, height] = read(frame());
    const [across, down] = [view.width, (view.width * height) / width];
    const inside = (at, start, long) => Math.min(at - long / 4, Math.max(at - (long * 3) / 4, start));
    slide(inside(x, view.left, across) - view.left, inside(y, view.top, down) - view.top);
  }

  // Where the map stands, and the way back there
  const keep = () => ({ view: view && { ...view }, begun });
  function giveBack(kept) {
    [view, begun] = [kept.view, kept.begun];
    show();
  }

  // Shows a place in the middle, or as near to it as the map goes, with so many pixels to a meter; if it stays, nobody who acts moves it
  function look({ x, y }, meter, stays = false) {
    if (!extent) return;
    const [left, top, width, height] = read(frame()),
      across = Math.min(extent.width, (extent.height * width) / height) / meter;
    const inside = (at, from, most, shown) =>
      shown < most ? Math.min(Math.max(at, from + shown / 2), from + most - shown / 2) : from + most / 2;
    const middle = {
      x: inside(x, left, width, extent.width / meter),
      y: inside(y, top, height, extent.height / meter),
    };
    const part = {
      left: middle.x - across / 2,
      top: middle.y - (across * height) / width / 2,
      width: across,
    };
    [view, begun] = [across < width ? part : null, stays ? null : begun];
    show();
  }

  // The whole map; where decks lie side by side, beside the tools and below the switch that lie on it
  function showWhole(box) {
    view = begun = null;
    const decks = extent && box.querySelector(".deck-switch");
    if (decks) {
      const [left, top, width, height] = read(box);
      const tools = box.querySelector("[data-tools]")?.parentElement;
      const isOn = tools && !folded && getComputedStyle(tools).position === "absolute";
      const [aside, head] = [
        isOn ? tools.offsetLeft + tools.offsetWidth : 0,
        decks.offsetTop + decks.offsetHeight,
      ];
      const meet = (x, y) => Math.min((extent.width - x) / width, (extent.height - y) / height);
      const [usual, meter] = [meet(0, 0), meet(aside, head)];
      const isFree = extent.width - usual * width >= 2 * aside && extent.height - usual * height >= 2 * head;
      const across = Math.min(extent.width, (extent.height * width) / height) / meter;
      const middle = { x: left + width / 2 - aside / meter / 2, y: top + height / 2 - head / meter / 2 };
      if (!isFree)
        view = {
          isHeld: true,
          left: middle.x - across / 2,
          top: middle.y - (across * height) / width / 2,
          width: across,
        };
    }
    show();
  }

  function press(what) {
    const area = pictures(frame())[0].getBoundingClientRect();
    if (what === "whole") showWhole(frame());
    else zoom(what === "in" ? 1 / STEP : STEP, area.left + area.width / 2, area.top + area.height / 2);
  }

  // ---- Wheel, pointer, two fingers ----
  document.addEventListener(
    "wheel",
    (event) => {
      if (!event.target.closest?.("[data-map] > svg") || (event.deltaY > 0 && !view)) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, event.clientX, event.clientY);
    },
    { passive: false },
  );

  const middle = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  };

  document.addEventListener("pointerdown", (event) => {
    const box = event.target.closest?.("[data-map]");
    if (!box || event.target.closest("button, .map-card") || event.button || event.defaultPrevented) return;
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

  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, (event) => {
      if (!fingers.delete(event.pointerId)) return;
      endPan();
      const [left] = fingers.values();
      drag = left ? { ...left } : null;
    });
  // A finger that another script hands over
  document.addEventListener("map:give", ({ detail }) => fingers.set(detail.id, { x: detail.x, y: detail.y }));

  // A double tap on the ground comes nearer, unless a tool is in use
  document.addEventListener("dblclick", (event) => {
    if (!event.target.closest?.("[data-map] > svg") || event.target.closest("a, [data-token], [data-put]"))
      return;
    if (!frame().matches(":is(.is-drawing, .is-measuring), :has([data-draw])"))
      zoom(1 / 2, event.clientX, event.clientY);
  });

  // A drag is not a click as well
  document.addEventListener(
    "click",
    (event) => {
      if (!moved || !event.target.closest?.("[data-map] > svg")) return;
      moved = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  document.addEventListener("dragstart", (event) => {
    if (event.target.closest?.("[data-map]")) event.preventDefault();
  });

  // ---- Buttons and keys ----
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-map-view]");
    if (button) press(button.dataset.mapView);
    const fold = event.target.closest?.("[data-tools]");
    if (!fold) return;
    folded = !folded;
    localStorage.setItem("tools", folded ? "folded" : "open");
    foldTools(frame());
    if (begun) open(frame()); // the map moves out of their way
  });

  const KEYS = { "+": "in", "=": "in", "-": "out", 0: "whole" };
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener(
    "keydown",
    (event) => {
      const box = event.target.closest?.("[data-map]");
      if (
        !box ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        event.target.closest(".map-card")
      )
        return;
      if (
        !KEYS[event.key] &&
        !(
          WAYS[event.key] &&
          view &&
          !box.classList.contains("is-measuring") &&
          !event.target.querySelector(":scope > [data-token]")
        )
      )
        return;
      event.preventDefault();
      if (KEYS[event.key]) press(KEYS[event.key]);
      else slide(...WAYS[event.key].map((step) => (step * view.width) / 8));
    },
    true,
  );

  for (const kind of ["htmx:afterSwap", "htmx:afterSettle"]) document.addEventListener(kind, showSoon);
  function put(parent, tag, kind, attributes, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    made.setAttribute("class", kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    parent.append(made);
    return made;
  }
  // The meters of a number of pixels at the present zoom; none while the map is hidden
  function meters(pixels) {
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
    const size = meters(15);
    const [left, top, width] = pictures(frame())[0].getAttribute("viewBox").split(" ").map(Number);
    const side = (at.x - left) / width; // words end at the edge of the map
    const anchor = side < 0.3 ? "start" : side > 0.7 ? "end" : "middle";
    const most = Math.floor((width * 0.6) / (size * LETTER));
    lines
      .filter(Boolean)
      .flatMap((line) => wrap(line, most))
      .forEach((line, number, all) => {
        const last = Math.max(at.y - meters(44), top + size * (1.25 * all.length - 0.1));
        const y = last - (all.length - 1 - number) * size * 1.25;
        put(parent, "text", "carry-words", { x: at.x, y, "font-size": size, "text-anchor": anchor }, line);
      });
  }
  // The place of an item in a list of places: coordinates, or "@" and the id of a combatant, whose place only a drawn map has
  function spot(value) {
    const token =
      value.startsWith("@") && frame()?.querySelector(`[data-token="${CSS.escape(value.slice(1))}"]`);
    if (!frame() && value.startsWith("@")) return { name: value };
    const [x, y] = (token ? token.getAttribute("transform").match(/translate\(([^)]+)\)/)[1] : value)
      .split(/[ ,]+/)
      .map(Number);
    return token ? { x, y, name: value } : { x, y };
  }
  window.cosmosMap = {
    frame,
    hold,
    place,
    pictures,
    put,
    look,
    keep,
    giveBack,
    reveal,
    slide,
    meters,
    isSeen,
    isMine,
    isClose,
    spot,
    write,
  };
  show();
})();
