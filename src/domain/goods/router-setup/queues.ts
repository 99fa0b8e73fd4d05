import type { Shaper } from "../nas/kinds.ts";
import { dualStackServers, keptApart, makeSetChange as set } from "./dual-stack.ts";
import type { RequestedMenu } from "./menus.ts";
import { buildModel } from "./garden/model.ts";
import type { ChosenQueues, Left } from "./parts.ts";
import type { Change, Memory, Plan, RouterState } from "./plan.ts";
import { differing, fits, isSame, type Item, pick, type Values } from "./values.ts";
import { isSince } from "./versions.ts";

/** The first version with FQ-CoDel and CAKE. */
const SINCE = "7.1";
const TYPES = "/queue/type";
const PPP_PROFILES = "/ppp/profile";
const HOTSPOT_PROFILES = "/ip/hotspot/user/profile";
/** What lines have where nothing is said, leases always. */
export const USUAL = "default-small";
const part = "queues" as const;

/** The kinds of queue that we make. The queue itself keeps the rate, so that CAKE has none of its own; it shares by house behind NAT. */
export const shaperKinds: Readonly<Record<Exclude<Shaper, "none">, Values>> = {
  fq_codel: { name: "gatehouse-fq-codel", kind: "fq-codel" },
  cake: { name: "gatehouse-cake", kind: "cake", "cake-bandwidth": "0", "cake-nat": "yes" },
};
const ours = new Set(Object.values(shaperKinds).map(({ name }) => name));

/** Which queues lines of a router are to have, its leases of DHCP too where `isForLeases`. */
export type DesiredQueues = Omit<ChosenQueues, "dualStack">;

/** Menus that queues are planned of; without a shaper those of leftovers alone. */
export function queueMenus({ shaper }: DesiredQueues, memory: Memory): readonly RequestedMenu[] {
  const isAny = shaper !== "none" || memory.some((one) => one.part === part);
  return [TYPES, ...(isAny ? [HOTSPOT_PROFILES] : [])].map((menu) => ({ menu, only: {} }));
}

/** Types first, then their users, unused ones last. */
export function planQueues(state: RouterState, { shaper, isForLeases }: DesiredQueues, memory: Memory): Plan {
  const types = state.menus.get(TYPES);
  const left: Left[] = [];
  const isKnown = isSince(state.version, SINCE) && types !== undefined && types !== null;
  if (shaper !== "none" && !isKnown) left.push({ part, reason: "no_shaper", what: state.version.text });
  const desired = shaper === "none" || !isKnown ? undefined : shaperKinds[shaper];
  const there = types ?? [];
  const changes: Change[] = [];
  if (desired) {
    const item = there.find((one) => one["name"] === desired["name"]);
    const other = item && differing(item, desired);
    if (!item) changes.push(change("add", TYPES, null, desired, pick(desired, ["name"])));
    else if (other && Object.keys(other).length > 0) changes.push(set(TYPES, item, other, false));
    else left.push({ part, reason: "same", what: TYPES });
  }
  if (desired)
    left.push(
      ...keptApart(dualStackServers(state)).map(({ item }): Left => {
        return { part, reason: "two_queues", what: item["name"] ?? "" };
      }),
    );
  const profiles = listProfiles(state);
  changes.push(...profiles.flatMap((one) => turned(one, desired?.["name"], memory)));
  const leases = there.find(({ name }) => name === USUAL);
  if (leases) changes.push(...leasesTurned(leases, desired && isForLeases ? desired : undefined, memory));
  const gone = there.filter(({ name = "" }) => ours.has(name) && name !== desired?.["name"]);
  changes.push(
    ...gone.map((item) =>
      Object.assign(change("remove", TYPES, item[".id"] ?? null, {}, pick(item, ["name"])), {
        before: pick(item, ["name", "kind"]),
      }),
    ),
  );
  return { changes, left };
}

interface Profile {
  readonly menu: string;
  readonly item: Item;
  readonly isUsed: boolean;
}

/** Profiles of PPP servers and hotspots, and users of our queues. */
function listProfiles(state: RouterState): Profile[] {
  const rows = (menu: string) => state.menus.get(menu) ?? [];
  const used = new Set(buildModel(state).servers.map(({ profile }) => profile));
  const has = ({ "queue-type": type = "" }: Item) => ours.has(bare(type));
  return [
    ...rows(PPP_PROFILES).map((item) => ({ menu: PPP_PROFILES, item, isUsed: used.has(item["name"] ?? "") })),
    ...rows(HOTSPOT_PROFILES).map((item) => ({ menu: HOTSPOT_PROFILES, item, isUsed: true })),
  ].filter(({ item, isUsed }) => isUsed || has(item));
}

/** `a/a` is printed from 7.19 on. */
const bare = (type: string) => type.split("/")[0] ?? "";

function turned({ menu, item, isUsed }: Profile, desired: string | undefined, memory: Memory): Change[] {
  const type = item["queue-type"] ?? "";
  if (desired !== undefined && isUsed)
    return isSame("queue-type", type, desired) ? [] : [set(menu, item, { "queue-type": desired }, true)];
  if (!ours.has(bare(type))) return [];
  const before = findMemory(memory, menu, item)?.before["queue-type"] ?? "";
  return [set(menu, item, { "queue-type": ours.has(bare(before)) || before === "" ? USUAL : before }, false)];
}

/** Leases always use the default type, which is changed and given back. */
function leasesTurned(item: Item, desired: Values | undefined, memory: Memory): Change[] {
  const known = findMemory(memory, TYPES, item);
  if (desired) {
    const { name: _, ...values } = desired;
    const other = differing(item, values);
    return Object.keys(other).length === 0 ? [] : [set(TYPES, item, other, true)];
  }
  if (!known) return [];
  const still = Object.keys(known.before).filter((name) => isSame(name, item[name], known.made[name]));
  const back = differing(item, pick(known.before, still));
  return Object.keys(back).length === 0 ? [] : [set(TYPES, item, back, false)];
}

const findMemory = (memory: Memory, menu: string, item: Item) =>
  memory.find((one) => one.menu === menu && fits(item, one.key));

function change(
  kind: "add" | "remove",
  menu: string,
  id: string | null,
  values: Values,
  key: Values,
): Change {
  return { kind, part, menu, id, key, values, before: {}, isForeign: false };
}
