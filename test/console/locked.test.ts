import { expect, test } from "bun:test";
import { openWriter, setBusyTimeout } from "../../db/open.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { callers, withTenants } from "../support/tenants.ts";

/** Forms that come to what they write by different ways: where they are sent, with what, and of what there is one more then. */
const forms: [name: string, path: string, fields: Record<string, string>, rows: string][] = [
  [
    "a payment at the desk",
    "subscribers/1/pay",
    { do: "take", seen_balance: "10000", amount: "3.00" },
    "payments",
  ],
  [
    "a correction of a wallet",
    "money/wallets/2/correct",
    { amount: "3.00", reason: "Paid before the move" },
    "ledger_entries",
  ],
  [
    "a sign-up",
    "sign-up",
    {
      name: "Nadia New",
      mobile_number: "+15550007",
      username: "nadia",
      password: "of-nadia-7",
      package_id: "1",
      nas_id: "1",
      connection_type_id: "1",
      salesperson_id: "1",
    },
    "subscribers",
  ],
  ["a renewal", "subscribers/2/renew", {}, "invoices"],
  ["a line that is switched off", "subscribers/1/disable", {}, "subscribers WHERE status = 0"],
  [
    "a setting",
    "settings/save",
    { key: "tax_name", tax_name: "GST", sure: "yes" },
    "settings WHERE key = 'tax_name'",
  ],
  ["a new router", "routers/new", { name: "Tower", address: "10.66.0.1", secret: "of-the-tower-7" }, "nas"],
];

test.each(forms)(
  "%s waits while another connection writes, and is written once",
  async (_, path, fields, rows) => {
    using app = await withTenants();
    setBusyTimeout(app.db, 50); // as a service: everybody else is served between two tries
    const cookie = await consoleSessionOf(app, callers.admin);
    const call = (at: string, init: RequestInit) =>
      app.app.handle(new Request(`http://localhost/console/${at}`, { ...init, headers: { cookie } }));
    const page = await (await call("me", {})).text();
    const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const count = () => app.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${rows}`).get()?.n;
    const before = count() ?? 0;

    const other = openWriter(app.folder, { busyTimeout: 0 });
    other.$client.run("BEGIN IMMEDIATE");
    const body = new URLSearchParams({ key: "press-9", method: "cash", ...fields, form_token });
    const sent = call(path, { method: "POST", body });
    await Bun.sleep(300);
    expect(count()).toBe(before);
    other.$client.run("ROLLBACK");
    expect([200, 303]).toContain((await sent).status);
    expect(count()).toBe(before + 1);
    other.$client.close();
  },
);
