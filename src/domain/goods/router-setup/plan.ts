import type { RequestedMenu, ReadMenus } from "./menus.ts";
import { differing, fits, isSame, isSecret, type Item, pick, type Values } from "./values.ts";
import { nameIn, type RouterVersion, valuesIn } from "./versions.ts";
import { pickMatchers } from "./garden/matchers.ts";
import { MARK } from "./mark.ts";
import type { Left, ScriptPart, Desired, DesiredEdits, DesiredRecord, DesiredRows } from "./parts.ts";

export interface Change {
  readonly kind: "add" | "set" | "remove";
  readonly part: ScriptPart;
  readonly menu: string;
  readonly id: string | null;
  /** Identifies the row beyond its `.id`. */
  readonly key: Values;
  /** In the version's names; empty for a removal. */
  readonly values: Values;
  /** Old values; all of ours for a removal. */
  readonly before: Values;
  readonly place?: string | undefined;
  readonly isForeign: boolean;
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly left: readonly Left[];
}

/** null: no such menu. */
export interface RouterState {
  readonly version: RouterVersion;
  readonly menus: ReadMenus;
  /** null: not tried. */
  readonly accountWorks: boolean | null;
}

/** Menus and filters of a plan; `memory`'s for giving back. */
export function listMenus(desired: readonly Desired[], memory: Memory = []): RequestedMenu[] {
  const menus = desired.flatMap((one) => {
    // shared lists may have thousands
    const list = one.kind === "rows" && one.menu.endsWith("/address-list") ? one.own["list"] : undefined;
    const where = one.kind === "each" || one.kind === "record" ? one.where : undefined;
    return [
      { menu: one.menu, only: list === undefined ? {} : { list } },
      ...(where === undefined ? [] : [{ menu: where, only: {} }]),
    ];
  });
  const known = new Set(menus.map(({ menu }) => menu));
  const others = memory.flatMap(({ menu }) => (known.has(menu) ? [] : [{ menu, only: {} }]));
  return [...new Map([...menus, ...others].map((one) => [JSON.stringify(one), one])).values()];
}

/** `memory`: the state before us. */
export function planSetup(state: RouterState, desired: readonly Desired[], memory: Memory): Plan {
  const planned = desired.map((one) => {
    if (one.kind === "rows") return planRows(state, one, memory);
    return one.kind === "edits" ? planEdits(state, one) : planRecord(state, one);
  });
  const changes = planned.flatMap((one) => one.changes);
  const isGoing = ({ kind }: Change) => kind === "remove";
  return {
    // references first; nothing goes before its replacement exists
    changes: [...changes.filter((one) => !isGoing(one)), ...changes.filter(isGoing).toReversed()],
    left: planned.flatMap(({ left }) => left),
  };
}

function planEdits(state: RouterState, desired: DesiredEdits): Plan {
  const items = state.menus.get(desired.menu) ?? [];
  const changes = desired.edits.flatMap(({ rule, values }) => {
    const item = items.find((one) => one[".id"] === rule[".id"]);
    const other = item && differing(item, values);
    if (!item || !other || Object.keys(other).length === 0) return [];
    const rest = Object.entries({
      chain: item["chain"] ?? "",
      action: item["action"] ?? "",
      ...pickMatchers(item),
    });
    return [
      makeSetChange(desired, item, other, Object.fromEntries(rest.filter(([name]) => !(name in values)))),
    ];
  });
  return { changes, left: [] };
}

function planRecord(state: RouterState, desired: DesiredRecord): Plan {
  const { part, menu, where } = desired;
  const items = state.menus.get(menu);
  if (!items) return { changes: [], left: [{ part, reason: "no_menu", what: menu }] };
  if (where !== undefined && !state.menus.get(where)?.length)
    return { changes: [], left: [{ part, reason: "no_hotspot", what: "" }] };
  const changes: Change[] = [];
  const left: Left[] = [];
  for (const item of desired.kind === "each" ? items : items.slice(0, 1)) {
    const values = recordValues(state, desired, item);
    const other = differing(item, values);
    const name = item["name"] ?? "";
    if (Object.keys(other).length === 0) left.push({ part, reason: "same", what: name || menu });
    else changes.push(makeSetChange(desired, item, other, name === "" ? {} : { name }));
    if (desired.filled && !(desired.filled.name in values) && isFilled(desired, item))
      left.push({ part, reason: "has_clock", what: "" });
  }
  return { changes, left };
}

