// An installed page without its page: what is read when nobody answers, and notifications. `app` stands before it: a name, scope, offline
// page, assets as an expression, and of the portal the home page, which is kept as it was shown last, and where it signs out.

const shell = `${app.name} shell ${app.version}`;
const pages = `${app.name} pages`;
const assets = new RegExp(app.assets);

const keepAssets = async (cache, html) => {
  const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link);
  for (const link of new Set(links.filter((one) => assets.test(one))))
    if (!(await cache.match(link))) await cache.add(link);
};
const keepOffline = async () => {
  const cache = await caches.open(shell);
  await cache.add(new Request(app.offline, { cache: "no-store" }));
  await keepAssets(cache, await (await cache.match(app.offline)).text());
};
const languageOf = async (page) => / lang="([^"]+)"/.exec(await page.text())?.[1];
const keepHome = async (answer) => {
  const cache = await caches.open(shell);
  const offline = await cache.match(app.offline);
  await (await caches.open(pages)).put(app.home, answer.clone());
  await keepAssets(cache, await answer.clone().text());
  if (offline && (await languageOf(offline)) !== (await languageOf(answer))) await keepOffline();
};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keepOffline());
});

addEventListener("activate", (event) => {
  const begin = async () => {
    for (const name of await caches.keys())
      if (name.startsWith(`${app.name} shell`) && name !== shell) await caches.delete(name);
    await clients.claim();
    if (!app.home) return;
    const answer = await fetch(app.home, { redirect: "manual" }).catch(() => undefined);
    if (answer?.ok) await keepHome(answer); // the page that brought the worker was not asked for through it
  };
  event.waitUntil(begin());
});

const pageOf = (html) => new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });

const shownLast = async () => {
  const last = app.home && (await caches.match(app.home, { cacheName: pages, ignoreVary: true }));
  return last && last.text();
};
const whatIsKept = async (isHome) => {
  const known = await shownLast();
  if (known && isHome) return pageOf(known.replace('id="as-of" hidden=""', 'id="as-of"'));
  const offline = await caches.match(app.offline, { cacheName: shell, ignoreVary: true });
  if (!offline) return Response.error();
  const html = await offline.text();
  const time = known && / data-shown="([^"]*)"/.exec(known)?.[1];
  if (!time) return pageOf(html);
  return pageOf(
    html.replace("<time></time>", `<time>${time}</time>`).replace('id="last" hidden=""', 'id="last"'),
  );
};

const forgetWho = async (event) => {
  await caches.delete(pages);
  const unsubscribe = async () => (await registration.pushManager?.getSubscription())?.unsubscribe();
  event.waitUntil(unsubscribe().catch(() => {}));
};

const visited = async (event, path) => {
  const { request } = event;
  const isHome = request.method === "GET" && path === app.home;
  // before it is asked: whoever leaves without a connection leaves nothing to read either
  if (request.method === "POST" && app.signOut?.includes(path)) await forgetWho(event);
  try {
    const answer = await fetch(request);
    if (isHome && answer.ok) event.waitUntil(keepHome(answer.clone()));
    if (isHome && answer.type === "opaqueredirect") event.waitUntil(caches.delete(pages)); // to sign in
    return answer;
  } catch {
    return whatIsKept(isHome);
  }
};
const fromShell = async (request) => {
  const kept = await caches.match(request, { cacheName: shell, ignoreVary: true });
  return kept ?? fetch(request);
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(visited(event, pathname));
  else if (request.method === "GET" && assets.test(pathname)) event.respondWith(fromShell(request));
});

addEventListener("push", (event) => {
  const { id, title = "", body = "", language = "", opens } = event.data?.json() ?? {};
  const shown = registration.showNotification(title, {
    body,
    tag: id,
    lang: language,
    dir: "auto",
    data: opens,
  });
  event.waitUntil(shown);
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = String(event.notification.data ?? app.scope);
  const show = async () => {
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const here = open.find(({ url }) => new URL(url).pathname.startsWith(app.scope));
    return here ? here.focus() : clients.openWindow(path.startsWith(app.scope) ? path : app.scope);
  };
  event.waitUntil(show());
});
