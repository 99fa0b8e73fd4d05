import { expect, test } from "bun:test";
import { checkPortal } from "../../../../src/domain/machine/check/portal.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { aPackage, by, loadIsp } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

test("an ISP whose expired subscribers are led to a page without a way to the portal is told so", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { packages: [aPackage(2, { expired_address_list: "expired" })] });
  const found = () =>
    checkPortal(db, { isServed: false }).map(({ subject, message }) => `${subject}: ${message}`);
  expect(found()).toEqual([
    expect.stringMatching(/^portal: the page for expired subscribers of .* has no way to the portal/),
  ]);
  expect(checkPortal(db, { isServed: true })).toEqual([]);
  changeSetting(
    db,
    by,
    { ispId: 1, key: "portal_url", value: "https://my.isp.example/portal" },
    { now: NOW },
  );
  expect(found()).toEqual([]);
});
