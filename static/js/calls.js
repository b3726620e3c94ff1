// Calls a person to the table: vibration, title and icon of the page, and sounds where they are on.
//
// data-your-turn="name" on #table says that it is their turn, data-asked="name" that a question waits for them out of turn.
// data-sound-toggle turns sounds on, on this device.
(() => {
  "use strict";
  const root = document.documentElement;
  const icon = document.querySelector("link[rel=icon]");
  const usual = { title: document.title, icon: icon?.href };
  const kept = () => { try { return localStorage.getItem("sound") === "on"; } catch { return false; } };
  const find = (name) => document.getElementById("table")?.dataset[name] || "";
  const words = () => (find("yourTurn") ? "Your turn" : find("asked") ? "Your answer" : "");
  const call = () => words() + find("yourTurn") + find("asked");
  const lastCard = () => [...document.querySelectorAll("[data-result]")].at(-1);
  let sounds = kept();
  let called = call();
  let card = lastCard()?.dataset.result;
  let player = null;

  // One short tone: how high in hertz, how long in seconds
  function play(height, length) {
    if (!sounds) return;
    player ||= new AudioContext();
    const [tone, volume] = [player.createOscillator(), player.createGain()];
    tone.frequency.value = height;
    volume.gain.setValueAtTime(.15, player.currentTime);
    volume.gain.exponentialRampToValueAtTime(.001, player.currentTime + length);
    tone.connect(volume).connect(player.destination);
    tone.start();
    tone.stop(player.currentTime + length);
  }

  function show() {
    document.title = words() ? `● ${words()} · ${usual.title}` : usual.title;
    if (icon) icon.href = words() ? icon.dataset.turn : usual.icon;
  }

  function label() {
    for (const button of document.querySelectorAll("[data-sound-toggle]")) {
      button.hidden = !document.getElementById("table");
      button.textContent = sounds ? "Sound off" : "Sound on";
    }
  }

  document.addEventListener("htmx:afterSwap", () => {
    const [now, latest] = [call(), lastCard()];
    if (now && now !== called) {
      navigator.vibrate?.([200, 100, 200]);
      play(660, .4);
    } else if (latest && latest.dataset.result !== card) play(latest.matches(".is-miss") ? 220 : 440, .15);
    card = latest?.dataset.result || card;
    if (now !== called) {
      called = now;
      show();
    }
  });
  document.addEventListener("table:sound", (event) => play(event.detail.height, event.detail.length));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-sound-toggle]")) return;
    sounds = !sounds;
    try { localStorage.setItem("sound", sounds ? "on" : "off"); } catch { /* private mode */ }
    play(440, .15);
    label();
  });
  if (root) show();
  label();
})();