function recordValues({ version }: RouterState, desired: DesiredRecord, item: Item): Values {
  const { menu, filled, values } = desired;
  const own = filled && nameIn(version, menu, filled.name);
  const { known } = valuesIn(version, menu, values);
  const isOurs = filled !== undefined && isSame(own ?? "", item[own ?? ""], values[filled.name]);
  if (!filled || isOurs || !isFilled(desired, item)) return known;
  return Object.fromEntries(Object.entries(known).filter(([name]) => name !== own));
}

const isFilled = ({ filled }: DesiredRecord, item: Item) =>
  filled?.unless.some((name) => !["", "0.0.0.0", "::"].includes(item[name] ?? "")) === true;

function makeSetChange(
  { part, menu }: Pick<Desired, "part" | "menu">,
  item: Item,
  values: Values,
  key: Values,
  isForeign = true,
): Change {
  // a hidden password cannot be restored
  const names = Object.keys(values).filter((name) => !isSecret(name) || item[name] !== undefined);
  const before = pick(item, names);
  return { kind: "set", part, menu, id: item[".id"] ?? null, key, values, before, isForeign };
}

function planRows(state: RouterState, desired: DesiredRows, memory: Memory): Plan {
  const { menu, part, own } = desired;
  const items = state.menus.get(menu);
  if (!items)
    return { changes: [], left: desired.rows.length > 0 ? [{ part, reason: "no_menu", what: menu }] : [] };
  const rows = desired.rows.map((row) => {
    const { known, unknown } = valuesIn(state.version, menu, row);
    const mark: Values = menu === "/user/group" ? {} : { comment: MARK, disabled: "no" };
    return { values: { ...known, ...mark }, unknown };
  });
  const candidates = items.filter((item) => fits(item, own) && !isDynamic(item));
  const foreign = desired.adopts
    ? items.filter((item) => !candidates.includes(item) && !isDynamic(item))
    : [];
  const taken = matched(
    desired,
    rows.map(({ values }) => values),
    candidates,
    foreign,
  );
  const misplaced = findMisplaced(items, desired, taken);
  const place = desired.first ? firstOther(items, desired)?.[".id"] : undefined;
  const changes: Change[] = [];
  const left: Left[] = rows
    .slice(0, 1)
    .flatMap(({ unknown }) => unknown.map((what) => ({ part, reason: "version" as const, what })));
  for (const [index, { values }] of rows.entries()) {
    const item = taken[index];
    const key = pick(values, desired.key);
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
    const { other, unseen } = differingRow(state, desired, item, values);
    const what = rowLabel(menu, values);
    if (unseen !== undefined) left.push({ part, reason: "unseen", what });
    if (Object.keys(other).length === 0) left.push({ part, reason: "same", what });
    else changes.push(makeSetChange(desired, item, other, key, !candidates.includes(item)));
  }
  const gone = candidates.filter((item) => misplaced.has(item) || !taken.includes(item));
  changes.push(
    ...gone.map((item) => {
      const known = misplaced.has(item) ? undefined : findMemory(memory, menu, item);
      return known ? givenBack(known, item) : makeRemoveChange(desired, item);
    }),
  );
  return {
    changes,
    left: [...left, ...othersFirst(desired, items, candidates)],
  };
}

const isDynamic = (item: Item) => item["dynamic"] === "true" || item["dynamic"] === "yes";

function matched(
  { key, menu }: DesiredRows,
  desired: readonly Values[],
  ours: readonly Item[],
  foreign: readonly Item[],
): (Item | undefined)[] {
  const free = new Set([...ours, ...foreign]);
  return desired.map((values) => {
    const found = [...free].find((item) =>
      isRule(menu) ? isSameRule(item, values) : fits(item, pick(values, key)),
    );
    if (found) free.delete(found);
    return found;
  });
}

const isRule = (menu: string) => /^\/ip(?:v6)?\/firewall\/(?:filter|nat)$/.test(menu);

/** Whether a rule does the same with the same packets. */
function isSameRule(item: Item, values: Values): boolean {
  const names = ["action", "jump-target", ...Object.keys({ ...pickMatchers(item), ...pickMatchers(values) })];
  return names.every((name) => isSame(name, item[name], values[name]));
}

function findMisplaced(
  items: readonly Item[],
  desired: DesiredRows,
  taken: readonly (Item | undefined)[],
): Set<Item> {
  const misplaced = new Set<Item>();
  if (!isRule(desired.menu) && desired.menu !== "/radius") return misplaced;
  const other = desired.first ? firstOther(items, desired) : undefined;
  const end = other ? items.indexOf(other) : items.length;
  let last = -1;
  let isAnyNew = false;
  for (const item of taken) {
    const at = item ? items.indexOf(item) : -1;
    if (item && !isAnyNew && at >= last && at <= end) last = at;
    else {
      isAnyNew = true;
      if (item) misplaced.add(item);
    }
  }
  return misplaced;
}

