// Applies the chosen theme, typeface, arrangement and rule codes before the first paint, and wires their buttons.
//
// The stylesheet has the light colours once, for paper and systems set to light: a choice makes that rule apply on each
// screen or on none.
(() => {
  "use strict";
  const root = document.documentElement;
  const light = window.matchMedia("(prefers-color-scheme: light)");
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const write = (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      /* private mode */
    }
  };
  let colours = null;
  const findColours = () => {
    // among the first rules: a list of all would cost a slow phone 10 ms before each page's first paint
    for (const rule of document.styleSheets[0]?.cssRules ?? [])
      if (rule.media?.mediaText.includes("prefers-color-scheme")) return rule.media;
  };
  const show = (theme) => {
    root.dataset.theme = theme;
    colours ??= findColours();
    if (colours) colours.mediaText = theme === "light" ? "all" : "print";
    for (const bar of document.querySelectorAll("[data-theme-color]")) {
      bar.media = bar.dataset.themeColor === theme ? "all" : "not all";
    }
  };
  const shown = () => root.dataset.theme || (light.matches ? "light" : "dark");

  // What the button of each choice does next; an icon's name is its tooltip too.
  const words = {
    theme: () => (shown() === "dark" ? "Light theme" : "Dark theme"),
    font: () => (root.dataset.font === "plain" ? "Table font" : "Plain font"),
    codes: () => (root.dataset.codes === "shown" ? "Hide rule codes" : "Show rule codes"),
    arrange: () => (root.dataset.arrange === "map" ? "Numbers first" : "Map first"),
  };
  const label = () => {
    for (const [choice, find] of Object.entries(words)) {
      for (const button of document.querySelectorAll(`[data-${choice}-toggle]`)) {
        button.hidden = choice === "arrange" && !root.dataset.arrange;
        (button.querySelector("[data-word]") || button).textContent = find();
        if (button.matches(".icon-only")) button.title = find();
      }
    }
  };

  const KEPT = { font: "plain", codes: "shown" };
  for (const [name, value] of Object.entries(KEPT)) if (read(name) === value) root.dataset[name] = value;
  // The map comes first where there is one, as the page says, unless someone chose otherwise. Without a scene numbers are all
  // there is, and a spectator's page has one arrangement.
  const arrange = (hasScene) => {
    if (hasScene) root.dataset.arrange = read("arrange") || "map";
    else delete root.dataset.arrange;
  };
  const lookForScene = () => {
    const scene = document.getElementById("scene");
    if (scene && !root.matches(".watch")) arrange(scene.matches(".is-drawn"));
  };
  arrange("arrange" in root.dataset);
  const saved = read("theme");
  if (saved === "light" || saved === "dark") show(saved);

  document.addEventListener("DOMContentLoaded", label);
  document.addEventListener("htmx:afterSwap", () => {
    lookForScene();
    label();
  });
  light.addEventListener("change", label);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-toggle]")) {
      show(shown() === "dark" ? "light" : "dark");
      write("theme", root.dataset.theme);
    } else if (event.target.closest("[data-font-toggle]")) {
      root.dataset.font = root.dataset.font === "plain" ? "table" : "plain";
      write("font", root.dataset.font);
    } else if (event.target.closest("[data-codes-toggle]")) {
      root.dataset.codes = root.dataset.codes === "shown" ? "asked" : "shown";
      write("codes", root.dataset.codes);
    } else if (event.target.closest("[data-arrange-toggle]")) {
      root.dataset.arrange = root.dataset.arrange === "map" ? "numbers" : "map";
      write("arrange", root.dataset.arrange);
    } else return;
    label();
  });
})();
