import { differing, fits, isSame, isSecret, type Item, pick } from "./values.ts";
import { nameIn, type RouterVersion, valuesIn } from "./versions.ts";
import {
  MARK,
  type ScriptPart,
  type Values,
  type Wanted,
  type WantedRecord,
  type WantedRows,
} from "./wanted.ts";

/** One thing that is done on a router. */
export interface Change {
  readonly kind: "add" | "set" | "remove";
  readonly part: ScriptPart;
  readonly menu: string;
  /** Of the row; null for a new one, and for a menu that is one record. */
  readonly id: string | null;
  /** What tells the row from others, which stays when its `.id` does not. */
  readonly key: Values;
  /** What is written, under the names of the router's version; of a row that goes, nothing. */
  readonly values: Values;
  /** What these were; of a row that goes, all that we may have written. */
  readonly before: Values;
  /** The row that it is put in before. */
  readonly place?: string | undefined;
  /** It was somebody else's, and what it was is kept for a removal. */
  readonly isForeign: boolean;
}

/** What stays as it is, and why somebody may want to know. */
export interface Left {
  readonly part: ScriptPart;
  readonly reason:
    | "same"
    | "others_first"
    | "no_hotspot"
    | "no_menu"
    | "version"
    | "has_clock"
    | "accepted_before"
    | "unseen"
    | "changed_since"
    | "in_use";
  /** A name, an address, a property. */
  readonly what: string;
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly left: readonly Left[];
}

/** What was read of a router, by menu; null where its version has no such menu. */
export interface RouterState {
  readonly version: RouterVersion;
  readonly menus: ReadonlyMap<string, readonly Item[] | null>;
  /** Whether our account can sign in there with the password that we keep; null: not tried. */
  readonly accountWorks: boolean | null;
}

/** The menus that have to be read for a plan, and of which rows. */
export function menusOf(wanted: readonly Wanted[]): { menu: string; only: Values }[] {
  const asked = wanted.flatMap((one) => {
    // lists of addresses have thousands of entries of others
    const list = one.kind === "rows" ? one.own["list"] : undefined;
    const where = one.kind === "rows" ? undefined : one.where;
    return [
      { menu: one.menu, only: list === undefined ? {} : { list } },
      ...(where === undefined ? [] : [{ menu: where, only: {} }]),
    ];
  });
  return [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()];
}

/** What leads from what is there to what is wanted; `memory` is what was there before us. */
export function planOf(state: RouterState, wanted: readonly Wanted[], memory: Memory): Plan {
  const planned = wanted.map((one) =>
    one.kind === "rows" ? planRows(state, one, memory) : planRecord(state, one),
  );
  return {
    changes: planned.flatMap(({ changes }) => changes),
    left: planned.flatMap(({ left }) => left),
  };
}

function planRecord(state: RouterState, wanted: WantedRecord): Plan {
  const { part, menu, where } = wanted;
  const items = state.menus.get(menu);
  if (!items) return { changes: [], left: [{ part, reason: "no_menu", what: menu }] };
  if (where !== undefined && !state.menus.get(where)?.length)
    return { changes: [], left: [{ part, reason: "no_hotspot", what: "" }] };
  const changes: Change[] = [];
  const left: Left[] = [];
  for (const item of wanted.kind === "each" ? items : items.slice(0, 1)) {
    const values = recordValues(state, wanted, item);
    const other = differing(item, values);
    const name = item["name"] ?? "";
    if (Object.keys(other).length === 0) left.push({ part, reason: "same", what: name || menu });
    else changes.push(setOf(wanted, item, other, name === "" ? {} : { name }));
    if (wanted.filled && !(wanted.filled.name in values) && isFilled(wanted, item))
      left.push({ part, reason: "has_clock", what: "" });
  }
  return { changes, left };
}

