import type { Origin } from "../../model.ts";

export interface Pair {
  readonly at: Origin;
  readonly owner: string;
  readonly table: string;
  readonly attribute: string;
  /** Lower case; dictionaries ignore case. */
  readonly name: string;
  readonly op: string;
  readonly value: string;
}

export interface Profile {
  readonly name: string;
  readonly check: Pair[];
  readonly reply: Pair[];
}

/** Control list and reply of a user. */
export interface Combined {
  readonly control: readonly Pair[];
  readonly reply: readonly Pair[];
  /** Comparisons with the request, unknown here. */
  readonly conditions: readonly Pair[];
  /** Reply items that never reach the router. */
  readonly unsent: readonly Pair[];
  /** Applied groups. */
  readonly taken: readonly Profile[];
  readonly unreached: readonly Profile[];
}

/** What a request brings: in a check table, compared with it unless the operator sets it. */
const ofRequest = new Set([
  "calling-station-id",
  "called-station-id",
  "nas-ip-address",
  "nas-ipv6-address",
  "nas-identifier",
  "nas-port",
  "nas-port-id",
  "nas-port-type",
  "service-type",
  "framed-protocol",
  "framed-ip-address",
  "huntgroup-name",
  "user-name",
  "realm",
  "mikrotik-realm",
  "mikrotik-host-ip",
  "connect-info",
  "group",
  "sql-group",
  "packet-src-ip-address",
]);
const setOperators = new Set([":=", "+=", "="]);

/** Whether a pair of a check table is compared with the request; else it is set. */
function isCondition({ name, op }: Pair): boolean {
  if (ofRequest.has(name)) return op !== ":=" && op !== "+=";
  return !setOperators.has(op) && op !== "==";
}

/**
 * Merges user and groups by priority: own rows first, further groups by Fall-Through (rlm_sql 3: a group without it ends the
 * list, a user's own reply only with `No`). Conditions are assumed to match.
 */
export function combine(user: Profile | null, groups: readonly Profile[]): Combined {
  const control: Pair[] = [];
  const reply: Pair[] = [];
  const conditions: Pair[] = [];
  const used: Profile[] = [];
  const take = ({ check, reply: replies }: Profile) => {
    conditions.push(...check.filter(isCondition));
    movePairs(
      control,
      check.filter((pair) => !isCondition(pair)),
      setOperator,
    );
    movePairs(reply, replies, ({ op }) => op);
  };
  let continues = true;
  if (user) {
    take(user);
    continues = fallThrough(user) !== false;
  }
  for (const group of groups) {
    if (!continues) break;
    take(group);
    used.push(group);
    continues = fallThrough(group) === true;
  }
  const sent = new Set(reply);
  const replies = [...(user?.reply ?? []), ...used.flatMap((group) => group.reply.filter(isNeverSent))];
  const unsent = replies.filter((pair) => !sent.has(pair) && pair.op !== "-=");
  return { control, reply, conditions, unsent, taken: used, unreached: groups.slice(used.length) };
}

/** == compares and sends nothing. */
export const isNeverSent = ({ op }: Pair): boolean => op === "==";

function fallThrough({ reply }: Profile): boolean | undefined {
  const pair = reply.find(({ name }) => name === "fall-through");
  return pair && /^(yes|1|true)$/i.test(pair.value);
}

/** Adds a list by its operators, which see only earlier items, as in FreeRADIUS. */
function movePairs(to: Pair[], from: readonly Pair[], readOperator: (pair: Pair) => string): void {
  const before: (Pair | null)[] = [...to];
  const edited = new Set<number>();
  const added: Pair[] = [];
  const same = (pair: Pair) =>
    before.flatMap((other, at) => (other?.name === pair.name && !edited.has(at) ? [at] : []));
  for (const pair of from) {
    const [first] = same(pair);
    const op = readOperator(pair);
    if (op === ":=" && first !== undefined) {
      before[first] = pair;
      edited.add(first);
    } else if (op === "+=" || (first === undefined && addOperators.has(op))) added.push(pair);
    else for (const at of same(pair)) filterPair(before, { at, op, pair }, edited);
  }
  to.splice(0, to.length, ...before.filter((pair) => pair !== null), ...added);
}

/** The operator by which a pair of a check table is set: `==` sets what is not compared. */
const setOperator = ({ op }: Pair) => (op === "==" ? ":=" : op);
const addOperators = new Set(["=", ":=", "<=", ">="]);

/** Operators that remove or bound a value. */
function filterPair(
  list: (Pair | null)[],
  { at, op, pair }: { at: number; op: string; pair: Pair },
  edited: Set<number>,
): void {
  const there = list[at];
  if (!there) return;
  const isSame = there.value === pair.value;
  if (op === "!*" || (op === "-=" && isSame) || (op === "==" && !isSame)) list[at] = null;
  const [is, bound] = [Number(there.value), Number(pair.value)];
  if ((op === "<=" && is > bound) || (op === ">=" && is < bound)) {
    list[at] = pair;
    edited.add(at);
  }
}
