import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { Statement } from "bun:sqlite";
import { recordDecisions } from "../../../src/domain/service/access/auth-log.ts";
import { checkSetup } from "../../../src/domain/machine/check/check.ts";
import { printedCode } from "../../../src/domain/goods/codes/codes.ts";
import { recordFirstUses } from "../../../src/domain/service/cards/first-use.ts";
import type { Input } from "../../../src/domain/core/fields/fields.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { cardRow, type MadeCard, makeBatch, makeCard } from "../../support/card-codes.ts";
import { aSubscriber, by } from "../../support/isp.ts";
import type { AccessRequest } from "../../support/radius-credentials.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { readCardAccept, readGranted } from "../../../src/domain/service/sessions/session-class.ts";
import { insertSessions } from "../../support/sessions.ts";
import { NOW } from "../../support/store.ts";

const PHONE = "02:00:00:00:00:01";
const LAPTOP = "02:00:00:00:00:02";
const HOUR = 3600;
const METHODS = ["pap", "chap", "mschap", "mschapv2"] as const;
const SOUTH = { ...FROM, address: "127.0.0.2" };

let handlers: TestHandlers;
beforeEach(async () => {
  handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
});
afterEach(() => handlers[Symbol.asyncDispose]());

const hotspot = (mac: string | null): NamedAttribute[] => [
  ["Service-Type", "Login-User"],
  ["NAS-Port-Type", "Wireless-802.11"],
  ...(mac === null ? [] : ([["Calling-Station-Id", mac]] satisfies NamedAttribute[])),
];
/** A login at the hotspot; by the name as password unless said otherwise. */
const ask = (name: string, more: Partial<AccessRequest> & { mac?: string | null } = {}, from = FROM) => {
  const { mac = PHONE, ...request } = more;
  return handlers.login({ name, password: name, attributes: hotspot(mac), ...request }, from);
};
const card = (input: Input = {}) => makeCard(handlers.db, input, handlers.clock.now);
const set = ({ id }: MadeCard, values: string) =>
  handlers.db.$client.run(`UPDATE cards SET ${values} WHERE id = ${id}`);
const replyMessage = (reply: ReturnType<typeof ask>) => reply?.attributes["Reply-Message"]?.[0];
const reasons = () => handlers.decided.map(({ reason }) => reason);
/** What main does with what was decided. */
function settle() {
  recordFirstUses(handlers.db, handlers.decided);
  recordDecisions(handlers.db, handlers.decided);
}

describe("a card is its code, however it is typed", () => {
  describe.each(METHODS)("by %s", (method) => {
    test.each<[string, (code: string) => [name: string, password: string]]>([
      ["as it is stored", (code) => [code, code]],
      ["without a password", (code) => [code, ""]],
      ["in small letters, with the password in capitals", (code) => [code.toLowerCase(), code]],
      ["in capitals, with the password in small letters", (code) => [code, code.toLowerCase()]],
      ["as it is printed", (code) => [printedCode(code), printedCode(code)]],
      ["with the password as it is printed", (code) => [code, printedCode(code)]],
      [
        "with spaces, and the password the same",
        (code) => [` ${code.slice(0, 3)} ${code.slice(3)} `, ` ${code.slice(0, 3)} ${code.slice(3)} `],
      ],
      ["behind a realm", (code) => [`hotspot\\${code}`, code]],
    ])("%s", (_, text) => {
      const { id, code } = card({ prefix: "wifi" });
      const [name, password] = text(code);
      expect(ask(name, { password, method })).toMatchObject({ code: "Access-Accept", faults: [] });
      expect(handlers.decided).toMatchObject([
        {
          reason: "accepted",
          subscriberId: null,
          cardId: id,
          isCardUse: true,
          method,
          username: `C-00000${id}`,
        },
      ]);
    });

    test("another password is refused as any wrong one", () => {
      const { code } = card();
      const reply = ask(code, { password: "sunshine", method });
      expect(reply).toMatchObject({ code: "Access-Reject", faults: [] });
      expect(replyMessage(reply)).toBe("wrong username or password");
      expect(handlers.decided).toMatchObject([{ reason: "wrong_password", username: "C-000001", cardId: 1 }]);
    });
  });

  test("with PAP the password is read as the name is", () => {
    const { code } = card();
    const password = ` ${code.slice(0, 2)}—${code.slice(2).toLowerCase()} `;
    expect(ask(code, { password })?.code).toBe("Access-Accept");
    expect(ask(code, { password: " - " })?.code).toBe("Access-Accept");
    expect(ask(code, { password: Buffer.from([0xff, 0xfe]) })?.code).toBe("Access-Reject");
  });

  test("a subscriber of that name comes first", () => {
    const { code } = card();
    handlers.db.$client.run(`UPDATE subscribers SET username_key = '${code.toLowerCase()}' WHERE id = 1`);
    expect(ask(code)?.code).toBe("Access-Reject");
    expect(ask(code, { password: "pw-1", attributes: [] })?.code).toBe("Access-Accept");
    expect(handlers.decided).toMatchObject([{ subscriberId: 1 }, { subscriberId: 1, cardId: null }]);
  });
});