function recordValues({ version }: RouterState, wanted: WantedRecord, item: Item): Values {
  const { menu, filled, values } = wanted;
  const own = filled && nameIn(version, menu, filled.name);
  const { known } = valuesIn(version, menu, values);
  const isOurs = filled !== undefined && isSame(own ?? "", item[own ?? ""], values[filled.name]);
  if (!filled || isOurs || !isFilled(wanted, item)) return known;
  return Object.fromEntries(Object.entries(known).filter(([name]) => name !== own));
}

const isFilled = ({ filled }: WantedRecord, item: Item) =>
  filled?.unless.some((name) => !["", "0.0.0.0", "::"].includes(item[name] ?? "")) === true;

function setOf(
  { part, menu }: Pick<Wanted, "part" | "menu">,
  item: Item,
  values: Values,
  key: Values,
  isForeign = true,
): Change {
  // a password that is not shown cannot be put back
  const shown = Object.keys(values).filter((name) => !isSecret(name) || item[name] !== undefined);
  const before = pick(item, shown);
  return { kind: "set", part, menu, id: item[".id"] ?? null, key, values, before, isForeign };
}

function planRows(state: RouterState, wanted: WantedRows, memory: Memory): Plan {
  const { menu, part, own } = wanted;
  const items = state.menus.get(menu);
  if (!items) return { changes: [], left: [{ part, reason: "no_menu", what: menu }] };
  const rows = wanted.rows.map((row) => {
    const { known, unknown } = valuesIn(state.version, menu, row);
    const mark: Values = menu === "/user/group" ? {} : { comment: MARK, disabled: "no" };
    return { values: { ...known, ...mark }, unknown };
  });
  const candidates = items.filter((item) => fits(item, own) && !isDynamic(item));
  const foreign = wanted.adopts ? items.filter((item) => !candidates.includes(item) && !isDynamic(item)) : [];
  const taken = matched(
    wanted,
    rows.map(({ values }) => values),
    candidates,
    foreign,
  );
  const misplaced = misplacedOf(items, wanted, taken);
  const place = wanted.first ? firstDrop(items, wanted, candidates)?.[".id"] : undefined;
  const changes: Change[] = [];
  const left: Left[] = rows
    .slice(0, 1)
    .flatMap(({ unknown }) => unknown.map((what) => ({ part, reason: "version" as const, what })));
  for (const [index, { values }] of rows.entries()) {
    const item = taken[index];
    const key = pick(values, wanted.key);
    if (!item || misplaced.has(item)) {
      const added = withoutDefault(values);
      changes.push({
        kind: "add",
        part,
        menu,
        id: null,
        key,
        values: added,
        before: {},
        place,
        isForeign: false,
      });
      continue;
    }
    const { other, unseen } = differingRow(state, wanted, item, values);
    const what = labelOf(menu, values);
    if (unseen !== undefined) left.push({ part, reason: "unseen", what });
    if (Object.keys(other).length === 0) left.push({ part, reason: "same", what });
    else changes.push(setOf(wanted, item, other, key, !candidates.includes(item)));
  }
  const gone = candidates.filter((item) => misplaced.has(item) || !taken.includes(item));
  changes.push(
    ...gone.map((item) => {
      const known = misplaced.has(item) ? undefined : memoryOf(memory, menu, item);
      return known ? givenBack(known, item) : removeOf(wanted, item);
    }),
  );
  return {
    changes,
    left: [...left, ...othersFirst(wanted, items, candidates), ...acceptedBefore(wanted, items, place)],
  };
}

const isDynamic = (item: Item) => item["dynamic"] === "true" || item["dynamic"] === "yes";

/** The row of each that is wanted: ours, else somebody's under the same key. */
function matched(
  { key }: WantedRows,
  wanted: readonly Values[],
  ours: readonly Item[],
  foreign: readonly Item[],
): (Item | undefined)[] {
  const free = new Set([...ours, ...foreign]);
  return wanted.map((values) => {
    const found = [...free].find((item) => fits(item, pick(values, key)));
    if (found) free.delete(found);
    return found;
  });
}

