import { describe, expect, test } from "bun:test";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { write } from "../../db/open.ts";
import { checkUpkeep } from "../../src/domain/machine/upkeep/upkeep.ts";
import { BackupDesk, type BackupThreads } from "../../src/domain/machine/backup/desk.ts";
import { trialRecords } from "../../src/domain/machine/backup/trial-records.ts";
import { DomainError } from "../../src/domain/core/errors/errors.ts";
import { verbatim } from "../../src/domain/core/errors/phrase.ts";
import { folderFault, lastOutcome, privateTmp } from "../../src/domain/machine/backup/folder.ts";
import { inspectCopy } from "../../src/domain/machine/backup/inspect.ts";
import { listBackups } from "../../src/domain/machine/backup/schedule.ts";
import { storeSetting } from "../../src/domain/core/settings/settings.ts";
import { BackupFolder } from "../../src/jobs/backup-folder.ts";
import { backupInThread, backupThreads } from "../../src/jobs/backup-thread.ts";
import { backUpWhenDue, tryBackupWhenDue } from "../../src/jobs/backups.ts";
import { by } from "../support/isp.ts";
import { NOW, temporaryStore } from "../support/store.ts";

const HOUR = 3600;

/** The job on a store of its own, with a clock that the test sets. */
function scheduled() {
  const store = temporaryStore();
  const clock = { now: NOW };
  const lines: string[] = [];
  const needs = {
    db: store.db,
    clock: () => clock.now,
    log: pino({}, { write: (line) => lines.push(line) }),
    folder: store.folder,
    program: "1.2.3 (test)",
    isService: false,
  };
  const watched = new BackupFolder(needs);
  const job = () => backUpWhenDue(needs, watched);
  const backups = join(store.folder, "backups");
  return {
    ...store,
    clock,
    watched,
    job,
    logged: () => lines.map((line): unknown => JSON.parse(line).msg),
    backups,
    set: (key: "backup_every_hours" | "backup_keep" | "backup_folder", value: number | string) =>
      write(store.db, (tx) => storeSetting(tx, key, value)),
    names: () => listBackups(backups).map(({ at }) => (at - NOW) / HOUR),
    finding: () => checkUpkeep(store.db, by, store.folder, { now: clock.now })[0],
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

test("a backup is made when one is due, and can be restored from", async () => {
  using box = scheduled();
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

/** Of a folder beside the store, where a test has no other disk. */
const fresh = { about: { kind: "backups_same_disk" }, message: expect.stringContaining(", verified, in ") };

test("check says how old the newest backup is, and when one is overdue", async () => {
  using box = scheduled();
  expect(box.finding()).toMatchObject({ severity: "warning", subject: "backups" });
  await box.job();
  expect(box.finding()).toMatchObject(fresh);
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

test("a folder that cannot be written to is said once, in words and without a stack, and tried again", async () => {
  using box = scheduled();
  writeFileSync(join(box.folder, "file"), "");
  box.set("backup_folder", join(box.folder, "file"));
  for (let turn = 0; turn < 3; turn++) await box.job();
  const fault = `${box.folder}/file cannot be: a part of the path is a file, not a folder; check the path`;
  expect(box.logged()).toEqual([`no backup can be made: ${fault}`]);
  expect(box.finding()).toMatchObject({
    severity: "error",
    subject: "backups",
    message: `none can be made: ${fault}`,
  });
  expect(lastOutcome(box.folder)).toMatchObject({ fault, isOfBackup: true });
  box.set("backup_folder", "");
  await box.job();
  expect(box.names()).toEqual([0]);
  expect(box.finding()).toMatchObject(fresh);
});

test("the folder is tried when it is set, and again while it cannot be written to", async () => {
  using box = scheduled();
  const look = () => box.watched.look();
  await look();
  expect(lastOutcome(box.folder)).toMatchObject({ folder: box.backups, fault: null, isOfBackup: false });
  const folder = join(box.folder, "file/deeper");
  writeFileSync(join(box.folder, "file"), "");
  box.set("backup_folder", folder);
  await look();
  expect(lastOutcome(box.folder)).toMatchObject({ folder, fault: expect.stringContaining("cannot be:") });
  expect(box.finding()).toMatchObject({ severity: "error", message: expect.stringContaining("cannot be:") });
  rmSync(join(box.folder, "file"));
  await look();
  expect(lastOutcome(box.folder)).not.toMatchObject({ fault: null });
  box.clock.now += 5;
  await look();
  expect(lastOutcome(box.folder)).toMatchObject({ folder, fault: null });
  expect(readdirSync(folder)).toEqual([]);
  expect(box.logged()).toEqual([
    expect.stringContaining("no backup can be made"),
    "backups can be written here",
  ]);
});

describe("what a folder has against a backup, and what to do", () => {
  const failed = (code: string) => Object.assign(new Error("unhelpful"), { code });
  test.each([
    [
      "EROFS",
      true,
      "/mnt/b",
      "the service may not write to /mnt/b; run: install -d -o gatehouse -g gatehouse -m 700 /mnt/b; then: systemctl edit gatehouse, with the two lines [Service] and ReadWritePaths=/mnt/b; then: systemctl restart gatehouse",
    ],
    [
      "EROFS",
      true,
      "/mnt/my 100%",
      `the service may not write to /mnt/my 100%; run: install -d -o gatehouse -g gatehouse -m 700 '/mnt/my 100%'; then: systemctl edit gatehouse, with the two lines [Service] and ReadWritePaths="/mnt/my 100%%"; then: systemctl restart gatehouse`,
    ],
    [
      "EROFS",
      false,
      "/mnt/b",
      "/mnt/b is on a disk that is mounted read-only; make it writable, or take another folder",
    ],
    [
      "EACCES",
      true,
      "/mnt/b",
      "/mnt/b cannot be written to by this user; run as root: install -d -o gatehouse -g gatehouse -m 700 /mnt/b",
    ],
    [
      "EACCES",
      true,
      "/home/isp/backups",
      "the service may not look into /home, /root and /run/user; take another folder, such as /var/backups/gatehouse",
    ],
    ["ENOSPC", true, "/mnt/b", "the disk of /mnt/b is full; make room, or take another folder"],
  ])("%s, under a unit: %p, %s", (code, isService, folder, words) => {
    expect(String(folderFault(failed(code), folder, isService))).toBe(words);
  });

  test.each([
    ["/tmp/backups", "/tmp"],
    ["/tmp", "/tmp"],
    ["/var/tmp/b", "/var/tmp"],
    ["/tmpfiles", undefined],
    ["/var/backups", undefined],
  ])("a /tmp of the service's own: %s", (folder, own) => {
    const mountinfo = [
      "431 393 8:1 / / ro,relatime shared:1 - ext4 /dev/sda1 rw",
      "436 431 8:1 /tmp/systemd-private-5f-gatehouse.service-x1/tmp /tmp rw shared:2 - ext4 /dev/sda1 rw",
      "437 431 8:1 /var/tmp/systemd-private-5f-gatehouse.service-y2/tmp /var/tmp rw - ext4 /dev/sda1 rw",
      "",
    ].join("\n");
    expect(privateTmp(folder, mountinfo)).toBe(own);
  });

  test("what is no fault of the folder is a bug", () => {
    expect(folderFault(new TypeError("x"), "/mnt/b", true)).toBeUndefined();
  });
});

describe("the newest backup is tried by itself", () => {
  /** With a desk that tries in the thread that a server has. */
  function tried(threads: Partial<BackupThreads> = {}) {
    const box = scheduled();
    const lines: string[] = [];
    const desk = new BackupDesk({
      db: box.db,
      clock: () => box.clock.now,
      program: "1.2.3 (test)",
      isService: false,
      threads: { ...backupThreads(), ...threads },
      failed: (error) => lines.push(String(error)),
    });
    const log = pino({}, { write: (line) => lines.push(line) });
    const needs = { db: box.db, clock: () => box.clock.now, log, folder: box.folder };
    const trials = () =>
      trialRecords(box.folder).map(({ at, fault }) => [Math.round((at - NOW) / DAY), fault] as const);
    /** The next moment at which it is three o'clock. */
    const toNight = (days = 0) => {
      box.clock.now += days * DAY;
      while (hourOf(box.clock.now) !== 3) box.clock.now += HOUR;
    };
    const proof = () =>
      checkUpkeep(box.db, by, box.folder, { now: box.clock.now }).find(
        ({ subject }) => subject === "backup proof",
      );
    return Object.assign(box, {
      desk,
      lines,
      trials,
      toNight,
      proof,
      tryIt: () => tryBackupWhenDue(needs, desk),
    });
  }
  const DAY = 24 * HOUR;
  const hourOf = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(Temporal.Now.timeZoneId()).hour;

  test("at night, once a week, and never by day unless a day went by without a night", async () => {
    using box = tried();
    await box.tryIt(); // there is none yet
    await box.job();
    while (hourOf(box.clock.now) !== 1) {
      await box.tryIt();
      box.clock.now += HOUR;
    }
    expect(box.trials()).toEqual([]);
    box.toNight();
    await box.tryIt();
    expect(box.trials()).toEqual([[expect.any(Number), null]]);
    expect(box.proof()).toMatchObject({ severity: "ok", message: expect.stringContaining("the last is of") });
    const [{ at: first = 0 } = {}] = trialRecords(box.folder);
    box.toNight(1);
    await box.tryIt();
    expect(trialRecords(box.folder)[0]?.at).toBe(first);
    box.clock.now = first + 8 * DAY + 9 * HOUR; // noon of the day after it was due
    await box.tryIt();
    expect(trialRecords(box.folder)[0]?.at).toBe(box.clock.now);
    expect(readdirSync(box.folder).filter((name) => name.startsWith("trial-"))).toEqual([]);
  });

  test("never with the setting at 0; check says when the last proof is more than 30 days old", async () => {
    using box = tried();
    write(box.db, (tx) => storeSetting(tx, "backup_try_days", 0));
    await box.job();
    box.toNight(1);
    await box.tryIt();
    expect(box.trials()).toEqual([]);
    expect(box.proof()).toMatchObject({
      severity: "ok",
      message: expect.stringContaining("no trial restore"),
    });
    box.clock.now += 31 * DAY;
    expect(box.proof()).toMatchObject({
      severity: "warning",
      message: expect.stringContaining("gatehouse settings set backup_try_days 7"),
    });
  });

  test("a backup that cannot be restored is an error of check, and the next one is tried as soon as it is there", async () => {
    using box = tried();
    await box.job();
    const [{ file = "" } = {}] = listBackups(box.backups);
    writeFileSync(file, "no backup at all");
    box.toNight();
    await box.tryIt();
    expect(box.trials()).toMatchObject([[expect.any(Number), expect.stringContaining("no backup")]]);
    expect(box.proof()).toMatchObject({ severity: "error" });
    expect(box.lines.join()).toContain("the trial restore of the newest backup failed");
    box.clock.now += DAY;
    await box.job();
    box.toNight();
    await box.tryIt();
    expect(box.trials()[0]).toEqual([expect.any(Number), null]);
    expect(box.proof()).toMatchObject({ severity: "ok" });
  });

  test("what is no fault of the backup is none of it, and is not tried again at every look", async () => {
    let requests = 0;
    using box = tried({
      try: async () => {
        requests += 1;
        throw new DomainError("conflict", verbatim("the disk has no room"));
      },
    });
    await box.job();
    box.toNight();
    await box.tryIt();
    await box.tryIt();
    expect(requests).toBe(1);
    expect(box.trials()).toEqual([]);
    box.toNight(1);
    await box.tryIt();
    expect(requests).toBe(2);
  });

  test("a trial that the end of the server broke off says nothing of the backup", async () => {
    const stopping = new AbortController();
    using box = tried(backupThreads(stopping.signal));
    await box.job();
    box.toNight();
    const trying = box.tryIt();
    stopping.abort();
    await trying;
    expect(box.trials()).toEqual([]);
    expect(box.desk.last).toMatchObject({ fault: expect.stringContaining("broken off") });
  });
});
