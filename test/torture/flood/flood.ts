import { Database } from "bun:sqlite";
import { join } from "node:path";
import { SPARE_SESSIONS } from "../../../src/domain/service/accounting/holder-limit.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import { Notes, quantile, format } from "../notes.ts";
import { openTarget, SECRET, STAFF, type Target } from "../target.ts";
import type { Trial } from "../trial.ts";

/** A router of its own network with a secret of its own, as the target's "old". */
const FLOODING = { from: "127.33.0.9", secret: "old-secret-Goshawk" };
/** Packets of it that are sent at once, and milliseconds between. */
const AT_ONCE = 100;
const TICK = 5;
/** How many times the p99 without a flood the one with it may be. */
const WORSE = 2;
/** Milliseconds of a p99 that nobody notices, at a till or a router: below it two cores that three processes share say little. */
const UNNOTICED = 50;

interface Scale {
  readonly flood: number;
  readonly payments: number;
  readonly reports: number;
}

interface Measured {
  readonly payments: readonly number[];
  readonly reports: readonly number[];
}

/** Somebody has the secret of one router, and reports sessions of one subscriber without end; others pay and report meanwhile. */
export const flood: Trial = {
  name: "flood",
  run: async ({ isShort }) => {
    const scale: Scale = isShort
      ? { flood: 4000, payments: 20, reports: 60 }
      : { flood: 60_000, payments: 500, reports: 2000 };
    const notes = new Notes();
    await using target = await openTarget();
    const before = await workOn(target, notes, { ...scale, name: "before" });
    const starts = await floodOf(target, scale.flood);
    const flooding = sendFlood(starts);
    const meanwhile = await workOn(target, notes, { ...scale, name: "meanwhile" });
    const sent = await flooding;
    const open = openSessions(target);
    const bound = 2 * 1000 + SPARE_SESSIONS;
    notes.expect(open <= bound, `${open} sessions of one subscriber are open, ${bound} at the most are kept`);
    for (const what of ["payments", "reports"] as const) {
      const [without, during] = [p99(before[what]), p99(meanwhile[what])];
      if (!isShort)
        notes.expect(
          during <= Math.max(WORSE * without, UNNOTICED),
          `99 % of the ${what} took ${during.toFixed(0)} ms during the flood, ${without.toFixed(0)} ms before`,
        );
      notes.figure(
        `99 % of ${format(scale[what])} ${what === "payments" ? what : "reports of another router"} while one router floods with ${format(sent)} Starts`,
        `within ${during.toFixed(0)} ms; within ${without.toFixed(0)} ms before; none refused or unanswered`,
      );
    }
    return notes.outcome;
  },
};

const p99 = (times: readonly number[]) => quantile(times, 0.99);

/** Payments at two tills, and an honest router's reports beside them. */
async function workOn(
  target: Target,
  notes: Notes,
  { payments, reports, name }: Scale & { name: string },
): Promise<Measured> {
  const tills = STAFF.slice(0, 2).map((who, till) =>
    pay(target, notes, who, { count: payments / 2, till, name }),
  );
  const [reported, ...paid] = await Promise.all([report(target, notes, { reports, name }), ...tills]);
  return { payments: paid.flat(), reports: reported };
}

async function pay(
  { lan }: Target,
  notes: Notes,
  who: { username: string; password: string },
  { count, till, name }: { count: number; till: number; name: string },
): Promise<number[]> {
  const times: number[] = [];
  const headers = { authorization: `Basic ${btoa(`${who.username}:${who.password}`)}` };
  for (let i = 0; i < count; i++) {
    const form = { user_id: String(2 + i), amount: "1", method: "cash" };
    const begun = performance.now();
    const answer = await fetch(`http://127.0.0.1:${lan}/api/v1/payment/take`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": `${name}-${till}-${i}` },
      body: new URLSearchParams(form),
    });
    times.push(performance.now() - begun);
    notes.expect(answer.status === 200, `a payment ${name} was answered ${answer.status}`);
    await answer.arrayBuffer();
  }
  return times;
}

async function report(
  { acct, auth }: Target,
  notes: Notes,
  { reports, name }: { reports: number; name: string },
): Promise<number[]> {
  const client = new RadiusClient({ host: "127.0.0.1", port: auth, acctPort: acct, secret: SECRET });
  const times: number[] = [];
  for (let i = 0; i < reports; i++) {
    const begun = performance.now();
    const reply = await client.accounting(i % 2 === 0 ? "Start" : "Stop", [
      ["User-Name", `user${100 + (i % 200)}`],
      ["Acct-Session-Id", `${name}-${i >> 1}`],
      ["Framed-IP-Address", `10.7.${i >> 9}.${(i >> 1) & 255}`],
    ]);
    times.push(performance.now() - begun);
    notes.expect(reply !== null, `a report of another router was not answered ${name}`);
  }
  await client.close();
  return times;
}

type Batch = (Uint8Array | number | string)[];

/** Starts of ever new sessions of user1, as `sendMany` takes them: made beforehand, because a router that floods does its work elsewhere. */
async function floodOf({ acct, auth }: Target, count: number): Promise<Batch[]> {
  const client = new RadiusClient({ host: "127.0.0.1", port: auth, acctPort: acct, secret: FLOODING.secret });
  const batches: Batch[] = [];
  for (let n = 0; n < count; n++) {
    const { datagram } = client.prepareAccounting("Start", [
      ["User-Name", "user1"],
      ["Acct-Session-Id", `flood-${n}`],
      ["Calling-Station-Id", `02:00:00:${hex(n >> 16)}:${hex(n >> 8)}:${hex(n)}`],
      ["Framed-IP-Address", `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`],
    ]);
    if (n % AT_ONCE === 0) batches.push([]);
    batches.at(-1)?.push(datagram, acct, "127.0.0.1");
  }
  await client.close();
  return batches;
}

/** Sends them as fast as they go out; resolves to how many there were. */
async function sendFlood(batches: readonly Batch[]): Promise<number> {
  const socket = await Bun.udpSocket({ hostname: FLOODING.from, socket: { error: () => undefined } });
  for (const batch of batches) {
    socket.sendMany(batch);
    await Bun.sleep(TICK);
  }
  socket.close();
  return batches.length * AT_ONCE;
}

const hex = (byte: number) => (byte & 255).toString(16).padStart(2, "0");

function openSessions({ dataFolder }: Target): number {
  const db = new Database(join(dataFolder, "gatehouse.db"), { readonly: true });
  try {
    return (
      db
        .query<{ open: number }, []>(
          `SELECT count(*) AS open FROM sessions s JOIN subscribers u ON u.id = s.subscriber_id
           WHERE u.username = 'user1' AND s.stopped_at IS NULL`,
        )
        .get()?.open ?? 0
    );
  } finally {
    db.close();
  }
}
