import { expect, test } from "bun:test";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { KV } from "@nats-io/kv";
import { listedKeys } from "../../src/nats/listed-keys.ts";

type Listing = Awaited<ReturnType<KV["keys"]>> & { push(key: string): void };

/** The library's own, which it does not name outside: what it fills while nats-server answers. */
function listing(): Listing {
  const library = createRequire(fileURLToPath(import.meta.resolve("@nats-io/kv")));
  const { QueuedIteratorImpl } = library("@nats-io/nats-core/internal") as {
    QueuedIteratorImpl: new () => Listing;
  };
  return new QueuedIteratorImpl();
}

test("a listing whose stream was lost meanwhile is broken off, and not waited for", async () => {
  const keys = listing();
  for (const key of ["0.0.complete", "1.11.s.1"]) keys.push(key);
  const events: string[] = [];
  const all = (async () => {
    for await (const key of listedKeys({ keys: async () => keys }, 50)) events.push(key);
  })();
  await expect(all).rejects.toThrow("nats-server fell silent while keys were listed");
  expect(events).toEqual(["0.0.complete", "1.11.s.1"]);
});

test("a listing that ends has all of its keys", async () => {
  const keys = listing();
  keys.push("0.0.complete");
  keys.stop();
  expect(await Array.fromAsync(listedKeys({ keys: async () => keys }))).toEqual(["0.0.complete"]);
});
