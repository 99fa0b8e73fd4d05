import { basename } from "node:path";
import { type Db, writePatiently } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
import { ownAccount } from "../../people/staff/second-factor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { verifyPassword } from "../../people/staff/passwords.ts";
import type { Clock, Seconds } from "../../core/time/time.ts";
import { folderFault } from "./folder.ts";
import { dataFolderOf } from "../../core/files/files.ts";
import {
  backupFileAt,
  backupFolder,
  forgetBackups,
  readableBackups,
  type ScheduledBackup,
} from "./schedule.ts";
import { removeTrials, type Trial, type TrialOrder, type TrialStep } from "./trial.ts";
import { storeTrial } from "./trial-records.ts";
import type { Backup, BackupOrder } from "./write-backup.ts";

/** Takes minutes for a large store, so it runs in a thread. */
export interface BackupThreads {
  readonly write: (order: BackupOrder) => Promise<Backup>;
  readonly try: (order: TrialOrder, step: (step: TrialStep) => void) => Promise<Trial>;
}

interface Needs {
  readonly db: Db;
  readonly clock: Clock;
  readonly threads: BackupThreads;
  readonly program: string;
  /** Whether a systemd unit restricts where this process may write. */
  readonly isService: boolean;
  /** For failures that are no fault of the backup or its folder. */
  readonly failed: (error: unknown) => void;
}

export interface BackupWork {
  readonly kind: "make" | "try";
  readonly name: string;
  readonly begunAt: Seconds;
  readonly step: TrialStep | null;
}

type Done =
  | { readonly kind: "make"; readonly made: Backup }
  | { readonly kind: "try"; readonly trial: Trial; readonly byPassphrase: boolean };

/** `fault` in one sentence; empty: only the log knows. */
export type BackupResult = { readonly name: string; readonly endedAt: Seconds; readonly took: Seconds } & (
  Done | { readonly kind: "make" | "try"; readonly fault: string }
);

/** Makes and tries backups for the console, one at a time. */
export class BackupDesk {
  readonly #needs: Needs;
  #work: BackupWork | null = null;
  #last: BackupResult | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(needs: Needs) {
    this.#needs = needs;
    removeTrials(dataFolderOf(needs.db)); // of a server that was ended
  }

  get work(): BackupWork | null {
    return this.#work;
  }

  get last(): BackupResult | null {
    return this.#last;
  }

  /** Resolves when the current work has ended, failed or not. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Starts a backup and returns its name; makeBackup checks permission. */
  make(by: Actor): string {
    const { db, clock, program, threads, isService } = this.#needs;
    this.#requireFree();
    const folder = backupFolder(db, dataFolderOf(db));
    const file = worded(() => backupFileAt(folder, clock()), folder, isService);
    const name = basename(file);
    this.#begin({ kind: "make", name }, async () => {
      const order = { folder: dataFolderOf(db), file, now: clock(), program };
      const made = await worded(() => threads.write(order), folder, isService);
      await this.#record(by, "backup.make", name, { bytes: made.bytes, has_key: made.hasKey });
      forgetBackups(db, dataFolderOf(db));
      return { kind: "make", made };
    });
    return name;
  }

  /** Starts a trial restore; tryBackup checks permission. */
  try(by: Actor, { name, passphrase }: { name: string; passphrase?: string | undefined }): void {
    const { db, clock, threads } = this.#needs;
    this.#requireFree();
    const { file, at } = backupNamed(db, name);
    const folder = dataFolderOf(db);
    const byPassphrase = passphrase !== undefined;
    const record = async (fault: string | null, createdAt: Seconds) => {
      storeTrial(folder, { name, createdAt, at: clock(), fault, byPassphrase });
      await this.#record(by, "backup.try", name, { fault, by_passphrase: byPassphrase });
    };
    this.#begin({ kind: "try", name }, async () => {
      try {
        const order = { folder, file, now: clock(), passphrase };
        const trial = await threads.try(order, (step) => this.#step(step));
        await record(trial.faults[0] ?? null, trial.createdAt);
        return { kind: "try", trial, byPassphrase };
      } catch (error) {
        // a wrong passphrase, a full disk and a shutdown say nothing of the backup
        if (error instanceof DomainError && error.kind !== "conflict" && !byPassphrase)
          await record(error.message, at);
        throw error;
      }
    });
  }

  #requireFree(): void {
    if (!this.#work) return;
    const { kind, name } = this.#work;
    throw new DomainError(
      "conflict",
      kind === "make"
        ? phrase`${name} is being made; wait until that is done`
        : phrase`${name} is being tried; wait until that is done`,
    );
  }

  #begin({ kind, name }: Pick<BackupWork, "kind" | "name">, run: () => Promise<Done>): void {
    const { clock, failed } = this.#needs;
    const begunAt = clock();
    this.#work = { kind, name, begunAt, step: null };
    this.#ended = this.#end({ kind, name, begunAt }, run, failed);
  }

  async #end(
    { kind, name, begunAt }: Omit<BackupWork, "step">,
    run: () => Promise<Done>,
    failed: (error: unknown) => void,
  ): Promise<void> {
    const { clock } = this.#needs;
    const ended = () => ({ name, endedAt: clock(), took: clock() - begunAt });
    try {
      const done = await run();
      this.#last = { ...ended(), ...done };
    } catch (error) {
      const isKnown = error instanceof DomainError;
      if (!isKnown) failed(error);
      this.#last = { ...ended(), kind, fault: isKnown ? error.message : "" };
    } finally {
      this.#work = null;
    }
  }

  #step(step: TrialStep): void {
    if (this.#work) this.#work = { ...this.#work, step };
  }

  async #record(by: Actor, action: string, name: string, after: object): Promise<void> {
    const { db, clock } = this.#needs;
    await writePatiently(db, (tx) =>
      audit(tx, by, clock(), { action, entity: "backup", entityId: name, ispId: null, after }),
    );
  }
}

