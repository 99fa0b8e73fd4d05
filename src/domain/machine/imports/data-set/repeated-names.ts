import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault } from "../../../core/fields/fields.ts";
import { below } from "./rows.ts";

/** Tokens of valid JSON: strings and punctuation. */
const pieces = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Level {
  /** Undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The current name or index. */
  member: string;
}

/** Finds repeated names, of which JSON.parse keeps the last (RFC 8259, 4). */
export function findRepeatedNames(json: string, faults: Faults): void {
  const levels: Level[] = [];
  let string = "";
  for (const [piece] of json.matchAll(pieces)) {
    const level = levels.at(-1);
    if (piece === "{") levels.push({ names: new Set(), member: "" });
    else if (piece === "[") levels.push({ names: undefined, member: "0" });
    else if (piece === "}" || piece === "]") levels.pop();
    else if (piece === ",") {
      if (level && !level.names) level.member = String(Number(level.member) + 1);
    } else if (piece === ":") {
      if (!level?.names) continue;
      level.member = string.includes("\\") ? String(JSON.parse(string)) : string.slice(1, -1);
      if (level.names.has(level.member))
        addFault(
          faults,
          levels.reduce((pointer, { member }) => below(pointer, member), ""),
          phrase`is given twice`,
        );
      level.names.add(level.member);
    } else string = piece;
  }
}
