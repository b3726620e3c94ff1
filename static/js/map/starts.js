// The form of a start area: which edges a press takes, what pulling them makes of it, and how it is drawn meanwhile.
//
// data-start is a start area, data-at its corner and data-size its width and depth in meters; data-leans is there where it
// lies as hexes do. data-edge on it says which edges a press would take, for the pointer's look.
(() => {
  "use strict";
  const ROW = Math.sqrt(3) / 2; // meters between rows of hexes
  const FINE = 9; // pixels inside an edge that take it, and those for a finger
  const COARSE = 22;
  const PART = 4; // of an area: its edges take at most such a part of it from each side
  const LEAST = 1; // meter
  const round = (number) => Math.round(number * 2) / 2;

  function read(start) {
    const [x, y] = start.dataset.at.split(" ").map(Number);
    const [width, depth] = start.dataset.size.split(" ").map(Number);
    return { x, y, width, depth };
  }
  const leans = (start) => "leans" in start.dataset;
  const plot = (start, { x, y }) => (leans(start) ? { x: x + y / 2, y: y * ROW } : { x, y });
  const unplot = (start, { x, y }) => (leans(start) ? { x: x - y / ROW / 2, y: y / ROW } : { x, y });

  // The letters of the edges at a place of the map, in meters: "" in the middle
  function edges(start, at, isFinger) {
    const { x, y, width, depth } = read(start);
    const near = window.cosmosMap.meters(isFinger ? COARSE : FINE);
    const here = unplot(start, at);
    const pick = (from, long, [low, high]) => {
      const most = Math.min(near, long / PART);
      return from <= most ? low : from >= long - most ? high : "";
    };
    return pick(here.y - y, depth, "ns") + pick(here.x - x, width, "we");
  }

  // An area after its edges, or all of it, went so far; whole and half meters, on hexes whole ones
  function pull(start, sides, by, box = read(start)) {
    const way = unplot(start, by);
    const step = leans(start) ? Math.round : round;
    const [across, down] = [step(way.x), step(way.y)];
    if (!sides) return { ...box, x: box.x + across, y: box.y + down };
    const wide = sides.includes("w") ? -across : sides.includes("e") ? across : 0;
    const deep = sides.includes("n") ? -down : sides.includes("s") ? down : 0;
    const width = Math.max(LEAST, box.width + wide);
    const depth = Math.max(LEAST, box.depth + deep);
    return {
      x: sides.includes("w") ? box.x + box.width - width : box.x,
      y: sides.includes("n") ? box.y + box.depth - depth : box.y,
      width,
      depth,
    };
  }

  // Draw an area where it would be, its name and grips with it
  function show(start, { x, y, width, depth } = read(start)) {
    const ends = [
      [x, y],
      [x + width, y],
      [x + width, y + depth],
      [x, y + depth],
    ].map(([left, top]) => plot(start, { x: left, y: top }));
    start.querySelector("path").setAttribute("d", `M${ends.map((end) => `${end.x} ${end.y}`).join("L")}Z`);
    for (const [n, grip] of start.querySelectorAll("circle").entries()) {
      const [one, other] = [ends[n], ends[(n + 1) % ends.length]];
      grip.setAttribute("cx", (one.x + other.x) / 2);
      grip.setAttribute("cy", (one.y + other.y) / 2);
    }
    const old = read(start);
    const by = plot(start, { x: x - old.x, y: y - old.y });
    for (const name of start.querySelectorAll("text"))
      name.setAttribute("transform", `translate(${by.x} ${by.y})`);
  }

  document.addEventListener("pointermove", (event) => {
    const start = !event.buttons && event.target.closest?.("[data-start]");
    if (start)
      start.dataset.edge = edges(
        start,
        window.cosmosMap.place(event.clientX, event.clientY),
        event.pointerType === "touch",
      );
  });

  window.cosmosStarts = { edges, pull, read, show };
})();
