import type { Shaper } from "../../../src/domain/goods/nas/kinds.ts";
import { must } from "../run-steps.ts";
import type { FenceLab, Step } from "./fence-lab.ts";
import { address, lineInterface } from "./network.ts";
import { lineQueue, queueWords } from "./queues.ts";
import { makeSetUpRouter } from "./router.ts";
import { translated } from "./translate.ts";

/** What lines are sold, in Mbit/s each way. */
const rates = [5, 20];
/** The most that a ping waits longer on a full line, in milliseconds: 95 of 100. */
const MOST = 30;
/** How full a line has to be to be called so, of what it is sold. */
const FULL = 0.75;
/** Pings, one each so many seconds, while a line is full for so many. */
const [PINGS, EVERY, LOADED] = [120, 0.05, 11];
/** Milliseconds to the internet. */
const DISTANCE = 20;

const titles: Readonly<Record<Shaper, string>> = {
  none: "the FIFO that RouterOS gives lines, and its longer one",
  fq_codel: "fq_codel",
  cake: "cake",
};

export const lagSteps: readonly Step[] = rates.flatMap((rate) =>
  (["none", "fq_codel", "cake"] as const).map((shaper) => ({
    what: `a house of ${rate} Mbit/s, full both ways, ${titles[shaper]}`,
    run: (lab: FenceLab) => lag(lab, shaper, rate),
  })),
);

async function lag(lab: FenceLab, shaper: Shaper, rate: number): Promise<string> {
  const config = await makeSetUpRouter("resolver", shaper);
  const readRows = (menu: string) => config.rows(menu);
  await lab.give(translated(readRows), "resolver");
  await lab.root(`tc -n net qdisc replace dev eth0 root netem delay ${DISTANCE}ms limit 10000`);
  const idle = await pings(lab, 40);
  const queue = queueWords(lineQueue(readRows)).join(" ");
  const seen = await full(lab, rate, queue);
  const over = seen.p95 - idle.p50;
  const words = `${queue}: ${said(seen, idle)}`;
  if (shaper === "none") {
    // the other FIFO that routers have
    const longer = queueWords(readRows("/queue/type").find((row) => row["name"] === "default") ?? {}).join(
      " ",
    );
    return `${words}; ${longer}: ${said(await full(lab, rate, longer), idle)}`;
  }
  must(Math.min(seen.up, seen.down) > rate * FULL, `the line was not full: ${words}`);
  must(over < MOST && seen.lost < 1, words);
  return words;
}

interface Waited {
  /** Milliseconds that half of the pings took at the most, and 95 of 100. */
  readonly p50: number;
  readonly p95: number;
  /** Of 100 pings. */
  readonly lost: number;
}

interface Full extends Waited {
  /** Mbit/s that moved meanwhile. */
  readonly up: number;
  readonly down: number;
}

const said = ({ p95, lost, up, down }: Full, idle: Waited) =>
  `ping's p95 ${(p95 - idle.p50).toFixed(1)} ms over idle, ${lost.toFixed(0)} % lost, ${up.toFixed(1)} Mbit/s up and ${down.toFixed(1)} down`;

/** A line of so many Mbit/s with such a queue, that downloads and uploads have to themselves. */
async function full(lab: FenceLab, rate: number, queue: string): Promise<Full> {
  await lab.root(shaped(rate, queue));
  const server = await lab.background("net", "iperf3 -s");
  await lab.until("iperf3", () => lab.succeeds("net", "grep -qi :1451 /proc/net/tcp /proc/net/tcp6"));
  const load = lab.in("paid", `iperf3 -c ${address.far} --bidir -P 4 -t ${LOADED} -J`, { seconds: 90 });
  await Bun.sleep(4000);
  const waited = await pings(lab, PINGS);
  const { end, error } = JSON.parse(await load);
  await lab.attempt(`kill ${server}`);
  must(error === undefined, `iperf3: ${error}`);
  const mbits = (sum: { bits_per_second: number }) => sum.bits_per_second / 1e6;
  return { ...waited, up: mbits(end.sum_received), down: mbits(end.sum_received_bidir_reverse) };
}

/** As a simple queue has it: a rate each way, and in it the kind of queue. */
function shaped(rate: number, queue: string): string {
  const line = lineInterface("paid");
  const limited = (dev: string) => [
    `tc -n router qdisc add dev ${dev} root handle 1: htb default 1`,
    `tc -n router class add dev ${dev} parent 1: classid 1:1 htb rate ${rate}mbit ceil ${rate}mbit`,
    `tc -n router qdisc add dev ${dev} parent 1:1 ${queue}`,
  ];
  return [
    `tc -n router qdisc del dev ${line} root 2>/dev/null`,
    `tc -n router qdisc del dev ${line} ingress 2>/dev/null`,
    "ip -n router link del ifb-paid 2>/dev/null",
    "set -e",
    "ip -n router link add ifb-paid type ifb",
    "ip -n router link set ifb-paid up",
    `tc -n router qdisc add dev ${line} handle ffff: ingress`,
    `tc -n router filter add dev ${line} parent ffff: matchall action mirred egress redirect dev ifb-paid`,
    ...limited(line),
    ...limited("ifb-paid"),
  ].join("\n");
}

async function pings(lab: FenceLab, count: number): Promise<Waited> {
  const { stdout } = await lab.attempt(
    `ip netns exec paid ping -n -i ${EVERY} -c ${count} -W 2 ${address.far}`,
  );
  const times = [...stdout.matchAll(/time=([\d.]+) ms/g)].map(([, time]) => Number(time));
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Infinity;
  return { p50: at(0.5), p95: at(0.95), lost: (1 - times.length / count) * 100 };
}
