// The worker of a site that has switched it off: it removes itself and everything it kept.
"use strict";

async function remove() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("{{ ours }}")).map((name) => caches.delete(name)));
  await self.registration.unregister();
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(remove()));
