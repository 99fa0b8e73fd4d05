import { aCall, type Answer, type Call, type Newest } from "./calls.ts";
import { type Clerk, clerks, passwordOf } from "./office.ts";

/** Seconds of the trial's clock that pass between two calls of somebody at the most; a leap of more than 300 is not followed at once. */
const STEP = 240;
const HOUR = 3600;

export interface World {
  /** Where the server listens. */
  readonly http: string;
  readonly newest: Newest;
  readonly life: number;
  readonly draw: () => number;
  readonly pass: (seconds: number) => void;
  /** All that was ever wanted, and promises that were not kept. */
  readonly calls: Call[];
  readonly faults: string[];
  readonly counts: { again: number; twice: number };
}

const credentials = (by: Clerk) => `Basic ${btoa(`${by.username}:${passwordOf(by)}`)}`;

/** Sends a call as its caller does each time; undefined when no answer came. */
export async function send({ http }: Pick<World, "http">, { by, path, body, tag, isKeyed }: Call) {
  const headers = { authorization: credentials(by), ...(isKeyed && { "idempotency-key": tag }) };
  const sent = { method: "POST", headers, body: new URLSearchParams(body) };
  try {
    const response = await fetch(`http://${http}${path}`, sent);
    return { status: response.status, text: await response.text() } satisfies Answer;
  } catch {
    return undefined;
  }
}

/** Everybody has signed in, which takes longer than any call: all at once it is more than a busy machine does in one's patience. */
export async function comeToWork({ http }: Pick<World, "http">): Promise<void> {
  const path = `http://${http}/api/v1/payment/list?limit=1`;
  for (const by of clerks) await (await fetch(path, { headers: { authorization: credentials(by) } })).text();
}

export const isDone = (answer: Answer | undefined): boolean => answer?.status === 200;

/** All of the staff at work, each doing one thing after the other, until the server is killed. */
export class Staff {
  readonly #world: World;
  readonly #work: Promise<void>[];
  #isOver = false;

  constructor(world: World) {
    this.#world = world;
    this.#work = clerks.map((clerk) => this.#workOf(clerk));
  }

  /** The server is dead: whoever waits for an answer gets none. */
  async goHome(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }

  async #workOf(by: Clerk): Promise<void> {
    const { calls, life, draw, pass, newest } = this.#world;
    while (!this.#isOver) {
      if (draw() < 0.08) pass(1 + Math.floor(draw() * STEP));
      const call = aCall({ tag: `${life}-${calls.length}`, by, newest, draw }, life);
      calls.push(call);
      const isTwice = call.isKeyed && draw() < 0.1;
      const answers = await Promise.all([send(this.#world, call), isTwice && send(this.#world, call)]);
      const [first, second] = answers;
      call.answer = isDone(second || undefined) ? second || undefined : first;
      if (second && first) this.#compare(call, first, second);
      if (!call.answer) return; // the server is dead
      if (isDone(call.answer)) count(newest, call);
    }
  }

  #compare(call: Call, first: Answer, second: Answer): void {
    const { faults, counts } = this.#world;
    counts.twice++;
    if (isDone(first) && isDone(second) && first.text !== second.text)
      faults.push(`${describe(call)} was pressed twice and answered ${first.text} and ${second.text}`);
  }
}

/** Whoever works sees what the others have done. */
function count(newest: Newest, { kind, body }: Call): void {
  if (kind === "take" || kind === "refund") newest.payments++;
  if (kind === "activate" || body["activate"] === "1") newest.invoices++;
  if (kind === "close") newest.closings++;
}

export const describe = ({ kind, tag, by, body }: Call) =>
  `${kind} ${tag} of ${by.username} (${new URLSearchParams(body).toString()})`;

/**
 * Sends again what got no answer, and some of what did: that has to be answered as before. `wasDone` says of a call without an
 * answer whether the books had it before it came again.
 */
export async function sendAgain(world: World, wasDone: (call: Call) => boolean): Promise<void> {
  const { calls, life, faults, counts, draw } = world;
  for (const call of calls.filter((one) => one.answer === undefined)) {
    const had = call.isKeyed && wasDone(call);
    call.answer = await send(world, call);
    if (!call.answer) faults.push(`${describe(call)} got no answer after the start either`);
    else if (had && !isDone(call.answer))
      faults.push(`${describe(call)} was booked, and when it came again answered ${call.answer.text}`);
  }
  for (const call of calls.filter((one) => one.life === life - 1 && one.isKeyed && isDone(one.answer))) {
    if (draw() < 0.5) continue;
    const other = draw() < 0.1;
    const again = await send(world, other ? { ...call, body: { ...call.body, note: "other" } } : call);
    counts.again++;
    const isRight = other ? again?.status === 409 : again?.text === call.answer?.text;
    if (!isRight)
      faults.push(
        `${describe(call)} was answered ${call.answer?.text}, and ${other ? "with another body" : "again"} ${again?.text}`,
      );
  }
}

/** Between two lives. */
export const somewhile = (draw: () => number) => (draw() < 0.3 ? Math.floor(draw() * 6 * HOUR) : 1);
