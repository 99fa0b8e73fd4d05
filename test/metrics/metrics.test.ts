import { expect, test } from "bun:test";
import { lateLoginsIn } from "../../src/cli/buffers.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { write } from "../../db/open.ts";
import { noteNatsCopy } from "../../src/domain/machine/backup/nats-copies.ts";
import { storeSetting } from "../../src/domain/core/settings/settings.ts";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { bookAttempt } from "../../src/domain/around/webhooks/book.ts";
import { createEndpoint } from "../../src/domain/around/webhooks/endpoints.ts";
import { planDeliveries } from "../../src/domain/around/webhooks/plan.ts";
import { Metrics } from "../../src/metrics/metrics.ts";
import { Timings } from "../../src/radius/server/timings.ts";
import { aSubscriber, by, loadIsp } from "../support/isp.ts";
import { addMessages, insertMessage, mailChannel } from "../support/messages.ts";
import { boss, office } from "../support/office.ts";
import { NOW, undoneEmptyStores } from "../support/store.ts";

const temporaryStore = undoneEmptyStores();

const silent = {
  isListening: () => true,
  counts: () => [],
  timings: () => [],
  measureSilence: () => undefined,
  buffer: () => undefined,
  lateLogins: () => ({ dropped: 0, droppedAt: null }),
};

test("everything that is counted elsewhere is told when it is asked for", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1)] });
  store.db.$client.run(
    `INSERT INTO sessions (nas_address, acct_session_id, username, started_at, updated_at) VALUES ('10.0.0.1', '1', 'user1', 1, 1)`,
  );
  const backups = join(store.folder, "backups");
  mkdirSync(backups);
  writeFileSync(join(backups, "gatehouse-2030-01-15T110000Z.db"), "12345");
  write(store.db, (tx) => storeSetting(tx, "backup_to_nats", true));
  noteNatsCopy(store.folder, { at: NOW - 600, bytes: 5 });
  const timings = new Timings();
  timings.observe("access_seconds", 0.0004);
  timings.observe("access_seconds", 0.003);
  timings.observe("access_seconds", 9);
  const metrics = new Metrics({
    db: store.db,
    folder: store.folder,
    clock: () => NOW,
    version: "1.2.3",
    commit: "abc",
    radius: {
      ...silent,
      counts: (port) =>
        port === "acct"
          ? []
          : [
              { nas: "core", kind: "Access-Request", outcome: "accepted", count: 7 },
              { nas: null, kind: "dropped", outcome: "unknown_nas", count: 3 },
              { nas: "core", kind: "dropped", outcome: "late", count: 5 },
              { nas: "edge", kind: "dropped", outcome: "late", count: 2 },
            ],
      timings: () => timings.all(),
      buffer: (port) =>
        port === "acct"
          ? { size: 212_992, dropped: 1200, droppedAt: NOW }
          : { size: 8_388_608, dropped: 0, droppedAt: null },
      lateLogins: () => ({ droppedAt: NOW }),
      measureSilence: (nas) => (nas === "core" ? 42 : undefined),
    },
  });
  metrics.served({ method: "GET", route: "/healthz", status: 200, seconds: 0.002 });
  for (const text of [await metrics.text(), await metrics.text()])
    for (const line of [
      'gatehouse_info{version="1.2.3",commit="abc"} 1',
      'gatehouse_radius_requests_total{port="auth",nas="core",kind="Access-Request",outcome="accepted"} 7',
      'gatehouse_radius_dropped_total{port="auth",nas="",reason="unknown_nas"} 3',
      'gatehouse_radius_buffer_bytes{port="auth"} 8388608',
      'gatehouse_radius_buffer_dropped{port="auth"} 0',
      'gatehouse_radius_buffer_dropped{port="acct"} 1200',
      `gatehouse_radius_buffer_dropped_timestamp_seconds{port="acct"} ${NOW}`,
      'gatehouse_radius_dropped_total{port="auth",nas="edge",reason="late"} 2',
      `gatehouse_radius_late_timestamp_seconds ${NOW}`,
      "# TYPE gatehouse_radius_access_seconds histogram",
      'gatehouse_radius_access_seconds_bucket{le="0.0005"} 1',
      'gatehouse_radius_access_seconds_bucket{le="0.005"} 2',
      'gatehouse_radius_access_seconds_bucket{le="+Inf"} 3',
      "gatehouse_radius_access_seconds_count 3",
      "gatehouse_sessions_open 1",
      "gatehouse_payments_waiting 0",
      "gatehouse_backup_age_seconds 3600",
      "gatehouse_backup_bytes 5",
      "gatehouse_backup_nats_age_seconds 600",
      'gatehouse_nas_silence_seconds{nas="core"} 42',
      'gatehouse_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"} 1',
      "gatehouse_radius_listening 1",
    ])
      expect(text.split("\n")).toContain(line);
  expect(lateLoginsIn(await metrics.text())).toEqual({ dropped: 7, droppedAt: NOW });
});

