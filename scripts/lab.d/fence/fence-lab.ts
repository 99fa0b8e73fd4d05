import { readdirSync } from "node:fs";
import { join } from "node:path";
import { GARDEN_INTERFACES } from "../../../src/domain/goods/router-setup/garden/names.ts";
import type { Ran } from "../debian.ts";
import type { StepOf } from "../run-steps.ts";
import type { UmlGuest } from "../uml.ts";
import type { Attempt } from "./inside/attempts.ts";
import type { Heard } from "./inside/flows.ts";
import type { Carried } from "./inside/tunnel.ts";
import { address, type House, houses, IODINE_SERVER, lineInterface, NETWORK, resolver } from "./network.ts";
import { BANK, EXPIRED_LIST, type Names, PORTAL, RESOLVER } from "./router.ts";
import { formatEntry, setName, type Translation } from "./translate.ts";

export type Step = StepOf<FenceLab>;

const PROGRAMS = join(import.meta.dir, "inside");
/** Milliseconds that anything may take that a machine under load does by itself. */
const PATIENCE = 60_000;
/** The domains below which names are tunnels: iodine's, and ours with long answers and short ones. */
export const domains = { iodine: "iodine.lab", long: "long.lab", short: "short.lab" } as const;

/** What is asked for `seconds`, below which domain. */
interface Questions {
  readonly by: "udp" | "tcp";
  readonly domain: string;
  readonly seconds: number;
  readonly largest?: number;
}

/** A router under Linux with the rules of a RouterOS router, and what is around it. */
export class FenceLab {
  readonly #guest: UmlGuest;
  #router: number | undefined;

  constructor(guest: UmlGuest) {
    this.#guest = guest;
  }

