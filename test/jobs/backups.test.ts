import { expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { write } from "../../db/open.ts";
import { checkUpkeep } from "../../src/domain/check/upkeep.ts";
import { inspectCopy } from "../../src/domain/backup/inspect.ts";
import { listBackups } from "../../src/domain/backup/schedule.ts";
import { storeSetting } from "../../src/domain/settings/settings.ts";
import { backupInThread } from "../../src/jobs/backup-thread.ts";
import { scheduledBackups } from "../../src/jobs/backups.ts";
import { NOW, temporaryStore } from "../support/store.ts";

const HOUR = 3600;

/** The job on a store of its own, with a clock that the test sets. */
function scheduled() {
  const store = temporaryStore();
  const clock = { now: NOW };
  const job = scheduledBackups({
    db: store.db,
    clock: () => clock.now,
    log: pino({ level: "silent" }),
    folder: store.folder,
    program: "1.2.3 (test)",
  });
  const backups = join(store.folder, "backups");
  return {
    ...store,
    clock,
    job,
    backups,
    set: (key: "backup_every_hours" | "backup_keep" | "backup_folder", value: number | string) =>
      write(store.db, (tx) => storeSetting(tx, key, value)),
    names: () => listBackups(backups).map(({ at }) => (at - NOW) / HOUR),
    finding: () => checkUpkeep(store.db, store.folder, clock.now)[0],
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

test("a backup is made when one is due, not at once after the start, and can be restored from", async () => {
  using box = scheduled();
  expect(await box.job()).toBe(60);
  expect(box.names()).toEqual([]);
  await box.job();
  expect(box.names()).toEqual([0]);
  box.clock.now += 23 * HOUR;
  await box.job();
  expect(box.names()).toEqual([0]);
  box.clock.now += HOUR;
  await box.job();
  expect(box.names()).toEqual([24, 0]);
  const [newest] = listBackups(box.backups);
  expect(inspectCopy(newest?.file ?? "")).toMatchObject({
    createdAt: box.clock.now,
    program: "1.2.3 (test)",
  });
  expect(statSync(newest?.file ?? "").mode & 0o777).toBe(0o600);
});

test("the settings count at once: how often, how many, where", async () => {
  using box = scheduled();
  await box.job();
  box.set("backup_every_hours", 1);
  box.set("backup_keep", 2);
  for (let hour = 0; hour < 4; hour++) {
    await box.job();
    box.clock.now += HOUR;
  }
  expect(box.names()).toEqual([3, 2]);
  writeFileSync(join(box.backups, "mine.db"), "not of the schedule");
  box.set("backup_every_hours", 0);
  box.clock.now += 100 * HOUR;
  await box.job();
  expect(box.names()).toEqual([3, 2]);
  box.set("backup_every_hours", 1);
  box.set("backup_folder", join(box.folder, "elsewhere"));
  await box.job();
  expect(readdirSync(join(box.folder, "elsewhere"))).toHaveLength(1);
  expect(readdirSync(box.backups)).toContain("mine.db");
});

test("check says how old the newest backup is, and when one is overdue", async () => {
  using box = scheduled();
  expect(box.finding()).toMatchObject({ severity: "warning", subject: "backups" });
  await box.job();
  await box.job();
  expect(box.finding()).toMatchObject({ severity: "ok" });
  box.clock.now += 49 * HOUR;
  expect(box.finding()).toMatchObject({
    severity: "error",
    message: expect.stringContaining("one is due every 24 h"),
  });
  box.set("backup_every_hours", 0);
  expect(box.finding()).toMatchObject({
    severity: "warning",
    message: expect.stringContaining("none are scheduled"),
  });
});

test("a backup of a clock that was ahead does not bring one at every look, and counts as one of those that are kept", async () => {
  using box = scheduled();
  await box.job();
  box.clock.now = NOW + 365 * 24 * HOUR;
  await box.job();
  box.clock.now = NOW;
  for (let minute = 0; minute < 5; minute++) {
    await box.job();
    box.clock.now += 60;
  }
  expect(box.names()).toEqual([365 * 24, 0]);
});

test("what a backup that was broken off left behind goes with the next one", async () => {
  using box = scheduled();
  await box.job();
  await box.job();
  writeFileSync(join(box.backups, "gatehouse-2030-01-14T120000Z.db.unfinished"), "half");
  writeFileSync(join(box.backups, "gatehouse-2030-01-14T120000Z.db.unfinished-journal"), "half");
  writeFileSync(join(box.backups, "mine.unfinished"), "mine");
  box.clock.now += 24 * HOUR;
  await box.job();
  expect(readdirSync(box.backups).filter((name) => name.includes(".unfinished"))).toEqual([
    "mine.unfinished",
  ]);
});

test("a backup under way is broken off when the program ends", async () => {
  using store = temporaryStore();
  const stopping = new AbortController();
  const order = { folder: store.folder, file: join(store.folder, "copy.db"), now: NOW, program: "x" };
  const backup = backupInThread(order, stopping.signal);
  stopping.abort();
  const outcome = await backup.then(
    () => "made",
    (error: unknown) => String(error),
  );
  expect(outcome).toContain("broken off");
});

test("a folder that cannot be written is a failure that says so, and the next turn tries again", async () => {
  using box = scheduled();
  await box.job();
  writeFileSync(join(box.folder, "file"), "");
  box.set("backup_folder", join(box.folder, "file"));
  const outcome = await box.job().then(
    () => "made",
    (error: unknown) => String(error),
  );
  expect(outcome).toContain("ENOTDIR");
  box.set("backup_folder", "");
  await box.job();
  expect(box.names()).toEqual([0]);
});
