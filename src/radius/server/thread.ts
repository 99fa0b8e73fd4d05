import type { Logger } from "pino";
import { type Seconds, systemClock } from "../../domain/core/time/time.ts";
import type { AccessPlace } from "./access-memory.ts";
import type { Role } from "../packet/authenticator.ts";
import { Counters } from "./counters.ts";
import type { DropReason } from "./gate.ts";
import { crowdedMessage, dropMessage, guessingMessage, lostBatchMessage } from "./drop-message.ts";
import { type ReceiveBuffer, receiveBuffer } from "../../os/receive-buffer.ts";
import { type BoundPort, closePort } from "../../os/server-socket.ts";
import type { Endpoint } from "../../os/client-socket.ts";
import type { RadsecEnd } from "./radsec-link.ts";
import type { Notice, Order } from "./threads.ts";
import { Timings } from "./timings.ts";

export interface ThreadOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly spawn: () => Worker;
  readonly turns?: SharedArrayBuffer | undefined;
  /** Of an access thread. */
  readonly place?: AccessPlace | undefined;
  /** The source of RadSec packets; undefined: none. */
  readonly radsec?: RadsecEnd | undefined;
  /** Called with reports other than the thread's own state. */
  readonly onNotice: (notice: DomainNotice) => void;
}

/** Notices about subscribers and routers. */
export type DomainNotice = Extract<
  Notice,
  {
    kind: "decided" | "dropped" | "authenticator_seen" | "quota_crossed" | "carried" | "reported" | "arrived";
  }
>;

/** Milliseconds before a dead thread is restarted. */
const RESTART_PAUSE = 200;
const STOP_PATIENCE = 5000;

/** A port's receive buffer, and the last drop by the kernel in UTC seconds; null: never. */
export interface PortBuffer extends ReceiveBuffer {
  readonly droppedAt: Seconds | null;
}

/** A UDP port served by its own thread, restarted when it dies; datagrams that arrive meanwhile wait in the buffer. */
export class RadiusThread {
  readonly counters = new Counters();
  readonly timings = new Timings();
  /** When packets of a NAS were last counted, in performance.now() milliseconds; at most a second late. */
  readonly lastSeen = new Map<string, number>();
  /** Logins that had waited too long, and when the last was dropped. */
  late: { readonly dropped: number; readonly droppedAt: Seconds | null } = { dropped: 0, droppedAt: null };
  readonly #role: Role;
  readonly #options: ThreadOptions;
  readonly #port: BoundPort;
  isListening = false;
  /** Whether port and RadSec end are in use no more. */
  isClosed = false;
  #lastSign = performance.now();
  #buffer: PortBuffer | undefined;
  #worker: Worker | undefined;
  #isStopping = false;
  #restarting: Timer | undefined;
  #onStopped = () => {};

  /** Closes the port when it stops. */
  constructor(role: Role, port: BoundPort, options: ThreadOptions) {
    this.#role = role;
    this.#port = port;
    this.#options = options;
  }

  get endpoint(): Endpoint {
    return this.#port.endpoint;
  }

