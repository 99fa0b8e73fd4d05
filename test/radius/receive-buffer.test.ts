import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { buffersIn, lateLoginsIn, toPortBuffers } from "../../src/cli/buffers.ts";
import { checkBuffers, checkLateLogins, type PortBuffer } from "../../src/domain/machine/check/buffers.ts";
import { Metrics } from "../../src/metrics/metrics.ts";
import { addressOf, FULL_BUFFER, libc, setOption, SOL_SOCKET } from "../../src/os/libc.ts";
import type { RadiusServer } from "../../src/radius/server/server.ts";
import { NOW } from "../support/store.ts";
import { startTestRadius } from "../support/radius-server.ts";

const SO_RCVBUF = 8;
const DAY = 86_400;

/** Leaves a port of this process room for a datagram or two, as a system that allows no more would. */
function shrink(port: number): void {
  const name = Buffer.from(new ArrayBuffer(28));
  const descriptor = readdirSync("/proc/self/fd")
    .map(Number)
    .find((fd) => {
      name.fill(0);
      libc().getsockname(fd, addressOf(name), addressOf(new Uint32Array([name.length])));
      return name.readUInt16BE(2) === port;
    });
  if (descriptor === undefined) throw new Error(`nothing here listens on ${port}`);
  expect(setOption(descriptor, SOL_SOCKET, SO_RCVBUF, 1)).toBeTrue();
}

/** Floods a port until its buffer has dropped something. */
async function flood({ auth, buffer }: RadiusServer): Promise<void> {
  const socket = await Bun.udpSocket({});
  const datagram = Buffer.alloc(1000);
  while (buffer("auth")?.dropped === 0) {
    for (let i = 0; i < 500; i++) socket.send(datagram, auth.port, "127.0.0.1");
    await Bun.sleep(0);
  }
  socket.close();
}

test("what the kernel drops at a port is counted, told by metrics and found by the check", async () => {
  await using radius = await startTestRadius();
  const { server, store } = radius;
  const begun = Math.floor(Date.now() / 1000);
  expect(server.buffer("auth")).toMatchObject({ dropped: 0, droppedAt: null });
  expect(server.buffer("auth")?.size).toBeGreaterThan(100_000);
  shrink(server.auth.port);
  await flood(server);

  const seen = server.buffer("auth");
  expect(seen?.dropped).toBeGreaterThan(0);
  expect(seen?.droppedAt).toBeGreaterThanOrEqual(begun);
  expect(seen?.size).toBeLessThan(10_000);
  expect(server.buffer("acct")).toMatchObject({ dropped: 0, droppedAt: null });

  const { db, folder } = store;
  const metrics = new Metrics({
    db,
    folder,
    clock: () => NOW,
    version: "1",
    commit: "a",
    radius: server,
  });
  const now = Math.floor(Date.now() / 1000);
  // as the command reads it of the server that runs
  const [found, ...others] = checkBuffers(toPortBuffers(buffersIn(await metrics.text())), {
    wanted: FULL_BUFFER,
    now,
  });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ severity: "warning", subject: "RADIUS", about: { kind: "radius_dropped" } });
});

const buffer: PortBuffer = { name: "accounting", size: 212_992, dropped: 1200, droppedAt: NOW - 60 };
const found = (one: Partial<PortBuffer>) =>
  checkBuffers([{ ...buffer, ...one }], { wanted: FULL_BUFFER, now: NOW }).map(({ message }) => message);

test("a buffer that the system keeps small is made larger, and beside a large one the machine is looked at", () => {
  const lost =
    "the kernel dropped 1200 requests of routers at the accounting port since the start, the last at 2030-01-15 11:59:00";
  const [small] = found({});
  expect(small).toStartWith(`${lost}, because its receive buffer of 212992 bytes was full; `);
  expect(small).toContain("net.core.rmem_max=8388608");
  const [large] = found({ size: FULL_BUFFER });
  expect(large).toStartWith(`${lost}, because its receive buffer of 8388608 bytes was full; `);
  expect(large).toContain("top, iostat");
});

test("what was never dropped, or longer ago than a day, is no finding", () => {
  expect(found({ dropped: 0, droppedAt: null })).toEqual([]);
  expect(found({ droppedAt: NOW - DAY })).toEqual([]);
});

test("logins that were dropped for having waited are a finding for a day", () => {
  const late = (droppedAt: number | null) => checkLateLogins({ dropped: 40, droppedAt }, NOW);
  expect(late(NOW - 60)[0]?.message).toStartWith(
    "more logins came at once than this machine answers in time: 40 were left to their routers' repeats since the start, the last at 2030-01-15 11:59:00;",
  );
  expect([...late(NOW - DAY), ...late(null)]).toEqual([]);
});

test("of a server that tells no metrics nothing is known", () => {
  expect(toPortBuffers(buffersIn("{}"))).toEqual([]);
  expect(lateLoginsIn("{}")).toEqual({ dropped: 0, droppedAt: null });
});