describe("what is refused, and what is said of it", () => {
  test("not sold yet, where the batch wants that first", () => {
    const made = card({ needs_sale: 1 });
    expect(replyMessage(ask(made.code))).toBe("this card is not sold yet");
    set(made, "state = 'sold'");
    expect(ask(made.code)?.code).toBe("Access-Accept");
    settle();
    expect(
      handlers.db.$client.query("SELECT username, card_id, subscriber_id, reason FROM auth_log").all(),
    ).toEqual([
      { username: "C-000001", card_id: made.id, subscriber_id: null, reason: "card_unsold" },
      { username: "C-000001", card_id: made.id, subscriber_id: null, reason: "accepted" },
    ]);
  });

  test("never used, at an access box that does not hear its books, where the batch wants that", () => {
    const fresh = card({ offline: 0 });
    const used = card({ offline: 0 });
    const other = card();
    set(used, `state = 'active', first_used_at = ${NOW - 60}, ends_at = ${NOW + 600}`);
    handlers.db.$client.run(
      "INSERT INTO access_boxes (id, name, nkey, seal_key, created_at) VALUES (1, 'tower-1', 'U', 'k', 0)",
    );
    const lastUse = (at: number | null) =>
      handlers.db.$client.query("UPDATE access_state SET role = 'access', box_id = 1, beat_at = ?").run(at);
    for (const at of [null, NOW - 16]) {
      lastUse(at);
      expect(replyMessage(ask(fresh.code))).toBe("this card cannot be checked just now; try again later");
      expect(ask(fresh.code, { password: "sunshine" })?.code).toBe("Access-Reject");
      expect(ask(used.code)?.code).toBe("Access-Accept");
      expect(ask(other.code)?.code).toBe("Access-Accept");
    }
    lastUse(NOW - 5);
    expect(ask(fresh.code)?.code).toBe("Access-Accept");
    expect(reasons().filter((reason) => reason === "card_unheard")).toHaveLength(2);
  });

  test("not sold in time", () => {
    const made = card({ sell_by: "2030-01-15 12:01:00" });
    expect(ask(made.code)?.code).toBe("Access-Accept");
    handlers.clock.now += 60;
    expect(replyMessage(ask(made.code))).toBe("this card has expired");
    expect(reasons()).toEqual(["accepted", "card_expired"]);
  });

  test.each([
    ["void", "state = 'void'", "card_void", "this card is not valid any more"],
    [
      "over",
      `state = 'active', first_used_at = 1, ends_at = ${NOW}`,
      "card_expired",
      "this card has expired",
    ],
    [
      "used up by time",
      "state = 'active', first_used_at = 1, used_seconds = 600",
      "card_used_up",
      "this card is used up",
    ],
    [
      "used up by volume",
      "state = 'active', first_used_at = 1, used_octets = 1000",
      "card_used_up",
      "this card is used up",
    ],
    [
      "of another device",
      `state = 'active', first_used_at = 1, locked_mac = '${LAPTOP}'`,
      "mac_locked",
      "this account is locked to another device",
    ],
  ])("%s", (_, values, reason, words) => {
    const made = card({ uptime_seconds: 600, data_quota_bytes: 1000, lock_first_device: 1 });
    set(made, values);
    expect(replyMessage(ask(made.code, { password: "" }))).toBe(words);
    expect(replyMessage(ask(made.code, { password: "x" }))).toBe("wrong username or password");
    expect<string | undefined>(reasons()[0]).toBe(reason);
  });

  test("sold too long ago", () => {
    const made = card({ use_by: "2030-01-15 12:01:00" });
    set(made, "state = 'sold'");
    expect(ask(made.code)?.code).toBe("Access-Accept");
    handlers.clock.now += 60;
    expect(replyMessage(ask(made.code))).toBe("this card has expired");
  });

  test.each([
    ["refill", { package_id: undefined }],
    ["package", {}],
  ])("a %s card does not log in, and says where it is for", (kind, input) => {
    const made = card({ kind, ...input });
    expect(replyMessage(ask(made.code))).toBe("redeem this card in the portal; it does not log in");
    expect(reasons()).toEqual(["card_not_access"]);
  });

  test("another ISP's router", () => {
    const { code } = card();
    expect(replyMessage(ask(code, {}, SOUTH))).toBe("this account belongs to another network");
    expect(reasons()).toEqual(["other_isp"]);
    expect(handlers.decided).toMatchObject([
      { isCardUse: false, cardId: null, username: `${code.slice(0, 3)}…` },
    ]);
  });
});

