import { expect, test } from "bun:test";
import { bindPort, closePort, ServerSocket } from "../../../src/os/server-socket.ts";
import { type Handlers, workOnBatch } from "../../../src/radius/server/worker.ts";
import { aSubscriber } from "../../support/isp.ts";
import { kernelStamps } from "../../support/kernel-stamps.ts";
import type { Prepared } from "../../support/radius-client.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";
import { eventually } from "../../support/radius-server.ts";

const LOGINS = 80;
/** So few that three replies to each fit into the buffer of the router's socket. */
const FEW = 50;
/** Datagrams that are read at once: the last ones that are there, fewer, are never late. */
const READ = 64;

/** A port of a RADIUS thread with real datagrams, worked on when the test says so, at the time that it says. */
async function openPort(role: "auth" | "acct") {
  await kernelStamps();
  const handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
  const now = { wall: Date.now(), leapt: 0 };
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const bound = bindPort({ host: "127.0.0.1", port: 0 });
  const socket = new ServerSocket(bound, {
    longest: 4096,
    failed,
    clocks: { wall: () => now.wall, elapsed: () => now.wall - now.leapt },
  });
  const { accessHandler, accountingHandler } = handlers;
  const served: Handlers = {
    receive: (datagram, peer, at, reply, waited) => {
      const answer = (bytes: Buffer | undefined) => bytes && reply(bytes, peer);
      if (role === "auth") answer(accessHandler.answer(datagram, peer, at, waited));
      else accountingHandler.receive(datagram, peer, at, answer);
    },
    endBatch: () => accountingHandler.commit(),
    work: () => "none",
    finish: async () => {},
  };
  /** Replies by identifier: how many came. */
  const heard = new Map<number, number>();
  const router = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: { data: (_, reply) => void heard.set(reply[1] ?? 0, (heard.get(reply[1] ?? 0) ?? 0) + 1) },
  });
  let sent = 0;
  let worked = 0;
  return {
    client: handlers.client,
    dropped: handlers.dropped,
    decided: handlers.decided,
    failures,
    now,
    db: handlers.db,
    counts: () => handlers.counters.all().filter(({ kind }) => kind === "dropped"),
    send: (...all: readonly Prepared[]) => {
      for (const { datagram } of all) router.send(datagram, bound.endpoint.port, "127.0.0.1");
      sent += all.length;
    },
    /** Works on all that was sent. */
    work: () => {
      while (worked < sent) worked += workOnBatch({ socket }, served, failed);
    },
    isAnswered: (all: readonly Prepared[], times = 1) =>
      eventually(() => all.every(({ datagram }) => (heard.get(datagram[1] ?? 0) ?? 0) >= times)),
    answered: () => [...heard.values()].reduce((all, one) => all + one, 0),
    [Symbol.asyncDispose]: async () => {
      router.close();
      closePort(bound);
      await handlers[Symbol.asyncDispose]();
    },
  };
}

type Port = Awaited<ReturnType<typeof openPort>>;

const loginsOf = ({ client }: Port, count = LOGINS) =>
  Array.from({ length: count }, () =>
    client.prepareAccess({ name: "user1", password: "pw-1", method: "pap" }),
  );

test("of logins that wait longer than routers do those that are repeated are dropped, and who asks now is answered", async () => {
  await using port = await openPort("auth");
  const logins = loginsOf(port);
  for (let tries = 0; tries < 3; tries++) port.send(...logins);
  await Bun.sleep(900);
  port.now.wall = Date.now();
  const others = loginsOf(port, 5);
  port.send(port.client.prepareStatus("auth"), ...others);
  port.work();

  // answered until it shows that the routers ask again: another quarter of so many is enough
  expect(await port.isAnswered([...logins, ...others])).toBe(true);
  const late = port.dropped.length;
  expect(new Set(port.dropped)).toEqual(new Set(["late"]));
  expect(late).toBeGreaterThan(LOGINS - READ / 2);
  expect(port.counts()).toEqual([{ nas: "core", kind: "dropped", outcome: "late", count: late }]);
  expect(port.decided).toHaveLength(LOGINS + others.length);

  // who was dropped asks again
  const more = loginsOf(port);
  port.send(...more);
  port.work();
  expect(await port.isAnswered(more)).toBe(true);
  expect(port.dropped).toHaveLength(late);
  expect(port.failures).toEqual([]);
});

test("a stall that is shorter than the patience of routers drops nothing", async () => {
  await using port = await openPort("auth");
  const begun = Date.now();
  const logins = loginsOf(port, FEW);
  for (let tries = 0; tries < 3; tries++) port.send(...logins);
  port.now.wall = begun + 700;
  port.work();
  expect(await port.isAnswered(logins, 3)).toBe(true);
  expect(port.dropped).toEqual([]);
});

test("where nobody asks again routers have patience, and nothing is dropped until nobody can have any more", async () => {
  await using port = await openPort("auth");
  const logins = loginsOf(port);
  port.send(...logins);
  port.now.wall = Date.now() + 2000;
  port.work();
  expect(await port.isAnswered(logins)).toBe(true);
  expect(port.dropped).toEqual([]);

  port.send(...loginsOf(port));
  port.now.wall = Date.now() + 4000;
  port.work();
  expect(port.dropped).toEqual(Array(READ).fill("late"));
});

test.each([3_600_000, -3_600_000])("a wall clock that is set by %d ms drops nothing", async (leap) => {
  await using port = await openPort("auth");
  const logins = loginsOf(port, FEW);
  for (let tries = 0; tries < 3; tries++) port.send(...logins);
  port.now.leapt = leap;
  port.now.wall += leap;
  port.work();
  expect(await port.isAnswered(logins, 3)).toBe(true);
  expect(port.dropped).toEqual([]);
});

test("reports are booked and acknowledged, however long they have waited", async () => {
  await using port = await openPort("acct");
  const reports = Array.from({ length: LOGINS }, (_, i) =>
    port.client.prepareAccounting("Start", [
      ["User-Name", "user1"],
      ["Acct-Session-Id", `s${i}`],
    ]),
  );
  for (let tries = 0; tries < 3; tries++) port.send(...reports);
  port.now.wall = Date.now() + 10_000;
  port.work();
  expect(await port.isAnswered(reports)).toBe(true);
  const booked = port.db.$client.query("SELECT count(*) AS n FROM sessions").get();
  expect(booked).toEqual({ n: LOGINS });
  expect(new Set(port.dropped)).toEqual(new Set(["duplicate_in_progress"]));
});
