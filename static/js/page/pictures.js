// Pictures are drawn once the words of a page stand: until then they wait inside a <noscript data-later>.
//
// Without scripts a page shows them at once.
(() => {
  "use strict";
  // In a part that was swapped in they are elements already: it was read as without scripts.
  function draw() {
    for (const later of document.querySelectorAll("noscript[data-later]")) {
      const drawn = document.createElement("template");
      drawn.innerHTML = later.firstElementChild ? later.innerHTML : later.textContent; // our own server's, already escaped
      later.replaceWith(drawn.content);
    }
  }

  document.addEventListener("htmx:afterSwap", draw);
  requestAnimationFrame(() => setTimeout(draw));
})();
