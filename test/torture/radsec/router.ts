import type { RadsecClient } from "../../support/radsec-client.ts";

/** What was said of a session. */
export interface Record {
  readonly login: string;
  readonly input: number;
  readonly isStop: boolean;
}

/** What was acknowledged of a session last, and what was said and not acknowledged yet. */
export interface SentReport {
  acknowledged: Record | undefined;
  pending: Record | undefined;
}

/** Milliseconds after which a record counts as not acknowledged. */
const PATIENCE = 10_000;
const STEPS = [0, 1000, 5000] as const;

/** One router over one connection: logins, and sessions with Start, Interim-Update and Stop, until the server is gone. */
export class RadsecRouter {
  readonly #client: RadsecClient;
  readonly #name: string;
  readonly #books: Map<string, SentReport>;
  readonly #subscribers: number;
  #count = 0;
  /** No session is begun any more. */
  isEnding = false;
  logins = 0;
  answered = 0;
  readonly faults: string[] = [];

  constructor(
    client: RadsecClient,
    name: string,
    { books, subscribers }: { books: Map<string, SentReport>; subscribers: number },
  ) {
    this.#client = client;
    this.#name = name;
    this.#books = books;
    this.#subscribers = subscribers;
  }

  /** Ends when the connection does. */
  async work(): Promise<void> {
    await Promise.race([
      this.#client.closed,
      Promise.all([this.#log(), this.#log(), this.#account(), this.#account()]),
    ]);
  }

  /** What was said last, once more. */
  async tellAgain(session: string, report: SentReport): Promise<void> {
    const record = report.pending ?? report.acknowledged;
    if (!record) return;
    const reply = await this.#send(session, record);
    if (reply) Object.assign(report, { acknowledged: record, pending: undefined });
    else if (!this.#client.isClosed) this.faults.push(`session ${session}, told again, got no answer`);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #log(): Promise<void> {
    for (let n = 0; !this.isEnding && !this.#client.isClosed; n++) {
      const id = 1 + (n % this.#subscribers);
      const isRight = n % 3 !== 0;
      const request = this.#client.radius.prepareAccess({
        name: isRight ? `user${id}` : `nobody${id}`,
        password: `pw-${id}`,
      });
      const reply = await this.#client.exchange(request, PATIENCE);
      if (!reply) return;
      this.logins++;
      const expected = isRight ? "Access-Accept" : "Access-Reject";
      if (reply.code !== expected || reply.faults.length > 0)
        this.faults.push(`a login of user${id} got ${reply.code} ${reply.faults.join()}, not ${expected}`);
    }
  }

  async #account(): Promise<void> {
    while (!this.isEnding && !this.#client.isClosed) {
      const session = `rs-${this.#name}-${this.#count++}`;
      const login = `user${1 + (this.#count % this.#subscribers)}`;
      const report: SentReport = { acknowledged: undefined, pending: undefined };
      this.#books.set(session, report);
      for (const [at, input] of STEPS.entries()) {
        const record = { login, input, isStop: at === STEPS.length - 1 };
        report.pending = record;
        if (!(await this.#send(session, record))) return;
        Object.assign(report, { acknowledged: record, pending: undefined });
      }
    }
  }

  /** Whether it was acknowledged. */
  async #send(session: string, { login, input, isStop }: Record): Promise<boolean> {
    const status = isStop ? "Stop" : input === 0 ? "Start" : "Interim-Update";
    const request = this.#client.radius.prepareAccounting(status, [
      ["User-Name", login],
      ["Acct-Session-Id", session],
      ...(status === "Start"
        ? []
        : ([
            ["Acct-Session-Time", Math.floor(input / 100)],
            ["Acct-Input-Octets", input],
            ["Acct-Output-Octets", 7],
          ] as const)),
    ]);
    const reply = await Promise.race([
      this.#client.exchange(request, PATIENCE),
      this.#client.closed.then(() => null),
    ]);
    if (!reply) return false;
    if (reply.code !== "Accounting-Response") this.faults.push(`session ${session} got ${reply.code}`);
    this.answered++;
    return true;
  }
}
