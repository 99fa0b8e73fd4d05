import type { Item, Values } from "../values.ts";
import { LINE_INTERFACES } from "./names.ts";
import { isDynamic, isOn, type RouterModel } from "./model.ts";

/** Menus with bypassing rules. */
export const fastTrackMenus = [
  "/ip/firewall/filter",
  "/ip/firewall/mangle",
  "/ipv6/firewall/filter",
] as const;

export interface FastTrack {
  readonly menu: (typeof fastTrackMenus)[number];
  readonly rule: Item;
  /** null: cannot be narrowed. */
  readonly narrowing: Values | null;
}

/** Rules that bypass queues, and their narrowing. */
export function findFastTracks(model: RouterModel, { isPppMatched = true } = {}): FastTrack[] {
  const kinds = lineKinds(model);
  return fastTrackMenus.flatMap((menu) => {
    const rules = model.rows(menu);
    return rules
      .filter((rule) => rule["action"] === "fasttrack-connection" && isOn(rule) && !isDynamic(rule))
      .flatMap((rule) => {
        const roots = findRoots(rules, rule["chain"] ?? "");
        const open = sides.flatMap((side) =>
          kinds.filter((kind) => !excludes(model, rule, side, kind)).map((kind) => ({ side, kind })),
        );
        if (roots.size === 0 || open.length === 0) return [];
        const isForward = [...roots].every((root) => root === "forward");
        const narrowing = isForward ? findNarrowing(rule, open, isPppMatched) : null;
        return [{ menu, rule, narrowing }];
      });
  });
}

type LineKind = { readonly ppp: true } | { readonly name: string };

function lineKinds({ lines }: RouterModel): LineKind[] {
  const names = [...new Set([...lines.hotspots, ...lines.dhcp])];
  return [...(lines.isPpp ? [{ ppp: true } as const] : []), ...names.map((name) => ({ name }))];
}

const sides = ["in", "out"] as const;
type Side = (typeof sides)[number];

/** Chains that lead to it; none for an unused chain. */
function findRoots(rules: readonly Item[], chain: string): Set<string> {
  const reaching = new Set([chain]);
  for (const target of reaching)
    for (const rule of rules)
      if (rule["action"] === "jump" && rule["jump-target"] === target && isOn(rule))
        reaching.add(rule["chain"] ?? "");
  return reaching.intersection(builtIn);
}

const builtIn = new Set(["prerouting", "input", "forward", "output", "postrouting"]);

/** Whether interface matchers exclude such lines. */
function excludes(model: RouterModel, rule: Item, side: Side, kind: LineKind): boolean {
  const by = (value: string | undefined, part: (name: string) => Part) => {
    if (value === undefined || value === "") return false;
    return value.startsWith("!") ? part(value.slice(1)) === "all" : part(value) === "none";
  };
  return (
    by(rule[`${side}-interface`], (name) => interfacePart(name, kind)) ||
    by(rule[`${side}-interface-list`], (name) => listPart(model, name, kind))
  );
}

type Part = "all" | "some" | "none";

function interfacePart(name: string, kind: LineKind): Part {
  if ("ppp" in kind) {
    if (name === "all-ppp") return "all";
    return name.startsWith("<") ? "some" : "none";
  }
  if (name === kind.name) return "all";
  return /^all-(?:ethernet|vlan|wireless)$/.test(name) ? "some" : "none";
}

function listPart(model: RouterModel, list: string, kind: LineKind, seen: readonly string[] = []): Part {
  if (list === "all") return "all";
  if (list === "none" || seen.includes(list)) return "none";
  if (list === "dynamic" || list === "static")
    return "ppp" in kind ? "some" : list === "static" ? "all" : "none";
  const within = (names: string | undefined) =>
    (names ?? "")
      .split(",")
      .filter(Boolean)
      .map((name) => listPart(model, name, kind, [...seen, list]));
  const row = model.rows("/interface/list").find((item) => item["name"] === list);
  const excluded = within(row?.["exclude"]);
  const members = model.rows("/interface/list/member").filter((item) => item["list"] === list && isOn(item));
  const own = members.map((item) => interfacePart(item["interface"] ?? "", kind));
  const isPutOn =
    "ppp" in kind && model.rows("/ppp/profile").some((profile) => profile["interface-list"] === list);
  const parts = [...own, ...within(row?.["include"]), ...(isPutOn ? (["some"] as const) : [])];
  if (excluded.includes("all") || parts.every((part) => part === "none")) return "none";
  return parts.includes("all") && excluded.every((part) => part === "none") ? "all" : "some";
}

function findNarrowing(
  rule: Item,
  open: readonly { readonly side: Side; readonly kind: LineKind }[],
  isPppMatched: boolean,
): Values | null {
  const values: Record<string, string> = {};
  for (const { side, kind } of open) {
    const isPpp = "ppp" in kind;
    const name = isPpp ? `${side}-interface` : `${side}-interface-list`;
    const value = isPpp ? "!all-ppp" : `!${LINE_INTERFACES}`;
    // our own list, which lacks the interface: a set-up puts it on there
    if (rule[name] !== value && (rule[name] || (isPpp && !isPppMatched))) return null;
    values[name] = value;
  }
  return values;
}
