import type { DualStack } from "../nas/kinds.ts";
import type { RequestedMenu } from "./menus.ts";
import { isDynamic, isOn } from "./garden/model.ts";
import type { Change, Memory, RouterState } from "./plan.ts";
import { fits, isSame, isYes, type Item, pick, type Values } from "./values.ts";

export const DHCP = "/ip/dhcp-server";
export const DHCPV6 = "/ipv6/dhcp-server";
/** Whether IPv4 and IPv6 of a line may be one queue: what both servers have to say, and the DUID of the line to be made from the MAC of its lease. */
export const SHARES = "allow-dual-stack-queue";
const part = "queues" as const;

export const dualStackMenus: readonly RequestedMenu[] = [DHCP, DHCPV6].map((menu) => ({ menu, only: {} }));

export interface DualStackServer {
  readonly menu: string;
  readonly item: Item;
}

/** Servers of both families; none where lines get only one. */
export function dualStackServers({ menus }: Pick<RouterState, "menus">): readonly DualStackServer[] {
  const four = (menus.get(DHCP) ?? []).filter((item) => isOn(item) && isYes(item["use-radius"]));
  const interfaces = new Set(four.map((item) => item["interface"]));
  const six = (menus.get(DHCPV6) ?? []).filter((item) => isOn(item) && interfaces.has(item["interface"]));
  if (six.length === 0) return [];
  const beside = new Set(six.map((item) => item["interface"]));
  return [
    ...four.filter((item) => beside.has(item["interface"])).map((item) => ({ menu: DHCP, item })),
    ...six.map((item) => ({ menu: DHCPV6, item })),
  ];
}

/** Settings that separate queues. */
export const keptApart = (servers: readonly DualStackServer[]) =>
  servers.filter(({ item }) => ["no", "false"].includes(item[SHARES] ?? ""));

/** Changes that share queues. */
export const sharing = (servers: readonly DualStackServer[]): Change[] =>
  keptApart(servers).map(({ menu, item }) => makeSetChange(menu, item, { [SHARES]: "yes" }, true));

/** `half`: separate queues for all; `ipv4`: no IPv6. Undoes another choice's changes. */
export function planDualStack(state: RouterState, desired: DualStack, memory: Memory): Change[] {
  const servers = dualStackServers(state);
  const changes = {
    whole: [],
    half: servers.filter(({ item }) => isYes(item[SHARES])).map((one) => turned(one, { [SHARES]: "no" })),
    ipv4: servers.filter(({ menu }) => menu === DHCPV6).map((one) => turned(one, { disabled: "yes" })),
  }[desired];
  const kept: Values = { half: { [SHARES]: "no" }, ipv4: { disabled: "yes" }, whole: {} }[desired];
  const back = memory.flatMap((known) => {
    if (known.part !== part || !dualStackMenus.some(({ menu }) => menu === known.menu)) return [];
    const names = [SHARES, "disabled"].filter(
      (name) => known.made[name] === ours[name] && kept[name] === undefined,
    );
    return (state.menus.get(known.menu) ?? [])
      .filter((item) => fits(item, known.key) && !isDynamic(item))
      .flatMap((item) => {
        const still = names.filter(
          (name) =>
            isSame(name, item[name], known.made[name]) && !isSame(name, item[name], known.before[name]),
        );
        return still.length === 0 ? [] : [makeSetChange(known.menu, item, pick(known.before, still), false)];
      });
  });
  return [...changes, ...back];
}

/** Sharing made by a fix stays. */
const ours: Values = { [SHARES]: "no", disabled: "yes" };

const turned = ({ menu, item }: DualStackServer, values: Values) => makeSetChange(menu, item, values, true);

export function makeSetChange(menu: string, item: Item, values: Values, isForeign: boolean): Change {
  // a kind of queue shows what that kind has, and takes nothing empty back for the rest
  const before = pick(
    item,
    Object.keys(values).filter((name) => item[name] !== undefined),
  );
  const key = pick(item, ["name"]);
  return { kind: "set", part, menu, id: item[".id"] ?? null, key, values, before, isForeign };
}
