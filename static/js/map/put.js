// Places people on the map of the preparation, and moves start areas: by dragging, by tapping, by keys.
//
// data-put on a token and data-put-row in the roster hold the ids of those who are placed; data-start is a start area, which
// starts.js moves and sizes. The form #put sends the place; its data-sight is the address that says what would be seen from there.
// #put-bar says who is on the way; data-put-off cancels, data-put-auto puts them into the start of their side.
// data-put-mode="people|starts" is what a press on the map takes.
(() => {
  "use strict";
  const START = 6; // pixels until a press becomes a drag
  const ROW = Math.sqrt(3) / 2; // meters between rows of hexes
  const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const { cosmosMap, cosmosStarts } = window;
  const form = () => document.getElementById("put");
  const picture = () => document.querySelector("[data-map] > .map");
  const spot = (id) => {
    const token = document.querySelector(`[data-token="${CSS.escape(id)}"]`);
    const [x, y] = token
      ? token
          .getAttribute("transform")
          .match(/translate\(([^)]+)\)/)[1]
          .split(/[ ,]+/)
          .map(Number)
      : middle();
    return { x, y };
  };
  const PAUSE = 80; // milliseconds between two questions
  let work = null; // {ids, name, start, edges, base, box, from, at, pointer, x, y, moved, sight}
  let asked = "";
  let isAsking = false;
  let dropped = false;
  let late = null; // what to do once the form is free

  function middle() {
    const { x, y, width, height } = picture().viewBox.baseVal;
    return [x + width / 2, y + height / 2];
  }
  const round = (number) => Math.round(number * 2) / 2;
  const plain = (number) => Math.round(number * 10) / 10;
  // On a map of hexes places are named by column and row
  function unplot({ x, y }) {
    if (!form().dataset.hexes) return { x: round(x), y: round(y) };
    const row = Math.round(y / ROW);
    return { x: Math.round(x - row / 2), y: row };
  }

  // ---- What is shown ----
  function layer() {
    const found = picture().querySelector(".putting") || cosmosMap.put(picture(), "g", "putting", {});
    found.replaceChildren();
    return found;
  }
  function show() {
    const { start, at } = work;
    if (start) return showStart();
    const here = layer();
    const { words = "", to = "", seen = true, place = "" } = work.sight || {};
    if (to) {
      const foe = spot(to);
      cosmosMap.put(here, "path", seen ? "putting-line" : "putting-line is-unseen", {
        d: `M${at.x} ${at.y}L${foe.x} ${foe.y}`,
      });
      const size = cosmosMap.meters(13);
      cosmosMap.put(
        here,
        "text",
        "putting-words",
        { x: (at.x + foe.x) / 2, y: (at.y + foe.y) / 2, "font-size": size },
        words,
      );
    }
    cosmosMap.put(here, "circle", "putting-spot", { cx: at.x, cy: at.y, r: cosmosMap.meters(17) });
    const says = document.querySelector("[data-put-says]");
    if (words || place) says.textContent = [place, words].filter(Boolean).join(": ");
    ask();
  }
  function showStart() {
    const { start, edges, base, from, at } = work;
    work.box = cosmosStarts.pull(start, edges, { x: at.x - from.x, y: at.y - from.y }, base);
    cosmosStarts.show(start, work.box);
  }
  // How far the nearest enemy would be, and whether they see each other: the rules say it
  async function ask() {
    const query = `${new URLSearchParams({ who: work.ids[0], ...unplot(work.at) })}`;
    if (isAsking || asked === query) return;
    [isAsking, asked] = [true, query];
    const mine = work;
    const answer = await fetch(`${form().dataset.sight}?${query}`, {
      headers: { Accept: "application/json" },
    }).catch(() => null);
    const found = answer?.ok ? await answer.json().catch(() => ({})) : {};
    await new Promise((done) => {
      setTimeout(done, PAUSE);
    });
    isAsking = false;
    if (mine !== work) return;
    work.sight = found;
    show();
    if (work.pointer === undefined) tell([found.place, found.words].filter(Boolean).join(": "));
  }
  function mark() {
    for (const one of document.querySelectorAll(".is-lifted")) one.classList.remove("is-lifted");
    const bar = document.getElementById("put-bar");
    if (bar) bar.hidden = !work || Boolean(work.start);
    picture()
      ?.closest("[data-map]")
      .classList.toggle("is-putting", Boolean(work && !work.start));
    if (!work || work.start) return;
    bar.querySelector("[data-put-name]").textContent = work.name;
    document
      .querySelector(`[data-put-row="${CSS.escape(work.ids.join(","))}"]`)
      ?.closest("li")
      ?.classList.add("is-lifted");
  }
  function tell(words) {
    const live = document.getElementById("live");
    if (live) live.textContent = words;
  }

  const tellPlace = ({ x, y }) => `${plain(x)}, ${plain(y)} ${form().dataset.unit}`;
  const tellStart = () =>
    work.edges
      ? `${plain(work.box.width)} × ${plain(work.box.depth)} ${form().dataset.unit}`
      : tellPlace(work.box);
  const carry = (detail) => document.dispatchEvent(new CustomEvent("map:carry", { detail }));

  // ---- Picking up and putting down ----
  function take(ids, name, more = {}) {
    drop();
    const from = spot(ids[0]);
    work = { ids, name, from, at: from, ...more };
  }
  function takeStart(start, more = {}) {
    drop();
    work = { start, from: { x: 0, y: 0 }, at: { x: 0, y: 0 }, ...more };
  }
  function drop() {
    if (work?.moved) carry(null);
    if (work?.start) cosmosStarts.show(work.start);
    work = null;
    late = null;
    asked = "";
    picture()?.querySelector(".putting")?.remove();
    mark();
  }
  function send(isAuto = false) {
    late = "busy" in form().dataset ? () => send(isAuto) : null; // one placing at a time: the next waits for its answer
    if (late) return;
    const { start, box, ids, at } = work;
    const fields = form().elements;
    const place = start ? box : { ...unplot(at), width: "", depth: "" };
    const values = {
      do: isAuto ? "place_by_side" : start ? "start_area" : "place",
      targets: start ? "" : ids.join(","),
      start: start?.dataset.start ?? "",
      ...place,
    };
    for (const [name, value] of Object.entries(values)) fields[name].value = value;
    drop();
    form().requestSubmit();
  }

  document.addEventListener(
    "pointerdown",
    (event) => {
      dropped = false;
      if (event.button || !form() || !picture() || picture().closest(".is-measuring")) return;
      const press = { pointer: event.pointerId, x: event.clientX, y: event.clientY };
      const grip = event.target.closest?.("[data-put], .grab[data-put-row]");
      const start = event.target.closest?.("[data-start]");
      if (work && !work.pointer && event.target.closest?.("[data-map] > svg")) return; // a tap puts down who is on the way
      if (grip)
        take(
          (grip.dataset.put || grip.dataset.putRow).split(","),
          grip.dataset.name || grip.getAttribute("aria-label"),
          press,
        );
      else if (start) {
        const at = cosmosMap.place(event.clientX, event.clientY);
        const edges = cosmosStarts.edges(start, at, event.pointerType === "touch");
        takeStart(start, { ...press, edges, from: at, at });
      } else return;
      if (event.pointerType !== "touch" || grip?.dataset.put || start) event.preventDefault();
    },
    true,
  );
  document.addEventListener("pointermove", (event) => {
    if (work?.pointer !== event.pointerId || work.pointer === undefined) return;
    if (!work.moved && Math.hypot(event.clientX - work.x, event.clientY - work.y) < START) return;
    if (!work.moved) {
      mark();
      carry({ who: work.ids?.[0], at: work.at, stays: true });
    }
    work.moved = true;
    work.at = cosmosMap.place(event.clientX, event.clientY);
    show();
  });
  document.addEventListener("pointerup", (event) => {
    if (work?.pointer !== event.pointerId || work.pointer === undefined) return;
    dropped = Boolean(work.moved);
    const { left, top, right, bottom } = picture().getBoundingClientRect();
    const inside =
      event.clientX > left && event.clientX < right && event.clientY > top && event.clientY < bottom;
    if (work.moved && inside) send();
    else if (work.moved || work.start) drop();
    else {
      // a tap: the next one says where
      delete work.pointer;
      mark();
      tell(`${work.name}: tap where they stand, or use arrow keys and Enter`);
    }
  });
  document.addEventListener("pointercancel", (event) => {
    if (work && work.pointer === event.pointerId) drop();
  });
  document.addEventListener("click", (event) => {
    const row = event.target.closest?.("a[data-put-row]");
    if (row && picture()) {
      event.preventDefault();
      take(row.dataset.putRow.split(","), row.dataset.name);
      mark();
      show();
      picture().closest("[data-map]").scrollIntoView({ block: "nearest" });
      tell(`${work.name}: tap where they stand, or use arrow keys and Enter`);
    } else if (event.target.closest?.("[data-put-off]")) drop();
    else if (event.target.closest?.("[data-put-auto]") && work) send(true);
    else if (event.target.closest?.("[data-put-mode]")) choose(event.target.closest("[data-put-mode]"));
    else if (
      work &&
      !work.start &&
      work.pointer === undefined &&
      !dropped &&
      event.target.closest?.("[data-map] > svg")
    ) {
      if (event.target.closest(`[data-put="${CSS.escape(work.ids[0])}"]`)) return;
      work.at = cosmosMap.place(event.clientX, event.clientY);
      send();
    }
    dropped = false;
  });

  function choose(button) {
    drop();
    for (const one of document.querySelectorAll("[data-put-mode]"))
      one.setAttribute("aria-pressed", one === button);
    picture()
      .closest("[data-map]")
      .classList.toggle("is-starts", button.dataset.putMode === "starts");
  }

  // ---- By keys ----
  document.addEventListener(
    "keydown",
    (event) => {
      const start = event.target.closest?.("[data-start]");
      const edges = event.shiftKey ? "se" : "";
      if (start && KEYS[event.key] && (work?.start !== start || work.edges !== edges))
        takeStart(start, { edges, base: work?.start === start ? work.box : undefined });
      if (event.key === "Escape" && !work) {
        // the open drawer
        const drawer = event.target.closest?.("details.drawer[open], details.env-chip[open]");
        if (!drawer) return;
        drawer.open = false;
        drawer.querySelector("summary").focus();
        return;
      }
      if (!work) return;
      if (event.key === "Escape") drop();
      else if (event.key === "Enter" && !event.target.matches("button, input, textarea, select")) send();
      else if (KEYS[event.key] && !event.target.matches("input, textarea, select")) {
        const [across, down] = KEYS[event.key];
        work.at = { x: work.at.x + across, y: work.at.y + down * (form().dataset.hexes ? ROW : 1) };
        show();
        tell(work.start ? tellStart() : tellPlace(unplot(work.at)));
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener("htmx:afterSettle", () => {
    if (work) late?.();
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (work && !picture()) work = null;
    else if (work?.ids && work.pointer === undefined) {
      // who was picked up meanwhile stays so
      mark();
      show();
    }
  });
})();
