// The decks of a map: a button goes to its deck, PgUp and PgDn to the next one.
//
// data-deck on a button is the rectangle of its deck: left, top, width and height in meters. data-acts marks the deck of who
// acts: the map goes there when their turn begins, and along with them if it shows their deck. data-people marks those where people can still act: a projector shows all of these. In a player's
// turn a phone goes along with their character instead (map/phone.js).
(() => {
  "use strict";
  const ROOM = 0.94; // of the map's size that a deck fills
  const buttons = () => [...document.querySelectorAll("[data-map] [data-deck]")];
  let chosen = ""; // the rectangle of the deck that was chosen last
  let origin = ""; // that of the deck that the map left for a window
  let followed = ""; // that of the deck on which someone acts, once it was shown; null once all decks were asked for
  let turn = ""; // whose turn it was then

  function mark() {
    for (const one of buttons()) one.setAttribute("aria-pressed", String(one.dataset.deck === chosen));
  }

  const boxOf = (button) => button.dataset.deck.split(" ").map(Number);
  function show([left, top, width, height], stays = false) {
    const box = window.cosmosMap.frame().querySelector(":scope > .map").getBoundingClientRect();
    window.cosmosMap.look(
      { x: left + width / 2, y: top + height / 2 },
      ROOM * Math.min(box.width / width, box.height / height),
      stays,
    );
    mark();
  }
  function go(button) {
    origin = "";
    chosen = button.dataset.deck;
    show(boxOf(button), true);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-deck]");
    if (button) go(button);
    else if (event.target.closest?.('[data-map-view="whole"]')) {
      [chosen, followed] = ["", null];
      mark();
    }
  });

  document.addEventListener("keydown", (event) => {
    const step = { PageUp: -1, PageDown: 1 }[event.key];
    const all = buttons();
    if (
      !step ||
      !all.length ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !event.target.closest?.("[data-map]")
    )
      return;
    event.preventDefault();
    const at = all.findIndex((one) => one.dataset.deck === chosen);
    const from = at < 0 ? all.findIndex((one) => "acts" in one.dataset) - step : at;
    go(all[Math.min(all.length - 1, Math.max(0, from + step))]);
  });

  // The deck on which someone acts is shown; on a projector all from the first to the last on which people are
  function follow() {
    if (followed === null || window.cosmosMap.isMine()) return;
    if (document.documentElement.matches(".watch")) return watch();
    const acting = buttons().find((one) => "acts" in one.dataset);
    const now =
      window.cosmosMap.frame().querySelector(".reticle")?.closest("[data-token]")?.dataset.token || "";
    if (!acting || (followed === acting.dataset.deck && turn === now)) return;
    const isSeen = turn === now && chosen !== followed; // the deck that one switched to stays
    [followed, turn] = [acting.dataset.deck, now];
    if (!isSeen && chosen !== followed) go(acting);
  }
  function watch() {
    const fought = buttons().filter((one) => "people" in one.dataset);
    const words = fought.map((one) => one.dataset.deck).join(";");
    if (!fought.length || followed === words || (!followed && fought.length === buttons().length)) return;
    followed = words;
    const sides = fought
      .map(boxOf)
      .map(([left, top, width, height]) => [left, top, left + width, top + height]);
    const [left, top] = [0, 1].map((side) => Math.min(...sides.map((box) => box[side])));
    const [right, low] = [2, 3].map((side) => Math.max(...sides.map((box) => box[side])));
    show([left, top, right - left, low - top]);
  }

  // The deck of someone whom a window shows for a while is named until the map goes back
  document.addEventListener("map:visit", ({ detail: { at } }) => {
    const holds = ([left, top, width, height]) =>
      at.x >= left && at.x <= left + width && at.y >= top && at.y <= top + height;
    const deck = chosen && buttons().find((one) => holds(boxOf(one)));
    if (!deck || deck.dataset.deck === chosen) return;
    origin ||= chosen;
    chosen = deck.dataset.deck;
    mark();
  });
  document.addEventListener("map:return", () => {
    [chosen, origin] = [origin || chosen, ""];
    mark();
  });
  document.addEventListener("map:view", follow);
  document.addEventListener("htmx:afterSettle", mark);
})();
