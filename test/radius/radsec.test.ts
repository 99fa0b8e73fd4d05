import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { revokeRadsec } from "../../src/domain/goods/radsec/certificate.ts";
import { updateNas } from "../../src/domain/goods/nas/nas.ts";
import { aSubscriber, by } from "../support/isp.ts";
import { eventually, startTestRadius, type TestRadius } from "../support/radius-server.ts";
import { certifiedRouter, RadsecClient, type RouterFiles } from "../support/radsec-client.ts";
import { NOW } from "../support/store.ts";

let radius: TestRadius;
let files: RouterFiles;
let port: number;
const now = () => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  radius = await startTestRadius(
    {
      subscribers: [1, 2].map((id) => aSubscriber(id, { current_expiration_date: "2030-01-01 00:00:00" })),
      nas: [
        { id: 1, isp_id: 1, name: "core", address: "10.99.0.1", secret: "testing123" },
        { id: 2, isp_id: 2, name: "south", address: "10.99.0.2", secret: "testing123" },
        { id: 3, isp_id: 1, name: "hill", address: "10.99.0.3", secret: "testing123" },
      ],
    },
    { radsec: true },
  );
  expect(radius.server.radsec()).toBeUndefined(); // no certificate, no port
  files = await certifiedRouter(radius.db, 1);
  port = await listening();
});

afterAll(() => radius[Symbol.asyncDispose]());

async function listening(): Promise<number> {
  await eventually(() => radius.server.radsec() !== undefined);
  return radius.server.radsec()?.endpoint.port ?? 0;
}

const login = { name: "user1", password: "pw-1" };
const stored = (session: string) =>
  radius.db.$client
    .query<{ nas: string; nasId: number; input: number }, [string]>(
      "SELECT nas_address AS nas, nas_id AS nasId, input_octets AS input FROM sessions WHERE acct_session_id = ?",
    )
    .all(session);

test.each(["TLSv1.2", "TLSv1.3"] as const)("logins, accounting and Status-Server by %s", async (version) => {
  await using router = await RadsecClient.open(port, files, { version });
  expect(router.protocol).toBe(version);
  const accept = await router.exchange(router.radius.prepareAccess(login));
  expect([accept?.code, accept?.faults]).toEqual(["Access-Accept", []]);
  const alive = await router.exchange(router.radius.prepareStatus("auth"));
  expect([alive?.code, alive?.faults]).toEqual(["Access-Accept", []]);
  const wrong = await router.exchange(router.radius.prepareAccess({ name: "nobody", password: "x" }));
  expect([wrong?.code, wrong?.faults]).toEqual(["Access-Reject", []]);
  // TLS has proven it: none is required, also after one was seen
  const unsigned = await router.exchange(
    router.radius.prepareAccess({ ...login, messageAuthenticator: false }),
  );
  expect(unsigned?.code).toBe("Access-Accept");
  const session = `radsec-${version}`;
  const start = router.radius.prepareAccounting("Start", [
    ["User-Name", "user2"],
    ["Acct-Session-Id", session],
  ]);
  const response = await router.exchange(start);
  expect([response?.code, response?.faults]).toEqual(["Accounting-Response", []]);
  // the configured address, wherever it dials from
  expect(stored(session)).toEqual([{ nas: "10.99.0.1", nasId: 1, input: 0 }]);
});

test("routers of two access threads are answered, and a subscriber of both comes in once", async () => {
  await using both = await startTestRadius(
    {
      subscribers: [aSubscriber(1, { current_expiration_date: "2030-01-01 00:00:00" })],
      nas: [
        { id: 1, isp_id: 1, name: "north", address: "10.99.0.1", secret: "testing123" },
        { id: 2, isp_id: 1, name: "south", address: "10.99.0.2", secret: "testing123" },
      ],
    },
    { radsec: true, accessThreads: 2 },
  );
  const certified = [await certifiedRouter(both.db, 1), await certifiedRouter(both.db, 2)];
  expect(await eventually(() => both.server.radsec() !== undefined)).toBe(true);
  const codes: (string | undefined)[] = [];
  for (const [index, one] of certified.entries()) {
    await using router = await RadsecClient.open(both.server.radsec()?.endpoint.port ?? 0, one);
    const attributes = [["Calling-Station-Id", `02:00:00:00:00:0${index}`]] as const;
    const reply = await router.exchange(router.radius.prepareAccess({ ...login, attributes }));
    const alive = await router.exchange(router.radius.prepareStatus("auth"));
    codes.push(reply?.code, alive?.code);
  }
  expect(codes).toEqual(["Access-Accept", "Access-Accept", "Access-Reject", "Access-Accept"]);
});