/** Rows that stand in another order than is wanted, or behind a rule that drops: they are put in anew. */
function misplacedOf(
  items: readonly Item[],
  wanted: WantedRows,
  taken: readonly (Item | undefined)[],
): Set<Item> {
  const misplaced = new Set<Item>();
  if (wanted.isNamed) return misplaced;
  const drop = wanted.first ? firstDrop(items, wanted, taken) : undefined;
  const end = drop ? items.indexOf(drop) : items.length;
  let last = -1;
  let isAnyNew = false;
  for (const item of taken) {
    const at = item ? items.indexOf(item) : -1;
    // what is put in goes to the end, so what follows it has to as well
    if (item && !isAnyNew && at >= last && at <= end) last = at;
    else {
      isAnyNew = true;
      if (item) misplaced.add(item);
    }
  }
  return misplaced;
}

const stopping = new Set(["drop", "reject", "tarpit"]);

/** The first rule of the chain that lets nothing through, and is none of ours. */
function firstDrop(items: readonly Item[], { own }: WantedRows, ours: readonly (Item | undefined)[]) {
  return items.find(
    (item) =>
      item["chain"] === own["chain"] &&
      stopping.has(item["action"] ?? "") &&
      !ours.includes(item) &&
      !isDynamic(item),
  );
}

/** A rule of somebody that lets everything of the chain through, before what we refuse. */
function acceptedBefore(
  { part, own, first }: WantedRows,
  items: readonly Item[],
  place: string | undefined,
): Left[] {
  if (!first || own["chain"] !== "forward") return [];
  const end = items.findIndex((item) => place !== undefined && item[".id"] === place);
  const before = end < 0 ? items : items.slice(0, end);
  const matchers =
    /^(?:src|dst|in-|out-|protocol|connection|port$|packet-|ipsec|hotspot|layer7|content|tls|routing)/;
  const all = before.find(
    (item) =>
      item["chain"] === "forward" &&
      item["action"] === "accept" &&
      item["comment"] !== MARK &&
      item["disabled"] !== "true" &&
      !Object.keys(item).some((name) => matchers.test(name)),
  );
  return all ? [{ part, reason: "accepted_before", what: all["comment"] ?? "" }] : [];
}

/** Who is asked over RADIUS before us. */
function othersFirst({ menu, part }: WantedRows, items: readonly Item[], ours: readonly Item[]): Left[] {
  if (menu !== "/radius") return [];
  const first = items.findIndex((item) => ours.includes(item));
  const before = first < 0 ? items : items.slice(0, first);
  return before.flatMap((item) => {
    const services = (item["service"] ?? "").split(",");
    const asks = services.includes("ppp") || services.includes("hotspot");
    return asks && !ours.includes(item)
      ? [{ part, reason: "others_first" as const, what: item["address"] ?? "" }]
      : [];
  });
}

/** A secret that the router does not show is not compared; the password of our account is tried instead. */
function differingRow({ accountWorks }: RouterState, { menu }: WantedRows, item: Item, values: Values) {
  const hidden = Object.keys(values).filter((name) => isSecret(name) && item[name] === undefined);
  const seen = Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name)));
  const other: Record<string, string> = { ...differing(item, seen) };
  const isTried = menu === "/user";
  if (isTried && accountWorks !== true && values["password"] !== undefined)
    other["password"] = values["password"];
  return { other, unseen: isTried ? undefined : hidden[0] };
}

function withoutDefault(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== "disabled"));
}

function removeOf(wanted: WantedRows, item: Item): Change {
  const { menu, part, key } = wanted;
  const before = Object.fromEntries(
    Object.entries(item).filter(
      (entry): entry is [string, string] => writable.has(entry[0]) && entry[1] !== undefined,
    ),
  );
  return {
    ...{ kind: "remove", part, menu, id: item[".id"] ?? null, key: pick(item, key) },
    ...{ values: {}, before, isForeign: false },
  };
}

/** What one of our rows may consist of; the rest of what is printed are counters and states. */
const writable = new Set(
  [
    [
      "service",
      "address",
      "secret",
      "certificate",
      "authentication-port",
      "accounting-port",
      "timeout",
      "require-message-auth",
    ],
    ["chain", "action", "protocol", "src-address", "dst-port", "src-address-list", "dst-address-list"],
    ["to-addresses", "to-ports", "list", "name", "policy", "group", "comment", "disabled"],
  ].flat(),
);

