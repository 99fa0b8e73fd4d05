import type { Moved, MovedSubscriber } from "../../model.ts";
import { MovingRefused, type ReadOptions } from "../../source.ts";
import { RowClock } from "../row-clock.ts";
import { readText } from "../row-text.ts";
import { type Around, toSubscriber } from "./customers.ts";
import { inOrder, parseConnection } from "./lines.ts";
import { Plans } from "./plans.ts";
import { listRouters } from "./routers.ts";
import { nameKey, type Tables } from "./tables.ts";
import { listVouchers } from "./vouchers.ts";

/** Throws MovingRefused without customers. */
export function toMoved(tables: Tables, options: ReadOptions): Moved {
  if (tables.customers.size === 0)
    throw new MovingRefused(
      "There is no tbl_customers in this copy with anybody in it. Copy the database of phpnuxbill with its data: see the handbook, Move from phpnuxbill.",
    );
  const { notices } = options;
  tables.end();
  const plans = new Plans(tables, notices);
  const around: Around = { tables, plans, options, clock: new RowClock(chooseZone(tables, options)) };
  const customers = [...tables.customers].map(([id, kept]) => toSubscriber(id, kept, around));
  const cards = runningVouchers(around);
  tellWhole(tables, customers, options);
  return {
    packages: plans.all,
    routers: listRouters(tables),
    subscribers: [...customers, ...cards],
    sessions: [],
    vouchers: listVouchers(around),
    spentCodes: tables.spentCodes,
    afterwards,
  };
}

/** Steps for users that phpnuxbill keeps in the routers, which win over RADIUS. */
const afterwards: readonly string[] = [
  "Stop the cron jobs of phpnuxbill, or they write its users into the routers again: crontab -e",
  "On each router: /ppp secret disable [find]",
  'On each router: /ip hotspot user disable [find name!="default-trial"]',
];

function chooseZone({ settings }: Tables, { zone, notices }: ReadOptions): string {
  const own = settings.get("timezone") ?? "";
  if (own === "" || own === zone) return zone;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(own);
  } catch {
    notices.add(
      "note",
      null,
      "timezone",
      `phpnuxbill's zone "${own}" is not known; its times are read in ${zone}`,
    );
    return zone;
  }
  notices.add(
    "note",
    null,
    "timezone",
    `phpnuxbill wrote its times in ${own}; they are read so, and shown in ${zone}`,
  );
  return own;
}

function runningVouchers({ tables, plans, options, clock }: Around): MovedSubscriber[] {
  const known = new Set([...tables.customers.values()].map(({ row }) => nameKey(readText(row, "username"))));
  const found: MovedSubscriber[] = [];
  for (const [key, entries] of tables.recharges) {
    if (!key.startsWith("=") || key === "=" || known.has(key)) continue;
    const [last] = inOrder(entries, options.now, clock);
    if (!last?.isOn) continue;
    const { entry, endsAt } = last;
    found.push({
      at: entry.at,
      username: entry.username,
      password: entry.username,
      package: plans.findOrAddKey(entry.plan, entry.name, entry.at),
      router: tables.routers.has(entry.routers) ? entry.routers : null,
      connection: parseConnection(entry.type),
      service: { expiresAt: endsAt },
      enabled: true,
    });
  }
  if (found.length > 0) {
    const text = `vouchers that somebody logs in with now: ${found.length}; they come as subscribers whose name and password are the code`;
    options.notices.add("note", null, "tbl_user_recharges", text);
  }
  return found;
}

function tellWhole(tables: Tables, customers: readonly MovedSubscriber[], { notices }: ReadOptions): void {
  const left = (count: number, who: string, text: string) =>
    count > 0 && notices.add("left_out", null, who, text.replace("#", String(count)));
  const note = (who: string, text: string) => notices.add("note", null, who, text);
  left(tables.staff.size, "tbl_users", "accounts of staff: #; add those who need one here");
  left(
    tables.routers.size,
    "tbl_routers",
    "logins to the API of routers: #; enter one here where it is wanted",
  );
  left(tables.spentCodes.length, "tbl_voucher", "vouchers that were used: #");
  const strangers = [...tables.recharges.keys(), ...tables.transactions.users()].filter(
    (key) => !key.startsWith("=") && !tables.customers.has(key),
  );
  left(
    new Set(strangers).size,
    "tbl_transactions",
    "customers who were deleted, and of whom there are entries: #",
  );
  note(
    "rad_acct",
    "phpnuxbill adds each update of a session to those before, so that its counters say too much: what was used does not come, and quotas begin full",
  );
  const pools = [...tables.pools.values()].map(
    ({ row }) => `${readText(row, "pool_name")} (${readText(row, "range_ip")})`,
  );
  if (pools.length > 0)
    note("tbl_pool", `packages name pools, which stay on the routers: ${pools.slice(0, 50).join(", ")}`);
  const currency = tables.settings.get("currency_code") ?? "";
  if (currency !== "")
    note(
      "currency_code",
      `prices and balances are in ${currency}, and come as they are: see that it is the currency here`,
    );
  const entries = customers.reduce((sum, { history }) => sum + (history?.length ?? 0), 0);
  if (entries > 0)
    note("tbl_transactions", `entries that come as lines of history: ${entries}; balances alone move money`);
}
