// A first fight shows little: “All actions” opens the rest, and it stays open for this person.
//
// data-all-actions="address" is its button; body.is-first hides the rest (first.css). Without this file nothing is hidden.
(() => {
  "use strict";
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-all-actions]");
    if (!button) return;
    document.body.classList.remove("is-first");
    const body = new URLSearchParams({
      csrfmiddlewaretoken: document.querySelector("[name=csrfmiddlewaretoken]")?.value || "",
      seen: "all-actions",
    });
    fetch(button.dataset.allActions, { method: "POST", body, keepalive: true }).catch(() => {}); // it is asked once more, later
    document.querySelector("#turn-actions a, #turn-actions summary, #h-turn")?.focus();
  });
})();
