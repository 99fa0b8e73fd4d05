import { type Reported, unpackReports } from "../../../src/domain/service/live/reported.ts";
import { describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { findUnauthenticated, listSources } from "../../../src/domain/goods/nas/sources.ts";
import { bindPort, closePort } from "../../../src/os/server-socket.ts";
import { aPackage, aSubscriber, NAS_SECRET } from "../../support/isp.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import { eventually, startTestRadius, type TestRadius } from "../../support/radius-server.ts";
import { NOW } from "../../support/store.ts";

const subscribers = [aSubscriber(1), aSubscriber(2)];
const user1 = { name: "user1", password: "pw-1" };
const start = [
  ["User-Name", "user1"],
  ["Acct-Session-Id", "81000001"],
] as const;

const sessions = ({ db }: TestRadius) =>
  db.$client
    .query<{ username: string; local_address: string; nas_address: string }, []>("SELECT * FROM sessions")
    .all();

test("logins and accounting over the wire, recorded by main", async () => {
  await using radius = await startTestRadius({ subscribers });
  const client = radius.client();
  expect(await client.access(user1)).toMatchObject({ code: "Access-Accept", faults: [] });
  expect(await client.access({ ...user1, password: "x" })).toMatchObject({
    code: "Access-Reject",
    faults: [],
  });
  expect(await client.accounting("Start", start)).toMatchObject({ code: "Accounting-Response", faults: [] });
  expect(await client.status("auth")).toMatchObject({ code: "Access-Accept", faults: [] });
  expect(await client.status("acct")).toMatchObject({ code: "Accounting-Response", faults: [] });
  expect(sessions(radius)).toMatchObject([{ username: "user1", local_address: "127.0.0.1" }]);
  expect(radius.server.isListening()).toBe(true);
  const attributes: Reported[] = [];
  const hear = () => attributes.push(...unpackReports(radius.reports.take())) > 0;
  expect(await eventually(hear)).toBe(true);
  expect(attributes).toEqual([{ subscriberId: 1, cardId: null, nasId: 1 }]);

  expect(await eventually(() => radius.decided.length === 2)).toBe(true);
  const logged = radius.db.$client.query("SELECT reason, class IS NULL FROM auth_log ORDER BY id").values();
  expect(logged).toEqual([
    ["accepted", 0],
    ["wrong_password", 1],
  ]);
  const counted = { nas: "core", count: 1 };
  expect(await eventually(() => radius.server.counts("acct").length === 2)).toBe(true);
  expect(radius.server.counts("acct")).toContainEqual({
    ...counted,
    kind: "Accounting-Request",
    outcome: "start",
  });
  expect(await eventually(() => radius.server.counts("auth").length === 3)).toBe(true);
  expect(radius.server.counts("auth")).toContainEqual({
    ...counted,
    kind: "Access-Request",
    outcome: "accepted",
  });
});

test("a first Message-Authenticator is latched in the store", async () => {
  await using radius = await startTestRadius({ subscribers });
  const client = radius.client();
  const plain = { ...user1, messageAuthenticator: false };
  expect((await client.access(plain))?.code).toBe("Access-Accept");
  expect((await client.access(user1))?.code).toBe("Access-Accept");
  expect(await client.access(plain, 300)).toBeNull();
  const latched = () => listSources(radius.db, 1)[0]?.authenticatorSeenAt;
  expect(await eventually(() => latched() === NOW)).toBe(true);
  expect(await client.access(plain, 300)).toBeNull();
});

test("what is dropped for want of a Message-Authenticator reaches the store, once a minute however much it is", async () => {
  await using radius = await startTestRadius({ subscribers });
  const client = radius.client({ timeout: 20 });
  await client.access(user1);
  const plain = { ...user1, messageAuthenticator: false };
  for (let i = 0; i < 10; i++) expect(await client.access(plain)).toBeNull();
  expect(await eventually(() => findUnauthenticated(radius.db, NOW).length === 1)).toBe(true);
  expect(radius.unauthenticated).toEqual([{ nasId: 1, address: "127.0.0.1" }]);
});

test("what a proxy sends without one is dropped whatever the NAS is set to, and that reaches the store too", async () => {
  await using radius = await startTestRadius({ subscribers });
  const client = radius.client({ timeout: 20 });
  const proxied = { ...user1, messageAuthenticator: false };
  expect(await client.access({ ...proxied, attributes: [["Proxy-State", Buffer.from("1")]] })).toBeNull();
  expect(await eventually(() => findUnauthenticated(radius.db, NOW).length === 1)).toBe(true);
  expect(findUnauthenticated(radius.db, NOW)[0]?.words).toContain("let the proxy send it");
});

test("a crossed quota is told to main", async () => {
  await using radius = await startTestRadius({
    packages: [aPackage(2, { data_quota_bytes: 100 })],
    subscribers: [aSubscriber(1, { package_id: 2 })],
  });
  await radius.client().accounting("Stop", [...start, ["Acct-Session-Time", 5], ["Acct-Input-Octets", 100]]);
  expect(await eventually(() => radius.crossed.length === 1)).toBe(true);
  expect(radius.crossed).toEqual([{ subscriberId: 1 }]);
});

test("refusals have one log line per source and reason, that says what to do", async () => {
  await using radius = await startTestRadius({ subscribers });
  const stranger = radius.client({ localAddress: "127.0.0.9", timeout: 50 });
  const forger = radius.client({ secret: "other", timeout: 50 });
  for (let i = 0; i < 5; i++) {
    expect(await stranger.access(user1)).toBeNull();
    expect(await forger.access(user1)).toBeNull();
    expect(await forger.accounting("Start", start)).toBeNull();
  }
  expect(await eventually(() => radius.lines.length === 3)).toBe(true);
  await Bun.sleep(50);
  expect(radius.lines.map(({ port, msg }) => `${port}: ${msg}`).sort()).toEqual([
    "acct: a packet of NAS core (127.0.0.1) is not signed with our shared secret; compare it with the one on the router (RouterOS: /radius)",
    "auth: a packet of NAS core (127.0.0.1) is not signed with our shared secret; compare it with the one on the router (RouterOS: /radius)",
    "auth: unknown NAS 127.0.0.9, add it with: gatehouse nas add NAME 127.0.0.9",
  ]);
  expect(await eventually(() => radius.server.counts("auth").some(({ count }) => count === 5))).toBe(true);
  expect(radius.server.counts("auth")).toContainEqual({
    nas: null,
    kind: "dropped",
    outcome: "unknown_nas",
    count: 5,
  });
});

test("a peer that closes its port before the reply harms no other", async () => {
  await using radius = await startTestRadius({ subscribers });
  const client = radius.client();
  for (let i = 0; i < 50; i++) {
    const gone = new RadiusClient({
      host: "127.0.0.1",
      port: radius.server.auth.port,
      acctPort: 1,
      secret: NAS_SECRET,
    });
    void gone.raw("auth", client.prepareAccess(user1).datagram, 1);
    await Bun.sleep(0);
    await gone.close();
    expect((await client.access({ ...user1, password: "x" }))?.code).toBe("Access-Reject");
  }
  expect(radius.lines).toEqual([]);
});

test("stopping commits what has arrived, and says so to the NAS", async () => {
  await using radius = await startTestRadius({ subscribers });
  const client = radius.client();
  // somebody else holds the lock while the records arrive
  radius.db.$client.run("BEGIN IMMEDIATE");
  const waiting = Array.from({ length: 20 }, (_, i) =>
    client.accounting("Start", [
      ["User-Name", "user1"],
      ["Acct-Session-Id", `s${i}`],
    ]),
  );
  // the thread has them all, which it says once a second
  expect(await eventually(() => radius.arrived("accounting") === 20)).toBe(true);
  const stopped = radius.server.stop();
  await Bun.sleep(50); // so that the order finds them waiting; it waits four seconds for the lock
  radius.db.$client.run("COMMIT");
  await stopped;
  const replies = await Promise.all(waiting);
  expect(replies.map((reply) => reply?.code)).toEqual(replies.map(() => "Accounting-Response"));
  expect(sessions(radius).length).toBe(20);
  expect(radius.server.isListening()).toBe(false);
});

describe("two access threads", () => {
  const towers = [{ id: 1, isp_id: 1, name: "towers", address: "127.0.0.0/8", secret: NAS_SECRET }];
  // of eight addresses each thread has some
  const addresses = Array.from({ length: 8 }, (_, index) => `127.0.0.${1 + index}`);
  const from = (mac: string) => [["Calling-Station-Id", mac]] as const;

  test("answer every router, the same to the same bytes, and their counts are told as one", async () => {
    await using radius = await startTestRadius({ nas: towers, subscribers }, { accessThreads: 2 });
    expect(radius.server.threads().map(({ role }) => role)).toEqual(["auth", "auth", "acct"]);
    const asked = addresses.map((localAddress) => {
      const client = radius.client({ localAddress });
      const { datagram } = client.prepareAccess({ ...user1, password: "x" });
      return { client, datagram };
    });
    const ask = () => Promise.all(asked.map(({ client, datagram }) => client.raw("auth", datagram)));
    const first = await ask();
    expect(first.filter((reply) => reply?.[0] === 3).length).toBe(addresses.length);
    expect(await ask()).toEqual(first);
    const counted = (outcome: string) =>
      radius.server.counts("auth").find((one) => one.outcome === outcome)?.count;
    expect(await eventually(() => counted("repeated") === 8)).toBe(true);
    expect(counted("wrong_password")).toBe(8);
    const [timed] = radius.server.timings();
    expect(radius.server.timings().length).toBe(1);
    expect(timed?.counts.reduce((sum, count) => sum + count)).toBe(8);
    expect(await eventually(() => radius.decided.length === 8)).toBe(true);
  });

  test("let a subscriber in once, however many routers of whichever thread ask at once", async () => {
    await using radius = await startTestRadius({ nas: towers, subscribers }, { accessThreads: 2 });
    const replies = await Promise.all(
      addresses.map((localAddress, index) =>
        radius.client({ localAddress }).access({ ...user1, attributes: from(`02:00:00:00:00:0${index}`) }),
      ),
    );
    expect(replies.map((reply) => reply?.code).sort()).toEqual([
      "Access-Accept",
      ...addresses.slice(1).map(() => "Access-Reject"),
    ]);
    expect(await eventually(() => radius.decided.length === 8)).toBe(true);
    expect(radius.decided.filter((one) => one === "user1 too_many_sessions").length).toBe(7);
  });
});

test("a port that is in use is said so", async () => {
  await using radius = await startTestRadius();
  const { startRadius } = await import("../../../src/radius/server/server.ts");
  const { default: pino } = await import("pino");
  const started = startRadius({
    folder: radius.store.folder,
    auth: radius.server.auth,
    acct: { host: "127.0.0.1", port: 0 },
    log: pino({ enabled: false }),
    decided: () => {},
    authenticatorSeen: () => {},
    unauthenticated: () => {},
    quotaCrossed: () => {},
    carried: () => {},
    reported: () => {},
  });
  expect(started).rejects.toThrow(
    /^RADIUS auth cannot listen on 127\.0\.0\.1:\d+: is taken by another program[^\n]+$/,
  );
  await started.catch(() => {});
});

test("threads that cannot start leave both ports free", async () => {
  const { startRadius } = await import("../../../src/radius/server/server.ts");
  const { default: pino } = await import("pino");
  const local = { host: "127.0.0.1", port: 0 };
  const [auth, acct] = [bindPort(local), bindPort(local)];
  for (const port of [auth, acct]) closePort(port);
  const started = startRadius({
    folder: "/nowhere",
    auth: auth.endpoint,
    acct: acct.endpoint,
    log: pino({ enabled: false }),
    decided: () => {},
    authenticatorSeen: () => {},
    unauthenticated: () => {},
    quotaCrossed: () => {},
    carried: () => {},
    reported: () => {},
  });
  expect(await started.then(String, String)).toMatch(/^Error: the RADIUS \w+ thread could not start: /);
  for (const { endpoint } of [auth, acct]) closePort(bindPort(endpoint));
});

describe("a wildcard", () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const ipv4 = addresses.filter(({ family }) => family === "IPv4").map(({ address }) => address);
  const ipv6 = addresses
    .filter(({ family, scopeid }) => family === "IPv6" && !scopeid)
    .map(({ address }) => address);
  const everywhere = [
    { id: 1, isp_id: 1, name: "core", address: "0.0.0.0/0", secret: NAS_SECRET },
    { id: 2, isp_id: 1, name: "six", address: "::/0", secret: NAS_SECRET },
  ];

  test.each([
    ["0.0.0.0", ipv4],
    ["::", [...ipv4, ...ipv6]],
  ])("%s answers from every address that is asked, on one port", async (host, hosts) => {
    await using radius = await startTestRadius({ nas: everywhere, subscribers }, { host });
    expect(radius.server.auth).toEqual({ host, port: expect.any(Number) });
    expect(radius.server.auth.port).toBeGreaterThan(0);
    for (const [i, address] of hosts.entries()) {
      // the client takes replies from the address that it asked, and no other
      const client = radius.client({ host: address, localAddress: address.includes(":") ? "::" : "0.0.0.0" });
      expect(await client.status("auth")).toMatchObject({ code: "Access-Accept", faults: [] });
      const session = [
        ["User-Name", "user1"],
        ["Acct-Session-Id", `s${i}`],
      ] as const;
      expect((await client.accounting("Start", session))?.code).toBe("Accounting-Response");
    }
    expect(sessions(radius).map((row) => row.local_address)).toEqual(hosts);
  });

  test("an IPv6 listener of its own", async () => {
    await using radius = await startTestRadius({ nas: everywhere, subscribers }, { host: "::1" });
    const client = radius.client({ host: "::1", localAddress: "::1" });
    expect(await client.access(user1)).toMatchObject({ code: "Access-Accept", faults: [] });
    expect((await client.accounting("Start", start))?.code).toBe("Accounting-Response");
    expect(sessions(radius)).toMatchObject([{ local_address: "::1", nas_address: "::1" }]);
  });
});
