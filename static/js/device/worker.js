// Installs the worker that shows a page when the table cannot be reached, or removes it where it is switched off.
//
// data-worker on <html> is "on" or "off"; a page made without settings has neither and changes nothing. Browsers have
// workers only on https and on localhost.
(() => {
  "use strict";
  const workers = window.isSecureContext && navigator.serviceWorker;
  const wanted = document.documentElement.dataset.worker;

  async function remove() {
    for (const one of await workers.getRegistrations()) await one.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  }

  function install() {
    // A browser may refuse, such as for a certificate it does not trust: the site works without.
    workers.register("/worker.js", { updateViaCache: "none" }).catch(() => null);
  }

  if (workers && wanted === "on") window.addEventListener("load", install);
  else if (workers && wanted === "off") remove();
})();
