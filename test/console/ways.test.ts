import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { audit } from "../../src/domain/core/audit/audit.ts";
import { undone } from "../support/store.ts";
import { write } from "../../db/open.ts";
import { credit } from "../../src/domain/money/billing/credit.ts";
import { latchMessageAuthenticator, recordUnauthenticated } from "../../src/domain/goods/nas/sources.ts";
import { by } from "../support/isp.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { consoleWorld } from "../support/console-world.ts";
import {
  type CrawledField,
  type CrawledForm,
  type CrawledPage,
  Crawler,
  formsOf,
  linksOf,
  sentBy,
} from "../support/console-crawl.ts";
import { loadActor } from "../../src/domain/people/staff/sign-in.ts";
import { confirmEnrolment, startEnrolment } from "../../src/domain/people/staff/enrolment.ts";
import { totpCode } from "../../src/domain/people/staff/totp.ts";
import { elsewhere, refusedHere, spoken, values, valuesOf } from "../support/console-forms.ts";
import { formRules } from "./form-rules.ts";
import { emptyBox } from "../support/empty-box.ts";
import type { TestApp } from "../support/http.ts";
import { callers, refuseLogin, type Tenants } from "../support/tenants.ts";

/* The console as it hangs together: whoever goes on from Today by links and buttons comes everywhere, and nowhere to a dead end. */

interface Visitor {
  readonly at: TestApp;
  readonly who: string;
  readonly crawler: Crawler;
  readonly pages: readonly CrawledPage[];
}

/** A form as it stood where somebody came to. */
interface Found extends Visitor {
  readonly form: CrawledForm;
  readonly on: string;
  /** The page that the form stands beside, where it is in a drawer. */
  readonly beneath: string | undefined;
}

