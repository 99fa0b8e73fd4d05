import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { write } from "../../db/open.ts";
import { makeKeyPair } from "../../src/domain/machine/access-boxes/key-pair.ts";
import { noteOver } from "../../src/domain/machine/access-boxes/state.ts";
import { backupOverview } from "../../src/domain/machine/backup/overview.ts";
import { inspectCopy } from "../../src/domain/machine/backup/inspect.ts";
import { natsCopies } from "../../src/domain/machine/backup/nats-copies.ts";
import { checkUpkeep } from "../../src/domain/machine/upkeep/upkeep.ts";
import { storeSetting } from "../../src/domain/core/settings/settings.ts";
import { type BackupStore, copyToNatsWhenDue } from "../../src/jobs/nats-copies.ts";
import { by } from "../support/isp.ts";
import { NOW, temporaryStore } from "../support/store.ts";

const HOUR = 3600;

/** The job on a store of its own: the clock, and what comes of putting, as the test says. */
function copying() {
  const { db, folder, [Symbol.dispose]: dispose } = temporaryStore();
  const box = {
    db,
    folder,
    now: NOW,
    isOn: (is: boolean) => write(db, (tx) => storeSetting(tx, "backup_to_nats", is)),
    /** What was put: when, by the backup's own label. */
    put: [] as number[],
    fault: undefined as string | undefined,
    /** What lies there; undefined: it cannot be asked. */
    newest: undefined as Awaited<ReturnType<BackupStore["newestBackup"]>> | undefined,
    hasNats: true,
    lines: [] as string[],
    run: async (signal?: AbortSignal) => {
      const backupStore: BackupStore = {
        putBackup: async (file) => {
          if (box.fault !== undefined) throw new Error(box.fault);
          const { createdAt } = inspectCopy(file);
          box.put.push((createdAt - NOW) / HOUR);
          box.newest = { at: createdAt, bytes: 1234 };
          return 1234;
        },
        newestBackup: async () => {
          if (box.newest === undefined) throw new Error("nats-server is away");
          return box.newest;
        },
      };
      await copyToNatsWhenDue({
        db,
        folder,
        signal,
        clock: () => box.now,
        program: "1.2.3 (test)",
        log: pino({}, { write: (line) => box.lines.push(String(JSON.parse(line).msg)) }),
        backupStore: box.hasNats ? backupStore : undefined,
      });
    },
    finding: () =>
      checkUpkeep(db, by, folder, { now: box.now }).find(({ subject }) => subject === "backups in NATS"),
    told: () =>
      db.$client
        .query<{ n: number }, []>("SELECT count(*) AS n FROM events WHERE type = 'backup.failed'")
        .get()?.n,
    [Symbol.dispose]: dispose,
  };
  return box;
}

test("nothing is put, nor said, unless somebody asks for it", async () => {
  using box = copying();
  await box.run();
  expect(box.put).toEqual([]);
  expect(box.finding()).toBeUndefined();
  expect(backupOverview(box.db, by, { now: box.now }).nats).toBeUndefined();
});

test("one is put each hour, and nothing of it stays here", async () => {
  using box = copying();
  box.isOn(true);
  expect(box.finding()).toMatchObject({ severity: "warning" });
  const before = readdirSync(box.folder).length;
  for (let quarter = 0; quarter < 9; quarter++) {
    await box.run();
    box.now += HOUR / 4;
  }
  expect(box.put).toEqual([0, 1, 2]);
  expect(readdirSync(box.folder)).toHaveLength(before + 1); // what came of it
  expect(box.finding()).toEqual({
    severity: "ok",
    subject: "backups in NATS",
    message: "the newest there is of 2030-01-15 14:00:00",
  });
  box.now += 3 * HOUR;
  expect(box.finding()).toMatchObject({
    severity: "error",
    message: expect.stringContaining("one is due each hour"),
  });
  expect(backupOverview(box.db, by, { now: box.now }).nats).toEqual({
    fault: null,
    isOld: true,
    last: { at: NOW + 2 * HOUR, bytes: 1234 },
  });
});

test("what fails is said once, tried again after ten minutes, and forgotten when it works", async () => {
  using box = copying();
  box.isOn(true);
  await box.run();
  box.fault = "nats-server is away; look after it";
  for (let minutes = 0; minutes < 90; minutes += 5) {
    box.now += 300;
    await box.run();
  }
  expect(box.finding()).toMatchObject({
    severity: "error",
    message: "the newest there is of 2030-01-15 12:00:00: nats-server is away; look after it",
  });
  expect(box.lines.filter((line) => line.includes("is away"))).toHaveLength(1);
  expect(box.told()).toBe(1);
  expect(existsSync(join(box.folder, "backup-for-nats.db"))).toBeFalse();
  box.fault = undefined;
  box.now += 600;
  await box.run();
  expect(box.put).toHaveLength(2);
  expect(box.finding()).toMatchObject({ severity: "ok" });
});

test("where nats-server has lost the last one it is not praised, and another one is put at once", async () => {
  using box = copying();
  box.isOn(true);
  await box.run();
  box.now += HOUR;
  await box.run();
  expect(box.put).toEqual([0, 1]);
  box.newest = undefined; // away: nobody knows
  box.now += 60;
  await box.run();
  expect(box.finding()).toMatchObject({ severity: "ok" });
  box.newest = { at: NOW, bytes: 99 }; // back, with less than it had
  box.fault = "nats-server has no room";
  await box.run();
  expect(box.finding()).toMatchObject({
    severity: "error",
    message: "the newest there is of 2030-01-15 12:00:00: nats-server has no room",
  });
  box.fault = undefined;
  box.now += 600;
  await box.run();
  expect(box.finding()).toMatchObject({ severity: "ok" });
  box.newest = null;
  await box.run();
  expect(box.put).toHaveLength(4);
  expect(box.lines.filter((line) => line.includes("has lost"))).toHaveLength(2);
  expect(box.finding()).toMatchObject({ severity: "ok" });
  await box.run();
  expect(box.put).toHaveLength(4);
});

test("without nats-server the finding says what to set", async () => {
  using box = copying();
  box.isOn(true);
  box.hasNats = false;
  await box.run();
  expect(box.finding()?.message).toBe(
    "there is none: GATEHOUSE_NATS_URL is empty; set it, or switch them off: gatehouse settings set backup_to_nats false",
  );
});

test("what a killed server left does not stand in the way, nor does a clock that was ahead", async () => {
  using box = copying();
  box.isOn(true);
  writeFileSync(join(box.folder, "backup-for-nats.db"), "half");
  box.now += 900 * HOUR;
  await box.run();
  box.now = NOW;
  await box.run();
  expect(box.put).toEqual([900, 0]);
});

test("books that do not count any more, and a server that stops, put nothing and blame nobody", async () => {
  using box = copying();
  box.isOn(true);
  const stopping = new AbortController();
  stopping.abort();
  await box.run(stopping.signal);
  expect(natsCopies(box.folder)).toBeUndefined();
  box.db.$client.run(
    "INSERT INTO access_boxes (name, nkey, seal_key, created_at) VALUES ('tower-1', 'U', ?, 0)",
    [makeKeyPair().publicKey],
  );
  write(box.db, (tx) => noteOver(tx, NOW));
  await box.run();
  expect(box.put).toEqual([]);
});
