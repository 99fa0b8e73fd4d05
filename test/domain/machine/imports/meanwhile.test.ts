import { expect, test } from "bun:test";
import { openWriter, write } from "../../../../db/open.ts";
import { book } from "../../../../src/domain/money/billing/book.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { moveIn } from "../../../../src/domain/machine/imports/move-in.ts";
import { Notices } from "../../../../src/domain/machine/imports/notices.ts";
import { by, DAY } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, Mover, somebody } from "./mover.ts";

const first = aMoved({ subscribers: [somebody("ann", { balance: "5.00" })] });

/** What another process does while a run is at a step. */
function during(mover: Mover, at: string, change: (db: Mover["db"]) => void) {
  return (step: string) => {
    if (step !== at) return;
    const other = openWriter(mover.store.folder, { busyTimeout: 1000 });
    change(other);
    other.$client.close();
  };
}

for (const step of ["preparing", "writing"]) {
  test(`money that is taken at "${step}" is neither lost nor taken for the source's`, async () => {
    using mover = await Mover.withIsp();
    await mover.run(first);
    const pay = (db: Mover["db"]) =>
      void write(db, (tx) =>
        book(tx, { account: { subscriberId: 1 }, ispId: 1, amount: 1000, kind: "adjustment" }, NOW, by),
      );
    const second = aMoved({ subscribers: [somebody("ann", { balance: "8.00" })] });
    const outcome = await mover.run(second, { progress: during(mover, step, pay) }).catch((e: unknown) => e);
    expect(mover.subscriber("ann")).toMatchObject({ balance: 1500 });
    expect(outcome).toBeInstanceOf(DomainError);
    await mover.run(second);
    expect(mover.subscriber("ann")).toMatchObject({ balance: 1500 });
    expect(mover.noticesOf("money_kept")).toHaveLength(1);
  });

  test(`a line that renews itself at "${step}" keeps its new end`, async () => {
    using mover = await Mover.withIsp();
    await mover.run(first);
    const renew = (db: Mover["db"]) =>
      void db.$client.run("UPDATE services SET expires_at = ?, activated_at = ?", [NOW + 40 * DAY, NOW]);
    const second = aMoved({
      subscribers: [somebody("ann", { balance: "5.00", service: { expiresAt: NOW + 20 * DAY } })],
    });
    const outcome = await mover
      .run(second, { progress: during(mover, step, renew) })
      .catch((e: unknown) => e);
    expect(mover.subscriber("ann")).toMatchObject({ expires_at: NOW + 40 * DAY });
    expect(outcome).toBeInstanceOf(DomainError);
  });
}

test("money that is taken during a run that writes none of it stays ours", async () => {
  using mover = await Mover.withIsp();
  await mover.run(first);
  const pay = (db: Mover["db"]) =>
    void write(db, (tx) =>
      book(tx, { account: { subscriberId: 1 }, ispId: 1, amount: 1000, kind: "adjustment" }, NOW, by),
    );
  const renamed = (values: object) =>
    aMoved({ subscribers: [somebody("ann", { balance: "5.00", name: "Ann", ...values })] });
  await mover.run(renamed({}), { progress: during(mover, "preparing", pay) });
  await mover.run(renamed({ balance: "8.00" }));
  expect(mover.subscriber("ann")).toMatchObject({ balance: 1500 });
  expect(mover.noticesOf("money_kept")).toHaveLength(1);
});

test("of two moves at once one comes, and the other one once it is tried again", async () => {
  using mover = await Mover.withIsp();
  const other = openWriter(mover.store.folder, { busyTimeout: 5000 });
  const notices = new Notices();
  const of = (name: string) => aMoved({ subscribers: [somebody(name), somebody("both")] });
  const options = { ispId: 1, source: "radius", files: ["b.sql"], now: NOW, notices, zone: "UTC" };
  const both = await Promise.allSettled([mover.run(of("ann")), moveIn(other, by, of("bob"), options)]);
  const refused = both.filter(({ status }) => status === "rejected");
  for (const one of refused) expect(one).toMatchObject({ reason: { kind: "refused" } });
  await mover.run(of("ann"));
  await moveIn(other, by, of("bob"), { ...options, notices: new Notices() });
  expect(mover.rows("SELECT username FROM subscribers ORDER BY username")).toEqual(
    ["ann", "bob", "both"].map((username) => ({ username })),
  );
  expect(mover.rows("SELECT count(*) AS n FROM moved_rows WHERE kind = 'subscriber'")).toEqual([{ n: 3 }]);
  other.$client.close();
});
