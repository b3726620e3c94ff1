// Shows the hints of a first fight, one at a time, each beside the thing it is about.
//
// templates/help/hints/ has them, and says what their attributes mean. A hint is done when its thing is pressed, or by “Next”.
// Without this file there are no hints.
(() => {
  "use strict";
  const box = document.getElementById("hints");
  if (!box) return;
  const note = document.getElementById("tip");
  const [all, left] = [[...box.querySelectorAll("[data-hint]")], new Set(box.dataset.hints.split(" "))];
  const keyOf = (hint) => hint.dataset.hint;
  const isShown = (element) => element.checkVisibility();
  const findThing = (hint) => [...document.querySelectorAll(hint.dataset.beside)].find(isShown);
  let [current, thing, later] = [null, null, 0];

  // The next hint to show, with its thing: hints keep their order, and only some may be passed over.
  function findNext() {
    for (const hint of all.filter((one) => left.has(keyOf(one)))) {
      const found = findThing(hint);
      if (found) return [hint, found];
      if (!("passing" in hint.dataset)) break;
    }
    return [null, null];
  }

  function put(place, isBefore) {
    if ((isBefore ? place.previousElementSibling : place.nextElementSibling) !== note)
      place[isBefore ? "before" : "after"](note);
  }

  // What the hint says; of a turn that a player has, what it says then
  function findText() {
    const player = document.querySelector("#turn-head [data-player]")?.dataset.player;
    const text = player && current.dataset.played?.replace("NAME", () => player);
    return text || current.textContent.trim().replace(/\s+/g, " ");
  }

  function fill(text) {
    note.querySelector("[data-tip-count]").textContent = `Hint ${all.indexOf(current) + 1} of ${all.length}:`;
    note.querySelector("[data-tip-text]").textContent = text;
    document.getElementById("tip-next").value = keyOf(current);
    setTimeout(() => document.getElementById("live")?.append(` Hint: ${text}`), 500); // after what the table says
  }

  function look() {
    const isOld = Boolean(current);
    thing?.classList.remove("is-hinted");
    [current, thing] = findNext();
    if (!current) {
      note.remove();
      return;
    }
    thing.classList.add("is-hinted");
    const { before: above, after: below } = current.dataset;
    put(thing.closest(above || below) || document.querySelector(above || below), Boolean(above));
    const text = findText();
    if (text === note.querySelector("[data-tip-text]").textContent && isOld) return;
    fill(text);
    const isSeen =
      note.getBoundingClientRect().bottom < window.innerHeight && matchMedia("(min-width: 64rem)").matches;
    if (!isSeen && !document.querySelector(".down, .prompt")) note.scrollIntoView({ block: "nearest" }); // they are read first
  }

  // Again after a moment: a result may still be tumbling in.
  function lookTwice() {
    look();
    clearTimeout(later);
    later = setTimeout(look, 800);
  }

  function finish(keys, name) {
    keys.forEach((key) => left.delete(key));
    const { token, address } = {
      token: note.querySelector("[name=csrfmiddlewaretoken]").value,
      address: note.querySelector("form").action,
    };
    const body = new URLSearchParams({ csrfmiddlewaretoken: token, seen: name });
    fetch(address, { method: "POST", body, keepalive: true }).catch(() => {}); // it is shown once more, later
  }

  document.addEventListener("click", (event) => {
    const { target } = event;
    const button = target.closest?.("#tip button");
    if (button) {
      event.preventDefault();
      finish(button.id === "tip-all" ? [...left] : [keyOf(current)], button.value);
      document.getElementById("h-turn")?.focus({ preventScroll: true });
      look();
    } else if (
      (thing?.contains(target) || (current?.dataset.press && target.closest?.(current.dataset.press))) &&
      target.closest("a, button, summary") &&
      !target.closest("[aria-disabled=true]")
    ) {
      finish([keyOf(current)], keyOf(current));
      lookTwice();
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.name === "tab") look();
  });
  document.addEventListener("htmx:afterSettle", lookTwice);
  look();
})();
