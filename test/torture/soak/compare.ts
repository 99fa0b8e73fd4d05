import { batches, cardEntries, cards } from "./cards/compare.ts";
import { lines, match } from "./match.ts";
import type { World } from "./world.ts";

/** Holds the books of the product against the model: money, usage, expiration, sessions, and what the API says of each. */
export async function compare(world: World): Promise<number> {
  let values = 0;
  for (const part of [sessions, usage, services, days, money, invoices, cards, cardEntries])
    values += part(world);
  return values + (await records(world)) + (await batches(world));
}

const HOLDER =
  "CASE WHEN card_id IS NULL THEN 'user' || subscriber_id ELSE 'C-' || substr('00000' || card_id, -6) END";

function sessions(world: World): number {
  const is = world.box.rows<Record<string, unknown>>(
    `SELECT ${HOLDER}, nas_address, acct_session_id, username, iif(class IS NULL, '-', lower(hex(class))), mac, framed_ip,
       started_at, updated_at, ifnull(stopped_at, '-'), ifnull(closed_by, '-'), ifnull(terminate_cause, '-'), session_time,
       input_octets, output_octets FROM sessions`,
  );
  const shouldBe = world.model.rows.map((row) => {
    const { id, username, card, class: bytes } = row.session;
    return [
      ...[
        row.holder,
        row.router,
        id,
        card ? card.name : username,
        bytes ? Buffer.from(bytes).toString("hex") : "-",
        row.mac,
      ],
      ...[
        row.ip,
        row.started,
        row.updated,
        row.stopped ?? "-",
        row.closedBy ?? "-",
        row.cause ?? "-",
        row.time,
      ],
      ...[row.input, row.output],
    ].join(" ");
  });
  return match(world, "a session", lines(is), shouldBe);
}

function usage(world: World): number {
  const is = world.box.rows<Record<string, unknown>>(
    "SELECT 'user' || subscriber_id, day, input_octets, output_octets FROM usage_days",
  );
  const shouldBe = [...world.model.days].map(
    ([key, { input, output }]) => `user${key.replaceAll("-", "")} ${input} ${output}`,
  );
  return match(world, "usage of a day", lines(is), shouldBe);
}

function services(world: World): number {
  const is = world.box.rows<Record<string, unknown>>(
    `SELECT 'user' || subscriber_id, package_id, expires_at, quota_total, quota_used, ifnull(quota_crossed_at, '-')
     FROM services WHERE fair_window = 'period'`,
  );
  const shouldBe = world.subscribers.flatMap(({ id, service }) =>
    service && !service.day
      ? [
          `user${id} ${service.sold.id} ${service.until} ${service.sold.quota} ${service.used} ${service.crossedAt ?? "-"}`,
        ]
      : [],
  );
  return match(world, "a service", lines(is), shouldBe);
}

/** The counters of fair use, of the day that runs; a row of another day is one that nobody has touched since. */
function days(world: World): number {
  const { box, calendar } = world;
  const today = calendar.date(box.now);
  const is = box.rows<{
    id: number;
    start: number | null;
    used: number;
    free: number;
    extra: number;
    until: number;
  }>(
    `SELECT subscriber_id AS id, window_start AS start, quota_used AS used, free_bytes AS free, extra_bytes AS extra,
       expires_at AS until FROM services WHERE fair_window = 'day'`,
  );
  const format = (id: number, until: number, counters: string) => `user${id} ${until} ${counters}`;
  const stale = new Set(
    is.filter(({ start }) => start === null || calendar.date(start) < today).map(({ id }) => id),
  );
  const shouldBe = world.subscribers.flatMap(({ id, service }) => {
    if (!service?.day) return [];
    world.model.fair.begin(service, today);
    const { used, day, until } = service;
    return [format(id, until, stale.has(id) ? "of another day" : `${used} ${day.free} ${day.extra}`)];
  });
  return match(
    world,
    "fair use",
    is.map(({ id, until, used, free, extra }) =>
      format(id, until, stale.has(id) ? "of another day" : `${used} ${free} ${extra}`),
    ),
    shouldBe,
  );
}

function money(world: World): number {
  const is = world.box.rows<Record<string, unknown>>(
    `SELECT CASE WHEN subscriber_id IS NULL THEN 'staff' || staff_id ELSE 'user' || subscriber_id END,
       row_number() OVER (PARTITION BY subscriber_id, staff_id ORDER BY id), amount, balance_after, kind, created_at
     FROM ledger_entries`,
  );
  const shouldBe = [...world.model.wallets.entries].flatMap(([account, entries]) =>
    entries.map(
      ({ amount, balance, kind, at }, index) =>
        `${account.replace("subscriber ", "user").replace("staff ", "staff")} ${index + 1} ${amount} ${balance} ${kind} ${at}`,
    ),
  );
  return match(world, "an entry of the ledger", lines(is), shouldBe);
}

function invoices(world: World): number {
  const is = world.box.rows<Record<string, unknown>>(
    `SELECT 'user' || subscriber_id, package_id, amount, period_start, period_end, created_at, open, ifnull(paid_at, '-')
     FROM invoices`,
  );
  const shouldBe = world.model.wallets.invoices.map(
    (one) =>
      `user${one.subscriber} ${one.package} ${one.amount} ${one.from} ${one.until} ${one.at} ${one.open} ${one.paidAt ?? "-"}`,
  );
  return match(world, "an invoice", lines(is), shouldBe);
}

/** What the API says of every subscriber. */
async function records(world: World): Promise<number> {
  const { box, model, subscribers } = world;
  const { body } = await box.call("GET", "/api/v1/subscriber/list?limit=1000");
  const format = Array.isArray(body) ? body : [];
  const is = format.map((record) =>
    [`user${record.id}`, record.balance, record.profile_status, record.connection_status].join(" "),
  );
  const shouldBe = subscribers.map(({ id, isEnabled, service }) => {
    const state = !service ? "inactive" : service.until <= box.now ? "expired" : "active";
    const isOnline = model.openOf(`user${id}`).length > 0;
    const balance = model.wallets.balance(`subscriber ${id}`) / 100;
    return `user${id} ${balance} ${isEnabled ? state : "disabled"} ${isOnline ? "online" : "offline"}`;
  });
  return match(world, "a record of the API", is, shouldBe);
}
