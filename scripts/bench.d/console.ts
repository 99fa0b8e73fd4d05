import { gzipSync } from "node:zlib";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type ApiPlan, measure } from "./api.ts";
import { STAFF } from "./data-set.ts";
import { type Product, startGatehouse } from "./gatehouse.ts";
import { writeSessions } from "./growth.ts";
import { BOOKS, writeOffice } from "./office.ts";

/** Sessions that are open while the pages are asked for. */
const OPEN = 20_000;
/** Browsers that watch what is live, and for how many seconds: each part is asked for at least once. */
const WATCHING = 200;
const WATCHED = 12;
/** Reports of sessions a second meanwhile: each of those that are open every five minutes. */
const REPORTS = Math.ceil(OPEN / 300);

/** One page, or one part of it. */
export interface PageFigure {
  readonly page: string;
  /** Milliseconds, one at a time. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** p99 in milliseconds of logins, 1,000 a second, meanwhile. */
  readonly login99: number;
  /** Bytes as they are sent: of the page alone, and with all that it loads on a first visit. */
  readonly bytes: number;
  readonly whole: number;
}

export interface ConsoleFigures {
  readonly subscribers: number;
  readonly entries: number;
  readonly sessions: number;
  readonly open: number;
  readonly pages: readonly PageFigure[];
  /** p99 in milliseconds of logins, without and with so many browsers that watch the pages that are live. */
  readonly watching: number;
  readonly quiet99: number;
  readonly watched99: number;
}

/** Pages as people open them, and search as they type. */
const paths: Record<string, string> = {
  Today: "/console",
  "search by part of a number": "/console/search?q=4242",
  "search by name": "/console/search?q=User%204242",
  Subscribers: "/console/subscribers",
  "Subscribers, expired": "/console/subscribers?status=expired",
  "A subscriber": "/console/subscribers/4242",
  "A subscriber's sessions": "/console/subscribers/4242/sessions",
  "A subscriber's logins": "/console/subscribers/4242/logins",
  "A subscriber's money": "/console/subscribers/4242/money",
  "Take payment": "/console/subscribers/4242/pay",
  "Sign up": "/console/sign-up",
  Online: "/console/online",
  Logins: "/console/logins",
  Money: "/console/money",
  Owed: "/console/money/owed",
  Routers: "/console/routers",
  "A router": "/console/routers/1",
  "Sales by day and package": "/console/reports/sales",
  "Sales by month": "/console/reports/sales?per=month&by=salesperson",
  Collections: "/console/reports/collections",
  "Given away": "/console/reports/concessions",
  Renewals: "/console/reports/renewals",
  "Owed by place": "/console/reports/owed",
  Trail: "/console/trail",
  "Trail of one action": "/console/trail?action=package.update",
  Packages: "/console/packages",
  "A package": "/console/packages/2",
  Boxes: "/console/boxes",
  Findings: "/console/findings",
  Settings: "/console/settings",
  Places: "/console/settings/places",
  Staff: "/console/settings/staff",
  Roles: "/console/settings/roles",
  Import: "/console/settings/import",
  Backups: "/console/settings/backups",
};

/** What the console answers beside 1,000 logins a second, on the books of the office. */
export async function measureConsole(
  { sessions, log }: { sessions: number; log: (line: string) => void },
  { accounting, ...rest }: Pick<ApiPlan, "templates" | "load" | "seconds"> & { accounting: string },
): Promise<ConsoleFigures> {
  log(`console: ${BOOKS.subscribers} subscribers, ${BOOKS.entries} entries, ${sessions} sessions`);
  const product = await startGatehouse(
    BOOKS.subscribers,
    (folder) => {
      writeOffice(folder);
      writeSessions(folder, { subscribers: BOOKS.subscribers, sessions });
      writeOpenSessions(folder);
    },
    { balance: null },
  );
  try {
    const plan = { ...rest, product, subscribers: BOOKS.subscribers };
    const cookie = await signIn(product);
    const pages: PageFigure[] = [];
    for (const [page, path] of Object.entries(paths)) {
      const headers = { cookie, ...(path.includes("/search") && { "hx-request-type": "partial" }) };
      const figure = await measure(plan, () => fetch(product.http + path, { headers }), 1);
      pages.push({ page, ...figure, ...(await weigh(product, path, headers)) });
    }
    return {
      subscribers: BOOKS.subscribers,
      entries: BOOKS.entries,
      sessions,
      open: OPEN,
      pages,
      watching: WATCHING,
      ...(await measureWatching(plan, { cookie, accounting })),
    };
  } finally {
    await product.stop();
  }
}

