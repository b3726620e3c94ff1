// Names on a button what is chosen in its form: "Give Bleeding, 3 turns".
//
// data-says="Give kind, turns" on the button: the names of fields stand for the label of what is chosen there, or for
// its data-says-as. Where a field has nothing chosen, the button keeps its own words. data-says-over="turns" on a field
// that is typed in place of those choices, with data-unit behind its number.
(() => {
  "use strict";
  const wordOf = (one) => one.dataset.saysAs ?? one.labels?.[0]?.textContent.trim() ?? one.value;

  function find(form, name) {
    const typed = [...form.elements].find((one) => one.dataset.saysOver === name && one.value.trim());
    if (typed) return typed.value.trim() === "0" ? "" : `${typed.value.trim()} ${typed.dataset.unit}`;
    const chosen = [...form.elements].find((one) => one.name === name && one.checked);
    return chosen && wordOf(chosen);
  }

  function say(button) {
    button.dataset.own ??= button.textContent.trim();
    const [verb, ...names] = button.dataset.says.split(/,? /);
    const words = names.map((name) => find(button.form, name));
    const isChosen = !words.includes(undefined);
    button.textContent = isChosen ? `${verb} ${words.filter(Boolean).join(", ")}` : button.dataset.own;
  }
  const sayAll = () =>
    document.querySelectorAll("button[data-says]").forEach((one) => {
      if (one.form) say(one);
    });
  for (const kind of ["input", "change", "htmx:afterSettle"]) document.addEventListener(kind, sayAll);
  window.addEventListener("pageshow", sayAll); // a browser restores what was chosen when someone goes back
  sayAll();
})();
