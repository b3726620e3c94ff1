// A tap on a thing of the map, such as a crate, shows the GM's card for it: push it one way, or remove it.
//
// data-thing="id" is its place on the map, data-name its name; the form #map-move sends what is pressed. The fold below the
// map has the same for the keyboard.
(() => {
  "use strict";
  const WAYS = { left: "←", up: "↑", down: "↓", right: "→" };

  document.addEventListener("click", (event) => {
    const grip = event.target.closest?.("[data-map] [data-thing]");
    if (!grip || event.defaultPrevented) return;
    const { thing, name } = grip.dataset;
    const { place, send, tellCard } = window.cosmosMap;
    const pushes = Object.entries(WAYS).map(([way, arrow]) => ({
      label: arrow,
      title: `Push ${name} ${way}`,
      go: () => send({ do: "push_thing", thing, way }),
    }));
    const remove = { label: "Remove", go: () => send({ do: "remove_thing", thing }) };
    tellCard(place(event.clientX, event.clientY), { head: name, lines: [], offers: [remove, ...pushes] });
  });
})();
