import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/open.ts";
import { auditEntries, services } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { ApplyLater } from "../../../../src/domain/service/control/apply-later.ts";
import type { RouterAnswer } from "../../../../src/domain/service/control/routers.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { subscriberById } from "../../../../src/domain/goods/subscribers/find.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

let store: ReturnType<typeof temporaryStore>;
let db: Db;
let routers: RecordedRouters;
let failures: string[];
beforeEach(async () => {
  store = temporaryStore();
  db = store.db;
  routers = new RecordedRouters();
  failures = [];
  await loadIsp(db, {
    packages: [aPackage(2, { expired_pool: "garden" })],
    subscribers: [aSubscriber(1, { package_id: 2 })],
  });
});
afterEach(() => store[Symbol.dispose]());

const subscriber = () => subscriberById(db, everything, 1);
const renew = () => activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });

function later(grace = 1) {
  const failed = (reason: string) => failures.push(reason);
  return new ApplyLater(db, { clock: () => NOW, routers, failed, grace });
}

/** Resolves with what a router is asked next, which it answers. */
function nextRequest(answer: RouterAnswer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  routers.answer = (answers) => {
    resolve(answers);
    return answer;
  };
  return promise;
}

test("who sat in the walled garden is let out of it, by a new login", async () => {
  db.update(services)
    .set({ expiresAt: NOW - DAY })
    .where(eq(services.subscriberId, 1))
    .run();
  insertSessions(db, grantedAt(db));
  renew();
  const answers = nextRequest({ kind: "acknowledged" });
  const waiting = later();
  waiting.add(subscriber());
  expect(await answers).toBe("disconnect 81000001");
  await waiting.stop();
  const [entry] = db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.action, "subscriber.disconnect"))
    .all();
  expect(entry).toMatchObject({ actor: "subscriber user1", source: "portal" });
  expect(failures).toEqual([]);
});

test("who is online keeps the session, and gets the full rate again", async () => {
  const used = { quotaTotal: 1, quotaUsed: 1, quotaCrossedAt: NOW, quotaExceeded: "1M/1M" };
  db.update(services).set(used).where(eq(services.subscriberId, 1)).run();
  insertSessions(db, grantedAt(db));
  renew();
  const answers = nextRequest({ kind: "acknowledged" });
  const waiting = later();
  waiting.add(subscriber());
  expect(await answers).toBe("rate 81000001 10M/20M");
  await waiting.stop();
});

test("a router that does not do it is told of, and nothing is thrown", async () => {
  insertSessions(db, { ...grantedAt(db), grantedRate: 1 });
  const answers = nextRequest({ kind: "failed", reason: "prohibited" });
  const waiting = later();
  waiting.add(subscriber());
  await answers;
  await waiting.stop();
  expect(failures).toEqual(["user1: prohibited; prohibited"]);
});

test("nothing begins after the end", async () => {
  insertSessions(db, {});
  const ended = later();
  ended.add(subscriber());
  await ended.stop();
  const answers = nextRequest({ kind: "acknowledged" });
  const waiting = later(20); // due after the one that was stopped
  waiting.add(subscriber());
  await answers;
  await waiting.stop();
  expect(routers.requests).toHaveLength(1);
});