/** The cookie of the Admin of the data set, who signs in as a browser does. */
export async function signIn({ http }: Product): Promise<string> {
  const page = await fetch(`${http}/console/sign-in`);
  const cookies = (response: Response) =>
    response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
  const [visit = ""] = cookies(page);
  const answer = await fetch(`${http}/console/sign-in`, {
    method: "POST",
    headers: { cookie: visit },
    body: new URLSearchParams({ ...STAFF, form_token: token }),
    redirect: "manual",
  });
  const session = cookies(answer).find((cookie) => cookie.startsWith("gatehouse_console"));
  if (session === undefined) throw new Error(`the console lets nobody in: ${answer.status}`);
  return session;
}

/** What a page weighs as it is sent to a browser that has nothing yet. */
async function weigh({ http }: Product, path: string, headers: Record<string, string>) {
  const answer = await fetch(http + path, { headers, redirect: "manual" });
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}, which is no page`);
  const text = await answer.text();
  const bytes = gzipSync(text, { level: 5 }).length;
  let whole = bytes;
  for (const [, file = ""] of text.matchAll(
    /(?:src|href)="(\/(?:console|portal)\/(?:assets|brand)\/[^"]+)"/g,
  ))
    whole += gzipSync(await (await fetch(http + file.replaceAll("&amp;", "&"))).arrayBuffer()).length;
  return { bytes, whole };
}

/** Logins with nobody who watches, and with many who do: half of them the logins, half who is online. */
async function measureWatching(
  plan: ApiPlan,
  { cookie, accounting }: { cookie: string; accounting: string },
) {
  const nothing = async () => {
    await Bun.sleep(50);
    return new Response();
  };
  const quiet99 = (await measure(plan, nothing, 1)).login99;
  const stop = new AbortController();
  const streams = Array.from({ length: WATCHING }, (_, index) =>
    watch(plan.product, { cookie, signal: stop.signal, page: index % 2 === 0 ? "logins" : "online" }),
  );
  await Bun.sleep(500);
  const seconds = WATCHED;
  const reports = plan.load({
    port: plan.product.acctPort ?? 0,
    templates: accounting,
    seconds,
    warmup: 0,
    drive: { rate: REPORTS },
    first: 0,
  });
  const watched99 = (await measure({ ...plan, seconds }, nothing, 1)).login99;
  await reports;
  stop.abort();
  const ends = await Promise.allSettled(streams);
  const failed = ends.find((end) => end.status === "rejected" && end.reason?.name !== "AbortError");
  if (failed?.status === "rejected") throw failed.reason;
  return { quiet99, watched99 };
}

/** What a page that is looked at asks for again when its topic is told, and after how many seconds at the earliest. */
const looks = {
  logins: [
    { path: "/console/logins?part=list", topic: "logins", every: 2 },
    { path: "/console/logins?part=side", topic: "logins", every: 10 },
  ],
  online: [{ path: "/console/online", topic: "sessions", every: 10 }],
};

/** A browser on a page: its stream, and the parts that it asks for when the stream says so, as live.js does. */
async function watch(
  { http }: Product,
  { cookie, signal, page }: { cookie: string; signal: AbortSignal; page: keyof typeof looks },
): Promise<void> {
  const headers = { cookie, "hx-request": "true", "hx-request-type": "partial", "x-live": "1" };
  const requests = looks[page].map(() => performance.now() - Math.random() * 2000);
  const stream = await fetch(`${http}/console/live`, { headers: { cookie }, signal });
  if (!stream.body || stream.status !== 200) throw new Error(`no stream: ${stream.status}`);
  for await (const bytes of stream.body) {
    const text = Buffer.from(bytes).toString();
    for (const [index, { path, topic, every }] of looks[page].entries()) {
      if (!text.includes(topic) || performance.now() - (requests[index] ?? 0) < every * 1000) continue;
      requests[index] = performance.now();
      await (await fetch(http + path, { headers, signal })).arrayBuffer();
    }
  }
}

/** Sessions of the first subscribers that go on, with a rate. */
export function writeOpenSessions(folder: string): void {
  const client = new Database(join(folder, "gatehouse.db"), { strict: true });
  client
    .query(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $open)
       INSERT INTO sessions (nas_id, nas_address, local_address, acct_session_id, username, subscriber_id, mac, framed_ip, nas_port_id,
         started_at, updated_at, session_time, input_octets, output_octets, counter_input, counter_output, rate_input, rate_output)
       SELECT 1, '127.0.0.1', '127.0.0.1', printf('90%08x', i), 'user' || i, i, printf('02:00:01:00:%02X:%02X', i >> 8, i & 255),
         printf('100.64.%d.%d', i >> 8, i & 255), 'bridge1', $now - i, $now - 60, i, i * 1000, i * 9000, i * 1000, i * 9000,
         i * 100, i * 7919 % 50000000 FROM n`,
    )
    .run({ open: OPEN, now: Math.floor(Date.now() / 1000) });
  client.close();
}