/** What a row is called in words. */
export function labelOf(menu: string, values: Item): string {
  if (menu === "/ip/firewall/filter" || menu === "/ip/firewall/nat")
    return [
      values["action"],
      values["protocol"],
      values["dst-port"],
      values["src-address"] ?? values["src-address-list"],
    ]
      .filter(Boolean)
      .join(" ");
  return values["name"] || values["address"] || menu;
}

const memoryOf = (memory: Memory, menu: string, item: Item) =>
  memory.find((one) => one.menu === menu && fits(item, one.key));

/** What puts back what somebody's row was, as far as nobody changed it since. */
function givenBack({ menu, part, key, before, made }: Remembered, item: Item): Change {
  const still = Object.keys(before).filter((name) => isSame(name, item[name], made[name]));
  return setOf({ part, menu }, item, differing(item, pick(before, still)), key, false);
}

/** What takes away what we made, and puts back what we changed and nobody changed since. */
export function removalOf(state: RouterState, wanted: readonly Wanted[], memory: Memory): Plan {
  const changes: Change[] = [];
  const left: Left[] = [];
  const kept = new Set<Item>();
  for (const known of memory) {
    const { menu, part, key, before, made } = known;
    const items = state.menus.get(menu) ?? [];
    const item = items.find((one) => fits(one, key));
    if (!item) continue;
    kept.add(item);
    const since = Object.keys(before).filter(
      (name) => !isSame(name, item[name], made[name]) && !isSame(name, item[name], before[name]),
    );
    left.push(...since.map((what) => ({ part, reason: "changed_since" as const, what: `${menu} ${what}` })));
    const back = givenBack(known, item);
    if (Object.keys(back.values).length > 0) changes.push(back);
  }
  const ours = wanted.filter((one): one is WantedRows => one.kind === "rows").toReversed();
  for (const one of ours) {
    const items = state.menus.get(one.menu) ?? [];
    const own = items.filter((item) => fits(item, one.own) && !isDynamic(item) && !kept.has(item));
    if (one.menu === "/user/group" && isGroupUsed(state)) {
      if (own.length > 0) left.push({ part: one.part, reason: "in_use", what: own[0]?.["name"] ?? "" });
      continue;
    }
    changes.push(...own.map((item) => removeOf(one, item)));
  }
  return { changes, left };
}

/** Whether somebody of theirs is in our group. */
function isGroupUsed({ menus }: RouterState): boolean {
  return (menus.get("/user") ?? []).some((item) => item["group"] === MARK && item["comment"] !== MARK);
}

/** What was there before we changed it, for a removal. */
export interface Remembered {
  readonly menu: string;
  readonly part: ScriptPart;
  readonly key: Values;
  readonly before: Values;
  readonly made: Values;
}
export type Memory = readonly Remembered[];

/** The memory after changes: what was before the first of ours counts, unless somebody changed it in between. */
export function remember(memory: Memory, changes: readonly Change[]): Memory {
  const after = [...memory];
  for (const { kind, isForeign, menu, part, key, values, before } of changes) {
    const at = after.findIndex((one) => one.menu === menu && Bun.deepEquals(one.key, key));
    const known = after[at];
    if (kind !== "set" || (!isForeign && !known)) continue;
    const first = Object.fromEntries(
      Object.entries(before).map(([name, value]) => {
        const isStillOurs = known?.before[name] !== undefined && isSame(name, known.made[name], value);
        return [name, isStillOurs ? (known.before[name] ?? value) : value];
      }),
    );
    const next = {
      ...{ menu, part, key },
      ...{
        before: { ...known?.before, ...first },
        made: { ...known?.made, ...pick(values, Object.keys(before)) },
      },
    };
    if (known) after[at] = next;
    else after.push(next);
  }
  return after;
}
