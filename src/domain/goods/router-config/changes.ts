import { parseStatements, type Statement, type Statements } from "./statements.ts";

/** null: absent. */
export interface ChangedValue {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** `what` names the row; added and removed ones have all values. */
export interface ConfigChange {
  readonly menu: string;
  readonly kind: "added" | "removed" | "changed" | "moved";
  readonly what: string;
  readonly values: readonly ChangedValue[];
}

export interface ConfigChanges {
  readonly changes: readonly ConfigChange[];
  /** Menus missing in one of both; null: the newer one is incomplete. */
  readonly missing: readonly string[] | null;
}

/** Menus in which the order of rows matters. */
const ORDERED =
  /^\/(?:ip|ipv6)\/firewall\/(?:filter|nat|mangle|raw)$|^\/queue\/simple$|^\/radius$|^\/routing\/(?:filter|rule)|\/(?:access|policy|walled-garden)$/;
const MOST_PAIRS = 40_000;

/** Changes between two copies, in the order of menus. */
export function compareConfigs(before: string, after: string): ConfigChanges {
  const [old, now] = [parseStatements(before), parseStatements(after)];
  const isUnsaid = unsaid(old, now);
  const ofMenu = ({ all }: Statements) => Map.groupBy(all, ({ menu }) => menu);
  const [olds, nows] = [ofMenu(old), ofMenu(now)];
  const menus = [...new Set([...nows.keys(), ...olds.keys()])].filter((menu) => !isUnsaid(menu));
  const changes = menus.flatMap((menu) => changesIn(menu, olds.get(menu) ?? [], nows.get(menu) ?? []));
  const missing = [...new Set([...old.missing, ...now.missing])].sort();
  return { changes, missing: old.isBrokenOff || now.isBrokenOff ? null : missing };
}

/** A menu that one of both lacks, or may have in part. */
function unsaid(old: Statements, now: Statements): (menu: string) => boolean {
  const missing = [...old.missing, ...now.missing];
  const endOf = ({ all, isBrokenOff }: Statements) =>
    isBrokenOff ? new Set(all.map(({ menu }) => menu)) : undefined;
  const ends = [endOf(old), endOf(now)].filter((end) => end !== undefined);
  return (menu) =>
    missing.some((one) => menu === one || menu.startsWith(`${one}/`)) || ends.some((end) => !end.has(menu));
}

function changesIn(menu: string, olds: readonly Statement[], nows: readonly Statement[]): ConfigChange[] {
  const counts = new Map<string, number>();
  for (const { text } of nows) counts.set(text, (counts.get(text) ?? 0) + 1);
  const take = (text: string) => {
    const count = counts.get(text) ?? 0;
    if (count > 0) counts.set(text, count - 1);
    return count > 0;
  };
  const same: Statement[] = [];
  const gone: Statement[] = [];
  for (const one of olds) (take(one.text) ? same : gone).push(one);
  const come: Statement[] = [];
  for (const one of nows.toReversed()) if (take(one.text)) come.unshift(one);
  const pairs = matchStatements(gone, come);
  const changed = new Set(pairs.flat());
  return [
    ...gone.filter((one) => !changed.has(one)).map((one) => whole(one, "removed")),
    ...come.filter((one) => !changed.has(one)).map((one) => whole(one, "added")),
    ...pairs.map(([one, other]) => turned(one, other)),
    ...(ORDERED.test(menu) ? moved(same, nows) : []),
  ];
}

/** Statements that were changed: by name, else by similarity. */
function matchStatements(gone: readonly Statement[], come: readonly Statement[]): [Statement, Statement][] {
  const pairs: [Statement, Statement][] = [];
  const left = new Set(come);
  const alone: Statement[] = [];
  const byName = Map.groupBy(come, statementName);
  for (const one of gone) {
    const name = statementName(one);
    const other = name === "" ? undefined : byName.get(name)?.find((candidate) => left.has(candidate));
    if (!other) alone.push(one);
    else {
      left.delete(other);
      pairs.push([one, other]);
    }
  }
  if (alone.length * left.size > MOST_PAIRS) return pairs;
  for (const one of alone) {
    const [best] = [...left]
      .map((other) => ({ other, common: inCommon(one, other) }))
      .filter(({ common }) => common >= 0.5)
      .sort((a, b) => b.common - a.common);
    if (!best) continue;
    left.delete(best.other);
    pairs.push([one, best.other]);
  }
  return pairs;
}

/** The name by which a statement is found in another copy. */
function statementName({ verb, row, values }: Statement): string {
  if (verb === "set") return `set ${row}`;
  const name = values.get("name") ?? values.get("comment") ?? values.get("interface");
  return name === undefined ? "" : `add ${name}`;
}

/** Similarity, 1 is equal. */
function inCommon(one: Statement, other: Statement): number {
  if (one.verb !== other.verb) return 0;
  const shared = [...one.values].filter(([name, value]) => other.values.get(name) === value).length;
  return shared / Math.max(one.values.size, other.values.size, 1);
}

function whole({ menu, row, values, verb, text }: Statement, kind: "added" | "removed"): ConfigChange {
  const pairs = [...values].map(([name, value]) =>
    kind === "added" ? { name, before: null, after: value } : { name, before: value, after: null },
  );
  const isKnown = verb === "add" || verb === "set";
  return { menu, kind, what: isKnown ? row : text, values: isKnown ? pairs : [] };
}

function turned(one: Statement, other: Statement): ConfigChange {
  const names = new Set([...one.values.keys(), ...other.values.keys()]);
  const values = [...names].flatMap((name) => {
    const [before = null, after = null] = [one.values.get(name), other.values.get(name)];
    return before === after ? [] : [{ name, before, after }];
  });
  return { menu: one.menu, kind: "changed", what: statementLabel(other), values };
}

/** Values that tell a statement from its neighbours. */
function statementLabel({ row, values }: Statement): string {
  if (row !== "") return row;
  const named = ["name", "comment", "interface", "address", "chain"].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return named[0] === undefined ? "" : named.slice(0, named[0].startsWith("chain") ? 1 : 2).join(" ");
}

/** The fewest moves that explain the order. */
function moved(same: readonly Statement[], nows: readonly Statement[]): ConfigChange[] {
  const places = Map.groupBy(
    nows.map(({ text }, place) => ({ text, place })),
    ({ text }) => text,
  );
  const order = same.map(({ text }) => places.get(text)?.shift()?.place ?? 0);
  const stays = longestRising(order);
  return same.flatMap((one, at) =>
    stays.has(at)
      ? []
      : [{ menu: one.menu, kind: "moved" as const, what: statementLabel(one) || one.text, values: [] }],
  );
}

function longestRising(numbers: readonly number[]): Set<number> {
  const ends: number[] = []; // of the best row of each length, the place of its last number
  const before = new Map<number, number | undefined>();
  for (const [at, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before.set(at, ends[low - 1]);
    ends[low] = at;
  }
  const stays = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) stays.add(at);
  return stays;
}
