// Installs the worker that shows a page when the table cannot be reached, or removes it where it is switched off.
//
// data-worker on <html> is "on" or "off"; a page made without settings has neither and changes nothing. Browsers have
// workers only on https and on localhost.
(() => {
  "use strict";
  const workers = window.isSecureContext && navigator.serviceWorker;
  const wanted = document.documentElement.dataset.worker;
  const home = new URL(".", document.querySelector("link[rel=manifest]").href);
  const ours = `offline${home.pathname.slice(0, -1)}-`; // begins the names of its caches, as in templates/worker/

  async function remove() {
    for (const one of await workers.getRegistrations()) if (one.scope === home.href) await one.unregister();
    for (const name of await caches.keys()) if (name.startsWith(ours)) await caches.delete(name);
  }

  function install() {
    // A browser may refuse, such as for a certificate it does not trust: the site works without.
    workers.register(new URL("worker.js", home), { updateViaCache: "none" }).catch(() => null);
  }

  if (workers && wanted === "on") window.addEventListener("load", install);
  else if (workers && wanted === "off") remove();
})();
