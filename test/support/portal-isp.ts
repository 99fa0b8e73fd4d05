import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { write } from "../../db/open.ts";
import { invoices, usageDays } from "../../db/schema.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { storeSetting } from "../../src/domain/core/settings/settings.ts";
import { formatTime, localDay } from "../../src/domain/core/time/time.ts";
import { listen } from "../../src/http/server.ts";
import { temporaryApp } from "./http.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp, newSubscriber } from "./isp.ts";
import { insertSessions } from "./sessions.ts";
import { NOW } from "./store.ts";

const HOUR = 3600;
const GB = 1e9;

/** Subscribers by their state; logins are user<id> and pw-<id>. */
export const people = {
  /** Online, paid, with a quota, a history and invoices. */
  amara: 1,
  /** Expired, in the walled garden at 127.0.0.1 where a test puts it. */
  bilal: 2,
  never: 3,
  disabled: 4,
  /** Has used up the data volume. */
  used: 5,
  /** Postpaid, owes money, slower after its quota. */
  postpaid: 6,
  /** Expired, and has paid since. */
  back: 7,
  /** Of ISP 2. */
  stranger: 9,
};

/** Two branded ISPs with these subscribers, on sockets: LAN app and walled garden. */
export async function portalIsp(options: Parameters<typeof temporaryApp>[0] = {}) {
  const app = temporaryApp(options);
  const { db } = app;
  await loadIsp(db, {
    packages: [
      aPackage(2, { name: "Family 30", price: "22.00", rate_limit: "10M/30M", data_quota_bytes: 200 * GB }),
      aPackage(3, {
        name: "Business 50",
        price: "45.00",
        billing_type: "postpaid",
        rate_limit: "50M/50M",
        data_quota_bytes: 100 * GB,
        quota_exceeded: "2M/2M",
      }),
      aPackage(9, { isp_id: 2 }),
    ],
    subscribers: [
      aSubscriber(people.amara, {
        name: "Amara Okafor",
        package_id: 2,
        balance: "35.50",
        address: "12 Harbour Road, Riverton",
        email: "amara@customers.example",
      }),
      aSubscriber(people.bilal, {
        name: "Bilal Haddad",
        package_id: 2,
        balance: "2.50",
        current_expiration_date: formatTime(NOW - 3 * DAY),
      }),
      newSubscriber(people.never, { name: "Chen Wei" }),
      aSubscriber(people.disabled, { name: "Dina Petrov", status: 0 }),
      aSubscriber(people.used, { name: "Emil Silva", package_id: 2 }),
      aSubscriber(people.back, {
        name: "Grace Mensah",
        package_id: 2,
        balance: "240.00",
        current_expiration_date: formatTime(NOW - DAY),
      }),
      aSubscriber(people.postpaid, {
        name: "Farah Rahman",
        package_id: 3,
        balance: "-45.00",
        current_expiration_date: formatTime(NOW + 2 * DAY),
      }),
      aSubscriber(people.stranger, {
        isp_id: 2,
        name: "Sue South",
        package_id: 9,
        nas_id: 2,
        salesperson_id: null,
      }),
    ],
  });
  db.$client.run("UPDATE services SET quota_used = 117400000000 WHERE subscriber_id = 1");
  db.$client.run("UPDATE services SET quota_used = quota_total WHERE subscriber_id IN (5, 6)");
  brand(app);
  insertUsage(app);
  insertHistory(app);
  const tokens: Record<number, string> = {};
  const lan = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  const walled = listen(app.walledApp, { hostname: "127.0.0.1", port: 0 });
  return Object.assign(app, {
    origin: `http://${lan.address}`,
    walledOrigin: `http://${walled.address}`,
    /** A subscriber's app token, kept because logins are limited. */
    async token(who: number): Promise<string> {
      return (tokens[who] ??= await login(app, who));
    },
    async close() {
      await Promise.all([lan.stop(0), walled.stop(0)]);
      app[Symbol.dispose]();
    },
  });
}

export type PortalIsp = Awaited<ReturnType<typeof portalIsp>>;
type App = ReturnType<typeof temporaryApp>;

async function login(app: App, who: number): Promise<string> {
  const json = { username: `user${who}`, password: `pw-${who}` };
  const { body } = await app.call("POST", "/api/v1/subscriber/login", { json });
  return /"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? "";
}