test("who shows no certificate, a foreign or an expired one is not let in", async () => {
  const foreign = await startTestRadius({}, { radsec: true });
  await using _ = foreign;
  const others = await certifiedRouter(foreign.db, 1);
  const expired = await certifiedRouter(radius.db, 3, { now: now() - 3 * 365 * 86_400 });
  const attempts: Partial<RouterFiles>[] = [
    { authority: files.authority },
    { ...others, authority: files.authority },
    { ...expired, authority: files.authority },
  ];
  for (const attempt of attempts) {
    // TLS 1.3 tells the client only after its own side is done
    const router = await RadsecClient.open(port, attempt).catch(() => undefined);
    const reply =
      router && (await Promise.race([router.closed, router.exchange(router.radius.prepareAccess(login))]));
    expect(reply ?? "nothing").toBe("nothing");
    await router?.close();
  }
  const logged = () => radius.lines.map(({ msg }) => String(msg)).filter((msg) => msg.includes("RadSec of"));
  const reasons = ["shows no certificate", "not made by this appliance", "has expired"];
  expect(await eventually(() => reasons.every((words) => logged().join().includes(words)))).toBe(true);
  expect(logged().join("\n")).not.toContain("-----");
  // and a router does not take a server of another appliance for ours
  const refused = await RadsecClient.open(port, { ...files, authority: others.authority }).then(
    () => "open",
    () => "refused",
  );
  expect(refused).toBe("refused");
});

test("many requests at once come back whole, each to its own", async () => {
  await using router = await RadsecClient.open(port, files);
  const statuses = await Promise.all(
    Array.from({ length: 120 }, (_, i) =>
      router.exchange(
        i % 2 === 0
          ? router.radius.prepareAccess(login)
          : router.radius.prepareAccounting("Interim-Update", [
              ["User-Name", "user2"],
              ["Acct-Session-Id", `many-${i}`],
            ]),
      ),
    ),
  );
  expect(statuses.map((reply) => reply?.code)).toEqual(
    statuses.map((_, i) => (i % 2 === 0 ? "Access-Accept" : "Accounting-Response")),
  );
  expect(statuses.flatMap((reply) => reply?.faults ?? ["silence"])).toEqual([]);
});

test("duplicates are known by connection: the same bytes again are answered again, over another connection worked on again", async () => {
  await using first = await RadsecClient.open(port, files);
  const stop = first.radius.prepareAccounting("Stop", [
    ["User-Name", "user2"],
    ["Acct-Session-Id", "twice"],
    ["Acct-Session-Time", 60],
    ["Acct-Input-Octets", 1000],
    ["Acct-Output-Octets", 5000],
  ]);
  const one = await first.exchange(stop);
  const two = await first.exchange(stop);
  expect(two?.raw.equals(one?.raw ?? Buffer.alloc(0))).toBe(true);
  const repeated = () =>
    radius.server
      .counts("acct")
      .filter(({ nas, outcome }) => nas === "core" && outcome === "repeated")
      .reduce((sum, { count }) => sum + count, 0);
  expect(await eventually(() => repeated() === 1)).toBe(true);
  await using second = await RadsecClient.open(port, files);
  expect((await second.exchange(stop))?.code).toBe("Accounting-Response");
  expect(stored("twice")).toEqual([{ nas: "10.99.0.1", nasId: 1, input: 1000 }]);
  expect(repeated()).toBe(1);
});