describe("what is granted", () => {
  const granted = (reply: ReturnType<typeof ask>, name: string) => reply?.attributes[name]?.[0];
  const timeout = (reply: ReturnType<typeof ask>) => granted(reply, "Session-Timeout");

  test("the terms of the batch, as they were when it was made", () => {
    const { code } = card({ data_quota_bytes: 5_000_000_000 });
    handlers.db.$client.run("UPDATE packages SET rate_limit = '1M/1M'");
    const reply = ask(code);
    expect(granted(reply, "Mikrotik-Rate-Limit")).toBe("10M/20M");
    expect(granted(reply, "Mikrotik-Total-Limit")).toBe(5_000_000_000 - 2 ** 32);
    expect(granted(reply, "Mikrotik-Total-Limit-Gigawords")).toBe(1);
  });

  test("a batch that is changed is read anew", () => {
    const { code } = card();
    ask(code);
    handlers.db.$client.run("UPDATE card_batches SET rate_limit = '1M/2M'");
    expect(granted(ask(code), "Mikrotik-Rate-Limit")).toBe("1M/2M");
  });

  test("never used: all of its time, by the clock or online, whichever is shorter", () => {
    expect(timeout(ask(card().code))).toBe(HOUR);
    expect(timeout(ask(card({ uptime_seconds: 600 }).code))).toBe(600);
    expect(timeout(ask(card({ uptime_seconds: 2 * HOUR }).code))).toBe(HOUR);
    expect(
      timeout(
        ask(card({ uptime_seconds: 600, by_clock: 0, duration: undefined, duration_unit: undefined }).code),
      ),
    ).toBe(600);
  });

  test("used: what is left of the shortest, a minute at the least, and never past its end", () => {
    const made = card({ uptime_seconds: 600, data_quota_bytes: 5000 });
    const left = (values: string) => {
      set(made, `state = 'active', first_used_at = ${NOW}, ${values}`);
      return timeout(ask(made.code));
    };
    expect(left(`ends_at = ${NOW + 1000}, used_seconds = 200, used_octets = 4000`)).toBe(400);
    expect(left(`ends_at = ${NOW + 100}`)).toBe(100);
    expect(left(`ends_at = ${NOW + 1000}, used_seconds = 590`)).toBe(60);
    expect(left(`ends_at = ${NOW + 5}, used_seconds = 590`)).toBe(5);
    expect(granted(ask(made.code), "Mikrotik-Total-Limit")).toBe(1000);
  });

  test("volume alone ends no session by the clock", () => {
    const { code } = card({
      by_clock: 0,
      duration: undefined,
      duration_unit: undefined,
      data_quota_bytes: 9000,
    });
    const reply = ask(code);
    expect(timeout(reply)).toBe(21_474_720);
    expect(granted(reply, "Mikrotik-Total-Limit")).toBe(9000);
  });

  test("time online is divided by the sessions that are open with it; its own older one is none", () => {
    const made = card({ uptime_seconds: 600, devices: 3 });
    set(made, `state = 'active', first_used_at = ${NOW}, ends_at = ${NOW + HOUR}`);
    const of = { cardId: made.id, subscriberId: null };
    insertSessions(handlers.db, { ...of, mac: LAPTOP }, { ...of, mac: PHONE, acctSessionId: "2" });
    expect(timeout(ask(made.code))).toBe(300);
  });

  test("the Class says what was granted, when, and for how long, so that its session has it", () => {
    const reply = ask(card({ uptime_seconds: 600 }).code);
    const sessionClass = Buffer.from(granted(reply, "Class") as Uint8Array);
    expect(readGranted(sessionClass).acceptedAs).toBe("accepted");
    expect(readCardAccept(sessionClass)).toEqual({ acceptedAt: NOW, sessionTimeout: 600 });
    expect(timeout(reply)).toBe(600);
  });
});

