import { type Proofs, PROGRAM, PROVIDER, requestOf, type Sent } from "./telling.ts";

const TELLERS = 3;
/** Milliseconds after which a teller that is in a hurry cuts the connection. */
const HURRY = 8;
/** One of five at each: who cuts the connection, who calls twice at once, and who tells again what was answered. */
const SOME = 0.2;

export interface Ledger {
  /** All that was ever told. */
  readonly tellings: Sent[];
  /** What is to be told next: what was not answered, what is told again, and what follows from it. */
  readonly queue: Sent[];
  readonly faults: string[];
  readonly counts: { calls: number; unanswered: number; again: number; later: number };
}

export interface Needs {
  readonly ledger: Ledger;
  readonly proofs: Proofs;
  readonly draw: () => number;
  readonly subscribers: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A provider and a program, some calls at a time, as long as somebody answers. */
export class Tellers {
  readonly #needs: Needs;
  readonly #http: string;
  readonly #work: Promise<void>[];
  #isOver = false;

  /** `isLast`: nothing new is told, only what was not answered. */
  constructor(http: string, needs: Needs, { isLast = false } = {}) {
    this.#http = http;
    this.#needs = needs;
    this.#work = Array.from({ length: TELLERS }, () => this.#tellAll(isLast));
  }

  /** Resolves when nothing is under way; the server is gone, or nothing is left. */
  async end(): Promise<void> {
    await Promise.all(this.#work);
  }

  async goHome(): Promise<void> {
    this.#isOver = true;
    await this.end();
  }

  async #tellAll(isLast: boolean): Promise<void> {
    const { ledger, draw, subscribers } = this.#needs;
    while (!this.#isOver) {
      const telling = ledger.queue.shift() ?? (isLast ? undefined : newTelling(ledger, draw, subscribers));
      if (!telling) return;
      const isCalm = isLast;
      const isTwice = !isCalm && draw() < SOME;
      const calls = Array.from({ length: isTwice ? 2 : 1 }, () => this.#call(telling, isCalm));
      const answers = (await Promise.all(calls)).filter((answer) => answer !== undefined);
      if (!this.#isOver) ledger.counts.unanswered += calls.length - answers.length;
      const isTaken = answers.map((answer) => this.#isTaken(telling, answer)).includes(true);
      if (isTaken) this.#goOn(telling, isCalm);
      else {
        ledger.queue.push(telling);
        if (answers.length > 0)
          await Bun.sleep(20); // it says that it cannot now
        else if (!this.#isOver) await Bun.sleep(1);
      }
    }
  }

  /** Undefined: nobody answered, or not soon enough. */
  async #call(telling: Sent, isCalm: boolean): Promise<Answer | undefined> {
    const { ledger, proofs, draw } = this.#needs;
    const { path, headers, body } = requestOf(telling, ++ledger.counts.calls, proofs);
    const isHasty = !isCalm && draw() < SOME;
    try {
      const response = await fetch(`http://${this.#http}${path}`, {
        method: "POST",
        headers,
        body,
        ...(isHasty && { signal: AbortSignal.timeout(1 + draw() * HURRY) }),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ECONNREFUSED") this.#isOver = true;
      return undefined;
    }
  }

  /** Whether it was stored; the same is answered the same. */
  #isTaken(telling: Sent, { status, text }: Answer): boolean {
    const { ledger } = this.#needs;
    const what = `${telling.kind} ${telling.id} of ${telling.via === "program" ? PROGRAM : PROVIDER}`;
    if (status === 429 || status >= 500) {
      ledger.counts.later++;
      return false;
    }
    if (status !== 200) {
      ledger.faults.push(`${what} was answered ${status}: ${text}`);
      return true;
    }
    if (telling.isPending) return true;
    if (telling.answer !== undefined && telling.answer !== text)
      ledger.faults.push(`${what} was answered ${telling.answer} and then ${text}`);
    telling.answer ??= text;
    return true;
  }

  #goOn(telling: Sent, isCalm: boolean): void {
    const { ledger, draw } = this.#needs;
    if (telling.isPending) {
      telling.isPending = false;
      ledger.queue.push(telling);
      return;
    }
    if (isCalm) return;
    if (draw() < SOME) {
      ledger.counts.again++;
      ledger.queue.push(telling);
    }
    if (telling.via === "provider" && telling.kind === "payment") this.#follow(telling);
  }

  /** Of some payments something else is told once, when they were answered: another amount, or that they went back. */
  #follow(telling: Sent): void {
    const { ledger, draw } = this.#needs;
    if (
      ledger.tellings.some(
        ({ kind, id, of }) => kind !== "payment" && (id === telling.id || of === telling.id),
      )
    )
      return;
    const luck = draw();
    if (luck > 0.1) return;
    const { via, id, subscriber, amount, currency } = telling;
    const next: Sent =
      luck < 0.05
        ? { via, id, subscriber, currency, amount: amount + 100, kind: "other", isPending: false }
        : {
            via,
            subscriber,
            currency,
            amount,
            id: `re-${id}`,
            of: id,
            kind: "refund",
            isPending: false,
          };
    ledger.tellings.push(next);
    ledger.queue.push(next);
  }
}

function newTelling({ tellings: notices }: Ledger, draw: () => number, subscribers: number): Sent {
  const via = draw() < 0.6 ? "provider" : "program";
  const telling: Sent = {
    via,
    id: `${via === "provider" ? "pay" : "T"}-${notices.length + 1}`,
    subscriber: draw() < 0.08 ? null : 1 + Math.floor(draw() * subscribers),
    amount: 100 * (1 + Math.floor(draw() * 30)),
    currency: draw() < 0.05 ? "EUR" : "USD",
    kind: "payment",
    isPending: via === "provider" && draw() < 0.1,
  };
  notices.push(telling);
  return telling;
}
