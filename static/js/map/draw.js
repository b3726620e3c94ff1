// Draws a scene with the pointer; one change is one request.
//
// On a picture over the map: data-draw holds what is drawn, data-snap the side of a square in meters, data-open the
// selected shape, data-here the address for changes.
(() => {
  "use strict";
  const CHAINS = ["wall", "door", "window", "fence"];
  const START = 6; // pixels until a press becomes a drag
  const REACH = 10; // pixels around a line that count as on it
  const MARGIN = 48; // pixels between what is selected and the sheet of a phone
  const HINTS = {
    select: "Tap something to select it; drag it, its corners or a token. Delete removes what is selected.",
    wall: "Drag a wall, or tap its corners one by one and finish the chain.",
    scale: "Drag between two places of the picture that you know, from a corner of its squares.",
    way: "Tap where a ladder stands on both decks, or drag the opening of a shaft. Its form makes it stairs, a lift or a hatch.",
    light: "Drag from the lamp to where its light ends.",
  };
  const sheet = () => document.querySelector("[data-draw]");
  const tool = () => document.querySelector("[data-tool]:checked")?.dataset.tool || "select";
  const finish = () => document.querySelector("[data-draw-finish]");
  let work = null; // what the pointer is doing: {id, what, from, to, shape, corner}
  let chain = [];
  let seen = ""; // what was selected last

  const shapes = () =>
    JSON.parse(sheet().dataset.draw).map(([ref, look, x1, y1, x2, y2]) => ({
      ref,
      look: look === "lean" ? "box" : look,
      leans: look === "lean",
      x1,
      y1,
      x2,
      y2,
    }));
  const isFree = (event) => event.altKey || !document.getElementById("draw-snap")?.checked;
  const round = (number) => Math.round(number * 100) / 100;

  function spot(event) {
    const at = window.cosmosMap.place(event.clientX, event.clientY);
    if (isFree(event) || tool() === "scale") return { x: round(at.x), y: round(at.y) };
    if (sheet().dataset.hexes) return snapToHex(at);
    return toGrid(at, 0.5);
  }
  // The grid corner nearest to a place, or the middle of its square: "off" is half a square or none
  function toGrid({ x, y }, off) {
    const snap = Number(sheet().dataset.snap);
    const near = (number) => round((Math.round(number / snap - off) + off) * snap);
    return { x: near(x), y: near(y) };
  }

  // On a map of hexes, 1 m from side to side: zones snap to half hexes across and half rows down, all else to middles and corners
  const ROW = Math.sqrt(3) / 2;
  const CORNER = 1 / Math.sqrt(3);
  const CORNERS = [
    [0, 0],
    [0, CORNER],
    [0, -CORNER],
    [0.5, CORNER / 2],
    [0.5, -CORNER / 2],
    [-0.5, CORNER / 2],
    [-0.5, -CORNER / 2],
  ];
  const lean = (column, row) => ({ x: round(column + row / 2), y: round(row * ROW) });
  const upright = ({ x, y }) => ({ column: x - y / ROW / 2, row: y / ROW });
  function snapToHex(at, isToken = false) {
    const { row } = upright(at);
    if (isToken) return lean(Math.round(at.x - Math.round(row) / 2), Math.round(row));
    if (tool() === "zone") return { x: Math.round(at.x * 2) / 2, y: round((Math.round(row * 2) / 2) * ROW) };
    const spots = [-1, 0, 1].flatMap((more) => {
      const near = Math.round(row) + more;
      const middle = lean(Math.round(at.x - near / 2), near);
      return CORNERS.map(([x, y]) => ({ x: round(middle.x + x), y: round(middle.y + y) }));
    });
    return spots.sort((a, b) => Math.hypot(a.x - at.x, a.y - at.y) - Math.hypot(b.x - at.x, b.y - at.y))[0];
  }

  const { meters } = window.cosmosMap;

  function away(shape, at) {
    if (shape.look === "round") return Math.max(0, Math.hypot(at.x - shape.x1, at.y - shape.y1) - 1);
    if (shape.look === "way")
      return Math.max(
        0,
        Math.min(Math.hypot(at.x - shape.x1, at.y - shape.y1), Math.hypot(at.x - shape.x2, at.y - shape.y2)) -
          0.5,
      );
    if (shape.look === "box") {
      const [left, right] = [shape.x1, shape.x2].sort((a, b) => a - b);
      return at.x >= left &&
        at.x <= right &&
        at.y >= Math.min(shape.y1, shape.y2) &&
        at.y <= Math.max(shape.y1, shape.y2)
        ? 0
        : Infinity;
    }
    const [across, down] = [shape.x2 - shape.x1, shape.y2 - shape.y1];
    const along = Math.min(
      1,
      Math.max(0, ((at.x - shape.x1) * across + (at.y - shape.y1) * down) / (across ** 2 + down ** 2 || 1)),
    );
    return Math.hypot(at.x - shape.x1 - along * across, at.y - shape.y1 - along * down);
  }

  // Lines before boxes, small boxes before large ones
  const size = (shape) =>
    shape.look === "line" || shape.look === "way"
      ? 0
      : shape.look === "round"
        ? 0.5
        : Math.abs((shape.x2 - shape.x1) * (shape.y2 - shape.y1));
  function hit(at) {
    const reach = meters(REACH);
    return shapes()
      .filter((shape) => away(shape, at) <= reach)
      .sort((a, b) => size(a) - size(b))[0];
  }

  function corner(at) {
    const chosen = shapes().find((shape) => shape.ref === sheet().dataset.open);
    if (!chosen || chosen.look === "way") return null;
    const reach = meters(REACH * 1.5);
    const ends = [
      { x: chosen.x1, y: chosen.y1 },
      { x: chosen.x2, y: chosen.y2 },
    ];
    if (chosen.look === "box") ends.push({ x: chosen.x1, y: chosen.y2 }, { x: chosen.x2, y: chosen.y1 });
    const near = ends.findIndex((end) => Math.hypot(end.x - at.x, end.y - at.y) <= reach);
    if (near < 0 || (chosen.look === "round" && near === 0)) return null;
    const fixed = [ends[1], ends[0], ends[3], ends[2]][near];
    return { shape: chosen, fixed };
  }

  // ---- What is shown while drawing ----
  function outline(look, a, b, leans = false) {
    if (look === "way") return [a, b].map(({ x, y }) => `M${x - 0.5} ${y - 0.5}h1v1h-1z`).join("");
    if (look === "line") return `M${a.x} ${a.y}L${b.x} ${b.y}`;
    if (leans) {
      const [from, to] = [upright(a), upright(b)];
      const ends = [
        [from, from],
        [to, from],
        [to, to],
        [from, to],
      ].map(([one, other]) => lean(one.column, other.row));
      return `M${ends.map((end) => `${end.x} ${end.y}`).join("L")}z`;
    }
    if (look === "box") return `M${a.x} ${a.y}H${b.x}V${b.y}H${a.x}z`;
    const radius = Math.hypot(b.x - a.x, b.y - a.y);
    return `M${a.x - radius} ${a.y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
  }
  const lookOf = (key) =>
    CHAINS.includes(key) || key === "scale" ? "line" : key === "light" ? "round" : "box";

  const put = (...shape) => window.cosmosMap.put(sheet(), ...shape);

  function say(look, a, b) {
    if (look === "way") return;
    const [across, down] = [Math.abs(b.x - a.x), Math.abs(b.y - a.y)];
    const words =
      look === "box"
        ? `${round(across)} × ${round(down)}`
        : `${Math.round(Math.hypot(across, down) * 10) / 10}`;
    put(
      "text",
      "draw-words",
      { x: b.x, y: b.y - meters(14), "font-size": meters(14) },
      `${words} ${sheet().dataset.unit}`,
    );
  }

  function show() {
    if (!sheet()) return;
    sheet().replaceChildren();
    const chosen = shapes().find((shape) => shape.ref === sheet().dataset.open);
    if (chosen && !work?.shape) {
      const [a, b] = [
        { x: chosen.x1, y: chosen.y1 },
        { x: chosen.x2, y: chosen.y2 },
      ];
      put("path", "draw-chosen", { d: outline(chosen.look, a, b, chosen.leans) });
      const ends =
        chosen.look === "box"
          ? [a, b, { x: a.x, y: b.y }, { x: b.x, y: a.y }]
          : chosen.look === "round"
            ? [b]
            : chosen.look === "way"
              ? []
              : [a, b];
      for (const end of ends) put("circle", "draw-handle", { cx: end.x, cy: end.y, r: meters(6) });
    }
    if (chain.length) put("path", "draw-new", { d: `M${chain.map((at) => `${at.x} ${at.y}`).join("L")}` });
    if (chain.length === 1) put("circle", "draw-handle", { cx: chain[0].x, cy: chain[0].y, r: meters(5) });
    if (work?.a) {
      put("path", "draw-new", { d: outline(work.look, work.a, work.b, work.shape?.leans) });
      say(work.look, work.a, work.b);
    }
    if (finish()) finish().hidden = chain.length < 2;
    const hint = document.querySelector("[data-draw-hint]");
    if (hint)
      hint.textContent = HINTS[CHAINS.includes(tool()) ? "wall" : tool()] || "Drag from corner to corner.";
  }

  // ---- Sending ----
  const write = (points) => points.map((at) => `${at.x},${at.y}`).join("; ");
  function send(values, points = []) {
    const here = sheet().dataset.here;
    if (points.length) values.points = write(points);
    window.htmx.ajax("POST", here, {
      source: "#draw",
      target: "#scene-editor",
      swap: "outerHTML",
      values: { kind: "", name: "", points: "", ...values },
    });
  }
  function open(ref) {
    const query = ref ? `?edit=${encodeURIComponent(ref)}` : "";
    window.htmx.ajax("GET", sheet().dataset.here + query, {
      source: "#scene-editor",
      target: "#scene-editor",
      swap: "outerHTML",
    });
  }
  function endChain() {
    const points = chain;
    chain = [];
    if (points.length > 1) send({ do: "draw", kind: tool(), drawn: "1" }, points);
    show();
  }

  // ---- The pointer ----
  function begin(event) {
    const at = spot(event);
    const loose = window.cosmosMap.place(event.clientX, event.clientY);
    const token = tool() === "select" && event.target.closest("[data-token]");
    if (token)
      return (work = { id: event.pointerId, x: event.clientX, y: event.clientY, token, moved: false });
    work = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      from: at,
      cell: isFree(event) ? at : toGrid(loose, 0),
      moved: false,
    };
    if (tool() !== "select") return Object.assign(work, { look: lookOf(tool()), start: at });
    const grip = corner(loose);
    if (grip) return Object.assign(work, { look: grip.shape.look, shape: grip.shape, start: grip.fixed });
    const shape = hit(loose);
    return Object.assign(work, { look: shape?.look, shape, slides: shape?.ref === sheet().dataset.open });
  }

  function follow(event) {
    if (!work.moved && Math.hypot(event.clientX - work.x, event.clientY - work.y) < START) return;
    work.moved = true;
    if (work.token) return carry(event);
    const at = spot(event);
    if (work.start) [work.a, work.b] = [work.start, at];
    else if (work.slides) {
      const [across, down] = [at.x - work.from.x, at.y - work.from.y];
      work.a = { x: round(work.shape.x1 + across), y: round(work.shape.y1 + down) };
      work.b = { x: round(work.shape.x2 + across), y: round(work.shape.y2 + down) };
    }
    show();
  }

  // A token snaps to the middle of a square
  function carry(event) {
    const at = window.cosmosMap.place(event.clientX, event.clientY);
    work.at = isFree(event)
      ? { x: round(at.x), y: round(at.y) }
      : sheet().dataset.hexes
        ? snapToHex(at, true)
        : toGrid(at, 0);
    work.token.setAttribute(
      "transform",
      work.token
        .getAttribute("transform")
        .replace(/translate\([^)]+\)/, `translate(${work.at.x} ${work.at.y})`),
    );
  }

  function drop() {
    const done = work;
    work = null;
    if (done.token) return done.at && send({ do: "place", target: done.token.dataset.token }, [done.at]);
    if (done.a && tool() === "scale") {
      document.getElementById("scale-points").value = write([done.a, done.b]);
      document.getElementById("scale-metres").focus();
    } else if (done.a && done.shape) send({ do: "reshape", shape: done.shape.ref }, [done.a, done.b]);
    else if (done.a) send({ do: "draw", kind: tool(), drawn: "1" }, [done.a, done.b]);
    else if (!done.moved && CHAINS.includes(tool())) chain.push(done.from);
    else if (!done.moved && tool() === "way") send({ do: "draw", kind: "way", drawn: "1" }, [done.cell]);
    else if (!done.moved && tool() === "select") open(done.shape?.ref || "");
    show();
  }

  document.addEventListener(
    "pointerdown",
    (event) => {
      if (!event.target.closest?.("[data-map]") || event.target.closest("button") || event.button || !sheet())
        return;
      if (work) {
        // a second finger: both move the map
        const first = { id: work.id, x: work.x, y: work.y };
        work = null;
        show();
        sheet().dispatchEvent(new CustomEvent("map:give", { bubbles: true, detail: first }));
        return;
      }
      begin(event);
      if (!work.shape && !work.token && tool() === "select") {
        // nothing is here: drag the map, tap to deselect
        const slid = work;
        work = null;
        document.addEventListener(
          "pointerup",
          (end) => {
            if (Math.hypot(end.clientX - slid.x, end.clientY - slid.y) < START && sheet()?.dataset.open)
              open("");
          },
          { once: true },
        );
        return;
      }
      if (tool() === "select" && !work.start && !work.slides && !work.token) work.look = "";
      event.preventDefault();
      event.target.setPointerCapture?.(event.pointerId);
    },
    true,
  );
  document.addEventListener("pointermove", (event) => {
    if (work?.id === event.pointerId) follow(event);
  });
  document.addEventListener("pointerup", (event) => {
    if (work?.id === event.pointerId) drop();
  });
  document.addEventListener("pointercancel", (event) => {
    if (work?.id === event.pointerId) {
      work = null;
      show();
    }
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-draw-finish]")) endChain();
  });
  document.addEventListener("dblclick", (event) => {
    if (event.target.closest?.("[data-map]") && chain.length) {
      chain.pop();
      endChain();
    }
  });
  const wanted = document.querySelector(`[data-tool="${CSS.escape(location.hash.replace("#tool-", ""))}"]`);
  if (wanted) wanted.checked = true;
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-tool]")) {
      chain = [];
      show();
    }
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (!sheet() || event.target.matches("input:not([type=radio], [type=checkbox]), select, textarea"))
        return;
      if (event.key === "Enter" && chain.length) endChain();
      else if (event.key === "Escape" && (chain.length || work)) [chain, work] = [[], null];
      else if (event.key === "Delete" && sheet().dataset.open)
        send({ do: "remove", shape: sheet().dataset.open });
      else return;
      event.preventDefault();
      show();
    },
    true,
  );
  // Enlarge names that would be too small to read
  const SMALLEST = 12; // pixels
  function enlarge() {
    for (const text of window.cosmosMap.frame()?.querySelectorAll(".map text") || []) {
      if (!text.matches(".label")) text.style.fontSize = "";
      const own = parseFloat(getComputedStyle(text).fontSize);
      const pixels = own * Math.abs(text.getScreenCTM()?.a || 1);
      if (pixels && pixels < SMALLEST) text.style.fontSize = `${(own * SMALLEST) / pixels}px`;
    }
  }
  // A new map keeps the part that is shown
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target?.id === "scene-editor") window.cosmosMap.hold();
  });
  for (const kind of ["map:view", "htmx:afterSettle"])
    document.addEventListener(kind, () => {
      show();
      requestAnimationFrame(enlarge);
    }); // after map.js has sized them
  // What was selected on the map comes out from under a phone's sheet
  function reveal() {
    const form = document.getElementById("shape");
    const chosen = form && shapes().find((shape) => shape.ref === sheet().dataset.open);
    if (!chosen || getComputedStyle(form).position !== "fixed" || seen === chosen.ref) return;
    const { top, left } = form.getBoundingClientRect();
    const at = new DOMPoint((chosen.x1 + chosen.x2) / 2, (chosen.y1 + chosen.y2) / 2).matrixTransform(
      sheet().getScreenCTM(),
    );
    if (!left && at.y > top - MARGIN) scrollBy(0, at.y - top + MARGIN);
  }
  document.addEventListener("htmx:afterSettle", () => {
    if (!sheet()) return;
    reveal();
    seen = sheet().dataset.open;
  });
  // A message about a file is outdated after a change
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "scene-editor") document.getElementById("messages").replaceChildren();
  });
  show();
  enlarge();
})();