  async start(): Promise<void> {
    this.#guest.copyIn(process.execPath, "usr/local/bin/bun");
    for (const file of readdirSync(PROGRAMS)) this.#guest.copyIn(join(PROGRAMS, file), `lab/inside/${file}`);
    await this.#guest.boot();
    await this.root(NETWORK);
    await this.background("net", this.#program("host.ts", `net ${address.far} ${address.far6}`));
    await this.background("net", this.#program("host.ts", `bank ${BANK}`));
    await this.background("net", this.#program("tunnel.ts", `serve ${address.tunnel}`));
    await this.background("portal", this.#program("host.ts", `portal ${PORTAL}`));
    await this.background("router", this.#program("host.ts", `router ${address.router}`));
    for (const [name, { four, six }] of Object.entries(houses))
      await this.background(name, this.#program("host.ts", `${name} ${four} ${six}`));
    await this.background(
      "net",
      `iodined -f -c -P secret -l ${address.iodine} ${IODINE_SERVER}/24 ${domains.iodine}`,
    );
    const asked = [
      `/${domains.iodine}/${address.iodine}`,
      ...[domains.long, domains.short].map((domain) => `/${domain}/${address.tunnel}`),
    ];
    await this.root(
      `${resolver("dns", RESOLVER, { name: "resolver", asked })} >>/tmp/dns.log 2>&1 </dev/null &`,
    );
    await this.until("every host's answer", async () => {
      const all: Attempt[] = [
        ...[address.far, address.far6, BANK, PORTAL, address.router].map((to) => ({
          protocol: "tcp" as const,
          to,
          port: 443,
        })),
        { protocol: "udp", to: RESOLVER, port: 53 },
      ];
      return (await this.try("paid", all)).every(Boolean);
    });
  }

  attempt(command: string, options: { stdin?: string; seconds?: number } = {}): Promise<Ran> {
    return this.#guest.run(command, options);
  }

  /** A command inside that has to succeed; what it printed. */
  async root(command: string, options: { stdin?: string; seconds?: number } = {}): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(command, options);
    if (code !== 0)
      throw new Error(`${command.slice(0, 200)} ended with ${code}: ${(stderr + stdout).trim()}`);
    return stdout.trim();
  }

  /** A command in a network namespace. */
  in(space: string, command: string, options: { stdin?: string; seconds?: number } = {}): Promise<string> {
    return this.root(`ip netns exec ${space} ${command}`, options);
  }

  /** Whether a command in a network namespace succeeds. */
  async succeeds(space: string, command: string): Promise<boolean> {
    return (await this.attempt(`ip netns exec ${space} ${command}`)).code === 0;
  }

  /** Starts what goes on; its process id. */
  async background(space: string, command: string): Promise<number> {
    return Number(
      await this.root(`ip netns exec ${space} ${command} >>/tmp/${space}.log 2>&1 </dev/null & echo $!`),
    );
  }

  #program = (file: string, rest: string) => `bun /lab/inside/${file} ${rest}`;

  /** Gives the router these rules alone, and no connections. `names`: who answers questions for names; the router is a resolver only where it is to be one. */
  async give({ sets, ipv4, ipv6 }: Translation, names: Names): Promise<void> {
    const empty = "*nat\nCOMMIT\n*filter\nCOMMIT\n";
    await this.in("router", "iptables-legacy-restore", { stdin: empty });
    await this.in("router", "ip6tables-legacy-restore", { stdin: "*filter\nCOMMIT\n" });
    await this.in("router", "ipset destroy");
    // what FastTrack had goes past all rules: a set-up ends it
    await this.in("router", "conntrack -F");
    await this.in("router", "ipset restore", { stdin: sets });
    await this.in("router", "iptables-legacy-restore", { stdin: ipv4 });
    await this.in("router", "ip6tables-legacy-restore", { stdin: ipv6 });
    if (this.#router !== undefined) await this.attempt(`kill ${this.#router}`);
    this.#router = undefined;
    if (names === "resolver") return;
    const command = resolver("router", address.router, { name: "router", asked: [RESOLVER] });
    this.#router = Number(await this.root(`${command} >>/tmp/router.log 2>&1 </dev/null & echo $!`));
    await this.until("the router's names", async () =>
      (await this.try("portal", [{ protocol: "udp", to: address.router, port: 53 }])).every(Boolean),
    );
  }

  /** What a router does when an Accept says that a line is in the garden: its address is on the list, its interface on the profile's. */
  async expire(house: House): Promise<void> {
    for (const entry of houseEntries(house)) await this.in("router", `ipset add ${entry}`);
  }

  async pay(house: House): Promise<void> {
    for (const entry of houseEntries(house)) await this.in("router", `ipset del ${entry}`);
  }

  /** Who answered each attempt of a house; null: nobody. */
  async try(space: string, attempts: readonly Attempt[]): Promise<(string | null)[]> {
    return JSON.parse(
      await this.in(space, this.#program("attempts.ts", ""), { stdin: JSON.stringify(attempts) }),
    );
  }

  /** Holds flows of a house open for so many seconds; what each end heard. */
  async hold(house: House, flows: readonly Attempt[], seconds: number): Promise<Heard[]> {
    const options = { stdin: JSON.stringify(flows), seconds: seconds + 60 };
    return JSON.parse(await this.in(house, this.#program("flows.ts", String(seconds)), options));
  }

  /** How much names carry of a house that asks `server` as fast as it can, by UDP for answers of so many bytes at the most. */
  async carry(
    house: House,
    server: string,
    { by, domain, seconds, largest = 1232 }: Questions,
  ): Promise<Carried> {
    const command = this.#program("tunnel.ts", `ask ${by} ${server} ${domain} ${seconds} ${largest}`);
    return JSON.parse(await this.in(house, command, { seconds: seconds + 60 }));
  }

  /** Milliseconds since 1970, as the guest has them. */
  async now(): Promise<number> {
    return Number(await this.root("date +%s%3N"));
  }

  /** Begins to count anew what arrives. */
  async forget(): Promise<void> {
    for (const space of ["net", "poor"])
      for (const program of ["iptables-legacy", "ip6tables-legacy"])
        await this.in(space, `${program} -t raw -Z PREROUTING`);
  }

  /** Packets that arrived since at the internet over the router's uplink, or at the expired house. */
  async arrived(space: "net" | "poor"): Promise<number> {
    let packets = 0;
    for (const program of ["iptables-legacy", "ip6tables-legacy"]) {
      const lines = (await this.in(space, `${program} -t raw -nvxL PREROUTING`)).split("\n");
      packets += Number(/^\s*(\d+)/.exec(lines.at(-1) ?? "")?.[1] ?? NaN);
    }
    return packets;
  }

  /** Waits for a condition, because programs bring it about by themselves. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    if (!(await this.comes(isSo, PATIENCE))) throw new Error(`${what} did not come in ${PATIENCE / 1000} s`);
  }

  /** Whether a condition comes true within so many milliseconds. */
  async comes(isSo: () => Promise<boolean>, patience: number): Promise<boolean> {
    const end = performance.now() + patience;
    while (performance.now() < end) {
      if (await isSo()) return true;
      await Bun.sleep(200);
    }
    return false;
  }

  /** The router's rules and what they counted. */
  async lately(): Promise<string> {
    const rules =
      "iptables-legacy -nvL; ip netns exec router iptables-legacy -t nat -nvL; ip netns exec router ip6tables-legacy -nvL";
    return (
      await this.attempt(
        `tail -n 20 /tmp/*.log; ip netns exec router ${rules}; ip netns exec router ipset list`,
      )
    ).stdout;
  }
}

const houseEntries = (house: House) => [
  `${setName("addresses", EXPIRED_LIST, "ipv4")} ${houses[house].four}`,
  `${setName("interfaces", GARDEN_INTERFACES, "ipv6")} ${formatEntry("interfaces", lineInterface(house), "ipv6")}`,
];
