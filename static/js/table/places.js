// Which pages of a browser may hold a stream: three, those in sight before hidden ones. All others ask.
//
// A browser opens six connections to a host, and each stream keeps one. With a stream for each page, a seventh page would
// stand still, and so would every request of the six. Pages note their places in localStorage, which also works without https.
(() => {
  "use strict";
  const MOST = 3;
  const LASTS = 3000; // milliseconds that a place lasts unless its page takes it again
  const KEY = "streams";
  const me = `${Date.now()} ${Math.random()}`;

  function read(now) {
    const found = Object.entries(JSON.parse(localStorage.getItem(KEY)) || {});
    return Object.fromEntries(found.filter(([, place]) => place.until > now && place.until <= now + LASTS));
  }

  // Takes or keeps a place; whether this page has one.
  function take() {
    try {
      const now = Date.now();
      const { hidden } = document;
      const places = read(now);
      const mine = places[me];
      if (mine?.hidden === hidden && mine.until > now + LASTS / 2) return true;
      const others = Object.keys(places).filter((page) => page !== me);
      const unseen = others.filter((page) => places[page].hidden);
      if (others.length >= MOST) {
        if (hidden || !unseen.length) return false;
        delete places[unseen[0]];
      }
      localStorage.setItem(KEY, JSON.stringify({ ...places, [me]: { hidden, until: now + LASTS } }));
    } catch {
      /* private mode: as before there were places */
    }
    return true;
  }

  function leave() {
    try {
      const { [me]: mine, ...places } = read(Date.now());
      if (mine) localStorage.setItem(KEY, JSON.stringify(places));
    } catch {
      /* private mode */
    }
  }

  window.cosmosPlaces = { take, leave };
})();
