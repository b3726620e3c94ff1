// Sorts rows by dragging.
//
// data-order goes around the rows, data-order-id on each, data-grip on the handle. Each row has a form with do=reorder, sent
// with "after", the id of the row in front. For rows without a form, data-order has the address, and htmx sends the same
// there. Without this file the buttons of the form do the same.
(() => {
  "use strict";
  const rowsOf = (list) => [...list.querySelectorAll("[data-order-id]")];
  let drag = null; // the row, its list, the original order

  // Grips show only while this file runs; rows may be replaced at any time.
  document.documentElement.classList.add("can-drag");

  function move(y) {
    const rows = rowsOf(drag.list);
    const at = rows.indexOf(drag.row);
    const middle = (row) => {
      const box = row.getBoundingClientRect();
      return box.top + box.height / 2;
    };
    const before = rows.find((row, n) => n < at && y < middle(row));
    const behind = rows.findLast((row, n) => n > at && y > middle(row));
    if (before) before.before(drag.row);
    else if (behind) behind.after(drag.row);
  }

  function end(keep) {
    if (!drag) return;
    const { row, list, stood } = drag;
    drag = null;
    row.classList.remove("is-dragged");
    const rows = rowsOf(list);
    if (!keep) {
      stood.forEach((one) => stood[0].parentNode.append(one));
      return;
    }
    if (rows.every((one, n) => one === stood[n])) return;
    const front = rows[rows.indexOf(row) - 1]?.dataset.orderId || "";
    if (list.dataset.order) {
      const values = { do: "reorder", target: row.dataset.orderId, after: front };
      const version = document.getElementById("table")?.dataset.version;
      if (version) values.version = version;
      window.htmx.ajax("POST", list.dataset.order, {
        source: list,
        target: "#table",
        swap: "outerHTML",
        values,
      });
      return;
    }
    const form = [...row.querySelectorAll("form")].find((one) => one.elements.do?.value === "reorder");
    const after = document.createElement("input");
    Object.assign(after, { type: "hidden", name: "after", value: front });
    form.append(after);
    form.requestSubmit();
  }

  document.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest?.("[data-grip]");
    const row = grip?.closest("[data-order-id]");
    const list = row?.closest("[data-order]");
    if (!list || event.button) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    drag = { row, list, stood: rowsOf(list) };
    row.classList.add("is-dragged");
  });
  document.addEventListener("pointermove", (event) => {
    if (drag) move(event.clientY);
  });
  document.addEventListener("pointerup", () => end(true));
  document.addEventListener("pointercancel", () => end(false));
  document.addEventListener("keydown", (event) => {
    if (drag && event.key === "Escape") end(false);
  });
})();
