import { expect, test } from "bun:test";
import { removeAccessBox } from "../../../../src/domain/machine/access-boxes/boxes.ts";
import { type AskNode, routersThrough } from "../../../../src/domain/service/control/routers-of-boxes.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { addBox } from "../../../support/access-boxes.ts";
import { by, undoneIspStores } from "../../../support/isp.ts";
import { noRouters } from "../../../support/routers.ts";
import { aSession } from "../../../support/sessions.ts";
import { NOW } from "../../../support/store.ts";

const ispStore = undoneIspStores();

const login = { username: "user1", connectionTypeId: 1, anyConnection: 0, macLogin: 0, nasId: 1 };
const holder = { id: 1, ispId: 1, ...login };

test("a session whose router asks a box is asked about there, and one of the books' own routers here", async () => {
  using store = await ispStore({ subscribers: [] });
  const { id } = addBox(store.db, by, "tower-1");
  const answers: Parameters<AskNode>[] = [];
  const routers = routersThrough(store.db, noRouters, async (...what) => {
    answers.push(what);
    return { kind: "acknowledged" };
  });
  const there = aSession({ viaBox: id, class: Buffer.from("a") });
  expect(await routers.disconnect(holder, there, undefined)).toEqual({ kind: "acknowledged" });
  expect(await routers.changeTimeout(holder, there, 60)).toEqual({ kind: "acknowledged" });
  const { acctSessionId, nasAddress, username } = there;
  const session = { acctSessionId, nasAddress, username, class: "YQ==" };
  expect(answers).toEqual([
    ["tower-1", { ask: "disconnect", session }],
    ["tower-1", { ask: "timeout", value: 60, session }],
  ]);
  expect(await routers.disconnect(holder, aSession(), undefined)).toMatchObject({ reason: "no router" });
});

test("a box that does not answer is cut off since it was heard, and one that was removed is said to be", async () => {
  using store = await ispStore({ subscribers: [] });
  const { id } = addBox(store.db, by, "tower-1");
  const routers = routersThrough(store.db, noRouters, () => Promise.reject(new Error("no answer")));
  const end = () => routers.disconnect(holder, aSession({ viaBox: id }), undefined);
  expect(await end()).toMatchObject({
    kind: "failed",
    reason: `tower-1 is cut off since ${formatTime(NOW)}`,
  });
  removeAccessBox(store.db, by, { id }, { now: NOW });
  expect(await end()).toMatchObject({
    kind: "failed",
    reason: "the box that its router asks has been removed",
  });
});