describe("devices", () => {
  test("as many as the batch allows, at whichever routers; the same one is none beside itself", () => {
    const made = card({ devices: 2 });
    const of = { cardId: made.id, subscriberId: null };
    insertSessions(handlers.db, { ...of, mac: LAPTOP });
    expect(ask(made.code)?.code).toBe("Access-Accept");
    insertSessions(handlers.db, { ...of, mac: PHONE, acctSessionId: "2" });
    expect(ask(made.code)?.code).toBe("Access-Accept");
    expect(replyMessage(ask(made.code, { mac: "02:00:00:00:00:03" }))).toBe("this account is in use already");
  });

  test("of two at one moment one gets in, although nothing is written yet", () => {
    const { code } = card();
    expect([ask(code), ask(code, { mac: LAPTOP })].map((reply) => reply?.code)).toEqual([
      "Access-Accept",
      "Access-Reject",
    ]);
    expect(reasons()).toEqual(["accepted", "too_many_sessions"]);
  });

  test("a card stands in no subscriber's way, whose id may be the same", () => {
    const made = card();
    expect(made.id).toBe(1);
    ask(made.code);
    const reply = ask("user1", {
      password: "pw-1",
      mac: LAPTOP,
      attributes: [["Calling-Station-Id", LAPTOP]],
    });
    expect(reply?.code).toBe("Access-Accept");
  });

  test("the first device locks it, and a press lets the next one", () => {
    const made = card({ lock_first_device: 1, devices: 2 });
    expect(ask(made.code)?.code).toBe("Access-Accept");
    expect(replyMessage(ask(made.code, { mac: LAPTOP }))).toBe("this account is locked to another device");
    settle();
    expect(cardRow(handlers.db, made.id)).toMatchObject({ state: "active", locked_mac: PHONE });
    handlers.clock.now += 120;
    expect(replyMessage(ask(made.code, { mac: LAPTOP }))).toBe("this account is locked to another device");
    expect(ask(made.code, { mac: null })?.code).toBe("Access-Reject");
    set(made, "locked_mac = NULL");
    handlers.decided.length = 0;
    expect(ask(made.code, { mac: LAPTOP })?.code).toBe("Access-Accept");
    settle();
    expect(cardRow(handlers.db, made.id)).toMatchObject({ locked_mac: LAPTOP, first_used_at: NOW });
  });
});

