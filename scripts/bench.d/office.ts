import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "../../db/migrations.ts";
import { openStore } from "../../db/open.ts";
import { type ApiFigure, type ApiPlan, get, measure } from "./api.ts";
import { writeBooks, writePlaces } from "./books.ts";
import { startGatehouse } from "./gatehouse.ts";
import { writeSessions } from "./growth.ts";

const SUBSCRIBERS = 50_000;
const ENTRIES = 1_000_000;
export const BOOKS = { subscribers: SUBSCRIBERS, entries: ENTRIES };

/** What the office waits for. */
export interface OfficeFigures {
  readonly subscribers: number;
  readonly entries: number;
  readonly sessions: number;
  /** One call at a time. */
  readonly calls: readonly ApiFigure[];
  /** Seconds in which a store of the version before becomes one of now, with its copy. */
  readonly migration: number;
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** Search, lists and reports, as people ask for them, one after the other. */
const paths: Record<string, string> = {
  "search by name": "/api/v1/subscriber/search?q=User%204242",
  "search by part of a number": "/api/v1/subscriber/search?q=4242",
  "list of 100": "/api/v1/subscriber/list?limit=100&offset=30000",
  "list of the expired": "/api/v1/subscriber/list?limit=100&profile_status=expired",
  "sales by month, 3 years": `/api/v1/report/sales?from=${day(1095)}`,
  "sales by day, 1 year": `/api/v1/report/sales?by=day&from=${day(365)}`,
  "sales by month, area and package": `/api/v1/report/sales?by=month,area,package&from=${day(365)}`,
  "sales by salesperson, of a branch": "/api/v1/report/sales?by=salesperson&branch_id=2",
  "collections by day, method and staff": `/api/v1/report/collections?by=day,method,staff&from=${day(31)}`,
  "collections by day, 1 year": `/api/v1/report/collections?by=day&from=${day(365)}`,
  "owed by area": "/api/v1/report/owed?by=area",
  debtors: "/api/v1/report/debtors",
  "expiring in 31 days": "/api/v1/report/expiring?days=31",
  "renewals, 1 year": "/api/v1/report/renewals",
  resellers: `/api/v1/report/resellers?from=${day(1095)}`,
  concessions: `/api/v1/report/concessions?from=${day(365)}`,
  growth: "/api/v1/report/growth",
  "traffic by package": "/api/v1/report/traffic?group=package",
  "top 20 of the month": "/api/v1/report/top_users",
  "online by hour": "/api/v1/report/online",
  logins: "/api/v1/report/logins",
};

/** The calls of an office beside 1,000 logins a second, on books of three years, and the migration of such books. */
export async function measureOffice(
  { sessions, log }: { sessions: number; log: (line: string) => void },
  { templates, load, seconds }: Pick<ApiPlan, "templates" | "load" | "seconds">,
): Promise<OfficeFigures> {
  log(`office: ${SUBSCRIBERS} subscribers, ${ENTRIES} entries, ${sessions} sessions`);
  const product = await startGatehouse(
    SUBSCRIBERS,
    (folder) => {
      writeOffice(folder);
      writeSessions(folder, { subscribers: SUBSCRIBERS, sessions });
    },
    { balance: null },
  );
  const calls: ApiFigure[] = [];
  try {
    const plan = { product, subscribers: SUBSCRIBERS, seconds, templates, load };
    const nothing = async () => {
      await Bun.sleep(50);
      return new Response();
    };
    calls.push({ call: "nothing", subscribers: SUBSCRIBERS, ...(await measure(plan, nothing, 1)) });
    for (const [call, path] of Object.entries(paths))
      calls.push({ call, subscribers: SUBSCRIBERS, ...(await measure(plan, () => get(plan, path), 1)) });
  } finally {
    await product.stop();
  }
  log("office: migration");
  return {
    subscribers: SUBSCRIBERS,
    entries: ENTRIES,
    sessions,
    calls,
    migration: await measureMigration(),
  };
}

const now = () => Math.floor(Date.now() / 1000);

/** Places, and books of three years. */
export function writeOffice(folder: string): void {
  const client = new Database(join(folder, "gatehouse.db"), { strict: true });
  client.run("PRAGMA cache_size = -1000000"); // kB; indexes are written all over the place
  writePlaces(client);
  writeBooks(client, { subscribers: SUBSCRIBERS, entries: ENTRIES, now: now() });
  client.close();
}

/** Fills a store of the version before with as much, and opens it. Seconds. */
async function measureMigration(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  try {
    const at = migrations.findIndex(({ tag }) => tag.endsWith("office"));
    const old = openStore(folder, { create: true, now: now(), migrations: migrations.slice(0, at) });
    writeOldSubscribers(old.$client, old.vault.seal("password"));
    writePlaces(old.$client);
    writeBooks(old.$client, { subscribers: SUBSCRIBERS, entries: ENTRIES, now: now(), isOld: true });
    old.$client.close();
    const began = performance.now();
    openStore(folder, { now: now() }).$client.close();
    return (performance.now() - began) / 1000;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function writeOldSubscribers(client: Database, sealed: Uint8Array): void {
  client.run("INSERT INTO isps VALUES (1, 'Northlink')");
  client.run(
    "INSERT INTO staff (id, isp_id, name, username, username_key, password_hash, profile_type, created_at, updated_at) VALUES (1, 1, 'Ada', 'ada', 'ada', '-', 1, 1, 1)",
  );
  client.run(
    "INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at) VALUES (1, 1, 'Home', 1500, 'prepaid', 1, 'month', 1)",
  );
  client
    .query(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SUBSCRIBERS})
       INSERT INTO subscribers (id, isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, salesperson_id,
         nic_number, mobile_number, address, created_at, updated_at)
       SELECT i, 1, 'User ' || i, 'user' || i, 'user' || i, ?, 1, 1, 1, 'N' || i, 'M' || i, 'Street ' || i % 997, 1, 1 FROM n`,
    )
    .run(sealed);
}
