import { expect, test } from "bun:test";
import { likeKnown } from "../../../../src/domain/service/access/like-known.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { aSubscriber, loadIsp } from "../../../support/isp.ts";
import { undoneTemplate } from "../../../support/store.ts";

const stores = undoneTemplate((db) =>
  loadIsp(db, {
    subscribers: ["amara.okafor", "house-12", "house-13", "abc", "léa.dupont"].map((username, index) =>
      aSubscriber(index + 1, { username }),
    ),
  }),
);

test.each([
  ["a letter too many", "amara.okaforr", "amara.okafor"],
  ["a letter too few", "amara.okafr", "amara.okafor"],
  ["another letter", "amaea.okafor", "amara.okafor"],
  ["two that changed places", "amara.okafro", "amara.okafor"],
  ["other case", "AMARA.OKAFORR", "amara.okafor"],
  ["a letter too many at the beginning", "xamara.okafor", "amara.okafor"],
  ["two mistakes", "amaraokafr", undefined],
  ["as near to two of them", "house-1", undefined],
  ["too short to say", "abd", undefined],
  ["something else", "nobody", undefined],
])("%s: %s is like %s", async (_, text, known) => {
  using store = await stores();
  expect(likeKnown(store.db, everything, [text]).get(text)?.username).toBe(known as string);
});

test("a name of another ISP is not told", async () => {
  using store = await stores();
  const scope = { ispId: 2, branchId: null, salespersonId: null };
  expect(likeKnown(store.db, scope, ["amara.okaforr"]).size).toBe(0);
});
