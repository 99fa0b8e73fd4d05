import { afterAll, beforeAll, expect, test } from "bun:test";
import { error, type Fault, warning } from "../../src/domain/machine/check/finding.ts";
import type { FindingKind, FindingValues } from "../../src/domain/machine/check/kinds.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { NOW } from "../support/store.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const one = { id: 1, name: "Tower-1" };
const at = NOW - 600;
const [names, usernames] = ["Tower-1, Hill-3", "anna, ben"];
const nothing = {};

/** What each kind of fault may say. */
const samples: FindingValues = {
  books_damaged: { wrong: 2 },
  books_held: nothing,
  key_wrong: nothing,
  key_damaged: { secrets: 3 },
  clock_behind: { at },
  setting_unknown: nothing,
  setting_invalid: { key: "currency" },
  files_open: nothing,
  server_stopped: nothing,
  port_taken: nothing,
  backups_off: nothing,
  backups_failing: nothing,
  backups_none: nothing,
  backups_late: { at },
  backups_same_disk: nothing,
  backup_key: nothing,
  backup_proof_failed: nothing,
  backup_proof_old: { at: null },
  nats_copies_failing: nothing,
  nats_copies_none: nothing,
  nats_copies_late: { at },
  disk_full: { free: 9e6 },
  disk_low: { free: 4e8 },
  radius_dropped: { datagrams: 1200, size: 212_992, at },
  radius_late: { logins: 1200, at },
  own_words: { count: 2, file: "es/card.json" },
  radius_shut: nothing,
  radsec_off: nothing,
  radsec_shut: nothing,
  certificate_ended: { at },
  certificate_ends: { days: 12 },
  certificate_unusable: nothing,
  public_shut: nothing,
  lan_stand_in: nothing,
  scrape_refused: { source: "203.0.113.9", at },
  routers_none: nothing,
  router_rate: { ...one, sessions: 2 },
  router_api_unpinned: one,
  router_api_plain: one,
  router_unkept: { ...one, at: null },
  router_busy: { ...one, percent: 91 },
  router_kind: one,
  router_no_lists: { ...one, pack: "Home 10" },
  router_garden: one,
  router_connections: one,
  router_forgeable: one,
  router_network: one,
  router_radsec: one,
  router_dropped: { ...one, address: "10.0.0.1" },
  router_dropped_more: { ...one, addresses: 4 },
  router_strangers: { ...one, sessions: 900 },
  router_drifted: { ...one, found: 2, one: { kind: "tracking_off", values: {} } },
  subscriber_crowded: { id: 1, name: "Anna", open: 41 },
  subscribers_share: { value: "0700 1", usernames },
  subscribers_share_more: { count: 5 },
  address_twice: { address: "10.0.0.1", usernames },
  pool_filling: { name: "Homes", used: 250, size: 254 },
  packages_below_cost: { names },
  staff_names: { names },
  portal_unknown: { name: "Northlink" },
  first_password: { username: "admin" },
  card_wallet: { name: "Rex" },
  cards_guessed_behind: { ...one, codes: 60, at },
  cards_guessed: { who: "203.0.113.9", at },
  payments_arrived: { isp: "Northlink", count: 2, at },
  channel_off: { name: "SMS", waiting: 1 },
  channel_down: { name: "SMS", at, waiting: 3 },
  webhook_off: { ...one, at },
  webhook_failing: { ...one, at },
  feed_behind: { ...one, at, waiting: 4000 },
  boxes_untold: { at: null },
  boxes_nats_away: { at },
  boxes_behind: { waiting: 9, at },
  boxes_spoilt: { at },
  boxes_rebuilt: { at },
  boxes_other_books: { who: null },
  boxes_old: { names },
  boxes_open: { names },
  boxes_direct: { names },
  box_removed: { name: "North", at },
  box_strange: { ...one, rows: 3, at },
  box_new: one,
  box_cut_off: { ...one, at },
  box_clock: { ...one, seconds: 40 },
  box_late: one,
  box_version: one,
  box_disk: { ...one, free: 1e8 },
  own_box: nothing,
};
const kinds = Object.keys(samples) as FindingKind[]; // the keys of a constant
/** Of what there is none here: that it would be a page of the console is all that can be asked. */
const ABSENT = /\/(access-boxes|shapers|webhooks)\/\d/;

