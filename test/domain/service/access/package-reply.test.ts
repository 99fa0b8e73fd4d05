import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { packageById } from "../../../../src/domain/goods/packages/packages.ts";
import { packageReply } from "../../../../src/domain/service/access/package-reply.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

/** As the page of the package has it. */
function reply(db: Db, set: string) {
  db.$client.run(`UPDATE packages SET ${set} WHERE id = 1`);
  const text = packageReply(db, packageById(db, boss, 1), { now: NOW });
  const lines = (one: typeof text.paid | null) =>
    one === null || one === "rejected" ? one : one.map(({ name, value }) => `${name} = ${value}`);
  return { paid: lines(text.paid), usedUp: lines(text.usedUp), expired: lines(text.expired) };
}

test("a plain package is a rate and an end, and nobody gets in after it", async () => {
  using store = await office();
  expect(reply(store.db, "rate_limit = '10M/30M', framed_pool = 'homes', idle_timeout = 600")).toEqual({
    paid: [
      "Mikrotik-Rate-Limit = 10M/30M",
      "Framed-Pool = homes",
      `Session-Timeout = ${Math.min(31 * 86_400, 21_474_720)}`,
      "Idle-Timeout = 600",
      "Acct-Interim-Interval = 300",
    ],
    usedUp: null,
    expired: "rejected",
  });
});

test("with a quota that slows down, and a walled garden", async () => {
  using store = await office();
  const text = reply(
    store.db,
    "rate_limit = '10M/30M', data_quota_bytes = 200000000000, quota_exceeded = '1M/1M', expired_address_list = 'late'",
  );
  expect(text.paid).toContain(`Mikrotik-Total-Limit = ${200_000_000_000 % 2 ** 32}`);
  expect(text.paid).toContain("Mikrotik-Total-Limit-Gigawords = 46");
  expect(text.usedUp).toContain("Mikrotik-Rate-Limit = 1M/1M");
  expect(text.expired).toContain("Mikrotik-Address-List = late");
});
