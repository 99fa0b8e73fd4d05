import type { KeyCall } from "../domain/people/api-keys/calls.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import type { Served } from "./meter.ts";
import { targetPath } from "./target.ts";

/** Milliseconds that calls are gathered for. */
const PAUSE = 2000;
const MOST_WAITING = 5000;

interface Begun {
  /** Of the key. */
  readonly id: number;
  readonly address: string;
  readonly at: Seconds;
}

/** Gathers the calls of API keys and hands them over some at a time, behind the requests. */
export class KeyCalls {
  readonly #record: (calls: readonly KeyCall[]) => void;
  readonly #begun = new WeakMap<Request, Begun>();
  #waiting: KeyCall[] = [];
  #timer: Timer | undefined;

  constructor(record: (calls: readonly KeyCall[]) => void) {
    this.#record = record;
  }

  begin(request: Request, call: Begun): void {
    this.#begun.set(request, call);
  }

  end(request: Request, { method, status, seconds }: Served): void {
    const begun = this.#begun.get(request);
    if (!begun) return;
    const { id: keyId, address, at } = begun;
    const milliseconds = Math.round(seconds * 1000);
    this.add({ keyId, address, at, method, path: targetPath(request), status, milliseconds });
  }

  add(call: KeyCall): void {
    this.#waiting.push(call);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    this.#timer ??= setTimeout(() => this.flush(), PAUSE).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const calls = this.#waiting;
    this.#waiting = [];
    if (calls.length > 0) this.#record(calls);
  }
}
