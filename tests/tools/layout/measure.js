// What is wrong with a page as it is painted: [kind, words, place] for each finding. `least` is the smallest target, `smallest` the smallest text, in pixels.
// With `onlyWords` it looks for words that are cut in two, and for nothing else.
// Weak contrast, and words on a bare picture, are only suspected here, from computed colors: window.suspects has what pixels must prove.
(limits) => {
  "use strict";
  const [least, smallest, onlyWords] = limits;
  const TEXT = smallest, OVERLAP = 2, LARGE = 24, LARGE_BOLD = 18.66;
  const found = [];
  const shorten = (text) => text.replace(/\s+/g, " ").trim().slice(0, 40);
  const step = (e) => e.tagName.toLowerCase() + (e.id ? `#${e.id}` : "") + [...e.classList].slice(0, 2).map((name) => `.${name}`).join("");
  function place(e) {
    const steps = [];
    for (let one = e; one && one !== document.body && steps.length < 4; one = one.parentElement) steps.unshift(step(one));
    return steps.join(" > ");
  }
  const tell = (kind, words, e) => found.push([kind, words, place(e)]);
  const styles = new Map();
  const styleOf = (e) => styles.get(e) || styles.set(e, getComputedStyle(e)).get(e);
  const above = function* (e) { for (let one = e; one; one = one.parentElement) yield one; };
  // An inner svg in a group that is not drawn counts as visible to Chromium
  const isHidden = (e) => !e.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) ||
    e instanceof SVGElement && [...above(e)].some((one) => styleOf(one).display === "none") ||
    Boolean(e.closest(".vh, [hidden], title, desc, option, script, style, noscript, template, .skip:not(:focus)"));

  // What the boxes around an element leave to be seen of a rectangle
  function clip(rect, e) {
    let { left, top, right, bottom } = rect;
    for (const one of above(e)) {
      if (one === document.body || one === document.documentElement) break;
      const { overflowX, overflowY, position, clipPath, display } = styleOf(one);
      if (clipPath.startsWith("inset(50%")) return null;
      if (display !== "inline" && !(one instanceof SVGElement && one.tagName !== "svg") && `${overflowX} ${overflowY}` !== "visible visible") {
        const box = one.getBoundingClientRect();
        if (overflowX !== "visible") [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        if (overflowY !== "visible") [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      if (position === "fixed") break;
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  }

  // ---- The texts: an element's own words, and the lines that they are painted in ----
  const range = document.createRange();
  function findTexts() {
    const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode, e = node.parentElement;
      if (!node.data.trim() || isHidden(e)) continue;
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].map((rect) => clip(rect, e)).filter(Boolean);
      if (lines.length) texts.push({ e, node, words: shorten(node.data), lines });
    }
    return texts;
  }
  const texts = findTexts();

  // ---- Words cut in two by the end of a line: names of 60 letters may be ----
  for (const { e, node, lines } of texts) {
    if (lines.length < 2 || styleOf(e).hyphens === "auto") continue;
    for (const { 0: word, index } of node.data.matchAll(/(?<![\p{L}\d])[\p{L}\d]{2,20}(?![\p{L}\d])/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const seen = [...range.getClientRects()].map((box) => clip(box, e)).filter(Boolean);
      if (new Set(seen.map((box) => Math.round(box.top))).size > 1) tell("cut", word, e);
    }
  }
  if (onlyWords) return found;

  // ---- Two texts on each other. A line's box is higher than its letters: a fifth is left out above and below ----
  const moves = new Map();  // what stays while the rest scrolls, or opens over it, covers on purpose
  const floats = (e) => {
    if (!moves.has(e)) moves.set(e, [...above(e)].find((one) => /fixed|sticky/.test(styleOf(one).position) || one.matches("dialog, [popover]") || one.matches(".drawer-body") && styleOf(one).position === "absolute") || null);
    return moves.get(e);
  };
  const pointed = new CSSStyleSheet();  // as if someone pointed at every line of the log
  pointed.replaceSync(".log > li :is(.rule-code, .correction) { opacity: 1 !important }");
  const sheets = document.adoptedStyleSheets;
  document.adoptedStyleSheets = [...sheets, pointed];
  const signs = [...document.querySelectorAll(".rule-code")].filter((e) => !isHidden(e) && getComputedStyle(e, "::before").content.includes("§"))
    .map((e) => ({ e, words: "§", box: e.getBoundingClientRect(), rim: parseFloat(styleOf(e).paddingLeft) }))
    .map(({ e, words, box, rim }) => ({ e, words, lines: [{ left: box.left + rim, right: box.right - rim, top: box.top + rim, bottom: box.bottom - rim }] }));
  const inks = [...findTexts(), ...signs].flatMap(({ e, words, lines }) => lines.map(({ left, top, right, bottom }) => {
    const rim = (bottom - top) / 5;
    return { e, words, left, right, top: top + rim, bottom: bottom - rim };
  })).sort((one, other) => one.top - other.top);
  document.adoptedStyleSheets = sheets;
  const paired = new Set();
  inks.forEach((one, index) => {
    for (let next = index + 1; next < inks.length && inks[next].top < one.bottom - OVERLAP; next++) {
      const other = inks[next];
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - other.top;
      if (wide < OVERLAP || high < OVERLAP || one.e === other.e || floats(one.e) !== floats(other.e)) continue;
      const key = [one.words, other.words].sort().join(" × ");
      if (!paired.has(key)) tell("overlap", `${key}: ${Math.round(wide)} × ${Math.round(high)} px`, other.e);
      paired.add(key);
    }
  });

  // ---- Contrast on the real ground: all that is painted under a text, down to what is opaque ----
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colors = new Map();
  function read(color) {  // any color of CSS as red, green, blue of 0 to 255 and alpha of 0 to 1
    if (!colors.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      colors.set(color, [red, green, blue, alpha / 255]);
    }
    return colors.get(color);
  }
  const lay = ([r, g, b, a], under) => [r, g, b].map((value, at) => value * a + under[at] * (1 - a));
  const light = (rgb) => rgb.map((value) => value / 255)
    .map((value) => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4)
    .reduce((sum, value, at) => sum + value * [.2126, .7152, .0722][at], 0);
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  };
  const fade = (e) => [...above(e)].reduce((product, one) => product * styleOf(one).opacity, 1);
  const COLOR = /(?:rgba?|oklch|oklab|color|hsla?)\([^()]*\)/g;

  // The paints of one box from above: each is a list of colors that it may have; null where a picture hides them
  function paint(style) {
    const layers = [];
    const image = style.backgroundImage;
    if (image.includes("url(")) layers.push(null);
    else if (image !== "none") layers.push((image.match(COLOR) || []).map(read));
    const color = read(style.backgroundColor);
    if (color[3]) layers.push([color]);
    return layers;
  }
  function paintsOf(e, isUnder) {
    if (e instanceof SVGElement && !(e instanceof SVGSVGElement)) {
      const { fill, fillOpacity } = styleOf(e);
      if (!isUnder || fill === "none" || e.closest("text")) return [];
      if (fill.includes("url(") || e.matches("image, use")) return [null];
      const [r, g, b, a] = read(fill);
      return [[[r, g, b, a * fillOpacity * fade(e)]]];
    }
    if (e.matches("img, video, canvas, picture")) return [null];
    const box = e.getBoundingClientRect();
    const shapes = ["::after", "::before"].map((kind) => getComputedStyle(e, kind)).filter((style) =>
      style.content !== "none" && style.position === "absolute" && style.zIndex < 0 &&
      parseFloat(style.width) > .8 * box.width && parseFloat(style.height) > .8 * box.height);
    return [...shapes, styleOf(e)].flatMap(paint);
  }
  function grounds(stack) {
    const layers = [];
    for (const e of stack) {
      for (const layer of paintsOf(e, true)) {
        if (!layer) return null;
        layers.push(layer);
        if (layer.length && layer.every((color) => color[3] > .99)) return mix(layers);
      }
    }
    return mix([...layers, [read(styleOf(document.documentElement).backgroundColor)], [read("Canvas")]]);
  }
  function mix(layers) {
    let under = [[255, 255, 255]];
    for (const layer of layers.reverse()) {
      if (layer.length) under = layer.flatMap((color) => under.map((ground) => lay(color, ground))).slice(0, 12);
    }
    return under;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, ::before, ::after { pointer-events: auto !important; transition: none !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const isIn = (x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  const judged = new Set();
  window.suspects = [];
  for (const { e, node, words, lines } of texts) {
    const its = styleOf(e);
    const matrix = e instanceof SVGElement && e.getScreenCTM?.();
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(its.fontSize) * scale;
    if (size < TEXT - .05) tell("small text", `${words}: ${size.toFixed(1)} px`, e);
    if (e.closest(":disabled, [aria-disabled=true], label:has(:disabled)")) continue;
    const [x, y] = [(lines[0].left + lines[0].right) / 2, (lines[0].top + lines[0].bottom) / 2];
    let stack = isIn(x, y) ? document.elementsFromPoint(x, y) : [...above(e)];
    const at = stack.indexOf(e);
    if (at < 0) stack = [...above(e)];
    else stack = stack.slice(at);
    const inDrawing = e instanceof SVGElement;
    if (inDrawing && at < 0) continue;
    const ink = read(inDrawing ? its.fill.includes("url(") ? "transparent" : its.fill : its.webkitTextFillColor);
    if (!ink[3]) continue;
    const halo = inDrawing && its.paintOrder.startsWith("stroke") && its.stroke !== "none" && parseFloat(its.strokeWidth) * scale >= 1.5;
    const under = halo ? [read(its.stroke).slice(0, 3)] : grounds(stack);
    const alpha = ink[3] * fade(e) * (inDrawing ? its.fillOpacity : 1);
    const worst = under ? Math.min(...under.map((ground) => contrast(lay([...ink.slice(0, 3), alpha], ground), ground))) : 0;
    const isLarge = size >= LARGE || size >= LARGE_BOLD && its.fontWeight >= 700;
    const key = `${place(e)} ${its.color}`;
    const needed = (isLarge ? 3 : 4.5) - .05;
    if (worst < needed && !judged.has(key)) window.suspects.push({ e, node, words, place: place(e), needed, ink: [...ink.slice(0, 3), alpha], onPicture: !under && !inDrawing });
    judged.add(key);
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);

  // ---- Targets: their box or a part's, as the face beside a name, or what around it reaches them ----
  const TARGETS = "a[href], button, summary, select, textarea, input:not([type=hidden]), [role=button], [role=link], [tabindex='0']";
  const inSentence = (e) => {
    if (!styleOf(e).display.startsWith("inline") || e.matches("button, input, select, .btn")) return false;
    const own = e.textContent.trim().length;
    for (const one of above(e.parentElement)) {
      if (!styleOf(one).display.startsWith("inline")) return one.textContent.trim().length > own + 2;
    }
    return false;
  };
  const measured = new Set();
  for (const e of document.querySelectorAll(TARGETS)) {
    if (isHidden(e) || e.matches("[tabindex='-1'], [aria-hidden=true], :disabled") || e.closest("[inert]")) continue;
    const names = e.labels?.length ? [...e.labels].filter((one) => !isHidden(one)) : [];
    const boxes = [e, ...e.children, ...e.matches("[type=checkbox], [type=radio], [type=file]") ? names : []].map((one) => one.getBoundingClientRect());
    if (e.matches("[type=checkbox], [type=radio]") && e.closest("td, th")) boxes.push(e.parentElement.getBoundingClientRect());
    const isLarge = ({ width, height }) => width > least - 1 && height > least - 1;
    if (boxes.some(isLarge) || !clip(boxes[0], e) || e.matches("a") && inSentence(e)) continue;
    const [{ width, height }] = boxes;
    if (!width || !height || e.hasAttribute("tabindex") && !e.matches("a, button, [role]")) continue;  // an area that scrolls by keys
    const kind = `${place(e)} ${Math.round(width)} × ${Math.round(height)}`;
    if (measured.has(kind)) continue;
    measured.add(kind);
    e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = e.getBoundingClientRect();
    const [x, y, reach] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2, least / 2 - 1.5];
    const hits = (dx, dy) => {
      const hit = document.elementFromPoint(x + dx, y + dy);
      return hit && (e.contains(hit) || names.some((one) => one.contains(hit)));
    };
    const across = width > least - 1 || hits(-reach, 0) && hits(reach, 0);
    const down = height > least - 1 || hits(0, -reach) && hits(0, reach);
    if (!across || !down) tell("target", `${shorten(e.getAttribute("aria-label") || e.textContent || e.name || "")}: ${Math.round(width)} × ${Math.round(height)} px`, e);
  }
  scrollTo(0, 0);

  // ---- Kinds of part that every page draws alike ----
  const isPhone = innerWidth < 640;
  const isOpen = (e) => !isHidden(e) && e.getClientRects().length > 0;
  // A fold has one sign, the chevron that turns, at its left; a menu has dots, and the line of someone's health its own
  for (const e of document.querySelectorAll("summary")) {
    if (!isOpen(e) || e.matches(".btn, .vitals > *, .last-line > *, .row-figure > *")) continue;
    const signs = ["::before", "::after"].map((part) => getComputedStyle(e, part)).map(({ content, display }) => display === "none" ? "none" : content);
    const native = styleOf(e).display === "list-item" && styleOf(e).listStyleType !== "none";
    const odd = /[▸▾▶▼⌄…]/.test(signs) || /[▸▾▶▼⌄…]$/.test(e.textContent.trim());
    if (native || odd && !e.matches(".field-line")) tell("fold", shorten(e.textContent), e);
  }
  // On a phone the head of a part stacks: its words keep the width
  for (const e of isPhone ? document.querySelectorAll("h1, h2, h3") : []) {
    if (!isOpen(e) || !e.textContent.trim() || e.closest(".table-bar")) continue;
    const bottoms = texts.filter((one) => e.contains(one.e)).flatMap((one) => one.lines.map(({ bottom }) => bottom)).sort((a, b) => a - b);
    const lines = bottoms.filter((bottom, at) => !at || bottom - bottoms[at - 1] > 9).length;
    if (lines > 2 && e.getBoundingClientRect().width < innerWidth / 2) tell("head", `${shorten(e.textContent)}: ${lines} lines`, e);
  }
  // Few short choices are chips, not a list that opens
  for (const e of document.querySelectorAll("select:not([multiple])")) {
    if (!isOpen(e) || e.disabled) continue;
    const words = [...e.options].map(({ textContent }) => textContent.trim());
    if (words.length < 7 && words.join("").length < 40) tell("select", `${e.name}: ${words.join(" / ")}`.slice(0, 60), e);
  }
  // What is chosen can be read whole
  for (const e of document.querySelectorAll("select:not([multiple])")) {
    const chosen = e.selectedOptions[0]?.textContent.trim();
    if (!isOpen(e) || !chosen || chosen.length > 40) continue;
    const { font, paddingLeft, paddingRight } = styleOf(e);
    canvas.font = font;
    const room = e.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const wide = canvas.measureText(chosen).width;
    if (wide > room + 1) tell("cut choice", `${chosen}: ${Math.round(wide)} of ${Math.round(room)} px`, e);
  }
  // A place with nothing in it has a way on
  for (const e of document.querySelectorAll(".empty")) {
    if (isOpen(e) && !e.querySelector("a, button") && !e.parentElement.querySelector("form, .actions, .btn")) tell("empty", shorten(e.textContent), e);
  }
  // On a phone nothing is written at the very edge
  for (const { e, words, lines } of isPhone ? texts : []) {
    if (floats(e) || e.closest(".table-bar, svg, .tabs, .wide, table")) continue;
    if (lines.some(({ left }) => left >= 0 && left < 7)) tell("edge", words, e);
  }
  // Four buttons that look alike in one line say nothing of what comes next
  const alike = new Map();
  for (const e of document.querySelectorAll(".btn:not(.btn-quiet, [aria-pressed], label)")) {
    if (!isOpen(e) || e.closest("nav, .steps")) continue;
    const { top, height } = e.getBoundingClientRect();
    const row = e.closest("form, li, fieldset") || e.parentElement;
    const around = row.parentElement;
    const key = `${Math.round(top)} ${Math.round(height)} ${e.className}`;
    if (!alike.has(around)) alike.set(around, new Map());
    const rows = alike.get(around);
    rows.set(key, [...rows.get(key) || [], e]);
  }
  for (const rows of alike.values()) {
    for (const same of rows.values()) if (same.length > 3) tell("alike", same.map((e) => shorten(e.textContent)).join(", ").slice(0, 60), same[0]);
  }

  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(["overflow", `${scrollWidth} of ${clientWidth} px`, ""]);
  return found;
}
