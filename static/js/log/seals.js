// Checks sealed dice in the browser, also in a saved file without a network.
//
// Browsers on plain http have no crypto.subtle, and no Python package ships a SHA-256 for the browser: hence our own.
// data-seal and data-secret are on each seal; data-number, data-series, data-words, data-dice, data-faces and data-seal on each
// roll, with data-verdict inside for its result, and data-of has the name of a roll whose dice hang on a wall; data-sum is for the total result. data-complete on it is "all", or "page" if
// earlier rolls are on another page: then no public roll may be missing; with data-whole, no other roll either.
(() => {
  "use strict";
  const text = new TextEncoder();
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const turn = (word, by) => (word >>> by) | (word << (32 - by));

  // The first 32 bits of the fractional parts of the roots of the first primes: FIPS 180-4
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  const rest = (root) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
  const ROUNDS = primes.map((prime) => rest(Math.cbrt(prime)));
  const START = primes.slice(0, 8).map((prime) => rest(Math.sqrt(prime)));

  function mix(state, words) {
    const w = [...words];
    for (let i = 16; i < 64; i += 1) {
      const [a, b] = [w[i - 15], w[i - 2]];
      const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w.push((w[i - 16] + low + w[i - 7] + high) | 0);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const one =
        (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
  }

  function sha256(bytes) {
    const size = Math.ceil((bytes.length + 9) / 64) * 64;
    const view = new DataView(new ArrayBuffer(size));
    bytes.forEach((byte, i) => view.setUint8(i, byte));
    view.setUint8(bytes.length, 0x80);
    view.setUint32(size - 4, bytes.length * 8);
    let state = START;
    for (let at = 0; at < size; at += 64)
      state = mix(
        state,
        Array.from({ length: 16 }, (_, i) => view.getInt32(at + 4 * i)),
      );
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => digest.setInt32(4 * i, word));
    return new Uint8Array(digest.buffer);
  }

  function hmac(key, message) {
    const short = key.length > 64 ? sha256(key) : key;
    const pad = (mask) => Uint8Array.from({ length: 64 }, (_, i) => (short[i] || 0) ^ mask);
    return sha256(new Uint8Array([...pad(0x5c), ...sha256(new Uint8Array([...pad(0x36), ...message]))]));
  }

  const nameOf = (roll) => (roll.series ? `${roll.series}.${roll.number}` : roll.number);

  function* bytesOf(secret, seal, name, words) {
    for (let block = 0; ; block += 1)
      yield* hmac(text.encode(secret), text.encode(`${seal.slice(0, 16)}:${name}:${block}:${words}`));
  }

  function draw(secret, roll) {
    const [, count, sides] = /^(\d*)d(\d+)/.exec(roll.dice) || [];
    const bytes = bytesOf(secret, roll.seal, nameOf(roll), roll.words);
    const next = () => bytes.next().value;
    const span = sides > 256 ? 65536 : 256;
    const faces = [];
    while (faces.length < Number(count || 1)) {
      const value = span === 256 ? next() : next() * 256 + next();
      if (value < span - (span % sides)) faces.push((value % sides) + 1);
    }
    return faces.join(", ");
  }

  const seals = [...document.querySelectorAll("[data-secret]")];
  const secrets = new Map(seals.map((seal) => [seal.dataset.seal, seal.dataset.secret]));
  const abandoned = new Set(
    seals.filter((seal) => "abandoned" in seal.dataset).map((seal) => seal.dataset.seal),
  );
  const isFalse = (seal) =>
    seal.dataset.secret && hex(sha256(text.encode(seal.dataset.secret))) !== seal.dataset.seal;

  function judge(roll, before) {
    const secret = secrets.get(roll.seal);
    if (before !== undefined && Number(roll.number) !== before + 1)
      return "A roll is missing before this one";
    if (!roll.faces) return "Not shown";
    if (!secret) return abandoned.has(roll.seal) ? "Never told" : "Still sealed";
    return draw(secret, roll) === roll.faces ? "As sealed" : "Not what the secret gives";
  }

  function checkAll() {
    const box = document.querySelector("[data-sum]");
    if (!box) return;
    const found = { "As sealed": 0, "Still sealed": 0, "Never told": 0, "Not shown": 0 };
    const wrong = seals
      .filter(isFalse)
      .map((seal) => `The secret of seal ${seal.dataset.seal.slice(0, 16)} is another one.`);
    const { complete } = box.dataset;
    const last = new Map(); // the last number of each series
    for (const row of document.querySelectorAll("[data-number]")) {
      const series = row.dataset.series || "";
      const before = last.get(series) ?? (complete === "all" ? 0 : undefined);
      const verdict = judge(
        row.dataset,
        complete && (!series || "whole" in box.dataset) ? before : undefined,
      );
      last.set(series, Number(row.dataset.number));
      if (verdict in found) found[verdict] += 1;
      else wrong.push(`Roll ${nameOf(row.dataset)}: ${verdict.toLowerCase()}.`);
      row.querySelector("[data-verdict]").textContent = verdict;
      row.toggleAttribute("data-wrong", !(verdict in found));
      const dice = document.querySelector(`[data-of="${nameOf(row.dataset)}"]`);
      dice?.toggleAttribute("data-wrong", !(verdict in found));
    }
    const good = `${found["As sealed"]} checked, all as sealed.`;
    const open = found["Still sealed"]
      ? ` ${found["Still sealed"]} can be checked once the fight is over.`
      : "";
    const lost = found["Never told"]
      ? ` ${found["Never told"]} cannot be checked: their secret is not here.`
      : "";
    box.textContent = wrong.length
      ? `${wrong.length} wrong. ${wrong[0]}`
      : found["As sealed"]
        ? good + open + lost
        : (open + lost).trim() || "No rolls yet.";
    box.toggleAttribute("data-wrong", wrong.length > 0);
  }

  checkAll();
  document.addEventListener("seals:check", checkAll);
})();
