// Shows who a token is, how they are, and the line to them with what it crosses.
//
// For the token under the pointer, the one tapped, or the one chosen in an open form. While a token is dragged, the rings of
// the actor's weapon stay around it. All figures come from the server: data-lines of #map-move is the address, data-actor
// the combatant. A page without an actor, such as a spectator's, shows no line. Tokens have data-token; data-line names one
// in a list.
(() => {
  "use strict";
  const { meters, put } = window.cosmosMap;
  const SVG = "http://www.w3.org/2000/svg";
  const form = () => document.getElementById("map-move");
  const picture = () => document.querySelector("[data-map] > .map");
  const field = (name) => document.querySelector(".action-form")?.elements[name]; // of tiles: all, and the chosen one's value
  const actor = () => field("combatant")?.value || form()?.dataset.actor || "";
  let known = { key: "", found: null };
  let pointed = "";
  let carried = null; // {who, at}

  async function ask() {
    const key = `${actor()} ${document.getElementById("table")?.dataset.version}`;
    if (!actor() || key === known.key) return;
    const mine = (known = { key, found: null });
    const answer = await fetch(`${form().dataset.lines}?${new URLSearchParams({ combatant: actor() })}`, {
      headers: { Accept: "application/json" },
    });
    if (!answer.ok || mine !== known) return;
    mine.found = await answer.json();
    show();
  }

  function clear() {
    for (const old of document.querySelectorAll(".sight-lines, .map-tip")) old.remove();
  }

  // Place words at the first spot where they cover the fewest tokens and words of rings
  function leastCovering(spots, place, own = null) {
    const others = [...document.querySelectorAll("[data-token], .ring-words")]
      .filter((one) => one !== own)
      .map((one) => one.getBoundingClientRect());
    const hides = (box) =>
      others.filter(
        (one) => one.left < box.right && box.left < one.right && one.top < box.bottom && box.top < one.bottom,
      ).length;
    const counts = spots.map((spot) => hides(place(spot)));
    if (spots.length) place(spots[counts.indexOf(Math.min(...counts))]);
  }

  function label(layer, ring, at) {
    const [left, top, width, height] = picture().getAttribute("viewBox").split(" ").map(Number);
    const size = meters(13);
    const spots = [
      [0, ring.low],
      [0, -ring.low],
      [ring.low, 0],
      [-ring.low, 0],
    ].map(([x, y]) => ({ x: at.x + x, y: at.y + y }));
    const shown = spots.filter(
      ({ x, y }) => x > left && x < left + width && y > top + size * 2 && y < top + height - size,
    );
    if (!shown.length) return;
    const words = put(layer, "text", "ring-words", { "font-size": size }, ring.words);
    leastCovering(
      shown,
      ({ x, y }) => {
        const side = (x - left) / width;
        const anchor = side < 0.2 ? "start" : side > 0.8 ? "end" : "middle";
        for (const [name, value] of Object.entries({ x, y: y - size / 3, "text-anchor": anchor }))
          words.setAttribute(name, value);
        return words.getBoundingClientRect();
      },
      words,
    );
  }

  function drawRings(layer, over, rings, at) {
    const item = field("weapon")?.value || rings[0]?.item;
    for (const ring of rings.filter((one) => one.item === item)) {
      const where = { transform: `translate(${at.x} ${at.y})` };
      if (ring.path) put(layer, "path", "ring", { d: ring.path, ...where });
      else put(layer, "circle", "ring", { r: ring.metres, ...where });
      if (ring.metres > meters(20)) label(over, ring, at);
    }
  }

  const tokenOf = (who) => document.querySelector(`[data-token="${CSS.escape(who)}"]`);
  const healthOf = (who) => document.querySelector(`#row-${CSS.escape(who)} .health`);
  const wordOf = (health) =>
    health?.querySelector("b").textContent || health?.querySelector("svg").getAttribute("aria-label") || "";

  const placeOf = (token) =>
    token
      .getAttribute("transform")
      .match(/translate\(([^)]+)\)/)[1]
      .split(/[ ,]+/)
      .map(Number);

  // What is read out with the name of a token: how they are, where, how far away and behind what
  function tell(token, words = []) {
    const holder = token.parentElement;
    const all = [wordOf(healthOf(token.dataset.token)), ...words, holder.dataset.place];
    holder.setAttribute("aria-description", all.filter(Boolean).join(", "));
  }

  // A combatant without a known line: only its name and place
  function nameOnly(who) {
    const token = tokenOf(who);
    const at = placeOf(token);
    return { id: who, at, seen: true, words: [token.parentElement.getAttribute("aria-label")] };
  }

  function drawTip(line) {
    const frame = window.cosmosMap.frame();
    const tip = document.createElement("div");
    tip.className = line.seen ? "map-tip" : "map-tip is-unseen";
    const [name, ...others] = line.words;
    if (tokenOf(line.id)) tell(tokenOf(line.id), others);
    const head = [name, wordOf(healthOf(line.id))].filter(Boolean).join(" · ");
    [head, ...others].forEach((words, number) => {
      const part = document.createElement(number ? "span" : "b");
      part.textContent = words;
      tip.append(part);
    });
    frame.append(tip);
    const matrix = picture().getScreenCTM();
    const spot = new DOMPoint(...line.at).matrixTransform(matrix);
    const box = frame.getBoundingClientRect();
    const [x, y] = [spot.x - box.left, spot.y - box.top];
    const [wide, high] = [tip.offsetWidth, tip.offsetHeight];
    const token = tokenOf(line.id)?.getBoundingClientRect();
    const far = token ? Math.max(28, token.width / 2 + 6) : 28;
    const spots = [
      [12, 28],
      [12, -28 - high],
      [far, -high / 2],
      [-far - wide, -high / 2],
      [far, 24 - high],
      [-far - wide, 24 - high],
      [far, 28],
      [-far - wide, 28],
    ];
    const shown = spots.filter(([, down]) => y + down > 4 && y + down + high < box.height);
    leastCovering(shown.length ? shown : spots, ([across, down]) => {
      tip.style.left = `${Math.max(4, Math.min(x + across, box.width - wide - 4))}px`;
      tip.style.top = `${Math.max(4, y + down)}px`;
      return tip.getBoundingClientRect();
    });
  }

  // Above each token the chance that its face in the open form has
  function drawChances() {
    const over = document.createElementNS(SVG, "g");
    over.setAttribute("class", "sight-lines");
    picture().append(over);
    const chosen = field("target")?.value;
    const drawn = []; // where the chances of those who stand close are, which stack upwards
    for (const { dataset, textContent } of document.querySelectorAll(".action-form [data-chance]")) {
      const words = textContent.trim();
      const token = words && tokenOf(dataset.chance);
      if (!token) continue;
      const [x, y] = placeOf(token);
      const look = dataset.chance === chosen ? "token-chance is-chosen" : "token-chance";
      const size = { x, y: y - meters(24), "font-size": meters(13), "text-anchor": "middle" };
      const text = put(over, "text", look, size, words);
      const covers = (at) =>
        drawn.some((one) => Math.abs(one.x - x) < meters(40) && Math.abs(one.y - at) < meters(16));
      let at = size.y;
      while (covers(at)) at -= meters(16);
      text.setAttribute("y", at);
      drawn.push({ x, y: at });
    }
  }

  // At whom the filled button of the turn aims, while no form is open
  function markFoe() {
    for (const old of document.querySelectorAll(".foe-mark")) old.remove();
    const first = document.querySelector(".action-first[data-aims-at]");
    const token = first && picture() && tokenOf(first.dataset.aimsAt);
    if (!token || !window.cosmosMap.isSeen()) return;
    const [cx, cy] = placeOf(token);
    put(picture(), "circle", "foe-mark", { cx, cy, r: meters(23) });
  }

  function show() {
    clear();
    if (!picture() || !window.cosmosMap.isSeen()) return;
    const opened = Boolean(field("weapon") || field("target"));
    const who = carried ? "" : pointed || field("target")?.value || "";
    if (!who && !opened && !carried) return;
    if (!carried) drawChances();
    ask();
    const found = actor() ? known.found : null;
    if (found) drawLine(found, who);
    else if (tokenOf(who) && !actor()) drawTip(nameOnly(who));
  }

  function drawLine(found, who) {
    const layer = document.createElementNS(SVG, "g");
    const over = layer.cloneNode();
    for (const one of [layer, over]) one.setAttribute("class", "sight-lines");
    picture().prepend(layer);
    picture().append(over);
    const [x, y] = found.from;
    if (carried?.who === actor() || (!carried && field("weapon")))
      drawRings(layer, over, found.rings, carried?.at || { x, y });
    const line = found.lines.find((one) => one.id === who);
    if (line && who !== actor()) {
      const look = line.seen ? "sight-line" : "sight-line is-unseen";
      put(layer, "line", look, { x1: x, y1: y, x2: line.at[0], y2: line.at[1] });
      if (who === field("target")?.value)
        put(layer, "circle", "sight-mark", { cx: line.at[0], cy: line.at[1], r: meters(17) });
    }
    if (line) drawTip(line);
  }

  // Tokens get the health bars of the rows beside the map
  function wearBars() {
    for (const token of document.querySelectorAll("[data-token]")) {
      const health = healthOf(token.dataset.token);
      const [well, life] = token.querySelectorAll(".life-well, .life");
      tell(token);
      if (!health || !life) continue;
      const thin = Math.min(1, Number(token.dataset.thin || 1));
      const bar = (long) => `M-.9 1.25h${long}v${0.2 * thin}h${-long}z`;
      well.setAttribute("d", bar(1.8));
      life.setAttribute("d", bar((1.8 * Number(health.querySelector("rect").getAttribute("width"))) / 100));
      life.setAttribute(
        "class",
        `life ${[...health.classList].find((name) => name.startsWith("is-")) || ""}`,
      );
    }
  }

  function point(who) {
    if (pointed === who) return;
    pointed = who;
    show();
  }
  const tokenAt = (target) =>
    target.closest?.("[data-token]") || target.querySelector?.(":scope > [data-token]"); // the focus is on its link
  const pointedAt = ({ target }) =>
    tokenAt(target)?.dataset.token || target.closest?.("[data-line]")?.dataset.line || "";
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") point(pointedAt(event));
  });
  for (const kind of ["click", "focusin"])
    document.addEventListener(kind, (event) => point(pointedAt(event)));
  document.addEventListener("change", (event) => {
    if (event.target.closest?.(".action-form")) show();
  });
  document.addEventListener("map:carry", ({ detail }) => {
    carried = detail;
    show();
  });
  document.addEventListener("map:view", () => {
    markFoe();
    show();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    wearBars();
    markFoe();
    if (event.target.id === "odds-panel") show();
  });
  wearBars();
  show();
})();
