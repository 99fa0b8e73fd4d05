import { expect, test } from "bun:test";
import {
  type ActiveUser,
  makeRouters,
  type RouterProtocols,
} from "../../../../src/domain/service/control/routers.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { subscriberById } from "../../../../src/domain/goods/subscribers/find.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { openSessions } from "../../../../src/domain/service/control/disconnect.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

/** A router with an API, on whose list of hotspot users everybody is. */
async function scene(values: Record<string, unknown>) {
  const store = temporaryStore();
  const routeros = { host: "127.0.0.1", port: 8728, username: "api", password: "x" };
  await loadIsp(store.db, {
    nas: [
      {
        id: 1,
        isp_id: 1,
        name: "core",
        address: "127.0.0.1",
        secret: "s",
        disconnect_method: "routeros",
        routeros,
      },
    ],
    subscribers: [aSubscriber(1, values)],
  });
  insertSessions(store.db, { subscriberId: 1, nasId: 1 });
  const answers: ActiveUser["list"][] = [];
  const api: RouterProtocols["api"] = {
    disconnect: async (...[, { list }]) => {
      answers.push(list);
      return { kind: list === "hotspot" ? "acknowledged" : "gone" };
    },
    find: async (...[, { list }]) => {
      answers.push(list);
      const user = { id: "*1", address: null, mac: null, uptime: 1 };
      return { kind: "listed", users: list === "hotspot" ? [user] : [] };
    },
  };
  const failing = async () => ({ kind: "failed" as const, reason: "not asked" });
  const coa = { disconnect: failing, changeRate: failing, changeTimeout: failing };
  return { store, requests: answers, routers: makeRouters(store.db, { coa, api }) };
}

test("a router is asked for both lists where nobody knows how somebody connects", async () => {
  const { store, requests: answers, routers } = await scene({ any_connection: 1 });
  using _ = store;
  const holder = subscriberById(store.db, everything, 1);
  const [session] = openSessions(store.db, 1);
  expect(await routers.find(holder, session ?? null)).toMatchObject({ users: [{ id: "*1" }] });
  expect(await routers.disconnect(holder, session ?? null)).toEqual({ kind: "acknowledged" });
  expect(answers).toEqual(["ppp", "hotspot", "ppp", "hotspot"]);
});

test("once staff have chosen, for that one alone", async () => {
  const { store, requests: answers, routers } = await scene({ any_connection: 1 });
  using _ = store;
  updateSubscriber(
    store.db,
    by,
    { username: "user1", connection_type_id: "2" },
    { now: NOW, toJson: (one) => one },
  );
  const holder = subscriberById(store.db, everything, 1);
  expect(holder).toMatchObject({ connectionTypeId: 2, anyConnection: 0 });
  const [session] = openSessions(store.db, 1);
  expect(await routers.disconnect(holder, session ?? null)).toEqual({ kind: "acknowledged" });
  expect(answers).toEqual(["hotspot"]);
});

test("a change of something else leaves it open how somebody connects", async () => {
  const { store } = await scene({ any_connection: 1 });
  using _ = store;
  updateSubscriber(store.db, by, { username: "user1", box_number: "7" }, { now: NOW, toJson: (one) => one });
  expect(subscriberById(store.db, everything, 1)).toMatchObject({ connectionTypeId: 1, anyConnection: 1 });
});
