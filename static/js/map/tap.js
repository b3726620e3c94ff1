// Tap to act: a tap on a foe's token shows a card with how they are and the chance to hit, beside the token.
//
// A tap on any other token, which is no target of an open form, opens the GM's small window of its row; players get the card
// of everyone whose actions they cannot open.
// It asks data-foe of #map-move, whose data-actor is the attacker, in their turn. data-sends on a button are the fields that
// it sends by that form, data-card-weapon the weapon that it chooses. window.cosmosMap.tellCard(at, told, close) shows a card
// of other scripts. Escape closes it; data-card-go is its button. Arrow keys go from token to token once one has the focus: a
// press of Tab reaches the token of who acts.
(() => {
  "use strict";
  const GAP = 8; // pixels between a token, its card and the edge
  const NARROW = window.matchMedia("(max-width: 63.99rem)");
  const FINGER = 40; // pixels around what was tapped
  const REACH = 18; // pixels from the middle of a place to its card
  const form = () => document.getElementById("map-move");
  const frame = () => window.cosmosMap.frame();
  const picture = () => document.querySelector("[data-map] > .map");
  const tokenOf = (who) => (who ? picture()?.querySelector(`[data-token="${CSS.escape(who)}"]`) : null);
  const acting = () => {
    const token = tokenOf(form()?.dataset.actor);
    return token?.querySelector(".reticle") ? token : null;
  };
  const sideOf = (token) =>
    ["is-ally", "is-foe", "is-third", "is-neutral"].find((side) => token.querySelector(`.mark.${side}`));
  const holder = (token) => token.parentElement;
  let card = null; // {element, at, token, close}
  let asked = 0;

  function close(back = false) {
    asked += 1;
    if (!card) return false;
    const { element, token, whenClosed } = card;
    card = null;
    element.hidden = true;
    // A pressed link stays until its answer is in place: htmx finds the extensions from it
    if (element.querySelector(".htmx-request"))
      document.addEventListener("htmx:afterSettle", () => element.remove(), { once: true });
    else element.remove();
    if (back) token?.focus({ preventScroll: true });
    whenClosed?.();
    return true;
  }

  function place() {
    if (!card || !window.cosmosMap.isSeen()) return;
    const box = frame().getBoundingClientRect();
    const at = new DOMPoint(card.at.x, card.at.y).matrixTransform(picture().getScreenCTM());
    const [x, y, wide, high] = [
      at.x - box.left,
      at.y - box.top,
      card.element.offsetWidth,
      card.element.offsetHeight,
    ];
    const far =
      REACH / 2 +
      GAP +
      (card.token ? card.token.querySelector(".mark").getBoundingClientRect().width / 2 : REACH / 2);
    const inside = (number, long, most) => Math.max(GAP, Math.min(number, most - long - GAP));
    const beside = [x + far, x - far - wide].find((left) => left >= GAP && left + wide <= box.width - GAP);
    const below = y + far + high <= box.height - GAP ? y + far : y - far - high;
    card.element.style.left = `${inside(beside ?? x - wide / 2, wide, box.width)}px`;
    card.element.style.top = `${inside(beside === undefined ? below : y - high / 3, high, box.height)}px`;
  }

  // On a phone the card has a whole side of the map: what was tapped stays in sight beside it
  function uncover() {
    if (!NARROW.matches || !window.cosmosMap.isSeen()) return;
    const [box, bar] = [frame().getBoundingClientRect(), card.element.getBoundingClientRect()];
    const at = new DOMPoint(card.at.x, card.at.y).matrixTransform(picture().getScreenCTM());
    const isBelow = bar.width > box.width - GAP;
    const over = FINGER + (isBelow ? at.y - bar.top : at.x - bar.left);
    if (over > 0) {
      const far = window.cosmosMap.meters(over);
      window.cosmosMap.slide(isBelow ? 0 : far, isBelow ? far : 0);
    }
  }

  function show(element, at, token = null, whenClosed = null) {
    close();
    card = { element, at, token, whenClosed };
    frame().append(element);
    window.htmx.process(element);
    place();
    uncover();
    if (element.getBoundingClientRect().bottom > window.innerHeight)
      element.scrollIntoView({ block: "nearest" }); // on a phone it lies below the map
    (element.querySelector("[data-card-go]") || element.querySelector("[data-card-close]"))?.focus({
      preventScroll: true,
    });
  }

  async function ask(token, more = {}) {
    const mine = ++asked;
    const query = new URLSearchParams({
      combatant: form().dataset.actor,
      target: token.dataset.token,
      ...more,
    });
    const answer = await fetch(`${form().dataset.foe}?${query}`);
    if (!answer.ok || mine !== asked || !token.isConnected) return;
    const made = document.createElement("template");
    made.innerHTML = await answer.text();
    if (mine !== asked) return;
    show(made.content.firstElementChild, window.cosmosMap.spot(`@${token.dataset.token}`), holder(token));
    if (more.weapon) card.element.querySelector("[data-card-weapon][aria-pressed=true]")?.focus();
  }

  const CROSS = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18"/></svg>';
  function put(parent, tag, text = "", look = "") {
    const part = document.createElement(tag);
    part.textContent = text;
    if (look) part.className = look;
    parent.append(part);
    return part;
  }
  function putButton(parent, words, look, then) {
    const button = put(parent, "button", words, `btn ${look}`.trim());
    button.type = "button";
    if (then) button.addEventListener("click", then);
    return button;
  }

  // A card of words and buttons, kept in place while they change: its head, lines, the parts of a plan as words and price,
  // offers of {label, price, reaction, title, go}, the first of them filled, and what opens the form with the same choices
  function tellCard(at, { head, lines, parts = [], offers = [], options }, whenClosed) {
    const element = document.createElement("div");
    element.className = "map-card";
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", head);
    const top = put(element, "div", "", "map-card-who");
    put(top, "b", head);
    if (options) putButton(top, "Options", "btn-quiet", options).dataset.showTab = "turn";
    const shut = putButton(top, "", "btn-quiet icon-btn");
    shut.dataset.cardClose = "";
    shut.setAttribute("aria-label", "Close");
    shut.innerHTML = CROSS;
    lines.forEach((line, number) => put(element, "p", line, number ? "small map-card-warn" : "small"));
    const plan = parts.length ? put(element, "ol", "", "plan") : null;
    for (const [words, price] of parts) {
      const part = put(plan, "li");
      put(part, "b", words);
      if (price) put(part, "small", price);
    }
    const acts = offers.length ? put(element, "p", "", "map-card-acts") : null;
    offers.forEach(({ label, price, reaction, title, go }, number) => {
      const button = putButton(acts, label, number ? "" : "btn-primary", go);
      if (title) button.setAttribute("aria-label", title);
      if (!number) button.dataset.cardGo = "";
      if (price) put(button, "small", price);
      if (reaction) put(button, "small", reaction);
    });
    if (card) card.whenClosed = null;
    show(element, at, null, whenClosed);
  }

  // The link of a row to its small window, which only the GM has
  const quickOf = (token) => document.querySelector(`#row-${CSS.escape(token.dataset.token)} .row-quick`);
  // A weapon of a card is chosen there; what it sends goes by the form of the map
  function press(target) {
    const { cardWeapon, sends } = target.closest("[data-card-weapon], [data-sends]")?.dataset ?? {};
    if (cardWeapon) ask(card.token.querySelector("[data-token]"), { weapon: cardWeapon });
    if (!sends) return;
    close();
    window.cosmosMap.send(JSON.parse(sends));
  }
  const isFoe = (token) => acting() && token !== acting() && sideOf(token) !== sideOf(acting());
  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest?.("[data-card-close]")) close(true);
      if (event.target.closest?.(".map-card")) press(event.target);
      if (!event.target.closest || event.target.closest(".map-card")) return;
      close();
      const token =
        event.target.closest("[data-map] > .map [data-token]") ||
        event.target.querySelector(":scope > [data-token]");
      if (!token || holder(token).getAttribute("href")?.includes("target=")) return;
      const link = quickOf(token);
      const asks =
        form()?.dataset.foe &&
        (isFoe(token) || (!link && form().dataset.actor && !holder(token).matches("a")));
      if (!asks && !link) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (asks) ask(token);
      else link.click();
    },
    true,
  );

  // ---- Keys ----
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function walk(token, [across, down]) {
    const spot = (one) => window.cosmosMap.spot(`@${one.dataset.token}`);
    const here = spot(token);
    let best = null;
    for (const one of picture().querySelectorAll("[data-token]")) {
      const [x, y] = [spot(one).x - here.x, spot(one).y - here.y];
      const ahead = x * across + y * down;
      const away = ahead + 2 * Math.abs(x * down + y * across);
      if (one !== token && ahead > 0 && (!best || away < best.away)) best = { one, away };
    }
    if (!best) return;
    if (!holder(best.one).hasAttribute("tabindex")) holder(best.one).setAttribute("tabindex", "-1");
    holder(best.one).focus();
    window.cosmosMap.reveal(spot(best.one));
  }
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && close(true)) return event.preventDefault();
      const token = event.target.querySelector?.(":scope > [data-token]");
      if (!token || event.ctrlKey || event.metaKey || event.altKey) return undefined;
      if (WAYS[event.key]) walk(token, WAYS[event.key]);
      else if (event.key === "Enter" && !event.target.matches("a"))
        token.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      else return undefined;
      return event.preventDefault();
    },
    true,
  );

  function settle() {
    const token = acting();
    if (token?.closest("a")) token.closest("a").setAttribute("tabindex", "0");
  }
  document.addEventListener("htmx:afterSwap", () => close()); // not before: htmx finds the extensions from the pressed link
  document.addEventListener("htmx:afterSettle", settle);
  document.addEventListener("map:view", place);
  Object.assign(window.cosmosMap, {
    tellCard,
    closeCard: () => {
      if (card) card.whenClosed = null;
      close();
    },
  });
  settle();
})();
