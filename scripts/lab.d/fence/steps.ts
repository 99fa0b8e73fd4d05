import { MARK } from "../../../src/domain/goods/router-setup/mark.ts";
import { must } from "../run-steps.ts";
import { domains, type FenceLab, type Step } from "./fence-lab.ts";
import { lagSteps } from "./lag-steps.ts";
import { address, houses } from "./network.ts";
import { BANK, factoryRouter, makeSetUpRouter, type Names, PORTAL, PORTAL_PORT, RESOLVER } from "./router.ts";
import { translated } from "./translate.ts";
import { carried, IODINE, longest, longestNames, MOST, throughIodine, words } from "./tunnels.ts";
import {
  encapsulations,
  foreign,
  foreign6,
  nothingArrived,
  oldFlows,
  passes,
  pinged,
  reachesNobody,
  tcp,
  tunnelled,
  udp,
} from "./ways.ts";

/** Whom everybody asks for names. */
const asked = (names: Names) => (names === "resolver" ? RESOLVER : address.router);

/** What tunnels through names do where nobody is in their way: no less is no proof. */
const open: readonly Step[] = [
  {
    what: "the default configuration of RouterOS alone: tunnels through names, in kbit/s",
    run: async (lab) => {
      const config = factoryRouter();
      await lab.give(
        translated((menu) => config.rows(menu)),
        "resolver",
      );
      const iodine = await throughIodine(lab, RESOLVER);
      must(iodine !== null && iodine.down > MOST, `iodine carries ${iodine && words(iodine)}`);
      const seen = [`iodine ${words(iodine)}`];
      for (const names of longestNames) {
        const rate = await carried(lab, RESOLVER, names, 3);
        must(Math.max(rate.up, rate.down) > MOST, `${names.what} carry ${words(rate)}`);
        seen.push(`${names.what} ${words(rate)}`);
      }
      return seen.join("; ");
    },
  },
  { what: "there, every way out of two houses", run: passes },
];

/** What has nothing to do with who answers questions for names; a house that has expired. */
const waysOut: readonly Step[] = [
  {
    what: "tunnels on 22, 443, 500, 853, 1194, 4500, 8080, 51820",
    run: async (lab) => {
      await lab.forget();
      reachesNobody(foreign, await lab.try("poor", foreign));
      return `${foreign.length} ways tried, ${await nothingArrived(lab)}`;
    },
  },
  {
    what: "ICMP, GRE, IPIP and 6in4",
    run: async (lab) => {
      await lab.forget();
      must((await pinged(lab, "poor", address.far)) === 0, "the internet answers a ping");
      for (const kind of encapsulations)
        must((await tunnelled(lab, "poor", kind)) === 0, `${kind} is answered`);
      return await nothingArrived(lab);
    },
  },
  {
    what: "IPv6",
    run: async (lab) => {
      await lab.forget();
      reachesNobody(foreign6, await lab.try("poor", foreign6));
      must((await pinged(lab, "poor", address.far6)) === 0, "the internet answers a ping");
      return `${foreign6.length} ways and a ping tried, ${await nothingArrived(lab)}`;
    },
  },
  {
    what: "a paid house, the router's own services, other ports of the portal",
    run: async (lab) => {
      const ways = [
        ...[tcp(houses.paid.four, 22), udp(houses.paid.four, 443), tcp(houses.paid.six, 443)],
        ...[22, 443, 1080, 3128, 8291, 8728].map((port) => tcp(address.router, port)),
        ...[22, 443].map((port) => tcp(PORTAL, port)),
        tcp(RESOLVER, 22),
      ];
      reachesNobody(ways, await lab.try("poor", ways));
      return `${ways.length} ways tried, nobody answers`;
    },
  },
  {
    what: "the internet and a paid house begin to talk to it",
    run: async (lab) => {
      await lab.forget();
      const ways = [tcp(houses.poor.four, 22), udp(houses.poor.four, 443), tcp(houses.poor.six, 443)];
      for (const space of ["net", "paid"]) reachesNobody(ways, await lab.try(space, ways));
      must((await lab.arrived("poor")) === 0, `${await lab.arrived("poor")} packets arrived at the house`);
      return `${ways.length} ways each, not a packet arrives at the house`;
    },
  },
];

