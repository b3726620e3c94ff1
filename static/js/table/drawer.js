// Opens the log over the map, and the combatants over the end of a fight: there they are one line below it.
//
// data-drawer="id" is its button; Escape closes it.
(() => {
  "use strict";
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-drawer]");
    if (!button) return;
    const isOpen = document.getElementById(button.dataset.drawer).classList.toggle("is-open");
    button.setAttribute("aria-expanded", isOpen);
    button.firstChild.data = isOpen ? "Close" : "Open";
    if (isOpen) button.dataset.key = "Escape";
    else delete button.dataset.key;
  });
})();
