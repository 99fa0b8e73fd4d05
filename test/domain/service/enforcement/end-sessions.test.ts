import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { cardNumber, printedCode } from "../../../../src/domain/goods/codes/codes.ts";
import { dueCardSessions } from "../../../../src/domain/service/enforcement/due-cards.ts";
import { endAllCardSessions } from "../../../../src/domain/service/enforcement/end-sessions.ts";
import { recordFirstUse } from "../../../../src/domain/service/cards/first-use.ts";
import { endSessionsAt } from "../../../../src/domain/service/control/end-at-router.ts";
import { endChosenSessions, sessionChoice } from "../../../../src/domain/service/control/end.ts";
import { Enforcer } from "../../../../src/domain/service/enforcement/enforce.ts";
import { makeRouters, type RouterProtocols } from "../../../../src/domain/service/control/routers.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import type { Session } from "../../../../src/domain/service/sessions/advance.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { closeLostSessions } from "../../../../src/domain/service/sessions/sweep.ts";
import { CoaClient } from "../../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../../src/radius/client/coa-requests.ts";
import { write } from "../../../../db/open.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { type MadeCard, makeCard, placesOf } from "../../../support/card-codes.ts";
import { FakeNas } from "../../../support/fake-nas.ts";
import { by, undoneIspStores, NAS_SECRET } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

const HOUR = 3600;
let store: TemporaryStore;
let db: Db;
let routers: RecordedRouters;
let now = NOW;
const clock = () => now;

beforeEach(async () => {
  routers = new RecordedRouters();
  now = NOW;
  store = await ispStore();
  db = store.db;
});
afterEach(() => store[Symbol.dispose]());

/** A card that was first used at NOW, with its terms. */
function usedCard(input: Input = {}): MadeCard {
  const card = makeCard(db, input);
  write(db, (tx) => recordFirstUse(tx, { cardId: card.id, at: NOW, mac: null }));
  return card;
}

function open({ id }: MadeCard, values: Partial<Session> = {}): Session {
  const [session] = insertSessions(db, {
    subscriberId: null,
    cardId: id,
    username: cardNumber(id),
    acctSessionId: `s${id}`,
    startedAt: NOW,
    ...values,
  });
  if (!session) throw new Error("no session");
  return session;
}

const use = (card: MadeCard, seconds: number, octets: number) =>
  db.$client.run("UPDATE cards SET used_seconds = ?, used_octets = ?, used_up_at = ? WHERE id = ?", [
    seconds,
    octets,
    now,
    card.id,
  ]);
const stillOpen = () =>
  db.$client
    .query<{ id: string }, []>(
      "SELECT acct_session_id AS id FROM sessions WHERE stopped_at IS NULL ORDER BY id",
    )
    .all()
    .map(({ id }) => id);
const enforcer = () => new Enforcer(db, { clock, routers });

describe("by the appliance itself", () => {
  test("the sessions of a card end when its hour is over", async () => {
    const [one, two] = [usedCard(), usedCard({ duration: 2 })];
    open(one);
    open(two);
    expect(dueCardSessions(db, NOW + HOUR - 1)).toEqual([]);
    now = NOW + HOUR;
    expect(await enforcer().run()).toEqual({ ended: 1, changed: 0, failures: [] });
    expect(routers.take()).toEqual([`disconnect s${one.id}`]);
    expect(stillOpen()).toEqual([`s${two.id}`]);
  });

  test("all of them end when its time online or its volume is used up, on every router", async () => {
    const time = usedCard({ by_clock: 0, uptime_seconds: 600, devices: 2 });
    const volume = usedCard({ data_quota_bytes: 1000 });
    open(time, { acctSessionId: "a" });
    open(time, { acctSessionId: "b", nasAddress: "127.0.0.3" });
    open(volume, { acctSessionId: "c" });
    expect(dueCardSessions(db, now)).toEqual([]);
    use(time, 600, 0);
    expect(await enforcer().enforceOne({ cardId: time.id })).toMatchObject({ ended: 1 });
    expect(routers.take().toSorted()).toEqual(["disconnect a", "disconnect b"]);
    use(volume, 0, 1000);
    expect(await enforcer().enforceOne({ cardId: time.id })).toMatchObject({ ended: 0 });
    expect(await enforcer().enforceOne({ cardId: volume.id })).toMatchObject({ ended: 1 });
    expect(stillOpen()).toEqual([]);
  });

  test("a session by a card that nobody may use ends: not sold yet, or run out unused", async () => {
    const unsold = makeCard(db, { needs_sale: 1 });
    const old = makeCard(db, { sell_by: formatTime(NOW + HOUR) });
    open(unsold);
    open(old);
    now = NOW + 2 * HOUR;
    expect(await enforcer().run()).toMatchObject({ ended: 2 });
    expect(stillOpen()).toEqual([]);
  });

  test("a router that does not answer is asked again, and the failure names the card by its number", async () => {
    const card = usedCard();
    open(card);
    now = NOW + HOUR;
    routers.answer = { kind: "failed", reason: "silence", isSilent: true };
    const busy = enforcer();
    expect((await busy.run()).failures).toEqual([
      expect.stringMatching(new RegExp(`^${cardNumber(card.id)}: silence; trying again in`)),
    ]);
    expect(stillOpen()).toHaveLength(1);
    routers.answer = { kind: "acknowledged" };
    now += 600;
    expect(await busy.run()).toMatchObject({ ended: 1 });
  });
});

