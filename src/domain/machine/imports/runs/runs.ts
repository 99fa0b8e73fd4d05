import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { type Db, writePatiently } from "../../../../../db/open.ts";
import { audit } from "../../../core/audit/audit.ts";
import { DomainError } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { type Actor, requireOwnIsp, requireWholeIsp, seesIsp } from "../../../core/actor/actor.ts";
import { permit } from "../../../core/actor/permissions.ts";
import type { Clock } from "../../../core/time/time.ts";
import { loadLooks } from "./result.ts";
import {
  keptPasswords,
  loadRun,
  loadRuns,
  readLastMap,
  removeHalfUploaded,
  removeRun,
  removeUploaded,
  type Run,
  runFolder,
  type RunState,
  saveRun,
  shredPasswords,
  writeLastMap,
} from "./run.ts";
import type { MoveProcess, SpawnMove } from "./process.ts";
import type { MoveNotice } from "./work.ts";

interface RunsNeeds {
  readonly db: Db;
  readonly clock: Clock;
  readonly folder: string;
  /** Runs `doMove` in a process. */
  readonly spawn: SpawnMove;
  readonly limit: number;
  readonly failed: (message: string) => void;
}

export interface RunProgress {
  readonly step: string;
  readonly bytes: number;
  readonly total: number;
}

type RunOptions = Pick<Partial<Run>, "map" | "options">;

interface Current extends RunProgress {
  readonly id: string;
  readonly process: MoveProcess;
  readonly stopping: { isRequested: boolean };
  readonly ended: Promise<void>;
}

const orders = { look: "looking", try: "reading", move: "moving" } as const;
const BUSY: readonly RunState[] = Object.values(orders);

type Ended = Exclude<MoveNotice, { kind: "progress" }> | { readonly kind: "interrupted" };

/** Seconds that uploads and unfetched passwords stay. */
const A_DAY = 86_400;
const PASSWORDS_STAY = 30 * A_DAY;
const MOST_RUNS = 20;

/** Uploads, and the one process that works on them. */
export class MovingRuns {
  readonly #needs: RunsNeeds;
  #current: Current | undefined;
  readonly #arriving = new Map<string, number>();
  /** Owners of waiting runs, in order. */
  readonly #waiting = new Map<string, Actor>();

  /** Marks interrupted runs, unless their import is stored, and removes partial uploads. A full disk is logged and does not stop the start. */
  constructor(needs: RunsNeeds) {
    this.#needs = needs;
    try {
      for (const run of loadRuns(needs.folder)) this.#settled(run);
      this.cleanUp();
    } catch (error) {
      needs.failed(`what was uploaded before cannot be looked after: ${String(error)}`);
    }
  }

  get folder(): string {
    return this.#needs.folder;
  }

  get limit(): number {
    return this.#needs.limit;
  }

