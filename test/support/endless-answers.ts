import { encodeSentence } from "../../src/routeros/framing.ts";
import type { Fault } from "./fake-routeros.ts";

const ROW = ["=.id=*1", "=name=sam", "=caller-id=02:00:00:00:00:01", "=address=10.0.0.7", "=uptime=1h"];
/** A word of 4,000,000 bytes is announced: 0xe0 and the rest of its length. */
const LONG_WORD = Buffer.from([0xe0, 0x3d, 0x09, 0x00]);

/** Endless replies of a router, by what has no end. */
export const endless = {
  rows: { kind: "endless", again: (tag) => encodeSentence(["!re", ...ROW, tag]) },
  "short rows": { kind: "endless", again: (tag) => encodeSentence(["!re", tag]) },
  "wide rows": {
    kind: "endless",
    again: (tag) =>
      encodeSentence(["!re", ...Array.from({ length: 2000 }, (_, i) => `=${i.toString(36)}=`), tag]),
  },
  "rows after a trap": {
    kind: "endless",
    first: (tag) => encodeSentence(["!trap", "=message=busy", tag]),
    again: (tag) => encodeSentence(["!re", ...ROW, tag]),
  },
  "rows of nobody's command": { kind: "endless", again: () => encodeSentence(["!re", ...ROW, ".tag=none"]) },
  "nothing found": { kind: "endless", again: (tag) => encodeSentence(["!empty", tag]) },
  "a word": {
    kind: "endless",
    first: () => Buffer.concat([encodeSentence(["!re"]).subarray(0, 4), LONG_WORD]),
    again: () => Buffer.alloc(1000, 97),
  },
  "a sentence": {
    kind: "endless",
    first: () => encodeSentence(["!re"]).subarray(0, 4),
    again: () => Buffer.from("\x03=a="),
  },
  "empty sentences": { kind: "endless", again: () => Buffer.of(0) },
  "a row now and then": {
    kind: "endless",
    again: (tag) => encodeSentence(["!re", ...ROW, tag]),
    every: 20,
  },
} as const satisfies Record<string, Fault>;