describe("by staff", () => {
  test("a card that becomes void loses its sessions, whatever disconnect_enabled says", async () => {
    const [card, other] = [usedCard(), usedCard()];
    open(card);
    open(other);
    expect(await endAllCardSessions(db, by, { cardId: card.id }, { clock, routers })).toEqual({
      ended: 1,
      failures: [],
    });
    expect(stillOpen()).toEqual([`s${other.id}`]);
    expect(await endAllCardSessions(db, by, { cardId: card.id }, { clock, routers })).toEqual({
      ended: 0,
      failures: [],
    });
  });

  test("its sessions are chosen by its number, in any writing", async () => {
    const card = usedCard();
    open(card);
    const choice = sessionChoice(db, by, { who: `c-${card.id}` });
    expect(choice).toEqual({ username: cardNumber(card.id), sessionId: undefined });
    await endChosenSessions(db, by, { choice, inBooksOnly: false }, { clock, routers });
    expect(stillOpen()).toEqual([]);
    open(card, { acctSessionId: "again" });
    expect(await endChosenSessions(db, by, { choice, inBooksOnly: true }, { clock, routers })).toBe("closed");
  });

  test("they end with all others of their router, and are lost as others are", async () => {
    const card = usedCard();
    open(card);
    expect(await endSessionsAt(db, by, { nasId: 1, confirm: "core" }, { clock, routers })).toMatchObject({
      ended: 1,
      failed: 0,
    });
    open(card, { acctSessionId: "lost", updatedAt: NOW });
    now = NOW + 10 * HOUR;
    expect(await closeLostSessions(db, by, { since: 0 }, { now })).toBe(1);
  });
});

describe("what a router is asked", () => {
  test("has the code that it knows as User-Name, and our books have no trace of it", async () => {
    using nas = await FakeNas.start({}, { secret: NAS_SECRET });
    const client = new CoaClient({ clock });
    db.$client.run("UPDATE nas SET coa_port = ? WHERE id = 1", [nas.port]);
    const card = usedCard();
    open(card, { framedIp: "10.0.0.7" });
    const real = makeRouters(db, { coa: coaRequests(client), api: noApi });
    expect(await endAllCardSessions(db, by, { cardId: card.id }, { clock, routers: real })).toMatchObject({
      ended: 1,
    });
    const names = nas.requests.flatMap(({ attributes }) => attributes.filter(([type]) => type === 1));
    expect(names).toEqual([[1, Buffer.from(card.code).toString("hex")]]);
    await client.close();
    expect([...placesOf(db, card.code), ...placesOf(db, printedCode(card.code))]).toEqual([]);
  });

  test("leaves the name out where the router has the code as somebody typed it", async () => {
    const named = (type: number) => type === 1;
    using nas = await FakeNas.start(
      ({ attributes }) =>
        attributes.some(([type]) => named(type)) ? { answer: "nak", errorCause: 503 } : { answer: "ack" },
      { secret: NAS_SECRET },
    );
    const client = new CoaClient({ clock });
    db.$client.run("UPDATE nas SET coa_port = ? WHERE id = 1", [nas.port]);
    open(usedCard(), { framedIp: "10.0.0.7" });
    const real = makeRouters(db, { coa: coaRequests(client), api: noApi });
    now = NOW + HOUR;
    expect(await new Enforcer(db, { clock, routers: real }).run()).toMatchObject({ ended: 1 });
    expect(nas.requests).toHaveLength(2);
    expect(db.$client.query("SELECT closed_by AS by, terminate_cause AS cause FROM sessions").get()).toEqual({
      by: "disconnect",
      cause: "Admin-Reset",
    });
    await client.close();
  });

  test("over its API is the code in every writing, on both lists, and what it says names the number", async () => {
    const card = usedCard();
    open(card);
    db.$client.run(
      "UPDATE nas SET disconnect_method = 'routeros', routeros_host = '127.0.0.1', routeros_username = 'api', routeros_password_sealed = ? WHERE id = 1",
      [db.vault.seal("x")],
    );
    const answers: string[] = [];
    const api: RouterProtocols["api"] = {
      ...noApi,
      disconnect: async (_, { list, username }) => {
        answers.push(`${list} ${username}`);
        return username === card.code.toLowerCase() && list === "ppp"
          ? { kind: "failed", reason: `it says that ${username} is online 2 times` }
          : { kind: "gone" };
      },
    };
    const real = makeRouters(db, { coa: coaRequests(new CoaClient({ clock })), api });
    const ended = await endAllCardSessions(db, by, { cardId: card.id }, { clock, routers: real });
    expect(ended.failures).toEqual([`it says that ${cardNumber(card.id)} is online 2 times`]);
    expect(answers).toEqual([`ppp ${card.code}`, `hotspot ${card.code}`, `ppp ${card.code.toLowerCase()}`]);
    expect(placesOf(db, card.code)).toEqual([]);
  });
});

const noApi: RouterProtocols["api"] = {
  disconnect: async () => {
    throw new Error("it has none");
  },
  find: async () => {
    throw new Error("it has none");
  },
};
