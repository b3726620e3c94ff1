// What a page shows of the system: sizes of letters, gaps, looks of buttons at rest, and where its heading begins
() => {
  const found = { letters: [], gaps: [], looks: [], left: null };
  const name = (e) => `${e.tagName.toLowerCase()}.${e.getAttribute("class") || ""}`.slice(0, 60);
  const faces = (style) => style.fontFamily.startsWith("Oxanium") ? "display" : "text";
  const paint = (e, style) => {
    const before = getComputedStyle(e, "::before");
    const [rim, fill, accent, foe] = ["--rim", "--fill", "--accent", "--foe"].map((one) => style.getPropertyValue(one));
    if (before.display === "none" || before.content === "none") return "plain";
    return fill === accent ? "full" : rim === accent ? "accent" : rim === foe ? "red" : "edge";
  };
  const apart = ".watch *, .board *, .row-main, .row-main *, .moment *, .vh, .full-code *";
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg") || e.matches(apart) || e.closest(".vh") || !e.checkVisibility() || !e.getClientRects().length) continue;
    const style = getComputedStyle(e);
    const letters = [...e.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (letters) found.letters.push([parseFloat(style.fontSize), name(e)]);
    if (/grid|flex/.test(style.display)) for (const gap of [style.rowGap, style.columnGap]) {
      if (gap !== "normal") found.gaps.push([parseFloat(gap), name(e)]);
    }
    const rests = !e.matches(":disabled, [aria-disabled=true], [aria-pressed=true], [aria-current], .is-pressed, :has(:checked)");
    if (e.matches(".btn") && rests) found.looks.push([[
      parseFloat(style.fontSize), style.fontWeight, faces(style), parseFloat(style.paddingLeft), paint(e, style),
    ].join(" "), name(e)]);
  }
  if (document.documentElement.dataset.font === "plain") found.looks = []; // one face for all
  const heading = document.querySelector("h1:not(.vh, .table-bar *)");
  if (heading?.checkVisibility() && !heading.closest(".vh, .watch, .full-code, .paper")) {
    const range = document.createRange();
    range.selectNodeContents(heading);
    found.left = Math.round(range.getBoundingClientRect().left);
  }
  return found;
}
