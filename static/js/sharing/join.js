// Names the result on the button that joins: "Join as Nia".
//
// data-join on a radio is the button's text while that radio is chosen; data-join-button is the button.
// data-join-note is what joining so means, said in data-join-said below the button.
// data-nameless is on the radio that needs no name.
(() => {
  "use strict";
  const button = document.querySelector("[data-join-button]");
  const said = document.querySelector("[data-join-said]");
  function label() {
    const chosen = document.querySelector("[data-join]:checked");
    if (!chosen || !button) return;
    button.textContent = chosen.dataset.join;
    button.formNoValidate = "nameless" in chosen.dataset;
    if (said) said.textContent = chosen.dataset.joinNote || "";
  }
  document.addEventListener("change", label);
  window.addEventListener("pageshow", label); // a browser restores what was chosen when someone goes back
  label();
})();
