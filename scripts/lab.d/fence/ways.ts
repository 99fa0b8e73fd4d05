import { must } from "../run-steps.ts";
import type { FenceLab } from "./fence-lab.ts";
import type { Attempt } from "./inside/attempts.ts";
import { address, houses } from "./network.ts";
import { BANK } from "./router.ts";

export const tcp = (to: string, port: number): Attempt => ({ protocol: "tcp", to, port });
export const udp = (to: string, port: number): Attempt => ({ protocol: "udp", to, port });
const label = ({ protocol, to, port }: Attempt) => `${protocol} ${to}:${port}`;

/** Ways out to somebody's server: tunnels like ports that are let through, and any other. */
export const foreign: readonly Attempt[] = [
  ...[443, 853, 22, 1194, 8080].map((port) => tcp(address.far, port)),
  ...[443, 853, 500, 1194, 4500, 51_820].map((port) => udp(address.far, port)),
];
export const foreign6: readonly Attempt[] = [
  ...[443, 53, 853, 22, 80].map((port) => tcp(address.far6, port)),
  ...[443, 53, 853, 51_820].map((port) => udp(address.far6, port)),
];
/** Flows that go on when a line expires. */
const flows: readonly Attempt[] = [
  ...[443, 22, 853].map((port) => tcp(address.far, port)),
  ...[53, 443, 4500, 51_820].map((port) => udp(address.far, port)),
  tcp(address.far6, 443),
  udp(address.far6, 443),
];
/** Other protocols than TCP and UDP: tunnels that the kernel makes, IPv6 in IPv4 among them. */
export const encapsulations = ["gre", "ipip", "sit"] as const;
/** Seconds after which nothing of an old flow passes. */
const GRACE = 5;

export function reachesNobody(ways: readonly Attempt[], answered: readonly (string | null)[]): void {
  const reached = ways.flatMap((way, at) => (answered[at] ? [`${label(way)} (${answered[at]})`] : []));
  must(reached.length === 0, `answered: ${reached.join(", ")}`);
}

export async function nothingArrived(lab: FenceLab): Promise<string> {
  const packets = await lab.arrived("net");
  must(packets === 0, `${packets} packets arrived at the internet`);
  return "not a packet arrives at the internet";
}

/** Houses that pay reach everything, each by the host that was asked. */
export async function passes(lab: FenceLab): Promise<string> {
  const names = [udp(address.far, 53), tcp(address.far, 53)];
  const ways = [...foreign, ...foreign6, ...names, tcp(address.far, 80), tcp(BANK, 443)];
  const wanted = ways.map(({ to }) => (to === BANK ? "bank" : "net"));
  for (const house of ["poor", "paid"] as const) {
    const answered = await lab.try(house, ways);
    const missed = ways.filter((_, at) => answered[at] !== wanted[at]).map(label);
    must(missed.length === 0, `${house} does not reach ${missed.join(", ")}`);
    must((await pinged(lab, house, address.far)) === 1, `${house} has no ping`);
    for (const kind of encapsulations)
      must((await tunnelled(lab, house, kind)) === 1, `${house} has no ${kind}`);
  }
  return `${ways.length} ways by TCP and UDP, ping, GRE, IPIP and 6in4 of both houses, all pass`;
}

export const pinged = async (lab: FenceLab, space: string, to: string): Promise<number> => {
  const { stdout } = await lab.attempt(`ip netns exec ${space} ping -n -c 1 -W 2 ${to}`);
  return Number(/(\d+) received/.exec(stdout)?.[1] ?? 0);
};

/** Pings the far end through a tunnel of the kernel's; 1: it answers. */
export async function tunnelled(
  lab: FenceLab,
  house: "poor" | "paid",
  kind: (typeof encapsulations)[number],
): Promise<number> {
  const { four, end } = houses[house];
  const [near, far] = kind === "sit" ? ["fd00::2", "fd00::1"] : ["172.31.0.2", "172.31.0.1"];
  const make = (space: string, local: string, remote: string, own: string) =>
    `ip -n ${space} tunnel add try mode ${kind} local ${local} remote ${remote} && ip -n ${space} addr add ${own}/${kind === "sit" ? 64 : 24} dev try ${kind === "sit" ? "nodad" : ""} && ip -n ${space} link set try up`;
  // the router's uplink hides the houses behind its own address
  await lab.root(make("net", end, address.wan, far));
  await lab.root(make(house, four, end, near));
  const answers = await pinged(lab, house, far);
  await lab.root(`ip -n net link del try; ip -n ${house} link del try`);
  return answers;
}

export async function oldFlows(lab: FenceLab): Promise<string> {
  const holding = lab.hold("poor", flows, 17);
  await Bun.sleep(5000);
  await lab.expire("poor");
  const expired = await lab.now();
  await Bun.sleep(GRACE * 1000);
  await lab.forget();
  await Bun.sleep(GRACE * 1000);
  const arrived = [await lab.arrived("net"), await lab.arrived("poor")];
  const heard = await holding;
  const silent = flows.filter((_, at) => (heard[at]?.times ?? 0) < 10).map(label);
  must(silent.length === 0, `these were never open: ${silent.join(", ")}`);
  const last = Math.max(...heard.map((one) => one.last)) - expired;
  must(last < GRACE * 1000, `${(last / 1000).toFixed(1)} s after it a flow still passed`);
  must(
    arrived.every((packets) => packets === 0),
    `from then on ${arrived.join(" and ")} packets arrived`,
  );
  return `${flows.length} flows, both ways; the last packet ${Math.max(0, last / 1000).toFixed(1)} s after it, not one from ${GRACE} s on`;
}
