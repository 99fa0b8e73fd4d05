import { drawing } from "./trial.ts";

/** Draws that follow from a seed. */
export class Dice {
  readonly #draw: () => number;

  constructor(seed: number) {
    this.#draw = drawing(seed);
  }

  /** A whole number below `count`. */
  below(count: number): number {
    return Math.floor(this.#draw() * count);
  }

  /** Throws of none. */
  one<T>(of: readonly T[]): T {
    const index = this.below(of.length);
    if (index >= of.length) throw new RangeError("nothing to choose from");
    return of[index] as T;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}

/** Numbers that parsers get wrong. */
const EDGES = [0, 1, 2, 3, 17, 18, 19, 127, 128, 191, 192, 223, 224, 239, 240, 247, 253, 254, 255];

/** Bytes with a few changes that a parser of lengths would notice: flips, edges, cuts, repeats, and parts of another. */
export function mutateBytes(bytes: Buffer, other: Buffer, dice: Dice): Buffer {
  let mutated: Buffer = Buffer.from(bytes);
  for (let changes = 1 + dice.below(4); changes > 0; changes--) mutated = change(mutated, other, dice);
  return mutated;
}

function change(bytes: Buffer, other: Buffer, dice: Dice): Buffer {
  const at = dice.below(bytes.length + 1);
  const end = at + dice.below(Math.min(64, bytes.length - at + 1));
  switch (dice.below(8)) {
    case 0:
      if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
      return bytes;
    case 1:
      if (at < bytes.length) bytes[at] = dice.one(EDGES);
      return bytes;
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
    case 5:
      return Buffer.concat([bytes.subarray(0, at), dice.bytes(dice.below(20)), bytes.subarray(at)]);
    case 6:
      return Buffer.concat([bytes.subarray(0, at), other.subarray(dice.below(other.length + 1))]);
    default:
      return Buffer.concat([bytes.subarray(0, at), dice.bytes(end - at), bytes.subarray(end)]);
  }
}

/** Values that a reader of JSON gets wrong. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  "",
  " ",
  "0",
  "1",
  "-1",
  "1e3",
  "0x10",
  "NaN",
  "\0",
  "\ud800",
  "é",
  "e\u0301",
  "\u202e",
  "a".repeat(300),
  "💡".repeat(100),
  "2030-02-30 12:00:00",
  "9999-12-31 23:59:59",
  "0000-00-00 00:00:00",
  "10M/10M 1",
  "255.255.255.255",
  "0.0.0.0/0",
  "::/0",
  "__proto__",
  "../x",
  0,
  -0,
  1,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
  [],
  [[]],
  {},
  [null],
  { id: 1 },
];

type Member = { readonly parent: Record<string, unknown> | unknown[]; readonly key: string };

function oddValue(dice: Dice): unknown {
  return structuredClone(dice.one(VALUES));
}

/** A copy of a JSON value with a few members replaced, removed, renamed, repeated, or exchanged. */
export function mutateJson(value: unknown, dice: Dice): unknown {
  const copy: unknown = structuredClone(value);
  for (let changes = 1 + dice.below(3); changes > 0; changes--) {
    const members = membersOf(copy);
    if (members.length === 0) return oddValue(dice);
    changeMember(dice.one(members), dice.one(members), dice);
  }
  return copy;
}

function changeMember({ parent, key }: Member, other: Member, dice: Dice): void {
  const set = (value: unknown) => Object.assign(parent, { [key]: value });
  switch (dice.below(6)) {
    case 0:
    case 1:
      set(oddValue(dice));
      break;
    case 2:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      break;
    case 3:
      set(structuredClone(valueOf(other)));
      break;
    case 4:
      if (Array.isArray(parent)) parent.push(structuredClone(valueOf({ parent, key })));
      else parent[dice.one(["id", "x", "", "__proto__ ", "isp_id", "a/b~c"])] = oddValue(dice);
      break;
    default:
      if (typeof valueOf({ parent, key }) === "string")
        set(`${String(valueOf({ parent, key }))}${dice.one(["2", "a", " ", "é", "\\u0000", "."])}`);
  }
}

function valueOf({ parent, key }: Member): unknown {
  return Array.isArray(parent) ? parent[Number(key)] : parent[key];
}

/** Every member of every object and array in a JSON value. */
function membersOf(value: unknown): Member[] {
  if (typeof value !== "object" || value === null) return [];
  const parent: Member["parent"] = Array.isArray(value) ? value : Object(value);
  const members = Object.keys(value).map((key) => ({ parent, key }));
  return members.concat(...members.map((member) => membersOf(valueOf(member))));
}
