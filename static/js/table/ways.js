// The ways by which a page hears of changes: a stream that answers a GET, one that answers a POST, and asking.
//
// Some proxies hold back the answer to a GET until it ends; most of them pass the answer to a POST. Where no stream passes,
// short answers do. All of them carry the same text: events of a kind, with data.
(() => {
  "use strict";
  const isEvents = (answer) => (answer.headers.get("Content-Type") || "").startsWith("text/event-stream");

  function tell(text, hear) {
    let [kind, data] = ["", ""];
    for (const line of text.split("\n")) {
      if (line.startsWith("event: ")) kind = line.slice(7);
      if (line.startsWith("data: ")) data = line.slice(6);
    }
    if (kind) hear(kind, data);
  }

  async function read(answer, hear) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const events = (rest + piece.value).split("\n\n");
      rest = events.pop();
      for (const event of events) tell(event, hear);
    }
  }

  // A stream: each event goes to hear, its end to fail unless it was stopped. Returns how to stop it.
  function listen(method, address, hear, fail) {
    const stopped = new AbortController();
    const { signal } = stopped;
    const tellOne = (kind, data) => {
      if (!signal.aborted) hear(kind, data);
    };
    fetch(address, { method, signal, cache: "no-store", headers: { Accept: "text/event-stream" } })
      .then((answer) => isEvents(answer) && read(answer, tellOne))
      .catch(() => {
        /* as an end */
      })
      .finally(() => {
        if (!signal.aborted) fail();
      });
    return () => stopped.abort();
  }

  // Asks once for what came after a tag. Returns the new tag; throws what is no answer of this site.
  async function ask(address, tag, hear, signal) {
    const headers = tag ? { "If-None-Match": tag } : {};
    const answer = await fetch(`${address}now/`, { signal, headers, cache: "no-store" });
    if (answer.status === 304) return tag;
    const text = await answer.text();
    if (!isEvents(answer)) throw new Error(`${answer.status}`);
    for (const event of text.split("\n\n")) tell(event, hear);
    return answer.headers.get("ETag") || "";
  }

  window.cosmosWays = { ask, listen };
})();
