// Moves tokens: asks the server once where a token can go, and sends one request.
//
// data-move="way" is a token that pays for its path, "place" one that the GM puts anywhere. data-puts on a button of the GM is
// the switch that makes every drag and step of theirs a correction, which spends nothing; this browser remembers it. The cost is shown above the finger,
// or the reason if a place is out of reach. The form #map-move sends the request. data-step moves step by step, and a tap on
// the ground aims at that place, with a card that says what the move would do. A tap on another deck (data-deck on its button),
// a token dropped there, data-step-deck ("up", "down") or a way (data-way) asks for the whole move, with its parts and their sum.
// data-price is where the price of a way stands, by its id.
(() => {
  "use strict";
  const { put, write } = window.cosmosMap;
  const SVG = "http://www.w3.org/2000/svg";
  const START = 6; // pixels until a press becomes a drag
  const WAIT = 150; // milliseconds that a token rests before a request for its path
  const form = () => document.getElementById("map-move");
  const picture = () => document.querySelector("[data-map] > .map");
  const puts = () => Boolean(form()?.dataset.gm) && read() === "put";
  function read() {
    try {
      return localStorage.getItem("drag");
    } catch {
      return null;
    }
  }
  function showPuts() {
    for (const button of document.querySelectorAll("[data-puts]"))
      button.setAttribute("aria-pressed", puts());
    for (const button of document.querySelectorAll("[data-step-go]"))
      button.textContent = puts() ? "Put" : "Move";
  }
  let carried = null; // {who, kind, link, from, paths, target, id, x, y, moved}
  let dropped = false;
  let timer = 0;

  const round = (number) => Math.round(number * 10) / 10;
  const middle = (link) => {
    const [x, y] = link
      .querySelector(".token")
      .getAttribute("transform")
      .match(/translate\(([^)]+)\)/)[1]
      .split(/[ ,]+/)
      .map(Number);
    return { x, y };
  };
  async function ask(query) {
    const answer = await fetch(`${form().getAttribute("action")}paths/?${new URLSearchParams(query)}`, {
      headers: { Accept: "application/json" },
    });
    return answer.ok
      ? answer.json()
      : { moves: [], places: [], words: [], provokes: [], refused: "The table did not answer." };
  }

  // ---- What is shown ----
  function layer() {
    const found = picture().querySelector(".carry") || document.createElementNS(SVG, "g");
    found.setAttribute("class", "carry");
    picture().append(found);
    return found;
  }
  // Other scripts draw what belongs to a dragged token
  const tell = (detail) => document.dispatchEvent(new CustomEvent("map:carry", { detail }));
  function clear() {
    picture()?.querySelector(".carry")?.remove();
    picture()?.querySelector(".carry-cells")?.remove();
  }
  function showCells(paths) {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "carry-cells");
    const looks = paths.moves.map(() => "");
    for (const [, , x, y, , move, side] of paths.places) {
      const half = side / 2 - 0.04;
      looks[move] += `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}z`;
    }
    looks.forEach((path, number) =>
      put(group, "path", `carry-cell carry-cell-${Math.min(number, 2)}`, { d: path }),
    );
    picture().querySelector(".carry-cells")?.remove();
    picture().prepend(group);
  }
  // The places along the path: as the rules walked it, else from turn to turn, else straight
  function follow(from, goal) {
    if (goal.way?.length) return goal.way.map(([x, y]) => ({ x, y }));
    const along = [goal];
    for (let number = goal.turn ?? -1; number >= 0;) {
      const [x, y, before] = carried.paths.turns[number];
      along.unshift({ x, y });
      number = before;
    }
    return [from, ...along];
  }
  function show() {
    if (!carried || !picture()) return;
    const here = layer();
    here.replaceChildren();
    const { from, at, target, paths } = carried;
    const goal = target || at;
    const planned = carried.out?.courses?.length ? carried.out.courses : null;
    if (planned)
      for (const course of planned)
        put(here, "polyline", "carry-way", { points: course.map((spot) => spot.join(",")).join(" ") });
    else
      put(here, "polyline", target ? "carry-way" : "carry-way carry-no", {
        points: follow(from, goal)
          .map(({ x, y }) => `${x},${y}`)
          .join(" "),
      });
    const ghost = carried.link.querySelector(".token").cloneNode(true);
    ghost.setAttribute(
      "transform",
      ghost.getAttribute("transform").replace(/translate\([^)]+\)/, `translate(${goal.x} ${goal.y})`),
    );
    ghost.classList.add(target ? "carry-ghost" : "carry-ghost-no");
    here.append(ghost);
    tell({ who: carried.who, at: goal });
    if (carried.tapped && !carried.away) showCard(goal);
    else write(here, carried.finger || goal, describe(target, paths));
    const go = document.querySelector("[data-step-go]");
    if (go) go.disabled = !target;
  }
  function describe(target, paths) {
    if (carried.kind === "place")
      return [`Put at ${round(target.x)}, ${round(target.y)} ${form().dataset.unit}: spends no move`];
    if (!paths) return ["…"];
    if (paths.refused) return [paths.refused];
    if (!target && isAway(carried.from, carried.at)) return ["Another deck: drop to see the way there."];
    if (!target) return [`Out of reach: drop it on a marked ${form().dataset.hexes ? "hex" : "square"}.`];
    const move = paths.moves[target.move];
    const left = round(move.most - target.cost);
    return [
      ...(target.provokes || []),
      `${move.label}: ${round(target.cost)} ${paths.unit}, ${left} ${paths.unit} left`,
    ];
  }

  // ---- To another deck ----
  function deckAt({ x, y }) {
    return [...document.querySelectorAll("[data-map] [data-deck]")].find((button) => {
      const [left, top, width, height] = button.dataset.deck.split(" ").map(Number);
      return x >= left && x <= left + width && y >= top && y <= top + height;
    });
  }
  const isAway = (from, at) =>
    form().hasAttribute("data-across") && deckAt(at) && deckAt(at) !== deckAt(from);
  function showAcross(mine) {
    const { at, across } = mine;
    const here = layer();
    here.replaceChildren();
    for (const course of across.courses || [])
      put(here, "polyline", "carry-way", { points: course.map((spot) => spot.join(",")).join(" ") });
    const go = () => {
      cancel();
      if (across.out) help(across.out);
      else send({ do: "move_to_deck", combatant: mine.who, to: across.goal });
    };
    const { out, label } = across;
    const told = {
      head: across.head || "No move there",
      lines: across.refused ? [across.refused] : [`${across.whole}.`, ...across.notes],
      parts: across.refused ? [] : across.parts.map((part, number) => [part, across.prices[number]]),
      offers: out || label ? [{ label: out?.label || label, price: out?.price, go }] : [],
    };
    window.cosmosMap.tellCard(at, told, cancel);
  }

  // What the card of a place offers: to stand up first, the move itself, or the plan that helps
  function listOffers(target, move) {
    const doPlan = (out) => ({
      ...out,
      go: () => {
        cancel();
        help(out);
      },
    });
    const out = target?.refused || carried.out;
    if (!move || target.refused) return out?.fields ? [doPlan(out)] : [];
    const itself = {
      label: target.label ? `${target.label} ${round(target.cost)} ${carried.paths.unit}` : move.label,
      price: target.price,
      reaction: target.reaction,
      go: drop,
    };
    return target.upright ? [doPlan(target.upright), itself] : [itself];
  }
  function showCard(at) {
    const { target, paths } = carried;
    const move = paths?.moves[target?.move];
    const out = target?.refused || carried.out;
    const cost =
      move &&
      `${round(target.cost)} ${paths.unit} of ${round(move.most)}${target.note ? `, ${target.note}` : ""}`;
    const fields = move ? aim(target) : out?.fields;
    const told = {
      head: move ? target.place || move.label : out ? out.place : "No move there",
      lines: move ? [cost, ...(target.provokes || [])] : carried.none || describe(target, paths),
      parts: move && !target.refused ? [] : out?.parts,
      offers: listOffers(target, move),
      options:
        fields &&
        (() => {
          cancel();
          openForm(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "plan")));
        }),
    };
    window.cosmosMap.tellCard(at, told, cancel);
  }
  // Why nobody gets to a place that is not in reach, and the door to open
  async function askWhy(mine) {
    const { x, y } = unplot(mine.at);
    const found = await ask({
      combatant: mine.who,
      do: mine.paths.first,
      to: `${round(x)},${round(y)}`,
    });
    if (mine !== carried || !found.refused) return;
    Object.assign(mine, {
      none: [found.refused, found.out?.note].filter(Boolean),
      out: found.out && { ...found.out, place: found.place },
    });
    show();
  }

  // ---- Picking up, holding over a place, dropping ----
  function take(link, event, aims = false) {
    const from = middle(link);
    const mine = {
      who: link.dataset.combatant,
      kind: (event?.altKey && form().dataset.gm) || (puts() && !aims) ? "place" : link.dataset.move,
      link,
      from,
      at: from,
    };
    carried = Object.assign(mine, event ? { id: event.pointerId, x: event.clientX, y: event.clientY } : {});
    if (mine.kind === "way")
      mine.loading = ask({ combatant: mine.who }).then((paths) => {
        mine.paths = paths;
        if (carried === mine && (mine.moved || !event)) showCells(paths);
        hold();
      });
  }
  function nearest(at, paths) {
    let best = null;
    for (const [px, py, x, y, cost, move, side, turn] of paths.places) {
      const away = Math.hypot(x - at.x, y - at.y);
      if (away <= side * 0.75 && (!best || away < best.away)) best = { px, py, x, y, cost, move, turn, away };
    }
    return best;
  }
  function hold() {
    if (!carried) return;
    const before = carried.target;
    if (carried.kind === "place")
      carried.target = { x: Math.round(carried.at.x * 2) / 2, y: Math.round(carried.at.y * 2) / 2 };
    else if (carried.paths && carried.finger) carried.target = nearest(carried.at, carried.paths);
    const [now, same] = [
      carried.target,
      before && carried.target && before.x === carried.target.x && before.y === carried.target.y,
    ];
    if (same) carried.target = before;
    else if (now && carried.kind === "way") {
      clearTimeout(timer);
      timer = setTimeout(() => weigh(now), WAIT);
    }
    if (carried.moved || !carried.finger) show();
  }
  const aim = (target) => ({
    combatant: carried.who,
    do: carried.paths.moves[target.move].do,
    to: `${target.px},${target.py}`,
  });
  async function weigh(target) {
    if (!carried || target.provokes) return;
    const found = await ask(aim(target));
    target.provokes = found.refused ? [found.refused] : found.provokes;
    target.refused = found.refused && { ...found.out, place: found.place };
    const { way, place, note, price, label, upright, reaction } = found;
    Object.assign(target, { way, place, note, price, label, upright, reaction });
    show();
  }
  function send(fields) {
    for (const name of ["do", "combatant"]) form().elements[name].value = fields[name] ?? "";
    for (const field of form().querySelectorAll("input[data-may]")) field.value = fields[field.name] ?? "";
    for (const field of form().querySelectorAll("input[data-may]")) field.disabled = !field.value;
    form().requestSubmit();
  }
  // What helps against a refusal: a plan is done, anything else opens its form
  const help = ({ fields }) => (fields.plan ? send(fields) : openForm(fields));
  // The form of an action, filled in
  function openForm(fields) {
    window.htmx.ajax("GET", `?${new URLSearchParams(fields)}`, {
      source: "#table",
      target: "#table",
      swap: "outerHTML",
    });
  }
  async function drop() {
    const mine = carried;
    await mine.loading;
    hold();
    const { target } = mine;
    if (!target && mine.kind === "way" && isAway(mine.from, mine.at)) {
      cancel();
      await aimAt(mine.at, mine.link);
      return;
    }
    const fields = target && mine.kind === "way" ? aim(target) : null;
    if (fields && !target.provokes) await weigh(target);
    cancel();
    if (mine.kind === "place" && target) send({ do: "place", target: mine.who, ...unplot(target) });
    else if (fields && target.provokes.length) openForm(fields);
    else if (fields) send(fields);
  }
  // On a map of hexes, places are named by their hex
  function unplot({ x, y }) {
    if (!form().dataset.hexes) return { x, y };
    const row = Math.round(y / (Math.sqrt(3) / 2));
    return { x: Math.round(x - row / 2), y: row };
  }
  Object.assign(window.cosmosMap, { unplot, send });
  function cancel() {
    clearTimeout(timer);
    if (carried) tell(null);
    if (carried?.tapped) window.cosmosMap.closeCard();
    carried = null;
    clear();
    showSteps();
  }

  document.addEventListener(
    "pointerdown",
    (event) => {
      const box = event.target.closest?.("[data-map]");
      if (!box || event.button || !form() || event.target.closest("button, .map-card")) return;
      if (carried) cancel();
      dropped = false;
      const link = event.target.closest("[data-move]");
      if (!link) return;
      take(link, event);
      event.preventDefault();
    },
    true,
  );
  document.addEventListener("pointermove", (event) => {
    if (!carried || carried.id !== event.pointerId) return;
    if (!carried.moved && Math.hypot(event.clientX - carried.x, event.clientY - carried.y) < START) return;
    if (!carried.moved && carried.paths) showCells(carried.paths);
    carried.moved = true;
    carried.at = carried.finger = window.cosmosMap.place(event.clientX, event.clientY);
    hold();
  });
  document.addEventListener("pointerup", (event) => {
    if (!carried || carried.id !== event.pointerId) return;
    dropped = Boolean(carried.moved);
    if (carried.moved) drop();
    else carried = null;
  });
  document.addEventListener("pointercancel", (event) => {
    if (carried?.id === event.pointerId) cancel();
  });
  document.addEventListener(
    "click",
    (event) => {
      if (!dropped || !event.target.closest?.("[data-map] > svg")) return;
      dropped = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  // data-press="id": a place of the map that presses a button of the list beside it
  document.addEventListener("click", (event) => {
    const grip = event.target.closest?.("[data-press]");
    if (grip && !event.defaultPrevented) document.getElementById(grip.dataset.press)?.click();
  });

  // ---- A tap on the ground ----
  async function aimAt(at, link = document.querySelector('[data-move="way"]')) {
    take(link, null, true);
    const mine = Object.assign(carried, { at, tapped: true, away: isAway(carried.from, at) });
    await mine.loading;
    if (mine !== carried) return;
    mine.target = mine.paths && nearest(at, mine.paths);
    showSteps();
    if (mine.away && !mine.target) {
      mine.across = await ask({ combatant: mine.who, across: `${round(at.x)},${round(at.y)}` });
      if (mine === carried) showAcross(mine);
      return;
    }
    show();
    if (mine.target) weigh(mine.target);
    else if (mine.paths?.first) askWhy(mine);
  }
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      !event.target.matches?.("[data-map] > .map, .map :is(.carry-cell, .fog, .label)")
    )
      return;
    if (
      !document.querySelector('[data-move="way"]') ||
      document.querySelector(".map-steps [aria-pressed=true]")
    )
      return;
    aimAt(window.cosmosMap.place(event.clientX, event.clientY));
  });

  // ---- Step by step, with buttons ----
  let pressed = null; // the button of the last step: it gets the focus back from those that are hidden
  function showSteps() {
    for (const button of document.querySelectorAll("[data-step-go], [data-step-off]")) {
      if (button === document.activeElement) pressed?.focus();
      button.hidden = !carried || Boolean(carried.tapped);
    }
  }
  // Reads out where a step leads, and again once more is known about it
  function tellStep(blocked = "") {
    const { at, target, paths } = carried;
    const { x, y } = unplot(at);
    const spot = `${round(x)}, ${round(y)} ${form().dataset.unit}`;
    const lines = target
      ? [blocked, spot, target.place, ...describe(target, paths)]
      : [paths.refused || blocked || "Back at the start"];
    const words = lines.filter(Boolean).join(". ");
    const live = document.getElementById("live");
    if (live && live.textContent !== words) live.textContent = words;
  }
  async function step(across, down) {
    const link = document.querySelector('[data-move="way"]');
    if (!link) return;
    if (!carried) take(link);
    const mine = carried;
    await mine.loading;
    if (mine !== carried) return;
    if (mine.kind === "place") {
      const { x, y } = mine.at;
      mine.at = mine.target = { x: x + across, y: y + down };
      window.cosmosMap.reveal(mine.at);
      showSteps();
      show();
      tellStep();
      return;
    }
    if (!mine.paths) return;
    const side = Math.min(...mine.paths.places.map((place) => place[6]), 2);
    const base = mine.target || mine.from;
    const next = nearest({ x: base.x + across * side, y: base.y + down * side }, mine.paths);
    const home =
      Math.hypot(base.x + across * side - mine.from.x, base.y + down * side - mine.from.y) < side / 2;
    if (home || next) mine.target = home ? null : next;
    mine.at = mine.target || mine.from;
    window.cosmosMap.reveal(mine.at);
    showSteps();
    show();
    tellStep(home || next ? "" : "No way there");
    const { target } = mine;
    if (target) await weigh(target);
    if (target && carried?.target === target) tellStep();
  }
  async function climb(way) {
    const link = document.querySelector('[data-move="way"]');
    if (!link) return;
    if (carried) cancel();
    take(link, null, true);
    const mine = Object.assign(carried, { tapped: true, away: true });
    await mine.loading;
    if (mine !== carried) return;
    showSteps();
    mine.across = await ask({ combatant: mine.who, across: way });
    if (mine !== carried) return;
    if (mine.across.to) mine.at = { x: mine.across.to[0], y: mine.across.to[1] };
    window.cosmosMap.reveal(mine.at);
    showAcross(mine);
  }
  // A way on the map: the whole move through it, instead of its form, which only takes ways within reach
  document.addEventListener(
    "click",
    (event) => {
      const way = event.target.closest?.("[data-way]");
      if (!way || !form() || !document.querySelector('[data-move="way"]')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      climb(`way:${way.dataset.way}`);
    },
    true,
  );
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-puts]")) {
      try {
        localStorage.setItem("drag", puts() ? "move" : "put");
      } catch {
        // Nothing to remember it in
      }
      if (carried) cancel();
      showPuts();
    }
    const climber = event.target.closest?.("[data-step-deck]");
    if (climber) climb(climber.dataset.stepDeck);
    const button = event.target.closest?.("[data-step], [data-step-go], [data-step-off]");
    if (!button) return;
    if (button.dataset.step) pressed = button;
    if (button.dataset.step) step(...button.dataset.step.split(",").map(Number));
    else if (button.hasAttribute("data-step-go")) drop();
    else cancel();
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !carried) return;
      cancel();
      event.preventDefault();
    },
    true,
  );
  // Each way of the deck of who acts says how far the move through it is, asked once for each state of the table
  let prices = { key: "", ways: {} };
  async function priceWays() {
    const who = document.querySelector('[data-move="way"]')?.dataset.combatant;
    if (!who || !form() || !document.querySelector("[data-price]")) return;
    const now = `${who} ${form().querySelector("[name=version]").value}`;
    if (prices.key !== now) {
      prices = { key: now, ways: {} };
      const { ways } = await ask({ combatant: who, ways: 1 });
      if (prices.key !== now) return;
      prices.ways = ways || {};
    }
    for (const words of document.querySelectorAll("[data-price]")) {
      const price = prices.ways[words.dataset.price] || "";
      if (words.textContent !== price) words.textContent = price;
    }
  }
  document.addEventListener("htmx:afterSwap", () => {
    priceWays();
    if (carried && !carried.link.isConnected) cancel();
    showSteps();
    showPuts();
  });
  showPuts();
  priceWays();
})();
