import type { Seconds } from "../../core/time/time.ts";
import type { Reported } from "./reported.ts";

/** Upstream and downstream bit/s until a moment, since the previous sample. */
export interface RateSample {
  readonly at: Seconds;
  readonly input: number;
  readonly output: number;
}

/** Seconds of samples kept of an open session. */
const KEPT = 6 * 3600;
/** Seconds without reports after which a session is dropped. */
const FORGOTTEN_AFTER = 86_400;
/** Samples per session: over six hours at five minutes; more frequent ones are merged. */
const MOST = 96;
const FIELDS = 3;
/** Sessions per allocation. */
const AT_A_TIME = 1024;
/** Most sessions, 1.3 kB each with samples. */
const SESSIONS = 32_768;
/** Fewest reports between two sweeps; otherwise one per session, so that the cost per report is constant. */
const LOOK_EVERY = 1024;
/** Largest value of a field. */
const FASTEST = 2 ** 32 - 1;

interface Line {
  /** Time, upstream, downstream, repeated, oldest first. */
  readonly samples: Uint32Array;
  count: number;
}

/** Rates of sessions since the start, in memory: a graph is not worth disk writes. */
export class RateHistory {
  /** In order of first report. */
  readonly #lines = new Map<number, Line>();
  #untilLook = LOOK_EVERY;
  /** Free sample arrays. */
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

  /** Oldest first; empty for an unknown session. */
  of(sessionId: number): RateSample[] {
    const line = this.#lines.get(sessionId);
    if (!line) return [];
    return Array.from({ length: line.count }, (_, index) => sampleOf(line, index));
  }

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

/** Ignores reports that are not newer. */
function append(line: Line, at: Seconds, input: number, output: number): void {
  if (at <= lastAt(line)) return;
  if (line.count * FIELDS === line.samples.length) makeRoom(line, at - KEPT);
  const begin = line.count * FIELDS;
  line.samples[begin] = at;
  line.samples[begin + 1] = Math.min(input, FASTEST);
  line.samples[begin + 2] = Math.min(output, FASTEST);
  line.count++;
}

/** Drops samples before `since`, else merges pairs of the older half. */
function makeRoom(line: Line, since: Seconds): void {
  const all = Array.from({ length: line.count }, (_, index) => sampleOf(line, index));
  const young = all.filter(({ at }) => at >= since);
  const kept =
    young.length < all.length ? young : [...coarser(all.slice(0, MOST / 2)), ...all.slice(MOST / 2)];
  line.samples.set(kept.flatMap((sample) => [sample.at, sample.input, sample.output]));
  line.count = kept.length;
}

/** Weighted by duration; the first has none, so it stays single. */
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
