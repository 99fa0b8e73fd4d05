import { must } from "../../run-steps.ts";
import { LOGIN_PAGE } from "../access.ts";
import { type Claim, NotHere } from "../claim.ts";
import type { ChrLab, Session } from "../chr-lab.ts";
import { House } from "../house.ts";
import { EXPIRED, makePassword, PAID } from "../isp.ts";
import { WORLD } from "../place.ts";

const ID = { paid: 1, plugged: 3 };
/** How far a router's account of a line may be from what its interface counted: heads of PPP, and what comes while it hangs up. */
const NEAR = 0.02;

const findInterface = async ({ router }: ChrLab, username: string) =>
  ((await router.print("/interface", { name: `<pppoe-${username}>` })) ?? [])[0];

/** The session that a subscriber has. */
const openSession = (lab: ChrLab, subscriber: number) =>
  lab.until("a session in the books", async () =>
    (await lab.sessions(subscriber)).find((session) => session.stop_time === null),
  );

/** The same, when it is over. */
const overSession = (lab: ChrLab, subscriber: number, { id }: Session) =>
  lab.until("its Stop in the books", async () =>
    (await lab.sessions(subscriber)).find((session) => session.id === id && session.stop_time !== null),
  );

/** The prefix that a house was delegated; undefined: none came. */
async function delegated(lab: ChrLab, house: House): Promise<string | undefined> {
  const values = { interface: "line", request: "prefix", "pool-name": "got", "add-default-route": "no" };
  await house.api.add("/ipv6/dhcp-client", { ...values, disabled: "no" });
  try {
    return await lab.until(
      "a prefix",
      async () => {
        const [row] = (await house.api.print("/ipv6/dhcp-client", { interface: "line" })) ?? [];
        return row?.["status"] === "bound" && row["prefix"];
      },
      15_000,
    );
  } catch {
    return undefined;
  } finally {
    await house.api.remove("/ipv6/dhcp-client", { interface: "line" });
  }
}

export const lineClaims: readonly Claim[] = [
  {
    what: "PPPoE by PAP, CHAP, MS-CHAP and MS-CHAPv2; a wrong password",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      for (const allow of ["pap", "chap", "mschap1", "mschap2"]) {
        const address = await house.dial(PAID, { allow });
        must(address !== undefined, `${allow} was not let in`);
        const session = await openSession(lab, ID.paid);
        must(session.ip === address, `the books have ${session.ip}, the line ${address}`);
        await house.hangUp();
      }
      must((await house.dial(PAID, { password: "wrong" })) === undefined, "a wrong password was let in");
      return "each is let in with the address that the books have, a wrong password is not";
    },
  },
  {
    what: "octets of a line in the books and on the router's interface",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      await house.line(PAID);
      must((await house.fetch(`http://${WORLD}/file`, "none")) !== undefined, "the file did not come");
      await house.ping(WORLD, 50, 1400);
      const session = await openSession(lab, ID.paid);
      const counted = await findInterface(lab, PAID);
      await house.hangUp();
      const { input_octets: input, output_octets: output } = await overSession(lab, ID.paid, session);
      const [rx, tx] = [Number(counted?.["rx-byte"]), Number(counted?.["tx-byte"])];
      const off = Math.max(Math.abs(input / rx - 1), Math.abs(output / tx - 1));
      must(off < NEAR, `the interface counted ${rx} and ${tx} bytes, the books ${input} and ${output}`);
      return `${input} up and ${output} down, the interface ${rx} and ${tx}`;
    },
  },
  {
    what: "CoA: another rate while the line is up, and its end",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      await house.line(PAID);
      const rate = async () => {
        const [queue] = (await lab.router.print("/queue/simple", { name: `<pppoe-${PAID}>` })) ?? [];
        return queue?.["max-limit"];
      };
      must((await rate()) === "10000000/20000000", `its queue has ${await rate()}`);
      await lab.gatehouse(["package", "set", "Home", "--rate-limit", "5M/6M"]);
      await lab.gatehouse(["package", "apply", "Home"]);
      await lab.until("the new rate", async () => (await rate()) === "5000000/6000000");
      await lab.gatehouse(["package", "set", "Home", "--rate-limit", "10M/20M"]);
      await lab.gatehouse(["package", "apply", "Home"]);
      const session = await openSession(lab, ID.paid);
      const output = await lab.gatehouse(["sessions", "end", PAID]);
      await overSession(lab, ID.paid, session);
      await house.hangUp();
      return `10M/20M becomes 5M/6M at once; "${output.split("\n").at(-1)}"`;
    },
  },
  {
    what: "IPv6: who has paid is delegated a prefix, who has expired is not",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      if ((await house.api.print("/ipv6/dhcp-client")) === null) throw new NotHere("no IPv6");
      await house.line(PAID);
      const prefix = await delegated(lab, house);
      await house.hangUp();
      must(prefix?.startsWith("2001:db8:b") === true, `who has paid got ${prefix ?? "none"}`);
      await house.line(EXPIRED);
      const free = await delegated(lab, house);
      await house.hangUp();
      must(free === undefined, `who has expired got ${free}`);
      return `${prefix}, and none`;
    },
  },
  {
    what: "a hotspot: shut before the login, open after it, and in the books",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      await house.lease("guests", LOGIN_PAGE);
      const before = lab.world.pages;
      await house.fetch(`http://${WORLD}/`);
      must(lab.world.pages === before, "a guest who is not logged in reached the world");
      await house.fetch(`http://${LOGIN_PAGE}/login?username=${PAID}&password=${makePassword(PAID)}`);
      await lab.until(
        "the guest among those who are logged in",
        async () => ((await lab.router.print("/ip/hotspot/active", { user: PAID })) ?? []).length > 0,
      );
      must((await house.fetch(`http://${WORLD}/`)) === "the world", "the guest does not reach the world");
      const session = await openSession(lab, ID.paid);
      await lab.gatehouse(["sessions", "end", PAID]);
      await house.giveUp("guests");
      return `logged in with ${session.ip}`;
    },
  },
  {
    what: "a line by DHCP, known by its device",
    by: "lines",
    run: async (lab) => {
      const house = await House.of(lab);
      const address = await house.lease("leases", "10.62.0.1");
      const [lease] = (await lab.router.print("/ip/dhcp-server/lease", { address })) ?? [];
      must(lease?.["radius"] === "true", `the lease is not of RADIUS: ${JSON.stringify(lease)}`);
      const session = await openSession(lab, ID.plugged);
      must(session.ip === address, `the books have ${session.ip}, the lease ${address}`);
      must((await house.fetch(`http://${WORLD}/`)) === "the world", "the line does not reach the world");
      await house.giveUp("leases");
      return `${address} in the lease and in the books`;
    },
  },
];
