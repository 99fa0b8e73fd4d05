import {
  dualStackMenus,
  dualStackServers,
  keptApart,
  planDualStack,
  sharing,
} from "../../../goods/router-setup/dual-stack.ts";
import { found } from "../found.ts";
import { menuRows, type Reading } from "../reading.ts";
import { type Row, toRouterState } from "./row.ts";

const QUEUES = "/queue/simple";
const servers = dualStackMenus.map(({ menu }) => menu);

/** DHCP lines with separate IPv4 and IPv6 queues of the full rate each. */
export const givesOneRate: Row = {
  kinds: ["two_queues"],
  needs: [...servers, QUEUES],
  find: (reading, { dualStack }) => {
    const there = dualStackServers(reading);
    const lines = countDualLines(reading);
    if (dualStack !== "whole" || there.length === 0 || lines === 0) return [];
    const mayShare = keptApart(there).length === 0;
    return [found("two_queues", { lines, mayShare }, { state: String(mayShare), fix: sharing(there) })];
  },
};

/** The configured choice for such lines is in place. */
export const keepsChoice: Row = {
  kinds: ["dual_stack"],
  needs: servers,
  isFromSetup: true,
  find: (reading, { dualStack, made }) => {
    if (dualStack === "whole") return [];
    const memory = "memory" in made ? made.memory : [];
    const fix = planDualStack(toRouterState(reading), dualStack, memory);
    if (fix.length === 0) return [];
    const state = JSON.stringify(fix.map(({ menu, key }) => [menu, key]));
    return [found("dual_stack", { desired: dualStack, servers: fix.length }, { key: dualStack, state, fix })];
  },
};

/**
 * Lines with two queues. The DUID of an IPv6 queue need not contain the MAC address, so queues cannot be paired: the smaller
 * number counts. PPP lines have one queue on the interface.
 */
function countDualLines(reading: Reading): number {
  const targets = menuRows(reading, QUEUES)
    .filter(({ name = "" }) => name.startsWith("dhcp") && !/<(?:pppoe|pptp|l2tp|sstp|ovpn)-/.test(name))
    .map(({ target = "" }) => target.split(",").map((one) => one.includes(":")));
  const six = targets.filter((families) => families.every(Boolean)).length;
  const four = targets.filter((families) => !families.some(Boolean)).length;
  return Math.min(four, six);
}
