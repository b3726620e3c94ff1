// Result cards: what is new tumbles in, several that came at once are shown one after another;
// on a projector the last one.
// data-results around cards, data-result="key" on each; data-results-next and -skip go through them,
// data-results-count says how far. The page works without this file: then every card is shown.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const cards = () => [...document.querySelectorAll("[data-result]")];
  const isProjector = () => $(".watch") && matchMedia("(min-width: 64.001rem)").matches;  // nobody stands beside it
  let seen = cards().at(-1)?.dataset.result || "";

  // The server is told which step was seen last, so that it sends the cards of all since.
  document.addEventListener("htmx:configRequest", (event) => { if (seen) event.detail.headers["X-Seen"] = seen; });

  function show(box, number) {
    const all = cards();
    box.dataset.step = number;
    all.forEach((card, n) => card.classList.toggle("is-shown", n === number));
    all[number].classList.add("is-fresh");
    const more = $(".results-next", box);
    more.hidden = number === all.length - 1;
    $("[data-results-count]", more).textContent = `${number + 1} of ${all.length}`;
    if (more.contains(document.activeElement) && more.hidden) all[number].querySelector("summary").focus();
  }

  document.addEventListener("htmx:afterSwap", () => {
    const all = cards();
    const last = all.at(-1)?.dataset.result || "";
    if (!last || last === seen) {
      if (all.length > 1) all.slice(0, -1).forEach((card) => card.remove());
      return;
    }
    seen = last;
    const box = $("[data-results]");
    if (all.length > 1) show(box, isProjector() ? all.length - 1 : 0);
    else all[0].classList.add("is-fresh");
    box.scrollIntoView({ block: "nearest" });
  });

  document.addEventListener("click", (event) => {
    const box = event.target.closest?.("[data-results]");
    if (!box) return;
    event.target.closest("[data-result]")?.classList.remove("is-fresh");  // a tap ends the tumbling
    const last = cards().length - 1;
    if (event.target.closest("[data-results-next]")) show(box, Math.min(last, Number(box.dataset.step) + 1));
    if (event.target.closest("[data-results-skip]")) show(box, last);
  });
})();
