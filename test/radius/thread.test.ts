import { expect, test } from "bun:test";
import pino from "pino";
import { RadiusThread } from "../../src/radius/thread.ts";
import { eventually } from "../support/radius-server.ts";

test("a thread that dies is started again on its port, until it listens, and its counts go on", async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  let starts = 0;
  const thread = new RadiusThread(
    "auth",
    { host: "127.0.0.1", port: 0 },
    {
      folder: "/",
      log,
      heed: () => {},
      spawn: () => {
        starts++;
        const script = new URL("../support/mortal-worker.ts", import.meta.url);
        return new Worker(script, { env: { STARTS: String(starts) } });
      },
    },
  );
  await thread.start();
  expect(thread.isListening).toBe(true);
  expect(thread.endpoint.port).toBe(4242);
  expect(await eventually(() => !thread.isListening)).toBe(true);
  expect(await eventually(() => thread.isListening)).toBe(true);
  expect(thread.endpoint.port).toBe(4242);
  expect(starts).toBe(3);
  expect(thread.counters.all()).toEqual([
    { nas: "core", kind: "Access-Request", outcome: "accepted", count: 1 + 3 },
  ]);
  expect(lines).toEqual([
    "a RADIUS thread died and is started again",
    "a RADIUS thread could not be started again",
    "a RADIUS thread died and is started again",
  ]);
  await thread.stop();
  expect(thread.isListening).toBe(false);
  await Bun.sleep(300);
  expect(starts).toBe(3);
});
