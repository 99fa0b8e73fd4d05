import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { write } from "../../../../db/open.ts";
import { continueEvents } from "../../../../src/domain/machine/backup/continue-events.ts";
import { announce } from "../../../../src/domain/core/events/announce.ts";
import { office } from "../../../support/office.ts";
import { NOW } from "../../../support/store.ts";

const events = (db: Parameters<typeof write>[0], subscriberId: number) =>
  write(db, (tx) => announce(tx, NOW, { type: "subscriber.enabled", subscriberId, beside: {} }));

async function scene() {
  const { db, folder, ...store } = await office();
  events(db, 1);
  const incoming = join(folder, "incoming.sqlite");
  db.$client.run(`VACUUM INTO '${incoming}'`);
  const counts = () => {
    using client = new Database(incoming, { readonly: true });
    return client.query("SELECT subscriber_id AS id, seq FROM event_counts ORDER BY 1").all();
  };
  return { db, incoming, counts, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

test("after a restore no event has a count that a receiver knows already", async () => {
  using here = await scene();
  const [first] = here.counts() as { id: number; seq: number }[];
  events(here.db, 1);
  events(here.db, 2);
  const [last, other] = here.db.$client
    .query<{ id: number; seq: number }, []>("SELECT subscriber_id AS id, seq FROM event_counts ORDER BY 1")
    .all();
  continueEvents(here.incoming, { replaced: here.db.$client });
  expect(last?.seq).toBe((first?.seq ?? 0) + 1);
  expect(here.counts()).toEqual([
    { id: 1, seq: 1_000_000 + (last?.seq ?? 0) },
    { id: 2, seq: 1_000_000 + (other?.seq ?? 0) },
  ]);
});

test("on a new machine nobody knows what was told since, and the counts go on far above", async () => {
  using here = await scene();
  const [first] = here.counts() as { seq: number }[];
  continueEvents(here.incoming, { replaced: undefined });
  expect(here.counts()).toEqual([{ id: 1, seq: 1_000_000 + (first?.seq ?? 0) }]);
});

test("where nothing was told since, the counts stay", async () => {
  using here = await scene();
  const before = here.counts();
  continueEvents(here.incoming, { replaced: here.db.$client });
  expect(here.counts()).toEqual(before);
});