const routes = consoleRoutes
  .map(({ method, path }) => ({
    method,
    path,
    open: path.split(":").length,
    is: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`),
  }))
  .sort((a, b) => a.open - b.open);

function routeOf(method: string, href: string): string | undefined {
  const [path = ""] = href.split("?");
  return routes.find((route) => route.method === method && route.is.test(path))?.path;
}

let app: Tenants;
const empty: TestApp[] = [];
const visitors: Visitor[] = [];
/** Those who see most of the first world. */
const ofWorld: Visitor[] = [];
const reached = new Set<string>();
const found = new Map<string, Found>();

/** What a press came to: the page or the part that follows, and the page beneath it, asked for anew. */
interface Pressed {
  readonly filled: Press["filled"];
  readonly route: string;
  readonly withScript: boolean;
  readonly status: number;
  readonly anew: number;
  readonly isDone: boolean;
  readonly text: string;
}

const pressed: Pressed[] = [];

interface Press {
  readonly withScript: boolean;
  readonly filled: "well" | "with a space" | "with nonsense";
}

/** How each is pressed. */
const presses: readonly Press[] = [
  { withScript: false, filled: "well" },
  { withScript: true, filled: "well" },
  { withScript: false, filled: "with a space" },
  { withScript: false, filled: "with nonsense" },
];

/** The form with something else in all that is typed or chosen. */
function filledIn(form: CrawledForm, filled: Press["filled"]): CrawledForm {
  const value = filled === "with a space" ? " " : "-no!such";
  const isTyped = ({ tag, type }: CrawledField) =>
    tag === "textarea" ||
    tag === "select" ||
    (tag === "input" && /^(text|password|number|tel|email|date|time)?$/.test(type));
  return { ...form, fields: form.fields.map((field) => (isTyped(field) ? { ...field, value } : field)) };
}

beforeAll(async () => {
  app = await consoleWorld();
  corners(app);
  await visitWithFactor();
  await Crawler.signedIn(app, callers.admin); // in two browsers, one of which can be signed out
  const world = [callers.admin, callers.operator, callers.reseller];
  for (const who of world) ofWorld.push(await visit(app, who));
  visitors.push(...ofWorld);
  for (const isOfIsp of [false, true]) {
    const box = await emptyBox({ isOfIsp });
    empty.push(box.app);
    visitors.push(await visit(box.app, box.account));
  }
  for (const visitor of visitors) for (const page of visitor.pages) note(page, visitor);
  for (const [route, one] of found)
    for (const { withScript, filled } of presses) {
      const came = route in elsewhere ? undefined : await press(one, route, { withScript, filled });
      if (came) pressed.push({ route, withScript, ...came });
    }
});
afterAll(() => {
  for (const one of [app, ...empty]) one[Symbol.dispose]();
});

/** The states of things in which a page has one more button. */
function corners({ db, clock }: Tenants): void {
  refuseLogin(db);
  db.$client.run("UPDATE subscribers SET status = 0 WHERE username = 'neo1'");
  db.$client.run("UPDATE services SET frozen_at = ? WHERE subscriber_id = 1", [clock.now]);
  db.$client.run("UPDATE incoming_payments SET subscriber_id = 1");
  db.$client.run("UPDATE packages SET status = 0 WHERE id = 2");
  write(db, (tx) => {
    const expected = [
      ["role.permissions", "role", 1, { payment_take: 1 }],
      ["setting.change", "setting", "tax_name", { tax_name: "VAT" }],
    ] as const;
    for (const [action, entity, entityId, after] of expected)
      audit(tx, by, clock.now, { action, entity, entityId, ispId: 1, before: {}, after });
  });
  for (let nth = 0; nth < 30; nth++)
    db.$client.run(
      `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, started_at, updated_at, stopped_at, card_id)
       SELECT id, address, 'past-${nth}', 'C-000003', ?1, ?1, ?1, 3 FROM nas WHERE isp_id = 1 ORDER BY id LIMIT 1`,
      [clock.now - 5000 + nth],
    );
}

/** Somebody with a second factor, before the code and after it. */
async function visitWithFactor(): Promise<void> {
  const { db, clock } = app;
  const by = loadActor(db, 4, "127.0.0.1");
  if (!by) throw new Error("there is no account 4");
  const now = clock.now - 90;
  const { sealed, secret } = startEnrolment(db, by, { issuer: "N" }, { now });
  confirmEnrolment(db, by, { sealed, code: totpCode(secret, now), key: "" }, { now });
  const crawler = await Crawler.signedIn(app, callers.branch);
  const pages = await crawler.crawl();
  visitors.push({ at: app, who: `${callers.branch} before the code`, crawler, pages });
  const form = pages.flatMap(({ forms }) => forms).find(({ action }) => action === "/console/sign-in/code");
  if (!form) throw new Error("no code is asked for");
  await crawler.ask(form.action, {
    method: "POST",
    body: sentBy(form, ({ name }) => (name === "code" ? totpCode(secret, clock.now) : undefined)),
  });
  visitors.push({ at: app, who: callers.branch, crawler, pages: await crawler.crawl("/console", HANDBOOK) });
}

const filledInto =
  (route: string) =>
  ({ name, type }: CrawledField): string | undefined =>
    valuesOf[route]?.[name] ?? values[name] ?? (type === "number" ? "1" : undefined);

/** Presses a form of a page, in a transaction that is taken back; what follows is what is on the screen then. */
async function press(one: Found, route: string, { withScript, filled }: Press) {
  const { at, crawler, on, beneath } = one;
  const { $client } = at.db;
  const form = withScript ? await liveForm(one) : one.form;
  if (!form) return undefined;
  $client.run("BEGIN IMMEDIATE");
  try {
    const sent = sentBy(filled === "well" ? form : filledIn(form, filled), filledInto(route));
    const headers = withScript ? SCRIPT : {};
    const body = form.fields.some(({ type }) => type === "file") ? sent : new URLSearchParams(textOf(sent));
    const answer = await crawler.ask(form.action, { method: "POST", headers, body });
    const location = answer.headers.get("location") ?? answer.headers.get("hx-redirect");
    const follows = location === null ? undefined : await crawler.page(location, form.action);
    const text = follows?.text ?? (await answer.text());
    for (const link of linksOf(text, form.action)) reached.add(routeOf("GET", link) ?? link);
    // what was said beside a page has it asked for anew; an answer that is a page stands at the address of its form
    const isBeside = answer.headers.get("hx-trigger") === "changed";
    const stands = isBeside ? (beneath ?? on) : withScript || location !== null ? undefined : form.action;
    const anew = stands === undefined ? 200 : (await crawler.page(stands, form.action)).status;
    const status = follows?.status ?? answer.status;
    const isDone = status < 400 && !/class="(?:fault|note bad|toast bad)/.test(text);
    const isPage = follows !== undefined || answer.headers.get("content-type")?.startsWith("text/html");
    return { filled, status, anew, isDone, text: isPage ? text : "" };
  } finally {
    if ($client.inTransaction) $client.run("ROLLBACK");
  }
}

function textOf(sent: FormData): [string, string][] {
  const pairs: [string, string][] = [];
  sent.forEach((value, name) => pairs.push([name, String(value)]));
  return pairs;
}

const SCRIPT = { "hx-request": "true", "hx-request-type": "partial" };

/** The form as a script sends it, of a drawer that of the part that opens; undefined where it is none of a script. */
async function liveForm({ crawler, form, on, beneath }: Found): Promise<CrawledForm | undefined> {
  if (beneath === undefined) return form.isLive ? form : undefined;
  const answer = await crawler.ask(on, { headers: SCRIPT });
  return formsOf(await answer.text(), on).find(({ action, isLive }) => action === form.action && isLive);
}

/** Of its pages who sees most and who sees least go through all. */
const HANDBOOK = /^\/console\/help\b/;

async function visit(at: TestApp, who: string): Promise<Visitor> {
  const crawler = await Crawler.signedIn(at, who);
  const isReader = at === app && (who === callers.admin || who === callers.reseller);
  return { at, who, crawler, pages: await crawler.crawl("/console", isReader ? undefined : HANDBOOK) };
}

function note({ href, from, text, links, forms }: CrawledPage, visitor: Visitor): void {
  const beneath = text.includes('class="drawer-page"') ? from : undefined;
  const gets = forms.flatMap(({ method, action }) => (method === "GET" ? [action] : []));
  for (const link of [href, ...links, ...gets]) reached.add(routeOf("GET", link) ?? link);
  for (const form of forms) {
    if (form.method === "GET") continue;
    const route = routeOf("POST", form.action) ?? form.action;
    if (!found.has(route)) found.set(route, { ...visitor, form, on: href, beneath });
  }
}

describe("forms", () => formRules(() => ({ app, visitors: ofWorld })));

test("every link leads to a page for who sees it", () => {
  const dead = visitors.flatMap(({ who, pages }) =>
    pages
      .filter(({ status }) => status >= 400)
      .map(({ href, from, status }) => `${who}: ${status} ${href} on ${from}`),
  );
  expect(dead).toEqual([]);
});

test("every form is sent to an address that there is", () => {
  const known = new Set(consoleRoutes.map(({ path }) => path));
  expect([...found.keys()].filter((route) => !known.has(route))).toEqual([]);
});

/** Pages that no link leads to, and why. */
const unlinked: Readonly<Record<string, string>> = {
  "/console/sign-in": "where one is led who is not signed in",
  "/llms.txt": "programs ask for it",
  "/console/live": "a script listens to it",
  "/console/today/hours": "a script asks for it where a plot is zoomed into",
  "/console/start/heard": "the step of the first router asks for it while one is waited for",
  "/console/settings/backups/work": "the page of backups asks for it while one is made",
  "/console/messages/channels/:id/secret":
    "the page of a channel that has secrets leads there, and none here does",
  "/console/routers/:id/dual-stack": "a router where lines have two queues leads there, and none here does",
};

test("every page is reached from Today", () => {
  const pages = consoleRoutes.flatMap(({ method, path }) => (method === "GET" ? [path] : []));
  expect(pages.filter((path) => !reached.has(path) && !(path in unlinked))).toEqual([]);
});

test("every form stands on a page, is pressed, and comes to its end", () => {
  const forms = consoleRoutes.flatMap(({ method, path }) => (method === "POST" ? [path] : []));
  const done = new Set(pressed.flatMap(({ route, isDone }) => (isDone ? [route] : [])));
  const notDone = forms.filter((path) => !done.has(path) && !(path in elsewhere) && !(path in refusedHere));
  expect(notDone).toEqual([]);
});

test("after every form stands a page that says what is, and that is there when it is shown anew", () => {
  const dead = pressed.filter(
    ({ status, anew, filled }) =>
      status === 405 || status >= 500 || (filled === "well" && (status === 404 || anew >= 400)),
  );
  expect(dead.map(({ route, withScript, status, anew }) => ({ route, withScript, status, anew }))).toEqual(
    [],
  );
});

/** What a reader sees, without what is to be typed or pasted somewhere: commands, examples, addresses. */
function textIn(html: string): string {
  const seen = html
    .replaceAll(/<head\b[\s\S]*?<\/head>/g, "")
    .replaceAll(/<(script|style|pre|code|textarea|kbd)\b[\s\S]*?<\/\1>/g, " ")
    .replaceAll(/<(\w+)[^>]*class="[^"]*\b(?:mono|paste|code)\b[^"]*"[^>]*>[\s\S]*?<\/\1>/g, " ");
  return seen
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&[#\w]+;/g, "'")
    .replaceAll(/\s+/g, " ");
}

/** Pages of the handbook are for whoever types commands too. */
const isHandbook = (route: string) => route.startsWith("/console/help");

const TECHNICAL =
  /\b[a-z]+(?:_[a-z0-9]+)+\b|\b(?:activation|card|invoice|payment|staff|subscriber|wallet)\/[a-z]+\b|\bgatehouse [a-z-]+|(?:^|\s)--[a-z][a-z-]+|\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d/g;

test("no page and no refusal speaks of fields, flags, commands or times as programs write them", () => {
  const messages = [
    ...visitors.flatMap(({ pages }) =>
      pages.flatMap(({ href, type, text }) =>
        type.startsWith("text/html") ? [{ where: routeOf("GET", href) ?? href, text }] : [],
      ),
    ),
    ...pressed.map(({ route, text }) => ({ where: route, text })),
  ];
  const technical = new Set(
    messages.flatMap(({ where, text }) =>
      isHandbook(where)
        ? []
        : [...textIn(text).matchAll(TECHNICAL)]
            .map(([word]) => word.trim())
            .filter((word) => !spoken.has(word))
            .map((word) => `${word} on ${where}`),
    ),
  );
  expect([...technical].sort()).toEqual([]);
});

/** Forms without a call that does the same, and why. */
const uncalled: Readonly<Record<string, string>> = {
  "/console/messages/channels/:id/secret": "of a channel that has secrets, and none here does",
  "/console/messages/channels/new/:preset": "the preset says more than is typed",
  "/console/messages/rules/new": "times are typed in words",
  "/console/messages/rules/usual": "makes several",
  "/console/messages/texts/ready": "languages are ticked one by one",
  "/console/money/arrived/:id/assign": "finds whose it is by words",
  "/console/routers/:id/edit": "the way of telling sessions apart is asked for in other words",
  "/console/routers/:id/dual-stack": "of a router where lines have two queues, and none here does",
  "/console/routers/:id/findings/:finding/hide": "has no call",
  "/console/routers/:id/radsec/:certificate/revoke": "has no call",
  "/console/routers/:id/radsec": "is about a server that the page chooses",
  "/console/routers/new": "goes on to the set-up",
  "/console/settings/import/moves/:id/undo": "is asked for what it undoes before",
  "/console/settings/payment-sources/new/:preset": "the preset says more than is typed",
  "/console/settings/places/:kind/:id": "each kind of place has calls of its own",
  "/console/settings/places/new": "each kind of place has calls of its own",
  "/console/settings/roles/:code/copy": "takes several calls",
  "/console/settings/roles/new": "takes several calls",
  "/console/settings/staff/:id/factor": "has no call",
  "/console/subscribers/:id/extend": "the time is typed in words",
  "/console/subscribers/:id/password": "makes the password by itself",
};

/** The calls that a page shows. */
const callsOn = (text: string) =>
  [...text.matchAll(/<pre[^>]*id="call-[^>]*>([^<]*)<\/pre>/g)].map(([, shown = ""]) =>
    shown
      .replaceAll(/&#39;/g, "'")
      .replaceAll("&amp;", "&")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">"),
  );

test("a form shows the call that does the same, or it is named here with why not", () => {
  const shown = new Set(
    visitors.flatMap(({ pages }) =>
      pages.flatMap(({ href, text }) => (callsOn(text).length > 0 ? [routeOf("GET", href)] : [])),
    ),
  );
  const silent = consoleRoutes.flatMap(({ path, operation }) =>
    operation === undefined || shown.has(path) ? [] : [path],
  );
  expect(silent.sort()).toEqual(Object.keys(uncalled).sort());
});

test("what is shown as a call is one, of whoever it is shown to", async () => {
  const all = visitors
    .filter(({ who }) => who === callers.admin)
    .flatMap(({ at, pages }) => pages.flatMap(({ text }) => callsOn(text).map((call) => ({ at, call }))));
  const calls = [...new Map(all.map((one) => [one.call.replaceAll(/\d+/g, "1"), one])).values()];
  expect(calls.length).toBeGreaterThan(40);
  const came = [];
  for (const { at, call } of calls) {
    const [line = "", ...rest] = call.split(" \\\n  ");
    const [, verb = rest.length > 0 ? "POST" : "GET", url = ""] =
      /^curl -u KEY:SECRET(?: -X (\w+))? '?http:\/\/BOX([^' ]*)'?$/.exec(line) ?? [];
    const form = Object.fromEntries(
      rest.map((part) => {
        const [, name = "", value = ""] = /^(?:-d|--data-urlencode) '?(\w+)=(.*?)'?$/s.exec(part) ?? [];
        return [name, value.replaceAll(`'\\''`, "'")];
      }),
    );
    const sent = { basic: callers.admin, ...(verb === "POST" && { form }) };
    const { status } = await undone(at.db, () => at.call(verb, url, sent));
    const isOpen = rest.some((part) => /=[A-Z_]+'?$/.test(part)); // something is to be filled in
    const isFault =
      [401, 403, 404, 405, 415].includes(status) || status >= 500 || (status === 400 && !isOpen);
    if (verb === "GET" ? status !== 200 : isFault) came.push(`${status} ${call}`);
  }
  expect(came).toEqual([]);
});

test("what lies at a router leads to its page", async () => {
  const { db, clock } = app;
  credit(db, by, { subscriberId: 2, amount: 100_000 }, { now: clock.now });
  activate(db, by, { subscriberId: 2, packageId: 1 }, { now: clock.now });
  const source = { nasId: 1, address: "127.0.0.1" };
  latchMessageAuthenticator(db, source, clock.now - 400);
  recordUnauthenticated(db, source, clock.now - 60);
  const crawler = await Crawler.signedIn(app, callers.admin);
  const { text } = await crawler.page("/console/subscribers/2", "");
  expect(text).toMatch(/href="\/console\/routers\/1"[^>]*>(?:<[^>]*>)*To the router/);
});
