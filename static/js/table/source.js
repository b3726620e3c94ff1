// The live events of a page, by the best way there is. To htmx it is an EventSource.
//
// Streams are tried in turn; one that is silent, or breaks off again and again although asking works, gives way to the
// next. While no stream speaks, the page asks. Better ways are tried again now and then. Only if nothing answers at all,
// the page says that the connection is lost. #stream shows the way in use (data-way). A page without a place asks, too.
(() => {
  "use strict";
  const { ask, listen } = window.cosmosWays;
  const { take, leave } = window.cosmosPlaces;
  const STREAMS = ["GET", "POST"]; // the best first; a stream beats every second
  const ASK = 2500; // milliseconds from one ask to the next
  const QUIET = 1700; // without a beat: the page asks meanwhile
  const LOST = 2700; // without any answer: the connection is lost
  const PATIENCE = 5000; // for the first event of a stream, and for an answer
  const STEADY = 10000; // a stream that lived so long has not failed when it ends
  const TIMES = 3; // that a stream may break off sooner
  const RETRY = [60000, 600000]; // until better ways are tried again: at first, at most
  const FAILED = [1000, 5000]; // until the next ask after one without an answer: at first, at most
  const NAP = 3000; // without a tick: the device slept
  const kept = () => {
    try {
      return Number(sessionStorage.getItem("way")) || 0;
    } catch {
      return 0;
    }
  };
  const keep = (way) => {
    try {
      sessionStorage.setItem("way", way);
    } catch {
      /* private mode */
    }
  };

  class Source extends EventTarget {
    readyState = 0;
    #address;
    #gone = new AbortController();
    #stream = null; // the one that speaks
    #trial = null; // one that has not spoken yet
    #failed = null; // the way that failed, and since when: if something else answers after that, the way is to blame
    #fails = 0;
    #asking = null;
    #asked = 0;
    #tag = "";
    #isLost = false;
    #heard = Date.now();
    #ticked = Date.now();
    #better = 0; // when better ways are tried again
    #best = 0; // the way that is tried then
    #retry = RETRY[0];
    #pause = FAILED[0];

    constructor(address) {
      super();
      this.#address = address;
      const { signal } = this.#gone;
      const wake = (event) => {
        if (event.type !== "pageshow" || event.persisted) this.#wake();
      };
      for (const kind of ["visibilitychange", "resume"]) document.addEventListener(kind, wake, { signal });
      for (const kind of ["online", "pageshow"]) window.addEventListener(kind, wake, { signal });
      window.addEventListener("pagehide", () => this.#stop(), { signal });
      const timer = setInterval(() => this.#tick(), 250);
      signal.addEventListener("abort", () => clearInterval(timer));
      this.#asked = Date.now() - ASK + QUIET;
      this.#begin(kept());
    }

    close() {
      this.readyState = 2;
      this.#gone.abort();
      this.#stop();
    }

    #stop() {
      for (const one of [this.#stream, this.#trial]) one?.stop();
      [this.#stream, this.#trial] = [null, null];
      this.#drop();
      leave();
    }

    #show(way) {
      const place = document.getElementById("stream");
      if (place) place.dataset.way = ["get", "post", "ask"][way];
    }

    // ---- Streams ----

    #begin(way) {
      if (way < (this.#stream?.way ?? STREAMS.length)) {
        if (take()) this.#try(way);
        else this.#wait(way);
        return;
      }
      this.#better = Date.now() + this.#retry;
      this.#retry = Math.min(2 * this.#retry, RETRY[1]);
      if (this.#stream) return;
      keep(STREAMS.length);
      this.#show(STREAMS.length);
      this.#asked = 0;
    }

    // Ask until there is a place for a stream
    #wait(way) {
      for (const one of [this.#stream, this.#trial]) one?.stop();
      [this.#stream, this.#trial, this.#failed] = [null, null, null];
      [this.#better, this.#best] = [Date.now() + ASK, way];
      this.#show(STREAMS.length);
    }

    #keepPlace() {
      const one = this.#trial || this.#stream;
      if (one && !take()) this.#wait(one.way);
    }

    #try(way) {
      const one = { way, since: Date.now(), spoke: 0 };
      one.stop = listen(
        STREAMS[way],
        this.#address,
        (...event) => this.#hear(one, ...event),
        () => this.#fail(one, 1, 0),
      );
      this.#trial = one;
    }

    #hear(one, kind, data) {
      if (one === this.#trial) {
        this.#stream?.stop();
        [this.#stream, this.#trial] = [one, null];
        keep(one.way);
        this.#show(one.way);
        if (!one.way) this.#retry = RETRY[0];
        this.#better = one.way ? this.#better || Date.now() + this.#retry : 0;
      }
      one.spoke = Date.now();
      this.#tag = "";
      this.#drop();
      if (one.spoke - one.since > STEADY) this.#fails = 0;
      this.#live();
      this.#tell(kind, data);
      this.#keepPlace(); // a hidden page hears more often than it ticks
    }

    #fail(one, times, silence) {
      one.stop();
      if (one === this.#stream) this.#stream = null;
      if (one === this.#trial) this.#trial = null;
      this.#fails += times;
      this.#failed = { way: one.way, since: Date.now() - silence };
      if (!this.#stream) this.#ask();
    }

    #judge() {
      if (!this.#failed || this.#heard <= this.#failed.since) return;
      const { way } = this.#failed;
      this.#failed = null;
      if (this.#fails < TIMES) {
        this.#begin(way);
        return;
      }
      this.#fails = 0;
      this.#begin(way + 1);
    }

    // ---- Asking ----

    async #ask() {
      if (this.#asking || !navigator.onLine) return;
      const asking = new AbortController();
      const limit = setTimeout(() => asking.abort(), PATIENCE);
      this.#asking = asking;
      this.#asked = Date.now();
      try {
        this.#tag = await ask(this.#address, this.#tag, (...event) => this.#tell(...event), asking.signal);
        if (this.#asking === asking) this.#live();
      } catch {
        if (this.#asking !== asking) return;
        this.#asked += this.#pause - ASK;
        this.#pause = Math.min(2 * this.#pause, FAILED[1]);
      } finally {
        clearTimeout(limit);
      }
      if (this.#asking === asking) this.#asking = null;
    }

    // A stream has spoken meanwhile: an answer that comes later may tell what is no longer so
    #drop() {
      if (!this.#asking) return;
      this.#asked = 0;
      this.#asking.abort();
      this.#asking = null;
    }

    // ---- What the page is told ----

    #tell(kind, data) {
      if (this.readyState < 2) this.dispatchEvent(new MessageEvent(kind, { data }));
    }

    #live() {
      this.#heard = Date.now();
      this.#pause = FAILED[0];
      if (this.#isLost || !this.readyState) {
        [this.readyState, this.#isLost] = [1, false];
        this.onopen?.(new Event("open"));
      }
      this.#judge();
    }

    #lose() {
      this.#isLost = true;
      this.onerror?.(new Event("error"));
    }

    // ---- Time ----

    #tick() {
      const now = Date.now();
      if (now - this.#ticked > NAP) this.#wake();
      this.#ticked = now;
      for (const one of [this.#trial, this.#stream]) {
        if (one && now - (one.spoke || one.since) > PATIENCE)
          this.#fail(one, one.spoke ? 1 : TIMES, PATIENCE);
      }
      this.#judge();
      this.#keepPlace();
      if (this.#better && now > this.#better && !this.#trial && !document.hidden) {
        const best = this.#best;
        [this.#better, this.#best] = [0, 0];
        this.#begin(best);
      }
      if (now - (this.#stream?.spoke || 0) > QUIET && now - this.#asked >= ASK) this.#ask();
      const limit = this.#stream || this.#failed ? LOST : ASK + LOST;
      if (!this.#isLost && !document.hidden && navigator.onLine && now - this.#heard > limit) this.#lose();
    }

    // Back from sleep, from another app or from the history: streams may be dead unnoticed, and much may have happened.
    #wake() {
      if (document.hidden) return;
      const now = Date.now();
      [this.#ticked, this.#heard] = [now, now];
      const one = this.#trial || this.#stream;
      const way = one ? one.way : kept();
      if (way < STREAMS.length && !(one && now - one.spoke < QUIET)) {
        this.#stop();
        this.#failed = null;
        this.#begin(way);
      }
      this.#drop();
      this.#ask();
    }
  }

  window.htmx.createEventSource = (address) => new Source(address);
})();
