import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeBackup } from "../../src/domain/machine/backup/desk.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { insertTemplate } from "../support/card-printout.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { fillCards } from "../support/cards.ts";
import { fillImports } from "../support/imports.ts";
import { by } from "../support/isp.ts";
import { addMessages } from "../support/messages.ts";
import { fillMoney } from "../support/money.ts";
import {
  callers,
  insertBulk,
  insertOutage,
  insertArrived,
  insertWebhook,
  openSession,
  stateOf,
  type Tenants,
  withTenants,
} from "../support/tenants.ts";

/** Uploads of ISP 1. */
const [TRIED, COLUMNS, WORKING] = ["1", "2", "3"].map((last) => `00000000-0000-4000-8000-00000000000${last}`);

/** What the parameters of a path are, where they are not the id 1: all of ISP 1. */
const parameters: Readonly<Record<string, string>> = {
  number: "B-1",
  kind: "city",
  source: "csv",
  preset: "own",
  key: "auto_renew_lead",
  group: "money",
};

/** What forms ask for, as somebody sends it who has seen a page of ISP 1. */
const fields = {
  isp: "1",
  isp_id: "1",
  branch_id: "11",
  code: "1",
  role: "1",
  role_code: "1",
  staff_id: "1",
  name: "Taken",
  username: "taken",
  address: "10.66.0.1",
  secret: "taken-over-7",
  portal_name: "Taken",
  password: "taken-over-7",
  new_password: "taken-over-7",
  passphrase: "taken over all of it",
  package_id: "1",
  router: "1",
  duration: "1",
  card: "C-000001",
  amount: "1",
  reason: "mine",
  key: "k1",
  note: "mine",
  ...{ from: "7", to: "9", told: "7-9 100", method: "cash" },
  mac_address: "AA:BB:CC:DD:EE:01",
  sure: "1",
  confirm: "1",
  detach: "1",
  price: "1",
  range: "10.66.0.0/24",
  url: "https://taken.example/",
  type: "*",
  to: "1",
  profile_type: "2",
};

/** Those about oneself are sent by everybody. */
const isOwn = (path: string) => /^\/console\/(sign-|me\/|seeing\/|subscribers\/columns)/.test(path);
const forms = consoleRoutes
  .filter(({ method, path }) => method === "POST" && !isOwn(path))
  .map(({ path }) => path);

let app: Tenants;
beforeAll(async () => {
  app = await withTenants();
  insertBulk(app);
  insertOutage(app.db, 1, 1, 1);
  app.db.$client.run("UPDATE subscribers SET box_number = 'B-1' WHERE id = 1");
  fillMoney(app.db, app.clock.now);
  fillCards(app.db, app.clock.now);
  insertTemplate(app.db, app.clock.now);
  openSession(app, 1);
  insertWebhook(app);
  insertArrived(app.db, app.clock.now);
  addMessages(app.db, app.clock.now);
  await fillImports(app, { tried: TRIED ?? "", columns: COLUMNS ?? "", working: WORKING ?? "" });
  makeBackup(app.db, by, app.backups);
  await app.backups.ended;
});
afterAll(() => app[Symbol.dispose]());

const signedIn = new Map<string, { cookie: string; token: string }>();
async function enter(account: string) {
  const known = signedIn.get(account);
  if (known) return known;
  const cookie = await consoleSessionOf(app, account);
  const page = await app.app.handle(new Request("http://localhost/console/me", { headers: { cookie } }));
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  signedIn.set(account, { cookie, token });
  return { cookie, token };
}

/** The status of what a form of ISP 1 is answered with. */
async function send(account: string, form: string): Promise<number> {
  const { cookie, token } = await enter(account);
  const path = form.replaceAll(/:(\w+)/g, (_, name: string) =>
    form.includes("/import/runs/") ? (TRIED ?? "") : (parameters[name] ?? "1"),
  );
  const body = new URLSearchParams({ ...fields, form_token: token });
  const init = { method: "POST", headers: { cookie }, body };
  return (await app.app.handle(new Request(`http://localhost${path}`, init))).status;
}

/** 303: a form of its page, which says why not. */
const refused = [303, 400, 403, 404, 422];

test.each(forms.filter((form) => form.includes(":")))(
  "%s changes nothing for the Admin of another ISP",
  async (form) => {
    await enter(callers.otherTenant);
    const before = stateOf(app);
    expect(refused).toContain(await send(callers.otherTenant, form));
    expect(stateOf(app)).toEqual(before);
  },
);

test.each(forms)("%s changes nothing for somebody without a permission", async (form) => {
  await enter(callers.noFlag);
  const before = stateOf(app);
  expect(refused).toContain(await send(callers.noFlag, form));
  expect(stateOf(app)).toEqual(before);
});