let app: Tenants;
let site: ConsoleSite;
let cookie: string;
let found: readonly Fault[] = [];
beforeAll(async () => {
  app = await withTenants({ findings: () => found });
  site = consoleSite(app);
  cookie = await consoleSessionOf(site, callers.operator);
});
afterAll(async () => {
  await site.close();
  app[Symbol.dispose]();
});

const LOG_LINE = "for the log; run: gatehouse anything --all";

function faultOf(kind: FindingKind): Fault {
  return kind.length % 2 === 0
    ? error("subject", LOG_LINE, kind, samples[kind])
    : warning("subject", LOG_LINE, kind, samples[kind]);
}

async function ask(path: string, headers = {}) {
  const response = await fetch(site.origin + path, { headers: { cookie, ...headers } });
  return { status: response.status, text: await response.text() };
}

/** The lines of "Needs someone". */
const linesIn = (html: string) =>
  [...html.matchAll(/<li><span class="(?:bad|warn)-text">[\s\S]*?<\/li>/g)].map(([line]) => ({
    title: /<strong>(.*?)<\/strong>/.exec(line)?.[1] ?? "",
    text: /<span class="hint">(.*?)<\/span>/.exec(line)?.[1] ?? "",
    href: (/href="([^"]*)"/.exec(line)?.[1] ?? "").replaceAll("&amp;", "&"),
    remedy: /<a [^>]*><span>(.*?)<\/span><\/a>/.exec(line)?.[1] ?? "",
  }));

/** What belongs on a command line, in a log or in the interface alone. */
const MACHINE =
  /gatehouse |--\w|\b\w+_\w+|(^|\s)\/\w|systemctl|journalctl|\d{4}-\d\d-\d\d|;\s*run|undefined|NaN/;

test("every fault that the check finds is told in sentences, with what mends it by name", async () => {
  for (const [path, headers] of [
    ["/console/today/needs", { "hx-request": "true", "hx-request-type": "partial" }],
    ["/console/findings", {}],
  ] as const) {
    found = kinds.map(faultOf);
    const { status, text: html } = await ask(path, headers);
    const lines = linesIn(html).filter(({ href }) => !href.startsWith("/console/findings"));
    expect({ status, lines: lines.length }).toEqual({ status: 200, lines: kinds.length });
    expect(html).not.toContain("gatehouse anything");
    for (const { title, text, remedy } of lines) {
      expect(title).toMatch(/^[\p{Lu}\d].*[^.]$/u);
      expect(text).toMatch(/^[\p{Lu}\d].*\.$/u);
      expect(remedy).toMatch(/^[A-Z][a-z]+( [a-zA-Z]+){1,3}$/);
      expect(`${title} ${text} ${remedy}`).not.toMatch(MACHINE);
    }
  }
});

test("every remedy leads to a page that is there, and to its place on it", async () => {
  const routes = consoleRoutes
    .filter(({ method }) => method === "GET")
    .map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`));
  found = kinds.map(faultOf);
  const hrefs = new Set(linesIn((await ask("/console/findings")).text).map(({ href }) => href));
  for (const href of hrefs) {
    const [page = "", place] = href.split("#");
    expect([href, routes.some((route) => route.test(page.split("?")[0] ?? ""))]).toEqual([href, true]);
    if (ABSENT.test(page)) continue;
    const { status, text } = await ask(page);
    expect([href, status]).toEqual([href, 200]);
    if (place !== undefined) expect([href, text.includes(`id="${place}"`)]).toEqual([href, true]);
  }
});