const titles: Readonly<Record<Names, string>> = {
  resolver: "names by a resolver",
  router: "names by the router",
};

/** A router that is set up; a line that expires there; what it can do then with names, and besides; and when it is paid for again. */
const garden = (names: Names, besides: readonly Step[]): Step[] => [
  step(names, "the rows of a set-up, as rules of the kernel", (lab) => setUp(lab, names)),
  step(names, "flows that were open when the line expired", oldFlows),
  ...besides,
  step(names, "names of other servers, by UDP and TCP", async (lab) => {
    await lab.forget();
    const ways = [
      udp(address.far, 53),
      tcp(address.far, 53),
      udp(address.iodine, 53),
      tcp(address.tunnel, 53),
    ];
    const answered = await lab.try("poor", ways);
    must(
      answered.every((who) => who === names),
      `answered by ${answered.join(", ")}`,
    );
    return `whoever is asked, the ${names} answers; ${await nothingArrived(lab)}`;
  }),
  step(names, "the portal, what its owner allows, and names", async (lab) => {
    const ways = [
      ...[tcp(PORTAL, PORTAL_PORT), tcp(address.far, 80), tcp(BANK, 443), udp(BANK, 443)],
      ...[udp(asked(names), 53), tcp(asked(names), 53)],
    ];
    const answered = await lab.try("poor", ways);
    const wanted = ["portal", "portal", "bank", "bank", names, names];
    must(Bun.deepEquals(answered, wanted), `answered by ${answered.join(", ")}`);
    must((await pinged(lab, "poor", address.router)) === 1, "the router answers no ping");
    return "the portal's page, for any page of HTTP too; the bank; names; a ping of the router";
  }),
  step(names, "questions for names as fast as they go", async (lab) => {
    const questions = { by: "udp", domain: domains.short, seconds: 10 } as const;
    const { answers } = await lab.carry("poor", asked(names), questions);
    must(answers > 0 && answers <= 30 + 5 * 11, `${answers} were answered in 10 s`);
    return `of 2000 in 10 s ${answers} are answered`;
  }),
  step(names, "iodine, in kbit/s", async (lab) => {
    const rate = await throughIodine(lab, asked(names));
    must(rate === null || Math.max(rate.up, rate.down) < MOST, `it carries ${rate && words(rate)}`);
    return rate ? words(rate) : `no tunnel in ${IODINE} s`;
  }),
  step(names, "names as long and as many as go, by UDP and TCP at once, in kbit/s", (lab) =>
    longest(lab, asked(names)),
  ),
  step(names, "the house pays again", async (lab) => {
    await lab.pay("poor");
    return passes(lab);
  }),
];

const step = (names: Names, what: string, run: Step["run"]): Step => ({
  what: `${titles[names]}: ${what}`,
  run,
});

export const steps: readonly Step[] = [
  ...open,
  ...garden("resolver", waysOut),
  ...garden("router", []),
  ...lagSteps,
];

async function setUp(lab: FenceLab, names: Names): Promise<string> {
  const config = await makeSetUpRouter(names);
  const { sets, ipv4, ipv6 } = translated((menu) => config.rows(menu));
  await lab.give({ sets, ipv4, ipv6 }, names);
  const rows = ["/ip/firewall/filter", "/ip/firewall/nat", "/ipv6/firewall/filter"].flatMap((menu) =>
    config.rows(menu),
  );
  const ours = rows.filter((row) => row["comment"] === MARK).length;
  const count = (text: string) => text.split("\n").filter((line) => line.startsWith("-A")).length;
  return `${ours} of ours among those of the default configuration, ${count(ipv4)} rules for IPv4 and ${count(ipv6)} for IPv6`;
}
