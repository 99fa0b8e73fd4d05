import { DHCP, DHCPV6, SHARES } from "./dual-stack.ts";
import type { ChosenQueues } from "./parts.ts";
import { shaperKinds, USUAL } from "./queues.ts";
import type { Values } from "./values.ts";
import { ignored, namedCommands, pairs, terminalMenu, tried } from "./terminal.ts";

const PPPOE = "/interface pppoe-server server";
const tunnels = ["l2tp", "pptp", "sstp", "ovpn"].map((kind) => `/interface ${kind}-server server`);

/**
 * What a set-up makes of the queues of lines, as commands which look at the router for the profiles that its servers have. Versions before 7.1
 * know no such queues, and leave everything as it is.
 */
export function queueCommands({ shaper, isForLeases, dualStack }: ChosenQueues): string[] {
  return [...(shaper === "none" ? [] : shaping(shaper, isForLeases)), ...dualStackCommands(dualStack)];
}

function shaping(shaper: keyof typeof shaperKinds, isForLeases: boolean): string[] {
  const own = shaperKinds[shaper];
  const { name = "", ...kind } = own;
  const queue = pairs({ "queue-type": name });
  const others = Object.values(shaperKinds).filter((one) => one !== own);
  const turned = (server: string) => `/ppp profile set [find name=[${server} default-profile]] ${queue}`;
  return [
    ...namedCommands("/queue type", own, {}),
    ...[PPPOE, "/interface ovpn-server server"].map((menu) =>
      each(menu, "disabled=no", turned(`${menu} get $server`)),
    ),
    // a record, but for servers of OpenVPN since 7.17
    ...tunnels.map((menu) => `:if ([${menu} get enabled]) do={ ${turned(`${menu} get`)} }`),
    `/ip hotspot user profile set [find] ${queue}`,
    ...(isForLeases ? [`/queue type set [find name=${USUAL}] ${pairs(kind)}`] : []),
  ]
    .map(tried)
    .concat(
      others.map((other) => ignored(`/queue type remove [find ${pairs({ name: other["name"] ?? "" })}]`)),
    );
}

function dualStackCommands(dualStack: ChosenQueues["dualStack"]): string[] {
  const [four, six] = [DHCP, DHCPV6].map(terminalMenu) as [string, string];
  const asks = "disabled=no use-radius=yes";
  const beside = (menu: string, which: string, from: string, values: Values) =>
    `${menu} set [find ${which} interface=[${from} get $server interface]] ${pairs(values)}`;
  if (dualStack === "whole") return [];
  if (dualStack === "ipv4")
    return [tried(each(four, asks, beside(six, "disabled=no", four, { disabled: "yes" })))];
  const apart = { [SHARES]: "no" };
  return [
    each(four, asks, beside(six, "disabled=no", four, apart)),
    each(six, "disabled=no", beside(four, asks, six, apart)),
  ].map(tried);
}

const each = (menu: string, which: string, body: string) =>
  `:foreach server in=[${menu} find ${which}] do={ ${body} }`;
