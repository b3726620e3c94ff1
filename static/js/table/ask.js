// Asks a player once before their turn ends while a form is open or actions are left. The GM has Undo.
//
// data-ask="what is left" stands, hidden, behind the form that ends the turn. Without this file the turn ends at once.
(() => {
  "use strict";
  document.addEventListener(
    "submit",
    (event) => {
      const place = event.target.parentElement?.querySelector(":scope > [data-ask]");
      const isOpen = document.querySelector(".action-form");
      if (!place?.hidden || !(isOpen || place.dataset.ask)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const why = [isOpen && "A form is open.", place.dataset.ask && `Unspent: ${place.dataset.ask}.`];
      place.textContent = [...why, "Press again to end your turn."].filter(Boolean).join(" ");
      place.hidden = false;
    },
    { capture: true },
  );
})();
