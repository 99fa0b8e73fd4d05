import type { Logger } from "pino";
import type { QuotaCrossed } from "../domain/sessions/accounting.ts";
import type { AccessEvent } from "./access.ts";
import type { DropLine } from "./journal.ts";
import type { Role } from "./authenticator.ts";
import type { Endpoint } from "./socket.ts";
import type { Notice, Order } from "./threads.ts";

export interface RadiusOptions {
  /** The data folder, with a migrated store. */
  folder: string;
  auth: Endpoint;
  acct: Endpoint;
  log: Logger;
  /** Access decisions to record, in batches. */
  decided: (events: AccessEvent[]) => void;
  authenticatorSeen: (nasId: number) => void;
  quotaCrossed: (crossed: QuotaCrossed) => void;
}

export interface RadiusServer {
  readonly auth: Endpoint;
  readonly acct: Endpoint;
  /** Whether both threads listen at this moment. */
  readonly isListening: () => boolean;
  /** Commits what has arrived, then closes. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds before a thread that died is started again. */
const RESTART_PAUSE = 200;
const STOP_PATIENCE = 5000;

/** Starts the access and the accounting thread. Rejects when one cannot listen. */
export async function startRadius(options: RadiusOptions): Promise<RadiusServer> {
  const auth = new RadiusThread("auth", options.auth, options);
  const acct = new RadiusThread("acct", options.acct, options);
  const threads = [auth, acct];
  const stop = async () => {
    await Promise.all(threads.map((thread) => thread.stop()));
  };
  try {
    await Promise.all(threads.map((thread) => thread.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    auth: auth.endpoint,
    acct: acct.endpoint,
    isListening: () => threads.every((thread) => thread.isListening),
    stop,
  };
}

// in the executable this module is part of main's file, one folder above
const here = new URL(Bun.isStandaloneExecutable ? "./radius/" : "./", import.meta.url);
const spawn: Record<Role, () => Worker> = {
  auth: () => new Worker(new URL("access-worker.ts", here)),
  acct: () => new Worker(new URL("accounting-worker.ts", here)),
};

/** One port in a thread of its own, started again when it dies. */
class RadiusThread {
  readonly #role: Role;
  readonly #options: RadiusOptions;
  endpoint: Endpoint;
  isListening = false;
  #worker: Worker | undefined;
  #isStopping = false;
  #onStopped = () => {};

  constructor(role: Role, endpoint: Endpoint, options: RadiusOptions) {
    this.#role = role;
    this.endpoint = endpoint;
    this.#options = options;
  }

  start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const worker = spawn[this.#role]();
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<Notice>) => {
      if (data.kind === "listening") {
        // a restart must come back on the same port
        this.endpoint = data.endpoint;
        this.isListening = true;
        resolve();
      } else if (data.kind === "refused") {
        reject(new Error(`RADIUS ${this.#role} cannot listen on ${shown(this.endpoint)}: ${data.message}`));
      } else {
        this.#heed(data);
      }
    });
    worker.addEventListener("error", ({ message }: ErrorEvent) => {
      this.#options.log.error({ port: this.#role, error: message }, "a RADIUS thread failed");
      reject(new Error(message));
    });
    worker.addEventListener("close", () => this.#restart());
    worker.postMessage({
      kind: "serve",
      folder: this.#options.folder,
      listen: this.endpoint,
    } satisfies Order);
    return promise;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const worker = this.#worker;
    if (!worker) return;
    if (this.isListening) {
      const stopped = new Promise<void>((resolve) => {
        this.#onStopped = resolve;
      });
      worker.postMessage({ kind: "stop" } satisfies Order);
      const giveUp = setTimeout(() => this.#onStopped(), STOP_PATIENCE);
      await stopped;
      clearTimeout(giveUp);
    }
    this.isListening = false;
    worker.terminate();
  }

  #heed(notice: Exclude<Notice, { kind: "listening" | "refused" }>): void {
    const { log, decided, authenticatorSeen, quotaCrossed } = this.#options;
    switch (notice.kind) {
      case "decided":
        decided(notice.events);
        break;
      case "dropped":
        log.warn({ port: this.#role, ...notice.line }, dropMessage(notice.line));
        break;
      case "authenticator_seen":
        authenticatorSeen(notice.nasId);
        break;
      case "quota_crossed":
        quotaCrossed(notice.crossed);
        break;
      case "failed":
        log.error(
          { port: this.#role, records: notice.records, error: notice.message },
          "RADIUS packets were left unanswered",
        );
        break;
      case "stopped":
        this.#onStopped();
    }
  }

  #restart(): void {
    const wasListening = this.isListening;
    this.isListening = false;
    if (this.#isStopping || !wasListening) return;
    this.#options.log.error({ port: this.#role }, "a RADIUS thread died and is started again");
    setTimeout(() => {
      if (this.#isStopping) return;
      this.start().catch((error: unknown) => {
        this.#options.log.fatal(
          { port: this.#role, error: String(error) },
          "a RADIUS thread could not be started again",
        );
      });
    }, RESTART_PAUSE);
  }
}

function shown({ host, port }: Endpoint): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** What a person has to know about a refused datagram. */
function dropMessage({ reason, address, nas }: DropLine): string {
  const from = nas === null ? address : `NAS ${nas} (${address})`;
  switch (reason) {
    case "unknown_nas":
      return `unknown NAS ${address}, add it with: gatehouse nas add --address ${address}`;
    case "bad_authenticator":
    case "bad_message_authenticator":
      return `a packet of ${from} is not signed with our shared secret; compare the secret in /radius on the router`;
    case "message_authenticator_missing":
      return `a packet of ${from} has no Message-Authenticator; set require-message-auth on the router, or require_message_authenticator "no" for this NAS`;
    case "code_not_served":
      return `${from} sent a packet of a kind that this port does not serve; check its authentication and accounting ports`;
    default:
      return `a packet of ${from} was dropped: ${reason}`;
  }
}
