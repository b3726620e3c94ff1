// Applies the chosen theme before the first paint; wires the toggle when it exists.
// The sheet has the light colours one time, for those whose system is light: a choice makes that rule
// hold always or never.
(() => {
  "use strict";
  const root = document.documentElement;
  const light = window.matchMedia("(prefers-color-scheme: light)");
  const read = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const write = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* private mode */ } };
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const colours = rules.find((rule) => rule.media?.mediaText.includes("prefers-color-scheme"));
  const show = (theme) => {
    root.dataset.theme = theme;
    if (colours) colours.media.mediaText = theme === "light" ? "all" : "not all";
  };
  const shown = () => root.dataset.theme || (light.matches ? "light" : "dark");

  const label = () => {
    const other = shown() === "dark" ? "light" : "dark";
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.hidden = false;
      button.textContent = other === "light" ? "Light theme" : "Dark theme";
    }
  };

  const saved = read();
  if (saved === "light" || saved === "dark") show(saved);

  document.addEventListener("DOMContentLoaded", label);
  light.addEventListener("change", label);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-toggle]")) return;
    show(shown() === "dark" ? "light" : "dark");
    write(root.dataset.theme);
    label();
  });
})();
