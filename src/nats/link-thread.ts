import type { LinkNotice, LinkOrder } from "./messages.ts";
import type { NatsOptions } from "./connection.ts";

export interface LinkThreadNeeds {
  readonly folder: string;
  /** The seed is in the store. */
  readonly options: Omit<NatsOptions, "seed">;
  readonly notice: (notice: Exclude<LinkNotice, { kind: "stopped" }>) => void;
  /** It ended by itself, and is begun again. */
  readonly died: (error: string) => void;
}

/** Milliseconds before a thread that died is started again, and that one has to end. */
const RESTART_PAUSE = 1000;
const STOP_PATIENCE = 5000;

/** The thread that talks to NATS: without GATEHOUSE_NATS_URL nobody starts it, and nothing of it is loaded. */
export class LinkThread {
  readonly #needs: LinkThreadNeeds;
  #worker: Worker | undefined;
  #isStopping = false;
  #restarting: Timer | undefined;
  #onStopped = () => {};

  constructor(needs: LinkThreadNeeds) {
    this.#needs = needs;
    this.#start();
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

  #start(): void {
    const { folder, options, notice, died } = this.#needs;
    const worker = new Worker(new URL("link-worker.ts", here));
    this.#worker = worker;
    let why = "it ended";
    worker.addEventListener("message", ({ data }: MessageEvent<LinkNotice>) => {
      if (data.kind === "stopped") this.#onStopped();
      else notice(data);
    });
    worker.addEventListener("error", ({ message }: ErrorEvent) => void (why = message));
    worker.addEventListener("close", () => {
      if (this.#isStopping || this.#worker !== worker) return this.#onStopped();
      died(why);
      this.#restarting = setTimeout(() => this.#start(), RESTART_PAUSE);
    });
    worker.postMessage({ kind: "serve", folder, options } satisfies LinkOrder);
  }
}

// in the executable this module is part of main's file, one folder above
const here = new URL(Bun.isStandaloneExecutable ? "./nats/" : "./", import.meta.url);
