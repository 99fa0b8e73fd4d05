import type { Seconds } from "../../core/time/time.ts";
import type { Reported } from "./reported.ts";

/** How fast a line was up to a moment, since the moment before: bits a second from the subscriber and to it. */
export interface RateSample {
  readonly at: Seconds;
  readonly input: number;
  readonly output: number;
}

/** Seconds that are kept of a session under way. */
const KEPT = 6 * 3600;
/** Seconds after its last report after which a session is forgotten. */
const FORGOTTEN_AFTER = 86_400;
/** Samples of a session: at five minutes each six hours and more; where reports come closer, older ones are put together. */
const MOST = 96;
const FIELDS = 3;
/** Sessions for which memory is taken at a time. */
const AT_A_TIME = 1024;
/** Sessions. With their samples 1.3 kB each. */
const SESSIONS = 32_768;
/** Reports after which it is looked for what to forget, at the least; and as many as there are sessions, so that each report pays for one. */
const LOOK_EVERY = 1024;
/** What a field holds. */
const FASTEST = 2 ** 32 - 1;

interface Line {
  /** Time, rate from the subscriber, rate to it, again and again, the oldest first. */
  readonly samples: Uint32Array;
  count: number;
}

/** The rates of sessions since the program began, in memory: what a plot shows is worth no write to the disk. */
export class RateHistory {
  /** In the order in which they were first reported of. */
  readonly #lines = new Map<number, Line>();
  /** Reports until the next look. */
  #untilLook = LOOK_EVERY;
  /** Room for samples that no session has. */
  readonly #free: Uint32Array[] = [];

  get sessions(): number {
    return this.#lines.size;
  }

  add({ sessionId, at, input, output, isOver }: Reported): void {
    let line = this.#lines.get(sessionId);
    if (!line) {
      line = { samples: this.#room(), count: 0 };
      this.#lines.set(sessionId, line);
    }
    append(line, at, input ?? 0, output ?? 0);
    if (isOver) append(line, at + 1, 0, 0);
    if (--this.#untilLook === 0) this.#forget(at - FORGOTTEN_AFTER);
    if (this.#lines.size > SESSIONS) this.#forgetFirst(LOOK_EVERY);
  }

  /** The oldest first; none of a session that nobody reported of, or that is forgotten. */
  of(sessionId: number): RateSample[] {
    const line = this.#lines.get(sessionId);
    if (!line) return [];
    return Array.from({ length: line.count }, (_, index) => sampleOf(line, index));
  }

  /** What was reported of last before then. */
  #forget(before: Seconds): void {
    for (const [id, line] of this.#lines) if (lastAt(line) < before) this.#drop(id, line);
    this.#untilLook = Math.max(LOOK_EVERY, this.#lines.size);
  }

  #forgetFirst(sessions: number): void {
    let left = sessions;
    for (const [id, line] of this.#lines) {
      if (left-- === 0) return;
      this.#drop(id, line);
    }
  }

  #drop(id: number, { samples }: Line): void {
    this.#lines.delete(id);
    this.#free.push(samples);
  }

  #room(): Uint32Array {
    const free = this.#free.pop();
    if (free) return free;
    const samples = new Uint32Array(AT_A_TIME * MOST * FIELDS);
    for (let begin = 0; begin < samples.length; begin += MOST * FIELDS)
      this.#free.push(samples.subarray(begin, begin + MOST * FIELDS));
    return this.#room();
  }
}

const lastAt = ({ samples, count }: Line): Seconds =>
  count === 0 ? 0 : (samples[(count - 1) * FIELDS] ?? 0);

function sampleOf({ samples }: Line, index: number): RateSample {
  const [at = 0, input = 0, output = 0] = samples.subarray(index * FIELDS, (index + 1) * FIELDS);
  return { at, input, output };
}

/** A report that is not newer than the last one says nothing. */
function append(line: Line, at: Seconds, input: number, output: number): void {
  if (at <= lastAt(line)) return;
  if (line.count * FIELDS === line.samples.length) makeRoom(line, at - KEPT);
  const begin = line.count * FIELDS;
  line.samples[begin] = at;
  line.samples[begin + 1] = Math.min(input, FASTEST);
  line.samples[begin + 2] = Math.min(output, FASTEST);
  line.count++;
}

/** Forgets what is older than `since`, or else puts two and two of the older half together. */
function makeRoom(line: Line, since: Seconds): void {
  const all = Array.from({ length: line.count }, (_, index) => sampleOf(line, index));
  const young = all.filter(({ at }) => at >= since);
  const kept =
    young.length < all.length ? young : [...coarser(all.slice(0, MOST / 2)), ...all.slice(MOST / 2)];
  line.samples.set(kept.flatMap((sample) => [sample.at, sample.input, sample.output]));
  line.count = kept.length;
}

/** Each weighs as much as it lasted; of the first nobody knows, so it stands alone. */
function coarser([first, ...rest]: readonly RateSample[]): RateSample[] {
  if (!first) return [];
  const merged = [first];
  let before = first.at;
  for (let index = 0; index < rest.length; index += 2) {
    const [one, two] = rest.slice(index, index + 2);
    if (!one) break;
    const whole = (two ?? one).at - before;
    const mean = (a: number, b: number) =>
      Math.round((a * (one.at - before) + b * (whole - one.at + before)) / whole);
    merged.push(
      two ? { at: two.at, input: mean(one.input, two.input), output: mean(one.output, two.output) } : one,
    );
    before = (two ?? one).at;
  }
  return merged;
}