test("one that stalls, one that sends garbage, one half a packet, and one that says nothing hold up no other", async () => {
  await using good = await RadsecClient.open(port, files);
  await using stalled = await RadsecClient.open(port, files);
  await using garbage = await RadsecClient.open(port, files);
  await using half = await RadsecClient.open(port, files);
  const silent = connect(port, "127.0.0.1");
  const plain = connect(port, "127.0.0.1", () => plain.write("GET / HTTP/1.0\r\n\r\n".repeat(50)));
  for (const socket of [silent, plain]) socket.on("error", () => {});
  stalled.stall();
  const flood = good.radius.prepareAccess(login).datagram;
  for (let i = 0; i < 2000; i++) stalled.write(flood);
  garbage.write(Buffer.alloc(4096, 0x47));
  half.write(flood.subarray(0, 30));
  for (let i = 0; i < 20; i++) {
    const reply = await good.exchange(good.radius.prepareAccess(login));
    expect(reply?.code).toBe("Access-Accept");
  }
  await garbage.closed;
  half.write(flood.subarray(30));
  expect((await half.exchange(half.radius.prepareAccess(login)))?.code).toBe("Access-Accept");
  expect(good.isClosed).toBe(false);
  silent.destroy();
  plain.destroy();
});

test("one that never reads is put out before its replies fill the memory", async () => {
  await using router = await RadsecClient.open(port, files);
  router.stall();
  const { datagram } = router.radius.prepareAccess(login);
  const logged = () => radius.lines.some(({ msg }) => String(msg).includes("does not read its replies"));
  for (let i = 0; i < 400 && !logged(); i++) {
    for (let n = 0; n < 200; n++) router.write(datagram);
    await Bun.sleep(5);
  }
  expect(await eventually(logged)).toBe(true);
});

test("a certificate that is revoked is put out within a second or two, its neighbour stays", async () => {
  const other = await certifiedRouter(radius.db, 1);
  let gone: RadsecClient | undefined;
  // the thread looks once a second
  for (let tries = 0; tries < 300 && !gone; tries++) {
    const opened = await RadsecClient.open(port, other);
    const reply = await Promise.race([opened.closed, opened.exchange(opened.radius.prepareAccess(login))]);
    if (reply) gone = opened;
    else await Bun.sleep(100);
  }
  await using stays = await RadsecClient.open(port, files);
  revokeRadsec(radius.db, by, { nasId: 1, certificateId: other.id }, { now: NOW });
  await gone?.closed;
  expect((await stays.exchange(stays.radius.prepareAccess(login)))?.code).toBe("Access-Accept");
  // as is a router that does not ask by RadSec any more
  updateNas(radius.db, by, { nasId: 1, input: { radsec: false } }, { now: NOW });
  await stays.closed;
  updateNas(radius.db, by, { nasId: 1, input: { radsec: true } }, { now: NOW });
});

test("a certificate names the address of its router: with another one it counts no more, and again with the same", async () => {
  const other = await certifiedRouter(radius.db, 3);
  const opened = async () => {
    const router = await RadsecClient.open(port, other);
    const reply = await Promise.race([router.closed, router.exchange(router.radius.prepareStatus("auth"))]);
    await router.close();
    return reply !== undefined;
  };
  // the thread looks once a second
  const isServed = async (expected: boolean) => {
    for (let tries = 0; tries < 300; tries++) {
      if ((await opened()) === expected) return true;
      await Bun.sleep(100);
    }
    return false;
  };
  expect(await isServed(true)).toBe(true);
  updateNas(radius.db, by, { nasId: 3, input: { address: "10.99.0.33" } }, { now: NOW });
  expect(await isServed(false)).toBe(true);
  updateNas(radius.db, by, { nasId: 3, input: { address: "10.99.0.3" } }, { now: NOW });
  expect(await isServed(true)).toBe(true);
});

test("another address of ours makes another certificate of ours, and who is connected stays", async () => {
  const connected = async (how?: { host: string }) => {
    for (let tries = 1; ; tries++) {
      try {
        return await RadsecClient.open(port, files, how);
      } catch (error) {
        if (tries === 600) throw error;
        await Bun.sleep(50);
      }
    }
  };
  await using before = await connected();
  await certifiedRouter(radius.db, 3, { server: "localhost" });
  await (await connected({ host: "localhost" })).close();
  expect((await before.exchange(before.radius.prepareAccess(login)))?.code).toBe("Access-Accept");
});