  /** Resolves when the thread listens, rejects when it cannot. */
  start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { folder, log, spawn, radsec, turns, place } = this.#options;
    const port = this.#port;
    const worker = spawn();
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<Notice>) => {
      if (data.kind === "listening") {
        this.isListening = true;
        this.#lastSign = performance.now();
        resolve();
      } else if (data.kind === "refused") {
        worker.terminate();
        this.#forget(worker); // it does not use the port
        reject(new Error(`the RADIUS ${this.#role} thread could not start: ${data.message}`));
      } else {
        this.#onNotice(data);
      }
    });
    worker.addEventListener("error", ({ message }: ErrorEvent) => {
      log.error({ port: this.#role, error: message }, "a RADIUS thread failed");
      reject(new Error(message));
    });
    worker.addEventListener("close", () => {
      this.#forget(worker);
      reject(new Error(`the RADIUS ${this.#role} thread ended`));
      if (this.isListening) this.#restart();
    });
    const more = { ...(radsec && { radsec }), ...(turns && { turns }), ...(place && { place }) };
    const order: Order = { kind: "serve", folder, port, ...more };
    worker.postMessage(order);
    return promise;
  }

  /** Seconds since the thread's sign of life, sent every second. */
  get silence(): number {
    return this.#isStopping ? 0 : (performance.now() - this.#lastSign) / 1000;
  }

  /** The receive buffer; undefined where the system does not report it. Called each second to date drops. */
  lookAtBuffer(): PortBuffer | undefined {
    const seen = this.isClosed ? undefined : receiveBuffer(this.#port);
    if (!seen) return this.#buffer;
    const isMore = seen.dropped !== (this.#buffer?.dropped ?? 0);
    const droppedAt = isMore ? systemClock() : (this.#buffer?.droppedAt ?? null);
    return (this.#buffer = { ...seen, droppedAt });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restarting);
    // a thread that does not stop may use the port until the program ends
    if (!this.#worker || (await this.#stopThread(this.#worker))) this.#close();
    this.isListening = false;
    this.#worker?.terminate();
  }

  #forget(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#onStopped();
  }

  /** Returns whether it stopped in time. */
  async #stopThread(worker: Worker): Promise<boolean> {
    const stopped = Promise.withResolvers<boolean>();
    this.#onStopped = () => stopped.resolve(true);
    worker.postMessage({ kind: "stop" } satisfies Order);
    // cleared, because a pending timer keeps the program from ending
    const giveUp = setTimeout(() => stopped.resolve(false), STOP_PATIENCE);
    const hasStopped = await stopped.promise;
    clearTimeout(giveUp);
    return hasStopped;
  }

  #close(): void {
    if (!this.isClosed) closePort(this.#port);
    this.isClosed = true;
  }

  #onNotice(notice: Exclude<Notice, { kind: "listening" | "refused" }>): void {
    const { log, onNotice } = this.#options;
    switch (notice.kind) {
      case "dropped":
        log.warn({ port: this.#role, ...notice.line }, dropMessage(notice.line));
        onNotice(notice);
        break;
      case "crowded":
        log.warn({ port: this.#role, nas: notice.nas }, crowdedMessage(notice.nas));
        break;
      case "guessing":
        log.warn({ port: this.#role, nas: notice.nas }, guessingMessage(notice.nas));
        break;
      case "batch_lost":
        log.error({ port: this.#role, card: notice.card }, lostBatchMessage(notice.card));
        break;
      case "failed": {
        const { records, message } = notice;
        log.error({ port: this.#role, records, error: message }, "RADIUS packets were left unanswered");
        break;
      }
      case "counted":
        for (const { nas, kind, outcome, count } of notice.counts) {
          this.counters.add(nas, kind, outcome, count);
          if (nas !== null) this.lastSeen.set(nas, performance.now());
          if (outcome === ("late" satisfies DropReason))
            this.late = { dropped: this.late.dropped + count, droppedAt: systemClock() };
        }
        break;
      case "measured":
        this.#lastSign = performance.now();
        this.timings.add(notice.timings);
        this.lookAtBuffer();
        break;
      case "stopped":
        this.#onStopped();
        break;
      default:
        onNotice(notice);
    }
  }

  /** Retries until it listens, because without it nobody gets online. */
  #restart(): void {
    this.isListening = false;
    if (this.#isStopping) return;
    const { log } = this.#options;
    log.error({ port: this.#role }, "a RADIUS thread died and is started again");
    this.#restarting = setTimeout(() => {
      this.start().catch((error: unknown) => {
        log.error({ port: this.#role, error: String(error) }, "a RADIUS thread could not be started again");
        this.#restart();
      });
    }, RESTART_PAUSE);
  }
}