test("every line is one of the Prometheus text format, and no metric stands twice", async () => {
  using store = temporaryStore();
  const metrics = new Metrics({
    db: store.db,
    folder: store.folder,
    clock: () => NOW,
    version: "1",
    commit: "a",
    radius: silent,
  });
  const lines = (await metrics.text()).split("\n").filter((line) => line !== "");
  for (const line of lines)
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"]*",?)*\})? [-+.\deInfNa]+)$/);
  const types = lines.filter((line) => line.startsWith("# TYPE"));
  expect(new Set(types).size).toBe(types.length);
  expect(lines.join()).not.toContain("gatehouse_backup_age_seconds 0");
});

test("what waits for webhooks is counted, and what came of calls since the start", async () => {
  using store = await office();
  const { db } = store;
  const url = "https://receiver.example/";
  createEndpoint(db, by, { isp_id: 1, url, types: "*" }, { now: NOW });
  const metrics = new Metrics({
    db,
    folder: store.folder,
    clock: () => NOW,
    version: "1",
    commit: "a",
    radius: silent,
  });
  const lines = async () => (await metrics.text()).split("\n");
  for (const subscriberId of [1, 2])
    takePayment(db, boss, { subscriberId, amount: 100, method: "cash" }, { now: NOW });
  expect(await lines()).toContain("gatehouse_events_waiting 2");
  planDeliveries(db, by, { now: NOW });
  const answer = (id: number, status?: number) =>
    bookAttempt(db, { id, endpointId: 1, url }, { milliseconds: 5, status }, { now: NOW, random: 0 });
  answer(1, 204);
  answer(2, 500);
  answer(2);
  for (const text of [await lines(), await lines()])
    expect(text).toEqual(
      expect.arrayContaining([
        "gatehouse_events_waiting 0",
        'gatehouse_webhook_deliveries_waiting{webhook="1"} 1',
        "gatehouse_webhooks_off 0",
        'gatehouse_webhook_attempts_total{outcome="delivered"} 1',
        'gatehouse_webhook_attempts_total{outcome="refused"} 1',
        'gatehouse_webhook_attempts_total{outcome="no answer"} 1',
      ]),
    );
});

test("of messages it tells what waits in each channel, and which channels are down", async () => {
  using store = await office();
  const { db } = store;
  addMessages(db, NOW);
  for (const state of ["waiting", "sent", "perhaps", "failed"]) insertMessage(db, NOW, state);
  createChannel(db, by, { ...mailChannel, name: "Old mail" }, { now: NOW });
  db.$client.run("UPDATE channels SET down_since = 5, down_reason = 'refused' WHERE id IN (2, 3)");
  db.$client.run("UPDATE channels SET disabled_at = 6 WHERE id = 3");
  const metrics = new Metrics({
    db,
    folder: store.folder,
    clock: () => NOW,
    version: "1",
    commit: "a",
    radius: silent,
  });
  for (const text of [await metrics.text(), await metrics.text()]) {
    const lines = text.split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        'gatehouse_messages_waiting{channel="Gateway"} 2',
        'gatehouse_messages_waiting{channel="Mail"} 0',
        'gatehouse_channel_down{channel="Gateway"} 0',
        'gatehouse_channel_down{channel="Mail"} 1',
      ]),
    );
    expect(text).not.toContain('gatehouse_channel_down{channel="Old mail"}');
  }
});
