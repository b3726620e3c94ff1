// The worker of the site: it passes every request on, and shows one page when the table cannot be reached.
//
// It keeps no other page: a kept page could be old, or show a secret. Forms do not pass here, so that after a lost
// connection the browser itself offers to send them again.
"use strict";
const OURS = "{{ ours }}";  // begins the names of our caches: the host may have other sites
const CACHE = `${OURS}{{ digest }}`;
const FILES = [{% for file in files %}"{{ file|escapejs }}"{% if not forloop.last %}, {% endif %}{% endfor %}];
const [PAGE] = FILES;

async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload", credentials: "omit" })));
  await self.skipWaiting();
}

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function pass(request, kept) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(kept);
    if (found) return found;
    throw error;
  }
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(pass(request, PAGE));
  else if (origin === self.location.origin && FILES.includes(pathname)) event.respondWith(pass(request, pathname));
});