describe("first use", () => {
  test("is the Accept, and counts from there by the clock", () => {
    const made = card();
    handlers.clock.now += 500;
    ask(made.code);
    settle();
    expect(cardRow(handlers.db, made.id)).toMatchObject({
      state: "active",
      first_used_at: NOW + 500,
      ends_at: NOW + 500 + HOUR,
      locked_mac: null,
    });
    handlers.clock.now += 100;
    handlers.decided.length = 0;
    expect(ask(made.code)?.attributes["Session-Timeout"]).toEqual([HOUR - 100]);
    expect(handlers.decided).toMatchObject([{ isCardUse: false }]);
  });
});

describe("guessing", () => {
  const wrong = (nth: number) => `ABCDE${"FGHJKMNPQRSTUVWXYZ"[nth % 18]}${"23456789"[Math.floor(nth / 18)]}`;

  test("after five wrong codes a device waits for the end of the minute, and is answered as for a wrong one", () => {
    const { code } = card();
    for (let nth = 0; nth < 5; nth++)
      expect(replyMessage(ask(wrong(nth)))).toBe("wrong username or password");
    handlers.clock.now += 59;
    const reply = ask(code);
    expect(reply).toMatchObject({ code: "Access-Reject", faults: [] });
    expect(replyMessage(reply)).toBe("wrong username or password");
    expect(reasons().slice(4)).toEqual(["unknown_user", "too_many_guesses"]);
    expect(handlers.decided.at(-1)).toMatchObject({ username: `${code.slice(0, 3)}…`, cardId: null });
    expect(ask(code, { mac: LAPTOP })?.code).toBe("Access-Accept");
    expect(ask("user1", { password: "pw-1", attributes: [["Calling-Station-Id", PHONE]] })?.code).toBe(
      "Access-Accept",
    );
    handlers.clock.now += 1;
    expect(ask(code)?.attributes["Reply-Message"]).toEqual(["this account is in use already"]);
  });

  test("does not count names that have no form of a code, nor devices by their own address", () => {
    const { code } = card({ alphabet: "0123456789", length: 12 });
    for (const name of ["sam", "11-22", "user99", "a@b.example", "0200000000"]) ask(name);
    const numbers = "11:22:33:44:55:66";
    for (let nth = 0; nth < 6; nth++) ask("112233445566", { mac: numbers });
    expect(reasons()).not.toContain("too_many_guesses");
    expect(handlers.decided.at(-1)?.username).toBe("112233445566");
    expect(ask(code)?.code).toBe("Access-Accept");
  });

  test("without a Calling-Station-Id it is counted by the address that the device has", () => {
    const { code } = card();
    const from = (address: string, name: string) =>
      ask(name, { attributes: [...hotspot(null), ["Framed-IP-Address", address]] })?.code;
    for (let nth = 0; nth < 5; nth++) from("10.0.0.5", wrong(nth));
    expect(from("10.0.0.5", code)).toBe("Access-Reject");
    expect(from("10.0.0.6", code)).toBe("Access-Accept");
  });

  test("a login that is asked for again is one guess, whether with the same bytes or with others", () => {
    const { code } = card();
    const prepared = handlers.client.prepareAccess({
      name: wrong(0),
      password: "x",
      attributes: hotspot(PHONE),
    });
    for (let nth = 0; nth < 6; nth++) handlers.ask(prepared);
    for (let nth = 0; nth < 6; nth++) ask(nth % 2 === 0 ? wrong(0) : wrong(0).toLowerCase());
    for (let nth = 1; nth < 4; nth++) ask(wrong(nth));
    expect(reasons()).not.toContain("too_many_guesses");
    expect(ask(code)?.code).toBe("Access-Accept");
    ask(wrong(4));
    ask(wrong(5));
    expect(reasons().at(-1)).toBe("too_many_guesses");
  });

  test("counts another ISP's cards too, and what is tried at the one's routers holds nobody at the other's", () => {
    const cards = makeBatch(handlers.db, { quantity: 6 });
    for (const { code } of cards) ask(code, { password: "" }, SOUTH);
    expect(reasons()).toEqual([...Array(5).fill("other_isp"), "too_many_guesses"]);
    expect(ask(cards[0]?.code ?? "")?.code).toBe("Access-Accept");
  });

  test("a hundred in a minute at one router are told once", () => {
    card();
    for (let nth = 0; nth < 120; nth++) {
      const mac = `02:00:00:00:01:${nth.toString(16).padStart(2, "0")}`.toUpperCase();
      ask(wrong(nth), { mac });
    }
    expect(handlers.guessing).toEqual(["core"]);
    settle();
    const findings = checkSetup(handlers.db, by, { now: NOW }).filter(({ subject }) => subject === "cards");
    expect(findings).toMatchObject([
      { severity: "warning", message: expect.stringContaining("core asked for 120 wrong codes") },
    ]);
    expect(
      checkSetup(handlers.db, by, { now: NOW + 2 * HOUR }).filter(({ subject }) => subject === "cards"),
    ).toEqual([]);
  });
});

