import type { Seconds } from "../time.ts";
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
const FIRST = 12;
const FIELDS = 3;
/** Sessions: those that were reported of last. With their samples 1.4 kB each, so 45 MB at the most. */
const SESSIONS = 32_768;
/** What a field holds. */
const FASTEST = 2 ** 32 - 1;

interface Line {
  /** Time, rate from the subscriber, rate to it, again and again, the oldest first. */
  samples: Uint32Array;
  count: number;
}

/** The rates of sessions since the program began, in memory: what a plot shows is worth no write to the disk. */
export class RateHistory {
  /** In the order in which they were reported of. */
  readonly #lines = new Map<number, Line>();

  get sessions(): number {
    return this.#lines.size;
  }

  add({ sessionId, at, input, output, isOver }: Reported): void {
    const line = this.#lines.get(sessionId) ?? { samples: new Uint32Array(FIRST * FIELDS), count: 0 };
    this.#lines.delete(sessionId);
    this.#lines.set(sessionId, line);
    append(line, { at, input: input ?? 0, output: output ?? 0 });
    if (isOver) append(line, { at: at + 1, input: 0, output: 0 });
    for (const [id, oldest] of this.#lines) {
      const isOld = (oldest.samples[(oldest.count - 1) * FIELDS] ?? 0) < at - FORGOTTEN_AFTER;
      if (!isOld && this.#lines.size <= SESSIONS) break;
      this.#lines.delete(id);
    }
  }

  /** The oldest first; none of a session that nobody reported of, or that is forgotten. */
  of(sessionId: number): RateSample[] {
    const line = this.#lines.get(sessionId);
    if (!line) return [];
    return Array.from({ length: line.count }, (_, index) => sampleOf(line, index));
  }
}

function sampleOf({ samples }: Line, index: number): RateSample {
  const [at = 0, input = 0, output = 0] = samples.subarray(index * FIELDS, (index + 1) * FIELDS);
  return { at, input, output };
}

/** A report that is not newer than the last one says nothing. */
function append(line: Line, { at, input, output }: RateSample): void {
  if (line.count > 0 && at <= sampleOf(line, line.count - 1).at) return;
  if (line.count * FIELDS === line.samples.length) makeRoom(line, at - KEPT);
  line.samples.set([at, Math.min(input, FASTEST), Math.min(output, FASTEST)], line.count * FIELDS);
  line.count++;
}

/** Forgets what is older than `since`; else takes more memory up to the most; else puts two and two of the older half together. */
function makeRoom(line: Line, since: Seconds): void {
  const all = Array.from({ length: line.count }, (_, index) => sampleOf(line, index));
  const young = all.filter(({ at }) => at >= since);
  let kept = young;
  if (young.length === all.length && line.count < MOST) {
    const larger = new Uint32Array(line.samples.length * 2);
    larger.set(line.samples);
    line.samples = larger;
    return;
  }
  if (young.length === all.length) kept = [...coarser(all.slice(0, MOST / 2)), ...all.slice(MOST / 2)];
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
