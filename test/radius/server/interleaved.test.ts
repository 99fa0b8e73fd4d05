import { afterAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { authLog, sessions } from "../../../db/schema.ts";
import { systemClock, formatTime } from "../../../src/domain/core/time/time.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { aPackage, aSubscriber } from "../../support/isp.ts";
import type { Prepared, RadiusClient, Reply } from "../../support/radius-client.ts";
import { eventually, startTestRadius } from "../../support/radius-server.ts";

const ROUTERS = 6;
const LOGINS = 1500;
const later = { current_expiration_date: formatTime(systemClock() + 86_400) };
const secretOf = (router: number) => `${"s".repeat(1 + 20 * router)}${router}`;
const addressOf = (router: number) => `127.0.0.${router + 10}`;

const radius = await startTestRadius({
  nas: Array.from({ length: ROUTERS }, (_, router) => ({
    id: router + 1,
    isp_id: 1,
    name: `router-${router}`,
    address: addressOf(router),
    secret: secretOf(router),
    mppe: router % 2 === 0 ? "keys" : "required",
  })),
  packages: [
    aPackage(2, {
      rate_limit: "1M/1M",
      framed_pool: "p".repeat(60),
      address_list: "l".repeat(60),
      simultaneous_use: 1000,
    }),
    aPackage(3, { rate_limit: "3M/3M", simultaneous_use: 1000 }),
  ],
  subscribers: Array.from({ length: 40 }, (_, at) =>
    aSubscriber(at + 1, {
      ...later,
      package_id: 2 + (at % 2),
      password: `pw-${at + 1}-${"ü".repeat(at)}`,
      ...(at % 5 === 4 && { mac_lock: 1, mac_address: "02:00:00:00:00:01" }),
    }),
  ),
});
afterAll(() => radius[Symbol.asyncDispose]());

const METHODS = ["pap", "chap", "mschap", "mschapv2"] as const;

/** Proxy-States of a size that leaves the reply room, little of it, or none. */
function proxyStates(size: number): NamedAttribute[] {
  return Array.from({ length: Math.floor(size / 250) }, (): NamedAttribute => [
    "Proxy-State",
    randomBytes(248),
  ]);
}

interface Login {
  name: string;
  isRight: boolean;
  method: (typeof METHODS)[number];
  prepared: Prepared;
}

function aLogin(client: RadiusClient, at: number): Login {
  const user = 1 + (at % 41);
  const isRight = at % 7 !== 0 && user <= 40 && user % 5 !== 0;
  const method = METHODS[at % 4] ?? "pap";
  const name = `user${user}`;
  const password = at % 7 === 0 ? `wrong-${at}` : `pw-${user}-${"ü".repeat(user - 1)}`;
  const sizes = [0, 0, 500, 2000, 3000, 3600];
  const attributes: NamedAttribute[] = [
    ["Calling-Station-Id", `02:00:00:00:${String(10 + user).padStart(2, "0")}:02`],
    ...proxyStates(sizes[at % 6] ?? 0),
  ];
  return { name, isRight, method, prepared: client.prepareAccess({ name, password, method, attributes }) };
}

test("routers that ask at once, each with its secret, get each their own, with broken and forged packets in between", async () => {
  const clients = Array.from({ length: ROUTERS }, (_, router) =>
    radius.client({ localAddress: addressOf(router), secret: secretOf(router), timeout: 10_000 }),
  );
  const forger = radius.client({ localAddress: addressOf(0), secret: "another", timeout: 1 });
  const classes = new Map<string, string>();
  const faults: string[] = [];
  const judge = ({ name, isRight, prepared, method }: Login, reply: Reply | null, at: number) => {
    if (!reply) {
      faults.push(`${at} ${name} ${method} ${prepared.datagram.length}: no reply`);
      return;
    }
    const expected = isRight ? "Access-Accept" : "Access-Reject";
    const rate = reply.attributes["Mikrotik-Rate-Limit"]?.[0];
    if (reply.code !== expected)
      faults.push(`${at} ${name} ${method}: ${reply.code} ${String(reply.attributes["Reply-Message"])}`);
    faults.push(...reply.faults.map((fault) => `${at} ${name} ${method}: ${fault}`));
    if (!isRight) return;
    const user = Number(name.slice(4));
    if (rate !== (user % 2 === 1 ? "1M/1M" : "3M/3M")) faults.push(`${at} ${name}: rate ${String(rate)}`);
    const sessionClass = reply.attributes["Class"]?.[0];
    if (!Buffer.isBuffer(sessionClass)) faults.push(`${at}: no Class`);
    else {
      const hex = sessionClass.toString("hex");
      if (classes.has(hex)) faults.push(`${at}: Class of ${classes.get(hex)}`);
      classes.set(hex, name);
    }
  };
  for (let from = 0; from < LOGINS; from += 60) {
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const at = from + i;
        const client = clients[at % ROUTERS];
        if (!client) return;
        const login = aLogin(client, at);
        if (at % 5 === 0) void forger.raw("auth", login.prepared.datagram.subarray(0, 21 + (at % 60)), 1);
        if (at % 9 === 0) void forger.raw("auth", forger.prepareAccess({ name: login.name }).datagram, 1);
        // no room for what an Accept has to say: it fails in the middle
        if (at % 11 === 0)
          void client.raw(
            "auth",
            client.prepareAccess({
              name: "user1",
              password: "pw-1-",
              method: "mschapv2",
              attributes: proxyStates(3750),
            }).datagram,
            1,
          );
        const [reply, again] = await Promise.all([
          client.exchange(login.prepared),
          at % 4 === 0 ? Bun.sleep(20).then(() => client.exchange(login.prepared)) : undefined,
        ]);
        judge(login, reply, at);
        if (reply && again && !again.raw.equals(reply.raw))
          faults.push(`${at}: another reply to the same bytes`);
      }),
    );
  }
  expect(faults).toEqual([]);
  expect(classes.size).toBeGreaterThan(LOGINS / 2);
  expect(await eventually(() => radius.db.select().from(authLog).all().length >= LOGINS)).toBe(true);
  const stored = radius.db.select().from(authLog).all();
  for (const { class: bytes, username, accepted } of stored) {
    if (accepted === 1) expect(classes.get(Buffer.from(bytes ?? []).toString("hex"))).toBe(username);
  }

  const classesThen = [...classes];
  // a few at a time, as many as the buffer of a port holds
  for (let from = 0; from < 400; from += 40) {
    const reports = await Promise.all(
      classesThen
        .slice(from, from + 40)
        .map(([hex, name], i) =>
          clients[i % ROUTERS]?.accounting("Start", [
            ["User-Name", name],
            ["Acct-Session-Id", `s${from + i}`],
            ["Class", Buffer.from(hex, "hex")],
            ...proxyStates([0, 300, 3000, 3700][i % 4] ?? 0),
          ]),
        ),
    );
    expect(reports.flatMap((reply) => (reply ? reply.faults : ["silence"]))).toEqual([]);
  }
  for (const { class: bytes, username } of radius.db.select().from(sessions).all())
    expect(classes.get(Buffer.from(bytes ?? []).toString("hex"))).toBe(username);
  expect(radius.lines.filter(({ level }) => level === 50)).toEqual([]);
  expect(radius.lines.filter(({ reason }) => reason === "reply_too_long").length).toBeGreaterThan(0);
});
