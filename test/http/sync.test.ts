import { afterAll, expect, test } from "bun:test";
import { write } from "../../db/open.ts";
import { planDeliveries } from "../../src/domain/around/webhooks/plan.ts";
import { AccountingWriter } from "../../src/domain/service/accounting/accounting.ts";
import { by } from "../support/isp.ts";
import { Copy, type Get, type Json, nouns } from "../support/copy.ts";
import { aReport } from "../support/replication.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const { operator: basic } = callers;

const app = await withTenants();
afterAll(() => app[Symbol.dispose]());

const get: Get = async (path) => {
  const { status, body } = await app.call("GET", path, { basic });
  expect({ path, status }).toEqual({ path, status: 200 });
  return Object(body);
};

/** Of a seed, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const post = (path: string, form: Json) => app.call("POST", `/api/v1/${path}`, { basic, form });

/** What may happen; what is refused changes nothing. */
const happenings: ((app: Tenants, n: (below: number) => number) => unknown)[] = [
  (_, n) => post("subscriber/update", { isp_id: 1, username: `user${1 + n(2)}`, name: `Sam ${n(99)}` }),
  (_, n) => post("payment/take", { user_id: 1 + n(2), amount: 1 + n(60), method: "cash" }),
  (_, n) => post("payment/reverse", { id: 1 + n(20), reason: "mistake" }),
  (_, n) => post("activation/activate", { user_id: 1 + n(2), package_id: 1 + n(2) }),
  (_, n) => post("invoice/void", { invoice_id: 1 + n(9), reason: "wrong" }),
  (_, n) => post(`subscriber/${n(2) ? "freeze" : "thaw"}`, { user_id: 1 }),
  (_, n) => post(`subscriber/${n(2) ? "archive" : "restore"}`, { user_id: 2 }),
  (_, n) => post("area/update", { isp_id: 1, id: 1, name: `East ${n(9)}` }),
  ({ db, clock }, n) => {
    const status = (["start", "interim", "stop"] as const)[n(3)] ?? "start";
    const session = { status, acctSessionId: `S${n(6)}`, sessionTime: n(900), inputOctets: n(9000) };
    const report = aReport({ at: clock.now, username: `user${1 + n(2)}`, ...session });
    const { username: login } = report;
    write(db, () => {
      new AccountingWriter(db).book({ kind: "session", report, login, ispId: 1, arrival: clock.now });
    });
  },
  ({ clock }, n) => void (clock.now += n(400_000)),
];

test.each([1, 2, 3])(
  "a copy equals the books after whatever happened, stops and a webhook that was off: seed %d",
  async (seed) => {
    const n = randomOf(seed);
    const told = () => app.db.$client.query<{ uid: string }, []>("SELECT uid FROM events ORDER BY id").all();
    const before = told().length;
    let copy = new Copy(get);
    for (let step = 0; step < 120; step++) {
      await happenings[n(happenings.length)]?.(app, n);
      if (n(5) === 0) await copy.follow(1 + n(2));
      if (n(9) === 0) copy = new Copy(get, copy.text);
      // the webhook is heard in the first half
      if (step === 60) {
        planDeliveries(app.db, by, { now: app.clock.now });
        for (const { uid } of told().slice(before)) copy.hear({ id: uid });
      }
    }
    await copy.follow();
    await copy.catchUp();
    for (const noun of nouns) {
      const fresh = new Copy(get);
      await fresh.follow();
      const states = new Set(["connection_status", "profile_status", "current_expiration_date"]);
      const plain = (all: Record<string, Json>) =>
        Object.values(all).map((one) =>
          Object.fromEntries(Object.entries(one).filter(([name]) => !states.has(name))),
        );
      expect(plain(copy.of(noun))).toEqual(plain(fresh.of(noun)));
    }
    const ids = copy.events.map(({ id }) => id);
    expect(ids.slice(-(told().length - before))).toEqual(
      told()
        .slice(before)
        .map(({ uid }) => uid),
    );
    expect(new Set(ids).size).toBe(ids.length);
  },
);
