// Moves tokens: asks the server once where a token can go, and sends one request.
//
// data-move="way" is a token that pays for its path, "place" one that the GM puts anywhere. The cost is shown above the finger,
// or the reason if a place is out of reach. The form #map-move sends the request. data-step moves step by step, and a tap on
// the ground aims at that place, with a card that says what the move would do. A tap on another deck (data-deck on its button),
// a token dropped there, or data-step-deck ("up", "down") asks for the whole move there, with its parts and their sum.
(() => {
  "use strict";
  const { put, write } = window.cosmosMap;
  const SVG = "http://www.w3.org/2000/svg";
  const START = 6;  // pixels until a press becomes a drag
  const WAIT = 150;  // milliseconds that a token rests before a request for its path
  const form = () => document.getElementById("map-move");
  const picture = () => document.querySelector("[data-map] > .map");
  let carried = null;  // {who, kind, link, from, paths, target, id, x, y, moved}
  let dropped = false;
  let timer = 0;

  const round = (number) => Math.round(number * 10) / 10;
  const middle = (link) => {
    const [x, y] = link.querySelector(".token").getAttribute("transform").match(/translate\(([^)]+)\)/)[1].split(/[ ,]+/).map(Number);
    return { x, y };
  };
  async function ask(query) {
    const answer = await fetch(`${form().getAttribute("action")}paths/?${new URLSearchParams(query)}`, { headers: { Accept: "application/json" } });
    return answer.ok ? answer.json() : { moves: [], places: [], words: [], provokes: [], refused: "The table did not answer." };
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
      const half = side / 2 - .04;
      looks[move] += `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}z`;
    }
    looks.forEach((path, number) => put(group, "path", `carry-cell carry-cell-${Math.min(number, 2)}`, { d: path }));
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
    put(here, "polyline", target ? "carry-way" : "carry-way carry-no", { points: follow(from, goal).map(({ x, y }) => `${x},${y}`).join(" ") });
    const ghost = carried.link.querySelector(".token").cloneNode(true);
    ghost.setAttribute("transform", ghost.getAttribute("transform").replace(/translate\([^)]+\)/, `translate(${goal.x} ${goal.y})`));
    ghost.classList.add(target ? "carry-ghost" : "carry-ghost-no");
    here.append(ghost);
    tell({ who: carried.who, at: goal });
    if (carried.tapped && !carried.away) showCard(goal);
    else write(here, carried.finger || goal, describe(target, paths));
    const go = document.querySelector("[data-step-go]");
    if (go) go.disabled = !target;
  }
  function describe(target, paths) {
    if (carried.kind === "place") return [`${round(target.x)}, ${round(target.y)} ${form().dataset.unit}`];
    if (!paths) return ["…"];
    if (paths.refused) return [paths.refused];
    if (!target && isAway(carried.from, carried.at)) return ["Another deck: drop to see the way there."];
    if (!target) return [`Out of reach: drop it on a marked ${form().dataset.hexes ? "hex" : "square"}.`];
    const move = paths.moves[target.move];
    const left = round(move.most - target.cost);
    return [...(target.provokes || []), `${move.label}: ${round(target.cost)} ${paths.unit}, ${left} ${paths.unit} left`];
  }

  // ---- To another deck ----
  function deckAt({ x, y }) {
    return [...document.querySelectorAll("[data-map] [data-deck]")].find((button) => {
      const [left, top, width, height] = button.dataset.deck.split(" ").map(Number);
      return x >= left && x <= left + width && y >= top && y <= top + height;
    });
  }
  const isAway = (from, at) => form().hasAttribute("data-across") && deckAt(at) && deckAt(at) !== deckAt(from);
  function showAcross(mine) {
    const { at, across } = mine;
    const here = layer();
    here.replaceChildren();
    for (const course of across.courses || []) put(here, "polyline", "carry-way", { points: course.map((spot) => spot.join(",")).join(" ") });
    const lines = across.refused ? [across.refused] : [`${across.parts.join(" + ")}. ${across.whole}.`, ...across.notes];
    const go = () => {
      cancel();
      send({ do: "move_to_deck", combatant: mine.who, to: `${round(at.x)},${round(at.y)}` });
    };
    window.cosmosMap.tellCard(at, across.head || "No move there", lines, across.label, go, cancel);
  }

  function showCard(at) {
    const { target, paths } = carried;
    const move = paths?.moves[target?.move];
    const cost = move && `${round(target.cost)} ${paths.unit} of ${round(move.most)}${target.note ? `, ${target.note}` : ""}`;
    const head = move ? target.place || move.label : "No move there";
    const lines = move ? [cost, ...(target.provokes || [])] : describe(target, paths);
    window.cosmosMap.tellCard(at, head, lines, move?.label, drop, cancel);
  }

  // ---- Picking up, holding over a place, dropping ----
  function take(link, event) {
    const from = middle(link);
    const mine = { who: link.dataset.combatant, kind: event?.altKey && form().dataset.gm ? "place" : link.dataset.move, link, from, at: from };
    carried = Object.assign(mine, event ? { id: event.pointerId, x: event.clientX, y: event.clientY } : {});
    if (mine.kind === "way") mine.loading = ask({ combatant: mine.who }).then((paths) => {
      mine.paths = paths;
      if (carried === mine && (mine.moved || !event)) showCells(paths);
      hold();
    });
  }
  function nearest(at, paths) {
    let best = null;
    for (const [px, py, x, y, cost, move, side, turn] of paths.places) {
      const away = Math.hypot(x - at.x, y - at.y);
      if (away <= side * .75 && (!best || away < best.away)) best = { px, py, x, y, cost, move, turn, away };
    }
    return best;
  }
  function hold() {
    if (!carried) return;
    const before = carried.target;
    if (carried.kind === "place") carried.target = { x: Math.round(carried.at.x * 2) / 2, y: Math.round(carried.at.y * 2) / 2 };
    else if (carried.paths && carried.finger) carried.target = nearest(carried.at, carried.paths);
    const [now, same] = [carried.target, before && carried.target && before.x === carried.target.x && before.y === carried.target.y];
    if (same) carried.target = before;
    else if (now && carried.kind === "way") {
      clearTimeout(timer);
      timer = setTimeout(() => weigh(now), WAIT);
    }
    if (carried.moved || !carried.finger) show();
  }
  const aim = (target) => ({ combatant: carried.who, do: carried.paths.moves[target.move].do, to: `${target.px},${target.py}` });
  async function weigh(target) {
    if (!carried || target.provokes) return;
    const found = await ask(aim(target));
    target.provokes = found.refused ? [found.refused] : found.provokes;
    Object.assign(target, { way: found.way, place: found.place, note: found.note });
    show();
  }
  function send(fields) {
    for (const name of ["do", "combatant", "target", "to", "x", "y"]) form().elements[name].value = fields[name] ?? "";
    for (const field of form().querySelectorAll("input[data-may]")) field.disabled = !field.value;
    form().requestSubmit();
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
    else if (fields && target.provokes.length) window.htmx.ajax("GET", `?${new URLSearchParams(fields)}`, { source: "#table", target: "#table", swap: "outerHTML" });
    else if (fields) send(fields);
  }
  // On a map of hexes, places are named by their hex
  function unplot({ x, y }) {
    if (!form().dataset.hexes) return { x, y };
    const row = Math.round(y / (Math.sqrt(3) / 2));
    return { x: Math.round(x - row / 2), y: row };
  }
  window.cosmosMap.unplot = unplot;
  function cancel() {
    clearTimeout(timer);
    if (carried) tell(null);
    if (carried?.tapped) window.cosmosMap.closeCard();
    carried = null;
    clear();
    showSteps();
  }

  document.addEventListener("pointerdown", (event) => {
    const box = event.target.closest?.("[data-map]");
    if (!box || event.button || !form() || event.target.closest("button, .map-card")) return;
    if (carried) cancel();
    dropped = false;
    const link = event.target.closest("[data-move]");
    if (!link) return;
    take(link, event);
    event.preventDefault();
  }, true);
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
  document.addEventListener("click", (event) => {
    if (!dropped || !event.target.closest?.("[data-map] > svg")) return;
    dropped = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  // data-press="id": a place of the map that presses a button of the list beside it
  document.addEventListener("click", (event) => {
    const grip = event.target.closest?.("[data-press]");
    if (grip && !event.defaultPrevented) document.getElementById(grip.dataset.press)?.click();
  });

  // ---- A tap on the ground ----
  async function aimAt(at, link = document.querySelector('[data-move="way"]')) {
    take(link);
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
  }
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || !event.target.matches?.("[data-map] > .map, .map :is(.carry-cell, .fog, .label)")) return;
    if (!document.querySelector('[data-move="way"]') || document.querySelector(".map-steps [aria-pressed=true]")) return;
    aimAt(window.cosmosMap.place(event.clientX, event.clientY));
  });

  // ---- Step by step, with buttons ----
  let pressed = null;  // the button of the last step: it gets the focus back from those that are hidden
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
    const lines = target ? [blocked, spot, target.place, ...describe(target, paths)] : [paths.refused || blocked || "Back at the start"];
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
    if (mine !== carried || !mine.paths) return;
    const side = Math.min(...mine.paths.places.map((place) => place[6]), 2);
    const base = mine.target || mine.from;
    const next = nearest({ x: base.x + across * side, y: base.y + down * side }, mine.paths);
    const home = Math.hypot(base.x + across * side - mine.from.x, base.y + down * side - mine.from.y) < side / 2;
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
    take(link);
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
  document.addEventListener("click", (event) => {
    const climber = event.target.closest?.("[data-step-deck]");
    if (climber) climb(climber.dataset.stepDeck);
    const button = event.target.closest?.("[data-step], [data-step-go], [data-step-off]");
    if (!button) return;
    if (button.dataset.step) pressed = button;
    if (button.dataset.step) step(...button.dataset.step.split(",").map(Number));
    else if (button.hasAttribute("data-step-go")) drop();
    else cancel();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !carried) return;
    cancel();
    event.preventDefault();
  }, true);
  document.addEventListener("htmx:afterSwap", () => {
    if (carried && !carried.link.isConnected) cancel();
    showSteps();
  });
})();
