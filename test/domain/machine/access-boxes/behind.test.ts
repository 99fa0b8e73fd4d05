import { expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { joinPrimary } from "../../../../src/domain/machine/access-boxes/boxes.ts";
import { NodeAuthorities } from "../../../../src/domain/machine/access-boxes/box-authority.ts";
import { takeHome } from "../../../../src/domain/machine/access-boxes/homecoming.ts";
import { homecomings, Journal } from "../../../../src/domain/machine/access-boxes/journal.ts";
import { waitingHome } from "../../../../src/domain/machine/access-boxes/report.ts";
import { accessState } from "../../../../src/domain/machine/access-boxes/state.ts";
import { AccountingWriter } from "../../../../src/domain/service/accounting/accounting.ts";
import { routersBehind } from "../../../../src/domain/service/box-standing/standing.ts";
import { onlineNow } from "../../../../src/domain/service/sessions/online-routers.ts";
import { onlineLines } from "../../../../src/domain/service/sessions/online.ts";
import { Metrics } from "../../../../src/metrics/metrics.ts";
import { addBox } from "../../../support/access-boxes.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { NOW, temporaryStore, type TemporaryStore } from "../../../support/store.ts";

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
    db,
    folder: store.folder,
    clock: () => NOW,
    version: "1",
    commit: "a",
    radius: {
      isListening: () => true,
      counts: () => [],
      timings: () => [],
      measureSilence: () => undefined,
      buffer: () => undefined,
      lateLogins: () => ({ dropped: 0, droppedAt: null }),
    },
  });
  const [, seconds] =
    /^gatehouse_nas_silence_seconds\{nas="[^"]+"\} (\S+)$/m.exec(await metrics.text()) ?? [];
  expect(seconds).toBe(silence);
});

test("a box that joined again on a new disk tells all of its new journal, which is none of the numbers that the books have", () => {
  using store = temporaryStore();
  const joining = addBox(store.db, by, "tower-1");
  const taken: unknown[] = [];
  const elapsed = { boot: "a", uptime: () => 0 };
  const live = (node: TemporaryStore, now: number, text: readonly string[]) => {
    const journal = new Journal(node.db, { elapsed, clock: () => now });
    for (const one of text) write(node.db, () => journal.add("seen", one));
    const { home: after } = accessState(node.db);
    const rows = homecomings(node.db, { after, limit: 500, bytes: 1e6, elapsed, now });
    const waiting = waitingHome(node.db, after);
    const committed = takeHome(
      store.db,
      { box: "tower-1", after, rows },
      {
        accounting: new AccountingWriter(store.db),
        authorities: new NodeAuthorities(store.db),
        now,
        refused: () => {},
        take: ({ body }) => void taken.push(JSON.parse(body)),
      },
    );
    node.db.$client.run("UPDATE access_state SET home = ?", [committed?.journal ?? 0]);
    return waiting;
  };
  using first = temporaryStore();
  joinPrimary(first.db, joining, { now: NOW });
  expect(live(first, NOW, ["a", "b", "c"])).toBe(3);
  using second = temporaryStore();
  joinPrimary(second.db, joining, { now: NOW + 60 });
  expect(live(second, NOW + 60, ["d", "e"])).toBe(2);
  expect(live(second, NOW + 61, ["f"])).toBe(1);
  expect(taken).toEqual(["a", "b", "c", "d", "e", "f"]);
});
