import { expect, test } from "bun:test";
import { routersBehind } from "../../../src/domain/access-boxes/standing.ts";
import { onlineNow } from "../../../src/domain/sessions/online-routers.ts";
import { onlineLines } from "../../../src/domain/sessions/online.ts";
import { Metrics } from "../../../src/metrics/metrics.ts";
import { addBox } from "../../support/access-boxes.ts";
import { aSubscriber, by, loadIsp } from "../../support/isp.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

test.each([
  ["cut off", NOW - 3600, { isSilent: false, cutOff: "tower-1", silence: undefined }],
  ["heard", NOW, { isSilent: true, cutOff: null, silence: "3600" }],
])("a router that asks a box which is %s", async (_, heardAt, { isSilent, cutOff, silence }) => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { subscribers: [aSubscriber(1)] });
  const { id } = addBox(db, by, "tower-1", { heardAt });
  db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, started_at, updated_at, via_box)
     VALUES (1, '127.0.0.1', '1', 'user1', 1, ?1, ?1, ?2)`,
    [NOW - 3600, id],
  );
  expect(routersBehind(db, NOW).has(1)).toBe(cutOff !== null);
  expect(onlineNow(db, by, { now: NOW })).toMatchObject([{ nasId: 1, isSilent }]);
  const page = { limit: 10, offset: 0, order: "down" } as const;
  expect(onlineLines(db, by, {}, page, { now: NOW }).rows).toMatchObject([{ cutOff }]);
  const metrics = new Metrics({
    ...{ db, folder: store.folder, clock: () => NOW, version: "1", commit: "a" },
    radius: { isListening: () => true, counts: () => [], timings: () => [], silenceOf: () => undefined },
  });
  const [, seconds] =
    /^gatehouse_nas_silence_seconds\{nas="[^"]+"\} (\S+)$/m.exec(await metrics.text()) ?? [];
  expect(seconds).toBe(silence);
});
