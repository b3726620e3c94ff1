// Times in the zone of the reader: the server writes them in its own, which is what is read without this file.
//
// data-today on a date field that nobody has set: it begins with the day of the reader.
// data-own-zone on a field that nobody has set: it begins with the time zone of the reader.
// data-in-zone on words about a time in another zone: they are silent for who lives in that zone.
// data-once on a <time>: it is silent below one that says the same.
// data-written on a <time>, or inside one: how it is written, in the letters j F M Y H i D l of Django's `date`.
(() => {
  "use strict";
  const tell = (options) => (at) => at.toLocaleString("en", options);
  const PARTS = {
    j: (at) => String(at.getDate()),
    F: tell({ month: "long" }),
    M: tell({ month: "short" }),
    Y: (at) => String(at.getFullYear()),
    H: (at) => String(at.getHours()).padStart(2, "0"),
    i: (at) => String(at.getMinutes()).padStart(2, "0"),
    D: tell({ weekday: "short" }),
    l: tell({ weekday: "long" }),
  };

  function write(place) {
    const at = new Date(place.closest("time").dateTime);
    if (Number.isNaN(at.getTime())) return;
    const words = place.dataset.written.replace(/[jFMYHiDl]/g, (letter) => PARTS[letter](at));
    if (place.textContent !== words) place.textContent = words;
  }

  function setToday(field) {
    const now = new Date();
    field.removeAttribute("data-today");
    field.value = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`;
  }

  function setZone(field, zone) {
    field.removeAttribute("data-own-zone");
    field.value = zone;
  }

  function silence(times) {
    let last = "";
    for (const time of times) {
      const words = time.textContent.replace(/\s+/g, " ");
      time.hidden = words === last;
      last = words;
    }
  }

  function writeAll() {
    for (const place of document.querySelectorAll("[data-written]")) write(place);
    silence(document.querySelectorAll("time[data-once]"));
    for (const field of document.querySelectorAll("[data-today]")) setToday(field);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    for (const field of document.querySelectorAll("[data-own-zone]")) setZone(field, timeZone);
    for (const words of document.querySelectorAll("[data-in-zone]"))
      words.hidden = words.dataset.inZone === timeZone;
  }

  writeAll();
  document.addEventListener("htmx:afterSwap", writeAll);
})();