function brand({ db, folder }: App): void {
  const logo = join(folder, "logo.svg");
  writeFileSync(logo, LOGO);
  const set = (ispId: number, key: string, value: string) =>
    changeSetting(db, by, { key, value, ispId }, { now: NOW });
  set(0, "portal_name", "Northlink & Southlink");
  set(0, "portal_contact", "+1 555 0100");
  set(1, "portal_name", "Northlink");
  set(2, "portal_name", "Southlink");
  set(1, "portal_logo", logo);
  set(1, "portal_color", "#0f6e84");
  set(1, "portal_contact", "help@northlink.example | Monday to Saturday, 9 to 19");
  set(1, "portal_url", "https://my.northlink.example/portal");
  set(
    1,
    "portal_pay_text",
    "By bank transfer to Northlink, IBAN XX00 1234 5678. | In cash at 3 Quay Street, 9 to 17.",
  );
  set(1, "portal_pay_link", "https://pay.example/northlink?amount={amount}&ref={reference}");
  set(1, "portal_phone", "+1 555 0100");
  set(1, "portal_chat", "https://wa.me/15550100");
  set(1, "portal_expired_text", "We keep your line for 30 days; come back any time.");
  set(1, "isp_address", "Northlink Ltd | 3 Quay Street | Riverton 1234");
  set(1, "isp_tax_number", "VAT XX123456789");
  set(2, "portal_color", "#ffb000");
  set(2, "portal_contact", "+1 555 0900");
  write(db, (tx) => storeSetting(tx, "currency", "EUR", 2)); // as it was before anything was booked
}

/** A month of evenings, the same every time. */
function insertUsage({ db }: App): void {
  for (let ago = 0; ago < 30; ago++) {
    const weekend = (ago + 2) % 7 < 2 ? 1.9 : 1;
    const wave = 1 + 0.55 * Math.sin(ago * 1.7) + 0.3 * Math.sin(ago * 0.6 + 1);
    const down = ago === 11 ? 0 : Math.round(3.4 * GB * weekend * wave);
    db.insert(usageDays)
      .values({
        subscriberId: 1,
        day: localDay(NOW - ago * DAY),
        outputOctets: down,
        inputOctets: Math.round(down * 0.17),
      })
      .run();
  }
}

function insertHistory({ db }: App): void {
  const open = {
    framedIp: "100.64.12.7",
    startedAt: NOW - 5 * HOUR,
    outputOctets: 4.3e9,
    inputOctets: 0.6e9,
  };
  insertSessions(db, { acctSessionId: "open", ...open });
  const causes = ["User-Request", "Lost-Carrier", "Session-Timeout", "Admin-Reset", "NAS-Reboot"];
  for (let i = 1; i <= 44; i++) {
    const startedAt = NOW - i * 17 * HOUR - 5 * HOUR;
    insertSessions(db, {
      acctSessionId: `old-${i}`,
      framedIp: `100.64.12.${20 + i}`,
      startedAt,
      stoppedAt: startedAt + (3 + (i % 9)) * HOUR + i * 97,
      outputOctets: Math.round(1.7e9 * (1 + (i % 5))),
      inputOctets: Math.round(0.21e9 * (1 + (i % 4))),
      terminateCause: causes[i % causes.length] ?? null,
      closedBy: "stop",
    });
  }
  for (const [id, subscriberId, ago, paid] of [
    [1, 1, 80, true],
    [2, 1, 50, true],
    [3, 1, 20, true],
    [4, 6, 28, false],
    [5, 9, 5, true],
  ] as const) {
    const createdAt = NOW - ago * DAY;
    const amount = subscriberId === 6 ? 4500 : 2200;
    db.insert(invoices)
      .values({
        id,
        ispId: subscriberId === 9 ? 2 : 1,
        subscriberId,
        packageId: subscriberId === 6 ? 3 : 2,
        packageName: subscriberId === 6 ? "Business 50" : "Family 30",
        amount,
        currency: "USD",
        periodStart: createdAt,
        periodEnd: createdAt + 30 * DAY,
        createdAt,
        paidAt: paid ? createdAt : null,
        open: paid ? 0 : 1500,
        ...(id === 3 && { number: "I-2029-000003", taxName: "VAT", taxPercent: 1800, tax: 336 }),
      })
      .run();
  }
}

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="13" fill="#0f6e84"/><path d="M12 33V15l24 18V15" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
