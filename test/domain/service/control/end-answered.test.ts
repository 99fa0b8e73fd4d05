import { expect, test } from "bun:test";
import { endAnswered } from "../../../../src/domain/service/control/end-answered.ts";
import { makeRouters } from "../../../../src/domain/service/control/routers.ts";
import { readTimeline } from "../../../../src/domain/desk/subscriber-page/timeline.ts";
import { CoaClient } from "../../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../../src/radius/client/coa-requests.ts";
import { coaPatience, FakeNas, type FakeNasBehaviour } from "../../../support/fake-nas.ts";
import { aSubscriber, by, loadIsp, NAS_SECRET } from "../../../support/isp.ts";
import { noRouters } from "../../../support/routers.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

test.each<[string, FakeNasBehaviour, { answer: object; open: number }]>([
  ["acknowledges, a moment later", { late: 40 }, { answer: { kind: "acknowledged" }, open: 0 }],
  [
    "refuses",
    { answer: "nak", errorCause: 504 },
    { answer: { kind: "failed", reason: expect.stringContaining("it cannot end the session") }, open: 1 },
  ],
  ["has no such session", { answer: "nak", errorCause: 503 }, { answer: { kind: "gone" }, open: 0 }],
  ["is silent", { answer: "silence" }, { answer: { kind: "failed", isSilent: true }, open: 1 }],
])("a router that %s", async (_, behaviour, { answer, open }) => {
  using store = temporaryStore();
  using nas = await FakeNas.start(behaviour);
  const client = new CoaClient();
  const routers = makeRouters(store.db, {
    coa: coaRequests(client),
    api: { disconnect: async () => ({ kind: "gone" }), find: async () => ({ kind: "listed", users: [] }) },
  });
  await loadIsp(store.db, {
    settings: { max_coa_wait: coaPatience(behaviour), disconnect_confirm: 0 },
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, coa_port: nas.port }],
    subscribers: [aSubscriber(1)],
    packages: [],
  });
  insertSessions(store.db, { nasId: 1, subscriberId: 1, username: "user1" });
  const answers = await endAnswered(
    store.db,
    by,
    { subscriberId: 1 },
    { clock: () => NOW, routers: { ...noRouters, ...routers } },
  );
  client.close();
  expect(answers).toMatchObject({ answers: [{ nasName: "core", answer }], open, isConfirmed: false });
  const took = answers.answers[0]?.took ?? -1;
  expect(took).toBeGreaterThanOrEqual(behaviour.late ?? (behaviour.answer === "silence" ? 900 : 0));
  const { events } = readTimeline(store.db, by, { subscriber: 1, kinds: ["logins"], limit: 9 });
  const event = events.find(({ kind }) => kind === "router");
  expect(event).toMatchObject({ answers: [{ kind: answers.answers[0]?.answer.kind, took }] });
});
