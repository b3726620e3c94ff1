// Calls a person to the table: vibration, the page's title and icon, and a tone and a band of light if they are on.
//
// On #table: data-your-turn="name" when it is their turn, data-asked="name" when a question waits for them out of turn,
// data-next="name" when their turn is next, which is told once in each round (data-round). A button with data-call="sound"
// or "light" switches one of them on this device: pressed or not, outside data-calls with a check mark.
// The live events of [data-reminder] are calls of the GM to this seat: a title, and what to do.
// Phones let a page sound only after a tap on it: any tap will do, and so does the one on the button.
(() => {
  "use strict";
  const icon = document.querySelector("link[rel=icon]");
  const usual = { title: document.title, icon: icon?.href };
  const DEFAULTS = { sound: "off", light: "on" };
  const NAMES = { sound: "Sound", light: "Turn light" };
  const NEXT_SECONDS = 6;
  const LARGE_MS = 2000;
  const LAST_MS = 300;
  const TOUCH_MS = 3000;
  const read = (key) => {
    try {
      return localStorage.getItem(key) || DEFAULTS[key];
    } catch {
      return DEFAULTS[key];
    }
  };
  const on = { sound: read("sound") === "on", light: read("light") === "on" };
  const table = () => document.getElementById("table");
  const find = (name) => table()?.dataset[name] || "";
  const words = () => (find("yourTurn") ? "Your turn" : find("asked") ? "Your answer" : "");
  const call = () => words() + find("yourTurn") + find("asked");
  const next = () => find("next") && `${find("round")} ${find("next")}`;
  const lastCard = () => [...document.querySelectorAll("[data-result]")].at(-1);
  let called = call();
  let card = lastCard()?.dataset.result;
  let player = null;
  let band = null;
  let timeout = 0;
  let touched = 0;

  // ---- Sound ----
  function unlock() {
    if (!on.sound) return;
    player ||= new AudioContext();
    if (player.state !== "running") player.resume();
    if (band?.matches(".is-hint")) hide();
  }

  // One short tone: pitch in hertz, length in seconds
  function play(height, length) {
    if (!on.sound || !player) return;
    const [tone, volume] = [player.createOscillator(), player.createGain()];
    tone.frequency.value = height;
    volume.gain.setValueAtTime(0.15, player.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, player.currentTime + length);
    tone.connect(volume).connect(player.destination);
    tone.start();
    tone.stop(player.currentTime + length);
  }

  // ---- Light: a band over the whole width, until a tap or the end of its cause; large only at first ----
  function hide() {
    clearTimeout(timeout);
    if (band) band.hidden = true;
  }

  function shine(kind, ...lines) {
    band ||= document.body.appendChild(document.createElement("div"));
    clearTimeout(timeout);
    band.hidden = false;
    band.className = `call-band ${kind}`;
    band.ariaHidden = "true"; // the live region tells the same
    band.replaceChildren(
      ...lines.map((line) => {
        const part = document.createElement("b");
        part.textContent = line;
        return part;
      }),
    );
    if (kind === "is-next") timeout = setTimeout(hide, 1000 * NEXT_SECONDS);
    if (kind === "is-turn") timeout = setTimeout(() => band.classList.add("is-small"), LARGE_MS);
  }

  // ---- What is told ----
  function show() {
    document.title = words() ? `● ${words()} · ${usual.title}` : usual.title;
    if (icon) icon.href = words() ? icon.dataset.turn : usual.icon;
  }

  // Browsers refuse before the first tap, and say so in the console
  function vibrate(...pulses) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pulses);
  }

  // Who has just pressed something needs no light: it would only cover what they read
  function tellTurn(isAway) {
    vibrate(200, 100, 200);
    play(660, 0.4);
    if (on.light && isAway) shine("is-turn", words(), find("yourTurn") || find("asked"));
  }

  const KEY = `next:${location.pathname}`;
  const isNew = (what) => {
    try {
      return sessionStorage.getItem(KEY) !== what;
    } catch {
      return true;
    }
  };
  // The live region first gets the server's words for what happened
  const sayNext = () => document.getElementById("live")?.append(" You are next.");

  function tellNext(isAway) {
    const coming = next();
    if (!coming || !isNew(coming)) return;
    try {
      sessionStorage.setItem(KEY, coming);
    } catch {
      /* private mode: told again after a reload */
    }
    vibrate(100);
    play(520, 0.2);
    if (on.light && isAway) shine("is-next", "You are next", find("next"));
    setTimeout(sayNext, LAST_MS);
  }

  function look(event) {
    const [now, latest] = [call(), lastCard()];
    const isAway = event.detail?.requestConfig?.verb === "get" && Date.now() - touched > TOUCH_MS;
    if (now && now !== called) tellTurn(isAway);
    else if (!now && called) hide();
    if (!now && next()) tellNext(isAway);
    if ((!now || now === called) && latest && latest.dataset.result !== card)
      play(latest.matches(".is-miss") ? 220 : 440, 0.15);
    card = latest?.dataset.result || card;
    if (now !== called) {
      called = now;
      show();
    }
  }

  // ---- The buttons ----
  function label() {
    for (const box of document.querySelectorAll("[data-calls]")) box.hidden = false;
    for (const button of document.querySelectorAll("[data-call]")) {
      const kind = button.dataset.call;
      if (button.closest("[data-calls]")) {
        button.ariaPressed = String(on[kind]);
        continue;
      }
      button.hidden = !table();
      button.ariaPressed = String(on[kind]);
      button.textContent = `${NAMES[kind]}${on[kind] ? " ✓" : ""}`;
    }
  }

  // A call of the GM shows also where the light is off: it is for this person alone
  function tellReminder({ title, reason }) {
    vibrate(200, 100, 200);
    play(660, 0.4);
    shine("is-turn", title, reason);
    const live = document.getElementById("live");
    if (live) live.textContent = `${title}. ${reason}.`;
  }

  document.addEventListener("htmx:afterSwap", look);
  document.addEventListener("htmx:sseBeforeMessage", (event) => {
    if (!event.target.matches?.("[data-reminder]")) return;
    event.preventDefault();
    tellReminder(JSON.parse(event.detail.data));
  });
  document.addEventListener("table:sound", (event) => play(event.detail.height, event.detail.length));
  document.addEventListener("click", (event) => {
    const kind = event.target.closest?.("[data-call]")?.dataset.call;
    if (!kind) return;
    on[kind] = !on[kind];
    try {
      localStorage.setItem(kind, on[kind] ? "on" : "off");
    } catch {
      /* private mode */
    }
    label();
    unlock();
    if (kind === "sound") play(660, 0.25);
    else if (on.light) shine("is-next", "Like this");
    else hide();
  });
  for (const kind of ["click", "touchend", "keydown"])
    document.addEventListener(kind, unlock, { capture: true, passive: true });
  // The tap that ends the light presses nothing below it: the band goes only when the tap is over
  for (const kind of ["pointerdown", "keydown"])
    document.addEventListener(
      kind,
      (event) => {
        touched = Date.now();
        if (event.target !== band && event.target.parentElement !== band) hide();
      },
      { capture: true },
    );
  document.addEventListener("click", (event) => {
    if (event.target.closest?.(".call-band")) hide();
  });
  show();
  label();
  if (table() && on.sound && navigator.userActivation?.hasBeenActive === false)
    shine("is-hint", "Tap once to turn on the sound");
})();