/** Movable. */
function firstOther(items: readonly Item[], { own }: DesiredRows): Item | undefined {
  return items.find(
    (item) => item["chain"] === own["chain"] && item["comment"] !== own["comment"] && !isDynamic(item),
  );
}

/** RADIUS servers before ours. */
function othersFirst({ menu, part }: DesiredRows, items: readonly Item[], ours: readonly Item[]): Left[] {
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

/** The values of a row that differ. A secret that the router hides is not compared: the account is tried instead. */
function differingRow({ accountWorks }: RouterState, { menu }: DesiredRows, item: Item, values: Values) {
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

function makeRemoveChange(desired: DesiredRows, item: Item): Change {
  const { menu, part, key } = desired;
  const before = Object.fromEntries(
    Object.entries(item).filter(
      (entry): entry is [string, string] => !unwritable.has(entry[0]) && entry[1] !== undefined,
    ),
  );
  return {
    kind: "remove",
    part,
    menu,
    id: item[".id"] ?? null,
    key: pick(item, key),
    values: {},
    before,
    isForeign: false,
  };
}

const unwritable = new Set(
  [
    ".id",
    ".nextid",
    "dynamic",
    "invalid",
    "builtin",
    "default",
    "bytes",
    "packets",
    "creation-time",
    "running",
  ].concat(["last-logged-in", "inactivity-timeout", "inactivity-policy", "expired", "log", "log-prefix"]),
);

export function rowLabel(menu: string, values: Item): string {
  if (isRule(menu)) {
    const { action, protocol, "dst-port": port, ...rest } = values;
    const who = [
      "src-address",
      "src-address-list",
      "dst-address-list",
      "in-interface-list",
      "out-interface-list",
    ];
    const whose = who.map((name) => rest[name]).find(Boolean);
    return [action, protocol, port, whose].filter(Boolean).join(" ");
  }
  return values["name"] || values["address"] || menu;
}

const findMemory = (memory: Memory, menu: string, item: Item) =>
  memory.find((one) => one.menu === menu && fits(item, one.key));

/** Old values, where unchanged since. */
function givenBack({ menu, part, key, before, made }: Remembered, item: Item): Change {
  const still = Object.keys(before).filter((name) => isSame(name, item[name], made[name]));
  return makeSetChange({ part, menu }, item, differing(item, pick(before, still)), key, false);
}

/** Removes ours, restores changed ones. */
export function planRemoval(state: RouterState, desired: readonly Desired[], memory: Memory): Plan {
  const changes: Change[] = [];
  const left: Left[] = [];
  const kept = new Set<Item>();
  for (const known of memory) {
    const { menu, part, key, before, made } = known;
    // equal rules were changed alike
    for (const item of (state.menus.get(menu) ?? []).filter((one) => fits(one, key) && !isDynamic(one))) {
      kept.add(item);
      const since = Object.keys(before).filter(
        (name) => !isSame(name, item[name], made[name]) && !isSame(name, item[name], before[name]),
      );
      left.push(
        ...since.map((what) => ({ part, reason: "changed_since" as const, what: `${menu} ${what}` })),
      );
      const back = givenBack(known, item);
      if (Object.keys(back.values).length > 0) changes.push(back);
    }
  }
  const ours = desired.filter((one): one is DesiredRows => one.kind === "rows").toReversed();
  for (const one of ours) {
    const items = state.menus.get(one.menu) ?? [];
    const own = items.filter((item) => fits(item, one.own) && !isDynamic(item) && !kept.has(item));
    if (one.menu === "/user/group" && isGroupUsed(state, kept)) {
      if (own.length > 0) left.push({ part: one.part, reason: "in_use", what: own[0]?.["name"] ?? "" });
      continue;
    }
    changes.push(...own.map((item) => makeRemoveChange(one, item)));
  }
  return { changes, left };
}

/** Whether somebody stays in our group: one of theirs, or an account that was there before us. */
function isGroupUsed({ menus }: RouterState, kept: ReadonlySet<Item>): boolean {
  return (menus.get("/user") ?? []).some(
    (item) => item["group"] === MARK && (item["comment"] !== MARK || kept.has(item)),
  );
}

export interface Remembered {
  readonly menu: string;
  readonly part: ScriptPart;
  readonly key: Values;
  readonly before: Values;
  readonly made: Values;
}
export type Memory = readonly Remembered[];

/** The first state counts, unless changed in between. */
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
      menu,
      part,
      key,
      before: { ...known?.before, ...first },
      made: { ...known?.made, ...pick(values, Object.keys(before)) },
    };
    if (known) after[at] = next;
    else after.push(next);
  }
  return after;
}