  list(by: Actor): Run[] {
    allow(by);
    this.cleanUp();
    return loadRuns(this.folder)
      .filter((run) => seesIsp(by.scope, run))
      .map((run) => this.#settled(run));
  }

  get(by: Actor, id: string): Run {
    allow(by);
    const run = loadRun(this.folder, id);
    if (!run || !seesIsp(by.scope, run))
      throw new DomainError("not_found", phrase`there is no such upload; it goes after a day`);
    return this.#settled(run);
  }

  /** undefined: idle. */
  progress(id: string): RunProgress | undefined {
    return this.#current?.id === id ? this.#current : undefined;
  }

  /** Whether it starts after another one. */
  isQueued(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** A folder for an upload. Throws `refused` for too many. */
  prepare(by: Actor, ispId: number): { id: string; folder: string; abandon: () => void } {
    allow(by);
    requireOwnIsp(by, ispId);
    if (!this.#needs.db.$client.query("SELECT 1 FROM isps WHERE id = ?").get(ispId))
      throw new DomainError("invalid", phrase`there is no such ISP; make it first, under Places`);
    this.cleanUp();
    const here = [...loadRuns(this.folder).map((run) => run.ispId), ...this.#arriving.values()];
    if (here.filter((id) => id === ispId).length >= MOST_RUNS)
      throw new DomainError("refused", phrase`many uploads wait already; discard those that nobody needs`);
    const id = randomUUID();
    const folder = runFolder(this.folder, id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#arriving.set(id, ispId);
    const abandon = () => {
      this.#arriving.delete(id);
      removeRun(this.folder, id);
    };
    return { id, folder, abandon };
  }

  /** Starts a complete upload, or queues it; tables are looked at first. */
  add(by: Actor, { id, ispId, source, files }: Pick<Run, "id" | "ispId" | "source" | "files">): Run {
    allow(by);
    requireOwnIsp(by, ispId);
    const now = this.#needs.clock();
    const run: Run = {
      id,
      ispId,
      staffId: by.staffId,
      actor: by.name,
      source,
      files: [...files],
      createdAt: now,
      changedAt: now,
      state: "waiting",
      problem: null,
      map: readLastMap(this.folder, ispId, source),
      moveId: null,
      passwords: 0,
    };
    saveRun(this.folder, run);
    this.#arriving.delete(id);
    if (this.#current) {
      this.#waiting.set(id, by);
      return run;
    }
    return this.#begin(by, run, firstStep(run));
  }

  start(by: Actor, id: string, kind: keyof typeof orders, options: RunOptions = {}): Run {
    const run = this.get(by, id);
    if (run.state === "moved") throw new DomainError("refused", phrase`it was brought in already`);
    if (kind === "move" && run.state !== "tried")
      throw new DomainError("refused", phrase`try it first; what was tried has changed`);
    if (this.#current)
      throw new DomainError("refused", phrase`another move is under way; wait until it is done`);
    return this.#begin(by, { ...run, ...options }, kind);
  }

  /** Ends the current work cleanly; nothing is imported unless it was done. */
  async stop(by: Actor, id: string): Promise<Run> {
    this.get(by, id);
    const current = this.#current;
    if (current?.id === id) {
      await this.#stopped(current);
    }
    return this.get(by, id);
  }

  /** Throws `refused` while it is worked on. */
  discard(by: Actor, id: string): void {
    this.get(by, id);
    if (this.#current?.id === id) throw new DomainError("refused", phrase`it is at work; stop it first`);
    removeRun(this.folder, id);
  }

  async takePasswords(by: Actor, id: string): Promise<string> {
    const run = this.get(by, id);
    const text = keptPasswords(this.folder, id);
    if (text === undefined || run.passwords === 0)
      throw new DomainError(
        "not_found",
        phrase`the list was fetched already; give new passwords on the pages of the subscribers`,
      );
    const now = this.#needs.clock();
    await writePatiently(this.#needs.db, (tx) =>
      audit(tx, by, now, {
        action: "data.move_passwords",
        entity: "move",
        entityId: run.moveId ?? 0,
        ispId: run.ispId,
        after: { passwords: run.passwords },
      }),
    );
    shredPasswords(this.folder, id);
    saveRun(this.folder, { ...run, passwords: 0 });
    return text;
  }

  /** Removes day-old runs and partial uploads. */
  cleanUp(): void {
    const now = this.#needs.clock();
    removeHalfUploaded(this.folder, this.#arriving);
    for (const run of loadRuns(this.folder)) {
      const stays = run.passwords > 0 ? PASSWORDS_STAY : A_DAY;
      if (run.id !== this.#current?.id && now - run.changedAt > stays) removeRun(this.folder, run.id);
    }
  }

  async close(): Promise<void> {
    this.#waiting.clear();
    const current = this.#current;
    if (!current) return;
    await this.#stopped(current);
  }

  /** Asks, then kills: it has written all or nothing. */
  async #stopped({ process, stopping, ended }: Current): Promise<void> {
    stopping.isRequested = true;
    process.stop();
    await Promise.race([ended, Bun.sleep(STOP_PATIENCE)]);
    process.kill();
    await ended;
  }

  /** The state after its process or the program ended. */
  #settled(run: Run): Run {
    const isBusy = BUSY.includes(run.state) && run.id !== this.#current?.id;
    return isBusy ? this.#end(run, { kind: "interrupted" }) : run;
  }

  #landed({ id, ispId, source, state, changedAt }: Run): Ended | undefined {
    if (state !== "moving") return undefined;
    const move = this.#needs.db.$client
      .query<{ id: number }, [number, string, number]>(
        "SELECT id FROM moves WHERE isp_id = ? AND source = ? AND started_at = ? ORDER BY id DESC LIMIT 1",
      )
      .get(ispId, source, changedAt);
    return move ? { kind: "moved", moveId: move.id, passwords: passwordCount(this.folder, id) } : undefined;
  }

  #begin(by: Actor, before: Run, kind: keyof typeof orders): Run {
    const { spawn, folder, failed } = this.#needs;
    const run = this.#stored({ ...before, state: orders[kind], problem: null });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const stopping = { isRequested: false };
    const total = run.files.reduce((sum, { bytes }) => sum + bytes, 0);
    const end = (notice: Ended) => {
      if (this.#current?.stopping !== stopping) return;
      this.#current = undefined;
      if (notice.kind === "failed" && notice.isOurs) failed(notice.message);
      try {
        this.#end(run, notice);
      } finally {
        resolve();
        this.#beginNext();
      }
    };
    const order = { kind, folder, run, by, now: run.changedAt, zone: Temporal.Now.timeZoneId() };
    let last: Ended | undefined;
    const process = spawn(order, {
      notice: (notice) => {
        if (notice.kind !== "progress") last = notice;
        else if (this.#current?.stopping === stopping)
          this.#current = { ...this.#current, step: notice.step, bytes: notice.bytes };
      },
      // not before: what it wrote stands once it is gone
      ended: (why) => {
        if (last) return end(last);
        if (stopping.isRequested) return end({ kind: "stopped" });
        if (why === "too_large") return end({ kind: "failed", message: TOO_LARGE, isOurs: false });
        return end({ kind: "failed", message: "the process ended", isOurs: true });
      },
    });
    this.#current = { id: run.id, process, stopping, ended, total, step: "reading", bytes: 0 };
    return run;
  }

  #beginNext(): void {
    for (const [id, by] of this.#waiting) {
      this.#waiting.delete(id);
      const run = loadRun(this.folder, id);
      if (run?.state === "waiting") return void this.#try(() => this.#begin(by, run, firstStep(run)));
    }
  }

  /** A stored import counts, though later steps failed. */
  #end(run: Run, notice: Ended): Run {
    const ended = notice.kind === "moved" ? notice : (this.#landed(run) ?? notice);
    switch (ended.kind) {
      case "looked":
        return this.#save({
          ...run,
          state: loadLooks(this.folder, run.id).length > 0 ? "columns" : "failed",
        });
      case "moved": {
        const { moveId, passwords } = ended;
        const moved = this.#save({ ...run, state: "moved", moveId, passwords });
        this.#try(() => {
          removeUploaded(this.folder, run);
          writeLastMap(this.folder, run);
        });
        return moved;
      }
      case "failed":
        return this.#save({ ...run, state: "failed", problem: ended.isOurs ? INTERNAL : ended.message });
      default:
        return this.#save({ ...run, state: ended.kind });
    }
  }

  /** If it cannot be written, it is determined again when asked for. */
  #save(run: Run): Run {
    const saved = { ...run, changedAt: this.#needs.clock() };
    this.#try(() => saveRun(this.folder, saved));
    return saved;
  }

  /** Throws `refused` for a full disk. */
  #stored(run: Run): Run {
    const saved = { ...run, changedAt: this.#needs.clock() };
    if (this.#try(() => saveRun(this.folder, saved))) return saved;
    throw new DomainError(
      "refused",
      phrase`nothing can be written to the disk; make room on it and try again`,
    );
  }

  #try(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      this.#needs.failed(String(error));
      return false;
    }
  }
}

const STOP_PATIENCE = 1000;
const TOO_LARGE =
  "reading it takes more memory than there is to spare beside the service; bring it in in several parts, or by gatehouse migrate on another machine";
const INTERNAL = "an internal error; its cause is in the log, and nothing was brought in";

/** Tables are looked at first. */
const firstStep = ({ source }: Run) => (source === "csv" ? "look" : "try");

function allow(by: Actor): void {
  permit(by, "moveIn");
  requireWholeIsp(by, "moves from other systems");
}

function passwordCount(folder: string, id: string): number {
  const lines = keptPasswords(folder, id)?.trim().split("\r\n").length ?? 1;
  return lines - 1;
}
