import { must } from "../run-steps.ts";
import { domains, type FenceLab } from "./fence-lab.ts";
import { IODINE_SERVER } from "./network.ts";

/** The most that a tunnel through names may carry each way, in kbit/s. */
export const MOST = 128;
/** Seconds that a tunnel is measured for, the burst of the limit over. */
const MEASURED = 8;

/** Names as long as they may be, at once by UDP and TCP: answers of a packet beside long ones, and of everybody's size beside short ones. */
export const longestNames = [
  { what: "long answers", udp: { domain: domains.long, largest: 1472 }, tcp: { domain: domains.long } },
  { what: "long names", udp: { domain: domains.long, largest: 4096 }, tcp: { domain: domains.short } },
] as const;

/** What names carry each way, in kbit/s. */
interface Rate {
  readonly up: number;
  readonly down: number;
}

export const words = ({ up, down }: Rate) => `${up.toFixed(1)} up and ${down.toFixed(1)} down`;

/** Seconds that iodine is given to find out how to get through. */
export const IODINE = 60;

/** Floods the iodine of the house both ways; null: it does not come up. */
export async function throughIodine(lab: FenceLab, server: string): Promise<Rate | null> {
  const client = await lab.background("poor", `iodine -f -P secret ${server} ${domains.iodine}`);
  const answers = () => lab.succeeds("poor", `ping -c 1 -W 5 ${IODINE_SERVER}`);
  const rate = (await lab.comes(answers, IODINE * 1000)) ? await flooded(lab) : null;
  await lab.attempt(`kill ${client}`);
  return rate;
}

async function flooded(lab: FenceLab): Promise<Rate> {
  const received = async () => {
    const seen = ["net", "poor"].map((space) => lab.in(space, "cat /sys/class/net/dns0/statistics/rx_bytes"));
    return (await Promise.all(seen)).map(Number);
  };
  const before = await received();
  await lab.attempt(`ip netns exec poor ping -q -i 0.01 -s 1000 -w ${MEASURED} ${IODINE_SERVER}`);
  const after = await received();
  const [up = NaN, down = NaN] = after.map((bytes, at) => kbits(bytes - (before[at] ?? 0), MEASURED));
  return { up, down };
}

/** What a tunnel could carry that were better than iodine. */
export async function longest(lab: FenceLab, server: string): Promise<string> {
  const seen: string[] = [];
  for (const one of longestNames) {
    await carried(lab, server, one, 4); // the burst
    const rate = await carried(lab, server, one, MEASURED);
    must(Math.max(rate.up, rate.down) < MOST, `${one.what} carry ${words(rate)}`);
    seen.push(`${one.what} ${words(rate)}`);
  }
  return seen.join("; ");
}

export async function carried(
  lab: FenceLab,
  server: string,
  { udp: byUdp, tcp: byTcp }: (typeof longestNames)[number],
  seconds: number,
): Promise<Rate> {
  const both = await Promise.all([
    lab.carry("poor", server, { by: "udp", ...byUdp, seconds }),
    lab.carry("poor", server, { by: "tcp", ...byTcp, seconds }),
  ]);
  const sum = (of: "up" | "down") => both.reduce((total, one) => total + kbits(one[of], seconds), 0);
  return { up: sum("up"), down: sum("down") };
}

const kbits = (bytes: number, seconds: number) => (bytes * 8) / 1000 / seconds;