describe("a code is written nowhere", () => {
  test("of a name that may be one only how it begins is kept", () => {
    const { code } = card();
    const other = `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`;
    ask(other);
    ask(printedCode(other).toLowerCase());
    ask(`realm\\${other}`);
    ask(other, { method: "none" });
    ask("nobody at all");
    expect(handlers.decided.map(({ username }) => username)).toEqual([
      ...Array(4).fill(`${code.slice(0, 3)}…`),
      "nobody at all",
    ]);
  });

  test("nor is that of a card that is refused, by whatever it is", () => {
    const { code } = card();
    set({ id: 1, code }, "state = 'void'");
    ask(code);
    ask(code, { method: "none" });
    ask(code, { attributes: [["Service-Type", "Login-User"]] });
    ask(code, {}, SOUTH);
    settle();
    expect(reasons()).toEqual(["card_void", "no_credentials", "router_login", "other_isp"]);
    const rows = JSON.stringify(handlers.db.$client.query("SELECT * FROM auth_log").all());
    expect(rows.toUpperCase()).not.toContain(code);
  });
});

test("a card whose batch the store has lost is refused as void, and that is told once", () => {
  const [one, two] = makeBatch(handlers.db, { quantity: 2 });
  handlers.db.$client.run("PRAGMA foreign_keys = OFF");
  handlers.db.$client.run("DELETE FROM card_batches");
  for (const code of [one?.code ?? "", two?.code ?? ""]) {
    expect(replyMessage(ask(code))).toBe("this card is not valid any more");
    expect(replyMessage(ask(code, { password: "x" }))).toBe("wrong username or password");
  }
  expect(handlers.batchLost).toEqual(["C-000001"]);
  expect(JSON.stringify(handlers.decided).toUpperCase()).not.toContain(one?.code ?? "");
});

test("a name that is nobody's costs as many reads as a card's, one for the subscriber and one for the card", () => {
  const [used] = makeBatch(handlers.db, { quantity: 2 });
  ask(used?.code ?? "");
  ask("ABCDEFG", { mac: LAPTOP });
  const reads = (name: string) => {
    const get = spyOn(Statement.prototype, "get");
    const all = spyOn(Statement.prototype, "all");
    ask(name, { password: "x", mac: "02:00:00:00:00:09" });
    const count = get.mock.calls.length + all.mock.calls.length;
    get.mockRestore();
    all.mockRestore();
    return count;
  };
  expect(reads("ABCDEFH")).toBe(reads(used?.code ?? ""));
  expect(reads("no code at all")).toBe(reads("ABCDEFH"));
});
