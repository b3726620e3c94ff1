// Requests that fail, are sent twice or come too late, and the stream that announces changes.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

  // A form that leads to another page, such as the one to leave the table, has been sent
  const isGoing = () => Boolean($("form[data-busy]:not([hx-post])"));

  // ---- One submit at a time ----
  const blockBusy = (event) => {
    const busy = event.target.closest?.("[data-busy]");
    if (
      !busy ||
      (event.type === "click" &&
        busy.matches("form") &&
        !event.target.closest("[type=submit], button:not([type])"))
    )
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("submit", blockBusy, true);
  document.addEventListener("click", blockBusy, true);
  document.addEventListener("submit", (event) => {
    const { method, dataset } = event.target;
    if (!event.defaultPrevented && method !== "dialog" && !("download" in dataset)) dataset.busy = "";
  });
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    if (requestConfig.verb === "get") return;
    elt.dataset.busy = "";
    xhr.addEventListener("loadend", () => {
      delete elt.dataset.busy;
    });
    // Messages were about the last action; what a page begins by itself is none
    if (requestConfig.triggeringEvent) document.getElementById("messages")?.replaceChildren();
  });
  window.addEventListener("pageshow", () =>
    $$("[data-busy]").forEach((e) => {
      delete e.dataset.busy;
    }),
  );

  // ---- What changed under the finger: a button that another's change has brought does nothing for a moment ----
  // As long as that is so, #table has data-fresh. One that sends the same where it stood before is no other button.
  const MOMENT = 400; // milliseconds
  const buttons = () => $$("#table button");
  let known = new Map(buttons().map((one) => [one, null])); // with their places before another's change
  let timeout = 0;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const isLive = detail.requestConfig?.elt.matches("[data-live]");
    known = new Map(buttons().map((one) => [one, isLive ? one.getBoundingClientRect() : null]));
  });
  const isIn = (place, { clientX: x, clientY: y }) =>
    Boolean(place) && x >= place.left && x <= place.right && y >= place.top && y <= place.bottom;
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    const table = document.getElementById("table");
    if (!table || !detail.requestConfig?.elt.matches("[data-live]")) return;
    clearTimeout(timeout);
    table.dataset.fresh = "";
    timeout = setTimeout(() => {
      delete table.dataset.fresh;
    }, MOMENT);
  });
  // Nor does the second click of a double click press another button than the first, which the answer to that has brought;
  // and a double click passes one turn, not two. Undo and the like, which send the same again, go on with each click.
  const CHANGING = ["csrfmiddlewaretoken", "version"]; // in each answer
  const sentBy = ({ form, name, value }) => {
    const fields = [...(form ? new FormData(form) : [])].filter(([field]) => !CHANGING.includes(field));
    return JSON.stringify([form?.dataset.keepFields, ...fields, [name, value]]);
  };
  let pressed = "";
  let twin = null; // what is pressed in place of what an answer has replaced
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest?.("#table button");
      if (!button) return;
      const [isNew, sends] = [!known.has(button), sentBy(button)];
      const stoodHere = () =>
        button === twin || [...known].some(([old, place]) => isIn(place, event) && sentBy(old) === sends);
      const isSecond = event.detail > 1 && ((isNew && sends !== pressed) || button.matches("[data-key=n]"));
      if (!isSecond && !(isNew && button.matches("[data-fresh] button") && !stoodHere())) {
        pressed = sends;
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  // ---- What is pressed as it goes down is done, also if an answer replaces it before it comes up ----
  const PRESSED = "button, a[href], summary";
  let down = null;
  const wordsOf = (element) => element.textContent.replace(/\s+/g, " ").trim();
  const kindOf = (element) =>
    JSON.stringify([
      element.tagName,
      element.name,
      element.value,
      element.getAttribute("href"),
      wordsOf(element),
      element.form?.getAttribute("action"),
      element.closest("details")?.id,
    ]);
  // What stands in its place: what sends the same, or the only one of its kind
  function findTwin({ element, sends, kind }) {
    const all = $$(element.tagName).filter((one) => !one.disabled && one.checkVisibility());
    const exact = element.form && all.find((one) => one.form && sentBy(one) === sends);
    const alike = all.filter((one) => kindOf(one) === kind);
    return exact || (alike.length === 1 || !element.form ? alike[0] : null);
  }
  // It is gone: what it sends is sent all the same, and the answer says what became of it
  function sendGone({ element }) {
    const [form, table] = [element.form, document.getElementById("table")];
    const path = form?.getAttribute("hx-post");
    if (!path || !table) return;
    const values = new FormData(form, element);
    window.htmx.ajax("post", path, { source: table, target: table, swap: "outerHTML", values }).catch(() => {
      /* the banner tells of it */
    });
  }
  function begin(element) {
    down = element && {
      element,
      sends: sentBy(element),
      kind: kindOf(element),
      place: element.getBoundingClientRect(),
    };
  }
  function finish() {
    const was = down;
    down = null;
    if (!was || was.element.isConnected || was.element.disabled) return; // else the click comes by itself
    twin = findTwin(was);
    if (twin) twin.click();
    else sendGone(was);
    twin = null;
  }
  document.addEventListener(
    "pointerdown",
    ({ isPrimary, button, target }) => begin(isPrimary && !button ? target.closest?.(PRESSED) : null),
    true,
  );
  document.addEventListener(
    "pointerup",
    (event) => {
      if (isIn(down?.place, event)) finish();
      else down = null;
    },
    true,
  );
  document.addEventListener("pointercancel", () => begin(null), true);
  document.addEventListener(
    "keydown",
    ({ key, repeat, target }) => {
      if (key === " " && !repeat) begin(target.closest?.("button, summary"));
    },
    true,
  );
  document.addEventListener(
    "keyup",
    ({ key }) => {
      if (key === " ") finish();
    },
    true,
  );

  // ---- The banner: a failed request can be sent again ----
  const refusals = {
    403: "You may not do that, or this page is out of date. Reload it and try again.",
    404: "That is gone. Reload the page.",
    413: "That was too much at once. Nothing was changed.",
    429: "Too many tries. Wait a minute, then try again.",
    503: "The database is not available. Check first whether your change was saved.",
    507: "The disk of the server is full: what you sent was not saved.",
  };
  // An outage ends with the next answer, to any question: of the stream, a list, or look, which asks meanwhile. What was pressed
  // into it can still be sent again for a moment. What the server fails at, or no disk holds, is no outage.
  const OUTAGES = [502, 503, 504];
  const LOOK = 5000; // milliseconds from one look whether the table is back to the next
  const BACK = 10000; // that a press can be sent again once it is
  let again = null; // what can be sent again: what htmx tells of a request
  let state = ""; // of the table while the banner is open: "out", or "back" after that
  let timer = 0;
  const isPress = (one) => Boolean(one) && one.requestConfig.verb !== "get";

  function banner(text, lost = null, now = "") {
    const box = document.getElementById("banner");
    if (!box) return;
    const hasFocus = !text && box.contains(document.activeElement);
    [again, state] = [lost, now];
    $("[data-banner-text]", box).textContent = text;
    $("[data-banner-retry]", box).hidden = !lost;
    box.hidden = !text;
    clearTimeout(timer);
    if (now === "out") timer = setTimeout(look, LOOK);
    if (now === "back") timer = setTimeout(() => banner(""), BACK);
    if (hasFocus)
      $$("[data-focus-home], main")
        .findLast((one) => one.checkVisibility())
        ?.focus({ preventScroll: true });
  }

  async function look() {
    timer = setTimeout(look, LOOK);
    if (document.hidden || !navigator.onLine) return;
    try {
      const answer = await fetch(location.href, {
        method: "HEAD",
        cache: "no-store",
        redirect: "manual",
        signal: AbortSignal.timeout(LOOK),
      });
      if (answer.type === "opaqueredirect" || answer.status < 500) recover();
    } catch {
      /* not yet */
    }
  }

  // The table answers
  function recover() {
    if (!navigator.onLine) return;
    if (!isPress(again)) banner("");
    else if (state === "out")
      banner("The table answers again. If it does not show what you did, try again.", again, "back");
  }

  // What is sent again is what was sent: the address, the fields and the button, whatever the page shows by now. A press keeps
  // its name, by which the server knows it if only its answer was lost.
  const PRESS = "X-Press";
  const nameOne = () =>
    [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join("-");
  function sendAgain(lost, swap = lost.etc.swapOverride) {
    const {
      target,
      requestConfig: { elt, headers, parameters, path, triggeringEvent, verb },
      etc: { select },
    } = lost;
    const [source, place] = [elt, target].map((one) =>
      one.isConnected ? one : document.getElementById(one.id),
    );
    const holdsFiles = [...parameters.values()].some((value) => value instanceof File); // only their own form can send them
    if (!place || (holdsFiles && source !== elt)) {
      location.reload();
      return;
    }
    again = lost;
    const named = { [PRESS]: headers[PRESS] };
    const failed = () => {
      /* the events below tell of it */
    };
    window.htmx
      .ajax(verb, path, {
        source: source || place,
        target: place,
        event: triggeringEvent,
        headers: named,
        swap,
        select,
      })
      .catch(failed);
  }
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const sent = again?.requestConfig;
    if (!sent || detail.headers[PRESS] !== sent.headers[PRESS]) detail.headers[PRESS] = nameOne();
    else Object.assign(detail, { path: sent.path, parameters: sent.parameters, errors: [] });
  });
  window.cosmosLive = { sendAgain };
  // htmx writes each request without an answer to the console. The page tells of those; leaving a page ends its requests
  const TOLD = [
    "htmx:afterRequest",
    "htmx:responseError",
    "htmx:sendAbort",
    "htmx:sendError",
    "htmx:sseError",
    "htmx:timeout",
  ];
  window.htmx.logger = (_, name, detail) => {
    if (TOLD.includes(name)) detail.error = "";
  };
  // What is only read takes no press from the banner
  function fail(text, lost, now) {
    if (isPress(lost) || !isPress(again)) banner(text, lost, now);
    else if (now) banner(text, again, now);
  }
  const lose = ({ detail }) => fail("The table did not answer. Nothing was changed here.", detail, "out");
  document.addEventListener("htmx:sendError", lose);
  document.addEventListener("htmx:timeout", lose);
  document.addEventListener("htmx:responseError", ({ detail }) => {
    const { status } = detail.xhr;
    const why = detail.xhr.getResponseHeader("X-Why");
    if (status >= 500)
      fail(
        why || refusals[status] || "The server failed. Nothing was changed.",
        detail,
        OUTAGES.includes(status) ? "out" : "",
      );
  });
  document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
    if (detail.xhr.status >= 500 || !navigator.onLine) return;
    if (isPress(detail) || (!state && !detail.requestConfig.elt.matches("[data-live]"))) banner("");
    else recover();
  });
  // The stream sends the present stamp. The page does not reload what it already shows,
  // nor what the answer to its own action will bring in a moment.
  const PATIENCE = 2000; // milliseconds for an action's usual answer
  let sent = 0;
  let told = "";
  const LEFT_OUT = "left out";
  const isOld = (stamp) => stamp && stamp !== document.getElementById("table")?.dataset.version;
  const lookAgain = () => {
    if ($("#stream [data-live]")) window.htmx.trigger($("#stream [data-live]"), "again");
  };
  const isWaiting = () => Date.now() - sent < PATIENCE;
  const lookIfOld = () => {
    if (isOld(told) && !isWaiting()) lookAgain();
  };
  document.addEventListener(
    "sse:changed",
    (event) => {
      told = event.detail.data;
      if (isWaiting() || !isOld(told)) event.stopPropagation();
      if (isWaiting()) setTimeout(lookIfOld, PATIENCE);
    },
    true,
  );
  document.addEventListener("htmx:beforeSend", (event) => {
    if (event.detail.requestConfig.verb !== "get") [sent, told] = [Date.now(), ""];
  });
  // An answer needs the table that asked for it. So a reload is dropped while an action waits for its answer; and if
  // the table was replaced meanwhile (htmx then reports no swap), it is reloaded.
  document.addEventListener(
    "htmx:beforeSwap",
    ({ detail }) => {
      detail.xhr.isTaken = true;
      if (!sent || detail.target.id !== "table" || !detail.requestConfig.elt.matches("[data-live]")) return;
      detail.shouldSwap = false;
      told = LEFT_OUT;
    },
    true,
  );
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig.verb === "get") return;
    sent = 0;
    if (told === LEFT_OUT && detail.target.id === "table" && detail.xhr.isTaken) told = ""; // the answer is newer
    if (detail.target.id === "table" && detail.successful && !detail.xhr.isTaken) lookAgain();
    else lookIfOld();
  });
  document.addEventListener("htmx:sseClose", (event) => {
    if (event.detail.type === "message" && !isGoing()) location.reload();
  });
  // A live page reloads what it shows; the answer is empty if nothing changed.
  document.addEventListener("htmx:configRequest", (event) => {
    const table = document.getElementById("table");
    if (!event.detail.elt.matches?.("[data-live]") || !table) return;
    event.detail.path = table.dataset.again || location.pathname + location.search;
    if (table.dataset.tag) event.detail.headers["If-None-Match"] = table.dataset.tag;
  });
  document.addEventListener("htmx:sseError", () => {
    // a more detailed banner stays
    if (navigator.onLine && !again) banner("Connection lost. Reconnecting…", null);
  });
  document.addEventListener("htmx:sseOpen", recover); // late answers end no outage of the device

  // A look that began before the device slept may never end: begin it again. The source looks after itself.
  function lookAfterSleep() {
    const live = $("#stream [data-live].htmx-request");
    if (!live || document.hidden) return;
    window.htmx.trigger(live, "htmx:abort");
    lookAgain();
  }
  for (const kind of ["visibilitychange", "resume"]) document.addEventListener(kind, lookAfterSleep);
  window.addEventListener("pageshow", lookAfterSleep);
  const tellOffline = () => banner("You're offline.", isPress(again) ? again : null, "out");
  window.addEventListener("offline", tellOffline);
  if (!navigator.onLine) tellOffline(); // since before this script ran
  window.addEventListener("online", () => {
    recover();
    lookAfterSleep();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-banner-close]")) banner("");
    if (event.target.closest("[data-banner-retry]") && again) sendAgain(again);
  });

  // ---- A whole page in place of a part: the sign-in page, or an error ----
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig, target } = event.detail;
    const wholePage = /^\s*<!doctype/i.test(event.detail.serverResponse || "");
    if (!wholePage || requestConfig.elt.closest("[hx-select], [hx-boost]") || target === document.body)
      return;
    event.detail.shouldSwap = false;
    if (isGoing()) return;
    xhr.leadsAway = xhr.status < 400;
    if (xhr.leadsAway) location.assign(xhr.responseURL);
    else banner(refusals[xhr.status] || "The server did not accept that. Nothing was changed.");
  });
})();
