import type { Logger } from "pino";
import { randomUUID } from "node:crypto";
import type { Endpoint } from "../../os/client-socket.ts";
import { closePair, openPair, type PacketPair } from "../../os/packet-pair.ts";
import type { Role } from "../packet/authenticator.ts";
import type { RadsecLine } from "./radsec-journal.ts";
import type { RadsecEnd } from "./radsec-link.ts";

/** Of each thread of a role. */
type Ends = Readonly<Record<Role, readonly RadsecEnd[]>>;

/** Orders of main to the TLS thread. */
export type RadsecOrder = { kind: "serve"; folder: string; listen: Endpoint; ends: Ends } | { kind: "stop" };

/** What it reports. */
export type RadsecNotice =
  | { kind: "listening"; endpoint: Endpoint }
  /** Once a second, as a sign of life. */
  | { kind: "counted"; connections: ReadonlyMap<number, number> }
  | { kind: "refused"; line: RadsecLine }
  | { kind: "failed"; message: string }
  | { kind: "stopped" };

export interface RadsecOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly listen: Endpoint;
  /** Whether any router uses RadSec: until then there is no thread and no open port. */
  readonly isWanted: () => boolean;
  readonly spawn: () => Worker;
  /** Threads of each role. */
  readonly threads: Readonly<Record<Role, number>>;
  readonly findName: (nasId: number) => string | undefined;
}

/** Milliseconds between two checks whether RadSec is wanted, and before a dead thread is restarted. */
const LOOK_EVERY = 1000;
const STOP_PATIENCE = 2000;
/** Milliseconds between two log lines about a failure. */
const FAILURE_PAUSE = 60_000;

/** RadSec beside the UDP ports, from the first certificate on; restarted when it dies. */
export class RadsecThread {
  readonly #options: RadsecOptions;
  readonly #pairs: Readonly<Record<Role, readonly PacketPair[]>>;
  readonly #channel = randomUUID();
  readonly #looking: Timer;
  #worker: Worker | undefined;
  #onStopped = () => {};
  #isStopping = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Where it listens; undefined: nowhere. */
  endpoint: Endpoint | undefined;
  /** Connections of each router; at most a second old. */
  connections: ReadonlyMap<number, number> = new Map();

  constructor(options: RadsecOptions) {
    this.#options = options;
    const { auth, acct } = options.threads;
    this.#pairs = {
      auth: Array.from({ length: auth }, openPair),
      acct: Array.from({ length: acct }, openPair),
    };
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY);
    this.#look();
  }

  /** Ends of the RADIUS threads of a role. */
  listEnds(role: Role): RadsecEnd[] {
    return this.#pairs[role].map(({ receiver: fd }) => ({ fd, channel: this.#roleChannel(role) }));
  }

  #roleChannel(role: Role): string {
    return `${this.#channel} ${role}`;
  }

  /** Stops TLS; the RADIUS threads must have stopped before their ends are closed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#looking);
    const worker = this.#worker;
    if (!worker) return;
    const stopped = Promise.withResolvers<void>();
    this.#onStopped = () => stopped.resolve();
    worker.postMessage({ kind: "stop" } satisfies RadsecOrder);
    const giveUp = setTimeout(() => stopped.resolve(), STOP_PATIENCE);
    await stopped.promise;
    clearTimeout(giveUp);
    worker.terminate();
  }

  close(): void {
    for (const pair of Object.values(this.#pairs).flat()) closePair(pair);
  }

  #look(): void {
    if (!this.#worker && !this.#isStopping && this.#options.isWanted()) this.#start();
  }

  #start(): void {
    const { folder, log, listen, spawn } = this.#options;
    const worker = spawn();
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<RadsecNotice>) => this.#onNotice(data));
    worker.addEventListener("error", ({ message }: ErrorEvent) => this.#failed(message));
    worker.addEventListener("close", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.endpoint = undefined;
      this.connections = new Map();
      this.#onStopped();
      if (!this.#isStopping) log.error("the RadSec thread died and is started again");
    });
    const listEnds = (role: Role) =>
      this.#pairs[role].map(({ sender: fd }) => ({ fd, channel: this.#roleChannel(role) }));
    const ends = { auth: listEnds("auth"), acct: listEnds("acct") };
    worker.postMessage({ kind: "serve", folder, listen, ends } satisfies RadsecOrder);
  }

  #onNotice(notice: RadsecNotice): void {
    const { log, findName } = this.#options;
    switch (notice.kind) {
      case "listening":
        this.endpoint = notice.endpoint;
        log.info({ listen: notice.endpoint }, "RadSec is served");
        break;
      case "counted":
        this.connections = notice.connections;
        break;
      case "refused": {
        const { address, nasId, reason, count } = notice.line;
        const nas = nasId === null ? undefined : findName(nasId);
        const from = nas === undefined ? address : `NAS ${nas} (from ${address})`;
        log.warn({ address, nas, count }, `RadSec of ${from} is refused: ${reason}`);
        break;
      }
      case "failed":
        this.#failed(notice.message);
        break;
      case "stopped":
        this.#onStopped();
    }
  }

  #failed(message: string): void {
    const { log } = this.#options;
    if (performance.now() < this.#failedAt + FAILURE_PAUSE) return;
    this.#failedAt = performance.now();
    log.error({ error: message }, "RadSec failed and is tried again");
  }
}
