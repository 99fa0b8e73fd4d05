import type { NodeRequest } from "../domain/service/control/routers-of-boxes.ts";
import type { NodeAnswer, LinkNotice, LinkOrder, LookAnswer, PutAnswer } from "./messages.ts";
import type { NatsOptions } from "./connection.ts";

export interface LinkThreadNeeds {
  readonly folder: string;
  readonly version: string;
  /** The seed is in the store. */
  readonly options: Omit<NatsOptions, "seed">;
  /** As of `shareTurns`. */
  readonly turns?: SharedArrayBuffer;
  readonly notice: (
    notice: Exclude<LinkNotice, { kind: "stopped" | "asked" | "answered" | "put" | "looked" }>,
  ) => void;
  /** On an access box: a router request of the primary. */
  readonly onRequest?: (request: NodeRequest) => Promise<NodeAnswer>;
  /** The thread died, and is restarted. */
  readonly died: (error: string) => void;
}

/** Callers waiting for an answer, by order id. */
type Waiting<T> = Map<number, (answer: T | undefined) => void>;

/** Milliseconds before a dead thread is restarted, and that a thread has to stop. */
const RESTART_PAUSE = 1000;
const STOP_PATIENCE = 5000;

/** The NATS thread: not started, and none of its code loaded, without GATEHOUSE_NATS_URL. */
export class LinkThread {
  readonly #needs: LinkThreadNeeds;
  #worker: Worker | undefined;
  #isStopping = false;
  #restarting: Timer | undefined;
  #onStopped = () => {};
  #lastOrder = 0;
  readonly #onRequest: Waiting<unknown> = new Map();
  readonly #put: Waiting<PutAnswer> = new Map();
  readonly #looked: Waiting<LookAnswer> = new Map();

  constructor(needs: LinkThreadNeeds) {
    this.#needs = needs;
    this.#start();
  }

  /** Sends a request to an access box. Rejects when no answer came. */
  async ask(node: string, request: NodeRequest): Promise<unknown> {
    const answer = await this.#order(this.#onRequest, (id) => ({ kind: "ask", id, box: node, request }));
    if (answer) return answer;
    throw new Error(`${node} did not answer`);
  }

  /** On the primary: stores a backup in the object store and returns its size there. Rejects unless it was stored completely. */
  readonly putBackup = async (file: string): Promise<number> => {
    const answer = await this.#order<PutAnswer>(this.#put, (id) => ({ kind: "put", id, file }));
    if (answer && "bytes" in answer) return answer.bytes;
    throw new Error(answer?.fault ?? "the thread that talks to NATS ended; it is tried again");
  };

  /** On the primary: the newest complete backup in the object store, null for none. Rejects when NATS cannot be reached. */
  readonly newestBackup = async (): Promise<{ at: number; bytes: number } | null> => {
    const answer = await this.#order<LookAnswer>(this.#looked, (id) => ({ kind: "look", id }));
    if (answer && "newest" in answer) return answer.newest;
    throw new Error(answer?.fault ?? "the thread that talks to NATS ended; it is tried again");
  };

  /** Undefined when no answer came. */
  #order<T>(waiting: Waiting<T>, order: (id: number) => LinkOrder): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    const id = ++this.#lastOrder;
    if (!this.#worker || this.#isStopping) return Promise.resolve(undefined);
    waiting.set(id, (answer) => {
      waiting.delete(id);
      resolve(answer);
    });
    this.#worker.postMessage(order(id));
    return promise;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restarting);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onStopped = resolve;
    this.#worker?.postMessage({ kind: "stop" } satisfies LinkOrder);
    const giveUp = setTimeout(resolve, STOP_PATIENCE);
    await promise;
    clearTimeout(giveUp);
    this.#worker?.terminate();
  }

  async #answer(worker: Worker, id: number, request: NodeRequest): Promise<void> {
    const answer = (await this.#needs.onRequest?.(request)) ?? {
      kind: "failed",
      reason: "it is no access box",
    };
    worker.postMessage({ kind: "answer", id, answer } satisfies LinkOrder);
  }

  #start(): void {
    const { folder, version, options, turns, notice, died } = this.#needs;
    const worker = new Worker(new URL("link-worker.ts", here));
    this.#worker = worker;
    let why = "it ended";
    worker.addEventListener("message", ({ data }: MessageEvent<LinkNotice>) => {
      if (data.kind === "stopped") this.#onStopped();
      else if (data.kind === "answered") this.#onRequest.get(data.id)?.(data.answer);
      else if (data.kind === "put") this.#put.get(data.id)?.(data.answer);
      else if (data.kind === "looked") this.#looked.get(data.id)?.(data.answer);
      else if (data.kind === "asked") void this.#answer(worker, data.id, data.request);
      else notice(data);
    });
    worker.addEventListener("error", ({ message }: ErrorEvent) => void (why = message));
    worker.addEventListener("close", () => {
      for (const waiting of [this.#onRequest, this.#put, this.#looked])
        for (const give of waiting.values()) give(undefined);
      if (this.#isStopping || this.#worker !== worker) return this.#onStopped();
      died(why);
      this.#restarting = setTimeout(() => this.#start(), RESTART_PAUSE);
    });
    worker.postMessage({ kind: "serve", folder, version, options, turns } satisfies LinkOrder);
  }
}

// in the executable this module is part of main's file, one folder above
const here = new URL(Bun.isStandaloneExecutable ? "./nats/" : "./", import.meta.url);