/** Starts a backup and returns its name. Throws `forbidden`, `conflict` while other work runs, `refused`. */
export function makeBackup(db: Db, by: Actor, desk: BackupDesk): string {
  permit(by, "makeBackup");
  requireApplianceAdmin(db, by);
  return desk.make(by);
}

/**
 * Starts a trial restore, with this box's key, or with the passphrase as on another machine. Throws `forbidden`, `conflict`
 * while other work runs, `not_found`.
 */
export function tryBackup(
  db: Db,
  by: Actor,
  { desk, ...input }: { desk: BackupDesk; name: string; passphrase?: string | undefined },
): void {
  permit(by, "tryBackup");
  requireApplianceAdmin(db, by);
  desk.try(by, input);
}

export const backupNamed = (db: Db, name: string): ScheduledBackup =>
  backupIn(backupFolder(db, dataFolderOf(db)), name);

export function backupIn(folder: string, name: string): ScheduledBackup {
  const found = readableBackups(folder).find(({ file }) => basename(file) === name);
  if (!found) throw new DomainError("not_found", phrase`there is no backup ${name} in ${folder}`);
  return found;
}

/** A backup for download, after the own password: it has every subscriber. Throws `unauthenticated` for a wrong one, `not_found`. */
export async function takeBackupAway(
  db: Db,
  by: Actor,
  { name, password }: { name: string; password: string },
  { now }: { now: Seconds },
): Promise<ScheduledBackup> {
  permit(by, "takeBackupAway");
  const { passwordHash } = ownAccount(db, by);
  if (!(await verifyPassword(password, passwordHash, { source: by.source })))
    throw new DomainError("unauthenticated", phrase`that is not your present password`);
  const found = backupNamed(db, name);
  const after = { bytes: found.bytes };
  await writePatiently(db, (tx) =>
    audit(tx, by, now, { action: "backup.download", entity: "backup", entityId: name, ispId: null, after }),
  );
  return found;
}

function worded<T>(work: () => T, folder: string, isService: boolean): T {
  const inWords = (error: unknown): never => {
    const fault = folderFault(error, folder, isService);
    throw fault === undefined ? error : new DomainError("refused", fault);
  };
  try {
    const done = work();
    return done instanceof Promise ? (done.catch(inWords) as T) : done;
  } catch (error) {
    return inWords(error);
  }
}
