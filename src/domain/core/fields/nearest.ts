import { phrase, type Phrase } from "../errors/phrase.ts";

/** Letters for each allowed error. */
const WRONG = 3;
/** Longer words are not compared. */
const LONGEST = 40;

/** The most similar name: misspelled, or containing the word; undefined: none. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const word = plain(written);
  if (word.length < 2 || word.length > LONGEST) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const other = plain(name);
    const isPart = Math.min(word.length, other.length) >= 4 && (other.includes(word) || word.includes(other));
    const most = Math.floor(Math.min(word.length, other.length) / WRONG);
    // the distance is at least the difference in length
    if (!isPart && Math.abs(word.length - other.length) > most) continue;
    const apart = editDistance(word, other);
    const isNear = apart <= most;
    const wrong = isNear ? apart : isPart ? WRONG + apart : Infinity;
    if (wrong < least) [nearest, least] = [name, wrong];
  }
  return nearest;
}

export function unknownField(written: string, names: Iterable<string>): Phrase {
  const near = nearestName(written, names);
  return near === undefined
    ? phrase`is not a known field`
    : phrase`is not a known field; the nearest is ${near}`;
}

export function unknownFields(names: Iterable<string>): (written: string) => Phrase {
  const known = new Map<string, Phrase>();
  return (written) => {
    const before = known.get(written);
    if (before !== undefined) return before;
    const text = unknownField(written, names);
    known.set(written, text);
    return text;
  };
}

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, "");

/** Damerau-Levenshtein. */
function editDistance(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const isTurned = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      const ways = [
        (next[at - 1] ?? 0) + 1,
        (last?.[at] ?? 0) + 1,
        (last?.[at - 1] ?? 0) + (isSame ? 0 : 1),
        isTurned && row > 1 && at > 1 ? (before?.[at - 2] ?? 0) + 1 : Infinity,
      ];
      next.push(Math.min(...ways));
    }
    [before, last] = [last, next];
  }
  return last?.[other.length] ?? 0;
}
